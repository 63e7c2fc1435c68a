"""A player's mail: taking in what the host sends, and writing mails to the host.

What belongs here: finding the copy and the seat that a mail is for, keeping letters, and the file
`RECORD.mail`, which remembers the host's address and the thread. What it must not know: hosts'
folders, how a mail program is told to send.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import tomli_w

from adjudicator import bundles, files, letters, opening, order_text, story
from adjudicator.clock import SystemClock
from adjudicator.mail import block
from adjudicator.mail.outgoing import Outgoing, render_from_player
from adjudicator.mail.reading import Mail, check_address, read_mail
from adjudicator.opening import Offer
from adjudicator.player import Seated
from adjudicator.receive import receive
from adjudicator.record import Held, Record
from adjudicator.seat import Seat
from orders import names
from orders.bundle import Bundle, decode, encode
from orders.entries import Entry, read_entry
from orders.errors import Missing, Refused
from orders.fields import digest
from orders.keys import Signer
from orders.letter import HOST, Absence, Letter, Press
from orders.secrets import draw_secret

KINDS = ("invite", "entry", "receipt", "letter")
_TAG = re.compile(r"\[([A-Za-z0-9][A-Za-z0-9._-]{0,39})\]")
_LIMIT = 2**20


@dataclass(frozen=True, slots=True)
class Read:
    """What a mail brought: lines to show, and lines of what is amiss."""

    lines: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def read(data: bytes, folder: Path, record: Path | None, seat: Path | None) -> Read:
    """Take a mail from the host in; raises Refused.

    Without `record` and `seat` they are looked for in `folder`: the copy of that game, and the
    folder NAME.seat that joined it. An invite makes a copy, named as the mail names the game.
    """
    mail = read_mail(data)
    bundle = block.choose(mail.blocks, KINDS)
    if bundle is None:
        raise Refused(
            "missing", "there is no block in this mail", "pipe the whole message, attachments too"
        )
    if bundle.kind == "invite":
        return _read_invite(bundle, mail, folder, record)
    copy = Record(record) if record is not None else _copy_of(bundle, folder)
    offer = opening.read_offer(copy)
    own = Seat.open(seat) if seat is not None else _seat_of(offer, folder)
    remember(copy, mail)
    if bundle.kind == "letter":
        return _read_letter(copy, own, bundle)
    out = Read()
    for one in receive(copy, [bundle], own):
        out.lines.append(one.what if one.new else f"{one.what}: here already")
        out.warnings.extend(one.warnings)
    if bundle.kind == "entry":
        _show(copy, own, out)
    return out


def _read_invite(bundle: Bundle, mail: Mail, folder: Path, record: Path | None) -> Read:
    offer = opening.read_offer(Held(dict(bundle.files)))
    known = [one for one in _copies(folder) if opening.read_offer(one).digest == offer.digest]
    copy = Record(record) if record is not None else known[0] if known else None
    if copy is None:
        tag = _TAG.search(mail.subject)
        path = folder / (f"game-{offer.digest[:8]}" if tag is None else tag[1])
        if path.exists():
            path = folder / f"{path.name}-{offer.digest[:8]}"
        copy = Record(path)
    receive(copy, [bundle])
    remember(copy, mail)
    beside = copy.root.with_name(f"{copy.root.name}-invite.txt")
    if not beside.exists():
        files.write(beside, encode(bundles.of_invite(copy)))
    options = [f"  {key} = {value}" for key, value in offer.invite.options.items()]
    return Read(
        [
            f"{copy.root}: an invite to a game of {offer.game.title} ({offer.invite.rules})",
            *options,
            f"{beside}: join with: adjudicator join {beside} --name NAME --key KEY --address YOU",
        ]
    )


def _copies(folder: Path) -> list[Record]:
    """The records in a folder, by name."""
    return [Record(path.parent) for path in sorted(folder.glob("*/invite.toml"))]


def _copy_of(bundle: Bundle, folder: Path) -> Record:
    """The copy of the game that a bundle is of; raises Refused."""
    held = dict(bundle.files)
    for copy in _copies(folder):
        invite = copy.read_or_none(names.INVITE) or b""
        genesis = copy.read_or_none(names.entry(0)) or b""
        wanted = {digest(invite), digest(genesis)}
        if any(one.encode() in data for data in held.values() for one in wanted):
            return copy
    raise Refused(
        "missing",
        f"{str(folder)!a} holds no copy of this game",
        "go to the folder with your copy, or name it: --record; the invite's mail starts one",
    )


def _seat_of(offer: Offer, folder: Path) -> Seat | None:
    """The one seat in a folder that joined this game; None where there is none."""
    seats = [Seat.open(path.parent) for path in sorted(folder.glob("*.seat/seat.toml"))]
    mine = [seat for seat in seats if seat.invite == offer.digest]
    if len(mine) > 1:
        raise Refused("no-seat", "there are two seats for this game here", "name one: --seat")
    return mine[0] if mine else None


def _show(copy: Record, seat: Seat | None, out: Read) -> None:
    """The board and the news, and an order form where this seat is awaited."""
    if seat is None:
        out.lines.extend(story.seen_by_all(copy, None).lines())
        return
    seated = Seated(copy, seat)
    seen = story.seen_by(seated, None)
    out.lines.extend(seen.lines())
    out.warnings.extend(_unnoted(copy, seat))
    last = seated.last()
    if seat.player in getattr(last, "awaited", {}):
        game = seated.opening.game
        view = seated.report().view
        news = [game.news(event) for event in seen.events]
        form = copy.root.with_name(f"{copy.root.name}-{last.step + 1:04d}.toml")
        text = order_text.template(
            seated.opening.id, last.step + 1, seat.player, game.draw(view), game.legal(view), news
        )
        if not form.exists():
            files.write(form, text.encode())
        out.lines.extend(
            [
                "",
                f"{form}: fill it in, then",
                f"adjudicator order {copy.root} {form} --seat {seat.root} --mail",
            ]
        )


def _read_letter(copy: Record, seat: Seat | None, bundle: Bundle) -> Read:
    """Keep a letter and show what it says; raises Refused."""
    if seat is None:
        raise Refused("no-seat", "a message is for a seat in the game", "name --seat")
    opened = opening.read_opening(copy)
    sent = letters.read_bundle(opened, bundle)
    if sent.letter.text is None:
        raise Refused("bad-bundle", "this letter goes to the host")
    key = seat.secret.sealing()
    press = letters.open_press(opened, sent, key, seat.player, sent.letter.text)
    step = copy.last_step() or 0
    path = seat.root / "letters" / f"in-{step:04d}-{sent.letter.text}.txt"
    if not list((seat.root / "letters").glob(f"in-*-{sent.letter.text}.txt")):
        files.write(path, encode(bundle), 0o600)
    who = "somebody" if press.anonymous else sent.letter.player
    return Read([f"message from {who} to {press.to}:", *(f"  {x}" for x in _shown(press.text))])


def _shown(text: str) -> list[str]:
    return ["".join(c if c.isprintable() else ascii(c)[1:-1] for c in x) for x in text.splitlines()]


def noted_in(copy: Record) -> dict[str, int]:
    """The digests of messages that entries name, with the entry's number."""
    found: dict[str, int] = {}
    for step in range(1, (copy.last_step() or 0) + 1):
        entry = read_entry(copy.read(names.entry(step)))
        found |= dict.fromkeys(getattr(entry, "press", ()), step)
    return found


