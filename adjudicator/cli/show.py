"""`show`: the board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator.cli import shared
from adjudicator.cli.which import Located, Place, is_duel, lost_seat, no_seat
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import Source
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words import story
from adjudicator.words.story import StepView, Story
from orders.errors import Refused
from orders.fields import EVERYONE

if TYPE_CHECKING:
    from adjudicator.cli.courier import Here
    from adjudicator.player.seat import Seat


def _entry_number(_: click.Context, __: click.Parameter, given: str | None) -> int | None:
    """The number of an entry; raises BadParameter."""
    if given is not None and not (given.isascii() and given.isdigit() and len(given) < 10):
        raise click.BadParameter(f"{given!a:.80} is no entry's number; a game is named by -g")
    return None if given is None else int(given)


@click.command(cls=Located, duels=True, epilog="Example: adjudicator show 12 --svg board.svg")
@click.argument("step", callback=_entry_number, required=False, metavar="[N]")
@shared.PublicOption
@click.option("--deduced", is_flag=True, help="Also what you can work out from your reports.")
@click.option("--svg", metavar="FILE", help="The board as a picture; - is stdout.")
@shared.AtOption
@shared.JsonOption
@click.pass_context
def show(
    ctx: click.Context, record: Path, seat: Path | None, step: int | None, whose: str | None,
    deduced: bool, svg: str | None, at: str | None, as_json: bool,
) -> None:  # fmt: skip
    """The board after entry N, or now: by your eyes if your seat is here, else what is public;
    after the reveal all."""
    shared.check_out(svg, like=SVG)
    said: list[str] = []
    code = 0
    if is_duel(record):
        from adjudicator.cli import duel_look

        seen = duel_look.seen(record, step, whose, at)
    else:
        player, source = eyes(seat, whose), shared.source_of(record, at)
        if deduced and player is None:
            raise click.UsageError("--deduced is for a player: name your seat with --seat")
        ledger = shared.ledger_of(source, player)
        seen = _seen(source, player, ledger, step, whose, deduced=deduced)
        if Place(record, seat, hosts=False).bots is not None:
            seen = seen._replace(awaited=())  # It waits as long as one likes.
        said, code, _ = amiss(source, player, ledger, sits=whose is None)
    found = seen.known if deduced else None
    if svg is not None:
        shared.write_out(svg, seen.svg().encode(), like=SVG)
        if svg != "-":
            after = "" if step is None and at is None else f" after {seen.of} {seen.step}"
            shared.say(f"{svg}: the board{after}, {seen.whose}")
    elif as_json:
        told = seen.json()
        if found is not None:
            may = {name: list(values) for name, values in found.may.items()}
            told["deduced"] = {"may": may, "notes": list(found.notes)}
        if step is None and len(seen.boards) == 1:
            # What an awaited seat may write first.
            told["legal"] = list(seen.opening.game.legal(seen.boards[0]))
        shared.say_json(told)
    else:
        shared.say(*seen.lines(newest=step is None and at is None))
        if found is not None:
            from adjudicator.words.deduced import lines

            shared.say("", *lines(str(seen.boards[0].player), found))
    shared.warn(*said)
    ctx.exit(code)


def amiss(
    source: Source, seat: Seat | None, ledger: Ledger | None, here: Here | None = None, *,
    sits: bool = True,
) -> tuple[list[str], int, list[str]]:  # fmt: skip
    """What who looks must see to, a player or an observer, the exit code, and the files that are
    not taken in yet; nothing of a pack or commit, nor for the host, whose record is the newest.
    `here`: what lies beside the copy, if that was read already. `sits`: a player looks by their own
    eyes."""
    if not isinstance(source, Record) or (seat is None and shared.host_folder(source) is not None):
        return [], 0, []
    from adjudicator.cli import courier
    from adjudicator.player.table import Table

    table = Table(source, seat, SystemClock(), ledger)
    new = courier.ByFiles(table).new(here or courier.look(source.root.absolute().parent))
    said, code = shared.wanting(table, shared.now())
    place = Place(source.root, None, hosts=False)
    if seat is None and sits and lost_seat(place) is not None:
        return [*said, no_seat(place)], 2, new
    return said, code, new


def eyes(seat: Path | None, whose: str | None) -> Seat | None:
    """The seat by whose eyes one looks; None for everybody's, and for another player's."""
    own = shared.open_seat(seat)
    return own if whose is None or (own is not None and whose == own.player) else None


SVG = b"<svg"
"""How a picture begins."""


def _seen(
    source: Source, seat: Seat | None, ledger: Ledger, step: int | None, whose: str | None, *,
    deduced: bool,
) -> StepView:  # fmt: skip
    """What a seat sees, with what it can work out; or what everybody may see, of one player's side
    if `whose` says so. Raises Refused."""
    if seat is not None and not seat.sits(ledger.last.joins):
        from adjudicator.player import witness

        # Somebody else sits there now, and sees what it sees.
        seat = None if witness.given_away(ledger, seat) else seat
    if seat is not None:
        from adjudicator.player.seated import Seated
        from adjudicator.words.deduced import worked_out

        seated = Seated(source, seat, ledger)
        seen = story.seen_by(seated, step, shared.reader())
        knows = deduced or (seen.step > 0 and seen.boards[0].player is not None)
        return seen._replace(known=worked_out(seated, seen.step) if knows else None)
    seen = Story(ledger).seen(step, shared.reader())
    if whose in (None, EVERYONE):
        return seen
    boards = tuple(view for view in seen.boards if view.player == whose)
    if not boards:
        known = ", ".join(view.player for view in seen.boards if view.player is not None)
        raise Refused(
            "no-board",
            f"there is no board of {whose!a} to show",
            f"there are those of {known}" if known else "wait for the end of the game",
        )
    return seen._replace(boards=boards, state=None)
