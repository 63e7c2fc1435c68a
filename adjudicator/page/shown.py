"""What the page shows of a game, as plain data: an offer, and a seat's state.

The terminal uses the same modules to make these values. What it must not know: HTML.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from adjudicator.core import opening
from adjudicator.core.link import Link
from adjudicator.core.report import Report
from adjudicator.page import boards
from adjudicator.page.boards import NO_WRECKS, Heard, Wrecks
from adjudicator.player import letters, witness
from adjudicator.player.seated import Seated
from adjudicator.player.table import Table
from adjudicator.store.record import Record
from adjudicator.verifier.claims import Findings
from adjudicator.words import answers, deduced, story
from adjudicator.words.deduced import Knowledge
from adjudicator.words.spans import ReadAt, left
from games import picture
from games.chart import Chart, Ground, described
from games.game import Deductions, Game, View
from games.news import Said, rank
from games.options import Option
from orders.entries import Reveal
from orders.errors import PROTESTS, Refused
from orders.fields import Time


def findings(found: Findings, name: str) -> dict[str, Any]:
    """The findings of a verification as `--json` has them, and what people are told of it: the
    verdict and what is wrong."""
    told = {"conclusion": found.conclusion, "marked": list(found.marked)}
    return {**found.json(name), **told}


def offer(record: Record) -> dict[str, Any]:
    """The game in an invite."""
    told = opening.read_offer(record)
    return {
        "name": told.name,
        "title": told.game.title,
        "summary": told.game.summary,
        "rules": told.invite.rules,
        "options": {key: str(value) for key, value in told.invite.options.items()},
        "reserved": told.invite.reserved,
        "host": told.invite.mail or "",
    }


_RULE = re.compile(r" \([A-Z]+-\d+\)")


def about_option(option: Option) -> str:
    """What an option is about, without the rule's number, which says nothing to a beginner."""
    return _RULE.sub("", option.help)


def state(table: Table, now: Time, seen: Seen | None = None) -> dict[str, Any]:
    """A seat's state: board, clocks, its own orders, and warnings.

    `mine`: whether it is awaited. `why`: why the game ended, in a sentence to its player; `why_all`
    to everybody. `protest`: what its last report calls for; then the board is what
    everybody sees. `amiss`: what its owner should see to; of a seat that was handed on, whose stage
    is `left`, that alone is told. Raises Refused if the seat is not one of this game.
    """
    own = table.seated()
    game, last, player = own.opening.game, own.last, own.seat.player
    if not own.seat.sits(last.joins):
        changes = (list(witness.of_seat(own.ledger, own.seat, one)) for one in own.ledger.links())
        told = {"stage": "left", "step": last.step, "id": own.opening.id, "title": game.title}
        lines = [worded(line) for lines in changes for line in lines]
        return {**told, "players": list(own.opening.players), "amiss": lines[-1:]}
    protest = table.lacking()
    step = last.step - isinstance(last.entry, Reveal)
    view = story.seen_by(own, None).boards[0] if protest else own.report().view
    awaited = last.entry.awaited
    seen = seen or Seen(own)
    known = Deductions() if protest else seen.known(last.step)
    return {
        "stage": "over" if isinstance(last.entry, Reveal) else "play",
        "step": last.step,
        "id": own.opening.id,
        "title": game.title,
        "players": list(own.opening.players),
        **around(game, view, known, seen.wrecks[step]),
        **({"asked": []} if protest else {}),
        "since": list(seen.since()),
        "standing": story.standing(last.entry),
        "mine": player in awaited,
        "awaited": [
            {
                "player": name,
                "you": name == player,
                "what": prompt.what,
                "until": prompt.until,
                "left": left(prompt.until, now),
            }
            for name, prompt in awaited.items()
        ],
        "news": story.told(own, step),
        "sent": [
            {
                "text": one.text(ReadAt(now)),
                "lines": answers.lines_of(one.file),
                "answered": bool(one.answer),
                "refused": not (one.answer or "accepted").startswith("accepted"),
            }
            for one in answers.sent(own)
        ],
        "protests": list(PROTESTS),
        "protest": protest,
        "amiss": list(amiss(table, now)),
        "outcome": story.outcome(last.entry) if isinstance(last.entry, Reveal) else "",
        "why": story.why(own) if isinstance(last.entry, Reveal) else "",
        "why_all": story.why(own, everybody=True) if isinstance(last.entry, Reveal) else "",
        "rematch": rematch(game, own.opening.players, (link.slips for link in own.ledger.links())),
    }


def around(
    game: Game[Any, Any], view: View, known: Deductions, wrecks: Wrecks = NO_WRECKS
) -> dict[str, Any]:
    """The board of a view, the hand, a line about each side, the kinds of lines, and what words
    mean. `heading`: the game and its turn. `handed`: whether players hold cards at all. `asked`:
    standing orders, as questions."""
    return {
        "heading": story.heading(game, view),
        "chart": chart(game, view, known, wrecks),
        "hand": [one._asdict() for one in game.hand(view)],
        "handed": type(game).hand is not Game.hand,
        "sides": {name: side._asdict() for name, side in game.sides(view, known).items()},
        "verbs": {name: verb._asdict() for name, verb in game.verbs.items()},
        "asked": [one._asdict() for one in game.standing(view)],
        "about": dict(game.about(view.setup)),
    }


