"""Rulings judged: was the annulled entry wrong, whom did they give a seat, and whom time?

There is a line for each ruling, one for each player to whom rulings gave time, and whether a person
should look at it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from adjudicator.core import chain, deadlines
from adjudicator.core.deadlines import span
from adjudicator.core.link import Earlier, Link, missed
from adjudicator.core.opening import Opening
from adjudicator.words.story import as_the_invite_says, handed_on
from games.game import Setup


class Line(NamedTuple):
    """A ruling in words. `look`: a person should look at it."""

    text: str
    look: bool


def judge(
    setup: Setup,
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
            count, _ = handed_on_as_agreed(setup, link, links.__getitem__)
            if count:
                yield Line(f"{head}: {as_the_invite_says(ruling.seat.player, count)}; {reason}",
                           look=False)  # fmt: skip
            else:
                yield Line(f"{head}: {handed_on(ruling.seat)}; {reason}", not ruling.seat.agreed)
        else:
            yield Line(f"{head} moves deadlines later; {reason}", False)


def handed_on_as_agreed(setup: Setup, link: Link, earlier: Earlier) -> tuple[int, int]:
    """The missed deadlines after which a ruling handed a seat on as the invite says, and the last
    entry that its player missed; 0 and 0 if it is no such ruling."""
    ruling = link.entry.ruling
    if ruling is None or ruling.seat is None or ruling.seat.agreed:
        return 0, 0
    count, step = missed(earlier(link.step - 1), ruling.seat.player, earlier)
    return (count, step) if count >= deadlines.away(setup) > 0 else (0, 0)


class Given(NamedTuple):
    """The seconds by which a ruling moved a player's deadline."""

    link: Link
    player: str
    seconds: int


def given(opening: Opening, links: Sequence[Link]) -> Iterator[Given]:
    """Whose deadlines rulings moved, and by how much. Time that an annulment gives everybody anew
    is none of it."""
    calendar = deadlines.calendar(opening.setup)
    for link in links[1:]:
        ruling, time = link.entry.ruling, link.entry.time
        if ruling is None or time is None:
            continue
        usual = chain.ruled(opening, links[link.step - 1], links.__getitem__, ruling, time)
        for player, prompt in link.clocks.awaited.items():
            more = calendar.counted(usual.awaited[player].until, prompt.until)
            if more:
                yield Given(link, player, more)


def favours(opening: Opening, links: Sequence[Link]) -> Iterator[Line]:
    """A line for each player to whom rulings gave time: how much in all, and how much of it is more
    than the absence that the invite allows.

    A person should look where that is more than a turn time.
    """
    gave: dict[str, int] = {}
    by: dict[str, list[int]] = {}
    for link, player, more in given(opening, links):
        gave[player] = gave.get(player, 0) + more
        by.setdefault(player, []).append(link.step)
    turn, absence = deadlines.turn_time(opening.setup), deadlines.absence(opening.setup)
    for player, sum_ in gave.items():
        entries = f"{'entry' if len(by[player]) == 1 else 'entries'} {_listed(by[player])}"
        text = f"rulings gave {player} {span(sum_)} more in all ({entries})"
        beyond = sum_ - absence
        if beyond > turn:
            allowed = f" and the {span(absence)} of absence" if absence else ""
            text += f", more than a turn time of {span(turn)}{allowed}"
        yield Line(text, beyond > turn)


def _listed(steps: Sequence[int]) -> str:
    """The first few of these numbers, and how many more there are."""
    more = len(steps) - 10
    return ", ".join(map(str, steps[:10])) + (f" and {more} more" if more > 0 else "")


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
