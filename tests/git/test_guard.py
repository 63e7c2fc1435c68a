"""The guard: what a repository of a game refuses, each with a one-line reason."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli
from adjudicator.git import guard
from adjudicator.git.process import Repo
from adjudicator.git.reading import resolve
from adjudicator.git.writing import Writer
from adjudicator.player.seated import Seated
from orders import names
from orders.errors import Refused


@pytest.fixture
def mallory(shared, run_git, tmp_path):
    """A clone from which somebody pushes by plain git; unsigned."""
    clone = tmp_path / "mallory"
    run_git(tmp_path, "clone", "-q", str(shared.bare), str(clone))
    return clone


def push(clone: Path, target: str) -> str:
    """The reason for which the guard refuses a push of HEAD there."""
    there = resolve(Repo(clone), f"origin/{target.removeprefix('refs/heads/')}")
    found = guard.check_rows(clone, [(there or "0" * 40, "HEAD", target)])
    assert found, f"{target} was taken"
    return found[0]


def push_to_server(clone: Path, target: str, *options: str) -> str:
    """The same by git and the server's hook, in a process of its own."""
    done = subprocess.run(
        ["git", "-C", str(clone), "push", "-q", *options, "origin", f"HEAD:{target}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0, f"{target} was taken"
    told = [line for line in done.stderr.splitlines() if "refused: " in line]
    assert told, done.stderr
    assert "Traceback" not in done.stderr
    return told[0].partition("refused: ")[2].rstrip()


def commit(run_git, clone: Path, message: str = "x") -> None:
    run_git(clone, "add", "-A")
    run_git(clone, "commit", "-q", "--no-gpg-sign", "-m", message)


def sign(run_git, table, clone: Path, name: str, message: str | None = None) -> str:
    """Commit all as that player's clone does, or the host's, by plain git; returns the commit."""
    step = table.record.last_step() + 1
    who = ("-c", f"user.name={name}", "-c", f"user.email={name}@adjudicator.invalid")
    key = ("-c", "gpg.format=ssh", "-c", f"user.signingKey={table.folder / name}.key")
    said = f"{step:04d} {name}: orders" if message is None else message
    run_git(clone, "add", "-A")
    run_git(clone, *who, *key, "commit", "-q", "-S", "--allow-empty", "-m", said)
    return run_git(clone, "rev-parse", "HEAD")


@pytest.mark.parametrize(
    "path",
    [
        "invite.toml", "invite.toml.sig", "joins/alice.toml", "entries/0000.toml",
        "entries/0002.toml", "entries/0002.toml.sig", "slips/0001-bob.toml",
        "slips/0001-bob.toml.sig", "reports/0001-bob.sealed", ".gitattributes",
    ],
)  # fmt: skip
def test_a_changed_file_is_refused(path, shared, mallory, run_git):
    """Nothing that the record has is ever changed, on main or on a player's own branch."""
    file = mallory / path
    file.write_bytes(file.read_bytes() + b"x")
    commit(run_git, mallory)
    before = shared.main()
    for branch in ("main", "players/bob"):
        reason = push_to_server(mallory, f"refs/heads/{branch}")
        assert f"{path}: changed" in reason
        assert reason == push(mallory, f"refs/heads/{branch}")
        assert reason.startswith(f"refs/heads/{branch}: ")
    assert shared.main() == before


@pytest.mark.parametrize("path", ["entries/0001.toml", "reports/0002-alice.sealed", "invite.toml"])
def test_a_removed_file_is_refused(path, mallory, run_git):
    """Nothing is ever removed."""
    (mallory / path).unlink()
    commit(run_git, mallory)
    assert push(mallory, "refs/heads/players/alice").startswith(
        f"refs/heads/players/alice: {path}: removed"
    )
    assert push(mallory, "refs/heads/main") != ""


def test_a_change_that_is_undone_is_refused(mallory, run_git):
    """Every commit counts, not only the last."""
    file = mallory / "entries/0001.toml"
    whole = file.read_bytes()
    file.write_bytes(b"other")
    commit(run_git, mallory)
    file.write_bytes(whole)
    commit(run_git, mallory)
    assert "entries/0001.toml: changed" in push(mallory, "refs/heads/main")


@pytest.mark.parametrize(
    "path", ["notes.txt", "entries/x", "slips/0009-Alice.toml", "sub/entries/0001.toml", ".ssh"]
)
def test_a_file_that_belongs_nowhere_is_refused(path, mallory, run_git):
    """Only the record's own names are taken."""
    file = mallory / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("x")
    commit(run_git, mallory)
    for branch in ("main", "players/alice"):
        assert "a file that belongs nowhere" in push(mallory, f"refs/heads/{branch}")


@pytest.mark.parametrize(
    "path", ["slips/0009-alice.toml", "entries/0099.toml", "orders/0001-carol.sealed"]
)
def test_a_well_named_file_that_no_entry_names_is_refused_on_main(path, mallory, run_git):
    """A good name is not enough."""
    lay(mallory, {path: b"x"})
    commit(run_git, mallory)
    push(mallory, "refs/heads/main")


def test_workflows_are_the_hosts(mallory, run_git):
    """Only the host changes what lies beside the record, and what CI runs with secrets."""
    (mallory / ".github" / "workflows").mkdir(parents=True)
    (mallory / ".github" / "workflows" / "x.yml").write_text("x")
    commit(run_git, mallory)
    assert "only the host changes this" in push(mallory, "refs/heads/main")
    assert "belongs nowhere" in push(mallory, "refs/heads/players/alice")


def pending(shared, name: str, lines: str) -> dict[str, bytes]:
    """A well signed order of that player for the coming step, as files; not pushed."""
    seat = shared.seats[name]
    shared.order(name, lines)
    order = seat.orders()[-1]
    for path in (seat.root / "orders").glob(f"{order.slip.step:04d}-{order.slip.revision}.*"):
        path.unlink()
    return order.files()


def lay(clone: Path, files: dict[str, bytes]) -> None:
    for path, data in files.items():
        (clone / path).parent.mkdir(exist_ok=True)
        (clone / path).write_bytes(data)


@pytest.fixture
def turn(shared):
    """Who is awaited, who is not, and a legal line for the one who is."""
    (awaited,) = shared.awaited()
    (other,) = (name for name in shared.players if name != awaited)
    seated = Seated(shared.records[awaited], shared.seats[awaited])
    return awaited, other, shared.game.legal(seated.report().view)[0]


def test_a_slip_in_another_players_name_is_refused(shared, turn, mallory, run_git):
    """On another's branch, or signed by another's key, a slip does not pass."""
    awaited, other, line = turn
    files = pending(shared, awaited, line)
    lay(mallory, files)
    sign(run_git, shared, mallory, awaited)
    assert f"in another player's name, not {other}'s" in push(
        mallory, f"refs/heads/players/{other}"
    )
    slip = next(path for path in files if path.endswith(".toml"))
    from orders import sshsig

    forged = shared.keys[other].sign(sshsig.SLIP, files[slip])
    lay(mallory, {names.signature(slip): forged})
    sign(run_git, shared, mallory, awaited)
    reason = push(mallory, f"refs/heads/players/{awaited}")
    assert f"not signed with {awaited}'s key in this game" in reason


def test_a_slip_on_main_is_refused(shared, turn, mallory, run_git):
    """A slip comes to main with its entry only."""
    awaited, _, line = turn
    lay(mallory, pending(shared, awaited, line))
    sign(run_git, shared, mallory, "host")
    assert "no entry names it" in push(mallory, "refs/heads/main")


def test_an_order_without_its_slip_or_another_is_refused(shared, turn, mallory, run_git):
    """The sealed file must be the one that the slip names, and must have one."""
    awaited, _, line = turn
    files = pending(shared, awaited, line)
    sealed = next(path for path in files if path.endswith(".sealed"))
    lay(mallory, {sealed: files[sealed]})
    sign(run_git, shared, mallory, awaited)
    assert "no slip names it" in push(mallory, f"refs/heads/players/{awaited}")
    lay(mallory, files | {sealed: files[sealed][:-1] + b"x"})
    sign(run_git, shared, mallory, awaited)
    assert "is not the file that the slip names" in push(mallory, f"refs/heads/players/{awaited}")


def test_a_forced_push_and_a_deletion_are_refused(shared, mallory, run_git):
    """Branches only go on."""
    run_git(mallory, "reset", "-q", "--hard", "HEAD~1")
    assert "a forced push" in push_to_server(mallory, "refs/heads/main", "--force")
    done = subprocess.run(
        ["git", "-C", str(mallory), "push", "-q", "origin", ":refs/heads/main"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    other = ("--allow-unrelated-histories", "-q", "--orphan", "new")
    run_git(mallory, "checkout", *other[1:])
    (mallory / "README.md").write_text("x")
    commit(run_git, mallory)
    assert "a forced push" in push(mallory, "refs/heads/main")
    assert "begins another history" in push(mallory, "refs/heads/players/carol")


def test_a_merge_that_drops_history_is_refused(shared, mallory, run_git):
    """A merge must keep every file of every side."""
    old = run_git(mallory, "rev-parse", "HEAD~1")
    tree = run_git(mallory, "rev-parse", f"{old}^{{tree}}")
    head = run_git(mallory, "rev-parse", "HEAD")
    dropped = run_git(mallory, "commit-tree", tree, "-p", old, "-p", head, "-m", "merge")
    run_git(mallory, "reset", "-q", "--hard", dropped)
    for branch in ("main", "players/alice"):
        assert "dropped by a merge" in push(mallory, f"refs/heads/{branch}")


def test_other_branches_and_tags_are_refused(mallory):
    """There is no place to hide a file in."""
    assert "belongs nowhere" in push(mallory, "refs/heads/topic")
    assert "belongs nowhere" in push(mallory, "refs/tags/v1")


def test_boxes_not_by_the_host_are_refused(shared, mallory, run_git, repo_of):
    """The receipts branch is replaced by the host alone, by boxes of one size."""
    run_git(mallory, "checkout", "-q", "origin/receipts")
    (mallory / "alice.sealed").write_bytes(b"x" * 100)
    commit(run_git, mallory)
    assert "not by the host" in push(mallory, "refs/heads/receipts")
    writer = Writer(repo_of(mallory), "host", shared.key)
    one = writer.commit([], {"alice.sealed": b"x"}, shared.clock.now(), "x")
    writer.store()
    run_git(mallory, "checkout", "-q", one)
    assert "not one box of the right size" in push(mallory, "refs/heads/receipts")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"reports/0009-alice.sealed": b"x"}, "only the host adds this, on main"),
        ({"slips/0009-alice.toml": b"x"}, "for a step that does not wait: the step that waits is"),
        ({"joins/alice.toml": None}, "removed in"),
        ({"joins/carol.toml": b"x"}, "in another player's name, not alice's"),
        ({".github/x": b"x"}, "a file that belongs nowhere"),
        ({}, "it holds no join and no order of a player"),
    ],
)
def test_what_a_player_may_not_push(shared, mallory, run_git, files, words):
    """On a branch of their own, signed, with a message of the tool's."""
    for path, data in files.items():
        if data is None:
            (mallory / path).unlink()
        else:
            lay(mallory, {path: data})
    sign(run_git, shared, mallory, "alice")
    branch = "refs/heads/players/alice" if files else "pull"
    assert words in push(mallory, branch)


