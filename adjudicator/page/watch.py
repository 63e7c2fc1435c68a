"""Watching and verifying in the page: a record by its bytes, its verdict, any step of it.

A duel is watched by the same calls: what each side heard, once it is open, beside what was so. What
it must not know: HTML, any game's rules or words.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.opening import Opening
from adjudicator.core.report import Report
from adjudicator.core.source import Source
from adjudicator.duel import again, audit, documents
from adjudicator.duel.documents import is_duel
from adjudicator.page import boards, duel_shown, engine, shown, whole
from adjudicator.page.boards import Heard, Wrecks
from adjudicator.page.duel_shown import GOOD
from adjudicator.page.whole import Whole
from adjudicator.store.pack import Pack
from adjudicator.store.record import Record
from adjudicator.verifier.claims import Findings
from adjudicator.verifier.verify import Asked
from adjudicator.verifier.verify import verify as verify_source
from adjudicator.words import duel, story
from adjudicator.words.deduced import Knowledge
from adjudicator.words.story import Story
from games.game import EVERYONE, OrderError
from games.news import Said
from orders.errors import Refused


class _Duel:
    """A duel by its files; its steps are counted from 0, the setup."""

    def __init__(self, source: Source) -> None:
        """Raises Refused where no side is open: then there is no board."""
        read = documents.read(source)
        self.judged = audit.judge(read)[0]
        self.row = self.judged.row
        self.sides = duel.Sides(self.row, read.opened(self.row.accepted) if self.row.begun else {})
        self.sides.side()
        self.states: list[Any] = []
        # A liar's orders end it: what was so before them is shown.
        with suppress(Refused, OrderError):
            for state in again.states(self.row, self.sides.secrets):
                self.states.append(state)
        self.whole = whole.of_duel(self.row, self.sides, self.states)
        self.wrecks = {name: duel_shown.wrecks(side) for name, side in self.sides.sides.items()}

    def game(self, name: str) -> dict[str, Any]:
        """The game, its players and its steps. `eyes`: whose boards may be seen."""
        row, first = self.row, self.sides.side()
        longest = max(self.sides.sides.values(), key=lambda side: len(side.heard))
        steps = [["setup", list(first.setup.players)]]
        steps += [
            [self.sides.title(longest, heard.step + 1), [one.player for one in heard.awaited]]
            for heard in longest.heard[:-1]
        ]
        return {
            "game": row.id,
            "title": row.game.title,
            "players": list(first.setup.players),
            "eyes": list(self.sides.eyes),
            "revealed": len(self.sides.eyes) == 2,
            "standing": self.judged.text.partition(": ")[0],
            "last": len(longest.heard) - 1,
            "name": "",
            "entries": [
                {
                    "title": title,
                    "time": "",
                    "who": who,
                    "loud": shown.loudness(row.game.told(heard.view, heard.events)),
                }
                for (title, who), heard in zip(steps, longest.heard, strict=True)
            ],
        }

    def step(self, step: int) -> dict[str, Any]:
        """The boards of a step, and what both heard."""
        boards = []
        told: Sequence[Said] = ()
        title = "setup"
        for player, side in self.sides.sides.items():
            if step < len(side.heard):
                heard = side.heard[step]
                chart = shown.chart(side.game, heard.view, None, self.wrecks[player][step])
                boards.append({"who": player, "chart": chart})
                title = self.sides.title(side, heard.step)
                shared = [event for event in heard.events if event["for"] == EVERYONE]
                told = side.game.told(heard.view, shared)
        if step < len(self.states):
            boards.insert(0, {"who": "=", "chart": self.whole.board(step + 1)})
        sentences = [one._asdict() for one in told]
        return {"step": step, "title": title, "told": sentences, "boards": boards}

    def known(self, step: int, player: str) -> dict[str, Any]:
        """What a side heard of a step, and could work out by then."""
        side = self.sides.side(player)
        at = min(step, len(side.heard) - 1)
        truth = {}
        if at < len(self.states):
            truth = dict(side.game.truth(self.states[at], player))
        heard = side.heard[at]
        return {
            "told": [one._asdict() for one in side.game.told(heard.view, heard.events)],
            **shown.knew(self.sides.known(side, at + 1), truth),
        }


@dataclass
class _Opened:
    """The record that the page shows; `fault`: why it cannot be read; `found`: once verified;
    `duel`: if it is one."""

    name: str
    source: Source | None = None
    fault: Refused | None = None
    told: Story | None = None
    found: Findings | None = None
    duel: _Duel | None = None
    knowledge: dict[str, Knowledge] = field(default_factory=dict)
    over: Whole | None = None
    sunk: dict[str | None, list[Wrecks]] = field(default_factory=dict)

    def whole(self) -> Whole:
        """A revealed game, as far as it is true."""
        if self.over is None:
            self.over = whole.of_game(self.story())
        return self.over

    def wrecks(self, who: str | None) -> list[Wrecks]:
        """The wrecks that a player knew of after each step, or everybody did."""
        if who not in self.sunk:
            self.sunk[who] = self._all_wrecks() if who is None else self.whole().seen(who)
        return self.sunk[who]

    def _all_wrecks(self) -> list[Wrecks]:
        told, heard = self.story(), []
        opening = told.ledger.opening
        for step in range(told.last + 1):
            entry = told.ledger.link(step).entry
            annuls, one = entry.ruling.annuls if entry.ruling else None, Heard((), lambda: None)
            with suppress(Refused):
                view = story.view_of(opening, entry)
                said = story.sentences(opening, view, entry.events)
                one = Heard(said, partial(opening.game.chart, view))
            heard.append(one._replace(annuls=annuls))
        return boards.wrecks(heard)

    def story(self) -> Story:
        """The game as far as its entries hold; raises Refused if not even its beginning does."""
        if self.source is None:
            raise self.fault or Refused("missing", "no record is open")
        if self.told is None:
            ledger = Ledger.begin(self.source)
            with suppress(Refused):
                while True:
                    ledger = ledger.extend({})
            self.told = Story(ledger)
        return self.told


_now = _Opened("")


def open_record(name: str, data: bytes) -> dict[str, Any]:
    """Open a pack instead of the open record; returns the game, its players and its entries.

    Raises Refused if the record holds no game that can be shown; `verify` works anyway.
    """
    try:
        source = Pack.of(data)
    except Refused as error:
        return _show(_Opened(name, fault=error))
    return _show(_Opened(name, source))


def open_folder(name: str, files: Sequence[tuple[str, int]], data: bytes) -> dict[str, Any]:
    """Open a record's folder, as `open_record` opens a pack.

    `files`: path and size of each file in it, and -1 for a folder that is only named; `data`: the
    bytes of all files, one after the other.
    """
    root = Path(tempfile.mkdtemp(prefix="adjudicator-"))
    at = 0
    for path, size in files:
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if size < 0:
            place.mkdir(exist_ok=True)
        else:
            place.write_bytes(data[at : at + size])
            at += size
    return _show(_Opened(name, Record(root)))


def _show(opened: _Opened) -> dict[str, Any]:
    global _now  # noqa: PLW0603 (one record is open at a time, as the page shows one)
    if isinstance(_now.source, Record):
        shutil.rmtree(_now.source.root)
    _now = opened
    if _now.source is not None and is_duel(_now.source):
        _now.duel = _Duel(_now.source)
        return _now.duel.game(_now.name)
    told = _now.story()
    ledger = told.ledger
    opening = ledger.opening
    return {
        "game": opening.id,
        "title": opening.game.title,
        "players": list(opening.players),
        "revealed": ledger.revealed,
        "standing": story.standing(ledger.last.entry),
        "last": told.last,
        "name": opening.offer.name,
        "entries": [
            {
                "title": story.title(link.entry),
                "time": str(link.entry.time or ""),
                "who": list(link.slips),
                "loud": shown.loudness(told),
            }
            for link in ledger.links()
            for told in [_told(opening, link)]
        ],
    }


def verify() -> dict[str, Any]:
    """The verdict of `adjudicator verify` on the open record: as text, as JSON and in parts."""
    if _now.found is None:
        if _now.source is None:
            fault = _now.fault or Refused("missing", "no record is open")
            _now.found = Findings.unusable(fault)
        else:
            _now.found = verify_source(_now.source, Asked(progress=engine.tell))
    found = _now.found
    return {
        **shown.findings(found, _now.name),
        "words": "" if _now.duel is None else GOOD,
        "text": "\n".join(found.lines(_now.name, verbose=True)),
        "json": json.dumps(found.json(_now.name), sort_keys=True),
    }


def step(step: int) -> dict[str, Any]:
    """What may be seen of a step: a board for each side that may be shown, and the news.

    `who` is None for everybody's board and, after the reveal, `=` for the position itself.
    """
    if _now.duel is not None:
        return _now.duel.step(step)
    told = _now.story()
    seen = told.seen(step)
    opening, link = told.ledger.opening, told.ledger.link(step)
    public = story.view_of(opening, link.entry)
    views = [public, *(view for view in seen.boards if view.player is not None)]
    game = opening.game
    found = [
        {"who": view.player, "chart": shown.chart(game, view, None, _now.wrecks(view.player)[step])}
        for view in views
    ]
    if seen.state is not None:
        found.insert(1, {"who": "=", "chart": _now.whole().board(step)})
    return {
        "step": step,
        "title": story.title(link.entry),
        "told": [one._asdict() for one in _told(opening, link)],
        "boards": found,
    }


def _told(opening: Opening, link: Link, mine: Report | None = None) -> Sequence[Said]:
    """An entry in sentences: as everybody heard it, or as that report has it."""
    if link.entry.ruling is not None or not link.entry.events:
        return [Said(line) for line in story.heard(opening, link.entry, mine)]
    view = story.view_of(opening, link.entry) if mine is None else mine.view
    return story.sentences(opening, view, link.entry.events if mine is None else mine.events)


def known(step: int, player: str) -> dict[str, Any]:
    """What a player was told of a step of a revealed game, and could work out by then.

    `may` has for each hidden thing all its possible values in words, their number, the true value,
    and the single names among the values, which may be cells of the board.
    """
    if _now.duel is not None:
        return _now.duel.known(step, player)
    told = _now.story()
    game = told.ledger.opening.game
    if player not in _now.knowledge:
        _now.knowledge[player] = Knowledge(
            told.ledger, player, lambda number: told.report(number, player)
        )
    found = _now.knowledge[player].after(step)
    truth = game.truth(told.state(step), player)
    return {
        "told": [
            one._asdict()
            for one in _told(told.ledger.opening, told.ledger.link(step), told.report(step, player))
        ],
        **shown.knew(found, truth),
    }


CALLS: Mapping[str, Callable[..., Any]] = {
    "open": open_record,
    "open_folder": open_folder,
    "verify": verify,
    "step": step,
    "known": known,
}
