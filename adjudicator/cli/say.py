"""`say`: a message; and how every letter of a seat is sent."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from adjudicator.cli import shared
from adjudicator.cli.keys import own_signer
from adjudicator.cli.which import SEAT, Located, nothing, place_of
from adjudicator.core import bundles
from adjudicator.player import letters
from adjudicator.player.seated import Seated
from adjudicator.player.table import by_mail
from adjudicator.store.record import Record
from orders.fields import EVERYONE
from orders.letter import Text


@click.command("say", cls=Located, epilog='Example: adjudicator say --to bob "Truce?"')
@click.argument("text")
@click.option("--to", default=EVERYONE, show_default=True, help="A player's name, all, or host.")
@click.option("--anonymous", is_flag=True, help="Without your name, if the invite allows it.")
@shared.KeyOption
@shared.OutOption
def say_(
    record: Path, seat: Path | None, text: str, to: str, anonymous: bool, key: Path | None,
    out: str | None,
) -> None:  # fmt: skip
    """A signed message: a player's goes through the host, a host's own to the players.

    With - as the TEXT it is read from standard input.
    """
    words = sys.stdin.read(4_000).rstrip("\n") if text == "-" else text
    if seat is not None:
        send(record, seat, key, out, letters.message(to, words, anonymous=anonymous))
        return
    place = place_of(Record(record))
    if not place.hosts:
        raise nothing([place], SEAT)
    _announce(shared.record_of(record), to, words)


def _announce(record: Record, to: str, text: str) -> None:
    """The host's own message, by mail if the game is played so; raises Refused."""
    from adjudicator.cli import host
    from adjudicator.host.letters import Letters

    if host.carrier(record) == "mail":
        from adjudicator.cli import office

        desk = office.desk_of(record)
        office.write_to_players(desk, Letters(desk.begun()).announce(to, text))
        shared.say(f"the message to {to} leaves with the next sync")
        return
    at = host.desk_of(record.root, None, sure=True)
    host.pass_on(at, Letters(host.begun(at)).announce(to, text).passed)


def send(
    record: Path, seat: Path, key: Path | None, out: str | None, text: Text, told: str = ""
) -> None:
    """Write a letter of a seat's, say what is `told`, and send it; raises Refused."""
    shared.check_out(out, like=shared.like_bundle("letter"))
    copy, own = shared.record_of(record), shared.seat_in(seat)
    seated = Seated(copy, own, shared.ledger_of(copy, own))
    holder = own_signer(seated, key)
    bundle = letters.write(seated.ledger, own, holder, text)
    if told:
        shared.say(told, to=out)
    offer = seated.opening.offer
    mailed = letters.host_address(offer, own) is not None or by_mail(copy)
    if out is None and mailed:
        from adjudicator.cli import post

        post.mail(copy, bundle, "a letter", own)
        return
    default = str(copy.root.with_name(f"{bundles.name(offer.name, bundle)}.txt"))
    way = "; git does not bring it: mail it, or hand it over" * (copy.root / ".git").exists()
    shared.say(
        f"{shared.write_bundle(bundle, out, default)}: your message: send it to the host{way}",
        to=out,
    )
