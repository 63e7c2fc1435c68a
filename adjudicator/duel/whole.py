"""The whole position of a duel, step by step, once both players have opened: nothing is asked any
more, as for a host."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudicator.duel.again import opened
from adjudicator.duel.chain import Chain
from adjudicator.duel.side import secrets_of
from games.duel import Half


def states(chain: Chain) -> Iterator[Any]:
    """The position after each step, from the setup on; none where not both have opened.

    Raises Refused or OrderError at orders that are a lie.
    """
    game, secrets = chain.game, chain.opened
    if game.duel is None or len(secrets) < 2:
        return
    nonces = chain.nonces_for(chain.offer.player, secrets[chain.offer.player])
    sealed = {one.name: [one.orders] for one in chain.members}
    for number, move in enumerate(chain.moves, 1):
        sealed[chain.author_of(number)] += move.orders
    state = game.start(chain.setup_by(nonces))
    step = 1
    while asked := [one.player for one in game.awaited(state)]:
        if not all(sealed[player] for player in asked):
            return
        orders = {
            player: game.duel.read(
                game.view(state, player),
                opened(chain, secrets[player], step, sealed[player].pop(0)),
            )
            for player in asked
        }
        known = {player: secrets_of(secret, step) for player, secret in secrets.items()}
        released = {player: one.release for player, one in known.items()}
        state = game.duel.step(state, orders, Half(known, (), released)).state
        yield state
        step += 1
