"""The host's private folder: what it keeps comes back, and what is damaged is told."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from replacing import replace

from adjudicator.core import intake
from adjudicator.core.intake import Order
from adjudicator.host.folder import HostFolder, Refusals
from orders import sshsig
from orders.bundle import Bundle
from orders.errors import Refused
from orders.sealing import SealingKey
from orders.secrets import LettersSecret, Master
from orders.sshsig import Signed

Table = Any


@pytest.mark.parametrize("content", ["", "zz" * 32, "ab" * 31, "ab" * 40])
def test_a_damaged_master_is_told(table: Table, content: str) -> None:
    """In one line, without quoting what may be a secret."""
    (table.record.host / "master").write_text(content)
    with pytest.raises(Refused) as caught:
        _ = table.host
    assert "abab" not in str(caught.value)


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o701])
def test_folders_of_secrets_that_are_open_are_refused(table: Table, mode: int) -> None:
    """The host's and a seat's, with the way out."""
    table.record.host.chmod(mode)
    with pytest.raises(Refused, match="open-folder") as caught:
        _ = table.host
    assert caught.value.hint.startswith("chmod 700")
    table.seat("alice").root.chmod(mode)
    with pytest.raises(Refused, match="open-folder"):
        table.seat("alice")


def test_private_folders_are_made_private(table: Table) -> None:
    """Whatever the umask; what is in them too."""
    table.submit("alice", "start A1")
    for folder in (table.record.host, table.seat("alice").root):
        for path in (folder, *folder.rglob("*")):
            assert path.stat().st_mode & 0o077 == 0, path


@pytest.fixture
def folder(tmp_path: Path) -> HostFolder:
    """A new folder with its two secrets."""
    made = HostFolder(tmp_path / "game.host")
    made.create(Master(b"\x07" * 32), "ab" * 32, Path("keys/host"))
    return made


def test_secrets_come_back(folder: HostFolder, tmp_path: Path) -> None:
    """The master, the letters' key and where the signing key lies; found from anywhere."""
    assert folder.master().hex == "07" * 32
    assert folder.letters().public == SealingKey(b"\xab" * 32).public
    assert folder.mail_secret() == LettersSecret(b"\xab" * 32).mail
    assert folder.key_path() == Path("keys/host").absolute()
    with pytest.raises(Refused, match="no-host"):
        HostFolder(tmp_path / "nowhere").master()
    (folder.root / "master").write_text("07" * 31)
    with pytest.raises(Refused, match=r"^unreadable: '.*/master' is no secret"):
        folder.master()


@pytest.mark.parametrize("content", [b"-1.5x", b"\xff" * 9, b"{}", b"[1]"])
def test_what_can_be_made_again_is_not_missed(folder: HostFolder, content: bytes) -> None:
    """A note that a bad disk left counts as none, and stops nobody."""
    for name in ("mark", "refused", "state.json"):
        (folder.root / name).write_bytes(content)
    assert (folder.mark(), folder.refusals(1), folder.state()) == (None, {}, content)


@pytest.mark.parametrize("name", ["sent", "seats", "tokens", "key_path"])
def test_a_note_that_is_no_text_is_told(folder: HostFolder, name: str) -> None:
    """It cannot be made again, so its path is named. A bad number counts as none."""
    path = folder.root / name.removesuffix("_path")
    path.write_bytes(b"-1.5x")
    assert (folder.sent(), folder.seats()) == (-1, None)
    path.write_bytes(b"\xff")
    with pytest.raises(Refused, match=f"{path.name}' is no text") as caught:
        getattr(folder, name)()
    assert caught.value.word == "unreadable"


def test_refusals_are_counted_for_the_coming_step(folder: HostFolder) -> None:
    """Player by player, with the last slip; another step begins anew."""
    folder.count_refusal(3, "bob", "ab" * 32)
    folder.count_refusal(3, "bob", "cd" * 32)
    folder.count_refusal(3, "alice", "ef" * 32)
    assert folder.refusals(3) == {
        "bob": Refusals(2, "cd" * 32), "alice": Refusals(1, "ef" * 32),
    }  # fmt: skip
    assert folder.refusals(4) == {}
    folder.count_refusal(4, "bob", "ab" * 32)
    assert (folder.refusals(3), folder.refusals(4)) == ({}, {"bob": Refusals(1, "ab" * 32)})


def order_of(table: Table, name: str, lines: str) -> tuple[Order, Signed]:
    """An order, and a receipt for it."""
    host = table.host
    order = intake.read_order_bundle(host.opening, host.last.joins, table.order(name, lines))
    receipt = intake.receipt(host.opening.id, host.last, order, "accepted", table.clock.now())
    return order, Signed.by(table.signer, sshsig.RECEIPT, receipt.render())


