"""What is no document of a duel, and what nobody can do in one, is refused with its word; one row
for each."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from duel.people import Duel, moved, played

from adjudicator.core.source import MemoryFiles
from adjudicator.duel import again
from adjudicator.duel import party as parties
from adjudicator.duel.documents import read
from adjudicator.duel.party import Party
from adjudicator.duel.row import Row
from adjudicator.machine.duel import Person
from games.game import Written
from games.silent_ships import GAME as SILENT
from orders import names, sshsig
from orders.duel import End, read_accept
from orders.errors import Refused
from orders.secrets import DuelSecret
from orders.sshsig import Signed

GAMES = ("one", "two")


@cache
def duel(seed: str = "one") -> Duel:
    return played(seed)


def start() -> Row:
    """The duel before there is an accept."""
    return duel().documents.offered


def offered(seed: str = "one") -> Signed:
    return duel(seed).documents.files[duel(seed).documents.id].file


def person(name: str) -> Person:
    return next(one for one in duel().people if one.name == name)


def add(path: str, file: Signed) -> None:
    """Add a document to those of six moves."""
    duel().short(6).add(path, file)


def move(**values: object) -> tuple[str, Signed]:
    """The seventh move with other values, signed."""
    return moved(duel().author(7), duel().row.moves[6]._replace(**values))


def end(accept: str = "", secret: str = "") -> tuple[str, Signed]:
    """Alice's end after six moves."""
    alice, row = person("alice"), duel().row
    made = End(
        "alice", accept or row.accepted, 6, row.digests[5], False, secret or alice.secret.hex
    )
    file = Signed.by(alice.signer, sshsig.DUEL, made.render())
    return names.end("alice", file.digest), file


def over() -> None:
    """Ends a game that is over for who has won."""
    last = len(duel().row.moves)
    one = next(one for one in duel().people if one.at.side.outcome.winner == one.name)
    Party(duel().short(last), one.name, one.secret).end(one.signer, "", gives_up=True)


def accepted_by(player: str) -> None:
    """Takes the accept of somebody of that name."""
    accept = duel().documents.files[duel().row.accepted].file
    by = person(read_accept(accept.data).player)
    made = read_accept(accept.data)._replace(player=player).render()
    start().and_accept(Signed.by(by.signer, sshsig.DUEL, made))


def with_a_table() -> None:
    row = duel().row
    made = row.offer._replace(table="ab" * 32).render()
    signer = person(row.offer.player).signer
    read(MemoryFiles(Signed.by(signer, sshsig.DUEL, made).files(names.OFFER)))


ROWS: list[tuple[str, str, Callable[[], object]]] = [
    ("other-game", "offer.toml: the offer ", lambda: add(names.OFFER, offered("two"))),
    ("mismatch", "it is moves/0007-", lambda: add(names.move(7, "0" * 16), move()[1])),
    ("mismatch", "it is move 9, and follows move 6", lambda: add(*move(number=9))),
    ("malformed", "the first move tells the nonce", lambda: add(*move(nonce="ab" * 32))),
    ("mismatch", "it is ends/alice-", lambda: add(names.end("alice", "0" * 16), end()[1])),
    ("other-game", "it ends another duel (abab", lambda: add(*end(accept="ab" * 32))),
    ("mismatch", "not the one that alice committed to", lambda: add(*end(secret="ab" * 32))),
    ("other-game", "the offers ", lambda: read(*(MemoryFiles(duel(one).files) for one in GAMES))),
    ("mismatch", "this seat does not fit the duel",
     lambda: Party(duel().short(6), "alice", DuelSecret(b"x" * 32)).side),
    ("stale", "the game is over: your side opens by itself", over),
    ("bad-bundle", "moves/x.toml has no signature", lambda: parties.signed({"moves/x.toml": b""})),
    ("mismatch", "carol does not play in this duel", lambda: duel().row.member("carol")),
    ("mismatch", "nobody has accepted", lambda: start().other(start().offer.player)),
    ("not-yet", "nobody has accepted", lambda: start().setup_by("0" * 64)),
    ("mismatch", "by the house table that comes with the game", with_a_table),
    ("malformed", "is a word of the orders", lambda: accepted_by(min(SILENT.words))),
    ("malformed", "expected plain ASCII", lambda: again.encode(Written("\u00e9"))),
    ("malformed", "orders: they are not in their one form", lambda: again.decode(b"END")),
]  # fmt: skip


@pytest.mark.parametrize(("word", "words", "act"), ROWS, ids=[words for _, words, _ in ROWS])
def test_the_words(word: str, words: str, act: Callable[[], object]) -> None:
    with pytest.raises(Refused) as caught:
        act()
    assert (caught.value.word, words in caught.value.message) == (word, True), caught.value
