"""Every single line that a player might write first now, in a fixed order.

What belongs here: candidates for each verb, sifted by the one judgement in `moves`. Decisions
that may stand in a move line are left out: each is a line of its own too, when it is asked for.
What it must not know: states.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from games.grid import Cell
from games.silent_ships.lines import Refused, read_line
from games.silent_ships.moves import check
from games.silent_ships.state import BOARD, PLACES, Ship, retreats, seat, ship_at, supporters
from games.silent_ships.view import Sight


def legal(sight: Sight) -> tuple[str, ...]:
    """The lines: decisions first, then `play`, `move`, `flip`, `swap`, offers and endings."""
    if sight.over is not None:
        return ()
    if sight.turn is None:
        return ("start",)
    flips = [f"flip {ship.at}" for ship in _own(sight)]
    if sight.prompt is None:
        return _sifted(sight, flips)
    if sight.attack is not None:
        return _sifted(sight, [*_decisions(sight), *flips, "offer end", "resign"])
    lines = [*_plays(sight), *_moves(sight), *flips, *_swaps(sight)]
    return _sifted(sight, [*lines, "offer end", "resign", "end"])


def _sifted(sight: Sight, lines: list[str]) -> tuple[str, ...]:
    return tuple(line for line in lines if _allowed(sight, line))


def _allowed(sight: Sight, text: str) -> bool:
    try:
        line = read_line(text)
        if line is not None:
            check(sight, line)
    except Refused:
        return False
    return True


def _own(sight: Sight) -> list[Ship]:
    return [ship for ship in sight.board if ship.owner == sight.player]


def _decisions(sight: Sight) -> Iterator[str]:
    attack, hand = sight.attack, sight.own.hand
    if attack is None:
        return
    if attack.asks == "retreat":
        yield "stand"
        yield from (f"retreat discard {card}" for card in hand)
    elif attack.asks == "push":
        yield from (f"push {cell}" for cell in retreats(sight.board, attack.to))
    else:
        yield "support none"
        for cell in supporters(sight.board, sight.cards, attack, sight.player):
            yield from (f"support {cell} discard {card}" for card in hand)


def _plays(sight: Sight) -> Iterator[str]:
    for place, cell in PLACES[seat(sight.setup, sight.player)].items():
        if ship_at(sight.board, cell) is None:
            yield from (f"play {card} {place}" for card in sight.own.hand)


def _moves(sight: Sight) -> Iterator[str]:
    for ship in _own(sight):
        amounts = (sight.cards.ability(ship.name, kind) for kind in ("heavy", "sprints"))
        due, reach = (max(1, amount if ship.up else 0) for amount in amounts)
        for way in _ways(sight, (ship.at,), reach):
            cells = " ".join(map(str, way))
            for cards in combinations(sight.own.hand, due):
                yield f"move {cells} " + " ".join(f"discard {card}" for card in cards)


def _ways(sight: Sight, way: tuple[Cell, ...], reach: int) -> Iterator[tuple[Cell, ...]]:
    """Every way of up to `reach` cells on from `way`, shorter ones before what continues them."""
    for near in BOARD.adjacent(way[-1]):
        if near in way:
            continue
        there = ship_at(sight.board, near)
        if there is None or there.owner != sight.player:
            yield (*way, near)
        if there is None and reach > 1:
            yield from _ways(sight, (*way, near), reach - 1)


def _swaps(sight: Sight) -> Iterator[str]:
    for ship in _own(sight):
        if ship.up and sight.cards.ability(ship.name, "swaps"):
            yield from (f"swap {ship.at} {name}" for name in sight.own.sunk)
