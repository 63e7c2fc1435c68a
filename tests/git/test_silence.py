"""What the host's pushes tell: nothing that the rules do not."""

from __future__ import annotations

import re
import shutil

import pytest

from adjudicator.core import bundles
from adjudicator.git import letterbox
from adjudicator.git.process import Repo
from adjudicator.git.tree import read_objects
from adjudicator.host.folder import HostFolder
from adjudicator.store.clock import DemoClock
from adjudicator.store.record import Record
from orders.documents import read_receipt
from orders.errors import Refused

LATER = "2026-01-02T01:00:00Z"
SEEN = re.compile("After [0-9a-f]{64}")
"""In the commit of the boxes: a digest of what everybody sees at the remote."""


def host_commits(table, run_git) -> list[tuple[str, ...]]:
    """Of every commit of the host's that is on main or receipts: all but digests and bytes."""
    rows = []
    for branch in ("main", "receipts"):
        for commit in run_git(table.bare, "rev-list", "--author=host", branch).split():
            form = "--format=%an%x1f%ad%x1f%cd%x1f%p%x1f%B"
            told = run_git(table.bare, "show", "-s", "--date=unix", form, commit).split("\x1f")
            told[3] = str(len(told[3].split()))
            told[4] = SEEN.sub("After ...", told[4])
            listed = run_git(table.bare, "ls-tree", "-r", "-l", commit).splitlines()
            files = [tuple(line.split()[at] for at in (0, 3, 4)) for line in listed]
            rows.append((branch, *told, *files))
    return rows


def ordered(table, name: str):
    """The last order in a player's seat, as it travels."""
    return bundles.pack("order", table.seats[name].orders()[-1].files())


def play(table, orders: dict[str, str]) -> None:
    for name, line in orders.items():
        table.order(name, line)
        table.sync(name)
    table.sync_host()
    for name in table.players:
        table.sync(name)


def test_hidden_things_do_not_show(make_table, run_git):
    """Two games that differ in what is hidden only: names, sizes, dates and numbers are alike."""
    told = []
    for start in ("start F1", "start A6"):
        table = make_table()
        play(table, {"alice": "start C4", "bob": start})
        play(table, {table.awaited()[0]: "silent"})
        told.append(host_commits(table, run_git))
    assert told[0] == told[1]
    assert len(told[0]) > 4


def test_who_has_ordered_does_not_show(make_table, run_git):
    """Nobody, Alice by mail (her slip waits in the host's folder), Alice by git: no difference."""
    told = []
    seen = []
    for way in ("nobody", "mail", "git"):
        table = make_table()
        if way != "nobody":
            table.order("alice", "start C4")
        if way == "mail":
            table.host.submit(ordered(table, "alice"))
        elif way == "git":
            table.sync("alice")
        table.clock = DemoClock(LATER)
        before = table.main()
        table.sync_host()
        assert table.main() == before
        assert len(list((table.record.host / "inbox").glob("*"))) == (way != "nobody")
        told.append(host_commits(table, run_git))
        seen.append(SEEN.search(run_git(table.bare, "log", "--format=%B", "receipts"))[0])
    assert told[0] == told[1] == told[2]
    # What came by mail changes no branch, so nothing of it is in the digest either.
    assert seen[0] == seen[1] != seen[2]


def test_mail_brings_no_fresh_boxes(make_table, run_git):
    """An order that came by mail is in the host's box with the next ones, and not before."""
    table = make_table()
    table.sync_host()
    before = run_git(table.bare, "rev-parse", "receipts")
    table.order("alice", "start C4")
    table.host.submit(ordered(table, "alice"))
    table.sync_host()
    assert run_git(table.bare, "rev-parse", "receipts") == before
    table.clock.skip(86_400)
    table.sync_host()
    assert run_git(table.bare, "rev-parse", "receipts") != before


def test_a_judgement_does_not_show(make_table, run_git):
    """Legal or not, malformed or not: the boxes are of one size, and main does not move."""
    told = []
    given = []
    for line in ("start C4", "start A1\nstart B2", "nonsense"):
        table = make_table()
        with pytest.MonkeyPatch.context() as patch:
            # A player without this tool's own check.
            patch.setattr(type(table.game), "read", lambda self, view, written: None)
            table.order("alice", line)
        table.sync("alice")
        table.clock = DemoClock(LATER)
        table.sync_host()
        told.append(host_commits(table, run_git))
        table.sync("alice")
        given.append(table.statuses("alice"))
    assert told[0] == told[1] == told[2]
    assert given[0] == ["accepted"]
    assert given[1] != ["accepted"]
    assert given[2] == ["malformed"]


def test_a_slip_is_not_on_the_hosts_branch_before_its_entry(make_table, run_git):
    """Taken in, receipted, and still only where its player pushed it."""
    table = make_table()
    table.order("alice", "start C4")
    table.sync("alice")
    before = table.main()
    table.sync_host()
    assert table.main() == before
    assert "0001-alice" not in run_git(table.bare, "ls-tree", "-r", "--name-only", "main")
    assert not list((table.record.root / "slips").glob("*"))
    listed = run_git(table.bare, "ls-tree", "-r", "--name-only", "receipts").split()
    assert listed == ["alice.sealed", "bob.sealed", "host.sealed"]


