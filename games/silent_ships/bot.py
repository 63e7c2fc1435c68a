"""Bots for Silent Ships: `captain`, which plays sensibly, and `random`. A bot plays from its own
reports alone, and all chance comes from the dice that it is given.

The captain holds the enemy country, clears its own, and weighs each battle. A turn is planned as a
list of lines. Each line is tried on the captain's own view by the same `check` that judges an order
file, and its effect is taken from `leaves`; so a plan holds only legal lines, up to its first
attack, after which nobody knows the position. An attack is weighed by the ships that each face-down
enemy ship can be (`deduced`): of all of them, those that the attacking side would beat are the
chance, in whole hundredths. Nothing in that is random.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, islice, pairwise
from typing import TypeAlias

from games import bots
from games.bots import Level, Listener, Ranked
from games.dice import Dice
from games.game import Player, Written
from games.grid import Cell
from games.orders import read_lines
from games.silent_ships.actions import WORDS, is_attack
from games.silent_ships.cards import edition
from games.silent_ships.deduced import deduced
from games.silent_ships.notation import read_view
from games.silent_ships.orders import check, leaves, next_lines, read_command
from games.silent_ships.state import (
    BOARD,
    COUNTRIES,
    ISLANDS,
    Attack,
    Ship,
    Standing,
    State,
    able,
    country,
    other,
    places,
    retreats,
    supporters,
)
from games.silent_ships.words import LineFault

MOST_ACTIONS = 8
PATIENCE = 60
"""After so many turns a bot offers in each turn to end the game, so that two bots always finish."""

Names: TypeAlias = Mapping[Cell, Sequence[str]]

LIKELY = 60
"""The chance from which on a battle is worth a card, in hundredths."""
SPARE = 2
"""Cards kept when ships gather, for an attack and a support."""
_command = lru_cache(4096)(lambda text: read_command(*read_lines(text)))


@dataclass(frozen=True, slots=True)
class Plan:
    """Lines so far and what is seen after them. After an attack no line can be tried.

    `names`: by cell, the ships that each face-down enemy ship can be (`deduced`). `inline`:
    decisions are in the move line, so that no mail asks for them.
    """

    seen: State
    names: Names
    inline: bool = False
    lines: tuple[str, ...] = ()
    fought: bool = False

    def add(self, text: str) -> Plan | None:
        """The plan with one more line; None if that is not allowed."""
        if self.fought:
            return None
        try:
            command = check(self.seen, _command(text))
        except LineFault:
            return None
        fought = is_attack(self.seen.board, command)
        seen = self.seen if fought else leaves(self.seen, command)
        return Plan(seen, self.names, self.inline, (*self.lines, text), fought)


# Values and chances.


def guarded(seen: State) -> bool:
    """Whether losing the flag ship loses the game."""
    return "flag-ship" in edition(seen.setup.options).wins


def _playable(seen: State) -> list[str]:
    """The hand without a flag ship that must not be lost: on the board it could be sunk."""
    kept = guarded(seen)
    return [name for name in seen.own.hand if not (kept and seen.cards.ability(name, "flag"))]


def power(seen: State, name: str, attacking: bool = False) -> int:
    """The strength of one's own ship in a battle, by its card."""
    cards = seen.cards
    ramming = cards.ability(name, "rams") if attacking else 0
    bonus = cards.ability(name, "salvages") * len(seen.theirs.sunk)
    return (ramming or cards.attack(name)) + bonus


def to_give_up(seen: State, hand: Sequence[str]) -> list[str]:
    """The hand, the least valuable card first."""
    return sorted(hand, key=lambda name: (_worth(seen, name), seen.cards.names.index(name)))


def _worth(seen: State, name: str) -> int:
    if guarded(seen) and seen.cards.ability(name, "flag"):
        return 5
    return power(seen, name, attacking=True)


def holding(seen: State, name: str) -> int:
    """How well a ship would hold the enemy country for a turn."""
    if seen.cards.ability(name, "burns"):
        return 1
    risk = 4 if guarded(seen) and seen.cards.ability(name, "flag") else 0
    return power(seen, name) - risk


def strengths(seen: State, ship: Ship, names: Names) -> list[int]:
    """The possible strengths of an enemy ship: one for each ship that it can be."""
    known = [ship.name] if ship.name else names.get(ship.at, ())
    return [seen.cards.attack(name) for name in known] or [0]


