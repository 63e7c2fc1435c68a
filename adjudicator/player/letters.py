"""A player's letters: writing them to the host, and keeping and opening those that come.

What belongs here: the player's end of a letter, for every transport alike. What it must not know:
what the host allows, how letters travel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudicator.core import letters
from adjudicator.core.ledger import Ledger
from adjudicator.core.letters import Sent
from adjudicator.player.seat import Seat
from orders.bundle import Bundle
from orders.errors import Refused
from orders.fields import HOST, Digest
from orders.keys import Signer
from orders.letter import EVERYONE, Absence, Letter, Press
from orders.sealing import letter_info
from orders.secrets import draw_secret


@dataclass(frozen=True, slots=True)
class Message:
    """What a player writes: to whom (a player, `all` or `host`), the text, and whether unnamed."""

    to: str
    text: str
    anonymous: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """A letter in a seat: as it came, or (`own`) as this player wrote it; its message if any."""

    letter: Letter
    own: bool
    press: Press | None
    noted: int | None
    """The entry that names its message, None where none does yet."""


def write(
    ledger: Ledger,
    seat: Seat,
    signer: Signer,
    *,
    message: Message | None = None,
    absence: Absence | None = None,
    shown: bool | None = None,
    address: str | None = None,
) -> tuple[Letter, Bundle]:
    """A signed letter, kept in the seat before it is handed on; raises Refused.

    One thing each: a message, an absence, whether others may learn one's address, or a new address
    (base64, sealed to the host).
    """
    opening = ledger.opening
    if seat.player not in opening.players:
        raise Refused("no-seat", f"{seat.player} has no seat in this game")
    number = max((_number(name) for name, _ in seat.letters()), default=0) + 1
    press = None
    if message is not None:
        press = Press(draw_secret().hex(), message.to, message.text, message.anonymous)
        if message.to not in {*opening.players, EVERYONE, HOST} - {seat.player}:
            raise Refused("illegal", f"a message to {message.to!a}: expected a player, all or host")
    letter = Letter(opening.id, seat.player, number, absence=absence, shown=shown, address=address)
    bundle = letters.write(opening, letter, signer, press)
    seat.keep_letter(f"out-{number:04d}", bundle)
    return letter, bundle


def _number(name: str) -> int:
    """The number in the name of a letter that this player wrote, 0 for others."""
    kind, _, number = name.partition("-")
    return int(number) if kind == "out" and number.isdigit() else 0


def take(ledger: Ledger, seat: Seat, bundle: Bundle) -> Kept:
    """Keep a letter that the host sent, and open it; raises Refused."""
    sent = letters.read_bundle(ledger.opening, ledger.last.joins, bundle)
    if sent.letter.text is None and sent.letter.player != HOST:
        raise Refused("bad-bundle", "this letter goes to the host")
    press = _open(ledger, seat, sent)
    seat.keep_letter(f"in-{sent.file.digest}", bundle)
    return Kept(sent.letter, False, press, noted(ledger).get(sent.letter.text or ""))


def _open(ledger: Ledger, seat: Seat, sent: Sent) -> Press | None:
    if sent.letter.text is None:
        return None
    info = letter_info("press", ledger.opening.id, sent.letter.number, seat.player)
    return letters.open_press(sent, seat.secret.letters(), info, sent.letter.text)


def kept(ledger: Ledger, seat: Seat) -> list[Kept]:
    """Every letter in the seat, with the message that it carries; raises Refused."""
    named = noted(ledger)
    found = []
    for name, bundle in seat.letters():
        own = name.startswith("out-")
        sent = letters.read_bundle(ledger.opening, ledger.last.joins, bundle)
        press = None if own else _open(ledger, seat, sent)
        found.append(Kept(sent.letter, own, press, named.get(sent.letter.text or "")))
    return found


def noted(ledger: Ledger) -> Mapping[Digest, int]:
    """The digests of messages that entries name, with the entry's number."""
    return {text: link.step for link in ledger.links() for text in link.entry.press}


def known(seat: Seat) -> set[Digest]:
    """The digests of the messages that this seat wrote or was sent."""
    return {letters.text_of(bundle) for _, bundle in seat.letters()}


def unnoted(ledger: Ledger, seat: Seat) -> list[str]:
    """A line for each message that the host passed on after an entry, and noted in none since.

    Only a letter that the host itself signed says after which entry it left.
    """
    found = []
    for one in kept(ledger, seat):
        after = one.letter.entry
        if one.own or one.noted is not None or one.letter.text is None or after is None:
            continue
        if any(
            link.step > after and link.entry.ruling is None and link.entry.time is not None
            for link in ledger.links()
        ):
            found.append(
                f"a message that the host sent after entry {after} stands in no entry since: "
                "the host did not note it"
            )
    return found
