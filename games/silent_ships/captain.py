"""How the captain plays: holds the enemy country, clears its own, and weighs each battle.

A turn is planned as a list of lines. Each line is tried on the captain's own sight by the same
`check` that judges an order file, and its effect is taken from `leaves`; so a plan holds only legal
lines, up to its first attack, after which nobody knows the position. An attack is weighed by the
ships that each face-down enemy ship can be (`deduced`): of all of them, those that the attacking
side would beat are the chance, in whole hundredths. Nothing is random.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, islice, pairwise
from typing import TypeAlias

from games.grid import Cell
from games.lines import read_lines
from games.silent_ships.actions import is_attack
from games.silent_ships.cards import edition
from games.silent_ships.lines import LineFault
from games.silent_ships.moves import check, leaves, read_command
from games.silent_ships.state import (
    BOARD,
    COUNTRIES,
    ISLANDS,
    Attack,
    Ship,
    Standing,
    able,
    country,
    other,
    places,
    retreats,
    supporters,
)
from games.silent_ships.view import Sight

Names: TypeAlias = Mapping[Cell, Sequence[str]]

LIKELY = 60
"""The chance from which on a battle is worth a card, in hundredths."""
SPARE = 2
"""Cards kept when ships gather, for an attack and a support."""
_command = lru_cache(4096)(lambda text: read_command(*read_lines(text)))


@dataclass(frozen=True, slots=True)
class Plan:
    """Lines so far and the sight after them. After an attack no line can be tried.

    `names`: by cell, the ships that each face-down enemy ship can be (`deduced`).
    """

    sight: Sight
    names: Names
    lines: tuple[str, ...] = ()
    fought: bool = False

    def add(self, text: str) -> Plan | None:
        """The plan with one more line; None if that is not allowed."""
        if self.fought:
            return None
        try:
            command = check(self.sight, _command(text))
        except LineFault:
            return None
        fought = is_attack(self.sight.board, command)
        sight = self.sight if fought else leaves(self.sight, command)
        return Plan(sight, self.names, (*self.lines, text), fought)


# Values and chances.


def guarded(sight: Sight) -> bool:
    """Whether losing the flag ship loses the game."""
    return "flag-ship" in edition(sight.setup.options).wins


def _playable(sight: Sight) -> list[str]:
    """The hand without a flag ship that must not be lost: on the board it could be sunk."""
    kept = guarded(sight)
    return [name for name in sight.own.hand if not (kept and sight.cards.ability(name, "flag"))]


def power(sight: Sight, name: str, attacking: bool = False) -> int:
    """The strength of one's own ship in a battle, by its card."""
    cards = sight.cards
    ramming = cards.ability(name, "rams") if attacking else 0
    bonus = cards.ability(name, "salvages") * len(sight.theirs.sunk)
    return (ramming or cards.attack(name)) + bonus


def to_give_up(sight: Sight, hand: Sequence[str]) -> list[str]:
    """The hand, the least valuable card first."""
    return sorted(hand, key=lambda name: (_worth(sight, name), sight.cards.names.index(name)))


def _worth(sight: Sight, name: str) -> int:
    if guarded(sight) and sight.cards.ability(name, "flag"):
        return 5
    return power(sight, name, attacking=True)


def holding(sight: Sight, name: str) -> int:
    """How well a ship would hold the enemy country for a turn."""
    if sight.cards.ability(name, "burns"):
        return 1
    risk = 4 if guarded(sight) and sight.cards.ability(name, "flag") else 0
    return power(sight, name) - risk


def strengths(sight: Sight, ship: Ship, names: Names) -> list[int]:
    """The possible strengths of an enemy ship: one for each ship that it can be."""
    known = [ship.name] if ship.name else names.get(ship.at, ())
    return [sight.cards.attack(name) for name in known] or [0]


def chance(sight: Sight, total: int, target: Ship, names: Names) -> int:
    """Hundredths of winning an attack of that total, with or without a support against it."""
    plain = strengths(sight, target, names)
    backing = [
        ship
        for ship in sight.board.values()
        if ship.owner == target.owner and ship.at.distance(target.at) == 1
    ]
    wins = 2 * sum(total > value for value in plain)
    if not backing or not sight.theirs.hand:
        return 100 * wins // (2 * len(plain))
    helped = max(_average(strengths(sight, ship, names)) for ship in backing)
    wins = sum((total > value) + (total > value + helped) for value in plain)
    return 100 * wins // (2 * len(plain))


def _average(values: Sequence[int]) -> int:
    return sum(values) // len(values)


# A turn.


def turn(sight: Sight, names: Names, inline: bool) -> tuple[str, ...]:
    """The lines of a turn. `inline`: decisions are in the move line, so that no mail asks for
    them."""
    mine = country(sight.setup, sight.player)
    plan = Plan(sight, names)
    intruder = sight.board.get(mine)
    if intruder is not None and intruder.owner != sight.player:
        plan = _repel(plan, intruder, inline) or plan
    else:
        plan = _hold(plan, inline)
        plan = plan if plan.fought else _hold(_gather(plan), inline)
        plan = plan if plan.fought else _strike(plan, inline)
        plan = plan if plan.fought else _settle(plan)
    return (*plan.lines, "end")


