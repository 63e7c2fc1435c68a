"""A captain who hides a drawn fleet, and shoots where a ship is likeliest; and its levels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from games.bots import Captain, Level, Ranked, Walker, levels
from games.dice import Dice
from games.grid import read_cell

from . import GAME
from .board import deduced
from .fleet import drawn, read_view


class Gunner(Captain):
    """Values each cell by how likely a shot there hits, in thousandths."""

    deduced = staticmethod(deduced)

    def ranked(self, dice: Dice, keep: int) -> Sequence[Ranked]:
        """A fleet; or the likeliest cells."""
        state = read_view(self.view)
        if state.begins:
            fleet = drawn(state, self.player, dice)
            return [Ranked(0, "\n".join(f"place {ship}" for ship in fleet))]
        cells = dice.shuffle("cells", tuple(self.mind))
        best = sorted(cells, key=self.mind.__getitem__, reverse=True)[:keep]
        return [Ranked(self.mind[cell], f"shoot {cell}") for cell in best]

    def why(self, orders: str) -> str:
        """How likely the shot hits, in hundredths."""
        cell = read_cell(orders.removeprefix("shoot "))
        return "" if cell is None else f"it hits by about {min(100, self.mind[cell] // 10)} %"


BOTS = levels(
    Gunner, partial(Walker, GAME), novice=Level(ease=250, keep=100), mate=Level(ease=80, keep=100)
)
