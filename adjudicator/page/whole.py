"""A game that is over, with nothing hidden: its last board with everybody's ways, and any step of
it as it was.

What it must not know: HTML, any game's rules or words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from adjudicator.duel.row import Row
from adjudicator.page import boards, shown
from adjudicator.page.boards import Heard, Wrecks
from adjudicator.words.duel import Sides
from adjudicator.words.story import Story
from games import picture
from games.chart import Chart
from games.game import EVERYONE, Game, Player, Table
from games.news import Said
from orders.errors import Refused


class Step(NamedTuple):
    """The position after a step; what each player heard of it, and everybody; who was to order.
    `annuls`: the first step that it undoes."""

    state: Any
    heard: Mapping[Player, Sequence[Table]]
    public: Sequence[Table]
    who: Sequence[Player]
    annuls: int | None = None


def of_game(told: Story) -> Whole:
    """A revealed game with a host, as far as it is true."""
    opening, steps = told.ledger.opening, list[Step]()
    with suppress(Refused):
        for number in range(told.last + 1):
            entry, state = told.ledger.link(number).entry, told.state(number)
            heard = {name: told.report(number, name).events for name in opening.players}
            annuls = entry.ruling.annuls if entry.ruling else None
            who = (*told.ledger.link(number).slips, *getattr(entry, "missing", ()))
            steps.append(Step(state, heard, entry.events, who, annuls))
    return Whole(opening.game, opening.players, steps)


def of_duel(row: Row, sides: Sides, states: Sequence[Any]) -> Whole:
    """A duel by its positions from the setup on. What was in the last move a side may not have
    heard."""
    game, setup = row.game, sides.side().setup
    steps = [Step(game.start(setup), dict.fromkeys(setup.players, ()), (), ())]
    for number, state in enumerate(states):
        told = {name: side.heard[number : number + 1] for name, side in sides.sides.items()}
        heard = {name: one[0].events if one else () for name, one in told.items()}
        public = [one for one in max(heard.values(), key=len) if one["for"] == EVERYONE]
        who = [one.player for one in game.awaited(steps[-1].state)]
        steps.append(Step(state, heard, public, who))
    return Whole(game, setup.players, steps)


class Whole:
    """See above. Its steps are numbered as `shown` numbers them."""

    def __init__(
        self, game: Game[Any, Any], players: Sequence[Player], steps: Sequence[Step]
    ) -> None:
        self.game, self.players, self.steps = game, players, steps
        self.wrecks = boards.wrecks(map(self._heard, steps))

    def _heard(self, step: Step) -> Heard:
        """What all heard together, told to nobody: of what sinks out of sight its owner hears the
        cell."""
        view = self.game.view(step.state, None)
        told = [one for events in step.heard.values() for one in self.game.told(view, events)]
        return Heard(told, partial(self.game.chart_whole, step.state), step.annuls)

    def seen(self, player: Player) -> list[Wrecks]:
        """The wrecks that a player knew of after each step."""
        found = []
        for step in self.steps:
            view = self.game.view(step.state, player)
            told = self.game.told(view, step.heard[player])
            found.append(Heard(told, partial(self.game.chart, view), step.annuls))
        return boards.wrecks(found)

    def _chart(self, number: int) -> Chart | None:
        found = self.game.chart_whole(self.steps[number].state)
        return None if found is None else boards.strewn(found, self.wrecks[number])

    def board(self, number: int) -> dict[str, Any]:
        """The board after a step; of a game that draws none, its lines of text."""
        found, state = self._chart(number), self.steps[number].state
        return {"text": self.game.draw_whole(state)} if found is None else shown.plain(found)

    def end(self) -> dict[str, Any]:
        """The last board, as a chart with everybody's way."""
        return {**self.board(len(self.steps) - 1), "ways": self.ways()}

    def ways(self) -> list[dict[str, Any]]:
        """The way of each side's one hidden piece through the game, cell by cell; of a game in
        which sides have more than one, none."""
        ways: dict[str, dict[str, Any]] = {}
        for number, step in enumerate(self.steps):
            found = self.game.chart_whole(step.state)
            ran = [one for one in self._as_it_was(number) if one.play == "run"]
            for piece in found.pieces if found is not None else ():
                if piece.token not in ("hidden", "open"):
                    continue
                way = ways.setdefault(piece.id, {"cells": [], "side": piece.side})
                through = [cell for one in ran if one.piece == piece.id for cell in one.cells]
                for cell in (*through, str(piece.cell)):
                    if way["cells"][-1:] != [cell]:
                        way["cells"].append(cell)
        sides = [way["side"] for way in ways.values()]
        return list(ways.values()) if len(set(sides)) == len(sides) else []

    def moment(self, number: int) -> dict[str, Any]:
        """A step as it was, in the form of the entries of `Play.boards`: the board before it, and
        its sentences as everybody heard them, each with the board after it. What nobody was told is
        played too, without words. Raises Refused for a number that there is not."""
        if not 0 < number < len(self.steps):
            last = len(self.steps) - 1
            raise Refused("missing", f"there is no step {number} to show", f"expected 1 to {last}")
        told = {"step": number, "who": list(self.steps[number].who)}
        before, after = self._chart(number - 1), self._chart(number)
        if before is None or after is None:
            return {**told, "before": {"text": ""}, "told": []}
        return {**told, **shown.played(before, after, list(self._as_it_was(number)))}

    def _as_it_was(self, number: int) -> Iterator[Said]:
        """The sentences that everybody heard, each played as those saw it who ordered."""
        step = self.steps[number]
        rest = list(self.game.told(self.game.view(step.state, None), step.public))
        ids = {piece.id for at in (number - 1, number) if at >= 0 for piece in self._pieces(at)}
        for name in step.who:
            side = picture.side_of(self.players, None, name)
            for one in self.game.told(self.game.view(step.state, name), step.heard[name]):
                key = one.cells or one.sign
                same = [at for at, all_ in enumerate(rest) if (all_.cells or all_.sign) == key]
                yield from rest[: same[0]] if same else ()
                heard = rest[same[0]] if same else Said("", side=side)
                rest = rest[same[0] + 1 :] if same else rest
                names = (heard.piece, one.piece, f"{name}-{one.piece}")
                piece = next((each for each in names if each in ids), heard.piece)
                if same or one.cells:
                    yield one._replace(
                        text=heard.text,
                        piece=piece,
                        shape=heard.shape or one.shape,
                        side=side if one.side == "own" else heard.side,
                        wreck=heard.wreck,
                    )
        yield from rest

    def _pieces(self, number: int) -> Sequence[Any]:
        found = self.game.chart_whole(self.steps[number].state)
        return () if found is None else found.pieces
