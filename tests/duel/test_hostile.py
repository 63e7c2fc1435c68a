"""Hostile blocks and moves: any bytes are refused in words, and any facts are judged.

The moves are signed with the real key of whoever sends them, so that everything behind the
signature is reached: each comes to a refusal, to a lie that is named with its author, or is taken,
as a lie is that only the audit finds.
"""

from __future__ import annotations

import time
from functools import cache
from random import Random
from typing import Any

import pytest
from duel.hosted import drawn
from duel.people import Duel, played
from duel.test_party import short

from adjudicator.duel.party import Party
from games.game import Game
from games.silent_ships import GAME as SILENT
from games.silent_ships.moves import WORDS
from games.sugar_dog import GAME as SUGAR
from orders import names, sshsig
from orders.bundle import Bundle
from orders.duel import Move, of_bundle, open_block, read_block, read_move, sealed_block
from orders.errors import Refused
from orders.signed import Signed

BOTS = (("captain", "captain"), ("wild", "asker"), ("asker", "wild"), ("random", "captain"))
KINDS = (
    "line", "answer", "retreat", "support", "supports", "push", "names", "look", "release",
    "turn", "heard", "doors", "echoes",
)  # fmt: skip


@cache
def duel(number: int, game: Game[Any, Any] = SILENT) -> Duel:
    """An honest duel of some length."""
    bots = BOTS[number % len(BOTS)] if game is SILENT else ("wild", "random")
    for seed in range(100):
        found = played(f"hostile/{number}/{seed}", bots, game=game)
        if len(found.chain.moves) > 6:
            return found
    raise AssertionError("no duel is long enough")


def word(random: Random, old: str = "") -> str:
    """A word of a fact, or none at all; or one that is nearly the old one."""
    if len(old) > 20 and random.random() < 0.7:
        at = random.randrange(len(old))
        return old[:at] + random.choice(("A", "w", "/", "=", "", "!", "\xe9")) + old[at + 1 :]
    pool = (
        (*SILENT.duel.words, *SUGAR.duel.words) if SILENT.duel else (),
        ("A1", "C1", "C4", "E4", "Z99", "AA1", "a1", "B0"),
        KINDS,
        ("", "0", "-1", "nothing", "\\", '"', "~" * 50, "none", "ask", "all", "ab" * 32),
    )
    return random.choice(random.choice(pool))


def spoilt(facts: tuple[str, ...], random: Random) -> tuple[str, ...]:
    """Facts that somebody else might tell."""
    told = list(facts)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(told) + 1)
        how = random.randrange(7)
        if how == 0 or not told:
            told.insert(at, " ".join([random.choice(KINDS), *[word(random) for _ in range(3)]]))
        elif how == 1:
            del told[at - 1]
        elif how == 2:
            told.insert(at, random.choice(told))
        elif how == 3:
            random.shuffle(told)
        else:
            words = told[at - 1].split(" ")
            which = random.randrange(len(words))
            words[which] = word(random, words[which])
            if random.random() < 0.3:
                words.append(word(random))
            told[at - 1] = " ".join(words)
    return tuple(told)


def hostile_moves(first: int, last: int, game: Game[Any, Any] = SILENT) -> dict[str, int]:
    """What becomes of so many re-signed moves."""
    became = {"refused": 0, "lie": 0, "taken": 0}
    for number in range(first, last):
        random = Random(number)  # noqa: S311 - a test's own
        whole = duel(random.randrange(8 if game is SILENT else 3), game)
        chain = whole.chain
        at = random.randint(1, len(chain.moves))
        author = next(one for one in whole.people if one.name == chain.author_of(at))
        reader = next(one for one in whole.people if one is not author)
        move = chain.moves[at - 1]
        orders = move.orders * random.choice((1, 1, 1, 2, 0))
        changed = move._replace(facts=spoilt(move.facts, random), orders=orders)
        party = Party(short(chain, at - 1), reader.name, reader.secret)
        try:
            file = Signed.by(author.signer, sshsig.DUEL, changed.render())
            party.take({names.move(at): file})
            lie = party.lie
        except (Refused, ValueError) as error:
            assert isinstance(error, Refused) or "printable" in str(error)
            became["refused"] += 1
            continue
        if lie is None:
            became["taken"] += 1
        else:
            assert (lie.number, lie.player) == (at, author.name)
            assert str(lie).isascii()
            assert str(lie).isprintable()
            assert len(str(lie)) < 400
            became["lie"] += 1
    return became


