"""What one player may see (SS-18), built by adding.

`see` takes from a state what a player, or everybody, may know; the other functions write that as a
report's plain data and read it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from games.game import Player, Prompt, Setup, View
from games.grid import Cell
from games.kinds import TRUTH, Reader, some_of
from games.options import Value
from games.silent_ships.cards import Cards
from games.silent_ships.notation import (
    COUNT,
    PUBLIC_ATTACK,
    STANDING,
    attack_table,
    opening_table,
    pile,
    read_attack,
    read_board,
    read_opening,
    read_standing,
    reader_of,
    ship_line,
    standing_table,
)
from games.silent_ships.state import (
    BOARD,
    NO_STANDING,
    Attack,
    Over,
    Ship,
    Ships,
    Side,
    Standing,
    State,
    cards_of,
    other,
    prompts,
)

NOBODY: Player = ""
"""The name of the public view's reader."""


class CardCounts(NamedTuple):
    """The public facts about a player's cards: how many, which were sunk, how often shuffled."""

    hand: int
    deck: int
    discards: int
    sunk: tuple[str, ...]
    shuffles: int


class OwnCards(NamedTuple):
    """A player's knowledge of their own cards. Nobody knows the order of a deck.

    `sunk` is public too; here it is the pile after the lines of a file.
    """

    hand: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    sunk: tuple[str, ...] = ()
    standing: Standing = NO_STANDING


NOTHING_OWN = OwnCards()


class Sight(NamedTuple):
    """The game as `player` sees it, or everybody (`NOBODY`). `attack` holds only its public part.

    `known`: of each player; empty before the game begins.
    """

    setup: Setup
    player: Player
    turn: Player | None = None
    board: Ships = MappingProxyType({})
    known: Mapping[Player, CardCounts] = MappingProxyType({})
    own: OwnCards = NOTHING_OWN
    idle: int = 0
    active: bool = False
    offers: tuple[Player, ...] = ()
    attack: Attack | None = None
    over: Over | None = None

    @property
    def begun(self) -> bool:
        """Whether the setup is over."""
        return self.turn is not None or self.over is not None

    @property
    def cards(self) -> Cards:
        """The table of ships."""
        return cards_of(self.setup)

    @property
    def mine(self) -> CardCounts:
        """What everybody knows of this player's cards."""
        return self.known[self.player]

    @property
    def theirs(self) -> CardCounts:
        """What everybody knows of the opponent's cards."""
        return self.known[other(self.setup, self.player)]

    @property
    def prompt(self) -> Prompt | None:
        """The prompt of this player, if they are awaited."""
        asked = prompts(self.setup, self.turn, self.attack, self.over)
        return next((prompt for prompt in asked if prompt.player == self.player), None)


def view(state: State, player: Player | None) -> View:
    """What that player may see of a state, written down."""
    return view_of(see(state, player))


def public(view: View) -> dict[str, Value]:
    """The public part of any player's view, in the form of the public view."""
    return dict(view_of(everybodys(sight_of(view))).shown)


def see(state: State, player: Player | None) -> Sight:
    """What that player may see of a state; for None, what everybody may see."""
    if not state.begun:
        return Sight(state.setup, player or NOBODY)
    return Sight(
        setup=state.setup,
        player=player or NOBODY,
        turn=state.turn,
        board=_seen(state, player),
        known={name: _known(side) for name, side in state.sides.items()},
        own=NOTHING_OWN if player is None else _own(state.sides[player]),
        idle=state.idle,
        active=state.active,
        offers=state.offers,
        attack=None if state.attack is None else _public(state.attack),
        over=state.over,
    )


def everybodys(sight: Sight) -> Sight:
    """The public part of any player's sight."""
    board = {cell: ship if ship.up else _hidden(ship) for cell, ship in sight.board.items()}
    return sight._replace(player=NOBODY, board=board, own=NOTHING_OWN)


def _known(side: Side) -> CardCounts:
    return CardCounts(len(side.hand), len(side.deck), len(side.discards), side.sunk, side.shuffles)


def _own(side: Side) -> OwnCards:
    return OwnCards(side.hand, side.discards, side.sunk, side.standing)


def _hidden(ship: Ship) -> Ship:
    return Ship(ship.at, ship.owner, False, "")


