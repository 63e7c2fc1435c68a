"""A position of Silent Ships as named tuples: the board, ships, sides, a waiting attack; small
changes without judgement; and what somebody may see of it: a position too, in which cards and
face-down ships have no names (SS-18).

What it must not know: order lines, legality, events, how a position is written down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from games.game import Player, Prompt, Setup
from games.grid import Board, Cell, by_row
from games.silent_ships.cards import Cards

BOARD = Board(5, 4)
CELLS = BOARD.cells()
ISLANDS = (Cell(1, 3), Cell(5, 2))
COUNTRIES = (Cell(3, 4), Cell(3, 1))
"""The first player's country, and the second player's (SS-1)."""

PLACES = (
    {"on": COUNTRIES[0], "left": Cell(4, 4), "right": Cell(2, 4)},
    {"on": COUNTRIES[1], "left": Cell(2, 1), "right": Cell(4, 1)},
)
"""The cells in which the first and the second player may play a ship; left and right are as they
see them (SS-1)."""


class Ship(NamedTuple):
    """A ship on the board. `up`: it is face up. `name` is "" if it is not known."""

    at: Cell
    owner: Player
    up: bool
    name: str


Ships: TypeAlias = Mapping[Cell, Ship]
"""The ships on the board by their cells, in row, then column order."""


class Standing(NamedTuple):
    """Standing orders (SS-13). `discard` None: there is no list, so the player is asked for an
    answer that needs one."""

    retreat: str = "ask"
    support: str = "ask"
    discard: tuple[str, ...] | None = None

    def does(self, answer: str) -> str:
        """How they answer, if the player can: `answer` is `retreat` or `support`. Without a list no
        card can be given up, so the player is asked."""
        said: str = getattr(self, answer)
        return said if said == "never" or self.discard is not None else "ask"


NO_STANDING = Standing()


class Side(NamedTuple):
    """One player's cards off the board, "" for each whose name is not known. `deck` begins with its
    top card; the other piles are sets, kept sorted.

    `sunk` are the player's own ships that were sunk. `shuffles`: how often the deck was shuffled.
    """

    hand: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    sunk: tuple[str, ...] = ()
    standing: Standing = NO_STANDING
    shuffles: int = 0


NO_SIDE = Side()
NOBODY: Player = ""
"""Who sees what everybody may see."""


class Attack(NamedTuple):
    """An attack that has begun (SS-5, SS-12). `asks` is "" while nobody is asked.

    The first seven are public. `start`: the attacker's cell. `supports`: cells declared so far, of
    both sides, in order.
    `number` counts the attacks of one order file. Only the attacker knows `given_support` (None:
    not given) and `given_push` from the move line, and `waiting`, the lines after it as written;
    the first of them has the number `line`.
    """

    start: Cell
    to: Cell
    asks: str = ""
    player: Player = ""
    supports: tuple[Cell, ...] = ()
    no_support: bool = False
    number: int = 1
    given_support: tuple[tuple[Cell, str], ...] | None = None
    given_push: Cell | None = None
    waiting: tuple[str, ...] = ()
    line: int = 1


class Over(NamedTuple):
    """How the game ended: won, or (None) drawn."""

    winner: Player | None
    how: str


class State(NamedTuple):
    """All that an adjudication reads. `turn` is None before the first turn and after the last.

    `sides` are in seat order. `named`: before the game begins, the players whose deck is given and
    not shuffled. `idle` and `active` count for SS-11. `seen_by`: who sees it so, perhaps `NOBODY`;
    None: it is whole.
    """

    setup: Setup
    sides: Mapping[Player, Side]
    turn: Player | None = None
    board: Ships = MappingProxyType({})
    idle: int = 0
    active: bool = False
    offers: tuple[Player, ...] = ()
    attack: Attack | None = None
    over: Over | None = None
    named: tuple[Player, ...] = ()
    seen_by: Player | None = None

    @property
    def player(self) -> Player:
        """Who sees it so; `NOBODY` if it is everybody, or if it is whole."""
        return self.seen_by or NOBODY

    @property
    def own(self) -> Side:
        """The cards of the player who sees it so."""
        return self.sides.get(self.player, NO_SIDE)

    def with_own(self, side: Side) -> State:
        """The same with these cards of theirs."""
        return self._replace(sides={**self.sides, self.player: side})

    @property
    def theirs(self) -> Side:
        """The opponent's cards."""
        return self.sides[other(self.setup, self.player)]

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """Who is awaited for what, from public facts alone (SS-12).

        A further attack of one order file is numbered, so that no two prompts are equal.
        """
        attack = self.attack
        if self.over is not None:
            return ()
        if self.turn is None:
            return tuple(Prompt(player, "setup") for player in self.setup.players)
        if attack is None:
            return (Prompt(self.turn, "turn"),)
        further = f" {attack.number}" if attack.number > 1 else ""
        return (Prompt(attack.player, f"{attack.asks} {attack.start} {attack.to}{further}"),)

    @property
    def prompt(self) -> Prompt | None:
        """The prompt of the player who sees it so, if they are awaited."""
        return next((prompt for prompt in self.prompts if prompt.player == self.player), None)

    @property
    def begun(self) -> bool:
        """Whether the setup is over."""
        return self.turn is not None or self.over is not None

    @property
    def cards(self) -> Cards:
        """The table of ships."""
        return cards_of(self.setup)


