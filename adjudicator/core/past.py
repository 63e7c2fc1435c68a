"""What an entry keeps about all entries before it, so that a ruling has to look at few of them.

Checking a ruling that annuls asks two questions about all entries since the one that it goes back
to: does that entry still count, and which deadlines were promised since? A host may annul as often
as it likes, over as many entries as it likes, and readers of the record must not pay for the
product of the two.
What belongs here: the answers to the two questions. What it must not know: which rulings are
allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from orders.entries import AnyEntry
from orders.fields import Time

if TYPE_CHECKING:
    from adjudicator.core.link import Link

Earlier = Callable[[int], "Link"]
"""Gives the link of an earlier step."""


class Promise(NamedTuple):
    """A deadline that the entry of that step gives a player.

    `higher`: the last promise before it with a later deadline. So the promises that no later one
    has reached form a chain, with the latest deadline at its end.
    """

    step: int
    until: Time
    higher: Promise | None


class Past(NamedTuple):
    """What an entry keeps about those before it.

    `base`: the step of the entry from whose position it goes on. So the entries that count lead
    from base to base back to genesis. `depth`: how many bases there are before it. `jump`: the step
    of one of these bases, chosen so that any base is reached within about 2 log2(depth) leaps and
    steps (skew-binary jump pointers: Myers 1983, "An applicative random-access stack"). If nothing
    before it is known, `depth` is 0 and `jump` its own step. `promises`: each player's last one.
    `since`: the first step whose promises are among them.
    """

    base: int
    depth: int
    jump: int
    promises: Mapping[str, Promise]
    since: int

    @staticmethod
    def begin(entry: AnyEntry) -> Past:
        """For an entry before which nothing is known: genesis, or the one from which somebody
        resumes."""
        return Past(_base(entry), 0, entry.step, _promises({}, entry), entry.step)

    def then(self, entry: AnyEntry, earlier: Earlier) -> Past:
        """For the entry that follows this one's."""
        base = earlier(_base(entry)).past
        leap = earlier(base.jump).past
        further = base.depth - leap.depth == leap.depth - earlier(leap.jump).past.depth
        jump = leap.jump if further else _base(entry)
        promises = _promises(self.promises, entry)
        return Past(_base(entry), base.depth + 1, jump, promises, self.since)


def _base(entry: AnyEntry) -> int:
    ruling = entry.ruling
    back = entry.step if ruling is None or ruling.annuls is None else ruling.annuls
    return max(back - 1, 0)


def _promises(before: Mapping[str, Promise], entry: AnyEntry) -> dict[str, Promise]:
    promises = dict(before)
    for player, prompt in entry.awaited.items():
        last = promises.get(player)
        while last is not None and last.until <= prompt.until:
            last = last.higher
        promises[player] = Promise(entry.step, prompt.until, last)
    return promises


def counting(last: Link, earlier: Earlier) -> Iterator[Link]:
    """The entries that still count, from the last one back to genesis (`chain`, Rule 5)."""
    link = last
    while link.step:
        yield link
        link = earlier(link.past.base)
    yield link


def counts(last: Link, step: int, earlier: Earlier) -> bool:
    """Whether the entry of that step still counts after `last`: whether it is among `counting`."""
    link = last
    while link.step > step:
        past = link.past
        link = earlier(past.jump if step <= past.jump < link.step else past.base)
    return link.step == step


def promised(last: Link, since: int, earlier: Earlier) -> dict[str, Time]:
    """The latest deadline that each player was given by any entry from `since` to `last`."""
    latest: dict[str, Time] = {}
    for player, promise in last.past.promises.items():
        found: Promise | None = promise
        while found is not None and found.step >= since:
            latest[player] = found.until
            found = found.higher
    for step in range(since, last.past.since):
        for player, prompt in earlier(step).clocks.awaited.items():
            latest[player] = max(prompt.until, latest.get(player, prompt.until))
    return latest
