"""What is pasted is taken in by every way, whatever stands around it; what is not is named."""

from __future__ import annotations

import base64
import quopri
import shutil
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from duel.commanders import Person, by_mail

from adjudicator.cli import courier
from adjudicator.mail import pasted
from orders.bundle import Bundle, decode, encode

HEAD = b"From: ben@example.org\nSubject: Re: duel\nMessage-ID: <a@example.org>\nMIME-Version: 1.0\n"
TEXT = b"Content-Type: text/plain; charset=utf-8\n"
NOTE = b"Content-Type: text/plain\n\nHi\n"


def lines(block: bytes, before: bytes, after: bytes = b"\n") -> bytes:
    return b"".join(before + line + after for line in block.splitlines())


SHAPES: dict[str, Callable[[bytes], bytes]] = {
    "as it is.txt": lambda block: block,
    "greeted.txt": lambda block: b"Hi Ann,\nmy move:\n" + block + b"Cheers, Ben\n",
    "quoted": lambda block: b"Ben wrote:\n" + lines(block, b"> "),
    "quoted twice.TXT": lambda block: b"On Friday:\n" + lines(block, b">> "),
    "in one line.text": lambda block: block.replace(b"\n", b" "),
    "re-wrapped.md": lambda block: b"\n".join(
        line[at : at + 51] for line in block.splitlines() for at in range(0, len(line), 51)
    ),
    "indented": lambda block: lines(block, b"    "),
    "for windows.TXT": lambda block: block.replace(b"\n", b"\r\n"),
    "marked.txt": lambda block: b"\xef\xbb\xbf" + block,
    "UTF-16.txt": lambda block: ("Hi \u2026\n" + block.decode()).encode("utf-16"),
    "UTF-16 unmarked.txt": lambda block: block.decode().encode("utf-16-be"),
    "hard blanks.txt": lambda block: block.replace(b" ", "\u00a0".encode()),
    "long dashes.txt": lambda block: block.replace(b"-----", "\u2014\u2014-".encode()),
    "one long dash.txt": lambda block: block.replace(b"-----", "\u2014".encode()),
    "blank lines between": lambda block: block.replace(b"\n", b"\n\n"),
    "a page.html": lambda block: b"<html><body><p>Hi<br>" + lines(block, b"", b"<br>") + b"</p>",
    "a page of lines.htm": lambda block: b"<html><body>" + lines(block, b"<div>", b"</div>"),
    "fenced.txt": lambda block: b"```\n" + block + b"```\n",
    "no last line.txt": lambda block: block[: block.index(b"-----END")],
    "a mail.eml": lambda block: HEAD + TEXT + b"\nHi\n\n" + block,
    "in base64.EML": lambda block: (
        HEAD + TEXT + b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(block)
    ),
    "in quoted-printable.eml": lambda block: (
        HEAD + TEXT + b"Content-Transfer-Encoding: quoted-printable\n\n"
        + quopri.encodestring(lines(block, b"> " * 24))
    ),
    "attached.eml": lambda block: (
        HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + NOTE
        + b"--b\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n"
        b"Content-Disposition: attachment\n\n" + base64.encodebytes(block) + b"--b--\n"
    ),
    "a link": lambda block: pasted.link("https://example.org/page.html", decode(block)).encode(),
}  # fmt: skip


@pytest.fixture(scope="module")
def offered(tmp_path_factory: pytest.TempPathFactory) -> tuple[Person, bytes, bytes]:
    """Ann, who has made an offer, her offer, and Ben's answer."""
    root = tmp_path_factory.mktemp("offered")
    ann, ben = Person(root / "ann", "ann", "captain"), Person(root / "ben", "ben", "wild")
    ann.ok("duel", "silent-ships", "--name", "ann", "--key", "key", "-o", "../offer.txt")
    ben.ok("join", "../offer.txt", "--name", "ben", "--key", "key")
    return ann, (root / "offer.txt").read_bytes(), ben.block.read_bytes()


