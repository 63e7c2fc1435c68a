"""What strangers push or send: it costs a line, never a sync, and starts no program."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli
from adjudicator.git import addresses, refs, strangers
from adjudicator.git.process import Bounds, Repo
from adjudicator.git.strangers import Ends
from adjudicator.git.verifying import fetched
from orders import names
from orders.errors import Refused


def push(folder, *specs: str) -> None:
    subprocess.run(["git", "-C", str(folder), "push", "-q", "origin", *specs], check=True)


@pytest.fixture
def mallory(request, run_git, tmp_path):
    """Clones a table's repository and pushes what she likes."""

    def clone(table):
        folder = tmp_path / "mallory"
        run_git(tmp_path, "clone", "-q", str(table.bare), str(folder))
        return folder

    return clone


def malformed(run_git, folder) -> str:
    """A commit without mail in its author line, as `fsck` refuses it."""
    tree, head = run_git(folder, "rev-parse", "HEAD^{tree}", "HEAD").split()
    who = "m 1700000000 +0000"
    text = f"tree {tree}\nparent {head}\nauthor {who}\ncommitter {who}\n\nhello\n"
    kind = ("hash-object", "-t", "commit", "-w", "--literally", "--stdin")
    return run_git(folder, *kind, given=text)


@pytest.mark.parametrize("ref", ["refs/heads/players/mallory", "refs/pull/7/head"])
def test_a_malformed_commit_stops_nobody(make_table, mallory, run_git, ref):
    """It is told to the host once, and left out; players and verifiers never fetch it."""
    table = make_table()
    folder = mallory(table)
    push(folder, f"{malformed(run_git, folder)}:{ref}")
    table.order("alice", "start C4")
    table.sync("alice")
    shown = ref.removeprefix("refs/heads/").removeprefix("refs/")
    told = [line for line in table.sync_host().lines if "left out" in line]
    assert len(told) == 1
    assert told[0].startswith(f"{shown}: left out: ")
    assert "missingEmail" in told[0]
    assert not any("left out" in line for line in table.sync_host().lines)
    table.sync("alice")
    assert table.statuses("alice") == ["accepted"]
    with fetched(f"file://{table.bare}") as clone:
        assert list(refs.known(Repo(clone))) == ["refs/remotes/origin/main"]


def test_what_is_too_large_is_left_out(make_table, mallory, run_git, monkeypatch):
    """A file of megabytes in a pull request: the host tells it, nobody else downloads it."""
    import os

    table = make_table()
    folder = mallory(table)
    (folder / "big").write_bytes(os.urandom(400_000))
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-qm", "big")
    push(folder, "HEAD:refs/pull/9/head", "HEAD:refs/heads/players/bob")
    monkeypatch.setattr(strangers, "EACH", Bounds(60, 100_000))
    told = table.sync_host().lines
    assert sum("left out" in line for line in told) == 1, told
    big = run_git(folder, "rev-parse", "HEAD")
    for record in (table.record, table.records["alice"]):
        table.sync("alice")
        assert Repo(record.root).resolve(big) is None
    assert not list((table.record.root / ".git" / "objects" / "pack").glob("tmp_*"))


def test_hundreds_of_pull_requests_are_looked_at_once(
    make_table, mallory, run_git, monkeypatch, network
):
    """So many a sync, the rest in the next; then they are remembered, and cost nothing."""
    table = make_table()
    folder = mallory(table)
    for number in range(8):
        run_git(folder, "commit", "-q", "--allow-empty", "-m", f"{number}")
        push(folder, f"HEAD:refs/pull/{number}/head")
    monkeypatch.setattr(strangers, "MOST", 5)
    assert "3 pushed branches are left for the next sync" in table.sync_host().lines
    assert not any("left for" in line for line in table.sync_host().lines)
    assert set(Ends(Repo(table.record.root)).judged.values()) == {"of no use"}
    network.clear()
    table.sync_host()
    assert network == ["ls-remote"]


def test_a_branch_below_anothers_name_is_told_as_it_is(make_table, mallory):
    """`players/alice/x` and `receipts/x` are no names; who stands in the way is said."""
    table = make_table(started=False)
    table.join()
    folder = mallory(table)
    push(folder, "HEAD:refs/heads/receipts/x", "HEAD:refs/heads/players/cleo/x")
    assert not any("cleo" in line for line in table.sync_host().lines)
    with pytest.raises(Refused) as error:
        table.host_sync().start(["alice", "bob"])
    assert error.value.word == "git"
    assert "receipts" in error.value.message


# Folders that come from a stranger.


@pytest.fixture
def gift(finished_games, run_git, tmp_path):
    """A partial clone whose configuration names programs, with an object missing."""
    table = finished_games("sugar-dog")
    folder = tmp_path / "gift"
    run_git(tmp_path, "clone", "-q", "--no-local", str(table.bare), str(folder))
    marker = tmp_path / "PWNED"
    packs = folder / ".git" / "objects" / "pack"
    for pack in list(packs.glob("*.pack")):
        away = tmp_path / pack.name
        pack.replace(away)
        for other in packs.glob(f"{pack.stem}.*"):
            other.chmod(0o644)
            other.unlink()
        with away.open("rb") as data:
            subprocess.run(
                ["git", "-C", str(folder), "unpack-objects", "-q"], stdin=data, check=True
            )
    blob = run_git(folder, "rev-parse", "HEAD:entries/0001.toml")
    (folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for key, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": "ssh://x/y",
        "core.sshCommand": f"touch {marker}; false",
        "remote.origin.uploadpack": f"touch {marker}; git-upload-pack",
        "core.fsmonitor": f"touch {marker}",
        "core.hooksPath": str(tmp_path),
    }.items():
        run_git(folder, "config", key, value)
    return folder, marker, table