def test_a_box_opens_for_its_owner_only(make_table):
    """Boxes are sealed to one reader each, and no two are alike."""
    table = make_table()
    table.order("alice", "start C4")
    table.sync("alice")
    table.sync_host()
    repo = Repo(table.bare)
    opened = table.host.opening
    data = read_objects(repo, [f"receipts:{name}.sealed" for name in ("alice", "bob", "host")])
    keys = {name: seat.secret.letters() for name, seat in table.seats.items()}
    assert letterbox.open_own(opened, "alice", keys["alice"], data[0])
    assert letterbox.open_own(opened, "bob", keys["bob"], data[1]) == []
    for name, box in (("alice", data[1]), ("bob", data[0]), ("alice", data[2])):
        with pytest.raises(Refused):
            letterbox.open_own(opened, name, keys[name], box)
    with pytest.raises(Refused):
        letterbox.open_host(opened, HostFolder(table.record.host).master().sealing(), data[2])
    table.clock.skip(86_400)
    table.sync_host()
    again = read_objects(repo, ["receipts:bob.sealed"])[0]
    assert again != data[1]


def test_a_host_without_a_disk_remembers(make_table, run_git):
    """All but the secrets lost, and the player's branch gone: the promise is kept all the same."""
    table = make_table()
    table.order("alice", "start C4")
    table.sync("alice")
    table.sync_host()
    table.sync("alice")
    first = [file.data for file in table.seats["alice"].receipts()]
    for folder in ("inbox", "receipts"):
        shutil.rmtree(table.record.host / folder)
    run_git(table.bare, "update-ref", "-d", "refs/heads/players/alice")
    table.order("bob", "start F1")
    table.sync("bob")
    assert table.sync_host().steps == [1]
    table.sync("alice")
    assert [file.data for file in table.seats["alice"].receipts()] == first
    slip = table.record.read("entries/0001.toml")
    receipt = read_receipt(first[0])
    assert receipt.slip.encode() in slip
    assert receipt.time.encode() in slip


def test_many_revisions_fit_the_boxes(make_table):
    """Far more slips than a box holds: the last receipts are there, the last accepted one binds."""
    table = make_table()
    for number in range(14):
        table.order("alice", f"start A{number % 6 + 1}")
        table.sync("alice")
        if number % 3 == 0:
            table.sync_host()
    table.sync_host()
    table.sync("alice")
    got = {read_receipt(file.data).revision for file in table.seats["alice"].receipts()}
    assert 14 in got
    shutil.rmtree(table.record.host / "inbox")
    table.order("bob", "start F1")
    table.sync("bob")
    table.sync_host()
    assert b"revision = 14" in table.record.read("slips/0001-alice.toml")


def test_every_revision_is_answered(make_table):
    """Slips pushed between two syncs of the host each get their receipt."""
    table = make_table()
    for line in ("start A1", "start A2", "start A3"):
        table.order("alice", line)
        table.sync("alice")
    table.sync_host()
    table.sync("alice")
    receipts = [read_receipt(file.data) for file in table.seats["alice"].receipts()]
    assert [(one.revision, one.status) for one in receipts] == [
        (1, "accepted"),
        (2, "accepted"),
        (3, "accepted"),
    ]


def test_a_late_slip_is_told_that_it_is_stale(make_table):
    """It was pushed, the host went on without it; its player is told, signed."""
    table = make_table()
    table.order("alice", "start C4")
    table.order("bob", "start F1")
    table.sync("bob")
    table.clock.skip(4 * 86400)
    assert table.sync_host(late=True).steps == [1]
    late = table.play_sync("alice")
    late._take_in = lambda main, taken: None  # she has not seen the entry yet
    late.sync()
    table.sync_host(late=True)
    taken = table.play_sync("alice").sync()
    assert table.statuses("alice") == ["stale"]
    assert "entry 1 calls you missing, though you wrote revision 1" in taken.warnings[0]


def test_a_pull_request_is_taken_in(make_table, run_git, tmp_path):
    """From a fork: the site shows the head as refs/pull/1/head; no branch is pushed at all."""
    table = make_table()
    table.order("alice", "start C4")
    table.sync("alice")
    end = run_git(table.bare, "rev-parse", "refs/heads/players/alice")
    run_git(table.bare, "update-ref", "refs/pull/1/head", end)
    run_git(table.bare, "update-ref", "-d", "refs/heads/players/alice")
    table.order("bob", "start F1")
    table.sync("bob")
    assert table.sync_host().steps == [1]
    assert end in run_git(table.bare, "rev-list", "main").split()


def test_a_slip_in_a_commit_that_may_not_be_merged_counts(make_table, run_git, tmp_path):
    """The slip is signed, so it is used; the rest of what was pushed does not come to main."""
    table = make_table()
    table.order("alice", "start C4")
    bundle = ordered(table, "alice")
    clone = tmp_path / "clone"
    run_git(tmp_path, "clone", "-q", str(table.bare), str(clone))
    for path, data in (*bundle.files, ("junk.bin", b"x" * 1000)):
        (clone / path).parent.mkdir(exist_ok=True)
        (clone / path).write_bytes(data)
    run_git(clone, "add", "-A")
    run_git(clone, "commit", "-qm", "junk too")
    run_git(clone, "push", "-q", "origin", "HEAD:players/alice")
    junk = run_git(clone, "rev-parse", "HEAD")
    table.order("bob", "start F1")
    table.sync("bob")
    assert table.sync_host().steps == [1]
    assert junk not in run_git(table.bare, "rev-list", "main").split()
    assert "junk.bin" not in run_git(table.bare, "ls-tree", "-r", "--name-only", "main")
    log = run_git(table.bare, "log", "--format=%an: %s", "-4", "main")
    assert "host: 0001 alice: orders" in log
    assert Record(table.record.root).read("slips/0001-alice.toml")
