"""The position notation of Silent Ships: written out in full, and read strictly.

It turns a `State` into the plain data of a state file or a rule case and back; views use its
functions for their parts. A position need only be well formed, not reachable: ships and cards that
it places nowhere are out of play. What it must not know: rules, order lines, who may see what.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from games.game import BadPosition, Player, Setup, Table
from games.grid import Cell
from games.options import Value
from games.silent_ships.events import HOW
from games.silent_ships.lines import RETREATS, SUPPORTS
from games.silent_ships.plain import (
    a_bool,
    a_cell,
    a_number,
    a_table,
    a_word,
    known_keys,
    strings,
    words,
)
from games.silent_ships.state import (
    NO_SIDE,
    Attack,
    Over,
    Ship,
    Ships,
    Side,
    Standing,
    State,
    cards_of,
    in_order,
    other,
    retreats,
)

WORDS = frozenset({"setup", "turn", "over", "board", "idle", "active", "offers", "attack"})
"""The notation's own keys, which no player may have as a name."""

_SIDE = ("hand", "deck", "discards", "sunk", "standing", "shuffles")
PUBLIC_ATTACK = ("from", "to", "asks", "player", "supports", "no_support", "number")
_ATTACKERS = ("given_support", "given_push", "waiting", "line")


# Positions.


def position(state: State) -> dict[str, Value]:
    """The state in full. Before the game begins it has `setup`, and the decks that were named."""
    if not state.begun:
        written: dict[str, Value] = {"setup": True}
        for player, side in state.sides.items():
            if player in state.named:
                written[player] = _side_table(side)
            elif side != NO_SIDE:
                written[player] = _side_table(side)
                del written[player]["deck"]
        return written
    written = {
        **opening_table(state.turn, state.over),
        "board": [ship_line(ship) for ship in state.board.values()],
        "idle": state.idle,
        "active": state.active,
        "offers": list(state.offers),
    }
    for player, side in state.sides.items():
        written[player] = _side_table(side)
    if state.attack is not None:
        written["attack"] = {**attack_table(state.attack), **_attackers_table(state.attack)}
    return written


def state(setup: Setup, position: Table) -> State:
    """The state of a written position; raises BadPosition, naming the key at fault."""
    known_keys("position", position, (*sorted(WORDS), *setup.players))
    sides = {player: _read_side(setup, player, position) for player in setup.players}
    if a_bool("setup", position, "setup"):
        more = [key for key in position if key in WORDS and key != "setup"]
        if more:
            raise BadPosition(f"key {more[0]!r}: a position with setup = true has no such key")
        named = [player for player in setup.players if "deck" in position.get(player, {})]
        return State(setup, sides, named=tuple(named))
    turn, over = read_opening(setup, position)
    board = read_board(setup, position.get("board", []))
    return State(
        setup=setup,
        turn=turn,
        board=board,
        sides=sides,
        idle=a_number("idle", position, "idle"),
        active=a_bool("active", position, "active"),
        offers=read_offers(setup, position),
        attack=_read_whole_attack(setup, turn, board, position),
        over=over,
    )


def _side_table(side: Side) -> dict[str, Value]:
    return {
        "hand": list(side.hand),
        "deck": list(side.deck),
        "discards": list(side.discards),
        "sunk": list(side.sunk),
        "standing": standing_table(side.standing),
        "shuffles": side.shuffles,
    }


def _read_side(setup: Setup, player: Player, position: Table) -> Side:
    table = a_table(player, position.get(player, {}), _SIDE)
    cards = cards_of(setup)

    def pile(key: str) -> tuple[str, ...]:
        return words(f"{player}.{key}", table.get(key, []), cards.names)

    return Side(
        hand=cards.sort(pile("hand")),
        deck=pile("deck"),
        discards=cards.sort(pile("discards")),
        sunk=cards.sort(pile("sunk")),
        standing=read_standing(setup, f"{player}.standing", table.get("standing", {})),
        shuffles=a_number(f"{player}.shuffles", table, "shuffles"),
    )


def _attackers_table(attack: Attack) -> dict[str, Value]:
    """The part of a waiting attack that only the host knows."""
    table: dict[str, Value] = {}
    if attack.given_support is not None:
        table["given_support"] = [f"{cell} {card}" for cell, card in attack.given_support]
    if attack.given_push is not None:
        table["given_push"] = str(attack.given_push)
    return {**table, "waiting": list(attack.waiting), "line": attack.line}


def _read_whole_attack(
    setup: Setup, turn: Player | None, board: Ships, position: Table
) -> Attack | None:
    if "attack" not in position:
        return None
    table = a_table("attack", position["attack"], (*PUBLIC_ATTACK, *_ATTACKERS))
    given, push = table.get("given_support"), table.get("given_push")
    public = read_attack(setup, turn, board, table)
    return public._replace(
        given_support=None if given is None else _read_given(setup, given),
        given_push=None if push is None else a_cell("attack.given_push", push),
        waiting=strings("attack.waiting", table.get("waiting", [])),
        line=a_number("attack.line", table, "line", 1),
    )


