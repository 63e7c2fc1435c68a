"""The position notation of Silent Ships: written out in full, and read strictly.

What belongs here: the two ways between a `State` and the plain data of a state file or a rule
case. A position need not be reachable, only well formed: what is placed nowhere is out of play.
What it must not know: rules, views, order lines.
"""

from __future__ import annotations

from typing import Any

from games.game import BadPosition, Player, Setup, Table
from games.grid import Cell, by_row, read_cell
from games.options import Value
from games.silent_ships.state import (
    BOARD,
    Attack,
    Over,
    Ship,
    Side,
    Standing,
    State,
    cards_of,
    other,
    ship_at,
)
from games.silent_ships.view import attack_table, opening, ship_line, standing_table

WORDS = frozenset({"setup", "turn", "over", "board", "idle", "active", "offers", "attack"})
"""The notation's own keys, which no player may bear as a name."""

ENDINGS = ("country", "flag-ship", "sunk", "agreed", "stalemate", "resigned", "missed")

_SIDE = ("hand", "deck", "discards", "sunk", "standing", "shuffles")
_ATTACK = ("from", "to", "asks", "player", "supports", "no_support", "number")
_ATTACKER = ("given_support", "given_push", "waiting", "line")
_MOST = 10**6


def position(state: State) -> dict[str, Value]:
    """The state in full. Before the game begins: `setup`, and the decks that are laid down."""
    if not state.begun:
        tables = {
            player: _side_table(side, player in state.named)
            for player, side in zip(state.setup.players, state.sides, strict=True)
            if side != Side() or player in state.named
        }
        return {"setup": True, **tables}
    written: dict[str, Value] = {
        **opening(state.turn, state.over),
        "board": [ship_line(ship) for ship in state.board],
        "idle": state.idle,
        "active": state.active,
        "offers": list(state.offers),
    }
    for player, side in zip(state.setup.players, state.sides, strict=True):
        written[player] = _side_table(side, True)
    if state.attack is not None:
        written["attack"] = _attack_in_full(state.attack)
    return written


def _side_table(side: Side, with_deck: bool) -> dict[str, Value]:
    table: dict[str, Value] = {
        "hand": list(side.hand),
        "deck": list(side.deck),
        "discards": list(side.discards),
        "sunk": list(side.sunk),
        "standing": standing_table(side.standing),
        "shuffles": side.shuffles,
    }
    if not with_deck:
        del table["deck"]
    return table


def _attack_in_full(attack: Attack) -> dict[str, Value]:
    table = attack_table(attack)
    if attack.given_support is not None:
        table["given_support"] = [f"{cell} {card}" for cell, card in attack.given_support]
    if attack.given_push is not None:
        table["given_push"] = str(attack.given_push)
    return {**table, "waiting": list(attack.waiting), "line": attack.line}


def state(setup: Setup, position: Table) -> State:
    """The state that a position stands for; raises BadPosition, naming the key at fault."""
    _known("position", position, (*sorted(WORDS), *setup.players))
    sides = (
        _side(setup, setup.players[0], position),
        _side(setup, setup.players[1], position),
    )
    if _bool("setup", position, "setup"):
        more = [key for key in position if key in WORDS and key != "setup"]
        if more:
            raise BadPosition(f"key {more[0]!r}: not beside setup = true")
        named = [player for player in setup.players if "deck" in position.get(player, {})]
        return State(setup, sides=sides, named=tuple(named))
    over = _over(setup, position)
    turn = position.get("turn")
    if (over is None) != (turn in setup.players):
        raise BadPosition(
            f"key 'turn' = {turn!a:.80}: expected one of {', '.join(setup.players)}, "
            "and none once the game is over"
        )
    board = _board(setup, position)
    offers = _list("offers", position.get("offers", []), setup.players)
    return State(
        setup=setup,
        turn=turn,
        board=board,
        sides=sides,
        idle=_number("idle", position, "idle"),
        active=_bool("active", position, "active"),
        offers=tuple(player for player in setup.players if player in offers),
        attack=_attack(setup, turn, board, position),
        over=over,
    )


def _side(setup: Setup, player: Player, position: Table) -> Side:
    table = _table(player, position.get(player, {}), _SIDE)
    cards = cards_of(setup)

    def pile(key: str) -> tuple[str, ...]:
        return _list(f"{player}.{key}", table.get(key, []), cards.names)

    return Side(
        hand=cards.sort(pile("hand")),
        deck=pile("deck"),
        discards=cards.sort(pile("discards")),
        sunk=cards.sort(pile("sunk")),
        standing=_standing(setup, f"{player}.standing", table.get("standing", {})),
        shuffles=_number(f"{player}.shuffles", table, "shuffles"),
    )


def _standing(setup: Setup, name: str, value: Any) -> Standing:
    table = _table(name, value, ("retreat", "support", "discard"))
    discard = None
    if "discard" in table:
        discard = _list(f"{name}.discard", table["discard"], cards_of(setup).names)
    return Standing(
        _word(f"{name}.retreat", table.get("retreat", "ask"), ("ask", "never", "always")),
        _word(f"{name}.support", table.get("support", "ask"), ("ask", "never", "all")),
        discard,
    )


