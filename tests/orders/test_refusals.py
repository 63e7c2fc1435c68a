"""What is refused is refused in words that say what is wrong there, one row for each fault; and
each bound is where it is said to be, one row for each.

A later check often refuses the same bytes in other words, so a row holds the words.
"""

from __future__ import annotations

import base64
import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders import (
    bundle,
    canonical,
    crypto,
    duel,
    keys,
    order_file,
    public_key,
    sealing,
    sshsig,
    toml,
)  # fmt: skip
from orders.bundle import BEGIN, END, Bundle
from orders.documents import Invite, Private, read_invite
from orders.entries import Awaited, Entry, read_entry
from orders.errors import Missing, Refused, at, pasteable
from orders.keys import MemoryKey
from orders.secrets import DuelSecret

KEY = MemoryKey.from_seed(b"k" * 32)
WHOLE = bundle.encode(Bundle("order", (("a.toml", b"x = 1\n" * 20),)))
SIGNED = KEY.sign(sshsig.SLIP, b"x")


def block(payload: bytes) -> bytes:
    """A block of that payload, with its digest."""
    head = f"kind: order\ndigest: {hashlib.sha256(payload).hexdigest()}\n\n".encode()
    return BEGIN + head + base64.b64encode(payload) + b"\n" + END


def signature(armored: bytes) -> None:
    sshsig.verify(KEY.public, sshsig.SLIP, b"x", armored)


def order(data: bytes) -> None:
    order_file.read_typed(data, "ab" * 32, 3, "alice")


def parse(data: bytes) -> None:
    toml.parse(data, 2**20)


def sealed_anew(number: int) -> None:
    """A signature with that number as its second half."""
    raw = sshsig.blob(KEY.public, sshsig.SLIP, signature_of(SIGNED)[:32] + little(number))
    signature(sshsig.armor(raw))


def signature_of(armored: bytes) -> bytes:
    return base64.b64decode(b"".join(armored.splitlines()[1:-1]))[-64:]


def little(number: int) -> bytes:
    return number.to_bytes(32, "little")


def move(facts: Sequence[object] = (), orders: Sequence[object] = (), number: int = 1) -> None:
    """Reads a move that tells that much."""
    nonce = "ab" * 32 if number == 1 else None
    made = duel.Move("cd" * 32, number, nonce, tuple(facts), tuple(orders))  # type: ignore[arg-type]
    assert duel.read_move(made.render()) == made


OWN = DuelSecret(b"s" * 32)


def own_orders(size: int, padded: int, expected: int) -> None:
    """Opens orders of so many bytes that are padded so, where another length is expected."""
    duel.open_orders(OWN, 1, duel.seal_orders(OWN, 1, b"x" * size, padded), expected)


def offer(orders: object) -> None:
    """Reads an offer with those sealed orders."""
    made = duel.Offer("ann", "x", "a/1", TIME, A, A, A, orders)  # type: ignore[arg-type]
    duel.read_offer(made.render())


A, TIME = "ab" * 32, "2026-01-01T00:00:00Z"


def invite(old: bytes, new: bytes) -> None:
    """Reads an invite with other bytes."""
    made = Invite("friday", "a/1", TIME, "x", A, A, A).render()
    assert old in made
    read_invite(made.replace(old, new))


def entry(old: bytes, new: bytes) -> None:
    """Reads an entry with other bytes."""
    events, awaited = ({"kind": "shot"},), {"alice": Awaited("turn", TIME, TIME)}
    made = Entry(A, 1, A, TIME, A, events=events, view="{}", awaited=awaited).render()
    assert old in made
    read_entry(made.replace(old, new))


EVENTS = b'events = [\n    { kind = "shot" },\n]\n'

FILE = crypto.write_openssh(b"k" * 32)


def key_file(old: bytes, new: bytes) -> bytes:
    """A private key file with other bytes in its content."""
    begin, *body, end = FILE.splitlines()
    content = base64.b64decode(b"".join(body))
    assert old in content
    return b"\n".join([begin, base64.b64encode(content.replace(old, new, 1)), end, b""])


def load(data: bytes) -> Callable[[Path], None]:
    """Loads those bytes as a private key."""

    def call(folder: Path) -> None:
        path = folder / "key"
        path.write_bytes(data)
        path.chmod(0o600)
        keys.load_signer(path, None)

    return call


