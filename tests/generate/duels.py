"""Duels: what comes from a secret, sealed orders and a block; and whole duels.

The packs in `duels/` are duels of three editions of Silent Ships and of Sugar Dog, as two people
played them to the end; and the same ended otherwise: not by both, given up, disputed, with a fork,
without the move that an end names, with a lie; and some of them together.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from generate import suite
from generate.suite import Case, Made

from adjudicator.core.source import MemoryFiles
from adjudicator.duel import again, audit, documents
from adjudicator.duel.party import Party
from adjudicator.duel.row import Row
from adjudicator.machine import duel
from adjudicator.machine.demo import Plan
from adjudicator.machine.duel import Person
from adjudicator.store.pack import write
from adjudicator.verifier.duel import verify_all
from adjudicator.words.adviser import taken
from games.dice import Dice
from games.game import Written
from games.silent_ships import GAME
from games.sugar_dog import GAME as SUGAR
from orders import names, sshsig
from orders.doors import Doors
from orders.duel import End, Move, open_orders, seal_orders, sealed_block
from orders.secrets import DuelSecret
from orders.sshsig import Signed

EDITIONS = {"print": {}, "2021-09-12": {}, "2021-09-17": {}}
ROOM = GAME.duel.room


class _Played:
    """A duel as two people played it to its end."""

    def __init__(self, edition: str) -> None:
        game = SUGAR if edition == "sugar-dog" else GAME
        match = {"match": "first", "first": 1} if edition == "sugar-dog" else {}
        options = match if edition in ("print", "sugar-dog") else {"edition": edition}
        plan = Plan(game, ("captain", "captain"), bytes([7]) * 32, options)
        self.people = duel.people_of(plan)
        for _ in duel.play(*self.people, game, options):
            pass
        self.files = duel.files_of(*self.people)
        self.documents = documents.read(MemoryFiles(self.files))
        (accept,) = self.documents.begun
        self.row: Row = self.documents.row(self.documents.longest(accept))

    def by(self, name: str) -> Person:
        """That person."""
        return next(one for one in self.people if one.name == name)

    def author(self, number: int) -> Person:
        """Who signed that move."""
        return self.by(self.row.author_of(number))

    def reader(self, number: int) -> Person:
        """Who did not."""
        return self.author(number + 1)

    def cut(self, moves: int) -> dict[str, bytes]:
        """The files as they were after so many moves."""
        last = [self.documents.number(one) for one in self.documents.files]
        kept = zip(self.documents.files.items(), last, strict=True)
        return {
            path: data
            for (one, held), number in kept
            if one not in self.documents.ends and (number is None or number <= moves)
            for path, data in held.file.files(held.path).items()
        }

    def ended(self, by: Person, last: str, number: int, *, gives_up: bool = False) -> Any:
        """The files of an end of that person's at that move."""
        end = End(by.name, self.row.accepted, number, last, gives_up, by.secret.hex)
        file = Signed.by(by.signer, sshsig.DUEL, end.render())
        return file.files(names.end(by.name, file.digest))

    def after(self, moves: int, *ends: tuple[Person, bool]) -> dict[str, bytes]:
        """So many moves, and then these ends."""
        files = self.cut(moves)
        for by, gives_up in ends:
            last = self.row.digests[moves - 1]
            files |= self.ended(by, last, moves, gives_up=gives_up)
        return files

    def lied(self, kind: str, false: str) -> dict[str, bytes]:
        """The first false fact of that kind, from move 6 on; both have ended then."""
        at = next(
            number for number, move in enumerate(self.row.moves, 1)
            if number > 5 and any(fact.startswith(kind) for fact in move.facts)
        )  # fmt: skip
        move = self.row.moves[at - 1]
        facts = tuple(f"{kind} {false}" if one.startswith(kind) else one for one in move.facts)
        return self.other_move(at, move._replace(facts=facts))

    def other_move(self, number: int, move: Move) -> dict[str, bytes]:
        """Another move of that number behind those before it; both have ended then."""
        file = Signed.by(self.author(number).signer, sshsig.DUEL, move.render())
        files = self.cut(number - 1) | file.files(names.move(number, file.digest))
        for one in self.people:
            files |= self.ended(one, file.digest, number)
        return files


