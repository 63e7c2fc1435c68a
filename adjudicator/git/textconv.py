"""A diff driver: entries, slips, signatures and sealed files in words.

It turns a file's bytes (git gives no name) into text, with the help of the record in the folder and
of a seat, if there are any. A diff shows anything that anybody pushed, and git ends if its driver
fails: so nothing is believed, and unknown bytes are shown escaped. It keeps no cache of opened
reports, because somebody could push one.
"""

from __future__ import annotations

import binascii
from collections.abc import Iterator
from dataclasses import dataclass

from adjudicator.core import report
from adjudicator.core.opening import Opening, read_opening
from adjudicator.core.source import read_or_none
from adjudicator.player.seat import Seat
from adjudicator.store.record import Record
from adjudicator.words import story
from orders import names
from orders.documents import read_slip
from orders.entries import AnyEntry, Reveal, read_entry
from orders.errors import Refused
from orders.fields import digest
from orders.public_key import fingerprint, read_public
from orders.wire import Cursor

_ENTRY = b'kind = "entry/'
_SLIP = b'kind = "slip/'
_SIGNATURE = b"-----BEGIN SSH SIGNATURE-----\n"


def show(data: bytes, record: Record, seat: Seat | None) -> str:
    """A file of a record in words, ending in a line break; never fails.

    Any other file, or a damaged one, is shown as it is, with everything but plain text escaped.
    """
    try:
        told = _show(data, record, seat)
    except Exception:
        # An error here would end git, so none may escape, whatever the bytes are.
        told = None
    return _plain(data.decode("utf-8", "backslashreplace") if told is None else told)


def _show(data: bytes, record: Record, seat: Seat | None) -> str:
    try:
        mark = None if seat is None else seat.mark(record)
        opening: Opening | None = read_opening(record, None if mark is None else mark.game)
    except Refused:
        opening = None
    if data.startswith(_ENTRY):
        return "\n".join(_entry(read_entry(data), opening)) + "\n"
    if data.startswith(_SLIP):
        return "\n".join(_slip(data)) + "\n"
    if data.startswith(_SIGNATURE):
        return _signature(data, opening) + "\n"
    if opening is None:
        return _closed(data)
    return _SealedFile(data, record, opening, seat).text()


def _plain(text: str) -> str:
    """A text in which nothing but line breaks can move a terminal."""
    lines = text.removesuffix("\n").split("\n")
    plain = (x if x.isascii() and x.isprintable() else ascii(x)[1:-1] for x in lines)
    return "".join(f"{line}\n" for line in plain)


def _entry(entry: AnyEntry, opening: Opening | None) -> Iterator[str]:
    time = "" if entry.time is None else f", {entry.time}"
    yield f"entry {entry.step}{time}: {story.title(entry)}"
    if isinstance(entry, Reveal):
        yield f"  master {entry.master}"
    yield from (f"  {line}" for line in _news(entry, opening))
    for player, used in entry.slips.items():
        yield f"  slip of {player} {used.digest[:16]}, received {used.received}"
    for player, told in entry.reports.items():
        yield f"  report of {player} {told.digest[:16]}"
    for player, prompt in entry.awaited.items():
        yield f"  awaited: {player} for {prompt.what}, until {prompt.until}"


def _news(entry: AnyEntry, opening: Opening | None) -> list[str]:
    """The public news; raw values if the game cannot tell them, because anybody may write them."""
    if entry.ruling is not None:
        return []
    try:
        if opening is not None:
            return story.heard(opening, entry)
    except Exception:  # noqa: S110 - an entry that nobody signed may hold any event
        pass
    return [repr(dict(event)) for event in entry.events]


def _slip(data: bytes) -> Iterator[str]:
    slip = read_slip(data)
    yield f"slip of {slip.player} for step {slip.step}, revision {slip.revision}, {slip.time}"
    yield f"  order {slip.order[:16]}, sealed {slip.sealed[:16]}"
    yield f"  answers entry {slip.head[:16]}"
    if slip.protest is not None:
        yield f"  protests: {slip.protest}"


def _signature(data: bytes, opening: Opening | None) -> str:
    body = b"".join(data.splitlines()[1:-1])
    cursor = Cursor(binascii.a2b_base64(body))
    cursor.take(6 + 4)
    key = fingerprint(cursor.string())
    namespace = cursor.string().decode("ascii", "backslashreplace")
    who = {}
    if opening is not None:
        joins = opening.joins.items()
        who = {read_public(join.key).fingerprint: player for player, join in joins}
        who[opening.offer.host.fingerprint] = "the host"
    return f"signature by {who.get(key, 'an unknown key')} ({key}), {namespace}"


def _closed(data: bytes) -> str:
    return f"sealed: {len(data)} bytes, SHA-256 {digest(data)}\n"


@dataclass(frozen=True, slots=True)
class _SealedFile:
    """A sealed file, with everything that helps to name and to open it."""

    data: bytes
    record: Record
    opening: Opening
    seat: Seat | None

    def text(self) -> str:
        """The content, if the seat or the reveal opens it; otherwise a description."""
        return self._report() or self._sent() or self._order() or _closed(self.data)

    def _report(self) -> str | None:
        """The report's owner, from the entry that names it, and the content if it is the seat's
        own."""
        wanted = digest(self.data)
        for step in range(self.record.last_step() or 0, 0, -1):
            data = self.record.read(names.entry(step))
            if wanted.encode() not in data:
                continue
            entry = read_entry(data)
            for player, told in entry.reports.items():
                if told.sealed == wanted:
                    return self._opened(entry, player)
        return None

    def _opened(self, entry: AnyEntry, player: str) -> str:
        head = f"report of {player}, entry {entry.step}"
        seat = self.seat
        if seat is None or seat.player != player:
            return f"{head}, {_closed(self.data)}"
        theirs = bytes.fromhex(self.opening.offer.invite.sealing)
        shared = seat.secret.sealing().agree(theirs, self.opening.id)
        try:
            data = report.unseal(self.opening, shared, entry, player, self.data)
            told = report.read(self.opening, entry, player, data)
        except Refused as error:
            return f"{head}, which cannot be shown: {error.message}\n"
        news = [f"  {line}" for line in story.heard(self.opening, entry, told)]
        board = self.opening.game.draw(told.view).rstrip("\n")
        return "\n".join([head, *news, board]) + "\n"

    def _sent(self) -> str | None:
        """The seat's own orders, from the seat's copy, because the file is sealed to the host."""
        for order in [] if self.seat is None else self.seat.orders():
            if self.seat is not None and order.sealed == self.data:
                text = self.seat.order_file(*order.place).decode("utf-8", "backslashreplace")
                return (
                    f"your orders, step {order.slip.step}, revision {order.slip.revision}:\n{text}"
                )
        return None

    def _order(self) -> str | None:
        """The orders' author, from the slip that names them, and the content after the reveal."""
        wanted = digest(self.data).encode("ascii")
        for path in self.record.paths():
            name = names.parse(path)
            if name is None or name.kind != "slip" or name.signature:
                continue
            if wanted not in self.record.read(path):
                continue
            head = f"orders of {name.player}, entry {name.step}"
            opened = read_or_none(self.record, names.opened_order(name.step, name.player))
            if opened is None:
                return f"{head}, {_closed(self.data)}"
            return f"{head}:\n{opened.decode('utf-8', 'backslashreplace')}"
        return None
