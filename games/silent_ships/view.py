"""What one player may see (SS-18), built by adding, and how it is written down and read again.

What belongs here: `see`, which takes from a state what a player, or everybody, may know, and the
two ways between that and the plain data of a report. What it must not know: legality, events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.game import Player, Prompt, Setup, Table, View
from games.grid import Cell, read_cell
from games.options import Value
from games.silent_ships.cards import Cards
from games.silent_ships.state import (
    NO_STANDING,
    Attack,
    Over,
    Ship,
    Side,
    Standing,
    State,
    cards_of,
    prompts,
    seat,
)

NOBODY: Player = ""
"""Who looks in the public view."""


@dataclass(frozen=True, slots=True)
class Known:
    """What everybody knows of a player's cards: how many, which were sunk, how often shuffled."""

    hand: int = 0
    deck: int = 0
    discards: int = 0
    sunk: tuple[str, ...] = ()
    shuffles: int = 0


@dataclass(frozen=True, slots=True)
class Own:
    """What a player alone knows of their cards. Nobody knows the order of a deck."""

    hand: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    standing: Standing = NO_STANDING


NOTHING_KNOWN = Known()
NOTHING_OWN = Own()


@dataclass(frozen=True, slots=True)
class Sight:
    """The game as `player` sees it, or everybody (`NOBODY`). `attack` holds its public part only.

    `known` in seat order.
    """

    setup: Setup
    player: Player
    turn: Player | None = None
    board: tuple[Ship, ...] = ()
    known: tuple[Known, Known] = (NOTHING_KNOWN, NOTHING_KNOWN)
    own: Own = NOTHING_OWN
    idle: int = 0
    active: bool = False
    offers: tuple[Player, ...] = ()
    attack: Attack | None = None
    over: Over | None = None

    @property
    def begun(self) -> bool:
        """Whether the setup is behind."""
        return self.turn is not None or self.over is not None

    @property
    def cards(self) -> Cards:
        """The table of ships."""
        return cards_of(self.setup)

    @property
    def mine(self) -> Known:
        """What everybody knows of this player's cards."""
        return self.known[seat(self.setup, self.player)]

    @property
    def theirs(self) -> Known:
        """What everybody knows of the opponent's cards."""
        return self.known[1 - seat(self.setup, self.player)]

    @property
    def prompt(self) -> Prompt | None:
        """What this player is awaited for, if anything."""
        asked = prompts(self.setup, self.turn, self.attack, self.over)
        return next((prompt for prompt in asked if prompt.player == self.player), None)

    def with_sunk(self, sunk: tuple[str, ...]) -> Sight:
        """The sight with this player's pile of sunk ships replaced."""
        first, second = self.known
        if seat(self.setup, self.player) == 0:
            return replace(self, known=(replace(first, sunk=sunk), second))
        return replace(self, known=(first, replace(second, sunk=sunk)))


def see(state: State, player: Player | None) -> Sight:
    """What that player may see of a state; of None, what everybody may see."""
    if not state.begun:
        return Sight(state.setup, player or NOBODY)
    first, second = state.sides
    public = Sight(
        setup=state.setup,
        player=NOBODY,
        turn=state.turn,
        board=tuple(ship if ship.up else _hidden(ship) for ship in state.board),
        known=(_known(first), _known(second)),
        idle=state.idle,
        active=state.active,
        offers=state.offers,
        attack=None if state.attack is None else _public(state.attack),
        over=state.over,
    )
    if player is None:
        return public
    own = state.side(player)
    return replace(
        public,
        player=player,
        board=tuple(_seen(state, ship, player) for ship in state.board),
        own=Own(own.hand, own.discards, own.standing),
    )


def everybodys(sight: Sight) -> Sight:
    """The public part of any player's sight."""
    board = tuple(ship if ship.up else _hidden(ship) for ship in sight.board)
    return replace(sight, player=NOBODY, board=board, own=NOTHING_OWN)


def _known(side: Side) -> Known:
    return Known(len(side.hand), len(side.deck), len(side.discards), side.sunk, side.shuffles)


def _hidden(ship: Ship) -> Ship:
    return Ship(ship.at, ship.owner, ship.up, None)


def _seen(state: State, ship: Ship, player: Player) -> Ship:
    """A ship with its name where it is face up, the player's own, or beside their scout."""
    if ship.up or ship.owner == player or _scouted(state, ship.at, player):
        return ship
    return _hidden(ship)


