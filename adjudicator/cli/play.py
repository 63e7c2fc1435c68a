"""The player's commands: `join`, `consent`, `template`, `check`, `order`, `receive`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

from adjudicator.cli.shared import (
    AnyPath,
    AnySeatOption,
    CopyArgument,
    ForceOption,
    MovedKeyOption,
    OutOption,
    ProtestOption,
    RecordArgument,
    SeatOption,
    check_out,
    is_terminal,
    like_bundle,
    now,
    open_seat,
    read_bundle,
    read_mailed,
    reader,
    record_of,
    say,
    seat_in,
    signer,
    signer_of,
    warn,
    write_bundle,
    write_out,
)
from adjudicator.core import bundles, intake, opening
from adjudicator.core.opening import Offer
from adjudicator.core.source import Held
from adjudicator.mail import player as mails
from adjudicator.player import finding, witness
from adjudicator.player import seated as player
from adjudicator.player.copy import Copy, Received
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.player.table import Table
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.verifier import hosts
from adjudicator.words import form, story
from games.options import suggest_name
from orders import names
from orders.documents import Private
from orders.errors import Refused, pasteable
from orders.keys import Signer
from orders.order_file import OrderFile
from orders.secrets import draw_secret
from orders.typed import LARGEST_TYPED


@click.command(epilog="Example: adjudicator join friday-invite.txt --name alice --key alice.key")
@click.argument("invite")
@click.option("--name", required=True, help="Your name in the game.")
@click.option("--key", required=True, type=AnyPath, help="Your SSH key.")
@click.option("--address", help="Your mail address; only the host can read it.")
@click.option("--token", help="The token of your invitation, where seats are reserved.")
@click.option(
    "--mail", type=click.Choice(["open", "sealed"]), default="sealed",
    help="Whether mails to you show your view unencrypted.",
)  # fmt: skip
@OutOption
def join(
    invite: str, name: str, key: Path, address: str | None, token: str | None, mail: str,
    out: str | None,
) -> None:  # fmt: skip
    """Answer an INVITE: a join bundle for the host, your private folder NAME.seat, and your copy.

    INVITE may be the host's whole mail, the file that came with it, or the block in it.
    """
    bundle, came = read_mailed(invite, "invite")
    offer = opening.read_offer(Held(dict(bundle.files)))
    holder = signer(key)
    _check_name(offer, name, holder)
    token = token or bundles.token_in(bundle)
    private = Private(address, token)
    if private != Private():
        private.render()
    if offer.invite.reserved and token is None:
        raise Refused(
            "no-seat", "the seats are reserved", "the host's invitation holds a token: --token"
        )
    target = f"{offer.name}-{name}-join.txt" if out is None else out
    check_out(target, like=like_bundle("join"))
    beside = Path() if target == "-" else Path(target).parent
    seat = Seat.create(_place(beside, name, offer), name, offer.digest, key, draw_secret())
    try:
        answer = player.join(offer, seat, holder, private, mail="open" if mail == "open" else None)
        write_bundle(answer, target, target)
    except Refused:
        # Nobody has the join, so this seat is useless, and the next try makes another.
        shutil.rmtree(seat.root)
        raise
    say(f"{seat.root}: your seat, private. Back it up: without it you can neither see nor order",
        to=out)  # fmt: skip
    say(f"{target}: your join, for the host", to=out)
    known = [one.root for one in finding.copies(beside)]
    copy = finding.copy_of_invite(bundle, beside)
    if came is not None:
        mails.remember(copy, came)
    if copy.root not in known:
        say(f"{copy.root}: your copy of the game", to=out)
    if offer.invite.mail is not None and address is None:
        say("without --address the host cannot send you mails", to=out)
    warn(*hosts.of_invite(offer, _reach(invite)))


def _place(folder: Path, name: str, offer: Offer) -> Path:
    """NAME.seat; if that is of another game, GAME-NAME.seat; if that is too, with the invite's
    digest."""
    usual = (name, f"{offer.name}-{name}")
    for one in usual:
        place = folder / f"{one}.seat"
        if not (place / "seat.toml").exists() or seat_in(place).invite == offer.digest:
            return place
    return folder / f"{offer.name}-{name}-{offer.digest[:8]}.seat"


def _check_name(offer: Offer, name: str, holder: Signer) -> None:
    """Raise Refused if nobody of that name and key may join, and suggest a name."""
    try:
        opening.check_player(offer, name, holder.public)
    except Refused as error:
        meant = suggest_name(name)
        if meant:
            raise Refused(error.word, error.message + meant, error.hint) from None
        raise


def _reach(invite: str) -> list[tuple[str, Record]]:
    """The records in the current folder, and in the invite's folder."""
    places = (Path(), Path() if invite == "-" else Path(invite).parent)
    folders = dict.fromkeys(place.resolve() for place in places)
    found = [path.parent for folder in folders for path in sorted(folder.glob(f"*/{names.INVITE}"))]
    return [(path.name, Record(path)) for path in found]


