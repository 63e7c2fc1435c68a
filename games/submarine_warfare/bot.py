"""Bots: a captain that plays sensibly, one that plays random legal lines, and the captain's levels.

They know only their own reports; all chance is the `Dice` that they are given. The captain tries
every possible next line on its view, extends the few best plans by each line that may follow, and
takes the best plan of all.

Asked for several, it thinks once more in other tempers, which count being seen and damage higher,
once with the enemies out of sight in cells that they may be in, and once for each special from a
first line that uses it. It names the best plan of each, because a search knows better what comes of
hiding, mines or a sonar than values of one turn do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import NamedTuple

from games import bots
from games.bots import Level, Listener, Ranked
from games.dice import Dice
from games.game import Event, Player, Written
from games.grid import Cell, by_row, read_cell
from games.search import Admiral, Effort
from games.submarine_warfare.deduced import Foe, deduced
from games.submarine_warfare.game import SubmarineWarfare
from games.submarine_warfare.notation import read_view
from games.submarine_warfare.orders import (
    Command,
    candidates,
    carry_out,
    changes,
    possible,
    read,
    reason,
    written,
)
from games.submarine_warfare.state import (
    BOARD,
    ENOUGH,
    HP,
    SCORES,
    Side,
    State,
    Sub,
    Wreck,
    depth,
    home_row,
    letters,
)
from games.submarine_warfare.table import PASSIVE, Specials, specials
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
EASY, SURER = 150, 5
"""What an enemy in sight is worth less; how much more a position counts than lines."""
MINED = 24
"""The value of a mine, shared by its distance from D4."""

WANTED = {"torpedo": 9, "armor": 3, "battering-ram": 3, "reactor": 3, "depth-charge": 2, "heal": 2}
"""How much likelier a captain takes a special of that mechanism than one of another."""
PLANS = 3
"""The plans that the captain goes on from with each line."""
UNSPENT = 25
"""The value of each AP that is left to a plan that goes on."""


class Temper(NamedTuple):
    """How a captain sees a turn: what each submarine in sight at its end costs, how much damage to
    the enemy counts, in hundredths, and what each cell nearer to D4 does."""

    seen: int = 0
    harm: int = 100
    nearer: int = NEARER


PLAIN, HIDER, HUNTER = Temper(), Temper(seen=250), Temper(harm=250)
PATIENT, WARY = Temper(nearer=0), Temper(seen=100, nearer=0)


@dataclass(frozen=True, slots=True)
class _Plan:
    """Orders so far, the turn after them, its value, and the AP that are left."""

    worth: int
    turn: Turn
    ap: int
    does: tuple[tuple[str, Command], ...] = ()

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
    temper = PLAIN

    def ranked(self, dice: Dice, keep: int) -> Sequence[Ranked]:
        """The most valuable lines of all that were thought of, ties drawn. Where several are asked
        for, the best of each way of thinking comes before the rest."""
        seen = read_view(self.view)
        if not seen.begun:
            # The middle of the home row.
            held = _held(dice, f"bot/{self.player}/specials", specials(seen.setup), ALL)
            return [Ranked(0, _placed(seen, self.player, range(2, 2 + ALL), held).orders)]
        ways = list(self._ways(seen, dice)) if keep > 1 else [self._thought(seen, dice)]
        best = {plan.does: plan for way in ways for plan in way[:1]}
        rest = sorted((plan for way in ways for plan in way[1:]), key=lambda plan: -plan.worth)
        found = []
        for does in best | {plan.does: plan for plan in rest}:
            worth = self._valued(seen, does)
            if worth is not None:
                lines = [written(letter, command) for letter, command in does]
                found.append(Ranked(worth, "\n".join([*_late(seen), *lines])))
            if len(found) == keep:
                break
        return sorted(found, key=lambda one: -one.value)

    def _ways(self, seen: State, dice: Dice) -> Iterator[Sequence[_Plan]]:
        """The plans of each way of thinking."""
        for temper in (self.temper, HIDER, HUNTER, PATIENT, WARY):
            yield self._thought(seen, dice, temper)
        if seen.sides[seen.other(self.player)].unseen:
            for world in self.worlds(dice, 1):
                subs = {**seen.subs, **world.subs}
                yield self._thought(seen._replace(subs=subs), dice)
        held = [sub.special for sub in seen.fleet(self.player)]
        for special in specials(seen.setup).values():
            if special.name in held and special.mechanism not in PASSIVE:
                yield self._thought(seen, dice, begins=special.name)

    def _thought(
        self, seen: State, dice: Dice, temper: Temper | None = None, begins: str = ""
    ) -> Sequence[_Plan]:
        """All plans that were thought of, best first; `begins`: the verb of their first line."""
        temper = temper or self.temper
        turn = Turn(seen, self.player)
        # A captain replaces nothing, so each submarine can do in every plan what it can do now.
        useful = [pair for pair in candidates(turn) if pair[1].verb != "replace"]
        plans = [_Plan(self._worth(turn, temper), turn, seen.ap or 0)]
        thought = {} if begins else {plan.comes_to(): plan for plan in plans}
        for number in range(LINES):
            among = [one for one in useful if number or begins in ("", one[1].verb)]
            found = {plan.comes_to(): plan for plan in self._longer(plans, among, temper)}
            plans = list(dice.shuffle(_label(seen, number), tuple(found.values())))
            plans.sort(key=lambda plan: -plan.worth - UNSPENT * plan.ap)
            for plan in plans:
                thought.setdefault(plan.comes_to(), plan)
            plans = plans[: 1 if begins else PLANS]
        return sorted(thought.values(), key=lambda plan: -plan.worth)

    def _longer(
        self, plans: Sequence[_Plan], useful: Sequence[tuple[str, Command]], temper: Temper
    ) -> Iterator[_Plan]:
        """The plans, each with one more line that changes anything."""
        for plan in plans:
            for letter, command in possible(plan.turn, plan.ap, useful):
                if changes(plan.turn.subs[letter], command.verb):
                    turn = plan.turn.copy()
                    carry_out(turn, letter, command)
                    does = (*plan.does, (letter, command))
                    yield _Plan(self._worth(turn, temper), turn, plan.ap - command.ap, does)

    def _valued(self, seen: State, does: Sequence[tuple[str, Command]]) -> int | None:
        """The value of these orders as far as this seat sees; None if they are illegal there."""
        turn = Turn(seen, self.player)
        for letter, command in does:
            if reason(turn, letter, command) is not None:
                return None
            carry_out(turn, letter, command)
        return self._worth(turn, self.temper)

    def _worth(self, turn: Turn, temper: Temper) -> int:
        """The value of a turn so far: of everyone's cells, and of what was done."""
        state, mine = turn.state, turn.player
        rings = state.rings
        fleet = state.fleet(mine)
        worth = sum([_place(rings, temper.nearer, sub.at, sub.up) for sub in fleet])
        worth += _hidden(state.sides[mine].points, fleet)
        worth -= temper.seen * sum([sub.up for sub in fleet])
        for foe in state.fleet(state.other(mine)):
            worth -= POINT * 2 * SCORES.get(foe.at, 0)
        return worth + self._done(turn.events, letters(state.setup, mine), temper)

    def _done(self, events: Sequence[Event], own: str, temper: Temper) -> int:
        """Damage dealt, taken and mended, and mines laid; an enemy is gone when its hits come to
        its HP."""
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
                harm = KILL if before > 0 >= left[letter] else HARM * amount
                worth += harm * temper.harm // 100
            elif event.kind == "healed":
                worth += MEND * amount if letter in own else -HARM * amount
            elif event.kind == "destroyed" and letter in own:
                worth -= LOSS
            elif event.kind in ("mine", "not-placed"):
                at = read_cell(event.fields["at"])
                near = MINED // at.distance(CENTRE) if at else 0
                worth += near if event.kind == "mine" else -near
        return worth

    def why(self, orders: str) -> str:
        """The first that holds of: what is hit, what scores, what a special does, who dives, who
        comes nearer to the middle."""
        seen = read_view(self.view)
        if not seen.begun:
            return "nobody else is told which specials these are"
        turn = Turn(seen, self.player)
        for order in read(self.view, Written(orders)).lines:
            carry_out(turn, order.letter, order.command)
        return next(self._reasons(turn, seen), "")

    def _reasons(self, turn: Turn, seen: State) -> Iterator[str]:
        fleet, table = turn.state.fleet(self.player), specials(seen.setup).values()
        hits: Counter[str] = Counter()
        for event in turn.events:
            if event.kind == "hit" and event.fields["sub"] in self.mind.foes:
                hits[event.fields["sub"]] += event.fields["amount"]
        armor = " and no armor" if any(row.mechanism == "armor" for row in table) else ""
        for letter, amount in hits.items():
            if amount >= self.mind.foes[letter].likely:
                yield f"sinks {letter} if it has at most {amount} HP left{armor}"
        yield from (f"hits {letter}" for letter in hits)
        points = {sub.at: SCORES.get(sub.at, 0) * (2 if sub.up else 1) for sub in fleet}
        best = max(points, key=points.__getitem__, default=CENTRE)
        if points.get(best):
            total = sum(points.values())
            more = f", {total} in all" if total > points[best] else ""
            yield f"{points[best]} points at {best}{more}"
        for event in turn.events:
            if event.kind in _DOES:
                yield _DOES[event.kind].format_map(event.fields)
        for sub in fleet:
            if seen.subs[sub.letter].up and not sub.up:
                yield f"{sub.letter} is out of their sight"
        for sub in fleet:
            nearer = seen.subs[sub.letter].at.distance(CENTRE) - sub.at.distance(CENTRE)
            if nearer > 0:
                yield f"{sub.letter} is nearer to {CENTRE}"

    def worlds(self, dice: Dice, count: int) -> Sequence[State]:
        """Each enemy out of sight in a cell where it may be, rather one that scores or is near D4;
        specials that were not seen as a captain takes them. No enemy mines."""
        seen = read_view(self.view)
        if not seen.begun:
            return ()
        found = (self._guess(seen, dice, f"guess/{number}") for number in range(count))
        return [world for world in found if world is not None]

    def _guess(self, seen: State, dice: Dice, label: str) -> State | None:
        mind, mine, enemy = self.mind, self.player, seen.other(self.player)
        known, table, own = seen.afloat(enemy), specials(seen.setup), letters(seen.setup, enemy)
        free, held = dict(table), dict[str, str]()
        for letter in sorted(own, key=lambda letter: letter not in mind.used):
            kind = mind.used.get(letter, ("", 0))[0]
            fits = {name: row for name, row in free.items() if row.mechanism == kind} or free
            (held[letter],) = _held(dice, f"{label}/{letter}/special", fits, 1)
            del free[held[letter]]
        subs, taken = dict(seen.subs), {sub.at for sub in seen.subs.values()}
        for letter, sub in known.items():
            foe = mind.foes.get(letter, Foe())
            hp = max(foe.hp[0], min(foe.likely, foe.hp[1]))
            cells = sorted(foe.cells - taken or set(BOARD.cells()) - taken, key=by_row)
            weights = [_stays(cell) for cell in cells]
            at = sub.at if sub else cells[dice.weighted(f"{label}/{letter}", weights)]
            subs[letter] = Sub(letter, at, hp, sub is not None, held[letter])
            taken.add(at)
        low, high = mind.points
        sunk = tuple(Wreck(letter, held[letter]) for letter in own if letter not in known)
        points = low + dice.below(f"{label}/points", high - low + 1)
        row, draw = home_row(seen.setup, enemy), seen.sides[enemy].draw
        sides = {**seen.sides, enemy: Side(row, points, sunk=sunk, draw=draw)}
        world = seen._replace(sides=sides, subs=subs, player=None, ap=None)
        # The AP tell who began, and whether reactors are nullified.
        reactors = [sub.special for sub in seen.fleet(mine) if world.working(sub, "reactor")]
        for first in [mind.first] if mind.first else seen.setup.players:
            for off in range(len(reactors) + 1):
                side = sides[mine]._replace(nullified=tuple(reactors[:off]))
                world = world._replace(sides={**sides, mine: side}, first=first)
                if seen.ap is None or world.start_ap(mine) == seen.ap:
                    return world
        return None

    def worth(self, state: State) -> int:
        """Points, submarines, their HP and their places, against the enemy's, of whom one in sight
        is worth less: it may be shot at next. Far more than the values of lines, which it is added
        to."""
        worth = 0
        for player, side in state.sides.items():
            value = POINT * side.points
            for sub in state.fleet(player):
                value += KILL + HARM * sub.hp + _place(state.rings, NEARER, sub.at, True)
                value -= EASY if sub.up and player != self.player else 0
            worth += value if player == self.player else -value
        return SURER * worth


