"""The course of the game: setup, turns, drawing, the end (SS-3, SS-4, SS-10, SS-11, SS-14, SS-15).

What belongs here: `start`, `adjudicate`, `outcome`, `awaited`: pure functions of state, orders and
dice. What it must not know: order files as text (see `orders`), what is inside an attack.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from games.dice import Dice
from games.game import Outcome, Player, Prompt, Setup, Step
from games.silent_ships import attack
from games.silent_ships.lines import DECISIONS, Line, Refused, read_line
from games.silent_ships.moves import check, is_attack, left
from games.silent_ships.orders import Orders
from games.silent_ships.run import Run
from games.silent_ships.state import (
    COUNTRIES,
    ISLANDS,
    Ship,
    State,
    option,
    other,
    placed,
    prompts,
    seat,
    ship_at,
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
        run = _flips(run, beside, orders[beside].lines)
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
            offers = tuple(there for there in run.state.offers if there != player)
            run = run.change(offers=offers)
    return run


# SS-3


def _open(run: Run) -> Run:
    """The setup, whoever missed it: decks, opening hands, the first player's draw."""
    state = run.state
    for player in state.setup.players:
        if player not in state.named:
            run = _shuffle(run, player, state.cards.names)
        run = _draw(run, player, state.edition.hand)
    return _begin_turn(run.change(named=()), state.setup.players[0])


def _begin_turn(run: Run, player: Player) -> Run:
    state = run.state
    on_island = any(ship.owner == player and ship.at in ISLANDS for ship in state.board)
    run = run.change(turn=player).tell("turn", player=player)
    return _draw(run, player, state.edition.draw + on_island)


def _draw(run: Run, player: Player, count: int) -> Run:
    """Draw, with a reshuffle when a card is wanted and the deck is empty; as many as there are."""
    drawn: list[str] = []
    for _ in range(count):
        side = run.state.side(player)
        if not side.deck and side.discards:
            run = _shuffle(run, player, side.discards)
            side = run.state.side(player)
        if side.deck:
            drawn.append(side.deck[0])
            run = run.change_side(player, deck=side.deck[1:])
    hand = run.state.cards.sort((*run.state.side(player).hand, *drawn))
    run = run.change_side(player, hand=hand).tell("drew", player=player, count=len(drawn))
    return run.whisper(player, "drew", player=player, cards=drawn) if drawn else run


def _shuffle(run: Run, player: Player, cards: Sequence[str]) -> Run:
    """A new deck from `cards`, which stand in the order of the table of ships."""
    number = run.state.side(player).shuffles + 1
    deck = run.dice.shuffle(f"shuffle/{player}/{number}", cards)
    run = run.change_side(player, deck=deck, discards=(), shuffles=number)
    return run.tell("shuffled", player=player)


# SS-4


def _lines(run: Run, player: Player, lines: tuple[str, ...], number: int, nth: int) -> Run:
    """A turn's lines, the first of them with that number, until an attack waits or the game ends.

    A line that is not possible now is void as a whole and costs nothing (SS-12). `nth` is the
    number that the file's next attack has.
    """
    for at, text in enumerate(lines, 1):
        try:
            line = read_line(text)
            if line is None:
                continue
            sight = see(run.state, player)
            line = check(sight, line)
        except Refused as refused:
            run = run.whisper(player, "void", line=number + at - 1, reason=refused.reason)
            continue
        if is_attack(sight, line):
            run = attack.declare(run, line, nth, lines[at:], number + at)
            nth += 1
        else:
            run = _carry_out(run, player, line)
        if run.state.attack is not None or run.state.over is not None:
            return run
    return run


def _carry_out(run: Run, player: Player, line: Line) -> Run:
    """A checked line that is no attack and no decision."""
    if line.verb == "move":
        run = run.discard(player, line.cards)
        for start, to in pairwise(line.cells):
            run = run.move(start, to)
        return run
    if line.verb == "play":
        return _play(run, player, line)
    if line.verb == "flip":
        return run.turn_up(line.cells[0])
    if line.verb == "swap":
        return _swap(run, player, line)
    if line.verb == "offer":
        return _offer(run, player)
    if line.verb == "end":
        return _end(run)
    if line.verb == "resign":
        return run.finish(other(run.state.setup, player), "resigned")
    raise ValueError(f"`{line.verb}` is no line of a turn")


