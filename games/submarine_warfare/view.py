"""What everybody, and each player, may see of a position (SW-7, SW-20).

Views are built by adding, never by taking things away from the whole position. `assumed` goes back
from a view to the position that its reader may assume.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.game import Player, Table, View
from games.grid import read_cell
from games.options import Value
from games.submarine_warfare.notation import check_view, read_side, write_side
from games.submarine_warfare.state import HP, Side, State, Sub, home_row


class OwnSide(NamedTuple):
    """What a player sees of their own side: everything except nullified specials."""

    side: Side
    fleet: tuple[Sub, ...]


def view(state: State, player: Player | None) -> View:
    """The view of `player` (None: the public view), in the keys of the position notation.

    Everybody sees the round, whose turn it is, the destroyed rings, who has reached 25 points, and
    of each side what `_seen` says. A player's view adds their own whole side without nullified
    specials, and in their turn its AP.
    """
    if not state.sides:
        return View(state.setup, player, {"setup": True})
    shown: dict[str, Value] = {} if state.turn is None else {"turn": state.turn}
    shown |= {"round": state.round, "rings": state.rings, "reached": list(state.reached)}
    own = None
    for name, side in state.sides.items():
        fleet = state.fleet(name)
        if name == player:
            own = OwnSide(side._replace(nullified=()) if side.nullified else side, fleet)
            shown[name] = write_side(side, fleet)
        else:
            shown[name] = _seen(side, fleet)
    if player is not None and state.turn == player:
        shown["ap"] = state.ap(player)
    return View(state.setup, player, shown).beside(own)


def _own(view: View, player: Player) -> OwnSide:
    """The player's own side in a view, whoever made the view; raises BadPosition."""
    if isinstance(view.sight, OwnSide):
        return view.sight
    side, fleet = read_side(view.setup, player, view.shown[player])
    return OwnSide(side, tuple(fleet.values()))


def public(view: View) -> dict[str, Value]:
    """The public part of a player's view: `view(state, None).shown`.

    Raises BadPosition for anything that is no view.
    """
    check_view(view)
    everybodys = ("setup", "turn", "round", "rings", "reached", *view.setup.players)
    shown = {key: view.shown[key] for key in everybodys if key in view.shown}
    if view.player in shown:
        shown[view.player] = _seen(*_own(view, view.player))
    return shown


def _seen(side: Side, fleet: Iterable[Sub]) -> dict[str, Value]:
    """SW-7: a letter for each submarine, with its cell only while it is surfaced."""
    subs = [f"{sub.letter} {sub.at}" if sub.up else sub.letter for sub in fleet]
    return {"subs": subs, **({"draw": True} if side.draw else {})}


def assumed(view: View) -> State:
    """SW-6: the position that the reader of a view may assume: nothing hidden is there, nothing is
    nullified, visible enemies have 5 HP and no special.

    It is the reader's turn in it, whoever's turn it really is. Not for the setup.
    """
    setup, shown = view.setup, view.shown
    sides: dict[Player, Side] = {}
    subs: dict[str, Sub] = {}
    for name in setup.players:
        if name == view.player:
            sides[name], fleet = _own(view, name)
            subs |= {sub.letter: sub for sub in fleet}
        else:
            sides[name] = Side(home_row(setup, name))
            subs |= _surfaced(shown[name])
    return State(setup, sides, subs, view.player, shown["round"], setup.players[0])


def _surfaced(table: Table) -> dict[str, Sub]:
    """The visible submarines of others, by letter."""
    lines: Sequence[str] = table["subs"]
    return {
        letter: Sub(letter, at, HP, True, "")
        for letter, _, where in (line.partition(" ") for line in lines)
        if (at := read_cell(where)) is not None
    }
