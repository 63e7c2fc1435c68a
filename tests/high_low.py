"""High Low, a small game for tests: both hide a number, then guess the other's in turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from games.dice import Dice
from games.game import (
    EVERYONE,
    After,
    BadPosition,
    Choice,
    Deductions,
    Event,
    Game,
    Illegal,
    Malformed,
    Outcome,
    Player,
    Prompt,
    Setup,
    Step,
    Table,
    View,
    Written,
)
from games.options import Option


@dataclass(frozen=True, slots=True)
class State:
    """`numbers` is empty until both are hidden; `turn` is None then and at the end."""

    setup: Setup
    numbers: Mapping[Player, int] = field(default_factory=dict)
    turn: Player | None = None
    winner: Player | None = None


class HighLow(Game[State, int]):
    """Who first guesses the other's number."""

    id = "high-low"
    version = 1
    title = "High Low"
    summary = "Guess the other's hidden number."
    prefix = "HL"
    seats = (2, 2)
    words = frozenset({"setup", "turn", "winner"})
    own_options = (Option("top", "int", 20, "the highest number", low=2, high=1000),)

    def start(self, setup: Setup) -> State:
        """Nobody has a number yet."""
        return State(setup)

    def awaited(self, state: State) -> tuple[Prompt, ...]:
        """Both for a number; then whose turn it is for a guess; nobody once it is over."""
        if not state.numbers:
            return tuple(Prompt(player, "number") for player in state.setup.players)
        return () if state.turn is None else (Prompt(state.turn, "guess"),)

    def read(self, view: View, written: Written) -> int:
        """The number in an order file, judged by what its author sees."""
        text = written.orders.strip()
        verb, _, digits = text.partition(" ")
        if verb not in ("hide", "guess") or not (digits.isascii() and digits.isdigit()):
            raise Malformed(1, text[:80], "expected 'hide NUMBER' or 'guess NUMBER'")
        due = _due(view)
        if verb != due:
            raise Illegal(1, text[:80], f"expected {due}" if due else "it is not your turn")
        if len(digits) > 4 or not 1 <= int(digits) <= view.setup.options["top"]:
            raise Illegal(1, text[:80], f"expected 1 to {view.setup.options['top']}")
        return int(digits)

    def adjudicate(self, state: State, orders: Mapping[Player, int], dice: Dice) -> Step[State]:
        """The next state, and who hears what. Who is awaited and not in `orders` was late."""
        players, top = state.setup.players, state.setup.options["top"]
        if not state.numbers:  # HL-1
            drawn = {name: 1 + dice.below(f"number/{name}", top) for name in players}
            return Step(replace(state, numbers={**drawn, **orders}, turn=players[0]), ())
        player = str(state.turn)
        other = state.setup.after(player)[0]
        if player not in orders:
            return Step(replace(state, turn=other), ())
        guess, number = orders[player], state.numbers[other]
        if guess == number:  # HL-3
            told = Event("over", EVERYONE, {"winner": player})
            return Step(replace(state, turn=None, winner=player), (told,))
        it = "higher" if number > guess else "lower"  # HL-2
        heard = Event("guessed", EVERYONE, {"player": player, "number": guess, "it": it})
        return Step(replace(state, turn=other), (heard,))

    def view(self, state: State, player: Player | None) -> View:
        """Whose turn it is, and one's own number: begun empty, so that nothing slips in."""
        if not state.numbers:
            return View(state.setup, player, {"setup": True})
        shown: dict[str, Any] = {} if state.turn is None else {"turn": state.turn}
        if player is not None:
            shown[player] = state.numbers[player]
        return View(state.setup, player, shown)

    def public(self, view: View) -> dict[str, Any]:
        """What is left of anybody's view for everybody."""
        return {key: view.shown[key] for key in ("setup", "turn") if key in view.shown}

    def outcome(self, state: State) -> Outcome | None:
        """The winner, once there is one."""
        return None if state.winner is None else Outcome(state.winner)

    def after(self, view: View, lines: Sequence[str]) -> After:
        """Each number that may be written; after one line there is no more."""
        word = _due(view)
        if lines or word is None:
            return After((), complete=bool(lines))
        numbers = range(1, view.setup.options["top"] + 1)
        return After(tuple(Choice(f"{word} {number}") for number in numbers), complete=False)

    def deduced(
        self, view: View, heard: Sequence[Table], before: Deductions | None = None
    ) -> Deductions:
        """What the other's number can still be, by the reader's own guesses."""
        low, high = (1, view.setup.options["top"]) if before is None else before.memory
        for event in heard:
            if event["kind"] == "guessed" and event["player"] == view.player:
                number = event["number"]
                low, high = (number + 1, high) if event["it"] == "higher" else (low, number - 1)
        may = {"the other's number": range(low, high + 1)} if "turn" in view.shown else {}
        return Deductions(may, memory=(low, high))

    def truth(self, state: State, player: Player) -> Mapping[str, int]:
        """What `deduced` must allow for."""
        other = state.setup.after(player)[0]
        return {"the other's number": state.numbers[other]} if state.turn else {}

    def position(self, state: State) -> dict[str, Any]:
        """The whole state as plain data: in a record, in rule cases, for another program."""
        if not state.numbers:
            return {"setup": True}
        out: dict[str, Any] = dict(state.numbers)
        return {
            **out,
            **({} if state.turn is None else {"turn": state.turn}),
            **({} if state.winner is None else {"winner": state.winner}),
        }

    def state(self, setup: Setup, position: Table) -> State:
        """The way back; whatever is no position is refused."""
        if "setup" in position:
            return State(setup)
        if not all(type(position.get(player)) is int for player in setup.players):
            raise BadPosition("a player without a number")
        numbers = {player: position[player] for player in setup.players}
        return State(setup, numbers, position.get("turn"), position.get("winner"))

    def news(self, event: Table) -> str:
        """An event as a sentence."""
        if event["kind"] == "over":
            return f"{event['winner']} has guessed it."
        return f"{event['player']} guesses {event['number']}: {event['it']}."


def _due(view: View) -> str | None:
    """The word with which the view's player may order now; None: they may not."""
    if view.player is None:
        return None
    if "setup" in view.shown:
        return "hide"
    return "guess" if view.shown.get("turn") == view.player else None


GAME = HighLow()
