"""The map of a view: as text in the published frame style, and as SVG, with notes below.

What belongs here: which mark stands in which cell, and what is said of it. What it must not know:
more than the view.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import replace

from games import grid
from games.game import Player, View
from games.grid import Cell, Mark
from games.sugar_dog.state import Fleet
from games.sugar_dog.view import Sight, read_view

COLUMNS = 78
"""The widest that a text map gets where the board allows it."""
_COLOURS = {"s": "#1f4e79", "t": "#b03a2e", "m": "#4a4a4a", "c": "#b7791f"}


def draw(view: View) -> str:
    """`s` own submarine, `t` own torpedo, `m` own mine, `c` the last contact of another player.

    The public map has a `c` for every player, and nothing else.
    """
    sight = read_view(view)
    on = sight.board
    margin = len(str(on.rows)) + 2
    widths = (width for width in (3, 2, 1) if margin + (width + 1) * on.columns <= COLUMNS)
    marks = {mark.cell: mark.text for mark in _marks(sight)}
    below = "".join(f"{note}\n" for note in _notes(sight, COLUMNS))
    return f"{grid.frame(on, marks, next(widths, 3))}\n{below}"


def svg(view: View) -> str:
    """The same map as one SVG document, torpedoes with an arrow for their heading."""
    sight = read_view(view)
    whose = "what everybody knows" if sight.player is None else f"{sight.player}'s map"
    width = max(44, sight.board.columns * grid.PITCH // 9)
    return grid.svg(
        sight.board, _marks(sight), f"Sugar Dog: {whose}, {_when(sight)}", _notes(sight, width)
    )


def _when(sight: Sight) -> str:
    if not sight.begun:
        return "setup"
    return "the end" if sight.turn is None else f"turn {sight.n}, {sight.turn} to order"


# Marks.


def _marks(sight: Sight) -> tuple[Mark, ...]:
    """One mark a cell: of several in it the first of s, t, m, c, with the titles of them all.

    A torpedo is named for its heading and its lane, so the name stays with it as it runs. Of two
    of one name the first alone has it.
    """
    marks: dict[Cell, Mark] = {}
    names: set[str] = set()
    for mark in _things(sight):
        first = marks.get(mark.cell)
        if first is not None:
            marks[mark.cell] = replace(first, title=f"{first.title}; {mark.title}")
            continue
        marks[mark.cell] = mark if mark.id not in names else replace(mark, id="")
        names.add(mark.id)
    return tuple(marks.values())


def _things(sight: Sight) -> Iterator[Mark]:
    """All that is to be seen, in the order of s, t, m, c."""
    own, owner = sight.own or Fleet(None), sight.player
    if own.sub:
        yield _mark(own.sub, "s", f"{owner}'s submarine", "submarine")
    for torpedo in own.torpedoes:
        cell, way = torpedo.cell, torpedo.heading
        lane = grid.column_name(cell.column) if way in ("N", "S") else cell.row
        mark = _mark(cell, "t", f"{owner}'s torpedo, heading {way}", f"torpedo-{way}-{lane}")
        yield replace(mark, heading=way)
    for cell in own.mines:
        yield _mark(cell, "m", f"{owner}'s mine", f"mine-{cell}")
    for player in sight.setup.players:
        if player != owner and player in sight.contacts:
            at = sight.contacts[player]
            yield _mark(at, "c", f"last contact of {player}", f"contact-{player}")


def _mark(cell: Cell, text: str, title: str, name: str) -> Mark:
    return Mark(cell, text, _COLOURS[text], title, id=name)


# Notes.


def _notes(sight: Sight, width: int) -> tuple[str, ...]:
    """What the map does not say: whose turn it is, and of each player what is known, in ASCII."""
    if not sight.begun:
        return ("Everybody picks a cell to start from.",)
    whose = f"Turn {sight.n}: {sight.turn}." if sight.turn else "The game is over."
    most = sight.setup.options["quiet"]
    lines = [f"{whose} Quiet: {sight.quiet} of {most}." if most else whose]
    for player in sight.setup.players:
        lines += textwrap.wrap(
            f"{player}: {', '.join(_known(sight, player))}.", width, subsequent_indent="  "
        )
    return tuple(lines)


def _known(sight: Sight, player: Player) -> Iterator[str]:
    if player in sight.sunk:
        yield "sunk"
    if player in sight.offers:
        yield "offers a draw"
    if player == sight.player and sight.own is not None:
        own = sight.own
        if own.sub:
            yield f"s {own.sub}"
        yield from (f"t {torpedo}" for torpedo in own.torpedoes)
        yield from (f"m {cell}" for cell in own.mines)
        yield f"mines left {own.left}"
    if player in sight.misses:
        yield f"deadlines missed {sight.misses[player]}"
    heard = sight.contacts.get(player)
    yield f"last heard in {heard}" if heard else "never heard"
