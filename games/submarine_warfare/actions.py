"""The order words of a turn, one row for each, and carrying out a line by its row (SW-5, SW-6,
SW-18).

What belongs here: the reasons of SW-6 in their order, the default actions, and the specials that
need an order. What it must not know: whole files, AP left, the end of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.game import Player
from games.grid import HEADINGS, Cell
from games.lines import Line, read_heading
from games.options import did_you_mean
from games.submarine_warfare import collisions
from games.submarine_warfare import events as tell
from games.submarine_warfare.state import BOARD, SCORES, State, Sub
from games.submarine_warfare.table import Special, Specials, specials
from games.submarine_warfare.turn import Blow, Turn, heal, strike, surface


@dataclass(frozen=True, slots=True)
class Aim:
    """The aim after an order word.

    `form`: how it is written, as errors quote it. `read`: the aim that a word of a line names;
    raises Malformed. `choices`: all possible aims in a game with that table, in order.
    """

    form: str
    read: Callable[[Specials, Line, str], str]
    choices: Callable[[Specials], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Word:
    """An order word.

    `aim`: what follows it; None: nothing. `ap`: its cost; None: that in its special's table.
    `label`: what its line does in a few words, with `sub`, `at`, `to` (the cell ahead) and `aim`.
    `carry_out`: carries it out in a turn. `fault`: SW-6's reason why it cannot be carried out; None
    if it can.
    """

    aim: Aim | None
    ap: int | None
    label: str
    carry_out: Callable[[Turn, Sub, Command], None]
    fault: Callable[[Turn, Sub, Command], str | None] = lambda turn, sub, command: None


class Command(NamedTuple):
    """A command to a submarine.

    `verb` is an order word or a special's name, `aim` the heading or the special's name after it,
    or "". `word` is the row of the verb and `ap` its cost, both by the table of the game.
    """

    verb: str
    aim: str
    word: Word
    ap: int


def read_special(table: Specials, line: Line, word: str) -> str:
    """The special that a word of the line names; raises Malformed."""
    if word not in table:
        raise line.malformed(
            f"a special in place of {word[:20]!a}: one of {', '.join(table)}",
            did_you_mean(word, table),
        )
    return word


def _read_heading(table: Specials, line: Line, word: str) -> str:
    return read_heading(line, word)


def _not_nullify(table: Specials) -> Sequence[str]:
    """SW-18: a nullify cannot name a nullify."""
    return [name for name, special in table.items() if special.mechanism != "nullify"]


HEADING = Aim("N' (or E, S, W)", _read_heading, lambda table: HEADINGS)
SPECIAL = Aim("SPECIAL'", read_special, tuple)
NULLIFIED = Aim("SPECIAL'", read_special, _not_nullify)


REASONS: Mapping[str, str] = {
    "destroyed": "another submarine: {0} is destroyed",
    "collided": "no further action of {0}, which collides as the mover in this turn",
    "not-held": "a special that {0} holds at that moment",
    "nullified": "a special of {0} that is not nullified",
    "off-map": "a cell of the map, A1 to G7",
    "scoring-cell": "a cell that does not score",
    "occupied": "a cell where you see no submarine",
    "held": "a special that none of your submarines holds, destroyed ones included",
    "no-target": "a cell where you see a submarine",
}
"""SW-6: why a line cannot be carried out, in the order of the checks, and what would have been
right."""


def word_of(table: Specials, verb: str) -> Word | None:
    """The row of an order word or of a special; None for a special that works by itself."""
    return DEFAULTS[verb] if verb in DEFAULTS else ORDERED.get(table[verb].mechanism)


def command(table: Specials, verb: str, word: Word, aim: str = "") -> Command:
    """The command of a verb, whose row is `word`, with what it costs (SW-5, SW-18)."""
    return Command(verb, aim, word, table[verb].ap if word.ap is None else word.ap)


def reason(turn: Turn, letter: str, command: Command) -> str | None:
    """SW-6: why the line cannot be carried out, the first reason that holds; None if it can.

    `letter` is one of the submarines of the player whose turn it is.
    """
    sub = turn.subs.get(letter)
    if sub is None:
        return "destroyed"
    if letter in turn.collided:
        return "collided"
    if command.verb not in DEFAULTS:
        if sub.special != command.verb:
            return "not-held"
        if command.verb in turn.sides[turn.player].nullified:
            return "nullified"
    return command.word.fault(turn, sub, command)


def carry_out(turn: Turn, letter: str, command: Command) -> None:
    """Carry out a line for which there is no `reason`."""
    command.word.carry_out(turn, turn.subs[letter], command)


def seen_at(state: State, player: Player, cell: Cell) -> Sub | None:
    """SW-6: the submarine in that cell that the player sees: their own, or surfaced now."""
    sub = state.sub_at(cell)
    return sub if sub and (sub.up or state.owner(sub.letter) == player) else None


def _special(turn: Turn, command: Command) -> Special:
    return specials(turn.state.setup)[command.verb]


# What every submarine can do (SW-5).


def _move(turn: Turn, sub: Sub, command: Command) -> None:
    collisions.go(turn, sub.letter, command.aim)


def _move_fault(turn: Turn, sub: Sub, command: Command) -> str | None:
    return None if sub.at.step(command.aim).on(BOARD) else "off-map"


def _surface(turn: Turn, sub: Sub, command: Command) -> None:
    surface(turn, sub.letter)


def _submerge(turn: Turn, sub: Sub, command: Command) -> None:
    """SW-7: told if somebody sees it; nothing happens if it is submerged already (SW-6)."""
    if sub.up:
        turn.subs[sub.letter] = sub.turned(up=False)
        turn.tell(tell.submerged(sub.letter, sub.at))


def _replace(turn: Turn, sub: Sub, command: Command) -> None:
    turn.subs[sub.letter] = sub._replace(special=command.aim)
    turn.tell(tell.replace(turn.audience(sub), sub.letter))


def _replace_fault(turn: Turn, sub: Sub, command: Command) -> str | None:
    """SW-5: destroyed submarines still hold their specials, so nobody can take these."""
    held = [own.special for own in turn.state.fleet(turn.player)]
    held += [sunk.special for sunk in turn.sides[turn.player].sunk]
    return "held" if command.aim in held else None


DEFAULTS: Mapping[str, Word] = {
    "move": Word(HEADING, 1, "{sub} heads for {to}", _move, _move_fault),
    "surface": Word(None, 0, "{sub} surfaces in {at}", _surface),
    "submerge": Word(None, 1, "{sub} submerges in {at}", _submerge),
    "replace": Word(SPECIAL, 2, "{sub} takes {aim}", _replace, _replace_fault),
}
"""SW-5: the order words of every submarine."""


# The specials that are ordered (SW-18).


def _torpedo(turn: Turn, sub: Sub, command: Command) -> None:
    """It hits the first submarine in range that way, friend or foe; there may be none."""
    special = _special(turn, command)
    turn.tell(tell.torpedo(turn.audience(sub), sub.letter, sub.at, command.aim))
    at = sub.at
    for _ in range(special.numbers["range"]):
        at = at.step(command.aim)
        target = turn.state.sub_at(at)
        if target:
            strike(turn, [Blow(target.letter, special.numbers["damage"])])
            break


def _mine(turn: Turn, sub: Sub, command: Command) -> None:
    """It is not placed on a mine, nor on a submarine that its author does not see; the author is
    not told which of them was there."""
    at = sub.at.step(command.aim)
    turn.tell(tell.mine(turn.audience(sub), sub.letter, at))
    if turn.state.mined(at) or turn.state.sub_at(at):
        turn.tell(tell.not_placed(turn.player, at))
    else:
        side = turn.sides[turn.player]
        turn.sides[turn.player] = side._replace(mines=(*side.mines, at))


def _mine_fault(turn: Turn, sub: Sub, command: Command) -> str | None:
    at = sub.at.step(command.aim)
    if not at.on(BOARD):
        return "off-map"
    if at in SCORES:
        return "scoring-cell"
    return "occupied" if seen_at(turn.state, turn.player, at) else None


def _heal(turn: Turn, sub: Sub, command: Command) -> None:
    """SW-7: a player who sees the healer but not the healed submarine is not told the target."""
    target = turn.state.sub_at(sub.at.step(command.aim))
    if target is None:
        raise LookupError(command.aim)
    hidden = sub.up and not target.up
    turn.tell(tell.heal(turn.audience(sub), sub.letter, None if hidden else target.letter))
    if hidden:
        turn.tell(tell.heal_target(turn.player, sub.letter, target.letter))
    heal(turn, target.letter, _special(turn, command).numbers["amount"])


def _heal_fault(turn: Turn, sub: Sub, command: Command) -> str | None:
    at = sub.at.step(command.aim)
    if not at.on(BOARD):
        return "off-map"
    return None if seen_at(turn.state, turn.player, at) else "no-target"


def _sonar(turn: Turn, sub: Sub, command: Command) -> None:
    """It finds letter and cell of every enemy in range, surfaced or not, in the order of
    letters."""
    turn.tell(tell.sonar(turn.audience(sub), sub.letter))
    reach = _special(turn, command).numbers["range"]
    for foe in turn.state.fleet(turn.state.other(turn.player)):
        if foe.at.distance(sub.at) <= reach:
            turn.tell(tell.found(turn.player, foe.letter, foe.at))


def _nullify(turn: Turn, sub: Sub, command: Command) -> None:
    """It lasts until the end of the opponent's next turn, whatever happens to the nullifier."""
    turn.tell(tell.nullify(turn.audience(sub), sub.letter, command.aim))
    other = turn.state.other(turn.player)
    side = turn.sides[other]
    if command.aim not in side.nullified:
        turn.sides[other] = side._replace(nullified=(*side.nullified, command.aim))


def _charge(turn: Turn, sub: Sub, command: Command) -> None:
    """It hits every other submarine on the four adjacent cells, at one moment, in the order N E S
    W."""
    turn.tell(tell.depth_charge(turn.audience(sub), sub.letter, sub.at))
    around = (turn.state.sub_at(sub.at.step(heading)) for heading in HEADINGS)
    damage = _special(turn, command).numbers["damage"]
    strike(turn, [Blow(target.letter, damage) for target in around if target])


ORDERED: Mapping[str, Word] = {
    "torpedo": Word(HEADING, None, "{sub} fires {aim}", _torpedo),
    "mine": Word(HEADING, None, "{sub} lays a mine in {to}", _mine, _mine_fault),
    "heal": Word(HEADING, None, "{sub} heals what is in {to}", _heal, _heal_fault),
    "sonar": Word(None, None, "{sub} listens around {at}", _sonar),
    "nullify": Word(NULLIFIED, None, "{sub} switches the enemy's {aim} off", _nullify),
    "depth-charge": Word(None, None, "{sub} drops charges around {at}", _charge),
}
"""SW-18: the mechanisms of specials that are ordered."""