def _own(sight: Sight) -> list[Ship]:
    return [ship for ship in sight.board.values() if ship.owner == sight.player]


def _repel(plan: Plan, intruder: Ship, inline: bool) -> Plan | None:
    """The best attack on a ship in one's own country, with up to two ships played for it."""
    found = [
        (score * 10 + len(attack.sight.own.hand), attack)
        for ready in _reinforced(plan)
        for attack, score in _attacks(ready, intruder, inline)
    ]
    return max(found, key=lambda pair: pair[0], default=(0, None))[1]


def _reinforced(plan: Plan) -> Iterator[Plan]:
    """The plan with none, one or two of the strongest cards played beside the country."""
    hand = to_give_up(plan.sight, _playable(plan.sight))[-4:]
    yield plan
    for card in hand:
        for place in ("left", "right"):
            if (one := plan.add(f"play {card} {place}")) is not None:
                yield one
    for first, second in combinations(hand, 2):
        one = plan.add(f"play {first} left")
        if one is not None and (two := one.add(f"play {second} right")) is not None:
            yield two


def _attacks(plan: Plan, target: Ship, inline: bool) -> Iterator[tuple[Plan, int]]:
    """Attacks on a ship by each neighbour, with each number of supports, and their chances."""
    sight = plan.sight
    for ship in _own(sight):
        if ship.at.distance(target.at) != 1 or not ship.name:
            continue
        due = able(sight.cards, ship, "heavy")
        give = to_give_up(sight, sight.own.hand)
        if len(give) < due:
            continue
        attack = Attack(ship.at, target.at)
        near = [
            (power(sight, there.name), there.at)
            for cell in supporters(sight.board, sight.cards, attack, sight.player)
            if (there := sight.board.get(cell)) is not None and there.name
        ]
        near.sort(key=lambda pair: -pair[0])
        for count in range(min(len(near), len(give) - due) + 1):
            total = power(sight, ship.name, True) + sum(value for value, _ in near[:count])
            backing = list(zip((cell for _, cell in near[:count]), give[due:], strict=False))
            text = _attack_line(sight, attack, give[:due], backing if inline else None)
            if (fought := plan.add(text)) is not None:
                hand = tuple(give[due + count :])
                seen = sight._replace(own=sight.own._replace(hand=hand))
                yield replace(fought, sight=seen), chance(sight, total, target, plan.names)


def _attack_line(
    sight: Sight,
    attack: Attack,
    give: Sequence[str],
    backing: Sequence[tuple[Cell, str]] | None,
) -> str:
    words = [f"move {attack.start} {attack.to}", *(f"discard {card}" for card in give)]
    if backing is not None:
        words += [f"support {cell} discard {card}" for cell, card in backing] or ["support none"]
        if retreats(sight.board, attack.to):
            words.append(f"push {push(sight, attack)}")
    return " ".join(words)


def _hold(plan: Plan, inline: bool) -> Plan:
    """Bring the ship that holds best onto the enemy country, if there are cards enough."""
    sight = plan.sight
    goal = country(sight.setup, other(sight.setup, sight.player))
    there = sight.board.get(goal)
    if there is not None:
        if there.owner == sight.player:
            return plan
        tries = [(score, attack) for attack, score in _attacks(plan, there, inline)]
        best = max(tries, key=lambda pair: pair[0], default=(0, plan))
        return best[1] if best[0] >= LIKELY // 2 else plan
    found = [
        (holding(sight, name), reached)
        for name, ready, start in _candidates(plan)
        if (reached := _march(ready, start, goal)) is not None
    ]
    best = max(found, key=lambda pair: (pair[0], len(pair[1].sight.own.hand)), default=(0, plan))
    return best[1] if best[0] > 2 else plan


