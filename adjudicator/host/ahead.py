"""Notices that this machine knows less than it has signed: it was restored from an older backup.

Whoever signs two different entries of one number is a proven cheat. A machine that was restored
from yesterday's backup does that in all innocence: it lacks what it signed since, and signs it
anew. Nothing on its own disk can tell, because all of it is old. It must be told from outside.

All that players and hosts sign quotes an entry: a slip the one that it answers, a receipt and a
letter of the host's the host's last one. Every bundle that comes in, by files, mail or git, passes
`witness`. If a valid signature in it quotes an entry that the record does not hold, or accepts an
order that is not here, the bundle is kept in `RECORD.host/ahead/`. From then on `check` refuses
every act that would sign anything, until the record holds what was quoted. A player can quote an
entry that never was, and so stop the game; a host who knows better says so once (`dismiss`), and
that player's word stops nothing more.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from adjudicator.core import bundles, letters
from orders import names, sshsig
from orders.bundle import Bundle
from orders.documents import Receipt, read_receipt, read_slip
from orders.entries import Genesis, read_entry
from orders.errors import Refused, pasteable
from orders.fields import HOST, Digest
from orders.sshsig import Signed

if TYPE_CHECKING:
    from adjudicator.host.host import Host


class Quote(NamedTuple):
    """What a signature of `by` (a player, or the host) vouches for: that there is an entry `step`
    with that digest; and perhaps an order that the host accepted."""

    by: str
    step: int
    digest: Digest
    accepted: Receipt | None = None


def quotes(host: Host, bundle: Bundle) -> Iterator[Quote]:
    """What the signatures in a bundle vouch for; what is not of this game or not validly signed
    vouches for nothing."""
    opening, own, held = host.opening, host.opening.offer.host, dict(bundle.files)
    for path, data in bundle.files:
        if not path.endswith(".toml") or names.signature(path) not in held:
            continue
        file = Signed(data, held[names.signature(path)])
        with contextlib.suppress(Refused):
            if path.startswith("slips/"):
                slip = read_slip(data)
                if slip.game == opening.id and slip.player in host.last.joins:
                    file.verify(host.last.key(slip.player), sshsig.SLIP)
                    yield Quote(slip.player, slip.step - 1, slip.head)
            elif path.startswith("entries/"):
                entry = read_entry(data)
                if not isinstance(entry, Genesis) and entry.game == opening.id:
                    file.verify(own, sshsig.ENTRY)
                    yield Quote(HOST, entry.step, file.digest)
            elif path.startswith("receipts/"):
                one = read_receipt(data)
                if one.game == opening.id:
                    file.verify(own, sshsig.RECEIPT)
                    accepted = one if one.status == "accepted" else None
                    yield Quote(HOST, one.entry, one.head, accepted)
            elif path.startswith(f"letters/{HOST}-"):
                letter = letters.own(bundles.pack("letter", file.files(path)))[0].letter
                if letter.game == opening.id and letter.head is not None:
                    file.verify(own, sshsig.LETTER)
                    yield Quote(HOST, letter.entry or 0, letter.head)


def _lacking(host: Host, quote: Quote) -> str:
    """What the record lacks of a quote, in words; "" if it has all of it."""
    last = host.last.step
    who = "you" if quote.by == HOST else quote.by
    verb = "signed" if quote.by == HOST else "signed that there is"
    if quote.step > last:
        return f"{who} {verb} entry {quote.step}, but the record here ends at entry {last}"
    if host.ledger.link(quote.step).digest != quote.digest:
        return f"{who} {verb} another entry {quote.step} than the record here holds"
    one = quote.accepted
    if one is None or one.step != host.last.since + 1:
        return ""
    if host.folder.receipt(one.slip) is not None:
        return ""
    return f"you accepted orders of {one.player} for step {one.step} that are not here"


def witness(host: Host, bundle: Bundle) -> None:
    """Raise Refused `ahead` if a signature in a bundle vouches for what the record lacks; the
    bundle is kept, and the game stands still. The caller holds the record's lock."""
    for quote in quotes(host, bundle):
        if _seat(host, quote.by) not in host.folder.doubted() and _lacking(host, quote):
            host.folder.keep(f"ahead/{quote.by}.txt", bundle)
            check(host)


def _seat(host: Host, player: str) -> str:
    """A player in the seat that they have now: the next one in it is believed again."""
    return f"{player} {host.ledger.seats.get(player, (0, ''))[0]}"


def check(host: Host) -> None:
    """Raise Refused `ahead` while something is known that the record lacks."""
    for name, bundle in host.folder.ahead().items():
        lacking = [told for quote in quotes(host, bundle) if (told := _lacking(host, quote))]
        if not lacking:
            host.folder.remove(f"ahead/{name}.txt")
            continue
        where = pasteable(host.record.root)
        raise Refused(
            "ahead",
            f"{lacking[0]}: was this machine restored from an older backup?",
            f"nothing is signed until adjudicator restore FROM... -g {where} has brought it back "
            "from copies, seats or mails",
        )


def dismiss(host: Host) -> list[str]:
    """Disbelieve the players who stopped the game; returns their names. Raises Refused where the
    host's own signature did."""
    kept = host.folder.ahead()
    if HOST in kept:
        raise Refused(
            "ahead", "your own signature says that something is lost", "find it, in any copy"
        )
    host.folder.doubt([_seat(host, name) for name in kept])
    for name in kept:
        host.folder.remove(f"ahead/{name}.txt")
    return sorted(kept)
