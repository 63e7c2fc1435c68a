"""`config`: what does not change from command to command."""

from __future__ import annotations

from pathlib import Path

import click

from adjudicator.cli import notices, settings
from adjudicator.cli.say import send
from adjudicator.cli.shared import JsonOption, KeyOption, open_seat, say, say_json
from adjudicator.cli.which import ANY, GameOption, Place, SeatOption, find, places
from adjudicator.core.opening import read_offer
from adjudicator.player.duel import homes
from adjudicator.store.record import Record
from orders.letter import Text


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
    others see it, is told to those who must know. The command `tell` is run at once for what waits
    here, and afterwards for what comes.
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
    if not value or name not in ("address", "shown", "tell"):
        return
    named = [] if place is None else [place]
    games = places(Path().absolute()) if root is None else named
    if name == "tell":
        notices.tell(games, homes(root or Path()))
        return
    for one in games:
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
        send(record.root, own.root, key, None, told)
    elif place.hosts and name == "address" and read_offer(record).invite.mail is not None:
        from adjudicator.cli import office
        from adjudicator.host.letters import Letters

        desk = office.desk_of(record)
        office.write_to_players(desk, Letters(desk.begun()).move(desk.address))
        say(f"{place.record.name}: the players are told with the next sync. Read the old mailbox "
            "for a while")  # fmt: skip
