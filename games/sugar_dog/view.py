"""What may be seen of a position, built by adding (SD-14), and what of that is public.

What belongs here: the one way in which anything of a state reaches a player or a stranger. What it
must not do: start from the whole position and take things away.
"""

from __future__ import annotations

from games.game import Player, Table, View
from games.options import Value
from games.sugar_dog.state import State, write_contacts, write_fleet

PUBLIC = ("turn", "n", "offers", "contacts")
"""Keys of a view that are the same in everybody's."""


def view(state: State, player: Player | None) -> View:
    """The view of `player`, sunk or not, in the keys of the position notation; of None, the public.

    Everybody sees the turn and its number, standing offers, last contacts and who is sunk. To that
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
    if player is not None:
        shown[player] = write_fleet(state.fleets[player])
    return View(state.setup, player, shown)


def public(view: View) -> dict[str, Value]:
    """The public part of any player's view: of their own table it has `sunk` alone."""
    if "setup" in view.shown:
        return {"setup": True}
    shown = {key: view.shown[key] for key in PUBLIC if key in view.shown}
    for player in view.setup.players:
        shown[player] = {"sunk": True} if "sunk" in view.shown[player] else {}
    return shown


def own_table(view: View) -> Table:
    """What the view's player has at sea; nothing in the public view and before the setup."""
    table: Table = {} if view.player is None else view.shown.get(view.player, {})
    return table
