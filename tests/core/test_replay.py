"""A record adjudicated again: positions made once more, and how an entry differs from them."""

from __future__ import annotations

from typing import Any

import pytest
from replacing import replace

from adjudicator.core import replay
from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.replay import Replay, difference
from adjudicator.core.source import MemoryFiles
from orders import names
from orders.entries import Entry
from orders.errors import Missing, Refused

Table = Any


@pytest.fixture(scope="module")
def ledger(finished: Table) -> Ledger:
    """The finished game."""
    return Ledger.read(MemoryFiles(finished.held()))


@pytest.fixture
def again(finished: Table, ledger: Ledger) -> Replay:
    """Its positions, from the opened order files."""
    return Replay(finished.host.game, ledger.link(0), replay.opened(ledger.source))


def with_entry(link: Link, **values: Any) -> Link:
    """A link whose entry holds other values."""
    assert isinstance(link.entry, Entry)
    entry = replace(link.entry, **values)
    return replace(link, entry=entry, data=entry.render())


def test_an_opened_file_is_the_one_that_was_signed(ledger: Ledger) -> None:
    """Another one is refused, against the claim of orders; no file at all is `missing`."""
    link = ledger.link(2)
    slip, path = link.slips["alice"], names.opened_order(2, "alice")
    with pytest.raises(Refused, match="is not the order file that its slip signs") as caught:
        replay.opened(MemoryFiles({path: b"x"}))(link, slip)
    assert (caught.value.word, caught.value.claim) == ("unopenable", "orders")
    with pytest.raises(Missing, match=path):
        replay.opened(MemoryFiles({}))(link, slip)


def test_a_position_that_could_not_be_made_again_is_named(again: Replay) -> None:
    """By its entry; against the claim of the replay."""
    with pytest.raises(Refused, match=r"^replay: entries/0001\.toml: its position") as caught:
        again.state(1)
    assert caught.value.claim == "replay"


def test_a_sealed_file_that_does_not_open_is_named(finished: Table, ledger: Ledger) -> None:
    """By its path."""
    link, path = ledger.link(2), names.sealed_order(2, "alice")
    read = replay.sealed(finished.host.game, MemoryFiles({path: b"x"}))
    with pytest.raises(Refused, match=f"{path}: ") as caught:
        read(link, link.slips["alice"])
    assert caught.value.word == "unopenable"


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
    assert (fault.word, fault.claim) == ("reports", "replay")
    assert f"the {said} of bob is {'ab' * 8}, replayed " in fault.message
    both = difference(with_entry(ledger.link(1), reports=reports, state="cd" * 32), made)
    assert both is not None
    assert both.word == "replay"
