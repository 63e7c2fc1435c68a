"""A record's files against its entries: named, lacking, strange; each told or a fault."""

from __future__ import annotations

from typing import Any

import pytest
from replacing import replace

from adjudicator.core.ledger import Ledger
from adjudicator.core.source import Held
from adjudicator.verifier import listing
from adjudicator.verifier.claims import Found
from orders import names
from orders.errors import Refused

Table = Any


@pytest.fixture(scope="module")
def ledger(finished: Table) -> Ledger:
    """The finished game."""
    return Ledger.read(Held(finished.held()))


def checked(
    ledger: Ledger,
    held: dict[str, bytes],
    *,
    walked: int | None = 5,
    revealed: bool = True,
    source: Any = None,
) -> Found:
    """What is found of these files."""
    found = Found()
    files = source or Held(held)
    named = listing.of(ledger.opening, ledger.links())
    listing.check(found, files, files.paths(), named, walked=walked, revealed=revealed)
    return found


def test_every_file_of_a_record_is_named(finished: Table, ledger: Ledger) -> None:
    """What must be there, and what may be there with the digest that is signed for it."""
    held = finished.held()
    named = listing.of(ledger.opening, ledger.links())
    assert named.needed | set(named.digests) == set(held)
    assert not named.needed & set(named.digests)
    assert {path.rpartition(".")[2] for path in named.digests} == {"sealed", "toml"}
    found = checked(ledger, held)
    assert (found.faults, found.notes) == ([], {})
    assert found.held["files"].startswith(f"{len(held)} files, each named by an entry")


def test_what_may_lack_is_not_missed(finished: Table, ledger: Ledger) -> None:
    """Sealed files are not needed: the count says how many lie there."""
    held = {path: data for path, data in finished.held().items() if ".sealed" not in path}
    found = checked(ledger, held)
    assert found.faults == []
    assert found.held["files"].startswith(f"{len(held)} files")


@pytest.mark.parametrize(
    "path", ["reports/0002-bob.sealed", "orders/0001-alice.sealed", "orders/0001-bob.toml"]
)
def test_a_file_that_differs_is_a_fault(finished: Table, ledger: Ledger, path: str) -> None:
    """It is named; so is one that cannot be read."""
    held = {**finished.held(), path: b"x"}
    found = checked(ledger, held)
    assert found.faults == [("files", f"{path} does not have the digest that is signed for it")]
    assert found.held["files"].startswith(f"{len(held) - 1} files")

    class Broken(Held):
        def read(self, path: str) -> bytes:
            raise Refused("unreadable", f"{path} is no regular file")

    few = {one: held[one] for one in (*listing.of(ledger.opening, ledger.links()).needed, path)}
    broken = checked(ledger, few, source=Broken(few))
    assert broken.faults == [("files", f"{path} is no regular file")]


def test_strangers_files_are_told(finished: Table, ledger: Ledger) -> None:
    """In ASCII: their names are anybody's. They change no verdict."""
    held = {**finished.held(), "caf\u00e9\n.txt": b"", "entries/notes": b""}
    found = checked(ledger, held)
    assert found.faults == []
    assert sorted(found.notes["files"]) == [
        "caf\\xe9\\n.txt is not part of the record",
        "entries/notes is not part of the record",
    ]


def test_a_file_of_the_record_that_nobody_names_is_a_fault(finished: Table, ledger: Ledger) -> None:
    """After the reveal; up to a fault nobody can tell, and then it is told."""
    held = {**finished.held(), "joins/carol.toml": b"", "slips/0006-bob.toml": b""}
    found = checked(ledger, held)
    assert found.faults == [
        ("files", "joins/carol.toml belongs nowhere: no entry names it"),
        ("files", "slips/0006-bob.toml belongs nowhere: no entry names it"),
    ]
    told = checked(ledger, held, walked=None)
    assert (told.faults, told.held) == ([], {})
    assert told.notes["files"] == [
        "joins/carol.toml is named by no entry up to the fault",
        "slips/0006-bob.toml is named by no entry up to the fault",
    ]


@pytest.mark.parametrize(
    ("path", "left"),
    [
        ("slips/0006-bob.toml", True), ("orders/0006-bob.sealed", True),
        ("reports/0006-bob.sealed", True), ("entries/0006.toml.sig", True),
        ("entries/.0006.toml.part", True), ("slips/.0006-bob.toml.part", True),
        ("orders/0002-bob.toml", True),
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
        assert found.faults == [("files", f"{path} belongs nowhere: no entry names it")]
    elif found.notes:
        assert found.faults == []
        assert found.notes["files"][0].startswith(path)


def test_attributes_are_the_one_file_that_git_needs(finished: Table, ledger: Ledger) -> None:
    """With its one content, whatever lies beside."""
    held = {**finished.held(), names.ATTRIBUTES: names.ATTRIBUTES_TEXT}
    assert checked(ledger, held).faults == []
    held[names.ATTRIBUTES] += b"* -text\n"
    assert checked(ledger, held).faults == [
        ("files", f"{names.ATTRIBUTES}: is not the file that the tool writes")
    ]


def test_no_digest_stands_for_two_files(ledger: Ledger) -> None:
    """What is salted never comes twice; both places are named."""
    links = list(ledger.links())
    found = Found()
    listing.check_digests(found, links)
    assert found.faults == []
    slips = {"bob": replace(links[3].slips["bob"], order=links[1].slips["bob"].order)}
    links[3] = replace(links[3], slips=slips)
    again = replace(links[4].entry, state=links[2].entry.state)
    links[4] = replace(links[4], entry=again)
    listing.check_digests(found, links)
    order, state = links[1].slips["bob"].order[:16], links[2].entry.state[:16]
    assert found.faults == [
        ("files", f"one digest twice: {order} as order of bob, 1 and as order of bob, 3"),
        ("files", f"one digest twice: {state} as state 2 and as state 4"),
    ]
