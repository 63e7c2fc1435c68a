"""The player's commands: `join`, `template`, `check`, `order`, `receive`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from adjudicator import files, opening, order_text, player, story
from adjudicator.cli.shared import (
    RecordArgument,
    open_seat,
    read_bundle,
    record_of,
    say,
    signer,
    write_bundle,
)
from adjudicator.player import Seated
from adjudicator.receive import receive as take_in
from adjudicator.record import Held, Record
from adjudicator.seat import Seat
from orders.documents import PROTESTS
from orders.errors import Refused
from orders.secrets import draw_secret

SeatOption = click.option(
    "--seat", required=True, type=click.Path(path_type=Path), help="Your seat folder."
)
OutOption = click.option("-o", "--out", metavar="FILE", help="Where to write; - is stdout.")
ORDER_FILE_LIMIT = 2**20


@click.command(epilog="Example: adjudicator join friday-invite.txt --name alice --key alice.key")
@click.argument("invite")
@click.option("--name", required=True, help="Your name in the game.")
@click.option("--key", required=True, type=click.Path(path_type=Path), help="Your SSH key.")
@click.option("--address", help="Your mail address; only the host can read it.")
@click.option(
    "--mail",
    type=click.Choice(["open", "sealed"]),
    default="sealed",
    help="Whether mails to you show your view in the clear.",
)
@OutOption
def join(
    invite: str, name: str, key: Path, address: str | None, mail: str, out: str | None
) -> None:  # fmt: skip
    """Answer an INVITE: a join bundle for the host, and your private folder NAME.seat beside it."""
    bundle = read_bundle(invite)
    if bundle.kind != "invite":
        raise Refused("bad-bundle", f"{invite}: a bundle of kind {bundle.kind}: expected an invite")
    offer = opening.read_offer(Held(dict(bundle.files)))
    key_holder = signer(key)
    target = f"{name}-join.txt" if out is None else out
    beside = Path() if target == "-" else Path(target).parent
    opening.check_player(offer, name, key_holder.public)
    seat = Seat.create(beside / f"{name}.seat", name, offer.digest, key, draw_secret())
    answer = player.join(
        offer, seat, key_holder, address=address, mail="open" if mail == "open" else None
    )
    write_bundle(answer, target, target)
    say(f"{seat.root}: your seat, private. Back it up: without it you can neither see nor order",
        to=out)  # fmt: skip
    say(f"{target}: your join, for the host", to=out)


@click.command(epilog="Example: adjudicator template friday --seat alice.seat -o orders.toml")
@RecordArgument
@SeatOption
@OutOption
def template(record: Path, seat: Path, out: str | None) -> None:
    """An order file to fill in, with the board, the news and the legal lines as comments."""
    seated = Seated(record_of(record), Seat.open(seat))
    report = seated.report()
    game = seated.opening.game
    text = order_text.template(
        seated.opening.id,
        seated.last().step + 1,
        seated.seat.player,
        game.draw(report.view),
        game.legal(report.view),
        [game.news(event) for event in report.events],
    )
    if out is None or out == "-":
        click.echo(text, nl=False)
        return
    if Path(out).exists():
        raise Refused("exists", f"{out} is there already", "name another file, or remove it")
    files.write(Path(out), text.encode())
    say(f"{out}: fill it in, then adjudicator order {record} {out} --seat {seat}")


@click.command(epilog="Example: adjudicator check friday orders.toml --seat alice.seat")
@RecordArgument
@click.argument("orders", type=click.Path(path_type=Path, allow_dash=True))
@SeatOption
def check(record: Path, orders: Path, seat: Path) -> None:
    """Tell what the host would refuse of an order file. Sends nothing."""
    file = Seated(record_of(record), Seat.open(seat)).check(_authored(orders))
    click.echo(f"ok: orders of {file.player} for step {file.step}")


def _authored(path: Path) -> bytes:
    if str(path) == "-":
        return order_text.below_cut(sys.stdin.buffer.read(ORDER_FILE_LIMIT + 1))
    return order_text.below_cut(files.read(path, ORDER_FILE_LIMIT))


@click.command(epilog="Example: adjudicator order friday orders.toml --seat alice.seat")
@RecordArgument
@click.argument("orders", type=click.Path(path_type=Path, allow_dash=True))
@SeatOption
@click.option("--protest", type=click.Choice(PROTESTS), help="What is amiss with the last entry.")
@click.option("--mail", "as_mail", is_flag=True, help="Write a mail to the host, ready to be sent.")
@click.option(
    "--send",
    metavar="PROGRAM",
    envvar="ADJUDICATOR_SEND",
    help='With --mail: hand the mail to this program, as in "sendmail -t -i".',
)
@click.option("--to-host", "host", metavar="ADDRESS", help="With --mail: the host's address.")
@click.option("--from", "me", metavar="ADDRESS", help="With --mail: your own address.")
@OutOption
def order(
    record: Path, orders: Path, seat: Path, protest: str | None, as_mail: bool, send: str | None,
    host: str | None, me: str | None, out: str | None,
) -> None:  # fmt: skip
    """Check, seal and sign an order file: an order bundle for the host, or a mail with it."""
    seated = Seated(record_of(record), Seat.open(seat))
    authored = _authored(orders)
    seated.check(authored)
    bundle = seated.order(authored, signer(seated.seat.key_path), protest)
    step = seated.last().step + 1
    revision = seated.seat.revisions(step)[-1]
    default = f"{seated.seat.player}-{step:04d}-{revision}.txt"
    if as_mail:
        from adjudicator.cli.mail_player import hand_on
        from adjudicator.mail import reader

        what = f"sealed orders for step {step}"
        data = reader.wrap(seated.record, bundle, what, default[:-4], host, me)
        hand_on(data, out, f"{default[:-4]}.eml", send)
        return
    where = write_bundle(bundle, out, default)
    say(f"{where}: sealed orders for step {step}, revision {revision}, for the host", to=out)


@click.command(epilog="Example: adjudicator receive friday friday-0001.txt --seat alice.seat")
@click.argument("record", type=click.Path(path_type=Path, file_okay=False))
@click.argument("bundles", nargs=-1, required=True)
@click.option("--seat", type=click.Path(path_type=Path), help="Your seat folder.")
@click.pass_context
def receive(ctx: click.Context, record: Path, bundles: tuple[str, ...], seat: Path | None) -> None:
    """Take entries and receipts into a copy of the RECORD, checking what can be checked.

    An invite's bundle starts a copy. Exits 1 where something is amiss with what came.
    """
    target, own = Record(record), open_seat(seat)
    given = [read_bundle(path) for path in bundles]
    if not (record / "invite.toml").is_file() and all(one.kind != "invite" for one in given):
        raise Refused(
            "missing",
            f"{str(record)!a} holds no record yet, and no invite came",
            "name the invite's bundle too: it starts the copy",
        )
    taken = take_in(target, given, own)
    for received in taken:
        click.echo(f"taken in: {received.what}{'' if received.new else ' (was here already)'}")
        if received.new and received.step is not None and not received.warnings:
            for line in story.heard(target, own, received.step):
                click.echo(f"  {line}")
        for warning in received.warnings:
            click.secho(f"warning: {warning}", err=True, fg="yellow")
    if any(received.new and received.step is not None for received in taken):
        for line in story.whose_turn(target):
            click.echo(line)
    ctx.exit(1 if any(received.warnings for received in taken) else 0)