def _play(run: Run, player: Player, line: Line) -> Run:
    cell, card = line.cells[0], line.cards[0]
    hand = without(run.state.side(player).hand, line.cards)
    board = placed(run.state.board, Ship(cell, player, False, card))
    return (
        run.change_side(player, hand=hand)
        .change(board=board, active=True)
        .tell("played", player=player, at=cell)
        .whisper(player, "played", player=player, at=cell, ship=card)
    )


def _swap(run: Run, player: Player, line: Line) -> Run:
    """A craft goes into the pile, a sunk ship comes in its place; the count stays (SS-16)."""
    cell, card = line.cells[0], line.cards[0]
    craft = ship_at(run.state.board, cell)
    pile = (*without(run.state.side(player).sunk, line.cards), craft.name or "" if craft else "")
    return (
        run.change_side(player, sunk=run.state.cards.sort(pile))
        .change(board=placed(run.state.board, Ship(cell, player, True, card)))
        .tell("swapped", at=cell, ship=card)
    )


def _offer(run: Run, player: Player) -> Run:
    state = run.state
    standing = {*state.offers, player}
    offers = tuple(there for there in state.setup.players if there in standing)
    run = run.change(offers=offers).tell("offer", player=player)
    return _count_sunk(run, "agreed") if len(offers) == 2 else run


def _count_sunk(run: Run, how: str) -> Run:
    """The end without a win: who sank more; the second player wins ties (S, "Editions")."""
    first, second = run.state.setup.players
    lead = len(run.state.side(second).sunk) > len(run.state.side(first).sunk)
    return run.finish(first if lead else second, how)


def _end(run: Run) -> Run:
    """The end of a turn: the country (SS-10), the stalemate (SS-11), the other player's turn."""
    state = run.state
    player = state.turn or ""
    opponent = other(state.setup, player)
    there = ship_at(state.board, COUNTRIES[seat(state.setup, player)])
    if there is not None and there.owner == opponent:
        return run.finish(opponent, "country")
    idle = 0 if state.active else state.idle + 1
    run = run.change(idle=idle, active=False)
    if 0 < option(state.setup.options, "stalemate") <= idle:
        return _count_sunk(run, "stalemate")
    return _begin_turn(run, opponent)


# SS-12, SS-14, SS-15


def _answer(run: Run, player: Player, lines: Sequence[str]) -> Run:
    """An answer: the lines beside it in order, then the decision, then the attacker's own lines."""
    decision: list[Line] = []
    for text in lines:
        line = read_line(text)
        if line is None:
            continue
        if line.verb in DECISIONS:
            decision.append(line)
            continue
        run = _carry_out(run, player, check(see(run.state, player), line))
        if run.state.over is not None:
            return run
    whole: list[Line] = []
    sight = see(run.state, player)
    for line in decision:
        whole.append(check(sight, line))
        sight = left(sight, whole[-1])
    return _go_on(run, attack.answer(run, whole))


def _go_on(before: Run, run: Run) -> Run:
    """The attacker's waiting lines, once their attack is over, however it ended (SS-12)."""
    waited = before.state.attack
    if waited is None or run.state.attack is not None or run.state.turn is None:
        return run
    return _lines(run, run.state.turn, waited.waiting, waited.line, waited.number + 1)


def _flips(run: Run, player: Player, lines: Sequence[str]) -> Run:
    """Ships turned up by the player who is not awaited (SS-14)."""
    for text in lines:
        line = read_line(text)
        if line is not None:
            run = _carry_out(run, player, check(see(run.state, player), line))
    return run


def _missed(run: Run, player: Player) -> Run:
    """A missed deadline (SS-15)."""
    if run.state.setup.options["missed"] == "resign":
        return run.finish(other(run.state.setup, player), "missed")
    if run.state.attack is None:
        return _end(run)
    return _go_on(run, attack.missed(run))
