"""Bots for Sugar Dog: `random`, which plays any legal line, and `captain`, which plays sensibly.

A bot knows only its own reports; all chance is the `Dice` that it is given. The captain keeps a
track of every opponent (`deduced`): the cells in which each may be, and how likely. It keeps one of
itself too, as the others hear it.

It values every legal command in parts of `TOTAL`: the chance to sink somebody now, the risk of
being sunk before its next turn, and the chances to sink somebody in the turns after that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from games import bots
from games.bots import Level, Listener, Ranked
from games.dice import Dice
from games.game import Choice, Player, Table, View, Written
from games.grid import HEADINGS, Board, Cell, Heading, read_cell
from games.sugar_dog import orders
from games.sugar_dog.deduced import (
    MOVES,
    STAYS,
    TOTAL,
    Place,
    Sound,
    Track,
    deduced,
    follow,
    unknown,
)
from games.sugar_dog.notation import read_view
from games.sugar_dog.state import Fleet, State, Torpedo, run

Weights: TypeAlias = Mapping[Cell, int]
"""The likelihood of each cell, in parts of `TOTAL`; cells that are not there have none."""
Lanes: TypeAlias = Mapping[Cell, tuple[tuple[Cell, ...], ...]]
"""The cells that a shot from each cell enters at once, by heading."""

HUNDRED = 100
DOUBT = 150_000
"""The captain assumes that a shot with this likelihood to hit is fired one time in two."""
AHEAD, LATER = 4, 80
"""How many turns hope looks ahead, and the hundredths of it that are left after each."""
HOPE = 60
"""The value of hope, in hundredths of a submarine sunk now."""
FLIES_ON = 15
"""The chance, in hundredths, that a torpedo's next run hits a submarine that may dodge it."""
EASE, BOLD = 2, 20
"""By how many hundredths danger counts less with each idle turn, and its least weight."""
STALE = 7_000
"""The price of a command for each time that it was given from the same cell before. It keeps two
captains from going round in circles."""
MINE = 150_000
"""The value of a mine that is laid apart from one's others."""
UNKNOWN = 50_000
"""The risk of unknown objects in a cell into which it cruises."""
STALEMATE = (20, 40)
"""A draw is offered after so many own turns without any submarine lost: a fixed number, and more
that the players share, so that a game of eight ends in reasonable time."""


