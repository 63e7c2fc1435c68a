"""A player's mail: taking in what the host sends, and writing mails to the host.

What belongs here: finding the copy and the seat that a mail is for, and the folder `RECORD.mail/`:

| file | holds |
|---|---|
| `thread` | the Message-IDs of the host's last mails, a line each |
| `host` | the host's address, if the player named one and the host signed none |
| `early/*.txt` | bundles that came before the entries that they follow |
| `seen`, `sent` | the notes of `mail.play_sync` |

The host's address is signed, in the invite or in a later letter of the host's. No From line changes
it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from adjudicator.core import bundles, opening
from adjudicator.core.bundles import about, ids_of
from adjudicator.core.source import read_or_none
from adjudicator.mail import block, commands, pasted
from adjudicator.mail.mime import Mail, check_address
from adjudicator.mail.outgoing import Outgoing, dated, render_from_player
from adjudicator.player import finding, letters
from adjudicator.player.copy import Copy
from adjudicator.player.letters import KeptLetter
from adjudicator.player.seat import Seat
from adjudicator.player.table import KINDS, Table, TakenBundles, memory
from adjudicator.store import files
from adjudicator.store.clock import Clock, SystemClock
from adjudicator.store.record import Record
from adjudicator.words import story
from adjudicator.words.spans import ReadAt
from orders.bundle import Bundle, encode
from orders.errors import Refused, pasteable
from orders.letter import Text
from orders.secrets import draw_secret


@dataclass(frozen=True, slots=True)
class MailToHost:
    """A mail to the host, ready to be sent from the address `sender` to the address `to`.

    `name`: what its file is called, without ending.
    """

    data: bytes
    sender: str
    to: str
    subject: str
    name: str
    bundle: Bundle


def read(
    data: bytes,
    folder: Path,
    record: Path | None = None,
    seat: Seat | None = None,
    clock: Clock | None = None,
    ask: Callable[[str], str] | None = None,
) -> TakenBundles:
    """Take in a mail from the host; raises Refused.

    Without `record` and `seat`, the copy and the seat of that game are looked for in `folder` (a
    seat also in a safe, if `ask` can get its passphrase). An invite starts a copy with the game's
    name.
    """
    found = pasted.read(data)
    mail, bundle = found.mail, block.choose(found.blocks, KINDS)
    if bundle is None:
        if mail.by_host:
            return TakenBundles(["nothing to take in, only text:", "", *printable(mail.text)])
        raise Refused(
            "missing", "there is no block in this mail", "pipe the whole message, attachments too"
        )
    if bundle.kind == "invite":
        return _read_invite(bundle, mail, folder, record)
    target = Record(record) if record is not None else _copy_of(bundle, folder)
    offer = opening.read_offer(target)
    own = seat or finding.seat_of(offer.digest, folder, ask)
    table, taken = Table(target, own, clock or SystemClock(), keeps=True), TakenBundles()
    table.take_one("this mail", bundle, taken)
    if taken.foreign or taken.left:
        raise Refused("mismatch", "this mail is not of this game, or came before its first one")
    remember(target, mail)
    tell(table, taken)
    return taken


# An invite.


def _read_invite(bundle: Bundle, mail: Mail, folder: Path, record: Path | None) -> TakenBundles:
    copy = finding.copy_of_invite(bundle, folder, record)
    remember(copy, mail)
    offer = opening.read_offer(copy)
    beside = copy.root.with_name(f"{offer.name}-invite.txt")
    if not beside.exists():
        files.write(beside, encode(bundle), 0o600)
    command = commands.JOIN.format(invite=pasteable(beside))
    options = [f"  {key} = {value}" for key, value in offer.invite.options.items()]
    host = offer.invite.mail
    where = f"mails to the host go to {host}" if host else "no address of the host is in the invite"
    return TakenBundles(
        [
            f"{copy.root}: an invite to a game of {offer.game.title} ({offer.invite.rules})",
            *options,
            f"  {where}",
            f"{beside}: join with: {command}",
        ]
    )


# Finding the copy and the seat.


def _copy_of(bundle: Bundle, folder: Path) -> Record:
    """The copy of the game that a bundle is of; raises Refused."""
    wanted = about(bundle)
    for copy in finding.copies(folder):
        if wanted in ids_of(copy):
            return copy
    raise Refused(
        "missing",
        f"{str(folder)!a} holds no copy of this game",
        "go to the folder with your copy, or name it: -g; the invite's mail starts one",
    )


# Telling.


def tell(table: Table, out: TakenBundles) -> None:
    """Add what came in words: messages, after new entries the board and the news, with an order
    form if this seat is awaited, and what its player must see to."""
    for kept in out.letters:
        out.lines += message(table, kept)
    if out.steps:
        _show(table, out)
    out.warnings += table.news()


def _show(table: Table, out: TakenBundles) -> None:
    reader = ReadAt(table.clock.now(), here=True)
    if table.seat is None:
        out.lines.extend(story.Story(table.ledger).seen(reader=reader).lines())
        return
    seated = table.seated()
    out.lines.extend(story.seen_by(seated, None, reader).lines())
    if seated.seat.player in seated.last.clocks.awaited and not table.lacking():
        path = finding.form_beside(table.record, seated)
        command = commands.ORDER.format(orders=pasteable(path))
        out.lines.extend(["", f"{path}: fill it in, then", command])


def message(table: Table, kept: KeptLetter) -> list[str]:
    """A letter of the host's, or one that it passed on, in words."""
    text = kept.text
    if text.to is not None:
        return [f"message from {_writer(kept)} to {text.to}:", *indented(text.body)]
    now = letters.host_address(table.ledger.opening.offer, table.seat)
    return [f"the host's mail address: {text.address}", f"mails to the host go to {now}"]


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


