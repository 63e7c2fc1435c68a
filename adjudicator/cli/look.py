"""Looking at a record: `show`, `log`, `status`, `bundle`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.shared import (
    AnySeatOption,
    AtOption,
    JsonOption,
    OutOption,
    PublicOption,
    RecordArgument,
    SourceArgument,
    StateOption,
    check_out,
    host_folder,
    ledger_of,
    like_bundle,
    now,
    open_seat,
    reader,
    record_of,
    say,
    say_json,
    source_of,
    warn,
    write_bundle,
    write_out,
)
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import Offer, read_offer
from adjudicator.core.source import Source, read_or_none
from adjudicator.player.table import Table
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words import story
from adjudicator.words.story import Seen, Story
from games.game import Deductions
from orders import names
from orders.bundle import Bundle
from orders.errors import Missing, Refused

if TYPE_CHECKING:
    from adjudicator.host.folder import HostFolder
    from adjudicator.player.seat import Seat
    from adjudicator.words import answers


@click.command(epilog="Example: adjudicator show friday --seat alice.seat --svg board.svg")
@SourceArgument
@AnySeatOption
@PublicOption
@click.option("--player", metavar="NAME", help="After the reveal: only this player's side.")
@click.option(
    "--step", type=int, metavar="N", help="The position after entry N; by default the last."
)
@click.option(
    "--deduced", is_flag=True, help="With --seat: also what you can work out from your reports."
)
@click.option("--svg", metavar="FILE", help="The board as a picture; - is stdout.")
@AtOption
@JsonOption
@click.pass_context
def show(
    ctx: click.Context, record: Path, seat: Path | None, public: bool, player: str | None,
    step: int | None, deduced: bool, svg: str | None, at: str | None, as_json: bool,
) -> None:  # fmt: skip
    """The board and news: a seat's own with --seat, else what is public; after the reveal all."""
    check_out(svg, like=_SVG)
    if deduced and seat is None:
        raise click.UsageError("--deduced is for a player: name your seat with --seat")
    source = source_of(record, at)
    own = open_seat(seat)
    ledger = ledger_of(source, own)
    found: Deductions | None = None
    if own is None:
        seen = _side(Story(ledger).seen(step, reader()), player)
    else:
        seen, found = _own(source, own, ledger, step, deduced)
    if svg is not None:
        write_out(svg, seen.svg().encode(), like=_SVG)
        if svg != "-":
            say(f"{svg}: the board after entry {seen.step}, {seen.whose}")
    elif as_json:
        say_json(_json(seen, step, found))
    else:
        out = seen.lines()
        if found is not None:
            from adjudicator.words.deduced import lines

            out += [""] * bool(out[-1])
            out += lines(str(seen.boards[0].player), found)
        say("\n".join(out))
    if own is not None and isinstance(source, Record):
        table = Table(source, own, SystemClock(), ledger)
        warn(*table.news())
        ctx.exit(4 if table.old() or table.lacking() else 0)


_SVG = b"<svg"
"""How a picture begins."""


def _own(
    source: Source, seat: Seat, ledger: Ledger, step: int | None, deduced: bool
) -> tuple[Seen, Deductions | None]:
    """A seat's view, and with `deduced` what it can work out; raises Refused."""
    from adjudicator.player.seated import Seated
    from adjudicator.words.deduced import worked_out

    seated = Seated(source, seat, ledger)
    seen = story.seen_by(seated, step, reader())
    return seen, worked_out(seated, seen.step) if deduced else None


def _side(seen: Seen, player: str | None) -> Seen:
    """One player's side; raises Refused if not everybody may see it."""
    if player is None:
        return seen
    boards = tuple(view for view in seen.boards if view.player == player)
    if not boards:
        known = ", ".join(view.player for view in seen.boards if view.player is not None)
        raise Refused(
            "no-board",
            f"there is no board of {player!a} to show",
            f"there are those of {known}" if known else "sides show after the reveal, or by --seat",
        )
    return Seen(seen.opening, seen.step, boards, seen.events, seen.awaited)


def _json(seen: Seen, step: int | None, found: Deductions | None) -> dict[str, Any]:
    """The same for programs; for an awaited seat, with every possible first line."""
    told = seen.json()
    if found is not None:
        may = {name: list(values) for name, values in found.may.items()}
        told["deduced"] = {"may": may, "notes": list(found.notes)}
    if step is None and len(seen.boards) == 1:
        told["legal"] = list(seen.opening.game.legal(seen.boards[0]))
    return told


@click.command(epilog="Example: adjudicator log friday --seat alice.seat")
@SourceArgument
@AnySeatOption
@PublicOption
@AtOption
@JsonOption
def log(record: Path, seat: Path | None, public: bool, at: str | None, as_json: bool) -> None:
    """The story so far: every entry with its time and news; a seat's own with --seat, else public.

    With --seat it is the captain's logbook: everything that this seat was told, from its own
    reports.
    """
    from adjudicator.player.seated import Seated

    source = source_of(record, at)
    own = open_seat(seat)
    ledger = ledger_of(source, own)
    seated = None if own is None else Seated(source, own, ledger)
    if as_json:
        say_json(list(story.chapters(ledger, seated)))
        return
    for line in story.history(ledger, seated):
        say(line)


