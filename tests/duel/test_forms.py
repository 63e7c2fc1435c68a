"""What a move of Sugar Dog tells has one form, and another is a lie: also by who knows no secret
of its author's, so that every verifier says the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from duel.people import Duel, and_, ended, moved, played

from adjudicator.duel import audit
from games.sugar_dog import GAME as SUGAR


@cache
def duel(seed: int) -> Duel:
    """A duel of many runs and pings."""
    return played(f"one form {seed}", ("random", "captain"), game=SUGAR)


def _other_pad(fact: str) -> str:
    """The last bits of base64 that stand for nothing, set."""
    body = fact.rstrip("=")
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return body[:-1] + letters[letters.index(body[-1]) + 1] + "=" * (len(fact) - len(body))


FORMS: tuple[tuple[str, str, Callable[[str], str]], ...] = (
    ("heard ping ", "", lambda fact: fact[:-2] + fact[-2:].lower()),
    ("heard ", "=", lambda fact: fact[:6] + fact[6:8].lower() + fact[8:]),
    ("heard ", "=", _other_pad),
    ("answer ", "", lambda fact: f"{fact} "),
    ("echoes ", "", lambda fact: fact[:7] + fact[7:].swapcase()),
    ("doors ", "", lambda fact: f"{fact} "),
)


@pytest.mark.parametrize(("begins", "ends", "form"), FORMS)
def test_a_fact_in_another_form_is_a_lie(
    begins: str, ends: str, form: Callable[[str], str]
) -> None:
    whole, number, at = next(
        (duel(seed), number, at)
        for seed in range(20)
        for number, move in enumerate(duel(seed).row.moves, 1)
        for at, fact in enumerate(move.facts)
        if fact.startswith(begins) and fact.endswith(ends)
    )
    move = whole.row.moves[number - 1]
    facts = (*move.facts[:at], form(move.facts[at]), *move.facts[at + 1 :])
    author = whole.author(number)
    lied = and_(whole.short(number - 1), moved(author, move._replace(facts=facts)))
    (found,) = audit.judge(and_(lied, ended(lied, whole.reader(number))))
    assert found.lie is not None
    assert (found.lie.number, found.lie.player) == (number, author.name)