def test_the_last_accepted_order_waits(table: Table) -> None:
    """By step, then by revision; a receipt is found by its slip, also one that a crash left."""
    folder = table.host.folder
    first, answer = order_of(table, "alice", "start C4")
    second, other = order_of(table, "alice", "start D4")
    folder.accept(second, other)
    folder.accept(first, answer)
    (folder.root / "inbox" / ".0001-alice-03.txt.part").write_bytes(b"half")
    waiting = folder.waiting()
    assert list(waiting) == ["alice"]
    assert (waiting["alice"].order, waiting["alice"].receipt) == (second, other)
    assert waiting["alice"].received in other.data.decode()
    assert not (folder.root / "receipts").exists()
    assert folder.receipt(first.file.digest) == folder.answered(first) == answer
    assert folder.answered(second) == other
    folder.clear(0)
    assert list(folder.waiting()) == ["alice"]
    folder.clear(1)
    assert (folder.waiting(), list((folder.root / "inbox").iterdir())) == ({}, [])
    assert folder.receipt(first.file.digest) == answer
    assert folder.receipt(second.file.digest) == other
    assert (folder.answered(first), folder.answered(second)) == (answer, other)


def test_an_accepted_order_that_a_bad_disk_cut_is_named(table: Table) -> None:
    """By its file, which nobody can make again but from the sender's bundle."""
    folder = table.host.folder
    table.submit("alice", "start C4")
    path = folder.root / "inbox" / "0001-alice-01.txt"
    path.write_bytes(path.read_bytes()[:500])
    with pytest.raises(Refused, match=r"bad-bundle: '.*/inbox/0001-alice-01.txt': .*it ends"):
        folder.waiting()


def test_another_slip_of_the_same_revision_is_not_answered(table: Table) -> None:
    """A receipt is for one slip, whatever the other is called."""
    folder = table.host.folder
    first, answer = order_of(table, "alice", "start C4")
    folder.accept(first, answer)
    other = replace(first, file=Signed(first.file.data + b"#", first.file.signature))
    assert folder.answered(other) is None
    folder.clear(1)
    assert folder.answered(other) is None


def test_what_follows_from_an_entry_is_kept_together(table: Table) -> None:
    """State, mark and receipts; only then do the orders go that have their entry."""
    host = table.host
    folder, mark = host.folder, replace(host.ledger.mark, step=1, since=1)
    first, answer = order_of(table, "alice", "start C4")
    second, other = order_of(table, "bob", "start D4")
    folder.accept(first, answer)
    folder.accept(second, other)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", lambda *paths: (_ for _ in ()).throw(OSError(28, "full")))
        with pytest.raises(Refused, match="unwritable"):
            folder.settle(mark, b"{}")
    assert list(folder.waiting()) == ["alice", "bob"]
    known = [one for name, one in folder.waiting().items() if name == "alice"]
    folder.settle(mark, b"{}", known)
    assert (folder.mark(), folder.state(), folder.waiting()) == (mark, b"{}", {})
    assert (folder.answered(first), folder.answered(second)) == (answer, other)
    folder.settle(replace(mark, step=2))
    assert (folder.mark(), folder.state()) == (replace(mark, step=2), b"{}")


def test_press_waits_until_an_entry_names_it(folder: HostFolder) -> None:
    """Then it is put away, and kept."""
    bundle = Bundle("letter", (("a", b"1"),))
    texts = ["ab" * 32, "cd" * 32]
    for number, text in enumerate(texts, 1):
        name = f"alice-{number:04d}-0000-{text}-{number:04d}.txt"
        path = folder.keep(f"press/{name}", bundle)
        assert folder.bundle(path) == bundle
    folder.keep("notices/bob-0001-0000.txt", bundle)
    assert folder.press() == tuple(texts)
    folder.note_press([])
    assert folder.press() == tuple(texts)
    folder.note_press(texts[:1])
    assert folder.press() == (texts[1],)
    kept = folder.bundles_in("press", "press/noted", "notices")
    assert [path.name[:10] for path in kept] == ["alice-0001", "alice-0002", "bob-0001-0"]


@pytest.mark.parametrize("what", ["a pipe", "a folder", "a broken disk"])
def test_an_accepted_order_that_cannot_be_read_makes_nobody_late(
    table: Table, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """The host stops, and signs nothing; once it can be read again the order counts."""
    table.submit("alice", "start C4")
    path = table.host.folder.root / "inbox" / "0001-alice-01.txt"
    if what == "a broken disk":
        real = os.open

        def broken(opened: Any, *rest: Any) -> int:
            if str(opened) == str(path):
                raise OSError(errno.EIO, "Input/output error")
            return real(opened, *rest)

        monkeypatch.setattr(os, "open", broken)
    else:
        path.rename(path.with_suffix(".away"))
        os.mkfifo(path) if what == "a pipe" else path.mkdir()
    table.clock.skip(30 * 86_400)
    with pytest.raises(Refused, match=r"unreadable: '.*/inbox/0001-alice-01.txt'"):
        table.host.advance(late=True)
    assert table.record.last_step() == 0
    monkeypatch.undo()
    if what != "a broken disk":
        path.rmdir() if path.is_dir() else path.unlink()
        path.with_suffix(".away").rename(path)
    table.host.advance(late=True)
    entry = table.host.last.entry
    assert (list(entry.slips), entry.missing) == (["alice"], ("bob",))
