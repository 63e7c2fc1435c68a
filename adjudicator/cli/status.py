"""`status`: one game in detail, or all games here and whatever needs a hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.here import (
    GameOption,
    Place,
    SeatOption,
    find,
    is_duel,
    places,
    standing,
)
from adjudicator.cli.look import amiss
from adjudicator.cli.shared import (
    JsonOption,
    VerboseOption,
    check_out,
    host_folder,
    ledger_of,
    now,
    open_seat,
    reader,
    say,
    say_json,
    source_of,
    write_out,
)
from adjudicator.core import deadlines
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import Offer, read_offer
from adjudicator.core.source import Source, read_or_none
from adjudicator.player.duel import Home, homes
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words import story
from orders import names
from orders.entries import Reveal
from orders.errors import Refused

if TYPE_CHECKING:
    from adjudicator.host.folder import HostFolder
    from adjudicator.player.seat import Seat
    from adjudicator.words import answers
    from adjudicator.words.overview import Standing


@click.command(epilog="Example: adjudicator status --html games.html")
@GameOption
@SeatOption
@VerboseOption
@JsonOption
@click.option("--html", metavar="FILE", help="All games here as a page; - is stdout.")
@click.pass_context
def status(
    ctx: click.Context, record: Path | None, seat: Path | None, verbose: bool, as_json: bool,
    html: str | None,
) -> None:  # fmt: skip
    """Whose turn it is, for what and until when; what you sent; the next command.

    Of several games here a line each, the least time first, and above them whatever needs a hand:
    what has not left, was set aside, failed or does not hold. For a host of one game also who has
    joined, whose orders are in, and which mails did not arrive; -v: what became of each mail.
    """
    if html is not None:
        from adjudicator.words.overview import HTML

        check_out(html, like=HTML.encode())
        if record is not None or seat is not None:
            raise click.UsageError("--html is of all games here: leave out -g and --seat")
    if record is not None and seat is None and (homes(record) or is_duel(record)):
        from adjudicator.cli import duel_look

        duel_look.status(record, as_json=as_json)
        return
    if record is None and seat is None:
        found, duels = places(Path().absolute()), homes(Path())
        if not found and not duels and html is None:
            from adjudicator.cli import against

            kept = against.titles(against.left_behind())
            say(*(_NO_GAME if not kept else (*kept, "Against bots; to go on: adjudicator play")))
            return
        if len(found) + len(duels) > 1 or html is not None:
            ctx.exit(_all(found, duels, html, as_json=as_json))
        if duels:
            from adjudicator.cli import duel_look

            duel_look.status(duels[0].root, as_json=as_json)
            return
    place = find(record, seat, "any")
    told, lines, code = _told(place, seat, verbose=verbose)
    if as_json:
        say_json(told)
    else:
        say("\n".join(lines))
    ctx.exit(code)


def _all(
    found: Sequence[Place], duels: Sequence[Home], html: str | None, *, as_json: bool
) -> int:  # fmt: skip
    """All games here; returns the gravest exit code."""
    from adjudicator.cli import duel_look
    from adjudicator.words.overview import HTML, Overview

    games: list[Standing] = []
    told: dict[str, dict[str, Any]] = {}
    code = 0
    for place in found:
        games.append(standing(place))
        if place.hosts and place.seat is not None:
            games.append(standing(place, as_host=True))
        try:
            told[place.record.name], _, found_code = _told(place, verbose=False)
        except (Refused, OSError):
            found_code = LOOK
        said = told.get(place.record.name, {}).get("amiss", ()) if found_code else ()
        unsent = _unpushed(place)
        games[-1] = games[-1]._replace(hand=(*games[-1].hand, *_lost(place), *unsent, *said))
        code = max(code, found_code)
    for home in duels:
        games.append(duel_look.standing(home))
        if not games[-1].hand:
            told[home.root.name] = duel_look.told(home.party())
    shown = Overview(tuple(games), tuple(_of_mail(found)))
    if html is not None:
        write_out(html, shown.html(reader()), like=HTML.encode())
        if html != "-":
            say(f"{html}: {shown.summary()}")
    elif as_json:
        say_json(shown.json(told))
    else:
        say(*shown.lines())
    return max(code, LOOK) if shown.needs and not code else code


LOOK = 3
"""The exit code of what a person must look at."""


def _lost(place: Place) -> list[str]:
    """What a player's last sync by mail could not do."""
    from adjudicator.player.table import memory

    with suppress(Refused):
        held = read_or_none(memory(Record(place.record.absolute())), "faults") or b""
        return [f"{one} (at the last sync)" for one in held.decode("utf-8", "replace").splitlines()]
    return []


