"""Bots: a captain that plays sensibly, and one that plays any legal line.

What belongs here: choosing orders from one's own reports. What it must not know: the position, or
any opponent's report; all chance is the `Dice` that it is given.

The captain weighs every legal command in parts of `TOTAL`: what it may sink now, what may sink it
before its next turn, and what it may have in its sights then (`track` says where the others are).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.dice import Dice
from games.game import Player, Table, View, Written
from games.grid import HEADINGS, Board, Cell, Heading, read_cell
from games.sugar_dog import moves
from games.sugar_dog.state import Torpedo, board
from games.sugar_dog.track import TOTAL, Track, echoed, follow, places, run, unknown


class Random:
    """Plays any legal line alike, but neither resigns nor speaks of a draw."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._view: View | None = None

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Take in a report; only the view matters."""
        self._view = view

    def order(self, dice: Dice) -> Written:
        """One legal line, all equally likely."""
        view = _heard(self._view)
        lines = _commands(view)
        return Written(lines[dice.below(_label(view), len(lines))])


@dataclass(frozen=True, slots=True)
class _Sea:
    """What the captain goes by: its own fleet and its tracks of the others still dangerous."""

    on: Board
    here: Cell
    mines: tuple[Cell, ...]
    left: int
    torpedoes: tuple[Torpedo, ...]
    tracks: Mapping[Player, Track]

    def where(self) -> dict[Cell, int]:
        """Weight by cell of all opponents' submarines together."""
        cells: dict[Cell, int] = {}
        for track in self.tracks.values():
            for cell, weight in track.where().items():
                cells[cell] = cells.get(cell, 0) + weight
        return cells

    def lanes(self, source: Cell) -> Iterator[tuple[Heading, tuple[Cell, ...]]]:
        """What a shot from that cell enters at once, up to the first mine that is in its way."""
        blocks = {*self.mines, *(mine for track in self.tracks.values() for mine in track.mines)}
        for heading in HEADINGS:
            way = run(self.on, Torpedo(source, heading))
            stop = next((at for at, cell in enumerate(way, 1) if cell in blocks), len(way))
            yield heading, way[:stop]


HIDDEN = 60_000
"""How well (of TOTAL) an opponent in range is thought to hit a submarine that nobody has heard."""
SEEN = 900_000
"""The same of one that has just given away its cell."""
RAMMED = {0: 20_000, 1: 90_000, 2: 40_000}
"""How likely an opponent at that distance cruises into one's cell."""
PATIENCE = 5
"""Quiet turns of one's own after which a ping begins to look worth its noise."""
STALEMATE = 40
"""Turns of one's own without any submarine lost after which a draw is offered."""


