"""What strangers push or send: it costs a line, never a sync, and starts no program."""

from __future__ import annotations

import os
import shutil

import pytest
from git.conftest import check_all, push

from adjudicator.git import process, strangers
from adjudicator.git.process import Bounds, Repo
from adjudicator.git.reading import resolve
from adjudicator.git.strangers import Ends
from adjudicator.git.verifying import fetched
from orders.errors import Refused


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
        kept = run_git(clone, "for-each-ref", "--format=%(refname)", "refs/remotes")
        assert kept == "refs/remotes/origin/main"


def test_what_is_too_large_is_left_out(make_table, mallory, run_git, monkeypatch):
    """A file of megabytes in a pull request: the host tells it, nobody else downloads it."""
    table = make_table()
    folder = mallory(table)
    (folder / "big").write_bytes(os.urandom(400_000))
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-qm", "big")
    push(folder, "HEAD:refs/pull/9/head", "HEAD:refs/heads/players/bob")
    monkeypatch.setattr(strangers, "EACH", Bounds(60, 4, 100_000))
    told = table.sync_host().lines
    assert sum("left out" in line for line in told) == 1, told
    big = run_git(folder, "rev-parse", "HEAD")
    for record in (table.record, table.records["alice"]):
        table.sync("alice")
        assert resolve(Repo(record.root), big) is None
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
    ends = Ends(Repo(table.record.root), table.clock.now())
    assert set(ends.judged.values()) == {("-", strangers.USELESS)}
    network.clear()
    table.sync_host()
    assert network == ["ls-remote"]


@pytest.mark.parametrize("ref", ["refs/pull/²/head", "refs/pull/x/head", "refs/pull/-1/head"])
def test_a_request_that_has_no_number(make_table, mallory, ref):
    """No site makes one, but whoever may push to a plain server can; it is let alone."""
    table = make_table()
    push(mallory(table), f"HEAD:{ref}")
    assert table.sync_host().lines == []


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


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("error: object 12345678901234567890123456789012345678ab: missingEmail: x\n"
         "fatal: fsck error in packed object\n", "for good"),
        ("fatal: fetch-pack: invalid index-pack output\n", "for an hour"),
        ("fatal: Out of memory, malloc failed (tried to allocate 9 bytes)\n", "for an hour"),
        ("fatal: sha1 file '.git/objects/pack/tmp_idx_Uf1xCV' write error. Out of diskspace\n"
         "fatal: fetch-pack: invalid index-pack output\n", "not"),
        ("fatal: write error: No space left on device\n"
         "fatal: fetch-pack: invalid index-pack output\n", "not"),
        ("fatal: unable to create temporary file: Input/output error\n", "not"),
        ("fatal: Could not read from remote repository.\n", "not"),
        ("fatal: early EOF\nfatal: fetch-pack: invalid index-pack output\n", "not"),
        ("fatal: remote error: upload-pack: not our ref 1234\n", "not"),
    ],
)  # fmt: skip
def test_objects_are_judged_not_circumstances(repo, said, kind):
    """By git's words: what is wrong with a commit stays so; a full disk or a line does not."""
    ends = Ends(repo, "2026-01-01T00:00:00Z")
    ends.judge("ab" * 20, process.failed(("fetch",), 128, said.encode()))
    ends.keep()
    for now, known in (
        ("2026-01-01T00:59:00Z", kind != "not"), ("2026-01-01T01:00:01Z", kind == "for good"),
    ):  # fmt: skip
        assert bool(Ends(repo, now).judged) == known


FAULTY = """#!/bin/sh
case " $* " in
*" fetch "*players/alice*) {fault};;
esac
exec {git} "$@"
"""


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("echo 'fatal: write error: No space left on device' >&2; exit 128", "No space left"),
        ("exec sleep 30", "took too long"),
    ],
)
def test_a_fault_of_this_machine_loses_no_order(make_table, tmp_path, monkeypatch, fault, told):
    """A full disk, or a line that hangs, as Alice's branch is fetched: it is told at each sync, and
    once it is over her orders are taken in, though she pushed nothing again."""
    table = make_table()
    for name, line in (("alice", "start C4"), ("bob", "start F1")):
        table.order(name, line)
        table.sync(name)
    faulty = tmp_path / "bin" / "git"
    faulty.parent.mkdir()
    faulty.write_text(FAULTY.format(fault=fault, git=shutil.which("git")))
    faulty.chmod(0o755)
    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(strangers, "EACH", Bounds(1, 4, 2**22))
            patch.setenv("PATH", f"{faulty.parent}:{os.environ['PATH']}")
            synced = table.sync_host()
        assert any("players/alice: left out" in line and told in line for line in synced.lines)
        assert not synced.steps
    assert table.sync_host().steps == [1]
    assert table.record.read("slips/0001-alice.toml")
    check_all(table)
