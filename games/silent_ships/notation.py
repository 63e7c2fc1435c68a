"""The position notation of Silent Ships: written out in full, and read strictly; and that of views.

It turns a `State` into the plain data of a state file or a rule case and back. A position need only
be well formed, not reachable: ships and cards that it places nowhere are out of play. What it must
not know: rules, order lines, who may see what (`state.see`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from games.game import Player, Setup, Table, View
from games.kinds import (
    MISSING,
    TEXT,
    TRUE,
    TRUTH,
    Kind,
    Reader,
    cell,
    either,
    lists,
    named,
    number,
    phrase,
    some_of,
    word,
)
from games.options import Value
from games.silent_ships.events import DRAWN, HOW
from games.silent_ships.state import (
    BOARD,
    NO_SIDE,
    NO_STANDING,
    NOBODY,
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

CELL = cell(BOARD)
COUNT = number(0, 10**7 - 1)
"""No game has more steps."""
_MOST_CARDS = 999
"""No side has more."""
_NUMBER = number(1, 10**7 - 1)
STANDING = ("retreat", "support", "discard")
ANSWERS_AHEAD = {"retreat": ("ask", "never", "always"), "support": ("ask", "never", "all")}
"""How standing orders may answer."""
_RETREAT, _SUPPORT = (word(*words) for words in ANSWERS_AHEAD.values())
_SIDE = ("hand", "deck", "discards", "sunk", "standing", "shuffles")
PUBLIC_ATTACK = ("from", "to", "asks", "player", "supports", "no_support", "number")
_ATTACKERS = ("given_support", "given_push", "waiting", "line")


# Views.


def read_view(view: View) -> State:
    """What a view shows, whoever made the view; raises BadPosition."""
    if isinstance(view.sight, State):
        return view.sight
    setup, player = view.setup, view.player or NOBODY
    reader = reader_of(setup, view.shown)
    if reader.take("setup", TRUTH, False):
        return State(setup, dict.fromkeys(setup.players, NO_SIDE), seen_by=player)
    sides = {name: _read_seen(setup, reader, name, own=name == player) for name in setup.players}
    return _read(setup, reader, sides, player)


# Positions.


def position(state: State) -> dict[str, Value]:
    """The state in full, or what somebody sees. Before the game begins it has `setup`, and the
    decks that were named."""
    whole = state.seen_by is None
    if not state.begun:
        written: dict[str, Value] = {"setup": True}
        for player, side in state.sides.items():
            if player in state.named:
                written[player] = _side_table(side)
            elif side != NO_SIDE:
                written[player] = _side_table(side)
                del written[player]["deck"]
        return written
    over = state.over
    written = {
        **({"turn": state.turn} if over is None else {"over": _over_table(over)}),
        "board": [ship_line(ship) for ship in state.board.values()],
        "idle": state.idle,
        "active": state.active,
        "offers": list(state.offers),
    }
    for player, side in state.sides.items():
        written[player] = _side_table(side) if whole else _seen_table(side, player == state.player)
    if state.attack is not None:
        written["attack"] = _attack_table(state.attack, whole)
    return written


def read_position(setup: Setup, position: Table) -> State:
    """The state of a written position; raises BadPosition, naming the key at fault."""
    reader = reader_of(setup, position)
    sides = {player: _read_side(setup, reader, player) for player in setup.players}
    if reader.take("setup", TRUTH, False):
        more = [key for key in position if key in WORDS and key != "setup"]
        if more:
            raise reader.fault(more[0], "no such key in a position with setup = true")
        named = [player for player in setup.players if "deck" in position.get(player, {})]
        return State(setup, sides, named=tuple(named))
    return _read(setup, reader, sides, None)


def _read(setup: Setup, reader: Reader, sides: dict[Player, Side], seen_by: Player | None) -> State:
    """A position, of whose sides that is known. Only a whole one names all ships, tells all of an
    attack, and may leave out the board."""
    turn, over = read_opening(setup, reader)
    whole = seen_by is None
    board = read_board(setup, reader, () if whole else MISSING, hidden=not whole)
    attack = None
    if "attack" in reader:
        attack = _read_attack(setup, turn, board, reader, whole)
    return State(
        setup,
        sides,
        turn,
        board,
        reader.take("idle", COUNT, 0),
        reader.take("active", TRUTH, False),
        reader.take("offers", some_of(*setup.players), ()),
        attack,
        over,
        seen_by=seen_by,
    )


def reader_of(setup: Setup, table: Table) -> Reader:
    """A reader of a whole position or view."""
    return Reader(table, (*sorted(WORDS), *setup.players))


def pile(setup: Setup) -> Kind[tuple[str, ...]]:
    """Lists of ships' names."""
    return lists(word(*cards_of(setup).names))


