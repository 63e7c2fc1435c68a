"""The host's clock against other times: a great difference stops it, a smaller one is told."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.core import deadlines
from adjudicator.core.deadlines import DAY
from adjudicator.host import timekeeping
from adjudicator.host.host import Host
from orders.entries import Ruling
from orders.errors import Refused
from orders.fields import Time

Table = Any

T = "2026-03-01T12:00:00Z"
HOUR = 3_600


class Clock:
    """A clock that is wrong by some seconds, or stands at a time."""

    def __init__(self, time: Time) -> None:
        self.time = time

    def now(self) -> Time:
        """The time that it shows."""
        return self.time


def host_at(table: Table, time: Time) -> tuple[Host, list[str]]:
    """The table's host with a clock that stands at that time, and what speaks against it."""
    told: list[str] = []
    return Host(table.record, table.signer, Clock(time), told.append), told


@pytest.mark.parametrize(
    ("off", "told", "grave"),
    [
        (0, False, False), (15 * 60, False, False), (15 * 60 + 1, True, False), (DAY, True, False),
        (DAY + 1, True, True), (-15 * 60, False, False), (-15 * 60 - 1, True, False),
        (-DAY, True, False), (-DAY - 1, True, True),
    ],
)  # fmt: skip
def test_a_difference_of_a_day_is_grave_and_hours_are_told(
    off: int, told: bool, grave: bool
) -> None:
    """Of another clock, on either side."""
    found = timekeeping.doubt(T, "the mail server's time", deadlines.add(T, off))
    assert (found is not None) == told
    assert (found is not None and found.grave) == grave
    if found is not None:
        assert found.text.startswith("the mail server's time is 2026-0")
        assert found.text.endswith(f" than this machine's clock, {T}")


@pytest.mark.parametrize("off", [-2 * HOUR, -4 * HOUR, -7 * DAY, -4_000 * DAY])
def test_what_was_on_its_way_may_be_old(off: int) -> None:
    """Age alone is told, from two hours on; it stops nothing."""
    found = timekeeping.doubt(T, "a slip's time", deadlines.add(T, off), sent=True)
    assert (found is not None) == (off < -2 * HOUR)
    assert found is None or not found.grave


def test_a_clock_that_another_bears_out_is_not_doubted() -> None:
    """Such as the mail server's, or the time of what was signed here a moment ago."""
    for off, grave in (
        (HOUR, False),
        (DAY, False),
        (DAY + 1, True),
        (-DAY, False),
        (-25 * HOUR, True),
    ):
        known = deadlines.add(T, off)
        found = timekeeping.doubt(T, "a slip's time", "2027-01-01T00:00:00Z", [known], sent=True)
        assert found is not None
        assert found.grave == grave


@pytest.mark.parametrize(("off", "grave"), [(60 * DAY, False), (60 * DAY + 1, True)])
def test_a_game_may_stand_still_for_sixty_days(off: int, grave: bool) -> None:
    """To the second."""
    assert (timekeeping.stillness(deadlines.add(T, off), T) is not None) == grave


def test_a_clock_of_2099_takes_in_nothing(table: Table) -> None:
    """Neither receipt nor entry is signed, nor anything written; the words say what to do."""
    order = table.order("alice", "start C4")
    host, told = host_at(table, "2099-01-01T00:00:00Z")
    with pytest.raises(Refused, match="nothing was signed, written or due here for 26") as caught:
        host.submit(order)
    assert caught.value.word == "clock"
    assert caught.value.hint == "set the clock; if it is right, say so: --clock-is-right"
    assert host.folder.waiting() == {}
    assert table.send(order).time < "2026-01-02"
    for act in (
        lambda: host.advance(late=True),
        lambda: host.rule(Ruling("x"), "2099-02-01T00:00:00Z"),
    ):
        with pytest.raises(Refused, match="nothing was signed, written or due here for 26"):
            act()
    assert (host.last.step, told) == (0, [])
    table.submit("bob", "start C1")
    with pytest.raises(Refused, match="nothing was signed, written or due here for 26"):
        host.advance()
    sure = Host(table.record, table.signer, Clock("2099-01-01T00:00:00Z"))
    assert sure.advance(late=True) == (1,)


def dated(table: Table, monkeypatch: pytest.MonkeyPatch, name: str, line: str, off: int) -> Any:
    """An order whose player's clock is wrong by `off` seconds."""
    with monkeypatch.context() as patch:
        minute = deadlines.minute
        patch.setattr(deadlines, "minute", lambda time: minute(deadlines.add(time, off)))
        return table.order(name, line)


def test_a_slip_before_its_entry_hides_no_clock_of_2099(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player's clock is wrong, and the host's too."""
    order = dated(table, monkeypatch, "alice", "start C4", -9_000 * DAY)
    host, _ = host_at(table, "2099-01-01T00:00:00Z")
    with pytest.raises(Refused, match="nothing was signed, written or due here for 26"):
        host.submit(order)


def test_a_slip_of_the_future_is_remembered(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the process goes on nothing is signed and nobody called missing, until another slip
    shows that the clock is right; then the slip is taken in."""
    table.clock.skip(5 * DAY)
    order = dated(table, monkeypatch, "bob", "start C1", 900 * DAY)
    host, told = host_at(table, table.clock.now())
    for act in (
        lambda: host.submit(order),
        lambda: host.go_on(lambda: False, late=True),
        lambda: host.rule(Ruling("x"), "2026-02-01T00:00:00Z"),
    ):
        with pytest.raises(Refused, match="the time in the slip of bob is 2028-0"):
            act()
    assert (host.last.step, host.folder.waiting(), told) == (0, {}, [])
    host.submit(table.order("alice", "start C4"))
    host.submit(order)
    assert host.advance(late=True) == (1,)
    assert host.last.entry.missing == ()
