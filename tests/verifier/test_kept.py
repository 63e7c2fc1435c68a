"""What goes into a pack: all of the record but what anybody can make again byte for byte."""

from __future__ import annotations

from typing import Any

from adjudicator.core.source import MemoryFiles
from adjudicator.store import pack
from adjudicator.store.pack import Pack
from adjudicator.verifier.listing import kept
from adjudicator.verifier.verify import verify
from orders import names

Table = Any


def test_sealed_files_of_a_finished_game_stay_out(finished: Table) -> None:
    """All but an order that is not open yet: who has the pack can still open it."""
    assert not [path for path in kept(finished.record) if path.endswith(".sealed")]
    held = finished.held()
    del held[names.opened_order(2, "alice")]
    files = kept(MemoryFiles(held))
    sealed = names.sealed_order(2, "alice")
    assert [path for path in files if path.endswith(".sealed")] == [sealed]
    assert verify(Pack.of(pack.write(files))).code == 4


def test_a_running_game_keeps_what_lies_there(table: Table) -> None:
    """Before the reveal nobody can make a sealed file again."""
    table.play({"alice": "start C4", "bob": "start C1"})
    files = kept(table.record)
    assert "reports/0001-alice.sealed" in files
    assert verify(Pack.of(pack.write(files))).code == 4


def test_strangers_files_are_not_packed(finished: Table) -> None:
    """What a Mac or an editor left beside a record is no part of it."""
    held = {**finished.held(), ".DS_Store": b"x", "notes.txt": b"y"}
    assert set(kept(MemoryFiles(held))) == set(kept(finished.record))
