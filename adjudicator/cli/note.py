"""`note`: what a player writes down for themselves."""

from __future__ import annotations

from pathlib import Path

import click

from adjudicator.cli import shared
from adjudicator.cli.which import SEAT, Located
from adjudicator.player import notes
from adjudicator.player.seated import Seated
from adjudicator.words import story


@click.command(
    cls=Located, need=SEAT, duels=True, epilog='Example: adjudicator note "Is that echo a mine?"'
)
@click.argument("text", required=False)
def note(record: Path, seat: Path | None, text: str | None) -> None:
    """A note for yourself alone, at the entry where you stand now; without TEXT, all your notes.

    It is sealed, kept with your seat, and never sent; `replay` shows it at that entry.
    """
    if seat is None:
        # Whoever plays a duel opens its one secret at the end, and with it what is sealed by it.
        raise click.UsageError("a note is kept with a seat: a duel, which nobody hosts, has none")
    own = Seated(shared.record_of(record), shared.seat_in(seat))
    if text is not None:
        shared.say(notes.keep(own, text, shared.now()))
        return
    chapters = []
    for one in notes.kept(own):
        first, *rest = one.text.split("\n")
        chapters.append({"step": one.step, "time": one.time, "title": first, "news": rest})
    shared.say(*story.history(chapters, shared.reader()))
    if not chapters:
        shared.say("no notes yet: adjudicator note TEXT keeps one")
