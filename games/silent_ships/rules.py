"""The course of the game: setup, turns, drawing, the end (SS-3, SS-4, SS-10, SS-11, SS-14, SS-15).

What belongs here: `start`, `adjudicate`, `outcome`, `awaited`: pure functions of state, orders and
dice. What it must not know: order files as text (see `orders`), what is inside an attack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from games.dice import Dice
from games.game import Outcome, Player, Prompt, Setup, Step
from games.lines import read_lines
from games.silent_ships import attack, events
from games.silent_ships.actions import is_attack
from games.silent_ships.lines import Command, LineFault
from games.silent_ships.moves import check, is_decision, leaves, read_command, without_offer
from games.silent_ships.orders import Orders
from games.silent_ships.run import Run
from games.silent_ships.state import (
    ISLANDS,
    Ship,
    State,
    country,
    other,
    placed,
    prompts,
    ship_at,
    turn_order,
    under_way,
    without,
)
from games.silent_ships.view import see


def start(setup: Setup) -> State:
    """The position `setup`: nothing drawn, both players awaited."""
    return State(setup)


def awaited(state: State) -> tuple[Prompt, ...]:
    """Who is awaited for what, in seat order."""
    return prompts(state.setup, state.turn, state.attack, state.over)


def outcome(state: State) -> Outcome | None:
    """How the game ended; there is always a winner."""
    return None if state.over is None else Outcome(state.over.winner)


def adjudicate(state: State, orders: Mapping[Player, Orders], dice: Dice) -> Step[State]:
    """One step: standing orders and lapsing offers, the other's flips, then who was awaited."""
    run = _begin(Run(state, dice), orders)
    if not state.begun:
        run = _open(run)
        return Step(run.state, run.events)
    asked = awaited(state)[0].player
    beside = other(state.setup, asked)
    if beside in orders:
        lines = read_lines("\n".join(orders[beside].lines))
        run = _beside(run, beside, [read_command(line) for line in lines])
    if asked not in orders:
        run = _missed(run, asked)
    elif state.attack is None:
        run = _lines(run, asked, orders[asked].lines, 1, 1)
    else:
        run = _answer(run, asked, orders[asked].lines)
    return Step(run.state, run.events)


def _begin(run: Run, orders: Mapping[Player, Orders]) -> Run:
    """A file's standing orders hold from here on (SS-13); its author's offer lapses (SS-4)."""
    for player in run.state.setup.players:
        if player in orders:
            standing = orders[player].standing
            if standing is not None:
                run = run.change_side(player, standing=standing)
            run = run.change(offers=without_offer(run.state.offers, player))
    return run


# SS-3


def _open(run: Run) -> Run:
    """The setup, whoever missed it: decks, opening hands, the first player's draw."""
    state = run.state
    for player in state.setup.players:
        if player not in state.named:
            run = _shuffle(run, player, state.cards.names)
        run = _draw(run, player, state.edition.hand)
    return _begin_turn(run.change(named=()), turn_order(state.setup)[0])


def _begin_turn(run: Run, player: Player) -> Run:
    state = run.state
    on_island = any(ship.owner == player and ship.at in ISLANDS for ship in state.board)
    run = run.change(turn=player).tell(events.turn(player))
    return _draw(run, player, state.edition.draw + on_island)


def _draw(run: Run, player: Player, count: int) -> Run:
    """Draw, with a reshuffle when a card is wanted and the deck is empty; as many as there are."""
    drawn: tuple[str, ...] = ()
    while len(drawn) < count:
        side = run.state.side(player)
        if not side.deck and side.discards:
            run = _shuffle(run, player, side.discards)
            side = run.state.side(player)
        if not side.deck:
            break
        more = side.deck[: count - len(drawn)]
        drawn += more
        run = run.change_side(player, deck=side.deck[len(more) :])
    hand = run.state.cards.sort((*run.state.side(player).hand, *drawn))
    return run.change_side(player, hand=hand).tell(events.drew(player, drawn))


def _shuffle(run: Run, player: Player, cards: Sequence[str]) -> Run:
    """A new deck from `cards`, which stand in the order of the table of ships."""
    number = run.state.side(player).shuffles + 1
    deck = run.dice.shuffle(f"shuffle/{player}/{number}", cards)
    run = run.change_side(player, deck=deck, discards=(), shuffles=number)
    return run.tell(events.shuffled(player))


# SS-4


def _lines(run: Run, player: Player, lines: tuple[str, ...], number: int, nth: int) -> Run:
    """A turn's lines, the first of them with that number, until an attack waits or the game ends.

    A line that is not possible now is void as a whole and costs nothing (SS-12). `nth` is the
    number that the file's next attack has.
    """
    for line in read_lines("\n".join(lines)):
        sight = see(run.state, player)
        try:
            command = check(sight, read_command(line))
        except LineFault as fault:
            run = run.tell(events.void(player, number + line.number - 1, fault.reason))
            continue
        if is_attack(sight, command):
            run = attack.declare(run, command, nth, lines[line.number :], number + line.number)
            nth += 1
        else:
            run = _RULES[command.verb](run, player, command)
        if run.state.attack is not None or run.state.over is not None:
            return run
    return run