class Captain:
    """Runs silent, tracks every opponent, fires when it is worth being heard, lays its mines where
    they are not in its own way, and offers a draw when nothing has happened for long."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._view: View | None = None
        self._tracks: dict[Player, Track] = {}
        self._known = 0
        """How likely (of TOTAL) an opponent knows where this submarine is."""
        self._quiet = 0
        """Own turns since anything was heard of an opponent."""
        self._idle = 0
        """Own turns since a submarine was lost."""

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Take in a report: bring every track up to date."""
        self._view = view
        if "setup" in view.shown:
            return
        others = [player for player in view.setup.players if player != self._player]
        for player in others:
            self._tracks.setdefault(player, unknown(board(view.setup)))
        heard = places(events)
        for player in others:
            self._tracks[player] = self._followed(view, player, events)
        if any(place.sounds and place.owner != self._player for place in heard):
            self._quiet = 0
        if any(event["kind"] == "sunk" for event in events):
            self._idle = 0
        self._heard_oneself(events)

    def _followed(self, view: View, player: Player, events: Sequence[Table]) -> Track:
        track = self._tracks[player]
        for place in places(events):
            track = follow(track, player, place, "sunk" in view.shown[player])
        answers = [cell for event in events if (cell := _answer(event, player))]
        return echoed(track, answers) if answers else track

    def _heard_oneself(self, events: Sequence[Table]) -> None:
        """How well the others can place this submarine after the step."""
        own = [event for event in events if event.get("by") == self._player]
        if any(event["kind"] in ("contact", "ping") for event in own):
            self._known = SEEN
        elif any(event["kind"] == "moved" for event in events):
            self._known //= 3

    def order(self, dice: Dice) -> Written:
        """The best command by the captain's lights, ties drawn; with a `draw` when it is time."""
        view = _heard(self._view)
        if "setup" in view.shown:
            lines = moves.legal(view)
            return Written(lines[dice.below(_label(view), len(lines))])
        self._quiet += 1
        self._idle += 1
        sea = self._sea(view)
        values = {line: self._value(sea, line) for line in _commands(view)}
        best = max(values.values())
        lines = tuple(line for line, value in values.items() if value == best)
        line = lines[dice.below(_label(view), len(lines))]
        return Written(f"{line}\ndraw" if self._wants_draw(view) else line)

    def _sea(self, view: View) -> _Sea:
        own = view.shown[self._player]
        here = read_cell(own["sub"])
        if here is None:
            raise ValueError(own)
        shots = (text.split(" ") for text in own["torpedoes"])
        return _Sea(
            board(view.setup),
            here,
            tuple(cell for mine in own["mines"] if (cell := read_cell(mine))),
            own["left"],
            tuple(
                Torpedo(cell, heading)
                for at, way in shots
                for heading in HEADINGS
                if way == heading and (cell := read_cell(at))
            ),
            self._tracks,
        )

    def _wants_draw(self, view: View) -> bool:
        """Offer one after a long stalemate; take one after half of it."""
        offered = any(player != self._player for player in view.shown["offers"])
        return self._idle > (STALEMATE // 2 if offered else STALEMATE)

    # What a command is worth, in parts of TOTAL for one submarine sunk or lost.

    def _value(self, sea: _Sea, line: str) -> int:
        word, *words = line.split(" ")
        cells = [cell for text in words if (cell := read_cell(text))]
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
            worth = max(0, self._quiet - PATIENCE) * TOTAL // 50
            return worth - _danger(sea, sea.here, SEEN)
        return _shot(sea, words[0]) - _danger(sea, sea.here, SEEN)


def _shot(sea: _Sea, heading: str) -> int:
    """What a torpedo sinks in its first run, and a little for what may run into it later."""
    where = sea.where()
    way = dict(sea.lanes(sea.here)).get(_heading(heading), ())
    return sum(where.get(cell, 0) for cell in way)


def _hope(sea: _Sea, at: Cell) -> int:
    """What a shot from that cell may sink a turn later, when the others have moved once."""
    soon: dict[Cell, int] = {}
    for cell, weight in sea.where().items():
        near = sea.on.adjacent(cell)
        for end in (cell, *near):
            soon[end] = soon.get(end, 0) + weight // (len(near) + 1)
    return max(sum(soon.get(cell, 0) for cell in way) for _, way in sea.lanes(at)) // 3


def _danger(sea: _Sea, at: Cell, known: int) -> int:
    """What may sink the submarine in that cell before its next command: its own torpedoes (for
    certain), the others', their shots, and being rammed."""
    if any(at in run(sea.on, torpedo) for torpedo in sea.torpedoes):
        return 2 * TOTAL
    aim = max(HIDDEN, known)
    danger = 0
    for track in sea.tracks.values():
        danger += track.struck(at)
        for cell, weight in track.where().items():
            if _in_range(cell, at):
                danger += weight * aim // TOTAL
            danger += weight * RAMMED.get(cell.distance(at), 0) // TOTAL
    return danger


def _crash(sea: _Sea, cell: Cell) -> int:
    """What cruising into that cell may cost: whatever is there (SD-8)."""
    own = cell in sea.mines or any(torpedo.cell == cell for torpedo in sea.torpedoes)
    others = any(cell in track.mines for track in sea.tracks.values())
    return 2 * TOTAL if own or others else sea.where().get(cell, 0) + TOTAL // 20


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


def _answer(event: Table, player: Player) -> Cell | None:
    """Where a ping shows something of that player: an echo, or the source of their own ping."""
    pinged = event["kind"] == "ping" and event["by"] == player
    echo = event["kind"] == "echo" and event["of"] == player
    return read_cell(event["at"]) if pinged or echo else None


def _commands(view: View) -> tuple[str, ...]:
    """The legal lines that are commands of a captain who plays on."""
    return tuple(line for line in moves.legal(view) if line not in ("draw", "resign"))


def _label(view: View) -> str:
    """One draw a step: the setup's, or that of the turn's number."""
    return f"bot/{view.player}/{view.shown.get('n', 0)}"


def _heard(view: View | None) -> View:
    if view is None:
        raise ValueError("a bot orders only after it has heard a report")
    return view
