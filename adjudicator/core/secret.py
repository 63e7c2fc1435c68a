"""What comes from the master in one game: the secrets shared with players, salts and chance.

What belongs here: everything for which the master is needed. Until the reveal only the host has it,
afterwards everyone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudicator.core.opening import Opening
from games.dice import Dice
from orders.documents import Join
from orders.errors import Refused
from orders.sealing import SealingKey, Shared
from orders.secrets import Master


@dataclass(frozen=True)
class UnlockedGame:
    """A game with its master; made by `unlock` alone, which checks that the master is its own."""

    opening: Opening
    master: Master
    key: SealingKey = field(repr=False)
    _shared: dict[str, Shared] = field(default_factory=dict, repr=False, compare=False)

    def shared(self, join: Join) -> Shared:
        """The secret that the host shares with the player of that join."""
        if join.sealing not in self._shared:
            theirs = bytes.fromhex(join.sealing)
            self._shared[join.sealing] = self.key.agree(theirs, self.opening.id)
        return self._shared[join.sealing]

    def dice(self, nonces: Mapping[str, str]) -> Dice:
        """All draws of the game; `nonces` by player, as the first adjudication's slips gave them.

        A player who gave none is not in `nonces`.
        """
        given = [nonces.get(player) for player in self.opening.players]
        return Dice(self.master.seed(given, self.opening.id))


def unlock(opening: Opening, master: Master) -> UnlockedGame:
    """The game with its master; raises Refused if the invite commits to another."""
    invite = opening.offer.invite
    if master.commitment != invite.master:
        raise Refused("bad-key", "the master is not the one that the invite commits to")
    key = master.sealing()
    if key.public.hex() != invite.sealing:
        raise Refused("bad-key", "invite.toml: sealing does not come from the master")
    return UnlockedGame(opening, master, key)
