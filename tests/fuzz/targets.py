"""The six readers of bytes that anybody may send: block, pack, order, mail, letter, a duel's block.

Each target takes any bytes, and comes back. It does with them what the program does with what
comes in, and asks more than that nothing breaks: a refusal has a word that the reader's page names
and is one plain line, what was read is written as the same bytes, and what one reader finds the
other does not deny. A target raises for nothing else, so that any fuzzer can drive it
(`__main__.py`), and hypothesis does (`test_targets.py`).

A digest or a checksum keeps a fuzzer out, so each target also takes its bytes for what lies behind
one: the payload of a block, the files of a pack, what a duel's block has sealed.
"""

from __future__ import annotations

import binascii
import functools
import hashlib
import json
import re
import struct
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from mail.corpus import cases

from adjudicator.core import letters
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import MemoryFiles
from adjudicator.duel import documents
from adjudicator.duel.party import Party
from adjudicator.mail import block as blocks
from adjudicator.mail import pasted
from adjudicator.mail.mime import Mail, read_head, read_mail
from adjudicator.store import pack as packs
from adjudicator.verifier.verify import verify
from games.game import Game, Illegal, Malformed, View, Written
from orders import bundle as bundles
from orders import names
from orders.documents import read_consent, read_invite, read_join, read_slip
from orders.duel import (
    DuelBlock,
    of_bundle,
    read_accept,
    read_block,
    read_end,
    read_move,
    read_offer,
    read_request,
)
from orders.entries import read_entry
from orders.errors import Refused
from orders.letter import read_letter, read_text
from orders.order_file import read_order_file, read_typed
from orders.secrets import DuelSecret

TESTS = Path(__file__).parents[1]
SUITE = TESTS / "suite"
CORPUS = Path(__file__).parent / "corpus"
LONGEST = 4_000
"""Characters of the longest refusal."""

Found = TypeVar("Found")


def answer(words: str, read: Callable[..., Found], *given: Any) -> Found | None:
    """What a reader makes of bytes; None if it refuses them by one of these words, in one line."""
    try:
        return read(*given)
    except Refused as refused:
        assert refused.word in words.split(), refused
        for text in (refused.message, refused.hint):
            assert text.isascii(), text
            assert text.isprintable(), text
            assert len(text) <= LONGEST, text
        return None


# Blocks.


def armored(payload: bytes) -> bytes:
    """A block with that payload, whatever it is, whose digest is right."""
    said = re.match(rb"bundle/1 ([a-z]{1,16})\n", payload)
    kind = b"order" if said is None else said[1]
    text = binascii.b2a_base64(payload, newline=False)
    lines = [text[at : at + bundles.LINE] + b"\n" for at in range(0, len(text), bundles.LINE)]
    digest = hashlib.sha256(payload).hexdigest().encode()
    head = b"kind: %s\ndigest: %s\n\n" % (kind, digest)
    return bundles.BEGIN + head + b"".join(lines) + bundles.END


def bundle(data: bytes) -> None:
    """A block of text that travels, and what is in it."""
    for given in (data, armored(data)):
        found = answer("bad-bundle too-big", bundles.decode, given)
        if found is not None:
            assert bundles.encode(found) == given


# Packs.

DOCUMENTS: Mapping[str, Callable[[bytes], Any]] = {
    "invite": read_invite, "join": read_join, "seat": read_join, "consent": read_consent,
    "slip": read_slip, "entry": read_entry,
    "offer": read_offer, "accept": read_accept, "moves": read_move, "ends": read_end,
}  # fmt: skip
OF_DOCUMENTS = "malformed too-big bad-key old-release"


def document(path: str, data: bytes) -> None:
    """A document of a record or of a duel, by the name of its file."""
    name = names.parse(path)
    kind = path.partition("/")[0].partition(".")[0] if name is None else name.kind
    if kind in DOCUMENTS and not path.endswith(".sig"):
        found = answer(OF_DOCUMENTS, DOCUMENTS[kind], data)
        if found is not None:
            assert found.render() == data, path


def pack(data: bytes) -> None:
    """A pack; the verdict on what is in it, and each document alone."""
    for given in (data, packs.write(listed(data))):
        found = answer("bad-pack too-big", packs.Pack.of, given)
        if found is None:
            continue
        assert packs.write(found.held) == given
        verdict = verify(MemoryFiles(found.held))
        assert verdict.code in (0, 1, 2, 3, 4), verdict.verdict
        assert verdict.verdict.isprintable(), verdict.verdict
        for path, content in found.held.items():
            document(path, content)


