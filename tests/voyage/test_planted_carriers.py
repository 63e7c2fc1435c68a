"""Faults of once, put back by hand: the voyage by files and by git finds each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core import bundles
from adjudicator.git import inbox, letterbox, play_sync, refs
from adjudicator.git.play_sync import PlaySync
from adjudicator.host.folder import HostFolder
from adjudicator.store import files
from orders import names
from orders.bundle import encode

from .files import Files
from .git import Git
from .sail import Scene, sail


def receipt_before_the_write(patch: pytest.MonkeyPatch) -> None:
    """The host answers, and then keeps the order."""

    def accept(self: HostFolder, order: Any, receipt: Any) -> None:
        self.keep_receipt(order.file.digest, receipt)
        slip = order.slip
        answer = receipt.files(names.receipt(slip.step, slip.player, slip.revision))
        held = encode(bundles.pack("order", order.files() | answer))
        name = f"{slip.step:04d}-{slip.player}-{slip.revision:02d}.txt"
        files.write(Path(self.root) / "inbox" / name, held, 0o600)

    patch.setattr(HostFolder, "accept", accept)


def not_pushed_again(patch: pytest.MonkeyPatch) -> None:
    """A player's program pushes orders once."""
    push = PlaySync._push

    def once(self: PlaySync, branch: Any, end: str) -> bool:
        return self._known().end != end and push(self, branch, end)

    patch.setattr(PlaySync, "_push", once)


def unread_is_read(patch: pytest.MonkeyPatch) -> None:
    """What could not be fetched holds nothing up."""
    patch.setattr(inbox, "is_wrong", lambda error: True)


def clones_delete(patch: pytest.MonkeyPatch) -> None:
    """Whatever `receipts` named before is removed from a clone."""

    def made_by(repo: Any, boxes: str | None, host: Any) -> Any:
        return None if boxes is None else letterbox.signed_commit(repo, boxes, host)

    patch.setattr(letterbox, "made_by", made_by)


PLANTED: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], type[Files | Git], str]] = {}
