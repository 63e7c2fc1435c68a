"""Rulings judged: a line for each, in which a person reads what it did and whether it was right."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace

import pytest
from replacing import replace

from adjudicator.core.deadlines import DAY, Clocks
from adjudicator.core.link import Link
from adjudicator.verifier import rulings
from adjudicator.verifier.rulings import (
    Given,
    Line,
    _listed,
    favours,
    handed_on_as_agreed,
    judge,
)  # fmt: skip
from games.game import Setup
from orders.documents import Slip
from orders.entries import Entry, Ruling, SeatChange

A, T = "a" * 64, "2026-01-01T00:00:00Z"
SETUP = Setup(("alice", "bob"), {"away": 2})


def links(*rulings: Ruling | None) -> list[Link]:
    """A chain of adjudications (None) and rulings."""
    found = []
    for step, ruling in enumerate(rulings):
        entry = Entry(A, step, A, T, A, ruling=ruling)
        found.append(Link(b"", A, entry, Clocks({}, {}), {}))
    return found


def protested(link: Link, *players: str) -> Link:
    """The entry with slips of these players, who protest in them."""
    slips = {name: Slip(A, link.step, name, 1, T, A, A, A, protest="report") for name in players}
    quiet = {"zoe": Slip(A, link.step, "zoe", 1, T, A, A, A)}
    return replace(link, slips={**slips, **quiet})


def one(
    chain: list[Link], wrong: Mapping[int, str] | None = None, *, replayed: bool = True
) -> Line:
    """The one line."""
    (line,) = judge(SETUP, chain, wrong or {}, replayed=replayed)
    return line


def test_a_reason_is_told_in_plain_ascii() -> None:
    """As it was given."""
    told = "entry 1 moves deadlines later; reason given: 'caf\\xe9'"
    assert one(links(None, Ruling("caf\u00e9"))) == Line(told, False)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({}, "entry 2 was right, 1 more follow it, so the reason is the host's alone"),
        ({2: "state: 1"}, "entry 2 was wrong: state: 1, 1 more follow it"),
        ({3: "x"}, "entry 2 was right, 1 more follow it; entry 3 was wrong: x"),
        ({1: "x"}, "entry 2 was right, 1 more follow it, so the reason is the host's alone"),
        ({4: "x"}, "entry 2 was right, 1 more follow it, so the reason is the host's alone"),
    ],
)
def test_whether_what_it_annuls_was_wrong(wrong: dict[int, str], told: str) -> None:
    """Only what it annuls counts: the first entry, then those that follow it."""
    chain = links(None, None, None, None, Ruling("an error", annuls=2))
    line = one(chain, wrong)
    assert line.text == f"entry 4 annuls from entry 2 on: {told}; reason given: 'an error'"
    assert line.look


def test_what_goes_on_from_a_wrong_entry_is_neither_right_nor_wrong() -> None:
    """Its players acted on what they were told."""
    chain = links(None, None, None, None, Ruling("an error", annuls=3))
    (line,) = judge(SETUP, chain, {2: "x"}, {3}, replayed=True)
    assert "entry 3 goes on from a wrong one, so nobody can judge it; reason given" in line.text


def test_who_protested_while_it_stood_is_named() -> None:
    """In slips after the entry that is annulled and before the ruling; each once."""
    chain = links(None, None, None, None, Ruling("x", annuls=1))
    chain[1] = protested(chain[1], "early")
    chain[2] = protested(chain[2], "bob")
    chain[3] = protested(chain[3], "bob", "alice")
    assert "; protested by alice, bob; reason given" in one(chain).text
    assert "zoe" not in one(chain).text
    assert "protested" not in one(links(None, None, Ruling("x", annuls=1))).text


def test_the_first_ten_entries_are_listed() -> None:
    """The others are counted."""
    ten = "0, 1, 2, 3, 4, 5, 6, 7, 8, 9"
    assert [_listed(range(many)) for many in (1, 10, 11, 12)] == [
        "0", ten, f"{ten} and 1 more", f"{ten} and 2 more",
    ]  # fmt: skip


@pytest.mark.parametrize(("away", "found"), [(0, (0, 0)), (1, (2, 3)), (2, (2, 3)), (3, (0, 0))])
def test_a_seat_is_handed_on_after_as_many_misses_as_the_invite_says(
    monkeypatch: pytest.MonkeyPatch, away: int, found: tuple[int, int]
) -> None:
    """Or more of them in a row; 0 is never."""
    monkeypatch.setattr(rulings, "missed", lambda *_: (2, 3))
    chain = links(None, Ruling("x", seat=SeatChange("bob", A)))
    setup = Setup(SETUP.players, {"away": away})
    assert handed_on_as_agreed(setup, chain[1], chain.__getitem__) == found


@pytest.mark.parametrize(("more", "look"), [(2 * DAY, False), (2 * DAY + 1, True)])
def test_a_favour_is_more_than_a_turn_time_and_the_absence(
    monkeypatch: pytest.MonkeyPatch, more: int, look: bool
) -> None:
    """In all, by however many rulings."""
    chain = links(None, Ruling("snow"), Ruling("ice"))
    monkeypatch.setattr(rulings, "given", lambda *_: [
        Given(chain[1], "bob", more - 60), Given(chain[2], "bob", 60),
    ])  # fmt: skip
    setup = Setup(SETUP.players, {"turn_time": "1d", "absence": "1d"})
    (line,) = favours(SimpleNamespace(setup=setup), chain)  # type: ignore[arg-type]
    assert line.look == look
    assert line.text.startswith("rulings gave bob 2 d")
    assert ("more than a turn time of 1 d and the 1 d of absence" in line.text) == look
