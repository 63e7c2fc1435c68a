"""Entering a cell: collisions, pushes, chains of them, and mines that are set off.

What belongs here: SW-9 to SW-12 and what a mine does to whoever enters its cell. What it must not
know: order lines, AP, the end of the game.
"""

from __future__ import annotations

from games.grid import Cell
from games.submarine_warfare import events as tell
from games.submarine_warfare.state import BOARD
from games.submarine_warfare.table import mine_damage, specials
from games.submarine_warfare.turn import Blow, Turn, strike, surface, through_armor
from games.values import changed

MOVER, STRUCK = 1, 2
"""SW-9: the damage that each takes."""


def go(turn: Turn, letter: str, heading: str) -> Turn:
    """SW-5, SW-9: a submarine moves one cell that way, which is on the map, or collides there."""
    sub = turn.sub(letter)
    to = sub.at.step(heading)
    other = turn.state.sub_at(to)
    if other is not None:
        return collide(turn, letter, other.letter, heading)
    placed = changed(sub, at=to)
    turn = turn.at(turn.state.with_sub(placed))
    turn = turn.told(tell.moved(turn.audience(placed), letter, to))
    return set_off(turn, letter)


def collide(turn: Turn, mover: str, struck: str, heading: str) -> Turn:
    """SW-9 to SW-12: both surface, both take their damage at one moment, then the struck one is
    pushed; the mover stays, and all its further actions of this turn are void."""
    turn = surface(turn, (mover, struck))
    turn = changed(turn, collided=(*turn.collided, mover))
    rammer, hurt = turn.sub(mover), turn.sub(struck)
    ram = turn.state.working(rammer, "battering-ram")
    blows = (
        Blow(mover, ram.numbers["takes"] if ram else MOVER),
        Blow(struck, ram.numbers["deals"] if ram else STRUCK),
    )
    survives = hurt.hp > through_armor(turn.state, blows[1])
    beyond = hurt.at.step(heading)
    blocked = not beyond.on(BOARD) or turn.state.sub_at(beyond) is not None
    to = (hurt.at if blocked else beyond) if survives else None
    turn = turn.told(tell.collision(mover, rammer.at, struck, hurt.at, to))
    turn = strike(turn, blows)
    return _push(turn, struck, beyond, heading) if survives else turn


def _push(turn: Turn, letter: str, beyond: Cell, heading: str) -> Turn:
    """SW-10, SW-11: one cell away from the mover, unless the map ends there; into another
    submarine it is the mover of a new collision, into a mine it sets it off."""
    if not beyond.on(BOARD):
        return turn
    other = turn.state.sub_at(beyond)
    if other is not None:
        return collide(turn, letter, other.letter, heading)
    turn = turn.at(turn.state.with_sub(changed(turn.sub(letter), at=beyond)))
    return set_off(turn, letter)


def set_off(turn: Turn, letter: str) -> Turn:
    """SW-18: whoever comes to a mine's cell surfaces, then takes its damage; the mine is gone."""
    at = turn.sub(letter).at
    state = turn.state
    if not state.mined(at):
        return turn
    for player, side in state.sides.items():
        mines = tuple(cell for cell in side.mines if cell != at)
        state = state.with_side(player, changed(side, mines=mines))
    turn = surface(turn.at(state), (letter,))
    return strike(turn, (Blow(letter, mine_damage(specials(state.setup))),))
