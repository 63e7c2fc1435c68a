"""The map of a view, and of a position with nothing hidden: which piece is in which cell, its
title, and the notes below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games import shapes
from games.chart import Chart, Ground, Piece, Sign
from games.game import Deductions, Player, Setup, View
from games.grid import Cell
from games.submarine_warfare.deduced import Mind
from games.submarine_warfare.state import BOARD, RINGS, SCORES, State, Sub, depth, home_row
from games.submarine_warfare.view import assumed

_SCORING = {1: "one", 2: "two", 4: "four"}
_FIRST = ("own", "foe")
WIDE = 4
"""The width of a cell in text."""


@dataclass(frozen=True, slots=True)
class _Scene:
    """A position to draw, true or assumed. `open`: the players whose whole side is shown. `seen`:
    for each other player, each submarine's letter, and its cell if that is visible."""

    player: Player | None
    state: State
    turn: Player | None
    ap: int | None
    rings: int
    reached: tuple[Player, ...]
    open: tuple[Player, ...]
    seen: dict[Player, tuple[str, ...]]
    offers: tuple[Player, ...]

    @property
    def setup(self) -> Setup:
        return self.state.setup


def chart(view: View) -> Chart:
    """The map, then one's own submarines, the enemy's, and the score.

    A surfaced submarine is a capital letter, a submerged one of one's own a small one. `*` is a
    mine of one's own, a digit what a cell scores; `#`: the cell is destroyed.
    """
    shown, players = view.shown, view.setup.players
    whose = "what everybody knows" if view.player is None else f"{view.player}'s map"
    if "setup" in shown:
        return _before(view.setup, whose)
    own = tuple(name for name in players if name == view.player)
    seen = _Scene(
        view.player,
        assumed(view),
        shown.get("turn"),
        shown.get("ap"),
        shown["rings"],
        tuple(shown["reached"]),
        own,
        {name: tuple(shown[name]["subs"]) for name in players if name not in own},
        tuple(name for name in players if shown[name].get("draw")),
    )
    return _chart(seen, whose)


def chart_known(view: View, known: Deductions) -> Chart:
    """The same with `d?` where a submerged enemy was last seen."""
    drawn, mind = chart(view), known.memory
    if not isinstance(mind, Mind) or mind.turn is None:
        return drawn
    shown = (foe for foe in mind.foes.items() if not foe[1].up and foe[1].seen)
    lost = tuple(
        Piece(foe.seen[0], f"{letter}?", "foe", shapes.submarine(letter, False, True),
              f"{letter} was last seen here, in round {foe.seen[1]}", f"seen-{letter}")
        for letter, foe in shown if foe.seen
    )  # fmt: skip
    sign = Sign("last seen there", "d?", "foe", shapes.submarine("d", False, True))
    signs = (*drawn.signs, sign) if lost else drawn.signs
    return drawn._replace(pieces=(*drawn.pieces, *lost), signs=signs)


def chart_whole(state: State) -> Chart:
    """Both sides with everything that they have."""
    whose, players = "the sea as it was", state.setup.players
    if not state.sides:
        return _before(state.setup, whose)
    ap = None if state.turn is None else state.ap(state.turn)
    offers = tuple(name for name in players if state.sides[name].draw)
    return _chart(
        _Scene(None, state, state.turn, ap, state.rings, state.reached, players, {}, offers), whose
    )


def _before(setup: Setup, whose: str) -> Chart:
    """The empty map."""
    rows = (f"{name}: home row {home_row(setup, name)}." for name in setup.players)
    note = "Everybody places five submarines in the home row, each with a special."
    grounds, notes = _grounds(0), (note, *rows)
    return Chart(f"Submarine Warfare: {whose}", BOARD, grounds=grounds, notes=notes, wide=WIDE)


def _chart(seen: _Scene, whose: str) -> Chart:
    return Chart(
        f"Submarine Warfare: {whose}",
        BOARD,
        tuple(_pieces(seen)),
        _grounds(seen.rings),
        tuple(_signs(seen)),
        tuple(_notes(seen)),
        wide=WIDE,
    )