def test_a_join_comes_before_genesis_only(shared, mallory, run_git):
    """Afterwards seats change by a ruling."""
    lay(mallory, {"joins/carol.toml": b"x"})
    sign(run_git, shared, mallory, "bob", "carol joins")
    assert "joins/carol.toml: the game has begun" in push(mallory, "refs/heads/players/carol")


def test_a_waiting_slip_is_replaced_and_not_removed(shared, turn, mallory, run_git):
    """Nor is its commit another's, or told in other words."""
    awaited, other, line = turn
    files = pending(shared, awaited, line)
    branch = f"refs/heads/players/{awaited}"
    lay(mallory, files)
    for name, message, words in (
        (other, None, f"is not by {awaited}"), (awaited, "x", "its message is not the tool's"),
    ):  # fmt: skip
        sign(run_git, shared, mallory, name, message)
        assert words in push(mallory, branch)
        run_git(mallory, "reset", "-q", "--soft", "HEAD~1")
    sign(run_git, shared, mallory, awaited)
    assert guard.check_rows(mallory, [("0" * 40, "HEAD", branch)]) == []
    for path in files:
        (mallory / path).unlink()
    sign(run_git, shared, mallory, awaited)
    assert "removed; a waiting file may be replaced, but not removed" in push(mallory, branch)


