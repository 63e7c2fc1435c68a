"""A turn as it is carried out: the position and the events so far.

What belongs here: the audience of events, surfacing, damage and healing at one moment. `actions`
has the single actions, `rules` the winner.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.game import EVERYONE, Event, Player
from games.submarine_warfare import events as tell
from games.submarine_warfare.state import HP, State, Sub, Wreck


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
