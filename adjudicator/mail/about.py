"""Which game a bundle belongs to, by the signed document in it.

Its signature is not checked here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

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
