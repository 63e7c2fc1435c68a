"""Labelled deterministic draws: all the chance that a game has.

Every draw has a label (`first`, `shuffle/alice/2`), so that one more draw elsewhere changes no
other. The numbers come from HMAC-SHA256 (RFC 2104) under the game's seed; bounded integers are made
by rejection, so all are equally likely. `docs/formats/draws.md` specifies it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Dice(NamedTuple):
    """Draws under one seed (any bytes; a game's own is 32)."""

    seed: bytes

    def below(self, label: str, bound: int) -> int:
        """A number from 0 to `bound` - 1. The same label and bound give the same number."""
        return _below(self._words(label), bound)

    def weighted(self, label: str, weights: Sequence[int]) -> int:
        """The place of one of the weights, each as likely as it weighs; not all may be 0."""
        left = self.below(label, sum(weights))
        return next(at for at, total in enumerate(accumulate(weights)) if left < total)

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a drawn order (Fisher-Yates from the last place down)."""
        words = self._words(label)
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = _below(words, last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def _words(self, label: str) -> Iterator[int]:
        """64-bit words: HMAC-SHA256(seed, label LF counter), counter 0, 1, ... in decimal."""
        counter = 0
        while True:
            block = hmac.digest(self.seed, f"{label}\n{counter}".encode(), hashlib.sha256)
            for at in range(0, 32, 8):
                yield int.from_bytes(block[at : at + 8], "big")
            counter += 1


def _below(words: Iterator[int], bound: int) -> int:
    if not 0 < bound <= 2**32:
        raise ValueError(f"bound {bound} is not from 1 to 2^32")
    limit = 2**64 - 2**64 % bound
    while True:
        word = next(words)
        if word < limit:
            return word % bound
