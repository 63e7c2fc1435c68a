"""What one player may see (SS-18), built by adding, and how it is written down and read again.

What belongs here: `see`, which takes from a state what a player may know, and the two ways
between that and the plain data of a report. What it must not know: legality, events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.game import Player, Prompt, Setup, Table, View
from games.grid import Cell, read_cell
from games.options import Value
from games.silent_ships.cards import Cards
from games.silent_ships.state import (
    NO_STANDING,
    Attack,
    Over,
    Ship,
    Standing,
    State,
    cards_of,
    other,
    prompts,
)


@dataclass(frozen=True, slots=True)
class Own:
    """What a player knows of their own cards: all but the order of the deck."""

    hand: tuple[str, ...] = ()
    deck: int = 0
    discards: tuple[str, ...] = ()
    sunk: tuple[str, ...] = ()
    standing: Standing = NO_STANDING
    shuffles: int = 0


@dataclass(frozen=True, slots=True)
class Theirs:
    """What a player knows of the opponent's cards: how many, and which were sunk."""

    hand: int = 0
    deck: int = 0
    discards: int = 0
    sunk: tuple[str, ...] = ()
    shuffles: int = 0


@dataclass(frozen=True, slots=True)
class Sight:
    """The game as one player sees it. `attack` holds its public part only."""

    setup: Setup
    player: Player
    turn: Player | None = None
    board: tuple[Ship, ...] = ()
    own: Own = Own()
    theirs: Theirs = Theirs()
    idle: int = 0
    active: bool = False
    offers: tuple[Player, ...] = ()
    attack: Attack | None = None
    over: Over | None = None

    @property
    def cards(self) -> Cards:
        """The table of ships."""
        return cards_of(self.setup)

    @property
    def opponent(self) -> Player:
        """The other player."""
        return other(self.setup, self.player)

    @property
    def prompt(self) -> Prompt | None:
        """What this player is awaited for, if anything."""
        asked = prompts(self.setup, self.turn, self.attack, self.over)
        return next((prompt for prompt in asked if prompt.player == self.player), None)


def see(state: State, player: Player) -> Sight:
    """What that player may see of a state."""
    sight = Sight(state.setup, player)
    if not state.begun:
        return sight
    own, theirs = state.side(player), state.side(sight.opponent)
    return Sight(
        setup=state.setup,
        player=player,
        turn=state.turn,
        board=tuple(_seen(state, ship, player) for ship in state.board),
        own=Own(own.hand, len(own.deck), own.discards, own.sunk, own.standing, own.shuffles),
        theirs=Theirs(
            len(theirs.hand), len(theirs.deck), len(theirs.discards), theirs.sunk, theirs.shuffles
        ),
        idle=state.idle,
        active=state.active,
        offers=state.offers,
        attack=None if state.attack is None else _public(state.attack),
        over=state.over,
    )


def _seen(state: State, ship: Ship, player: Player) -> Ship:
    """A ship with its name where it is face up, the player's own, or beside their scout."""
    if ship.up or ship.owner == player or _scouted(state, ship.at, player):
        return ship
    return Ship(ship.at, ship.owner, ship.up, None)


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
    """The view as it goes into a report."""
    if sight.turn is None and sight.over is None:
        return View(sight.setup, sight.player, {"setup": True})
    shown: dict[str, Value] = {
        **opening(sight.turn, sight.over),
        "board": [ship_line(ship) for ship in sight.board],
        "idle": sight.idle,
        "active": sight.active,
        "offers": list(sight.offers),
        sight.player: {
            "hand": list(sight.own.hand),
            "deck": sight.own.deck,
            "discards": list(sight.own.discards),
            "sunk": list(sight.own.sunk),
            "standing": standing_table(sight.own.standing),
            "shuffles": sight.own.shuffles,
        },
        sight.opponent: {
            "hand": sight.theirs.hand,
            "deck": sight.theirs.deck,
            "discards": sight.theirs.discards,
            "sunk": list(sight.theirs.sunk),
            "shuffles": sight.theirs.shuffles,
        },
    }
    if sight.attack is not None:
        shown["attack"] = attack_table(sight.attack)
    return View(sight.setup, sight.player, shown)


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
    shown, player = view.shown, view.player
    sight = Sight(view.setup, player)
    if "setup" in shown:
        return sight
    own, theirs = shown[player], shown[sight.opponent]
    over = shown.get("over")
    return Sight(
        setup=view.setup,
        player=player,
        turn=shown.get("turn"),
        board=tuple(_read_ship(line) for line in shown["board"]),
        own=Own(
            tuple(own["hand"]),
            own["deck"],
            tuple(own["discards"]),
            tuple(own["sunk"]),
            _read_standing(own["standing"]),
            own["shuffles"],
        ),
        theirs=Theirs(
            theirs["hand"],
            theirs["deck"],
            theirs["discards"],
            tuple(theirs["sunk"]),
            theirs["shuffles"],
        ),
        idle=shown["idle"],
        active=shown["active"],
        offers=tuple(shown["offers"]),
        attack=_read_attack(shown["attack"]) if "attack" in shown else None,
        over=None if over is None else Over(over["winner"], over["how"]),
    )


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