def _scouted(state: State, cell: Cell, player: Player) -> bool:
    """Whether a face-up patrol ship of that player is next to the cell (SS-16)."""
    return any(
        ship.owner == player
        and ship.up
        and ship.at.distance(cell) == 1
        and state.cards.ability(ship.name, "scouts")
        for ship in state.board
    )


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
    """The view as it goes into a report or, of nobody's sight, into an entry."""
    viewer = sight.player or None
    if not sight.begun:
        return View(sight.setup, viewer, {"setup": True})
    shown: dict[str, Value] = {
        **opening(sight.turn, sight.over),
        "board": [ship_line(ship) for ship in sight.board],
        "idle": sight.idle,
        "active": sight.active,
        "offers": list(sight.offers),
    }
    for player, known in zip(sight.setup.players, sight.known, strict=True):
        shown[player] = _known_table(known)
        if player == sight.player:
            shown[player] |= _own_table(sight.own)
    if sight.attack is not None:
        shown["attack"] = attack_table(sight.attack)
    return View(sight.setup, viewer, shown)


def _known_table(known: Known) -> dict[str, Value]:
    return {
        "hand": known.hand,
        "deck": known.deck,
        "discards": known.discards,
        "sunk": list(known.sunk),
        "shuffles": known.shuffles,
    }


def _own_table(own: Own) -> dict[str, Value]:
    """The keys that their player sees besides, or in full."""
    return {
        "hand": list(own.hand),
        "discards": list(own.discards),
        "standing": standing_table(own.standing),
    }


def opening(turn: Player | None, over: Over | None) -> dict[str, Value]:
    """The keys that say whose turn it is, or how the game ended."""
    if over is not None:
        return {"over": {"winner": over.winner, "how": over.how}}
    return {"turn": turn}


def ship_line(ship: Ship) -> str:
    """`C2 bob down frigate`; without a name where it is not known."""
    words = [str(ship.at), ship.owner, "up" if ship.up else "down"]
    return " ".join(words if ship.name is None else [*words, ship.name])


def standing_table(standing: Standing) -> dict[str, Value]:
    """Standing orders as an order file has them, defaults written out."""
    table: dict[str, Value] = {"retreat": standing.retreat, "support": standing.support}
    if standing.discard is not None:
        table["discard"] = list(standing.discard)
    return table


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


def sight_of(view: View) -> Sight:
    """What a view shows; the inverse of `view_of`. The view must be one that this game made."""
    shown, player = view.shown, view.player or NOBODY
    if "setup" in shown:
        return Sight(view.setup, player)
    over = shown.get("over")
    first, second = (_read_known(shown[name]) for name in view.setup.players)
    return Sight(
        setup=view.setup,
        player=player,
        turn=shown.get("turn"),
        board=tuple(_read_ship(line) for line in shown["board"]),
        known=(first, second),
        own=_read_own(shown[player]) if player else NOTHING_OWN,
        idle=shown["idle"],
        active=shown["active"],
        offers=tuple(shown["offers"]),
        attack=_read_attack(shown["attack"]) if "attack" in shown else None,
        over=None if over is None else Over(over["winner"], over["how"]),
    )


def _read_known(table: Table) -> Known:
    """From a player's own table, where piles stand in full, as from another's."""
    hand, discards = (
        pile if isinstance(pile, int) else len(pile) for pile in (table["hand"], table["discards"])
    )
    return Known(hand, table["deck"], discards, tuple(table["sunk"]), table["shuffles"])


def _read_own(table: Table) -> Own:
    standing = _read_standing(table["standing"])
    return Own(tuple(table["hand"]), tuple(table["discards"]), standing)


def _read_ship(line: str) -> Ship:
    cell, owner, face, *name = line.split()
    return Ship(_cell(cell), owner, face == "up", name[0] if name else None)


def _read_standing(table: Table) -> Standing:
    discard = table.get("discard")
    return Standing(table["retreat"], table["support"], None if discard is None else tuple(discard))


def _read_attack(table: Table) -> Attack:
    return Attack(
        start=_cell(table["from"]),
        to=_cell(table["to"]),
        asks=table["asks"],
        player=table["player"],
        supports=_cells(table["supports"]),
        no_support=table["no_support"],
        number=table["number"],
    )


def _cells(names: Sequence[str]) -> tuple[Cell, ...]:
    return tuple(_cell(name) for name in names)


def _cell(name: str) -> Cell:
    cell = read_cell(name)
    if cell is None:
        raise ValueError(f"{name!r} in a view is no cell")
    return cell
