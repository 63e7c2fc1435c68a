"""A checked entry, and which earlier ones still count and what they promised."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from replacing import replace

from adjudicator.core.deadlines import Clocks
from adjudicator.core.link import Link, counting, counts, promised
from orders.entries import Awaited, Entry, Ruling
from orders.errors import Refused

Table = Any

A, T = "a" * 64, "2026-01-01T00:00:00Z"


def test_the_key_is_of_who_sits_there_now(finished: Table) -> None:
    """By the joins after that entry."""
    link = finished.host.ledger.link(2)
    assert link.key("bob") == finished.keys["bob"].public
    swapped = replace(link, joins={**link.joins, "bob": link.joins["alice"]})
    assert swapped.key("bob") == finished.keys["alice"].public
    broken = replace(link, joins={"bob": replace(link.joins["bob"], key="ssh-rsa AAAA")})
    with pytest.raises(Refused, match="bad-key"):
        broken.key("bob")


def chain_of(rows: list[tuple[int | None, dict[str, str]]]) -> list[Link]:
    """Entries from 0 on; a number makes a ruling that annuls from there on. By player deadlines."""
    chain = []
    for step, (first, until) in enumerate(rows):
        ruling = None if first is None else Ruling("x", annuls=first)
        awaited = {player: Awaited("turn", T, time) for player, time in until.items()}
        entry = Entry(A, step, A, T, A, ruling=ruling, awaited=awaited)
        chain.append(Link(b"", A, entry, Clocks(awaited, {}), {}))
    return chain


@pytest.mark.parametrize(
    ("annuls", "count"),
    [
        ((None,), [0]), ((None, None, None), [2, 1, 0]), ((None, None, None, 2), [3, 1, 0]),
        ((None, None, None, 1), [3, 0]), ((None, None, None, 2, None), [4, 3, 1, 0]),
        ((None, None, None, 2, 3), [4, 2, 1, 0]), ((None, None, None, 2, 3, 4), [5, 3, 1, 0]),
        ((None, None, None, None, 3, 2), [5, 1, 0]),
    ],
)  # fmt: skip
def test_what_a_ruling_annuls_counts_no_more(
    annuls: tuple[int | None, ...], count: list[int]
) -> None:
    """The ruling itself does; where it is annulled in turn, what it annulled counts again."""
    chain = chain_of([(first, {}) for first in annuls])
    assert [link.step for link in counting(chain[-1], chain.__getitem__)] == count
    assert [step for step in range(len(chain)) if counts(chain[-1], step, chain.__getitem__)] == [
        *reversed(count)
    ]


@given(
    st.lists(
        st.dictionaries(st.sampled_from(["alice", "bob"]), st.sampled_from("123456")),
        min_size=1,
        max_size=9,
    )
)
def test_the_latest_deadline_is_kept_whoever_gave_it(given: list[dict[str, str]]) -> None:
    """Of each player, from any entry on."""
    chain = chain_of([(None, until) for until in given])
    for step in range(len(chain)):
        latest: dict[str, str] = {}
        for until in given[step:]:
            latest |= {one: max(time, latest.get(one, "")) for one, time in until.items()}
        assert promised(chain[-1], step, chain.__getitem__) == latest
