"""Two clocks: compares the times that a player and the host signed.

No difference makes a record false, because no file can tell who was right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from adjudicator.core import deadlines
from adjudicator.core.deadlines import span
from adjudicator.core.link import Link
from games.game import Setup
from orders.documents import Slip
from orders.fields import Time

TOLERANCE = 15 * 60
"""Seconds by which the clocks of two people may differ."""


class Answer(NamedTuple):
    """A slip that an entry uses: the entry that it quotes, and when it was received."""

    player: str
    slip: Slip
    quoted: Link
    used_by: Link
    received: Time

    @property
    def off(self) -> int:
        """By how many seconds the slip's time is outside its bounds; negative before them, positive
        after."""
        begins = deadlines.between(self.slip.time, str(self.quoted.entry.time)) - TOLERANCE
        ends = deadlines.between(self.received, self.slip.time) - TOLERANCE
        if begins > 0:
            return -(begins + TOLERANCE)
        return ends + TOLERANCE if ends > 0 else 0


def answers(links: Sequence[Link]) -> list[Answer]:
    """Every slip that an adjudication uses, in order."""
    return [
        Answer(player, slip, links[slip.step - 1], link, link.entry.slips[player].received)
        for link in links
        for player, slip in link.adjudicated.items()
    ]


def differences(found: Sequence[Answer]) -> Iterator[str]:
    """A line for each slip whose time is not between its entry and its receipt."""
    by_entry: dict[int, list[Answer]] = {}
    for one in found:
        by_entry.setdefault(one.used_by.step, []).append(one)
    for one in found:
        if not one.off:
            continue
        others = [other for other in by_entry[one.used_by.step] if other.player != one.player]
        agree = sum(not other.off for other in others)
        side = f"; {agree} of {len(others)} others' slips agree with the host" if others else ""
        where = "after its receipt" if one.off > 0 else "before the entry that it answers"
        yield (
            f"the slip of {one.player} in entry {one.used_by.step} is dated {one.slip.time}, "
            f"{span(one.off)} {where}{side}"
        )


def mattered(setup: Setup, links: Sequence[Link], found: Sequence[Answer]) -> Iterator[str]:
    """A line for each disputed time that cost a player a turn or reserve, or saved it."""
    earliest: dict[str, Time] = {}
    lines = []
    for link in reversed(links[1:]):
        entry = link.entry
        if entry.ruling is not None or entry.time is None:
            continue
        before = links[link.step - 1]
        for player in before.clocks.awaited:
            early = earliest.get(player, entry.time)
            charged = _charged(before, link, player)
            if charged and deadlines.between(early, entry.time) > TOLERANCE:
                lines.append(
                    f"entry {link.step} {charged} {player} at {entry.time}, "
                    f"and a later slip of {player} is dated {early}"
                )
        for player, slip in link.slips.items():
            earliest[player] = min(slip.time, earliest.get(player, slip.time))
    yield from reversed(lines)
    for one in found:
        before = links[one.used_by.step - 1]
        prompt = before.clocks.awaited.get(one.player)
        if prompt is None or deadlines.between(one.received, one.slip.time) <= TOLERANCE:
            continue
        if one.used_by.clocks.awaited.get(one.player) == prompt:
            continue  # Still awaited for the same thing: nobody pays for that yet.
        left = before.clocks.reserve[one.player]
        more = deadlines.used(setup, prompt, left, one.slip.time)
        if more > deadlines.used(setup, prompt, left, one.received):
            yield (
                f"entry {one.used_by.step} received the slip of {one.player} at {one.received}, "
                f"which spared reserve; the slip itself is dated {one.slip.time}"
            )


def _charged(before: Link, link: Link, player: str) -> str:
    """How an entry charged a player: `calls missing`, `charges reserve to`, or not at all."""
    if player in link.entry.missing:
        return "calls missing"
    if link.clocks.reserve.get(player, 0) < before.clocks.reserve.get(player, 0):
        return "charges reserve to"
    return ""


def late(setup: Setup, links: Sequence[Link]) -> Iterator[str]:
    """Who was late and was used, who was late and left out, and by how much."""
    calendar = deadlines.calendar(setup)
    for link in links[1:]:
        entry = link.entry
        if entry.ruling is not None or entry.time is None:
            continue
        awaited = links[link.step - 1].clocks.awaited
        for player, prompt in awaited.items():
            if player in entry.missing:
                by = calendar.counted(prompt.until, entry.time)
                yield f"entry {link.step}: {player} missing, {span(by)} after the deadline"
                continue
            by = calendar.counted(prompt.until, entry.slips[player].received)
            if by > 0:
                yield f"entry {link.step}: {player} late by {span(by)}, and used"


def summary(setup: Setup, links: Sequence[Link], off: int) -> str:
    """Who missed a deadline, and how often; whose orders came after one and were used. `off`: how
    many orders are dated otherwise than the host says that they came."""
    calendar = deadlines.calendar(setup)
    missed: dict[str, int] = {}
    tardy: dict[str, int] = {}
    for link in links[1:]:
        if link.entry.ruling is not None:
            continue
        for player, prompt in links[link.step - 1].clocks.awaited.items():
            if player in link.entry.missing:
                missed[player] = missed.get(player, 0) + 1
            elif calendar.counted(prompt.until, link.entry.slips[player].received) > 0:
                tardy[player] = tardy.get(player, 0) + 1
    told = f"no deadline cut; {_by_player('missed', missed)}, {_by_player('late', tardy)}"
    return f"{told}; dated otherwise than received {off} (-v)" if off else told


def _by_player(what: str, counts: Mapping[str, int]) -> str:
    """`none missed`, or `missed ben 2, cat 1`."""
    listed = ", ".join(f"{player} {count}" for player, count in counts.items())
    return f"{what} {listed}" if listed else f"none {what}"
