"""The host's clock against other times: a great difference stops it, a smaller one is told."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.core import deadlines
from adjudicator.host import timekeeping
from adjudicator.host.host import Host
from adjudicator.host.timekeeping import DAY
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


def test_at_the_deadline_itself_nobody_is_waited_for(table: Table) -> None:
    """A second before they are."""
    until = table.entry().awaited["alice"].until
    with pytest.raises(Refused, match=r"^not-yet: "):
        host_at(table, deadlines.add(until, -1))[0].advance(late=True)
    assert host_at(table, until)[0].advance(late=True) == (1,)


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


def test_a_clock_four_hours_ahead_is_told_before_anything_is_signed(table: Table) -> None:
    """The order is taken in; the host reads it before a deadline calls somebody missing."""
    order = table.order("alice", "start C4")
    host, told = host_at(table, deadlines.add(table.clock.now(), 4 * HOUR))
    host.submit(order)
    (line,) = told
    assert line.startswith("the time in the slip of alice is 2026-01-01T")
    assert "4 h 1 min earlier than this machine's clock" in line
    assert line.endswith(": is the clock right?")


def test_a_clock_behind_what_was_signed_here_signs_nothing(table: Table) -> None:
    """A few hours are told, a day and more stop every act."""
    table.play({"alice": "start C4", "bob": "start C1"})
    order = table.order("alice", "fire S")
    host, _ = host_at(table, "2025-11-01T00:00:00Z")
    for act in (
        lambda: host.submit(order),
        lambda: host.advance(late=True),
        lambda: host.rule(Ruling("x"), "2026-02-01T00:00:00Z"),
    ):
        with pytest.raises(Refused, match="the last time signed here is 2026-01-01T"):
            act()
    host, told = host_at(table, deadlines.add(str(table.entry().time), -3 * HOUR))
    host.submit(order)
    assert "the last time signed here is 2026-01-01T" in told[0]
    assert "3 h later than this machine's clock" in told[0]


def test_an_idle_game_is_no_reason_to_doubt_a_clock(table: Table) -> None:
    """For weeks nothing comes; then a slip of today comes in, and who is overdue is missing."""
    table.clock.skip(20 * DAY)
    order = table.order("alice", "start C4")
    host, told = host_at(table, table.clock.now())
    host.submit(order)
    assert host.advance(late=True) == (1,)
    assert told == []


def test_a_player_whose_clock_is_years_behind_plays_on(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slip dated before the entry that it answers says nothing of the host's clock."""
    table.clock.skip(20 * DAY)
    monkeypatch.setattr(deadlines, "minute", lambda time: "1999-01-01T00:00:00Z")
    order = table.order("alice", "start C4")
    monkeypatch.undo()
    host, told = host_at(table, table.clock.now())
    host.submit(order)
    assert list(host.folder.waiting()) == ["alice"]
    assert "the time in the slip of alice is 1999-01-01T00:00:00Z" in told[0]


def dated(table: Table, monkeypatch: pytest.MonkeyPatch, name: str, line: str, off: int) -> Any:
    """An order whose player's clock is wrong by `off` seconds."""
    with monkeypatch.context() as patch:
        minute = deadlines.minute
        patch.setattr(deadlines, "minute", lambda time: minute(deadlines.add(time, off)))
        return table.order(name, line)


def test_a_host_who_collects_orders_once_a_week(table: Table) -> None:
    """The slips are days old: that is told, and stops neither receipt nor entry."""
    orders = [table.order("alice", "start C4"), table.order("bob", "start C1")]
    table.clock.skip(7 * DAY)
    host, told = host_at(table, table.clock.now())
    for order in orders:
        host.submit(order)
    assert host.advance() == (1,)
    assert ["7 d" in line and line.endswith("is the clock right?") for line in told] == [True, True]


def test_a_game_that_waits_is_not_asked(table: Table) -> None:
    """Months past the deadline it waits for its host to go on; only signing is stopped."""
    table.clock.skip(100 * DAY)
    host, told = host_at(table, table.clock.now())
    assert host.go_on(lambda: False) is False
    with pytest.raises(Refused, match="nothing was signed, written or due"):
        host.go_on(lambda: False, late=True)
    host.submit(table.order("alice", "start C4"))
    host.submit(table.order("bob", "start C1"))
    assert host.advance() == (1,)
    assert told == []


def test_a_slip_before_its_entry_hides_no_clock_of_2099(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player's clock is wrong, and the host's too."""
    order = dated(table, monkeypatch, "alice", "start C4", -9_000 * DAY)
    host, _ = host_at(table, "2099-01-01T00:00:00Z")
    with pytest.raises(Refused, match="nothing was signed, written or due here for 26"):
        host.submit(order)


@pytest.mark.parametrize("slow", [True, False])
def test_a_slip_of_the_future(table: Table, monkeypatch: pytest.MonkeyPatch, *, slow: bool) -> None:
    """Where nothing shows the clock to be right, nothing is signed and nobody called missing; once
    anything does, the slip is taken in."""
    table.clock.skip(5 * DAY)
    order = dated(table, monkeypatch, "bob", "start C1", 900 * DAY)
    host, told = host_at(table, table.clock.now())
    with pytest.raises(Refused, match="the time in the slip of bob is 2028-0") as caught:
        host.submit(order)
    assert caught.value.word == "clock"
    for act in (
        lambda: host.go_on(lambda: False, late=True),
        lambda: host.rule(Ruling("x"), "2026-02-01T00:00:00Z"),
    ):
        with pytest.raises(Refused, match="the time in the slip of bob is 2028-0"):
            act()
    assert (host.last.step, host.folder.waiting(), told) == (0, {}, [])
    if slow:
        # Alice's slip has come in meanwhile.
        host.submit(table.order("alice", "start C4"))
    else:
        host.known = table.clock.now()
    host.submit(order)
    assert "the time in the slip of bob is 2028-0" in told[0]
    assert "bob" in host.folder.waiting()
    assert host.advance(late=True) == (1,)
    assert host.last.entry.missing == (() if slow else ("alice",))


def test_a_slip_of_the_future_soon_after_an_entry(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was signed a moment ago shows the clock to be right: the game is not even delayed."""
    order = dated(table, monkeypatch, "bob", "start C1", 900 * DAY)
    host, told = host_at(table, table.clock.now())
    host.submit(order)
    assert list(host.folder.waiting()) == ["bob"]
    assert len(told) == 1


def test_a_player_who_corrects_their_clock(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later revision with the right time is taken in, and the game goes on."""
    table.clock.skip(5 * DAY)
    wrong = dated(table, monkeypatch, "bob", "start C1", 900 * DAY)
    right = table.order("bob", "start C1")
    host, _ = host_at(table, table.clock.now())
    with pytest.raises(Refused, match="the slip of bob"):
        host.submit(wrong)
    host.submit(right)
    assert host.advance(late=True) == (1,)
    assert host.last.entry.missing == ("alice",)
