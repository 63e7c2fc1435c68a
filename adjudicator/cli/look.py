"""Looking at a game: `show`, `log`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudicator.cli.here import (
    Located,
    Place,
    is_duel,
    lost_seat,
    no_seat,
)
from adjudicator.cli.shared import (
    AtOption,
    JsonOption,
    PublicOption,
    check_out,
    host_folder,
    ledger_of,
    now,
    open_seat,
    reader,
    say,
    say_json,
    source_of,
    wanting,
    warn,
    write_out,
)
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import Source
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words import story
from adjudicator.words.story import StepView, Story
from games.game import Deductions
from orders.errors import Refused
from orders.fields import EVERYONE

if TYPE_CHECKING:
    from adjudicator.player.seat import Seat


class EntryNumber(click.ParamType[int]):
    """The number of an entry."""

    name = "entry"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number; raises BadParameter."""
        if not (value.isascii() and value.isdigit() and len(value) < 10):
            self.fail(f"{value!a:.80} is no entry's number; a game is named by -g", param, ctx)
        return int(value)


@click.command(cls=Located, duels=True, epilog="Example: adjudicator show 12 --svg board.svg")
@click.argument("step", type=EntryNumber(), required=False, metavar="[N]")
@PublicOption
@click.option("--deduced", is_flag=True, help="Also what you can work out from your reports.")
@click.option("--svg", metavar="FILE", help="The board as a picture; - is stdout.")
@AtOption
@JsonOption
@click.pass_context
def show(
    ctx: click.Context, record: Path, seat: Path | None, step: int | None, whose: str | None,
    deduced: bool, svg: str | None, at: str | None, as_json: bool,
) -> None:  # fmt: skip
    """The board after entry N, or now: by your eyes if your seat is here, else what is public;
    after the reveal all."""
    check_out(svg, like=SVG)
    if is_duel(record):
        from adjudicator.cli import duel_look

        duel_look.show(record, step, whose, svg, deduced=deduced, at=at, as_json=as_json)
        return
    player = own = _eyes(seat, whose)
    if deduced and own is None:
        raise click.UsageError("--deduced is for a player: name your seat with --seat")
    source = source_of(record, at)
    ledger = ledger_of(source, own)
    if player is not None and not player.sits(ledger.last.joins):
        from adjudicator.player import witness

        # Somebody else sits there now, and sees what it sees.
        own = None if witness.given_away(ledger, player) else own
    found: Deductions | None = None
    if own is None:
        side = None if whose == EVERYONE else whose
        seen = _side(Story(ledger).seen(step, reader()), side)
    else:
        seen, found = _own(source, own, ledger, step, deduced)
    if svg is not None:
        write_out(svg, seen.svg().encode(), like=SVG)
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
    said, code = amiss(source, player, ledger, sits=whose is None)
    warn(*said)
    ctx.exit(code)


def amiss(
    source: Source, seat: Seat | None, ledger: Ledger | None, *, sits: bool = True
) -> tuple[list[str], int]:
    """What who looks must see to, a player or an observer, and the exit code; nothing of a pack or
    commit, nor for the host, whose record is the newest. `sits`: a player looks by their own
    eyes."""
    if not isinstance(source, Record) or (seat is None and host_folder(source) is not None):
        return [], 0
    from adjudicator.player.table import Table

    said, code = wanting(Table(source, seat, SystemClock(), ledger), now())
    place = Place(source.root, None, hosts=False)
    if seat is None and sits and lost_seat(place) is not None:
        return [*said, no_seat(place)], 2
    return said, code


def _eyes(seat: Path | None, whose: str | None) -> Seat | None:
    """The seat by whose eyes one looks; None for everybody's, and for another player's."""
    own = open_seat(seat)
    return own if whose is None or (own is not None and whose == own.player) else None


SVG = b"<svg"
"""How a picture begins."""


def _own(
    source: Source, seat: Seat, ledger: Ledger, step: int | None, deduced: bool
) -> tuple[StepView, Deductions | None]:
    """A seat's view, and with `deduced` what it can work out; raises Refused."""
    from adjudicator.player.seated import Seated
    from adjudicator.words.deduced import worked_out

    seated = Seated(source, seat, ledger)
    seen = story.seen_by(seated, step, reader())
    knows = seen.step > 0 and seen.boards[0].player is not None
    found = worked_out(seated, seen.step) if deduced or knows else None
    return seen._replace(known=found), found if deduced else None


def _side(seen: StepView, player: str | None) -> StepView:
    """One player's side; raises Refused if not everybody may see it."""
    if player is None:
        return seen
    boards = tuple(view for view in seen.boards if view.player == player)
    if not boards:
        known = ", ".join(view.player for view in seen.boards if view.player is not None)
        raise Refused(
            "no-board",
            f"there is no board of {player!a} to show",
            f"there are those of {known}" if known else "sides show after the reveal",
        )
    return StepView(seen.opening, seen.step, boards, seen.events, seen.awaited)


def _json(seen: StepView, step: int | None, found: Deductions | None) -> dict[str, Any]:
    """The same for programs; for an awaited seat, with every possible first line."""
    told = seen.json()
    if found is not None:
        may = {name: list(values) for name, values in found.may.items()}
        told["deduced"] = {"may": may, "notes": list(found.notes)}
    if step is None and len(seen.boards) == 1:
        told["legal"] = list(seen.opening.game.legal(seen.boards[0]))
    return told


@click.command(cls=Located, duels=True, epilog="Example: adjudicator log --as all")
@PublicOption
@click.option("--letters", is_flag=True, help="The messages and notices instead.")
@AtOption
@JsonOption
def log(
    record: Path, seat: Path | None, whose: str | None, letters: bool, at: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """The story so far: every entry with its time and news; everything that your seat was told, or
    else what is public."""
    if is_duel(record):
        from adjudicator.cli import duel_look

        duel_look.log(record, whose, letters=letters, at=at, as_json=as_json)
        return
    from adjudicator.player.seated import Seated

    source = source_of(record, at)
    own = _eyes(seat, whose)
    if letters:
        _letters(Record(record), own)
        return
    ledger = ledger_of(source, own)
    seated = None if own is None else Seated(source, own, ledger)
    if as_json:
        say_json(list(story.chapters(ledger, seated)))
        return
    for line in story.history(ledger, seated, reader()):
        say(line)


def _letters(record: Record, own: Seat | None) -> None:
    """The letters that a seat got and sent, checked; or those to the host and through it."""
    from adjudicator.mail import player as mails

    if own is not None:
        say(*mails.kept_letters(record, own))
        return
    from adjudicator.cli.host import open_host
    from adjudicator.host.letters import Letters

    for letter, text in Letters(open_host(record.root, None, sure=True)).read():
        say(f"{letter.player}: {mails.says(text, reader())}", *mails.indented(text.body))
