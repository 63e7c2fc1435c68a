"""A finished record of which anything was changed is never true, and `verify` says what.

To try every byte in a short time, what was read of files is remembered where they are sound: of
files that were not changed nothing is read again.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from adjudicator.core import chain, ledger
from adjudicator.core.source import MemoryFiles, Source
from adjudicator.verifier.claims import Findings
from adjudicator.verifier.verify import _Reading, verify
from orders import names


class Watched:
    """A source of which is known what was read."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.held: dict[str, bytes] = {}

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises Missing."""
        self.held[path] = self.source.read(path)
        return self.held[path]


def remembered(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which is called once for the same files (errors are not kept).

    Sources and functions aside, its arguments are those of before if they are the same objects.
    """
    kept: list[tuple[list[Any], dict[str, bytes], Any]] = []

    def call(*given: Any) -> Any:
        given = tuple(one.source if isinstance(one, _Reading) else one for one in given)
        source = next(one for one in given if isinstance(one, MemoryFiles))
        others = [one for one in given if one is not source and not callable(one)]
        for known, held, result in kept:
            same = all(one is other for one, other in zip(others, known, strict=True))
            if same and all(source.held.get(path) == data for path, data in held.items()):
                return result
        watched = Watched(source)
        result = function(*(watched if one is source else one for one in given))
        kept.append((others, watched.held, result))
        return result

    return call


@pytest.fixture(autouse=True, scope="module")
def _remembered() -> Iterator[None]:
    """What is a pure function of files is computed once where it succeeds."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in ((ledger, "read_opening"), (chain, "first"), (chain, "follow")):
            patch.setattr(module, name, remembered(getattr(module, name)))
        yield


def place(path: str) -> str:
    """What must stand in the findings: the file's name; for a signature that of what it signs."""
    return path.removesuffix(".sig")


def faults(found: Findings) -> str:
    """The verdict and all that is said of the claims."""
    lines = [line for one in found.claims for line in (one.text, *one.details)]
    return "\n".join([found.verdict, *lines])


def changed(files: dict[str, bytes], path: str) -> Iterator[tuple[int, dict[str, bytes]]]:
    """The record with each byte of one file changed in turn: every one by another value."""
    data = files[path]
    for at in range(len(data)):
        flipped = data[at] ^ (1 + at % 255)
        yield at, {**files, path: data[:at] + bytes([flipped]) + data[at + 1 :]}


def folder(path: str) -> str:
    return path.partition("/")[0]


@pytest.mark.parametrize(
    "part", ["invite.toml", "invite.toml.sig", "joins", "entries", "slips", "orders", "reports"]
)
def test_any_single_byte_changed_is_found(record: dict[str, bytes], part: str) -> None:
    """Every byte of every file, signatures included: false, naming the file."""
    for path in filter(lambda path: folder(path) == part, record):
        for at, files in changed(record, path):
            found = verify(MemoryFiles(files))
            assert found.code == 1, f"byte {at} of {path}: {found.verdict}"
            assert place(path) in found.verdict, f"byte {at} of {path}: {found.verdict}"


def test_parts_cover_the_record(record: dict[str, bytes]) -> None:
    """The test above goes through all files: nothing lies in another folder."""
    parts = {"invite.toml", "invite.toml.sig", "joins", "entries", "slips", "orders", "reports"}
    assert {folder(path) for path in record} == parts


def test_any_file_shortened_or_lengthened_is_found(record: dict[str, bytes]) -> None:
    """A byte less or more at the end, or nothing left: false, naming the file."""
    for path, data in record.items():
        for other in (data[:-1], data + b"\n", data + b"\0", b""):
            found = verify(MemoryFiles({**record, path: other}))
            assert found.code == 1, path
            assert place(path) in found.verdict


def test_any_file_removed_is_found(record: dict[str, bytes]) -> None:
    """Without a file the record is not true, and the findings name it.

    A sealed file may go: after the reveal everybody can make it again.
    """
    for path in record:
        if path.endswith(".sealed"):
            continue
        found = verify(MemoryFiles({name: data for name, data in record.items() if name != path}))
        opened = path.startswith("orders/") and path.endswith(".txt")
        # Without the reveal it is a record that is not yet revealed, with what a crash leaves.
        incomplete = opened or path == "entries/0005.toml"
        assert found.code == (4 if incomplete else 1), f"{path}: {found.verdict}"
        assert place(path) in faults(found), f"{path}: {faults(found)}"


def test_sealed_files_need_not_be_kept(record: dict[str, bytes]) -> None:
    """They were there to bind, and the opened order files are the orders."""
    left = {path: data for path, data in record.items() if not path.endswith(".sealed")}
    assert verify(MemoryFiles(left)).code == 0
    running = cut(left, 3)
    assert verify(MemoryFiles(running)).code == 4


