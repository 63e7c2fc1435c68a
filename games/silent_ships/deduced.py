"""What a player can work out about the opponent's ships from what their seat heard.

A face-down ship is followed from cell to cell, since every move is public, and with it what was
once learned about it: the name, if a patrol ship looked at it, and where it was played. A nameless
ship can be each of the enemy's ships that is neither face up, nor sunk, nor known to lie elsewhere.
Only `truth` knows states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from games.game import Deductions, Player, Table, View
from games.grid import Cell, read_cell
from games.options import Value
from games.screen import ago
from games.silent_ships.notation import read_view
from games.silent_ships.state import State, other


class HiddenShip(NamedTuple):
    """A face-down enemy ship: its name if it was ever seen (else ""), the turn in which it was
    seen, and the cell and turn in which it was played (None: unknown)."""

    name: str = ""
    seen: int = 0
    played: tuple[Cell, int] | None = None


class Mind(NamedTuple):
    """What a seat has worked out so far.

    `ships`: the enemy's face-down ships, by cell. `names`: the ships that each can be. `turns`: how
    many turns have begun.
    """

    ships: Mapping[Cell, HiddenShip] = MappingProxyType({})
    names: Mapping[Cell, Sequence[str]] = MappingProxyType({})
    turns: int = 0


NO_MIND = Mind()


def deduced(view: View, heard: Sequence[Table], before: Deductions | None = None) -> Deductions:
    """`Game.deduced`: which ship each face-down ship of the opponent can be, which of theirs are
    out of sight, and where each was played and seen.

    Of a game that has not begun, or is over, nothing can be worked out.
    """
    seen = read_view(view)
    if seen.turn is None:
        return Deductions(memory=NO_MIND)
    mind: Mind = NO_MIND if before is None else before.memory
    ships, turns = _followed(dict(mind.ships), heard, mind.turns)
    ships = dict(_looked(seen, ships, turns))
    enemy = other(seen.setup, seen.player)
    # SS-2: the enemy's ships that are neither sunk nor face up, in the table's order.
    up = {ship.name for ship in seen.board.values() if ship.owner == enemy and ship.up}
    away = [name for name in seen.cards.names if name not in {*up, *seen.theirs.sunk}]
    left = [name for name in away if name not in {ship.name for ship in ships.values()}]
    names = {at: (ship.name,) if ship.name else tuple(left) for at, ship in ships.items()}
    may: dict[str, Sequence[Value]] = {_HIDDEN.format(enemy): (away,)}
    may |= {_SHIP.format(enemy, at): found for at, found in names.items()}
    notes: list[str] = []
    for at, ship in ships.items():
        if ship.played is not None:
            place, turn = ship.played
            notes.append(f"the ship in {at} was played {ago(turns - turn)}, in {place}")
        if ship.name:
            notes.append(f"the ship in {at} was seen {ago(turns - ship.seen)}: {ship.name}")
    return Deductions(may, tuple(notes), Mind(ships, names, turns))


def truth(state: State, player: Player) -> dict[str, Value]:
    """`Game.truth`: the true values of these."""
    if state.turn is None:
        return {}
    enemy = other(state.setup, player)
    side = state.sides[enemy]
    down = [ship for ship in state.board.values() if ship.owner == enemy and not ship.up]
    hidden = (*side.hand, *side.deck, *side.discards, *(ship.name for ship in down))
    found: dict[str, Value] = {_HIDDEN.format(enemy): list(state.cards.sort(hidden))}
    return found | {_SHIP.format(enemy, ship.at): ship.name for ship in down}


_HIDDEN, _SHIP = "{}'s ships out of sight", "{}'s ship in {}"


def _followed(
    ships: dict[Cell, HiddenShip], heard: Sequence[Table], turns: int
) -> tuple[dict[Cell, HiddenShip], int]:
    """The ships, one's own too, in their cells after these events; and how many turns have
    begun."""
    for event in heard:
        kind = event["kind"]
        at = read_cell(event.get("at", ""))
        start, to = read_cell(event.get("from", "")), read_cell(event.get("to", ""))
        if kind == "turn":
            turns += 1
        elif kind == "played" and at is not None:
            ships[at] = HiddenShip(played=(at, turns))
        elif kind == "sunk" and at is not None:
            ships.pop(at, None)
        elif kind in ("moved", "retreat") and start in ships and to is not None:
            ships[to] = ships.pop(start)
    return ships, turns


def _looked(
    seen: State, ships: Mapping[Cell, HiddenShip], turns: int
) -> Iterator[tuple[Cell, HiddenShip]]:
    """The enemy's face-down ships, with those names that a patrol ship shows now (SS-16)."""
    for ship in seen.board.values():
        if ship.owner != seen.player and not ship.up:
            known = ships.get(ship.at, HiddenShip())
            yield ship.at, known._replace(name=ship.name, seen=turns) if ship.name else known
