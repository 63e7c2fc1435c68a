"""Rulings: what they move, annul and end, and what `verify` says of each."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.core import chain, deadlines
from adjudicator.core.link import MOST_RULINGS
from adjudicator.host.host import Host
from orders.entries import Ruling
from orders.errors import Refused

Table = Any

DAY = 86_400


def claim(found: Any, name: str) -> Any:
    return next(one for one in found.claims if one.name == name)


def later(table: Table) -> str:
    """The latest whole hour that a ruling two days from now may set as a deadline."""
    table.clock.skip(2 * DAY)
    return deadlines.add(table.clock.now(), 3 * DAY - 3600)


def test_a_ruling_for_one_player_leaves_the_others_deadline(table: Table) -> None:
    """Each deadline is moved for itself, also before the first step."""
    before = table.entry(0).awaited
    table.rule(Ruling("bob is ill"), {"bob": later(table)})
    after = table.entry(1).awaited
    assert after["alice"] == before["alice"]
    assert after["bob"].until > before["bob"].until
    table.play({"alice": "start C4", "bob": "start C1"}, {"alice": "resign"})
    found = table.verify("bob")
    assert found.code == 0
    assert claim(found, "dice").text == "from the host's secret and every player's"


def test_a_host_makes_no_ruling_that_readers_would_refuse(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thousandth is the last one, of whatever kind; the game goes on without."""
    assert MOST_RULINGS == 1_000
    monkeypatch.setattr(chain, "MOST_RULINGS", 2)
    until = table.entry().awaited["bob"].until
    for more in (1, 2):
        table.rule(Ruling("snow"), deadlines.add(until, more))
    for ruling in (Ruling("snow"), Ruling("no time", abandons=True), Ruling("x", annuls=1)):
        with pytest.raises(Refused, match="there are 2 rulings already, and no more may be"):
            table.host.rule(ruling, deadlines.add(until, 9))
    table.play({"alice": "start C4", "bob": "start C1"})
    assert table.record.last_step() == 3


def test_a_ruling_cuts_no_deadline(table: Table, example: Any) -> None:
    """The host's tool refuses it; where a host does it by other means, `verify` finds it."""
    table.play(*example[:2])
    with pytest.raises(Refused, match="cuts that"):
        table.host.rule(Ruling("hurry"), {"bob": table.entry(2).time})
    assert table.record.last_step() == 2


def test_a_favour_counts_beyond_the_absence_that_everybody_may_have(
    make_table: Any, tmp_path: Any, example: Any
) -> None:
    """Rulings for an absence that the invite allows are no favour, nor is a turn time more."""
    table = make_table(tmp_path / "t", options={"first": "alice", "absence": "10d"}).begin()
    table.play(*example[:2])
    until = table.entry().awaited["bob"].until
    table.rule(Ruling("away"), deadlines.add(until, 10 * DAY))
    table.rule(Ruling("and the snow"), deadlines.add(until, 13 * DAY))
    said = "rulings gave bob 13 d more in all (entries 3, 4)"
    assert claim(table.verify("alice"), "host").details[-1] == said
    assert claim(table.verify("alice"), "host").status == "true"
    table.rule(Ruling("a minute"), deadlines.add(until, 13 * DAY + 60))
    found = claim(table.verify("alice"), "host")
    assert found.status == "look"
    assert found.details[0] == (
        "rulings gave bob 13 d 1 min more in all (entries 3, 4, 5), "
        "more than a turn time of 3 d and the 10 d of absence"
    )


def test_between_over_and_reveal_nothing_is_ruled(table: Table, example: Any) -> None:
    """A crash may lie between the two: what follows `over` is the reveal, and `verify` says so."""
    table.play(*example[:3])
    table.submit("alice", "silent")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Host, "_reveal", lambda host: None)
        table.advance()
    assert table.verify().verdict == "incomplete: over at entry 4, not yet revealed"
    with pytest.raises(Refused, match=r"^over: the game is over"):
        table.host.rule(Ruling("again", annuls=2), None)
    table.advance()
    assert table.verify().code == 0
