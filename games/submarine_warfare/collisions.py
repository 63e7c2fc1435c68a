"""Entering a cell: collisions, pushes, chains of them, and mines that are set off (SW-9 to SW-12).

A submarine that moves into another does not enter. Both surface and take damage at one moment;
then the struck one, if it is left, goes one cell on in the same direction. There it meets one of
three things: the edge of the map, and it stays; a free cell, perhaps with a mine, and it enters; or
a third submarine, and it is now the mover of a collision of its own, which is carried out in the
same way before anything else. A chain runs in one direction, so it ends at the edge at the latest.
The event `collision` says where the struck one ends; so that is worked out before any damage is
done or told.

What this module must not know: order lines, AP, the end of the game.
"""

from __future__ import annotations

from games.grid import Cell
from games.submarine_warfare import events as tell
from games.submarine_warfare.state import BOARD
from games.submarine_warfare.table import mine_damage, specials
from games.submarine_warfare.turn import Blow, Turn, damage, strike, surface, through_armor

MOVER, STRUCK = 1, 2
"""SW-9: the damage that each of the two takes."""


def go(turn: Turn, letter: str, heading: str) -> None:
    """SW-5, SW-9: a submarine moves one cell that way, or collides there; the cell is on the
    map."""
    sub = turn.subs[letter]
    to = sub.at.step(heading)
    other = turn.state.sub_at(to)
    if other is not None:
        collide(turn, letter, other.letter, heading)
    else:
        turn.subs[letter] = sub.moved(to)
        turn.tell(tell.moved(turn.audience(sub), letter, to))
        set_off(turn, letter)


def collide(turn: Turn, mover: str, struck: str, heading: str) -> None:
    """SW-9 to SW-12: both surface, both take their damage at one moment, then the struck one is
    pushed. The mover stays, and all its further actions of this turn are void."""
    surface(turn, mover)
    surface(turn, struck)
    turn.collided.append(mover)
    rammer, hurt = turn.subs[mover], turn.subs[struck]
    ram = turn.state.working(rammer, "battering-ram")
    blows = [
        through_armor(turn.state, Blow(mover, ram.numbers["takes"] if ram else MOVER)),
        through_armor(turn.state, Blow(struck, ram.numbers["deals"] if ram else STRUCK)),
    ]
    survives = hurt.hp > blows[1].damage
    beyond = hurt.at.step(heading)
    blocked = not beyond.on(BOARD) or turn.state.sub_at(beyond) is not None
    to = (hurt.at if blocked else beyond) if survives else None
    turn.tell(tell.collision(mover, rammer.at, struck, hurt.at, to))
    damage(turn, blows)
    if survives:
        _push(turn, struck, beyond, heading)


def _push(turn: Turn, letter: str, beyond: Cell, heading: str) -> None:
    """SW-10, SW-11: the struck submarine goes one cell away from the mover, unless the map ends
    there. If another submarine is there, it is the mover of a new collision; a mine there is set
    off."""
    if not beyond.on(BOARD):
        return
    other = turn.state.sub_at(beyond)
    if other is not None:
        collide(turn, letter, other.letter, heading)
    else:
        turn.subs[letter] = turn.subs[letter].moved(beyond)
        set_off(turn, letter)


def set_off(turn: Turn, letter: str) -> None:
    """SW-18: a submarine that comes to a mine's cell surfaces, then takes the damage; the mine is
    gone."""
    at = turn.subs[letter].at
    for player, side in turn.sides.items():
        if at in side.mines:
            mines = tuple(cell for cell in side.mines if cell != at)
            turn.sides[player] = side._replace(mines=mines)
            surface(turn, letter)
            strike(turn, [Blow(letter, mine_damage(specials(turn.state.setup)))])
            return
