"""A revealed game adjudicated again: what it bears out, and what it finds false."""

from __future__ import annotations

from typing import Any

import pytest
from replacing import replace
from verifier.forger import Forger

from adjudicator.core.ledger import Ledger
from adjudicator.core.replay import Replay
from adjudicator.core.source import MemoryFiles
from adjudicator.verifier.claims import Inquiry
from adjudicator.verifier.second_adjudication import SecondAdjudication, explain
from orders import names
from orders.entries import Ruling
from orders.errors import Refused
from orders.fields import digest

Table = Any


def run(
    held: dict[str, bytes],
) -> tuple[Inquiry, SecondAdjudication, Replay | None, list[tuple[int, int]]]:
    """What is found of these files, the positions, and how progress was told."""
    ledger, found = Ledger.read(MemoryFiles(held)), Inquiry()
    again = SecondAdjudication(found, ledger, ledger.links())
    told: list[tuple[int, int]] = []
    replay = again.run(lambda done, of: told.append((done, of)))
    return found, again, replay, told


def test_a_false_entry_stops_what_goes_on_from_it(forged: Forger) -> None:
    """It is named, and entries whose players acted on it are not judged."""
    forged.change_entry(2, state="ab" * 32)
    forged.change_entry(3, view='{"n":1}')
    found, again, replay, _ = run(forged.held)
    assert [one.claim for one in found.faults] == ["replay"]
    assert list(again.wrong) == [2]
    assert again.wrong[2].startswith("entries/0002.toml: state: 'abab")
    assert replay is None
    assert set(found.held) == {"dice"}


def test_only_what_came_out_right_is_counted(table: Table) -> None:
    """Neither an annulled entry that is wrong, nor those that go on from it."""
    table.play({"alice": "start C4", "bob": "start C1"}, {"alice": "fire S"}, {"bob": "silent"})
    table.rule(Ruling("misread", annuls=2))
    table.play({"alice": "resign"})
    forged = Forger.of(table)
    forged.change_entry(2, state="ab" * 32)
    found, again, replay, _ = run(forged.held)
    assert (found.faults, replay is None) == ([], False)
    assert (list(again.wrong), again.unjudged) == ([2], {3})
    assert found.held["orders"][1] == "3 orders"
    assert found.held["replay"] == (
        "4 turns and 1 ruling played again: the same to the byte but for 2 entries that a ruling "
        "annuls; 6 reports told what they had to",
        "4 turns and 1 ruling played again",
    )


def test_a_false_report_leaves_the_position(forged: Forger) -> None:
    """Then the next entries are judged as well."""
    for step in (2, 3):
        reports = dict(forged.entry(step).reports)
        reports["bob"] = replace(reports["bob"], digest=f"{step}b" * 32)
        forged.change_entry(step, reports=reports)
    found, again, _, _ = run(forged.held)
    assert [one.claim for one in found.faults] == ["replay", "replay"]
    assert list(again.wrong) == [2, 3]


def test_an_entry_is_judged_only_with_all_its_orders(forged: Forger) -> None:
    """One order file was never legal and another is missing: no order of the entry is judged."""
    salt, file = forged.order_file(1, "alice")
    forged.change_order(1, "alice", replace(file, orders=("silent",)).render(salt))
    path = names.opened_order(1, "bob")
    del forged.held[path]
    found, again, _, _ = run(forged.held)
    assert (found.faults, again.wrong, found.lacks) == ([], {}, [f"{path} is not there"])


def test_a_missing_nonce_is_named(table: Table) -> None:
    """Whose it was."""
    quiet = table.copy(table.root.parent / "quiet")
    quiet.play({"alice": "start A1"}, {"alice": "resign"})
    found, _, _, _ = run(quiet.held())
    assert found.held["dice"][0].startswith("bob missed entry 1 and added nothing")
    assert found.looks == []


def test_a_seed_that_was_thrown_away_is_told(table: Table) -> None:
    """Of a game that was abandoned before its first lot, with the nonces that its ruling lists."""
    table.submit("bob", "start C1")
    table.rule(Ruling("nobody came", abandons=True))
    found, _, replay, _ = run(table.held())
    nonces = [None, table.seat("bob").secret.nonce]
    seed = table.host.game.master.seed(nonces, table.host.opening.id).hex()
    assert found.held["dice"] == ("none was thrown", "dice")
    assert found.notes["dice"] == [f"the seed that was thrown away is {seed}"]
    assert found.held["orders"][1] == "0 orders"
    assert replay is not None


def test_a_master_that_is_another_is_no_master(forged: Forger, monkeypatch: Any) -> None:
    """The chain finds it first; where it did not, nothing would be played with it."""
    from adjudicator.verifier import second_adjudication as module

    def refuse(*given: Any) -> Any:
        raise Refused("bad-key", "another master")

    monkeypatch.setattr(module, "revealed", refuse)
    found, _, replay, _ = run(forged.held)
    assert ([one[:2] for one in found.faults], replay) == ([("entries", "another master")], None)
    assert found.held == {}


# One step made again: state and reports as reckoned, whatever came before it.


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
    assert str(caught.value) == f"missing: no step was played in entry {step}"
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