def _gather(plan: Plan) -> Plan:
    """Bring the strongest ships next to an enemy that sits in its own country, cards allowing."""
    goal = country(plan.sight.setup, other(plan.sight.setup, plan.sight.player))
    there = plan.sight.board.get(goal)
    if there is None or there.owner == plan.sight.player:
        return plan
    for _ in range(3):
        found = [
            (power(plan.sight, name, attacking=True), len(reached.sight.own.hand), reached)
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
    for ship in _own(plan.sight):
        if ship.name:
            yield ship.name, plan, ship.at
    for card in _playable(plan.sight):
        for place, cell in places(plan.sight.setup, plan.sight.player).items():
            if (ready := plan.add(f"play {card} {place}")) is not None:
                yield card, ready, cell


def _march(plan: Plan, start: Cell, goal: Cell, spare: int = 0) -> Plan | None:
    """The plan with a ship moved on a shortest way through empty cells, so many cards to spare."""
    sight, ship = plan.sight, plan.sight.board[start]
    way, due = _way(sight, start, goal), able(sight.cards, ship, "heavy")
    if not way or due * (len(way) - 1) + spare > len(sight.own.hand):
        return None
    give = iter(to_give_up(sight, sight.own.hand))
    for here, to in pairwise(way):
        cards = "".join([f" discard {card}" for card in islice(give, due)])
        if (step := plan.add(f"move {here} {to}{cards}")) is None:
            return None
        plan = step
    return plan


def _way(sight: Sight, start: Cell, goal: Cell) -> tuple[Cell, ...]:
    """A shortest way through empty cells; empty if there is none."""
    ways: list[tuple[Cell, ...]] = [(start,)]
    reached = {start}
    for way in ways:
        if way[-1] == goal:
            return way
        for near in BOARD.adjacent(way[-1]):
            if near not in reached and near not in sight.board:
                reached.add(near)
                ways.append((*way, near))
    return ()


def _strike(plan: Plan, inline: bool) -> Plan:
    """The likeliest battle within reach, if it is likely enough."""
    sight = plan.sight
    tries = [
        (score, attack)
        for ship in sight.board.values()
        if ship.owner != sight.player
        for attack, score in _attacks(plan, ship, inline)
    ]
    best = max(tries, key=lambda pair: pair[0], default=(0, plan))
    return best[1] if best[0] >= LIKELY and len(sight.own.hand) > 1 else plan


def _settle(plan: Plan) -> Plan:
    """Bring a ship onto an island, if none is there and cards can be spared."""
    sight = plan.sight
    if any(ship.at in ISLANDS for ship in _own(sight)):
        return plan
    found = [
        (len(reached.sight.own.hand), reached)
        for name, ready, start in _candidates(plan)
        if not sight.cards.ability(name, "flag")
        for island in ISLANDS
        if island not in sight.board and (reached := _march(ready, start, island)) is not None
    ]
    best = max(found, key=lambda pair: pair[0], default=(0, plan))
    return best[1] if best[0] > 0 else plan


# Decisions.


def decide(sight: Sight, names: Names, attack: Attack) -> tuple[str, ...]:
    """The answer to a question in an attack."""
    if attack.asks == "push":
        return (f"push {push(sight, attack)}",)
    if attack.asks == "support":
        return support(sight, names, attack)
    target = sight.board.get(attack.to)
    if target is None or not target.name or _danger(sight, names, attack, target) < 50:
        return ("stand",)
    return (f"retreat discard {to_give_up(sight, sight.own.hand)[0]}",)


def _danger(sight: Sight, names: Names, attack: Attack, target: Ship) -> int:
    """Hundredths of losing the battle as the defender; doubled for a flag ship."""
    theirs = [ship for ship in sight.board.values() if ship.at in (attack.start, *attack.supports)]
    values = [strengths(sight, ship, names) for ship in theirs if ship.owner != sight.player]
    known = sum(map(_average, values[1:]))
    lost = sum(value + known > power(sight, target.name) for value in values[0])
    danger = 100 * lost // len(values[0])
    if target.at == country(sight.setup, other(sight.setup, sight.player)):
        return danger // 2
    flag = sight.cards.ability(target.name, "flag")
    return 2 * danger if guarded(sight) and flag else danger


def support(sight: Sight, names: Names, attack: Attack) -> tuple[str, ...]:
    """Supports, strongest first, until the battle looks won."""
    enemy = sight.board.get(attack.to if sight.turn == sight.player else attack.start)
    own = sight.board.get(attack.start if sight.turn == sight.player else attack.to)
    if enemy is None or own is None or not own.name:
        return ("support none",)
    needed = max(strengths(sight, enemy, names))
    total = power(sight, own.name, sight.turn == sight.player)
    may = supporters(sight.board, sight.cards, attack, sight.player)
    ships = [ship for ship in sight.board.values() if ship.at in may and ship.name]
    ships.sort(key=lambda ship: -power(sight, ship.name))
    lines = []
    for ship, card in zip(ships, to_give_up(sight, sight.own.hand), strict=False):
        if total > needed:
            break
        total += power(sight, ship.name)
        lines.append(f"support {ship.at} discard {card}")
    return tuple(lines) or ("support none",)


def push(sight: Sight, attack: Attack) -> Cell:
    """The cell of a retreat: off islands and countries, away from one's own country."""
    mine = country(sight.setup, sight.player)
    return max(
        retreats(sight.board, attack.to),
        key=lambda cell: (cell not in (*ISLANDS, *COUNTRIES), cell.distance(mine)),
    )


def standing(sight: Sight) -> Standing:
    """Standing orders that answer as the captain would: stand, and support with what it has.

    It wants to be asked while the flag ship is on the board and must not be lost.
    """
    careful = guarded(sight) and any(sight.cards.ability(own.name, "flag") for own in _own(sight))
    return Standing(
        "ask" if careful else "never", "all", tuple(to_give_up(sight, sight.cards.names))
    )
