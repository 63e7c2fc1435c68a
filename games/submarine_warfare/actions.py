"""Carrying out one order line, or saying why it cannot be: in play, and in the trial of a file.

What belongs here: the reasons of SW-6 in their order, the default actions (SW-5) and the specials
that are ordered (SW-18). What it must not know: whole files, AP left, the end of the game.
"""

from __future__ import annotations

from dataclasses import replace

from games.game import Player
from games.grid import HEADINGS, Cell, Heading
from games.submarine_warfare import collisions
from games.submarine_warfare import events as tell
from games.submarine_warfare.lines import Action, Move, Replace, Submerge, Surface, Use
from games.submarine_warfare.state import BOARD, SCORES, State, Sub
from games.submarine_warfare.table import Special, Specials, specials
from games.submarine_warfare.turn import Blow, Turn, heal, strike, surface

REASONS = {
    "destroyed": "a",
    "collided": "b",
    "not-held": "c",
    "nullified": "d",
    "off-map": "e",
    "scoring-cell": "f",
    "occupied": "g",
    "held": "h",
    "no-target": "i",
}
"""SW-6: why a line is void, in the order in which the reasons are looked at, each with the letter
that stands for it in a report."""


def cost(table: Specials, action: Action) -> int:
    """SW-5, SW-18: the action points of one line."""
    match action:
        case Move() | Submerge():
            return 1
        case Surface():
            return 0
        case Replace():
            return 2
        case Use(special):
            return table[special].ap


def reason(turn: Turn, letter: str, action: Action) -> str | None:
    """SW-6: why the line cannot be carried out, the first reason that holds; None if it can.

    `letter` is one of the submarines of the player whose turn it is.
    """
    sub = turn.state.sub(letter)
    if sub is None:
        return "destroyed"
    if letter in turn.collided:
        return "collided"
    match action:
        case Move(heading):
            return None if sub.at.step(heading).on(BOARD) else "off-map"
        case Replace(special):
            return "held" if special in _held(turn.state, turn.player) else None
        case Use():
            return _use_reason(turn, sub, action)
    return None


def _use_reason(turn: Turn, sub: Sub, use: Use) -> str | None:
    """SW-18: of a special; what each mechanism asks for beside."""
    state = turn.state
    if sub.special != use.special:
        return "not-held"
    if use.special in state.sides[turn.player].nullified:
        return "nullified"
    mechanism = specials(state.setup)[use.special].mechanism
    if use.heading is None or mechanism == "torpedo":
        return None
    at = sub.at.step(use.heading)
    if not at.on(BOARD):
        return "off-map"
    if mechanism == "heal":
        return None if seen_at(state, turn.player, at) else "no-target"
    if at in SCORES:
        return "scoring-cell"
    return "occupied" if seen_at(state, turn.player, at) else None


def seen_at(state: State, player: Player, cell: Cell) -> Sub | None:
    """SW-6: the submarine in that cell that the player sees: their own, or surfaced now."""
    sub = state.sub_at(cell)
    return sub if sub and (sub.up or state.owner(sub.letter) == player) else None


def _held(state: State, player: Player) -> tuple[str | None, ...]:
    """SW-5: what one's submarines hold, destroyed ones too."""
    side = state.sides[player]
    return (*(sub.special for sub in side.subs), *(sunk.special for sunk in side.sunk))


def carry_out(turn: Turn, letter: str, action: Action) -> Turn:
    """The turn after a line for which there is no `reason`."""
    sub = turn.sub(letter)
    match action:
        case Move(heading):
            return collisions.go(turn, letter, heading)
        case Surface():
            return surface(turn, (letter,))
        case Submerge():
            return _submerge(turn, sub)
        case Replace(special):
            turn = turn.at(turn.state.with_sub(replace(sub, special=special)))
            return turn.told(tell.replaced(turn.audience(sub), letter))
        case Use():
            return _use(turn, sub, action)


def _submerge(turn: Turn, sub: Sub) -> Turn:
    """SW-5, SW-7: seen happening; nothing where it is submerged already (SW-6)."""
    if not sub.up:
        return turn
    turn = turn.at(turn.state.with_sub(replace(sub, up=False)))
    return turn.told(tell.submerged(sub.letter, sub.at))


def _use(turn: Turn, sub: Sub, use: Use) -> Turn:
    special = specials(turn.state.setup)[use.special]
    if use.heading is not None:
        aimed = {"torpedo": _torpedo, "mine": _mine, "heal": _heal}
        return aimed[special.mechanism](turn, sub, special, use.heading)
    if special.mechanism == "nullify":
        return _nullify(turn, sub, use.named)
    if special.mechanism == "sonar":
        return _sonar(turn, sub, special)
    return _charge(turn, sub, special)


# The specials that are ordered (SW-18).


def _torpedo(turn: Turn, sub: Sub, special: Special, heading: Heading) -> Turn:
    """The first submarine in range that way, friend or foe; there may be none."""
    turn = turn.told(tell.torpedo(turn.audience(sub), sub.letter, sub.at, heading))
    at = sub.at
    for _ in range(special.numbers["range"]):
        at = at.step(heading)
        target = turn.state.sub_at(at)
        if target:
            return strike(turn, (Blow(target.letter, special.numbers["damage"]),))
    return turn


def _mine(turn: Turn, sub: Sub, special: Special, heading: Heading) -> Turn:
    """Not placed on a mine or on a submarine that its author does not see, who is not told
    which."""
    at = sub.at.step(heading)
    turn = turn.told(tell.mine(turn.audience(sub), sub.letter, at))
    state = turn.state
    if state.mined(at) or state.sub_at(at):
        return turn.told(tell.not_placed(turn.player, at))
    side = state.sides[turn.player]
    return turn.at(state.with_side(turn.player, replace(side, mines=(*side.mines, at))))


def _heal(turn: Turn, sub: Sub, special: Special, heading: Heading) -> Turn:
    """SW-7: who sees the healer but not the healed is not told the target."""
    target = turn.state.sub_at(sub.at.step(heading))
    if target is None:
        raise LookupError(heading)
    only = turn.player if sub.up and not target.up else None
    turn = turn.told(tell.heal(turn.audience(sub), sub.letter, target.letter, only))
    return heal(turn, target.letter, special.numbers["amount"])


def _sonar(turn: Turn, sub: Sub, special: Special) -> Turn:
    """Letter and cell of every enemy in range, surfaced or not, by letter."""
    enemies = turn.state.sides[turn.state.other(turn.player)].subs
    near = (foe for foe in enemies if foe.at.distance(sub.at) <= special.numbers["range"])
    return turn.told(
        tell.sonar(turn.audience(sub), sub.letter),
        *(tell.found(turn.player, foe.letter, foe.at) for foe in near),
    )


def _nullify(turn: Turn, sub: Sub, named: str) -> Turn:
    """From now to the end of the opponent's next turn, whatever becomes of the nullifier."""
    turn = turn.told(tell.nullify(turn.audience(sub), sub.letter, named))
    other = turn.state.other(turn.player)
    side = turn.state.sides[other]
    if named in side.nullified:
        return turn
    off = replace(side, nullified=(*side.nullified, named))
    return turn.at(turn.state.with_side(other, off))


def _charge(turn: Turn, sub: Sub, special: Special) -> Turn:
    """Every other submarine on the four adjacent cells, at one moment, N E S W."""
    turn = turn.told(tell.depth_charge(turn.audience(sub), sub.letter, sub.at))
    around = (turn.state.sub_at(sub.at.step(heading)) for heading in HEADINGS)
    damage = special.numbers["damage"]
    return strike(turn, [Blow(target.letter, damage) for target in around if target])
