"""Entries are compared by bytes, and hostile ones, signed by their host, break no tool."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from memory import Memory
from replacing import replace
from verifier.forger import Forger

from adjudicator.core import bundles, engine
from adjudicator.core.engine import NextEntry
from adjudicator.core.source import MemoryFiles
from adjudicator.player.copy import Copy
from adjudicator.store.clock import DemoClock
from adjudicator.verifier.verify import verify
from orders import names
from orders.entries import Entry, Ruling
from orders.errors import Refused

Table = Any


class Longer(Entry):
    """An entry as an engine would write it that knows one key more."""

    def render(self) -> bytes:
        """The document with a field that no list of names holds."""
        return super().render().replace(b"\nreserve", b"\nmood = 1\nreserve", 1)


def test_an_engine_that_differs_in_one_field_is_noticed(
    record: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever an entry gains one day is compared, as its bytes are."""
    right = engine.adjudicate

    def longer(*given: Any) -> NextEntry:
        made = right(*given)
        return replace(made, entry=Longer(*made.entry))

    monkeypatch.setattr(engine, "adjudicate", longer)
    found = verify(MemoryFiles(record))
    assert found.code == 1
    assert [one.name for one in found.claims if one.status == "false"] == ["replay"]


def one_byte_off(data: bytes) -> Iterator[tuple[str, bytes]]:
    """A document with the last letter or digit of each line changed, line by line."""
    for line in re.finditer(rb"[^\n]*\n", data):
        last = list(re.finditer(rb"[0-9a-zA-Z]", line[0]))[-1:]
        for letter in last:
            at = line.start() + letter.start()
            yield line[0].decode().strip(), data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize("step", range(6))
def test_a_byte_of_any_line_of_an_entry_counts(finished: Table, step: int) -> None:
    """Signed again, with all that follows; but for when an order came, which its receipt binds."""
    whole = Forger.of(finished)
    count = 0
    for line, data in one_byte_off(whole.held[names.entry(step)]):
        game = Forger(dict(whole.held), whole.keys, whole.master)
        game.put(names.entry(step), data)
        found = verify(MemoryFiles(game.held))
        unbound = line.startswith("received") or (step == 0 and line.startswith("engine"))
        if not (unbound and found.code == 0):
            assert found.code in (1, 2), f"{line}: {found.verdict}"
        count += 1
    assert count >= 7


HOSTILE = (
    '"carol"', '"../x"', '""', '"\\"', "9007199254740991", "-1", "true", "[]", "[[]]", "{}",
    '["alice", "alice"]', '["carol"]', '[{ kind = "turn" }]', '{ carol = 1 }',
    '"' + "a" * 300 + '"',
    '"9999-12-31T23:59:59Z"', '"0001-01-01T00:00:00Z"', '"{}"', '"[]"', '"{\\"n\\":1}"',
)  # fmt: skip


def with_hostile_values(data: bytes) -> Iterator[bytes]:
    """A document with each value replaced by each of these, and each table by another's name."""
    for line in re.finditer(rb"^([a-z]+ = )(.*)$", data, re.MULTILINE):
        for value in HOSTILE:
            yield data[: line.start(2)] + value.encode() + data[line.end(2) :]
    for table in re.finditer(rb"^\[[a-z]+\.([a-z]+)\]$", data, re.MULTILINE):
        for name in (b"carol", b"host", b"x" * 40):
            yield data[: table.start(1)] + name + data[table.end(1) :]


@pytest.mark.parametrize("step", range(6))
def test_hostile_values_break_no_tool(finished: Table, step: int) -> None:
    """`verify` gives a verdict of the record, `receive` takes the entry or refuses it."""
    whole = Forger.of(finished)
    before = Forger(dict(whole.held), whole.keys, whole.master)
    before.cut(step - 1)
    for data in with_hostile_values(whole.held[names.entry(step)]):
        game = Forger(dict(whole.held), whole.keys, whole.master)
        game.sign(names.entry(step), data)
        verdict = verify(MemoryFiles(game.held)).verdict
        assert "this program failed" not in verdict, verdict
        copy = Copy(Memory(dict(before.held)), None, DemoClock())
        held = {path: game.held[path] for path in game.held if f"/{step:04d}" in path}
        given = bundles.pack("entry", {k: v for k, v in held.items() if "orders/" not in k})
        with contextlib.suppress(Refused):
            copy.receive([given])


@pytest.mark.parametrize(
    "ruling",
    [
        Ruling("x", annuls=1),
        Ruling("x", annuls=2),
        Ruling("x", annuls=10**6),
        Ruling("x", abandons=True),
        Ruling("x"),
    ],
)
@pytest.mark.parametrize("who", ["alice", "bob", "carol"])
def test_rulings_that_await_anybody_break_no_tool(forged: Forger, ruling: Ruling, who: str) -> None:
    """Even if that one does not play, or is awaited for what nobody was awaited for."""
    awaited = {who: next(iter(forged.entry(2).awaited.values()))}
    forged.change_entry(3, ruling=ruling, awaited=awaited, slips={})
    found = verify(MemoryFiles(forged.held))
    assert found.code == 1
    assert "this program failed" not in found.verdict


def test_a_folder_with_links_and_pipes(finished: Table, tmp_path: Path) -> None:
    """Only regular files are read. What else has one of the record's own names makes it unusable,
    since it is no lie of the host's. It is named."""
    table = finished.copy(tmp_path / "table")
    path = table.record.root / names.report(2, "bob")
    for put in (lambda: path.symlink_to("/dev/zero"), lambda: os.mkfifo(path)):
        path.unlink()
        put()
        found = verify(table.record)
        assert found.code == 2
        assert names.report(2, "bob") in found.verdict
