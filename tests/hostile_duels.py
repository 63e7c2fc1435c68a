"""Every reader of a duel's blocks and documents, and every command on them, with hostile input.

Documents are signed again with the real key of whoever signs them, so that all behind a signature
is reached.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from duel.people import NO_OPTIONS, Duel, person, played
from hostile_commands import called, packed
from hostile_games import Played, document
from spoil import spoilt

from adjudicator.core.source import MemoryFiles
from adjudicator.duel.party import Party
from adjudicator.machine.duel import play
from adjudicator.verifier.duel import verify
from games.sugar_dog import GAME as SUGAR
from orders import bundle, names, sshsig
from orders.duel import (
    open_block,
    read_accept,
    read_block,
    read_end,
    read_move,
    read_offer,
    sealed_block,
)
from orders.fields import digest
from orders.sshsig import Signed

READERS: Mapping[str, Callable[[bytes], Any]] = {
    "offer": read_offer,
    "accept": read_accept,
    "moves": read_move,
    "ends": read_end,
}


@cache
def duels() -> tuple[Duel, ...]:
    """A duel of each game, short."""
    dogs = person("alice", "random", "hostile dog"), person("bob", "random", "hostile dog")
    for one in dogs:
        one.bot = SUGAR.bots["mate"](one.name)
    sea = Duel(dogs, [moment.block for moment in play(*dogs, SUGAR, NO_OPTIONS)])
    return played("hostile cards 2", ("random", "captain")), sea


def kind(path: str) -> str:
    """Of which kind a document is."""
    return path.partition("/")[0].partition(".")[0]


def author(whole: Duel, path: str) -> Any:
    """Who signs a document."""
    row = whole.row
    name = {"offer": row.members[0].name, "accept": row.members[-1].name}.get(kind(path))
    if path.startswith("moves/"):
        name = row.author_of(number(path))
    name = name or path.partition("/")[2].rpartition("-")[0]
    return next(one for one in whole.people if one.name == name)


def number(path: str) -> int:
    """The number of a move; 0 for another document."""
    return names.in_duel(path)[1]


def documents(whole: Duel) -> list[str]:
    """The names of its documents."""
    return sorted(one.path for one in whole.documents.files.values())


def place(path: str, data: bytes) -> str:
    """The name that a document of that kind has, whatever it says."""
    if kind(path) in ("offer", "accept"):
        return path
    return f"{path.rpartition('-')[0]}-{digest(data)[:16]}.toml"


def signed(whole: Duel, path: str, data: bytes) -> Signed:
    """A document of whoever signs it, whatever it says."""
    return Signed.by(author(whole, path).signer, sshsig.DUEL, data)


def reading(rng: Random, whole: Duel) -> tuple[str, str, Callable[[bytes], str]]:
    """A reader of one document."""
    path = rng.choice(documents(whole))

    def run(data: bytes) -> str:
        READERS[kind(path)](data)
        return ""

    return f"read_{kind(path)}", path, run


def taking(rng: Random, whole: Duel) -> tuple[str, str, Callable[[bytes], str]]:
    """What a party makes of one document, signed again, in a block that opens."""
    path = rng.choice([one for one in documents(whole) if one != names.OFFER])
    sender = author(whole, path)
    reader = next(one for one in whole.people if one is not sender)
    # The side before a late move takes long to make, and is no more hostile.
    moves = number(path) - 1 if path.startswith("moves/") else len(whole.row.moves)

    def run(data: bytes) -> str:
        at = whole.short(min(moves, 12))
        party = Party(at, reader.name, reader.secret)
        files = signed(whole, path, data).files(place(path, data))
        block = (
            sealed_block(sender.secret, reader.secret.sealing().public, at.id, 7, files)
            if path != names.ACCEPT
            else open_block(files)
        )
        party.take_block(read_block(block), "2026-02-01T00:00:00Z")
        return str(party.lie or "")

    return f"take {kind(path)}", path, run


def judging(rng: Random, whole: Duel) -> tuple[str, str, Callable[[bytes], str]]:
    """What `verify` says of a duel with one document signed again."""
    path = rng.choice(documents(whole))

    def run(data: bytes) -> str:
        more = signed(whole, path, data).files(place(path, data))
        found = verify(MemoryFiles({**whole.files, **more}))
        return "\n".join([found.verdict, *found.lines("duel")])

    return f"verify with another {kind(path)}", path, run


COMMANDS = (("status",), ("log",), ("show",), ("replay",), ("verify",), ("log", "--json"))


def commanding(rng: Random, whole: Duel, where: Played) -> tuple[str, str, Callable[[bytes], str]]:
    """What a command prints of such a duel's pack."""
    path, words = rng.choice(documents(whole)), rng.choice(COMMANDS)

    def run(data: bytes) -> str:
        held = {**whole.files, **signed(whole, path, data).files(place(path, data))}
        file = str(packed(where, held))
        given = (file,) if words[0] == "verify" else ("-g", file)
        return called(words[0], *given, *words[1:])

    return f"{' '.join(words)} of a duel", path, run


def choose(rng: Random, games: Sequence[Played]) -> Any:
    """What is hostile, how it is made, and what reads it."""
    whole = rng.choice(duels())
    others = list(whole.files.values())
    way = rng.randrange(8)
    if way == 0:
        return _block(rng, whole, others)
    if way < 3:
        what, path, run = reading(rng, whole)
    elif way < 5:
        what, path, run = taking(rng, whole)
    elif way < 7:
        what, path, run = judging(rng, whole)
    else:
        what, path, run = commanding(rng, whole, rng.choice(games))
    honest = whole.files[path]
    return what, lambda inner, scale: document(inner, honest, others, scale), run


def _block(rng: Random, whole: Duel, others: Sequence[bytes]) -> Any:
    """A block, or what is in one."""
    honest = rng.choice(whole.blocks)
    if rng.random() < 0.5:
        inside = bundle.decode(honest).payload
        run = bundle.unpack
        return "unpack a duel's block", _spoils(inside, others), lambda data: _none(run(data))
    return "read_block", _spoils(honest, others), lambda data: _none(read_block(data))


def _spoils(honest: bytes, others: Sequence[bytes]) -> Callable[[Random, int], bytes]:
    return lambda inner, scale: spoilt(inner, honest, others, scale)


def _none(found: Any) -> str:
    return ""
