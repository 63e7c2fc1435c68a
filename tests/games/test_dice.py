"""Draws: the same for the same seed, label and bound; no number likelier than another."""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.dice import Dice

VECTORS = json.loads((Path(__file__).parents[1] / "suite" / "draws.json").read_text("ascii"))

seeds = st.binary(min_size=1, max_size=40)
labels = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=20)


def words(seed: bytes, label: str, count: int) -> list[int]:
    """The first 64-bit words of a label, as docs/formats/draws.md tells it."""
    blocks = (
        hmac.new(seed, f"{label}\n{number}".encode(), hashlib.sha256).digest()
        for number in range(count // 4 + 1)
    )
    data = b"".join(blocks)
    return [int.from_bytes(data[at : at + 8], "big") for at in range(0, 8 * count, 8)]


def test_the_published_vectors() -> None:
    """Every number and every order that the format's page publishes."""
    dice = Dice(bytes.fromhex(VECTORS["seed"]))
    for one in VECTORS["below"]:
        assert dice.below(one["label"], one["bound"]) == one["number"]
    for one in VECTORS["shuffle"]:
        assert list(dice.shuffle(one["label"], range(one["items"]))) == one["order"]


@given(seeds, labels, st.integers(1, 2**32))
def test_a_number_is_the_first_word_that_is_fair(seed: bytes, label: str, bound: int) -> None:
    """Words beyond the last whole multiple of the bound are thrown away."""
    fair = next(w for w in words(seed, label, 24) if w < 2**64 // bound * bound)
    assert Dice(seed).below(label, bound) == fair % bound


def test_a_word_that_is_not_fair_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes once in four thousand million draws, so this test makes it come."""
    given_words = [2**64 - 1, 2**64 // 3 * 3, 7]
    monkeypatch.setattr(Dice, "_words", lambda self, label: iter(given_words))
    assert Dice(b"").below("x", 3) == 7 % 3
    monkeypatch.setattr(Dice, "_words", lambda self, label: iter([2**64 // 3 * 3 - 1]))
    assert Dice(b"").below("x", 3) == 2


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_a_bound_that_is_none_is_refused(bound: int) -> None:
    """It is quoted; nothing is drawn."""
    with pytest.raises(ValueError, match=rf"^bound {bound} is not from 1 to 2\^32$"):
        Dice(b"").below("x", bound)


@given(seeds, labels, st.lists(st.integers(), max_size=12))
def test_a_shuffle_holds_what_was_given(seed: bytes, label: str, items: list[int]) -> None:
    """Each as often; the order follows from seed, label and number of items alone."""
    drawn = Dice(seed).shuffle(label, items)
    assert sorted(drawn) == sorted(items)
    order = Dice(seed).shuffle(label, range(len(items)))
    assert drawn == tuple(items[at] for at in order)


def test_another_label_or_seed_draws_something_else() -> None:
    """One more draw under another label shifts nothing. Every number and order comes up."""

    def drawn(**other: Any) -> list[int]:
        dice = Dice(other.get("seed", b"seed"))
        return [dice.below(f"{other.get('label', 'first')}/{at}", 6) for at in range(200)]

    assert drawn() == drawn()
    assert len({tuple(drawn()), tuple(drawn(label="x")), tuple(drawn(seed=b"x"))}) == 3
    assert set(drawn()) == set(range(6))
    orders = {Dice(b"seed").shuffle(f"deck/{at}", "abc") for at in range(200)}
    assert len(orders) == 6