def _read_given(setup: Setup, value: Any) -> tuple[tuple[Cell, str], ...]:
    found = []
    for text in strings("attack.given_support", value):
        cell, _, card = text.partition(" ")
        name = a_word("attack.given_support", card, cards_of(setup).names)
        found.append((a_cell("attack.given_support", cell), name))
    return tuple(found)


# Parts, which views have too.


def opening_table(turn: Player | None, over: Over | None) -> dict[str, Value]:
    """The key that says whose turn it is, or how the game ended."""
    if over is not None:
        return {"over": {"winner": over.winner, "how": over.how}}
    return {"turn": turn}


def read_opening(setup: Setup, shown: Table) -> tuple[Player | None, Over | None]:
    """Whose turn it is, or how the game ended: one of the two."""
    over, turn = None, shown.get("turn")
    if "over" in shown:
        table = a_table("over", shown["over"], ("winner", "how"))
        winner = a_word("over.winner", table.get("winner"), setup.players)
        over = Over(winner, a_word("over.how", table.get("how"), tuple(HOW)))
    if (over is None) != (turn in setup.players):
        raise BadPosition(
            f"key 'turn' = {turn!a:.80}: expected one of {', '.join(setup.players)}, "
            "and no turn once the game is over"
        )
    return turn, over


@lru_cache(4096)
def ship_line(ship: Ship) -> str:
    """`C2 bob down frigate`; without a name if it is not known."""
    parts = [str(ship.at), ship.owner, "up" if ship.up else "down"]
    return " ".join([*parts, ship.name] if ship.name else parts)


def read_board(setup: Setup, value: Any, hidden: bool = False) -> Ships:
    """Ships in row, then column order. `hidden`: a face-down ship may have no name."""
    names = cards_of(setup).names
    ships: dict[Cell, Ship] = {}
    for line in strings("board", value):
        parts = line.split(" ")
        if len(parts) == 3 and hidden and parts[2] == "down":
            parts.append("")
        if len(parts) != 4 or parts[2] not in ("up", "down"):
            raise BadPosition(f"key 'board': {line!a:.80}: expected 'A3 alice down frigate'")
        cell = a_cell("board", parts[0])
        if cell in ships:
            raise BadPosition(f"key 'board': {line!a:.80}: two ships in one cell")
        owner = a_word("board", parts[1], setup.players)
        name = a_word("board", parts[3], names) if parts[3] else ""
        ships[cell] = Ship(cell, owner, parts[2] == "up", name)
    return in_order(ships)


def read_offers(setup: Setup, shown: Table) -> tuple[Player, ...]:
    """The players with a standing offer, in seat order."""
    offers = words("offers", shown.get("offers", []), setup.players)
    return tuple(player for player in setup.players if player in offers)


def standing_table(standing: Standing) -> dict[str, Value]:
    """Standing orders in the form of an order file, defaults written out."""
    table: dict[str, Value] = {"retreat": standing.retreat, "support": standing.support}
    if standing.discard is not None:
        table["discard"] = list(standing.discard)
    return table


def read_standing(setup: Setup, name: str, value: Any) -> Standing:
    """Standing orders under the key `name`."""
    table = a_table(name, value, ("retreat", "support", "discard"))
    discard = None
    if "discard" in table:
        discard = words(f"{name}.discard", table["discard"], cards_of(setup).names)
    return Standing(
        a_word(f"{name}.retreat", table.get("retreat", "ask"), RETREATS),
        a_word(f"{name}.support", table.get("support", "ask"), SUPPORTS),
        discard,
    )


def attack_table(attack: Attack) -> dict[str, Value]:
    """The public part of an attack that waits."""
    return {
        "from": str(attack.start),
        "to": str(attack.to),
        "asks": attack.asks,
        "player": attack.player,
        "supports": [str(cell) for cell in attack.supports],
        "no_support": attack.no_support,
        "number": attack.number,
    }


def read_attack(setup: Setup, turn: Player | None, board: Ships, table: Table) -> Attack:
    """The public part of an attack that waits."""
    if turn is None:
        raise BadPosition("key 'attack': the game is over")
    start, to = (a_cell(f"attack.{key}", table.get(key)) for key in ("from", "to"))
    owners = [board[cell].owner if cell in board else None for cell in (start, to)]
    if owners != [turn, other(setup, turn)] or start.distance(to) != 1:
        raise BadPosition(
            "key 'attack': expected a ship of the turn player in 'from' and, next to it, "
            "one of the other player in 'to'"
        )
    asks = a_word("attack.asks", table.get("asks"), ("retreat", "support", "push"))
    if asks == "push" and not retreats(board, to):
        raise BadPosition("key 'attack.asks': push needs an empty cell next to the target")
    may = {"retreat": (other(setup, turn),), "push": (turn,), "support": setup.players}
    others = {str(cell): cell for cell in board if cell not in (start, to)}
    supports = words("attack.supports", table.get("supports", []), tuple(others))
    return Attack(
        start=start,
        to=to,
        asks=asks,
        player=a_word("attack.player", table.get("player"), may[asks]),
        supports=tuple(others[cell] for cell in supports),
        no_support=a_bool("attack.no_support", table, "no_support"),
        number=a_number("attack.number", table, "number", 1),
    )
