"""A player's letters, for every transport: writing them to the host, keeping and opening those that
come, telling them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from adjudicator.core import letters
from adjudicator.core.ledger import Ledger
from adjudicator.core.letters import LetterFile
from adjudicator.core.opening import Offer
from adjudicator.player.seat import Seat
from adjudicator.words.spans import ReadAt
from orders.bundle import Bundle
from orders.documents import Join
from orders.errors import Refused
from orders.fields import EVERYONE, HOST, Digest
from orders.keys import Signer
from orders.letter import Letter, Text
from orders.secrets import draw_secret


class KeptLetter(NamedTuple):
    """A letter in a seat: as this player wrote it (`own`), or as the host sent it.

    `letter` is the writer's, or the host's if nobody else is named. `text` is what it says.
    """

    letter: Letter
    own: bool
    text: Text
    noted: int | None
    """The entry that names its message, None if none does yet."""
    after: int | None
    head: Digest | None
    """The host's last entry when it sent this, by number and digest, as the host signed them; None
    for one's own."""


def message(to: str, body: str, *, anonymous: bool = False) -> Text:
    """A message as a letter says it: to a player, `all` or `host`."""
    return Text(f"{'anonymous ' if anonymous else ''}message to {to}:", body)


def write(ledger: Ledger, seat: Seat, signer: Signer, text: Text) -> Bundle:
    """A signed letter that says this, kept in the seat before it is handed on; raises Refused.

    Its salt and its number are drawn, and notices are counted, here.
    """
    opening, me = ledger.opening, seat.player
    if me not in opening.players:
        raise Refused("no-seat", f"{me} has no seat in this game")
    held = (one for one in _held(seat) if one[0].letter.player == me)
    before = {sent.letter.number: told.notice for sent, told, _ in held}
    if text.to is None:
        text = text._replace(notice=1 + max(before.values(), default=0))
    elif text.to not in {*opening.players, EVERYONE, HOST} - {me}:
        raise Refused("illegal", f"a message to {text.to!a}: expected another player, all or host")
    text = text._replace(salt=draw_secret().hex())
    number = letters.next_number(before)
    bundle = letters.write(opening, Letter(opening.id, me, number, ""), text, signer)
    letter = letters.own(bundle)[0].letter
    seat.keep_letter(f"out-{number:04d}", letters.with_text(bundle, letter, text))
    if text.address is not None:
        seat.keep_address(text.address)
    return bundle


def _held(seat: Seat) -> Iterator[tuple[LetterFile, Text, Letter]]:
    """Every letter in the seat, what it says, and its writer's letter (the host's if nobody else is
    named). All was checked when it was kept."""
    for name, bundle in seat.letters():
        sent, *others = letters.own(bundle)
        if sent.text is None:
            raise Refused("missing", f"letters/{name}.txt: the text of the letter is not in it")
        yield sent, sent.text, others[0].letter if others else sent.letter


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
    text = letters.open_text(ledger.opening, passed.cover, seat.secret.letters(), seat.player)
    if text.to is None and (text.address is None or passed.writer is not None):
        raise Refused("mismatch", f"the host sent {text.says!a:.90}, which is no notice of a host")
    seat.keep_letter(f"in-{passed.cover.file.digest}", letters.with_text(bundle, letter, text))
    return _kept(noted(ledger), passed.cover, text, passed.writer or letter)


def _kept(named: Mapping[Digest, int], sent: LetterFile, text: Text, writer: Letter) -> KeptLetter:
    letter = sent.letter
    own = letter.player != HOST
    return KeptLetter(writer, own, text, named.get(letter.text), letter.entry, letter.head)


def kept(ledger: Ledger, seat: Seat) -> list[KeptLetter]:
    """Every letter in the seat; raises Refused.

    They stand in the order of the entries that name them, what no entry names at the end.
    """
    named = noted(ledger)
    found = [_kept(named, *held) for held in _held(seat)]
    return sorted(found, key=lambda one: (one.noted is None, one.noted))


def noted(ledger: Ledger) -> Mapping[Digest, int]:
    """The digests of messages that entries name, each with the entry's number."""
    return {text: link.step for link in ledger.links() for text in link.entry.press}


def known(seat: Seat) -> set[Digest]:
    """The digests of the messages that this seat wrote or was sent."""
    return {sent.letter.text for sent, _, _ in _held(seat)}


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
        if one.text.to is not None
        and one.noted is None
        and one.after is not None
        and last > one.after
    ]


def host_address(offer: Offer, seat: Seat | None) -> str | None:
    """The host's mail address, from its latest letter that has one, else from the invite; None if
    it signed none."""
    held = () if seat is None else _held(seat)
    told = {text.notice: text.address for sent, text, _ in held if sent.letter.player == HOST}
    return told[max(told)] if max(told, default=0) else offer.invite.mail


# In words.


def in_words(ledger: Ledger, seat: Seat | None, kept: KeptLetter) -> list[str]:
    """A letter of the host's, or one that it passed on."""
    text = kept.text
    if text.to is not None:
        return [f"message from {_writer(kept)} to {text.to}:", *indented(text.body)]
    now = host_address(ledger.opening.offer, seat)
    return [f"the host's mail address: {text.address}", f"mails to the host go to {now}"]


def all_in_words(ledger: Ledger, seat: Seat, reader: ReadAt) -> list[str]:
    """The letters that a seat got and sent, each with the entry that names it and its text."""
    out = []
    for one in kept(ledger, seat):
        place = "" if one.text.to is None else " in no entry yet"
        place = place if one.noted is None else f" in entry {one.noted}"
        out += [f"{_writer(one)}, {says(one.text, reader)}{place}", *indented(one.text.body)]
    return out


def _writer(kept: KeptLetter) -> str:
    return "you" if kept.own else "somebody" if kept.text.anonymous else kept.letter.player


def says(text: Text, reader: ReadAt) -> str:
    """The line in which a letter says what it is, with times as the reader has them."""
    if text.away is None:
        return text.says
    start, end = map(reader.when, text.away)
    return f"away from {start} until {end}"


def indented(text: str) -> list[str]:
    """The lines of a message below what says whose it is."""
    return [f"  {line}" for line in printable(text)]


def printable(text: str) -> list[str]:
    """The lines of a text from elsewhere, with nothing in them that a terminal would obey."""
    return ["".join(c if c.isprintable() else ascii(c)[1:-1] for c in x) for x in text.splitlines()]
