"""`bot`: a program of one's own plays a seat, turn after turn."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from adjudicator.authors.program import TRIES, Program, answered, question
from adjudicator.cli import courier, notices
from adjudicator.cli.keys import own_signer
from adjudicator.cli.prompt import heard, since_my_last
from adjudicator.cli.shared import KeyOption, Number, now, say, seat_in, warn
from adjudicator.cli.which import SEAT, Located, Place
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store import files
from adjudicator.store.record import Record
from adjudicator.words import answers, story
from adjudicator.words.deduced import worked_out
from games.options import seconds
from orders.errors import Refused
from orders.keys import Signer
from orders.order_file import OrderFile


def _span(ctx: click.Context, param: click.Parameter, text: str) -> int:
    """The seconds of a time such as 30s or 10m; raises BadParameter."""
    found = seconds(text)
    if not found:
        raise click.BadParameter(f"{text!a}: expected a time such as 30s, 10m or 1h")
    return found


@click.command(
    cls=Located,
    need=SEAT,
    epilog="Example: adjudicator bot python pinger.py",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.argument("words", metavar="CMD...", nargs=-1, required=True, type=click.UNPROCESSED)
@KeyOption
@click.option(
    "--every", callback=_span, default="1m", show_default=True, metavar="TIME",
    help="How often it looks for what came.",
)  # fmt: skip
@click.option("--once", is_flag=True, help="Do what is due now, and end; for cron.")
@click.option(
    "--limit", callback=_span, default="1m", show_default=True, metavar="TIME",
    help="How long the program may take for an answer.",
)  # fmt: skip
@click.option(
    "--tries", type=Number(1, 20), default=TRIES, show_default=True,
    help="How often it is asked for one turn.",
)  # fmt: skip
@click.pass_context
def bot(
    ctx: click.Context, words: tuple[str, ...], record: Path, seat: Path,
    key: Path | None, every: int, once: bool, limit: int, tries: int,
) -> None:  # fmt: skip
    """Let your own program play your seat, turn after turn, until the game is over.

    For each turn CMD gets what you may know as JSON on standard input, and answers order lines. A
    wrong line is told to it, and it is asked again. It runs as you do, so run only what you trust.
    """
    named = files.words(words[0]) if len(words) == 1 else list(words)
    if not named:
        raise click.BadParameter(f"{words[0]!a} is no command; expected one such as python mine.py")
    if shutil.which(named[0]) is None:
        raise click.BadParameter(f"there is no program {named[0]!a}; name one as in python mine.py")
    program = Program(named, limit)
    player = _Player(Record(record.absolute()), seat_in(seat), program, tries, key, once)
    while True:
        code = player.look()
        notices.tell([Place(record, seat, hosts=False)])
        if code == 0 or once:
            ctx.exit(code or 0)
        time.sleep(every)


@dataclass
class _Player:
    """A seat that a program plays."""

    copy: Record
    seat: Seat
    program: Program
    tries: int
    key: Path | None
    once: bool
    _signer: Signer | None = None
    _warned: frozenset[str] = frozenset()

    def look(self) -> int | None:
        """Fetch, and order if that is due: 0 once the game is over, 4 if something is missing, else
        None. Raises Refused."""
        # Other commands may have written to the copy since the last time.
        carrier = courier.of(self.copy, self.seat)
        try:
            table, fetched = carrier.table, carrier.fetch()
        except Refused as error:
            if self.once or error.word != "busy":
                raise
            # Who works here now is done by the next look. Where orders are to leave it is told:
            # they are signed by then, and would wait unseen.
            return None
        told = [*fetched.warnings, *table.news()]
        # What is wrong is told once as long as it lasts.
        warn(*(one for one in told if one not in self._warned))
        self._warned = frozenset(told)
        if not table.begun:
            return 4 if table.old() else None
        own = table.seated()
        for step in fetched.steps:
            say(f"[{step}] {story.title(own.ledger.link(step).entry)}")
        if own.last.over:
            say(*story.whose_turn(own.last.entry) or ("The game is over.",))
            return 0
        if table.old() or table.lacking():
            return 4
        if own.seat.player in own.last.entry.awaited and self._is_due(own):
            file = asked(own, self.program, self.tries)
            self._signer = self._signer or own_signer(own, self.key)
            ordered = own.order(file, self._signer, now())
            say(f"Ready: {answers.in_words(ordered.file)}.")
            courier.send(carrier)
        elif carrier.repeats and table.due() is not None:
            # Somebody may have removed what was pushed.
            courier.send(carrier)
        return None

    def _is_due(self, own: Seated) -> bool:
        """Whether no orders for the coming step are written, or the host has refused them; raises
        Refused if it has refused all tries."""
        sent = [one.answer for one in answers.sent(own) if one.slip.step == own.step]
        if not sent:
            return True
        if not sent[-1] or sent[-1].startswith(("accepted", "absent")):
            return False
        if len(sent) < self.tries:
            return True
        raise Refused(
            "bot",
            f"the host refused {len(sent)} orders for step {own.step}: {sent[-1]}",
            "look at the turn yourself: adjudicator play",
        )


def asked(own: Seated, program: Program, tries: int) -> OrderFile:
    """The orders of a program, asked again for those that the host would refuse; raises Refused if
    none of its answers can stand."""
    try:
        return answered(program, known(own), tries, own.read)
    except Refused as error:
        hint = "mend the program, or write the orders: adjudicator play"
        raise Refused(error.word, error.message, hint) from None


# What a program is given.


def known(own: Seated) -> dict[str, Any]:
    """All that a seat may know now, as plain data; raises Refused."""
    opening, prompt = own.opening, own.last.entry.awaited[own.seat.player]
    news = heard(own, since_my_last(own)[0])
    return question(
        opening.game, own.report().view, prompt.what, prompt.until, own.step,
        [story.news(opening, event) for events in news for event in events],
        _reports(own), worked_out(own, own.step - 1),
    )  # fmt: skip


def _reports(own: Seated) -> Iterator[dict[str, Any]]:
    """The seat's own reports that are here, the oldest first."""
    for link in own.ledger.links():
        if link.step and link.entry.reports and own.seat.sits(link.joins):
            with suppress(Refused):
                told = own.report(link.step)
                events = [dict(event) for event in told.events]
                yield {"step": told.step, "view": told.view.shown, "events": events}
