"""The game that a command is about, found as git finds its repository.

`-g NAME|PATH`, else $ADJUDICATOR_GAME, else the current folder and then its parents: the first that
is a record or holds one. The seat is the one beside the record that joined by its invite; the
host's folder lies beside it as RECORD.host. Where no game is, whoever plays or looks means the one
against bots that they have begun. Where several games could be meant, they are listed: nothing is
guessed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from adjudicator.cli import completing
from adjudicator.cli.shared import AnyPath, Everywhere, host_folder, is_terminal, say, seat_in
from adjudicator.core.opening import read_offer
from adjudicator.core.source import read_or_none
from adjudicator.player import finding
from adjudicator.player.duel import Home, homes
from adjudicator.store import files
from adjudicator.store.pack import Pack
from adjudicator.store.record import Record
from games.options import suggest
from orders import names
from orders.errors import Refused, pasteable

if TYPE_CHECKING:
    from adjudicator.player.seat import Seat

BOTS = "bots"
"""The file that makes a folder a game against bots: their names, a line each."""

ANY, SEAT, HOST = "any", "seat", "host"
"""What a command needs of a game: a copy, a seat at it, or to be its host."""

_BEGIN = (
    "to play against a bot: adjudicator play sugar-dog; to take a seat: adjudicator join INVITATION"
)

SeatOption = click.option(
    "--seat", type=AnyPath, metavar="PATH", cls=Everywhere,
    help="Your seat, if it is not beside the record.", shell_complete=completing.of_seat,
)  # fmt: skip
GameOption = click.option(
    "-g", "--game", "record", metavar="NAME|PATH", type=AnyPath, envvar="ADJUDICATOR_GAME",
    cls=Everywhere, help="The game, if it is not the one here.",
    shell_complete=completing.of_record,
)  # fmt: skip


class Located(click.Command):
    """A command about one game: its `record` and `seat` are the ones that are meant.

    `need` is ANY, SEAT or HOST. With `duels` the record may be a duel's folder or pack too, and
    where nothing is here a game against bots.
    """

    def __init__(self, *given: Any, need: str = ANY, duels: bool = False, **named: Any) -> None:
        super().__init__(*given, **named)
        self.need = need
        self.duels = duels
        self.params += [_param(GameOption), *([] if need == HOST else [_param(SeatOption)])]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does; then the game is found."""
        left = super().parse_args(ctx, args)
        if not ctx.resilient_parsing:
            record, seat = ctx.params.get("record"), ctx.params.get("seat")
            home = duelled(record, seat, self.need) if self.duels else None
            if home is None:
                found = find(record, seat, self.need, bots=self.duels)
                ctx.params |= {"record": found.record, "seat": seat or found.seat}
            else:
                ctx.params |= {"record": home.root, "seat": None}
            if self.need == HOST:
                del ctx.params["seat"]
        return left


def _param(option: Any) -> click.Parameter:
    """The parameter that an option's decorator makes."""

    def holder() -> None: ...

    option(holder)
    made: click.Parameter = holder.__click_params__[0]  # type: ignore[attr-defined]
    return made


def duelled(record: Path | None, seat: Path | None, need: str = SEAT) -> Home | None:
    """The duel that is meant, if one is: the one named, or the one here. Raises Refused, and
    UsageError if a game is here too that has what the command needs."""
    found = [] if seat is not None else homes(record or Path())
    if not found:
        return None
    games = [] if record is not None else places(Path().absolute())
    fitting = [one.record for one in games if one.fits(need)]
    if fitting:
        named = " or ".join(f"-g {pasteable(one)}" for one in (*fitting, *(d.root for d in found)))
        raise click.UsageError(f"several games are here: say which, {named}")
    return the_duel(record)


def is_duel(path: Path) -> bool:
    """Whether a folder or a pack is a duel's; raises Refused."""
    if path.is_file():
        return read_or_none(Pack.open(path), names.OFFER) is not None
    return (path / names.OFFER).is_file()


