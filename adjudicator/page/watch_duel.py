"""Watching a duel in the page: what each side heard, once it is open, beside what was so.

Its values are those of `watch`, for a game of which nobody sees everything. What it must not know:
HTML, any game's rules or words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from adjudicator.core.source import Source
from adjudicator.duel import audit, documents, whole
from adjudicator.page import shown
from adjudicator.words.duel import Sides
from games.beside import Said
from games.game import EVERYONE, OrderError
from orders.errors import Refused


class Watched:
    """A duel by its files; its steps are counted from 0, the setup."""

    def __init__(self, source: Source) -> None:
        """Raises Refused where no side is open: then there is no board."""
        read = documents.read(source)
        self.judged = audit.judge(read)[0]
        self.row = self.judged.row
        self.sides = Sides(self.row, read.opened(self.row.accepted) if self.row.begun else {})
        self.sides.side()
        self.states: list[Any] = []
        # A liar's orders end it: what was so before them is shown.
        with suppress(Refused, OrderError):
            self._fill(whole.states(self.row, self.sides.secrets))

    def _fill(self, states: Iterable[Any]) -> None:
        for state in states:
            self.states.append(state)

    @property
    def last(self) -> int:
        """The last step that a side which is open has heard."""
        return max(len(side.heard) for side in self.sides.sides.values()) - 1

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
            "last": self.last,
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
        """The boards of a step, and what both heard; see `watch.step`."""
        boards = []
        told: Sequence[Said] = ()
        title = "setup"
        for player, side in self.sides.sides.items():
            if step < len(side.heard):
                heard = side.heard[step]
                boards.append({"who": player, "chart": shown.chart(side.game, heard.view)})
                title = self.sides.title(side, heard.step)
                shared = [event for event in heard.events if event["for"] == EVERYONE]
                told = side.game.told(heard.view, shared)
        if step < len(self.states):
            game = self.row.game
            boards.insert(0, {"who": "=", "chart": shown.whole(game, self.states[step])})
        sentences = [one._asdict() for one in told]
        return {"step": step, "title": title, "told": sentences, "boards": boards}

    def known(self, step: int, player: str) -> dict[str, Any]:
        """What a side heard of a step, and could work out by then; see `watch.known`."""
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
