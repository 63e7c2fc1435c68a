"""The map of a view, and of a position with nothing hidden: which piece is in which cell, its
title, and the notes below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from games import picture, shapes
from games.chart import Chart, Piece, Sign, lane
from games.game import Deductions, Player, View
from games.grid import Cell
from games.sugar_dog.deduced import NO_MIND, Heard, Mind
from games.sugar_dog.state import Fleet, State
from games.sugar_dog.view import Sight, read_view, see

_SIDES = tuple(picture.SIDES)
ARROWS = {"N": "^", "E": ">", "S": "v", "W": "<"}
_WAYS = " ".join(ARROWS.values())
WIDE, NARROW, MANY = 3, 2, 15
"""The width of a cell in text, also on boards of so many columns."""


class Trace(NamedTuple):
    """A cell in which another player was heard: a `contact` or a `ping`, or an `echo` of theirs;
    how many turns ago, and the cells of its run, if that is known."""

    player: Player
    at: Cell
    kind: str
    age: int | None = None
    way: tuple[Cell, ...] = ()


def chart(view: View) -> Chart:
    """`S` own submarine, `^ > v <` own torpedo, `m` own mine, `h` the last contact of another
    player; of more than one other, their number.

    The public map has a contact for every player, and nothing else.
    """
    sight = read_view(view)
    drawn = _own_chart(sight, tuple(_contacts(sight)))
    return drawn if sight.begun else drawn._replace(signs=())


def chart_known(view: View, known: Deductions) -> Chart:
    """The same with what the seat heard: `P` where somebody was who pinged (`2!` with a number),
    and `e` for every echo of the last ping (or their number)."""
    sight = read_view(view)
    return _own_chart(sight, traces(sight, known))


def chart_whole(state: State) -> Chart:
    """Every fleet; with a player's number behind each mark."""
    drawn = _chart(see(state, None), state.fleets, (), "the sea as it was")
    return drawn if state.fleets else drawn._replace(signs=())


def _own_chart(sight: Sight, heard: Sequence[Trace]) -> Chart:
    whose = "what everybody knows" if sight.player is None else f"{sight.player}'s map"
    fleets = {} if sight.player is None or sight.own is None else {sight.player: sight.own}
    return _chart(sight, fleets, heard, whose)


def _chart(
    sight: Sight, fleets: Mapping[Player, Fleet], heard: Sequence[Trace], whose: str
) -> Chart:
    """The map of what everybody sees, of the fleets that are shown and of what was heard."""
    wide = NARROW if sight.board.columns >= MANY else WIDE
    return Chart(
        f"Sugar Dog: {whose}",
        sight.board,
        tuple(_pieces(sight, fleets, heard)),
        signs=tuple(_signs(sight, fleets, heard)),
        notes=tuple(_notes(sight, fleets)),
        wide=wide,
        ways=tuple(trace.way for trace in heard if trace.way[1:]),
    )


def _contacts(sight: Sight) -> Iterator[Trace]:
    """The last contacts that the view shows of players whose fleet it does not show."""
    for player in sight.setup.players:
        if player in sight.contacts and player != sight.player:
            yield Trace(player, sight.contacts[player], "contact")


def traces(sight: Sight, known: Deductions) -> tuple[Trace, ...]:
    """Where others were heard last and the echoes of the last ping, as the seat's reports told;
    what they did not tell, as the view has it. Pings come first, then contacts."""
    mind = known.memory if isinstance(known.memory, Mind) else NO_MIND
    found: list[Trace] = []
    for shown in _contacts(sight):
        last = heard_last(sight, mind, shown.player)
        if last is None:
            found.append(shown)
        elif last.kind != "echo":
            kind = "ping" if last.kind == "ping" else "contact"
            found.append(Trace(shown.player, last.cells[0], kind, sight.n - last.n, last.way))
    found.sort(key=lambda trace: trace.kind != "ping")
    for player, echoes in mind.echoes.items():
        known_at = {trace.at for trace in found if trace.player == player}
        age = sight.n - echoes.n
        found += [Trace(player, at, "echo", age) for at in echoes.cells if at not in known_at]
    return tuple(found)


def heard_last(sight: Sight, mind: Mind, player: Player) -> Heard | None:
    """How the seat heard a player last; None if the view's contact is not that, because a report is
    not there."""
    last, echoes = mind.last.get(player), mind.echoes.get(player)
    if last is None:
        return None
    told = (*last.cells, *(echoes.cells if echoes and echoes.n == last.n else ()))
    return last if sight.contacts.get(player) in told else None


# Pieces.


