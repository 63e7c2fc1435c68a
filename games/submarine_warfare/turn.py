"""A turn as it is carried out: the position and the events so far, and what each order does to them
(SW-5, SW-7 to SW-12, SW-18).

Damage: what happens at one moment is one list of blows. All hits are told, then all destructions.

Entering a cell: a submarine that moves into another does not enter. Both surface and take damage at
one moment; then the struck one, if it is left, goes one cell on in the same direction. There it
meets one of three things: the edge of the map, and it stays; a free cell, perhaps with a mine, and
it enters; or a third submarine, and it is now the mover of a collision of its own, which is carried
out in the same way before anything else. A chain runs in one direction, so it ends at the edge at
the latest. The event `collision` says where the struck one ends; so that is worked out before any
damage is done or told.

What this module must not know: order lines, AP, the end of the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from games.game import EVERYONE, Event, Player
from games.grid import HEADINGS, Cell
from games.submarine_warfare import events as tell
from games.submarine_warfare.state import BOARD, HP, State, Sub, Wreck
from games.submarine_warfare.table import specials

MOVER, STRUCK = 1, 2
"""SW-9: the damage that each of the two takes."""


class Turn:
    """A turn under way. Everything that happens changes it in place.

    `player` has the turn; `events` are those so far; `collided`: the letters that collided as
    movers (SW-9). `state` is the position at this moment: its `subs` and `sides` are this turn's
    own, and are changed here. The position that the turn began with stays as it was.
    """

    def __init__(self, state: State, player: Player) -> None:
        self.subs = dict(state.subs)
        self.sides = dict(state.sides)
        self.state = state._replace(subs=self.subs, sides=self.sides)
        self.player = player
        self.events: list[Event] = []
        self.collided: list[str] = []

    def copy(self) -> Turn:
        """A copy of the turn as far as it has come."""
        turn = Turn(self.state, self.player)
        turn.events += self.events
        turn.collided += self.collided
        return turn

    def tell(self, event: Event) -> None:
        """Add an event."""
        self.events.append(event)

    def audience(self, sub: Sub) -> str:
        """SW-7: the audience of an action by or on that submarine, at this moment."""
        return EVERYONE if sub.up else self.state.owner(sub.letter)


# What happens to submarines.


class Blow(NamedTuple):
    """Damage to one submarine."""

    letter: str
    damage: int


def surface(turn: Turn, letter: str) -> None:
    """SW-7: a submarine surfaces; told only if it was submerged."""
    sub = turn.subs[letter]
    if not sub.up:
        turn.subs[letter] = sub.turned(up=True)
        turn.tell(tell.surfaced(letter, sub.at))


def through_armor(state: State, blow: Blow) -> Blow:
    """SW-18: the part of a blow that an armor lets through."""
    armor = state.working(state.subs[blow.letter], "armor")
    return Blow(blow.letter, max(0, blow.damage - armor.numbers["less"])) if armor else blow


def strike(turn: Turn, blows: Sequence[Blow]) -> None:
    """SW-8, SW-18: blows at one moment, lessened by armor."""
    damage(turn, [through_armor(turn.state, blow) for blow in blows])


def damage(turn: Turn, blows: Sequence[Blow]) -> None:
    """SW-8: damage at one moment that no armor lessens. SW-19: every `hit` is told, then every
    `destroyed`, in the order given."""
    for blow in blows:
        if blow.damage:
            sub = turn.subs[blow.letter]
            turn.subs[blow.letter] = sub.with_hp(max(0, sub.hp - blow.damage))
            turn.tell(tell.hit(turn.audience(sub), sub.letter, blow.damage))
    for blow in blows:
        if turn.subs[blow.letter].hp == 0:
            _destroy(turn, turn.subs[blow.letter])


def _destroy(turn: Turn, sub: Sub) -> None:
    """SW-7, SW-8: it leaves the map. Its owner hears where; everyone does if it was surfaced; the
    other player does in their own turn, in which everything is their action."""
    owner = turn.state.owner(sub.letter)
    knowing = (owner,) if turn.player == owner else (owner, turn.player)
    side = turn.sides[owner]
    sunk = sorted((*side.sunk, Wreck(sub.letter, sub.special)), key=lambda item: item.letter)
    turn.sides[owner] = side._replace(sunk=tuple(sunk))
    del turn.subs[sub.letter]
    turn.tell(tell.destroyed(sub.letter, sub.at if sub.up else None))
    for player in () if sub.up else knowing:
        turn.tell(tell.destroyed_at(player, sub.letter, sub.at))


def heal(turn: Turn, letter: str, amount: int) -> None:
    """SW-8: never above 5 HP; to gain nothing is no event."""
    sub = turn.subs[letter]
    gained = min(amount, HP - sub.hp)
    if gained:
        turn.subs[letter] = sub.with_hp(sub.hp + gained)
        turn.tell(tell.healed(turn.audience(sub), letter, gained))


# Entering a cell.


def _collide(turn: Turn, mover: str, struck: str, heading: str) -> None:
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
    # SW-10, SW-11: the struck one goes one cell away from the mover, unless the map ends there.
    if survives and beyond.on(BOARD):
        other = turn.state.sub_at(beyond)
        if other is not None:
            _collide(turn, struck, other.letter, heading)
        else:
            _enter(turn, struck, beyond)


def _enter(turn: Turn, letter: str, to: Cell) -> None:
    """A submarine comes to a free cell. SW-18: if a mine lies there, it surfaces, then takes the
    damage; the mine is gone."""
    turn.subs[letter] = turn.subs[letter].moved(to)
    for player, side in turn.sides.items():
        if to in side.mines:
            mines = tuple(cell for cell in side.mines if cell != to)
            turn.sides[player] = side._replace(mines=mines)
            surface(turn, letter)
            # A table has at most one kind of mine.
            kinds = specials(turn.state.setup).values()
            mine = next(kind for kind in kinds if kind.mechanism == "mine")
            strike(turn, [Blow(letter, mine.numbers["damage"])])
            return


# What each order does, for which there is no fault: `aim`, the heading or the special named in it;
# `numbers`, of the special that is used.


def moves(turn: Turn, sub: Sub, aim: str, numbers: Mapping[str, int]) -> None:
    """SW-5, SW-9: a submarine moves one cell that way, or collides there."""
    to = sub.at.step(aim)
    other = turn.state.sub_at(to)
    if other is not None:
        _collide(turn, sub.letter, other.letter, aim)
    else:
        turn.tell(tell.moved(turn.audience(sub), sub.letter, to))
        _enter(turn, sub.letter, to)


def surfaces(turn: Turn, sub: Sub, aim: str, numbers: Mapping[str, int]) -> None:
    """SW-5."""
    surface(turn, sub.letter)


def submerges(turn: Turn, sub: Sub, aim: str, numbers: Mapping[str, int]) -> None:
    """SW-7: told if somebody sees it; nothing happens if it is submerged already (SW-6)."""
    if sub.up:
        turn.subs[sub.letter] = sub.turned(up=False)
        turn.tell(tell.submerged(sub.letter, sub.at))


def replaces(turn: Turn, sub: Sub, aim: str, numbers: Mapping[str, int]) -> None:
    """SW-5."""
    turn.subs[sub.letter] = sub._replace(special=aim)
    turn.tell(tell.replace(turn.audience(sub), sub.letter))


def fires(turn: Turn, sub: Sub, aim: str, numbers: Mapping[str, int]) -> None:
    """It hits the first submarine in range that way, friend or foe; there may be none."""
    turn.tell(tell.torpedo(turn.audience(sub), sub.letter, sub.at, aim))
    at = sub.at
    for _ in range(numbers["range"]):
        at = at.step(aim)
        target = turn.state.sub_at(at)
        if target:
            strike(turn, [Blow(target.letter, numbers["damage"])])
            break


def lays(turn: Turn, sub: Sub, aim: str, numbers: Mapping[str, int]) -> None:
    """A mine is not placed on a mine, nor on a submarine that its author does not see; the author
    is not told which of them was there."""
    at = sub.at.step(aim)
    turn.tell(tell.mine(turn.audience(sub), sub.letter, at))
    if turn.state.sub_at(at) or any(at in side.mines for side in turn.sides.values()):
        turn.tell(tell.not_placed(turn.player, at))
    else:
        side = turn.sides[turn.player]
        turn.sides[turn.player] = side._replace(mines=(*side.mines, at))


def heals(turn: Turn, sub: Sub, aim: str, numbers: Mapping[str, int]) -> None:
    """SW-7: a player who sees the healer but not the healed submarine is not told the target."""
    target = turn.state.sub_at(sub.at.step(aim))
    if target is None:
        raise LookupError(aim)
    hidden = sub.up and not target.up
    turn.tell(tell.heal(turn.audience(sub), sub.letter, None if hidden else target.letter))
    if hidden:
        turn.tell(tell.heal_target(turn.player, sub.letter, target.letter))
    heal(turn, target.letter, numbers["amount"])


def listens(turn: Turn, sub: Sub, aim: str, numbers: Mapping[str, int]) -> None:
    """A sonar finds letter and cell of every enemy in range, surfaced or not, in the order of
    letters."""
    turn.tell(tell.sonar(turn.audience(sub), sub.letter))
    for foe in turn.state.fleet(turn.state.other(turn.player)):
        if foe.at.distance(sub.at) <= numbers["range"]:
            turn.tell(tell.found(turn.player, foe.letter, foe.at))


def nullifies(turn: Turn, sub: Sub, aim: str, numbers: Mapping[str, int]) -> None:
    """It lasts until the end of the opponent's next turn, whatever happens to the nullifier."""
    turn.tell(tell.nullify(turn.audience(sub), sub.letter, aim))
    other = turn.state.other(turn.player)
    side = turn.sides[other]
    if aim not in side.nullified:
        turn.sides[other] = side._replace(nullified=(*side.nullified, aim))


def charges(turn: Turn, sub: Sub, aim: str, numbers: Mapping[str, int]) -> None:
    """Depth charges hit every other submarine on the four adjacent cells, at one moment, in the
    order N E S W."""
    turn.tell(tell.depth_charge(turn.audience(sub), sub.letter, sub.at))
    around = [turn.state.sub_at(sub.at.step(heading)) for heading in HEADINGS]
    strike(turn, [Blow(target.letter, numbers["damage"]) for target in around if target])
