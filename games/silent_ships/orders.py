"""An order file of Silent Ships, judged from its author's view (SS-12, SS-14).

What belongs here: which lines may be together in whose file, and the errors that refuse one. What
it must not know: states. A file that was taken is kept as written: its names get their meaning when
the line is carried out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.game import Illegal, Malformed, OrderError, View, Written
from games.kinds import TEXT, Kind, Reader, once, word
from games.lines import Line, check_size, read_lines
from games.options import Value, did_you_mean
from games.silent_ships.actions import is_attack
from games.silent_ships.cards import LONGEST, NAMES
from games.silent_ships.lines import Command, LineFault
from games.silent_ships.moves import (
    MOST_LINES,
    check,
    is_decision,
    is_last,
    leaves,
    read_command,
    without_offer,
)
from games.silent_ships.notation import STANDING, read_standing
from games.silent_ships.state import Standing
from games.silent_ships.view import Sight, sight_of
from games.silent_ships.word import occasion

MOST_BYTES = 2048
"""The most bytes of an order file's lines in its one rendering, with remarks and blank lines."""


@dataclass(frozen=True, slots=True)
class Orders:
    """A file that was taken: its lines as written, and its standing orders if it holds any.

    `judged`: commands by the numbers of their lines. Each is allowed after the lines before it, and
    its names are whole. In a turn they end with the first attack; in an answer the decision comes
    last. Before they are carried out the opponent can only turn ships up, which forbids no line; so
    they are carried out as they are.
    """

    lines: tuple[str, ...]
    judged: Mapping[int, Command]
    standing: Standing | None


def read(view: View, written: Written) -> Orders:
    """Orders from what a player wrote; raises Malformed or Illegal.

    The form of the whole file is judged first; then its lines in order, each on the view that the
    lines before it leave.
    """
    sight = sight_of(view)
    standing = _standing(written)
    lines = _lines(sight, written.orders)
    if not sight.player:
        raise Illegal(None, "", "expected a player's view: nobody orders from the public one")
    if sight.over is not None:
        raise Illegal(None, "", "the game is over; no orders are taken")
    sight = sight._replace(offers=without_offer(sight.offers, sight.player))
    prompt = sight.prompt
    if prompt is None:
        judged = _beside(sight, lines, standing)
    elif occasion(sight) == "answer":
        judged = _answer(sight, lines, prompt.what)
    else:
        judged = _turn(sight, lines)
    return Orders(_as_written(written.orders), judged, standing)


def _as_written(text: str) -> tuple[str, ...]:
    """The lines as written, with blank ones, so that they keep their numbers."""
    lines = text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return tuple(lines)


def _standing(written: Written) -> Standing | None:
    """The file's standing orders (SS-13), well formed; raises Malformed."""
    for name in written.tables:
        if name != "standing":
            raise Malformed(None, name, "expected no table but `standing`")
    if "standing" not in written.tables:
        return None
    reader = Reader(written.tables["standing"], STANDING, "standing", _malformed)
    return read_standing(reader, once(_SHIP))


def _malformed(key: str, said: str) -> Malformed:
    return Malformed(None, key, f"key {key!r}{said}")


def _read_ship(value: Value) -> str:
    """A ship's whole name, with blanks or hyphens; no longer than the longest, because the size of
    an order file has a bound."""
    name = "-".join(TEXT.read(value).lower().split())
    return word(*NAMES).read(name if len(value) <= LONGEST else value)


_SHIP = Kind("a ship's name", "ships' names", _read_ship)


def _lines(sight: Sight, text: str) -> tuple[tuple[Line, Command], ...]:
    """The lines that count, every one well formed; raises Malformed."""
    check_size(text, MOST_BYTES)
    found: list[tuple[Line, Command]] = []
    for line in read_lines(text):
        try:
            found.append((line, read_command(line)))
        except LineFault as fault:
            raise _error(sight, line, fault) from fault
        if len(found) > MOST_LINES:
            raise line.malformed(f"at most {MOST_LINES} lines, which no turn can use up")
    if not found and sight.prompt is not None:
        raise Malformed(None, "", f"expected a line; asked for is: {sight.prompt.what}")
    return tuple(found)


def _turn(sight: Sight, lines: Sequence[tuple[Line, Command]]) -> dict[int, Command]:
    """Judge lines up to and including the first attack; of later lines, check only that a line that
    must be last is last."""
    judged: dict[int, Command] = {}
    judging = True
    last: Command | None = None
    for line, command in lines:
        if last is not None and is_last(last):
            raise Illegal(line.number, line.text, f"expected nothing after `{last.verb}`")
        last = command
        if judging:
            checked = judged[line.number] = _checked(sight, line, command)
            judging = not is_attack(sight.board, checked)
            sight = leaves(sight, checked) if judging else sight
    return judged


def _answer(sight: Sight, lines: Sequence[tuple[Line, Command]], asked: str) -> dict[int, Command]:
    """Judge an answer: the other lines in order, then the one decision, wherever it is."""
    judged: dict[int, Command] = {}
    decisions: list[tuple[Line, Command]] = []
    resigned = False
    for line, command in lines:
        if resigned:
            raise Illegal(line.number, line.text, "expected nothing after `resign`")
        if is_decision(command):
            decisions.append((line, command))
        else:
            judged[line.number] = _checked(sight, line, command)
            sight = leaves(sight, judged[line.number])
            resigned = is_last(command)
    if not decisions and not resigned:
        raise Illegal(None, "", f"expected a decision: you are asked to {asked}")
    for line, command in decisions:
        judged[line.number] = _checked(sight, line, command)
        first = decisions[0][1]
        # Several supports by ships are one decision.
        if command is not first and not (first.supports and command.supports):
            raise Illegal(line.number, line.text, "expected one decision; this is a second")
        sight = leaves(sight, judged[line.number])
    return judged


def _beside(
    sight: Sight, lines: Sequence[tuple[Line, Command]], standing: Standing | None
) -> dict[int, Command]:
    """Judge the file of a player who is not awaited: it may only turn ships up (SS-14)."""
    if not lines and standing is None:
        raise Illegal(None, "", "you are not awaited: expected `flip` lines or `standing`")
    judged: dict[int, Command] = {}
    for line, command in lines:
        judged[line.number] = _checked(sight, line, command)
        sight = leaves(sight, judged[line.number])
    return judged


def _checked(sight: Sight, line: Line, command: Command) -> Command:
    try:
        return check(sight, command)
    except LineFault as fault:
        raise _error(sight, line, fault) from fault


def _error(sight: Sight, line: Line, fault: LineFault) -> OrderError:
    """The error that refuses the file."""
    kind = Malformed if fault.malformed else Illegal
    return kind(line.number, line.text, fault.expected, _hint(sight, line, fault))


def _hint(sight: Sight, line: Line, fault: LineFault) -> str:
    """A suggestion for a ship's name: one of the hand, or for a swap one of the sunk ships; no
    other."""
    if not fault.word:
        return fault.hint
    return did_you_mean(fault.word, sight.own.sunk if "swap" in line.words else sight.own.hand)