STRANGERS = (
    ".DS_Store", "entries/.DS_Store", "Thumbs.db", "orders/desktop.ini", "notes.txt", ".hidden",
    "invite.toml~", "invite.toml.sig.sig", "entries/0003.toml.bak", "entries/.0003.toml.swp",
    "entries/0000-alice.toml", "entries/00001.toml", "orders/0002-alice.txt.sig",
    "receipts/0001-alice-1.toml", "press/0001.sealed",
)  # fmt: skip


@pytest.mark.parametrize("path", STRANGERS)
def test_a_strangers_file_is_named_and_changes_no_verdict(
    record: dict[str, bytes], path: str
) -> None:
    """What systems, editors and people leave behind is no part of a record, whatever it holds."""
    assert path not in record
    for data in (b"", b"something\n", record["entries/0001.toml"]):
        found = verify(MemoryFiles({**record, path: data}))
        assert found.code == 0, f"{path}: {found.verdict}"
        assert f"{path} is not part of the record" in faults(found)


ADDED = (
    "table.toml", "entries/0006.toml", "entries/0006.toml.sig", "joins/carol.toml",
    "joins/carol.toml.sig", "slips/0002-bob.toml", "slips/0002-bob.toml.sig",
    "slips/0006-alice.toml", "orders/0002-bob.sealed", "orders/0002-bob.txt",
    "orders/0005-alice.txt", "reports/0001-carol.sealed", "reports/0005-alice.sealed",
    "reports/0006-alice.sealed", "seats/0002-bob.toml", "seats/0002-bob.consent.toml",
)  # fmt: skip


@pytest.mark.parametrize("path", ADDED)
def test_any_file_added_is_found(record: dict[str, bytes], path: str) -> None:
    """A file of the protocol's own name that no entry names is false, whatever is in it."""
    assert path not in record
    alike = [data for name, data in record.items() if name[-5:] == path[-5:]]
    for data in (b"", b"something\n", *alike[:3]):
        found = verify(MemoryFiles({**record, path: data}))
        assert found.code == 1, f"{path}: {found.verdict}"
        assert path in faults(found)


def test_attributes_may_stand_there_unchanged(record: dict[str, bytes]) -> None:
    """`.gitattributes` belongs to a record, but only as it must be: changed, it is named."""
    assert verify(MemoryFiles({**record, names.ATTRIBUTES: names.ATTRIBUTES_TEXT})).code == 0
    found = verify(MemoryFiles({**record, names.ATTRIBUTES: b"* text\n"}))
    assert found.code == 1
    assert names.ATTRIBUTES in found.verdict


def test_any_two_files_exchanged_are_found(record: dict[str, bytes]) -> None:
    """Each pair of files with their contents exchanged: false, naming one of the two."""
    for one, other in itertools.combinations(record, 2):
        found = verify(MemoryFiles({**record, one: record[other], other: record[one]}))
        assert found.code == 1, f"{one} and {other}: {found.verdict}"
        said = faults(found)
        assert place(one) in said or place(other) in said, f"{one} and {other}: {said}"


def test_two_signed_files_exchanged_with_their_signatures_are_found(
    record: dict[str, bytes],
) -> None:
    """The same where each file takes its valid signature along."""
    signed = [path for path in record if f"{path}.sig" in record]
    for one, other in itertools.combinations(signed, 2):
        files = dict(record)
        for end in ("", ".sig"):
            files[one + end], files[other + end] = record[other + end], record[one + end]
        found = verify(MemoryFiles(files))
        assert found.code == 1, f"{one} and {other}"
        assert one in faults(found) or other in faults(found)


def cut(files: dict[str, bytes], last: int) -> dict[str, bytes]:
    """What of a record belongs to entries up to `last`."""

    def kept(path: str) -> bool:
        name = names.parse(path)
        if name is None or name.kind in ("invite", "join"):
            return True
        return name.kind != "opened" and name.step <= last

    return {path: data for path, data in files.items() if kept(path)}


@pytest.mark.parametrize("last", range(5))
def test_a_record_cut_short_is_incomplete(record: dict[str, bytes], last: int) -> None:
    """Row 28: up to any entry before the reveal it is incomplete (4), never true, and says so."""
    found = verify(MemoryFiles(cut(record, last)))
    assert found.code == 4
    assert found.verdict.startswith("incomplete")
    assert f"entry {last}" in found.verdict


def test_files_taken_away_in_any_order_are_never_true(record: dict[str, bytes]) -> None:
    """Row 28: whatever is missing at the end of the list of files, in any of three orders."""
    for order in (sorted(record), sorted(record, reverse=True), sorted(record, key=len)):
        for count in range(len(order)):
            kept: dict[str, Any] = {path: record[path] for path in order[:count]}
            assert verify(MemoryFiles(kept)).code in (1, 2, 4), order[count:]