def _unpushed(place: Place) -> list[str]:
    """What a clone has that its repository may not have."""
    if not (place.record / ".git").exists():
        return []
    from adjudicator.git.process import Repo

    with suppress(Refused, OSError):
        asked = ("rev-list", "--count", "--branches", "--not", "--remotes")
        count = int(Repo(place.record.absolute()).ask(*asked) or 0)
        if count:
            return [f"{count} commit{'s' * (count > 1)} not pushed: adjudicator sync"]
    return []


def _of_mail(found: Sequence[Place]) -> Iterator[str]:
    """What needs a hand in the mail states of the games that are hosted here."""
    from adjudicator.cli import settings

    hosted = [Record(one.record) for one in found if one.hosts]
    states = dict.fromkeys(str(settings.get("mail-state", one.root)) for one in hosted)
    for state in states:
        if not Path(state, "mail.db").is_file():
            continue
        from adjudicator.core import bundles
        from adjudicator.mail import overview as host_mail
        from adjudicator.mail.outbox import DAY, Outbox

        served: list[str] = []
        for one in hosted:
            with suppress(Refused):
                served += bundles.ids_of(one)
        with closing(Outbox(Path(state))) as outbox:
            time, faults = host_mail.last_turn(outbox)
            if time is not None and faults:
                faults = [f"{one} (in the turn of {reader().day(time)})" for one in faults]
            yield from host_mail.hand(outbox, now(), served, faults)
            if time is not None and abs(deadlines.between(time, now())) > DAY:
                yield f"the mailbox was read {reader().when(time)}, and not since"
            waiting = sum(not one.tries for one in outbox.listed() if one.state == "waiting")
        if waiting:
            yield f"{waiting} mail{'s' * (waiting > 1)} for the next sync to send"


_NO_GAME = (
    "No game is here.",
    "to play: adjudicator play sugar-dog; to take a seat: adjudicator join INVITATION",
    "to host: adjudicator invite sugar-dog ann@example.org bob@example.org",
)


def _told(
    place: Place, seat: Path | None = None, *, verbose: bool
) -> tuple[dict[str, Any], list[str], int]:
    """The state of one game, for programs and in lines, and the exit code."""
    target = source_of(place.record)
    if seat is None and place.seat is not None and place.seat.is_dir():
        # A safe would ask for its passphrase.
        seat = place.seat
    own = open_seat(seat)
    folder = host_folder(target) if isinstance(target, Record) else None
    ledger = None
    if read_or_none(target, names.entry(0)) is None:
        told, lines = _before(read_offer(target), folder, own)
    else:
        ledger = ledger_of(target, own)
        told, lines = _under_way(target, ledger, own, folder, verbose=verbose)
    if folder is not None and isinstance(target, Record):
        _mails(target, told, lines, verbose=verbose)
    said, code = amiss(target, own, ledger)
    told["amiss"] = said
    stands = any(one["receipt"] in (None, "accepted") for one in told.get("sent", ()))
    if own is not None and isinstance(target, Record) and (new := _new(target, own, ledger)):
        told["new"] = new
        lines.append(f"Here, and not taken in yet: {', '.join(new)}: adjudicator play")
    elif own is not None and not code and own.player in told["awaited"] and not stands:
        lines.append("Your turn: adjudicator play")
    return told, lines + said, code


