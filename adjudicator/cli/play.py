"""The commands that take a seat and leave it: `join`, `consent`; and how a seat signs."""

from __future__ import annotations

import getpass
import os
import shutil
from pathlib import Path

import click

from adjudicator.cli import keys, settings
from adjudicator.cli.here import SEAT, Located
from adjudicator.cli.shared import (
    KeyOption,
    OutOption,
    YesOption,
    agreed,
    check_out,
    is_terminal,
    like_bundle,
    read_bundle,
    read_mailed,
    record_of,
    say,
    seat_in,
    signer_of,
    warn,
    write_bundle,
)
from adjudicator.core import bundles, opening
from adjudicator.core.opening import Offer
from adjudicator.core.source import MemoryFiles
from adjudicator.mail import player as mails
from adjudicator.player import finding
from adjudicator.player import seated as player
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store.record import Record
from adjudicator.verifier import hosts
from games.options import plain_name, suggest_name
from orders import names
from orders.documents import Private
from orders.errors import Refused, at
from orders.keys import Signer
from orders.order_file import OrderFile
from orders.secrets import draw_secret


@click.command(epilog="Example: adjudicator join invitation.eml")
@click.argument("invitation", metavar="MAIL|FILE|URL")
@click.option("--name", help="Your name in the game.")
@KeyOption
@click.option("--token", help="The token of your invitation, if it is not in the mail.")
@click.option("--address", help="Your mail address, if not the one in the settings.")
@click.option(
    "--mail", type=click.Choice(["open", "sealed"]), default="sealed",
    help="Whether mails to you show your view unencrypted.",
)  # fmt: skip
@click.option("--watch", is_flag=True, help="Only look on: a copy, and no seat.")
@click.option("--fork", metavar="URL", help="By git: your fork, where you may push.")
@click.option("--setup", "first", metavar="LINE", help="In a duel: your orders of the setup.")
@YesOption
@OutOption
@click.pass_context
def join(
    ctx: click.Context, invitation: str, name: str | None, key: Path | None, token: str | None,
    address: str | None, mail: str, watch: bool, fork: str | None, first: str | None, yes: bool,
    out: str | None,
) -> None:  # fmt: skip
    """Take a seat by an INVITATION: the host's mail, its file, the block in it, or a repository; or
    by the offer of a duel.

    It makes your private folder NAME.seat and your copy of the game, and sends the join: by git, by
    mail if the settings have a way, else as a file for the host. With -o the join goes there (by
    git: the copy).
    """
    from adjudicator.git import addresses

    if addresses.is_address(invitation):
        from adjudicator.cli.git import clone

        private = Private(token=token)
        ctx.exit(clone(invitation, name, key, private, fork, out, watch=watch, yes=yes))
    bundle, came = read_mailed(invitation, "invite", "duel")
    if bundle.kind == "duel":
        from adjudicator.cli import duel

        duel.join(bundle, came, name, key, first, out, yes=yes)
        return
    offer = opening.read_offer(MemoryFiles(dict(bundle.files)))
    if watch:
        tell_offer(offer)
        say(f"{os.path.relpath(finding.copy_of_invite(bundle, Path()).root)}: your copy")
        return
    token = token or bundles.token_in(bundle)
    if offer.invite.reserved and token is None:
        raise Refused(
            "no-seat", "a token is needed: the seats of this game are reserved",
            "join the invitation's own mail or file, or name its token: --token",
        )  # fmt: skip
    address = address or settings.get("address")
    if address is None and offer.invite.mail is not None and is_terminal() and not yes:
        address = click.prompt("Your mail address, for the host alone", default="", err=True)
    private = Private(address or None, token)
    if private != Private():
        private.render()
    chosen = choose_name(name, yes=yes)
    target = f"{offer.name}-{chosen}-join.txt" if out is None else out
    if out is None and (there := joined(offer, chosen)) is not None:
        raise Refused(
            "exists", f"you have joined {offer.name} as {chosen} already: {there}",
            f"if the host has not got {target} yet, send that file; then: adjudicator play",
        )  # fmt: skip
    check_out(target, like=like_bundle("join"))
    beside = Path() if target == "-" else Path(target).parent
    place = place_for(beside, chosen, offer)
    holder, path = keys.found(key, beside / f"{offer.name}-{chosen}.key", yes=yes)
    check_name(offer, chosen, holder)
    seat = Seat.create(place, chosen, offer.digest, path, draw_secret())
    try:
        answer = player.join(offer, seat, holder, private, mail="open" if mail == "open" else None)
        if out is not None or address is None or offer.invite.mail is None:
            write_bundle(answer, target, target)
    except Refused:
        # Nobody has the join, so this seat is useless, and the next try makes another.
        shutil.rmtree(seat.root)
        raise
    tell_offer(offer, to=out)
    say(f"{seat.root}: your private seat. Back it up: you cannot see or order without it",
        to=out)  # fmt: skip
    known = [one.root for one in finding.copies(beside)]
    copy = finding.copy_of_invite(bundle, beside)
    if came is not None:
        mails.remember(copy, came)
    if copy.root not in known:
        say(f"{copy.root}: your copy of the game", to=out)
    if Path(target).exists() or out is not None:
        say(f"{target}: your join: send it to the host", to=out)
    else:
        from adjudicator.cli import post

        post.mail(copy, answer, "a join", seat, address)
    if offer.invite.mail is not None and address is None:
        say("without --address the host cannot send you mails", to=out)
    warn(*hosts.of_invite(offer, _reach(invitation)))


