"""An attack, from its declaration to its end (SS-5 to SS-9, SS-12, SS-13, SS-16).

An edition lists the steps of an attack in its order: retreat, the attacker's support, the
defender's support. The battle comes last. A step may need a decision. If the move line or standing
orders hold it, it is taken at once. If not, the attack stops and waits in the position (`asks` who,
for what), and the adjudication ends there. The answer of the next adjudication, or a missed
deadline, finishes that step, and the attack goes on with the steps that are left. So nothing but
the position needs to be remembered between two adjudications. A retreat, or the battle, ends the
attack.

What this module must not know: order lines and turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from games.game import Player
from games.grid import Cell
from games.silent_ships import events
from games.silent_ships.run import Piles, Run
from games.silent_ships.state import (
    Attack,
    Ship,
    moved,
    other,
    removed,
    retreats,
    strength,
    supporters,
    under_way,
)
from games.silent_ships.words import Command


def declare(
    run: Run, command: Command, number: int, waiting: tuple[str, ...], next_line: int
) -> Attack:
    """Carry out a checked move line into an enemy ship's cell: the discard, the way there, the
    attack (SS-5).

    `number`: the attack's number in the order file; `waiting`: the author's lines after it, the
    first of them with the number `next_line`. Returns the declared attack.
    """
    run.discard(run.board[command.cells[0]].owner, command.cards)
    *way, to = command.cells
    for here, there in pairwise(way):
        run.move(here, there)
    start = way[-1]
    attacker = run.board[start]
    run.attack = declared = Attack(
        start=start,
        to=to,
        no_support=attacker.up and bool(run.cards.ability(attacker.name, "silent")),
        number=number,
        given_support=command.supports,
        given_push=command.push,
        waiting=waiting,
        line=next_line,
    )
    run.tell(events.attack(start, to))
    _proceed(run, run.edition.steps)
    return declared


def answer(run: Run, commands: Sequence[Command]) -> None:
    """Carry out the checked decision of the player who was asked (SS-12)."""
    attack, steps = under_way(run.attack), run.edition.steps
    reached = "retreat"
    if attack.asks == "support":
        reached = "attacker-support" if attack.player == run.turn else "defender-support"
    left = steps[steps.index(reached) + 1 :]
    _change(run, asks="", player="")
    first = commands[0]
    if first.verb == "retreat":
        _retreat(run, first.cards)
    elif first.push is not None:
        _withdraw(run, first.push)
    else:
        for command in commands:
            if command.supports:
                _support(run, attack.player, command.supports)
    _proceed(run, left)


def missed(run: Run) -> None:
    """Decide for a player who did not answer (SS-15)."""
    attack = under_way(run.attack)
    if attack.asks == "push":
        answer(run, [Command("push", push=retreats(run.board, attack.to)[0])])
    else:
        answer(run, [Command("stand")])


def _proceed(run: Run, steps: Sequence[str]) -> None:
    """The remaining steps and the battle, until a player is asked or the attack is over."""
    for step in (*(_STEPS[name] for name in steps), _battle):
        if run.attack is not None and not run.attack.asks:
            step(run)


# SS-6


def _retreat_step(run: Run) -> None:
    attack = under_way(run.attack)
    defender = run.board[attack.to].owner
    piles = run.piles[defender]
    if not piles.hand or not retreats(run.board, attack.to):
        return
    does = run.secret(defender, "retreat", lambda: piles.standing.does("retreat"))
    if does == "ask":
        _change(run, asks="retreat", player=defender)
    elif does == "always":
        _retreat(run, _to_give_up(piles)[:1])


def _retreat(run: Run, cards: tuple[str, ...]) -> None:
    """The defender pays; then the attacker chooses the cell, if there is a choice."""
    attack = under_way(run.attack)
    run.discard(run.board[attack.to].owner, cards)
    free = retreats(run.board, attack.to)
    attacker = run.board[attack.start].owner
    cell: Cell | None = free[0]
    if len(free) > 1:
        cell = run.secret(attacker, "push", lambda: attack.given_push)
    if cell is not None:
        _withdraw(run, cell)
    else:
        _change(run, asks="push", player=attacker)


def _withdraw(run: Run, cell: Cell) -> None:
    """The target goes to `cell`, and the attacker takes its place; no ship is turned up."""
    attack = under_way(run.attack)
    run.board = moved(run.board, attack.to, cell)
    run.attack = None
    run.tell(events.retreat(attack.to, cell))
    run.move(attack.start, attack.to)


# SS-7


def _attacker_support_step(run: Run) -> None:
    attack = under_way(run.attack)
    player = run.board[attack.start].owner
    given = attack.given_support
    can = run.piles[player].hand and supporters(run.board, run.cards, attack, player)
    if can:
        given = run.secret(player, "supports", lambda: attack.given_support)
    if given is not None:
        _support(run, player, given)
    elif can:
        _change(run, asks="support", player=player)


def _defender_support_step(run: Run) -> None:
    attack = under_way(run.attack)
    player = run.board[attack.to].owner
    piles = run.piles[player]
    may = supporters(run.board, run.cards, attack, player)
    if attack.no_support or not piles.hand or not may:
        return
    does = run.secret(player, "support", lambda: piles.standing.does("support"))
    if does == "ask":
        _change(run, asks="support", player=player)
    elif does == "all":
        _support(run, player, tuple(zip(may, _to_give_up(piles), strict=False)))


def _support(run: Run, player: Player, supports: Sequence[tuple[Cell, str]]) -> None:
    """Declare supports and pay for them; this uses up the supports of the move line."""
    for cell, card in supports:
        run.discard(player, (card,))
        run.tell(events.support(player, cell))
    cells = [cell for cell, _ in supports]
    declared = (*under_way(run.attack).supports, *cells)
    _change(run, supports=declared, given_support=None)


def _to_give_up(piles: Piles) -> tuple[str, ...]:
    """The hand, in the order in which the standing orders give up cards (SS-13)."""
    first = [name for name in piles.standing.discard or () if name in piles.hand]
    return (*first, *(name for name in reversed(piles.hand) if name not in first))


_STEPS: Mapping[str, Callable[[Run], None]] = {
    "retreat": _retreat_step,
    "attacker-support": _attacker_support_step,
    "defender-support": _defender_support_step,
}


# SS-8, SS-9


def _battle(run: Run) -> None:
    """All ships are turned up, totals are made, and the loser is sunk if it is the target."""
    attack = under_way(run.attack)
    ours, theirs = (
        [there for there in attack.supports if run.board[there].owner == run.board[cell].owner]
        for cell in (attack.start, attack.to)
    )
    fighting = (attack.start, attack.to, *ours, *theirs)
    run.show(fighting)
    before = run.board
    attacker, target = before[attack.start], before[attack.to]
    for cell in fighting:
        run.turn_up(cell)
    shown = [ship for ship in before.values() if ship.up]
    power = _total(run, shown, (attack.start, *ours))
    defence = _total(run, shown, (attack.to, *theirs))
    won = power > defence
    winner = attacker.owner if won else target.owner
    run.attack = None
    run.tell(events.battle(attacker.name, target.name, power, defence, winner))
    lost = won or run.cards.ability(target.name, "burns") > 0
    if lost:
        _sink(run, target)
    if won:
        run.move(attack.start, attack.to)
    if lost:
        _end(run, target, attacker.owner)


def _total(run: Run, shown: Sequence[Ship], cells: Sequence[Cell]) -> int:
    """The strengths of these ships, while the attack is under way; `shown`: those that were face up
    before the battle."""
    total, start = 0, under_way(run.attack).start
    for ship in [run.board[cell] for cell in cells]:
        lost = run.piles[other(run.setup, ship.owner)].sunk
        total += strength(run.cards, ship, len(lost), shown, attacks=ship.at == start)
    return total


def _sink(run: Run, ship: Ship) -> None:
    """A ship leaves the game, face up in a pile of its own (SS-9)."""
    piles = run.piles[ship.owner]
    piles.sunk = run.cards.sort((*piles.sunk, ship.name))
    run.board = removed(run.board, ship.at)
    run.active = True
    run.tell(events.sunk(ship.name, ship.owner, ship.at))


def _end(run: Run, ship: Ship, winner: Player) -> None:
    """The end of the game, if this sinking ends it in this edition."""
    if "flag-ship" in run.edition.wins and run.cards.ability(ship.name, "flag"):
        run.finish(winner, "flag-ship")
    elif "sunk" in run.edition.wins and len(run.piles[ship.owner].sunk) >= run.edition.sunk:
        run.finish(winner, "sunk")


def _change(run: Run, **changes: Any) -> None:
    run.attack = under_way(run.attack)._replace(**changes)