def _unnoted(copy: Record, seat: Seat) -> list[str]:
    """Messages that came before an entry which should name them, and that none names."""
    held = [path.stem.split("-")[1:] for path in (seat.root / "letters").glob("in-*.txt")]
    if not held:
        return []
    noted = noted_in(copy)
    steps = [read_entry(copy.read(names.entry(n))) for n in range((copy.last_step() or 0) + 1)]
    last = max(
        (one.step for one in steps if isinstance(one, Entry) and one.ruling is None), default=0
    )
    return [
        f"a message that came after entry {int(step)} stands in no entry since: "
        "the host did not note it"
        for step, text in sorted(held)
        if text not in noted and int(step) < last
    ]


def kept_letters(copy: Record, seat: Seat) -> list[str]:
    """The messages that a seat got and sent, a line each and their words, with where they stand."""
    opened = opening.read_opening(copy)
    noted, out = noted_in(copy), []
    for path in sorted((seat.root / "letters").glob("*.txt")):
        sent = letters.read_bundle(opened, decode(files.read(path, _LIMIT)))
        letter = sent.letter
        if path.name.startswith("out-"):
            what = "message" if letter.text else "absence" if letter.absence else "address"
            head = f"you, {what} {letter.number}"
        else:
            head = f"{letter.player} {letter.number}"
        where = noted.get(letter.text or "")
        place = f"in entry {where}" if where else "in no entry yet" if letter.text else "a notice"
        out.append(f"{head}: {place}")
        if not path.name.startswith("out-"):
            key = seat.secret.sealing()
            press = letters.open_press(opened, sent, key, seat.player, letter.text)
            out += [f"  {line}" for line in _shown(press.text)]
    return out