@pytest.fixture
def again(offered: tuple[Person, bytes, bytes], tmp_path: Path) -> Callable[[str], Person]:
    """Makes copies of Ann's folder."""

    def made(name: str) -> Person:
        shutil.copytree(offered[0].root, tmp_path / name)
        other = Person.__new__(Person)
        other.__dict__ |= offered[0].__dict__ | {"root": tmp_path / name}
        return other

    return made


def accepted(ann: Person) -> bool:
    return ann.home.party().row.accept is not None


@pytest.mark.parametrize("name", SHAPES)
def test_every_way_takes_it(
    name: str, again: Callable[[str], Person], offered: tuple[Person, bytes, bytes]
) -> None:
    """By `take`, `sync` and `play`, and with one's own block quoted below it."""
    data = SHAPES[name](offered[2])
    for way in (("take", name), ("sync",), ("play",)):
        ann = again(way[0])
        (ann.root / name).write_bytes(data)
        told = ann.run(*way)
        assert (told.exit_code, told.stderr) == (0, "")
        assert accepted(ann)
        assert (ann.root / name).exists() == (way[0] == "take")
    if b"\0" in data or data.startswith((HEAD, b"<html>")) or name == "no last line.txt":
        return
    for way in (("take", name), ("sync",)):
        ann = again(f"{way[0]} a reply")
        (ann.root / name).write_bytes(data + b"\nAnn wrote:\n" + lines(offered[1], b"> "))
        told = ann.run(*way)
        assert (told.exit_code, told.stderr) == (0, "")
        assert accepted(ann)


def _strays(ann: Person) -> list[str]:
    return courier.strays(ann.root, courier.look(ann.root))[0]