def load_longer(size: int) -> None:
    """Loads a private key file of so many bytes, the last of them line ends."""
    with tempfile.TemporaryDirectory() as folder:
        load(FILE + b"\n" * (size - len(FILE)))(Path(folder))


def load_pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    keys.load_signer(folder / "pipe", None)


ROWS: list[tuple[str, Callable[[], object]]] = [
    ("there are invite, join", lambda: Bundle("parcel", (("a", b""),))),
    ("not with its BEGIN line", lambda: bundle.decode(b"hello\n")),
    ("not with its END line", lambda: bundle.decode(WHOLE.removesuffix(END))),
    ("not with its END line", lambda: bundle.decode(WHOLE + b"x")),
    ("its lines have not 64", lambda: bundle.decode(WHOLE.replace(END, b"?\n" + END))),
    ("damaged", lambda: bundle.decode(WHOLE.replace(b"\n\nYn", b"\n\nYm"))),
    ("not with a list of files", lambda: bundle.decode(block(b"parcel\n\n"))),
    ("not with a list of files", lambda: bundle.unpack(b"bundle/1 order\n0 a.toml")),
    ("not with a list of files", lambda: bundle.unpack(b"parcel\n0 a.toml\n\n")),
    ("its files have 1 bytes, the list says 2",
     lambda: bundle.decode(block(b"bundle/1 order\n2 a.toml\n\nx"))),
    ("1.5 is not an integer", lambda: canonical.loads(b"1.5")),
    ("NaN is not an integer", lambda: canonical.loads(b"NaN")),
    ("orders = 1: expected sealed orders in base64", lambda: offer(1)),
    ("expected at most 40 orders, each the base64 of its bytes", lambda: move([], ["AAA"])),
    ("that is not printable ASCII", lambda: canonical.loads(b'"\\u00e9"')),
    ("byte 5 is not canonical: b' 1}'", lambda: canonical.loads(b'{"a": 1}')),
    ("expected an object", lambda: Private.read(b"[]")),
    ("rules = 5: expected a rules version", lambda: invite(b'rules = "a/1"', b"rules = 5")),
    ("events = 5: expected a list of events", lambda: entry(EVENTS, b"events = 5\n")),
    ("events = [5]: expected a list of events", lambda: entry(EVENTS, b"events = [5]\n")),
    ("has 32 bytes, not 31", lambda: public_key.check_raw(bytes(31))),
    ("a line of 9000 characters", lambda: public_key.read_public("x" * 9000)),
    ("one blank, base64 and nothing else", lambda: public_key.read_public("ssh-ed25519 ?")),
    ("one blank, base64 and nothing else", lambda: public_key.read_public("hello x")),
    ("one blank, base64 and nothing else",
     lambda: public_key.read_public(KEY.public.line.replace("ssh-", "ssh_"))),
    ("2 lines, expected one", lambda: public_key.read_public_file(f"{KEY.public.line}\nx\n")),
    ("not in the one form that ssh-keygen", lambda: signature(SIGNED + b"hello")),
    ("for the namespace 'adjudicator-entry', expected 'adjudicator-slip'",
     lambda: signature(KEY.sign(sshsig.ENTRY, b"x"))),
    ("malformed: byte 4 (0xff) is in another encoding", lambda: parse(b'x ="\xff"')),
    ("byte order mark '\\ufeff' at character 0", lambda: parse("\ufeffx = 1".encode())),
    ("invisible character '\\u202e' at character 5", lambda: parse('x = "\u202e"'.encode())),
    ("malformed: line 2 is longer than", lambda: parse(b"x = 1\n#" + b"-" * 2**17)),
    ("malformed: line 1 holds a lone carriage return", lambda: parse(b"x = 1\ry = 2\n")),
    ("malformed: line 1 holds a lone carriage return", lambda: parse(b"x = 1\r")),
    ("malformed: line 2 holds a lone carriage return", lambda: parse(b"x = 1\r\ny = 2\r")),
    ("malformed: line 2 holds a lone carriage return", lambda: parse(b"x = 1\r\ny = 2\rz = 3\r\n")),
    ("malformed: more than 500 brackets", lambda: parse(b"x = []\n" * 501)),
    ("malformed: the order file is saved as UTF-16", lambda: order("\u4e2d".encode("utf-16"))),
    ("bad-bundle: the block holds no offer, no accept", lambda: duel.DuelBlock({}).about),
    ("more than 65536 characters", lambda: order(b"# 456789 123456\n" * 5000)),
]  # fmt: skip

