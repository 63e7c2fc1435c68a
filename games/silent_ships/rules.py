"""The course of the game: setup, turns, drawing, the end (SS-3, SS-4, SS-10, SS-11, SS-14, SS-15).

What belongs here: `start`, `adjudicate`, `outcome`, `awaited`: pure functions of state, orders and
dice. What it must not know: order files as text (`orders`), the steps of an attack (`attack`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, pairwise

from games.dice import Dice
from games.game import Outcome, Player, Prompt, Setup, Step
from games.orders import read_lines
from games.silent_ships import attack, events
from games.silent_ships.actions import is_attack
from games.silent_ships.orders import (
    Orders,
    check,
    is_decision,
    is_last,
    read_command,
    without_offer,
)
from games.silent_ships.run import Run
from games.silent_ships.state import (
    ISLANDS,
    NO_SIDE,
    Attack,
    Ship,
    State,
    country,
    other,
    placed,
    see,
    turn_order,
    under_way,
    without,
)
from games.silent_ships.words import Command, LineFault


def start(setup: Setup) -> State:
    """The position `setup`: nothing drawn, both players awaited."""
    return State(setup, dict.fromkeys(setup.players, NO_SIDE))


def awaited(state: State) -> tuple[Prompt, ...]:
    """Who is awaited for what, in seat order."""
    return state.prompts


def outcome(state: State) -> Outcome | None:
    """How the game ended; None while it goes on."""
    return None if state.over is None else Outcome(state.over.winner)


def adjudicate(
    state: State,
    orders: Mapping[Player, Orders],
    dice: Dice,
    make: Callable[[State, Dice], Run] = Run,
) -> Step[State]:
    """One step: new standing orders and lapsing offers, the other player's flips, then the awaited
    orders. `make`: takes the position apart; a host's run knows all of it."""
    run = make(state, dice)
    for player, file in orders.items():
        # From here on a file's standing orders hold (SS-13), and its author's offer lapses (SS-4).
        if file.standing is not None:
            run.piles[player].standing = file.standing
        if run.offers:
            run.offers = without_offer(run.offers, player)
    if not state.begun:
        _open(run)
        return run.step
    asked = awaited(state)[0].player
    beside = other(state.setup, asked)
    if beside in orders:
        _beside(run, beside, orders[beside].judged.values())
    if asked not in orders:
        _missed(run, asked)
    elif state.attack is None:
        _turn(run, asked, orders[asked])
    else:
        _answer(run, asked, orders[asked])
    return run.step


# SS-3


def _open(run: Run) -> None:
    """The setup, even if somebody missed it: decks, opening hands, the first player's draw."""
    for player in run.setup.players:
        if player not in run.named:
            _shuffle(run, player, run.cards.names)
        _draw(run, player, run.edition.hand)
    run.named = ()
    _begin_turn(run, turn_order(run.setup)[0])


def _begin_turn(run: Run, player: Player) -> None:
    on_island = any(cell in run.board and run.board[cell].owner == player for cell in ISLANDS)
    run.turn = player
    run.tell(events.turn(player))
    _draw(run, player, run.edition.draw + on_island)


def _draw(run: Run, player: Player, count: int) -> None:
    """Draw cards; the discards are shuffled if a card is wanted and the deck is empty. Draws as
    many as there are."""
    piles = run.piles[player]
    drawn: tuple[str, ...] = ()
    while len(drawn) < count:
        if not piles.deck and piles.discards:
            _shuffle(run, player, piles.discards)
        if not piles.deck:
            break
        drawn += run.take(player, count - len(drawn))
    piles.hand = run.cards.sort((*piles.hand, *drawn))
    run.tell(events.drew(player, drawn))


def _shuffle(run: Run, player: Player, cards: Sequence[str]) -> None:
    """A new deck from `cards`, which are in the order of the table of ships."""
    piles = run.piles[player]
    piles.shuffles += 1
    piles.deck = run.shuffle(player, cards)
    piles.discards = ()
    run.tell(events.shuffled(player))


# SS-4


def _turn(run: Run, player: Player, file: Orders) -> None:
    """Carry out the lines that were judged when the file was read; the others wait for the end of
    the first attack."""
    number = 0
    judged = iter(file.judged.items())

    def following() -> Command | None:
        nonlocal number
        number, command = next(judged, (number, None))
        return command

    while (command := run.secret(player, "line", following)) is not None:
        if is_attack(run.board, command):
            _go_on(run, attack.declare(run, command, 1, file.lines[number:], number + 1))
            return
        carry_out(run, player, command)
        if run.over is not None or is_last(command):
            return