@lru_cache(1024)
def _place(rings: int, nearer: int, at: Cell, up: bool) -> int:
    """The value of a submarine there at the end of the turn, so many rings being destroyed."""
    points = SCORES.get(at, 0) * (2 if up else 1)
    burnt = BURNT if depth(at) < rings else 0
    seen = EXPOSED if up and not points else 0
    return POINT * points - nearer * at.distance(CENTRE) - burnt - seen


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


_DOES = {
    "torpedo": "{sub} shoots where one may be out of sight",
    "mine": "a mine in {at}",
    "sonar": "{sub} hears who is near",
    "nullify": "their {special} does nothing in their next turn",
    "healed": "{sub} gains {amount} HP",
}
"""What a special does, by its event, in words."""


def _stays(at: Cell) -> int:
    """How likely a submarine out of sight is in that cell, by what it is for."""
    return (1 + 3 * SCORES.get(at, 0)) * (8 - at.distance(CENTRE))


def _held(dice: Dice, label: str, table: Specials, many: int) -> Sequence[str]:
    """So many specials, drawn as captains take them."""
    left = {name: WANTED.get(row.mechanism, 1) for name, row in table.items()}
    held: list[str] = []
    while left and len(held) < many:
        name = list(left)[dice.weighted(f"{label}/{len(held)}", list(left.values()))]
        held.append(name)
        del left[name]
    return held


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


BOTS = bots.levels(
    Captain,
    Random,
    novice=Level(900, keep=250),
    mate=Level(350),
    admiral=partial(Admiral, SubmarineWarfare(), Captain, Effort(10, 1, 1, won=50_000)),
)
"""`Game.bots`."""
