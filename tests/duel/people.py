"""Two people who play a duel through its real blocks, with bots to think for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from duel.hosted import BOTS, SUGAR_BOTS, Script, drawn

from adjudicator.duel.chain import Chain
from adjudicator.league.duel import Person, chain_of, files_of, play
from adjudicator.store.clock import DemoClock
from games.dice import Dice
from games.game import Bot, Game, Player
from games.silent_ships import GAME as SILENT
from orders.keys import MemoryKey
from orders.secrets import DuelSecret

SUBMARINERS: Mapping[str, Callable[[Player], Bot]] = {
    **SUGAR_BOTS,
    "miner": lambda player: Script("mine", "silent A2", "cruise A1 B1"),
}
"""Bots for Sugar Dog; one runs over its own mine."""
NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


@dataclass
class Duel:
    """A duel as two people played it. `blocks` are all that passed between them, in order."""

    people: tuple[Person, Person]
    blocks: list[bytes] = field(default_factory=list)

    @property
    def chain(self) -> Chain:
        """The longer of the two chains."""
        return chain_of(*self.people)

    @property
    def files(self) -> dict[str, bytes]:
        """All files of the duel, as a pack holds them."""
        return files_of(self.chain)


def person(
    name: Player,
    bot: str,
    seed: str,
    kind: Callable[..., Person] = Person,
    game: Game[Any, Any] = SILENT,
    **more: Any,
) -> Person:
    """A person all of whose chance comes from `seed`."""
    return kind(
        name,
        (BOTS if game is SILENT else SUBMARINERS)[bot](name),
        MemoryKey.from_seed(drawn(f"{seed}/{name}/key")),
        DuelSecret(drawn(f"{seed}/{name}")),
        Dice(drawn(f"{seed}/{name}/bot")),
        DemoClock(),
        **more,
    )


def played(
    seed: str,
    bots: Sequence[str] = ("captain", "captain"),
    options: Mapping[str, Any] = NO_OPTIONS,
    game: Game[Any, Any] = SILENT,
) -> Duel:
    """A whole duel between two bots."""
    one, other = (
        person(name, bot, seed, game=game) for name, bot in zip(("alice", "bob"), bots, strict=True)
    )
    return Duel((one, other), [moment.block for moment in play(one, other, game, options)])