@cache
def _played(edition: str) -> _Played:
    return _Played(edition)


@cache
def duels() -> Mapping[str, Mapping[str, bytes]]:
    """The files of each duel, by its name."""
    made = {f"silent-ships-{one}": _played(one).files for one in EDITIONS}
    sea = _played("print")
    last = len(sea.row.moves)
    winner = sea.by(sea.people[0].at.side.outcome.winner)
    loser = next(one for one in sea.people if one is not winner)
    made["unopened"] = sea.after(last, (loser, False))
    made["won"] = sea.after(last if sea.reader(last) is winner else last - 1, (winner, False))
    made["gave-up"] = sea.after(7, (sea.author(7), True), (sea.reader(7), False))
    made["gave-up-alone"] = sea.after(7, (sea.author(7), True))
    made["both-gave-up"] = sea.after(7, (sea.author(7), True), (sea.reader(7), True))
    made["disputed"] = sea.after(7, (sea.author(7), False))
    made["absent"] = sea.cut(7) | sea.ended(sea.author(7), sea.row.digests[8], 9)
    # Who restores a backup may order something else: a second move of one number, on a row of its
    # own, on which nobody went on.
    made["forked"] = {**sea.files, **_fork(sea)}
    made["lied"] = sea.lied("release", "ab" * 32)
    made["lied-orders"] = _capitals(sea)
    dog = _played("sugar-dog")
    made["sugar-dog"] = dog.files
    nothing = base64.b64encode(b"".join([DOOR] * 36)).decode("ascii")
    made["sugar-dog-lied"] = dog.lied("doors", nothing)
    return made


def _ordered(played: _Played) -> tuple[int, Party]:
    """The number of a move in which somebody orders, and they before it."""
    for number, move in enumerate(played.row.moves, 1):
        if number > 6 and move.orders:
            author = played.author(number)
            before = documents.read(MemoryFiles(played.cut(number - 1)))
            party = Party(before, author.name, author.secret)
            if party.prompt is not None:
                return number, party
    raise AssertionError("nobody orders")


def _fork(played: _Played) -> dict[str, bytes]:
    """The files of an honest move in the place of another, with orders of chance."""
    number, party = _ordered(played)
    author, dice = played.author(number), Dice(bytes(range(32)))
    while party.prompt is not None:
        bot = played.row.game.bots["random"](author.name)
        for heard in party.side.heard:
            bot.hear(heard.view, heard.events)
        taken(lambda _, bot=bot: bot.order(dice), party.order)
    move = party.next_move()
    assert move != played.row.moves[number - 1]
    file = Signed.by(author.signer, sshsig.DUEL, move.render())
    return file.files(names.move(number, file.digest))


def _capitals(played: _Played) -> dict[str, bytes]:
    """A move whose first orders are the right ones, sealed in capitals."""
    number, party = _ordered(played)
    move, secret, room = played.row.moves[number - 1], party.secret, played.row.room
    content = open_orders(secret, party.side.step, move.orders[0], room).upper()
    sealed = seal_orders(secret, party.side.step, content, room)
    return played.other_move(number, move._replace(orders=(sealed, *move.orders[1:])))


