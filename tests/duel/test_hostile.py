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
from duel.people import Duel, moved, played

from adjudicator.duel.party import Party
from games.game import Game
from games.silent_ships import GAME as SILENT
from games.silent_ships.actions import WORDS
from games.silent_ships.cards import NAMES
from games.sugar_dog import GAME as SUGAR
from games.sugar_dog.orders import ORDERS
from orders import names
from orders.bundle import Bundle
from orders.duel import Move, of_bundle, open_block, read_block, read_move, sealed_block
from orders.errors import Refused

NOW = "2026-02-01T00:00:00Z"
MOVE, LONG, END = (
    f"{one}-{'0' * 16}.toml" for one in ("moves/0005", "moves/9999999", "ends/nobody")
)
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
        if len(found.row.moves) > 6:
            return found
    raise AssertionError("no duel is long enough")


def word(random: Random, old: str = "") -> str:
    """A word of a fact, or none at all; or one that is nearly the old one."""
    if len(old) > 20 and random.random() < 0.7:
        at = random.randrange(len(old))
        return old[:at] + random.choice(("A", "w", "/", "=", "", "!", "\xe9")) + old[at + 1 :]
    pool = (
        (
            *WORDS,
            *NAMES,
            *(word.written for word in ORDERS.values()),
            "discard",
            "standing",
            "left",
            "right",
            "on",
        ),
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
        at = random.randint(1, len(whole.row.moves))
        author, reader, move = whole.author(at), whole.reader(at), whole.row.moves[at - 1]
        orders = move.orders * random.choice((1, 1, 1, 2, 0))
        changed = move._replace(facts=spoilt(move.facts, random), orders=orders)
        party = Party(whole.short(at - 1), reader.name, reader.secret)
        try:
            party.take(dict([moved(author, changed)]), NOW)
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
    whole, moves = duel(0), duel(0).row.moves
    at = next(n for n, move in enumerate(moves, 1) if "".join(move.facts[:1])[:5] == "line ")
    move, author, reader = moves[at - 1], whole.author(at), whole.reader(at)
    for word in (*WORDS, "nothing"):
        for more in ((), ("C1",), ("C1", "cruiser"), ("C1", "C2", "C3"), ("ask",), ("",)):
            facts = (" ".join(("line", word, *more)), *move.facts[1:])
            party = Party(whole.short(at - 1), reader.name, reader.secret)
            party.take(dict([moved(author, move._replace(facts=facts))]), NOW)
            assert party.lie is not None or facts[0].split(" ")[1] == move.facts[0].split(" ")[1]


def test_hostile_bytes_are_refused() -> None:
    """Cut, turned, or in another's name: refused in words."""
    whole = duel(0)
    reader, author = whole.author(4), whole.reader(4)
    party = Party(whole.short(4), reader.name, reader.secret)
    block, to = whole.blocks[6], whole.row.other(author.name).sealing
    inside = [
        {MOVE: b"x"},
        {MOVE: b"x", f"{MOVE}.sig": b"y"},
        {"offer.toml": b"", "offer.toml.sig": b""},
        {END: b"", f"{END}.sig": b""},
        {END: b"kind", f"{END}.sig": b""},
        {LONG: b"\xff" * 60_000, f"{LONG}.sig": b""},
        {names.REQUEST: b"kind"},
        {"moves/0005.toml": b"x", "moves/0005.toml.sig": b"y"},
    ]
    blocks = [
        *(block[:at] for at in range(0, len(block), 97)),
        *(bytes([*block[:at], block[at] ^ 1, *block[at + 1 :]]) for at in range(9, len(block), 61)),
        *(open_block(files) for files in inside[:1]),
        *(sealed_block(author.secret, to, whole.row.id, 5, one) for one in inside),
        drawn("bytes") * 200,
    ]
    for data in blocks:
        with pytest.raises(Refused) as error:
            party.take_block(read_block(data), NOW)
        assert error.value.message.isascii()
        assert error.value.message.isprintable()
    assert party.documents.files == whole.short(4).files


def test_reading_takes_time_that_grows_with_the_size() -> None:
    """A move of the greatest size is read, or refused, at once."""
    began = time.process_time()
    for facts in (("line " + "A1 " * 130,) * 150, ("x" * 400,) * 400, ("x" * 401,), ("x",) * 401):
        data = Move("0" * 64, 1, "0" * 64, facts, ()).render()
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
        (Bundle("order", (("move.toml", b""),)), "holds orders, nothing of a duel"),
        (Bundle("duel", (("seat.toml", b""),)), "'seat.toml', which is no file of a duel"),
        (
            Bundle("duel", (("a" * 16 + "/0001.sealed", b""), ("b", b""))),
            "which is no file of a duel",
        ),
    ],
    ids=["another kind", "another file", "a file beside a sealed one"],
)
def test_what_is_no_block_of_a_duel(bundle: Bundle, why: str) -> None:
    with pytest.raises(Refused, match=f"^bad-bundle: .*{why}"):
        of_bundle(bundle)