def kept_letters(copy: Record, seat: Seat) -> list[str]:
    """The letters that a seat got and sent, each with the entry that names it and its text."""
    out, reader = [], ReadAt(SystemClock().now(), here=True)
    for one in letters.kept(Copy(copy, seat, SystemClock()).ledger, seat):
        place = "" if one.text.to is None else " in no entry yet"
        place = place if one.noted is None else f" in entry {one.noted}"
        out += [f"{_writer(one)}, {says(one.text, reader)}{place}", *indented(one.text.body)]
    return out


# Writing to the host.


def remember(copy: Record, mail: Mail) -> None:
    """Remember the thread: the next mail to the host answers this one."""
    if mail.message_id is not None:
        thread = [*mail.references[-8:], mail.message_id]
        memory(copy).write("thread", "".join(f"{one}\n" for one in thread).encode())


def _lines(copy: Record, name: str) -> tuple[str, ...]:
    held = read_or_none(memory(copy), name) or b""
    return tuple(held.decode("ascii", "replace").split())


def wrap(
    copy: Record,
    bundle: Bundle,
    what: str,
    to: str | None = None,
    me: str | None = None,
    clock: Clock | None = None,
    seat: Seat | None = None,
) -> MailToHost:
    """A mail to the host that carries a bundle; raises Refused if an address is not known.

    It goes to the address that the host signed. `to` names another address, for this mail; it is
    remembered only if the host signed none. `me` is one's own address, if it is not the one that
    the host was told. Without `seat` the seat is looked for beside the copy.
    """
    offer = opening.read_offer(copy)
    seat = seat or finding.seat_of(offer.digest, copy.root.parent)
    signed = letters.host_address(offer, seat)
    named = to or signed or next(iter(_lines(copy, "host")), None)
    host = _checked(named, "no mail address of the host is known here")
    mine = me or (None if seat is None else seat.address())
    own = _checked(mine, "no mail address of your own is known here")
    if signed is None:
        memory(copy).write("host", f"{host}\n".encode())
    name, subject = bundles.name(offer.name, bundle), f"Re: [{offer.name}] {what}"
    mail = Outgoing(
        bundle.digest,
        draw_secret(),
        host,
        subject,
        f"{what[:1].upper()}{what[1:]}, in the attached block.\n",
        bundle=bundle,
        name=name,
        thread=_lines(copy, "thread"),
    )
    data = render_from_player(mail, own)
    return MailToHost(dated(data, (clock or SystemClock()).now()), own, host, subject, name, bundle)


def _checked(address: str | None, lacking: str) -> str:
    if address is None:
        raise Refused("bad-option", lacking, "adjudicator config address ADDRESS sets your own")
    if check_address(address) is None:
        raise Refused("bad-option", f"{address[:80]!a} is no mail address")
    return address
