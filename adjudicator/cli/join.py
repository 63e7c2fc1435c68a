"""`join`: a seat is taken, and the name and place for it found."""

from __future__ import annotations

import getpass
import os
import shutil
from contextlib import suppress
from pathlib import Path

import click

from adjudicator.cli import keys, settings, shared
from adjudicator.core import bundles, opening
from adjudicator.core.opening import Offer
from adjudicator.core.source import MemoryFiles
from adjudicator.mail import player as mails
from adjudicator.player import finding
from adjudicator.player import seated as player
from adjudicator.player.seat import Seat
from adjudicator.store.record import Record
from adjudicator.verifier import hosts
from adjudicator.words import story
from games.options import plain_name, suggest_name
from orders import names
from orders.documents import Private
from orders.errors import Refused
from orders.fields import check_name
from orders.secrets import draw_secret


@click.command(epilog="Example: adjudicator join invitation.eml")
@click.argument("invitation", metavar="MAIL|FILE|URL")
@click.option("--name", help="Your name in the game.")
@shared.KeyOption
@click.option("--token", help="The token of your invitation, if it is not in the mail.")
@click.option("--address", help="Your mail address, if not the one in the settings.")
@click.option(
    "--mail", type=click.Choice(["open", "sealed"]), default="sealed",
    help="Whether mails to you show your view unencrypted.",
)  # fmt: skip
@click.option("--watch", is_flag=True, help="Only look on: a copy, and no seat.")
@click.option("--fork", metavar="URL", help="By git: your fork, where you may push.")
@click.option("--setup", "first", metavar="LINE", help="In a duel: your orders of the setup.")
@shared.YesOption
@shared.OutOption
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
    from adjudicator.git.process import is_address

    if is_address(invitation):
        from adjudicator.cli.repository import clone

        private = Private(token=token)
        ctx.exit(clone(invitation, name, key, private, fork, out, watch=watch, yes=yes))
    bundle, came = shared.read_mailed(invitation, "invite", "duel")
    if bundle.kind == "duel":
        from adjudicator.cli import duel

        duel.join(bundle, came, name, key, first, out, yes=yes)
        return
    offer = opening.read_offer(MemoryFiles(dict(bundle.files)))
    if watch:
        tell_offer(offer)
        shared.say(f"{os.path.relpath(finding.copy_of_invite(bundle, Path()).root)}: your copy")
        return
    token = token or bundles.token_in(bundle)
    if offer.invite.reserved and token is None:
        raise Refused(
            "no-seat", "a token is needed: the seats of this game are reserved",
            "join the invitation's own mail or file, or name its token: --token",
        )  # fmt: skip
    address = address or settings.get("address")
    if address is None and offer.invite.mail is not None and shared.is_terminal() and not yes:
        address = click.prompt("Your mail address, for the host alone", default="", err=True)
    private = Private(address or None, token)
    if private != Private():
        private.render()
    chosen = choose_name(name, yes=yes)
    target = f"{offer.name}-{chosen}-join.txt" if out is None else out
    there = place_for(Path(), chosen, offer)
    if out is None and (there / "seat.toml").exists():
        raise Refused(
            "exists", f"you have joined {offer.name} as {chosen} already: {there}",
            f"if the host has not got {target} yet, send that file; then: adjudicator play",
        )  # fmt: skip
    shared.check_out(target, like=shared.like_bundle("join"))
    beside = Path() if target == "-" else Path(target).parent
    place = place_for(beside, chosen, offer)
    key = key or key_in_match(offer, chosen, beside)
    holder, path = keys.found(key, beside / f"{offer.name}-{chosen}.key", yes=yes)
    opening.check_player(offer, chosen, holder.public)
    seat = Seat.create(place, chosen, offer.digest, path, draw_secret())
    try:
        answer = player.join(offer, seat, holder, private, mail="open" if mail == "open" else None)
        if out is not None or address is None or offer.invite.mail is None:
            shared.write_bundle(answer, target, target)
    except Refused:
        # Nobody has the join, so this seat is useless, and the next try makes another.
        shutil.rmtree(seat.root)
        raise
    tell_offer(offer, to=out)
    shared.say(f"{seat.root}: your private seat. Back it up: you cannot see or order without it",
        to=out)  # fmt: skip
    known = [one.root for one in finding.copies(beside)]
    copy = finding.copy_of_invite(bundle, beside)
    if came is not None:
        mails.remember(copy, came)
    if copy.root not in known:
        shared.say(f"{copy.root}: your copy of the game", to=out)
    if Path(target).exists() or out is not None:
        shared.say(f"{target}: your join: send it to the host", to=out)
    else:
        from adjudicator.cli import post

        post.mail(copy, answer, "a join", seat, address)
    if offer.invite.mail is not None and address is None:
        shared.say("without --address the host cannot send you mails", to=out)
    shared.warn(*hosts.of_invite(offer, _reach(invitation)))


def tell_offer(offer: Offer, to: str | None = None) -> None:
    """Say which game it is, who hosts it, and by which options."""
    shared.say(f"{offer.name}: {offer.game.title} ({offer.invite.rules})", to=to)
    mail = f", {offer.invite.mail}" if offer.invite.mail else ""
    shared.say(f"  host {offer.host.fingerprint}{mail}", to=to)
    shared.say(*(f"  {line}" for line in story.of_invite(offer)), to=to)


def choose_name(given: str | None, *, yes: bool) -> str:
    """The name that somebody wants to play by: what they named, or else are asked for; raises
    Refused."""
    usual = ""
    # In a container or a service a user may have no name.
    with suppress(ImportError, KeyError, OSError):
        usual = plain_name(getpass.getuser())
    if given is None and shared.is_terminal() and not yes:
        given = str(click.prompt("Name", default=usual or None, err=True))
    if given is None and yes and usual:
        return usual
    if given is None:
        raise Refused("bad-option", "a name to play by is needed", "name it: --name NAME")
    plain = plain_name(given)
    if plain and plain != given:
        question = f"Names are in small letters. Join as {plain}?"
        if yes or (shared.is_terminal() and click.confirm(question, default=True, err=True)):
            return plain
    try:
        return check_name(given)
    except Refused as error:
        raise Refused(error.word, error.message + suggest_name(given), error.hint) from None


def place_for(folder: Path, name: str, offer: Offer) -> Path:
    """NAME.seat; if that is of another game, GAME-NAME.seat; if that is too, with the invite's
    digest."""
    usual = (name, f"{offer.name}-{name}")
    for one in usual:
        place = folder / f"{one}.seat"
        if not (place / "seat.toml").exists() or shared.seat_in(place).invite == offer.digest:
            return place
    return folder / f"{offer.name}-{name}-{offer.digest[:8]}.seat"


def key_in_match(offer: Offer, player: str, folder: Path) -> Path | None:
    """The key of that player's seat in the other game of the match, if that is here: by keys a
    stranger sees that the same two play both. Raises Refused."""
    if offer.match == "none":
        return None
    for seat in finding.seats(folder):
        for copy in finding.copies(folder):
            if (seat.player, seat.invite) == (player, finding.invite_of(copy)):
                other = opening.read_offer(copy)
                if other.match == offer.digest or other.digest == offer.match:
                    return seat.key_path
    return None


def _reach(invite: str) -> list[tuple[str, Record]]:
    """The records in the current folder, and in the invite's folder."""
    places = (Path(), Path() if invite == "-" else Path(invite).parent)
    folders = dict.fromkeys(place.resolve() for place in places)
    found = [path.parent for folder in folders for path in sorted(folder.glob(f"*/{names.INVITE}"))]
    return [(path.name, Record(path)) for path in found]
