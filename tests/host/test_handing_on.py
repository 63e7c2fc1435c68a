"""A seat changes hands once for each consent, and missed deadlines are counted for it.

The host's own tool refuses what does not hold. That nobody takes it in where a host signs it all
the same is shown by the lies (`tests/verifier/lies`).
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from replacing import replace

from adjudicator.core import bundles, opening
from adjudicator.core.link import missed
from adjudicator.host.restore import Pool, restore
from adjudicator.player import seated
from adjudicator.player.seat import Seat
from orders import sshsig
from orders.bundle import Bundle
from orders.documents import Consent, Private, read_consent
from orders.entries import Ruling
from orders.errors import Refused
from orders.fields import digest
from orders.keys import MemoryKey
from orders.secrets import derive
from orders.sshsig import Signed

Table = Any
SETUP, SHOT = {"alice": "start C4", "bob": "start C1"}, {"alice": "fire W"}
QUIET = {"bob": "silent"}


class Seats:
    """A game, and who comes and goes in the seat of Bob."""

    def __init__(self, table: Table) -> None:
        self.table, self.count = table, 0
        self.key: MemoryKey = table.keys["bob"]

    @property
    def host(self) -> Any:
        return self.table.host

    def join(self, key: MemoryKey | None = None) -> tuple[Bundle, MemoryKey]:
        """A new join to Bob's seat, by that key or by a new one, and its key."""
        self.count += 1
        seed = bytes([self.count]) * 32
        offer = opening.read_offer(self.table.record)
        key = key or MemoryKey.from_seed(derive(seed, "key"))
        root = self.table.root / f"new-{self.count}.seat"
        seat = Seat.create(root, "bob", offer.digest, Path("key"), derive(seed, "seat"))
        return seated.join(offer, seat, key, Private()), key

    def consent(self, join: Bundle) -> Bundle:
        """By who sits there now."""
        return seated.consent(self.host.ledger, self.key, join)

    def hand_on(self, join: Bundle, key: MemoryKey, consent: Bundle | None) -> None:
        self.table.hand_out(self.host.hand_on(join, "Bob has no time", consent))
        self.key = key

    def refused(self, join: Bundle, consent: Bundle | None) -> Refused:
        """By the host's own tool, before anything is written."""
        before = self.host.last
        with pytest.raises(Refused) as caught:
            self.host.hand_on(join, "Bob has no time", consent)
        assert self.host.last == before
        assert not list(self.table.record.root.glob(f"*/{before.step + 1:04d}*"))
        return caught.value


@pytest.fixture
def seats(make_table: Callable[..., Table], tmp_path: Path) -> Seats:
    """A game after its first shot."""
    return Seats(make_table(tmp_path / "table").begin().play(SETUP, SHOT))


def test_a_consent_hands_a_seat_on_once(seats: Seats) -> None:
    """Bob lets Dora in and comes back with his key: neither her join nor his consent counts
    again."""
    bobs = seats.key
    dora, key = seats.join()
    agreed = seats.consent(dora)
    seats.hand_on(dora, key, agreed)
    back, _ = seats.join(bobs)
    seats.hand_on(back, bobs, seats.consent(back))
    for consent in (agreed, None, seats.consent(dora)):
        error = seats.refused(dora, consent)
        assert error.word == "stale"
        assert "has had the seat of bob before" in error.message
        assert error.hint == "who takes a seat again joins anew"
    anew, _ = seats.join()
    error = seats.refused(anew, agreed)
    assert f"it is for the join {read_consent(_document(agreed)).join}" in error.message


def test_a_join_of_genesis_and_an_annulled_one_sit_no_more(seats: Seats) -> None:
    """They sat in this game, whatever counts now."""
    first = bundles.pack("join", {
        path: seats.table.record.read(path) for path in ("joins/bob.toml", "joins/bob.toml.sig")
    })  # fmt: skip
    dora, key = seats.join()
    seats.hand_on(dora, key, seats.consent(dora))
    assert "before" in seats.refused(first, None).message
    seats.table.rule(Ruling("a mistake", annuls=seats.host.last.step))
    erin, key = seats.join()
    seats.hand_on(erin, key, seats.consent(erin))
    assert "before" in seats.refused(dora, None).message


def test_who_plays_on_has_withdrawn_the_consent(seats: Seats) -> None:
    """A later entry uses orders of theirs; entries with the others' orders change nothing."""
    dora, key = seats.join()
    agreed = seats.consent(dora)
    seats.table.play(QUIET)
    error = seats.refused(dora, agreed)
    assert error.word == "stale"
    assert error.message == (
        "entries/0004.toml: seats/0004-bob.consent.toml: it was signed after entry 2, and entry 3 "
        "uses orders of bob: who plays on has withdrawn it"
    )
    anew = seats.consent(dora)
    seats.table.play({"alice": "silent"})
    seats.table.rule(Ruling("snow"), "2026-03-01T00:00:00Z")
    seats.hand_on(dora, key, anew)