def _side_table(side: Side) -> dict[str, Value]:
    return {
        "hand": list(side.hand),
        "deck": list(side.deck),
        "discards": list(side.discards),
        "sunk": list(side.sunk),
        "standing": standing_table(side.standing),
        "shuffles": side.shuffles,
    }


def _read_side(setup: Setup, reader: Reader, player: Player) -> Side:
    table, cards = reader.inner(player, _SIDE, {}), pile(setup)
    in_order = cards.then(cards_of(setup).sort)
    return Side(
        hand=table.take("hand", in_order, ()),
        deck=table.take("deck", cards, ()),
        discards=table.take("discards", in_order, ()),
        sunk=table.take("sunk", in_order, ()),
        standing=read_standing(table.inner("standing", STANDING, {}), cards),
        shuffles=table.take("shuffles", COUNT, 0),
    )


def _seen_table(side: Side, own: bool) -> dict[str, Value]:
    """How many cards there are, and of one's own the names; a deck is in an order that nobody
    knows."""
    return {
        "hand": list(side.hand) if own else len(side.hand),
        "deck": len(side.deck),
        "discards": list(side.discards) if own else len(side.discards),
        "sunk": list(side.sunk),
        "shuffles": side.shuffles,
        **({"standing": standing_table(side.standing)} if own else {}),
    }


def _read_seen(setup: Setup, reader: Reader, player: Player, *, own: bool) -> Side:
    cards = pile(setup)
    unnamed = number(0, _MOST_CARDS).then(lambda count: ("",) * count)
    named = cards if own else unnamed
    keys = ("hand", "deck", "discards", "sunk", "shuffles", *(["standing"] if own else []))
    table = reader.inner(player, keys)
    return Side(
        table.take("hand", named),
        table.take("deck", unnamed),
        table.take("discards", named),
        table.take("sunk", cards),
        read_standing(table.inner("standing", STANDING), cards) if own else NO_STANDING,
        table.take("shuffles", COUNT),
    )


# Parts.


def read_opening(setup: Setup, reader: Reader) -> tuple[Player | None, Over | None]:
    """Whose turn it is, or how the game ended: one of the two."""
    player = word(*setup.players)
    if "over" not in reader:
        return reader.take("turn", player), None
    if reader.table.get("turn") is not None:
        raise reader.fault("turn", "no turn once the game is over")
    over = reader.inner("over", ("winner", "draw", "how"))
    if ("winner" in over) == ("draw" in over):
        raise reader.fault("over", "{ winner, how } or { draw = true, how }")
    over.take("draw", TRUE, None)
    winner = over.take("winner", player, None)
    return None, Over(winner, over.take("how", word(*(HOW if winner else DRAWN))))


def _over_table(over: Over) -> dict[str, Value]:
    """The end, as the event `over` tells it."""
    ended: dict[str, Value] = {"draw": True} if over.winner is None else {"winner": over.winner}
    return {**ended, "how": over.how}


