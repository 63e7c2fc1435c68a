"""A game so small that all that can happen in a duel at it can be tried.

Each hides a number, 0 or 1. In turn each guesses the other's; who is hit has lost, and after a miss
each it is a draw. Whoever hits with the first guess then tells whether their own number is odd: so
the last move of a duel is the loser's answer, the winner's telling, or an answer that makes a draw,
and a guesser may know the result before they have told everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.dice import Dice
from games.duel import Half, Untrue
from games.game import Event, Game, Malformed, Outcome, Player, Prompt, Setup, Step, View, Written


class Toy(NamedTuple):
    """`hidden`: each player's number, None where a half does not know it. `turn`: from 0."""

    setup: Setup
    hidden: Mapping[Player, int | None]
    turn: int = -1
    over: Outcome | None = None


class ToyDuel:
    """See `games.duel.Duel`."""

    options: Mapping[str, Any] = {}
    room = 16

    def read(self, view: View, written: Written) -> int:
        """`0` or `1`."""
        if written.orders not in ("0", "1"):
            raise Malformed(1, written.orders[:20], "expected 0 or 1")
        return int(written.orders)

    def step(self, state: Toy, orders: Mapping[Player, int], half: Half) -> Step[Toy]:
        """Hide, or guess."""
        players = state.setup.players
        if state.turn < 0:
            hidden = {name: orders.get(name) for name in players}
            return _told(state._replace(hidden=hidden, turn=0), "hidden")
        mover = players[state.turn]
        other = state.setup.after(mover)[0]
        guess = half.fact(mover, "guess", lambda: orders[mover], str, _number)
        hit = half.fact(other, "hit", lambda: int(state.hidden[other] == guess), str, _number)
        if hit and state.turn == 0:
            half.fact(mover, "odd", lambda: state.hidden[mover] or 0, str, _number)
        over = Outcome(mover) if hit else Outcome() if state.turn else None
        return _told(state._replace(turn=state.turn + 1, over=over), f"{guess} {hit}")


def _number(text: str) -> int:
    if text not in ("0", "1"):
        raise Untrue(f"{text!a:.20}: expected 0 or 1")
    return int(text)


def _told(state: Toy, what: str) -> Step[Toy]:
    return Step(state, (Event(what, "*"),))


class ToyGame(Game[Any, Any]):
    """See `Game`; only what a duel asks of it."""

    id, version, title, summary, prefix = "toy", 1, "Toy", "guess", "TO"
    seats, words = (2, 2), frozenset[str]()
    duel = ToyDuel()

    def start(self, setup: Setup) -> Toy:
        return Toy(setup, dict.fromkeys(setup.players))

    def awaited(self, state: Toy) -> tuple[Prompt, ...]:
        if state.over is not None:
            return ()
        whose = state.setup.players if state.turn < 0 else (state.setup.players[state.turn],)
        return tuple(Prompt(one, f"turn {state.turn}") for one in whose)

    def outcome(self, state: Toy) -> Outcome | None:
        return state.over

    def view(self, state: Toy, player: Player | None) -> View:
        return View(state.setup, player, {"turn": state.turn})

    def legal(self, view: View) -> tuple[str, ...]:
        return ("0", "1")


ToyGame.__abstractmethods__ = frozenset()  # type: ignore[attr-defined]
TOY = ToyGame()  # type: ignore[abstract]
DICE = Dice(b"toy")