def test_a_block_that_is_cut_anywhere(
    again: Callable[[str], Person], offered: tuple[Person, bytes, bytes]
) -> None:
    """It is named with its file and the reason, by every way, and nothing is lost or half taken;
    of less than its first words nobody can say that it is one."""
    ann, block = again("cut"), offered[2]
    cut = ann.root / "cut.txt"
    here = sorted(ann.root.rglob("*"))
    for at in [*range(22, 140), *range(140, len(block) - 30, 197)]:
        cut.write_bytes(block[:at])
        assert _strays(ann)[0].startswith("cut.txt: a block in it is cut off")
        cut.write_bytes(b"Hi\n" + block[at:] + b"Bye\n")
        assert _strays(ann)[0].startswith("cut.txt: a block in it is cut off")
    for data in (block[:22], block[: len(block) // 2], block[100:], block[:-40]):
        cut.write_bytes(data)
        for way in ("sync", "play"):
            told = ann.run(way)
            assert told.exit_code == 3
            assert told.stderr.startswith("warning: cut.txt: a block in it is cut off")
        assert "'cut.txt': the block in it is cut off" in ann.fails("bad-bundle", "take", "cut.txt")
        assert not accepted(ann)
    cut.write_bytes(block[:400] + b"AAAA" + block[404:])
    assert ann.run("sync").stderr.startswith("warning: cut.txt: a block in it is damaged: ")
    cut.write_bytes(block[:21])
    assert ann.run("sync").exit_code == 0
    cut.unlink()
    assert sorted(ann.root.rglob("*")) == here


def test_two_blocks_in_one_file(
    again: Callable[[str], Person], offered: tuple[Person, bytes, bytes]
) -> None:
    """Each says itself of which duel it is; one that is damaged is named, the other taken; one
    that was taken already is no fault."""
    _, _, answer = offered
    ann = again("both")
    (ann.root / "both.txt").write_bytes(answer[100:] + answer)
    told = ann.run("sync")
    assert told.exit_code == 3
    assert "both.txt: a block in it is cut off: it has no BEGIN line" in told.stderr
    assert accepted(ann)
    assert (ann.root / "both.txt").exists()
    assert ann.run("take", "both.txt").exit_code == 3
    (ann.root / "both.txt").write_bytes(answer + b"again:\n" + answer)
    assert ann.run("take", "both.txt").exit_code == 0
    assert ann.run("sync").exit_code == 0
    assert not (ann.root / "both.txt").exists()
    assert [path.name for path in ann.root.glob("ann.duel.done/*")] == ["both.txt"]


def test_what_is_anothers_is_named(
    again: Callable[[str], Person], offered: tuple[Person, bytes, bytes]
) -> None:
    """A block of a duel that is not here, an offer, a bundle of some game; not what holds none."""
    ann = again("others")
    root = ann.root / "elsewhere"
    root.mkdir()
    zoe, dan = Person(root / "zoe", "zoe", "wild"), Person(root / "dan", "dan", "wild")
    zoe.ok("duel", "silent-ships", "--name", "zoe", "--key", "key", "-o", "../offer.txt")
    dan.ok("join", "../offer.txt", "--name", "dan", "--key", "key")
    (ann.root / "Dan's").write_bytes(b"Hi Zoe\n" + dan.block.read_bytes())
    (ann.root / "an offer").write_bytes((root / "offer.txt").read_bytes())
    receipt = Bundle("receipt", (("receipts/0001-alice-1.toml", b"?"), ("slips/x.toml", b"")))
    (ann.root / "receipt").write_bytes(encode(receipt))
    (ann.root / "notes.txt").write_text("Say BEGIN to Ben, and adjudicator sync\n")
    for way in ("sync", "play"):
        told = ann.run(way)
        assert told.exit_code == 3
        assert told.stderr.splitlines() == [
            'warning: "Dan\'s" is of another game: no copy of it is here; to get a copy: '
            "adjudicator join INVITATION",
            "warning: 'an offer' offers a game; adjudicator join 'an offer'",
            "warning: 'receipt' is of another game: no copy of it is here; to get a copy: "
            "adjudicator join INVITATION",
        ]
    assert sorted(path.name for path in ann.root.iterdir() if path.is_file()) == [
        "Dan's", "an offer", "key", "key.pub", "notes.txt", "receipt",
    ]  # fmt: skip


def test_a_reply_by_mail(tmp_path: Path) -> None:
    """Text above, the answer in it, and the mail that it answers quoted below; what is damaged is
    named once."""
    ann, ben = by_mail(tmp_path)
    ann.ok("duel", "silent-ships", "ben@example.org", "--name", "ann", "--key", "key")
    (offer,) = (ben.root / "inbox" / "new").iterdir()
    shutil.copy(offer, ben.root / "offer.eml")
    ben.ok("join", "offer.eml", "--name", "ben", "--key", "key")
    (mail,) = (ann.root / "inbox" / "new").iterdir()
    (answer,) = pasted.read(mail.read_bytes()).bundles
    (asked,) = pasted.read(offer.read_bytes()).bundles
    head = mail.read_bytes().partition(b"MIME-Version")[0].replace(b"\r\n", b"\n")
    body = b"Hi Ann\n\n" + encode(answer) + b"\nAnn wrote:\n" + lines(encode(asked), b"> ")
    mail.write_bytes(head + TEXT + b"\n" + body + b"\n" + encode(answer)[200:])
    told = ann.run("sync")
    assert accepted(ann)
    assert told.exit_code == 0
    broken = head.replace(b"Message-ID: <", b"Message-ID: <b") + TEXT + b"\n" + encode(answer)[:-90]
    mail.with_name("broken").write_bytes(broken)
    told = ann.run("sync")
    assert told.exit_code == 3
    assert "a block in it is cut off: it has no END line" in told.stderr
    assert ann.run("sync").exit_code == 0


def test_a_folder_of_other_files(tmp_path: Path) -> None:
    """Of a film or a picture a few bytes are read, of a long text no more than is ever taken; one
    that is too long and may hold a block is named."""
    block = encode(Bundle("duel", (("offer.toml", b"?" * 400),)))
    for name, unit in (("film.mp4", bytes(2**20)), ("log", b"all is well\n" * 2**16)):
        with (tmp_path / name).open("wb") as file:
            for _ in range(64):
                file.write(unit)
            file.write(block)
    with (tmp_path / "all.mbox").open("wb") as file:
        file.write(block)
        file.truncate(pasted.LARGEST + 1)
    tracemalloc.start()
    found, faults, _ = courier.look(tmp_path)
    assert found == []
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * pasted.LARGEST
    assert faults == [
        "all.mbox: 12,582,913 bytes are too many: at most 12,582,912 are read at once",
    ]  # fmt: skip
