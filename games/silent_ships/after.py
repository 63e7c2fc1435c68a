"""What a player may write after some order lines: the tree of files that `orders.read` takes.

What belongs here: which lines are possible next, line by line, as far as the author can know.
What it must not know: states.

Before the first attack of a file its author knows what the lines leave. After it nobody does, and
`read` takes any line that is well formed; so from there on a `Sea` holds all that may be, whatever
the defenders decide and the battles bring, and a line is offered if it may be possible. Decisions
within a move line are left out: each comes to the same as the answer when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from games.game import After, Choice
from games.grid import Cell, by_row
from games.silent_ships.cards import Cards
from games.silent_ships.lines import DECISIONS, LAST, Line, read_line
from games.silent_ships.moves import check, is_attack, left
from games.silent_ships.orders import MOST_LINES
from games.silent_ships.state import (
    BOARD,
    COUNTRIES,
    ISLANDS,
    PLACES,
    Ship,
    retreats,
    seat,
    ship_at,
    supporters,
)
from games.silent_ships.view import Sight

NOTHING = After((), False)


def after(sight: Sight, texts: Sequence[str]) -> After:
    """What may come after lines that were offered, one after the other."""
    prompt = sight.prompt
    if not sight.player or sight.over is not None:
        return NOTHING
    lines = tuple(line for text in texts if (line := read_line(text)) is not None)
    if lines and (lines[-1].verb in (*LAST, "start") or len(lines) == MOST_LINES):
        return After((), bool(prompt) and _whole(sight, lines))
    # A file's author makes their offer anew, or has none (SS-4).
    sight = replace(
        sight, offers=tuple(player for player in sight.offers if player != sight.player)
    )
    if prompt is None:
        choices = _flips(_sea(_sight_after(sight, lines)))
    elif not sight.begun:
        choices = iter((Choice("start", (), "begin"),))
    elif sight.attack is None:
        choices = _turn(sight, lines)
    else:
        choices = _answer(sight, lines)
    return After(tuple(choices), _whole(sight, lines))


def legal(sight: Sight) -> tuple[str, ...]:
    """Every single line that the player might write first now, in a fixed order."""
    return tuple(choice.text for choice in after(sight, ()).choices)


def _whole(sight: Sight, lines: Sequence[Line]) -> bool:
    """Whether the lines are a file as they stand: a decision, if one is asked for."""
    if sight.attack is None or sight.prompt is None:
        return bool(lines)
    return any(line.verb in (*DECISIONS, "resign") for line in lines)


def _sight_after(sight: Sight, lines: Iterable[Line]) -> Sight:
    for line in lines:
        sight = left(sight, check(sight, line))
    return sight


# Answers (SS-12).


def _answer(sight: Sight, lines: Sequence[Line]) -> Iterator[Choice]:
    """Decisions, ships turned up beside them, an offer, a resignation."""
    given = [line for line in lines if line.verb in DECISIONS]
    sight = _sight_after(sight, [line for line in lines if line.verb not in DECISIONS])
    sight = _sight_after(sight, given)
    yield from _decisions(sight, given)
    yield from _flips(_sea(sight))
    if sight.player not in sight.offers:
        yield OFFER
    yield RESIGN


def _decisions(sight: Sight, given: Sequence[Line]) -> Iterator[Choice]:
    """The decision that is asked for; supports may go on, ship by ship."""
    attack, hand = sight.attack, sight.own.hand
    if attack is None or (given and not given[-1].supports):
        return
    if attack.asks == "retreat":
        yield Choice("stand", (), "stay and fight")
        for card in hand:
            yield Choice(f"retreat discard {card}", (), f"retreat, giving up {card}")
    elif attack.asks == "push":
        for cell in retreats(sight.board, attack.to):
            yield Choice(f"push {cell}", (str(cell),), f"they retreat to {cell}")
    else:
        if not given:
            yield Choice("support none", (), "no support")
        for cell in supporters(sight.board, sight.cards, attack, sight.player):
            for card in hand:
                text = f"support {cell} discard {card}"
                yield Choice(text, (str(cell),), f"{cell} supports, giving up {card}")


# Turns (SS-4, SS-12).

OFFER = Choice("offer end", (), "offer to end the game")
RESIGN = Choice("resign", (), "give up the game")
END = Choice("end", (), "end the turn")


@dataclass(frozen=True, slots=True)
class Sea:
    """What may lie where, as far as a file's author can know, and what they may have.

    `ships` are the author's own, each as it may lie; `enemies` and `empty` cells that may hold an
    enemy's ship or none. All in row, then column order.
    """

    sight: Sight
    ships: tuple[Ship, ...]
    enemies: tuple[Cell, ...]
    empty: tuple[Cell, ...]
    sunk: tuple[str, ...]

    @property
    def cards(self) -> Cards:
        """The table of ships."""
        return self.sight.cards

    @property
    def hand(self) -> tuple[str, ...]:
        """The cards that the author may still have."""
        return self.sight.own.hand

    def with_ships(self, *ships: Ship) -> Sea:
        """With these ships too, face down or turned up."""
        both = (*ships, *(replace(ship, up=True) for ship in ships if not ship.up))
        found = {*self.ships, *both}
        return replace(
            self,
            ships=tuple(sorted(found, key=lambda ship: (*by_row(ship.at), ship.name, ship.up))),
        )

    def with_enemies(self, cells: Iterable[Cell]) -> Sea:
        """With enemies that may lie there too."""
        return replace(self, enemies=tuple(sorted({*self.enemies, *cells}, key=by_row)))

    def with_empty(self, *cells: Cell) -> Sea:
        """With cells that may be empty too."""
        return replace(self, empty=tuple(sorted({*self.empty, *cells}, key=by_row)))


def _sea(sight: Sight) -> Sea:
    """The sea as it is, before any attack."""
    return Sea(
        sight,
        tuple(ship for ship in sight.board if ship.owner == sight.player),
        tuple(ship.at for ship in sight.board if ship.owner != sight.player),
        tuple(cell for cell in BOARD.cells() if ship_at(sight.board, cell) is None),
        sight.mine.sunk,
    )


def _turn(sight: Sight, lines: Sequence[Line]) -> Iterator[Choice]:
    """What may come after a turn's lines."""
    offered = any(line.verb == "offer" for line in lines)
    fought = False
    sea = _sea(sight)
    for line in lines:
        if fought:
            sea = _tried(sea, line)
        elif is_attack(sea.sight, line):
            fought = True
            sea = _fought(sea, line)
        else:
            sea = _sea(left(sea.sight, check(sea.sight, line)))
    yield from _plays(sea)
    yield from _moves(sea)
    yield from _flips(sea)
    yield from _swaps(sea)
    if not offered:
        yield OFFER
    yield RESIGN
    yield END


