"""Rulings judged: was the annulled entry wrong, and what followed it? There is a line for each
ruling, and whether a person should look at it."""

from __future__ import annotations

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
    for link in links:
        ruling = link.entry.ruling
        if ruling is None:
            continue
        head = f"entry {link.step}"
        reason = f"reason given: {ruling.reason!a}"
        if ruling.annuls is not None:
            told = _annulled(links, link, wrong, unjudged, replayed=replayed)
            protests = _protests(links, ruling.annuls, link.step)
            yield Line(
                f"{head} annuls from entry {ruling.annuls} on: {told}{protests}; {reason}", True
            )
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
    links: Sequence[Link],
    link: Link,
    wrong: Mapping[int, str],
    unjudged: Collection[int],
    *,
    replayed: bool,
) -> str:
    first = link.entry.ruling.annuls if link.entry.ruling is not None else None
    assert first is not None  # noqa: S101 - its caller looks
    target = links[first].entry
    kind = " (itself a ruling)" if target.ruling is not None else ""
    count = link.step - first - 1
    more = f", {count} more follow it" if count else ""
    if not replayed:
        return f"entry {first}{kind}{more}; whether it was right shows after the reveal"
    if first in unjudged:
        return f"entry {first}{kind} goes on from a wrong one, so nobody can judge it{more}"
    if first in wrong:
        return f"entry {first}{kind} was wrong: {wrong[first]}{more}"
    follows = [step for step in range(first + 1, link.step) if step in wrong]
    if follows:
        step = follows[0]
        return f"entry {first}{kind} was right{more}; entry {step} was wrong: {wrong[step]}"
    return f"entry {first}{kind} was right{more}, so the reason is the host's alone"


def _protests(links: Sequence[Link], first: int, last: int) -> str:
    """Who protested before the entries were annulled."""
    who = sorted(
        {
            player
            for link in links[first + 1 : last]
            for player, slip in link.slips.items()
            if slip.protest is not None
        }
    )
    return f"; protested by {', '.join(who)}" if who else ""
