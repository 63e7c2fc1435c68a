"""Rulings judged: was the annulled entry wrong, and what followed it?

There is a line for each ruling, and whether a person should look at it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from adjudicator.core.link import Link


@dataclass(frozen=True, slots=True)
class Line:
    """A ruling in words. `look`: a person should look at it."""

    text: str
    look: bool


def judge(
    links: Sequence[Link],
    wrong: Mapping[int, str],
    unjudged: Collection[int] = (),
    *,
    replayed: bool,
) -> Iterator[Line]:
    """A line for each ruling; `wrong` are the entries that differ when adjudicated again.

    `unjudged` are those that go on from such a one, and may be right or wrong.
    """
    protests = _protests(links)
    differing = sorted(wrong)
    for link in links:
        ruling = link.entry.ruling
        if ruling is None:
            continue
        head = f"entry {link.step}"
        reason = f"reason given: {ruling.reason!a}"
        if ruling.annuls is not None:
            between = range(ruling.annuls + 1, link.step)
            later = _first(differing, between)
            told = _annulled(
                links[ruling.annuls], between, later, wrong, unjudged, replayed=replayed
            )
            who = sorted(name for name in protests if _first(protests[name], between) is not None)
            by = f"; protested by {', '.join(who)}" if who else ""
            yield Line(f"{head} annuls from entry {ruling.annuls} on: {told}{by}; {reason}", True)
        elif ruling.abandons:
            yield Line(f"{head} abandons the game; {reason}", True)
        elif ruling.seat is not None:
            agreed = "agreed" if ruling.seat.agreed else "did not sign"
            yield Line(
                f"{head} hands on the seat of {ruling.seat.player}; its old player {agreed}; "
                f"{reason}",
                False,
            )
        else:
            yield Line(f"{head} moves deadlines later; {reason}", False)


def _annulled(
    link: Link,
    between: range,
    later: int | None,
    wrong: Mapping[int, str],
    unjudged: Collection[int],
    *,
    replayed: bool,
) -> str:
    """The line about the entry from which on a ruling annuls.

    `between`: the steps of the others that it annuls; `later`: the first of these that was wrong.
    """
    told = f"entry {link.step}{' (itself a ruling)' if link.entry.ruling is not None else ''}"
    more = f", {len(between)} more follow it" if between else ""
    if not replayed:
        return f"{told}{more}; whether it was right shows after the reveal"
    if link.step in unjudged:
        return f"{told} goes on from a wrong one, so nobody can judge it{more}"
    if link.step in wrong:
        return f"{told} was wrong: {wrong[link.step]}{more}"
    if later is not None:
        return f"{told} was right{more}; entry {later} was wrong: {wrong[later]}"
    return f"{told} was right{more}, so the reason is the host's alone"


def _protests(links: Sequence[Link]) -> dict[str, list[int]]:
    """By player the steps in whose slips they protested, in order."""
    found: dict[str, list[int]] = {}
    for link in links:
        for player, slip in link.slips.items():
            if slip.protest is not None:
                found.setdefault(player, []).append(link.step)
    return found


def _first(steps: Sequence[int], between: range) -> int | None:
    """The first of these steps, given in order, that lies in the range."""
    at = bisect_left(steps, between.start)
    return steps[at] if at < len(steps) and steps[at] in between else None
