"""A turn under way: the position and the events so far, and what every action does to them.

What belongs here: telling to whom it may be told, surfacing, damage and healing at one moment.
What it must not know: which action it is (`actions`), and who has won (`rules`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.game import EVERYONE, Event, Player
from games.submarine_warfare import events as tell
from games.submarine_warfare.state import HP, State, Sub, Sunk
from games.values import changed


@dataclass(frozen=True)
class Turn:
    """`player` is whose turn it is; `collided`: the letters that collided as movers (SW-9)."""

    state: State
    player: Player
    events: tuple[Event, ...] = ()
    collided: tuple[str, ...] = ()

    def told(self, *events: Event) -> Turn:
        """The same turn with more events."""
        return Turn(self.state, self.player, self.events + events, self.collided)

    def at(self, state: State) -> Turn:
        """The same turn with another position."""
        return Turn(state, self.player, self.events, self.collided)

    def audience(self, sub: Sub) -> str:
        """SW-7: who hears of an action by or on that submarine, at this moment."""
        return EVERYONE if sub.up else self.state.owner(sub.letter)

    def sub(self, letter: str) -> Sub:
        """A submarine that is known not to be destroyed."""
        sub = self.state.sub(letter)
        if sub is None:
            raise LookupError(letter)
        return sub


@dataclass(frozen=True, slots=True)
class Blow:
    """Damage to one submarine, before its armor."""

    letter: str
    damage: int


def surface(turn: Turn, letters: Iterable[str]) -> Turn:
    """SW-7: these submarines surface; told only of what was submerged."""
    for letter in letters:
        sub = turn.sub(letter)
        if not sub.up:
            turn = turn.at(turn.state.with_sub(changed(sub, up=True)))
            turn = turn.told(tell.surfaced(letter, sub.at))
    return turn


def through_armor(state: State, blow: Blow) -> int:
    """SW-18: what of a blow an armor lets through."""
    sub = state.sub(blow.letter)
    armor = state.working(sub, "armor") if sub else None
    return max(0, blow.damage - armor.numbers["less"]) if armor else blow.damage


def strike(turn: Turn, blows: Sequence[Blow]) -> Turn:
    """SW-8, SW-18: blows that fall at one moment; SW-19: every `hit`, then every
    `destroyed`, in the order given."""
    amounts = [Blow(blow.letter, through_armor(turn.state, blow)) for blow in blows]
    return damage(turn, amounts)


def damage(turn: Turn, amounts: Sequence[Blow]) -> Turn:
    """The same of damage that no armor lessens (SW-16)."""
    for blow in amounts:
        if blow.damage:
            sub = turn.sub(blow.letter)
            turn = turn.told(tell.hit(turn.audience(sub), sub.letter, blow.damage))
            turn = turn.at(turn.state.with_sub(changed(sub, hp=max(0, sub.hp - blow.damage))))
    for blow in amounts:
        sub = turn.sub(blow.letter)
        if sub.hp == 0:
            turn = _destroy(turn, sub)
    return turn


def _destroy(turn: Turn, sub: Sub) -> Turn:
    """SW-7, SW-8: it leaves the map; where is for its owner, for everyone if it was surfaced, and
    for the other player if it was their own action: in their turn everything is."""
    owner = turn.state.owner(sub.letter)
    knowing = (owner,) if turn.player == owner else (owner, turn.player)
    side = turn.state.sides[owner]
    held = Sunk(sub.letter, sub.special)
    sunk = tuple(sorted((*side.sunk, held), key=lambda item: item.letter))
    subs = tuple(other for other in side.subs if other.letter != sub.letter)
    state = turn.state.with_side(owner, changed(side, subs=subs, sunk=sunk))
    return turn.at(state).told(tell.destroyed(sub.letter, sub.at, None if sub.up else knowing))


def heal(turn: Turn, letter: str, amount: int) -> Turn:
    """SW-8: never above 5 HP; to gain nothing is no event."""
    sub = turn.sub(letter)
    gained = min(amount, HP - sub.hp)
    if gained == 0:
        return turn
    turn = turn.at(turn.state.with_sub(changed(sub, hp=sub.hp + gained)))
    return turn.told(tell.healed(turn.audience(sub), letter, gained))
