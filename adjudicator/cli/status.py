"""`status`: one game in detail, or all games here and whatever needs a hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli import settings, shared
from adjudicator.cli.show import amiss
from adjudicator.cli.which import ANY, GameOption, Place, SeatOption, find, is_duel, places
from adjudicator.core import deadlines
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import Offer, read_offer
from adjudicator.core.source import read_or_none
from adjudicator.player.duel import Home, homes
from adjudicator.store.record import Record
from adjudicator.words import calendar, overview, story
from adjudicator.words.overview import HTML, Overview, Standing, broken
from orders import names
from orders.entries import Reveal
from orders.errors import Refused

if TYPE_CHECKING:
    from adjudicator.cli.courier import Here
    from adjudicator.host.folder import HostFolder
    from adjudicator.office.outbox import Outbox
    from adjudicator.player.seat import Seat
    from adjudicator.player.seated import Seated


@click.command(epilog="Example: adjudicator status --html games.html")
@GameOption
@SeatOption
@shared.VerboseOption
@shared.JsonOption
@click.option("--html", metavar="FILE", help="All games here as a page; - is stdout.")
@click.option("--ics", metavar="FILE", help="Your deadlines here as a calendar; - is stdout.")
@click.pass_context
def status(
    ctx: click.Context, record: Path | None, seat: Path | None, verbose: bool, as_json: bool,
    html: str | None, ics: str | None,
) -> None:  # fmt: skip
    """Whose turn it is, for what and until when; what you sent; the next command.

    Of several games here a line each, the least time first. Above them, or the one that is here,
    whatever needs a hand: what has not left, was set aside, failed or does not hold. For a host of
    one game also who has joined, whose orders are in, and which mails did not arrive; -v: what
    became of each mail.
    """
    if html is not None and ics is not None:
        raise click.UsageError("--html and --ics write two files: one at a time")
    out, like = (html, HTML) if ics is None else (ics, calendar.BEGIN)
    shared.check_out(out, like=like.encode())
    if out is not None and (record is not None or seat is not None):
        option = "--html" if ics is None else "--ics"
        raise click.UsageError(f"{option} is of all games here: leave out -g and --seat")
    duel: Path | None = None
    trouble: tuple[str, ...] = ()
    if record is not None and seat is None and (homes(record) or is_duel(record)):
        duel = record
    if record is None and seat is None:
        found, duels = places(Path().absolute()), homes(Path())
        is_referees = Path(settings.REFEREE).is_file()
        if not found and not duels and out is None and not is_referees:
            from adjudicator.cli import against

            kept = Overview(tuple(against.kept().values()))
            if as_json:
                shared.say_json(kept.json)
            else:
                shared.say(*kept.lines(), *((against.GO_ON,) if kept.games else _NO_GAME))
            return
        if len(found) + len(duels) != 1 or out is not None:
            ctx.exit(_all(found, duels, out, is_ics=ics is not None, as_json=as_json))
        duel = duels[0].root if duels else None
        trouble = tuple(_of_mail(found, waiting=False))
    if duel is not None:
        from adjudicator.cli import duel_look

        alone = duel_look.standing(duel)
    else:
        alone = _standing(find(record, seat, ANY), seat, verbose=verbose)
    if as_json:
        shared.say_json(replace(alone, hand=(*alone.hand, *trouble)).json)
    else:
        rest = (one for one in alone.lines if one not in trouble)
        shared.say(*Overview((), trouble).lines(), *rest)
    ctx.exit(alone.code or (LOOK if trouble else 0))


def _all(
    found: Sequence[Place], duels: Sequence[Home], out: str | None, *, is_ics: bool, as_json: bool
) -> int:  # fmt: skip
    """All games here, or a page or a calendar of them; returns the gravest exit code."""
    games = [one for _, _, one in looked(found, duels)]
    shown = Overview(tuple(games), tuple(_of_mail(found, waiting=True)))
    if out is not None:
        count = sum(one.deadline is not None for one in games)
        like, data, said = (
            (calendar.BEGIN, shown.ics, f"{count} deadline{'s' * (count != 1)}")
            if is_ics
            else (HTML, shown.html(shared.reader()), shown.summary())
        )
        shared.write_out(out, data, like=like.encode())
        if out != "-":
            shared.say(f"{out}: {said}")
    elif as_json:
        shared.say_json(shown.json)
    else:
        shared.say(*shown.lines(), *(() if games else _NO_GAME[:1]))
    code = max((one.code for one in games), default=0)
    return LOOK if shown.needs and not code else code


def looked(
    found: Iterable[Place], duels: Iterable[Home]
) -> Iterator[tuple[Path, Path | None, Standing]]:
    """How each of these stands: for the seat here, and for the host. With the game's folder, and
    the private one of who looks, if there is one."""
    from adjudicator.cli import courier

    here = cache(courier.look)
    for place in found:
        beside = here(place.record.absolute().parent)
        if place.hosts and place.seat is not None:
            yield place.record, place.seat, replace(standing(place, beside), hand=())
        one = standing(place, beside, as_host=place.hosts)
        one = replace(one, hand=(*one.hand, *_not_done(place)))
        yield place.record, Record(place.record).host if place.hosts else place.seat, one
    for home in duels:
        from adjudicator.cli import duel_look

        try:
            one = duel_look.standing(home.root)
        except Refused as error:
            one = broken(home.root.name, error)
        yield home.root, home.root, one


LOOK = 3
"""The exit code of what a person must look at."""


def _not_done(place: Place) -> Iterator[str]:
    """What a player's last sync by mail could not do, and what a clone has that its repository may
    not have."""
    from adjudicator.player.table import memory

    with suppress(Refused):
        for line in memory(Record(place.record.absolute())).lines("faults"):
            yield f"{line} (at the last sync)"
    if (place.record / ".git").exists():
        from adjudicator.git.process import Repo

        with suppress(Refused, OSError):
            asked = ("rev-list", "--count", "--branches", "--not", "--remotes")
            count = int(Repo(place.record.absolute()).ask(*asked) or 0)
            if count:
                yield f"{count} commit{'s' * (count > 1)} not pushed: adjudicator sync"


def _of_mail(found: Sequence[Place], *, waiting: bool) -> Iterator[str]:
    """What failed by mail in the games that are hosted here, and in a referee's folder without a
    game; and the setting for want of which nothing goes on. `waiting`: also how many mails are for
    the next sync to send, below all that."""
    lacking: dict[str, None] = {}
    sends: list[str] = []
    for one in found:
        with suppress(Refused):
            lacking |= dict.fromkeys(_lacking(Record(one.record), begun=True) if one.hosts else ())
    yield from lacking
    for outbox, served in _outboxes(found):
        from adjudicator.office import overview as host_mail

        time, faults = host_mail.last_turn(outbox)
        if time is not None and faults:
            faults = [f"{one} (in the turn of {shared.reader().day(time)})" for one in faults]
        yield from host_mail.hand(outbox, shared.now(), served, faults)
        if time is not None and abs(deadlines.between(time, shared.now())) > deadlines.DAY:
            yield f"the mailbox was read {shared.reader().when(time)}, and not since"
        listed = outbox.listed() if waiting else []
        if count := sum(not one.tries for one in listed if one.state == "waiting"):
            sends.append(f"{count} mail{'s' * (count > 1)} to send: adjudicator sync")
    yield from sends


def _outboxes(found: Sequence[Place]) -> Iterator[tuple[Outbox, list[str]]]:
    """The mail states of the games that are hosted here, and of a referee, each with what the games
    here are known by."""
    hosted = [Record(one.record) for one in found if one.hosts]
    roots = [one.root for one in hosted]
    if Path(settings.REFEREE).is_file():
        roots.append(Path(settings.REFEREE).absolute())
    for state in dict.fromkeys(str(settings.get("mail-state", root)) for root in roots):
        if Path(state, "mail.db").is_file():
            from adjudicator.core import bundles
            from adjudicator.office.outbox import Outbox

            served: list[str] = []
            for one in hosted:
                with suppress(Refused):
                    served += bundles.ids_of(one)
            with closing(Outbox(Path(state))) as outbox:
                yield outbox, served


_NO_GAME = (
    "No game is here.",
    "to play: adjudicator play sugar-dog; to learn it first: add --learn",
    "to take a seat: adjudicator join INVITATION",
    "to host: adjudicator invite sugar-dog ann@example.org bob@example.org",
)


def standing(
    place: Place, here: Here | None = None, *, as_host: bool = False, brief: bool = False
) -> Standing:
    """How a game stands for the seat here, or for its host; of one that does not hold, what is
    wrong with it. `here`: what lies beside it, if that was read already; `brief`: by its record
    alone, without that."""
    try:
        return _standing(place, place.seat, here, as_host=as_host, brief=brief)
    except (Refused, OSError) as error:
        return broken(place.record.name, error)


def _standing(
    place: Place, seat: Path | None, here: Here | None = None, *, as_host: bool = False,
    verbose: bool = False, brief: bool = False,
) -> Standing:  # fmt: skip
    """How a game stands; raises Refused."""
    if place.bots is not None:
        from adjudicator.cli import against

        if (found := against.standing(place.bots)) is not None:
            last = () if found.over else (against.GO_ON,)
            return replace(found, lines=(f"{found.name}: {found.says}", *last))
    target, own = shared.source_of(place.record), shared.open_seat(seat or place.seat)
    folder = shared.host_folder(target) if isinstance(target, Record) else None
    hosts = folder is not None and (as_host or own is None)
    name, ledger = place.record.name, None
    if read_or_none(target, names.entry(0)) is None:
        found = _before(name, read_offer(target), own, folder if hosts else None)
    else:
        from adjudicator.player.seated import Seated

        ledger = shared.ledger_of(target, own)
        seated = None if own is None else Seated(target, own, ledger)
        found = _under_way(name, ledger, seated, folder, hosts=hosts, verbose=verbose)
    if brief:
        return found
    more, lines = dict(found.more), list(found.lines)
    if folder is not None and isinstance(target, Record):
        _mails(target, more, lines, verbose=verbose)
        if hosts:
            lines += _lacking(target, begun=ledger is not None)
    said, code, new = amiss(target, own, ledger, here)
    more["amiss"] = said
    if new and own is not None:
        more["new"] = new
        lines.append(f"Here, and not taken in yet: {', '.join(new)}: adjudicator play")
    elif found.yours and not code:
        lines.append("Your turn: adjudicator play")
    hand = tuple(said) if code else ()
    return replace(found, hand=hand, more=more, lines=(*lines, *said), code=code)


def _mails(record: Record, told: dict[str, Any], lines: list[str], *, verbose: bool) -> None:
    """Add which mails of the game did not arrive, if the host works by mail."""
    state = Path(str(settings.get("mail-state", record.root)))
    if not (state / "mail.db").is_file():
        return
    from adjudicator.office.outbox import CHECKS, Outbox, undelivered

    with closing(Outbox(state)) as outbox:
        found = [one for one in outbox.listed() if not one.key.startswith(CHECKS)]
        aside = outbox.aside()
        log = outbox.log() if verbose else []
    told["mail"] = [
        {"key": one.key, "to": one.recipient, "state": one.state, "tries": one.tries,
         "due": one.due, "fault": one.fault} for one in found
    ]  # fmt: skip
    told["aside"] = [{"name": name, "fault": fault} for name, _, fault in aside]
    if found or aside:
        lines += [*undelivered(found, aside), f"{len(found)} mails not sent"]
    lines += [f"{when} {line}" for _, when, line in log]


def _lacking(record: Record, *, begun: bool) -> Sequence[str]:
    """The setting without which the mails of a game do not leave; of one that has not begun and
    whose mails go by hand, how that is done."""
    if read_offer(record).invite.mail is None:
        return ()
    from adjudicator.cli.host import by_hand, carrier

    lacks = settings.lacking(record.root)
    if lacks and carrier(record) == "mail":
        return (f"{lacks[0].message}: {lacks[0].hint}",)
    return () if begun else by_hand(record)


def _before(name: str, offer: Offer, own: Seat | None, folder: HostFolder | None) -> Standing:
    """A game that has not begun; its host sees who has joined."""
    title = offer.game.title
    more: dict[str, Any] = {
        "game": None, "rules": offer.invite.rules, "step": None, "head": None,
        "state": "not begun", "awaited": {},
    }  # fmt: skip
    if folder is not None:
        joins, wanted = _joins(offer, folder), folder.seats()
        more["joined"] = [player for player, _ in joins]
        begin = " To begin with them: adjudicator start" if joins else " next: adjudicator sync"
        lines = (
            f"{offer.name}: {title}, not begun",
            *(f"  {player}{said}" for player, said in joins),
            f"{len(joins)}{f' of {wanted}' if wanted else ''} joined.{begin}",
        )
        found = overview.unbegun(name, offer, more["joined"], wanted)
        return replace(found, more=more, lines=lines)
    if own is None:
        line, says = f"{offer.name}: {title}, not begun", f"{title}: not begun"
    else:
        line = f"{offer.name}: joined as {own.player}. The host has not begun."
        says = f"{title}, as {own.player}: not begun"
    return Standing(name, says, more=more, lines=(line,))


def _joins(offer: Offer, folder: HostFolder) -> list[tuple[str, str]]:
    """Who has joined, with the mail address of each and the one that was invited."""
    from adjudicator.host.waiting_room import WaitingRoom

    room, tokens, out = WaitingRoom(folder, offer), folder.tokens(), []
    for player, join in room.joins().items():
        private = room.private(join)
        whom = tokens.get(private.token or "")
        address = "" if private.address is None else f", {private.address}"
        out.append((player, address + ("" if whom is None else f", invited as {whom}")))
    return out


def _under_way(
    name: str, ledger: Ledger, own: Seated | None, folder: HostFolder | None, *, hosts: bool,
    verbose: bool,
) -> Standing:  # fmt: skip
    """A game that has begun: for the seat here, or if it `hosts`, for its host."""
    from adjudicator.words import answers

    player, sent = (None, []) if own is None else (own.seat.player, answers.sent(own))
    found = overview.played(name, ledger, player, [one.answer for one in sent], shared.reader())
    more, lines = story.status(ledger), story.status_lines(ledger, shared.reader(), verbose=verbose)
    awaited = more["awaited"]
    if folder is not None:
        waiting = folder.waiting()
        if hosts:
            found = overview.hosted(name, ledger, list(waiting), shared.reader())
        if awaited:
            more["in"] = {one: waiting[one].order.slip.revision for one in waiting}
            more["missing"] = [one for one in awaited if one not in waiting]
            lines += story.whose_are_in(ledger, more["in"], shared.now())
    if own is not None:
        more["sent"] = [
            {"step": one.slip.step, "revision": one.slip.revision, "time": one.slip.time,
             "orders": answers.lines_of(one.file), "protest": one.slip.protest,
             "receipt": one.answer or None}
            for one in sent
        ]  # fmt: skip
        nothing = ["You have sent nothing yet."] if player in awaited else []
        lines += [one.text(shared.reader()) for one in sent] or nothing
    elif folder is not None and awaited:
        lines.append("next: adjudicator sync")
    if isinstance(ledger.last.entry, Reveal):
        lines.append("next: adjudicator verify, or adjudicator replay")
    return replace(found, more=more, lines=tuple(lines))
