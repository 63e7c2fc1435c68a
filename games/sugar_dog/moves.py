"""Order lines: from text to moves (form), and whether a move is allowed (legality).

What belongs here: SD-5's commands as values, SD-6's form and legality, the list of legal lines.
What it must not know: the position. Legality is judged from a `View` alone, so that to be refused
tells nobody what they may not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from games.game import After, Choice, Illegal, Malformed, View, Written
from games.grid import HEADINGS, Cell, Heading, read_cell
from games.lines import Line, check_plain, check_size, read_heading, read_lines
from games.options import suggest
from games.sugar_dog.state import board
from games.sugar_dog.view import own_table

MOST_BYTES = 704
"""SD-6: the most bytes that all lines of a file take (`games.lines.check_size`)."""


@dataclass(frozen=True, slots=True)
class Start:
    """`start C4`: where one's submarine begins (SD-2)."""

    at: Cell


@dataclass(frozen=True, slots=True)
class Silent:
    """`silent` or `silent C5`: silent running, staying put or to an adjacent cell."""

    to: Cell | None


@dataclass(frozen=True, slots=True)
class Cruise:
    """`cruise C5` or `cruise C5 C6`: one or two cells, announced."""

    path: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Ping:
    """`ping`: active sonar."""


@dataclass(frozen=True, slots=True)
class Fire:
    """`fire N`: a torpedo, from one's own cell."""

    heading: Heading


@dataclass(frozen=True, slots=True)
class Mine:
    """`mine`: lay one at one's own cell."""


@dataclass(frozen=True, slots=True)
class Resign:
    """`resign`: sink one's own submarine (SD-16)."""


@dataclass(frozen=True, slots=True)
class Draw:
    """`draw`: offer a draw, beside a command (SD-16)."""


Command: TypeAlias = Start | Silent | Cruise | Ping | Fire | Mine | Resign


@dataclass(frozen=True, slots=True)
class Orders:
    """An order file as understood. `line` is the command's; None: nobody wrote it (SD-17)."""

    command: Command
    line: int | None
    draw: bool = False


_FORMS = {
    "silent": "'silent' or 'silent CELL'",
    "cruise": "'cruise CELL' or 'cruise CELL CELL'",
    "ping": "'ping'",
    "fire": "'fire N', 'fire E', 'fire S' or 'fire W'",
    "mine": "'mine'",
    "draw": "'draw'",
    "resign": "'resign'",
    "start": "'start CELL'",
}
_COMMANDS = "silent, cruise, ping, fire, mine or resign (start in the setup)"

_MEANT = {
    "move": "'silent CELL' or 'cruise CELL'",
    "stay": "'silent'",
    "pass": "'silent'",
    "sonar": "'ping'",
    "torpedo": "'fire N'",
    "shoot": "'fire N'",
    "place": "'mine'",
    "lay": "'mine'",
}
"""Words of the published text and of habit that are no commands, and what they stand for."""


def read(view: View, written: Written) -> Orders:
    """SD-6: the orders that a player wrote; the form of the whole file is judged first.

    Raises Malformed for what would be wrong in every position, Illegal for what is wrong in this
    one as far as `view` shows.
    """
    if view.player is None:
        raise Illegal(None, "", "expected a player's view: nobody orders from the public one")
    for name in written.tables:
        raise Malformed(None, name, "no table stands beside the orders of this game")
    check_size(written.orders, MOST_BYTES)
    lines = tuple(read_lines(written.orders))
    moves = _form(lines)
    for line, move in zip(lines, moves, strict=True):
        fault = _fault(view, move, moves)
        if fault is not None:
            raise Illegal(line.number, line.text, fault, _way_out(view, move))
    at = next(at for at, move in enumerate(moves) if not isinstance(move, Draw))
    command = moves[at]
    if isinstance(command, Draw):  # _form has seen a command; this tells the type checker
        raise TypeError(command)
    return Orders(command, lines[at].number, len(moves) > 1)


# The form: what would be wrong in every position.


def _form(lines: Sequence[Line]) -> tuple[Command | Draw, ...]:
    """One command, and at most one `draw` before or after it; raises Malformed."""
    moves: list[Command | Draw] = []
    for line in lines:
        move = _move(line)
        if any(isinstance(other, Draw) == isinstance(move, Draw) for other in moves):
            what = "'draw' once at most" if isinstance(move, Draw) else "one command a turn"
            raise Malformed(line.number, line.text, f"expected {what}")
        moves.append(move)
    if all(isinstance(move, Draw) for move in moves):
        number, text = (lines[0].number, lines[0].text) if lines else (None, "")
        beside = " beside it" if lines else ""
        raise Malformed(number, text, f"expected a command{beside}: {_COMMANDS}")
    return tuple(moves)


def _move(line: Line) -> Command | Draw:
    check_plain(line)
    match line.words:
        case ("start", at):
            return Start(_cell(line, at))
        case ("silent",):
            return Silent(None)
        case ("silent", to):
            return Silent(_cell(line, to))
        case ("cruise", to) | ("cruise", to, _):
            return Cruise(tuple(_cell(line, word) for word in line.words[1:]))
        case ("ping",):
            return Ping()
        case ("fire", word):
            return Fire(read_heading(line, word))
        case ("mine",):
            return Mine()
        case ("resign",):
            return Resign()
        case ("draw",):
            return Draw()
    word = line.words[0]
    if word in _FORMS:
        raise Malformed(line.number, line.text, f"expected {_FORMS[word]}")
    raise Malformed(
        line.number,
        line.text,
        f"expected {_COMMANDS}",
        f"perhaps {_MEANT[word]}" if word in _MEANT else suggest(word, _FORMS)[2:],
    )


