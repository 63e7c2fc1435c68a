"""All games of a folder in words: a line each, the least time first, and above them whatever needs
a hand. The same sentences for a terminal, a mail and a page of HTML.

What it must not know: where games lie, mailboxes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import Offer
from adjudicator.words import calendar, story
from adjudicator.words.calendar import Deadline
from adjudicator.words.spans import ReadAt
from orders.errors import Refused
from orders.fields import Time

_CHANGES = re.compile(
    r"(?<=: )[245][0-9]{2}[ -].*|(?<=^the mailbox: )(?!its ).*|(?<=: no copy in the mailbox: ).*"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z|\b[0-9]{2}:[0-9]{2}\b"
    r"|(?<![^\s(])[0-9]+(?: (?:d|h|min|s)\b(?: [0-9]+ (?:h|min)\b)?)?(?![^\s,;:)])"
)
"""What changes from look to look: all that a server replies (of a mailbox only `its folder ...` is
our own word), for many name each try of theirs; times, spans and counts. Numbers in names are none.
"""


@dataclass(frozen=True)
class Standing:
    """How a game, or a duel, stands for its reader.

    `name`: what it is called here. `says`: whose turn it is, in a sentence; `until`: until when
    somebody is awaited; `yours`: it is its reader, for orders of `step`, `since` then. `over`: its
    record says how it ended. `deadline`: what its reader must see to. `hand`: what needs a hand,
    the most urgent last. `more`: what only some games have, by the names that programs read.
    `lines`: the same for a person who looks at this game alone. `code`: how a command ends that
    tells it.
    """

    name: str
    says: str
    until: Time | None = None
    yours: bool = False
    step: int | None = None
    since: Time | None = None
    over: bool = False
    deadline: Deadline | None = None
    hand: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    code: int = 0

    @property
    def json(self) -> dict[str, Any]:
        """For programs."""
        return {**self.more, "name": self.name, "says": self.says, "until": self.until,
                "yours": self.yours, "hand": list(self.hand)}  # fmt: skip


def broken(name: str, error: Refused | OSError) -> Standing:
    """A game that cannot be read, which is told of as well."""
    told = error.message if isinstance(error, Refused) else str(error)
    return Standing(name, told, hand=(f"it does not hold: {told}",), code=3)


def unbegun(name: str, offer: Offer, joined: Sequence[str], wanted: int | None) -> Standing:
    """A game that has not begun, for its host."""
    many = f"{len(joined)} of {wanted}" if wanted else f"{len(joined)}"
    who = f": {', '.join(joined)}" if joined else ""
    return Standing(name, f"{offer.game.title}, as host: not begun, {many} joined{who}")


def hosted(name: str, ledger: Ledger, orders_in: Sequence[str], reader: ReadAt) -> Standing:
    """A game under way, for its host; `orders_in`: whose orders are in."""
    title = f"{ledger.opening.offer.game.title}, as host"
    awaited = ledger.last.entry.awaited
    late = {player: one for player, one in awaited.items() if player not in orders_in}
    came = [player for player in awaited if player in orders_in]
    if not late:
        what = "all orders are in" if awaited else _over(ledger)
        return Standing(name, f"{title}: {what}", step=_step(ledger), over=ledger.revealed)
    until = min(one.until for one in late.values())
    says = story.due(late, reader) + (f"; in: {', '.join(came)}" if came else "")
    deadline = calendar.of_game(name, ledger, late)
    return Standing(name, f"{title}: {says}", until, step=_step(ledger), deadline=deadline)


def played(
    name: str, ledger: Ledger, player: str | None, sent: Sequence[str], reader: ReadAt
) -> Standing:
    """A game under way, for a player, or for None who only looks. `sent`: the answers to what this
    player sent for this step, "" for none."""
    title = ledger.opening.offer.game.title + ("" if player is None else f", as {player}")
    awaited = ledger.last.entry.awaited
    if not awaited:
        says = f"{title}: {_over(ledger)}"
        return Standing(name, says, step=_step(ledger), over=ledger.revealed)
    if player is None or player not in awaited:
        until = min(one.until for one in awaited.values())
        return Standing(name, f"{title}: {story.due(awaited, reader)}", until, step=_step(ledger))
    mine = awaited[player]
    says = f"YOUR {mine.what}"
    stands = [answer for answer in sent if answer in ("", "accepted")]
    if stands:
        says = "your orders are in" if stands[-1] else "sent, no receipt yet"
    until = mine.until
    return Standing(
        name, f"{title}: {says}, until {reader.deadline(until)}", until, yours=not stands,
        step=_step(ledger), since=mine.since,
        deadline=None if stands else calendar.of_game(name, ledger, awaited, player),
    )  # fmt: skip


def _step(ledger: Ledger) -> int:
    """The step whose orders are awaited, or the last entry of a game that is over."""
    last = ledger.last
    return last.since + 1 if last.entry.awaited else last.step


def _over(ledger: Ledger) -> str:
    told = story.standing(ledger.last.entry)
    return told if ledger.revealed else f"{told}: the next sync reveals it"


def trouble(line: str) -> str:
    """What is amiss, by a line of what needs a hand: the same thing while only times, counts and a
    server's words change."""
    return _CHANGES.sub("0", line)


