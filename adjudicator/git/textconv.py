"""A diff driver: entries, slips, signatures and sealed files in words.

What belongs here: from a file's bytes alone (git gives no name) to text, with the record in the
folder and a seat, where there is one. What it must not know: git. Nothing is kept: a cache of
opened reports in the repository could be pushed.
"""

from __future__ import annotations

import binascii
from dataclasses import dataclass

from adjudicator import files, opening, story
from adjudicator.opening import Opening
from adjudicator.record import Record
from adjudicator.replay import open_order
from adjudicator.seat import Seat
from games.game import View
from orders import canonical, names
from orders.bundle import decode
from orders.documents import read_slip
from orders.entries import AnyEntry, Entry, Reveal, read_entry
from orders.errors import Refused
from orders.fields import digest
from orders.public_key import fingerprint
from orders.sealing import info, unseal
from orders.secrets import Master
from orders.wire import Cursor

_ENTRY = b'kind = "entry/1"\n'
_SLIP = b'kind = "slip/1"\n'
_SIGNATURE = b"-----BEGIN SSH SIGNATURE-----\n"
_LARGEST_BUNDLE = 2**22


def show(data: bytes, record: Record, seat: Seat | None) -> str:
    """A file of a record in words, ending in a line break; what cannot be read is described."""
    try:
        opened = opening.read_opening(record)
    except Refused:
        opened = None
    try:
        if data.startswith(_ENTRY):
            return "\n".join(_entry(read_entry(data), opened)) + "\n"
        if data.startswith(_SLIP):
            return "\n".join(_slip(data)) + "\n"
        if data.startswith(_SIGNATURE):
            return _signature(data, opened) + "\n"
    except (Refused, ValueError):
        return data.decode("utf-8", "backslashreplace")
    if opened is None:
        return _closed(data)
    return _Sealed(data, record, opened, seat).text()


def _entry(entry: AnyEntry, opened: Opening | None) -> list[str]:
    lines = [f"entry {entry.step}, {entry.time}: {story.title(entry)}"]
    if isinstance(entry, Reveal):
        return [*lines, f"  master {entry.master}"]
    if isinstance(entry, Entry):
        lines += [f"  {opened.game.news(e) if opened else dict(e)}" for e in entry.events]
        lines += [
            f"  slip of {player} {used.digest[:16]}, received {used.received}"
            for player, used in entry.slips.items()
        ]
        lines += [
            f"  report of {player} {told.digest[:16]}" for player, told in entry.reports.items()
        ]
        lines.append(f"  state {entry.state[:16]}, after entry {entry.prev[:16]}")
    for player, prompt in entry.awaited.items():
        lines.append(f"  awaited: {player} for {prompt.what}, until {prompt.until}")
    return lines


def _slip(data: bytes) -> list[str]:
    slip = read_slip(data)
    lines = [f"slip of {slip.player} for step {slip.step}, revision {slip.revision}"]
    lines.append(f"  order {slip.order[:16]}, sealed {slip.sealed[:16]}")
    lines.append(f"  answers entry {slip.head[:16]}")
    return lines if slip.protest is None else [*lines, f"  protests: {slip.protest}"]


def _signature(data: bytes, opened: Opening | None) -> str:
    body = b"".join(data.splitlines()[1:-1])
    cursor = Cursor(binascii.a2b_base64(body))
    cursor.take(6 + 4)
    key = fingerprint(cursor.string())
    namespace = cursor.string().decode("ascii", "backslashreplace")
    who = {} if opened is None else {one.fingerprint: name for name, one in opened.keys.items()}
    if opened is not None:
        who[opened.offer.host.fingerprint] = "the host"
    return f"signature by {who.get(key, 'an unknown key')} ({key}), {namespace}"


def _closed(data: bytes) -> str:
    return f"sealed: {len(data)} bytes, SHA-256 {digest(data)}\n"


@dataclass(frozen=True, slots=True)
class _Sealed:
    """A sealed file, and what there is to find out what it is and to open it with."""

    data: bytes
    record: Record
    opened: Opening
    seat: Seat | None

    def text(self) -> str:
        """What it holds, where the seat or the reveal opens it, else what it is."""
        own = None if self.seat is None else self._report(self.seat) or self._sent(self.seat)
        return own or self._order() or _closed(self.data)

    def _report(self, seat: Seat) -> str | None:
        """The seat's own report: its step is not told, so each is tried."""
        size = self.opened.offer.invite.sizes.report
        key = seat.secret.sealing()
        for step in range((self.record.last_step() or 0) + 1, 0, -1):
            place = info("report", self.opened.id, step, seat.player)
            try:
                values = canonical.loads(unseal(key, place, self.data, size))
            except Refused:
                continue
            view = View(self.opened.setup, seat.player, values["view"])
            news = [f"  {self.opened.game.news(event)}" for event in values["events"]]
            board = self.opened.game.draw(view).rstrip("\n")
            return "\n".join([f"report of {seat.player}, entry {step}", *news, board]) + "\n"
        return None

    def _sent(self, seat: Seat) -> str | None:
        """The seat's own orders: sealed to the host, so the seat's copy is shown."""
        for path in seat.sent():
            held = dict(decode(files.read(path, _LARGEST_BUNDLE)).files)
            if self.data in held.values():
                text = files.read(path.with_suffix(".toml"), 2**20).decode("utf-8", "replace")
                return f"your orders, {path.stem}:\n{text}"
        return None

    def _order(self) -> str | None:
        """Whose orders they are by the slip that names them; opened after the reveal."""
        wanted = digest(self.data).encode("ascii")
        for path in self.record.paths():
            name = names.parse(path)
            if name is None or name.kind != "slip" or name.signature:
                continue
            if wanted not in self.record.read(path) or name.step is None or name.player is None:
                continue
            master = self._master()
            if master is None:
                return f"orders of {name.player} for step {name.step}, {_closed(self.data)}"
            key = master.sealing()
            text = open_order(self.opened, key, name.step, name.player, self.data)
            return f"orders of {name.player} for step {name.step}:\n{text.decode('utf-8')}"
        return None

    def _master(self) -> Master | None:
        last = self.record.last_step()
        if last is None:
            return None
        entry = read_entry(self.record.read(names.entry(last)))
        return Master(bytes.fromhex(entry.master)) if isinstance(entry, Reveal) else None