def _go_on(run: Run, waited: Attack) -> None:
    """Carry out the turn player's lines that waited for the end of an attack (SS-12), until another
    attack waits or the game ends.

    A line that is not possible now is void as a whole and costs nothing.
    """
    player, nth = run.turn, waited.number
    if run.attack is not None or player is None:
        return
    number = 0
    lines = read_lines("\n".join(waited.waiting))

    def following() -> Command | None:
        nonlocal number
        for line in lines:
            number = line.number
            try:
                return check(see(run.state, player), read_command(line))
            except LineFault as fault:
                run.tell(events.void(player, waited.line + number - 1, fault.reason))
        return None

    while (command := run.secret(player, "line", following)) is not None:
        if is_attack(run.board, command):
            nth += 1
            attack.declare(run, command, nth, waited.waiting[number:], waited.line + number)
        else:
            carry_out(run, player, command)
        if run.attack is not None or run.over is not None or is_last(command):
            return


def carry_out(run: Run, player: Player, command: Command) -> None:
    """Carry out a checked command that is no attack and no decision."""
    cells, cards, piles = command.cells, command.cards, run.piles[player]
    match command.verb:
        case "play":
            piles.hand = without(piles.hand, cards)
            run.board = placed(run.board, Ship(cells[0], player, False, cards[0]))
            run.active = True
            run.tell(events.played(player, cells[0], cards[0]))
        case "move":
            run.discard(player, cards)
            for start, to in pairwise(cells):
                run.move(start, to)
        case "flip":
            run.show(cells)
            run.turn_up(cells[0])
        case "swap":
            # SS-16: the craft goes into the pile, a sunk ship takes its place; the count stays.
            sunk = (*without(piles.sunk, cards), run.board[cells[0]].name)
            piles.sunk = run.cards.sort(sunk)
            run.board = placed(run.board, Ship(cells[0], player, True, cards[0]))
            run.tell(events.swapped(cells[0], cards[0]))
        case "offer":
            offers = (*run.offers, player)
            run.offers = tuple(there for there in run.setup.players if there in offers)
            run.tell(events.offer(player))
            if len(run.offers) == 2:
                _count_sunk(run, "agreed")
        case "end":
            _end_turn(run, player)
        case "resign":
            run.finish(other(run.setup, player), "resigned")


def _count_sunk(run: Run, how: str) -> None:
    """An end without a win: a draw, or, where the edition says so, the player who sank more ships
    wins, and the second player wins ties ("Editions")."""
    if "most-sunk" not in run.edition.wins:
        run.finish(None, how)
        return
    first, second = turn_order(run.setup)
    lead = len(run.piles[second].sunk) > len(run.piles[first].sunk)
    run.finish(first if lead else second, how)


def _end_turn(run: Run, player: Player) -> None:
    """The end of a turn: the country (SS-10), the stalemate (SS-11), the other player's turn."""
    opponent = other(run.setup, player)
    there = run.board.get(country(run.setup, player))
    if there is not None and there.owner == opponent:
        run.finish(opponent, "country")
        return
    run.idle = 0 if run.active else run.idle + 1
    run.active = False
    if 0 < run.setup.options["stalemate"] <= run.idle:
        _count_sunk(run, "stalemate")
    else:
        _begin_turn(run, opponent)


# SS-12, SS-14, SS-15


def _answer(run: Run, player: Player, file: Orders) -> None:
    """Carry out an answer: the lines beside it in order, the decision, then the attacker's own
    lines."""
    commands = file.judged.values()
    beside = iter([each for each in commands if not is_decision(each)])
    decision = [each for each in commands if is_decision(each)]

    while run.over is None:
        told = run.secret(player, "answer", lambda: [*islice(beside, 1)] or decision)
        if is_decision(told[0]):
            waited = under_way(run.attack)
            attack.answer(run, told)
            _go_on(run, waited)
            return
        _beside(run, player, told)


def _beside(run: Run, player: Player, commands: Iterable[Command]) -> None:
    """Carry out a line beside an answer, or the file of a player who is not awaited."""
    for command in commands:
        if run.over is None:
            carry_out(run, player, command)


def _missed(run: Run, player: Player) -> None:
    """A missed deadline (SS-15)."""
    waited = run.attack
    if run.setup.options["missed"] == "resign":
        run.finish(other(run.setup, player), "missed")
    elif waited is None:
        _end_turn(run, player)
    else:
        attack.missed(run)
        _go_on(run, waited)
