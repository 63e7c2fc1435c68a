"""What one player may see of a position, built by adding (SD-14).

What belongs here: the one function through which anything of a state reaches a player. What it
must not do: start from the whole position and take things away.
"""

from __future__ import annotations

from games.game import Player, View
from games.options import Value
from games.sugar_dog.state import State, write_contacts, write_fleet


def view(state: State, player: Player) -> View:
    """The view of `player`, sunk or not, in the keys of the position notation.

    Everyone sees the turn and its number, standing offers, last contacts and who is sunk. To that
    is added the player's own fleet. Of another's table nothing is there but `sunk`.
    """
    if not state.fleets:
        return View(state.setup, player, {"setup": True})
    shown: dict[str, Value] = {} if state.turn is None else {"turn": state.turn}
    shown["n"] = state.n
    shown["offers"] = list(state.offers)
    shown["contacts"] = write_contacts(state)
    for other in state.setup.players:
        shown[other] = {} if state.fleets[other].sub else {"sunk": True}
    shown[player] = write_fleet(state.fleets[player])
    return View(state.setup, player, shown)
