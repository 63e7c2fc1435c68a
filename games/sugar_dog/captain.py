"""The captain: a bot that plays sensibly.

What belongs here: choosing orders from one's own reports. What it must not know: the position, or
any opponent's report; all chance is the `Dice` that it is given.

The captain weighs every legal command in parts of `TOTAL`: what it may sink now, what may sink it
before its next turn, and what it may have in its sights then (`deduced` says where the others are).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from games.deduced import Deduced
from games.dice import Dice
from games.game import Choice, Player, Table, View, Written
from games.grid import HEADINGS, Board, Cell, Heading, read_cell
from games.sugar_dog.bot import commands, drawn
from games.sugar_dog.deduced import NO_MIND, TOTAL, Mind, Track, deduced, run
from games.sugar_dog.state import Torpedo
from games.sugar_dog.view import Sight, read_view
from games.walker import Listener


@dataclass(frozen=True, slots=True)
class _Sea:
    """What the captain goes by: its own fleet as it will be when the command is carried out, after
    its torpedoes have advanced (SD-4), and its tracks of the others.

    `where` is the weight of all opponents' submarines by cell, `soon` the same when each has had a
    quiet turn, `loud` the part of it that is likely to cruise; `blocks` is where a mine is known
    to stop a torpedo.
    """

    on: Board
    here: Cell
    mines: tuple[Cell, ...]
    left: int
    torpedoes: tuple[Torpedo, ...]
    tracks: tuple[Track, ...]
    where: Mapping[Cell, int]
    soon: Mapping[Cell, int]
    loud: Mapping[Cell, int]
    blocks: tuple[Cell, ...]

    def lanes(self, source: Cell) -> Iterator[tuple[Heading, tuple[Cell, ...]]]:
        """What a shot from that cell enters at once, up to the first mine that is in its way."""
        for heading in HEADINGS:
            way = run(self.on, Torpedo(source, heading))
            stop = next((at for at, cell in enumerate(way, 1) if cell in self.blocks), len(way))
            yield heading, way[:stop]


def _sea(sight: Sight, tracks: Mapping[Player, Track], noise: Mapping[Player, int]) -> _Sea:
    """What lies where, as far as the sight, the tracks and each opponent's habits tell."""
    own, on = sight.own, sight.board
    if own is None or own.sub is None:
        raise ValueError(f"{sight.player} has no submarine to order")
    where: dict[Cell, int] = {}
    soon: dict[Cell, int] = {}
    loud: dict[Cell, int] = {}
    for player, track in tracks.items():
        for cell, weight in track.where().items():
            where[cell] = where.get(cell, 0) + weight
            loud[cell] = loud.get(cell, 0) + weight * noise[player] // TOTAL
            near = (cell, *on.adjacent(cell))
            # Who is loud can be waited for: what its noise tells need not be sought out.
            share = weight * (2 * TOTAL - noise[player]) // (2 * TOTAL * len(near))
            for end in near:
                soon[end] = soon.get(end, 0) + share
    return _Sea(
        on,
        own.sub,
        own.mines,
        own.left,
        tuple(_advanced(on, own.torpedoes)),
        tuple(tracks.values()),
        where,
        soon,
        loud,
        (*own.mines, *(mine for track in tracks.values() for mine in track.mines)),
    )


def _advanced(on: Board, torpedoes: Iterable[Torpedo]) -> Iterator[Torpedo]:
    """One's own torpedoes after their next run, as far as nothing is in its way (SD-4)."""
    for torpedo in torpedoes:
        way = run(on, torpedo)
        if len(way) == 2:
            yield replace(torpedo, cell=way[1])


HIDDEN = 60_000
"""How well (of TOTAL) an opponent in range is thought to hit a submarine that nobody has heard."""
SEEN = 800_000
"""The same of one that has just given away its cell."""
RAMMED = {0: 400_000, 1: 550_000, 2: 200_000, 3: 30_000}
"""What the chance that an opponent at that distance cruises into one's cell weighs, were it loud
every turn."""
PATIENCE = 4
"""Quiet turns of one's own after which a ping begins to look worth its noise."""
STALEMATE = (20, 40)
"""Turns of one's own without any submarine lost after which a draw is offered: so many, and so
many more shared among the players, so that a game of eight ends in reasonable time."""


