"""`log`: the story so far."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator.cli import shared
from adjudicator.cli.show import eyes
from adjudicator.cli.which import Located, is_duel
from adjudicator.store.record import Record
from adjudicator.words import story

if TYPE_CHECKING:
    from adjudicator.player.seat import Seat


@click.command(cls=Located, duels=True, epilog="Example: adjudicator log --as all")
@shared.PublicOption
@click.option("--letters", is_flag=True, help="The messages and notices instead.")
@shared.AtOption
@shared.JsonOption
def log(
    record: Path, seat: Path | None, whose: str | None, letters: bool, at: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """The story so far: every entry with its time and news; everything that your seat was told, or
    else what is public."""
    if is_duel(record):
        from adjudicator.cli import duel_look

        if letters:
            raise click.UsageError("--letters is for a game with a host: a duel carries none")
        sides = duel_look.sides(record, at)
        chapters = list(sides.chapters(sides.side(whose)))
    else:
        from adjudicator.player.seated import Seated

        source, own = shared.source_of(record, at), eyes(seat, whose)
        if letters:
            _letters(Record(record), own)
            return
        ledger = shared.ledger_of(source, own)
        seated = None if own is None else Seated(source, own, ledger)
        chapters = list(story.chapters(ledger, seated))
    if as_json:
        shared.say_json(chapters)
    else:
        shared.say(*story.history(chapters, shared.reader()))


def _letters(record: Record, own: Seat | None) -> None:
    """The letters that a seat got and sent, checked; or those to the host and through it."""
    from adjudicator.player import letters

    if own is not None:
        shared.say(*letters.all_in_words(shared.ledger_of(record, own), own, shared.reader()))
        return
    from adjudicator.cli.host import open_host
    from adjudicator.host.letters import Letters

    for letter, text in Letters(open_host(record.root, None, sure=True)).read():
        shared.say(
            f"{letter.player}: {letters.says(text, shared.reader())}", *letters.indented(text.body)
        )
