"""One host's games side by side: which were abandoned, and which share a master.

What belongs here: what several records tell together that none tells alone. A game abandoned
before its first adjudication may be a throw that its host did not like; two invites with one
master are opened by one reveal. What it must not know: printing, folders.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adjudicator.core.opening import Offer, read_offer
from adjudicator.core.source import Source, signed
from orders import names, sshsig
from orders.entries import Genesis, read_entry
from orders.errors import Refused
from orders.fields import digest


@dataclass(frozen=True, slots=True)
class Hosted:
    """A record within reach: its name there, its invite, and how it was abandoned if it was.

    `abandoned`: None, or whether that was before the first adjudication.
    """

    name: str
    offer: Offer
    abandoned: bool | None


def look(name: str, source: Source) -> Hosted | None:
    """The game in a record; None where its invite does not hold."""
    try:
        offer = read_offer(source)
    except Refused:
        return None
    return Hosted(name, offer, _abandoned(source, offer))


def _abandoned(source: Source, offer: Offer) -> bool | None:
    """None where the host signed no end of this kind, else whether no entry adjudicates.

    The signed end binds each entry before it, down to the invite: nobody makes a record of parts of
    others, or leaves entries out, and has the host look worse than it is.
    """
    parsed = filter(None, map(names.parse, source.paths()))
    steps = [name.step for name in parsed if name.kind == "entry" and not name.signature]
    try:
        return _early(source, offer, max(steps)) if steps else None
    except Refused:
        return None


def _early(source: Source, offer: Offer, last: int) -> bool | None:
    """The same of a record with that last entry; raises Missing or Refused."""
    entry = read_entry(signed(source, names.entry(last)).verify(offer.host, sshsig.ENTRY))
    if entry.outcome != {"abandoned": True}:
        return None
    early = True
    while not isinstance(entry, Genesis):
        data = source.read(names.entry(entry.step - 1))
        if digest(data) != entry.prev:
            return None
        entry = read_entry(data)
        early = early and (entry.step == 0 or entry.ruling is not None)
    return early if entry.invite == offer.digest else None


def of_invite(offer: Offer, reach: Iterable[tuple[str, Source]]) -> list[str]:
    """What the records in reach tell of the host of an invite, a line each."""
    found = [hosted for name, source in reach if (hosted := look(name, source)) is not None]
    others = [one for one in found if one.offer.digest != offer.digest]
    lines = _told(offer, others)
    lines += [
        f"{one.name} has the same master: when one of the two games ends, the other lies open"
        for one in others
        if one.offer.invite.master == offer.invite.master
    ]
    return lines


def together(records: Iterable[tuple[str, Source]]) -> list[str]:
    """What several records tell together, a line for each host and for each shared master."""
    found = [hosted for name, source in records if (hosted := look(name, source)) is not None]
    games = {one.offer.digest: one for one in found}.values()
    lines = []
    for host in dict.fromkeys(one.offer.host.line for one in games):
        of_host = [one for one in games if one.offer.host.line == host]
        lines += _told(of_host[0].offer, of_host)
    for master in dict.fromkeys(one.offer.invite.master for one in games):
        shared = [one.name for one in games if one.offer.invite.master == master]
        if len(shared) > 1:
            lines.append(f"{' and '.join(shared)} have one master: one reveal opens them all")
    return lines


def _told(offer: Offer, games: Sequence[Hosted]) -> list[str]:
    """How many of these games their host has abandoned; nothing where none was."""
    abandoned = [one for one in games if one.abandoned is not None and one.offer.host == offer.host]
    if not abandoned:
        return []
    early = sum(one.abandoned is True for one in abandoned)
    before = f", {early} of them before the first adjudication" if early else ""
    return [
        f"the host {offer.host.fingerprint} has abandoned {len(abandoned)} "
        f"of {sum(one.offer.host == offer.host for one in games)} games here{before}: "
        f"{', '.join(one.name for one in abandoned)}"
    ]
