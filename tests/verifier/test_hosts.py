"""One host's games side by side: abandoned ones are counted, shared masters found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from verifier.forger import Forger

from adjudicator.core.opening import read_offer
from adjudicator.core.source import MemoryFiles
from adjudicator.verifier import fork, hosts
from adjudicator.verifier.verify import verify
from orders import names
from orders.entries import Ruling

Table = Any


@pytest.fixture(scope="module")
def early(make_table: Any, begun: Table, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A game of the same host and another master, which was abandoned at once."""
    table = make_table(tmp_path_factory.mktemp("early") / "t", seed=b"\x08" * 32)
    table.signer = begun.signer
    table.begin()
    table.rule(Ruling("no time", abandons=True))
    return table


@pytest.fixture(scope="module")
def late(begun: Table, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A game that its host abandoned after its first adjudication."""
    table = begun.copy(tmp_path_factory.mktemp("late") / "t")
    table.play({"alice": "start C4", "bob": "start C1"})
    table.rule(Ruling("no time", abandons=True))
    return table


def test_a_game_in_reach_is_its_invite_and_its_end(
    finished: Table, begun: Table, early: Table, late: Table
) -> None:
    """Abandoned before the first adjudication, after it, or not at all."""
    for table, abandoned in ((finished, None), (begun, None), (early, True), (late, False)):
        found = hosts.look("friday", MemoryFiles(table.held()))
        assert found is not None
        assert (found.name, found.abandoned) == ("friday", abandoned)
        assert found.host == table.signer.public


def test_what_nobody_signed_tells_nothing(late: Table) -> None:
    """Neither an invite that does not hold, nor an end by another key: no host is accused."""
    held = late.held()
    assert hosts.look("x", MemoryFiles({})) is None
    assert hosts.look("x", MemoryFiles({**held, "invite.toml.sig": b"x"})) is None
    end = names.entry(3)
    forged = {**held, f"{end}.sig": late.keys["alice"].sign("adjudicator-entry", held[end])}
    found = hosts.look("x", MemoryFiles(forged))
    assert found is not None
    assert found.abandoned is None


def test_a_record_of_parts_accuses_nobody(finished: Table, early: Table, late: Table) -> None:
    """With an entry left out, one put in its place, or the end of another game of this host."""
    held, end, first = late.held(), names.entry(3), names.entry(1)
    ruling = early.record.read(first)
    others = {path: early.record.read(path) for path in early.record.paths() if "entries/" in path}
    ended = {path: data for path, data in finished.held().items() if "entries/" not in path}
    for parts in (
        {path: data for path, data in held.items() if path != first},
        {**held, first: ruling},
        {**finished.held(), "entries/0006.toml": held[end], "entries/0006.toml.sig": b""},
        {**finished.held(), "entries/0006.toml": held[end],
         "entries/0006.toml.sig": held[f"{end}.sig"]},
        {**ended, **others},
    ):  # fmt: skip
        found = hosts.look("x", MemoryFiles(parts))
        assert found is not None
        assert found.abandoned is None


def test_an_invite_is_told_of_its_host_s_other_games(
    finished: Table, early: Table, late: Table
) -> None:
    """How many were abandoned, of how many here, and which; its own record does not count."""
    own = read_offer(MemoryFiles(finished.held()))
    reach = [("own", MemoryFiles(finished.held()))]
    assert hosts.of_invite(own, reach) == []
    reach += [("early", MemoryFiles(early.held())), ("broken", MemoryFiles({}))]
    (line,) = hosts.of_invite(own, reach)
    assert line == (
        f"the host {finished.signer.public.fingerprint} has abandoned 1 of 1 games here, "
        "1 of them before the first adjudication: early"
    )


def test_several_records_are_counted_together(finished: Table, early: Table, late: Table) -> None:
    """Each game once, however often it lies there; nothing is said where nothing was abandoned."""
    assert together(finished.held(), finished.held()) == []
    (line,) = together(early.held(), early.held())
    assert line.endswith("has abandoned 1 of 1 games here, 1 of them before the first "
                         "adjudication: record 1")  # fmt: skip


def test_an_older_copy_hides_no_end(late: Table) -> None:
    """A copy from before the end, in either order, counts for the game that was abandoned."""
    ended = late.held()
    older = {path: data for path, data in ended.items() if not path.startswith("entries/0003")}
    for both in ((ended, older), (older, ended)):
        (line,) = together(*both)
        assert "has abandoned 1 of 1 games here: record" in line


def test_two_histories_of_one_game_are_told(table: Table, tmp_path: Path) -> None:
    """Each is what its host signed; together they prove that it lied. One that is merely longer
    contradicts nothing."""
    other = table.copy(tmp_path / "other")
    begun = table.held()
    table.play({"alice": "start C4", "bob": "start C1"})
    other.play({"alice": "start C4", "bob": "start C2"})
    assert together(begun, table.held()) == []
    (line,) = together(begun, table.held(), other.held())
    assert line == (
        "record 2 and record 3 are two histories of one game, each signed by its host: "
        "adjudicator verify 'record 2' --against 'record 3'"
    )
    assert fork.prove(MemoryFiles(table.held()), MemoryFiles(other.held())).summary


def test_one_master_opens_two_games(finished: Table) -> None:
    """Told of an invite before anybody joins, and of several records."""
    forger = Forger.of(finished)
    other = replace_invite(forger)
    own = read_offer(MemoryFiles(finished.held()))
    reach = [("own", MemoryFiles(finished.held())), ("twin", MemoryFiles(other))]
    assert hosts.of_invite(own, reach) == [
        "twin has the same master: when one of the two games ends, the other is open too"
    ]
    assert together(finished.held(), other) == [
        "record 1 and record 2 have one master: one reveal opens them all"
    ]


def together(*records: Mapping[str, bytes]) -> list[str]:
    """What records tell together that lie side by side as `record 1` and so on."""
    told = hosts.ManyRecords()
    for number, held in enumerate(records, 1):
        name, source = f"record {number}", MemoryFiles(held)
        told.add(name, hosts.look(name, source), verify(source))
    return told.lines()


def replace_invite(forger: Forger) -> dict[str, bytes]:
    """The same offer on another day, by the same host."""
    path = names.INVITE
    data = forger.held[path].replace(
        b'date = "2026-01-01T00:00:00Z"', b'date = "2026-01-01T00:00:01Z"'
    )
    assert data != forger.held[path]
    forger.sign(path, data)
    return forger.held