def chance(seen: State, total: int, target: Ship, names: Names) -> int:
    """Hundredths of winning an attack of that total, with or without a support against it."""
    plain = strengths(seen, target, names)
    backing = [
        ship
        for ship in seen.board.values()
        if ship.owner == target.owner and ship.at.distance(target.at) == 1
    ]
    wins = 2 * sum(total > value for value in plain)
    if not backing or not seen.theirs.hand:
        return 100 * wins // (2 * len(plain))
    helped = max(_average(strengths(seen, ship, names)) for ship in backing)
    wins = sum((total > value) + (total > value + helped) for value in plain)
    return 100 * wins // (2 * len(plain))


def _average(values: Sequence[int]) -> int:
    return sum(values) // len(values)


# A turn.


def turn(seen: State, names: Names, inline: bool) -> tuple[str, ...]:
    """The lines of a turn."""
    mine = country(seen.setup, seen.player)
    plan = Plan(seen, names, inline)
    intruder = seen.board.get(mine)
    if intruder is not None and intruder.owner != seen.player:
        plan = _repel(plan, intruder)
    else:
        plan = _hold(plan)
        plan = plan if plan.fought else _hold(_gather(plan))
        plan = plan if plan.fought else _strike(plan)
        plan = plan if plan.fought else _settle(plan)
    return (*plan.lines, "end")


def _own(seen: State) -> list[Ship]:
    return [ship for ship in seen.board.values() if ship.owner == seen.player]


def _best(plan: Plan, found: Iterable[tuple[int, Plan]], least: int) -> Plan:
    """The plan of the greatest value, the first of several, if it is worth so much; otherwise the
    plan as it was."""
    worth, best = max(found, key=lambda pair: pair[0], default=(0, plan))
    return best if worth >= least else plan


def _repel(plan: Plan, intruder: Ship) -> Plan:
    """The best attack on a ship in one's own country, with up to two ships played for it."""
    found = [
        (score * 10 + len(attack.seen.own.hand), attack)
        for ready in _reinforced(plan)
        for score, attack in _attacks(ready, intruder)
    ]
    return _best(plan, found, 0)


def _reinforced(plan: Plan) -> Iterator[Plan]:
    """The plan with none, one or two of the strongest cards played beside the country."""
    hand = to_give_up(plan.seen, _playable(plan.seen))[-4:]
    yield plan
    for card in hand:
        for place in ("left", "right"):
            if (one := plan.add(f"play {card} {place}")) is not None:
                yield one
    for first, second in combinations(hand, 2):
        one = plan.add(f"play {first} left")
        if one is not None and (two := one.add(f"play {second} right")) is not None:
            yield two


def _attacks(plan: Plan, target: Ship) -> Iterator[tuple[int, Plan]]:
    """Attacks on a ship by each neighbour, with each number of supports, after their chances."""
    seen = plan.seen
    for ship in _own(seen):
        if ship.at.distance(target.at) != 1 or not ship.name:
            continue
        due = able(seen.cards, ship, "heavy")
        give = to_give_up(seen, seen.own.hand)
        if len(give) < due:
            continue
        attack = Attack(ship.at, target.at)
        near = [
            (power(seen, there.name), there.at)
            for cell in supporters(seen.board, seen.cards, attack, seen.player)
            if (there := seen.board.get(cell)) is not None and there.name
        ]
        near.sort(key=lambda pair: -pair[0])
        for count in range(min(len(near), len(give) - due) + 1):
            total = power(seen, ship.name, True) + sum(value for value, _ in near[:count])
            backing = list(zip((cell for _, cell in near[:count]), give[due:], strict=False))
            text = _attack_line(seen, attack, give[:due], backing if plan.inline else None)
            if (fought := plan.add(text)) is not None:
                hand = tuple(give[due + count :])
                after = seen.with_own(seen.own._replace(hand=hand))
                yield chance(seen, total, target, plan.names), replace(fought, seen=after)


def _attack_line(
    seen: State, attack: Attack, give: Sequence[str], backing: Sequence[tuple[Cell, str]] | None
) -> str:
    words = [f"move {attack.start} {attack.to}", *(f"discard {card}" for card in give)]
    if backing is not None:
        words += [f"support {cell} discard {card}" for cell, card in backing] or ["support none"]
        if retreats(seen.board, attack.to):
            words.append(f"push {push(seen, attack)}")
    return " ".join(words)