def _cell(line: Line, word: str) -> Cell:
    cell = read_cell(word)
    if cell is None:
        raise Malformed(
            line.number,
            line.text,
            f"expected a cell in place of {word[:20]!a}: one or two letters, then a number "
            "from 1 to 999 without a leading zero",
            "for example C4",
        )
    return cell


# Legality: what is wrong in this position, as far as its author can see.


def _fault(view: View, move: Command | Draw, moves: Sequence[Command | Draw]) -> str | None:
    """SD-6: why a move is illegal now, as what was expected; None where it is legal."""
    shown = view.shown
    if "setup" in shown:
        if isinstance(move, Start):
            return _off_map(view, move.at)
        return "expected nothing but 'start CELL' in the setup"
    if shown.get("turn") != view.player:
        return _not_awaited(view)
    match move:
        case Start():
            return "expected a command: the setup is over"
        case Draw():
            beside = next(other for other in moves if other is not move)
            alone = isinstance(beside, Start | Resign)
            return "expected no 'draw' beside 'start' or 'resign'" if alone else None
        case Silent(Cell() as to):
            return _off_map(view, to) or _not_adjacent(_own_cell(view), to)
        case Cruise(path):
            return _bad_path(view, path)
        case Mine():
            left = own_table(view)["left"]
            return None if left else "expected another command: no mine is left"
    return None


def _off_map(view: View, cell: Cell) -> str | None:
    """SD-6: a submarine may not leave the map, nor start outside."""
    on = board(view.setup)
    return None if cell.on(on) else f"expected a cell of the map, A1 to {on.last}"


def _not_adjacent(source: Cell, to: Cell) -> str | None:
    """SD-6: orthogonally next to it; one's own cell is not."""
    if source.distance(to) == 1:
        return None
    return f"expected a cell next to {source}, not diagonally, in place of {to}"


def _bad_path(view: View, path: tuple[Cell, ...]) -> str | None:
    """SD-5: a cruise may turn, and come back."""
    source = _own_cell(view)
    for to in path:
        fault = _off_map(view, to) or _not_adjacent(source, to)
        if fault is not None:
            return fault
        source = to
    return None


def _not_awaited(view: View) -> str:
    turn = view.shown.get("turn")
    if turn is None:
        return "expected nothing: the game is over"
    sunk = "sunk" in own_table(view)
    return "expected nothing: your submarine is sunk" if sunk else f"expected {turn}: not your turn"


def _own_cell(view: View) -> Cell:
    cell = read_cell(own_table(view)["sub"])
    if cell is None:
        raise ValueError(view.shown)
    return cell


def _way_out(view: View, move: Command | Draw) -> str:
    """The lines of the same command that would be legal now, as a hint."""
    word = type(move).__name__.lower()
    lines = [choice.text for choice in _next(view, ()).choices if choice.text.split(" ")[0] == word]
    if not lines or isinstance(move, Draw):
        return ""
    some = ", ".join(lines[:6]) + (", ..." if len(lines) > 6 else "")
    return f"legal now: {some}"


# What may be written next.

_WAYS = {"N": "north", "E": "east", "S": "south", "W": "west"}


def after(view: View, lines: Sequence[str]) -> After:
    """What may come after these lines: a command or `resign`, and a `draw` beside a command.

    Raises ValueError for a line that was not offered.
    """
    for number, line in enumerate(lines):
        if line not in (choice.text for choice in _next(view, lines[:number]).choices):
            raise ValueError(f"{line!a:.80} was not offered after {list(lines[:number])!a:.80}")
    return _next(view, lines)


def _next(view: View, lines: Sequence[str]) -> After:
    if "setup" in view.shown:
        on = board(view.setup)
        starts = (_choice(f"start {cell}", f"begin in {cell}") for cell in on.cells())
        return After(() if lines or view.player is None else tuple(starts), bool(lines))
    if view.player is None or view.shown.get("turn") != view.player:
        return After((), False)
    ordered = [line for line in lines if line != "draw"]
    drawn = len(ordered) < len(lines)
    choices = () if ordered else tuple(_commands(view))
    if not drawn and ordered != ["resign"]:
        choices += (_choice("draw", "offer a draw, beside your command"),)
    if not lines:
        choices += (_choice("resign", "sink your own submarine"),)
    return After(choices, bool(ordered))


def _choice(text: str, label: str) -> Choice:
    return Choice(text, tuple(word for word in text.split(" ") if read_cell(word)), label)


def _commands(view: View) -> Iterator[Choice]:
    """SD-5: every command that is legal now."""
    on, here = board(view.setup), _own_cell(view)
    near = on.adjacent(here)
    yield _choice("silent", "stay put, unheard")
    yield from (_choice(f"silent {cell}", f"creep to {cell}, unheard") for cell in near)
    for first in near:
        yield _choice(f"cruise {first}", f"run to {first}, heard")
        for second in on.adjacent(first):
            yield _choice(f"cruise {first} {second}", f"run to {first} and {second}, heard")
    yield _choice("ping", "hear where everything is; be heard")
    for heading in HEADINGS:
        yield _choice(f"fire {heading}", f"a torpedo {_WAYS[heading]}, heard")
    left = own_table(view)["left"]
    if left:
        yield _choice("mine", f"lay one of {left} left in {here}, unheard")
