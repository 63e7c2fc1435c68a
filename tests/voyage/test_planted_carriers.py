"""Faults of once, put back by hand: the voyage by files and by git finds each."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from adjudicator.git import inbox, letterbox, objects
from adjudicator.git.play_sync import PlaySync
from adjudicator.host.folder import HostFolder

from .sail import Scene, sail
from .scenes import SCENES
from .world import World


def receipt_before_the_write(patch: pytest.MonkeyPatch) -> None:
    """The host answers orders, and keeps them when it answers the next ones."""
    keep = HostFolder.accept
    left: list[Any] = []

    def accept(self: HostFolder, order: Any, receipt: Any) -> None:
        self.keep_receipt(order.file.digest, receipt)
        for one in left:
            keep(self, *one)
        left[:] = [(order, receipt)]

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
    """Whatever of the host's `receipts` named before is removed from a clone."""

    def made_by(repo: Any, boxes: str | None, host: Any) -> Any:
        return None if boxes is None else objects.signed_commit(repo, boxes, host)

    patch.setattr(letterbox, "made_by", made_by)


Planted = Callable[[pytest.MonkeyPatch], None]

PLANTED: tuple[tuple[Planted, str, int, tuple[str, ...]], ...] = (
    (receipt_before_the_write, "files", 2, ("order", "all files arrive", "sync of the host")),
    (not_pushed_again, "git", 5, ("order", "harm: remove", "sync of the host")),
    (unread_is_read, "git", 2, ("order", "what was pushed cannot be read")),
    (clones_delete, "git", 6, ("order", "sync of the host", "sync of a player",
                               "harm: receipt_harm")),
)  # fmt: skip
"""A fault, the way to play, the promise that breaks, and the events that bring it."""

LENGTH = 12
MOST = 12
"""So many events a seed, and so many seeds."""


@pytest.mark.parametrize(("plant", "scene", "promise", "named"), PLANTED)
def test_a_planted_fault_is_found(
    plant: Planted,
    scene: str,
    promise: int,
    named: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the fault that promise breaks, and without it none does."""

    def few(world: World, chance: Random) -> Scene:
        made = SCENES[scene](world, chance)
        events = {name: one for name, one in made.events().items() if name in named}
        made.events = lambda: events  # type: ignore[method-assign]
        return made

    for seed in map(str, range(MOST)):
        with monkeypatch.context() as patch:
            plant(patch)
            log = sail(seed, few, length=LENGTH)
        if log.broken is not None:
            print(f"{seed}: {log.turns} turns: {log.broken}")
            assert log.broken.promise == promise, log.broken
            assert sail(seed, few, length=LENGTH).broken is None
            return
    pytest.fail(f"{MOST} seeds do not find it")