@click.command(epilog="Example: adjudicator consent friday friday-dora-join.txt --seat alice.seat")
@RecordArgument
@click.argument("join")
@SeatOption
@MovedKeyOption
@OutOption
def consent(record: Path, join: str, seat: Path, key: Path | None, out: str | None) -> None:
    """Agree that the player of a new JOIN takes your seat; the host rules on it."""
    own = _seated(record, seat)
    bundle = read_bundle(join)
    new, _ = intake.read_join_bundle(own.opening.offer, bundle)
    if new.player != own.seat.player:
        raise Refused(
            "no-seat", f"{join!a} is a join as {new.player}, but your seat is {own.seat.player}"
        )
    name = f"{own.opening.offer.name}-{new.player}-consent.sig"
    check_out(out or name, like=b"")
    holder = own_signer(own, key)
    write_out(out or name, player.consent(holder, bundle), like=b"")
    say(f"{out or name}: your consent; the key of {join} takes the seat of {new.player}", to=out)


@click.command(epilog="Example: adjudicator template friday --seat alice.seat -o orders.toml")
@RecordArgument
@SeatOption
@OutOption
def template(record: Path, seat: Path, out: str | None) -> None:
    """An order file to fill in, with the board, the news and what you may write as comments."""
    target = out or "-"
    check_out(target, like=b"")
    own = _seated(record, seat)
    if own.last.over:
        raise Refused("over", "the game is over", "adjudicator show shows how it ended")
    write_out(target, form.template(own).encode(), like=b"")
    if target != "-":
        command = (
            f"adjudicator order {pasteable(record)} {pasteable(target)} --seat {pasteable(seat)}"
        )
        say(f"{target}: fill it in, then {command}")


def _seated(record: Path, seat: Path) -> Seated:
    own = seat_in(seat)
    target = record_of(record)
    if target.last_step() is None:
        raise Refused("not-yet", "the game has not begun", "take in the host's genesis: receive")
    return Seated(target, own)


def own_signer(own: Seated, key: Path | None) -> Signer:
    """The seat's signer: with the given key, or else its own, or the one that it names; raises
    Refused."""
    seat = own.seat
    if key is None and (held := seat.signer()) is not None:
        return held
    return signer_of(own.last.key(seat.player), key, seat.key_path, seat.root / "seat.toml")


@click.command(epilog="Example: adjudicator check friday orders.toml --seat alice.seat")
@RecordArgument
@click.argument("orders", type=click.Path(path_type=Path, allow_dash=True))
@SeatOption
def check(record: Path, orders: Path, seat: Path) -> None:
    """Check an order file as the host would. Sends nothing."""
    file = _seated(record, seat).read(_typed(orders))
    say(f"ok: orders of {file.player} for step {file.step}")
    _show(file, None)


def _typed(path: Path) -> bytes:
    if str(path) == "-":
        return sys.stdin.buffer.read(LARGEST_TYPED + 1)
    if not path.exists():
        raise Refused(
            "missing",
            f"{str(path)!a} is not there",
            "name an order file, or - for what you type; adjudicator play LINE takes lines",
        )
    return files.read(path, LARGEST_TYPED)


