"""Every lie in a duel, told with the real keys: who notices, when, in which words; and that nobody
who did not lie is ever named (`liars.tell` asserts it in each game)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from duel.liars import LIES, Lie, tell
from duel.people import and_, ended, moved, person
from duel.sugar_liars import LIES as SUGAR_LIES

from adjudicator.duel import again, audit
from adjudicator.duel.documents import Documents
from adjudicator.machine.duel import Person
from games.duel import Untrue
from games.silent_ships import GAME as SILENT
from orders.duel import Move
from orders.errors import Refused
from orders.secrets import DuelSecret
from orders.sshsig import Signed

SEEDS = 40
"""In so many games every lie finds its occasion."""

FIRST = {"look": 17, "push-asked": 14}
"""Where a rare occasion is; elsewhere it is only found later."""


def hold(lie: Lie, games: int) -> None:
    """The lie becomes of what its row says, in so many games."""
    seen = 0
    seeds = list(range(SEEDS * games))
    if games == 1:
        seeds.insert(0, FIRST.get(lie.name, 0))
    allowed = {"at once", "audit"} if lie.noticed == "either" else {lie.noticed}
    for seed in seeds:
        outcome = tell(lie, seed)
        if outcome is None:
            continue
        seen += 1
        assert outcome.noticed in (allowed | {""} if lie.unused else allowed), (seed, outcome.words)
        if outcome.noticed:
            assert re.search(lie.words, outcome.words), (seed, outcome.words)
        if outcome.found is not None:
            # The honest side may see later that something is wrong; the audit says where it began.
            assert outcome.judged.lie is not None
            assert outcome.told <= outcome.judged.lie.number <= outcome.found.number
            assert lie.secret or lie.state or outcome.judged.lie.number == outcome.told
        if seen == games:
            return
    raise AssertionError(f"{lie.name} was told in {seen} games only")


SOON = ("doors-open", "second-cell", "own-impact-hidden", "not-sunk")
"""Lies that only the audit finds, but that no day of tests goes without."""


@pytest.mark.parametrize(
    "lie",
    [
        *LIES,
        *(
            one
            for one in SUGAR_LIES
            if one.noticed in ("at once", "refused") or one.name.removeprefix("sugar-") in SOON
        ),
    ],
    ids=lambda lie: lie.name,
)
def test_a_lie_is_noticed(lie: Lie) -> None:
    """Once each."""
    hold(lie, 1)


@pytest.mark.slow
@pytest.mark.parametrize("lie", SUGAR_LIES, ids=lambda lie: lie.name)
def test_a_lie_in_sugar_dog_is_noticed(lie: Lie) -> None:
    """By either side."""
    hold(lie, 2)


@pytest.mark.slow
@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.name)
def test_a_lie_is_noticed_in_many_games(lie: Lie) -> None:
    """The same lie in other games, by either side."""
    hold(lie, 3)


def test_there_are_many() -> None:
    """At least thirty, each with a name of its own."""
    for lies in (LIES, SUGAR_LIES):
        assert len({lie.name for lie in lies}) == len(lies) >= 30


# What began the duel.


class _OtherKey(DuelSecret):
    """A secret with a key for moves that does not come from it."""

    __slots__ = ()

    def sealing(self):  # type: ignore[no-untyped-def]
        return DuelSecret(b"x" * 32).sealing()


class _OtherNonce(DuelSecret):
    """A secret with another release for the setup."""

    __slots__ = ()

    def release(self, step: int) -> str:
        return "cd" * 32 if step == 1 else DuelSecret.release(self, step)


class _OtherTag(DuelSecret):
    """A secret whose sealed orders do not open."""

    __slots__ = ()

    def key(self, tag: bytes) -> bytes:
        return b"k" * 32


BEGINNINGS: Mapping[str, tuple[type[DuelSecret], str]] = {
    "key": (_OtherKey, "its key for moves does not come from the secret"),
    "nonce": (_OtherNonce, "its nonce does not come from the secret"),
    "orders": (_OtherTag, "the sealed file does not open"),
}


@pytest.mark.parametrize("kind", BEGINNINGS)
@pytest.mark.parametrize("offers", [True, False])
def test_a_false_beginning_is_the_first_lie(kind: str, *, offers: bool) -> None:
    """Key for moves, nonce, or orders of the setup that the secret does not make."""
    other, words = BEGINNINGS[kind]
    liar = person("mallory", "captain", kind)
    liar.secret = other(liar.secret.secret)
    honest = person("alice", "captain", f"{kind}/honest")
    one, two = (liar, honest) if offers else (honest, liar)
    one.offer(SILENT, {})
    two.accept(one.at.block())
    one.take(two.at.block())
    whole = one.at.documents
    if one is honest:
        one.go_on()
    else:
        whole = and_(whole, _first_move(liar, whole))
    (judged,) = audit.judge(and_(whole, *(ended(whole, who) for who in (one, two))))
    assert judged.lie is not None
    assert (judged.lie.number, judged.lie.player) == (0, "mallory")
    assert words in str(judged.lie)


def _first_move(liar: Person, whole: Documents) -> tuple[str, Signed]:
    (accept,) = whole.begun
    return moved(liar, Move(accept, 1, liar.secret.release(1), (), ()))


def test_a_false_first_nonce_is_refused() -> None:
    """The offer commits to it, so nobody chooses the coin."""
    liar, honest = person("mallory", "captain", "n"), person("alice", "captain", "n/honest")
    liar.offer(SILENT, {})
    honest.accept(liar.at.block())
    liar.secret = _OtherNonce(liar.secret.secret)
    with pytest.raises(Refused, match=r"^mismatch: .*not the one that the offer commits to"):
        honest.at.take(dict([_first_move(liar, honest.at.documents)]), "2027-01-01T00:00:00Z")


@pytest.mark.parametrize("number", [2, 3])
def test_a_move_tells_something(number: int) -> None:
    """Only the first may hold a nonce alone; whose game is over moves no more."""
    side: Any = SimpleNamespace(facts=(), prompt=None, tells=False)
    with pytest.raises(Untrue, match="nothing was to be told"):
        again._remake(side, Move("ab" * 32, number, None, (), ()))


def test_a_fact_of_eighty_characters_is_quoted_whole() -> None:
    """Of a longer one the first word, and what is around the place that differs."""
    whole, longer = "doors " + "a" * 74, "doors " + "a" * 74 + "b"
    assert again._around(whole, longer) == [whole, f"doors ...{'a' * 8}b..."]
