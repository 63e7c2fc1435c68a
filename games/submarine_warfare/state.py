"""The position of a game of Submarine Warfare, and what somebody may see of it: a position too, in
which what is hidden is left out.

`rules` changes it, `notation` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games.game import Player, Setup
from games.grid import Board, Cell
from games.submarine_warfare.table import Special, specials

BOARD = Board(7, 7)
"""SW-1: columns A-G, rows 1-7."""
LETTERS = ("abcde", "vwxyz")
"""SW-1, SW-2: the submarines of the first-listed player, and of the other."""
HP = 5
"""SW-8: no submarine has more HP."""
AP = 5
"""SW-4: AP at the start of a turn, before any reactor."""
ANNOUNCED, ENOUGH = 25, 50
"""SW-14, SW-15: the points that are announced, and those that win."""
RINGS = 4
"""SW-16: how many rings there are; the innermost is D4 alone."""
ROUNDS_A_RING = 10

SCORES: Mapping[Cell, int] = {
    Cell(4, 4): 4,
    **dict.fromkeys((Cell(4, 3), Cell(3, 4), Cell(5, 4), Cell(4, 5)), 2),
    **dict.fromkeys((Cell(3, 3), Cell(5, 3), Cell(3, 5), Cell(5, 5)), 1),
}
"""SW-13: points at the end of a turn, for a submerged submarine."""


class Sub(NamedTuple):
    """A submarine that is not destroyed. `up`: it is surfaced. `special` is "" if it is not known:
    of an enemy that is seen."""

    letter: str
    at: Cell
    hp: int
    up: bool
    special: str

    def moved(self, at: Cell) -> Sub:
        """The same submarine in that cell."""
        return Sub(self.letter, at, self.hp, self.up, self.special)

    def turned(self, up: bool) -> Sub:
        """The same submarine, surfaced or submerged."""
        return Sub(self.letter, self.at, self.hp, up, self.special)

    def with_hp(self, hp: int) -> Sub:
        """The same submarine with so many HP."""
        return Sub(self.letter, self.at, hp, self.up, self.special)


class Wreck(NamedTuple):
    """A destroyed submarine and the special that it still holds (SW-5)."""

    letter: str
    special: str


class Side(NamedTuple):
    """One player's side without submarines. `sunk` is in the order of letters, `mines` in the order
    laid.

    `nullified`: specials that the submarines cannot use until the end of their next turn, in the
    order in which they were named. `draw`: this player offers a draw. `hidden`: nothing else is
    known of it than that, whether it has 25 points, which of its submarines are seen, and the
    letters of those `unseen`.
    """

    row: int = 0
    points: int = 0
    mines: tuple[Cell, ...] = ()
    sunk: tuple[Wreck, ...] = ()
    nullified: tuple[str, ...] = ()
    draw: bool = False
    unseen: tuple[str, ...] = ()
    hidden: bool = False


class Over(NamedTuple):
    """SW-15: the end; `winner` is a player, `host`, or None for a draw."""

    winner: str | None
    how: str


class State(NamedTuple):
    """A position. `sides`, and `subs` by letter, are empty until the setup is adjudicated; `turn`
    is the player to move, None in the setup and once the game is `over`. Only the `Turn` that makes
    a position changes the mappings. `player`: who sees it so, if one does; `ap`: the action points
    of their turn, as they see them."""

    setup: Setup
    sides: Mapping[Player, Side]
    subs: Mapping[str, Sub]
    turn: Player | None
    round: int
    first: Player
    over: Over | None = None
    player: Player | None = None
    ap: int | None = None

    @property
    def begun(self) -> bool:
        """Whether the setup is adjudicated."""
        return bool(self.sides)

    @property
    def whole(self) -> bool:
        """Whether nothing is hidden in it."""
        return self.begun and not any(side.hidden for side in self.sides.values())

    @property
    def rings(self) -> int:
        """SW-16: how many rings are destroyed."""
        return min(RINGS, (self.round - 1) // ROUNDS_A_RING)

    @property
    def reached(self) -> tuple[Player, ...]:
        """SW-14: the players for whom 25 points were announced, in seat order."""
        players = self.setup.players
        return tuple([name for name in players if self.sides[name].points >= ANNOUNCED])

    def start_ap(self, player: Player) -> int:
        """SW-4, SW-18: the action points of that player's turn, at its start."""
        opens = self.round == 1 and player == self.first
        reactors = [self.working(sub, "reactor") for sub in self.fleet(player)]
        more = sum(reactor.numbers["more"] for reactor in reactors if reactor)
        return (self.setup.options["first_ap"] if opens else AP) + more

    def working(self, sub: Sub, passive: str) -> Special | None:
        """SW-18: the special of that submarine, if it is of that passive mechanism and not
        nullified."""
        special = specials(self.setup).get(sub.special)
        if special is None or special.mechanism != passive:
            return None
        off = sub.special in self.sides[self.owner(sub.letter)].nullified
        return None if off else special

    def owner(self, letter: str) -> Player:
        """SW-1: the player to whom that submarine belongs."""
        return self.setup.players[0 if letter in LETTERS[0] else 1]

    def other(self, player: Player) -> Player:
        """The opponent."""
        first, second = self.setup.players
        return second if player == first else first

    def fleet(self, player: Player) -> tuple[Sub, ...]:
        """That player's submarines, in the order of letters."""
        subs = self.subs
        return tuple([subs[letter] for letter in letters(self.setup, player) if letter in subs])

    def afloat(self, player: Player) -> Mapping[str, Sub | None]:
        """That player's submarines by letter, in the order of letters; None: it is unseen."""
        unseen, own = self.sides[player].unseen, letters(self.setup, player)
        return {at: self.subs.get(at) for at in own if at in self.subs or at in unseen}

    def sub_at(self, cell: Cell) -> Sub | None:
        """The submarine in that cell, whoever owns it."""
        for sub in self.subs.values():
            if sub.at == cell:
                return sub
        return None


