"""`mail` for players: `read`, `sync`, `wrap`, `message`, `absence`, `address`, `shown`."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from adjudicator.cli.play import own_signer
from adjudicator.cli.shared import (
    AnyPath,
    MovedKeyOption,
    RecordArgument,
    SeatOption,
    check_out,
    moment,
    now,
    open_seat,
    own_name,
    passphrase_asker,
    read_bundle,
    record_of,
    say,
    seat_in,
    warn,
    write_out,
)
from adjudicator.mail import mailboxes, play_sync, player, senders
from adjudicator.mail.mime import LARGEST
from adjudicator.mail.player import Ready
from adjudicator.player import finding, letters
from adjudicator.player.letters import Message
from adjudicator.player.seated import Seated
from adjudicator.player.table import Table, Taken
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from orders.bundle import Bundle
from orders.errors import Refused
from orders.letter import Absence

F = TypeVar("F", bound=Callable[..., Any])

SendOption = click.option(
    "--send", metavar="PROGRAM", envvar="ADJUDICATOR_SEND",
    help='Hand the mail to this program, as in "sendmail -t -i".',
)  # fmt: skip
OutOption = click.option(
    "-o", "--out", metavar="FILE", help="Where to write the mail; - is stdout."
)


@click.command(
    epilog="Example: adjudicator mail read < message",
    short_help="Player: take in a mail from the host.",
)
@click.option("--record", type=AnyPath, help="Your copy of the game.")
@click.option("--seat", type=AnyPath, help="Your seat folder.")
@click.argument("message", default="-")
@click.pass_context
def read(ctx: click.Context, record: Path | None, seat: Path | None, message: str) -> None:
    """Take in a MESSAGE from the host (standard input), whatever mailers did to it.

    The game's copy and your seat are found in the current folder. Exits 1 if something is wrong.
    """
    if message == "-":
        data = sys.stdin.buffer.read(LARGEST + 1)
    else:
        data = files.read(Path(message), LARGEST)
    ctx.exit(_tell(player.read(data, Path(), record, open_seat(seat), ask=passphrase_asker())))


def _tell(taken: Taken) -> int:
    """Print what was taken in, and what is wrong; returns the exit code."""
    say(*taken.lines)
    warn(*taken.warnings)
    return 1 if taken.warnings else 0


@click.command(
    epilog="Example: adjudicator mail sync friday --in imaps://alice%40example.org@imap.example.org",
    short_help="Player: fetch mails from your mailbox, send orders.",
)
@RecordArgument
@click.option("--seat", type=AnyPath, help="Your seat folder.")
@click.option(
    "--in", "source", required=True, envvar="ADJUDICATOR_MAIL_IN",
    help="Your mailbox: imaps://USER@HOST[:PORT][/FOLDER], imap:// (STARTTLS), maildir:PATH",
)  # fmt: skip
@click.option(
    "--out", "sender", envvar="ADJUDICATOR_MAIL_OUT",
    help="smtps://USER@HOST[:PORT], smtp:// (STARTTLS), sendmail:[PROGRAM], maildir:PATH",
)  # fmt: skip
@click.option("--ca", type=AnyPath, help="Certificates to trust for TLS.")
@click.pass_context
def sync(
    ctx: click.Context, record: Path, seat: Path | None, source: str, sender: str | None,
    ca: Path | None,
) -> None:  # fmt: skip
    """Take in what the host of RECORD sent you, and send the orders that you wrote.

    Nothing in the mailbox is moved, marked or deleted. It sends the orders that `adjudicator order`
    last wrote into the seat for the coming step, until their receipt is there. Exits 1 if something
    is wrong. Passwords are read from ADJUDICATOR_IMAP_PASSWORD and ADJUDICATOR_SMTP_PASSWORD or
    from a netrc file; ADJUDICATOR_IMAP_TOKEN and ADJUDICATOR_SMTP_TOKEN name commands that print a
    token for XOAUTH2.
    """
    copy = record_of(record)
    own = open_seat(seat or finding.place_of(finding.invite_of(copy), copy.root.parent))
    if own is None:
        raise Refused("no-seat", "no seat for this game is beside the copy", "name it: --seat")
    box = mailboxes.open_source(source, ca, play_sync.begins(copy))
    way = None if sender is None else senders.open_sender(sender, ca)
    ctx.exit(_tell(play_sync.MailSync(Table(copy, own, SystemClock()), box, way).sync()))


def hand_on(mail: Ready, out: str | None, default: str, send: str | None) -> None:
    """Write a ready mail to a file, or give it to the mail program; raises Refused."""
    if send is None or out is not None:
        target = own_name(default, mail.bundle) if out is None else out
        write_out(target, mail.data, like=b"Date: ")
        if target != "-":
            say(f"{target}: the mail to {mail.to}, ready to send")
    if send is not None:
        command = shlex.split(send)
        try:
            done = subprocess.run(
                command, input=mail.data.replace(b"\r\n", b"\n"), check=False, timeout=120
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Refused("bad-option", f"--send {send!a:.80}: {error!s:.120}") from None
        if done.returncode:
            raise Refused("bad-option", f"--send {send!a:.80}: exit code {done.returncode}")
        say(f"sent to {mail.to} by {command[0]}", to=out)


def addressed(function: F) -> F:
    """The options of all commands that write a mail to the host."""
    function = click.option("--from", "me", metavar="ADDRESS", help="Your own address.")(function)
    function = click.option("--to-host", "host", metavar="ADDRESS", help="The host's.")(function)
    return OutOption(SendOption(function))


@click.command(
    epilog="Example: adjudicator mail wrap friday friday-alice-join.txt",
    short_help="Player: a mail that carries a join or orders.",
)
@RecordArgument
@click.argument("bundle")
@addressed
def wrap(
    record: Path, bundle: str, host: str | None, me: str | None, send: str | None, out: str | None
) -> None:
    """Make a mail to the host that carries a BUNDLE: a join, or orders."""
    check_out(out, like=b"Date: ")
    held = read_bundle(bundle)
    ready = player.wrap(record_of(record), held, _what(held), host, me)
    hand_on(ready, out, f"{ready.name}.eml", send)


def _what(bundle: Bundle) -> str:
    return {"join": "a join", "order": "sealed orders", "letter": "a letter"}.get(
        bundle.kind, f"a bundle ({bundle.kind})"
    )


def _write_letter(
    record: Path, seat: Path, key: Path | None, host: str | None, me: str | None,
    send: str | None, out: str | None, **what: Any,
) -> None:  # fmt: skip
    check_out(out, like=b"Date: ")
    copy, own = record_of(record), seat_in(seat)
    seated = Seated(copy, own)
    holder = own_signer(seated, key)
    _, bundle = letters.write(seated.ledger, own, holder, **what)
    ready = player.wrap(copy, bundle, "a letter", host, me, seat=own)
    hand_on(ready, out, f"{ready.name}.eml", send)


@click.command(
    epilog='Example: adjudicator mail message friday --seat alice.seat --to bob "Truce?"',
    short_help="Player: a message that the host passes on.",
)
@RecordArgument
@click.argument("text")
@SeatOption
@MovedKeyOption
@click.option("--to", required=True, help="A player's name, all, or host.")
@click.option("--anonymous", is_flag=True, help="Without your name, if the invite allows it.")
@addressed
def message(
    record: Path, text: str, seat: Path, key: Path | None, to: str, anonymous: bool,
    host: str | None, me: str | None, send: str | None, out: str | None,
) -> None:  # fmt: skip
    """Write a signed message, which the host passes on."""
    words = sys.stdin.read(4_000).rstrip("\n") if text == "-" else text
    what = Message(to, words, anonymous)
    _write_letter(record, seat, key, host, me, send, out, message=what)


@click.command(
    short_help="Player: a notice of absence.",
    epilog="Example: adjudicator mail absence friday --seat alice.seat --from "
    "2026-12-01 --until 2026-12-07",
)
@RecordArgument
@SeatOption
@MovedKeyOption
@click.option("--from", "start", required=True, metavar="TIME", help="When you leave: a day, ...")
@click.option("--until", "end", required=True, metavar="TIME", help="When you are back: 5d, ...")
@click.option("--to-host", "host", metavar="ADDRESS", help="The host's address.")
@click.option("--from-address", "me", metavar="ADDRESS", help="Your own.")
@SendOption
@OutOption
def absence(
    record: Path, seat: Path, key: Path | None, start: str, end: str, host: str | None,
    me: str | None, send: str | None, out: str | None,
) -> None:  # fmt: skip
    """Write a signed notice of absence, within what the invite allows."""
    away = Absence(moment(start, now(), begins=True), moment(end, now()))
    if away.end <= away.start:
        raise click.BadParameter(
            f"{end!a}: expected a time after {away.start}", param_hint="--until"
        )
    say(f"away from {away.start} until {away.end}", to=out)
    _write_letter(record, seat, key, host, me, send, out, absence=away)


@click.command(
    epilog="Example: adjudicator mail address friday me@example.net --seat alice.seat",
    short_help="Player: tell the host your new address.",
)
@RecordArgument
@click.argument("address")
@SeatOption
@MovedKeyOption
@addressed
def address(
    record: Path, address: str, seat: Path, key: Path | None, host: str | None, me: str | None,
    send: str | None, out: str | None,
) -> None:  # fmt: skip
    """Tell the host, signed and sealed, that your mails come to ADDRESS from now on."""
    _write_letter(record, seat, key, host, me, send, out, address=address)


@click.command(
    epilog="Example: adjudicator mail shown friday yes --seat alice.seat",
    short_help="Player: show your address to others, or hide it.",
)
@RecordArgument
@click.argument("choice", type=click.Choice(["yes", "no"]))
@SeatOption
@MovedKeyOption
@addressed
def shown(
    record: Path, choice: str, seat: Path, key: Path | None, host: str | None, me: str | None,
    send: str | None, out: str | None,
) -> None:  # fmt: skip
    """Show your mail address to the players who also say yes, or hide it again."""
    _write_letter(record, seat, key, host, me, send, out, shown=choice == "yes")
