"""Every reader of bytes that somebody else wrote, with honest bytes to be spoilt for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from hostile_games import Played, document, entry_bundle, plain_json
from memory import Memory
from spoil import spoilt

from adjudicator.core import ledger, report
from adjudicator.player.seat import Seat
from adjudicator.store import pack
from orders import canonical, documents, entries, letter, names, order_file, sshsig, toml
from orders.bundle import decode, encode
from orders.fields import check_name, is_time
from orders.order_file import read_typed
from orders.public_key import read_public, read_public_file

Spoiler = Callable[[Random, bytes, Sequence[bytes], int], bytes]
Read = Callable[[bytes], Any]


@dataclass(frozen=True)
class Reader:
    """A reader, honest bytes for it, and how these are made hostile."""

    read: Read
    honest: Sequence[bytes]
    spoil: Spoiler = spoilt


def readers(played: Played) -> dict[str, Reader]:
    """All of them, for the game of `played`."""
    good = played.good
    game = played.forger.game.opening
    about = (game.id, 3, "alice")
    by_kind: dict[str, list[bytes]] = {}
    for path, data in good.items():
        name = names.parse(path)
        if name is not None:
            kind = "signature" if name.signature else name.kind
            by_kind.setdefault(kind, []).append(data)
    seat = played.table.seat("alice").files
    orders = [seat.read(path) for path in seat.paths() if path.startswith("orders/")]
    typed_files = [data for data in orders if not data.startswith(b"-")] or [b"x # y\n"]
    sent = [data for data in orders if data.startswith(b"-")]
    receipts = [
        seat.read(path)
        for path in seat.paths()
        if path.startswith("receipts/") and path.endswith(".toml")
    ]
    bundles = [encode(entry_bundle(good, step, "alice")) for step in range(played.forger.last + 1)]
    written = [data for one in played.letters for path, data in one.files if path.endswith(".toml")]
    salt = "0" * 64
    texts = [
        letter.Text("message to all:", "Good morning.\nBob", 0, salt).render(),
        letter.Text("address bob@example.org", "", 2, salt).render(),
        letter.Text(
            "away from 2026-01-02T00:00:00Z until 2026-01-04T00:00:00Z", "", 1, salt
        ).render(),
    ]
    public = played.table.signer.public
    said = list(played.reports.items())
    found = {
        "canonical.loads": Reader(canonical.loads, [data for _, data in said], plain_json),
        "decode": Reader(decode, bundles + sent),
        "is_time": Reader(lambda data: is_time(_text(data)), [b"2026-11-21T18:00:00Z"]),
        "Mark.read": Reader(ledger.Mark.read, [seat.read("mark")], plain_json),
        "names": Reader(_name, [path.encode() for path in good]),
        "one_rendering": Reader(toml.one_rendering, by_kind["slip"] + by_kind.get("table", [])),
        "Pack": Reader(_pack, [pack.write(good)]),
        "parse": Reader(lambda data: toml.parse(data, 2**20), by_kind["slip"]),
        "Private": Reader(documents.Private.read, [b'{"address":"a@b.c"}'], plain_json),
        "public key": Reader(lambda data: read_public(_text(data)), [public.line.encode()]),
        "public key file": Reader(
            lambda data: read_public_file(_text(data)), [f"{public.line} a comment\n".encode()]
        ),
        "read_entry": Reader(entries.read_entry, by_kind["entry"], document),
        "read_invite": Reader(documents.read_invite, by_kind["invite"], document),
        "read_join": Reader(documents.read_join, by_kind["join"], document),
        "read_letter": Reader(letter.read_letter, written, document),
        "read_order_file": Reader(order_file.read_order_file, typed_files),
        "read_text": Reader(letter.read_text, texts),
        "read_receipt": Reader(documents.read_receipt, receipts, document),
        "read_slip": Reader(documents.read_slip, by_kind["slip"], document),
        "read_typed": Reader(lambda data: _typed(data, about), typed_files + by_kind["slip"]),
        "seat.toml": Reader(_seat, [seat.read("seat.toml")]),
        "signature": Reader(
            lambda data: sshsig.verify(public, sshsig.ENTRY, b"", data), by_kind["signature"]
        ),
        "toml.read": Reader(toml.read_rendered, by_kind["entry"], document),
    }
    if "table" in by_kind:
        found["read_table"] = Reader(game.game.read_table, by_kind["table"], document)
    if "consent" in by_kind:
        found["read_consent"] = Reader(documents.read_consent, by_kind["consent"], document)
    if said:
        (step, player), _ = said[-1]
        entry = played.forger.entry(step)
        found["report.read"] = Reader(
            lambda data: report.read(game, entry, player, data),
            [data for (at, whose), data in said if (at, whose) == (step, player)],
            plain_json,
        )
    if typed_files:
        found["orders"] = Reader(lambda data: _orders(data, played), typed_files)
    return found


def choose(rng: Random, games: Sequence[Played]) -> Any:
    """A reader, hostile bytes for it, and how they are read."""
    played = rng.choice(games)
    if "readers" not in played.kept:
        played.kept["readers"] = readers(played)
    known = played.kept["readers"]
    what = rng.choice(sorted(known))
    reader = known[what]
    others = list(played.good.values())

    def make(inner: Random, scale: int) -> bytes:
        return reader.spoil(inner, inner.choice(reader.honest), others, scale)

    def run(data: bytes) -> str:
        reader.read(data)
        return ""

    return what, make, run


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _name(data: bytes) -> None:
    text = _text(data)
    names.parse(text)
    check_name(text)


def _pack(data: bytes) -> None:
    found = pack.Pack.of(data)
    for path in found.paths():
        found.read(path)


def _typed(data: bytes, about: Any) -> None:
    read_typed(data, *about)


def _seat(data: bytes) -> None:
    Seat.of(Memory({"seat.toml": data}))


def _orders(data: bytes, played: Played) -> None:
    """Order lines as the game reads them, for what the player sees first and last."""
    from games.game import Written

    opening = played.forger.game.opening
    view = opening.game.view(opening.game.start(opening.setup), "alice")
    lines = data.decode("ascii", "replace").split("\n")
    opening.game.read(view, Written("\n".join(lines[4:] if len(lines) > 4 else lines)))