def test_links_and_programs_are_refused(shared, turn, mallory, run_git):
    """What a clone checks out are plain files."""
    awaited, _, line = turn
    files = pending(shared, awaited, line)
    lay(mallory, files)
    slip = next(path for path in files if path.endswith(".toml"))
    (mallory / slip).chmod(0o755)
    commit(run_git, mallory)
    assert "no plain file" in push(mallory, f"refs/heads/players/{awaited}")
    (mallory / slip).unlink()
    (mallory / slip).symlink_to("/etc/passwd")
    commit(run_git, mallory)
    assert "no plain file" in push(mallory, f"refs/heads/players/{awaited}")


def test_the_same_check_in_ci(shared, turn, mallory, run_git, monkeypatch):
    """`git guard pull BASE HEAD` judges a pull request, of whichever player."""
    awaited, other, line = turn
    monkeypatch.chdir(mallory)
    lay(mallory, pending(shared, awaited, line))
    sign(run_git, shared, mallory, awaited)
    args = ["git", "guard", "pull", "origin/main", "HEAD"]
    assert CliRunner().invoke(cli, args).exit_code == 0
    lay(mallory, {f"slips/0001-{other}.toml": b"x"})
    commit(run_git, mallory)
    result = CliRunner().invoke(cli, args)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"refused: pull: slips/0001-{other}.toml: changed")