TOGETHER = (
    # An end is added, or the other's, or nothing.
    ("gave-up-alone", "gave-up"), ("disputed", "unopened"), ("unopened", "won"),
    ("disputed", "gave-up-alone"), ("both-gave-up", "gave-up-alone"),
    # A beginning, and what came of it: a finished game takes nothing from who ended earlier.
    ("silent-ships-print", "unopened"), ("silent-ships-print", "both-gave-up"),
    ("silent-ships-print", "disputed"), ("absent", "silent-ships-print"), ("absent", "gave-up"),
    # Two rows of one duel: a fork, and lies beside a finished game or beside none.
    ("lied", "forked"), ("forked", "disputed"), ("lied", "gave-up"), ("lied", "lied-orders"),
    ("lied-orders", "silent-ships-print"), ("sugar-dog", "sugar-dog-lied"),
    ("absent", "disputed", "lied"),
)  # fmt: skip
"""Packs that are judged as one set."""


def values() -> dict[str, Any]:
    """What comes from one secret."""
    secret = DuelSecret(bytes(range(32)))
    orders = Written("standing retreat ask\nplay frigate left\nend")
    content = again.encode(orders)
    sealed = seal_orders(secret, 7, content, ROOM)
    assert again.decode(open_orders(secret, 7, sealed, ROOM)) == orders
    reader = DuelSecret(bytes(range(32, 64))).sealing().public

    def block(move: bytes) -> dict[str, Any]:
        files = {"moves/0007-0123456789abcdef.toml": move}
        return {
            "to": reader.hex(),
            "offer": "cd" * 32,
            "number": 7,
            "files": {path: data.hex() for path, data in files.items()},
            "block": sealed_block(secret, reader, "cd" * 32, 7, files).decode(),
        }

    return {
        "secret": secret.hex,
        "commitment": secret.commitment,
        "sealing": secret.sealing().public.hex(),
        "release": {str(step): secret.release(step) for step in (1, 7, 10_000)},
        "draws": {"ab" * 32: secret.draws("ab" * 32).hex()},
        "orders": {"step": 7, "orders": orders.orders, "content": content.hex(), "sealed": sealed},
        "block": block(b"a move\n"),
        "larger block": block(bytes(range(256)) * 8),
        "doors": _doors(secret),
    }


DOOR = Doors(DuelSecret(bytes(range(32, 64)))).door("vector", taken=False)
"""A door of somebody else's."""


def _doors(secret: DuelSecret) -> dict[str, Any]:
    """Doors from a secret, and a box for somebody else's."""
    mine, (free, taken) = Doors(secret), (b"free", b"taken")
    return {
        "label": "vector",
        "free": mine.door("vector", taken=False).hex(),
        "taken": mine.door("vector", taken=True).hex(),
        "box": {
            "door": DOOR.hex(),
            "owner": bytes(range(32, 64)).hex(),
            "letters": [free.hex(), taken.hex()],
            "sealed": mine.seal(DOOR, free, taken).hex(),
        },
    }


def answer(*files: Mapping[str, bytes]) -> dict[str, Any]:
    """What a verifier must compute; of a lie also which move, and who signed it."""
    sources = tuple(map(MemoryFiles, files))
    (found,) = verify_all(*sources)
    (judged,) = audit.judge(documents.read(*sources))
    row = judged.row
    players = row.setup_by(row.moves[0].nonce or "").players
    said = {"game": found.game, "moves": len(row.moves), "players": list(players)}
    lie = {} if judged.lie is None else {"liar": judged.lie.player, "move": judged.lie.number}
    return {**said, "code": found.code, "verdict": found.verdict, **lie}


def made(_: Path) -> Made:
    """A case for each duel, and one for those that are judged as one set."""
    cases = [_case("duels", name) for name in duels()]
    cases += [_case("duels together", *some) for some in TOGETHER]
    files = {f"duels/{name}.zip": write(held) for name, held in duels().items()}
    return Made(cases, files)


def _case(kind: str, *packs: str) -> Case:
    """The case of these packs, judged together."""
    said = answer(*(duels()[name] for name in packs))
    return Case(
        "/".join((kind.replace(" ", "-"), *packs)), kind, "docs/formats/duels.md#judging-a-duel",
        said["verdict"], ("verify", *(suite.file(f"duels/{name}.zip") for name in packs)),
        said.pop("code"), told=said,
    )  # fmt: skip
