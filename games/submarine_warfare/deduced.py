"""What a player can work out about the enemy: where each submerged enemy can still be, the HP that
each can have, and the points.

Each is a set of possibilities that holds the truth. A report makes it smaller by what was seen:
a cell, a hit, a score. It makes it larger by what may have happened out of sight: the enemy had so
much AP, was seen to spend some of it, and may have spent the rest on moves, torpedoes or repairs
that nobody was told of. All of the rest is allowed for each submarine, as if it alone had used it,
so the sets are larger than they need be and never too small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from games.game import Deductions, Player, Setup, Table, View
from games.grid import Cell, by_row, read_cell
from games.options import Value
from games.submarine_warfare.notation import read_view
from games.submarine_warfare.orders import DEFAULTS
from games.submarine_warfare.state import ANNOUNCED, AP, BOARD, ENOUGH, HP, SCORES, State
from games.submarine_warfare.table import specials

SEA = BOARD.cells()
HARMFUL = ("torpedo", "depth-charge")
"""Mechanisms that can hit a submerged submarine without the other player hearing of it."""


@dataclass(frozen=True, slots=True)
class Foe:
    """An enemy submarine: its possible cells, its least and most possible HP, its HP if nothing
    happened out of sight, whether it is surfaced, and the cell and round in which it was seen last.
    """

    cells: frozenset[Cell] = frozenset(SEA)
    hp: tuple[int, int] = (1, HP)
    likely: int = HP
    up: bool = False
    seen: tuple[Cell, int] | None = None


@dataclass(frozen=True, slots=True)
class Mind:
    """What a seat has worked out so far.

    `foes` by letter; `points`: the least and the most that the enemy can have. From the last view:
    `turn`, whose turn it is; `rings`, how many are destroyed; `own`, the cells of one's own
    submarines; `round`. `used`: by letter, the special that was seen in use, with the round.
    `first`: who began, if that was heard.
    """

    foes: Mapping[str, Foe] = field(default_factory=dict)
    points: tuple[int, int] = (0, ENOUGH - 1)
    turn: Player | None = None
    rings: int = 0
    own: Mapping[str, Cell] = field(default_factory=dict)
    used: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    round: int = 1
    first: Player | None = None


NO_MIND = Mind()


def deduced(view: View, heard: Sequence[Table], before: Deductions | None = None) -> Deductions:
    """`Game.deduced`: of each enemy submarine its cell, while it is submerged, and its HP; the
    enemy's points; where each was seen last.

    Of a game that has not begun, or is over, nothing can be worked out.
    """
    seen = read_view(view)
    if not seen.begun:
        return Deductions(memory=NO_MIND)
    mind: Mind = NO_MIND if before is None else before.memory
    if mind.turn is None and not any(event["kind"] == "placed" for event in heard):
        # The reports do not tell whose turn these events belong to, so only the view counts.
        heard = ()
    mind = _Step(seen, mind, heard).mind()
    if mind.turn is None:
        return Deductions(memory=mind)
    may: dict[str, Sequence[Value]] = {}
    notes: list[str] = []
    for letter, foe in mind.foes.items():
        if not foe.up:
            may[_CELL.format(letter)] = tuple(map(str, sorted(foe.cells, key=by_row)))
            if foe.seen:
                notes.append(f"{letter} was last seen in {foe.seen[0]}, in round {foe.seen[1]}")
        may[_HP.format(letter)] = tuple(range(foe.hp[0], foe.hp[1] + 1))
        if letter in mind.used:
            notes.append("{} used a {} in round {}".format(letter, *mind.used[letter]))
    may[_POINTS.format(seen.other(str(seen.player)))] = tuple(
        range(mind.points[0], mind.points[1] + 1)
    )
    return Deductions(may, tuple(notes), mind)


def truth(state: State, player: Player) -> dict[str, Value]:
    """`Game.truth`: the true values of these."""
    if state.turn is None:
        return {}
    enemy = state.other(player)
    found: dict[str, Value] = {_POINTS.format(enemy): state.sides[enemy].points}
    for sub in state.fleet(enemy):
        found[_HP.format(sub.letter)] = sub.hp
        if not sub.up:
            found[_CELL.format(sub.letter)] = str(sub.at)
    return found


_CELL, _HP, _POINTS = "{}'s cell", "{}'s HP", "{}'s points"


class _Step:
    """One report being taken in. `moves`, `harm`, `heal`: the moves of a submerged enemy, the HP
    lost and the HP gained that there may have been out of sight."""

    def __init__(self, seen: State, before: Mind, heard: Sequence[Table]) -> None:
        self.seen, self.before, self.heard = seen, before, heard
        self.begins = any(event["kind"] == "placed" for event in heard)
        self.player = str(seen.player)
        self.enemy = seen.other(self.player)
        afloat = seen.afloat(self.enemy).items()
        self.shown = {letter: sub.at if sub else None for letter, sub in afloat}
        self.own = dict(before.own)
        # A report with events belongs to the round in which the turn was taken.
        self.round = before.round if heard and before.turn else seen.round
        self.moves, self.harm, self.heal = 0, 0, 0
        self.look_behind()

    def mind(self) -> Mind:
        """The mind after the report."""
        known = {letter: self.before.foes.get(letter, Foe()) for letter in self.shown}
        if self.heard:
            known = {letter: self.foe(letter, foe) for letter, foe in known.items()}
            self.look_round(known)
        taken = {*self.seen.sides[self.player].mines, *(sub.at for sub in self.seen.subs.values())}
        foes: dict[str, Foe] = {}
        for letter, foe in known.items():
            at = self.shown[letter]
            if at is None:
                foes[letter] = replace(foe, cells=(foe.cells - taken) or frozenset(SEA), up=False)
            else:
                foes[letter] = replace(foe, cells=frozenset([at]), up=True, seen=(at, self.round))
        return Mind(
            foes,
            self.points(foes),
            self.seen.turn,
            self.seen.rings,
            {sub.letter: sub.at for sub in self.seen.fleet(self.player)},
            dict(self.used()),
            self.seen.round,
            self.seen.turn if self.begins else self.before.first,
        )

    def look_behind(self) -> None:
        """What may have happened out of sight, by one's own shots or in the enemy's turn."""
        table = specials(self.seen.setup).values()
        costs = {word: row.ap or 0 for word, row in DEFAULTS.items()} | {"moved": 1, "submerged": 1}
        for special in table:
            known = costs.get(special.mechanism, special.ap)
            costs[special.mechanism] = min(known, special.ap)
        damage = {
            name: max((one.numbers["damage"] for one in table if one.mechanism == name), default=0)
            for name in HARMFUL
        }
        self.harm = sum(damage.get(event["kind"], 0) for event in self.heard)
        if self.before.turn != self.enemy:
            repairs = [one.numbers["amount"] for one in table if one.mechanism == "repair"]
            self.heal = max(repairs, default=0)
            return
        theirs = {*self.shown, *self.before.foes}
        spent = sum(costs.get(one["kind"], 0) for one in self.heard if one.get("sub") in theirs)
        self.moves = left = max(0, AP + _more(self.seen.setup) - spent)
        self.harm += max(
            (left // costs[name] * hit for name, hit in damage.items() if hit), default=0
        )
        # A submarine that ends its turn on a destroyed ring loses 1 HP (SW-16).
        self.harm += self.before.rings > 0
        healing = [one for one in table if one.mechanism == "heal"]
        helped = sum(event["kind"] == "heal" for event in self.heard)
        self.heal = max((left // one.ap * one.numbers["amount"] for one in healing), default=0)
        self.heal += helped * max((one.numbers["amount"] for one in healing), default=0)

    def foe(self, letter: str, foe: Foe) -> Foe:
        """One enemy after everything heard, seen or not."""
        (low, high), likely = foe.hp, foe.likely
        at, hidden = None, not foe.up or self.shown[letter] is None
        for event in self.heard:
            at = _place(event, letter) or at
            if event["kind"] == "placed" and event["sub"] == letter:
                low, high, hidden = HP, HP, False
            elif event.get("sub") == letter and event["kind"] == "hit":
                low, high = max(1, low - event["amount"]), high - event["amount"]
                likely -= event["amount"]
            elif event.get("sub") == letter and event["kind"] == "healed":
                low, high = low + event["amount"], min(HP, high + event["amount"])
                likely = min(HP, likely + event["amount"])
            hidden = hidden or (event["kind"] == "submerged" and event["sub"] == letter)
        cells = foe.cells if at is None else frozenset([at])
        seen = foe.seen if at is None else (at, self.round)
        if hidden:
            low, high = max(1, low - self.harm), min(HP, high + self.heal)
            cells = _reached(cells, self.moves)
        return Foe(cells, (min(low, HP), max(high, 1)), likely, foe.up, seen)

    def look_round(self, foes: dict[str, Foe]) -> None:
        """Use one's own moves and sonars in one's own turn, in which nothing hidden moves: no enemy
        is in a cell that was entered freely, nor in reach of a sonar that did not find it."""
        if self.before.turn != self.player:
            return
        table = specials(self.seen.setup).values()
        reach = min((one.numbers["range"] for one in table if one.mechanism == "sonar"), default=0)
        found = {event["sub"] for event in self.heard if event["kind"] == "found"}
        empty: set[Cell] = set()
        silent: set[Cell] = set()
        for event in self.heard:
            kind, letter = event["kind"], event.get("sub", "")
            if kind == "sonar" and letter in self.own:
                around = self.own[letter]
                silent |= {cell for cell in SEA if cell.distance(around) <= reach}
            for own in self.own:
                at = _place(event, own)
                if at is not None:
                    self.own[own] = at
                    empty |= {at} if kind == "moved" else set()
        for name, foe in foes.items():
            nowhere = empty if name in found else empty | silent
            foes[name] = replace(foe, cells=foe.cells - nowhere)

    def points(self, foes: Mapping[str, Foe]) -> tuple[int, int]:
        """SW-13, SW-14: the points that the enemy can have, also after the end of their turn."""
        low, high = self.before.points
        if self.begins:
            low, high = 0, 0
        elif self.before.turn == self.enemy and self.heard:
            surfaced = [at for at in self.shown.values() if at is not None]
            scored = sum(2 * SCORES.get(at, 0) for at in surfaced)
            hidden = [
                [SCORES.get(at, 0) for at in foe.cells] for foe in foes.values() if not foe.up
            ]
            free = sorted((SCORES[at] for at in SCORES if at not in surfaced), reverse=True)
            most = min(sum(map(max, hidden)), sum(free[: len(hidden)]))
            # A ring may have destroyed a submarine after it had scored (SW-16).
            gone = [self.before.foes[letter] for letter in self.before.foes if letter not in foes]
            ends = [_reached(foe.cells, AP + _more(self.seen.setup)) for foe in gone]
            most += sum(2 * max(SCORES.get(at, 0) for at in cells) for cells in ends)
            low, high = low + scored + sum(map(min, hidden)), high + scored + most
        if self.enemy in self.seen.reached:
            return max(low, ANNOUNCED), max(min(high, ENOUGH - 1), ANNOUNCED)
        return min(low, ANNOUNCED - 1), min(high, ANNOUNCED - 1)

    def used(self) -> Iterator[tuple[str, tuple[str, int]]]:
        """The special that each enemy was last seen to use."""
        table = specials(self.seen.setup)
        mechanisms = {special.mechanism for special in table.values()}
        yield from self.before.used.items()
        for event in self.heard:
            if event["kind"] in mechanisms and event["sub"] in self.shown:
                yield event["sub"], (event["kind"], self.round)


def _place(event: Table, letter: str) -> Cell | None:
    """The cell of a submarine by an event; None if the event does not tell it."""
    kind = event["kind"]
    if kind == "collision" and event["struck"] == letter:
        return read_cell(event.get("to", event["struck_at"]))
    if kind == "collision" and event["mover"] == letter:
        return read_cell(event["at"])
    # For a mine, the event's cell is the mine's.
    if event.get("sub") == letter and "at" in event and kind != "mine":
        return read_cell(event["at"])
    return None


def _reached(cells: Iterable[Cell], moves: int) -> frozenset[Cell]:
    """The cells within so many steps of any of these."""
    reached = frozenset(cells)
    for _ in range(moves):
        reached |= {near for cell in reached for near in BOARD.adjacent(cell)}
    return reached


def _more(setup: Setup) -> int:
    """SW-18: the AP that all reactors of the table can give."""
    table = specials(setup).values()
    return sum(special.numbers["more"] for special in table if special.mechanism == "reactor")
