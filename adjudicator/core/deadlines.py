"""Deadlines: who is awaited until when, what reserve is left, and what a ruling may do to both.

What belongs here: all arithmetic on the times that documents hold (`docs/formats/entries.md`,
Clocks). No clock is read. What it must not know: positions, signatures.

There are two kinds of time. *Real* time passes always: `add`, `between`. On the days of rest that
an invite agrees on, no *counted* time passes: whatever is promised to a player or asked of one
(turn time, reserve, lateness, absence, what rulings give) is reckoned by the game's `Calendar`.

The theory of a calendar: number the seconds that count, one after the other, from a Monday on. Then
the seconds that count between two times are the difference of two numbers, and the time at which so
many will have passed is that of the second with a later number. Both are a division by the week.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from games.game import Setup
from games.options import offset, seconds, weekdays
from orders.entries import Awaited, Ruling
from orders.errors import Refused
from orders.fields import Time

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST, _LAST = -62_135_596_800, 253_402_300_799


@lru_cache(4096)
def to_seconds(time: Time) -> int:
    """Whole seconds since 1970-01-01T00:00:00Z."""
    return (datetime.fromisoformat(time) - _EPOCH) // timedelta(seconds=1)


@lru_cache(4096)
def to_time(count: int) -> Time:
    """The time that many seconds after 1970-01-01T00:00:00Z, in the years 1 to 9999."""
    return (_EPOCH + timedelta(seconds=min(max(count, _FIRST), _LAST))).isoformat()[:19] + "Z"


def add(time: Time, count: int) -> Time:
    """The time `count` seconds later."""
    return to_time(to_seconds(time) + count)


def between(earlier: Time, later: Time) -> int:
    """Seconds from the first time to the second; negative if the second is the earlier one."""
    return to_seconds(later) - to_seconds(earlier)


def span(seconds: int) -> str:
    """A span of time in its two largest units: `2 d 4 h`, `15 min`, `40 s`."""
    left = abs(seconds)
    parts = []
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if left >= size:
            parts.append(f"{left // size} {unit}")
            left %= size
    return " ".join(parts[:2]) or f"{left} s"


def minute(time: Time) -> Time:
    """The whole minute in which a time lies, as slips write it."""
    return time[:17] + "00Z"


DAY = 86_400


class Calendar(NamedTuple):
    """On which days time counts: `days` of the week, from 0 for Monday, at least one, in order.

    `ahead`: by how many seconds midnight comes before that of UTC.
    """

    days: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)
    ahead: int = 0

    def counted(self, start: Time, end: Time) -> int:
        """The seconds that count from the first time to the second; negative if the second is the
        earlier one."""
        return self._number(end) - self._number(start)

    def later(self, time: Time, count: int) -> Time:
        """The latest time up to which `count` more seconds count: never one on a day of rest. It
        lies in the years 1 to 9999."""
        whole, second = divmod(self._number(time) + count, DAY)
        week, nth = divmod(whole, len(self.days))
        # Day 0 was a Thursday.
        return to_time((week * 7 + self.days[nth] - 3) * DAY + second - self.ahead)

    def _number(self, time: Time) -> int:
        """How many seconds count before a time, from the Monday before 1970 on."""
        day, second = divmod(to_seconds(time) + self.ahead, DAY)
        week, weekday = divmod(day + 3, 7)
        nth = sum(one < weekday for one in self.days)
        whole = week * len(self.days) + nth
        return whole * DAY + (second if weekday in self.days else 0)


def calendar(setup: Setup) -> Calendar:
    """The calendar that an invite agrees on."""
    return _calendar(setup.options["rest"], setup.options["zone"])


@lru_cache(256)
def _calendar(rest: str, zone: str) -> Calendar:
    return Calendar(weekdays(rest), offset(zone) or 0)


def turn_time(setup: Setup) -> int:
    """The seconds that a player has for each thing that they are awaited for."""
    return seconds(setup.options["turn_time"]) or 0


def absence(setup: Setup) -> int:
    """The seconds that a player may be away in all."""
    return seconds(setup.options["absence"]) or 0


def away(setup: Setup) -> int:
    """After how many deadlines missed in a row a seat may be handed on unsigned; 0: never."""
    count: int = setup.options["away"]
    return count


class Clocks(NamedTuple):
    """Who is awaited for what until when, and the reserve that everyone has left, in seconds."""

    awaited: Mapping[str, Awaited]
    reserve: Mapping[str, int]


def start(setup: Setup, time: Time, prompts: Mapping[str, str]) -> Clocks:
    """The clocks that genesis starts: everyone has the whole reserve."""
    reserve = seconds(setup.options["reserve_time"]) or 0
    return run(setup, Clocks({}, dict.fromkeys(setup.players, reserve)), {}, time, prompts)


def run(
    setup: Setup,
    before: Clocks,
    received: Mapping[str, Time],
    time: Time,
    prompts: Mapping[str, str],
) -> Clocks:
    """The clocks after an adjudication at that time. `prompts`: who is awaited next, and for what.

    A player who stays awaited for the same thing keeps since, until and reserve. For the others, an
    order that was `received` after the turn time uses up reserve by as much as it was late, and a
    missing player loses the whole reserve.
    """
    left = dict(before.reserve)
    for player, prompt in before.awaited.items():
        if prompts.get(player) != prompt.what:
            left[player] -= used(setup, prompt, left[player], received.get(player))
    awaited = {}
    for player, what in prompts.items():
        kept = before.awaited.get(player)
        if kept is None or kept.what != what:
            until = calendar(setup).later(time, turn_time(setup) + left[player])
            kept = Awaited(what, time, until)
        awaited[player] = kept
    return Clocks(awaited, left)


def used(setup: Setup, prompt: Awaited, reserve: int, received: Time | None) -> int:
    """The seconds of reserve that an order received at `received` uses up (None: it never came)."""
    left = 0 if received is None else calendar(setup).counted(received, prompt.until)
    return reserve - min(max(left, 0), reserve)


def ruled(
    setup: Setup,
    before: Clocks,
    base: Clocks,
    ruling: Ruling,
    time: Time,
    promised: Mapping[str, Time],
) -> Clocks:
    """The clocks after a ruling at that time that moves no deadline. `before`: those before it; one
    that annuls goes back to `base`.

    `promised` are the latest deadlines since the position that it goes back to, annulled entries
    included: none of them is cut. An annulment starts every clock anew.
    """
    if ruling.abandons:
        return Clocks({}, before.reserve)
    if ruling.annuls is None:
        return before
    awaited = {}
    for player, prompt in base.awaited.items():
        anew = calendar(setup).later(time, turn_time(setup) + base.reserve[player])
        until = max(anew, prompt.until, promised.get(player, anew))
        awaited[player] = Awaited(prompt.what, time, until)
    return Clocks(awaited, base.reserve)


def move(usual: Clocks, until: Mapping[str, Time]) -> Clocks:
    """The clocks of a ruling that moves these deadlines, to any later time; raises Refused
    `clock`. `usual`: the clocks if it moves none."""
    awaited = dict(usual.awaited)
    for player, time in until.items():
        if player not in awaited:
            raise Refused("clock", f"{player} is not awaited: there is no deadline to move")
        if time < awaited[player].until:
            raise Refused(
                "clock",
                f"too little: {player} has until {awaited[player].until} already; {time} cuts that",
                "a ruling moves a deadline only to a later time",
            )
        awaited[player] = awaited[player]._replace(until=time)
    return Clocks(awaited, usual.reserve)
