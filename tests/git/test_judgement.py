"""The judgement of commits: whether all of them tell the record's story, and nothing else."""

from __future__ import annotations

import shutil

import pytest
from click.testing import CliRunner
from git.conftest import claims, run
from git_table import Table, judged

from adjudicator.cli import cli
from adjudicator.core import bundles
from adjudicator.git import page
from adjudicator.git.changes import MOST_COMMITS
from adjudicator.git.judgement import LARGEST_DOCUMENT
from adjudicator.git.process import Repo
from adjudicator.git.writing import Writer
from orders import names, sshsig
from orders.signed import Signed

# Which commit brought what.


def test_where_commits_differ_is_told(finished, clone, run_git):
    """A record stays true; what its commits do not bear out is named."""
    tree = run_git(clone, "rev-parse", "HEAD^{tree}")
    parent = run_git(clone, "rev-parse", "HEAD~1")
    squashed = run_git(clone, "commit-tree", tree, "-p", parent, "-m", "squashed")
    run_git(clone, "reset", "-q", "--hard", squashed)
    result = run("verify", "--json", str(clone))
    assert result.exit_code == 0
    commits = claims(result)["commits"]
    assert commits["status"] == "look"
    last = finished.record.last_step()
    assert f"entry {last}: commit {squashed[:12]} is not signed" in commits["text"]


def test_one_commit_for_all_is_told(finished, clone, run_git):
    """A history squashed to one commit ties nothing."""
    tree = run_git(clone, "rev-parse", "HEAD^{tree}")
    one = run_git(clone, "commit-tree", tree, "-m", "all")
    found = judged(Repo(clone), one)
    assert found.entries == 0
    assert any("brings more than one entry" in line for line in found.differences)
    assert any("came in the commit of its entry" in line for line in found.differences)


def test_two_signed_entries_in_the_history_are_a_fork(finished, clone, run_git):
    """A host that replaced an entry is found out by its own commits."""
    path = clone / "entries/0001.toml"
    whole, signature = path.read_bytes(), (clone / "entries/0001.toml.sig").read_bytes()
    other = whole.replace(b"missing = []", b'missing = ["bob"]')
    assert other != whole
    for data, signed in ((other, finished.key.sign(sshsig.ENTRY, other)), (whole, signature)):
        path.write_bytes(data)
        (clone / "entries/0001.toml.sig").write_bytes(signed)
        run_git(clone, "commit", "-qam", "again")
    result = run("verify", "--json", str(clone))
    assert result.exit_code == 1
    assert claims(result)["commits"]["text"].startswith("two entries entries/0001.toml")


def test_a_commit_that_is_too_large_to_read(clone, run_git, tmp_path):
    """Nine megabytes of message on main: named, and no end of the verification."""
    who = "host <host@adjudicator.invalid> 1767225600 +0000"
    tree, parent = run_git(clone, "rev-parse", "HEAD^{tree}", "HEAD").split()
    file = tmp_path / "commit"
    head = f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n\n"
    file.write_text(head + "x" * 9 * 2**20)
    made = run_git(clone, "hash-object", "-t", "commit", "-w", str(file))
    run_git(clone, "update-ref", "HEAD", made)
    result = run("verify", "--json", str(clone))
    assert result.exit_code == 0
    assert f"{made[:12]} is not the host's" in claims(result)["main"]["text"]


# What commits hold.

GAME = (("alice", "start C4"), ("bob", "start F1"), ("alice", "silent"))