def the_duel(given: Path | None = None, like: str = "") -> Home:
    """The one duel that is meant; raises Refused. `like`: how its offer's digest begins."""
    found = homes(Path() if given is None else given)
    if like:
        found = [one for one in found if one.id.startswith(like)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise Refused("missing", "no duel of yours is here that this belongs to",
                      "go to the folder with your NAME.duel")  # fmt: skip
    raise Refused(
        "ambiguous", f"several duels are here: {', '.join(str(one.root) for one in found)}",
        f"name one: -g {pasteable(found[0].root)}",
    )  # fmt: skip


class Place(NamedTuple):
    """A game here: its record, the seat beside it, and whether this machine hosts it."""

    record: Path
    seat: Path | None
    hosts: bool

    @property
    def name(self) -> str:
        """What it is called here."""
        return self.record.name if self.bots is None else self.bots.name

    @property
    def bots(self) -> Path | None:
        """The folder of the game against bots that this is a copy of."""
        folder = Path(os.path.abspath(self.record)).parent.parent  # noqa: PTH100 - keeps links
        return folder if self.record.name == "record" and (folder / BOTS).is_file() else None

    def fits(self, need: str) -> bool:
        """Whether it has what a command needs."""
        return {ANY: True, SEAT: self.seat is not None, HOST: self.hosts}[need]


def places(folder: Path) -> list[Place]:
    """The games in a folder, or else in the first of its parents that holds any."""
    seats = cache(finding.seats)
    return [place_of(one, seats=seats) for one in finding.records(folder)]


def hosted(folder: Path) -> list[Record]:
    """The games in that folder that are hosted from it."""
    return [one for one in finding.copies(folder) if host_folder(one) is not None]


def place_of(
    record: Record, *, sure: bool = False, seats: Callable[[Path], Sequence[Seat]] = finding.seats
) -> Place:
    """The game in a record. `sure`: two seats beside it are an error. `seats`: those in a
    folder."""
    path = Path(os.path.relpath(os.path.abspath(record.root)))  # noqa: PTH100 - keeps links
    seat = _of_clone(path)
    seat = seat if seat is not None and seat.exists() else None
    try:
        beside = Path(os.path.relpath(record.root.absolute().parent))
        seat = seat or finding.place_of(finding.invite_of(record), beside, seats)
    except Refused:
        # Of several seats none is taken, and not every command needs one.
        if sure:
            raise
    return Place(path, seat, host_folder(record) is not None)


def _of_clone(path: Path) -> Path | None:
    """The seat with which a clone was set up."""
    if not (path / ".git").exists():
        return None
    from adjudicator.git.process import Repo
    from adjudicator.git.worktree import SEAT

    where = Repo(path.absolute()).config(SEAT)
    return None if where is None else files.noted(where, path)


def find(record: Path | None, seat: Path | None, need: str, *, bots: bool = False) -> Place:
    """The one game that is meant; raises Refused, or UsageError if several could be. `bots`: where
    none is here, one against bots may be."""
    if record is not None:
        return _named(record, seat, need)
    found = places(Path().absolute())
    if bots and not found and seat is None:
        from adjudicator.cli import against

        found = [place_of(against.copy_of(one)) for one in against.kept(over=need == ANY)]
    if seat is not None:
        own = seat_in(seat)
        mine = [one for one in found if _invite(one) == own.invite]
        found = mine or (found if len(found) == 1 else [])
        fitting = found
    else:
        fitting = [one for one in found if one.fits(need)]
    if len(fitting) > 1:
        return _asked(fitting)
    if not fitting:
        raise nothing(found, need)
    return fitting[0]


def _invite(place: Place) -> str | None:
    try:
        return finding.invite_of(Record(place.record))
    except Refused:
        return None


def _named(record: Path, seat: Path | None, need: str) -> Place:
    """The game of that path or name."""
    if (record / names.INVITE).is_file():
        place = place_of(Record(record), sure=need == SEAT and seat is None)
        place = place._replace(record=record)
    elif record.is_file():
        place = Place(record, None, hosts=False)
        if need == SEAT and seat is None:
            raise Refused(
                "no-seat",
                f"{str(record)!a} is a file, so no seat lies beside it",
                "name one: --seat",
            )
    else:
        known = places(Path().absolute())
        called = [one for one in known if _called(one, str(record))]
        if not called:
            from adjudicator.cli import against

            # By the name of what is played.
            held = against.place_of(record.name) if str(record) == record.name else record
            called = [place_of(against.copy_of(held))] if (held / BOTS).is_file() else []
        if len(called) != 1:
            meant = suggest(str(record), [one.record.name for one in known])
            raise Refused("missing", f"no game is in {str(record)!a}{meant}", _BEGIN)
        place = called[0]
    if seat is None and not place.fits(need):
        raise nothing([place], need)
    return place


def _called(place: Place, name: str) -> bool:
    try:
        return name in (place.record.name, read_offer(Record(place.record)).name)
    except Refused:
        return name == place.record.name


def _asked(found: Sequence[Place]) -> Place:
    """The game that a person chooses; raises UsageError where nobody can be asked."""
    from adjudicator.cli.status import standing

    say(*(f"{one.name}: {standing(one, brief=True).says}" for one in found), to="-")
    if is_terminal():
        chosen = click.prompt("Which", type=click.Choice([one.name for one in found]), err=True)
        return next(one for one in found if one.name == chosen)
    named = " or ".join(f"-g {pasteable(one.name if one.bots else one.record)}" for one in found)
    raise click.UsageError(f"several games are here: say which, {named}")


def nothing(found: Sequence[Place], need: str, word: str = "") -> Refused:
    """Why no game here is meant, and how to go on."""
    if word and not found:
        import games

        known = games.installed()
        meant = suggest(word, known) or f": {', '.join(known)}"
        return Refused("missing", f"no game is called {word!a}{meant}", _BEGIN)
    if not found:
        return Refused("missing", "no game is here", _BEGIN)
    names_ = ", ".join(one.record.name for one in found)
    if need == HOST:
        return Refused(
            "no-host",
            f"{names_}: {found[0].record.name}.host is not beside it, so you do not host it here",
            "go to the host's machine, or restore the host's folder: adjudicator restore FILE",
        )
    if len(found) == 1:
        try:
            place_of(Record(found[0].record), sure=True)
        except Refused as error:
            return error
    hosted = next((one for one in found if one.hosts), None)
    if hosted is not None:
        return Refused(
            "no-seat", f"you host {hosted.record.name}, and have no seat in it here",
            f"adjudicator sync -g {pasteable(hosted.record)}",
        )  # fmt: skip
    if len(found) == 1:
        return Refused("no-seat", no_seat(found[0]))
    return Refused(
        "no-seat", f"NO SEAT: {names_} are here, seats in them are not. Name one: --seat",
    )  # fmt: skip


def no_seat(place: Place) -> str:
    """That a copy is here and its seat is not, and how it comes back, in a line."""
    lost = lost_seat(place)
    said = f"NO SEAT: {place.record.name} is here, {lost or 'a seat of yours'} is not. "
    if lost is None:
        return f"{said}Name it: --seat; or take one: adjudicator join INVITATION"
    return f"{said}Restore it: adjudicator restore FILE"


def lost_seat(place: Place) -> str | None:
    """The name of the seat that this copy had and that is not here; None if it had none, or several
    are here."""
    if place.hosts:
        return None
    record, kept = Record(place.record), _of_clone(place.record)
    try:
        if place_of(record, sure=True).seat is not None:
            return None
    except Refused:
        return None
    player = finding.whose(record)
    return kept.name if kept is not None else f"{player}.seat" if player else None
