"""Order files of Sugar Dog: the order words, a row each; which files are legal now, and what may be
written next (SD-2, SD-5, SD-6, SD-16).

Legality depends only on what the author sees, so that a refusal tells nobody what they may not
know. The form of a file is the same in every position. What an order does to the position is in
`rules`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from games.game import After, Choice, Illegal, Malformed, View, Written
from games.grid import HEADINGS, Cell, Heading
from games.news import joined
from games.orders import (
    Blank,
    Line,
    Verb,
    Word,
    Words,
    check_size,
    not_yours,
    off_board,
    offered,
    read_heading,
    read_lines,
    read_named_cell,
    read_word,
)
from games.sugar_dog.notation import read_view
from games.sugar_dog.state import Fleet, State, Torpedo, run

MOST_BYTES = 704
"""SD-6: the most bytes that all lines of a file take (`games.orders.check_size`)."""

# The orders. Only their types tell them apart: as tuples, `Ping()` and `Mine()` are equal.


class Start(NamedTuple):
    """`start C4`: the submarine begins there (SD-2)."""

    at: Cell


class Silent(NamedTuple):
    """`silent` or `silent C5`: silent running, in place or to an adjacent cell."""

    to: Cell | None = None


class Cruise(NamedTuple):
    """`cruise C5` or `cruise C5 C6`: one or two cells, announced."""

    path: tuple[Cell, ...]


class Ping(NamedTuple):
    """`ping`: active sonar."""


class Fire(NamedTuple):
    """`fire N`: a torpedo from one's own cell."""

    heading: Heading


class Mine(NamedTuple):
    """`mine`: lay one at one's own cell."""


class Resign(NamedTuple):
    """`resign`: sink one's own submarine (SD-16)."""


class Draw(NamedTuple):
    """`draw`: offer a draw, with a command (SD-16)."""


Command: TypeAlias = Start | Silent | Cruise | Ping | Fire | Mine | Resign
Order: TypeAlias = Command | Draw


# What is wrong with an order.


def _sea(seen: State) -> tuple[Fleet, Cell]:
    """The fleet and the cell of the player whose turn it is."""
    if seen.own is None or seen.own.sub is None:
        raise ValueError(f"{seen.player} has no submarine to order")
    return seen.own, seen.own.sub


def _off_map(seen: State, cell: Cell) -> str | None:
    """SD-6: a submarine may neither leave the map nor start outside it."""
    return None if cell.on(seen.board) else off_board(cell, seen.board)


def _bad_way(seen: State, path: Iterable[Cell]) -> str | None:
    """SD-5, SD-6: each step leads to a cell of the map that is orthogonally next; one's own cell is
    not. A way may turn, and come back."""
    source = _sea(seen)[1]
    for to in path:
        if fault := _off_map(seen, to):
            return fault
        if source.distance(to) != 1:
            return f"expected a cell next to {source}, not diagonally, in place of {to}"
        source = to
    return None


# What an order does, and what the others hear of it.


def _does(seen: State, says: str, heard: str, to: Sequence[Cell] = (), **more: Any) -> Choice:
    sub = seen.own.sub if seen.own else None
    return Choice("", tuple(map(str, to)), says, here=str(sub or ""), heard=heard, **more)


def _unheard(seen: State) -> str:
    return f"{_others(seen)} will hear nothing."


def _contacts(seen: State, cells: Sequence[Cell]) -> str:
    """What others hear of something that enters these cells (SD-7)."""
    places = joined(f"in {cell}" for cell in cells)
    return f"{_others(seen)} will hear a contact {places}."


def _others(seen: State) -> str:
    """The one other player, or all of them."""
    others = [name for name in seen.setup.players if name != seen.player]
    return others[0] if len(others) == 1 else "The others"


def _meets(seen: State, way: Sequence[Cell]) -> str:
    """What of one's own lies first on that way, or "". SD-4: a torpedo has run by then."""
    own = _sea(seen)[0]
    ends = [run(seen.board, torpedo)[1:] for torpedo in own.torpedoes]
    for at in way:
        if at in own.mines:
            return f"Your own mine lies in {at}"
        if (at,) in ends:
            return f"Your own torpedo is in {at} by then"
    return ""


def _runs(seen: State, order: Cruise) -> Choice:
    path, met = order.path, _meets(seen, order.path)
    says = f"Run to {', then '.join(map(str, path))}."
    warns = f"{met}: it would sink you." if met else ""
    return _does(seen, says, _contacts(seen, path), path, goes=True, warns=warns)


_WAYS = {"N": "north", "E": "east", "S": "south", "W": "west"}