def turn(table, name: str, line: str) -> None:
    table.sync(name)
    table.order(name, line)
    table.sync(name)
    table.sync_host()


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A table with a page, three entries on, one order of which came by mail."""
    table = Table(tmp_path_factory.mktemp("t"), "sugar-dog", ("bob", "alice"), {"first": "alice"})
    table.join()
    table.start()
    assert CliRunner().invoke(cli, ["git", "board", "-g", str(table.record.root)]).exit_code == 0
    turn(table, *GAME[0])
    table.order("bob", "start F1")
    table.host.submit(bundles.pack("order", table.seats["bob"].orders()[-1].files()))
    table.sync_host()
    turn(table, *GAME[2])
    assert table.record.last_step() == 2
    return table


def claims_of(table) -> dict[str, dict[str, str]]:
    done = run("verify", "--json", str(table.bare))
    assert done.exit_code == 4, done.output
    return claims(done)


def test_all_is_accounted_for(played):
    """Entries, the page, orders by git and by mail."""
    claim = claims_of(played)["main"]
    assert claim["status"] == "true", claim["text"]
    assert claim["text"].startswith("5 commits of the host's and 5 that they merge")


LIES = (
    "story", "author", "foreign", "page", "picture", "beside", "merged story", "merged size",
    "merged file", "merged message", "merged many",
)  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_that_no_other_claim_sees(played, lie, tmp_path, monkeypatch):
    """The host signs whatever it likes: of all claims this one alone is not true."""
    table = played
    bare = tmp_path / "remote.git"
    shutil.copytree(table.bare, bare)
    monkeypatch.setattr(table, "bare", bare)
    repo = Repo(bare)
    before = claims_of(table)
    main = table.main()
    writer = Writer(repo, "alice" if lie == "author" else "host", table.key)
    writer.start(main)
    time = table.clock.now()
    found = {"beside": {".github/x": b"x"}, "foreign": {"x.txt": b"x"},
             "page": {page.README: page.MARK + b"alice has won"},
             "picture": {page.BOARD: b"<svg/>"}, "author": {".github/x": b"x"}}  # fmt: skip
    message = "Change what lies beside the record"
    if lie in ("story", "beside"):
        message = "0003 The game is over: alice wins"
    parents = [main]
    if lie.startswith("merged"):
        own = Writer(repo, "alice", table.keys["alice"])
        own.start(main)
        path = names.sealed_order(3, "bob" if lie == "merged file" else "alice")
        data = b"x" * (LARGEST_DOCUMENT * (20 if lie == "merged size" else 1) // 10)
        told = "0003 alice: orders"
        told = {"merged story": "0003 alice wins", "merged message": "0003 bob: orders"}.get(
            lie, told
        )
        end = own.commit([main], {path: data}, time, told)
        for number in range(MOST_COMMITS if lie == "merged many" else 0):
            end = own.commit([end], {path: data + b"%d" % number}, time, told)
        parents.append(end)
        own.store()
        found[lie] = {".github/x": b"x"}
    made = writer.commit(parents, found.get(lie, {}), time, message)
    writer.store()
    repo.run("update-ref", "refs/heads/main", made)
    after = claims_of(table)
    assert after["main"]["status"] == "look"
    assert "not accounted for: " in after["main"]["text"]
    assert {name: one["status"] for name, one in after.items() if name != "main"} == {
        name: one["status"] for name, one in before.items() if name != "main"
    }


# Slips that the record does not show.


def test_a_slip_of_a_player_called_missing_is_a_note(make_table, run_git, tmp_path):
    """A branch shows what was pushed, not when: the verdict stays."""
    table = make_table()
    table.order("alice", "start C4")
    table.order("bob", "start F1")
    table.sync("bob")
    table.clock.skip(4 * 86_400)
    assert table.sync_host(late=True).steps == [1]
    late = table.play_sync("alice")
    late._take_in = lambda main, taken: None
    late.sync()
    clone = tmp_path / "clone"
    run_git(tmp_path, "clone", "-q", str(table.bare), str(clone))
    claim = claims(run("verify", "--json", str(clone)))["commits"]
    assert claim["status"] == "true"
    assert claim["details"] == [
        "entry 1 calls alice missing, and a branch holds a slip of alice for it; it may have been "
        "written later"
    ]


def test_two_slips_of_one_revision_are_told(make_table, run_git, tmp_path):
    """To the host that takes them in, and to whoever verifies a clone that holds both."""
    table = make_table()
    table.order("alice", "start C4")
    table.sync("alice")
    order = table.seats["alice"].orders()[-1]
    data = order.file.data.replace(b"order = ", b'order = "' + b"0" * 64 + b'"\n#', 1)
    data = b"\n".join(line for line in data.split(b"\n") if not line.startswith(b"#"))
    twin = Signed.by(table.keys["alice"], sshsig.SLIP, data)
    path = names.slip(1, "alice")
    repo = Repo(table.records["alice"].root)
    writer = Writer(repo, "alice", table.keys["alice"])
    writer.start(table.main())
    files = twin.files(path) | {names.sealed_order(1, "alice"): order.sealed or b""}
    made = writer.commit([table.main()], files, table.clock.now(), "0001 alice: orders")
    writer.store()
    repo.run("push", "-q", "origin", f"{made}:refs/pull/3/head", network=True)
    assert any("alice signed two slips of step 1, revision 1" in line
               for line in table.sync_host().lines)  # fmt: skip
    clone = tmp_path / "clone"
    run_git(tmp_path, "clone", "-q", str(table.bare), str(clone))
    run_git(clone, "fetch", "-q", "origin", "refs/pull/3/head:refs/remotes/pull/3")
    claim = claims(run("verify", "--json", str(clone)))["commits"]
    assert claim["status"] == "look"
    assert any("alice signed two slips of step 1, revision 1" in line for line in claim["details"])
