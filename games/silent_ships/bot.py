"""Bots for Silent Ships: `captain`, which plays sensibly, its levels, and `random`. A bot plays
from its own reports alone, and all chance comes from the dice that it is given.

The captain clears its own country, fights where it is likely to win, also far away, holds the enemy
country, and takes an island. Beside that plan of a turn it has others, each by what it reaches: for
the levels, which err among them, and for the admiral, which tries them.

A plan is a list of lines. Each line is tried on the captain's own view by the same `check` that
judges an order file, and its effect is taken from `leaves`; so a plan holds only legal lines, up to
its first attack, after which nobody knows the position. An attack is weighed by the ships that each
face-down enemy ship can be (`deduced`): of all of them, those that the attacking side would beat
are the chance, in whole hundredths. Nothing in that is random.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import combinations, islice, pairwise
from typing import TypeAlias

from games import bots
from games.bots import Level, Listener, Ranked
from games.dice import Dice
from games.game import Player, Written
from games.grid import Cell
from games.orders import read_lines
from games.search import Admiral, Effort
from games.silent_ships.actions import WORDS, is_attack
from games.silent_ships.cards import edition, spoken
from games.silent_ships.deduced import HiddenShip, deduced
from games.silent_ships.game import SilentShips
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
    see,
    supporters,
)
from games.silent_ships.words import LineFault

MOST_ACTIONS = 8
PATIENCE = 60
"""After so many turns a bot offers in each turn to end the game, so that two bots always finish."""

Names: TypeAlias = Mapping[Cell, Sequence[str]]

LIKELY = 60
"""The chance from which on a battle is worth a card, in hundredths."""
HOLDS, ISLAND, PLAYED, LOST = 20, 25, 10, -1_000
"""In hundredths of a battle won: a ship in the enemy country, with 5 for each point of its
strength; one on an island; one played; and a game lost."""
FEW = 1
"""With more cards in hand than that, and those that it draws, the enemy drives out who holds; where
ships sunk win, that is not risked."""
SPARE = 2
"""Cards kept when ships gather, for an attack and a support."""
EVERY = 1_000
"""More plans than a turn has."""
ALONE = ("support none",)
_command = lru_cache(4096)(lambda text: read_command(*read_lines(text)))


@dataclass(frozen=True, slots=True)
class Plan:
    """Lines so far and what is seen after them. After an attack no line can be tried.

    `names`: by cell, the ships that each face-down enemy ship can be (`deduced`). `inline`:
    decisions are in the move line, so that no mail asks for them. `target`: the cell that it
    attacks, and `odds`, its chance in hundredths.
    """

    seen: State
    names: Names
    inline: bool = False
    lines: tuple[str, ...] = ()
    fought: bool = False
    target: Cell | None = None
    odds: int = 0

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


def turns(start: Plan, keep: int) -> Iterator[tuple[int, Plan]]:
    """At most `keep` plans of a turn, each once, after their values: first what the captain would
    do, worth no less than any other."""
    intruder = _intruder(start.seen)
    best = _captains(start) if intruder is None else _repel(start, intruder)
    if keep < 2:
        yield 0, best
        return
    plans = {plan.lines: plan for plan in _others(start, best, intruder)}
    plans.pop(best.lines, None)
    values = {lines: _value(start.seen, plan) for lines, plan in plans.items()}
    own, most = _value(start.seen, best), max(values.values(), default=LOST)
    yield (own if own >= most else most + 1), best
    for lines in sorted(values, key=lambda lines: -values[lines])[: keep - 1]:
        yield values[lines], plans[lines]


def _intruder(seen: State) -> Ship | None:
    """The enemy's ship in one's own country: if it stays there, the game is lost."""
    there = seen.board.get(country(seen.setup, seen.player))
    return None if there is None or there.owner == seen.player else there


def _captains(plan: Plan) -> Plan:
    plan = _strike(plan)
    plan = plan if plan.fought else _hold(plan)
    plan = plan if plan.fought else _hold(_gather(plan))
    return plan if plan.fought else _settle(plan)


def _others(start: Plan, best: Plan, intruder: Ship | None) -> Iterator[Plan]:
    """Other plans: nothing, one attack, one march, one ship played; or a guard at home besides."""
    seen = start.seen
    yield start
    if intruder is not None:
        for ready in _reinforced(start):
            yield from [attack for _, attack in _attacks(ready, intruder)]
        return
    for ship in seen.board.values():
        if ship.owner != seen.player:
            yield from [attack for _, attack in _assaults(start, ship)]
    home = country(seen.setup, seen.player)
    guards = reversed(to_give_up(seen, _playable(best.seen)))
    yield from islice(filter(None, (best.add(f"play {card} {home}") for card in guards)), 1)
    goals = [cell for cell in (_goal(seen), *ISLANDS) if cell not in seen.board]
    ways: dict[tuple[str, Cell], Plan] = {}
    for name, ready, at in _candidates(start):
        if ready.lines:
            yield ready
        for goal in goals:
            reached = _march(ready, at, goal)
            shortest = ways.get((name, goal))
            if reached is not None and (shortest is None or _spare(reached) > _spare(shortest)):
                ways[name, goal] = reached
    yield from ways.values()


def _spare(plan: Plan) -> int:
    return len(plan.seen.own.hand)


def _value(before: State, plan: Plan) -> int:
    """What a plan is worth, in hundredths of a battle won."""
    if _intruder(before) is not None and plan.target != country(before.setup, before.player):
        return LOST
    board, player, goal = plan.seen.board, before.player, _goal(before)
    there = board.get(goal)
    held = there is not None and there.owner == player and bool(there.name)
    return (
        plan.odds
        + (HOLDS + 5 * holding(before, there.name) if held and there is not None else 0)
        + ISLAND * any(at in board and board[at].owner == player for at in ISLANDS)
        + PLAYED * (len(board) > len(before.board))
    )


def why(before: State, plan: Plan) -> str:
    """What speaks for a plan: words after a colon; "" for nothing."""
    board, player = plan.seen.board, before.player
    new = [at for at, ship in board.items() if ship.owner == player and at not in before.board]
    if plan.target is not None:
        known = board[plan.target].name
        ships = f"the {spoken(known)} there" if known else "the ships that it can be"
        return f"beats {ships} in {plan.odds} of 100 cases"
    if _goal(before) in board and board[_goal(before)].owner == player:
        return "a ship that holds their country for their turn wins"
    if any(at in new for at in ISLANDS):
        return "a ship on an island brings a card more each turn"
    if country(before.setup, player) in new:
        return "while a ship is on your country, theirs must beat it to enter"
    return "a ship beside a battle can support" if new else ""


def _goal(seen: State) -> Cell:
    """The enemy country."""
    return country(seen.setup, other(seen.setup, seen.player))


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
        better = -1
        for count in range(min(len(near), len(give) - due) + 1):
            total = power(seen, ship.name, True) + sum(value for value, _ in near[:count])
            odds = chance(seen, total, target, plan.names)
            if odds <= better:
                continue
            backing = list(zip((cell for _, cell in near[:count]), give[due:], strict=False))
            text = _attack_line(seen, attack, give[:due], backing if plan.inline else None)
            if (fought := plan.add(text)) is not None:
                better, hand = odds, tuple(give[due + count :])
                after = seen.with_own(seen.own._replace(hand=hand))
                yield odds, replace(fought, seen=after, target=target.at, odds=odds)


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
    """Bring the ship that holds best onto the enemy country, if there are cards enough, and few
    against it."""
    seen, goal = plan.seen, _goal(plan.seen)
    there = seen.board.get(goal)
    if there is not None:
        if there.owner == seen.player:
            return plan
        return _best(plan, _attacks(plan, there), LIKELY // 2)
    if len(seen.theirs.hand) > FEW and "sunk" in edition(seen.setup.options).wins:
        return plan
    found = [
        (holding(seen, name), reached)
        for name, ready, start in _candidates(plan)
        if (reached := _march(ready, start, goal)) is not None
    ]
    best = max(found, key=lambda pair: (pair[0], len(pair[1].seen.own.hand)), default=(0, plan))
    return best[1] if best[0] > 4 else plan


def _gather(plan: Plan) -> Plan:
    """Bring the strongest ships next to an enemy that sits in its own country, cards allowing."""
    goal = _goal(plan.seen)
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
    seen, due = plan.seen, able(plan.seen.cards, plan.seen.board[start], "heavy")
    steps = (len(seen.own.hand) - spare) // due
    way = _way(seen, start, goal) if start.distance(goal) <= steps else ()
    if not way or len(way) > steps + 1:
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
    return _best(plan, [each for ship in theirs for each in _assaults(plan, ship)], LIKELY)


def _assaults(plan: Plan, target: Ship) -> Iterator[tuple[int, Plan]]:
    """Attacks on a ship, by ships that are beside it or that one or two marches bring there."""
    yield from _attacks(plan, target)
    for first in _closer(plan, target):
        yield from _attacks(first, target)
        for second in _closer(first, target):
            yield from _attacks(second, target)


def _closer(plan: Plan, target: Ship) -> Iterator[Plan]:
    """The plan with the strongest ship that can come beside that one, to each free cell."""
    ranks: dict[int, list[tuple[Plan, Cell]]] = {}
    for name, ready, start in _candidates(plan):
        if start.distance(target.at) > 1:
            ranks.setdefault(power(plan.seen, name, attacking=True), []).append((ready, start))
    for cell in retreats(plan.seen.board, target.at):
        for rank in sorted(ranks, reverse=True):
            marches = (_march(ready, start, cell, 1) for ready, start in ranks[rank])
            if reached := [march for march in marches if march is not None]:
                yield max(reached, key=_spare)
                break


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


def decide(seen: State, names: Names, attack: Attack) -> Sequence[tuple[int, tuple[str, ...]]]:
    """Answers to a question in an attack after their values, the best first: in hundredths, what
    is not at risk."""
    if attack.asks == "push":
        best = push(seen, attack)
        others = [cell for cell in retreats(seen.board, attack.to) if cell != best]
        return [(50, (f"push {best}",)), *[(25, (f"push {cell}",)) for cell in others]]
    if attack.asks == "support":
        lines = support(seen, names, attack)
        return [(50, lines)] if lines == ALONE else [(50, lines), (0, ALONE)]
    target = seen.board.get(attack.to)
    known = target is not None and bool(target.name)
    danger = _danger(seen, names, attack, target) if target is not None and known else 0
    away = (50, (f"retreat discard {to_give_up(seen, seen.own.hand)[0]}",))
    stay = (100 - danger, ("stand",))
    return [stay, away] if danger < 50 else [away, stay]


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
        return ALONE
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
    return tuple(lines) or ALONE


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
        """The captain's own orders, then others after their values."""
        seen = read_view(self.view)
        if seen.turn is None:
            return [Ranked(0, "start\n")]
        if seen.attack is not None:
            answers = decide(seen, self.mind.names, seen.attack)
            return [Ranked(value, self._file(lines)) for value, lines in answers[:keep]]
        return [
            Ranked(value, self._turn(seen, plan)) for value, plan in turns(self._start(seen), keep)
        ]

    def why(self, orders: str) -> str:
        """What speaks for the orders of a turn."""
        seen = read_view(self.view)
        if seen.turn is None or seen.attack is not None:
            return ""
        plans = [plan for _, plan in turns(self._start(seen), EVERY)]
        return next((why(seen, plan) for plan in plans if self._turn(seen, plan) == orders), "")

    def worlds(self, dice: Dice, count: int) -> Sequence[State]:
        """The enemy's cards dealt to its ships, hand, deck and discards, and one's own deck."""
        seen = read_view(self.view)
        return [] if seen.turn is None else list(dealt(seen, self.mind.ships, dice, count))

    def worth(self, state: State) -> int:
        """Ships sunk and cards, against the enemy's; and what stands well on the board."""
        return worth(state, self.player)

    def _start(self, seen: State) -> Plan:
        return Plan(seen, self.mind.names, self._standing)

    def _turn(self, seen: State, plan: Plan) -> str:
        wanted = standing(seen)
        ahead = () if not self._standing or wanted == seen.own.standing else stood(wanted)
        return self._file((*ahead, *plan.lines, "end"))


