"""A game as a story: entries in words, and what may be seen of each step by whom."""

from __future__ import annotations

from typing import Any

import pytest
from replacing import replace

from adjudicator.core.ledger import Ledger
from adjudicator.core.source import MemoryFiles
from adjudicator.words import story
from adjudicator.words.spans import ReadAt
from adjudicator.words.story import Story
from orders import names
from orders.entries import Awaited, Entry, Genesis, Reveal, Ruling, SeatChange, UsedSlip
from orders.errors import Refused

Table = Any

A, T = "a" * 64, "2026-01-01T00:00:00Z"
AWAITED = {"bob": Awaited("turn", T, "2026-01-04T00:00:00Z")}
PLAIN = Entry(A, 4, A, T, A, awaited=AWAITED)
BOTH = {"alice": UsedSlip(A, T), "bob": UsedSlip(A, T)}


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        (Genesis(T, A, "x", {"bob": A, "alice": A}, {}), "the game begins: bob, alice"),
        (replace(PLAIN, slips=BOTH), "orders of alice, bob"),
        (replace(PLAIN, missing=("bob",)), "orders of nobody; missing: bob"),
        (replace(PLAIN, ruling=Ruling("snow")), "ruling: snow"),
        (replace(PLAIN, ruling=Ruling("x", annuls=3)), "ruling (annuls from 3 on): x"),
        (replace(PLAIN, ruling=Ruling("x", abandons=True)), "ruling (the game is abandoned): x"),
        (
            replace(PLAIN, ruling=Ruling("x", seat=SeatChange("bob", A, A))),
            "ruling (the host gave bob's seat to another key; bob signed that): x",
        ),
        (Reveal(A, 9, A, A, {"winner": "bob"}), "reveal: bob won"),
        (Reveal(A, 9, A, A, {"draw": True}), "reveal: a draw"),
        (Reveal(A, 9, A, A, {"abandoned": True}), "reveal: the game was abandoned"),
    ],
)
def test_an_entry_in_a_few_words(entry: Any, title: str) -> None:
    """One sentence for each kind."""
    assert story.title(entry) == title


def test_where_a_game_stands() -> None:
    """Awaited, until the first of the deadlines; over and not revealed; revealed."""
    later = Awaited("turn", T, "2026-01-09T00:00:00Z")
    both = replace(PLAIN, awaited={"alice": later, **PLAIN.awaited})
    assert story.standing(both) == "entry 4 awaits alice, bob until 2026-01-04T00:00:00Z"
    assert story.whose_turn(both) == (
        "alice's turn, until 2026-01-09T00:00:00Z",
        "bob's turn, until 2026-01-04T00:00:00Z",
    )
    reader = ReadAt("2026-01-02T00:00:00Z")
    assert story.whose_turn(both, reader, "bob") == (
        "alice's turn, until 2026-01-09T00:00:00Z (in 7 d)",
        "your turn, until 2026-01-04T00:00:00Z (in 2 d)",
    )
    over = replace(PLAIN, awaited={})
    assert story.standing(over) == "over at entry 4, not yet revealed"
    assert story.whose_turn(over) == ()
    reveal = Reveal(A, 9, A, A, {"winner": "bob"})
    assert story.standing(reveal) == "over: bob won"
    assert story.whose_turn(reveal) == ("The game is over: bob won.",)


def test_chapters_are_every_entry(finished: Table) -> None:
    """With its time and its public news; the reveal has no time of its own."""
    ledger = Ledger.read(finished.record)
    chapters = list(story.chapters(ledger))
    assert [one["step"] for one in chapters] == list(range(6))
    assert [one["title"] for one in chapters] == [
        story.title(link.entry) for link in ledger.links()
    ]
    assert chapters[5]["time"] is None
    assert chapters[4]["time"] == ledger.link(4).entry.time
    for one in chapters:
        events = ledger.link(one["step"]).entry.events
        assert one["news"] == [ledger.opening.game.news(event) for event in events]
    assert any(one["news"] for one in chapters)


def test_news_come_from_a_report_or_are_everybodys(finished: Table) -> None:
    """A player hears more than a stranger; of a ruling all hear what it is."""
    ledger = Ledger.read(finished.record)
    entry, told = ledger.link(4).entry, finished.report("bob", 4)
    public = story.heard(ledger.opening, entry)
    assert public == [ledger.opening.game.news(event) for event in entry.events]
    assert story.heard(ledger.opening, entry, told) == [
        ledger.opening.game.news(event) for event in told.events
    ]
    ruling = replace(entry, ruling=Ruling("snow"))
    assert story.heard(ledger.opening, ruling, told) == ["ruling: snow"]


def test_an_event_that_the_game_cannot_show_is_quoted(finished: Table) -> None:
    """A host can sign any event: an unknown kind, keys that lack or are of another type. Whoever
    tells of the entry says so in words, and goes on."""
    ledger = Ledger.read(finished.record)
    events = ({"kind": "earthquake"}, {"kind": "ping"}, {"kind": ["ping"]}, {"at": 7}, {})
    entry = replace(ledger.link(4).entry, events=events)
    told = story.heard(ledger.opening, entry)
    assert told[0] == "(an event that sugar-dog cannot show: {'kind': 'earthquake'})"
    assert all(line.startswith("(an event that sugar-dog cannot show: {") for line in told)
    assert len(told) == len(events)


