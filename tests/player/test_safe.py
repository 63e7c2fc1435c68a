"""Safes: one file for a seat, its key and its copy, behind a passphrase."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudicator.player import safe
from adjudicator.player.safe import Lock, SafeHead
from adjudicator.player.seat import Seat
from adjudicator.store import pack
from orders import crypto
from orders.errors import Refused
from orders.keys import MemoryKey

Table = Any

HEAD = SafeHead("friday", "alice", "9c" * 32, 17)
HELD = {"seat/seat.toml": b"secret", "record/invite.toml": b"x" * 500, "mail/thread": b"<a@b>\n"}
WORDS = "sugar dog silent ships"


@pytest.fixture(scope="module")
def lock() -> Lock:
    return Lock.new(WORDS)


@pytest.fixture(scope="module")
def sealed(lock: Lock) -> bytes:
    return safe.seal(HEAD, lock, HELD)


def test_a_safe_opens_to_what_was_put_in(sealed: bytes) -> None:
    """By its passphrase alone; its head is read without one."""
    assert safe.read_head(sealed) == HEAD
    assert safe.open_with(sealed, WORDS)[1] == HELD


def test_nothing_of_it_stands_in_the_clear(sealed: bytes) -> None:
    """Only the head does, which holds no secret and no name of a file."""
    assert not [one for one in (b"secret", b"seat.toml", b"record/", b"xxxx") if one in sealed]


def test_each_is_sealed_anew(sealed: bytes, lock: Lock) -> None:
    """No nonce comes twice under one key."""
    nonces = {re.search(b"nonce: (.*)\n", safe.seal(HEAD, lock, HELD))[1] for _ in range(20)}  # type: ignore[index]
    assert len(nonces) == 20


def test_a_key_opens_it_without_its_passphrase(sealed: bytes, lock: Lock) -> None:
    """The lock that it gives seals the next safe, which the passphrase opens as before."""
    same = Lock.of_key(sealed, lock.key)
    assert safe.unseal(sealed, same) == HELD
    assert safe.open_with(safe.seal(HEAD, same, HELD), WORDS)[1] == HELD
    with pytest.raises(Refused, match="bad-safe"):
        safe.unseal(sealed, Lock.of_key(sealed, bytes(32)))


def test_a_safe_without_a_passphrase() -> None:
    """Each has a key of its own, and alone that opens it."""
    bare, other = Lock.drawn(), Lock.drawn()
    data = safe.seal(HEAD, bare, HELD)
    assert b"\nsalt: 00000000000000000000000000000000\n" in data
    assert (bare.bare, Lock.of_key(data, bare.key).bare) == (True, True)
    assert safe.unseal(data, Lock.of_key(data, bare.key)) == HELD
    with pytest.raises(Refused, match="bad-safe"):
        safe.unseal(data, other)
    with pytest.raises(Refused, match="this safe has no passphrase"):
        safe.open_with(data, WORDS)


@pytest.mark.parametrize("passphrase", ["", "Sugar dog silent ships", WORDS + " "])
def test_another_passphrase_opens_nothing(sealed: bytes, passphrase: str) -> None:
    """The refusal says that it may be damage too: nobody can tell these apart."""
    with pytest.raises(Refused, match="bad-safe: wrong passphrase for the safe of alice"):
        safe.open_with(sealed, passphrase)


def test_a_key_costs_what_its_page_says() -> None:
    """Three passes over 32 MiB: the value that `crypto` has of these numbers."""
    told = "e29cd07b2d53978fb27e49c74e7889e5de55e29df764b9aeefa8cb53d70ecaa0"
    assert Lock.of("correct horse", bytes(range(16))).key.hex() == told


def test_a_passphrase_is_the_same_from_every_keyboard(lock: Lock) -> None:
    """Composed letters and letters with marks after them are one."""
    written = safe.seal(HEAD, Lock.new("gr\u00fc\u00dfe an alle"), HELD)
    assert safe.open_with(written, "gru\u0308\u00dfe an alle")[1] == HELD


def test_a_short_passphrase_is_not_taken() -> None:
    """Seven characters; eight are."""
    with pytest.raises(Refused, match=r"^bad-option: a passphrase of 7 characters is too short"):
        Lock.new("1234567")
    Lock.new("12345678")


def test_no_bit_of_a_safe_can_be_changed(sealed: bytes, lock: Lock) -> None:
    """Neither of its head, which says who is newer, nor of its content."""
    for at in [*range(0, sealed.index(b"\n\n"), 3), *range(len(sealed) - 40, len(sealed))]:
        changed = sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :]
        with pytest.raises(Refused, match="bad-safe"):
            safe.unseal(changed, lock)
    for cut in (0, 10, len(sealed) // 2, len(sealed) - 1):
        with pytest.raises(Refused, match="bad-safe"):
            safe.unseal(sealed[:cut], lock)


def hostile(lock: Lock) -> Iterator[dict[str, bytes]]:
    yield {"../out": b""}
    yield {"seat/../../out": b""}
    yield {"/etc/passwd": b""}
    yield {"seat/a/b/c": b""}
    yield {"record/strange.exe": b""}
    yield {"seat/.hidden": b""}
    yield {"orders/0001-1.order": b""}


def test_whoever_knows_the_passphrase_cannot_write_elsewhere(lock: Lock) -> None:
    """Every name in it is one of a seat's, a copy's or a mail folder's."""
    for held in hostile(lock):
        with pytest.raises(Refused, match="is no file of a record"):
            safe.seal(HEAD, lock, held)


