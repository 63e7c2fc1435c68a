"""Rulings: what they move, annul and end, and what `verify` says of each."""

from __future__ import annotations

from pathlib import Path
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


def test_a_ruling_moves_a_deadline_and_voids_nothing(table: Table, example: Any) -> None:
    """The game goes on from the same position, and an accepted order stays accepted."""
    table.play(*example[:2])
    receipt = table.send(table.order("bob", "silent"))
    until = later(table)
    table.rule(Ruling("snow"), until)
    entry = table.entry(3)
    assert entry.ruling == Ruling("snow")
    assert entry.awaited["bob"].until == until
    assert entry.awaited["bob"].since == table.entry(2).awaited["bob"].since
    assert table.report("bob", 3).view == table.report("bob", 2).view
    assert table.host.missing() == ()
    table.advance()
    assert table.entry(4).slips["bob"].digest == receipt.slip
    table.play({"alice": "silent"})
    for name in table.players:
        found = table.verify(name)
        assert found.code == 0
    assert claim(found, "host").details == (
        "entry 3 moves deadlines later; reason given: 'snow'",
        "rulings gave bob 1 d 23 h more in all (entry 3)",
    )


def test_a_later_revision_replaces_an_order_that_outlived_a_ruling(
    table: Table, example: Any
) -> None:
    """Both answer the entry before the ruling."""
    table.play(*example[:2])
    table.submit("bob", "silent")
    table.rule(Ruling("snow"), later(table))
    receipt = table.send(table.order("bob", "fire N"))
    assert (receipt.status, receipt.step, receipt.revision) == ("accepted", 3, 2)
    table.advance()
    assert table.entry(4).slips["bob"].digest == receipt.slip
    assert table.verify("bob").code == 4


def test_an_order_written_before_a_ruling_may_come_after_it(table: Table, example: Any) -> None:
    """Since the entry that it quotes there have been only rulings that move deadlines."""
    table.play(*example[:2])
    pending = table.order("bob", "silent")
    table.rule(Ruling("snow"), later(table))
    table.rule(Ruling("more snow"), later(table))
    assert table.send(pending).status == "accepted"
    table.advance()
    assert table.entry(5).missing == ()
    table.play({"alice": "silent"})
    found = table.verify("bob")
    assert [claim.name for claim in found.claims if claim.status != "true"] == ["host"]
    assert "rulings gave bob 3 d 23 h more in all (entries 3, 4)" in claim(found, "host").details[0]


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


def test_a_ruling_that_changes_nothing_is_refused(table: Table, example: Any) -> None:
    """A second more is a change; a game has at most a thousand rulings."""
    table.play(*example[:2])
    with pytest.raises(Refused, match=r"too little: bob has until .*Z already"):
        table.host.rule(Ruling("just so"))
    assert table.record.last_step() == 2
    table.host.rule(Ruling("a second"), deadlines.add(table.entry().awaited["bob"].until, 1))
    assert table.record.last_step() == 3


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


def test_an_annulment_keeps_every_deadline_that_was_promised(table: Table, example: Any) -> None:
    """Also one that an annulled ruling gave: what was granted once stays granted."""
    table.play(*example[:2])
    until = later(table)
    table.rule(Ruling("Bob is away until then"), until)
    table.rule(Ruling("undo", annuls=3))
    assert table.entry(4).awaited["bob"].until >= until


def test_a_ruling_annuls_and_the_game_goes_on_from_before(table: Table, example: Any) -> None:
    """Annulled entries stay and are checked; the position is that before the first of them."""
    table.play(*example[:3])
    table.rule(Ruling("misread", annuls=2))
    assert table.report("alice").view.shown["alice"]["torpedoes"] == []
    assert table.report("alice").view.shown["turn"] == "alice"
    entry = table.entry(4)
    assert entry.awaited.keys() == {"alice"}
    assert entry.awaited["alice"].since == entry.time
    table.play({"alice": "fire S"}, {"bob": "silent"}, {"alice": "silent"})
    found = table.verify("alice")
    assert found.code == 3
    assert "entry 2 was right, 1 more follow it" in claim(found, "host").details[0]
    assert "the reason is the host's alone" in claim(found, "host").details[0]


def test_only_an_entry_that_counts_can_be_annulled(table: Table, example: Any) -> None:
    """What was annulled already is gone; annulling the ruling brings it back."""
    table.play(*example[:3])
    table.rule(Ruling("misread", annuls=2))
    with pytest.raises(Refused, match="annulled already"):
        table.host.rule(Ruling("again", annuls=3))
    with pytest.raises(Refused, match="no entry 9"):
        table.host.rule(Ruling("again", annuls=9))
    table.rule(Ruling("it was right after all", annuls=4))
    assert table.report("alice").view == table.report("alice", 3).view
    table.play({"alice": "silent"})
    found = table.verify("bob")
    assert found.code == 3
    assert any(
        "entry 4 (itself a ruling) was right" in text for text in claim(found, "host").details
    )


def test_an_accepted_order_is_void_after_an_annulment(table: Table, example: Any) -> None:
    """It answered an entry that no longer counts."""
    table.play(*example[:2])
    table.submit("bob", "silent")
    pending = table.order("bob", "fire N")
    table.rule(Ruling("misread", annuls=2))
    assert table.host.folder.waiting() == {}
    assert table.send(pending).status == "stale"
    assert not any(table.warnings.get("bob", []))


def test_the_first_step_annulled_keeps_the_seed(make_table: Any, tmp_path: Path) -> None:
    """The first adjudication fixes the seed for good: a ruling cannot draw again."""
    table = make_table(tmp_path / "t", options={}).begin()
    table.play({"alice": "start A1", "bob": "start F6"})
    first = next(iter(table.entry(1).awaited))
    table.rule(Ruling("again", annuls=1))
    assert table.entry(2).awaited.keys() == {"alice", "bob"}
    slip = dict(table.order("alice", "start B2").files)["slips/0003-alice.toml"]
    assert b"nonce" not in slip
    table.play({"alice": "start B2", "bob": "start E5"})
    assert next(iter(table.entry(3).awaited)) == first
    table.play({first: "resign"})
    assert table.verify("bob").code == 3


def test_a_game_is_abandoned(table: Table, example: Any) -> None:
    """The reveal follows the ruling, with that outcome."""
    table.play(*example[:2])
    assert table.rule(Ruling("nobody has time", abandons=True)) == (3, 4)
    assert table.entry().outcome == {"abandoned": True}
    found = table.verify("alice")
    assert found.code == 3
    assert found.verdict.endswith("the game was abandoned")


def test_nothing_is_ruled_after_the_end(table: Table, example: Any) -> None:
    """Nothing is annulled either: after the reveal everything is known."""
    table.play(*example)
    for ruling in (Ruling("again", annuls=2), Ruling("over", abandons=True)):
        with pytest.raises(Refused, match=r"^over: the game is over"):
            table.host.rule(ruling, None)


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