class Captain(bots.Captain):
    """Runs silent, tracks every opponent, fires when it is worth being heard, grows bolder the
    longer nothing happens, and offers a draw when nothing has happened for very long."""

    deduced = staticmethod(deduced)

    def __init__(self, player: Player) -> None:
        super().__init__(player)
        self._heard_as: Track | None = None
        """The places where the others can think that this captain is."""
        self._given: Mapping[tuple[Cell, str], int] = {}
        """How often each command was given from each cell."""
        self._idle = 0
        """Own turns since a submarine was lost."""

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Take in a report: bring every track up to date."""
        super().hear(view, events)
        for place in self.mind.heard:
            me = self._heard_as or unknown(read_view(view).board)
            self._heard_as = follow(me, self.player, place)
        if any(event["kind"] == "sunk" for event in events):
            self._idle = 0

    def ranked(self, dice: Dice, keep: int) -> Sequence[Ranked]:
        """Every command after its value; with a `draw` when it is time."""
        view, seen, found = self.view, read_view(self.view), commands(self.view)
        if not seen.begun:
            at = found.index(drawn(view, found, dice))
            return [Ranked(0, choice.text) for choice in (*found[at:], *found[:at])][:keep]
        sea = self._sea(seen)
        values = {
            choice: sea.value(choice) - STALE * self._given.get((sea.here, choice.text), 0)
            for choice in found
        }
        best = max(values.values())
        first = drawn(view, [choice for choice in found if values[choice] == best], dice)
        best_first = sorted(found, key=lambda choice: (-values[choice], choice is not first))
        offer = "\ndraw" if self._wants_draw(seen) else ""
        return [Ranked(values[one], f"{one.text}{offer}") for one in best_first[:keep]]

    def _sea(self, seen: State) -> _Sea:
        """What this captain knows now; raises ValueError if it has no submarine."""
        if seen.own is None or seen.own.sub is None:
            raise ValueError(f"{self.player} has no submarine to order")
        me = self._heard_as or unknown(seen.board)
        caution = max(BOLD, HUNDRED - EASE * (self._idle + 1))
        return _Sea(seen.board, self.player, seen.own, me, self.mind.tracks.values(), caution)

    def chosen(self, written: Written) -> None:
        """Remember from where the command was given."""
        seen = read_view(self.view)
        if seen.own is None or seen.own.sub is None:
            return
        self._idle += 1
        key = (seen.own.sub, written.orders.split("\n")[0])
        self._given = {**self._given, key: self._given.get(key, 0) + 1}

    def why(self, orders: str) -> str:
        """What speaks for these orders, in hundredths of what fits what was heard."""
        seen, line = read_view(self.view), orders.split("\n")[0]
        if not seen.begun:
            return "nobody has heard anything yet"
        choice = next(choice for choice in commands(self.view) if choice.text == line)
        return self._sea(seen).why(choice)

    def _wants_draw(self, seen: State) -> bool:
        """Whether to offer a draw, after a long stalemate, or to take one, after half of that."""
        offered = any(player != self.player for player in seen.offers)
        limit = STALEMATE[0] + STALEMATE[1] // len(seen.setup.players)
        return self._idle + 1 > (limit // 2 if offered else limit)


class _Sea:
    """The captain's knowledge in one turn: its own fleet after its torpedoes have advanced (SD-4),
    its tracks of the others, and what they know of it. All values are in parts of `TOTAL` for one
    submarine sunk or lost."""

    def __init__(
        self,
        on: Board,
        player: Player,
        own: Fleet,
        me: Track,
        tracks: Iterable[Track],
        caution: int,
    ) -> None:
        self.on, self.player, self.own, self.me, self.caution = on, player, own, me, caution
        self.here = own.sub or on.last
        ways = [run(on, torpedo) for torpedo in own.torpedoes]
        self.sounds = tuple(sound for way in ways for sound in _heard(way))
        self.torpedoes = [
            Torpedo(way[1], torpedo.heading)
            for torpedo, way in zip(own.torpedoes, ways, strict=True)
            if len(way) == 2
        ]
        self.fatal = {cell for torpedo in self.torpedoes for cell in run(on, torpedo)}
        self.where: dict[Cell, int] = {}
        self.struck: dict[Cell, int] = {}
        self.others_mines: set[Cell] = set()
        for track in tracks:
            _add(self.where, track.where().items())
            _add(self.struck, track.struck().items())
            self.others_mines.update(track.mines)
        self.lanes = _lanes(on)
        self.soon = _spread(on, self.where)
        self.hopes = self._hopes()
        self._takes: dict[tuple[Sound, ...], Weights] = {}

    def value(self, choice: Choice) -> int:
        """The value of a command."""
        cells = [cell for text in choice.to if (cell := read_cell(text))]
        if choice.verb in ("stay", "creep"):
            return self._after(cells[0] if cells else self.here, ())
        if choice.verb == "mine":
            # None close to one's others.
            near = any(mine.distance(self.here) < 2 for mine in self.own.mines)
            return (0 if near else MINE) + self._after(self.here, ())
        if choice.verb == "run":
            crash = sum(map(self._crash, cells))
            return self._after(cells[-1], _heard(cells)) - crash
        if choice.verb == "ping":
            hope = max(self.hopes[self.here], self._found())
            danger = self._danger(self.here, {self.here: TOTAL})
            return self._weighed(hope, danger)
        way = self._shot(choice)
        hit = _sum(self.where, way)
        if choice.warns:
            # What it meets last is one's own.
            hit -= TOTAL - _sum(self.where, way[:-1])
        elif len(way) == 2:
            flown = run(self.on, Torpedo(way[1], _heading(choice)))
            hit += _sum(self.soon, flown) * FLIES_ON // HUNDRED
        danger = self._danger(self.here, self._taken(_heard(self._way(choice))), way)
        hope = self.hopes[self.here] * max(0, TOTAL - hit) // TOTAL
        return hit + self._weighed(hope, danger)

    def why(self, choice: Choice) -> str:
        """What speaks for a command, in hundredths; "" for nothing."""
        if choice.verb == "fire":
            return f"hits in {_of_hundred(_sum(self.where, self._shot(choice)))} places that fit"
        if choice.verb == "ping":
            return f"the others may be in {len(self.where)} cells, and their echoes tell"
        if choice.verb == "mine":
            return "mines close a way, and nobody hears it"
        cells = [cell for text in choice.to if (cell := read_cell(text))]
        at = cells[-1] if cells else self.here
        heard = _heard(cells) if choice.verb == "run" else ()
        there = self._danger(at, self._taken(heard))
        here = self._danger(self.here, self._taken(()))
        if there < here:
            return f"safer than here: hit in {_of_hundred(there)}, here in {_of_hundred(here)}"
        return f"a shot from there hits in {_of_hundred(self.hopes[at])} soon"

    def _way(self, choice: Choice) -> tuple[Cell, ...]:
        """The cells that a shot enters at once."""
        return self.lanes[self.here][HEADINGS.index(_heading(choice))]

    def _shot(self, choice: Choice) -> tuple[Cell, ...]:
        """The same, as far as a mine that is known of, or a torpedo of one's own."""
        own = [*self.own.mines, *[torpedo.cell for torpedo in self.torpedoes]]
        way, blocks = self._way(choice), {*own, *self.others_mines}
        return way[: next((count for count, cell in enumerate(way, 1) if cell in blocks), len(way))]

    def _after(self, at: Cell, sounds: tuple[Sound, ...]) -> int:
        """The value of being in that cell after these sounds were heard."""
        return self._weighed(self.hopes[at], self._danger(at, self._taken(sounds)))

    def _weighed(self, hope: int, danger: int) -> int:
        return (hope * HOPE - danger * self.caution) // HUNDRED

    def _taken(self, sounds: tuple[Sound, ...]) -> Weights:
        """The places where the others will think that this submarine is after these sounds."""
        if sounds not in self._takes:
            place = Place(self.player, True, (*self.sounds, *sounds))
            self._takes[sounds] = follow(self.me, self.player, place).where()
        return self._takes[sounds]

    def _danger(self, at: Cell, taken: Weights, hit: Collection[Cell] = ()) -> int:
        """The risk in that cell before the next command: from its own torpedoes (certain), the
        others' torpedoes, and their shots, which are likelier the better they know its place;
        nobody in the cells that it hits shoots."""
        if at in self.fatal:
            return 2 * TOTAL
        danger = self.struck.get(at, 0)
        for cell in [cell for way in self.lanes[at] for cell in way]:
            weight = 0 if cell in hit else self.where.get(cell, 0)
            if weight:
                # The likelihood of each shot is the square of its likelihood to hit.
                squares = [(_sum(taken, way) ** 2, at in way) for way in self.lanes[cell]]
                aimed = sum([square for square, in_way in squares if in_way])
                danger += weight * aimed // (sum([square for square, _ in squares]) + DOUBT**2)
        return danger

    def _hopes(self) -> dict[Cell, int]:
        """By cell, the value of a shot from there a turn later, or from cells that it can quietly
        reach in the turns after that."""
        weights = [self.soon]
        while len(weights) < AHEAD:
            weights.append(_spread(self.on, weights[-1]))
        nothing = dict.fromkeys(self.lanes, 0)
        hopes = nothing
        for soon in reversed(weights):
            weight = (nothing | soon).__getitem__
            hopes = {
                cell: max(
                    *[sum(map(weight, way)) for way in ways],
                    *[hopes[near] * LATER // HUNDRED for near in (cell, *self.on.adjacent(cell))],
                )
                for cell, ways in self.lanes.items()
            }
        return hopes

    def _found(self) -> int:
        """The value of a shot from here a turn after a ping has told where everyone is."""
        return sum(
            weight * max([_sum(_spread(self.on, {cell: HUNDRED}), way) for way in ways]) // HUNDRED
            for ways in (self.lanes[self.here],)
            for cell, weight in self.where.items()
            if cell.distance(self.here) <= 3
        )

    def _crash(self, cell: Cell) -> int:
        """The risk of cruising into that cell: everything that may be there (SD-8)."""
        own = cell in self.own.mines or any(torpedo.cell == cell for torpedo in self.torpedoes)
        if own or cell in self.others_mines:
            return 2 * TOTAL
        return self.where.get(cell, 0) + UNKNOWN


def _heading(choice: Choice) -> Heading:
    return HEADINGS[HEADINGS.index(choice.text.removeprefix("fire "))]


def _of_hundred(parts: int) -> str:
    """Parts of `TOTAL` in words; more than all of it is all of it."""
    return f"{min(parts, TOTAL) * HUNDRED // TOTAL} of 100"


@lru_cache(32)
def _lanes(on: Board) -> Lanes:
    return {
        cell: tuple([run(on, Torpedo(cell, heading)) for heading in HEADINGS])
        for cell in on.cells()
    }


def _heard(way: Sequence[Cell]) -> tuple[Sound, ...]:
    """SD-7, SD-9: the sounds of a run through these cells that meets nothing."""
    contacts = tuple([Sound("contact", cell) for cell in way])
    return (*contacts, Sound("clear")) if len(way) == 1 else contacts


def _sum(weights: Weights, cells: Iterable[Cell]) -> int:
    return sum([weights.get(cell, 0) for cell in cells])


def _add(weights: dict[Cell, int], more: Iterable[tuple[Cell, int]]) -> None:
    for cell, weight in more:
        weights[cell] = weights.get(cell, 0) + weight


def _spread(on: Board, weights: Weights) -> dict[Cell, int]:
    """The weights after a quiet turn."""
    soon: dict[Cell, int] = {}
    for cell, weight in weights.items():
        near = on.adjacent(cell)
        whole = STAYS + MOVES * len(near)
        soon[cell] = soon.get(cell, 0) + weight * STAYS // whole
        for end in near:
            soon[end] = soon.get(end, 0) + weight * MOVES // whole
    return soon


class Random(Listener):
    """Plays any legal line, all equally likely, but neither resigns nor offers a draw."""

    def order(self, dice: Dice) -> Written:
        """One legal line, all equally likely."""
        return Written(drawn(self.view, commands(self.view), dice).text)


def commands(view: View) -> tuple[Choice, ...]:
    """The possible first lines, without `resign`."""
    choices = orders.after(view, ()).choices
    return tuple(choice for choice in choices if choice.text not in ("draw", "resign"))


def drawn(view: View, choices: Sequence[Choice], dice: Dice) -> Choice:
    """One of them, all equally likely: one draw for the setup, and one for each turn's number."""
    label = f"bot/{view.player}/{view.shown.get('n', 0)}"
    return choices[dice.below(label, len(choices))]


BOTS = bots.levels(Captain, Random, novice=Level(150_000), mate=Level(55_000, floor=-800_000))
"""`Game.bots`."""