def _new(record: Record, seat: Seat, ledger: Ledger | None) -> list[str]:
    """The files beside a copy that its player has not taken in yet."""
    from adjudicator.cli.courier import ByFiles
    from adjudicator.player.table import Table

    return ByFiles(Table(record, seat, SystemClock(), ledger)).new()


def _mails(record: Record, told: dict[str, Any], lines: list[str], *, verbose: bool) -> None:
    """Add which mails of the game did not arrive, if the host works by mail."""
    from adjudicator.cli import settings

    state = Path(str(settings.get("mail-state", record.root)))
    if not (state / "mail.db").is_file():
        return
    from adjudicator.mail.outbox import Outbox, undelivered

    with closing(Outbox(state)) as outbox:
        found, aside = outbox.listed(), outbox.aside()
        log = outbox.log() if verbose else []
    told["mail"] = [
        {"key": one.key, "to": one.recipient, "state": one.state, "tries": one.tries,
         "due": one.due, "fault": one.fault} for one in found
    ]  # fmt: skip
    told["aside"] = [{"name": name, "fault": fault} for name, _, fault in aside]
    if found or aside:
        lines += [*undelivered(found, aside), f"{len(found)} mails not sent"]
    lines += [f"{when} {line}" for _, when, line in log]


def _before(
    offer: Offer, folder: HostFolder | None, own: Seat | None
) -> tuple[dict[str, Any], list[str]]:
    """The state of a game that has not begun; its host sees who has joined."""
    rules = offer.invite.rules
    told: dict[str, Any] = {
        "game": None, "rules": rules, "step": None, "head": None, "state": "not begun",
        "awaited": {},
    }  # fmt: skip
    if own is not None:
        return told, [f"{offer.name}: joined as {own.player}. The host has not begun."]
    lines = [f"{offer.name}: {offer.game.title}, not begun"]
    if folder is not None:
        joins = _joins(offer, folder)
        told["joined"] = [player for player, _ in joins]
        lines += [f"  {player}{more}" for player, more in joins]
        wanted = folder.seats()
        begin = " To begin with them: adjudicator start" if joins else " next: adjudicator sync"
        lines.append(f"{len(joins)}{f' of {wanted}' if wanted else ''} joined.{begin}")
    return told, lines


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
    record: Source, ledger: Ledger, seat: Seat | None, folder: HostFolder | None, *, verbose: bool
) -> tuple[dict[str, Any], list[str]]:
    told, time = story.status(ledger), now()
    lines = story.status_lines(ledger, reader(), verbose=verbose)
    if folder is not None and told["awaited"]:
        waiting = folder.waiting()
        told["in"] = {name: waiting[name].order.slip.revision for name in waiting}
        told["missing"] = [name for name in told["awaited"] if name not in waiting]
        lines += story.whose_are_in(ledger, told["in"], time)
    if seat is not None:
        from adjudicator.player.seated import Seated
        from adjudicator.words import answers

        seated = Seated(record, seat, ledger)
        told["sent"] = [_sent(one) for one in answers.sent(seated)]
        mine = seat.player in told["awaited"]
        nothing = ["You have sent nothing yet."] if mine else []
        lines += [one.text(reader()) for one in answers.sent(seated)] or nothing
    elif folder is not None and told["awaited"]:
        lines.append("next: adjudicator sync")
    if isinstance(ledger.last.entry, Reveal):
        lines.append("next: adjudicator verify, or adjudicator replay")
    return told, lines


def _sent(one: answers.Pending) -> dict[str, Any]:
    slip = one.slip
    return {
        "step": slip.step,
        "revision": slip.revision,
        "time": slip.time,
        "orders": list(one.lines),
        "protest": slip.protest,
        "receipt": one.answer or None,
    }
