"""`invite`: a game is offered, or its offer changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import games
from adjudicator.cli import completing, keys, settings, shared
from adjudicator.cli.host import desk_of
from adjudicator.cli.which import HOST, GameOption, find
from adjudicator.core import bundles
from adjudicator.core.opening import read_offer
from adjudicator.host import begin
from adjudicator.host.begin import Terms
from adjudicator.host.desk import Desk
from adjudicator.install import read_pin
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from games.game import Game
from games.options import plain_name
from orders.errors import Refused, pasteable
from orders.fields import is_address
from orders.secrets import draw_secret


@click.command(epilog="Example: adjudicator invite sugar-dog ann@example.org bob@example.org")
@click.argument("game", required=False, shell_complete=completing.of_game)
@click.argument("who", nargs=-1)
@GameOption
@shared.KeyOption
@shared.GameOptionOption
@click.option("--table", type=shared.AnyPath, help="A house table of your own.")
@click.option(
    "--rematch", type=shared.AnyPath, metavar="RECORD",
    help="In place of GAME: a record whose game is played again, seats swapped.",
)  # fmt: skip
@click.option("--players", type=click.IntRange(1, 64), help="Begin when that many have joined.")
@click.option("--reserved", is_flag=True, help="A player needs a token from you to join.")
@click.option("--open", "is_open", is_flag=True, help="Everybody who gets an invitation may join.")
@click.option("--address", help="Your mail address for players, if not that of the settings.")
@click.option("--name", help="What all call this game; by default as the record's folder.")
@click.option("--git", "url", metavar="URL", help="Publish the record at this repository.")
@click.option("--more", multiple=True, metavar="WHO", help="To a game here: invite this one too.")
@click.option("--drop", metavar="NAME", help="Of a game here: forget this player's join.")
@shared.YesOption
@click.option("-o", "--out", metavar="FOLDER", type=shared.AnyPath, help="The record's folder.")
def invite(
    game: str | None, who: tuple[str, ...], record: Path | None, key: Path | None,
    options: tuple[str, ...], table: Path | None, rematch: Path | None,
    players: int | None, reserved: bool, is_open: bool, address: str | None, name: str | None,
    url: str | None, more: tuple[str, ...], drop: str | None, yes: bool, out: Path | None,
) -> None:  # fmt: skip
    """Begin a record of GAME, with your private folder RECORD.host beside it, and invite WHO.

    WHO has a mail address, or is your own note of who gets a token. Without WHO everybody who has
    the invite's file may join. Invitations by mail leave with the next sync, and the game begins
    when all who are invited have joined. Without GAME: --more, --drop, --players or --git change a
    game that was offered.
    """
    link = settings.get("page", record)
    begins = game is not None or rematch is not None
    changes = bool(more or drop or url or players)
    if (begins and (more or drop)) or not (begins or changes) or (game and rematch):
        raise click.UsageError("name a GAME, or a record with --rematch; or --more, --drop, --git")
    if rematch is not None and (options or table or who):
        raise click.UsageError("a rematch has the options and the table of its record")
    if not begins:
        target = shared.record_of(find(record, None, HOST).record)
    else:
        mails = [one for one in who if is_address(one)]
        if mails or settings.get("mail-in"):
            address = address or settings.get("address")
        if address is not None and not is_address(address):
            raise Refused("malformed", f"--address {address!a:.80}: expected a plain mail address")
        seats: Sequence[str] = ()
        if rematch is None:
            rules = games.load(str(game))
            own = None if table is None else files.read(table, 2**16)
            terms = Terms(rules, rules.parse_options(options), own)
        else:
            terms, seats = begin.rematch(shared.ledger_of(shared.source_of(rematch)))
        players = players or len(who) or None
        _check_seats(terms.game, players)
        reserved = reserved or (bool(who) and not is_open)
        terms = terms._replace(mail=address, reserved=reserved)
        target = _begin(terms, name, key, out, yes=yes)
        if seats:
            joins = " ".join(f"{read_offer(target).name}-{player}-join.txt" for player in seats)
            shared.say(f"seats swapped: adjudicator start {joins}, in this order")
    desk = desk_of(target.root, key, sure=True)
    _set(desk, players, link)
    if drop is not None:
        if target.last_step() is not None:
            hint = "adjudicator rule --hand-on gives a seat to another"
            raise Refused("over", "the game has begun", hint)
        with target.locked():
            desk.room.drop(drop)
        shared.say(f"the join of {drop} is forgotten")
    _invite(desk, (*(who if begins else ()), *more), is_open=is_open)
    if url is not None:
        from adjudicator.cli.repository import publish

        publish(target, url)
    if game is not None and not who and url is None and not settings.get("mail-in", target.root):
        shared.say("What they send back: save it here, then adjudicator sync")
    if begins and not who and reserved:
        shared.say("a token for each player: adjudicator invite --more NAME")


def _begin(terms: Terms, name: str | None, key: Path | None, out: Path | None, *, yes: bool
           ) -> Record:  # fmt: skip
    """The record with its invite; raises Refused."""
    path = out
    if path is None:
        usual = (terms.game.id, *(f"{terms.game.id}-{number}" for number in range(2, 1000)))
        path = Path(next(one for one in usual if not Path(one).exists()))
        if not yes and shared.is_terminal():
            path = Path(click.prompt("What is this game called", default=str(path), err=True))
    terms = terms._replace(name=begin.name_of(Record(path), name))
    target = Record(path)
    where = str(target.root.with_name(f"{terms.name}-invite.txt"))
    shared.check_out(where, like=shared.like_bundle("invite"))
    begin.check(terms)
    holder, key_path = keys.found(key, target.root.with_name(f"{target.root.name}.key"), yes=yes)
    secrets = begin.Secrets(draw_secret(), draw_secret())
    bundle = begin.invite(target, terms, holder, key_path, secrets, SystemClock())
    where = shared.write_bundle(bundle, None, where)
    shared.say(f"{path}: the record, public at any time")
    shared.say(f"{target.host}: your secrets. Back them up: the game cannot go on without them")
    shared.say(f"{where}: the invite, for the players")
    return target


def _check_seats(game: Game[Any, Any], players: int | None) -> None:
    """Raise Refused if the game is not for so many."""
    least, most = game.seats
    if players is not None and not least <= players <= most:
        raise Refused("bad-option", f"{players} players: the game is for {least} to {most}")


def _set(desk: Desk, players: int | None, link: str | None) -> None:
    """Note how many begin the game, and the page of the settings, with which players may play."""
    if players is not None:
        _check_seats(desk.offer.game, players)
        desk.folder.set_seats(players)
    if link is not None:
        from adjudicator.office import replies

        desk.folder.set_page(link)
        told = replies.by_page(link, f"{desk.name}-invite.txt").splitlines()
        shared.say("tell the players with the invite:", *(f"  {line}".rstrip() for line in told))


def _invite(desk: Desk, who: Sequence[str], *, is_open: bool) -> None:
    """Invite people by mail, or make a token for each; raises Refused."""
    target, offer = desk.record, desk.offer
    mails = [one for one in who if "@" in one]
    if mails:
        from adjudicator.cli.office import invite_by_mail

        pin = settings.get("install", target.root)
        invite_by_mail(target, mails, None if pin is None else read_pin(pin), is_open=is_open)
    others = [one for one in who if "@" not in one]
    if others and not offer.invite.reserved:
        raise Refused(
            "bad-option",
            "the seats of this game are not reserved: everybody with the invite can join",
            "adjudicator invite GAME --reserved offers a game that takes tokens",
        )
    for whom in others:
        token = desk.room.invite(whom)
        plain = plain_name(whom) or draw_secret().hex()[:8]
        where = str(target.root.with_name(f"{offer.name}-invite-{plain}.txt"))
        where = shared.write_bundle(bundles.of_invite(target, token), None, where)
        shared.say(f"{token}: a token, only for {whom}; {where} is an invite with it")
        if target.last_step() is not None:
            shared.say(
                "they join under the name of the seat, and you hand it on: adjudicator rule "
                f"--hand-on JOIN -g {pasteable(target.root)}"
            )