def _pieces(
    sight: Sight, fleets: Mapping[Player, Fleet], heard: Sequence[Trace]
) -> Iterator[Piece]:
    """All pieces: submarines, torpedoes and mines of each fleet, then what was heard.

    A torpedo's name is its heading and its lane, so it keeps its name as it runs.
    """
    several = len(fleets) > 1
    for player, fleet in fleets.items():
        side, seat = _side(sight, player), _seat(sight, player) if several else ""
        of = f"{player}-" if several else ""
        if fleet.sub:
            shape = shapes.submarine(seat, foe=side == "foe")
            title = f"{player}'s submarine"
            name = f"{of}submarine"
            yield Piece(
                fleet.sub, f"S{seat}", side, shape, title, name, "hidden", about="submarine"
            )
        for torpedo in fleet.torpedoes:
            cell, way = torpedo.cell, torpedo.heading
            title, shape = f"{player}'s torpedo, heading {way}", shapes.torpedo(way, seat)
            name = f"{of}torpedo-{way}-{lane(cell, way)}"
            yield Piece(cell, f"{ARROWS[way]}{seat}", side, shape, title, name, about="torpedo")
        for cell in fleet.mines:
            mark, shape = f"m{seat}", shapes.mine(seat)
            title, name = f"{player}'s mine", f"{of}mine-{cell}"
            yield Piece(cell, mark, side, shape, title, name, about="mine")
    for trace in heard:
        player, at, kind, age, _ = trace
        mark, title = _heard_mark(sight, trace), _TITLES[kind].format(player)
        # Two players can have the same colour here, and names that are cut to the same label.
        number = _seat(sight, player) if len(sight.setup.players) > len(_SIDES) else ""
        shape = shapes.contact(player, number)
        name = f"echo-{player}-{at}" if kind == "echo" else f"{kind}-{player}"
        side = _side(sight, player)
        yield Piece(at, mark, side, shape, title, name, kind, age, kind)


_TITLES = {
    "contact": "last contact of {}",
    "ping": "{} pinged from here",
    "echo": "echo of {}'s at the last ping",
}
_MARKS = {"contact": "h", "ping": "P", "echo": "e"}


def _heard_mark(sight: Sight, trace: Trace) -> str:
    number = _number(sight, trace.player)
    return f"{number}{'!' * (trace.kind == 'ping')}" if number else _MARKS[trace.kind]


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


def _signs(sight: Sight, fleets: Mapping[Player, Fleet], heard: Sequence[Trace]) -> Iterator[Sign]:
    if fleets and len(fleets) != 1:
        for player in fleets:
            seat = _seat(sight, player)
            side = _side(sight, player)
            yield Sign(player, seat, side, shapes.submarine(seat, foe=side == "foe"))
        yield Sign("submarine", "S", "sixth", shapes.submarine())
        yield Sign("torpedo", _WAYS, "sixth", shapes.torpedo("N"))
        yield Sign("mine", "m", "sixth", shapes.mine())
    elif sight.player is not None:
        yield Sign("your submarine", "S", "own", shapes.submarine())
        yield Sign("your torpedo", _WAYS, "own", shapes.torpedo("N"))
        yield Sign("your mine", "m", "own", shapes.mine())
    contact = shapes.contact("")
    alone = [name for name in sight.setup.players if name != sight.player]
    if len(fleets) > 1:
        return
    if len(alone) == 1:
        kinds = [trace.kind for trace in heard] if sight.begun else list(_MARKS)
        meant = {
            "contact": f"where {alone[0]} was last heard",
            "ping": f"where {alone[0]} pinged",
            "echo": "echo of the last ping",
        }
        for kind in dict.fromkeys(kinds):
            yield Sign(meant[kind], _MARKS[kind], "foe", contact)
    elif heard or not sight.begun:
        marks = " ".join(dict.fromkeys(_seat(sight, trace.player) for trace in heard)) or "1 2"
        who = "who was last heard there, or answered the last ping"
        words = who if sight.player else "where that player was last heard"
        yield Sign(words, marks, "foe", contact)
        if any(trace.kind == "ping" for trace in heard):
            yield Sign("pinged from there", "!", "foe", contact)


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
            yield f"S {own.sub}"
        yield from (f"torpedo {torpedo}" for torpedo in own.torpedoes)
        yield from (f"mine {cell}" for cell in own.mines)
        yield f"mines left {own.left}"
    if player in sight.misses:
        yield f"deadlines missed {sight.misses[player]}"
    heard = sight.contacts.get(player)
    yield f"last heard in {heard}" if heard else "never heard"
