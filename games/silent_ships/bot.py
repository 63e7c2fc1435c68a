"""Bots for Silent Ships: `captain`, which plays sensibly, and `random`.

A bot plays from its own reports alone, and all chance comes from the dice that it is given.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.bots import Listener
from games.dice import Dice
from games.game import Deductions, Player, Table, View, Written
from games.silent_ships import captain
from games.silent_ships.answers import ANSWERS
from games.silent_ships.captain import Plan
from games.silent_ships.deduced import NO_MIND, Mind, deduced
from games.silent_ships.moves import next_lines
from games.silent_ships.state import Standing
from games.silent_ships.view import Sight, sight_of

MOST_ACTIONS = 8
PATIENCE = 60
"""After so many turns a bot offers in each turn to end the game, so that two bots always finish."""


class _Seat(Listener):
    """A bot's memory: the last report, how often it drew, and how many turns it took."""

    def __init__(self, player: Player) -> None:
        super().__init__(player)
        self._drawn = 0
        self._turns = 0

    def _file(self, lines: Sequence[str]) -> str:
        """The lines as a file, after so many turns with an offer before the last line.

        It offers in answers too, because each file of a player ends that player's earlier offer.
        """
        offer = ["offer end"] if self._turns > PATIENCE else []
        return "\n".join([*lines[:-1], *offer, *lines[-1:]]) + "\n"

    def _pick(self, dice: Dice, lines: Sequence[str]) -> str:
        self._drawn += 1
        return lines[dice.below(f"bot/{self.player}/{self._drawn}", len(lines))]


class Captain(_Seat):
    """Plays by the module `captain`.

    `standing`: it sends standing orders and puts its own decisions into the move line, so that few
    attacks wait for a mail.
    """

    def __init__(self, player: Player, standing: bool = True) -> None:
        super().__init__(player)
        self._standing = standing
        self._deduced: Deductions | None = None

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Take in a report, and work out what it shows."""
        super().hear(view, events)
        self._deduced = deduced(view, events, self._deduced)

    def order(self, dice: Dice) -> Written:
        """The orders for which this seat is awaited."""
        sight = sight_of(self.view)
        if sight.turn is None:
            return Written("start\n")
        mind: Mind = NO_MIND if self._deduced is None else self._deduced.memory
        if sight.attack is not None:
            return Written(self._file(captain.decide(sight, mind.names, sight.attack)))
        self._turns += 1
        lines = captain.turn(sight, mind.names, self._standing)
        wanted = captain.standing(sight)
        ahead = () if not self._standing or wanted == sight.own.standing else stood(wanted)
        return Written(self._file((*ahead, *lines)))


def stood(standing: Standing) -> tuple[str, ...]:
    """Standing orders as lines of an order file."""
    first = standing.discard
    pays = () if first is None else (f"standing discard {', '.join(first) or 'none'}",)
    return (f"standing retreat {standing.retreat}", f"standing support {standing.support}", *pays)


class Random(_Seat):
    """Sends legal lines at random; it never resigns, and offers only after so many turns."""

    def order(self, dice: Dice) -> Written:
        """The orders for which this seat is awaited."""
        sight = sight_of(self.view)
        if sight.turn is None:
            return Written("start\n")
        if sight.attack is not None:
            asked = [line for line in _lines(sight) if line.split()[0] in ANSWERS]
            return Written(self._file([self._pick(dice, asked)]))
        self._turns += 1
        plan = Plan(sight, {})
        for _ in range(MOST_ACTIONS):
            line = self._pick(dice, _lines(plan.sight))
            if line == "end":
                break
            plan = plan.add(line) or plan
            if plan.fought:
                break
        return Written(self._file((*plan.lines, "end")))


def _lines(sight: Sight) -> list[str]:
    """All lines that may come next, without offers and resignations."""
    choices = next_lines(sight, ()).choices
    return [choice.text for choice in choices if choice.text not in ("offer end", "resign")]
