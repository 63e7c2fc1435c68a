"""Receipts that come back beside the record: sealed boxes of one size on the branch `receipts`.

At each sync of the host there is a fresh box for every player, whether or not it holds anything
new, so that neither its coming nor its size tells who has ordered or how an order was judged. One
more box, sealed to the host's `letters` key, which is never published, holds what a host without
a disk of its own (one that runs in CI) must remember: the last receipts, and the slips that wait.
`docs/decisions/0009-receipts-by-git.md` says why.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from adjudicator.intake import Sent
from adjudicator.opening import Opening
from orders import canonical, names, sshsig
from orders.documents import Receipt, read_receipt, read_slip
from orders.errors import Refused
from orders.fields import Digest
from orders.keys import Signer
from orders.sealing import OVERHEAD, SealingKey, seal, unseal

SIZE = 4096
"""The size class of a player's box; it holds the last RECEIPTS receipts."""

RECEIPTS = 4
REMEMBERED = 8
"""Receipts of a player's that the host's own box holds."""

HOST = "host"
_SLIP = 1600
"""The most bytes of a slip and its signature."""


def path(owner: str) -> str:
    """The name of a box; nobody is called host."""
    return f"{owner}.sealed"


def host_size(opening: Opening) -> int:
    """The size class of the host's box: fixed by the invite and the number of players."""
    order = opening.offer.invite.sizes.order + OVERHEAD
    one = REMEMBERED * 230 + (_SLIP + order) * 4 // 3 + 200
    return 1 << (200 + one * len(opening.players)).bit_length()


def expected(opening: Opening) -> dict[str, int]:
    """The names and sizes of the boxes of a game."""
    sizes = {path(player): SIZE + OVERHEAD for player in opening.players}
    return {**sizes, path(HOST): host_size(opening) + OVERHEAD}


@dataclass(frozen=True, slots=True)
class Letterbox:
    """What the boxes hold: receipts in the order in which they were given, and waiting slips."""

    receipts: tuple[Receipt, ...] = ()
    waiting: Mapping[str, Sent] = field(default_factory=dict)

    def with_receipts(self, new: Iterable[Receipt]) -> tuple[Receipt, ...]:
        """All receipts, these included, at most REMEMBERED of a player's; accepted ones last."""
        known = {receipt.slip: receipt for receipt in (*self.receipts, *new)}
        by_player: dict[str, list[Receipt]] = {}
        for receipt in known.values():
            by_player.setdefault(receipt.player, []).append(receipt)
        kept = {receipt.slip for one in by_player.values() for receipt in one[-REMEMBERED:]}
        for one in by_player.values():
            # The one that binds is not pushed out by refusals that came after it.
            accepted = [receipt for receipt in one if receipt.status == "accepted"]
            kept |= {receipt.slip for receipt in accepted[-1:]}
        return tuple(receipt for receipt in known.values() if receipt.slip in kept)


def _info(opening: Opening, owner: str) -> bytes:
    return f"adjudicator/1\nreceipts\n{opening.id}\n0\n{owner}\n".encode("ascii")


def make(opening: Opening, letterbox: Letterbox, signer: Signer) -> dict[str, bytes]:
    """The boxes, freshly sealed, by name."""
    boxes = {}
    for player in opening.players:
        own = [receipt for receipt in letterbox.receipts if receipt.player == player]
        body = canonical.dumps({"receipts": [_signed(one, signer) for one in own[-RECEIPTS:]]})
        to = bytes.fromhex(opening.joins[player].sealing)
        boxes[path(player)] = seal(to, _info(opening, player), body, SIZE)
    letters = bytes.fromhex(opening.offer.invite.letters)
    body = _host_body(letterbox)
    boxes[path(HOST)] = seal(letters, _info(opening, HOST), body, host_size(opening))
    return boxes


def _signed(receipt: Receipt, signer: Signer) -> list[str]:
    data = receipt.render()
    return [data.decode("ascii"), signer.sign(sshsig.RECEIPT, data).decode("ascii")]


def _host_body(letterbox: Letterbox) -> bytes:
    rows = [
        [one.step, one.player, one.revision, one.slip, one.time, one.status]
        for one in letterbox.receipts
    ]
    waiting = {
        player: [
            base64.b64encode(part).decode("ascii")
            for part in (sent.slip_data, sent.signature, sent.sealed or b"")
        ]
        for player, sent in letterbox.waiting.items()
    }
    return canonical.dumps({"receipts": rows, "waiting": waiting})


def open_own(
    opening: Opening, player: str, key: SealingKey, sealed: bytes
) -> list[tuple[str, bytes, bytes]]:
    """A player's receipts: the name of each in its bundle, its bytes, its signature.

    Raises Refused; whether the host signed them is for `receive` to say.
    """
    values = canonical.loads(unseal(key, _info(opening, player), sealed, SIZE))
    out = []
    try:
        for text, signature in values["receipts"]:
            receipt = read_receipt(text.encode("ascii"))
            name = names.receipt(receipt.step, receipt.player, receipt.revision)
            out.append((name, text.encode("ascii"), signature.encode("ascii")))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Refused("malformed", f"{path(player)}: holds no receipts") from None
    return out


def open_host(opening: Opening, letters: SealingKey, sealed: bytes) -> Letterbox:
    """What the host's box holds; raises Refused."""
    values = canonical.loads(unseal(letters, _info(opening, HOST), sealed, host_size(opening)))
    try:
        receipts = tuple(
            Receipt(opening.id, step, player, revision, _digest(slip), time, status)
            for step, player, revision, slip, time, status in values["receipts"]
        )
        waiting = {}
        for player, parts in values["waiting"].items():
            slip, signature, body = (base64.b64decode(part, validate=True) for part in parts)
            waiting[player] = Sent(read_slip(slip), slip, signature, body)
    except (KeyError, TypeError, ValueError, AttributeError, binascii.Error):
        raise Refused("malformed", f"{path(HOST)}: is not what a host seals") from None
    return Letterbox(receipts, waiting)


def _digest(value: object) -> Digest:
    if not isinstance(value, str) or len(value) != 64:
        raise ValueError(value)
    return value
