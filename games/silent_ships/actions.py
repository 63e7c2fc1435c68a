"""The order words of a turn: play, move, flip, swap, offer, end, resign, and start (SS-4, SS-16).

What belongs here: for each word how it is read, when it is allowed, what it leaves of its author's
sight, and its possible next lines. What it must not know: states, and how a line is carried out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise

from games.game import Choice
from games.grid import Cell
from games.silent_ships.answers import check_push, check_supports, read_push, read_supports
from games.silent_ships.lines import (
    SUNK,
    Command,
    LineFault,
    cell_of,
    distinct,
    hand_card,
    hand_cards,
    not_understood,
    on_board,
    own_ship,
    parts_of,
    ship_of,
    whole_name,
)
from games.silent_ships.state import (
    BOARD,
    ISLANDS,
    Attack,
    Ship,
    Ships,
    able,
    country,
    moved,
    other,
    placed,
    places,
    turned_up,
    without,
)
from games.silent_ships.view import Sight
from games.silent_ships.word import Sea, Word

# play


def _read_play(words: Sequence[str], form: str) -> Command:
    if not words:
        raise not_understood(form)
    *name, place = words
    if place in ("on", "left", "right"):
        return Command("play", (), (ship_of(name, form),), place)
    return Command("play", (cell_of(place, form),), (ship_of(name, form),))


def _check_play(sight: Sight, command: Command) -> Command:
    card = hand_card(sight, command.cards[0])
    allowed = places(sight.setup, sight.player)
    cell = allowed[command.place] if command.place else on_board(command.cells[0])
    if cell not in allowed.values():
        raise LineFault(
            "not-at-country",
            "a ship is played on, left or right of your country: "
            + ", ".join(f"{name} is {at}" for name, at in allowed.items()),
        )
    if cell in sight.board:
        raise LineFault("occupied", f"{cell} is not empty")
    return Command("play", (cell,), (card,))


def _play_leaves(sight: Sight, command: Command) -> Sight:
    ship = Ship(command.cells[0], sight.player, False, command.cards[0])
    own = sight.own._replace(hand=without(sight.own.hand, command.cards))
    return sight._replace(board=placed(sight.board, ship), own=own)


def _play_may_leave(sea: Sea, command: Command) -> Sea:
    allowed = places(sea.sight.setup, sea.sight.player)
    cell = allowed[command.place] if command.place else command.cells[0]
    return sea.with_ships(Ship(cell, sea.sight.player, False, command.cards[0]))


def _plays(sea: Sea) -> Iterator[Choice]:
    for place, cell in places(sea.sight.setup, sea.sight.player).items():
        if cell in sea.empty:
            for card in sea.hand:
                text = f"play {card} {place}"
                yield Choice(text, (str(cell),), f"play your {card} face down at {cell}")


# move


def _read_move(words: Sequence[str], form: str) -> Command:
    way, *parts = parts_of(words, ("discard", "support", "push"))
    cells = tuple([cell_of(word, form) for word in way])
    cards = []
    while parts and parts[0][0] == "discard":
        cards.append(ship_of(parts.pop(0)[1:], form))
    if len(cells) < 2 or not cards:
        raise not_understood(form)
    supports, rest = read_supports(parts)
    push = read_push(rest.pop(0)[1:]) if rest and rest[0][0] == "push" else None
    if rest:
        raise not_understood("discards, then supports, then a push")
    return Command("move", cells, tuple(cards), supports=supports, push=push)


def _check_move(sight: Sight, command: Command) -> Command:
    ship = own_ship(sight, command.cells[0])
    cards = hand_cards(sight, command.cards)
    _check_way(sight, ship, command.cells)
    due = able(sight.cards, ship, "heavy")
    if len(cards) != due:
        raise LineFault("discards", f"discards: moving this ship costs {due}, not {len(cards)}")
    if not is_attack(sight.board, command):
        if command.supports is not None or command.push is not None:
            raise LineFault("no-attack", "`support` and `push` go with an attack only")
        return command._replace(cards=cards)
    # A speed boat attacks from the last empty cell of its way, after it has left its first cell
    # (SS-5).
    board = moved(sight.board, command.cells[0], command.cells[-2])
    fought = sight._replace(board=board)
    attack = Attack(command.cells[-2], command.cells[-1])
    supports = command.supports
    if supports is not None:
        supports = check_supports(fought, attack, supports)
        distinct(sight.own.hand, (*cards, *(card for _, card in supports)))
    if command.push is not None:
        check_push(fought, attack, command.push)
    return command._replace(cards=cards, supports=supports)


def is_attack(board: Ships, command: Command) -> bool:
    """Whether a command that is allowed is a move into an enemy ship's cell (SS-5)."""
    return command.verb == "move" and command.cells[-1] in board


