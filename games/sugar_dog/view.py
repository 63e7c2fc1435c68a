"""What one player may see (SD-18), built by adding.

`see` takes from a state what a player, or everybody, may know; the other functions write that as a
report's plain data and read it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from games.game import Player, Setup, View
from games.grid import Board, Cell
from games.kinds import ANYTHING, Reader, some_of, tables, word
from games.options import Value
from games.sugar_dog.notation import (
    TURN_NUMBER,
    fleet_table,
    public_keys,
    read_contacts,
    read_fleet,
    read_misses,
    read_quiet,
    reader_of,
)
from games.sugar_dog.state import Fleet, State, board


class Sight(NamedTuple):
    """The game as `player` sees it; None: as everybody does.

    `begun`: the setup has been adjudicated; before that there is nothing to see. `turn` is None
    then and at the end. `sunk` is in seat order. `own` is the player's fleet.
    """

    setup: Setup
    player: Player | None
    begun: bool = False
    turn: Player | None = None
    n: int = 1
    offers: tuple[Player, ...] = ()
    contacts: Mapping[Player, Cell] = MappingProxyType({})
    quiet: int = 0
    misses: Mapping[Player, int] = MappingProxyType({})
    sunk: tuple[Player, ...] = ()
    own: Fleet | None = None

    @property
    def board(self) -> Board:
        """The map of this game."""
        return board(self.setup)


def view(state: State, player: Player | None) -> View:
    """The view of `player` (None: the public view)."""
    sight = see(state, player)
    return View(state.setup, player, show(sight)).beside(sight)


def see(state: State, player: Player | None) -> Sight:
    """What that player may see, sunk or not.

    Everybody sees the turn and its number, standing offers, last contacts, what the options count
    and who is sunk. To that the player's own fleet is added.
    """
    if not state.fleets:
        return Sight(state.setup, player)
    return Sight(
        state.setup,
        player,
        begun=True,
        turn=state.turn,
        n=state.n,
        offers=state.offers,
        contacts=state.contacts,
        quiet=state.quiet,
        misses=state.misses,
        sunk=tuple([name for name in state.setup.players if not state.fleets[name].sub]),
        own=None if player is None else state.fleets[player],
    )


def show(sight: Sight) -> dict[str, Value]:
    """The sight in the keys of the position notation. Another player's table holds `sunk` or
    nothing."""
    if not sight.begun:
        return {"setup": True}
    shown = public_keys(sight)
    shown |= {name: {"sunk": True} if name in sight.sunk else {} for name in sight.setup.players}
    if sight.player is not None and sight.own is not None:
        shown[sight.player] = fleet_table(sight.own)
    return shown


def read_view(view: View) -> Sight:
    """The sight in a view, whoever made the view; raises BadPosition."""
    if isinstance(view.sight, Sight):
        return view.sight
    setup, player = view.setup, view.player
    reader = reader_of(setup, view.shown)
    if reader.is_setup():
        return Sight(setup, player)
    sunk = tuple(name for name in setup.players if _is_sunk(reader, name, player))
    survivors = [name for name in setup.players if name not in sunk]
    return Sight(
        setup,
        player,
        begun=True,
        turn=reader.take("turn", word(*survivors), None),
        n=reader.take("n", TURN_NUMBER),
        offers=reader.take("offers", some_of(*setup.players)),
        contacts=read_contacts(setup, reader),
        quiet=read_quiet(setup, reader),
        misses=read_misses(setup, reader),
        sunk=sunk,
        own=None if player is None else read_fleet(setup, reader, player),
    )


def _is_sunk(reader: Reader, name: Player, player: Player | None) -> bool:
    """Whether the view of `player` calls somebody sunk; raises BadPosition if it tells anything
    else of another."""
    table = reader.take(name, tables(ANYTHING))
    if name != player and table not in ({}, {"sunk": True}):
        raise reader.fault(name, "nothing, or sunk = true")
    return "sunk" in table


def public(view: View) -> dict[str, Value]:
    """The public part of any player's view; raises BadPosition for anything that is no view."""
    return show(read_view(view)._replace(player=None, own=None))
