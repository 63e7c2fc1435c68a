"""What a line may do: legality, judged from what its author sees, and never from anything else.

What belongs here: names made whole, each verb's conditions (SS-4 to SS-7, SS-12, SS-16), and what
a line leaves of its author's sight. The same judgement refuses a line when it is read and makes
it void when its time has come. What it must not know: states, events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from games.grid import Cell
from games.options import suggest
from games.silent_ships.lines import Line, Refused
from games.silent_ships.state import (
    BOARD,
    COUNTRIES,
    ISLANDS,
    PLACES,
    Ship,
    moved,
    placed,
    retreats,
    seat,
    ship_at,
    supporters,
    turned_up,
    without,
)
from games.silent_ships.state import Attack as Target
from games.silent_ships.view import Sight


def check(sight: Sight, line: Line) -> Line:
    """The line with whole names and the cell of its place; raises Refused.

    Judged for a player who is awaited, or who turns up ships beside (SS-14).
    """
    return _CHECKS[line.verb](sight, line)


def left(sight: Sight, line: Line) -> Sight:
    """What a checked line that is no attack leaves of its author's sight, before others act."""
    own = sight.own
    if line.verb == "play":
        ship = Ship(line.cells[0], sight.player, False, line.cards[0])
        hand = without(own.hand, line.cards)
        return replace(sight, board=placed(sight.board, ship), own=replace(own, hand=hand))
    if line.verb == "move":
        board = moved(sight.board, line.cells[0], line.cells[-1])
        return replace(sight, board=board, own=replace(own, hand=without(own.hand, line.cards)))
    if line.verb == "flip":
        return replace(sight, board=turned_up(sight.board, line.cells[0]))
    if line.verb == "swap":
        ship = Ship(line.cells[0], sight.player, True, line.cards[0])
        craft = _own_ship(sight, line.cells[0]).name or ""
        sunk = (*without(sight.mine.sunk, line.cards), craft)
        return replace(sight, board=placed(sight.board, ship)).with_sunk(sunk)
    if line.verb == "offer":
        return replace(sight, offers=(*sight.offers, sight.player))
    if line.verb == "support" and line.supports and sight.attack is not None:
        cells, cards = zip(*line.supports, strict=True)
        attack = replace(sight.attack, supports=(*sight.attack.supports, *cells))
        return replace(sight, attack=attack, own=replace(own, hand=without(own.hand, cards)))
    return sight


def is_attack(sight: Sight, line: Line) -> bool:
    """Whether a line that is allowed is a move into an enemy ship's cell (SS-5)."""
    return line.verb == "move" and ship_at(sight.board, line.cells[-1]) is not None


def whole_name(word: str, names: Sequence[str], reason: str, where: str) -> str:
    """The one of `names` that a word means: itself, or the only one it begins (SS-17)."""
    found = sorted({name for name in names if name.startswith(word)})
    if word in found:
        return word
    if len(found) > 1:
        raise Refused(
            "ambiguous", f"expected one ship; {word!r} fits {' and '.join(found)}", malformed=True
        )
    if not found:
        raise Refused(reason, f"no {word!r} is {where}", hint=suggest(word, names))
    return found[0]


# Conditions, a function for each verb.


def _play(sight: Sight, line: Line) -> Line:
    own_turn(sight)
    card = whole_name(line.cards[0], sight.own.hand, "not-in-hand", "in your hand")
    places = PLACES[seat(sight.setup, sight.player)]
    cell = places[line.place] if line.place else on_board(line.cells[0])
    if cell not in places.values():
        raise Refused(
            "not-at-country",
            "a ship is played on, left or right of your country: "
            + ", ".join(f"{name} is {at}" for name, at in places.items()),
        )
    if ship_at(sight.board, cell) is not None:
        raise Refused("occupied", f"{cell} is not empty")
    return Line("play", (cell,), (card,))


def _move(sight: Sight, line: Line) -> Line:
    own_turn(sight)
    ship = _own_ship(sight, line.cells[0])
    cards = _hand_cards(sight, line.cards)
    _check_path(sight, ship, line.cells)
    due = max(1, sight.cards.ability(ship.name, "heavy") if ship.up else 0)
    if len(cards) != due:
        raise Refused(
            "discards",
            f"moving this ship costs {due} {'discard' if due == 1 else 'discards'}, "
            f"not {len(cards)}",
        )
    target = ship_at(sight.board, line.cells[-1])
    if target is None:
        if line.supports is not None or line.push is not None:
            raise Refused("no-attack", "`support` and `push` go with an attack only")
        return replace(line, cards=cards)
    attack = Target(line.cells[-2], line.cells[-1])
    # A speed boat attacks from the last empty cell of its way: it has left the first (SS-5).
    board = moved(sight.board, line.cells[0], line.cells[-2])
    fought = replace(sight, board=board)
    supports = None if line.supports is None else check_supports(fought, attack, line.supports)
    if supports:
        _distinct((*cards, *(card for _, card in supports)))
    if line.push is not None:
        check_push(fought, attack, line.push)
    return replace(line, cards=cards, supports=supports)


