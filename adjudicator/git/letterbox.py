"""Receipts by git: sealed boxes of one size on the branch `receipts`.

Whenever anything public has changed, every player gets a new box, even if it holds nothing new. So
neither its time nor its size tells who has ordered, or how an order was judged. One more box is
sealed to the host's `letters` key, which is never published. It holds what a host without a disk
(in CI) must remember: the last receipts, the waiting orders, and which requests it has read.
`docs/decisions.md` says why.

Boxes that were replaced are removed, because git would keep them for weeks in every clone.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudicator.core import deadlines
from adjudicator.core.intake import Order
from adjudicator.core.opening import Opening
from adjudicator.git.objects import (
    Commit,
    Writer,
    instead,
    look_up,
    read_objects,
    read_tree,
    rest,
    signed_commit,
)
from adjudicator.git.process import Repo
from adjudicator.store import files
from orders import canonical, sshsig
from orders.documents import Join, Receipt, read_receipt, read_slip
from orders.errors import Refused
from orders.fields import HOST, Digest, Time, is_hex
from orders.keys import Signer
from orders.public_key import PublicKey
from orders.sealing import (
    RECEIPTS_SIZE,
    SealingKey,
    letter_info,
    open_letter,
    seal_letter,
    sealed_letter_size,
    sealed_size,
)
from orders.sshsig import Signed

if TYPE_CHECKING:
    from adjudicator.host.host import Host

BOXES = "Receipts, sealed"
"""The beginning of the message of every commit of boxes."""

RECEIPTS = 4
"""A player's box holds so many of the last receipts."""

REMEMBERED = 8
"""How many receipts of each player the host's own box holds."""

_RECEIPT = 330
_SLIP = 1600
"""The most bytes of a receipt's row, and of a slip with its signature."""

_REQUESTS = 100
"""The most bytes about a player's request."""

_HEAD = 8 + 256 * 4
"""The bytes of a pack's index (version 2) before the names of its objects."""

_LARGEST = 2**16
"""The most bytes of the index of a pack that holds only boxes."""


def message(public: str) -> str:
    """A commit message of boxes; `public`: a digest of everything public at the remote, "" if not
    all of it was seen."""
    return BOXES + (f"\n\nAfter {public}" if public else "")


def path(owner: str) -> str:
    """The name of a box; no player is called host."""
    return f"{owner}.sealed"


def host_size(opening: Opening) -> int:
    """The padded length of the host's box: it follows from the game and the number of players."""
    order = _SLIP + sealed_size(opening.sizes.order)
    one = REMEMBERED * _RECEIPT + order * 4 // 3 + _REQUESTS + 200
    return 1 << (200 + one * len(opening.players)).bit_length()


def expected(opening: Opening) -> dict[str, int]:
    """The names and sizes of the boxes of a game."""
    sizes = {path(player): sealed_letter_size(RECEIPTS_SIZE) for player in opening.players}
    return {**sizes, path(HOST): sealed_letter_size(host_size(opening))}


@dataclass(frozen=True, slots=True)
class Letterbox:
    """The content of the boxes: receipts in the order in which they were given, and waiting
    orders.

    `requests`: by player, the numbers of the first and the last request that brought their join or
    orders of theirs (anybody can bring them once more); `newest`: the highest of one that was read.
    """

    receipts: tuple[Receipt, ...] = ()
    waiting: Mapping[str, Order] = field(default_factory=dict)
    requests: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    newest: int = 0

    def with_receipts(self, new: Iterable[Receipt]) -> tuple[Receipt, ...]:
        """All receipts, these included; at most REMEMBERED of each player."""
        known = {receipt.slip: receipt for receipt in (*self.receipts, *new)}
        by_player: dict[str, list[Receipt]] = {}
        for receipt in known.values():
            by_player.setdefault(receipt.player, []).append(receipt)
        kept = {one.slip for own in by_player.values() for one in last(own, REMEMBERED)}
        return tuple(receipt for receipt in known.values() if receipt.slip in kept)


def last(receipts: Sequence[Receipt], most: int) -> list[Receipt]:
    """The last receipts of a player; the last accepted one is among them, and comes last.

    It binds the host. Whatever is refused later, were it sent by a stranger, must not push it out.
    """
    accepted = [one for one in receipts if one.status == "accepted"]
    accepted = sorted(accepted, key=lambda one: (one.step, one.revision))[-1:]
    others = [one for one in receipts if one not in accepted]
    return [*others[len(accepted) - most :], *accepted]