# What may be, and what it is worth.


def dealt(
    seen: State, looked: Mapping[Cell, HiddenShip], dice: Dice, count: int
) -> Iterator[State]:
    """So many positions with nothing hidden that look like this; none if there are not cards
    enough. `looked`: what was once learned of the enemy's face-down ships."""
    enemy, cards, theirs, mine = other(seen.setup, seen.player), seen.cards, seen.theirs, seen.own
    names = {at: ship.name or looked.get(at, HiddenShip()).name for at, ship in seen.board.items()}
    lying = {
        owner: [names[at] for at, ship in seen.board.items() if ship.owner == owner]
        for owner in seen.setup.players
    }
    hidden = [at for at, name in names.items() if not name]
    left = [name for name in cards.names if name not in {*lying[enemy], *theirs.sunk}]
    known = {*lying[seen.player], *mine.sunk, *mine.hand, *mine.discards}
    deck = [name for name in cards.names if name not in known]
    piles = (theirs.hand, theirs.deck, theirs.discards)
    if len(left) < len(hidden) + sum(map(len, piles)) or len(deck) < len(mine.deck):
        return
    for number in range(count):
        deal = iter(dice.shuffle(f"deal/{number}", left))
        lie = names | {at: next(deal) for at in hidden}
        hand, pile, discards = (tuple(islice(deal, len(each))) for each in piles)
        own = mine._replace(deck=dice.shuffle(f"deck/{number}", deck)[: len(mine.deck)])
        side = theirs._replace(hand=cards.sort(hand), deck=pile, discards=cards.sort(discards))
        world = seen._replace(
            sides={**seen.sides, seen.player: own, enemy: side},
            board={at: ship._replace(name=lie[at]) for at, ship in seen.board.items()},
            attack=seen.attack and seen.attack._replace(waiting=("end",)),
            seen_by=None,
        )
        side = side._replace(standing=standing(see(world, enemy)))
        yield world._replace(sides={**world.sides, enemy: side})


