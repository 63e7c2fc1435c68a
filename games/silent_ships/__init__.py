"""Silent Ships: three editions and the speed variant. `RULES.md` has the numbered rules."""

from games.silent_ships.game import SilentShips

GAME = SilentShips()
