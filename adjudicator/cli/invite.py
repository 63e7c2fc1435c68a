"""`invite`: a game is offered, or its offer changed."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

import games
from adjudicator.cli import completing, keys, settings, shared
from adjudicator.cli.host import BACK, by_hand, carrier, desk_of
from adjudicator.cli.which import HOST, GameOption, find
from adjudicator.core import bundles
from adjudicator.core.opening import in_match, read_offer
from adjudicator.host import begin
from adjudicator.host.begin import Terms
from adjudicator.host.desk import Desk
from adjudicator.host.folder import HostFolder
from adjudicator.host.waiting_room import noted
from adjudicator.mail.mime import check_address
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from games.game import Game
from games.options import plain_name
from orders import names
from orders.errors import Refused, at, pasteable
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
    help="Not GAME: play this one again, seats swapped.",
)  # fmt: skip
@click.option("--match", "is_match", is_flag=True, help="Two games; the two change seats.")
@click.option("--players", type=shared.Number(1, 64), help="Begin when that many have joined.")
@click.option("--reserved", is_flag=True, help="A player needs a token from you to join.")
@click.option("--open", "is_open", is_flag=True, help="Everybody who gets an invitation may join.")
@click.option("--address", metavar="MAIL", help="Your mail address for players.")
@click.option("--name", help="What all call this game; else as the folder.")
@click.option("--git", "url", metavar="URL", help="Publish the record at this repository.")
@click.option("--more", multiple=True, metavar="WHO", help="To a game here: invite this one too.")
@click.option("--drop", metavar="NAME", help="Of a game here: forget this player's join.")
@shared.YesOption
@click.option(
    "-o", "--out", metavar="FOLDER", type=shared.AnyPath, cls=shared.Everywhere,
    help="The record's folder.",
)  # fmt: skip
@click.pass_context
def invite(
    ctx: click.Context,
    game: str | None, who: tuple[str, ...], record: Path | None, key: Path | None,
    options: tuple[str, ...], table: Path | None, rematch: Path | None, is_match: bool,
    players: int | None, reserved: bool, is_open: bool, address: str | None, name: str | None,
    url: str | None, more: tuple[str, ...], drop: str | None, yes: bool, out: Path | None,
) -> None:  # fmt: skip
    """Begin a record of GAME, and RECORD.host, your private folder, and invite WHO: addresses, or
    notes of who gets a token. The same again goes on with the same game. Without GAME: --more,
    --drop, --players, --git change one.
    """
    link = settings.get("page", record)
    begins = game is not None or rematch is not None
    changes = bool(more or drop or url or players)
    if (begins and (more or drop)) or not (begins or changes) or (game and rematch):
        raise click.UsageError("name a GAME, or a record with --rematch; or --more, --drop, --git")
    if rematch is not None and (options or table or who):
        raise click.UsageError("a rematch has the options and the table of its record")
    if is_match and (game is None or len(who) != 2 or is_open or url or players not in (None, 2)):
        raise click.UsageError(
            "a match is between two who are named: adjudicator invite GAME ANN BOB --match; to "
            "publish it, each of its games: adjudicator invite --git URL -g RECORD"
        )
    if begins:
        seats: Sequence[str] = ()
        if rematch is None:
            rules = games.load(str(game))
            own = None if table is None else files.read(table, 2**16)
            given = rules.parse_options((*["match=first"] * is_match, *options))
            terms = Terms(rules, in_match(rules, given), own)
        else:
            terms, seats = begin.rematch(shared.ledger_of(shared.source_of(rematch)))
        with nullcontext() if table is None else at(ascii(str(table))):
            begin.check(terms)
        players = players or len(who) or None
        reserved = reserved or (bool(who) and not is_open)
        mails = _mails(who, reserved=reserved, is_open=is_open)
        _check_seats(terms.game, players)
        if mails or settings.get("mail-in"):
            address = address or settings.get("address")
        if address is not None and check_address(address) is None:
            raise Refused("malformed", f"--address {address!a:.80}: expected a plain mail address")
        if out is not None:
            _check_folder(out)
        if is_match:
            out = _place(terms, who, name, yes=yes) if out is None else out
            back = begin.name_of(Record(out), f"{begin.name_of(Record(out), name)}{shared.RETURN}")
        if mails:
            address = _own_address(None, address, yes=yes)
        terms = terms._replace(mail=address, reserved=reserved)
        target = _begin(terms, who, players, name, key, out, yes=yes)
        if seats:
            joins = " ".join(f"{read_offer(target).name}-{player}-join.txt" for player in seats)
            shared.say(f"seats swapped: adjudicator start {joins}, in this order")
    else:
        target = shared.record_of(find(record, None, HOST).record)
        offer = read_offer(target).invite
        mails = _mails(more, reserved=offer.reserved, is_open=is_open)
        if mails and target.last_step() is not None and not offer.reserved:
            raise Refused("over", "the game has begun: its seats are taken")
        if mails and offer.mail is None:
            raise Refused(
                "bad-option",
                "the invite names no mail address of yours, so players have no signed address to "
                "write to",
                "make a new one: adjudicator invite GAME --address ADDRESS",
            )
        if mails:
            _own_address(target.root, offer.mail, yes=yes)
    desk = desk_of(target.root, key, sure=True)
    _set(desk, players, link)
    if desk.offer.match != "none" and begins:
        for one in who:
            desk.room.token_for(one)
    if drop is not None:
        if target.last_step() is not None:
            hint = "adjudicator rule --hand-on gives a seat to another"
            raise Refused("over", "the game has begun", hint)
        with target.locked():
            desk.room.drop(drop)
        shared.say(f"the join of {drop} is forgotten")
    if mails:
        from adjudicator.cli.office import invite_by_mail

        invite_by_mail(target, mails, again=not begins)
    _make_tokens(desk, [one for one in (*who, *more) if "@" not in one], again=not begins)
    if url is not None:
        from adjudicator.cli.repository import publish

        publish(target, url)
    elif (game is not None or mails) and carrier(target) == "files":
        shared.say(*(by_hand(target) or (BACK,)))
    if begins and not who and reserved:
        shared.say("a token for each player: adjudicator invite --more NAME")
    if is_match and out is not None:
        again = {"who": who[::-1], "is_match": False, "key": desk.folder.key_path(), "name": back,
                 "out": out.with_name(f"{out.name}{shared.RETURN}"),
                 "options": (*options, f"match={desk.offer.digest}")}  # fmt: skip
        ctx.invoke(invite, **{**ctx.params, **again})


def _mails(who: Sequence[str], *, reserved: bool, is_open: bool) -> list[str]:
    """Those of the people who have a mail address; raises Refused where they cannot be invited in
    this way. What has an @ is meant as an address."""
    mails = [one for one in who if "@" in one]
    for one in mails:
        if check_address(one) is None:
            hint = "write it as ann@example.org; who has no @ gets a token, which you hand on"
            raise Refused("bad-option", f"{one!a:.80} is no mail address", hint)
    plain = [one.lower() for one in who]
    twice = next((one for one in plain if plain.count(one) > 1), None)
    if twice is not None:
        raise Refused("bad-option", f"{twice!a:.80} is named twice")
    if mails and not (reserved or is_open):
        raise Refused(
            "bad-option",
            "the seats of this game are not reserved: everybody with a copy of the invite can join",
            "say --open if you want that, or make a new invite: adjudicator invite GAME --reserved",
        )
    if len(mails) < len(who) and not reserved:
        raise Refused(
            "bad-option",
            "the seats of this game are not reserved: everybody with the invite can join",
            "adjudicator invite GAME --reserved offers a game that takes tokens",
        )
    return mails


def _own_address(record: Path | None, given: str | None, *, yes: bool) -> str:
    """One's own mail address: `given`, or set, or asked for and set; raises Refused. The way out is
    looked at too, if one is set: nothing is written before."""
    from adjudicator.cli import post

    if given is None and shared.is_terminal() and not yes:
        user = settings.of_user()
        given = str(click.prompt("Your mail address", err=True))
        settings.put(user, "address", given)
        shared.say(f"{user}: address = {given}")
    way = post.way_out(record)
    if way is not None:
        way.close()
    return given or post.own_address(record)


def _check_folder(path: Path) -> None:
    """Raise Refused if there is no folder for a record of that path."""
    if not path.absolute().parent.is_dir():
        hint = f"mkdir {pasteable(path.parent)} makes it"
        raise Refused("missing", f"{str(path.parent)!a} is not there", hint)


def _begin(
    terms: Terms, who: Sequence[str], players: int | None, name: str | None, key: Path | None,
    out: Path | None, *, yes: bool,
) -> Record:  # fmt: skip
    """The record with its invite: a new one, or the one that the same command has made before;
    raises Refused."""
    target = Record(_place(terms, who, name, yes=yes) if out is None else out)
    _check_folder(target.root)
    terms = terms._replace(name=begin.name_of(target, name))
    where = str(target.root.with_name(f"{terms.name}-invite.txt"))
    shared.check_out(where, like=shared.like_bundle("invite"))
    if _is_offered(target):
        _check_same(target, terms, who, players, key)
        shared.say(f"{target.root}: offered before, and not begun; it goes on")
        bundle = bundles.of_invite(target)
    else:
        begin.make_way(target)
        new_key = target.root.with_name(f"{target.root.name}.key")
        holder, key_path = keys.found(key, new_key, yes=yes)
        secrets = begin.Secrets(draw_secret(), draw_secret())
        bundle = begin.invite(target, terms, holder, key_path, secrets, SystemClock())
        shared.say(f"{target.root}: the record, public at any time")
        shared.say(f"{target.host}: your secrets. Back them up: the game cannot go on without them")
    where = shared.write_bundle(bundle, None, where)
    shared.say(f"{where}: the invite, for the players")
    return target


def _place(terms: Terms, who: Sequence[str], name: str | None, *, yes: bool) -> Path:
    """Where the record lies if nobody says it: that of a game which these people were offered, or
    one of this name which everybody was, or the first name that is free."""
    for number in itertools.count(1):
        path = Path(terms.game.id if number == 1 else f"{terms.game.id}-{number}")
        if not path.exists():
            break
        if _is_offered(record := Record(path)):
            known = set(HostFolder(record.host).tokens().values())
            same = known & {noted(one) for one in who}
            meant = terms._replace(name=begin.name_of(record, name))
            if same or not (known or begin.differing(read_offer(record), meant)):
                return path
    if not yes and shared.is_terminal():
        return Path(click.prompt("What is this game called", default=str(path), err=True))
    return path


def _is_offered(record: Record) -> bool:
    """Whether a game is offered there by this host, and has not begun."""
    there = (record.root / names.INVITE).is_file() and record.last_step() is None
    return there and shared.host_folder(record) is not None


def _check_same(
    record: Record, terms: Terms, who: Sequence[str], players: int | None, key: Path | None
) -> None:
    """Raise Refused unless the game that is offered there is the one that is meant."""
    offer, folder = read_offer(record), HostFolder(record.host)
    differs = begin.differing(offer, terms)
    if not {noted(one) for one in who}.issuperset(folder.tokens().values()) or (
        folder.seats() not in (None, players)
    ):
        differs.append("who is invited")
    if key is not None and keys.signer(key).public != offer.host:
        differs.append("key")
    if differs:
        where = pasteable(record.root)
        raise Refused(
            "exists",
            f"{str(record.root)!a} is offered already, and differs: {', '.join(differs)}",
            f"to invite more people to it: adjudicator invite --more WHO -g {where}; for another "
            "game: -o FOLDER",
        )


def _check_seats(game: Game[Any, Any], players: int | None) -> None:
    """Raise Refused if the game is not for so many."""
    least, most = game.seats
    if players is not None and not least <= players <= most:
        many = least if least == most else f"{least} to {most}"
        raise Refused("bad-option", f"{game.title} is for {many} players, not {players}")


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


def _make_tokens(desk: Desk, people: Sequence[str], *, again: bool) -> None:
    """Write an invite with a token for each; `again`: a new one for who has one already."""
    for whom in people:
        token = desk.room.invite(whom) if again else desk.room.token_for(whom)
        plain = plain_name(whom) or draw_secret().hex()[:8]
        where = str(desk.record.root.with_name(f"{desk.name}-invite-{plain}.txt"))
        where = shared.write_bundle(bundles.of_invite(desk.record, token), None, where)
        shared.say(f"{token}: a token, only for {whom}; {where} is an invite with it")
        if desk.record.last_step() is not None:
            shared.say(
                "they join under the name of the seat, and you hand it on: adjudicator rule "
                f"--hand-on JOIN -g {pasteable(desk.record.root)}"
            )