def see(state: State, player: Player | None) -> State:
    """SW-7, SW-20: what that player may see (None: everybody), of a position or of what somebody
    sees; for its author also the position in which an order file is tried (SW-6).

    Built by adding: the round, whose turn it is, who has 25 points, of each side the letters of its
    submarines, where those are that are surfaced, and whether it offers a draw. The player's own
    side is whole but for its nullified specials. A seen enemy has 5 HP and no special.
    """
    sides: dict[Player, Side] = {}
    subs: dict[str, Sub] = {}
    for name, side in state.sides.items():
        fleet = state.fleet(name)
        if name == player:
            sides[name] = side._replace(nullified=()) if side.nullified else side
            subs |= {sub.letter: sub for sub in fleet}
            continue
        points = ANNOUNCED if side.points >= ANNOUNCED else 0
        unseen = side.unseen + tuple([sub.letter for sub in fleet if not sub.up])
        sides[name] = Side(points=points, draw=side.draw, unseen=unseen, hidden=True)
        subs |= {sub.letter: Sub(sub.letter, sub.at, HP, True, "") for sub in fleet if sub.up}
    return State(
        state.setup,
        sides,
        subs,
        state.turn,
        state.round,
        state.setup.players[0],
        player=player,
        ap=state.start_ap(player) if player is not None and state.turn == player else None,
    )


def letters(setup: Setup, player: Player) -> str:
    """SW-2: the letters of that player's five submarines."""
    return LETTERS[setup.players.index(player)]


def home_row(setup: Setup, player: Player) -> int:
    """SW-2: 1 or 7; without the option the first-listed player has row 1."""
    return 1 if player == (setup.options["row_one"] or setup.players[0]) else BOARD.rows


def depth(cell: Cell) -> int:
    """SW-16: how many cells lie between this cell and the nearest edge."""
    column, row = cell.column, cell.row
    return min(column - 1, BOARD.columns - column, row - 1, BOARD.rows - row)
