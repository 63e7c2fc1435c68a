"""`show --deduced`: what a seat can work out, through rulings, gaps and lies."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.core import deadlines
from adjudicator.words.deduced import lines, worked_out
from games.game import Deductions
from games.sugar_dog.game import SugarDog
from orders import names
from orders.entries import Ruling
from orders.errors import Refused

Table = Any


@pytest.fixture
def under_way(table: Table) -> Table:
    """Alice goes first; Bob lays a mine, then cruises."""
    return table.play(
        {"alice": "start A1", "bob": "start C3"},
        {"alice": "silent"},
        {"bob": "mine"},
        {"alice": "silent"},
        {"bob": "cruise C4"},
    )


def told(table: Table, step: int, name: str = "alice") -> Deductions:
    return worked_out(table.seated(name), step)


def test_it_is_worked_out_report_by_report(under_way: Table) -> None:
    """As it was after each step, and from that player's reports alone."""
    assert len(told(under_way, 0).may) == 0
    assert len(told(under_way, 1).may["bob's submarine"]) == 36
    assert told(under_way, 3).may["bob's mines left"] == (2, 3)
    last = told(under_way, 5)
    assert last.may["bob's submarine"] == ("C4",)
    assert last.notes == ("last turn: Contact in C4, by bob, and no further.",)
    assert len(told(under_way, 5, "bob").may["alice's submarine"]) == 35


def test_what_a_ruling_annulled_was_never_heard(under_way: Table) -> None:
    """The game goes back, and so does what was worked out; then it goes on from there."""
    under_way.rule(Ruling("misread", annuls=5))
    back = told(under_way, 6)
    assert (back.may, back.notes) == (told(under_way, 4).may, told(under_way, 4).notes)
    under_way.play({"bob": "ping"})
    assert told(under_way, 7).may["bob's submarine"] == ("C3",)


def test_a_ruling_that_moves_deadlines_tells_nothing(under_way: Table) -> None:
    """All stays as it was."""
    under_way.clock.skip(2 * 86400)
    until = deadlines.add(under_way.clock.now(), 2 * 86400)
    under_way.rule(Ruling("snow"), until)
    assert told(under_way, 6).may == told(under_way, 5).may


def test_nothing_before_a_lost_report_is_counted_on(under_way: Table) -> None:
    """What was missed may have moved anything; the last report alone is not enough."""
    seated = under_way.seated("alice")
    (seated.copy.root / names.report(3, "alice")).unlink()
    after = worked_out(seated, 5)
    assert after.may == {}
    assert after.notes[0].startswith("your report of entry 3 is not here")
    assert worked_out(seated, 2).may != {}


def test_a_report_that_the_game_can_make_nothing_of_is_refused(
    under_way: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lying host breaks no tool: whatever the game raises is one line."""

    def fail(*given: Any) -> Deductions:
        raise KeyError("sub")

    monkeypatch.setattr(SugarDog, "deduced", fail)
    with pytest.raises(Refused, match="can make nothing of what the host sent") as refused:
        told(under_way, 1)
    assert refused.value.word == "reports"


def test_in_words() -> None:
    """Numbers as a span, lists with `or` between them, one value plain, and notes below."""
    found = Deductions(
        {
            "bob's submarine": ("A1", "B2"),
            "bob's points": (3, 4, 5, 6),
            "w's HP": (5,),
            "bob's torpedoes": ([], ["C1 S", "D4 E"]),
        },
        ("last turn: bob: ping from C3",),
    )
    assert list(lines("alice", found)) == [
        "What alice can work out:",
        "  bob's submarine (2 possible): A1, B2",
        "  bob's points (4 possible): 3 to 6",
        "  w's HP: 5",
        "  bob's torpedoes (2 possible): none or C1 S, D4 E",
        "  last turn: bob: ping from C3",
    ]
    assert list(lines("alice", Deductions())) == ["What alice can work out:", "  nothing"]