@pytest.mark.parametrize("url", ["ssh://x/y", "local"])
@pytest.mark.parametrize("command", ["verify", "log", "show"])
def test_a_folder_from_a_stranger_runs_nothing(gift, command, url, run_git):
    """No missing object is fetched, so no program that the configuration names is started."""
    folder, marker, table = gift
    run_git(folder, "config", "remote.origin.url", str(table.bare) if url == "local" else url)
    args = [command, str(folder)] + ([] if command == "verify" else ["--at", "HEAD"])
    result = CliRunner().invoke(cli, args)
    assert "Traceback" not in result.output
    assert not marker.exists()


def test_the_gift_would_run_something(gift):
    """The test above can fail: plain git fetches what is missing, and runs the program."""
    folder, marker, _ = gift
    subprocess.run(
        ["git", "-C", str(folder), "cat-file", "-p", "HEAD:entries/0001.toml"],
        capture_output=True,
        check=False,
    )
    assert marker.exists()


def test_no_filter_runs_on_what_lies_beside(make_table, mallory, run_git, tmp_path):
    """Attributes on main name a filter that the user has, as git-lfs sets up: it stays idle."""
    table = make_table()
    folder = mallory(table)
    marker = tmp_path / "SMUDGED"
    (folder / ".github").mkdir()
    (folder / ".github" / ".gitattributes").write_text("*.md filter=lfs\n")
    (folder / ".github" / "x.md").write_text("hello\n")
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-qm", "page")
    push(folder, "HEAD:main")
    root = table.records["alice"].root
    for kind in ("smudge", "clean", "process"):
        run_git(root, "config", f"filter.lfs.{kind}", f"touch {marker}; cat")
    table.sync("alice")
    assert (root / ".github" / "x.md").read_text() == "hello\n"
    assert not marker.exists()


def test_a_link_beside_the_record_is_not_written(make_table, mallory, run_git):
    """Neither a link, nor a file through a link that lies in the clone."""
    table = make_table()
    folder = mallory(table)
    (folder / "README.md").symlink_to("/etc/passwd")
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-qm", "link")
    push(folder, "HEAD:main")
    table.sync("alice")
    assert not (table.records["alice"].root / "README.md").is_symlink()


# Addresses.


def test_no_address_that_is_told_holds_a_user_or_a_password(make_table, monkeypatch, tmp_path):
    """A password is refused at the door; users are left out of every line."""
    table = make_table(started=False)
    monkeypatch.chdir(tmp_path)
    record = str(table.record.root)
    shutil.rmtree(table.record.root / ".git")
    given = "http://carl:pw-carl@127.0.0.1:9/friday.git"
    result = CliRunner().invoke(cli, ["git", "host", given, "--record", record])
    assert result.exit_code == 1
    assert "holds a password" in result.output
    assert "credential" in result.output
    assert "pw-carl" not in result.output
    for url in ("http://carl@127.0.0.1:9/friday.git", "ssh://carl@127.0.0.1:9/friday.git"):
        result = CliRunner().invoke(cli, ["git", "host", url, "--record", record])
        assert result.exit_code == 1
        assert "carl" not in result.output
        shutil.rmtree(table.record.root / ".git")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("https://carl@example.org/x.git", "https://example.org/x.git"),
        ("https://carl:pw@example.org/x.git", "https://example.org/x.git"),
        ("ssh://carl@example.org:22/x.git", "ssh://example.org:22/x.git"),
        ("carl@example.org:x.git", "example.org:x.git"),
        ("git@example.org:x.git", "git@example.org:x.git"),
        ("fatal: unable to access 'https://u:p@h/x/'", "fatal: unable to access 'https://h/x/'"),
    ],
)
def test_addresses_as_they_are_told(given, told):
    """The sites' common account names nobody, and stays."""
    assert addresses.without_users(given) == told


# A fork of one's own.


def test_playing_by_a_fork(make_table, run_git, tmp_path):
    """No right to push to the game's repository: slips go to the fork, turn after turn."""
    table = make_table()
    fork = tmp_path / "fork.git"
    run_git(tmp_path, "clone", "-q", "--bare", str(table.bare), str(fork))
    root = table.records["alice"].root
    run_git(root, "config", "remote.fork.url", str(fork))
    for line in ("start A1", "start B2", "start C4"):
        table.order("alice", line)
        assert "pushed: your orders" in table.sync("alice").lines[-1]
    end = run_git(fork, "rev-parse", "refs/heads/players/alice")
    before = run_git(table.bare, "rev-parse", "refs/heads/players/alice")
    assert end != before
    # The site shows the fork's branch as the head of a pull request.
    run_git(table.bare, "fetch", "-q", str(fork), "+refs/heads/players/alice:refs/pull/1/head")
    table.order("bob", "start F1")
    table.sync("bob")
    assert table.sync_host().steps == [1]
    table.sync("alice")
    assert table.statuses("alice") == ["accepted"] * 3
    assert end in run_git(table.bare, "rev-list", "main").split()
    assert names.slip(1, "alice") in table.record.paths()
