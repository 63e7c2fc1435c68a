"""Bots: a captain that plays sensibly, and one that plays random legal lines.

They know only their own reports; all chance is the `Dice` that they are given. The captain tries
every possible next line on its view, extends the few best plans by each line that may follow, and
takes the best plan of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from games import bots
from games.bots import Level, Listener, Ranked
from games.dice import Dice
from games.game import Event, Player, Written
from games.grid import Cell
from games.submarine_warfare.deduced import deduced
from games.submarine_warfare.notation import read_view
from games.submarine_warfare.orders import (
    Command,
    candidates,
    carry_out,
    changes,
    possible,
    written,
)
from games.submarine_warfare.state import ENOUGH, HP, SCORES, State, Sub, depth, home_row, letters
from games.submarine_warfare.table import specials
from games.submarine_warfare.turn import Turn

ALL = 5
"""SW-3: submarines to be placed."""
LINES = 12
"""The most lines that a bot writes in a turn."""
LATE = 120
"""From this round on, which only some settings of the option `rounds` allow, bots offer draws."""

CENTRE = Cell(4, 4)
POINT, NEARER, EXPOSED, BURNT = 100, 12, 10, 60
"""The captain's values: a point a turn, a cell nearer to D4; and its costs: being seen without
gain, being on a destroyed cell."""
SAFE = 100
"""The captain's value of a next turn that wins by hidden submarines alone."""
HARM, KILL, HURT, LOSS, MEND = 100, 250, 70, 300, 30
"""A point of damage to an enemy, a kill; to one of its own, a loss; a HP gained."""

PREFERRED = ("reactor", "torpedo", "armor", "battering-ram", "heal", "repair", "depth-charge")
"""Mechanisms that the captain takes first."""
PLANS = 3
"""The plans that the captain goes on from with each line."""
UNSPENT = 25
"""The value of each AP that is left to a plan that goes on."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """Lines so far, the turn after them, its value, and the AP that are left."""

    worth: int
    turn: Turn
    ap: int
    lines: tuple[str, ...] = ()

    def comes_to(self) -> tuple[object, ...]:
        """The key by which two plans are equal, so that one of them will do."""
        return (self.worth, self.ap, *self.turn.subs.values(), *self.turn.collided)


class Random(Listener):
    """Plays random legal lines, a random number of them."""

    def order(self, dice: Dice) -> Written:
        """Lines until `stop` is drawn or nothing is left to do; never resign or draw."""
        seen = read_view(self.view)
        if not seen.begun:
            # SW-3: any cells of the home row, any specials.
            columns = dice.shuffle(f"bot/{self.player}/columns", range(1, 8))
            held = dice.shuffle(f"bot/{self.player}/specials", tuple(specials(seen.setup)))
            return _placed(seen, self.player, columns, held)
        turn, ap = Turn(seen, self.player), seen.ap or 0
        lines = _late(seen)
        for number in range(LINES):
            choices = tuple(possible(turn, ap))
            drawn = dice.below(_label(seen, number), len(choices) + 1)
            if drawn == len(choices):
                lines.append("stop")
                break
            letter, command = choices[drawn]
            lines.append(written(letter, command))
            ap -= command.ap
            carry_out(turn, letter, command)
        return Written("\n".join(lines))


class Captain(bots.Captain):
    """Holds the middle surfaced, shoots and rams what it sees, keeps off destroyed cells, and
    submerges when that makes the next turn's win safe."""

    deduced = staticmethod(deduced)

    def ranked(self, dice: Dice, keep: int) -> Sequence[Ranked]:
        """The most valuable lines of all that were thought of, ties drawn."""
        seen = read_view(self.view)
        if not seen.begun:
            # The middle of the home row, with random ones of the best specials.
            table = specials(seen.setup)
            wanted = [name for kind in PREFERRED for name in table if table[name].mechanism == kind]
            held = [*wanted, *(name for name in table if name not in wanted)][:ALL]
            drawn = dice.shuffle(f"bot/{self.player}/specials", held)
            placed = _placed(seen, self.player, range(2, 2 + ALL), drawn)
            return [Ranked(0, placed.orders)]
        turn = Turn(seen, self.player)
        # A captain replaces nothing, so each submarine can do in every plan what it can do now.
        useful = [pair for pair in candidates(turn) if pair[1].verb != "replace"]
        plans = [_Plan(self._worth(turn), turn, seen.ap or 0)]
        thought = {plan.comes_to(): plan for plan in plans}
        for number in range(LINES):
            found = {plan.comes_to(): plan for plan in self._longer(plans, useful)}
            plans = list(dice.shuffle(_label(seen, number), tuple(found.values())))
            plans.sort(key=lambda plan: -plan.worth - UNSPENT * plan.ap)
            for plan in plans:
                thought.setdefault(plan.comes_to(), plan)
            plans = plans[:PLANS]
        best = sorted(thought.values(), key=lambda plan: -plan.worth)[:keep]
        return [Ranked(plan.worth, "\n".join([*_late(seen), *plan.lines])) for plan in best]

    def _longer(
        self, plans: Sequence[_Plan], useful: Sequence[tuple[str, Command]]
    ) -> Iterator[_Plan]:
        """The plans, each with one more line that changes anything."""
        for plan in plans:
            for letter, command in possible(plan.turn, plan.ap, useful):
                if changes(plan.turn.subs[letter], command.verb):
                    turn = plan.turn.copy()
                    carry_out(turn, letter, command)
                    lines = (*plan.lines, written(letter, command))
                    yield _Plan(self._worth(turn), turn, plan.ap - command.ap, lines)

    def _worth(self, turn: Turn) -> int:
        """The value of a turn so far: of everyone's cells, and of what was done."""
        state, mine = turn.state, turn.player
        rings = state.rings
        fleet = state.fleet(mine)
        worth = sum([_place(rings, sub.at, sub.up) for sub in fleet])
        worth += _hidden(state.sides[mine].points, fleet)
        for foe in state.fleet(state.other(mine)):
            worth -= POINT * 2 * SCORES.get(foe.at, 0)
        return worth + self._done(turn.events, letters(state.setup, mine))

    def _done(self, events: Sequence[Event], own: str) -> int:
        """Damage dealt, taken and mended; an enemy is gone when its hits come to its HP."""
        worth = 0
        left = {letter: foe.likely for letter, foe in self.mind.foes.items()}
        for event in events:
            letter = event.fields.get("sub", "")
            amount = event.fields.get("amount", 0)
            if event.kind == "hit" and letter in own:
                worth -= HURT * amount
            elif event.kind == "hit":
                before = left.get(letter, HP)
                left[letter] = before - amount
                worth += KILL if before > 0 >= left[letter] else HARM * amount
            elif event.kind == "healed":
                worth += MEND * amount if letter in own else -HARM * amount
            elif event.kind == "destroyed" and letter in own:
                worth -= LOSS
        return worth


