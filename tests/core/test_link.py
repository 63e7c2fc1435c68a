"""A checked entry."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adjudicator.core.deadlines import Clocks
from adjudicator.core.link import Link
from adjudicator.core.past import Past
from orders.entries import Awaited, Entry
from orders.errors import Refused

Table = Any

A, T = "a" * 64, "2026-01-01T00:00:00Z"
AWAITED = {"bob": Awaited("turn", T, T)}


def test_a_game_is_over_where_nobody_is_awaited() -> None:
    """By the clocks after the entry."""
    entry = Entry(A, 1, A, T, A, {}, {}, AWAITED)
    link = Link(b"", A, entry, Clocks(AWAITED, {}), {}, Past.begin(entry))
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
