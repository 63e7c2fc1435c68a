"""The host's sync: wherever it ends, the next one goes on."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from git.conftest import POINTS, Ended, check_all, end_at, second_host

from adjudicator.core import bundles, deadlines
from adjudicator.core.source import read_or_none
from adjudicator.git import inbox, refs
from adjudicator.git.process import GitFailed
from adjudicator.host.folder import HostFolder
from adjudicator.host.host import Host
from adjudicator.host.letters import Letters
from adjudicator.player import letters
from adjudicator.player.seated import Seated
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from orders.errors import Refused
from orders.letter import Text


def test_an_absence_is_granted_before_the_game_goes_on(make_table):
    """It came as a letter, by mail; a git sync of the host's honours it all the same."""
    table = make_table(absence="7d")
    now = table.clock.now()
    away = Text(f"away from {now} until {deadlines.add(now, 6 * 86_400)}")
    own = Seated(table.records["bob"], table.seats["bob"])
    letter = letters.write(own.ledger, own.seat, table.keys["bob"], away)
    Letters(table.host).take(letter)
    table.order("alice", "start C4")
    table.sync("alice")
    table.clock.skip(4 * 86_400)
    assert table.sync_host(late=True).steps == [1]
    assert table.host.last.entry.ruling is not None
    table.sync("bob")
    table.order("bob", "start F1")
    table.sync("bob")
    assert table.sync_host(late=True).steps == [2]
    assert table.host.last.entry.missing == ()


def test_late_is_said_once(make_table, monkeypatch):
    """One act does without overdue players; for what follows they are waited for again."""
    said = []

    def go_on(host, grant, *, late):
        said.append(late)
        return len(said) < 3

    monkeypatch.setattr(Host, "go_on", go_on)
    make_table().sync_host(late=True)
    assert said == [True, False, False]


def test_a_host_that_is_ended_anywhere_goes_on(ready, tmp_path, monkeypatch):
    """Wherever a sync ends, the next one goes on: one entry, no promise broken, nothing lost."""
    for number, (word, after) in enumerate(POINTS):
        table = ready.copy(tmp_path / f"{number}")
        with monkeypatch.context() as patch:
            end_at(patch, word, after=after)
            with pytest.raises(Ended):
                table.sync_host()
        left = read_or_none(table.record, "entries/0001.toml")
        table.sync_host()
        assert table.record.last_step() == 1
        if left is not None:
            assert table.record.read("entries/0001.toml") == left
        check_all(table)


def test_two_syncs_in_one_folder(ready):
    """The second is told, and changes nothing."""
    with files.locked(ready.record.host), pytest.raises(Refused) as error:
        ready.sync_host()
    assert error.value.word == "busy"


