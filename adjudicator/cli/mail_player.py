"""`mail` for players: `read`, `wrap`, `message`, `absence`, `address`."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from adjudicator import files
from adjudicator.cli.shared import RecordArgument, read_bundle, record_of, say, signer
from adjudicator.mail import reader
from adjudicator.mail.reading import LARGEST
from adjudicator.seat import Seat
from orders.bundle import Bundle
from orders.errors import Refused
from orders.fields import is_time
from orders.letter import ADDRESS, Absence

F = TypeVar("F", bound=Callable[..., Any])

SeatOption = click.option(
    "--seat", required=True, type=click.Path(path_type=Path), help="Your seat folder."
)
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
    found = reader.read(data, Path(), record, seat)
    click.echo("\n".join(found.lines))
    for warning in found.warnings:
        click.secho(f"warning: {warning}", err=True, fg="yellow")
    ctx.exit(1 if found.warnings else 0)


def hand_on(data: bytes, out: str | None, default: str, send: str | None) -> None:
    """Write a ready mail to a file, or give it to the mail program; raises Refused."""
    if send is None or out is not None:
        target = default if out is None else out
        if target == "-":
            sys.stdout.buffer.write(data)
        else:
            files.write(Path(target), data)
            say(f"{target}: the mail, ready to be sent")
    if send is not None:
        command = shlex.split(send)
        try:
            done = subprocess.run(
                command, input=data.replace(b"\r\n", b"\n"), check=False, timeout=120
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Refused("bad-option", f"--send {send!a:.80}: {error!s:.120}") from None
        if done.returncode:
            raise Refused("bad-option", f"--send {send!a:.80}: exit code {done.returncode}")
        say(f"sent by {command[0]}", to=out)


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
    held = read_bundle(bundle)
    stem = "bundle" if bundle == "-" else Path(bundle).stem
    data = reader.wrap(record_of(record), held, _what(held), stem, host, me)
    hand_on(data, out, f"{stem}.eml", send)


def _what(bundle: Bundle) -> str:
    return {"join": "a join", "order": "sealed orders", "letter": "a letter"}.get(
        bundle.kind, f"a bundle ({bundle.kind})"
    )


def _write_letter(
    record: Path, seat: Path, host: str | None, me: str | None, send: str | None, out: str | None,
    **what: Any,
) -> None:  # fmt: skip
    copy, own = record_of(record), Seat.open(seat)
    letter, bundle = reader.write_letter(copy, own, signer(own.key_path), **what)
    name = f"{letter.player}-letter-{letter.number:04d}"
    data = reader.wrap(copy, bundle, "a letter", name, host, me)
    hand_on(data, out, f"{name}.eml", send)


@click.command(
    epilog='Example: adjudicator mail message friday --seat alice.seat --to bob "Truce?"'
)
@RecordArgument
@click.argument("text")
@SeatOption
@click.option("--to", required=True, help="A player's name, all, or host.")
@click.option("--anonymous", is_flag=True, help="Without your name, where the invite allows it.")
@addressed
def message(
    record: Path, text: str, seat: Path, to: str, anonymous: bool, host: str | None,
    me: str | None, send: str | None, out: str | None,
) -> None:  # fmt: skip
    """Write a signed message, which the host passes on: message to bob: TEXT."""
    words = sys.stdin.read(4_000).rstrip("\n") if text == "-" else text
    _write_letter(record, seat, host, me, send, out, message=(to, words, anonymous))


@click.command(epilog="Example: adjudicator mail absence friday --seat alice.seat --from "
              "2026-12-01T00:00:00Z --until 2026-12-08T00:00:00Z")  # fmt: skip
@RecordArgument
@SeatOption
@click.option("--from", "start", required=True, metavar="TIME", help="When you leave, in UTC.")
@click.option("--until", "end", required=True, metavar="TIME", help="When you are back.")
@click.option("--to-host", "host", metavar="ADDRESS", help="The host's address.")
@click.option("--from-address", "me", metavar="ADDRESS", help="Your own.")
@SendOption
@OutOption
def absence(
    record: Path, seat: Path, start: str, end: str, host: str | None, me: str | None,
    send: str | None, out: str | None,
) -> None:  # fmt: skip
    """Write a signed notice of absence, within what the invite allows."""
    for value in (start, end):
        if not is_time(value):
            raise click.BadParameter(f"{value!a}: expected a time such as 2026-12-01T00:00:00Z")
    _write_letter(record, seat, host, me, send, out, absence=Absence(start, end))


@click.command(epilog="Example: adjudicator mail address friday shown --seat alice.seat")
@RecordArgument
@click.argument("choice", type=click.Choice(ADDRESS))
@SeatOption
@addressed
def address(
    record: Path, choice: str, seat: Path, host: str | None, me: str | None, send: str | None,
    out: str | None,
) -> None:  # fmt: skip
    """Let the players who say the same know your mail address, or no longer."""
    _write_letter(record, seat, host, me, send, out, address=choice)
