"""`away`: a notice of absence."""

from __future__ import annotations

from pathlib import Path

import click

from adjudicator.cli.say import send
from adjudicator.cli.shared import KeyOption, OutOption, moment, now, reader
from adjudicator.cli.which import SEAT, Located
from adjudicator.player.letters import says
from orders.letter import Text


@click.command(cls=Located, need=SEAT, epilog="Example: adjudicator away 2026-12-01 2026-12-07")
@click.argument("start", metavar="FROM")
@click.argument("end", metavar="UNTIL")
@KeyOption
@OutOption
def away(record: Path, seat: Path, start: str, end: str, key: Path | None, out: str | None) -> None:
    """A signed notice of absence, within what the invite allows: from a day, a time or a span."""
    first, last = moment(start, now(), begins=True), moment(end, now())
    if last <= first:
        raise click.BadParameter(f"{end!a} is not after {first}")
    notice = Text(f"away from {first} until {last}")
    send(record, seat, key, out, notice, told=says(notice, reader()))