FILES: list[tuple[str, Callable[[Path], None]]] = [
    ("is not a regular file", load_pipe),
    ("is larger than", load(FILE + b"x" * 2**20)),
    ("does not begin as it must", load(key_file(b"openssh-key-v1", b"openssh-key-v2"))),
    ("it begins with '-----BEGIN RSA", load(FILE.replace(b"N OPENSSH", b"N RSA", 1))),
    ("it is cut off", load(FILE + b"x\n")),
    ("holds 2 keys", load(key_file(b"\0\0\0\1\0\0\0\x33", b"\0\0\0\2\0\0\0\x33"))),
]


EDGES: list[tuple[str, int, Callable[[int], object]]] = [
    ("bytes, at most", bundle.LARGEST_FILE, lambda n: Bundle("order", (("a", bytes(n)),))),
    ("the block: 11", bundle._LARGEST_ARMORED, lambda n: bundle.decode(bytes(n))),
    ("in it is no plain path", 100, lambda n: bundle.check_path("a" * n)),
    ("canonical JSON, at most", 2**20, lambda n: canonical.dumps("x" * (n - 2))),
    ("at most 1048576 are taken", 2**20, lambda n: canonical.loads(b" " * n)),
    ("magnitude", 2**53 - 1, lambda n: canonical.dumps([n])),
    ("magnitude", 2**53 - 1, lambda n: canonical.dumps([-n])),
    ("nested deeper", 32, lambda n: canonical.loads(b"[" * n + b"]" * n)),
    ("at most 400 facts", 400, lambda n: move(["x"] * n)),
    ("2000 characters", 2_000, lambda n: move(["x" * n])),
    ("at most 40 orders", 40, lambda n: move(["x"], ["AAAA"] * n)),
    ("the base64", 1_024, lambda n: move(["x"], ["AAAA" * n])),
    ("the base64", -1, lambda n: move(["x"], ["AAAA" * -n])),
    ("unopenable: the sealed orders are not of", 100, lambda n: own_orders(n, n + 4, 104)),
    ("unopenable: the sealed orders are not of", 104, lambda n: own_orders(9, n, 104)),
    ("is larger than", keys.LARGEST_FILE, load_longer),
    ("a line of", public_key.LONGEST_LINE, lambda n: public_key.read_public("x" * n)),
    ("not canonical", 2**255 - 20, lambda n: public_key.check_raw(little(n))),
    ("not canonical", 2**255 - 20, lambda n: sealing.check_public(little(n))),
    ("not below the group order", sshsig._L - 1, sealed_anew),
    ("at most 100 are taken", 100, lambda n: toml.parse(b"#" * n, 100)),
    ("malformed: line 1 is longer than 2000", 2_000, lambda n: parse(b"#" * n)),
    ("malformed: line 1 nests or dots deeper than 60", 60, lambda n: parse(b"[" * n)),
    ("malformed: line 1 nests or dots deeper than 60", 60, lambda n: parse(b"#" + b"." * n)),
    ("malformed: more than 500 brackets", 500, lambda n: parse(b"#[\n" * n)),
    ("malformed: more than 500 brackets", 500, lambda n: parse(b"#{\n" * n)),
    ("malformed: more than 500 brackets or 5,000 dots", 5_000, lambda n: parse(b"#.\n" * n)),
    ("more than 65536", order_file.LARGEST, lambda n: order(b"#" * 100 + b"\n" + b"#" * (n - 100))),
    ("at most 65536 fit", 65_536, lambda n: sealing.pad(bytes(n), 65_540)),
    ("nothing is sealed", -1, lambda n: place(step=-n)),
    ("nothing is sealed", 0, lambda n: place("report", revision=n)),
    ("nothing is sealed", 0, lambda n: place("report", revision=-n)),
    ("nothing is sealed", 0, lambda n: place("letter" if n else "report", revision=0)),
    ("nothing is sealed", -1, lambda n: place(revision=-n)),
    ("nothing is sealed", 0, lambda n: sealing.letter_info("letter", "ab" * 32, -n, "alice")),
]  # fmt: skip
"""The words of what is one beyond the bound, the bound, and what is tried with a number."""


def place(direction: str = "order", step: int = 1, revision: int = 1) -> None:
    sealing.Place(direction, "ab" * 32, step, "alice", revision, "cd" * 32)