def _show(file: OrderFile, out: str | None) -> None:
    """Print the orders that were read: nothing else is signed."""
    say(*(f"  {line}".rstrip() for line in file.orders), to=out)
    for name, table in file.tables.items():
        for key, value in table.items():
            say(f"  {name}.{key} = {value}", to=out)


@click.command(epilog="Example: adjudicator order friday orders.toml --seat alice.seat")
@RecordArgument
@click.argument("orders", type=click.Path(path_type=Path, allow_dash=True))
@SeatOption
@MovedKeyOption
@ProtestOption
@ForceOption
@click.option("--mail", "as_mail", is_flag=True, help="Write a mail to the host, ready to send.")
@click.option(
    "--send", metavar="PROGRAM", envvar="ADJUDICATOR_SEND",
    help='With --mail: hand the mail to this program, as in "sendmail -t -i".',
)  # fmt: skip
@click.option("--to-host", "host", metavar="ADDRESS", help="With --mail: the host's address.")
@click.option("--from", "me", metavar="ADDRESS", help="With --mail: your own address.")
@OutOption
def order(
    record: Path, orders: Path, seat: Path, key: Path | None, protest: str | None, force: bool,
    as_mail: bool,
    send: str | None, host: str | None, me: str | None, out: str | None,
) -> None:  # fmt: skip
    """Check, seal and sign an order file: an order bundle for the host, or a mail with it."""
    check_out(out, like=b"" if as_mail else like_bundle("order"))
    own = _seated(record, seat)
    if not force:
        Table(record_of(record, absolute=True), own.seat, SystemClock(), own.ledger).check_new()
    file = own.read(_typed(orders), protest)
    confirm(file)
    ordered = own.order(file, own_signer(own, key), now(), protest)
    slip = ordered.slip
    default = bundles.name(own.opening.offer.name, ordered.bundle)
    what = f"sealed orders for step {slip.step}"
    if as_mail:
        from adjudicator.cli.mail_player import hand_on
        from adjudicator.mail import player as mail

        ready = mail.wrap(record_of(record), ordered.bundle, what, host, me, seat=own.seat)
        hand_on(ready, out, f"{default}.eml", send)
    else:
        where = write_bundle(ordered.bundle, out, f"{default}.txt")
        say(f"{where}: {what}, revision {slip.revision}, for the host", to=out)
    _show(ordered.file, out)


def confirm(file: OrderFile) -> None:
    """Ask before a player resigns, if a person is there to answer."""
    words = [line.partition("#")[0].strip().lower() for line in file.orders]
    if "resign" in words and is_terminal():
        click.confirm("You resign: that ends the game for you. Sign it?", abort=True, err=True)


@click.command(epilog="Example: adjudicator receive friday friday-0001.txt --seat alice.seat")
@CopyArgument
@click.argument("bundles", nargs=-1, required=True)
@AnySeatOption
@click.pass_context
def receive(ctx: click.Context, record: Path, bundles: tuple[str, ...], seat: Path | None) -> None:
    """Take entries and receipts into a copy of the RECORD and check them.

    An invite's bundle starts a copy. Exits 1 if something that came is wrong.
    """
    target, own = Record(record), open_seat(seat)
    given = [read_bundle(path) for path in bundles]
    if not (record / names.INVITE).is_file() and all(one.kind != "invite" for one in given):
        raise Refused(
            "missing",
            f"{str(record)!a} holds no record yet, and no invite came",
            "name the invite's bundle too: it starts the copy",
        )
    copy = Copy(target, own, SystemClock())
    taken = copy.receive(given)
    for received in taken:
        _tell(copy, received)
    if any(received.new and received.step is not None for received in taken):
        say(*story.whose_turn(copy.ledger.last.entry, reader()))
    if own is not None and target.last_step() is not None:
        warn(*witness.unanswered(copy.ledger, own, now()))
    ctx.exit(1 if any(received.warnings for received in taken) else 0)


def _tell(copy: Copy, received: Received) -> None:
    say(f"taken in: {received.what}{'' if received.new else ' (was here already)'}")
    if received.new and received.step is not None:
        entry = copy.ledger.link(received.step).entry
        say(*(f"  {line}" for line in story.heard(copy.ledger.opening, entry, received.report)))
    warn(*received.warnings)