def _hold(plan: Plan) -> Plan:
    """Bring the ship that holds best onto the enemy country, if there are cards enough."""
    seen = plan.seen
    goal = country(seen.setup, other(seen.setup, seen.player))
    there = seen.board.get(goal)
    if there is not None:
        if there.owner == seen.player:
            return plan
        return _best(plan, _attacks(plan, there), LIKELY // 2)
    found = [
        (holding(seen, name), reached)
        for name, ready, start in _candidates(plan)
        if (reached := _march(ready, start, goal)) is not None
    ]
    best = max(found, key=lambda pair: (pair[0], len(pair[1].seen.own.hand)), default=(0, plan))
    return best[1] if best[0] > 2 else plan


def _gather(plan: Plan) -> Plan:
    """Bring the strongest ships next to an enemy that sits in its own country, cards allowing."""
    goal = country(plan.seen.setup, other(plan.seen.setup, plan.seen.player))
    there = plan.seen.board.get(goal)
    if there is None or there.owner == plan.seen.player:
        return plan
    for _ in range(3):
        found = [
            (power(plan.seen, name, attacking=True), len(reached.seen.own.hand), reached)
            for name, ready, start in _candidates(plan)
            if start.distance(goal) > 1
            for cell in BOARD.adjacent(goal)
            if (reached := _march(ready, start, cell, SPARE)) is not None
        ]
        if not found:
            break
        plan = max(found, key=lambda each: each[:2])[2]
    return plan


def _candidates(plan: Plan) -> Iterator[tuple[str, Plan, Cell]]:
    """Each ship on the board, and each card played on each free place."""
    for ship in _own(plan.seen):
        if ship.name:
            yield ship.name, plan, ship.at
    for card in _playable(plan.seen):
        for place, cell in places(plan.seen.setup, plan.seen.player).items():
            if (ready := plan.add(f"play {card} {place}")) is not None:
                yield card, ready, cell


def _march(plan: Plan, start: Cell, goal: Cell, spare: int = 0) -> Plan | None:
    """The plan with a ship moved on a shortest way through empty cells, so many cards to spare."""
    seen, ship = plan.seen, plan.seen.board[start]
    way, due = _way(seen, start, goal), able(seen.cards, ship, "heavy")
    if not way or due * (len(way) - 1) + spare > len(seen.own.hand):
        return None
    give = iter(to_give_up(seen, seen.own.hand))
    for here, to in pairwise(way):
        cards = "".join([f" discard {card}" for card in islice(give, due)])
        if (step := plan.add(f"move {here} {to}{cards}")) is None:
            return None
        plan = step
    return plan


def _way(seen: State, start: Cell, goal: Cell) -> tuple[Cell, ...]:
    """A shortest way through empty cells; empty if there is none."""
    ways: list[tuple[Cell, ...]] = [(start,)]
    reached = {start}
    for way in ways:
        if way[-1] == goal:
            return way
        for near in BOARD.adjacent(way[-1]):
            if near not in reached and near not in seen.board:
                reached.add(near)
                ways.append((*way, near))
    return ()


def _strike(plan: Plan) -> Plan:
    """The likeliest battle within reach, if it is likely enough."""
    seen = plan.seen
    if len(seen.own.hand) < 2:
        return plan
    theirs = [ship for ship in seen.board.values() if ship.owner != seen.player]
    return _best(plan, [each for ship in theirs for each in _attacks(plan, ship)], LIKELY)


def _settle(plan: Plan) -> Plan:
    """Bring a ship onto an island, if none is there and cards can be spared."""
    seen = plan.seen
    if any(ship.at in ISLANDS for ship in _own(seen)):
        return plan
    found = [
        (len(reached.seen.own.hand), reached)
        for name, ready, start in _candidates(plan)
        if not seen.cards.ability(name, "flag")
        for island in ISLANDS
        if island not in seen.board and (reached := _march(ready, start, island)) is not None
    ]
    return _best(plan, found, 1)


# Decisions.


def decide(seen: State, names: Names, attack: Attack) -> tuple[str, ...]:
    """The answer to a question in an attack."""
    if attack.asks == "push":
        return (f"push {push(seen, attack)}",)
    if attack.asks == "support":
        return support(seen, names, attack)
    target = seen.board.get(attack.to)
    if target is None or not target.name or _danger(seen, names, attack, target) < 50:
        return ("stand",)
    return (f"retreat discard {to_give_up(seen, seen.own.hand)[0]}",)


def _danger(seen: State, names: Names, attack: Attack, target: Ship) -> int:
    """Hundredths of losing the battle as the defender; doubled for a flag ship."""
    theirs = [ship for ship in seen.board.values() if ship.at in (attack.start, *attack.supports)]
    values = [strengths(seen, ship, names) for ship in theirs if ship.owner != seen.player]
    known = sum(map(_average, values[1:]))
    lost = sum(value + known > power(seen, target.name) for value in values[0])
    danger = 100 * lost // len(values[0])
    if target.at == country(seen.setup, other(seen.setup, seen.player)):
        return danger // 2
    flag = seen.cards.ability(target.name, "flag")
    return 2 * danger if guarded(seen) and flag else danger


def support(seen: State, names: Names, attack: Attack) -> tuple[str, ...]:
    """Supports, strongest first, until the battle looks won."""
    enemy = seen.board.get(attack.to if seen.turn == seen.player else attack.start)
    own = seen.board.get(attack.start if seen.turn == seen.player else attack.to)
    if enemy is None or own is None or not own.name:
        return ("support none",)
    needed = max(strengths(seen, enemy, names))
    total = power(seen, own.name, seen.turn == seen.player)
    may = supporters(seen.board, seen.cards, attack, seen.player)
    ships = [ship for ship in seen.board.values() if ship.at in may and ship.name]
    ships.sort(key=lambda ship: -power(seen, ship.name))
    lines = []
    for ship, card in zip(ships, to_give_up(seen, seen.own.hand), strict=False):
        if total > needed:
            break
        total += power(seen, ship.name)
        lines.append(f"support {ship.at} discard {card}")
    return tuple(lines) or ("support none",)


def push(seen: State, attack: Attack) -> Cell:
    """The cell of a retreat: off islands and countries, away from one's own country."""
    mine = country(seen.setup, seen.player)
    return max(
        retreats(seen.board, attack.to),
        key=lambda cell: (cell not in (*ISLANDS, *COUNTRIES), cell.distance(mine)),
    )


def standing(seen: State) -> Standing:
    """Standing orders that answer as the captain would: stand, and support with what it has.

    It wants to be asked while the flag ship is on the board and must not be lost.
    """
    careful = guarded(seen) and any(seen.cards.ability(own.name, "flag") for own in _own(seen))
    return Standing("ask" if careful else "never", "all", tuple(to_give_up(seen, seen.cards.names)))


# The bots.


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
        offer = ["offer end"] if self._turns >= PATIENCE else []
        return "\n".join([*lines[:-1], *offer, *lines[-1:]]) + "\n"

    def _pick(self, dice: Dice, lines: Sequence[str]) -> str:
        self._drawn += 1
        return lines[dice.below(f"bot/{self.player}/{self._drawn}", len(lines))]


class Captain(_Seat, bots.Captain):
    """Plays as said above.

    `standing`: it sends standing orders and puts its own decisions into the move line, so that few
    attacks wait for a mail.
    """

    deduced = staticmethod(deduced)

    def __init__(self, player: Player, standing: bool = True) -> None:
        super().__init__(player)
        self._standing = standing

    def chosen(self, written: Written) -> None:
        """Count the turns."""
        seen = read_view(self.view)
        self._turns += seen.turn is not None and seen.attack is None

    def ranked(self, dice: Dice, keep: int) -> Sequence[Ranked]:
        """The orders for which this seat is awaited."""
        return [Ranked(0, self._best())]

    def _best(self) -> str:
        seen = read_view(self.view)
        if seen.turn is None:
            return "start\n"
        names: Names = self.mind.names
        if seen.attack is not None:
            return self._file(decide(seen, names, seen.attack))
        lines = turn(seen, names, self._standing)
        wanted = standing(seen)
        ahead = () if not self._standing or wanted == seen.own.standing else stood(wanted)
        return self._file((*ahead, *lines))


def stood(standing: Standing) -> tuple[str, ...]:
    """Standing orders as lines of an order file."""
    first = standing.discard
    pays = () if first is None else (f"standing discard {', '.join(first) or 'none'}",)
    return (f"standing retreat {standing.retreat}", f"standing support {standing.support}", *pays)


class Random(_Seat):
    """Sends legal lines at random; it never resigns, and offers only after so many turns."""

    def order(self, dice: Dice) -> Written:
        """The orders for which this seat is awaited."""
        seen = read_view(self.view)
        if seen.turn is None:
            return Written("start\n")
        if seen.attack is not None:
            asked = [line for line in _lines(seen) if WORDS[line.split()[0]].asks]
            return Written(self._file([self._pick(dice, asked)]))
        self._turns += 1
        plan = Plan(seen, {})
        for _ in range(MOST_ACTIONS):
            line = self._pick(dice, _lines(plan.seen))
            if line == "end":
                break
            plan = plan.add(line) or plan
            if plan.fought:
                break
        return Written(self._file((*plan.lines, "end")))


def _lines(seen: State) -> list[str]:
    """All lines that may come next, without offers and resignations."""
    choices = next_lines(seen, ()).choices
    return [choice.text for choice in choices if choice.text not in ("offer end", "resign")]


BOTS = bots.levels(Captain, Random, novice=Level(28, slips=50), mate=Level(28))
"""`Game.bots`."""
