"""Whether the host's own clock can be right: what it is compared with, and the words for it.

A host that signs once by a clock which is years ahead can never date anything earlier, so deadlines
stand still until then; a clock that is hours ahead calls players missing. No file tells who of two
is right, so a great difference stops the host until a person says that the clock is right, and a
smaller one is only told. A game in which nothing happens for weeks is no reason to doubt a clock:
only what comes in now is compared with it.
What it must not know: files, signatures.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from adjudicator.core import deadlines
from adjudicator.core.deadlines import span
from orders.errors import Refused
from orders.fields import Time

DAY = 86_400
AHEAD = 15 * 60
"""Seconds by which a time may lie ahead of the clock before that is told."""
STILL = 60 * DAY
"""Seconds past its last deadline for which a game may stand still."""
LAG = 2 * 3_600
"""Seconds for which something may have been on its way before that is told."""


class Doubt(NamedTuple):
    """A difference between the clock and another time, in words. `grave`: sign nothing."""

    text: str
    grave: bool


def doubt(now: Time, what: str, time: Time, known: Iterable[Time] = ()) -> Doubt | None:
    """The difference between the clock and the time that something tells; None if it is small.

    `what` names that thing in words, such as "the mail server's time". `known` are other times that
    were right within a day, such as the server's: a clock near one of them is right.
    """
    off = deadlines.between(now, time)
    if -LAG <= off <= AHEAD:
        return None
    side = "later" if off > 0 else "earlier"
    text = f"{what} is {time}, {span(off)} {side} than this machine's clock, {now}"
    borne_out = any(abs(deadlines.between(one, now)) <= DAY for one in known)
    return Doubt(text, abs(off) > DAY and not borne_out)


def stillness(now: Time, last: Time) -> Doubt | None:
    """Whether a game stood still for longer than one would believe; `last`: the latest of all its
    times, deadlines included."""
    off = deadlines.between(last, now)
    if off <= STILL:
        return None
    text = f"by this machine's clock, {now}, nothing was signed or due here for {span(off)}"
    return Doubt(text, grave=True)


def check(found: Iterable[Doubt | None]) -> list[str]:
    """The doubts that a host is told before it signs; raises Refused `clock` at a grave one."""
    doubts = [one for one in found if one is not None]
    for one in doubts:
        if one.grave:
            raise Refused(
                "clock",
                f"{one.text}: nothing is signed",
                "set the clock; if it is right, say so: --clock-is-right",
            )
    return [f"{one.text}: is the clock right?" for one in doubts]
