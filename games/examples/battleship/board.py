"""What a player works out, and what is shown: both seas on one board, with how likely a shot at
each cell hits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from games.chart import Chart, Ground, Piece, Sign
from games.game import Brief, Deductions, Player, Setup, Table, View
from games.grid import Board, Cell
from games.picture import written
from games.screen import Sideline

from .fleet import BOARD, LENGTHS, MISS, SIDE, State, places, read_view

MARKS: Mapping[str, str] = {
    "carrier": "C", "battleship": "B", "cruiser": "R", "submarine": "S", "destroyer": "D",
}  # fmt: skip
COLOURS: Mapping[str, tuple[str, str]] = {
    "mine": ("#d3ebe0", "#173330"),
    "missed": ("#f4f7f9", "#2b3e4c"),
    "likely": ("#f0dfb4", "#3f3a1c"),
    "likeliest": ("#f5c968", "#5c4a14"),
}
"""This game's own grounds, by day and by night."""


# What a player works out.


def deduced(view: View, heard: Sequence[Table], before: Deductions | None = None) -> Deductions:
    """Where each ship of the other's can be. Remembered is for each cell, in thousandths, how
    likely a shot hits: if each ship is equally likely in each of its places, whatever the others
    do. All of it follows from the view, which shows every shot."""
    state = read_view(view)
    if view.player is None or not state.turn:
        return Deductions()
    other = state.other(view.player)
    can = {name: places(state, other, name) for name in LENGTHS}
    shots = {shot.cell for shot in state.sea(other).shots}
    likely = Counter({cell: 0 for cell in state.cells(other) if cell not in shots})
    for ships in can.values():
        covers = Counter(cell for ship in ships for cell in ship.cells if cell not in shots)
        likely.update({cell: 1000 * many // len(ships) for cell, many in covers.items()})
    may = {f"{other}'s {name}": [str(ship) for ship in ships] for name, ships in can.items()}
    return Deductions(may, memory=likely)


def truth(state: State, player: Player) -> dict[str, str]:
    """`Game.truth`: where the other's ships are."""
    other = state.other(player)
    fleet = state.sea(other).fleet if state.turn else ()
    return {f"{other}'s {ship.name}": str(ship) for ship in fleet}


# The board.


def chart(view: View) -> Chart:
    """`Game.chart`: both seas, or one's own while fleets are placed."""
    return _chart(read_view(view), view.player)


def chart_whole(state: State) -> Chart:
    """`Game.chart_whole`."""
    return _chart(state, None)


def chart_known(view: View, known: Deductions) -> Chart:
    """`Game.chart_known`: with the cells where a shot likely hits."""
    found, likely = chart(view), known.memory
    if not likely:
        return found
    most = max(likely.values())
    grounds = {
        cell: Ground("likeliest" if chance == most else "likely", "+" * (chance == most),
                     f"a shot hits by about {min(100, chance // 10)} %")
        for cell, chance in likely.items() if chance * 2 > most
    }  # fmt: skip
    sign = Sign("a shot likely hits", "+", ground="likeliest")
    return found._replace(grounds={**(found.grounds or {}), **grounds}, signs=(*found.signs, sign))


def _chart(state: State, player: Player | None) -> Chart:
    pieces: list[Piece] = []
    grounds: dict[Cell, Ground] = {}
    for owner in state.setup.players:
        own = owner == (player or state.setup.players[0])
        pieces += _pieces(state, owner, "own" if own else "foe")
        if own and not state.begins:
            grounds |= dict.fromkeys(state.cells(owner), Ground("mine"))
        missed = [shot.cell for shot in state.sea(owner).shots if shot.answer == MISS]
        grounds |= dict.fromkeys(missed, Ground("missed", "o", "missed"))
    signs = [Sign("missed", "o", ground="missed"), Sign("hit", "*", "foe", _peg("*"))]
    signs += [Sign("sunk", "#", "foe", _peg("#"))]
    signs += [Sign(name, mark, "foe", _peg(mark)) for name, mark in MARKS.items()]
    board = Board(SIDE, SIDE) if state.begins else BOARD
    notes = () if state.begins else tuple(_notes(state, player))
    return Chart("Battleship", board, tuple(pieces), grounds, tuple(signs), notes, colours=COLOURS)


def _notes(state: State, player: Player | None) -> Iterator[str]:
    """Whose sea is where, and what of each fleet is sunk."""
    for owner in state.setup.players:
        cells, afloat = state.cells(owner), state.sea(owner).afloat
        sunk = ", ".join(name for name in LENGTHS if name not in afloat) or "nothing"
        whose = "your sea" if owner == player else f"{owner}'s sea"
        yield f"{whose}: {cells[0]} to {cells[-1]}; sunk: {sunk}"


def _pieces(state: State, owner: Player, side: str) -> Iterator[Piece]:
    """The ships of a sea, cell by cell; of a hidden one what was hit, of one that is sunk all."""
    sea = state.sea(owner)
    fleet = {ship.name: ship.cells for ship in sea.fleet}
    for name in LENGTHS:
        hits, afloat = sea.hits(name), name in sea.afloat
        whole = fleet.get(name, () if afloat else tuple(sorted(hits)))
        for cell in whole or sorted(hits):
            mark = "" if cell not in hits else "*" if afloat else "#"
            said = {"": "", "*": ", hit", "#": ", sunk"}[mark]
            shape = _hull(whole, cell, bool(mark)) if whole else _peg(MARKS[name])
            yield Piece(cell, MARKS[name] + mark, side, shape, f"{owner}'s {name}{said}")


def _hull(cells: Sequence[Cell], cell: Cell, hit: bool) -> str:
    """The part of a ship that lies in that cell, with a hole where it was hit."""
    part = "M0 12H60V48H0z"
    if cell == cells[0]:
        part = "M60 12H26Q8 14 6 30Q8 46 26 48H60z"
    elif cell == cells[-1]:
        part = "M0 12H34Q52 14 54 30Q52 46 34 48H0z"
    turn = ' transform="rotate(-90 30 30)"' if cells[0].column == cells[-1].column else ""
    hole = '<circle class="on" cx="30" cy="30" r="9" fill="#ffffff"/>' if hit else ""
    return f'<path d="{part}" fill="currentColor"{turn}/>{hole}'


def _peg(letter: str) -> str:
    """A hit on a ship of which no more is known."""
    inside = written(30, 38, 24, letter, "on", bold=True)
    return f'<circle cx="30" cy="30" r="22" fill="currentColor"/>{inside}'


# Words.


def goal(setup: Setup) -> str:
    """`Game.goal`."""
    return "Sink all five ships of the other before yours are sunk."


def brief(view: View, known: Deductions) -> Brief:
    """`Game.brief`: whose turn it is, and what is sunk."""
    state, player = read_view(view), view.player
    asked = f"{state.turn} shoots."
    if state.winner:
        asked = "you have won." if state.winner == player else f"{state.winner} has won."
    elif state.begins or state.turn == player:
        asked = f"{'place your fleet' if state.begins else 'your shot'}, {player}."
    return Brief(f"Battleship: {asked}", chart(view).notes)


def sides(view: View, known: Deductions) -> dict[Player, Sideline]:
    """`Game.sides`: which ships are afloat."""
    state = read_view(view)
    afloat = {player: state.sea(player).afloat for player in state.setup.players}
    return {
        player: Sideline(", ".join(names), f"{len(names)} ships afloat")
        for player, names in afloat.items()
    }