def amiss(table: Table, now: Time) -> Iterator[str]:
    """What the seat's owner should see to, the most urgent first; each says what to do in the
    page."""
    for step in table.gap()[1]:
        yield (
            f"Entry {step} did not come, and a later one waits for it. Look for the mail "
            f"\u201c[{table.game}] entry {step}\u201d. Not there? Ask the host to send it again: "
            "your time may be running."
        )
    if fault := table.lacking():
        last = table.ledger.last
        step = last.step - (last.entry.time is None)
        what = "is missing" if fault == "undelivered" else "is not the one that the host signed"
        yield (
            f"Your report of entry {step} {what}, so you see what everybody sees. Look for your "
            f"mail \u201c[{table.game}] entry {step}\u201d. Not there? Ask the host to send it "
            "again, or protest with your next orders."
        )
    if table.seat is not None:
        if any(witness.unanswered(table.ledger, table.seat, ReadAt(now))):
            yield "The host has not answered your orders for a long time: send them again."
        yield from map(worded, letters.amiss(table.ledger, table.seat))


_FAULT = re.compile(r"(?:invite|entry|receipt|letter): [a-z-]+: ")
_OPTION = re.compile(r": --[a-z-]+(?: [a-z-]+)?")


def worded(line: str) -> str:
    """A line of the player's tool as the page says it: without words for scripts, and options."""
    line = _OPTION.sub("", _FAULT.sub("It was not taken in: ", line))
    return f"{line[:1].upper()}{line[1:]}".rstrip(".") + "."


def chart(
    game: Game[Any, Any], view: View, known: Deductions | None = None, wrecks: Wrecks = NO_WRECKS
) -> dict[str, Any]:
    """The board of a view, with what the seat knows besides; a game that draws none has its lines
    of text."""
    found = game.chart(view) if known is None else game.chart_known(view, known)
    return {"text": game.draw(view)} if found is None else plain(boards.strewn(found, wrecks))


def plain(found: Chart) -> dict[str, Any]:
    """A chart as plain data: a page draws it, and knows no more than that."""
    return {
        "title": found.title,
        "columns": found.board.columns,
        "rows": found.board.rows,
        "cells": {str(cell): words for cell, words in described(found).items()},
        "grounds": {
            str(cell): {"kind": ground.kind, "mark": ground.mark, "colours": _tint(found, ground)}
            for cell, ground in (found.grounds or {}).items()
        },
        "pieces": [
            {**piece._asdict(), "cell": str(piece.cell), "shape": picture.drawing(piece)}
            for piece in found.pieces
        ],
        "arrows": [[str(start), str(to)] for start, to in found.arrows],
        "ways": [{"cells": list(map(str, way)), "side": ""} for way in found.ways],
        "turned": found.turned,
        "notes": list(found.notes),
    }


def _tint(found: Chart, ground: Ground) -> list[str]:
    """The colours of a ground of the game's own, by day and by night; nothing for another, whose
    colours the page has."""
    return [] if ground.kind in picture.GROUNDS else list(picture.colours(found, ground.kind))