@pytest.mark.parametrize(("words", "bound", "call"), EDGES, ids=[row[0] for row in EDGES])
def test_the_edge(words: str, bound: int, call: Callable[[int], object]) -> None:
    """What is at the bound is not refused for that."""
    with pytest.raises((Refused, ValueError), match=words):
        call(bound + 1)
    try:
        call(bound)
    except Refused as error:
        assert words not in str(error)


@pytest.mark.parametrize(("words", "call"), ROWS, ids=[words for words, _ in ROWS])
def test_the_words(words: str, call: Callable[[], object]) -> None:
    with pytest.raises(Refused) as caught:
        call()
    assert words in str(caught.value)


@pytest.mark.parametrize(("words", "call"), FILES, ids=[words for words, _ in FILES])
def test_the_words_of_a_key_file(words: str, call: Callable[[Path], None], tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        call(tmp_path)
    assert words in caught.value.message


def test_a_key_file_that_the_library_reads_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cipher that it does not know, and halves that differ."""

    def unknown(data: bytes, passphrase: bytes | None) -> bytes:
        raise NotImplementedError("cipher rot13")

    for words, load_openssh in (
        ("is encrypted in an unknown way: cipher rot13", unknown),
        ("holds a public key that is not its own", lambda data, passphrase: b"o" * 32),
    ):
        monkeypatch.setattr(crypto, "load_openssh", load_openssh)
        with pytest.raises(Refused, match=words):
            load(FILE)(tmp_path)


# The one error for files: its words, the file's name in front, commands that can be pasted.


def test_a_refusal_says_its_word_and_its_message() -> None:
    """In the one line that is printed; the hint is printed apart."""
    error = Refused("malformed", "x = 1: expected 2", "write 2")
    assert str(error) == "malformed: x = 1: expected 2"
    assert (error.word, error.message, error.hint) == ("malformed", "x = 1: expected 2", "write 2")
    assert (error.claim, Refused("a", "b").hint) == ("", "")


def test_what_is_missing_names_its_path() -> None:
    """So whoever asked for it can tell whether this was the file that is missing."""
    error = Missing("entries/0001.toml")
    assert (error.word, error.path) == ("missing", "entries/0001.toml")
    assert error.message == "entries/0001.toml is not there"


def test_the_file_stands_in_front_of_what_was_refused_in_it() -> None:
    """From the outside in; what is missing names itself, and other errors are left alone."""
    with pytest.raises(Refused) as caught, at("a.zip"), at("invite.toml"):
        raise Refused("malformed", "no table")
    assert caught.value.message == "a.zip: invite.toml: no table"
    with pytest.raises(Missing) as missing, at("a.zip"):
        raise Missing("invite.toml")
    assert missing.value.message == "invite.toml is not there"
    with pytest.raises(ValueError, match=r"^as it was$"), at("a.zip"):
        raise ValueError("as it was")


def test_plain_words_stay_as_they_are() -> None:
    """Only what a shell would read otherwise is quoted."""
    assert pasteable("friday/alice.seat") == "friday/alice.seat"
    assert pasteable("my games") == "'my games'"
    assert pasteable("") == "''"
    assert pasteable(PureWindowsPath(r"C:\games\friday")) == "C:/games/friday"
    assert pasteable("a\n\u202e\\'") == "$'a\\x0a\\xe2\\x80\\xae\\x5c\\x27'"
    assert pasteable("\x1f ~\x7f") == "$'\\x1f ~\\x7f'"


@given(st.text())
def test_what_is_to_be_pasted_is_one_line_of_ascii(text: str) -> None:
    """A hint cannot forge a line of a terminal; plain words come back as a shell reads them."""
    word = pasteable(text)
    assert word.isascii()
    assert word.isprintable()
    if text.isascii() and text.isprintable():
        assert shlex.split(word) == [text]


@pytest.mark.skipif(not (shutil.which("bash") or os.environ.get("CI")), reason="asks bash")
def test_a_shell_reads_the_very_bytes() -> None:
    """Of any path, also one that is no text in any language."""
    texts = [
        "friday", "my games", "caf\u00e9 \U0001f600", "\udcff\udc80", "'\\''", "$(x)`y`", "-n",
        "\x01\x7f", "a\nb\\n", "\u202e", "*", "~",
    ]  # fmt: skip
    line = f"printf '%s\\0' {' '.join(map(pasteable, texts))}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, check=True, timeout=60)
    wanted = [text.encode("utf-8", "surrogateescape") for text in texts]
    assert done.stdout.split(b"\0")[:-1] == wanted