def _check_way(sight: Sight, ship: Ship, cells: Sequence[Cell]) -> None:
    """One step, or as many as a face-up speed boat may make; all cells on the way must be empty."""
    for cell in cells:
        on_board(cell)
    for start, to in pairwise(cells):
        if start.distance(to) != 1:
            raise LineFault("not-adjacent", f"{to} is not next to {start}")
    reach = able(sight.cards, ship, "sprints")
    if len(cells) - 1 > reach:
        raise LineFault("too-far", f"cells that this ship may enter in a move as it lies: {reach}")
    if len(set(cells)) < len(cells):
        raise LineFault("cell-twice", "a move names no cell twice")
    for cell in cells[1:-1]:
        if cell in sight.board:
            raise LineFault("blocked", f"{cell} is not empty")
    last = sight.board.get(cells[-1])
    if last is not None and last.owner == sight.player:
        raise LineFault("own-ship", f"your own ship is in {cells[-1]}")


def _move_leaves(sight: Sight, command: Command) -> Sight:
    board = moved(sight.board, command.cells[0], command.cells[-1])
    own = sight.own._replace(hand=without(sight.own.hand, command.cards))
    return sight._replace(board=board, own=own)


def _move_may_leave(sea: Sea, command: Command) -> Sea:
    """The ship may be where it was, in the cell from which it attacked, or at the end of its way.

    Its target may be in any neighbouring cell, or out of the game.
    """
    start, before, to = command.cells[0], command.cells[-2], command.cells[-1]
    ships = [ship for ship in sea.ships if ship.at == start]
    if to not in sea.enemies:
        return sea.with_ships(*(ship._replace(at=to) for ship in ships)).with_empty([start])
    sea = sea.with_ships(*(ship._replace(at=cell) for ship in ships for cell in (before, to)))
    sea = sea.with_empty([start, before, to])
    return sea.with_enemies(
        cell for cell in BOARD.adjacent(to) if cell in sea.empty and cell != before
    )


def _moves(sea: Sea) -> Iterator[Choice]:
    """Lines without decisions in them: each has the same result as answering when asked."""
    for ship in sea.ships:
        prices = [
            ("".join([f" discard {card}" for card in cards]), " and ".join(cards))
            for cards in combinations(sea.hand, able(sea.cards, ship, "heavy"))
        ]
        for way in _ways(sea, (ship.at,), able(sea.cards, ship, "sprints")):
            cells, label = tuple(map(str, way)), _label(sea, way)
            move = " ".join(["move", *cells])
            for discards, cards in prices:
                yield Choice(move + discards, cells, f"{label} {cells[-1]}, giving up {cards}")


def _label(sea: Sea, way: tuple[Cell, ...]) -> str:
    """What a move does, in words; it is not always known whether it is an attack."""
    found = [
        name
        for name, cells in (("move to", sea.empty), ("attack", sea.enemies))
        if way[-1] in cells
    ]
    return " or ".join(found)


def _ways(sea: Sea, way: tuple[Cell, ...], reach: int) -> Iterator[tuple[Cell, ...]]:
    """Every way of up to `reach` cells that continues `way`, shorter ones before longer ones."""
    for near in BOARD.adjacent(way[-1]):
        if near in way:
            continue
        if near in sea.empty or near in sea.enemies:
            yield (*way, near)
        if near in sea.empty and reach > 1:
            yield from _ways(sea, (*way, near), reach - 1)


# flip


def _read_flip(words: Sequence[str], form: str) -> Command:
    if len(words) != 1:
        raise not_understood(form)
    return Command("flip", (cell_of(words[0], form),))


def _check_flip(sight: Sight, command: Command) -> Command:
    if own_ship(sight, command.cells[0]).up:
        raise LineFault("face-up", f"the ship in {command.cells[0]} lies face up already")
    return command


def _flip_leaves(sight: Sight, command: Command) -> Sight:
    return sight._replace(board=turned_up(sight.board, command.cells[0]))


def _flips(sea: Sea) -> Iterator[Choice]:
    down = dict.fromkeys(str(ship.at) for ship in sea.ships if not ship.up)
    for cell in down:
        yield Choice(f"flip {cell}", (cell,), f"turn your ship in {cell} face up")


# swap


def _read_swap(words: Sequence[str], form: str) -> Command:
    if not words:
        raise not_understood(form)
    return Command("swap", (cell_of(words[0], form),), (ship_of(words[1:], form),))


