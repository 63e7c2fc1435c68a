"""The whole position of a duel, step by step, once both players have opened: nothing is asked any
more, as for a host."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from adjudicator.duel.again import opened
from adjudicator.duel.row import Row
from adjudicator.duel.side import secrets_of
from games.duel import Half
from games.game import Player
from orders.secrets import DuelSecret


def states(row: Row, secrets: Mapping[Player, DuelSecret]) -> Iterator[Any]:
    """The position after each step of a row, from the setup on; none where not both have opened.

    Raises Refused or OrderError at orders that are a lie.
    """
    game = row.game
    if game.duel is None or len(secrets) < 2:
        return
    sealed = {one.name: [one.orders] for one in row.members}
    for number, move in enumerate(row.moves, 1):
        sealed[row.author_of(number)] += move.orders
    nonce = row.nonce_for(row.offer.player, secrets[row.offer.player])
    state = game.start(row.setup_by(nonce))
    step = 1
    while asked := [one.player for one in game.awaited(state)]:
        if not all(sealed[player] for player in asked):
            return
        orders = {
            player: game.duel.read(
                game.view(state, player),
                opened(secrets[player], step, sealed[player].pop(0), row.room),
            )
            for player in asked
        }
        known = {player: secrets_of(secret, step) for player, secret in secrets.items()}
        released = {player: one.release for player, one in known.items()}
        state = game.duel.step(state, orders, Half(known, (), released)).state
        yield state
        step += 1
