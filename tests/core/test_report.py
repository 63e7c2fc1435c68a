"""One report: made, sealed, opened and checked; and what no honest host sends."""

from __future__ import annotations

from typing import Any

import pytest

import games
from adjudicator.core import report
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import MemoryFiles
from games.game import Event, Sizes
from orders import canonical, names
from orders.errors import Refused
from orders.fields import digest
from orders.sealing import room, sealed_size

Table = Any

SALT = "ab" * 32


@pytest.fixture(scope="module")
def ledger(finished: Table) -> Ledger:
    """The finished game."""
    return Ledger.read(MemoryFiles(finished.held()))


@pytest.fixture
def data(finished: Table, ledger: Ledger) -> bytes:
    """Bob's report of entry 3, opened."""
    sealed = finished.record.read(names.report(3, "bob"))
    shared = finished.seated("bob").shared()
    return report.unseal(ledger.opening, shared, ledger.link(3).entry, "bob", sealed)


def read(ledger: Ledger, data: bytes) -> report.Report:
    """As Bob's report of entry 3."""
    return report.read(ledger.opening, ledger.link(3).entry, "bob", data)


def test_a_report_is_what_it_was_made_of(finished: Table, ledger: Ledger, data: bytes) -> None:
    """View and events come back, one's own too; the file is kept as it was hashed."""
    got = read(ledger, data)
    assert (got.step, got.data) == (3, data)
    assert got.view == finished.report("bob", 3).view
    assert digest(data) == ledger.link(3).entry.reports["bob"].digest
    heard = [dict(event) for event in got.events]
    assert heard
    assert [event for event in heard if event.get("for", "*") == "*"] == [
        {"for": "*", **event} for event in ledger.link(3).entry.events
    ]
    own = [event for event in finished.report("alice", 1).events if event["for"] != "*"]
    assert [dict(event) for event in own] == [{"for": "alice", "kind": "started", "at": "C4"}]


def test_a_report_fits_to_the_byte(finished: Table, ledger: Ledger) -> None:
    """What is one byte longer is not adjudicated."""
    shared, most = finished.seated("bob").shared(), room(ledger.opening.sizes.report)
    report.seal(ledger.opening, shared, 3, "bob", bytes(most))
    with pytest.raises(Refused, match=f"has {most + 1} bytes"):
        report.seal(ledger.opening, shared, 3, "bob", bytes(most + 1))


def test_a_report_is_salted_and_for_one_player(ledger: Ledger, data: bytes) -> None:
    """The same view has another file with another salt; private events are its reader's own."""
    opening, view = ledger.opening, read(ledger, data).view
    events = (Event("a", "bob", {"n": 1}), Event("b", "alice", {"n": 2}))
    made = report.make(opening.id, 3, SALT, view, events)
    values = canonical.loads(made)
    assert (values["game"], values["step"], values["player"], values["salt"]) == (
        opening.id, 3, "bob", SALT,
    )  # fmt: skip
    assert values["view"] == dict(view.shown)
    assert b'"b"' not in made
    assert report.make(opening.id, 3, "cd" * 32, view, events) != made


def test_a_report_opens_for_its_player_and_step(
    finished: Table, ledger: Ledger, data: bytes
) -> None:
    """Sealed to one size; under another entry, player, key or content it is unopenable."""
    opening, shared = ledger.opening, finished.seated("bob").shared()
    sealed = report.seal(opening, shared, 3, "bob", data)
    assert sealed == finished.record.read(names.report(3, "bob"))
    assert len(sealed) == sealed_size(opening.sizes.report)
    entry = ledger.link(3).entry
    for wrong in (
        (shared, ledger.link(2).entry, "bob", sealed),
        (shared, entry, "alice", sealed),
        (finished.seated("alice").shared(), entry, "bob", sealed),
        (shared, entry, "bob", sealed[:-1]),
    ):
        with pytest.raises(Refused) as caught:
            report.unseal(opening, *wrong)
        assert caught.value.word == "unopenable"
        assert caught.value.message.startswith("reports/000")


def test_a_report_that_does_not_fit_is_not_sealed(finished: Table, ledger: Ledger) -> None:
    """Its size is its game's, whatever it holds."""
    shared, long = finished.seated("bob").shared(), b"x" * ledger.opening.sizes.report
    with pytest.raises(Refused, match="sugar-dog/1: the report of bob for step 3 has 2048 bytes"):
        report.seal(ledger.opening, shared, 3, "bob", long)