def _board(setup: Setup, position: Table) -> tuple[Ship, ...]:
    names = cards_of(setup).names
    ships: list[Ship] = []
    for line in _strings("board", position.get("board", [])):
        words = line.split(" ")
        if len(words) != 4 or words[2] not in ("up", "down"):
            raise BadPosition(f"key 'board': {line!a:.80}: expected 'A3 alice down frigate'")
        cell = _cell("board", words[0])
        if ship_at(ships, cell) is not None:
            raise BadPosition(f"key 'board': {line!a:.80}: two ships in one cell")
        owner = _word("board", words[1], setup.players)
        ships.append(Ship(cell, owner, words[2] == "up", _word("board", words[3], names)))
    return tuple(sorted(ships, key=lambda ship: by_row(ship.at)))


def _over(setup: Setup, position: Table) -> Over | None:
    if "over" not in position:
        return None
    table = _table("over", position["over"], ("winner", "how"))
    return Over(
        _word("over.winner", table.get("winner"), setup.players),
        _word("over.how", table.get("how"), ENDINGS),
    )


def _attack(
    setup: Setup, turn: Player | None, board: tuple[Ship, ...], position: Table
) -> Attack | None:
    if "attack" not in position:
        return None
    table = _table("attack", position["attack"], (*_ATTACK, *_ATTACKER))
    if turn is None:
        raise BadPosition("key 'attack': not once the game is over")
    start, to = (_cell(f"attack.{key}", table.get(key)) for key in ("from", "to"))
    sides = [ship.owner if (ship := ship_at(board, cell)) else None for cell in (start, to)]
    if sides != [turn, other(setup, turn)] or start.distance(to) != 1:
        raise BadPosition(
            "key 'attack': expected a ship of the turn player in 'from' and, next to it, "
            "one of the other player in 'to'"
        )
    asks = _word("attack.asks", table.get("asks"), ("retreat", "support", "push"))
    may = {"retreat": [other(setup, turn)], "push": [turn], "support": list(setup.players)}
    given = table.get("given_support")
    push = table.get("given_push")
    return Attack(
        start=start,
        to=to,
        asks=asks,
        player=_word("attack.player", table.get("player"), may[asks]),
        supports=tuple(
            _cell("attack.supports", cell)
            for cell in _strings("attack.supports", table.get("supports", []))
        ),
        no_support=_bool("attack.no_support", table, "no_support"),
        number=_number("attack.number", table, "number", 1),
        given_support=None if given is None else _given(setup, given),
        given_push=None if push is None else _cell("attack.given_push", push),
        waiting=_strings("attack.waiting", table.get("waiting", [])),
        line=_number("attack.line", table, "line", 1),
    )


def _given(setup: Setup, value: Any) -> tuple[tuple[Cell, str], ...]:
    found = []
    for text in _strings("attack.given_support", value):
        cell, _, card = text.partition(" ")
        found.append(
            (
                _cell("attack.given_support", cell),
                _word("attack.given_support", card, cards_of(setup).names),
            )
        )
    return tuple(found)


# Values of a kind, each refused by the name of its key.


def _known(name: str, table: Table, keys: tuple[str, ...]) -> None:
    for key in table:
        if key not in keys:
            raise BadPosition(f"{name}: key {key!a:.80} is unknown; it has {', '.join(keys)}")


def _table(name: str, value: Any, keys: tuple[str, ...]) -> Table:
    if not isinstance(value, dict):
        raise BadPosition(f"key {name!r} = {value!a:.80}: expected a table")
    _known(f"key {name!r}", value, keys)
    return value


def _word(name: str, value: Any, known: Any) -> str:
    if not isinstance(value, str) or value not in known:
        raise BadPosition(f"key {name!r}: {value!a:.80}: expected one of {', '.join(known)}")
    return value


def _strings(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise BadPosition(f"key {name!r} = {value!a:.80}: expected a list of strings")
    return tuple(value)


def _list(name: str, value: Any, known: Any) -> tuple[str, ...]:
    return tuple(_word(name, item, known) for item in _strings(name, value))


def _cell(name: str, value: Any) -> Cell:
    cell = read_cell(value) if isinstance(value, str) else None
    if cell is None or not cell.on(BOARD):
        raise BadPosition(f"key {name!r}: {value!a:.80}: expected a cell from A1 to E4")
    return cell


def _number(name: str, table: Table, key: str, default: int = 0) -> int:
    value = table.get(key, default)
    if type(value) is not int or not default <= value <= _MOST:
        raise BadPosition(
            f"key {name!r} = {value!a:.80}: expected a whole number from {default} to {_MOST}"
        )
    return value


def _bool(name: str, table: Table, key: str) -> bool:
    value = table.get(key, False)
    if type(value) is not bool:
        raise BadPosition(f"key {name!r} = {value!a:.80}: expected true or false")
    return value