def _check_swap(sight: Sight, command: Command) -> Command:
    ship = own_ship(sight, command.cells[0])
    if not (ship.up and sight.cards.ability(ship.name, "swaps")):
        raise LineFault("no-swap", "only a face-up special operations craft swaps")
    if ship.at not in _swap_cells(sight):
        raise LineFault("no-swap", "a craft swaps on an island or the enemy country only")
    sunk = sight.own.sunk
    card = whole_name(command.cards[0], sunk, "not-sunk", SUNK)
    return command._replace(cards=(card,))


def _swap_cells(sight: Sight) -> tuple[Cell, ...]:
    return (*ISLANDS, country(sight.setup, other(sight.setup, sight.player)))


def _swap_leaves(sight: Sight, command: Command) -> Sight:
    cell, name = command.cells[0], command.cards[0]
    craft = own_ship(sight, cell).name
    board = placed(sight.board, Ship(cell, sight.player, True, name))
    sunk = (*without(sight.own.sunk, (name,)), craft)
    return sight._replace(board=board, own=sight.own._replace(sunk=sunk))


def _crafts(sea: Sea) -> list[Ship]:
    """Ships that may be able to swap, in their possible cells."""
    return [
        ship
        for ship in sea.ships
        if ship.up and ship.at in _swap_cells(sea.sight) and sea.cards.ability(ship.name, "swaps")
    ]


def _swap_may_leave(sea: Sea, command: Command) -> Sea:
    cell = command.cells[0]
    crafts = [ship.name for ship in _crafts(sea) if ship.at == cell]
    swapped = Ship(cell, sea.sight.player, True, command.cards[0])
    return sea.with_ships(swapped).with_sunk(crafts)


def _swaps(sea: Sea) -> Iterator[Choice]:
    for ship in _crafts(sea):
        for name in sea.sight.own.sunk:
            text = f"swap {ship.at} {name}"
            yield Choice(text, (str(ship.at),), f"swap the craft in {ship.at} for your {name}")


# offer, and words that stand alone


def _read_offer(words: Sequence[str], form: str) -> Command:
    if list(words) != ["end"]:
        raise not_understood(form)
    return Command("offer")


def _check_offer(sight: Sight, command: Command) -> Command:
    if sight.player in sight.offers:
        raise LineFault("offered", "your offer stands already")
    return command


def _offer_leaves(sight: Sight, command: Command) -> Sight:
    return sight._replace(offers=(*sight.offers, sight.player))


def _offer_may_leave(sea: Sea, command: Command) -> Sea:
    return sea._replace(sight=_offer_leaves(sea.sight, command))


def _offers(sea: Sea) -> Iterator[Choice]:
    if sea.sight.player not in sea.sight.offers:
        yield Choice("offer end", (), "offer to end the game")


def _check_nothing(sight: Sight, command: Command) -> Command:
    return command


def _bare(verb: str, label: str, when: tuple[str, ...]) -> Word:
    """A word that is a whole line, and the last one."""

    def read(words: Sequence[str], form: str) -> Command:
        if words:
            raise not_understood(form)
        return Command(verb)

    def offers(sea: Sea) -> Iterator[Choice]:
        yield Choice(verb, (), label)

    form = f"nothing after `{verb}`"
    return Word(form, when, read, _check_nothing, offers, last=True)


ACTIONS: Mapping[str, Word] = {
    "play": Word(
        "`play SHIP on`, `left`, `right` or a cell, such as `play frigate left`",
        ("turn",),
        _read_play,
        _check_play,
        _plays,
        _play_leaves,
        _play_may_leave,
    ),
    "move": Word(
        "`move FROM TO discard SHIP`, such as `move B4 A4 discard frigate`",
        ("turn",),
        _read_move,
        _check_move,
        _moves,
        _move_leaves,
        _move_may_leave,
    ),
    "flip": Word(
        "`flip CELL`, such as `flip A4`",
        ("turn", "answer", "beside"),
        _read_flip,
        _check_flip,
        _flips,
        _flip_leaves,
    ),
    "swap": Word(
        "`swap CELL SHIP`, such as `swap A3 frigate`",
        ("turn",),
        _read_swap,
        _check_swap,
        _swaps,
        _swap_leaves,
        _swap_may_leave,
    ),
    "offer": Word(
        "`offer end`",
        ("turn", "answer"),
        _read_offer,
        _check_offer,
        _offers,
        _offer_leaves,
        _offer_may_leave,
    ),
    "resign": _bare("resign", "give up the game", ("turn", "answer")),
    "end": _bare("end", "end your turn", ("turn",)),
    "start": _bare("start", "begin the game", ("setup",)),
}
"""Lines are offered in the order of the rows."""
