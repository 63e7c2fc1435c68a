"""What one player may see of a position, built by adding (SW-7, SW-20).

What belongs here: the one function through which anything of a state reaches a player. What it
must not do: start from the whole position and take things away.
"""

from __future__ import annotations

from games.game import Player, View
from games.options import Value
from games.submarine_warfare.notation import write_side
from games.submarine_warfare.state import Side, State


def view(state: State, player: Player) -> View:
    """The view of `player`, in the keys of the position notation.

    Both see turn, round, rings and who has reached 25 points. To that are added the player's own
    side, but for what is nullified, in their turn its AP; and of the other side the letters that
    are not destroyed, with the cells of those surfaced, and a draw offer that stands.
    """
    if not state.sides:
        return View(state.setup, player, {"setup": True})
    shown: dict[str, Value] = {} if state.turn is None else {"turn": state.turn}
    shown |= {"round": state.round, "rings": state.rings, "reached": list(state.reached)}
    if state.turn == player:
        shown["ap"] = state.ap(player)
    for name in state.setup.players:
        side = state.sides[name]
        shown[name] = write_side(side) if name == player else _enemy(side)
    return View(state.setup, player, shown)


def _enemy(side: Side) -> dict[str, Value]:
    """SW-7: a letter for each submarine, a cell beside it only while it is surfaced."""
    subs = [f"{sub.letter} {sub.at}" if sub.up else sub.letter for sub in side.subs]
    return {"subs": subs, **({"draw": True} if side.draw else {})}
