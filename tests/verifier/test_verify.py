"""A record in, a verdict out: what is asked besides, and what is no record at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from verifier.forger import Forger

from adjudicator.core.source import MemoryFiles
from adjudicator.verifier import listing
from adjudicator.verifier.verify import Asked, verify
from orders import names
from orders.entries import Ruling
from orders.errors import CLAIMS, Refused

Table = Any


def test_the_example_is_true(finished: Table) -> None:
    """For the host, for each player's copy, and with each player's seat."""
    assert finished.verify().code == 0
    for name in finished.players:
        found = finished.verify(name, copy=True)
        assert (found.code, found.verdict) == (0, "true: alice won")
    assert not any(finished.warnings.values())


def test_a_running_game_is_incomplete(table: Table) -> None:
    """It says who is awaited; before genesis, that the game has not begun."""
    found = verify(table.record)
    assert (found.code, found.step) == (4, 0)
    assert found.verdict.startswith("incomplete: entry 0 awaits alice, bob until ")
    assert found.head == found.game == table.host.opening.id
    assert found.engine == table.host.opening.genesis.engine
    for parts in (("invite",), ("invite", "joins")):
        held = {path: data for path, data in table.held().items() if path.startswith(parts)}
        early = verify(MemoryFiles(held))
        assert (early.code, early.game) == (4, None)
        assert early.verdict == "incomplete: the invite is signed; the game has not begun"


@pytest.mark.parametrize("files", [{}, {"notes.txt": b""}, {"slips/0001-alice.toml": b""}])
def test_what_is_no_record_is_unusable(files: dict[str, bytes]) -> None:
    """Nobody is called a liar for an empty folder."""
    found = verify(MemoryFiles(files))
    assert (found.code, found.claims) == (2, ())
    assert found.verdict == "unusable: no record is here (no invite.toml)"


def test_a_fault_of_the_program_ends_no_batch(
    finished: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is called that, in ASCII, and no record is called false for it."""

    def fail(*given: Any, **besides: Any) -> Any:
        raise RuntimeError("caf\u00e9")

    monkeypatch.setattr(listing, "of", fail)
    found = verify(MemoryFiles(finished.held()))
    assert found.code == 70
    assert found.verdict.startswith("failed: this program failed: RuntimeError: ")
    assert found.verdict.isascii()


def test_the_first_file_that_cannot_be_read_is_named(finished: Table) -> None:
    """Of several."""

    class Unreadable(MemoryFiles):
        def read(self, path: str) -> bytes:
            if path.startswith(("entries/0003", "reports")):
                raise Refused("unreadable", f"{path} is no regular file")
            return super().read(path)

    found = verify(Unreadable(finished.held()))
    assert found.verdict == "unusable: entries/0003.toml is no regular file"


def test_a_protest_against_an_entry_that_was_wrong(table: Table) -> None:
    """A person should look, though a ruling has annulled the entry."""
    table.play({"alice": "start C4", "bob": "start C1"}, {"alice": "fire S"}, {"bob": "silent"})
    table.rule(Ruling("misread", annuls=2))
    table.play({"alice": "resign"})
    forged = Forger.of(table)
    forged.change_slip(3, "bob", protest="report")
    right = verify(MemoryFiles(forged.held))
    forged.change_entry(2, state="ab" * 32)
    wrong = verify(MemoryFiles(forged.held))
    for found, told in ((right, "; the report was made again as it was signed"), (wrong, "")):
        (host,) = (one for one in found.claims if one.name == "host")
        assert f"bob at step 3: report{told}" in host.details


def test_a_gap_is_named(finished: Table) -> None:
    """Row 26: the first missing entry; what follows it is not read, and nothing claimed of it."""
    held = {path: data for path, data in finished.held().items() if "entries/0003" not in path}
    found = verify(MemoryFiles(held))
    assert (found.code, found.step) == (1, 2)
    assert found.verdict == "false: chain broken at 3: entries/0003.toml is not there"
    statuses = {one.name: one.status for one in found.claims}
    assert statuses["entries"] == "false"
    assert "true" not in statuses.values()


def test_a_game_that_is_over_waits_for_its_host(finished: Table) -> None:
    """It awaits nobody, and the host has not opened it."""
    last = finished.host.last.step
    reveal = names.entry(last)
    held = {path: data for path, data in finished.held().items() if not path.startswith(reveal)}
    found = verify(MemoryFiles(held))
    assert (found.code, found.step) == (4, last - 1)
    assert "the game is over, the host has not opened it" in found.conclusion


def test_progress_is_told(finished: Table) -> None:
    """Of reading, then of adjudicating again; each goes on to its end."""
    told: list[tuple[int, int]] = []
    verify(finished.record, Asked(progress=lambda done, of: told.append((done, of))))
    assert told == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5), (1, 5), (2, 5), (3, 5), (4, 5)]


def test_every_claim_has_its_line(finished: Table) -> None:
    """In a fixed order. Receipts have a line only if there are any."""
    found = verify(finished.record)
    assert [one.name for one in found.claims] == [one for one in CLAIMS if one != "receipts"]
    assert {one.status for one in found.claims} == {"true"}
    own = verify(finished.record, Asked(seat=finished.seat("bob")))
    assert [one.name for one in own.claims] == list(CLAIMS)
    receipts = [given.file for given in finished.given("alice")]
    given = verify(finished.record, Asked(receipts=receipts))
    assert given.claims[-1].details == ("3 of 3 receipts accepted, and used",)


@pytest.mark.parametrize(
    ("match", "said"),
    [("none", []), ("first", ["the first game"]), ("a" * 64, ["the second game"])],
)
def test_what_a_game_says_of_a_match_is_told(
    make_table: type[Table], tmp_path: Path, match: str, said: list[str]
) -> None:
    """Which game it is of a match of two; of a game by itself nothing."""
    table = make_table(tmp_path / "table", options={"first": 1, "match": match}).begin()
    (entries,) = (one for one in verify(table.record).claims if one.name == "entries")
    told = [text for text in entries.details if "match" in text]
    assert [text.partition(" of a match of two")[0] for text in told] == said
