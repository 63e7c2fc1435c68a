"""The host's side of the boxes on `receipts`: from the boxes to the host's folder, and back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from adjudicator.core import deadlines
from adjudicator.git import letterbox, restoring
from adjudicator.git.letterbox import Letterbox
from adjudicator.git.objects import Commit
from adjudicator.git.process import Repo
from adjudicator.git.reading import read_objects
from adjudicator.git.writing import Writer
from adjudicator.host.host import Host
from orders import sshsig
from orders.documents import Receipt, read_receipt
from orders.errors import Refused
from orders.fields import HOST, Time
from orders.signed import Signed

_DAY = 86_400


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
        if self.commit is None:
            return None
        try:
            return restoring.signed(self.repo, self.commit, self.referee.signer.public)
        except Refused:
            return None

    @cached_property
    def own(self) -> Letterbox:
        """The content of the host's own box; empty if there is none or it does not open."""
        if self._signed is None:
            return Letterbox()
        data = read_objects(self.repo, [f"{self.commit}:{letterbox.path(HOST)}"])[0]
        key = self.referee.folder.letters()
        try:
            return letterbox.open_host(self.referee.opening, key, data or b"")
        except Refused:
            return Letterbox()

    def restore(self) -> None:
        """Bring the box's content into the host's folder: a host of this game has promised it."""
        folder = self.referee.folder
        for receipt in self.own.receipts:
            data = receipt.render()
            known = folder.receipt(receipt.slip)
            # `absent` promises nothing, and another answer may have replaced it here.
            if known is None or (known.data != data and receipt.status != "absent"):
                again = Signed.by(self.referee.signer, sshsig.RECEIPT, data)
                folder.keep_receipt(receipt.slip, again)
        for order in self.own.waiting.values():
            known = folder.receipt(order.file.digest)
            if order.slip.step > self.referee.last.since and known is not None:
                folder.accept(order, known)

    def stand(self, message: str, now: Time) -> bool:
        """Whether these boxes have that commit message and are less than a day old."""
        if self._signed is None:
            return False
        made = int(self._signed.committer.split()[-2])
        age = deadlines.to_seconds(now) - made
        return self._signed.message == f"{message}\n" and 0 <= age < _DAY

    def made(self, new: Sequence[Receipt], time: Time, message: str) -> str:
        """Store a commit with new boxes for everyone, which hold the old content and the new."""
        waiting = self.referee.folder.waiting()
        given = [*new, *(read_receipt(one.receipt.data) for one in waiting.values())]
        orders = {player: one.order for player, one in waiting.items()}
        box = Letterbox(self.own.with_receipts(given), orders)
        opening, joins = self.referee.opening, self.referee.last.joins
        boxes = letterbox.make(opening, joins, box, self.referee.signer)
        writer = Writer(self.repo, "host", self.referee.signer)
        commit = writer.commit([], boxes, time, message)
        writer.store()
        return commit