def test_what_no_honest_host_sends_is_refused(ledger: Ledger, data: bytes) -> None:
    """Keys, names, a view that is none or not the public one; each says what it found."""
    values = canonical.loads(data)
    for changes, said in (
        ({"more": 1}, "a report has the keys events, game, player"),
        ({"game": "0" * 64}, "game is '0000"),
        ({"step": 4}, "step is 4, expected 3"),
        ({"player": "alice"}, "player is 'alice', expected 'bob'"),
        ({"view": [1]}, "the view is no table"),
        ({"view": {}}, "sugar-dog cannot show what the host sent"),
        ({"events": [{"for": "bob", "kind": "x\ny"}]}, "holds a line feed"),
        ({"events": [["nobody"]]}, "expected pairs of a place and an event with its kind"),
        ({"events": "none"}, "events: expected a list"),
        ({"events": [[99, {"kind": "found"}]]}, "place 99: expected places from 0 to"),
        ({"events": [[-1, {"kind": "found"}]]}, "place -1: expected places from 0 to"),
        ({"events": [[0, {"kind": "found", "for": "alice"}]]}, "an event names its audience"),
        ({"view": {**values["view"], "turn": "bob"}}, "the entry's public view"),
    ):
        with pytest.raises(Refused, match=said) as caught:
            read(ledger, canonical.dumps({**values, **changes}))
        assert caught.value.word == "reports"
        assert caught.value.message.startswith("reports/0003-bob.sealed: ")
    del values["salt"]
    with pytest.raises(Refused, match="a report has the keys"):
        read(ledger, canonical.dumps(values))
    for rubbish in (b"", b"{}", b"[]", data + b" ", b"\xff"):
        with pytest.raises(Refused):
            read(ledger, rubbish)


def test_news_that_cannot_be_printed_are_refused(
    ledger: Ledger, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the game makes of the host's words, no escape comes to a terminal."""
    game = ledger.opening.game
    for sentence, shown in (("\x1b[2J", r"'\\x1b\[2J'"), ("\u00e9", r"'\\xe9'")):
        monkeypatch.setattr(type(game), "news", lambda self, event, sentence=sentence: sentence)
        with pytest.raises(
            Refused, match=f"^reports: .*an event reads {shown}: expected one plain line"
        ):
            read(ledger, data)


def test_a_list_of_the_keys_is_no_report(ledger: Ledger) -> None:
    """A report is a table."""
    keys: Any = ["events", "game", "player", "salt", "step", "view"]
    with pytest.raises(Refused, match="a report has the keys events, game"):
        read(ledger, canonical.dumps(keys))


def test_what_does_not_fit_is_refused_and_nothing_is_written(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that tells more in a step than its size has room for: in words that name the game, the
    report and the size. No entry is made, nothing is cut, and with room the same step goes on."""
    table.play({"alice": "start C4", "bob": "start C1"})
    table.submit("alice", "ping")
    game = table.host.ledger.opening.game
    before = table.held()
    with monkeypatch.context() as longer:
        adjudicate = game.adjudicate

        def much(*given: Any) -> Any:
            step = adjudicate(*given)
            heard = Event("moved", "alice", {"to": "A1"})
            return step._replace(events=(*step.events, *[heard] * 100))

        longer.setattr(type(game), "adjudicate", staticmethod(much))
        with pytest.raises(Refused) as caught:
            table.host.advance()
    assert caught.value.word == "too-big"
    assert "sugar-dog/1: the report of alice for step 2 has " in caught.value.message
    assert "sealed reports of 2048 bytes have room for 2044" in caught.value.message
    assert "`sizes` of sugar-dog is too small" in caught.value.hint
    assert table.held() == before
    assert table.advance() == (2,)


def test_a_table_of_sizes_has_a_row_for_each_number() -> None:
    """The first row that is not below the players; 4,096 where an author says nothing."""
    game = games.load("sugar-dog")
    assert [game.sizes_for(count).report for count in (2, 4, 5, 8, 9, 16, 17, 26)] == [
        2_048, 2_048, 3_072, 3_072, 6_144, 6_144, 9_216, 9_216,
    ]  # fmt: skip
    assert game.sizes_for(27) == Sizes(4_096, 4_096)