def _move(run: Run, player: Player, command: Command) -> Run:
    run = run.discard(player, command.cards)
    for start, to in pairwise(command.cells):
        run = run.move(start, to)
    return run


def _play(run: Run, player: Player, command: Command) -> Run:
    cell, card = command.cells[0], command.cards[0]
    hand = without(run.state.side(player).hand, command.cards)
    board = placed(run.state.board, Ship(cell, player, False, card))
    run = run.change_side(player, hand=hand).change(board=board, active=True)
    return run.tell(events.played(player, cell, card))


def _flip(run: Run, player: Player, command: Command) -> Run:
    return run.turn_up(command.cells[0])


def _swap(run: Run, player: Player, command: Command) -> Run:
    """A craft goes into the pile, a sunk ship comes in its place; the count stays (SS-16)."""
    cell, card = command.cells[0], command.cards[0]
    craft = [ship.name for ship in run.state.board if ship.at == cell]
    pile = (*without(run.state.side(player).sunk, command.cards), *craft)
    run = run.change_side(player, sunk=run.state.cards.sort(pile))
    run = run.change(board=placed(run.state.board, Ship(cell, player, True, card)))
    return run.tell(events.swapped(cell, card))


def _offer(run: Run, player: Player, command: Command) -> Run:
    state = run.state
    offers = tuple(
        there for there in state.setup.players if there == player or there in state.offers
    )
    run = run.change(offers=offers).tell(events.offer(player))
    return _count_sunk(run, "agreed") if len(offers) == 2 else run


def _count_sunk(run: Run, how: str) -> Run:
    """The end without a win: who sank more; the second player wins ties (S, "Editions")."""
    first, second = turn_order(run.state.setup)
    lead = len(run.state.side(second).sunk) > len(run.state.side(first).sunk)
    return run.finish(first if lead else second, how)


def _resign(run: Run, player: Player, command: Command) -> Run:
    return run.finish(other(run.state.setup, player), "resigned")


def _end(run: Run, player: Player, command: Command) -> Run:
    return _end_turn(run, player)


def _end_turn(run: Run, player: Player) -> Run:
    """The end of a turn: the country (SS-10), the stalemate (SS-11), the other player's turn."""
    state = run.state
    opponent = other(state.setup, player)
    there = ship_at(state.board, country(state.setup, player))
    if there is not None and there.owner == opponent:
        return run.finish(opponent, "country")
    idle = 0 if state.active else state.idle + 1
    run = run.change(idle=idle, active=False)
    if 0 < state.setup.options["stalemate"] <= idle:
        return _count_sunk(run, "stalemate")
    return _begin_turn(run, opponent)


_RULES: Mapping[str, Callable[[Run, Player, Command], Run]] = {
    "play": _play,
    "move": _move,
    "flip": _flip,
    "swap": _swap,
    "offer": _offer,
    "end": _end,
    "resign": _resign,
}
"""The rule that carries out a checked command, but for attacks, decisions and `start`."""


# SS-12, SS-14, SS-15


def _answer(run: Run, player: Player, lines: Sequence[str]) -> Run:
    """An answer: the lines beside it in order, then the decision, then the attacker's own lines."""
    commands = [read_command(line) for line in read_lines("\n".join(lines))]
    run = _beside(run, player, [each for each in commands if not is_decision(each)])
    if run.state.over is not None:
        return run
    sight = see(run.state, player)
    decision: list[Command] = []
    for command in filter(is_decision, commands):
        decision.append(check(sight, command))
        sight = leaves(sight, decision[-1])
    return _go_on(run, attack.answer(run, decision))


def _beside(run: Run, player: Player, commands: Sequence[Command]) -> Run:
    """What stands beside an answer, or in the file of who is not awaited; until the game ends."""
    for command in commands:
        if run.state.over is None:
            checked = check(see(run.state, player), command)
            run = _RULES[command.verb](run, player, checked)
    return run


def _go_on(before: Run, run: Run) -> Run:
    """The attacker's waiting lines, once their attack is over, however it ended (SS-12)."""
    waited, turn = under_way(before.state.attack), run.state.turn
    if run.state.attack is not None or turn is None:
        return run
    return _lines(run, turn, waited.waiting, waited.line, waited.number + 1)


def _missed(run: Run, player: Player) -> Run:
    """A missed deadline (SS-15)."""
    if run.state.setup.options["missed"] == "resign":
        return run.finish(other(run.state.setup, player), "missed")
    if run.state.attack is None:
        return _end_turn(run, player)
    return _go_on(run, attack.missed(run))
