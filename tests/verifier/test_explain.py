"""One step made again: state and reports as reckoned, whatever came before it."""

from __future__ import annotations

from typing import Any

import pytest
from replacing import replace
from verifier.forger import Forger

from adjudicator.core.ledger import Ledger
from adjudicator.core.source import MemoryFiles
from adjudicator.verifier.second_adjudication import explain
from orders import names
from orders.errors import Refused
from orders.fields import digest

Table = Any


def test_a_step_is_as_its_entry_names_it(finished: Table) -> None:
    """State and every report, byte for byte; nothing differs."""
    ledger = Ledger.read(finished.record)
    for step in range(1, 5):
        told, entry = explain(ledger, step), ledger.link(step).entry
        assert told.differs == ""
        assert digest(told.state) == entry.state
        assert {name: digest(data) for name, data in told.reports.items()} == {
            name: one.digest for name, one in entry.reports.items()
        }


@pytest.mark.parametrize("step", [-1, 0, 5, 6])
def test_only_adjudications_are_explained(finished: Table, step: int) -> None:
    """Neither genesis nor the reveal; the refusal says which there are."""
    with pytest.raises(Refused) as caught:
        explain(Ledger.read(finished.record), step)
    assert str(caught.value) == f"missing: entry {step} holds no adjudication"
    assert caught.value.hint == "there are 1 to 4"


def test_nothing_is_explained_before_the_reveal(table: Table) -> None:
    """Nobody but the host could."""
    table.play({"alice": "start C4", "bob": "start C1"})
    with pytest.raises(Refused, match="not-yet: positions show after the reveal"):
        explain(Ledger.read(table.record), 1)


def test_a_false_entry_is_told_beside_the_right_one(forged: Forger) -> None:
    """How it differs, and what it should have been; the entries after it are told too."""
    right = explain(Ledger.read(MemoryFiles(forged.held)), 2)
    reports = dict(forged.entry(2).reports)
    forged.change_entry(2, reports={**reports, "bob": replace(reports["bob"], digest="ab" * 32)})
    told = explain(Ledger.read(MemoryFiles(forged.held)), 2)
    assert told.differs.startswith("entries/0002.toml: the report of bob is abab")
    assert (told.state, told.reports) == (right.state, right.reports)
    assert explain(Ledger.read(MemoryFiles(forged.held)), 3).reports


def test_what_cannot_be_played_is_passed_over(forged: Forger) -> None:
    """A step whose orders are not there ends what starts from it, with the reason."""
    del forged.held[names.opened_order(2, "alice")]
    ledger = Ledger.read(MemoryFiles(forged.held))
    assert explain(ledger, 1).differs == ""
    with pytest.raises(Refused, match=r"orders/0002-alice\.txt is not there"):
        explain(ledger, 2)
    with pytest.raises(Refused, match=r"entries/0002\.toml: its position could not be made again"):
        explain(ledger, 3)