def _fires(seen: State, order: Fire) -> Choice:
    way = run(seen.board, Torpedo(_sea(seen)[1], order.heading))
    heard = _contacts(seen, way) if way else "It leaves the map at once."
    reach, met = tuple(map(str, way[1:])), _meets(seen, way)
    warns = f"{met}: your shot would destroy it." if met else ""
    says = f"Fire {_WAYS[order.heading]}."
    return _does(seen, says, heard, way[:1], reach=reach, warns=warns)


# The words.


_PLACE = Blank(("CELL",), read_named_cell, lambda seen, before: seen.board.cells())
_NEXT = Blank(
    ("CELL",),
    read_named_cell,
    lambda seen, before: seen.board.adjacent(before[-1] if before else _sea(seen)[1]),
)
_HEADING = Blank(HEADINGS, read_heading, lambda seen, before: HEADINGS)

ORDERS: Words = {
    "stay": Word(
        "silent",
        Verb("Stay", "wait and listen", "anchor", False, about="silent"),
        Silent,
        lambda seen, order: _does(seen, f"Stay in {_sea(seen)[1]}.", _unheard(seen)),
        habits=("stay", "pass", "move"),
    ),
    "creep": Word(
        "silent",
        Verb("Creep", "one cell; it meets nothing", "step", False, about="silent"),
        Silent,
        lambda seen, order: _does(
            seen, f"Creep to {order.to}.", _unheard(seen), (order.to,), goes=True
        ),
        (_NEXT,),
        fault=lambda seen, order: _bad_way(seen, (order.to,)),
    ),
    "run": Word(
        "cruise",
        Verb("Run", "one or two cells; a crash sinks both", "run", True, about="cruise"),
        lambda *path: Cruise(path),
        _runs,
        (_NEXT, _NEXT),
        least=1,
        fault=lambda seen, order: _bad_way(seen, order.path),
        habits=("move", "run"),
    ),
    "ping": Word(
        "ping",
        Verb("Ping", "find everything", "sonar", True),
        Ping,
        lambda seen, order: _does(
            seen, f"Ping from {_sea(seen)[1]}.", f"{_others(seen)} will hear where you are."
        ),
        habits=("sonar",),
    ),
    "fire": Word(
        "fire",
        Verb("Fire", "a torpedo, two cells each turn", "torpedo", True),
        Fire,
        _fires,
        (_HEADING,),
        habits=("torpedo", "shoot"),
    ),
    "mine": Word(
        "mine",
        Verb("Mine", "leave one here", "mine", False),
        Mine,
        lambda seen, order: _does(seen, f"Lay a mine in {_sea(seen)[1]}.", _unheard(seen)),
        fault=lambda seen, order: (
            None if _sea(seen)[0].left else "expected another command: no mine is left"
        ),
        habits=("lay", "place"),
    ),
    "draw": Word(
        "draw",
        Verb("Offer a draw too", "with your command", role="beside"),
        Draw,
        lambda seen, order: Choice("", says="Offer a draw."),
    ),
    "resign": Word(
        "resign",
        Verb("Resign", "sink your own submarine", role="give-up"),
        Resign,
        lambda seen, order: Choice("", says="Sink your own submarine."),
    ),
    "start": Word(
        "start",
        Verb("Start", "any cell; nobody is told", "anchor", False, asks="Place your submarine"),
        Start,
        lambda seen, order: Choice(
            "", (str(order.at),), f"Start in {order.at}.", heard="Nobody is told where."
        ),
        (_PLACE,),
        fault=lambda seen, order: _off_map(seen, order.at),
        setup=True,
    ),
}
"""Every order word, in the order in which its lines are offered."""
VERBS = {
    name: ORDERS[name].button
    for name in ("creep", "run", "fire", "mine", "ping", "stay", "start", "draw", "resign")
}
"""`Game.verbs`: in the order of the buttons."""


def _beside(verb: str) -> bool:
    """Whether lines of that kind come with a command, and are none."""
    return ORDERS[verb].button.role == "beside"


def _alone(verb: str) -> bool:
    return ORDERS[verb].button.role == "give-up"


# A file.


class Orders(NamedTuple):
    """An order file as understood. `line` is the command's; None: nobody wrote it (SD-17)."""

    command: Command
    line: int | None
    draw: bool = False


class _Read(NamedTuple):
    """An order line as understood: its verb and its order."""

    line: Line
    verb: str
    order: Any


def read(view: View, written: Written) -> Orders:
    """SD-6: the orders that a player wrote; the form of the whole file is judged first.

    Raises Malformed for orders that would be wrong in every position, Illegal for orders that are
    wrong in this one as far as `view` shows.
    """
    seen, file = read_view(view), read_file(written)
    for one in file:
        fault = _fault(seen, one, file)
        if fault is not None:
            raise Illegal(one.line.number, one.line.text, fault, _way_out(seen, one))
    (command,) = [one for one in file if not _beside(one.verb)]
    return Orders(command.order, command.line.number, draw=len(file) > 1)


