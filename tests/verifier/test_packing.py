"""What goes into a pack: all of the record but what anybody can make again byte for byte."""

from __future__ import annotations

from typing import Any

from adjudicator.core.source import MemoryFiles
from adjudicator.store import pack
from adjudicator.store.pack import Pack
from adjudicator.verifier.packing import kept
from adjudicator.verifier.verify import verify

Table = Any


def test_sealed_files_stay_out_where_they_can_be_made_again(finished: Table) -> None:
    """One that differs stays in, so that whoever verifies the pack finds it."""
    assert not [path for path in kept(finished.record) if path.endswith(".sealed")]
    held = finished.held()
    path = "reports/0002-bob.sealed"
    held[path] = held[path][:-1] + bytes([held[path][-1] ^ 1])
    files = kept(MemoryFiles(held))
    assert [path for path in files if path.endswith(".sealed")] == [path]
    found = verify(Pack.of(pack.write(files)))
    assert found.code == 1
    assert path in found.verdict


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