def test_a_shallow_clone_says_so(shared, tmp_path, run_git, monkeypatch):
    """A history that is cut off cannot be judged; the reason says how to go on."""
    clone = tmp_path / "shallow"
    run_git(tmp_path, "clone", "-q", "--depth", "1", f"file://{shared.bare}", str(clone))
    monkeypatch.chdir(clone)
    result = CliRunner().invoke(cli, ["git", "guard", "pull", "HEAD", "HEAD"])
    assert result.exit_code == 1
    assert "shallow" in result.stderr
    assert "fetch-depth: 0" in result.stderr


def test_what_host_and_players_push_passes(make_table, guarded):
    """A game is played through the hook, revisions and late slips included."""
    table = make_table(started=False)
    guarded(table.bare)
    table.join()
    table.start()
    for name in table.players:
        table.order(name, "start A1")
        table.sync(name)
        table.order(name, "start B2" if name == "alice" else "start F6")
        if name == "bob":
            path = table.bare / "hooks" / "pre-receive"
            path.unlink()
            assert guard.install(table.bare) == path
        table.sync(name)
    assert table.sync_host().steps == [1]
    table.sync("alice")
    guarded(table.bare)
    assert table.play_bots(2) == 2


def test_as_an_update_hook(make_table, program):
    """Called for one branch at a time, it takes what host and players push."""
    table = make_table(started=False)
    hook = table.bare / "hooks" / "update"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f'#!/bin/sh\nexec "{program}" git guard "$@"\n')
    hook.chmod(0o755)
    table.join()
    table.start()
    assert table.play_bots(1) == 1


def test_a_hook_that_is_there_stays(make_table):
    """One's own is named, and not written over; the tool's own may be installed again."""
    table = make_table(started=False)
    path = guard.install(table.bare)
    written = path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o755
    assert guard.install(table.bare) == path
    assert path.read_bytes() == written
    path.write_text("#!/bin/sh\nexit 0\n")
    with pytest.raises(Refused, match="is there already") as error:
        guard.install(table.bare)
    assert error.value.hint == "call it from your own hook"
    assert path.read_text() == "#!/bin/sh\nexit 0\n"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("x", "y"), "expected OLD NEW REF"),
        (("0" * 40, "nowhere", "refs/heads/main"), "'nowhere' is no commit here"),
        (("--all", "0" * 40, "refs/heads/main"), "'--all' is no commit here"),
    ],
)
def test_what_git_would_not_hand_to_a_hook(shared, row, said):
    """It is quoted, with what was expected."""
    with pytest.raises(Refused, match=said):
        guard.check_rows(shared.bare, [row])