def see(state: State, player: Player | None) -> State:
    """SS-18: what that player may see (None: everybody), built by adding; of a position, or of what
    somebody sees. Nobody knows the order of a deck."""
    seen_by = player or NOBODY
    if not state.begun:
        return State(state.setup, dict.fromkeys(state.setup.players, NO_SIDE), seen_by=seen_by)
    sides = {}
    for name, side in state.sides.items():
        hand, discards = _unnamed(side.hand), _unnamed(side.discards)
        seen = Side(hand, _unnamed(side.deck), discards, side.sunk, shuffles=side.shuffles)
        if name == player:
            seen = seen._replace(hand=side.hand, discards=side.discards, standing=side.standing)
        sides[name] = seen
    near = scouted(state, player)
    return State(
        state.setup,
        sides,
        state.turn,
        {
            cell: ship
            if ship.up or ship.owner == player or cell in near
            else Ship(ship.at, ship.owner, False, "")
            for cell, ship in state.board.items()
        },
        state.idle,
        state.active,
        state.offers,
        state.attack and Attack(*state.attack[:7]),
        state.over,
        seen_by=seen_by,
    )


def _unnamed(cards: Sequence[str]) -> tuple[str, ...]:
    return ("",) * len(cards)


def scouted(state: State, player: Player | None) -> set[Cell]:
    """The cells next to a face-up patrol ship of that player (SS-16)."""
    own = [ship for ship in state.board.values() if ship.up and ship.owner == player]
    scouts = [ship.at for ship in own if state.cards.ability(ship.name, "scouts")]
    return {near for at in scouts for near in BOARD.adjacent(at)}


def strength(cards: Cards, ship: Ship, sunk: int, shown: Iterable[Ship], *, attacks: bool) -> int:
    """The attack of a ship with the abilities that count for it (SS-16). `sunk`: how many ships its
    side has sunk; `shown`: the ships that are face up, which alone help those beside them;
    `attacks`: it is the attacker."""
    rams = cards.ability(ship.name, "rams") if attacks else 0
    total = (rams or cards.attack(ship.name)) + cards.ability(ship.name, "salvages") * sunk
    for near in shown:
        if near.owner == ship.owner and near.at.distance(ship.at) == 1:
            total += cards.ability(near.name, "arms")
    return total


def cards_of(setup: Setup) -> Cards:
    """The table of ships that a game is played with."""
    table: Cards = setup.table
    return table


def turn_order(setup: Setup) -> tuple[Player, Player]:
    """The first player, then the other."""
    first, second = setup.players
    return (second, first) if setup.options["first"] == second else (first, second)


def country(setup: Setup, player: Player) -> Cell:
    """That player's country (SS-1)."""
    return COUNTRIES[turn_order(setup).index(player)]


def places(setup: Setup, player: Player) -> Mapping[str, Cell]:
    """Where that player may play a ship: on, left and right of their country (SS-1)."""
    return PLACES[turn_order(setup).index(player)]


def other(setup: Setup, player: Player) -> Player:
    """The opponent."""
    return setup.players[1 - setup.players.index(player)]


# Changes to a board.


def placed(board: Ships, ship: Ship) -> Ships:
    """The board with a ship in its cell, in place of what was there."""
    return in_order({**board, ship.at: ship})


def removed(board: Ships, cell: Cell) -> Ships:
    """The board with that cell empty."""
    return {at: ship for at, ship in board.items() if at != cell}


def moved(board: Ships, start: Cell, to: Cell) -> Ships:
    """The board with the ship in `start` moved to `to`."""
    return placed(removed(board, start), board[start]._replace(at=to))


def turned_up(board: Ships, cell: Cell) -> Ships:
    """The board with the ship in that cell face up."""
    return {**board, cell: board[cell]._replace(up=True)}


def named(board: Ships, ships: Sequence[Ship], names: Sequence[str]) -> Ships:
    """The board with these names for ships on it."""
    pairs = zip(ships, names, strict=True)
    return {**board, **{ship.at: ship._replace(name=name) for ship, name in pairs}}


def in_order(ships: Ships) -> Ships:
    """The ships in row, then column order."""
    return {cell: ships[cell] for cell in CELLS if cell in ships}


def without(names: Sequence[str], gone: Sequence[str]) -> tuple[str, ...]:
    """The cards without one for each of `gone`."""
    left = list(names)
    for name in gone:
        left.remove(name)
    return tuple(left)


def able(cards: Cards, ship: Ship, ability: str) -> int:
    """The amount of a ship's ability; it counts as 1 while the ship is face down (SS-16)."""
    return cards.ability(ship.name, ability) or 1 if ship.up else 1


def retreats(board: Ships, target: Cell) -> tuple[Cell, ...]:
    """The cells to which a target may be sent, in row, then column order (SS-6).

    The attacker's cell is not among them (SS-5).
    """
    free = [cell for cell in BOARD.adjacent(target) if cell not in board]
    return tuple(sorted(free, key=by_row))


def under_way(attack: Attack | None) -> Attack:
    """The attack that waits or is carried out; raises ValueError if there is none."""
    if attack is None:
        raise ValueError("no attack is under way")
    return attack


def supporters(board: Ships, cards: Cards, attack: Attack, player: Player) -> tuple[Cell, ...]:
    """Which of that player's ships may support, in row, then column order (SS-7, SS-16)."""
    engaged = (attack.start, attack.to, *attack.supports)
    return tuple(
        ship.at
        for ship in board.values()
        if ship.owner == player
        and ship.at not in engaged
        and ship.at.distance(attack.to) <= able(cards, ship, "reaches")
    )
