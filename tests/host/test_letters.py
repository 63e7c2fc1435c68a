"""An absence that was granted is honoured, whoever lets the game go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator import cli
from adjudicator.cli import host as commands
from adjudicator.core import deadlines
from adjudicator.host.letters import Letters
from adjudicator.player import letters
from orders.keys import write_key
from orders.letter import Absence
from orders.secrets import derive

Table = Any
DAY = 86_400


@pytest.fixture
def away(make_table: type[Any], tmp_path: Path) -> Table:
    """Bob is awaited, and has told that he is away for five days from tomorrow on."""
    table = make_table(tmp_path / "game", options={"first": "alice", "absence": "7d"})
    table.begin().play({"alice": "start C4", "bob": "start C1"}, {"alice": "fire S"})
    start = deadlines.add(table.entry().awaited["bob"].since, DAY)
    own = table.seated("bob")
    told = Absence(start, deadlines.add(start, 5 * DAY))
    _, bundle = letters.write(own.ledger, own.seat, table.keys["bob"], absence=told)
    Letters(table.host).take(bundle)
    table.clock.skip(4 * DAY)
    return table


def test_advance_late_moves_the_deadline(away: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """`advance --late` by hand, a day after the usual deadline: a ruling, and nobody is missing."""
    write_key(away.root / "host.key", "host", derive(away.seed, "key/host"))
    monkeypatch.setattr(commands, "SystemClock", lambda: away.clock)
    before = away.entry().awaited["bob"]
    with pytest.raises(SystemExit) as ended:
        cli.main(["advance", str(away.record.root), "--late"])
    assert ended.value.code == 0
    entry = away.entry()
    assert "bob is away until" in entry.ruling.reason
    assert entry.awaited["bob"].until == deadlines.add(before.until, 5 * DAY)


def test_go_on_grants_first(away: Table) -> None:
    """However often it is asked, the game waits for Bob, and then goes on without him."""
    host = away.host
    grant = Letters(host).grant
    assert host.go_on(grant, late=True)
    assert not host.go_on(grant, late=True)
    away.clock.skip(5 * DAY)
    assert host.go_on(grant, late=True)
    assert host.last.entry.missing == ("bob",)
    assert away.verify().code == 4


def test_absences_that_overlap_count_once(away: Table) -> None:
    """Two notices of the same days stop the clock once."""
    own = away.seated("bob")
    until = deadlines.add(away.entry().awaited["bob"].since, 3 * DAY)
    again = Absence(deadlines.add(until, -DAY), until)
    _, bundle = letters.write(own.ledger, own.seat, away.keys["bob"], absence=again)
    Letters(away.host).take(bundle)
    before = away.entry().awaited["bob"]
    host = away.host
    assert host.go_on(Letters(host).grant, late=True)
    assert away.entry().awaited["bob"].until == deadlines.add(before.until, 5 * DAY)