def test_orders_in_annulled_entries_withdraw_nothing(seats: Seats) -> None:
    """But the entry after which a consent was signed has to count."""
    dora, key = seats.join()
    agreed = seats.consent(dora)
    seats.table.play(QUIET)
    late = seats.consent(dora)
    seats.table.rule(Ruling("a mistake", annuls=3))
    error = seats.refused(dora, late)
    assert (error.word, "after entry 3" in error.message) == ("stale", True)
    seats.hand_on(dora, key, agreed)


@pytest.mark.parametrize(
    ("changed", "word", "said"),
    [
        ({"game": "ab" * 32}, "mismatch", "it is for the game abab"),
        ({"join": "ab" * 32}, "mismatch", "it is for the join abab"),
        ({"head": "ab" * 32}, "stale", "after entry 2, abab"),
        ({"step": 1}, "stale", "after entry 1, "),
        ({"step": 3}, "stale", "after entry 3, "),
        ({"step": 9_999_999}, "stale", "which does not count"),
    ],
)
def test_a_consent_is_for_this_game_this_join_and_the_entry_it_names(
    seats: Seats, changed: dict[str, Any], word: str, said: str
) -> None:
    """Quoted, with what was expected."""
    dora, _ = seats.join()
    document = replace(read_consent(_document(seats.consent(dora))), **changed)
    error = seats.refused(dora, _signed(document, seats.key))
    assert error.word == word
    assert said in error.message
    assert error.message.startswith("entries/0003.toml: seats/0003-bob.consent.toml: it ")


def test_a_consent_is_by_who_sits_there(seats: Seats) -> None:
    """Not by the host, and not by who sat there before."""
    dora, key = seats.join()
    document = read_consent(_document(seats.consent(dora)))
    assert seats.refused(dora, _signed(document, seats.table.signer)).word == "bad-signature"
    bobs = seats.key
    seats.hand_on(dora, key, seats.consent(dora))
    erin, _ = seats.join()
    last = seats.host.last
    document = Consent(seats.host.opening.id, last.step, last.digest, digest(_document(erin)))
    assert seats.refused(erin, _signed(document, bobs)).word == "bad-signature"


def test_a_consent_is_brought_back(seats: Seats, tmp_path: Path) -> None:
    """A machine that was restored gets join and consent from a player's copy, and not another
    consent of the same name."""
    table = seats.table
    kept = tmp_path / "backup"
    for folder in (table.record.root, table.record.host):
        shutil.copytree(folder, kept / folder.name)
    dora, key = seats.join()
    seats.hand_on(dora, key, seats.consent(dora))
    held = table.held()
    for folder in (table.record.root, table.record.host):
        shutil.rmtree(folder)
        shutil.copytree(kept / folder.name, folder)
    pool, copy = Pool(), table.copies["alice"]
    pool.add((path, copy.read(path)) for path in copy.paths())
    pool.add([("seats/0003-bob.consent.toml", b"another")])
    done = restore(table.record, table.signer, table.clock, pool)
    assert (done.lines[0], done.missing) == ("entry 3", [])
    assert table.held() == held


def test_another_file_is_no_consent(seats: Seats) -> None:
    """A join in its place, and bytes that are none."""
    dora, _ = seats.join()
    error = seats.refused(dora, dora)
    assert "a join in 2 files: expected a consent and its signature" in error.message
    torn = bundles.pack(
        "consent", Signed.by(seats.key, sshsig.CONSENT, b"kind = ").files("consents/bob.toml")
    )
    assert seats.refused(dora, torn).word == "malformed"


# Deadlines that were missed.


def test_missed_deadlines_are_counted_by_their_beginning(
    make_table: Callable[..., Table], tmp_path: Path
) -> None:
    """Until orders of the player are used, or somebody else sits there; annulled entries say
    nothing."""
    seats = Seats(make_table(tmp_path / "table").begin().play(SETUP, SHOT))

    def count() -> tuple[int, int]:
        return missed(seats.host.last, "bob", seats.host.ledger.link)

    assert count() == (0, 0)
    for turn in range(2):
        seats.table.play({})
        assert count() == (turn + 1, 3 + 2 * turn)
        seats.table.play({"alice": "silent"})
        assert count() == (turn + 1, 3 + 2 * turn)
    seats.table.rule(Ruling("a mistake", annuls=5))
    assert count() == (1, 3)
    seats.table.play({"bob": "silent"}, {"alice": "silent"}, {})
    assert count() == (1, 10)
    dora, key = seats.join()
    seats.hand_on(dora, key, None)
    assert count() == (0, 0)


def _document(bundle: Bundle) -> bytes:
    return bundles.read_one(bundle.kind, bundle)[1].data


def _signed(document: Consent, key: MemoryKey) -> Bundle:
    file = Signed.by(key, sshsig.CONSENT, document.render())
    return bundles.pack("consent", file.files("consents/bob.toml"))
