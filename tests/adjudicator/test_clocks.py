"""Clocks are data: since, until and reserve follow from the times in entries, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator import engine, times
from adjudicator.engine import Clocks
from games.game import Setup
from orders.entries import Awaited, Ruling
from orders.errors import Refused

Table = Any

T0 = "2026-01-01T00:00:00Z"
HOUR = 3600


def at(seconds: int) -> str:
    return times.add(T0, seconds)


@pytest.fixture
def setup() -> Setup:
    """An hour for each turn."""
    return Setup(("alice", "bob"), {"turn_time": "1h", "reserve_time": "30m"})


def awaited(what: str, since: int, until: int) -> Awaited:
    return Awaited(what, at(since), at(until))


def test_who_is_awaited_anew_has_the_turn_time_and_their_reserve(setup: Setup) -> None:
    """`since` is the entry's time, `until` since + turn time + reserve left."""
    before = Clocks({"alice": awaited("turn", 0, HOUR + 100)}, {"alice": 100, "bob": 1800})
    clocks = engine.run_clocks(setup, before, {"alice": at(50)}, at(60), {"bob": "turn"})
    assert clocks.awaited == {"bob": awaited("turn", 60, 60 + HOUR + 1800)}
    assert clocks.reserve == {"alice": 100, "bob": 1800}


def test_reserve_is_used_past_the_turn_time(setup: Setup) -> None:
    """What `received` is past since + turn time, all of it if it came after the deadline."""
    before = Clocks({"alice": awaited("turn", 0, HOUR + 1800)}, {"alice": 1800, "bob": 0})
    for received, left in (
        (0, 1800),
        (HOUR, 1800),
        (HOUR + 1, 1799),
        (HOUR + 1800, 0),
        (HOUR + 9999, 0),
    ):
        clocks = engine.run_clocks(
            setup, before, {"alice": at(received)}, at(HOUR + 9999), {"bob": "turn"}
        )
        assert clocks.reserve == {"alice": left, "bob": 0}, received


def test_who_is_missing_loses_all_reserve(setup: Setup) -> None:
    """And is awaited with the turn time alone from then on."""
    before = Clocks({"alice": awaited("turn", 0, HOUR + 1800)}, {"alice": 1800, "bob": 5})
    clocks = engine.run_clocks(setup, before, {}, at(2 * HOUR), {"alice": "other"})
    assert clocks.reserve == {"alice": 0, "bob": 5}
    assert clocks.awaited["alice"] == awaited("other", 2 * HOUR, 3 * HOUR)


def test_who_stays_awaited_for_the_same_thing_keeps_the_clock(setup: Setup) -> None:
    """Somebody else's step in between neither lengthens nor shortens it, nor uses reserve up."""
    prompt = awaited("reaction", 0, HOUR + 1800)
    before = Clocks({"alice": prompt, "bob": prompt}, {"alice": 1800, "bob": 1800})
    clocks = engine.run_clocks(
        setup, before, {"bob": at(HOUR + 60)}, at(HOUR + 60), {"alice": "reaction"}
    )
    assert clocks.awaited == {"alice": prompt}
    assert clocks.reserve == {"alice": 1800, "bob": 1740}


def test_the_same_player_awaited_for_another_thing_starts_anew(setup: Setup) -> None:
    """What for is what tells one request from the next."""
    before = Clocks({"alice": awaited("turn 1", 0, HOUR + 10)}, {"alice": 10, "bob": 0})
    clocks = engine.run_clocks(setup, before, {"alice": at(HOUR + 4)}, at(HOUR + 5), {
        "alice": "turn 2"
    })  # fmt: skip
    assert clocks.reserve["alice"] == 6
    assert clocks.awaited["alice"] == awaited("turn 2", HOUR + 5, 2 * HOUR + 11)


def test_a_deadline_that_was_moved_leaves_the_reserve(setup: Setup) -> None:
    """After a ruling's deadline reserve is used up in its last part only."""
    before = Clocks({"alice": awaited("turn", 0, 10 * HOUR)}, {"alice": 1800, "bob": 0})
    early = engine.run_clocks(setup, before, {"alice": at(5 * HOUR)}, at(5 * HOUR), {})
    late = engine.run_clocks(setup, before, {"alice": at(10 * HOUR - 60)}, at(10 * HOUR), {})
    assert (early.reserve["alice"], late.reserve["alice"]) == (1800, 60)


