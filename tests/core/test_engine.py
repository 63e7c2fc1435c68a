"""From orders to the next entry: the host's own entries come out again, byte for byte."""

from __future__ import annotations

from typing import Any

import pytest
from replacing import replace

from adjudicator.core import engine, intake, orders
from adjudicator.core.deadlines import Clocks
from adjudicator.core.engine import Accepted, Made
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import Held
from games.game import Step
from orders import names
from orders.entries import Reveal, Ruling
from orders.fields import digest
from orders.sealing import Place

Table = Any


@pytest.fixture(scope="module")
def ledger(finished: Table) -> Ledger:
    """The finished game."""
    return Ledger.read(Held(finished.held()))


def taken(finished: Table, ledger: Ledger, step: int, state: Any) -> dict[str, Accepted]:
    """The orders that an entry used, as the game reads them."""
    link, opening = ledger.link(step), ledger.opening
    found = {}
    for player, slip in link.slips.items():
        data = ledger.source.read(names.opened_order(step, player))
        read = orders.read(opening, slip, data, opening.game.view(state, player))
        used = link.entry.slips[player]
        found[player] = Accepted(used.digest, used.received, read)
    return found


@pytest.fixture(scope="module")
def made(finished: Table, ledger: Ledger) -> list[Made]:
    """Entries 1 to 4, made again, one after the other."""
    game = finished.host.game
    dice = game.dice(intake.nonces(ledger.link(1)))
    found: list[Made] = []
    state = ledger.opening.game.start(ledger.opening.setup)
    for step in range(1, 5):
        link = ledger.link(step)
        used = taken(finished, ledger, step, state)
        before, time = ledger.link(step - 1), str(link.entry.time)
        found.append(engine.adjudicate(game, dice, before, state, used, time, link.entry.press))
        state = found[-1].state
    return found


def test_a_game_s_entries_are_made_again(ledger: Ledger, made: list[Made]) -> None:
    """Genesis, every adjudication, the reveal."""
    opening = ledger.opening
    by, time = opening.genesis.engine, opening.genesis.time
    genesis = engine.genesis(opening.offer, opening.setup, opening.genesis.joins, time, by)
    assert genesis.render() == ledger.link(0).data
    assert [one.entry.render() for one in made] == [ledger.link(n).data for n in range(1, 5)]


def test_the_reveal_follows_from_the_last_entry(
    finished: Table, ledger: Ledger, made: list[Made]
) -> None:
    """The master, the outcome, and what comes before it."""
    reveal = engine.reveal(finished.host.game, ledger.link(4), made[-1].state)
    assert isinstance(reveal, Reveal)
    assert reveal.render() == ledger.link(5).data
    assert engine.outcome(ledger.opening, ledger.link(3), made[2].state) == {}


def test_what_is_made_hangs_together(finished: Table, ledger: Ledger, made: list[Made]) -> None:
    """Digests in the entry are of the files made; each report opens for its player alone."""
    one, opening = made[1], ledger.opening
    assert digest(one.state_file) == one.entry.state
    for player, data in one.reports.items():
        told = one.entry.reports[player]
        assert (digest(data), digest(one.sealed[player])) == (told.digest, told.sealed)
        assert one.sealed[player] == finished.record.read(names.report(2, player))
        place = Place("report", opening.id, 2, player, 0, told.digest)
        shared = finished.seated(player).shared()
        assert shared.open(place, one.sealed[player], opening.sizes.report) == data
    assert {len(sealed) for sealed in one.sealed.values()} == {len(one.sealed["bob"])}


def test_who_is_awaited_and_not_taken_is_missing(
    finished: Table, ledger: Ledger, made: list[Made]
) -> None:
    """In seat order; press is named as it was given."""
    game, dice = finished.host.game, finished.host.game.dice({})
    state = ledger.opening.game.start(ledger.opening.setup)
    used = taken(finished, ledger, 1, state)
    time, press = str(ledger.link(1).entry.time), ("ab" * 32,)
    none = engine.adjudicate(game, dice, ledger.link(0), state, {}, time, press).entry
    assert (none.missing, dict(none.slips), none.press) == (("alice", "bob"), {}, press)
    one = {"bob": used["bob"]}
    half = engine.adjudicate(game, dice, ledger.link(0), state, one, time).entry
    assert (half.missing, list(half.slips)) == (("alice",), ["bob"])
    other = {**one, "alice": used["alice"]}
    both = engine.adjudicate(game, dice, ledger.link(0), state, other, time).entry
    assert (both.missing, list(both.slips)) == ((), ["alice", "bob"])


def test_a_ruling_leaves_the_position(finished: Table, ledger: Ledger, made: list[Made]) -> None:
    """With the clocks that it is given; no events, and a report of the same view all the same."""
    link = ledger.link(2)
    ruling, time = Ruling("snow"), "2026-01-03T00:00:00Z"
    again = engine.rule(
        finished.host.game, link, made[1].state, ruling, link.clocks, time,
        joins=link.joins, slips={},
    )  # fmt: skip
    entry = again.entry
    assert (entry.step, entry.prev, entry.time, entry.ruling) == (3, link.digest, time, ruling)
    assert (entry.events, entry.missing, dict(entry.slips)) == ((), (), {})
    assert (dict(entry.awaited), entry.view) == (dict(link.entry.awaited), link.entry.view)
    assert again.state == made[1].state
    assert again.reports["bob"] != made[1].reports["bob"]
    abandoned = replace(link, entry=replace(entry, ruling=Ruling("x", abandons=True)))
    assert engine.outcome(ledger.opening, abandoned, made[1].state) == {"abandoned": True}


@pytest.mark.parametrize("mute", [True, False])
def test_the_end_is_told_where_the_rules_do_not(
    finished: Table, ledger: Ledger, made: list[Made], mute: bool
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


def test_prompts_are_what_each_is_awaited_for(ledger: Ledger, made: list[Made]) -> None:
    """In seat order; nobody where the game is over."""
    game = ledger.opening.game
    assert list(engine.prompts(game, game.start(ledger.opening.setup)).items()) == [
        ("alice", "setup"), ("bob", "setup"),
    ]  # fmt: skip
    assert list(engine.prompts(game, made[0].state)) == ["alice"]
    assert engine.prompts(game, made[3].state) == {}
    assert made[3].entry.awaited == Clocks({}, {}).awaited
