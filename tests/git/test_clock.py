"""By git the host's clock is compared with the times of the slips that were pushed."""

from __future__ import annotations

import pytest
from git_table import Table

from adjudicator.core import deadlines
from adjudicator.git.host_sync import HostSync, SyncResult
from orders.errors import Refused

DAY = 86_400


class Clock:
    """A clock that stands."""

    def __init__(self, time: str) -> None:
        self.time = time

    def now(self) -> str:
        """The time that it shows."""
        return self.time


def sync_at(
    table: Table, time: str, told: list[str] | None = None, *, late: bool = True
) -> SyncResult:
    """A host's sync at that time, with the guard."""
    tell = [].append if told is None else told.append
    return HostSync(table.record, table.key, Clock(time), tell).sync(late=late)


def refs(table: Table) -> str:
    """All that lies in the repository."""
    from git_table import git

    return git(table.bare, "for-each-ref")


@pytest.mark.parametrize(
    ("time", "words"),
    [
        ("2099-01-01T00:00:00Z", "nothing was signed, written or due here for 2"),
        ("2025-12-01T00:00:00Z", "the last time signed here is 2026-01-01T"),
    ],
)
def test_a_clock_that_is_wrong_by_far(ready: Table, time: str, words: str) -> None:
    """Nothing is signed or pushed, nobody turned out; with the right clock the game goes on."""
    before = refs(ready)
    with pytest.raises(Refused, match=words) as caught:
        sync_at(ready, time)
    assert caught.value.word == "clock"
    assert refs(ready) == before
    assert (ready.record.last_step(), ready.host.folder.waiting()) == (0, {})
    told: list[str] = []
    assert sync_at(ready, ready.clock.now(), told).steps == [1]
    assert (ready.host.last.entry.missing, told) == ((), [])


def test_a_clock_four_hours_ahead(ready: Table) -> None:
    """The host is told before anything is pushed; mail or sync may also have been slow."""
    told: list[str] = []
    assert sync_at(ready, deadlines.add(ready.clock.now(), 4 * 3_600), told).steps == [1]
    assert "the time in the slip of alice is 2026-01-01T" in told[0]
    assert "4 h" in told[0]


def test_a_weekly_host(ready: Table) -> None:
    """Orders that were pushed six days ago count."""
    assert sync_at(ready, deadlines.add(ready.clock.now(), 6 * DAY)).steps == [1]
    assert ready.host.last.entry.missing == ()


def pushed(table: Table, name: str, line: str, off: int = 0) -> None:
    """Push an order of a player whose clock is wrong by `off` seconds."""
    table.clock.skip(off)
    table.order(name, line)
    table.clock.skip(-off)
    table.sync(name)


def test_a_slip_of_the_future_alone(make_table) -> None:
    """It stays where it is, and nobody is turned out, at each sync until the host says that the
    clock is right."""
    table = make_table()
    table.clock.skip(4 * DAY)
    pushed(table, "bob", "start F1", 900 * DAY)
    before = refs(table)
    for _ in range(3):
        with pytest.raises(Refused, match="the time in the slip of bob is 2028"):
            sync_at(table, table.clock.now())
    assert refs(table) == before
    assert table.sync_host(late=True).steps == [1]
    assert table.host.last.entry.missing == ("alice",)


@pytest.mark.parametrize("rival", ["alice", "bob"])
def test_a_slip_of_the_future_and_another(make_table, rival: str) -> None:
    """In the same sync, in whichever order they are read: both are taken in."""
    table = make_table()
    table.clock.skip(4 * DAY)
    for name, line in (("alice", "start C4"), ("bob", "start F1")):
        pushed(table, name, line, 900 * DAY if name == rival else 0)
    told: list[str] = []
    assert sync_at(table, table.clock.now(), told).steps == [1]
    assert table.host.last.entry.missing == ()
    assert f"the time in the slip of {rival} is 2028" in told[-1]