@lru_cache(1024)
def _place(rings: int, at: Cell, up: bool) -> int:
    """The value of a submarine there at the end of the turn, so many rings being destroyed."""
    points = SCORES.get(at, 0) * (2 if up else 1)
    burnt = BURNT if depth(at) < rings else 0
    seen = EXPOSED if up and not points else 0
    return POINT * points - NEARER * at.distance(CENTRE) - burnt - seen


def _hidden(points: int, fleet: Sequence[Sub]) -> int:
    """The value of what is hidden: something only if it wins the next turn by itself.

    Nobody shoots at or rams on purpose what they do not see, and surfacing is free, so the win is
    safe then and nothing is lost. Before that an AP and half the points are worth more than cover:
    it is a race, and captains that hid sooner lost it.
    """
    now = sum([SCORES.get(sub.at, 0) * (2 if sub.up else 1) for sub in fleet])
    safe = sum([SCORES.get(sub.at, 0) * 2 for sub in fleet if not sub.up])
    if not points + now < ENOUGH <= points + now + safe:
        return 0
    surfaced = sum([SCORES.get(sub.at, 0) * 2 for sub in fleet])
    return POINT * (surfaced - now) + SAFE


def _placed(seen: State, player: Player, columns: Sequence[int], held: Sequence[str]) -> Written:
    """SW-3: the lines that place the submarines in these columns of the home row, with these
    specials; what is too many is left out."""
    own, row = letters(seen.setup, player), home_row(seen.setup, player)
    places = zip(own, columns, held, strict=False)
    return Written("\n".join(f"{letter} {Cell(at, row)} {name}" for letter, at, name in places))


def _late(seen: State) -> list[str]:
    """A draw offer, if the game has no last round and goes on for too long."""
    return ["draw"] if seen.round > LATE else []


def _label(seen: State, number: int) -> str:
    """The label of a draw: the player, the round, the number of the line."""
    return f"bot/{seen.player}/{seen.round}/{number}"


BOTS = bots.levels(Captain, Random, novice=Level(300), mate=Level(75))
"""`Game.bots`."""