def test_deadlines_beyond_the_last_year_are_the_last_second() -> None:
    """Times have four digits for the year: what lies beyond is cut there."""
    assert times.add("9999-12-31T00:00:00Z", 10**9) == "9999-12-31T23:59:59Z"


@pytest.mark.parametrize("time", [T0, "2024-02-29T12:34:56Z", "1970-01-01T00:00:00Z"])
def test_times_round_trip(time: str) -> None:
    """Text to seconds and back."""
    assert times.to_time(times.to_seconds(time)) == time
    assert times.between(time, times.add(time, 86_400)) == 86_400


def test_reserve_in_a_game(make_table: Any, tmp_path: Path) -> None:
    """Through the files: entries show what each has left, and `verify` computes it again."""
    options = {"first": "alice", "players": 2, "turn_time": "1h", "reserve_time": "1h"}
    table = make_table(tmp_path / "t", options=options).begin()
    assert table.entry(0).awaited["bob"].until == times.add(table.entry(0).time, 2 * HOUR)
    table.submit("alice", "start A1")
    table.clock.skip(HOUR + 600)
    table.submit("bob", "start F6")
    table.advance()
    left = table.entry(1).reserve
    assert left["alice"] == HOUR
    assert HOUR - 1000 < left["bob"] < HOUR - 600
    table.play({"alice": "resign"})
    assert table.verify(receipts=["alice", "bob"]).code == 0


def test_a_status_that_is_overdue_says_since_when(table: Table) -> None:
    """A host that stops cannot be forced: the record stays incomplete since a time it names."""
    until = table.entry(0).awaited["alice"].until
    found = table.verify()
    assert found.code == 4
    assert found.verdict == f"incomplete: entry 0 awaits alice, bob until {until}"


# Rulings.


def test_a_ruling_moves_a_deadline(table: Table, example: Any) -> None:
    """For all who are awaited; the game goes on from the same position, slips are asked anew."""
    table.play(*example[:2])
    pending = table.order("bob", "silent")
    assert table.send(pending).status == "accepted"
    until = "2026-12-24T00:00:00Z"
    table.rule(Ruling("snow"), until)
    entry = table.entry(3)
    assert entry.ruling == Ruling("snow")
    assert entry.awaited["bob"].until == until
    assert entry.awaited["bob"].since == table.entry(2).awaited["bob"].since
    assert table.report("bob", 3).view == table.report("bob", 2).view
    assert table.host.folder.waiting(4) == {}
    with pytest.raises(Refused, match="waits for bob until 2026-12-24"):
        table.host.advance(late=True)
    table.play({"bob": "silent"}, {"alice": "silent"})
    found = table.verify(receipts=["alice", "bob"])
    assert found.code == 0
    assert any("entry 3 is a ruling" in one.text for one in found.claims)
    assert [one.text for one in found.claims if one.name == "rulings"] == [
        "by the host: entries [3]"
    ]


def test_a_pending_slip_is_stale_after_a_ruling(table: Table, example: Any) -> None:
    """It quotes the entry before: its author has not seen the ruling."""
    table.play(*example[:2])
    pending = table.order("bob", "silent")
    table.rule(Ruling("snow"), "2026-12-24T00:00:00Z")
    assert table.send(pending).status == "stale"


def test_a_ruling_cuts_no_deadline(table: Table, example: Any) -> None:
    """Not by the host's own hand; found where a host does it otherwise is in the lying hosts."""
    table.play(*example[:2])
    with pytest.raises(Refused, match="cuts no deadline"):
        table.host.rule(Ruling("hurry"), table.entry(2).time)
    assert table.record.last_step() == 2


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
    assert table.verify(seat="alice", receipts=["alice", "bob"]).code == 0