class Overview(NamedTuple):
    """All games of a reader, and what needs a hand and is of no one game."""

    games: tuple[Standing, ...]
    hand: tuple[str, ...] = ()

    @property
    def needs(self) -> tuple[str, ...]:
        """Everything that needs a hand, in lines."""
        ours = (f"{one.name}: {what}" for one in self.games for what in one.hand)
        return tuple(dict.fromkeys((*self.hand, *ours)))

    @property
    def rows(self) -> list[Standing]:
        """The games, the least time first, then those without a deadline."""
        return sorted(self.games, key=lambda one: (one.until is None, one.until or "", one.name))

    def summary(self) -> str:
        """How many games need a hand or wait, in a few words."""
        count, many = len(self.needs), len(self.games)
        said = f"{many} game{'s' * (many != 1)}"
        if count:
            said = f"{count} need{'s' * (count == 1)} a hand; {said}"
        yours = sum(one.yours for one in self.games)
        return said + (f", {yours} wait{'s' * (yours == 1)} for you" if yours else "")

    def lines(self) -> list[str]:
        """For a terminal or a mail."""
        needs = self.needs
        head = [f"{len(needs)} need{'s' * (len(needs) == 1)} a hand:"] if needs else []
        head += [f"  {one}" for one in needs]
        return [*head, *([""] * bool(needs)), *(f"{one.name}: {one.says}" for one in self.rows)]

    def html(self, reader: ReadAt) -> bytes:
        """A page that asks for nothing."""
        from html import escape as cell  # few want the page, and it loads 2,200 entities

        rows = "".join(
            f"<tr><td>{cell(one.name)}<td>{cell(one.says)}"
            f"<td>{cell('' if one.until is None else reader.when(one.until))}\n"
            for one in self.rows
        )
        needs = "".join(f"<li>{cell(one)}\n" for one in self.needs)
        return (
            f"{HTML}<h1>{cell(self.summary())}</h1>\n<p>{cell(reader.when(reader.now))}</p>\n"
            f"<ul>\n{needs}</ul>\n<table>\n<thead><tr><th>game<th>whose turn<th>until</thead>\n"
            f"{rows}</table>\n</html>\n"
        ).encode()

    @property
    def ics(self) -> bytes:
        """A calendar of what its reader must see to, and until when."""
        return calendar.calendar(one.deadline for one in self.games if one.deadline is not None)

    @property
    def json(self) -> dict[str, Any]:
        """For programs."""
        return {"games": [one.json for one in self.rows], "hand": list(self.hand)}


HTML = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Games</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid; padding: .35rem .75rem .35rem 0; text-align: left }
</style>
"""
