"""What an entry keeps of all before it: which of them count, and what they promised."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.deadlines import Clocks
from adjudicator.core.link import Link
from adjudicator.core.past import Past, counting, counts, promised
from orders.entries import Awaited, Entry, Ruling

A, T = "a" * 64, "2026-01-01T00:00:00Z"

Row = tuple[int | None, dict[str, str]]
"""A row: the entry from which on it annuls, or None; the deadlines of awaited players."""


class Chain(list[Link]):
    """Entries from 0 on. `looked`: how often an earlier one was asked for."""

    looked = 0

    def earlier(self, step: int) -> Link:
        """The entry of that step."""
        self.looked += 1
        return self[step]

    def grow(self, first: int | None, until: dict[str, str], *, resumed: bool = False) -> None:
        """Add an entry; `resumed`: with it nothing is known of those before it."""
        ruling = None if first is None else Ruling("x", annuls=first)
        awaited = {player: Awaited("turn", T, time) for player, time in until.items()}
        entry = Entry(A, len(self), A, T, A, {}, {}, awaited, ruling=ruling)
        new = resumed or not self
        past = Past.begin(entry) if new else self[-1].past.then(entry, self.earlier)
        self.append(Link(b"", A, entry, Clocks(awaited, {}), {}, past))


def chain_of(*annuls: int | None) -> Chain:
    """Entries from 0 on; a number makes a ruling that annuls from there on."""
    chain = Chain()
    for first in annuls:
        chain.grow(first, {})
    return chain


@pytest.mark.parametrize(
    ("annuls", "count"),
    [
        ((None,), [0]),
        ((None, None, None), [2, 1, 0]),
        ((None, None, None, 2), [3, 1, 0]),
        ((None, None, None, 1), [3, 0]),
        ((None, None, None, 2, None), [4, 3, 1, 0]),
        ((None, None, None, 2, 3), [4, 2, 1, 0]),
        ((None, None, None, 2, 3, 4), [5, 3, 1, 0]),
        ((None, None, None, None, 3, 2), [5, 1, 0]),
    ],
)
def test_what_a_ruling_annuls_counts_no_more(
    annuls: tuple[int | None, ...], count: list[int]
) -> None:
    """The ruling itself does; where it is annulled in turn, what it annulled counts again."""
    chain = chain_of(*annuls)
    assert [link.step for link in counting(chain[-1], chain.earlier)] == count
    assert [step for step in range(len(chain)) if counts(chain[-1], step, chain.earlier)] == [
        *reversed(count)
    ]


rows = st.lists(
    st.tuples(
        st.none() | st.integers(0, 10**6),
        st.dictionaries(st.sampled_from(["alice", "bob"]), st.sampled_from("123456")),
    ),
    min_size=1,
    max_size=40,
)


def grown(rows: Sequence[Row], resumed: int) -> Chain:
    """A chain whose rulings annul from entries that count; it is resumed at `resumed`."""
    chain = Chain()
    for number, until in rows:
        first = number
        if number is not None:
            able = [link.step for link in counting(chain[-1], chain.earlier)][:-1] if chain else []
            first = able[number % len(able)] if able else None
        chain.grow(first, until, resumed=len(chain) == resumed)
    return chain


@given(rows, st.integers(0, 40))
def test_both_answers_are_those_of_looking_at_each_entry(rows: list[Row], resumed: int) -> None:
    """Whatever was annulled and promised, and wherever somebody resumed."""
    chain = grown(rows, resumed)
    last = chain[-1]
    count = {link.step for link in counting(last, chain.earlier)}
    for step in range(len(chain)):
        assert counts(last, step, chain.earlier) == (step in count)
        latest: dict[str, str] = {}
        for link in chain[step:]:
            for player, prompt in link.clocks.awaited.items():
                latest[player] = max(prompt.until, latest.get(player, ""))
        assert promised(last, step, chain.earlier) == latest


def test_few_entries_are_looked_at_however_often_all_are_annulled() -> None:
    """A thousand rulings over a thousand entries: not a million looks."""
    chain = chain_of(*[None] * 1_000)
    chain.looked = 0
    for _ in range(500):
        for first in (1, len(chain)):
            assert counts(chain[-1], min(first, chain[-1].step), chain.earlier)
            assert promised(chain[-1], 0, chain.earlier) == {}
            chain.grow(min(first, chain[-1].step), {})
    assert chain.looked < 1_000 * 25