def _check_path(sight: Sight, ship: Ship, cells: Sequence[Cell]) -> None:
    """One step, or as many as a face-up speed boat may make, through empty cells (SS-4, SS-16)."""
    for cell in cells:
        on_board(cell)
    for start, to in pairwise(cells):
        if start.distance(to) != 1:
            raise Refused("not-adjacent", f"{to} is not next to {start}")
    reach = max(1, sight.cards.ability(ship.name, "sprints") if ship.up else 0)
    if len(cells) - 1 > reach:
        far = "one cell" if reach == 1 else f"{reach} cells"
        raise Refused("too-far", f"this ship moves {far} at most as it lies")
    if len(set(cells)) < len(cells):
        raise Refused("cell-twice", "a move names no cell twice")
    for cell in cells[1:-1]:
        if ship_at(sight.board, cell) is not None:
            raise Refused("blocked", f"{cell} is not empty")
    last = ship_at(sight.board, cells[-1])
    if last is not None and last.owner == sight.player:
        raise Refused("own-ship", f"your own ship is in {cells[-1]}")


def _flip(sight: Sight, line: Line) -> Line:
    if _own_ship(sight, line.cells[0]).up:
        raise Refused("face-up", f"the ship in {line.cells[0]} lies face up already")
    return line


def _swap(sight: Sight, line: Line) -> Line:
    own_turn(sight)
    cell = line.cells[0]
    ship = _own_ship(sight, cell)
    if not (ship.up and sight.cards.ability(ship.name, "swaps")):
        raise Refused("no-swap", "only a face-up special operations craft swaps")
    if cell not in (*ISLANDS, COUNTRIES[1 - seat(sight.setup, sight.player)]):
        raise Refused("no-swap", "a craft swaps on an island or the enemy country only")
    card = whole_name(line.cards[0], sight.mine.sunk, "not-sunk", "among your sunk ships")
    return Line("swap", (cell,), (card,))


def _offer(sight: Sight, line: Line) -> Line:
    if sight.player in sight.offers:
        raise Refused("offered", "your offer stands already")
    return line


def _plain(sight: Sight, line: Line) -> Line:
    return line


def _end(sight: Sight, line: Line) -> Line:
    own_turn(sight)
    return line


def _start(sight: Sight, line: Line) -> Line:
    if sight.prompt is None or sight.prompt.what != "setup":
        raise Refused("not-asked", "`start` belongs to the setup")
    return line


def _decision(sight: Sight, line: Line) -> Line:
    """A decision that is asked for, and possible (SS-12)."""
    attack = sight.attack
    asked = attack.asks if attack is not None and attack.player == sight.player else ""
    if attack is None or asked != ("retreat" if line.verb == "stand" else line.verb):
        what = f"you are asked for {asked}" if asked else "no decision is asked of you"
        raise Refused("not-asked", f"`{line.verb}` is not asked for: {what}")
    if line.verb == "retreat":
        return replace(line, cards=_hand_cards(sight, line.cards))
    if line.verb == "support":
        return replace(line, supports=check_supports(sight, attack, line.supports or ()))
    if line.push is not None:
        check_push(sight, attack, line.push)
    return line


_CHECKS: Mapping[str, Callable[[Sight, Line], Line]] = {
    "play": _play,
    "move": _move,
    "flip": _flip,
    "swap": _swap,
    "offer": _offer,
    "end": _end,
    "resign": _plain,
    "stand": _decision,
    "retreat": _decision,
    "support": _decision,
    "push": _decision,
    "start": _start,
}


def check_supports(
    sight: Sight, attack: Target, given: Sequence[tuple[Cell, str]]
) -> tuple[tuple[Cell, str], ...]:
    """Supports with whole names, each by another ship that may and by another card (SS-7)."""
    may = supporters(sight.board, sight.cards, attack, sight.player)
    found: list[tuple[Cell, str]] = []
    for cell, card in given:
        if on_board(cell) not in may:
            ships = ", ".join(map(str, may)) or "none"
            raise Refused("cannot-support", f"{cell} cannot support; those that can: {ships}")
        if cell in (there for there, _ in found):
            raise Refused("cannot-support", f"{cell} supports once only")
        found.append((cell, _hand_cards(sight, (card,))[0]))
    _distinct([card for _, card in found])
    return tuple(found)


def check_push(sight: Sight, attack: Target, cell: Cell) -> None:
    """Raise Refused unless a retreat may be sent there (SS-6)."""
    free = retreats(sight.board, attack.to)
    if on_board(cell) not in free:
        cells = ", ".join(map(str, free)) or "none"
        raise Refused("no-retreat", f"the target cannot go to {cell}; the cells it can: {cells}")


def own_turn(sight: Sight) -> None:
    """Raise Refused unless it is this player's turn and no attack waits."""
    if sight.prompt is None or sight.prompt.what != "turn":
        raise Refused("not-asked", "this belongs to your own turn, while no attack waits")


def on_board(cell: Cell) -> Cell:
    """The cell, if it lies on the board; raises Refused."""
    if not cell.on(BOARD):
        raise Refused("off-board", f"{cell} is not on the board, which goes from A1 to E4")
    return cell


def _own_ship(sight: Sight, cell: Cell) -> Ship:
    ship = ship_at(sight.board, on_board(cell))
    if ship is None or ship.owner != sight.player:
        raise Refused("no-ship", f"no ship of yours is in {cell}")
    return ship


def _hand_cards(sight: Sight, words: Sequence[str]) -> tuple[str, ...]:
    cards = tuple(whole_name(word, sight.own.hand, "not-in-hand", "in your hand") for word in words)
    _distinct(cards)
    return cards


def _distinct(cards: Sequence[str]) -> None:
    for card in cards:
        if cards.count(card) > 1:
            raise Refused("not-in-hand", f"{card!r} is in your hand once, and is given up twice")
