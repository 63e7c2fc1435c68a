"""Battleship without a host: half a position lacks the other's fleet.

A fleet stays with its owner. It was sealed as orders when the duel began, and is opened when it is
over; then every answer is judged again. Two facts go to and fro: `shot K5` and `answer miss`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.duel import Duel, Half, Untrue
from games.game import Player, Step, View, Written
from games.grid import Cell, read_cell

from . import GAME, orders
from .fleet import LENGTHS, MISS, Shot, State, places
from .orders import Orders, fault


class BattleshipDuel(Duel):
    """See `games.duel.Duel`."""

    options: Mapping[str, Any] = {}
    room = 256

    def read(self, view: View, written: Written) -> Orders:
        """As for a host: all hear a shot anyway, and a fleet is never told."""
        return orders.read(view, written)

    def step(self, state: State, orders: Mapping[Player, Orders], half: Half) -> Step[State]:
        """The fleets, the other's empty; or a shot that one tells and the other answers (BS-8)."""
        if state.begins:
            return GAME.begun(state, {name: orders.get(name, ()) for name in state.setup.players})
        player, other = state.turn, state.other(state.turn)

        def read_shot(text: str) -> Cell:
            cell = read_cell(text)
            wrong = "expected a cell" if cell is None else fault((state, player), "shoot", cell)
            if cell is None or wrong:
                raise Untrue(f"`shot {text!a:.40}`: {wrong}")
            return cell

        def read_answer(text: str) -> str:
            if text not in (MISS, *state.sea(other).afloat):
                raise Untrue(f"`answer {text!a:.40}`: expected {MISS}, or a ship that is afloat")
            then = state.put(other, shots=(*state.sea(other).shots, Shot(cell, text)))
            if not all(places(then, other, name) for name in LENGTHS):
                raise Untrue(f"`answer {text}` at {cell}: then some ship lies nowhere")
            return text

        cell = half.fact(player, "shot", lambda: orders[player][0], str, read_shot)
        answer = half.fact(other, "answer", lambda: state.sea(other).at(cell), str, read_answer)
        return GAME.shot(state, cell, answer)


DUEL = BattleshipDuel()
