"""Which game a bundle belongs to, by the signed document in it.

Its signature is not checked here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from adjudicator.core.source import Source, read_or_none
from orders import names
from orders.bundle import Bundle
from orders.documents import read_join, read_receipt, read_slip
from orders.entries import Genesis, read_entry
from orders.errors import Refused
from orders.fields import Digest, digest
from orders.letter import read_letter

_Read: TypeAlias = Callable[[bytes], Digest]


def about(bundle: Bundle) -> Digest:
    """The id of the game; for an invite, a join and genesis the digest of the invite.

    Raises Refused if the document is missing or cannot be read.
    """
    folder, read = _WHERE[bundle.kind]
    for path, data in bundle.files:
        if path.startswith(folder) and path.endswith(".toml"):
            return read(data)
    raise Refused("bad-bundle", f"a bundle of kind {bundle.kind} without its document")


def ids_of(record: Source) -> set[Digest]:
    """What the bundles of a game can be about: its invite, and its genesis once that is here."""
    held = (read_or_none(record, path) for path in (names.INVITE, names.entry(0)))
    return {digest(data) for data in held if data is not None}


def _entry(data: bytes) -> Digest:
    entry = read_entry(data)
    return entry.invite if isinstance(entry, Genesis) else entry.game


_WHERE: dict[str, tuple[str, _Read]] = {
    "invite": ("invite", digest),
    "join": ("joins/", lambda data: read_join(data).invite),
    "order": ("slips/", lambda data: read_slip(data).game),
    "entry": ("entries/", _entry),
    "receipt": ("receipts/", lambda data: read_receipt(data).game),
    "letter": ("letters/", lambda data: read_letter(data).game),
}
