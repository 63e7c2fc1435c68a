"""Seats that change hands: the new join that a ruling names, and the consent of who leaves.

A consent is for once. It names the join, and the last entry that its signer had: it is void once
that entry is annulled, or once a later entry uses a slip of theirs. And no join sits twice. So
neither an old consent nor an old join takes a seat again.
"""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.link import Earlier, Link, counting, counts
from adjudicator.core.opening import Opening, check_distinct, check_join
from adjudicator.core.source import Source, signed
from orders import names, sshsig
from orders.documents import Join, read_consent
from orders.entries import Entry, SeatChange
from orders.errors import Refused, at
from orders.fields import Digest


def joins_after(
    opening: Opening, before: Link, entry: Entry, source: Source, earlier: Earlier, *, trusted: bool
) -> tuple[Mapping[str, Join], int]:
    """Who sits where after the entry, and how many signatures were verified to know it."""
    change = None if entry.ruling is None else entry.ruling.seat
    if change is None:
        return before.joins, 0
    if before.first is None:
        raise Refused("chain", "no seat changes hands before the first step is played")
    if change.player not in opening.players:
        raise Refused("chain", f"the ruling hands on the seat of {change.player}, who has none")
    join = read_seat(opening, change.player, change.join, entry.step, source, trusted=trusted)
    joins = {**before.joins, change.player: join}
    check_distinct(opening.offer, joins.values())
    _check_new(opening, before, change, earlier)
    if change.consent is not None:
        _check_consent(opening, before, change, entry.step, source, earlier, trusted=trusted)
    return joins, 1 + change.agreed


def read_seat(
    opening: Opening,
    player: str,
    digest: Digest,
    step: int,
    source: Source,
    *,
    trusted: bool = False,
) -> Join:
    """The new join of a seat that the ruling `step` hands on; raises Missing or Refused."""
    path = names.seat(step, player)
    file = signed(source, path)
    if file.digest != digest:
        raise Refused("mismatch", f"{path} does not have the digest that the ruling names")
    with at(path):
        join = check_join(opening.offer, file, trusted=trusted)
    if join.player != player:
        raise Refused("mismatch", f"{path} is a join of {join.player}")
    return join


def _check_new(opening: Opening, before: Link, change: SeatChange, earlier: Earlier) -> None:
    """Raise Refused for a join that ever sat in this game, in annulled entries too."""
    rulings = [earlier(step).entry.ruling for step in range(1, before.step + 1)]
    changes = [ruling.seat for ruling in rulings if ruling is not None]
    sat = {seat.join for seat in changes if seat is not None}
    if change.join in sat | {opening.genesis.joins[change.player]}:
        raise Refused(
            "stale",
            f"this join has had the seat of {change.player} before",
            "who takes a seat again joins anew",
        )


def _check_consent(
    opening: Opening,
    before: Link,
    change: SeatChange,
    step: int,
    source: Source,
    earlier: Earlier,
    *,
    trusted: bool,
) -> None:
    """Raise Missing or Refused unless who leaves agreed to this join, and has not played since."""
    player, path = change.player, names.consent(step, change.player)
    file = signed(source, path)
    if file.digest != change.consent:
        raise Refused("mismatch", f"{path} does not have the digest that the ruling names")
    if not trusted:
        with at(names.signature(path)):
            file.verify(before.key(player), sshsig.CONSENT)
    with at(path):
        consent = read_consent(file.data)
        for what, said, wanted in (
            ("game", consent.game, opening.id), ("join", consent.join, change.join),
        ):  # fmt: skip
            if said != wanted:
                raise Refused("mismatch", f"it is for the {what} {said}, and this is {wanted}")
        there = counts(before, consent.step, earlier)
        if not there or earlier(consent.step).digest != consent.head:
            raise Refused(
                "stale",
                f"it was signed after entry {consent.step}, {consent.head}, which does not count",
                _ANEW,
            )
        for link in counting(before, earlier):
            if link.step > consent.step and player in link.slips:
                raise Refused(
                    "stale",
                    f"it was signed after entry {consent.step}, and entry {link.step} uses orders "
                    f"of {player}: who plays on has withdrawn it",
                    _ANEW,
                )


_ANEW = "its player consents anew: adjudicator consent JOIN"