@click.command(epilog="Example: adjudicator status friday --seat alice.seat")
@SourceArgument
@AnySeatOption
@StateOption
@JsonOption
def status(record: Path, seat: Path | None, state: Path, as_json: bool) -> None:
    """Whose orders are awaited, for what and until when.

    On the host's machine it also tells whose are in, and which mails of the game did not arrive;
    with --seat also what you have sent.
    """
    target, own = source_of(record), open_seat(seat)
    folder = host_folder(target) if isinstance(target, Record) else None
    if read_or_none(target, names.entry(0)) is None:
        told, lines = _before(read_offer(target), folder)
    else:
        told, lines = _under_way(target, ledger_of(target, own), own, folder)
        if folder is not None:
            _undelivered(state, told, lines)
    if as_json:
        say_json(told)
    else:
        say("\n".join(lines))


def _undelivered(state: Path, told: dict[str, Any], lines: list[str]) -> None:
    """Print which mails of the game did not arrive, if the host works by mail."""
    from adjudicator.mail import wording
    from adjudicator.mail.outbox import Outbox

    if not (state / "mail.db").is_file():
        return
    with closing(Outbox(state)) as outbox:
        found = outbox.listed(told["game"])
    told["mail"] = [{"to": one.recipient, "state": one.state, "fault": one.fault} for one in found]
    if found:
        lines += wording.undelivered(found, ())


def _before(offer: Offer, folder: HostFolder | None) -> tuple[dict[str, Any], list[str]]:
    """Print the state of a game that has not begun; its host sees who has joined."""
    from adjudicator.host.waiting_room import WaitingRoom

    rules = offer.invite.rules
    told: dict[str, Any] = {
        "game": None, "rules": rules, "step": None, "head": None, "state": "not begun",
        "awaited": {},
    }  # fmt: skip
    lines = ["no game yet", f"{rules}: not begun"]
    if folder is not None:
        told["joined"] = list(WaitingRoom(folder, offer).joins())
        if told["joined"]:
            lines.append(f"joined: {', '.join(told['joined'])}")
    return told, lines


def _under_way(
    record: Source, ledger: Ledger, seat: Seat | None, folder: HostFolder | None
) -> tuple[dict[str, Any], list[str]]:
    told, time = story.status(ledger), now()
    lines = story.status_lines(ledger, reader())
    if folder is not None and told["awaited"]:
        waiting = folder.waiting()
        told["in"] = {name: waiting[name].order.slip.revision for name in waiting}
        told["missing"] = [name for name in told["awaited"] if name not in waiting]
        lines += story.whose_are_in(ledger, told["in"], time)
    if seat is not None:
        from adjudicator.player import witness
        from adjudicator.player.seated import Seated
        from adjudicator.words import answers

        seated = Seated(record, seat, ledger)
        told["sent"] = [_sent(one) for one in answers.sent(seated)]
        lines += [one.text() for one in answers.sent(seated)] or ["you have sent nothing yet"]
        lines += witness.unanswered(ledger, seat, time)
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


@click.command(epilog="Example: adjudicator bundle friday 3 --for alice")
@RecordArgument
@click.argument("step", required=False, metavar="[N|invite]")
@click.option("--for", "reader", metavar="PLAYER", help="With this player's sealed report.")
@OutOption
def bundle(record: Path, step: str | None, reader: str | None, out: str | None) -> None:
    """The files of the invite, the genesis (0) or entry N as one bundle; without N of the newest.

    Without --for it holds no reports.
    """
    from adjudicator.core import bundles

    target = record_of(record)
    if step is not None and step != "invite" and not (step.isascii() and step.isdigit()):
        raise click.BadParameter(f"{step!a}: expected the number of an entry, or invite")
    if step == "invite":
        read_offer(target)
        made: tuple[Bundle, ...] = (bundles.of_invite(target),)
        name = str(target.root.with_name(f"{read_offer(target).name}-invite"))
        check_out(out, like=like_bundle("invite"))
    else:
        number = target.last_step() if step is None else int(step)
        made = _of_entry(target, number, reader)
        name = str(target.root.with_name(bundles.name(read_offer(target).name, made[0])))
    if len(made) > 1 and out == "-":
        raise click.UsageError(f"entry {step} is {len(made)} bundles: name a file with -o")
    for count, one in enumerate(made, 1):
        part = f".{count}" if count > 1 else ""
        where = write_bundle(one, None if out is None else f"{out}{part}", f"{name}{part}.txt")
        say(f"{where}: {len(one.files)} files", to=out)


def _of_entry(record: Record, step: int | None, reader: str | None) -> tuple[Bundle, ...]:
    """The bundles of an entry; raises Refused, which says what there is."""
    from adjudicator.core import bundles

    last = record.last_step()
    if step is None or last is None:
        raise Refused("not-yet", "the game has not begun: there is only its invite")
    if reader is not None and reader not in ledger_of(record).opening.players:
        raise Refused("no-seat", f"nobody in this game is called {reader!a}")
    try:
        return bundles.of_entry(record, step, reader)
    except Missing as error:
        hint = f"the last entry is {last}"
        if error.path.startswith("reports/"):
            hint = "the host's record has every report, a copy only its own seat's"
        raise Refused("missing", error.message, hint) from None
