"""A record adjudicated again: positions made once more, and how an entry differs from them."""

from __future__ import annotations

from typing import Any

import pytest
from replacing import replace

from adjudicator.core import engine, intake, replay
from adjudicator.core.engine import AcceptedOrder, NextEntry
from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.replay import Replay, difference
from adjudicator.core.source import MemoryFiles
from games.game import Step
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


# From orders to the next entry: the host's own entries come out again, byte for byte.


def taken(finished: Table, ledger: Ledger, step: int, state: Any) -> dict[str, AcceptedOrder]:
    """The orders that an entry used, as the game reads them."""
    link, opening = ledger.link(step), ledger.opening
    found = {}
    for player in link.slips:
        data = ledger.source.read(names.opened_order(step, player))
        read = intake.read_orders(opening, data, opening.game.view(state, player))
        used = link.entry.slips[player]
        found[player] = AcceptedOrder(used.digest, used.received, read)
    return found


@pytest.fixture(scope="module")
def made(finished: Table, ledger: Ledger) -> list[NextEntry]:
    """Entries 1 to 4, made again, one after the other."""
    game = finished.host.game
    dice = game.dice(intake.nonces(ledger.link(1)))
    found: list[NextEntry] = []
    state = ledger.opening.game.start(ledger.opening.setup)
    for step in range(1, 5):
        link = ledger.link(step)
        used = taken(finished, ledger, step, state)
        before, time = ledger.link(step - 1), str(link.entry.time)
        found.append(engine.adjudicate(game, dice, before, state, used, time, link.entry.press))
        state = found[-1].state
    return found


@pytest.mark.parametrize("mute", [True, False])
def test_the_end_is_told_where_the_rules_do_not(
    finished: Table, ledger: Ledger, made: list[NextEntry], mute: bool
) -> None:
    """`over` is added as the last event of the game, unless the rules have told it themselves."""
    unlocked = finished.host.game
    rules = type(unlocked.opening.game)

    class Mute(rules):  # type: ignore[misc, valid-type]
        """The same game, which tells nobody how it ended."""

        def adjudicate(self, *given: Any) -> Step[Any]:
            step = super().adjudicate(*given)
            kept = [event for event in step.events if not mute or event.kind != "over"]
            return step._replace(events=(*kept,))

    offer = replace(unlocked.opening.offer, game=Mute())
    game = replace(unlocked, opening=replace(unlocked.opening, offer=offer))
    for step in (3, 4):
        link, state = ledger.link(step), made[step - 2].state
        used = taken(finished, ledger, step, state)
        dice, time = game.dice(intake.nonces(ledger.link(1))), str(link.entry.time)
        again = engine.adjudicate(game, dice, ledger.link(step - 1), state, used, time)
        assert [event["kind"] == "over" for event in again.entry.events][-1:] == [step == 4]
        assert sum(event["kind"] == "over" for event in again.entry.events) == (step == 4)
    assert again.entry.events[-1] == {"kind": "over", "winner": "alice"}