# Writing to the host.


def _memory(copy: Record) -> Path:
    return copy.root.with_name(f"{copy.root.name}.mail")


def remember(copy: Record, mail: Mail) -> None:
    """Keep the thread; and, from the first mail on and never changed by later ones, the host.

    Whoever sends a copy of a public bundle under another From must not draw orders to themselves.
    """
    if mail.message_id is None:
        return
    known = recalled(copy)
    values = {
        "host": known.get("host") or mail.sender,
        "me": known.get("me") or mail.recipient,
        "thread": [*mail.references[-8:], mail.message_id],
    }
    given = {key: value for key, value in values.items() if value}
    files.write(_memory(copy), tomli_w.dumps(given).encode(), 0o600)


def recalled(copy: Record) -> dict[str, str]:
    """What is remembered of a game's mail: `host`, `me`; empty where there is nothing."""
    try:
        values = tomllib.loads(files.read(_memory(copy), _LIMIT).decode("utf-8"))
    except (Missing, ValueError):
        return {}
    return {key: value for key, value in values.items() if isinstance(value, str)}


def _thread(copy: Record) -> tuple[str, ...]:
    try:
        values = tomllib.loads(files.read(_memory(copy), _LIMIT).decode("utf-8"))
    except (Missing, ValueError):
        return ()
    return tuple(str(one) for one in values.get("thread", ()))


def wrap(
    copy: Record, bundle: Bundle, what: str, name: str, to: str | None, me: str | None
) -> bytes:
    """A mail to the host that carries a bundle; raises Refused where an address is not known.

    `to` and `me` are the host's address and one's own, where the copy does not recall them.
    """
    known = recalled(copy)
    host, own = to or known.get("host"), me or known.get("me")
    for address, option in ((host, "--to"), (own, "--from")):
        if address is None or check_address(address) is None:
            raise Refused(
                "bad-option",
                f"{option}: no mail address is known here",
                "adjudicator mail read of the host's mail keeps both",
            )
    thread = _thread(copy)
    return render_from_player(
        Outgoing(
            key=draw_secret().hex(),
            to=host or "",
            subject=f"Re: [{copy.root.resolve().name}] {what}",
            text=f"{what[:1].upper()}{what[1:]}, in the attached block.\n",
            date=SystemClock().now(),
            bundle=bundle,
            name=name,
            thread=thread,
        ),
        own or "",
    )


def write_letter(
    copy: Record,
    seat: Seat,
    signer: Signer,
    *,
    message: tuple[str, str, bool] | None = None,
    absence: Absence | None = None,
    address: str | None = None,
) -> tuple[Letter, Bundle]:
    """A signed letter, kept in the seat folder before it is handed on; raises Refused.

    `message` is to whom, the text, and whether the writer is not to be named.
    """
    opened = opening.read_opening(copy)
    if seat.player not in opened.players:
        raise Refused("no-seat", f"{seat.player} has no seat in this game")
    folder = seat.root / "letters"
    taken = [int(path.stem[4:]) for path in folder.glob("out-*.txt") if path.stem[4:].isdigit()]
    number = max(taken, default=0) + 1
    press = None
    if message is not None:
        to, text, anonymous = message
        press = Press(draw_secret().hex(), to, text, anonymous)
        if to not in {*opened.players, "all", HOST} - {seat.player}:
            raise Refused("illegal", f"a message to {to!a}: expected a player, all or host")
    letter = Letter(opened.id, seat.player, number, absence=absence, address=address)
    bundle = letters.write(opened, letter, signer, press)
    files.write(folder / f"out-{number:04d}.txt", encode(bundle), 0o600)
    return letter, bundle