def test_a_wrong_entry_annulled_is_told_and_not_false(table: Table, example: Any) -> None:
    """The host adjudicated wrongly, noticed it and ruled: the record is true, and says so."""
    real = engine.adjudicate

    def wrong(*given: Any) -> Any:
        made = real(*given)
        from dataclasses import replace

        events = (*made.draft.events, {"kind": "contact", "by": "bob", "at": "A1"})
        return replace(made, draft=replace(made.draft, events=events))

    table.play(example[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "adjudicate", wrong)
        table.play(example[1])
    assert "public events" in table.warnings["bob"][0]
    table.rule(Ruling("a contact too many", annuls=2))
    table.play(*example[1:])
    found = table.verify()
    assert found.code == 0
    replayed = next(one for one in found.claims if one.name == "replay")
    assert "annulled by entry 3: entries/0002.toml: events" in replayed.text


def test_the_first_step_annulled_keeps_the_seed(make_table: Any, tmp_path: Path) -> None:
    """Entry 1 fixes the seed for good: a ruling cannot draw again."""
    table = make_table(tmp_path / "t", options={"players": 2}).begin()
    table.play({"alice": "start A1", "bob": "start F6"})
    first = next(iter(table.entry(1).awaited))
    table.rule(Ruling("again", annuls=1))
    assert table.entry(2).awaited.keys() == {"alice", "bob"}
    slip = dict(table.order("alice", "start B2").files)["slips/0003-alice.toml"]
    assert b"nonce" not in slip
    table.play({"alice": "start B2", "bob": "start E5"})
    assert next(iter(table.entry(3).awaited)) == first
    table.play({first: "resign"})
    assert table.verify(receipts=["alice", "bob"]).code == 0


def test_a_game_is_abandoned(table: Table, example: Any) -> None:
    """The reveal follows the ruling, with that outcome."""
    table.play(*example[:2])
    advanced = table.rule(Ruling("nobody has time", abandons=True))
    assert advanced.steps == (3, 4)
    assert table.entry().outcome == {"abandoned": True}
    assert table.verify(receipts=["alice"]).verdict == "true: the game was abandoned"


def test_before_the_first_step_a_game_can_only_be_abandoned(table: Table) -> None:
    """There is nothing to annul, and no draw yet that anything could bias."""
    with pytest.raises(Refused, match="only --abandon"):
        table.host.rule(Ruling("snow"), "2026-12-24T00:00:00Z")
    with pytest.raises(Refused, match="no entry 1"):
        table.host.rule(Ruling("again", annuls=1), None)
    table.rule(Ruling("nobody came", abandons=True))
    assert table.verify().code == 0


def test_nothing_is_ruled_after_the_end(table: Table, example: Any) -> None:
    """Nor annulled: after the reveal everything is known."""
    table.play(*example)
    for ruling in (Ruling("again", annuls=2), Ruling("over", abandons=True)):
        with pytest.raises(Refused, match="over"):
            table.host.rule(ruling, None)


def test_between_over_and_reveal_nothing_is_ruled(table: Table, example: Any) -> None:
    """A crash may lie between the two: what follows `over` is the reveal, and `verify` says so."""
    from adjudicator.host import Host

    table.play(*example[:3])
    table.submit("alice", "silent")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Host, "_reveal", lambda host, link: link.entry.step)
        table.advance()
    assert table.verify().verdict == "incomplete: over at entry 4, not yet revealed"
    with pytest.raises(Refused, match="over"):
        table.host.rule(Ruling("again", annuls=2), None)
    table.advance()
    assert table.verify().code == 0


@pytest.mark.parametrize("protest", ["report", "order", "time", "ruling"])
def test_a_protest_stays_open(table: Table, example: Any, protest: str) -> None:
    """True with open protests (3), naming who protests and of what; before the reveal 4."""
    table.play(*example[:2])
    table.submit("bob", "silent", protest)
    table.advance()
    assert table.verify().code == 4
    table.play({"alice": "silent"})
    found = table.verify()
    assert found.code == 3
    assert any(
        one.name == "protests"
        and one.status == "open"
        and f"bob protests at step 3: {protest}" in one.text
        for one in found.claims
    )


def test_a_missing_nonce_is_named(table: Table) -> None:
    """Who missed the first step gave none: the shuffle's claim says whose it lacks."""
    table.play({"alice": "start A1"}, {"alice": "resign"})
    found = table.verify()
    assert found.code == 0
    shuffle = next(one.text for one in found.claims if one.name == "shuffle")
    assert shuffle == "the seed lacks the nonce of bob"