@pytest.mark.parametrize("game", [SILENT, SUGAR], ids=lambda game: game.id)
def test_hostile_moves_are_judged(game: Game[Any, Any]) -> None:
    """A few hundred."""
    became = hostile_moves(0, 150 if game is SILENT else 20, game)
    assert became["lie"] > became["taken"]


@pytest.mark.slow
@pytest.mark.parametrize("game", [SILENT, SUGAR], ids=lambda game: game.id)
def test_many_hostile_moves_are_judged(game: Game[Any, Any]) -> None:
    """Near two thousand."""
    assert hostile_moves(1_000, 2_500 if game is SILENT else 1_250, game)["lie"]


def test_every_word_with_too_few_and_too_many_words_behind_it() -> None:
    """A line that cannot be is a lie, whichever order word it begins with."""
    chain = duel(0).chain
    at = next(n for n, move in enumerate(chain.moves, 1) if "".join(move.facts[:1])[:5] == "line ")
    before, move = short(chain, at - 1), chain.moves[at - 1]
    author = next(one for one in duel(0).people if one.name == chain.author_of(at))
    reader = next(one for one in duel(0).people if one is not author)
    for word in (*WORDS, "nothing"):
        for more in ((), ("C1",), ("C1", "cruiser"), ("C1", "C2", "C3"), ("ask",), ("",)):
            facts = (" ".join(("line", word, *more)), *move.facts[1:])
            file = Signed.by(author.signer, sshsig.DUEL, move._replace(facts=facts).render())
            party = Party(before, reader.name, reader.secret)
            party.take({names.move(at): file})
            assert party.lie is not None or facts[0].split(" ")[1] == move.facts[0].split(" ")[1]


def test_hostile_bytes_are_refused() -> None:
    """Cut, turned, or in another's name: refused in words."""
    whole = duel(0)
    reader = next(one for one in whole.people if one.name == whole.chain.author_of(4))
    party = Party(short(whole.chain, 4), reader.name, reader.secret)
    author = next(one for one in whole.people if one is not reader)
    block, to = whole.blocks[6], whole.chain.other(author.name).sealing
    inside = [
        {"moves/0005.toml": b"x"},
        {"moves/0005.toml": b"x", "moves/0005.toml.sig": b"y"},
        {"offer.toml": b"", "offer.toml.sig": b""},
        {"openings/host.toml": b"", "openings/host.toml.sig": b""},
        {"claims/nobody.toml": b"kind", "claims/nobody.toml.sig": b""},
        {"moves/9999999.toml": b"\xff" * 60_000, "moves/9999999.toml.sig": b""},
    ]
    blocks = [
        *(block[:at] for at in range(0, len(block), 97)),
        *(bytes([*block[:at], block[at] ^ 1, *block[at + 1 :]]) for at in range(9, len(block), 61)),
        *(open_block(files) for files in inside[:1]),
        *(sealed_block(author.secret, to, whole.chain.id, 5, one) for one in inside),
        drawn("bytes") * 200,
    ]
    for data in blocks:
        with pytest.raises(Refused) as error:
            party.take(party.read(read_block(data)))
        assert error.value.message.isascii()
        assert error.value.message.isprintable()
    assert party.chain == short(whole.chain, 4)


def test_reading_takes_time_that_grows_with_the_size() -> None:
    """A move of the greatest size is read, or refused, at once."""
    began = time.process_time()
    for facts in (("line " + "A1 " * 130,) * 150, ("x" * 400,) * 400, ("x" * 401,), ("x",) * 401):
        data = Move("0" * 64, 1, "2026-01-01T00:00:00Z", "0" * 64, facts, ()).render()
        try:
            read_move(data)
        except Refused as error:
            assert error.word in ("malformed", "too-big")
    with pytest.raises(Refused, match="too-big"):
        read_move(b"x" * 70_000)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("bundle", "why"),
    [
        (Bundle("order", (("move.toml", b""),)), "of the kind order, expected duel"),
        (Bundle("duel", (("seat.toml", b""),)), "'seat.toml' is no file of a duel"),
    ],
    ids=["another kind", "another file"],
)
def test_what_is_no_block_of_a_duel(bundle: Bundle, why: str) -> None:
    with pytest.raises(Refused, match=why):
        of_bundle(bundle)
