"""`adjudicator pack`, and the commands that read a pack as they read a folder."""

from __future__ import annotations

import json
import zipfile
from typing import Any

Table = Any


def test_a_pack_is_read_like_a_folder(finished: Table) -> None:
    """verify, show, log and status say of a pack what they say of the folder."""
    said = finished.ok("pack", "-g", "friday", "-o", "read.zip")
    digest = said.split("last entry 5, ")[1][:64]
    for command in (("verify", "--head", digest), ("show", "2"), ("log",), ("status",)):
        name, *rest = command
        named = () if name == "verify" else ("-g",)
        folder = finished.ok(name, *named, "friday", *rest)
        packed = finished.ok(name, *named, "read.zip", *rest)
        assert packed.replace("read.zip", "friday").splitlines()[-1] == folder.splitlines()[-1]
    assert "TRUE: alice won." in finished.ok("verify", "read.zip")
    (finished.root / "torn.zip").write_bytes(b"PK\3\4" + b"\0" * 40)
    finished.fails("bad-pack", "log", "-g", "torn.zip")
    assert finished.run("verify", "torn.zip", "read.zip").exit_code == 2


def test_a_pack_replaces_a_pack_and_nothing_else(table: Table) -> None:
    """`-o` never costs anybody a file; without it the pack is named as the record is."""
    (table.root / "notes.txt").write_text("mine")
    error = table.fails("exists", "pack", "-g", "friday", "-o", "notes.txt")
    assert "'notes.txt' is there already" in error
    assert (table.root / "notes.txt").read_text() == "mine"
    assert table.ok("pack", "-g", "friday").startswith("friday.zip: ")
    assert table.ok("pack", "-g", "friday").startswith("friday.zip: ")


def test_a_pack_on_standard_output(finished: Table) -> None:
    """The same bytes as in a file; what is told goes to stderr."""
    finished.ok("pack", "-g", "friday", "-o", "same.zip")
    told = finished.run("pack", "-g", "friday", "-o", "-")
    assert told.exit_code == 0
    assert told.stdout_bytes == (finished.root / "same.zip").read_bytes()
    assert "this digest names the whole game" in told.stderr


def test_what_is_told_of_a_pack(finished: Table) -> None:
    """As many files and bytes as it has, and the head that status tells."""
    files, _, rest = finished.ok("pack", "-g", "friday", "-o", "told.zip").partition("\n")
    path = finished.root / "told.zip"
    with zipfile.ZipFile(path) as held:
        count = len(held.namelist())
    assert files == f"told.zip: {count} files, {path.stat().st_size} bytes"
    head = json.loads(finished.ok("status", "--json"))["head"]
    assert rest == f"last entry 5, {head}: this digest names the whole game\n"


def test_what_is_no_record_is_not_packed(finished: Table) -> None:
    """Quoted, and nothing is written."""
    assert "no game is in 'nowhere'" in finished.fails("missing", "pack", "-g", "nowhere")
    assert not (finished.root / "nowhere.zip").exists()