def _seen(state: State, player: Player | None) -> Ships:
    """The board without the names of face-down ships, except the player's own and those next to
    their patrol ship."""
    seen = scouted(state, player)
    return {
        cell: ship if ship.up or ship.owner == player or cell in seen else _hidden(ship)
        for cell, ship in state.board.items()
    }


def scouted(state: State, player: Player | None) -> set[Cell]:
    """The cells next to a face-up patrol ship of that player (SS-16)."""
    cards = state.cards
    own = [ship for ship in state.board.values() if ship.up and ship.owner == player]
    scouts = [ship.at for ship in own if cards.ability(ship.name, "scouts")]
    return {near for at in scouts for near in BOARD.adjacent(at)}


def _public(attack: Attack) -> Attack:
    return Attack(
        start=attack.start,
        to=attack.to,
        asks=attack.asks,
        player=attack.player,
        supports=attack.supports,
        no_support=attack.no_support,
        number=attack.number,
    )


# Writing a sight as plain data, in the keys of the position notation, and back.


def view_of(sight: Sight) -> View:
    """The view for a report or, from nobody's sight, for an entry."""
    viewer = sight.player or None
    if not sight.begun:
        return View(sight.setup, viewer, {"setup": True}).beside(sight)
    shown: dict[str, Value] = {
        **opening_table(sight.turn, sight.over),
        "board": [ship_line(ship) for ship in sight.board.values()],
        "idle": sight.idle,
        "active": sight.active,
        "offers": list(sight.offers),
    }
    for player, known in sight.known.items():
        shown[player] = _known_table(known)
    if sight.player:
        shown[sight.player] |= _own_table(sight.own)
    if sight.attack is not None:
        shown["attack"] = attack_table(sight.attack)
    return View(sight.setup, viewer, shown).beside(sight)


def _known_table(known: CardCounts) -> dict[str, Value]:
    return {
        "hand": known.hand,
        "deck": known.deck,
        "discards": known.discards,
        "sunk": list(known.sunk),
        "shuffles": known.shuffles,
    }


def _own_table(own: OwnCards) -> dict[str, Value]:
    """The additional keys of the player's own table, and the piles that replace numbers there."""
    return {
        "hand": list(own.hand),
        "discards": list(own.discards),
        "standing": standing_table(own.standing),
    }


def sight_of(view: View) -> Sight:
    """The sight in a view, whoever made the view; the inverse of `view_of`. Raises BadPosition."""
    if isinstance(view.sight, Sight):
        return view.sight
    setup, player = view.setup, view.player or NOBODY
    reader = reader_of(setup, view.shown)
    if reader.take("setup", TRUTH, False):
        return Sight(setup, player)
    turn, over = read_opening(setup, reader)
    board = read_board(setup, reader, hidden=True)
    attack = None
    if "attack" in reader:
        attack = read_attack(setup, turn, board, reader.inner("attack", PUBLIC_ATTACK))
    return Sight(
        setup=setup,
        player=player,
        turn=turn,
        board=board,
        known={name: _read_known(setup, name, reader, name == player) for name in setup.players},
        own=_read_own(setup, reader.inner(player, _OWN)) if player else NOTHING_OWN,
        idle=reader.take("idle", COUNT, 0),
        active=reader.take("active", TRUTH, False),
        offers=reader.take("offers", some_of(*setup.players), ()),
        attack=attack,
        over=over,
    )


_KNOWN = ("hand", "deck", "discards", "sunk", "shuffles")
_OWN = (*_KNOWN, "standing")


def _read_known(setup: Setup, player: Player, reader: Reader, own: bool) -> CardCounts:
    """The public facts in a player's table; the viewer's own table has piles instead of two
    numbers."""
    table, cards = reader.inner(player, _OWN if own else _KNOWN), pile(setup)
    count = cards.then(len) if own else COUNT
    return CardCounts(
        hand=table.take("hand", count),
        deck=table.take("deck", COUNT),
        discards=table.take("discards", count),
        sunk=table.take("sunk", cards),
        shuffles=table.take("shuffles", COUNT),
    )


def _read_own(setup: Setup, table: Reader) -> OwnCards:
    cards = pile(setup)
    return OwnCards(
        hand=table.take("hand", cards),
        discards=table.take("discards", cards),
        sunk=table.take("sunk", cards),
        standing=read_standing(table.inner("standing", STANDING), cards),
    )
