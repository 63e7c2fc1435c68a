"""The map of a view, and of a position with nothing hidden: which piece is in which cell, its
title, and the notes below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games import picture, shapes
from games.chart import Chart, Piece, Sign, lane
from games.game import Player, View
from games.grid import HEADINGS, Cell
from games.sugar_dog.state import Fleet, State
from games.sugar_dog.view import Sight, read_view, see

_SIDES = tuple(picture.SIDES)
_WAYS = " ".join(f"t{way}" for way in HEADINGS)


def chart(view: View) -> Chart:
    """`s` own submarine, `tN` own torpedo with its heading, `m` own mine, `c` the last contact of
    another player; of more than one other, `c` with their number.

    The public map has a contact for every player, and nothing else.
    """
    sight = read_view(view)
    whose = "what everybody knows" if sight.player is None else f"{sight.player}'s map"
    fleets = {} if sight.player is None or sight.own is None else {sight.player: sight.own}
    return _chart(sight, fleets, whose)


def chart_whole(state: State) -> Chart:
    """Every fleet; with a player's number behind each mark."""
    return _chart(see(state, None), state.fleets, "the sea as it was")


def _chart(sight: Sight, fleets: Mapping[Player, Fleet], whose: str) -> Chart:
    """The map of what everybody sees and of the fleets that are shown."""
    return Chart(
        f"Sugar Dog: {whose}",
        sight.board,
        tuple(_pieces(sight, fleets)),
        signs=tuple(_signs(sight, fleets)) if sight.begun else (),
        notes=tuple(_notes(sight, fleets)),
    )


# Pieces.


def _pieces(sight: Sight, fleets: Mapping[Player, Fleet]) -> Iterator[Piece]:
    """All pieces: submarines, torpedoes and mines of each fleet, then contacts.

    A torpedo's name is its heading and its lane, so it keeps its name as it runs.
    """
    several = len(fleets) > 1
    for player, fleet in fleets.items():
        side, seat = _side(sight, player), _seat(sight, player) if several else ""
        of = f"{player}-" if several else ""
        if fleet.sub:
            shape = shapes.submarine(seat, foe=side == "foe")
            title = f"{player}'s submarine"
            yield Piece(fleet.sub, f"s{seat}", side, shape, title, f"{of}submarine")
        for torpedo in fleet.torpedoes:
            cell, way = torpedo.cell, torpedo.heading
            title, shape = f"{player}'s torpedo, heading {way}", shapes.torpedo(way, seat)
            name = f"{of}torpedo-{way}-{lane(cell, way)}"
            yield Piece(cell, f"t{way}{seat}", side, shape, title, name)
        for cell in fleet.mines:
            mark, shape = f"m{seat}", shapes.mine(seat)
            yield Piece(cell, mark, side, shape, f"{player}'s mine", f"{of}mine-{cell}")
    for player, at in _contacts(sight, fleets):
        side, mark = _side(sight, player), f"c{_number(sight, player)}"
        title = f"last contact of {player}"
        # Two players can have the same colour here, and names that are cut to the same label.
        number = _seat(sight, player) if len(sight.setup.players) > len(_SIDES) else ""
        yield Piece(at, mark, side, shapes.contact(player, number), title, f"contact-{player}")


def _contacts(sight: Sight, fleets: Mapping[Player, Fleet]) -> Iterator[tuple[Player, Cell]]:
    """The last contacts of players whose fleet is not shown."""
    for player in sight.setup.players:
        if player in sight.contacts and player not in fleets:
            yield player, sight.contacts[player]


def _side(sight: Sight, player: Player) -> str:
    """A player's colour: one's own, then the others' in seat order; the last four repeat."""
    players = sorted(sight.setup.players, key=lambda name: name != sight.player)
    at = players.index(player)
    return _SIDES[at] if at < 2 else _SIDES[2 + (at - 2) % (len(_SIDES) - 2)]


def _seat(sight: Sight, player: Player) -> str:
    return str(sight.setup.players.index(player) + 1)


def _number(sight: Sight, player: Player) -> str:
    """The number that tells a player's marks from others'; "" if only one other plays."""
    alone = sight.player is not None and len(sight.setup.players) == 2
    return "" if alone else _seat(sight, player)


# What is said.


def _signs(sight: Sight, fleets: Mapping[Player, Fleet]) -> Iterator[Sign]:
    if len(fleets) == 1:
        yield Sign("your submarine", "s", "own", shapes.submarine())
        yield Sign("your torpedo and its heading", _WAYS, "own", shapes.torpedo("N"))
        yield Sign("your mine", "m", "own", shapes.mine())
    elif fleets:
        for player in fleets:
            seat = _seat(sight, player)
            side = _side(sight, player)
            yield Sign(player, seat, side, shapes.submarine(seat, foe=side == "foe"))
        yield Sign("submarine", "s", "sixth", shapes.submarine())
        yield Sign("torpedo and its heading", _WAYS, "sixth", shapes.torpedo("N"))
        yield Sign("mine", "m", "sixth", shapes.mine())
    heard = [player for player, _ in _contacts(sight, fleets)]
    if heard:
        marks = " ".join(f"c{_number(sight, player)}" for player in heard)
        who = "that player" if _number(sight, heard[0]) else heard[0]
        yield Sign(f"where {who} was last heard", marks, "foe", shapes.contact(""))


def _notes(sight: Sight, fleets: Mapping[Player, Fleet]) -> Iterator[str]:
    """Whose turn it is, and what is known of each player."""
    if not sight.begun:
        yield "Everybody picks a cell to start from."
        return
    turn = f"Turn {sight.n}: {sight.turn}." if sight.turn else f"Turn {sight.n}: the game is over."
    most = sight.setup.options["quiet"]
    yield f"{turn} Quiet: {sight.quiet} of {most}." if most else turn
    several = len(sight.setup.players) > 2 or len(fleets) != 1
    for player in sight.setup.players:
        number = f"{_seat(sight, player)} " if several else ""
        yield f"{number}{player}: {', '.join(_known(sight, fleets, player))}."


def _known(sight: Sight, fleets: Mapping[Player, Fleet], player: Player) -> Iterator[str]:
    if player in sight.sunk:
        yield "sunk"
    if player in sight.offers:
        yield "offers a draw"
    if player in fleets:
        own = fleets[player]
        if own.sub:
            yield f"s {own.sub}"
        yield from (f"t {torpedo}" for torpedo in own.torpedoes)
        yield from (f"m {cell}" for cell in own.mines)
        yield f"mines left {own.left}"
    if player in sight.misses:
        yield f"deadlines missed {sight.misses[player]}"
    heard = sight.contacts.get(player)
    yield f"last heard in {heard}" if heard else "never heard"
