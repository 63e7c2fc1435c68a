"""A revealed game adjudicated again: what it bears out, and what it finds false."""

from __future__ import annotations

from typing import Any

from replacing import replace
from verifier.forger import Forger

from adjudicator.core.ledger import Ledger
from adjudicator.core.replay import Replay
from adjudicator.core.source import MemoryFiles
from adjudicator.verifier.claims import Inquiry
from adjudicator.verifier.second_adjudication import SecondAdjudication
from orders import names
from orders.entries import Ruling
from orders.errors import Refused

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