def test_a_safe_is_laid_out_in_its_own_folders_alone(tmp_path: Path) -> None:
    """What belongs into none of them is refused before anything is written."""
    places = safe.folders(HEAD, tmp_path)
    held = {"record/invite.toml": b"x", "duel/me.toml": b"x"}
    with pytest.raises(Refused, match=r"bad-safe: the safe holds 'duel/me\.toml'"):
        safe.lay_out(places, held)
    assert list(tmp_path.iterdir()) == []


def test_a_safe_has_bounds(lock: Lock, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a whole, and no file in it may be larger than a record's."""
    monkeypatch.setattr(safe, "LARGEST", 3 * 2**20)
    many = {f"seat/{number}": bytes(2**20) for number in range(4)}
    with pytest.raises(Refused, match=r"^too-big: a safe of 4194"):
        safe.seal(HEAD, lock, many)
    with pytest.raises(Refused, match="at most 1048576 are taken"):
        safe.seal(HEAD, lock, {"seat/large": bytes(2**20 + 1)})
    with pytest.raises(Refused, match=r"^too-big: a safe of 3145729 bytes"):
        safe.read_head(bytes(3 * 2**20 + 1))
    with pytest.raises(Refused, match="bad-safe"):
        safe.read_head(bytes(3 * 2**20))


def test_no_safe_sets_the_price_of_opening_it(
    sealed: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version, another line, another form of a line: refused before any key is made."""
    monkeypatch.setattr(crypto, "argon2id", lambda *given: pytest.fail("a key was made"))
    for old, new in (
        (b"safe/1", b"safe/2"),
        (b"saved: 17", b"saved: 17\nmemory: 9999999"),
        (b"saved: 17", b"saved: 017"),
        (b"name: friday", b"name: ../friday"),
    ):
        with pytest.raises(Refused, match="this is no safe, or one of another version"):
            safe.open_with(sealed.replace(old, new, 1), WORDS)


def test_a_large_mail_that_waits_is_left_out(lock: Lock) -> None:
    """It can be taken in again; without that the seat could not be saved."""
    small = {**HELD, "mail/early/001-ab.txt": bytes(2**20)}
    held = {**small, "mail/early/000-ab.txt": bytes(2**20 + 1)}
    assert safe.unseal(safe.seal(HEAD, lock, held), lock) == small


def test_what_is_saved_is_opened_first(lock: Lock, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of packing is told before the old safe is replaced."""
    monkeypatch.setattr(pack, "write", lambda held: _packed({"seat/other": b""}))
    with pytest.raises(Refused, match="does not open to the files that went into it"):
        safe.seal(HEAD, lock, HELD)


_packed = pack.write


def test_an_older_safe_is_refused() -> None:
    """Of the same seat; another seat's number says nothing."""
    older = SafeHead("friday", "alice", HEAD.invite, 16)
    with pytest.raises(Refused, match="stale: this safe of alice was saved 16 times, the one here"):
        safe.check_newer(HEAD, older)
    safe.check_newer(HEAD, HEAD)
    safe.check_newer(older, HEAD)
    safe.check_newer(HEAD, SafeHead("friday", "bob", HEAD.invite, 1))
    safe.check_newer(HEAD, SafeHead("friday", "alice", "00" * 32, 1))


def test_a_machine_without_argon2id_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what would help."""

    def unknown(*given: object) -> bytes:
        raise NotImplementedError

    monkeypatch.setattr(crypto, "argon2id", unknown)
    with pytest.raises(Refused, match=r"^unreadable: a safe needs Argon2id"):
        Lock.new(WORDS)


def test_a_safe_is_no_seat(tmp_path: Path, sealed: bytes) -> None:
    """It says how to unpack it."""
    (tmp_path / "a.safe").write_bytes(sealed)
    with pytest.raises(
        Refused, match=r"^no-seat: .*a\.safe' is a file, and a seat is a folder"
    ) as no:
        Seat.open(tmp_path / "a.safe")
    assert "adjudicator restore" in no.value.hint


def test_a_seat_carries_its_key(table: Table) -> None:
    """It signs with that; damaged, it says so."""
    seat = table.seat("alice")
    assert seat.signer() is None
    key = MemoryKey.from_seed(bytes(range(32)))
    seat.keep_key(key)
    assert table.seat("alice").signer() == key
    seat.files.write("key", b"-----BEGIN")
    with pytest.raises(Refused, match="bad-key: the seat's own key is damaged"):
        seat.signer()