@lru_cache(4096)
def ship_line(ship: Ship) -> str:
    """`C2 bob down frigate`; without a name if it is not known."""
    parts = [str(ship.at), ship.owner, "up" if ship.up else "down"]
    return " ".join([*parts, ship.name] if ship.name else parts)


_UP = {"up": True, "down": False}


def read_board(setup: Setup, reader: Reader, default: Any, *, hidden: bool) -> Ships:
    """Ships in row, then column order. `hidden`: a face-down ship may have no name."""
    name, player = word(*cards_of(setup).names), word(*setup.players)
    ship = phrase("A3 alice down frigate", CELL, player, named(_UP), name)
    if hidden:
        unnamed = phrase("A3 alice down", CELL, player, named({"down": False}))
        ship = either(ship, unnamed.then(lambda parts: (*parts, "")))
    ships = [Ship(*parts) for parts in reader.take("board", lists(ship), default)]
    board = {ship.at: ship for ship in ships}
    if len(board) < len(ships):
        raise reader.fault("board", "one ship at most in each cell")
    return in_order(board)


def standing_table(standing: Standing) -> dict[str, Value]:
    """Standing orders as a position has them, defaults written out."""
    table: dict[str, Value] = {"retreat": standing.retreat, "support": standing.support}
    if standing.discard is not None:
        table["discard"] = list(standing.discard)
    return table


def read_standing(reader: Reader, discard: Kind[tuple[str, ...]]) -> Standing:
    """Standing orders, whose ships' names are such a list."""
    return Standing(
        reader.take("retreat", _RETREAT, "ask"),
        reader.take("support", _SUPPORT, "ask"),
        reader.take("discard", discard, None),
    )


def _attack_table(attack: Attack, whole: bool) -> dict[str, Value]:
    """An attack that waits; if it is not whole, its public part."""
    table: dict[str, Value] = {
        "from": str(attack.start),
        "to": str(attack.to),
        "asks": attack.asks,
        "player": attack.player,
        "supports": [str(cell) for cell in attack.supports],
        "no_support": attack.no_support,
        "number": attack.number,
    }
    if not whole:
        return table
    if attack.given_support is not None:
        table["given_support"] = [f"{cell} {card}" for cell, card in attack.given_support]
    if attack.given_push is not None:
        table["given_push"] = str(attack.given_push)
    return {**table, "waiting": list(attack.waiting), "line": attack.line}


def _read_attack(
    setup: Setup, turn: Player | None, board: Ships, reader: Reader, whole: bool
) -> Attack:
    """An attack that waits; if it is not whole, its public part."""
    table = reader.inner("attack", (*PUBLIC_ATTACK, *(_ATTACKERS if whole else ())))
    given = phrase("B3 salvage-ship", CELL, word(*cards_of(setup).names))
    if turn is None:
        raise table.error("attack", ": the game is over")
    start, to = table.take("from", CELL), table.take("to", CELL)
    owners = [board[at].owner if at in board else None for at in (start, to)]
    if owners != [turn, other(setup, turn)] or start.distance(to) != 1:
        raise table.error(
            "attack",
            ": expected a ship of the turn player in 'from' and, next to it, "
            "one of the other player in 'to'",
        )
    asks = table.take("asks", word("retreat", "support", "push"))
    if asks == "push" and not retreats(board, to):
        raise table.fault("asks", "no push, which needs an empty cell next to the target")
    may = {"retreat": (other(setup, turn),), "push": (turn,), "support": setup.players}
    others = {str(at): at for at in board if at not in (start, to)}
    return Attack(
        start=start,
        to=to,
        asks=asks,
        player=table.take("player", word(*may[asks])),
        supports=table.take("supports", lists(named(others)), ()),
        no_support=table.take("no_support", TRUTH, False),
        number=table.take("number", _NUMBER, 1),
        given_support=table.take("given_support", lists(given), None),
        given_push=table.take("given_push", CELL, None),
        waiting=table.take("waiting", lists(TEXT), ()),
        line=table.take("line", _NUMBER, 1),
    )
