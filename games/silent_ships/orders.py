"""An order file of Silent Ships, judged from its author's view (SS-12, SS-14).

What belongs here: which lines may stand together in whose file, and the errors that refuse one.
What it must not know: states. A file that was taken is kept as written: names in it mean what
they mean when their line's time comes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from games.game import Illegal, Malformed, OrderError, View, Written
from games.lines import check_size
from games.options import suggest
from games.silent_ships.lines import (
    DECISIONS,
    LAST,
    Line,
    Refused,
    read_line,
    read_standing,
)
from games.silent_ships.moves import check, is_attack, left
from games.silent_ships.state import Standing
from games.silent_ships.view import Sight, sight_of

MOST_LINES = 32
"""More than any turn can use: 22 ships played, moved and turned up, a swap, an offer, the end."""

MOST_BYTES = 2048
"""What the lines of an order file may take in its one rendering, remarks and blank ones too."""


@dataclass(frozen=True, slots=True)
class Orders:
    """A file that was taken: its lines as written, and its standing orders if it holds any."""

    lines: tuple[str, ...] = ()
    standing: Standing | None = None


def read(view: View, written: Written) -> Orders:
    """Orders from what a player wrote; raises Malformed or Illegal.

    The form of the whole file is judged first, then its lines in order, each on what those before
    it leave of the view.
    """
    sight = sight_of(view)
    orders = _form(sight, written)
    if sight.over is not None:
        raise Illegal(None, "", "the game is over; no orders are taken")
    lines = [(number, text) for number, text in enumerate(orders.lines, 1) if _says(text)]
    prompt = sight.prompt
    if prompt is None:
        _beside(sight, orders, lines)
        return orders
    if not lines:
        raise Malformed(None, written.orders[:80], f"expected a line; asked for is: {prompt.what}")
    fresh = tuple(player for player in sight.offers if player != sight.player)
    sight = replace(sight, offers=fresh)
    if prompt.what in ("setup", "turn"):
        _turn(sight, lines)
    else:
        _answer(sight, lines)
    return orders


def split(text: str) -> tuple[str, ...]:
    """The lines as written, blank ones too, so that they keep their numbers."""
    lines = text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return tuple(lines)


def _says(text: str) -> bool:
    return bool(text.partition("#")[0].split())


def _form(sight: Sight, written: Written) -> Orders:
    """The file's lines and standing orders, every one well formed; raises Malformed."""
    standing = None
    for name, table in written.tables.items():
        if name != "standing" or not isinstance(table, Mapping):
            raise Malformed(None, name, "expected no table but `standing`")
        try:
            standing = read_standing(table)
        except Refused as refused:
            raise Malformed(None, "standing", refused.expected, refused.hint) from refused
    check_size(written.orders, MOST_BYTES)
    lines = split(written.orders)
    count = 0
    for number, text in enumerate(lines, 1):
        try:
            line = read_line(text)
        except Refused as refused:
            raise _error(sight, number, text, refused) from refused
        count += line is not None
        if count > MOST_LINES:
            raise Malformed(
                number, text, f"expected at most {MOST_LINES} lines, which no turn can use up"
            )
    return Orders(lines, standing)


def _turn(sight: Sight, lines: list[tuple[int, str]]) -> None:
    """Judge a turn's lines up to and including the first attack; after it only the last's place."""
    judging = True
    last: Line | None = None
    for number, text in lines:
        if last is not None and last.verb in (*LAST, "start"):
            raise Illegal(number, text, f"expected nothing after `{last.verb}`")
        try:
            last = read_line(text)
            if last is None or not judging:
                continue
            line = check(sight, last)
        except Refused as refused:
            raise _error(sight, number, text, refused) from refused
        if sight.turn is None and line.verb != "start":
            raise Illegal(number, text, "expected `start`, the one line of the setup")
        judging = not is_attack(sight, line)
        if judging:
            sight = left(sight, line)


def _answer(sight: Sight, lines: list[tuple[int, str]]) -> None:
    """Judge an answer: lines beside it in order, then the one decision, wherever it stands."""
    decisions: list[tuple[int, str, Line]] = []
    resigned = False
    for number, text in lines:
        if resigned:
            raise Illegal(number, text, "expected nothing after `resign`")
        try:
            line = read_line(text)
            if line is None:
                continue
            if line.verb in DECISIONS:
                decisions.append((number, text, line))
                continue
            sight = left(sight, check(sight, line))
        except Refused as refused:
            raise _error(sight, number, text, refused) from refused
        resigned = line.verb == "resign"
    if not decisions and not resigned:
        what = sight.prompt.what if sight.prompt else ""
        raise Illegal(None, lines[-1][1], f"expected a decision: you are asked to {what}")
    first = decisions[0][2] if decisions else None
    for number, text, line in decisions:
        try:
            checked = check(sight, line)
            if line is not first and not _together(first, line):
                raise Illegal(number, text, "expected one decision; this is a second")
            sight = left(sight, checked)
        except Refused as refused:
            raise _error(sight, number, text, refused) from refused


def _together(first: Line | None, line: Line) -> bool:
    """Whether both are supports by ships, which make one decision together."""
    return bool(first is not None and first.supports and line.supports)


def _beside(sight: Sight, orders: Orders, lines: list[tuple[int, str]]) -> None:
    """Judge the file of a player who is not awaited: ships turned up, nothing else (SS-14)."""
    if not lines and orders.standing is None:
        raise Illegal(None, "", "you are not awaited: expected `flip` lines or `standing`")
    for number, text in lines:
        try:
            line = read_line(text)
            if line is None:
                continue
            if line.verb != "flip":
                raise Illegal(number, text, "you are not awaited: expected `flip` lines only")
            sight = left(sight, check(sight, line))
        except Refused as refused:
            raise _error(sight, number, text, refused) from refused


def _error(sight: Sight, number: int, text: str, refused: Refused) -> OrderError:
    """The error that refuses the file. Ships are suggested from the hand; for a swap, the sunk."""
    hint = refused.hint
    if refused.word:
        swap = text.lower().split()[:1] == ["swap"]
        hint = suggest(refused.word, sight.mine.sunk if swap else sight.own.hand)
    kind = Malformed if refused.malformed else Illegal
    return kind(number, text, refused.expected, hint.lstrip("; "))
