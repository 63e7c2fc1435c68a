"""Battleship (`RULES.md`): an example to copy and change (docs/new-game.md).

Here is what happens. Beside it are the ships and a position in writing (`fleet`), what may be
written (`orders`), what a player works out and is shown (`board`), who plays it (`bot`), and how
two play it without a host (`duel`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.dice import Dice
from games.duel import Duel
from games.game import EVERYONE, Bot, Event, Game, Outcome, Player, Prompt, Setup, Step, View
from games.grid import Cell
from games.news import Sentences

from . import board, orders
from .fleet import MISS, Ship, Shot, State, drawn, east, position, read_position, read_view

SENTENCES = Sentences()
says = SENTENCES.says


@says("{by} shoots at {at}: miss.", own="Your shot at {at} misses.", sign="contact", play="contact")
def missed(by: Player, at: Cell) -> Event:
    """A shot at the water."""
    return Event("missed", EVERYONE, {"by": by, "at": str(at)})


@says("{by} shoots at {at}: it hits the {ship}.", own="Your shot at {at} hits the {ship}.",
      sign="burst", play="burst")  # fmt: skip
def hit(by: Player, at: Cell, ship: str) -> Event:
    """A shot at a ship."""
    return Event("hit", EVERYONE, {"by": by, "at": str(at), "ship": ship})


@says("The {ship} is sunk.", sign="down")
def sunk(by: Player, ship: str) -> Event:
    """The last hit of a ship."""
    return Event("sunk", EVERYONE, {"by": by, "ship": ship})


@says("{by} does not shoot.", own="You did not shoot.", sign="again")
def passed(by: Player) -> Event:
    """A deadline that was missed."""
    return Event("passed", EVERYONE, {"by": by})


@says("{winner} has sunk the whole fleet.", own="You have sunk the whole fleet.", sign="flip")
def over(winner: Player) -> Event:
    """The end."""
    return Event("over", EVERYONE, Outcome(winner).fields())


class Battleship(Game[State, orders.Orders]):
    """Who first sinks the other's hidden fleet."""

    id = "battleship"
    version = 1
    title = "Battleship"
    summary = "Sink the other's hidden fleet, one shot a turn."
    prefix = "BS"
    seats = (2, 2)
    words = frozenset({"setup", "turn", "winner"})
    strict = True

    # What happens.

    def start(self, setup: Setup) -> State:
        """No ship is placed."""
        return State(setup)

    def awaited(self, state: State) -> tuple[Prompt, ...]:
        """Both for their fleets; then whose turn it is; nobody once it is over."""
        if state.begins:
            return tuple(Prompt(player, "fleet") for player in state.setup.players)
        return (Prompt(state.turn, "shot"),) if state.turn else ()

    def adjudicate(
        self, state: State, orders: Mapping[Player, orders.Orders], dice: Dice
    ) -> Step[State]:
        """Fleets, or a shot; who is late has a drawn fleet, or does not shoot (BS-6)."""
        if state.begins:
            late = [name for name in state.setup.players if name not in orders]
            return self.begun(state, {**orders, **{one: drawn(state, one, dice) for one in late}})
        other = state.other(state.turn)
        if not orders:
            return Step(replace(state, turn=other), (passed(state.turn),))
        [cell] = orders[state.turn]
        return self.shot(state, cell, state.sea(other).at(cell))

    def begun(self, state: State, fleets: Mapping[Player, Sequence[Ship]]) -> Step[State]:
        """The second's sea is put east of the first's (BS-2), who begins (BS-3)."""
        first, second = state.setup.players
        state = state.put(first, fleet=tuple(sorted(fleets[first], key=Ship.rank)))
        moved = [east(ship) for ship in sorted(fleets[second], key=Ship.rank)]
        return Step(replace(state.put(second, fleet=tuple(moved)), turn=first), ())

    def shot(self, state: State, cell: Cell, answer: str) -> Step[State]:
        """A shot and its answer (BS-4), what it sinks (BS-5), and the end (BS-7)."""
        player, other = state.turn, state.other(state.turn)
        shots = (*state.sea(other).shots, Shot(cell, answer))
        state = replace(state.put(other, shots=shots), turn=other)
        if answer == MISS:
            return Step(state, (missed(player, cell),))
        events = [hit(player, cell, answer)]
        if answer not in state.sea(other).afloat:
            events.append(sunk(player, answer))
        if not state.sea(other).afloat:
            events.append(over(player))
            state = replace(state, turn="", winner=player)
        return Step(state, tuple(events))

    def outcome(self, state: State) -> Outcome | None:
        """Who has sunk a whole fleet."""
        return Outcome(state.winner) if state.winner else None

    # What is seen.

    def view(self, state: State, player: Player | None) -> View:
        """Every shot, and one's own fleet."""
        seen = state.seen(player)
        return View(state.setup, player, position(seen)).beside(seen)

    def public(self, view: View) -> dict[str, Any]:
        """Every shot; raises BadPosition for what is no view."""
        return position(read_view(view).seen(None))

    # What the modules beside this one say.

    position = staticmethod(position)
    state = staticmethod(read_position)
    read = staticmethod(orders.read)
    after = staticmethod(orders.after)
    planned = staticmethod(orders.planned)
    verbs = orders.VERBS
    news = staticmethod(SENTENCES.news)
    told = staticmethod(SENTENCES.told)
    deduced = staticmethod(board.deduced)
    truth = staticmethod(board.truth)
    chart = staticmethod(board.chart)
    chart_known = staticmethod(board.chart_known)
    chart_whole = staticmethod(board.chart_whole)
    goal = staticmethod(board.goal)
    brief = staticmethod(board.brief)
    sides = staticmethod(board.sides)

    @property
    def bots(self) -> Mapping[str, Callable[[Player], Bot]]:
        """The captain shoots where a ship is likeliest, and weaker levels err."""
        from .bot import BOTS

        return BOTS

    @property
    def duel(self) -> Duel:
        """Each keeps their fleet, and answers for it."""
        from .duel import DUEL

        return DUEL


GAME = Battleship()