def test_status_says_who_is_awaited(table: Table, finished: Table) -> None:
    """For programs: the same words as everywhere, and the head that an arbiter quotes."""
    told = story.status(table.host.ledger)
    assert (told["step"], told["state"], told["rules"]) == (0, "under way", "sugar-dog/1")
    assert list(told["awaited"]) == ["alice", "bob"]
    assert told["awaited"]["bob"] == {
        "for": "setup",
        "since": table.entry(0).time,
        "until": table.entry(0).awaited["bob"].until,
    }
    over = story.status(finished.host.ledger)
    assert (over["state"], over["awaited"]) == ("over: alice won", {})
    assert over["head"] == finished.host.last.digest


def test_a_seat_sees_its_own_board(table: Table) -> None:
    """For the last step it says who is awaited, for an earlier one it does not."""
    table.play({"alice": "start C4", "bob": "start C1"})
    seen = story.seen_by(table.seated("alice"), None)
    assert (seen.step, [view.player for view in seen.boards]) == (1, ["alice"])
    assert seen.awaited == story.whose_turn(table.entry(1), None, "alice")
    assert story.seen_by(table.seated("alice"), 0).awaited == ()
    assert list(seen.json()["views"]) == ["alice"]
    assert seen.json()["views"]["alice"]["alice"]["sub"] == "C4"
    lines = seen.lines()
    assert lines[0] == "After entry 1:"
    assert seen.lines(newest=True) == ["Sugar Dog, turn 1:", *lines[1:]]
    assert "As alice sees it:" in lines
    assert lines[-1] == seen.awaited[-1]
    assert seen.svg() == seen.opening.game.svg(seen.boards[0])


def test_a_game_under_way_shows_everybody_its_public_side(table: Table) -> None:
    """Under the name `*`, and nothing hidden; positions are refused."""
    table.play({"alice": "start C4", "bob": "start C1"})
    told = Story(table.host.ledger)
    seen = told.seen()
    assert [view.player for view in seen.boards] == [None]
    assert list(seen.json()["views"]) == ["*"]
    assert "C4" not in str(seen.json())
    assert "As everybody sees it:" in seen.lines()
    assert seen.state is None and "As it was:" not in seen.lines()
    with pytest.raises(Refused, match="positions show after the reveal") as caught:
        told.state(1)
    assert caught.value.word == "not-yet"


def test_a_revealed_game_shows_all_sides_of_any_step(finished: Table) -> None:
    """In any order; the reveal itself has no boards."""
    told = Story(Ledger.read(finished.record))
    assert told.last == 4
    for step in (3, 0, 4, 1):
        boards = told.seen(step).boards
        assert [view.player for view in boards] == ["alice", "bob"]
        assert told.seen(step).state == told.state(step)
        if step:
            assert boards[1] == finished.report("bob", step).view
    assert told.seen().awaited == ("The game is over: alice won.",)
    opening = told.ledger.opening
    assert told.seen(3).svg() == opening.game.svg_whole(told.state(3))
    assert "As it was:" in told.seen(3).lines()
    for step in (-1, 5, 99):
        with pytest.raises(Refused, match=f"there is no entry {step} to show") as caught:
            told.seen(step)
        assert (caught.value.word, caught.value.hint) == ("missing", "the last is 4")


def test_a_game_is_replayed_once(finished: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often and in which order it is looked at."""
    from adjudicator.core import engine

    counted = []
    real = engine.adjudicate
    monkeypatch.setattr(engine, "adjudicate", lambda *a: counted.append(a) or real(*a))
    told = Story(Ledger.read(finished.record))
    for step in (2, 4, 1, 4, 3):
        told.seen(step)
    assert len(counted) == 4


def test_a_step_that_was_adjudicated_otherwise_is_not_shown(finished: Table) -> None:
    """An order file that is not the one signed: refused, and steps before it are shown."""
    held = finished.held()
    path = names.opened_order(2, "alice")
    held[path] = held[path].replace(b"fire S", b"fire N")
    told = Story(Ledger.read(MemoryFiles(held)))
    assert told.seen(1).step == 1
    with pytest.raises(Refused, match="is not the order file that its slip signs"):
        told.seen(3)


def test_the_public_view_is_the_entry_s(finished: Table) -> None:
    """For genesis it is that of the setup."""
    ledger = Ledger.read(finished.record)
    opening, game = ledger.opening, ledger.opening.game
    begun = game.view(game.start(opening.setup), None)
    assert story.view_of(opening, ledger.link(0).entry) == begun
    told = Story(ledger)
    for step in range(1, 5):
        view = story.view_of(opening, ledger.link(step).entry)
        assert view == game.view(told.state(step), None)