def _info(opening: Opening, owner: str) -> bytes:
    return letter_info("receipts", opening.id, 0, owner)


def make(
    opening: Opening, joins: Mapping[str, Join], letterbox: Letterbox, signer: Signer
) -> dict[str, bytes]:
    """The boxes, freshly sealed, by name. `joins`: who sits in each seat now."""
    boxes = {}
    for player, join in joins.items():
        own = [receipt for receipt in letterbox.receipts if receipt.player == player]
        given = [Signed.by(signer, sshsig.RECEIPT, one.render()) for one in last(own, RECEIPTS)]
        rows = [[one.data.decode("ascii"), one.signature.decode("ascii")] for one in given]
        body = canonical.dumps({"receipts": rows})
        to = bytes.fromhex(join.letters)
        boxes[path(player)] = seal_letter(to, _info(opening, player), body, RECEIPTS_SIZE)
    letters = bytes.fromhex(opening.offer.invite.letters)
    body = _host_body(letterbox)
    boxes[path(HOST)] = seal_letter(letters, _info(opening, HOST), body, host_size(opening))
    return boxes


def _host_body(letterbox: Letterbox) -> bytes:
    rows = [
        [*(one.step, one.player, one.revision, one.slip), one.time, one.entry, one.head, one.status]
        for one in letterbox.receipts
    ]
    waiting = {
        player: [
            base64.b64encode(part).decode("ascii")
            for part in (order.file.data, order.file.signature, order.sealed or b"")
        ]
        for player, order in letterbox.waiting.items()
    }
    requests = {player: list(both) for player, both in letterbox.requests.items()}
    return canonical.dumps(
        {"newest": letterbox.newest, "receipts": rows, "requests": requests, "waiting": waiting}
    )


def open_own(opening: Opening, player: str, key: SealingKey, sealed: bytes) -> list[Signed]:
    """A player's receipts, in the order in which they were given; raises Refused.

    `key`: the player's `letters` key. The copy must check that the host signed them.
    """
    values = canonical.loads(open_letter(key, _info(opening, player), sealed, RECEIPTS_SIZE))
    try:
        return [
            Signed(text.encode("ascii"), signature.encode("ascii"))
            for text, signature in values["receipts"]
        ]
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Refused("malformed", f"{path(player)}: holds no receipts") from None


def open_host(opening: Opening, letters: SealingKey, sealed: bytes) -> Letterbox:
    """The content of the host's box; raises Refused."""
    body = open_letter(letters, _info(opening, HOST), sealed, host_size(opening))
    values = canonical.loads(body)
    try:
        receipts = tuple(_receipt(opening.id, *row) for row in values["receipts"])
        waiting = {}
        for player, parts in values["waiting"].items():
            slip, signature, order = (base64.b64decode(part, validate=True) for part in parts)
            waiting[player] = Order(read_slip(slip), Signed(slip, signature), order or None)
        requests = {
            player: (int(first), int(last)) for player, (first, last) in values["requests"].items()
        }
        newest = int(values["newest"])
    except (KeyError, TypeError, ValueError, AttributeError, binascii.Error):
        raise Refused("malformed", f"{path(HOST)}: is not what a host seals") from None
    return Letterbox(receipts, waiting, requests, newest)


def _receipt(game: Digest, *row: Any) -> Receipt:
    """A receipt of that game from its row; raises Refused, ValueError or TypeError."""
    step, player, revision, slip, time, entry, head, status = row
    if not is_hex(slip) or not is_hex(head):
        raise ValueError(slip)
    made = Receipt(game, step, player, revision, slip, time, entry, head, status)
    return read_receipt(made.render())


# At the host: from the boxes to its folder, and back.


