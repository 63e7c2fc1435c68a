"""An attack, from its declaration to its end (SS-5 to SS-9, SS-12, SS-13, SS-16).

What belongs here: the steps of an attack in the order of the edition, decisions given by order,
by standing order or by default, and the battle. What it must not know: order lines and turns;
it leaves behind an attack that waits for a decision, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from games.game import Player
from games.grid import Cell
from games.silent_ships import events
from games.silent_ships.lines import Command
from games.silent_ships.run import Run
from games.silent_ships.state import (
    Attack,
    Ship,
    Side,
    State,
    other,
    removed,
    retreats,
    ship_at,
    supporters,
    under_way,
)
from games.values import changed


def declare(
    run: Run, command: Command, number: int, waiting: tuple[str, ...], next_line: int
) -> Run:
    """A checked move line into an enemy ship's cell: the discard, the way there, the attack (SS-5).

    `number`: which attack of the order file it is; `waiting`: the author's lines after it, the
    first of them with the number `next_line`.
    """
    run = run.discard(_ship(run.state, command.cells[0]).owner, command.cards)
    *way, to = command.cells
    for here, there in pairwise(way):
        run = run.move(here, there)
    start = way[-1]
    attacker = _ship(run.state, start)
    silent = attacker.up and bool(run.state.cards.ability(attacker.name, "silent"))
    attack = Attack(
        start=start,
        to=to,
        no_support=silent,
        number=number,
        given_support=command.supports,
        given_push=command.push,
        waiting=waiting,
        line=next_line,
    )
    run = run.change(attack=attack).tell(events.attack(start, to))
    return _proceed(run, run.state.edition.steps)


def answer(run: Run, commands: Sequence[Command]) -> Run:
    """The checked decision of the player who was asked (SS-12)."""
    attack = under_way(run.state.attack)
    steps = run.state.edition.steps
    left = steps[steps.index(_step(run.state, attack)) + 1 :]
    player = attack.player
    run = _change(run, asks="", player="")
    first = commands[0]
    if first.verb == "retreat":
        run = _retreat(run, first.cards)
    elif first.push is not None:
        run = _withdraw(run, first.push)
    else:
        for command in commands:
            run = _support(run, player, command.supports or ())
    return _proceed(run, left)


def missed(run: Run) -> Run:
    """What is done for a player who did not answer (SS-15)."""
    attack = under_way(run.state.attack)
    if attack.asks == "push":
        return answer(run, [Command("push", push=retreats(run.state.board, attack.to)[0])])
    return answer(run, [Command("stand")])


def _step(state: State, attack: Attack) -> str:
    """The step of the edition that a waiting attack has come to."""
    if attack.asks == "support":
        return "attacker-support" if attack.player == state.turn else "defender-support"
    return "retreat"


def _proceed(run: Run, steps: Sequence[str]) -> Run:
    """The steps that are left, until someone is asked or the attack is over; then the battle."""
    attack = run.state.attack
    if attack is None or attack.asks:
        return run
    if not steps:
        return _battle(run)
    return _proceed(_STEPS[steps[0]](run), steps[1:])


def _ask(run: Run, player: Player, asks: str) -> Run:
    return _change(run, asks=asks, player=player)


# SS-6


def _retreat_step(run: Run) -> Run:
    state, attack = run.state, under_way(run.state.attack)
    defender = _ship(state, attack.to).owner
    side = state.side(defender)
    if not side.hand or not retreats(state.board, attack.to):
        return run
    standing = side.standing
    if standing.retreat == "never":
        return run
    if standing.retreat == "ask" or standing.discard is None:
        return _ask(run, defender, "retreat")
    return _retreat(run, _to_give_up(side, standing.discard)[:1])


def _retreat(run: Run, cards: tuple[str, ...]) -> Run:
    """The defender pays; then the attacker chooses, where there is a choice."""
    attack = under_way(run.state.attack)
    run = run.discard(_ship(run.state, attack.to).owner, cards)
    free = retreats(run.state.board, attack.to)
    if len(free) == 1:
        return _withdraw(run, free[0])
    if attack.given_push is not None:
        return _withdraw(run, attack.given_push)
    return _ask(run, _ship(run.state, attack.start).owner, "push")


def _withdraw(run: Run, cell: Cell) -> Run:
    """The target goes to `cell`, the attacker into its place; nothing is turned up."""
    attack = under_way(run.state.attack)
    retreated = changed(_ship(run.state, attack.to), at=cell)
    rest = removed(run.state.board, attack.to)
    board = tuple(sorted((*rest, retreated), key=lambda ship: (ship.at.row, ship.at.column)))
    run = run.change(board=board, attack=None).tell(events.retreat(attack.to, cell))
    return run.move(attack.start, attack.to)


# SS-7


def _attacker_support_step(run: Run) -> Run:
    state, attack = run.state, under_way(run.state.attack)
    player = _ship(state, attack.start).owner
    if attack.given_support is not None:
        return _change(_support(run, player, attack.given_support), given_support=None)
    if not state.side(player).hand or not supporters(state.board, state.cards, attack, player):
        return run
    return _ask(run, player, "support")


def _defender_support_step(run: Run) -> Run:
    state, attack = run.state, under_way(run.state.attack)
    player = _ship(state, attack.to).owner
    side = state.side(player)
    may = supporters(state.board, state.cards, attack, player)
    if attack.no_support or not side.hand or not may:
        return run
    standing = side.standing
    if standing.support == "never":
        return run
    if standing.support == "ask" or standing.discard is None:
        return _ask(run, player, "support")
    return _support(run, player, tuple(zip(may, _to_give_up(side, standing.discard), strict=False)))


def _support(run: Run, player: Player, supports: Sequence[tuple[Cell, str]]) -> Run:
    for cell, card in supports:
        run = run.discard(player, (card,)).tell(events.support(player, cell))
        run = _change(run, supports=(*under_way(run.state.attack).supports, cell))
    return run


def _to_give_up(side: Side, listed: Sequence[str]) -> tuple[str, ...]:
    """The hand in the order in which standing orders with that list give it up (SS-13)."""
    first = [name for name in listed if name in side.hand]
    return (*first, *(name for name in reversed(side.hand) if name not in first))


_STEPS: Mapping[str, Callable[[Run], Run]] = {
    "retreat": _retreat_step,
    "attacker-support": _attacker_support_step,
    "defender-support": _defender_support_step,
}


# SS-8, SS-9


def _battle(run: Run) -> Run:
    """All are turned up, totals are made, and the loser is sunk if it is the target."""
    before, attack = run.state.board, under_way(run.state.attack)
    attacker, target = _ship(run.state, attack.start), _ship(run.state, attack.to)
    ours, theirs = (
        [cell for cell in attack.supports if _ship(run.state, cell).owner == side]
        for side in (attacker.owner, target.owner)
    )
    for cell in (attack.start, attack.to, *ours, *theirs):
        run = run.turn_up(cell)
    power = _total(run.state, before, attack.start, ours)
    defence = _total(run.state, before, attack.to, theirs)
    won = power > defence
    winner = attacker.owner if won else target.owner
    run = run.change(attack=None).tell(
        events.battle(attacker.name, target.name, power, defence, winner)
    )
    lost = won or run.state.cards.ability(target.name, "burns") > 0
    if lost:
        run = _sink(run, target)
    if won:
        run = run.move(attack.start, attack.to)
    return _ended(run, target, attacker.owner) if lost else run


def _total(state: State, before: Sequence[Ship], fighter: Cell, supports: Sequence[Cell]) -> int:
    ships = [_ship(state, cell) for cell in (fighter, *supports)]
    return sum(_value(state, before, ship) for ship in ships)


def _value(state: State, before: Sequence[Ship], ship: Ship) -> int:
    """A ship's attack with its abilities (SS-16), while the attack is still in the state.

    An ammunition ship helps those next to it only if it lay face up `before` the battle.
    """
    cards, name = state.cards, ship.name
    value = cards.attack(name)
    if ship.at == under_way(state.attack).start and cards.ability(name, "rams"):
        value = cards.ability(name, "rams")
    value += cards.ability(name, "salvages") * len(state.side(other(state.setup, ship.owner)).sunk)
    return value + sum(
        cards.ability(near.name, "arms")
        for near in before
        if near.up and near.owner == ship.owner and near.at.distance(ship.at) == 1
    )


def _sink(run: Run, ship: Ship) -> Run:
    """A ship leaves the game, face up in a pile of its own (SS-9)."""
    name = ship.name
    sunk = run.state.cards.sort((*run.state.side(ship.owner).sunk, name))
    run = run.change_side(ship.owner, sunk=sunk)
    run = run.change(board=removed(run.state.board, ship.at), active=True)
    return run.tell(events.sunk(name, ship.owner, ship.at))


def _ended(run: Run, ship: Ship, winner: Player) -> Run:
    """The game's end, if this sinking is one in this edition."""
    state = run.state
    if "flag-ship" in state.edition.wins and state.cards.ability(ship.name, "flag"):
        return run.finish(winner, "flag-ship")
    if "sunk" in state.edition.wins and len(state.side(ship.owner).sunk) >= state.edition.sunk:
        return run.finish(winner, "sunk")
    return run


def _change(run: Run, **changes: Any) -> Run:
    return run.change(attack=changed(under_way(run.state.attack), **changes))


def _ship(state: State, cell: Cell) -> Ship:
    ship = ship_at(state.board, cell)
    if ship is None:
        raise ValueError(f"no ship is in {cell}")
    return ship
