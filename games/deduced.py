"""What a player can work out, as a value (`Game.deduced`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.options import Value


@dataclass(frozen=True, slots=True)
class Deduced:
    """What one player can work out from everything that their seat was told so far.

    `may`: by the name of a hidden thing (`bob's submarine`) every value that it can still have, in
    a fixed order, as plain data; the true value is among them. `notes`: things heard that no view
    shows, a plain line each, the newest last. `memory`: the game's own values from which it
    continues; nobody else reads them, and nothing changes them.
    """

    may: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    memory: Any = None