class Boxes:
    """The boxes as a commit of `receipts` has them (None: there is none yet), for the host.

    Only a commit that the host signed counts: anybody can seal a box to its public key.
    """

    def __init__(self, repo: Repo, referee: Host, commit: str | None) -> None:
        self.repo = repo
        self.referee = referee
        self.commit = commit

    @cached_property
    def _signed(self) -> Commit | None:
        """The commit, if the host signed it."""
        return made_by(self.repo, self.commit, self.referee.signer.public)

    @cached_property
    def own(self) -> Letterbox:
        """The content of the host's own box; empty if there is none or it does not open."""
        if self._signed is None:
            return Letterbox()
        data = read_objects(self.repo, [f"{self.commit}:{path(HOST)}"])[0]
        key = self.referee.folder.letters()
        try:
            return open_host(self.referee.opening, key, data or b"")
        except Refused:
            return Letterbox()

    def restore(self) -> None:
        """Bring the box's content into the host's folder: a host of this game has promised it."""
        folder, given = self.referee.folder, dict[Digest, Signed]()
        for receipt in self.own.receipts:
            data = receipt.render()
            known = folder.receipt(receipt.slip)
            # `absent` promises nothing, and another answer may have replaced it here.
            if known is None or (known.data != data and receipt.status != "absent"):
                known = Signed.by(self.referee.signer, sshsig.RECEIPT, data)
                folder.keep_receipt(receipt.slip, known)
            given[receipt.slip] = known
        for order in self.own.waiting.values():
            # This machine's own answer, which waits with the order, gives way to it.
            known = given.get(order.file.digest) or folder.receipt(order.file.digest)
            if order.slip.step > self.referee.last.since and known is not None:
                folder.accept(order, known)

    def stand(self, message: str, now: Time) -> bool:
        """Whether these boxes have that commit message and are less than a day old."""
        if self._signed is None:
            return False
        age = deadlines.to_seconds(now) - self._signed.time
        return self._signed.message.startswith(f"{message}\n") and 0 <= age < deadlines.DAY

    def made(
        self, new: Sequence[Receipt], requests: Mapping[str, int], newest: int, time: Time,
        message: str,
    ) -> str:  # fmt: skip
        """Store a commit with new boxes for everyone, which hold the old content and the new."""
        waiting = self.referee.folder.waiting()
        given = [*new, *self.referee.folder.promised()]
        orders = {player: one.order for player, one in waiting.items()}
        known = dict(self.own.requests)
        known |= {who: (known.get(who, (one,))[0], one) for who, one in requests.items()}
        box = Letterbox(self.own.with_receipts(given), orders, known, max(self.own.newest, newest))
        opening, joins = self.referee.opening, self.referee.last.joins
        boxes = make(opening, joins, box, self.referee.signer)
        writer = Writer(self.repo, "host", self.referee.signer)
        commit = writer.commit([], boxes, time, message + instead(self.commit))
        writer.store()
        return commit


# In every clone.


def made_by(repo: Repo, boxes: str | None, host: PublicKey) -> Commit | None:
    """The commit of boxes, if the host made it and it is one of boxes; None for any other, which
    whoever may push there can put in its place."""
    try:
        found = None if boxes is None else signed_commit(repo, boxes, host)
    except Refused:
        return None
    return found if found is not None and found.message.startswith(BOXES) else None


def forget(repo: Repo, boxes: str, host: PublicKey) -> None:
    """Remove a commit of the host's boxes and all its objects, unless their pack holds others: then
    they go with git's own garbage.

    Nothing of the program's refers to it: it is nobody's parent, and every box is sealed anew. If a
    branch or a tag of the user's refers to it, it stays. So does a commit of anybody else's, since
    main may have objects of its own.
    """
    if repo.ask("for-each-ref", "--points-at", boxes) != "" or made_by(repo, boxes, host) is None:
        return
    tree = look_up(repo, [f"{boxes}^{{tree}}"])[0]
    if tree is None:
        return
    items = read_tree(read_objects(repo, [tree.id])[0] or b"", repo.algorithm)
    ids = {boxes, tree.id, *(item.id for item in items.values())}
    objects = repo.git_dir / "objects"
    if os.name == "nt":
        # Windows removes no file that a process has open.
        rest()
    for one in ids:
        files.remove(objects / one[:2] / one[2:])
    for index in (objects / "pack").glob("*.idx"):
        if index.stat().st_size <= _LARGEST and _names(index, len(boxes) // 2) <= ids:
            for path in (objects / "pack").glob(f"{index.stem}.*"):
                files.remove(path)


def _names(index: Path, length: int) -> set[str]:
    """The objects of a pack; each name has `length` bytes."""
    data = files.read(index, _LARGEST)
    count = int.from_bytes(data[_HEAD - 4 : _HEAD])
    ends = range(_HEAD, _HEAD + count * length, length)
    return {data[at : at + length].hex() for at in ends}
