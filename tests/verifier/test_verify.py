"""A record in, a verdict out: what is asked besides, and what is no record at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.claim import CLAIMS
from adjudicator.core.source import Held
from adjudicator.verifier import listing
from adjudicator.verifier.verify import Asked, verify
from orders import sshsig

Table = Any


def test_the_example_is_true(finished: Table) -> None:
    """For the host, for each player's copy, and with each player's seat."""
    assert finished.verify().code == 0
    for name in finished.players:
        found = finished.verify(name, copy=True)
        assert (found.code, found.verdict) == (0, "true: alice won")
    assert not any(finished.warnings.values())


def test_a_seat_of_another_game_is_told(finished: Table, make_table: Any, tmp_path: Path) -> None:
    """Verifying with a seat that is none in this game is no verdict on the record."""
    other = make_table(tmp_path / "other", seed=b"\x09" * 32).begin()
    found = verify(finished.record, Asked(seat=other.seat("alice")))
    assert found.code == 2
    assert "another invite" in found.verdict


def test_the_expected_game(finished: Table) -> None:
    """`--game`: a record of another game is false, whatever else holds."""
    own = finished.host.opening.id
    assert verify(finished.record, Asked(game=own)).code == 0
    found = verify(finished.record, Asked(game="0" * 64))
    assert found.code == 1
    assert own in found.verdict


def test_a_running_game_is_incomplete(table: Table) -> None:
    """It says who is awaited; before genesis, that the game has not begun."""
    found = verify(table.record)
    assert (found.code, found.step) == (4, 0)
    assert found.verdict.startswith("incomplete: entry 0 awaits alice, bob until ")
    assert found.head == found.game == table.host.opening.id
    assert found.engine == table.host.opening.genesis.engine
    held = {path: data for path, data in table.held().items() if path.startswith("invite")}
    early = verify(Held(held))
    assert (early.code, early.game) == (4, None)
    assert early.verdict == "incomplete: the invite is signed; the game has not begun"


@pytest.mark.parametrize("files", [{}, {"notes.txt": b""}, {"reports/0001-bob.sealed": b""}])
def test_what_is_no_record_is_unusable(files: dict[str, bytes]) -> None:
    """Nobody is called a liar for an empty folder."""
    found = verify(Held(files))
    assert (found.code, found.claims) == (2, ())
    assert found.verdict == "unusable: no record is here (no invite.toml)"


def test_rules_that_are_not_installed_are_unusable(finished: Table) -> None:
    """Another release may find the record true."""
    held = finished.held()
    held["invite.toml"] = held["invite.toml"].replace(b"sugar-dog/1", b"sugar-dog/7")
    signature = finished.signer.sign(sshsig.INVITE, held["invite.toml"])
    found = verify(Held({**held, "invite.toml.sig": signature}))
    assert found.code == 2
    assert "the invite names sugar-dog/7, installed is sugar-dog/1" in found.verdict


def test_a_fault_of_the_program_ends_no_batch(
    finished: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is called that, in ASCII, and no record is called false for it."""

    def fail(*given: Any, **besides: Any) -> Any:
        raise RuntimeError("caf\u00e9")

    monkeypatch.setattr(listing, "of", fail)
    found = verify(Held(finished.held()))
    assert found.code == 2
    assert found.verdict.startswith("unusable: this program failed: RuntimeError: ")
    assert found.verdict.isascii()


def test_a_gap_is_named(finished: Table) -> None:
    """The first missing entry; what follows it is not read."""
    held = {path: data for path, data in finished.held().items() if "entries/0003" not in path}
    found = verify(Held(held))
    assert (found.code, found.step) == (1, 2)
    assert found.verdict == "false: chain broken at 3: entries/0003.toml is not there"
    statuses = {one.name: one.status for one in found.claims}
    assert statuses["chain"] == "false"
    assert "true" not in {statuses[name] for name in ("signatures", "clock", "replay", "files")}


def test_nothing_follows_the_reveal(finished: Table) -> None:
    """Not even what the host signed."""
    held = finished.held()
    for end in ("", ".sig"):
        held[f"entries/0006.toml{end}"] = held[f"entries/0005.toml{end}"]
    found = verify(Held(held))
    assert (found.code, found.verdict) == (1, "false: entries/0006.toml: follows the reveal")


def test_the_expected_head(finished: Table) -> None:
    """What an arbiter quotes: another end of the same game is another record."""
    head = finished.host.last.digest
    assert verify(finished.record, Asked(head=head)).code == 0
    found = verify(finished.record, Asked(head="0" * 64))
    assert found.code == 1
    assert found.verdict == f"false: the last entry is {head}, expected {'0' * 64}"


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
    assert given.claims[-1].text == "3 held, 3 of them accepted and used"
