"""The order words of an answer: stand, retreat, support, push (SS-6, SS-7, SS-12).

As in `actions`; supports and pushes can also be parts of a move line (SS-13).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.game import Choice
from games.grid import Cell
from games.silent_ships.lines import (
    Backing,
    Command,
    LineFault,
    cell_of,
    hand_cards,
    listed,
    not_understood,
    on_board,
    ship_of,
)
from games.silent_ships.state import Attack, retreats, supporters, under_way, without
from games.silent_ships.view import Sight
from games.silent_ships.word import Sea, Word

SUPPORT = "`support CELL discard SHIP` or `support none`"
PUSH = "`push CELL`, such as `push D2`"


def _asked(sight: Sight, asks: str) -> Attack:
    """The attack in which the author is asked for this."""
    attack = under_way(sight.attack)
    if attack.asks != asks:
        raise LineFault("not-asked", f"not asked for: you are asked for {attack.asks}")
    return attack


# stand, retreat


def _read_stand(words: Sequence[str], form: str) -> Command:
    if words:
        raise not_understood(form)
    return Command("stand")


def _check_stand(sight: Sight, command: Command) -> Command:
    _asked(sight, "retreat")
    return command


def _stands(sea: Sea) -> Iterator[Choice]:
    if under_way(sea.sight.attack).asks == "retreat":
        yield Choice("stand", (), "stay and fight")


def _read_retreat(words: Sequence[str], form: str) -> Command:
    if words[:1] != ["discard"]:
        raise not_understood(form)
    return Command("retreat", (), (ship_of(words[1:], form),))


def _check_retreat(sight: Sight, command: Command) -> Command:
    _asked(sight, "retreat")
    return command._replace(cards=hand_cards(sight, command.cards))


def _retreats(sea: Sea) -> Iterator[Choice]:
    if under_way(sea.sight.attack).asks == "retreat":
        for card in sea.hand:
            yield Choice(f"retreat discard {card}", (), f"retreat, giving up {card}")


# support


def read_supports(parts: list[list[str]]) -> tuple[Backing | None, list[list[str]]]:
    """The supports at the beginning of a move line's parts (None: not given), and the remaining
    parts."""
    if not parts or parts[0][0] != "support":
        return None, parts
    if parts[0] == ["support", "none"]:
        return (), parts[1:]
    found = []
    while parts and parts[0][0] == "support":
        given = parts[1] if len(parts) > 1 else [""]
        if len(parts[0]) != 2 or given[0] != "discard":
            raise not_understood(SUPPORT)
        found.append((cell_of(parts[0][1], SUPPORT), ship_of(given[1:], SUPPORT)))
        parts = parts[2:]
    return tuple(found), parts


def _read_support(words: Sequence[str], form: str) -> Command:
    if list(words) == ["none"]:
        return Command("support", supports=())
    if words[1:2] != ["discard"]:
        raise not_understood(form)
    return Command("support", supports=((cell_of(words[0], form), ship_of(words[2:], form)),))


def check_supports(sight: Sight, attack: Attack, given: Backing) -> Backing:
    """Supports with whole names and cards of the hand, each by another ship that may support
    (SS-7)."""
    may = supporters(sight.board, sight.cards, attack, sight.player)
    found: list[tuple[Cell, str]] = []
    for cell, card in given:
        if on_board(cell) not in may:
            raise LineFault("cannot-support", f"{cell} cannot support; {listed(may)} can")
        if cell in (there for there, _ in found):
            raise LineFault("cannot-support", f"{cell} supports once only")
        found.append((cell, hand_cards(sight, (card,))[0]))
    return tuple(found)


def _check_support(sight: Sight, command: Command) -> Command:
    attack = _asked(sight, "support")
    return command._replace(supports=check_supports(sight, attack, command.supports or ()))


def _support_leaves(sight: Sight, command: Command) -> Sight:
    attack, given = under_way(sight.attack), command.supports or ()
    supports = (*attack.supports, *(cell for cell, _ in given))
    hand = without(sight.own.hand, [card for _, card in given])
    own = sight.own._replace(hand=hand)
    return sight._replace(attack=attack._replace(supports=supports), own=own)


def _supports(sea: Sea) -> Iterator[Choice]:
    sight, attack = sea.sight, under_way(sea.sight.attack)
    if attack.asks != "support":
        return
    if not any(ship.at in attack.supports for ship in sea.ships):
        yield Choice("support none", (), "support with no ship")
    for cell in supporters(sight.board, sight.cards, attack, sight.player):
        for card in sea.hand:
            text = f"support {cell} discard {card}"
            yield Choice(text, (str(cell),), f"support from {cell}, giving up {card}")


# push


def read_push(words: Sequence[str]) -> Cell:
    """The cell after `push`."""
    if len(words) != 1:
        raise not_understood(PUSH)
    return cell_of(words[0], PUSH)


def _read_push(words: Sequence[str], form: str) -> Command:
    return Command("push", push=read_push(words))


def check_push(sight: Sight, attack: Attack, cell: Cell) -> None:
    """Raise LineFault unless the attacker may send a retreat there (SS-6)."""
    free = retreats(sight.board, attack.to)
    if on_board(cell) not in free:
        raise LineFault("no-retreat", f"the target cannot go to {cell}; it can to {listed(free)}")


def _check_push(sight: Sight, command: Command) -> Command:
    attack = _asked(sight, "push")
    if command.push is not None:
        check_push(sight, attack, command.push)
    return command


def _pushes(sea: Sea) -> Iterator[Choice]:
    attack = under_way(sea.sight.attack)
    if attack.asks == "push":
        for cell in map(str, retreats(sea.sight.board, attack.to)):
            yield Choice(f"push {cell}", (cell,), f"send the ship that retreats to {cell}")


ANSWERS: Mapping[str, Word] = {
    "stand": Word(
        "nothing after `stand`", ("answer",), _read_stand, _check_stand, _stands, decision=True
    ),
    "retreat": Word(
        "`retreat discard SHIP`", ("answer",), _read_retreat, _check_retreat, _retreats,
        decision=True,
    ),
    "support": Word(
        SUPPORT, ("answer",), _read_support, _check_support, _supports, _support_leaves,
        decision=True,
    ),
    "push": Word(PUSH, ("answer",), _read_push, _check_push, _pushes, decision=True),
}  # fmt: skip
"""Lines are offered in the order of the rows."""