@pytest.mark.parametrize("hook", ["pre-receive", "post-receive"])
def test_a_host_that_is_killed_while_it_pushes(ready, hook, tmp_path):
    """kill -9 as the server takes the push in, or just after: the next sync goes on."""
    path = ready.bare / "hooks" / hook
    path.parent.mkdir(exist_ok=True)
    number = tmp_path / "pid"
    path.write_text(f"#!/bin/sh\nwhile ! test -s {number}; do :; done\nkill -9 $(cat {number})\n")
    path.chmod(0o755)
    running = subprocess.Popen(
        [
            sys.executable, "-m", "adjudicator", "sync", "--clock-is-right", "-g",
            str(ready.record.root),
        ],
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    number.write_text(f"{running.pid}\n")
    assert running.wait(timeout=60) == -9
    path.unlink()
    made = ready.record.read("entries/0001.toml")
    ready.clock = SystemClock()
    ready.sync_host()
    assert ready.record.read("entries/0001.toml") == made
    check_all(ready)


def raced(monkeypatch, act) -> None:
    """Before the first push of this test, do that."""
    push = refs.push

    def late(repo, updates):
        monkeypatch.setattr(refs, "push", push)
        act()
        push(repo, updates)

    monkeypatch.setattr(refs, "push", late)


def unseen(monkeypatch, part: str) -> None:
    """No machine sees branches any more that have this in their names."""
    ends = inbox.ends

    def seen(remote: str, listed: Any) -> Any:
        return (end for end in ends(remote, listed) if part not in end.ref)

    monkeypatch.setattr(inbox, "ends", seen)


def test_what_never_left_a_second_machine_gives_way(ready, monkeypatch):
    """Two machines make the same entry: the one that was pushed stays, and the other machine takes
    it over. Orders that only that one had accepted are answered anew."""
    other = second_host(ready)

    def later() -> None:
        ready.order("alice", "start A1")
        ready.sync("alice")
        with monkeypatch.context() as patch, pytest.raises(Ended):
            patch.setattr(refs, "push", _ends)
            ready.sync_host()
        assert b"revision = 2" in ready.record.read("slips/0001-alice.toml")

    raced(monkeypatch, later)
    assert other.sync().steps == [1]
    told = ready.sync_host()
    assert told.lines[:2] == [
        "entry 1 of this machine came second and is taken back",
        "entry 1: taken from the remote",
    ]
    assert ready.record.read("entries/0001.toml") == other.record.read("entries/0001.toml")
    assert [(one.revision, one.status) for one in told.receipts] == [(2, "stale")]
    (warning,) = ready.play_sync("alice").sync().warnings
    assert "entry 1 uses orders that you had replaced (step 1, revision 1)" in warning
    check_all(ready, other.record)
    assert ready.play_bots(1) == 1


def test_a_push_that_came_second_forgets_what_it_accepted(ready, monkeypatch):
    """One machine accepts a revision and does not adjudicate; before it pushes, another one that
    has not seen it adjudicates without. The player hears that it is stale, and never `accepted`."""
    other = second_host(ready)
    ready.order("alice", "start A1")
    ready.sync("alice")
    advance = Host.advance

    def adjudicate() -> None:
        monkeypatch.setattr(Host, "advance", advance)
        with monkeypatch.context() as patch:
            unseen(patch, "in.alice.0001-2.")
            assert other.sync().steps == [1]

    monkeypatch.setattr(Host, "advance", _not_yet)
    raced(monkeypatch, adjudicate)
    told = ready.sync_host()
    assert b"revision = 1" in ready.record.read("slips/0001-alice.toml")
    assert [(one.revision, one.status) for one in told.receipts] == [(2, "stale")]
    (warning,) = ready.play_sync("alice").sync().warnings
    assert "entry 1 uses orders that you had replaced (step 1, revision 1)" in warning
    check_all(ready, other.record)
    assert ready.play_bots(1) == 1


def test_a_genesis_that_came_second_gives_way(make_table, monkeypatch):
    """Two machines begin the game, and one pushes first: the other goes on with that game."""
    table = make_table(started=False)
    table.join()
    other = second_host(table)

    def meanwhile() -> None:
        table.clock.skip(60)
        assert other.start(["alice", "bob"]).steps == [0]

    raced(monkeypatch, meanwhile)
    told = table.host_sync().start(["alice", "bob"]).lines
    assert "entry 0 of this machine came second and is taken back" in told
    assert table.sync_host().lines == []
    check_all(table, other.record)


def test_a_push_that_came_second_takes_over_what_was_answered(ready, monkeypatch):
    """Two machines accept the same orders, and neither adjudicates: the receipts that were pushed
    first count, and the entry that uses the orders names their times."""
    other = second_host(ready)
    first = []

    def answer() -> None:
        ready.clock.skip(60)
        first.extend(other.sync().receipts)
        ready.sync("alice")

    with monkeypatch.context() as patch:
        patch.setattr(Host, "advance", _not_yet)
        raced(patch, answer)
        assert ready.sync_host().receipts == first
    assert [one.status for one in first] == ["accepted"] * 2
    assert ready.sync_host().steps == [1]
    check_all(ready)


def test_a_push_that_never_left_forgets_what_it_accepted(ready, monkeypatch):
    """The same where the network is gone as the first machine pushes: its next sync knows."""
    other = second_host(ready)
    ready.order("alice", "start A1")
    ready.sync("alice")

    def down(*_: Any) -> None:
        raise GitFailed("git push: no route to host", "")

    with monkeypatch.context() as patch:
        patch.setattr(Host, "advance", _not_yet)
        patch.setattr(refs, "push", down)
        with pytest.raises(GitFailed):
            ready.sync_host()
    with monkeypatch.context() as patch:
        unseen(patch, "in.alice.0001-2.")
        assert other.sync().steps == [1]
    told = ready.sync_host()
    assert [(one.revision, one.status) for one in told.receipts] == [(2, "stale")]
    (warning,) = ready.play_sync("alice").sync().warnings
    assert "entry 1 uses orders that you had replaced (step 1, revision 1)" in warning
    check_all(ready, other.record)
    assert ready.play_bots(1) == 1


def test_a_push_that_came_second_keeps_what_was_given_before(ready, monkeypatch):
    """An order that was taken in by hand keeps its receipt, whoever pushes what since."""
    other = second_host(ready)
    ready.order("alice", "start A1")
    order = ready.play_sync("alice").table.due()
    given = ready.host.submit(bundles.pack("order", order.files()))
    ready.sync("alice")
    ready.clock.skip(60)
    monkeypatch.setattr(Host, "advance", _not_yet)

    def meanwhile() -> None:
        ready.order("bob", "start F6")
        ready.sync("bob")
        with monkeypatch.context() as patch:
            unseen(patch, "in.alice.")
            other.sync()

    raced(monkeypatch, meanwhile)
    ready.sync_host()
    assert HostFolder(ready.record.host).receipt(order.file.digest) == given


def test_boxes_of_others_do_not_tell_what_was_promised(ready, run_git):
    """Whoever may push can put anything there: then each order counts as promised, and no receipt
    is forgotten. The host's own boxes name those that it gave."""
    ready.order("alice", "start A1")
    ready.sync("alice")
    ready.sync_host()
    kept = {one.slip for one in ready.host_sync().folder.receipts()}
    assert kept
    assert ready.host_sync().told().slips == kept
    root = ready.record.root
    junk = run_git(root, "commit-tree", "HEAD^{tree}", "-m", "Boxes").strip()
    run_git(root, "update-ref", refs.tracked(refs.RECEIPTS), junk)
    assert ready.host_sync().told().slips is None


def test_a_second_entry_that_left_is_refused(ready, monkeypatch):
    """It was handed to somebody by other ways than main: both stand, and the sync says so."""
    other = second_host(ready)
    raced(monkeypatch, other.sync)
    sent = HostFolder.sent
    monkeypatch.setattr(HostFolder, "sent", lambda self: max(sent(self), 1))
    for _ in range(2):
        with pytest.raises(Refused) as error:
            ready.sync_host()
        assert error.value.word == "fork"
        assert "another machine hosts this game too" in error.value.message
        assert "one machine hosts a game" in error.value.hint
    assert ready.record.read("entries/0001.toml") != other.record.read("entries/0001.toml")
    ready.record = other.record
    check_all(ready)
    assert ready.play_bots(1) == 1


def _ends(*_):
    raise Ended


def test_a_promise_of_another_machine_is_not_broken(ready, monkeypatch):
    """It accepted a revision, and this one adjudicated without: that entry is never pushed."""
    other = second_host(ready)

    def promise() -> None:
        ready.order("alice", "start A1")
        ready.sync("alice")
        with monkeypatch.context() as patch:
            patch.setattr(Host, "advance", _not_yet)
            assert [receipt.revision for receipt in other.sync().receipts] == [1, 1, 2]

    raced(monkeypatch, promise)
    before = ready.main()
    for _ in range(2):
        with pytest.raises(Refused) as error:
            ready.sync_host()
        assert "it has accepted orders for step 1, " in error.value.message
    assert ready.main() == before
    assert other.sync().steps == [1]
    assert b"revision = 2" in other.record.read("slips/0001-alice.toml")


def _not_yet(self, *, late: bool = False):
    raise Refused("not-yet", "ended")


def test_a_folder_that_was_away_takes_in_what_was_published(ready):
    """What a copy of the host's folders published, the old ones take in: so a backup goes on."""
    other = second_host(ready)
    assert other.sync().steps == [1]
    assert "entry 1: taken from the remote" in ready.sync_host().lines
    check_all(ready, other.record)
    assert ready.play_bots(2) == 2