class Seen:
    """What a seat saw and was told of each entry, its own report or, without it, what everybody
    heard. `wrecks`: after each entry."""

    def __init__(self, own: Seated, before: Seen | None = None) -> None:
        """`before`: the same seat with fewer entries or as many; then only the others are read."""
        self.own = own
        self._links = [one for one in own.ledger.links() if not isinstance(one.entry, Reveal)]
        self._reports: dict[int, Report] = {}
        self._views: list[View | None] = []
        self._told: list[list[Said]] = []
        self._knowledge = Knowledge(own.ledger, own.seat.player, self._report)
        if before is not None and before._leads_to(self):
            self._reports, self._knowledge = before._reports, before._knowledge
            self._views, self._told = before._views, before._told
            self._knowledge.ledger, self._knowledge.report = own.ledger, self._report
        for link in self._links[len(self._told) :]:
            with suppress(Refused):
                self._reports[link.step] = own.report(link.step)
            self._views.append(self._view(link))
            self._told.append(self._hear(link))
        self.wrecks = boards.wrecks(map(self._heard, self._links))

    def _leads_to(self, other: Seen) -> bool:
        """Whether it was the same seat's, and has each of its reports: one may come late."""
        last, seat = self._links[-1], other.own.seat
        same = (self.own.seat.player, self.own.seat.invite) == (seat.player, seat.invite)
        later = other._links[last.step : last.step + 1]
        whole = len(self._reports) == len(self._links)
        return same and whole and [one.digest for one in later] == [last.digest]

    def _report(self, step: int) -> Report:
        found = self._reports.get(step)
        return self.own.report(step) if found is None else found

    def _view(self, link: Link) -> View | None:
        """The view after an entry; None if it cannot be shown."""
        with suppress(Refused):
            report = self._reports.get(link.step)
            return story.view_of(self.own.opening, link.entry) if report is None else report.view
        return None

    def _hear(self, link: Link) -> list[Said]:
        entry, view, report = link.entry, self._views[link.step], self._reports.get(link.step)
        told = [Said(story.title(entry))] if entry.ruling else []
        if view is not None:
            events = entry.events if report is None else story.heard_by(entry, report)
            told += story.sentences(self.own.opening, view, events)
        return told

    def _heard(self, link: Link) -> Heard:
        ruling, view = link.entry.ruling, self._views[link.step]
        draws = self.own.opening.game.chart
        annuls = ruling.annuls if ruling else None
        return Heard(self._told[link.step], lambda: None if view is None else draws(view), annuls)

    def worked_out(self, step: int) -> Deductions:
        """What the seat could work out by then; raises Refused if its reports cannot tell."""
        return self._knowledge.after(step)

    def known(self, step: int) -> Deductions:
        """The same; nothing, if its reports cannot tell."""
        with suppress(Refused):
            return self.worked_out(step)
        return Deductions()

    def _since(self) -> Sequence[Link]:
        """The entries from its last orders on, those included; without orders so far, all."""
        player = self.own.seat.player
        last = max((one.step for one in self._links if player in one.slips), default=1)
        return self._links[last:]

    def since(self) -> Iterator[dict[str, Any]]:
        """What this seat was told from its last orders on, those included: an entry each, with who
        ordered, and sentences with the cells that they name."""
        for link in self._since():
            told = [one._asdict() for one in self._told[link.step]]
            yield {"step": link.step, "who": list(link.slips), "told": told}

    def boards(self) -> Iterator[dict[str, Any]]:
        """The same entries, each with the board before it, and each sentence with the board as it
        stands after it."""
        for link in self._since():
            before, after = (self._chart(step) for step in (link.step - 1, link.step))
            if before is not None and after is not None:
                told = played(before, after, self._told[link.step])
                yield {"step": link.step, "who": list(link.slips), **told}

    def _chart(self, step: int) -> Chart | None:
        game, view = self.own.opening.game, self._views[step]
        if view is None:
            return None
        known = view.player is not None
        found = game.chart_known(view, self.known(step)) if known else game.chart(view)
        return None if found is None else boards.strewn(found, self.wrecks[step])


def played(before: Chart, after: Chart, told: Sequence[Said]) -> dict[str, Any]:
    """The board before an entry, and its sentences, each with the board as it stands after it."""
    first, found = boards.unfolded(before, after, told)
    sentences = [{**said._asdict(), "chart": plain(then)} for said, then in found]
    return {"before": plain(first), "told": sentences}


def rematch(
    game: Game[Any, Any], players: Sequence[str], who: Iterable[Collection[str]]
) -> list[str]:
    """The options of a rematch, in which the next player goes first, as options are written; of a
    game that knows no such option, none. `who`: who ordered in each step, in order."""
    if not any((one.name, one.kind) == ("first", "player") for one in game.own_options):
        return []
    first = next((name for names in who if len(names) == 1 for name in names), players[-1])
    return [f"first={players[(players.index(first) + 1) % len(players)]}"]


LOUD = ("step", "sonar", "fight")
"""Signs of sentences, the loudest last."""
MOST_LOUD = 6


def loudness(told: Iterable[Said]) -> int:
    """How loud the loudest of these sentences is: how many of `LOUD` do not matter more."""
    most = max((one.rank for one in told), default=0)
    return sum(most >= rank(sign) for sign in LOUD)


def loud(told: Sequence[tuple[int, Sequence[Said]]]) -> list[dict[str, Any]]:
    """The few steps of a game that is over in which everybody heard most: their numbers, their
    loudest sentences, and the signs of these. The last one, which `decided` the game, is among
    them. `told`: each step's number, and what everybody heard of it."""
    found = [(step, max(told, key=lambda one: one.rank)) for step, told in told if told]
    last = [step for step, _ in found[-1:]]
    ranked = sorted(found, key=lambda row: (row[0] not in last, -row[1].rank, row[0]))
    return [
        {"step": step, "text": most.text, "sign": most.sign, "decided": step in last}
        for step, most in sorted(ranked[:MOST_LOUD], key=lambda row: row[0])
        if loudness([most]) or step in last
    ]


def worked_out(found: Deductions) -> list[dict[str, Any]]:
    """Each hidden thing: its possible values in words, how many, and the cells among them."""
    return [
        {
            "name": name,
            "may": deduced.said(may),
            "many": len(may),
            "cells": [one for one in may if isinstance(one, str)],
        }
        for name, may in found.may.items()
    ]


def knew(found: Deductions, truth: Mapping[str, Any]) -> dict[str, Any]:
    """What a player could work out, as `worked_out`, beside the true value of each thing."""
    return {
        "may": [
            {**one, "truth": deduced.said((truth[one["name"]],)) if one["name"] in truth else ""}
            for one in worked_out(found)
        ],
        "notes": list(found.notes),
    }