class Captain(Listener):
    """Runs silent, tracks every opponent, fires when it is worth being heard, lays its mines where
    they are not in its own way, and offers a draw when nothing has happened for long."""

    def __init__(self, player: Player) -> None:
        super().__init__(player)
        self._sight: Sight | None = None
        self._deduced: Deduced | None = None
        self._turns: dict[Player, list[bool]] = {}
        """Of each opponent's turns so far, whether anything but `turn` was heard of it."""
        self._known = 0
        """How likely (of TOTAL) an opponent knows where this submarine is."""
        self._quiet = 0
        """Own turns since anything was heard of an opponent."""
        self._idle = 0
        """Own turns since a submarine was lost."""

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Take in a report: bring every track up to date."""
        super().hear(view, events)
        self._sight = read_view(view)
        self._deduced = deduced(view, events, self._deduced)
        for player in view.setup.players:
            if player != self.player:
                self._turns.setdefault(player, [])
        mind = self._mind()
        for place in mind.heard:
            if place.owner != self.player:
                self._turns[place.owner] += [bool(place.sounds)] * place.turn
                self._quiet = 0 if place.sounds else self._quiet
            if any(of != self.player for sound in place.sounds for of, _ in sound.echoes):
                self._quiet = 0
        if any(event["kind"] == "sunk" for event in events):
            self._idle = 0

    def _mind(self) -> Mind:
        mind: Mind = NO_MIND if self._deduced is None else self._deduced.memory
        return mind

    def order(self, dice: Dice) -> Written:
        """The best command by the captain's lights, ties drawn; with a `draw` when it is time."""
        view = self.view
        if self._sight is None or not self._sight.begun:
            return Written(drawn(view, commands(view), dice).text)
        self._quiet += 1
        self._idle += 1
        noise = {
            player: (sum(turns) + 1) * TOTAL // (len(turns) + 2)
            for player, turns in self._turns.items()
        }
        sea = _sea(self._sight, self._mind().tracks, noise)
        values = {choice: self._value(sea, choice) for choice in commands(view)}
        best = max(values.values())
        line = drawn(view, [choice for choice in values if values[choice] == best], dice).text
        if line.startswith(("cruise", "ping", "fire")):
            self._known = SEEN
        elif line.startswith("silent "):
            self._known //= 3
        return Written(f"{line}\ndraw" if self._wants_draw(self._sight) else line)

    def _wants_draw(self, sight: Sight) -> bool:
        """Offer one after a long stalemate; take one after half of it."""
        offered = any(player != self.player for player in sight.offers)
        limit = STALEMATE[0] + STALEMATE[1] // len(sight.setup.players)
        return self._idle > (limit // 2 if offered else limit)

    # What a command is worth, in parts of TOTAL for one submarine sunk or lost.

    def _value(self, sea: _Sea, choice: Choice) -> int:
        word, *words = choice.text.split(" ")
        cells = [cell for text in choice.cells if (cell := read_cell(text))]
        if word == "silent":
            known = self._known // 3 if cells else self._known
            at = cells[0] if cells else sea.here
            return _hope(sea, at) - _danger(sea, at, known)
        if word == "cruise":
            crash = sum(_crash(sea, cell) for cell in cells)
            return _hope(sea, cells[-1]) // 2 - _danger(sea, cells[-1], SEEN) - crash
        if word == "mine":
            return _mine(sea) + _hope(sea, sea.here) - _danger(sea, sea.here, self._known)
        if word == "ping":
            worth = max(0, self._quiet - PATIENCE) * TOTAL // 20
            return worth - _danger(sea, sea.here, SEEN)
        way = dict(sea.lanes(sea.here))[_heading(words[0])]
        hit = sum(sea.where.get(cell, 0) for cell in way)
        return hit - _danger(sea, sea.here, SEEN, way)


def _hope(sea: _Sea, at: Cell) -> int:
    """What a shot from that cell may sink a turn later, when the others have moved once."""
    return max(sum(sea.soon.get(cell, 0) for cell in way) for _, way in sea.lanes(at)) * 6 // 10


def _danger(sea: _Sea, at: Cell, known: int, hit: tuple[Cell, ...] = ()) -> int:
    """What may sink the submarine in that cell before its next command: its own torpedoes (for
    certain), the others', their shots, and being rammed; but by nobody in the cells hit."""
    if any(at in run(sea.on, torpedo) for torpedo in sea.torpedoes):
        return 2 * TOTAL
    aim = max(HIDDEN, known)
    danger = 0
    for track in sea.tracks:
        danger += track.struck(at)
    for cell, weight in sea.where.items():
        if cell not in hit:
            shot = aim if _in_range(cell, at) else 0
            danger += weight * shot // TOTAL
            danger += sea.loud[cell] * RAMMED.get(cell.distance(at), 0) // TOTAL
    return danger


def _crash(sea: _Sea, cell: Cell) -> int:
    """What cruising into that cell may cost: whatever is there (SD-8)."""
    own = cell in sea.mines or any(torpedo.cell == cell for torpedo in sea.torpedoes)
    others = any(cell in track.mines for track in sea.tracks)
    return 2 * TOTAL if own or others else sea.where.get(cell, 0) + TOTAL // 20


def _mine(sea: _Sea) -> int:
    """A mine is worth laying apart from one's others, away from the edge."""
    if any(mine.distance(sea.here) < 2 for mine in sea.mines):
        return 0
    return TOTAL // 12 + TOTAL // 60 * len(sea.on.adjacent(sea.here))


def _in_range(source: Cell, target: Cell) -> bool:
    """Whether a shot's first run can reach from the one to the other."""
    straight = source.column == target.column or source.row == target.row
    return straight and 1 <= source.distance(target) <= 2


def _heading(word: str) -> Heading:
    return next(heading for heading in HEADINGS if heading == word)