def _fought(sea: Sea, line: Line) -> Sea:
    """All that may be after the first attack: any ship may have been turned up since."""
    hand = tuple(card for card in sea.hand if card not in line.cards)
    sight = replace(sea.sight, own=replace(sea.sight.own, hand=hand))
    return _tried(replace(sea, sight=sight).with_ships(*sea.ships), line)


def _tried(sea: Sea, line: Line) -> Sea:
    """All that may be after a line that may have been carried out, or void."""
    if line.verb == "play":
        card, cell = line.cards[0], _place(sea, line)
        return sea.with_ships(Ship(cell, sea.sight.player, False, card))
    if line.verb == "swap":
        cell = line.cells[0]
        crafts = [ship.name or "" for ship in _crafts(sea) if ship.at == cell]
        sunk = sea.cards.sort(tuple({*sea.sunk, *crafts}))
        swapped = Ship(cell, sea.sight.player, True, line.cards[0])
        return replace(sea.with_ships(swapped), sunk=sunk)
    if line.verb == "move":
        return _moved(sea, line.cells)
    return sea


def _moved(sea: Sea, cells: Sequence[Cell]) -> Sea:
    """A ship has gone along the cells, or part of the way; at the end it may have fought."""
    ships = [ship for ship in sea.ships if ship.at == cells[0]]
    met = cells[-1] in sea.enemies
    stops = cells[-2:] if met else cells[-1:]
    sea = sea.with_ships(*(replace(ship, at=cell) for ship in ships for cell in stops))
    sea = sea.with_empty(cells[0], *(cells[-2:] if met else ()))
    if met:
        near = [cell for cell in BOARD.adjacent(cells[-1]) if cell in sea.empty]
        sea = sea.with_enemies(cell for cell in near if cell != cells[-2])
    return sea


# The lines, a function for each verb.


def _place(sea: Sea, line: Line) -> Cell:
    return PLACES[seat(sea.sight.setup, sea.sight.player)][line.place]


def _plays(sea: Sea) -> Iterator[Choice]:
    for place, cell in PLACES[seat(sea.sight.setup, sea.sight.player)].items():
        if cell in sea.empty:
            for card in sea.hand:
                text = f"play {card} {place}"
                yield Choice(text, (str(cell),), f"play {card} face down at {cell}")


def _moves(sea: Sea) -> Iterator[Choice]:
    seen = set()
    for ship in sea.ships:
        amounts = (sea.cards.ability(ship.name, kind) for kind in ("heavy", "sprints"))
        due, reach = (max(1, amount if ship.up else 0) for amount in amounts)
        for way in _ways(sea, (ship.at,), reach):
            if (way, due) in seen:
                continue
            seen.add((way, due))
            cells = tuple(map(str, way))
            what = "attack" if way[-1] in sea.enemies else "move to"
            for cards in combinations(sea.hand, due):
                text = f"move {' '.join(cells)} " + " ".join(f"discard {card}" for card in cards)
                yield Choice(text, cells, f"{what} {way[-1]}, giving up {' and '.join(cards)}")


def _ways(sea: Sea, way: tuple[Cell, ...], reach: int) -> Iterator[tuple[Cell, ...]]:
    """Every way of up to `reach` cells on from `way`, shorter ones before what continues them."""
    for near in BOARD.adjacent(way[-1]):
        if near in way:
            continue
        if near in sea.empty or near in sea.enemies:
            yield (*way, near)
        if near in sea.empty and reach > 1:
            yield from _ways(sea, (*way, near), reach - 1)


def _flips(sea: Sea) -> Iterator[Choice]:
    down = dict.fromkeys(ship.at for ship in sea.ships if not ship.up)
    for cell in map(str, down):
        yield Choice(f"flip {cell}", (cell,), f"turn the ship in {cell} face up")


def _swaps(sea: Sea) -> Iterator[Choice]:
    for ship in _crafts(sea):
        for name in sea.sunk:
            text = f"swap {ship.at} {name}"
            yield Choice(text, (str(ship.at),), f"swap the craft in {ship.at} for {name}")


def _crafts(sea: Sea) -> list[Ship]:
    """Ships that may be face up where a craft swaps (SS-16)."""
    goal = COUNTRIES[1 - seat(sea.sight.setup, sea.sight.player)]
    return [
        ship
        for ship in sea.ships
        if ship.up and ship.at in (*ISLANDS, goal) and sea.cards.ability(ship.name, "swaps")
    ]
