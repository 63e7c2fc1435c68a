"""`mail` for players: `read`, `wrap`, `message`, `absence`, `address`, `shown`."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from adjudicator.cli.shared import (
    MovedKeyOption,
    RecordArgument,
    SeatOption,
    check_out,
    moment,
    now,
    read_bundle,
    record_of,
    say,
    signer_of,
    warn,
    write_out,
)
from adjudicator.mail import player
from adjudicator.mail.mime import LARGEST
from adjudicator.mail.player import Ready
from adjudicator.player import letters
from adjudicator.player.letters import Message
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store import files
from orders.bundle import Bundle
from orders.errors import Refused
from orders.letter import Absence

F = TypeVar("F", bound=Callable[..., Any])

SendOption = click.option(
    "--send",
    metavar="PROGRAM",
    envvar="ADJUDICATOR_SEND",
    help='Hand the mail to this program, as in "sendmail -t -i".',
)
OutOption = click.option(
    "-o", "--out", metavar="FILE", help="Where to write the mail; - is stdout."
)


@click.command(epilog="Example: adjudicator mail read < message")
@click.option("--record", type=click.Path(path_type=Path), help="Your copy of the game.")
@click.option("--seat", type=click.Path(path_type=Path), help="Your seat folder.")
@click.argument("message", default="-")
@click.pass_context
def read(ctx: click.Context, record: Path | None, seat: Path | None, message: str) -> None:
    """Take in a MESSAGE from the host (standard input), whatever mailers did to it.

    The game's copy and your seat are found in the current folder. Exits 1 where something is amiss.
    """
    if message == "-":
        data = sys.stdin.buffer.read(LARGEST + 1)
    else:
        data = files.read(Path(message), LARGEST)
    found = player.read(data, Path(), record, seat)
    for line in found.lines:
        say(line)
    for warning in found.warnings:
        warn(warning)
    ctx.exit(1 if found.warnings else 0)


def hand_on(mail: Ready, out: str | None, default: str, send: str | None) -> None:
    """Write a ready mail to a file, or give it to the mail program; raises Refused."""
    if send is None or out is not None:
        target = default if out is None else out
        write_out(target, mail.data, like=b"Date: ")
        if target != "-":
            say(f"{target}: the mail to {mail.to}, ready to be sent")
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


@click.command(epilog="Example: adjudicator mail wrap friday alice-join.txt")
@RecordArgument
@click.argument("bundle")
@addressed
def wrap(
    record: Path, bundle: str, host: str | None, me: str | None, send: str | None, out: str | None
) -> None:
    """Make a mail to the host that carries a BUNDLE: a join, or orders."""
    check_out(out, like=b"Date: ")
    held = read_bundle(bundle)
    stem = "bundle" if bundle == "-" else Path(bundle).stem
    hand_on(player.wrap(record_of(record), held, _what(held), stem, host, me), out, f"{stem}.eml",
            send)  # fmt: skip


def _what(bundle: Bundle) -> str:
    return {"join": "a join", "order": "sealed orders", "letter": "a letter"}.get(
        bundle.kind, f"a bundle ({bundle.kind})"
    )


def _write_letter(
    record: Path, seat: Path, key: Path | None, host: str | None, me: str | None,
    send: str | None, out: str | None, **what: Any,
) -> None:  # fmt: skip
    check_out(out, like=b"Date: ")
    copy, own = record_of(record), Seat.open(seat)
    seated = Seated(copy, own)
    holder = signer_of(seated.last.key(own.player), key, own.key_path, own.root / "seat.toml")
    letter, bundle = letters.write(seated.ledger, own, holder, **what)
    name = f"{letter.player}-letter-{letter.number:04d}"
    hand_on(player.wrap(copy, bundle, "a letter", name, host, me), out, f"{name}.eml", send)


@click.command(
    epilog='Example: adjudicator mail message friday --seat alice.seat --to bob "Truce?"'
)
@RecordArgument
@click.argument("text")
@SeatOption
@MovedKeyOption
@click.option("--to", required=True, help="A player's name, all, or host.")
@click.option("--anonymous", is_flag=True, help="Without your name, where the invite allows it.")
@addressed
def message(
    record: Path, text: str, seat: Path, key: Path | None, to: str, anonymous: bool,
    host: str | None, me: str | None, send: str | None, out: str | None,
) -> None:  # fmt: skip
    """Write a signed message, which the host passes on: message to bob: TEXT."""
    words = sys.stdin.read(4_000).rstrip("\n") if text == "-" else text
    what = Message(to, words, anonymous)
    _write_letter(record, seat, key, host, me, send, out, message=what)


@click.command(epilog="Example: adjudicator mail absence friday --seat alice.seat --from "
              "2026-12-01 --until 2026-12-07")  # fmt: skip
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


@click.command(epilog="Example: adjudicator mail address friday me@example.net --seat alice.seat")
@RecordArgument
@click.argument("address")
@SeatOption
@MovedKeyOption
@addressed
def address(
    record: Path, address: str, seat: Path, key: Path | None, host: str | None, me: str | None,
    send: str | None, out: str | None,
) -> None:  # fmt: skip
    """Tell the host, signed and sealed, that your mails are to come to ADDRESS from now on."""
    _write_letter(record, seat, key, host, me, send, out, address=address)


@click.command(epilog="Example: adjudicator mail shown friday yes --seat alice.seat")
@RecordArgument
@click.argument("choice", type=click.Choice(["yes", "no"]))
@SeatOption
@MovedKeyOption
@addressed
def shown(
    record: Path, choice: str, seat: Path, key: Path | None, host: str | None, me: str | None,
    send: str | None, out: str | None,
) -> None:  # fmt: skip
    """Let the players who say yes too know your mail address, or no longer."""
    _write_letter(record, seat, key, host, me, send, out, shown=choice == "yes")