def listed(data: bytes) -> dict[str, bytes]:
    """The files of a damaged zip as its local headers list them, whatever its checksums say."""
    held: dict[str, bytes] = {}
    for part in data.split(b"PK\3\4")[1:]:
        if len(part) >= 26:
            (length,) = struct.unpack_from("<H", part, 22)
            path = part[26 : 26 + length].decode("ascii", "replace")
            if names.is_read(path):
                held[path] = part[26 + length :].partition(b"PK\1\2")[0]
    return held


# Orders.


@functools.cache
def views() -> Sequence[tuple[Game[Any, Any], View]]:
    """Of each whole game what a player sees at its beginning, in the middle and late."""
    found = []
    for path in sorted((SUITE / "records").glob("*.json")):
        opening = Ledger.begin(packs.Pack.open(path.with_suffix(".zip"))).opening
        entries = list(json.loads(path.read_text("ascii"))["entries"].values())
        for entry in (entries[0], entries[len(entries) // 2], entries[-1]):
            for player, report in sorted(entry.get("reports", {}).items())[:1]:
                shown = json.loads(report)["view"]
                found.append((opening.game, View(opening.setup, player, shown)))
    return found


def order(data: bytes) -> None:
    """An order file, as it is sealed and as people type it, and what each game makes of it."""
    found = answer("malformed too-big", read_order_file, data)
    if found is not None:
        salt, file = found
        assert file.render(salt) == data
    typed = answer("malformed too-big stale mismatch", read_typed, data, "9c01" * 16, 3, "alice")
    if typed is not None:
        # With its salt and headings it may be larger than what was typed, and too large.
        again = answer("too-big", read_order_file, typed.file.render("ab" * 32))
        assert again in (None, ("ab" * 32, typed.file))
    text = data.decode("ascii", "replace") if typed is None else typed.file.text
    for game, view in views():
        try:
            game.read(view, Written(text))
        except (Malformed, Illegal) as fault:
            assert str(fault).isprintable(), fault


# Mail.

KINDS = (("order", "join", "letter"), ("invite", "entry", "receipt", "consent"), ("duel",))


def mail(data: bytes) -> None:
    """A mail, and the same as somebody pastes it: the blocks in it."""
    found = answer("too-big too-deep unreadable", _mail, data)
    answer("too-big too-deep unreadable", read_head, data)
    paste = answer("too-big too-deep unreadable", pasted.read, data)
    for kinds in KINDS:
        for each in (found.blocks if found else (), paste.blocks if paste else ()):
            one = answer("ambiguous bad-bundle", blocks.choose, each, kinds)
            many = answer("ambiguous bad-bundle", blocks.choose_each, each, kinds)
            assert one is None or many is None or one in many
    if paste is not None and paste.bundles:
        assert pasted.may_hold(data), "a block was found where none can be"
        head = data[: pasted.HEAD]
        assert pasted.is_text(head) or b"ADJUDICATOR" not in head, "a block was found in no text"


def _mail(data: bytes) -> Mail:
    """The mail. What our own code raises is a fault, though a mail may be unreadable."""
    try:
        found = read_mail(data)
    except Refused as refused:
        cause = refused.__context__
        trace = None if cause is None else cause.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        if trace is not None and "adjudicator" in Path(trace.tb_frame.f_code.co_filename).parts:
            raise AssertionError(f"our own code raised {cause!r}") from cause
        raise
    assert found.subject.isprintable()
    assert found.sender is None or found.sender.isascii()
    assert found.returned.isprintable()
    return found


# Letters.


def letter(data: bytes) -> None:
    """A letter, its text, and a bundle of it."""
    said = "malformed too-big old-release"
    for read in (read_letter, read_text):
        found = answer(said, read, data)
        if found is not None:
            assert found.render() == data
    for given in (data, armored(data)):
        held = answer("bad-bundle too-big", bundles.decode, given)
        if held is not None:
            answer(f"bad-bundle bad-signature mismatch {said}", letters.own, held)


# Duels.


class Before(NamedTuple):
    """A duel's documents up to a move of the other's, and whose turn it is to hear it."""

    files: Mapping[str, bytes]
    player: str
    secret: DuelSecret


@functools.cache
def duels() -> Sequence[tuple[Before, bytes]]:
    """Duels that have begun, and the payload of the block that comes next, with more after it."""
    found = []
    for name in ("silent-ships-print", "sugar-dog"):
        held = packs.Pack.open(SUITE / "duels" / f"{name}.zip").held
        whole = documents.read(MemoryFiles(held))
        (accept,) = whole.begun
        opened = whole.opened(accept)
        row = whole.row(whole.longest(accept))
        for last in (2, 3):
            kept = {path: data for path, data in held.items() if _number(path) <= last}
            reader = next(one for one in opened if one != row.author_of(last + 1))
            after = {path: data for path, data in held.items() if last < _number(path) <= last + 3}
            payload = bundles.Bundle("duel", tuple(sorted(after.items()))).payload
            found.append((Before(kept, reader, opened[reader]), payload))
    return found


def _number(path: str) -> int:
    """Of a move its number; what came before has 0, an end the greatest."""
    place, number, _ = names.in_duel(path)
    return number if place < 3 else 10**7


OF_DUELS = f"{OF_DOCUMENTS} bad-bundle bad-signature mismatch missing not-yet other-game superseded"


def duel(data: bytes) -> None:
    """A duel's block, and what a player makes of it to whom it was sealed."""
    for given in (data, armored(data)):
        found = answer("bad-bundle too-big", read_block, given)
        if found is not None:
            answer("bad-bundle malformed too-big", lambda came: came.about, found)
    inside = answer("bad-bundle too-big", bundles.unpack, data)
    if inside is None:
        return
    for path, content in inside.files:
        if path == names.REQUEST:
            answer(OF_DOCUMENTS, read_request, content)
        elif names.is_duels(path):
            document(path, content)
    files = {path: it for path, it in inside.files if path == names.REQUEST or names.is_duels(path)}
    answer("bad-bundle", of_bundle, inside)
    for before, _ in duels():
        party = Party(documents.read(MemoryFiles(before.files)), before.player, before.secret)
        answer(OF_DUELS, party.take_block, DuelBlock(files), "2026-02-01T00:00:00Z")
        assert party.lie is None or str(party.lie).isprintable()


# All of them.


class Target(NamedTuple):
    """A reader, and the honest bytes that a fuzzer begins with."""

    read: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]


def _values(name: str) -> Any:
    return json.loads((SUITE / f"{name}.json").read_text("ascii"))


def _blocks() -> list[bytes]:
    known = _values("bundle")
    good, refused = ([one["block"].encode() for one in known[of]] for of in ("good", "refused"))
    return [*good, *(bundles.decode(one).payload for one in good), *refused]


def _packs() -> list[bytes]:
    """The beginnings of whole games: what is signed first says as much of a reader as the rest."""
    found = []
    for path in (*sorted((SUITE / "records").glob("*-[1-3].zip")),
                 *sorted((SUITE / "duels").glob("*d*.zip"))):  # fmt: skip
        held = packs.Pack.open(path).held
        found.append(packs.write({one: data for one, data in held.items() if _first(one)}))
    return found


def _first(path: str) -> bool:
    name = names.parse(path)
    return names.in_duel(path)[1] <= 2 if name is None else name.step <= 2


def _orders() -> list[bytes]:
    known = _values("order-files")
    found = [one["bytes"].encode() for one in known["written"]]
    found += [one["typed"].encode() for one in known["typed"]]
    lines = ("silent B2", "fire S", "cruise A1 B1", "standing retreat ask\nplay frigate left\nend",
             "draw offer", "resign", "start A1")  # fmt: skip
    return [*found, *(line.encode() for line in lines)]


def _mails() -> list[bytes]:
    """The corpus of mails as they come, and texts with blocks that want repair."""
    texts = [one["text"].encode() for one in _values("bundle")["repaired"]]
    return [*(one.mail for one in cases()), *texts]


def _letters() -> list[bytes]:
    known = _values("documents")
    found = [one["bytes"].encode() for one in known["documents"] if one["document"] == "letter"]
    texts = [one["bytes"].encode() for one in known["texts"]]
    files = {"letters/alice-0001.toml": found[0], "letters/alice-0001.toml.sig": b"x\n"}
    kept = {**files, "letters/alice-0001.txt": texts[0]}
    held = [bundles.Bundle("letter", tuple(sorted(it.items()))) for it in (files, kept)]
    return [*found, *texts, *(one.payload for one in held)]


def _duels() -> list[bytes]:
    request = b'kind = "duel-request/4"\nnumber = 2\nlast = "' + b"ab" * 32 + b'"\n'
    found = [bundles.Bundle("duel", ((names.REQUEST, request),)).payload]
    held = packs.Pack.open(SUITE / "duels" / "silent-ships-print.zip").held
    for begin in ("offer", "accept", "ends/"):
        some = tuple((path, data) for path, data in held.items() if path.startswith(begin))
        found.append(bundles.Bundle("duel", some).payload)
    block = _values("duels")["block"]["block"].encode()
    return [block, *found, *(payload for _, payload in duels())]


TARGETS: Mapping[str, Target] = {
    "bundle": Target(bundle, _blocks),
    "pack": Target(pack, _packs),
    "order": Target(order, _orders),
    "mail": Target(mail, _mails),
    "letter": Target(letter, _letters),
    "duel": Target(duel, _duels),
}


def seeds(name: str) -> list[bytes]:
    """What a fuzzer of that target begins with: honest bytes, and those that once found a fault."""
    kept = sorted((CORPUS / name).glob("*"))
    return [*TARGETS[name].seeds(), *(path.read_bytes() for path in kept)]
