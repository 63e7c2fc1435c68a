"""The entries of the chain by themselves; what all documents hold stands in test_documents."""

from __future__ import annotations

import pytest
from replacing import replace

from orders.entries import (
    AnyEntry,
    Awaited,
    Entry,
    Genesis,
    Reveal,
    Ruling,
    SeatChange,
    Told,
    Used,
    read_entry,
)
from orders.errors import Refused

T1, T2 = "2026-11-21T17:00:00Z", "2026-11-24T17:00:00Z"
A, B, C, D = ("a" * 64, "b" * 64, "c" * 64, "0123456789abcdef" * 4)

AWAITED = {"bob": Awaited("turn", T1, T2)}
GENESIS = Genesis(T1, A, "adjudicator 0.1.0", {"bob": B, "alice": C}, AWAITED)
ENTRY = Entry(
    game=A, step=7, prev=B, time=T1, state=C, reserve={"alice": 0, "bob": 3600},
    reports={"alice": Told(A, B), "bob": Told(C, D)}, awaited=AWAITED, view='{"turn":1}',
    missing=("bob",), events=({"kind": "turn"},), slips={"alice": Used(D, T1)},
)  # fmt: skip
RULING = replace(ENTRY, ruling=Ruling("snow"), missing=(), events=(), slips={})
REVEAL = Reveal(A, 9, B, C, {"winner": "alice"})


def refused(data: bytes) -> str:
    """What `read_entry` says, in its one word."""
    with pytest.raises(Refused) as caught:
        read_entry(data)
    assert caught.value.word == "malformed"
    return caught.value.message


@pytest.mark.parametrize("entry", [GENESIS, ENTRY, RULING, REVEAL])
def test_an_entry_is_read_as_what_it_is(entry: AnyEntry) -> None:
    """One reader serves all kinds: step and keys tell which it is."""
    read = read_entry(entry.render())
    assert (type(read), read) == (type(entry), entry)


def test_an_entry_of_step_0_is_a_genesis() -> None:
    """Neither an adjudication nor a reveal can take its place."""
    for entry in (ENTRY, REVEAL):
        step = f"step = {entry.step}".encode()
        assert refused(entry.render().replace(step, b"step = 0")).startswith("entry: key ")
    refused(GENESIS.render().replace(b"step = 0", b"step = 1"))


def test_an_outcome_is_one_thing() -> None:
    """The host may win, where a game's rules say so; a game may have been abandoned."""
    for outcome in ({"winner": "host"}, {"abandoned": True}, {"draw": True}):
        assert read_entry(replace(REVEAL, outcome=outcome).render()).outcome == outcome
    said = refused(replace(REVEAL, outcome={"winner": "bob", "draw": True}).render())
    assert "expected exactly one of winner, draw = true and abandoned = true" in said
    assert "'bob'" in said


def test_players_of_genesis_are_those_of_its_joins() -> None:
    """In one order, each once."""
    text = GENESIS.render().decode()
    assert read_entry(text.encode()).players == ("bob", "alice")
    for players in ("[]", '["bob"]', '["alice", "bob"]', '["bob", "alice", "bob"]', '["bob", 1]'):
        refused(text.replace('["bob", "alice"]', players).encode())


def test_every_entry_has_one_face() -> None:
    """Nobody needs to ask what kind of entry it is: what one lacks is empty there."""
    faces = ("step", "time", "awaited", "reserve", "slips", "reports", "missing", "events",
             "press", "ruling", "view", "outcome")  # fmt: skip
    for entry in (GENESIS, ENTRY, RULING, REVEAL):
        assert all(hasattr(entry, face) for face in faces)
    assert (GENESIS.step, GENESIS.outcome, ENTRY.outcome) == (0, None, None)
    assert (REVEAL.time, REVEAL.outcome) == (None, {"winner": "alice"})
    for bare in (GENESIS, REVEAL):
        assert (dict(bare.slips), dict(bare.reports), dict(bare.reserve)) == ({}, {}, {})
        assert (bare.missing, bare.events, bare.press, bare.ruling, bare.view) == (
            (), (), (), None, "",
        )  # fmt: skip
        with pytest.raises(TypeError):
            bare.slips["alice"] = Used(A, T1)  # type: ignore[index]


def test_rulings_that_only_move_deadlines() -> None:
    """They annul nothing, abandon nothing and change no seat."""
    assert Ruling("x").moves_only
    for ruling in (Ruling("x", 1), Ruling("x", abandons=True),
                   Ruling("x", seat=SeatChange("bob", A, True))):  # fmt: skip
        assert not ruling.moves_only
        assert read_entry(replace(RULING, ruling=ruling).render()).ruling == ruling
