"""A player's letters, for every transport: writing them to the host, keeping and opening those that
come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from adjudicator.core import letters
from adjudicator.core.ledger import Ledger
from adjudicator.core.letters import LetterFile
from adjudicator.core.opening import Offer
from adjudicator.player.seat import Seat
from orders.bundle import Bundle
from orders.documents import Join
from orders.errors import Refused
from orders.fields import EVERYONE, HOST, Digest
from orders.keys import Signer
from orders.letter import Address, Letter, Press, Said, What
from orders.sealing import letter_info
from orders.secrets import draw_secret


class KeptLetter(NamedTuple):
    """A letter in a seat: as this player wrote it (`own`), or as the host sent it.

    `letter` is the writer's, or the host's if nobody else is named. `what` it says is sealed to the
    host alone in one's own.
    """

    letter: Letter
    own: bool
    what: What | None
    noted: int | None
    """The entry that names its message, None if none does yet."""
    after: int | None
    head: Digest | None
    """The host's last entry when it sent this, by number and digest, as the host signed them; None
    for one's own."""


def write(ledger: Ledger, seat: Seat, signer: Signer, what: What) -> Bundle:
    """A signed letter that says this, kept in the seat before it is handed on; raises Refused."""
    opening = ledger.opening
    if seat.player not in opening.players:
        raise Refused("no-seat", f"{seat.player} has no seat in this game")
    others = {*opening.players, EVERYONE, HOST} - {seat.player}
    if isinstance(what, Press) and what.to not in others:
        raise Refused("illegal", f"a message to {what.to!a}: expected another player, all or host")
    written = {_number(name) for name, _ in seat.letters()}
    number = letters.next_number(written - {0}, message=isinstance(what, Press))
    said = Said(draw_secret().hex(), what)
    bundle = letters.write(opening, signer, seat.player, number, said)
    seat.keep_letter(f"out-{number:04d}", bundle)
    if isinstance(what, Address):
        seat.keep_address(what.address)
    return bundle


def _number(name: str) -> int:
    """The number in the name of a letter that this player wrote, 0 for others."""
    kind, _, number = name.partition("-")
    return int(number) if kind == "out" and number.isdigit() else 0


def take(ledger: Ledger, seat: Seat, bundle: Bundle) -> KeptLetter:
    """Keep a letter that the host sent, and open it; raises Refused.

    `fork` if the host's letter names another entry than this copy holds.
    """
    last = ledger.last.step

    def joins_at(entry: int) -> Mapping[str, Join]:
        return ledger.link(min(entry, last)).joins

    passed = letters.read_passed(ledger.opening, joins_at, bundle)
    letter = passed.cover.letter
    after = letter.entry or 0
    if after <= last and ledger.link(after).digest != letter.head:
        raise Refused(
            "fork",
            f"the host's letter {letter.number} was signed after another entry {after} than this",
            "keep this mail: it shows two histories that one host signed",
        )
    what = _open(seat, passed.cover)
    seat.keep_letter(f"in-{passed.cover.file.digest}", bundle)
    return _kept(noted(ledger), passed.cover, passed.writer, what)


def _open(seat: Seat, cover: LetterFile) -> What:
    info = letter_info("press", cover.letter.game, cover.letter.number, seat.player)
    return letters.open_text(cover, seat.secret.letters(), info).what


def _kept(
    named: Mapping[Digest, int], cover: LetterFile, writer: Letter | None, what: What | None
) -> KeptLetter:
    letter = cover.letter
    own, entry = letter.player != HOST, named.get(letter.text)
    return KeptLetter(writer or letter, own, what, entry, letter.entry, letter.head)


def kept(ledger: Ledger, seat: Seat) -> list[KeptLetter]:
    """Every letter in the seat, with what it says; raises Refused.

    They stand in the order of the entries that name them, what no entry names at the end. What lies
    there was checked when it was kept.
    """
    named = noted(ledger)
    found = []
    for _, bundle in seat.letters():
        cover, *others = letters.own(bundle)
        what = None if cover.letter.player != HOST else _open(seat, cover)
        found.append(_kept(named, cover, others[0].letter if others else None, what))
    return sorted(found, key=lambda one: (one.noted is None, one.noted))


def noted(ledger: Ledger) -> Mapping[Digest, int]:
    """The digests of messages that entries name, each with the entry's number."""
    return {text: link.step for link in ledger.links() for text in link.entry.press}


def known(seat: Seat) -> set[Digest]:
    """The digests of the messages that this seat wrote or was sent."""
    return {letters.own(bundle)[0].letter.text for _, bundle in seat.letters()}


def amiss(ledger: Ledger, seat: Seat) -> list[str]:
    """A line for each message that the host passed on after an entry and that no later entry names,
    and for each letter that it signed after another entry than this copy holds.

    The host itself signed after which entry it passed the message on, so it does not matter in
    which order mails are read.
    """
    found = kept(ledger, seat)
    # At each adjudication the host notes the messages that it passed on before.
    adjudications = (
        link.step
        for link in ledger.links()
        if link.step and link.entry.ruling is None and link.entry.time is not None
    )
    last = max(adjudications, default=0)
    return [
        f"the host's letter was signed after another entry {one.after} than this: keep its mail, "
        "it shows two histories that one host signed"
        for one in found
        if one.after is not None
        and one.after <= ledger.last.step
        and ledger.link(one.after).digest != one.head
    ] + [
        f"no entry names a message that the host sent after entry {one.after}: the host did not "
        "note it"
        for one in found
        if isinstance(one.what, Press)
        and one.noted is None
        and one.after is not None
        and last > one.after
    ]


def host_address(offer: Offer, seat: Seat | None) -> str | None:
    """The host's mail address, from its latest letter that has one, else from the invite; None if
    it signed none."""
    found = (0, offer.invite.mail)
    if seat is not None:
        for name, bundle in seat.letters():
            cover = letters.own(bundle)[0]
            if name.startswith("in-") and cover.letter.is_notice:
                what = _open(seat, cover)
                if isinstance(what, Address):
                    found = max(found, (cover.letter.number, what.address))
    return found[1]
