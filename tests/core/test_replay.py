"""A record adjudicated again: positions made once more, and how an entry differs from them."""

from __future__ import annotations

from typing import Any

import pytest
from replacing import replace

from adjudicator.core import replay
from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.replay import Replay, difference
from adjudicator.core.source import Held
from orders import names
from orders.entries import Entry, Ruling
from orders.errors import Missing, Refused

Table = Any


@pytest.fixture(scope="module")
def ledger(finished: Table) -> Ledger:
    """The finished game."""
    return Ledger.read(Held(finished.held()))


@pytest.fixture
def again(finished: Table, ledger: Ledger) -> Replay:
    """Its positions, from the opened order files."""
    return Replay(finished.host.game, ledger.link(0), replay.opened(ledger.source))


def with_entry(link: Link, **values: Any) -> Link:
    """A link whose entry holds other values."""
    assert isinstance(link.entry, Entry)
    entry = replace(link.entry, **values)
    return replace(link, entry=entry, data=entry.render())


def test_a_record_is_made_again(finished: Table, ledger: Ledger, again: Replay) -> None:
    """Every entry, byte for byte; each position can be asked for afterwards."""
    for step in range(1, 5):
        made = again.play(ledger.link(step))
        assert difference(ledger.link(step), made) is None
        assert list(again.states) == list(range(step + 1))
    game = ledger.opening.game
    for step in range(1, 5):
        view = game.view(again.state(step), "bob")
        assert view == finished.report("bob", step).view
    assert again.state(0) == game.start(ledger.opening.setup)


def test_sealed_files_give_the_same_orders_as_opened_ones(finished: Table, ledger: Ledger) -> None:
    """The host's record before the reveal, and everybody's after it."""
    game = finished.host.game
    sealed, opened = replay.sealed(game, ledger.source), replay.opened(ledger.source)
    for link in ledger.links():
        for slip in link.slips.values():
            assert sealed(link, slip) == opened(link, slip)


def test_an_opened_file_is_the_one_that_was_signed(ledger: Ledger) -> None:
    """Another one is refused, against the claim of orders; no file at all is `missing`."""
    link = ledger.link(2)
    slip, path = link.slips["alice"], names.opened_order(2, "alice")
    with pytest.raises(Refused, match="is not the order file that its slip signs") as caught:
        replay.opened(Held({path: b"x"}))(link, slip)
    assert (caught.value.word, caught.value.claim) == ("unopenable", "orders")
    with pytest.raises(Missing, match=path):
        replay.opened(Held({}))(link, slip)


def test_a_sealed_file_that_does_not_open_is_named(finished: Table, ledger: Ledger) -> None:
    """By its path."""
    link, path = ledger.link(2), names.sealed_order(2, "alice")
    read = replay.sealed(finished.host.game, Held({path: b"x"}))
    with pytest.raises(Refused, match=f"{path}: ") as caught:
        read(link, link.slips["alice"])
    assert caught.value.word == "unopenable"


def test_what_was_skipped_leaves_no_position(ledger: Ledger, again: Replay) -> None:
    """Nothing goes on from there, until a ruling goes back to before it."""
    again.skip(ledger.link(1))
    again.skip(ledger.link(1))
    assert (list(again.states), again.last.step) == ([0], 1)
    assert not again.follows(ledger.link(2))
    with pytest.raises(Refused, match=r"entries/0001\.toml: its position could not") as caught:
        again.play(ledger.link(2))
    assert (caught.value.word, caught.value.claim) == ("replay", "replay")
    back = with_entry(ledger.link(2), ruling=Ruling("x", annuls=1), missing=(), events=(), slips={})
    assert again.follows(back)


def test_a_position_that_is_given_up_is_lost(ledger: Ledger, again: Replay) -> None:
    """The positions before it are kept."""
    for step in (1, 2):
        again.play(ledger.link(step))
    again.lose(2)
    assert not again.follows(ledger.link(3))
    assert again.state(1) is not None
    with pytest.raises(Refused, match="could not be made again"):
        again.state(2)


def test_a_ruling_goes_on_from_before_what_it_annuls(ledger: Ledger, again: Replay) -> None:
    """Its own entry is made of that position."""
    for step in (1, 2):
        again.play(ledger.link(step))
    link = ledger.link(3)
    back = replace(
        with_entry(link, ruling=Ruling("x", annuls=2), missing=(), events=(), slips={}), slips={}
    )
    made = again.play(back)
    assert made.state == again.state(1)
    assert made.entry.ruling == Ruling("x", annuls=2)
    moves = with_entry(link, ruling=Ruling("snow"), missing=(), events=(), slips={})
    other = Replay(again.game, ledger.link(0), again.files)
    for step in (1, 2):
        other.play(ledger.link(step))
    assert other.play(replace(moves, slips={})).state == other.state(2)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"state": "ab" * 32}, "state: 'abab"),
        ({"view": "{}"}, "view: '{}'; replayed: '{"),
        ({"events": ({"kind": "over"},)}, "events: ({'kind': 'over'},); replayed: ()"),
        ({"missing": ("bob",)}, "missing: ('bob',); replayed: ()"),
        ({"reserve": {"alice": 1, "bob": 1}}, "reserve: {'alice': 1, 'bob': 1}"),
    ],
)
def test_the_field_that_differs_is_named(
    ledger: Ledger, again: Replay, values: dict[str, Any], said: str
) -> None:
    """With what stands there and what was made."""
    made = again.play(ledger.link(1))
    fault = difference(with_entry(ledger.link(1), **values), made)
    assert fault is not None
    assert (fault.word, fault.claim) == ("replay", "replay")
    assert fault.message.startswith(f"entries/0001.toml: {said}")


@pytest.mark.parametrize(("what", "said"), [("digest", "report"), ("sealed", "sealed report")])
def test_a_report_is_blamed_where_the_position_is_right(
    ledger: Ledger, again: Replay, what: str, said: str
) -> None:
    """Where the position differs it is blamed: reports follow from it."""
    made = again.play(ledger.link(1))
    reports = dict(ledger.link(1).entry.reports)
    reports["bob"] = replace(reports["bob"], **{what: "ab" * 32})
    fault = difference(with_entry(ledger.link(1), reports=reports), made)
    assert fault is not None
    assert (fault.word, fault.claim) == ("reports", "reports")
    assert f"the {said} of bob is {'ab' * 8}, replayed " in fault.message
    both = difference(with_entry(ledger.link(1), reports=reports, state="cd" * 32), made)
    assert both is not None
    assert both.word == "replay"


def test_bytes_decide(ledger: Ledger, again: Replay) -> None:
    """Equal values whose tables stand in another order are another entry."""
    made = again.play(ledger.link(1))
    reserve = dict(reversed(ledger.link(1).entry.reserve.items()))
    fault = difference(with_entry(ledger.link(1), reserve=reserve), made)
    assert fault is not None
    assert "its tables are in another order than replayed" in fault.message
