"""The rules of Submarine Warfare: setup, a turn from its orders to the next one's start, the end.

`turn` says what a line does. What it must not know: how orders are written, files. All chance is
`Dice`.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.dice import Dice
from games.game import Outcome, Player, Prompt, Setup, Step, Table
from games.options import check_away
from games.submarine_warfare import events as tell
from games.submarine_warfare.notation import write_over
from games.submarine_warfare.orders import Orders, carry_out, reason
from games.submarine_warfare.state import (
    ANNOUNCED,
    ENOUGH,
    HP,
    LETTERS,
    SCORES,
    Over,
    Side,
    State,
    Sub,
    depth,
    home_row,
)
from games.submarine_warfare.turn import Blow, Turn, damage, heal


def check_options(options: Table) -> None:
    """Raise OfferRefused for a seat that would be handed on after the deadline that loses the game
    (SW-17)."""
    if options["missed"] == "lose":
        check_away(options, 1)


def start(setup: Setup) -> State:
    """The position in which both are awaited for their setup (SW-3)."""
    return State(setup, {}, {}, None, 1, setup.options["first"] or setup.players[0])


def awaited(state: State) -> tuple[Prompt, ...]:
    """Both for the setup; after it the player whose turn it is; nobody at the end."""
    if not state.begun:
        return tuple(Prompt(player, "setup") for player in state.setup.players)
    return () if state.turn is None else (Prompt(state.turn, "turn"),)


def outcome(state: State) -> Outcome | None:
    """SW-15: how the game ended; None while it goes on."""
    return Outcome(state.over.winner) if state.over else None


def adjudicate(state: State, orders: Mapping[Player, Orders], dice: Dice) -> Step[State]:
    """One step: the setup, or one turn. A player who is awaited and not in `orders` missed it."""
    if not state.begun:
        return _set_out(state, orders, dice)
    if state.turn is None:
        raise ValueError("the game is over: there is nothing to adjudicate")
    turn = Turn(state, state.turn)
    ended = _carry_out(turn, orders.get(turn.player))
    if ended is None:
        # SW-13, SW-16, SW-15: score, then ring damage, then the wins; else the turn passes.
        _score(turn)
        if state.rings:
            # SW-16: 1 HP for each submarine of the turn's player on a destroyed cell, armor or not.
            fleet = turn.state.fleet(turn.player)
            burnt = [Blow(sub.letter, 1) for sub in fleet if depth(sub.at) < state.rings]
            damage(turn, burnt)
        ended = _won(turn) or _pass_on(turn)
    return _step(turn, ended)


# The setup.


def _set_out(state: State, orders: Mapping[Player, Orders], dice: Dice) -> Step[State]:
    """SW-3: both place at once; a player who misses it loses. SW-2: who goes first, chosen or
    drawn."""
    setup = state.setup
    sides = {player: Side(home_row(setup, player)) for player in setup.players}
    state = state._replace(sides=sides)
    there = [player for player in setup.players if player in orders]
    if len(there) < len(setup.players):
        missed = Over(there[0] if there else None, "missed")
        return _step(Turn(state, setup.players[0]), missed)
    subs = {
        letter: Sub(letter, place.at, HP, True, place.special)
        for player in setup.players
        for letter, place in sorted(orders[player].places.items())
    }
    first = setup.options["first"]
    if first is None:
        first = setup.players[dice.below("first", len(setup.players))]
    told = [tell.placed(sub.letter, sub.at) for sub in subs.values()]
    begun = state._replace(subs=subs, turn=first, first=first)
    return Step(begun, (*told, tell.turn(first, begun.round)))


# A turn.


def _step(turn: Turn, ended: Over | None) -> Step[State]:
    """The result of a turn. SW-15: the end of the game, if it has come, is told last."""
    if ended:
        turn.state = turn.state._replace(turn=None, over=ended)
        turn.tell(tell.over(write_over(ended)))
    return Step(turn.state, tuple(turn.events))


def _carry_out(turn: Turn, orders: Orders | None) -> Over | None:
    """SW-17: `resign` and `draw` before any line; SW-4: the lines in the order written. Once the
    game is over nothing more is carried out, and nothing is void."""
    player, other = turn.player, turn.state.other(turn.player)
    side, offers = turn.sides[player], orders is not None and orders.draw
    if side.draw != offers:
        turn.sides[player] = side._replace(draw=offers)
    if orders is None:
        lose = turn.state.setup.options["missed"] == "lose"
        return Over(other, "time") if lose else None
    if orders.resign:
        return Over(other, "resigned")
    if orders.draw:
        turn.tell(tell.draw_offered(player))
        if turn.sides[other].draw:
            return Over(None, "agreed")
    for order in orders.lines:
        why = reason(turn, order.letter, order.command)
        if why is not None:
            turn.tell(tell.void(player, order.line, why))
            continue
        carry_out(turn, order.letter, order.command)
        ended = _annihilated(turn.state)
        if ended:
            return ended
    return None


def _score(turn: Turn) -> None:
    """SW-13: points count double for a surfaced submarine. SW-14: 25 points are announced, once."""
    side = turn.sides[turn.player]
    fleet = turn.state.fleet(turn.player)
    points = sum(SCORES.get(sub.at, 0) * (2 if sub.up else 1) for sub in fleet)
    total = side.points + points
    turn.sides[turn.player] = side._replace(points=total)
    turn.tell(tell.scored(turn.player, points, total))
    if side.points < ANNOUNCED <= total:
        turn.tell(tell.reached(turn.player))


def _won(turn: Turn) -> Over | None:
    """SW-15: the win at the end of a turn; of two at once, the one that the rule names first."""
    ended = _annihilated(turn.state)
    if ended and ended.how == "eliminated":
        return ended
    if turn.sides[turn.player].points >= ENOUGH:
        return Over(turn.player, "fifty")
    return ended


def _annihilated(state: State) -> Over | None:
    """SW-15: no enemy submarine is left. If none at all is left, points decide, and then the
    host."""
    if len(state.subs) > len(LETTERS[0]):
        return None
    left = [player for player in state.setup.players if state.fleet(player)]
    if len(left) == len(state.setup.players):
        return None
    return Over(left[0], "eliminated") if left else Over(_ahead(state), "none-left")


def _ahead(state: State) -> str:
    """SW-15: the player with more points; a tie goes to the organiser."""
    one, other = state.setup.players
    difference = state.sides[one].points - state.sides[other].points
    if difference == 0:
        return "host"
    return one if difference > 0 else other


def _pass_on(turn: Turn) -> Over | None:
    """SW-16: a round ends with the turn of the player who did not start. SW-4, SW-18: specials
    nullified for this turn work again; the next player's repairs are made before they order."""
    state, player = turn.state, turn.player
    other = state.other(player)
    if turn.sides[player].nullified:
        turn.sides[player] = turn.sides[player]._replace(nullified=())
    ends = player != state.first
    if ends and 0 < state.setup.options["rounds"] <= state.round:
        return Over(_ahead(state), "rounds")
    turn.state = state._replace(turn=other, round=state.round + ends)
    if turn.state.rings > state.rings:
        turn.tell(tell.ring(turn.state.rings))
    turn.tell(tell.turn(other, turn.state.round))
    for sub in turn.state.fleet(other):
        repair = turn.state.working(sub, "repair")
        if repair:
            heal(turn, sub.letter, repair.numbers["amount"])
    return None