def read_file(written: Written) -> Sequence[_Read]:
    """One command, and at most one `draw` before or after it; raises Malformed."""
    check_size(written.orders, MOST_BYTES)
    file: list[_Read] = []
    for line in read_lines(written.orders):
        verb, order = read_word(ORDERS, line)
        if any(_beside(other.verb) == _beside(verb) for other in file):
            one = "'draw' once at most" if _beside(verb) else "one order a turn"
            raise line.malformed(f"{one}: this is the second")
        file.append(_Read(line, verb, order))
    if not file:
        raise Malformed(None, "", f"expected an order: {_COMMANDS}")
    if all(_beside(one.verb) for one in file):
        raise file[0].line.malformed(f"another order with it: {_COMMANDS}")
    return file


_COMMANDS = "silent, cruise, ping, fire, mine or resign (start in the setup)"


def _fault(seen: State, one: _Read, file: Sequence[_Read]) -> str | None:
    """SD-6: what was expected instead of an illegal order; None if the order is legal."""
    word, awaited = ORDERS[one.verb], _not_awaited(seen)
    if awaited is not None:
        return awaited
    if word.setup and seen.begun:
        return "expected a command: the setup is over"
    if not word.setup and not seen.begun:
        return "expected nothing but 'start CELL' in the setup"
    if _beside(one.verb) and any(_alone(other.verb) for other in file):
        return "expected no 'draw' together with 'resign'"
    return word.fault(seen, one.order)


def _not_awaited(seen: State) -> str | None:
    """Why nobody may order from this view, in words that may be public; None if its player may."""
    if seen.player is None:
        return "expected a player's view: nobody orders from the public one"
    if not seen.begun or seen.turn == seen.player:
        return None
    if seen.turn is None:
        return "the game is over"
    if seen.player not in seen.survivors:
        return "your submarine is sunk"
    return not_yours((seen.turn,))


def _way_out(seen: State, one: _Read) -> str:
    """As a hint, the lines of the same word that are legal now."""
    if _beside(one.verb):
        return ""
    first = ORDERS[one.verb].written
    lines = [
        choice.text
        for verb, word in ORDERS.items()
        if word.written == first
        for choice in _legal(seen, verb)
    ]
    more = ", ..." if len(lines) > 6 else ""
    return f"legal now: {', '.join(lines[:6])}{more}" if lines else ""


# What may come next.


def _legal(seen: State, verb: str) -> Iterable[Choice]:
    """The lines of that kind that are legal now."""
    if _not_awaited(seen) is None and ORDERS[verb].setup != seen.begun:
        return offered(ORDERS, verb, seen)
    return ()


def after(view: View, lines: Sequence[str]) -> After:
    """What may follow these lines: a command, and a `draw` with most commands.

    Raises ValueError for a line that was not offered.
    """
    seen = read_view(view)
    given: list[str] = []
    for line in lines:
        found = [one.verb for one in _beyond(seen, given) if one.text == line]
        if not found:
            raise ValueError(f"{line!a:.80} was not offered after {given!a:.80}")
        given += found
    return After(tuple(_beyond(seen, given)), complete=not all(map(_beside, given)))


def _beyond(seen: State, given: Sequence[str]) -> Iterable[Choice]:
    """The lines that may be written beside lines of these kinds."""
    for verb in ORDERS:
        fits = all(_beside(other) != _beside(verb) for other in given)
        if fits and not (given and any(map(_alone, (*given, verb)))):
            yield from _legal(seen, verb)


def planned(view: View, lines: Sequence[str]) -> View:
    """`Game.planned`: where one's own pieces will be if nothing is struck. Torpedoes in flight stay
    where they are, because they are on the map."""
    seen = read_view(view)
    own = seen.own
    for order in [read_word(ORDERS, line)[1] for text in lines for line in read_lines(text)]:
        match order:
            case Start(at):
                own = Fleet(at)
            case Silent(Cell() as to) if own:
                own = own.at(to)
            case Cruise(path) if own:
                own = own.at(path[-1])
            case Fire(heading) if own and own.sub:
                flown = run(seen.board, Torpedo(own.sub, heading))[1:]
                new = [Torpedo(cell, heading) for cell in flown]
                own = own.flying(*own.torpedoes, *new)
            case Mine() if own and own.sub:
                own = Fleet(own.sub, (*own.mines, own.sub), own.left - 1, own.torpedoes)
    fleets = seen.fleets if own is None else {**seen.fleets, str(seen.player): own}
    return replace(view).beside(seen._replace(fleets=fleets))
