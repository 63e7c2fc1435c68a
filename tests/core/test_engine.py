"""From orders to the next entry: the host's own entries come out again, byte for byte."""

from __future__ import annotations

from typing import Any

import pytest
from replacing import replace

from adjudicator.core import engine, intake, orders
from adjudicator.core.engine import AcceptedOrder, NextEntry
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import MemoryFiles
from games.game import Step
from orders import names

Table = Any


@pytest.fixture(scope="module")
def ledger(finished: Table) -> Ledger:
    """The finished game."""
    return Ledger.read(MemoryFiles(finished.held()))


def taken(finished: Table, ledger: Ledger, step: int, state: Any) -> dict[str, AcceptedOrder]:
    """The orders that an entry used, as the game reads them."""
    link, opening = ledger.link(step), ledger.opening
    found = {}
    for player in link.slips:
        data = ledger.source.read(names.opened_order(step, player))
        read = orders.read(opening, data, opening.game.view(state, player))
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
