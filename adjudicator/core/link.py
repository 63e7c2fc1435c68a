"""A checked entry.

What belongs here: what is known of an entry once `chain` has checked it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudicator.core.deadlines import Clocks
from adjudicator.core.past import Past
from orders.documents import Join, Slip
from orders.entries import AnyEntry
from orders.fields import Digest
from orders.public_key import PublicKey, read_public


@dataclass(frozen=True, slots=True)
class Link:
    """A checked entry: its bytes, digest and values, the slips that it uses, the clocks after it.

    `joins`: who sits in each seat after it. `first`: the step of the first adjudication so far, or
    None. `since`: the oldest entry that a slip may quote now. `signatures`: how many signatures
    were verified.
    """

    data: bytes
    digest: Digest
    entry: AnyEntry
    clocks: Clocks
    joins: Mapping[str, Join]
    past: Past
    first: int | None = None
    since: int = 0
    slips: Mapping[str, Slip] = field(default_factory=dict)
    signatures: int = 0

    @property
    def step(self) -> int:
        """The entry's number."""
        return self.entry.step

    @property
    def over(self) -> bool:
        """Whether nobody is awaited any more, so that nothing but a reveal may follow."""
        return not self.clocks.awaited

    def key(self, player: str) -> PublicKey:
        """The key with which that seat's slips are signed now."""
        return read_public(self.joins[player].key)
