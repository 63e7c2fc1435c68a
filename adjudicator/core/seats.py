"""Seats that change hands: the new join that a ruling names, and whether the old player agreed."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.claim import claim
from adjudicator.core.link import Link
from adjudicator.core.opening import Opening, check_distinct, check_join
from adjudicator.core.source import Source, signed
from orders import names, sshsig
from orders.documents import Join
from orders.entries import Entry, SeatChange
from orders.errors import Refused, at
from orders.signed import Signed


def joins_after(
    opening: Opening, before: Link, entry: Entry, source: Source, *, trusted: bool
) -> tuple[Mapping[str, Join], int]:
    """Who sits where after the entry, and how many signatures were verified to know it."""
    change = None if entry.ruling is None else entry.ruling.seat
    if change is None:
        return before.joins, 0
    if before.first is None:
        raise Refused("chain", "no seat changes hands before the first adjudication")
    if change.player not in opening.players:
        raise Refused("chain", f"the ruling hands on the seat of {change.player}, who has none")
    join = read_seat(opening, before, change, entry.step, source, trusted=trusted)
    joins = {**before.joins, change.player: join}
    check_distinct(opening.offer, joins.values())
    return joins, 1 + change.agreed


def read_seat(
    opening: Opening,
    before: Link,
    change: SeatChange,
    step: int,
    source: Source,
    *,
    trusted: bool = False,
) -> Join:
    """The new join of a seat that the ruling `step` hands on; raises Missing or Refused."""
    path = names.seat(step, change.player)
    with claim("files"):
        file = signed(source, path)
        if file.digest != change.join:
            raise Refused("mismatch", f"{path} does not have the digest that the ruling names")
    with at(path):
        join = check_join(opening.offer, file, trusted=trusted)
    if join.player != change.player:
        raise Refused("mismatch", f"{path} is a join of {join.player}")
    if change.agreed:
        consent = names.consent(step, change.player)
        with claim("files"):
            agreed = Signed(file.data, source.read(consent))
        if not trusted:
            with claim("signatures"), at(consent):
                agreed.verify(before.key(change.player), sshsig.CONSENT)
    return join
