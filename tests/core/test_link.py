"""A checked entry, and the entries that still count on the way back from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adjudicator.core.deadlines import Clocks
from adjudicator.core.link import Link, counting
from orders.entries import Awaited, Entry, Ruling
from orders.errors import Refused

Table = Any

A, T = "a" * 64, "2026-01-01T00:00:00Z"
AWAITED = {"bob": Awaited("turn", T, T)}


def chain_of(*annuls: int | None) -> list[Link]:
    """Entries from 0 on; a number makes a ruling that annuls from there on."""
    links = []
    for step, first in enumerate(annuls):
        ruling = None if first is None else Ruling("x", annuls=first)
        entry = Entry(A, step, A, T, A, {}, {}, AWAITED, ruling=ruling)
        links.append(Link(b"", A, entry, Clocks(AWAITED, {}), {}))
    return links


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
def test_what_a_ruling_annuls_counts_no_more(annuls: tuple[int | None, ...], count: Any) -> None:
    """The ruling itself does; where it is annulled in turn, what it annulled counts again."""
    links = chain_of(*annuls)
    assert [link.step for link in counting(links[-1], links.__getitem__)] == count


def test_a_ruling_that_annuls_nothing_leaves_all() -> None:
    """It is one entry more."""
    links = chain_of(None, None)
    moves = replace(links[1], entry=replace(links[1].entry, ruling=Ruling("snow")))
    assert [link.step for link in counting(moves, [links[0], moves].__getitem__)] == [1, 0]


def test_a_game_is_over_where_nobody_is_awaited() -> None:
    """By the clocks after the entry."""
    (link,) = chain_of(None)
    assert not link.over
    assert replace(link, clocks=Clocks({}, {})).over


def test_the_key_is_of_who_sits_there_now(finished: Table) -> None:
    """By the joins after that entry."""
    link = finished.host.ledger.link(2)
    assert link.key("bob") == finished.keys["bob"].public
    swapped = replace(link, joins={**link.joins, "bob": link.joins["alice"]})
    assert swapped.key("bob") == finished.keys["alice"].public
    broken = replace(link, joins={"bob": replace(link.joins["bob"], key="ssh-rsa AAAA")})
    with pytest.raises(Refused, match="bad-key"):
        broken.key("bob")
