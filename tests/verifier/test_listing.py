"""A record's files against its entries: named, lacking, strange; each told or a fault."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.core.ledger import Ledger
from adjudicator.core.source import MemoryFiles
from adjudicator.verifier import listing
from adjudicator.verifier.claims import Inquiry

Table = Any


@pytest.fixture(scope="module")
def ledger(finished: Table) -> Ledger:
    """The finished game."""
    return Ledger.read(MemoryFiles(finished.held()))


NAMED = "each named by an entry and with the digest named"


def checked(
    ledger: Ledger,
    held: dict[str, bytes],
    *,
    walked: int | None = 5,
    revealed: bool = True,
    source: Any = None,
) -> Inquiry:
    """What is found of these files."""
    found = Inquiry()
    files = source or MemoryFiles(held)
    named = listing.of(ledger.opening, ledger.links())
    listing.check(found, files, files.paths(), named, walked=walked, revealed=revealed)
    return found


def test_every_file_of_a_record_is_named(finished: Table, ledger: Ledger) -> None:
    """What must be there, and what may be there with the digest that is signed for it."""
    held = finished.held()
    named = listing.of(ledger.opening, ledger.links())
    assert named.needed | set(named.digests) == set(held)
    assert not named.needed & set(named.digests)
    assert {path.rpartition(".")[2] for path in named.digests} == {"sealed", "txt"}
    found = checked(ledger, held)
    assert found.faults == []
    assert found.notes["entries"] == [f"{len(held)} files, {NAMED}"]


def test_what_may_lack_is_not_missed(finished: Table, ledger: Ledger) -> None:
    """Sealed files are not needed: the count says how many lie there."""
    held = {path: data for path, data in finished.held().items() if ".sealed" not in path}
    found = checked(ledger, held)
    assert found.faults == []
    assert found.notes["entries"] == [f"{len(held)} files, {NAMED}"]


def test_strangers_files_are_told(finished: Table, ledger: Ledger) -> None:
    """In ASCII: their names are anybody's. They change no verdict."""
    held = {**finished.held(), "caf\u00e9\n.txt": b"", "entries/notes": b""}
    found = checked(ledger, held)
    assert found.faults == []
    assert found.notes["entries"] == [
        "caf\\xe9\\n.txt is not part of the record",
        "entries/notes is not part of the record",
        f"{len(finished.held())} files, {NAMED}",
    ]


def test_a_file_of_the_record_that_nobody_names_is_a_fault(finished: Table, ledger: Ledger) -> None:
    """After the reveal; up to a fault nobody can tell, and then it is told."""
    held = {**finished.held(), "joins/carol.toml": b"", "slips/0006-bob.toml": b""}
    found = checked(ledger, held)
    assert [one[:2] for one in found.faults] == [
        ("entries", "joins/carol.toml belongs nowhere: no entry names it"),
        ("entries", "slips/0006-bob.toml belongs nowhere: no entry names it"),
    ]
    told = checked(ledger, held, walked=None)
    assert (told.faults, told.held) == ([], {})
    assert told.notes["entries"] == [
        "joins/carol.toml is named by no entry up to the fault",
        "slips/0006-bob.toml is named by no entry up to the fault",
    ]


@pytest.mark.parametrize(
    ("path", "left"),
    [
        ("slips/0006-bob.toml", True), ("orders/0006-bob.sealed", True),
        ("reports/0006-bob.sealed", True), ("entries/0006.toml.sig", True),
        ("orders/0002-bob.txt", True),
        ("entries/0006.toml", False), ("slips/0007-bob.toml", False),
        ("slips/0004-bob.toml", False), ("joins/carol.toml", False), ("table.toml", False),
    ],
)  # fmt: skip
def test_a_crash_leaves_files_of_the_next_entry(
    finished: Table, ledger: Ledger, path: str, left: bool
) -> None:
    """While a game runs these are told as such; others, and a whole entry, are faults."""
    found = checked(ledger, {**finished.held(), path: b""}, revealed=False)
    if not left:
        assert [one[:2] for one in found.faults] == [
            ("entries", f"{path} belongs nowhere: no entry names it")
        ]
    else:
        assert found.faults == []
        told = f"{path} is named by no entry: an unfinished act of the host"
        assert told in found.notes["entries"]


@pytest.mark.parametrize("path", ["entries/.0006.toml.part", "slips/.0004-bob.toml.part"])
def test_a_draft_is_no_file_of_the_record(finished: Table, ledger: Ledger, path: str) -> None:
    """Whatever it was to become."""
    found = checked(ledger, {**finished.held(), path: b""})
    assert found.faults == []
    assert f"{path} is not part of the record" in found.notes["entries"]
