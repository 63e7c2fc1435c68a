"""What is told to the others: `say`, `away`, and of the `config` what they must know."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from adjudicator.cli import settings
from adjudicator.cli.here import (
    ANY,
    SEAT,
    GameOption,
    Located,
    Place,
    SeatOption,
    find,
    nothing,
    place_of,
    places,
)
from adjudicator.cli.play import own_signer
from adjudicator.cli.shared import (
    JsonOption,
    KeyOption,
    OutOption,
    check_out,
    like_bundle,
    moment,
    now,
    open_seat,
    reader,
    record_of,
    say,
    say_json,
    seat_in,
    write_bundle,
)
from adjudicator.core import bundles
from adjudicator.core.opening import read_offer
from adjudicator.mail.player import says
from adjudicator.player import letters
from adjudicator.player.duel import homes
from adjudicator.player.seated import Seated
from adjudicator.player.table import by_mail
from adjudicator.store.record import Record
from orders.fields import EVERYONE
from orders.letter import Text


@click.command("say", cls=Located, epilog='Example: adjudicator say --to bob "Truce?"')
@click.argument("text")
@click.option("--to", default=EVERYONE, show_default=True, help="A player's name, all, or host.")
@click.option("--anonymous", is_flag=True, help="Without your name, if the invite allows it.")
@KeyOption
@OutOption
def say_(
    record: Path, seat: Path | None, text: str, to: str, anonymous: bool, key: Path | None,
    out: str | None,
) -> None:  # fmt: skip
    """A signed message: a player's goes through the host, a host's own to the players.

    With - as the TEXT it is read from standard input.
    """
    words = sys.stdin.read(4_000).rstrip("\n") if text == "-" else text
    if seat is not None:
        _write(record, seat, key, out, letters.message(to, words, anonymous=anonymous))
        return
    place = place_of(Record(record))
    if not place.hosts:
        raise nothing([place], SEAT)
    _announce(record_of(record), to, words)


def _announce(record: Record, to: str, text: str) -> None:
    """The host's own message, by mail if the game is played so; raises Refused."""
    from adjudicator.cli import host
    from adjudicator.host.letters import Letters

    if host.carrier(record) == "mail":
        from adjudicator.cli import office

        desk = office.desk_of(record)
        office.write_to_players(desk, Letters(desk.begun()).announce(to, text))
        say(f"the message to {to} leaves with the next sync")
        return
    referee = host.open_host(record.root, None, sure=True)
    host.pass_on(referee, Letters(referee).announce(to, text).passed)


@click.command(cls=Located, need=SEAT, epilog="Example: adjudicator away 2026-12-01 2026-12-07")
@click.argument("start", metavar="FROM")
@click.argument("end", metavar="UNTIL")
@KeyOption
@OutOption
def away(record: Path, seat: Path, start: str, end: str, key: Path | None, out: str | None) -> None:
    """A signed notice of absence, within what the invite allows: from a day, a time or a span."""
    first, last = moment(start, now(), begins=True), moment(end, now())
    if last <= first:
        raise click.BadParameter(f"{end!a}: expected a time after {first}")
    notice = Text(f"away from {first} until {last}")
    _write(record, seat, key, out, notice, told=says(notice, reader()))


def _write(
    record: Path, seat: Path, key: Path | None, out: str | None, text: Text, told: str = ""
) -> None:
    """Write a letter of a seat's, say what is `told`, and send it; raises Refused."""
    check_out(out, like=like_bundle("letter"))
    copy, own = record_of(record), seat_in(seat)
    seated = Seated(copy, own)
    holder = own_signer(seated, key)
    bundle = letters.write(seated.ledger, own, holder, text)
    if told:
        say(told, to=out)
    offer = seated.opening.offer
    mailed = letters.host_address(offer, own) is not None or by_mail(copy)
    if out is None and mailed:
        from adjudicator.cli import post

        post.mail(copy, bundle, "a letter", own)
        return
    default = str(copy.root.with_name(f"{bundles.name(offer.name, bundle)}.txt"))
    way = "; git does not bring it: mail it, or hand it over" * (copy.root / ".git").exists()
    say(f"{write_bundle(bundle, out, default)}: your letter, for the host{way}", to=out)


@click.command(epilog="Example: adjudicator config address ann@example.org")
@click.argument("name", metavar="[KEY", required=False)
@click.argument("value", metavar="[VALUE]]", required=False)
@GameOption
@SeatOption
@KeyOption
@JsonOption
def config(
    name: str | None, value: str | None, record: Path | None, seat: Path | None, key: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """What does not change from command to command: mailboxes, addresses, key, colour, bot.

    With -g only for that game. Without VALUE it is shown; "" forgets it. A new address, and whether
    others see it, is told to those who must know.
    """
    home = None if record is None else next(iter(homes(record)), None)
    place = None if record is None or home is not None else find(record, seat, ANY)
    root = None if place is None else Record(place.record).root
    root = root if home is None else home.root
    if name is None or value is None:
        _show(name, root, as_json=as_json)
        return
    path = settings.of_user() if root is None else settings.of_game(root)
    settings.put(path, name, value)
    say(f"{path}: {name} = {value}" if value else f"{path}: {name} is forgotten")
    if name in ("address", "shown") and value:
        for one in [place] if place is not None else places(Path().absolute()):
            _tell(one, seat or one.seat, key, name, value)


def _show(name: str | None, root: Path | None, *, as_json: bool) -> None:
    if name is not None and name not in settings.SETTINGS:
        settings.put(settings.of_user(), name, "?")
    named = settings.SETTINGS if name is None else [name]
    found = {one: settings.get(one, root) for one in named}
    if as_json:
        say_json(found)
    elif name is not None:
        say(found[name] or "")
    else:
        for one, value in found.items():
            say(f"{one} = {value or ''}".rstrip(), f"    {settings.SETTINGS[one].help}")


def _tell(place: Place, seat: Path | None, key: Path | None, name: str, value: str) -> None:
    """Tell the host of a game, or its players, what changed."""
    record = Record(place.record)
    if record.last_step() is None:
        return
    own = open_seat(seat)
    if own is not None:
        shown = "shown" if value == "yes" else "hidden"
        told = Text(f"address {value if name == 'address' else shown}")
        _write(record.root, own.root, key, None, told)
    elif place.hosts and name == "address" and read_offer(record).invite.mail is not None:
        from adjudicator.cli import office
        from adjudicator.host.letters import Letters

        desk = office.desk_of(record)
        office.write_to_players(desk, Letters(desk.begun()).move(desk.address))
        say(f"{place.record.name}: the players are told with the next sync. Read the old mailbox "
            "for a while")  # fmt: skip