def tell_offer(offer: Offer, to: str | None = None) -> None:
    """Say which game it is, who hosts it, and by which options."""
    say(f"{offer.name}: {offer.game.title} ({offer.invite.rules})", to=to)
    mail = f", {offer.invite.mail}" if offer.invite.mail else ""
    say(f"  host {offer.host.fingerprint}{mail}", to=to)
    say(*(f"  {key} = {value}" for key, value in offer.invite.options.items()), to=to)


def choose_name(given: str | None, *, yes: bool) -> str:
    """The name that somebody wants to play by: what they named, or else are asked for; raises
    Refused."""
    usual = plain_name(getpass.getuser())
    if given is None and is_terminal() and not yes:
        given = str(click.prompt("Name", default=usual or None, err=True))
    if given is None and yes and usual:
        return usual
    if given is None:
        raise Refused("bad-option", "a name to play by is needed", "name it: --name NAME")
    plain = plain_name(given)
    if plain and plain != given:
        question = f"Names are in small letters. Join as {plain}?"
        if yes or (is_terminal() and click.confirm(question, default=True, err=True)):
            return plain
    return given


def place_for(folder: Path, name: str, offer: Offer) -> Path:
    """NAME.seat; if that is of another game, GAME-NAME.seat; if that is too, with the invite's
    digest."""
    usual = (name, f"{offer.name}-{name}")
    for one in usual:
        place = folder / f"{one}.seat"
        if not (place / "seat.toml").exists() or seat_in(place).invite == offer.digest:
            return place
    return folder / f"{offer.name}-{name}-{offer.digest[:8]}.seat"


def joined(offer: Offer, name: str) -> Path | None:
    """The seat here that has joined by that name; None if there is none."""
    place = place_for(Path(), name, offer)
    return place if (place / "seat.toml").exists() else None


def check_name(offer: Offer, name: str, holder: Signer) -> None:
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


@click.command(
    cls=Located, need=SEAT, epilog="Example: adjudicator consent friday-dora-join.txt"
)  # fmt: skip
@click.argument("join")
@KeyOption
@OutOption
def consent(record: Path, seat: Path, join: str, key: Path | None, out: str | None) -> None:
    """Agree that the player of a new JOIN takes your seat; the host rules on it. Whoever orders
    again has withdrawn that."""
    own = seated(record, seat_in(seat))
    bundle = read_bundle(join, "join")
    name = f"{own.opening.offer.name}-{own.seat.player}-consent.txt"
    check_out(out or name, like=like_bundle("consent"))
    with at(ascii(join)):
        own.successor(bundle)
    target = write_bundle(player.consent(own.ledger, own_signer(own, key), bundle), out, name)
    say(f"{target}: your consent; the key of {join} takes the seat of {own.seat.player}", to=out)


def seated(record: Path, own: Seat) -> Seated:
    """A seat in a game that has begun; raises Refused."""
    target = record_of(record)
    if target.last_step() is None:
        raise Refused(
            "not-yet", "the game has not begun", "take in the host's first entry: adjudicator sync"
        )
    return Seated(target, own)


def own_signer(own: Seated, key: Path | None) -> Signer:
    """The seat's signer: with the given key, or else its own, or the one that it names; raises
    Refused."""
    seat = own.seat
    if key is None and (held := seat.signer()) is not None:
        return held
    return signer_of(own.last.key(seat.player), key, seat.key_path, seat.note_key)


def confirm(file: OrderFile, *, yes: bool = False) -> None:
    """Ask before a player resigns, if a person is there to answer; raises Exit."""
    words = [line.partition("#")[0].strip().lower() for line in file.orders]
    if "resign" in words:
        agreed("You resign: the game is over for you. Really?", yes=yes)
