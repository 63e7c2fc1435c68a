"""Which orders are legal now, and what may be written next (SD-6).

Legality depends only on the author's view. What it must not know: the position, and any single
order word (`actions`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from games.game import After, Choice, Illegal, View, Written
from games.grid import Cell, read_cell
from games.lines import not_yours, read_lines
from games.sugar_dog.actions import ACTIONS, Command, Cruise, Draw, Fire, Mine, Silent, Start
from games.sugar_dog.lines import OrderLine, read_file, read_line
from games.sugar_dog.state import Fleet, Torpedo
from games.sugar_dog.view import Sight, read_view


class Orders(NamedTuple):
    """An order file as understood. `line` is the command's; None: nobody wrote it (SD-17)."""

    command: Command
    line: int | None
    draw: bool = False


def read(view: View, written: Written) -> Orders:
    """SD-6: the orders that a player wrote; the form of the whole file is judged first.

    Raises Malformed for orders that would be wrong in every position, Illegal for orders that are
    wrong in this one as far as `view` shows.
    """
    sight, lines = read_view(view), read_file(written)
    for read in lines:
        fault = _fault(sight, read, lines)
        if fault is not None:
            raise Illegal(read.line.number, read.line.text, fault, _way_out(sight, read))
    orders = [
        Orders(read.order, read.line.number, draw=len(lines) > 1)
        for read in lines
        if not isinstance(read.order, Draw)
    ]
    return orders[0]


def _fault(sight: Sight, read: OrderLine, lines: Sequence[OrderLine]) -> str | None:
    """SD-6: what was expected instead of an illegal order; None if the order is legal."""
    awaited = _not_awaited(sight)
    if awaited is not None:
        return awaited
    if not sight.begun:
        nothing_but = "expected nothing but 'start CELL' in the setup"
        return read.word.fault(sight, read.order) if read.word.in_setup else nothing_but
    if read.word.in_setup:
        return "expected a command: the setup is over"
    if read.word.beside and any(other.word.alone for other in lines):
        return "expected no 'draw' together with 'resign'"
    return read.word.fault(sight, read.order)


def _not_awaited(sight: Sight) -> str | None:
    """Why nobody may order from this view, in words that may be public; None if its player may."""
    if sight.player is None:
        return "expected a player's view: nobody orders from the public one"
    if not sight.begun or sight.turn == sight.player:
        return None
    if sight.turn is None:
        return "the game is over"
    if sight.player in sight.sunk:
        return "your submarine is sunk"
    return not_yours((sight.turn,))


def _way_out(sight: Sight, read: OrderLine) -> str:
    """As a hint, the lines of the same word that are legal now."""
    lines = [text for text, _ in _offers(sight, read.name)]
    if not lines or read.word.beside:
        return ""
    return f"legal now: {', '.join(lines[:6])}" + (", ..." if len(lines) > 6 else "")


def _offers(sight: Sight, name: str) -> Iterator[tuple[str, str]]:
    """The lines of that word that are legal now, each with what it does."""
    word = ACTIONS[name]
    if _not_awaited(sight) is None and word.in_setup != sight.begun:
        for rest, label in word.offers(sight):
            yield f"{name} {rest}" if rest else name, label


def after(view: View, lines: Sequence[str]) -> After:
    """What may follow these lines: a command, and a `draw` with most commands.

    Raises ValueError for a line that was not offered.
    """
    sight = read_view(view)
    given: list[str] = []
    for line in lines:
        name = line.partition(" ")[0]
        same = [one for one in _names(given) if one == name]
        if line not in (text for one in same for text, _ in _offers(sight, one)):
            raise ValueError(f"{line!a:.80} was not offered after {given!a:.80}")
        given.append(name)
    choices = tuple(
        Choice(text, tuple(named for named in text.split() if read_cell(named)), label)
        for name in _names(given)
        for text, label in _offers(sight, name)
    )
    return After(choices, complete=any(not ACTIONS[name].beside for name in given))


def planned(view: View, lines: Sequence[str]) -> View:
    """`Game.planned`: where one's own pieces will be if nothing is struck. Torpedoes in flight stay
    where they are, because they are on the map."""
    sight = read_view(view)
    own = sight.own
    for order in [read_line(line).order for text in lines for line in read_lines(text)]:
        match order:
            case Start(at):
                own = Fleet(at)
            case Silent(Cell() as to) if own:
                own = own.at(to)
            case Cruise(path) if own:
                own = own.at(path[-1])
            case Fire(heading) if own and own.sub:
                cells = [own.sub.step(heading).step(heading)]
                new = [Torpedo(cell, heading) for cell in cells if cell.on(sight.board)]
                own = own.flying(*own.torpedoes, *new)
            case Mine() if own and own.sub:
                own = Fleet(own.sub, (*own.mines, own.sub), own.left - 1, own.torpedoes)
    return replace(view).beside(sight._replace(own=own))


def _names(given: Sequence[str]) -> list[str]:
    """The words with which a line may begin beside lines of these words."""
    words = [ACTIONS[name] for name in given]
    return [
        name
        for name, word in ACTIONS.items()
        if all(other.beside != word.beside for other in words)
        and not (words and any(other.alone for other in (*words, word)))
    ]