def worth(state: State, player: Player) -> int:
    """What a position with nothing hidden is worth to a player. The longer nothing happens the less
    it is, where that comes to a draw: who only sits wins nothing."""
    limit: int = state.setup.options["stalemate"]
    value = _stands(state, player) - _stands(state, other(state.setup, player))
    if not limit or "most-sunk" in edition(state.setup.options).wins:
        return value
    return value * max(0, limit - state.idle) // limit


def _stands(state: State, player: Player) -> int:
    """What one side is worth: what it sank, its cards, its ships and where they are."""
    enemy = other(state.setup, player)
    home, goal = country(state.setup, player), country(state.setup, enemy)
    value = 60 * len(state.sides[enemy].sunk) + 8 * len(state.sides[player].hand)
    for at, ship in state.board.items():
        if ship.owner == player:
            attack = state.cards.attack(ship.name)
            value += 6 + 2 * attack + 300 * (at == goal) + ISLAND * (at in ISLANDS)
            value += 3 * attack * (at == home)
    return value


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


BOTS = bots.levels(
    Captain,
    Random,
    novice=Level(60, slips=70),
    mate=Level(15, floor=LOST),
    admiral=partial(Admiral, SilentShips(), Captain, Effort(6, 3, 2, won=1_000)),
)
"""`Game.bots`."""
