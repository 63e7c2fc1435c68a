"""Two people who play a duel through its real blocks, with bots to think for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from duel.hosted import BOTS, SUGAR_BOTS, Script, drawn

from adjudicator.core.source import MemoryFiles
from adjudicator.duel import documents
from adjudicator.duel.documents import Documents
from adjudicator.duel.row import Row
from adjudicator.machine.duel import Person, files_of, play
from adjudicator.store.clock import DemoClock
from games.dice import Dice
from games.game import Bot, Game, Player
from games.silent_ships import GAME as SILENT
from games.sugar_dog import GAME as SUGAR
from orders import names, sshsig
from orders.duel import End, Move
from orders.fields import Digest
from orders.keys import MemoryKey
from orders.secrets import DuelSecret
from orders.sshsig import Signed

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
    def files(self) -> dict[str, bytes]:
        """All files of the duel, as a pack holds them."""
        return files_of(*self.people)

    @cached_property
    def documents(self) -> Documents:
        """The same, read."""
        return documents.read(MemoryFiles(self.files))

    @cached_property
    def row(self) -> Row:
        """The one row of an honest duel."""
        (accept,) = self.documents.begun
        return self.documents.row(self.documents.longest(accept))

    def author(self, number: int) -> Person:
        """Who signed that move."""
        return next(one for one in self.people if one.name == self.row.author_of(number))

    def reader(self, number: int) -> Person:
        """Who did not."""
        return next(one for one in self.people if one.name != self.row.author_of(number))

    def short(self, moves: int) -> Documents:
        """The documents as they were after so many moves."""
        return short(self.documents, moves)


def short(whole: Documents, moves: int) -> Documents:
    """The documents as they were after so many moves."""
    kept: dict[str, bytes] = {}
    for last, one in whole.files.items():
        number = whole.number(last)
        if last not in whole.ends and (number is None or number <= moves):
            kept |= one.file.files(one.path)
    return documents.read(MemoryFiles(kept))


def ended(
    whole: Documents,
    by: Person,
    last: Digest | None = None,
    *,
    gives_up: bool = False,
    number: int | None = None,
) -> tuple[str, Signed]:
    """A signed end of that person's, at that move or at the last of the longest row."""
    (accept,) = whole.begun
    last = whole.longest(accept) if last is None else last
    at = whole.number(last) if number is None else number
    end = End(by.name, accept, at or 0, last, gives_up, by.secret.hex)
    file = Signed.by(by.signer, sshsig.DUEL, end.render())
    return names.end(by.name, file.digest), file


def moved(by: Person, move: Move) -> tuple[str, Signed]:
    """A move that this person signs, whatever it says."""
    file = Signed.by(by.signer, sshsig.DUEL, move.render())
    return names.move(move.number, file.digest), file


def and_(whole: Documents, *more: tuple[str, Signed]) -> Documents:
    """The documents with some more; those given stay as they are."""
    held = {
        one: data
        for kept in whole.files.values()
        for one, data in kept.file.files(kept.path).items()
    }
    for path, file in more:
        held |= file.files(path)
    return documents.read(MemoryFiles(held))


def person(
    name: Player,
    bot: str,
    seed: str,
    kind: Callable[..., Person] = Person,
    game: Game[Any, Any] = SILENT,
    **more: Any,
) -> Person:
    """A person all of whose chance comes from `seed`."""
    bots = {SILENT.id: BOTS, SUGAR.id: SUBMARINERS}.get(game.id, game.bots)
    return kind(
        name,
        bots[bot](name),
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
