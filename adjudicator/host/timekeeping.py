"""Whether the host's own clock can be right: what it is compared with, and the words for it.

A host that signs once by a clock which is years ahead can never date anything earlier, so deadlines
stand still until then; a clock that is hours ahead calls players missing. No file tells who of two
is right, so what is *grave* stops the host until a person says that the clock is right, and a
smaller difference is only told. The times that a host meets say different things:

    another clock    It shows its time now, as a mail server does. More than a day off is grave.
    signed here      The clock was there once. A day behind the last time signed is grave.
    a slip           Its player's clock showed that time when it was written; then it travelled. An
                     old slip is normal: mail is slow, and some hosts collect orders once a week.
                     So age alone is told, and never grave. A slip from the future cannot be: one
                     of two clocks is wrong, and more than a day is grave.
    nothing          For weeks nothing may happen in a game. But if the clock is two months past
                     everything that is known (signed, due, written in the slips that are here and
                     in the one that comes in now), it is likelier wrong than all of them: grave.
                     A game that only waits for orders signs nothing, and is not asked.

A player can date a slip as they like, and may not stop a game with that. So one from the future
stops nothing if anything else shows the clock to be right within a day: the mail server, the last
time signed, or a slip that waits. Where nothing does, the game stands still until the next slip of
somebody else comes in, or the clock is set, or the host says that it is right: once, as the slip is
then taken in. Its writer wins no time, as time is reckoned from when a slip is taken in.
What it must not know: files, signatures.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from adjudicator.core import deadlines
from adjudicator.core.deadlines import DAY, span
from orders.errors import Refused
from orders.fields import Time

APART = 15 * 60
"""Seconds by which two clocks may differ before that is told."""
STILL = 60 * DAY
"""Seconds past all that is known of a game for which it may stand still."""
LAG = 2 * 3_600
"""Seconds for which something may have been on its way before that is told."""


class Doubt(NamedTuple):
    """A difference between the clock and another time, in words. `grave`: sign nothing."""

    text: str
    grave: bool


def doubt(
    now: Time, what: str, time: Time, known: Iterable[Time] = (), *, sent: bool = False
) -> Doubt | None:
    """The difference between the clock and the time that something tells; None if it is small.

    `what` names that thing in words, such as "the mail server's time". `known` are other times that
    were right within a day: a clock near one of them is right. `sent`: the thing was on its way
    since that time, so that it may be old.
    """
    off = deadlines.between(now, time)
    if -(LAG if sent else APART) <= off <= APART:
        return None
    side = "later" if off > 0 else "earlier"
    text = f"{what} is {time}, {span(off)} {side} than this machine's clock, {now}"
    borne_out = any(abs(deadlines.between(one, now)) <= DAY for one in known)
    return Doubt(text, abs(off) > DAY and not borne_out and not (sent and off < 0))


def stillness(now: Time, last: Time) -> Doubt | None:
    """Whether a game stood still for longer than one would believe; `last`: the latest of all
    times that are known of it, deadlines included."""
    off = deadlines.between(last, now)
    if off <= STILL:
        return None
    text = f"by this machine's clock, {now}, nothing was signed, written or due here for"
    return Doubt(f"{text} {span(off)}", grave=True)


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
