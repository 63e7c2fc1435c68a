"""What a player can work out, as every game tells it (`Game.deduced`).

What belongs here: the value. What it must not know: how any game comes to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.options import Value


@dataclass(frozen=True, slots=True)
class Deduced:
    """What one player can work out from all that their seat was told so far.

    `may`: by the name of a hidden thing (`bob's submarine`) every value that it can still have, in
    a fixed order, as plain data; the true value is among them. `notes`: what was heard and stands
    in no view, a plain line each, the newest last. `memory`: what the game continues from; only the
    game reads it, and nothing changes it.
    """

    may: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    memory: Any = None
