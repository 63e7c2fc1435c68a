"""The admiral: what it looks at, in a game made for it and in the games that are here."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

import games
from games.bots import Captain, Ranked
from games.dice import Dice
from games.game import Deductions, Outcome, Prompt, Setup, Step, View, Written
from games.search import Admiral, Effort

SETUP = Setup(("alice", "bob"), {})


class Heap(NamedTuple):
    """Matches on a heap, and whose turn it is; who takes the last one wins. `luck`: hidden."""

    left: int
    turn: str
    luck: int = 0


class Nim:
    """Take one, two or three: of the game, what a search asks."""

    steps = 0

    def outcome(self, state: Heap) -> Outcome | None:
        return None if state.left else Outcome("bob" if state.turn == "alice" else "alice")

    def awaited(self, state: Heap) -> tuple[Prompt, ...]:
        return (Prompt(state.turn, "turn"),) if state.left else ()

    def view(self, state: Heap, player: str | None) -> View:
        return View(SETUP, player, {"left": state.left})

    def read(self, view: View, written: Written) -> int:
        assert 1 <= int(written.orders) <= view.shown["left"]
        return int(written.orders)

    def adjudicate(self, state: Heap, orders: dict[str, int], dice: Dice) -> Step[Heap]:
        self.steps += 1
        other = "bob" if state.turn == "alice" else "alice"
        return Step(Heap(state.left - orders[state.turn], other), ())


class Taker(Captain):
    """Takes the last match if it can; otherwise it likes small heaps, which is wrong."""

    deduced = staticmethod(lambda view, events, before: Deductions())
    given: tuple[str, ...] = ()

    def ranked(self, dice: Dice, keep: int) -> list[Ranked]:
        left = self.view.shown["left"]
        takes = range(1, min(left, 3) + 1)
        ranked = [Ranked(100 if take == left else take, str(take)) for take in takes]
        return sorted(ranked, key=lambda one: -one.value)[:keep]

    def chosen(self, written: Written) -> None:
        self.given = (*self.given, written.orders)

    def worlds(self, dice: Dice, count: int) -> list[Heap]:
        return [Heap(self.view.shown["left"], self.player) for _ in range(count)]


def admiral_of(left: int, effort: Effort) -> tuple[Admiral, Nim]:
    game: Any = Nim()
    admiral = Admiral(game, Taker, effort, "alice")
    admiral.hear(game.view(Heap(left, "alice"), "alice"), ())
    return admiral, game


def test_an_admiral_sees_what_a_captain_does_not() -> None:
    """Of five matches the captain takes three and loses; the admiral takes one and wins."""
    admiral, game = admiral_of(5, Effort(3, 2, 2, won=1000))
    assert Taker.order(admiral._captain, Dice(b"")).orders == "3"
    assert admiral.order(Dice(b"")).orders == "1"
    assert game.steps <= 3 * 2 * 3


@pytest.mark.parametrize(("effort", "best"), [
    (Effort(3, 2, 0, won=1000), "3"),  # it looks no further than its own order
    (Effort(1, 2, 2, won=1000), "3"),  # it looks at the captain's best alone
    (Effort(3, 0, 2, won=1000), "3"),  # and at no position
])  # fmt: skip
def test_the_effort_bounds_what_it_sees(effort: Effort, best: str) -> None:
    """In width, worlds and plies."""
    assert admiral_of(5, effort)[0].order(Dice(b"")).orders == best


def test_what_it_looks_at_is_not_given() -> None:
    """The captain within remembers the orders that were given, and nothing of the search."""
    admiral, _ = admiral_of(5, Effort(3, 2, 2, won=1000))
    for _ in range(2):
        admiral.order(Dice(b""))
    assert admiral._captain.given == ("1", "1")  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", [
    name for name in ("sugar-dog", "silent-ships", "submarine-warfare")
    if "admiral" in games.load(name).bots
])  # fmt: skip
def test_each_world_looks_to_the_seat_as_the_game_does(name: str) -> None:
    """In whole games of captains: what a search plays on from fits what its seat sees, and the same
    dice give the same worlds."""
    game, players = games.load(name), ("alice", "bob")
    asked = 0
    for seed in range(3):
        setup = game.setup(players, {})
        state, events, step = game.start(setup), (), 0
        bots = {player: game.bots["captain"](player) for player in players}
        while game.outcome(state) is None:
            orders = {}
            for player, bot in bots.items():
                told = [one.whole() for one in events if one.heard_by(player)]
                bot.hear(game.view(state, player), told)
            for player, _ in game.awaited(state):
                bot, lots = bots[player], Dice(f"{seed}/{step}/{player}".encode())
                view = game.view(state, player)
                worlds = bot.worlds(lots, 3)
                assert worlds == bot.worlds(lots, 3)
                for world in worlds:
                    assert game.view(world, player).shown == view.shown
                    assert {one.player for one in game.awaited(world)} >= {player}
                    assert isinstance(bot.worth(world), int)
                asked += len(worlds)
                orders[player] = game.read(view, bot.order(lots))
            state, events = game.adjudicate(state, orders, Dice(f"{seed}/{step}".encode()))
            step += 1
    assert asked > 50