def _grounds(rings: int) -> dict[Cell, Ground]:
    """The score of cells, and destroyed cells."""
    grounds = {}
    for cell in BOARD.cells():
        points, gone = SCORES.get(cell), depth(cell) < rings
        titles = [f"scores {points}"] if points else []
        titles += ["destroyed"] if gone else []
        if titles:
            kind = "gone" if gone else _SCORING[points or 1]
            mark = (str(points) if points else "") + "#" * gone
            grounds[cell] = Ground(kind, mark, ", ".join(titles), "#" * gone)
    return grounds


# Pieces.


def _side(seen: _Scene, name: Player) -> str:
    """One's own side is blue; in the public view, the first-listed player's."""
    return _FIRST[seen.setup.players.index(name) if seen.player is None else name != seen.player]


def _letter(sub: Sub) -> str:
    return sub.letter.upper() if sub.up else sub.letter


def _pieces(seen: _Scene) -> Iterator[Piece]:
    """Every visible submarine, and the mines of players whose side is shown."""
    for name, side in seen.state.sides.items():
        colour = _side(seen, name)
        for sub in seen.state.fleet(name):
            known = f": {_shape_of(sub)}" if name in seen.open else ""
            lives = sub.hp if name in seen.open else 0
            shape = shapes.submarine(_letter(sub), sub.up, colour == "foe", lives)
            title = f"{name}'s {sub.letter}{known}"
            token = "open" if sub.up else "hidden"
            of = f"sub-{sub.letter}"
            about = sub.special if name in seen.open else "submarine"
            yield Piece(sub.at, _letter(sub), colour, shape, title, of, token, about=about)
        for at in side.mines:
            title = f"{name}'s mine"
            yield Piece(at, "*", colour, shapes.mine(), title, f"mine-{at}", about="mine")


def _shape_of(sub: Sub) -> str:
    return f"{sub.hp} HP, {'surfaced' if sub.up else 'submerged'}, {sub.special}"


# What is said.


def _signs(seen: _Scene) -> Iterator[Sign]:
    whose = {"own": "yours", "foe": "theirs"}
    if seen.player is None:
        whose = dict(zip(_FIRST, seen.setup.players, strict=True))
    for side, owner in whose.items():
        yield Sign(owner, "", side, shapes.submarine("A", foe=side == "foe"))
    yield Sign("surfaced", "A", "sixth", shapes.submarine("A"))
    if seen.open:
        yield Sign("submerged", "a", "sixth", shapes.submarine("a", up=False))
        yield Sign("mine", "*", "sixth", shapes.mine())
    yield Sign("points a turn, twice if surfaced", "1 2 4", ground="two")
    if seen.rings:
        yield Sign("destroyed: 1 HP a turn", "#", ground="gone")


def _notes(seen: _Scene) -> Iterator[str]:
    """Whose turn it is, and what is known of each side."""
    state = seen.state
    ap = "" if seen.ap is None else f", {seen.ap} AP"
    rings = f", {seen.rings} of {RINGS} rings destroyed" if seen.rings else ""
    to_move = f"{seen.turn} to move{ap}" if seen.turn else "the game is over"
    yield f"Round {state.round}: {to_move}{rings}."
    for name in sorted(seen.setup.players, key=lambda name: name != seen.player):
        offer = ", offers a draw" if name in seen.offers else ""
        many = ", 25 points or more" if name in seen.reached else ""
        if name not in seen.open:
            yield f"{name}: {', '.join(seen.seen[name]) or 'no submarine left'}{many}{offer}."
            continue
        side = state.sides[name]
        told = many and " (25 or more announced)"
        yield f"{name}: {side.points} points{told}, home row {side.row}{offer}."
        for sub in state.fleet(name):
            yield f"{sub.letter} {sub.at}: {_shape_of(sub)}"
        for sunk in side.sunk:
            yield f"{sunk.letter}: destroyed, {sunk.special}"
        if side.mines:
            yield f"mines: {', '.join(map(str, side.mines))}"
        if side.nullified:
            yield f"nullified: {', '.join(side.nullified)}"
