"""A checked entry, and the way back from it to those before.

What belongs here: what is known of an entry once `chain` has checked it, which earlier entries
still count, and what these promised. A ruling looks back entry by entry; that stays cheap, as a
game has at most `MOST_RULINGS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from adjudicator.core.deadlines import Clocks
from orders.documents import Join, Slip
from orders.entries import AnyEntry
from orders.fields import Digest, Time
from orders.public_key import PublicKey, read_public

MOST_RULINGS = 1_000
"""How many rulings a game may have."""


class Link(NamedTuple):
    """A checked entry: its bytes, digest and values, the slips that it uses, the clocks after it.

    `joins`: who sits in each seat after it. `first`: the step of the first adjudication so far, or
    None. `since`: the step of the entry that slips quote now, the last one that is no deadline
    ruling. `rulings`: how many rulings there were so far. `signatures`: how many signatures were
    verified.
    """

    data: bytes
    digest: Digest
    entry: AnyEntry
    clocks: Clocks
    joins: Mapping[str, Join]
    first: int | None = None
    since: int = 0
    rulings: int = 0
    slips: Mapping[str, Slip] = MappingProxyType({})
    signatures: int = 0

    @property
    def step(self) -> int:
        """The entry's number."""
        return self.entry.step

    @property
    def base(self) -> int:
        """The step of the entry from whose position this one goes on: the one before it, or before
        all that it annuls."""
        ruling = self.entry.ruling
        back = self.step if ruling is None or ruling.annuls is None else ruling.annuls
        return max(back - 1, 0)

    @property
    def adjudicated(self) -> Mapping[str, Slip]:
        """The slips whose orders it adjudicates: what a ruling lists was never adjudicated."""
        return self.slips if self.entry.ruling is None else {}

    @property
    def over(self) -> bool:
        """Whether nobody is awaited any more, so that nothing but a reveal may follow."""
        return not self.clocks.awaited

    def key(self, player: str) -> PublicKey:
        """The key with which that seat's slips are signed now."""
        return read_public(self.joins[player].key)


Earlier = Callable[[int], Link]
"""Gives the link of an earlier step."""


def counting(last: Link, earlier: Earlier) -> Iterator[Link]:
    """The entries that still count, from the last one back to genesis (`chain`, Rule 5)."""
    link = last
    while link.step:
        yield link
        link = earlier(link.base)
    yield link


def counts(last: Link, step: int, earlier: Earlier) -> bool:
    """Whether the entry of that step still counts after `last`."""
    # What is walked over here counts no more once it is annulled, so no ruling walks it again.
    return next(link.step for link in counting(last, earlier) if link.step <= step) == step


def missed(last: Link, player: str, earlier: Earlier) -> tuple[int, int]:
    """How many deadlines a player has missed in a row, and the last entry that says so, or 0.

    One deadline counts once, however many entries passed it. It is forgotten once a slip of theirs
    is used, or somebody else sits there; annulled entries say nothing.
    """
    since: set[Time] = set()
    newest = 0
    for link in counting(last, earlier):
        ruling = link.entry.ruling
        change = None if ruling is None else ruling.seat
        if player in link.slips or (change is not None and change.player == player):
            break
        if player in link.entry.missing:
            since.add(earlier(link.step - 1).clocks.awaited[player].since)
            newest = newest or link.step
    return len(since), newest


def promised(last: Link, since: int, earlier: Earlier) -> dict[str, Time]:
    """The latest deadline that each player was given by any entry from `since` to `last`."""
    latest: dict[str, Time] = {}
    for step in range(since, last.step + 1):
        link = last if step == last.step else earlier(step)
        for player, prompt in link.clocks.awaited.items():
            latest[player] = max(prompt.until, latest.get(player, prompt.until))
    return latest
