"""The order words of Sugar Dog, one row for each (SD-2, SD-5, SD-16).

What belongs here: the orders as values, and for each its forms, its legality and the lines that are
legal now. Legality depends only on a `Sight`, so that a refusal tells nobody what they may not
know. What it must not know: what an order does (`rules`), and how lines are read (`lines`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from games.grid import HEADINGS, Cell, Heading
from games.lines import off_board
from games.sugar_dog.state import Fleet
from games.sugar_dog.view import Sight

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


class Word(NamedTuple):
    """An order word: everything except the rule that carries it out, which is in `rules`.

    `forms`: what may follow it, with `CELL` and `HEADING` as blanks. `make`: the order, from the
    cells and headings in the blanks, in order. `offers`: what may follow it now, with what each
    line does, for a player on turn. `fault`: what is wrong with an illegal order, as far as its
    author sees; None if it is legal. `habits`: other words that people write for it.
    `in_setup`: it is written only in the setup. `beside`: it comes with a command. `alone`: nothing
    may come with it.
    """

    forms: tuple[str, ...]
    make: Callable[..., Any]
    offers: Callable[[Sight], Iterable[tuple[str, str]]]
    fault: Callable[[Sight, Any], str | None] = lambda sight, order: None
    habits: tuple[str, ...] = ()
    in_setup: bool = False
    beside: bool = False
    alone: bool = False

    def expected(self, name: str) -> str:
        """The forms of the word `name` in quotes, every heading spelt out."""
        spelt = [
            form.replace("HEADING", heading)
            for form in self.forms
            for heading in (HEADINGS if "HEADING" in form else ("",))
        ]
        *others, last = [f"'{name} {rest}'" if rest else f"'{name}'" for rest in spelt]
        return f"{', '.join(others)} or {last}" if others else last


def _sea(sight: Sight) -> tuple[Fleet, Cell]:
    """The fleet and the cell of the player whose turn it is."""
    if sight.own is None or sight.own.sub is None:
        raise ValueError(f"{sight.player} has no submarine to order")
    return sight.own, sight.own.sub


def _off_map(sight: Sight, cell: Cell) -> str | None:
    """SD-6: a submarine may neither leave the map nor start outside it."""
    on = sight.board
    return None if cell.on(on) else off_board(cell, on)


def _bad_step(sight: Sight, source: Cell, to: Cell) -> str | None:
    """SD-6: a move leads to a cell of the map that is orthogonally next; one's own cell is not."""
    fault = _off_map(sight, to)
    if fault is None and source.distance(to) != 1:
        return f"expected a cell next to {source}, not diagonally, in place of {to}"
    return fault


Offers: TypeAlias = Iterator[tuple[str, str]]
"""What may follow a word, and what the line does."""


def _starts(sight: Sight) -> Offers:
    return ((str(cell), f"begin in {cell}") for cell in sight.board.cells())


def _bad_start(sight: Sight, order: Start) -> str | None:
    return _off_map(sight, order.at)


def _silents(sight: Sight) -> Offers:
    yield "", "stay put, unheard"
    for cell in sight.board.adjacent(_sea(sight)[1]):
        yield str(cell), f"creep to {cell}, unheard"


def _bad_silent(sight: Sight, order: Silent) -> str | None:
    return None if order.to is None else _bad_step(sight, _sea(sight)[1], order.to)


def _cruises(sight: Sight) -> Offers:
    on = sight.board
    for first in on.adjacent(_sea(sight)[1]):
        yield str(first), f"run to {first}, heard"
        for second in on.adjacent(first):
            yield f"{first} {second}", f"run to {first} and {second}, heard"


def _bad_cruise(sight: Sight, order: Cruise) -> str | None:
    """SD-5: a cruise may turn, and come back."""
    sources = (_sea(sight)[1], *order.path)
    faults = (_bad_step(sight, at, to) for at, to in zip(sources, order.path, strict=False))
    return next((fault for fault in faults if fault is not None), None)


_WAYS: Mapping[Heading, str] = {"N": "north", "E": "east", "S": "south", "W": "west"}


def _fires(sight: Sight) -> Offers:
    return ((heading, f"a torpedo {_WAYS[heading]}, heard") for heading in HEADINGS)


def _mines(sight: Sight) -> Offers:
    own, here = _sea(sight)
    if own.left:
        yield "", f"lay one of {own.left} left in {here}, unheard"


def _no_mine(sight: Sight, order: Mine) -> str | None:
    return None if _sea(sight)[0].left else "expected another command: no mine is left"


def _just(label: str) -> Callable[[Sight], Offers]:
    return lambda sight: iter([("", label)])


def _along(*path: Cell) -> Cruise:
    return Cruise(path)


_CRUISE = ("CELL", "CELL CELL")

ACTIONS: Mapping[str, Word] = {
    "silent": Word(("", "CELL"), Silent, _silents, _bad_silent, habits=("stay", "pass", "move")),
    "cruise": Word(_CRUISE, _along, _cruises, _bad_cruise, habits=("move", "run")),
    "ping": Word(("",), Ping, _just("hear where everything is; be heard"), habits=("sonar",)),
    "fire": Word(("HEADING",), Fire, _fires, habits=("torpedo", "shoot")),
    "mine": Word(("",), Mine, _mines, _no_mine, habits=("lay", "place")),
    "draw": Word(("",), Draw, _just("offer a draw, with your command"), beside=True),
    "resign": Word(("",), Resign, _just("sink your own submarine"), alone=True),
    "start": Word(("CELL",), Start, _starts, _bad_start, in_setup=True),
}
"""Every order word, in the order in which its lines are offered."""
