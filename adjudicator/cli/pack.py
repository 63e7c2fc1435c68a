"""`pack`: a game as one file."""

from __future__ import annotations

from pathlib import Path

import click

from adjudicator.cli import shared
from adjudicator.cli.which import Located, is_duel
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import read_offer
from adjudicator.store import pack as packs
from adjudicator.verifier.listing import kept


@click.command(cls=Located, duels=True, epilog="Example: adjudicator pack -o friday.zip")
@shared.OutOption
def pack(record: Path, seat: Path | None, out: str | None) -> None:
    """The game as one file: a plain zip, which verify, show, log and status read as it is.

    It leaves out sealed files that anybody can make again. Before the reveal it is for a host's or
    player's own backup; a duel's may be shown to anybody.
    """
    if is_duel(record):
        from adjudicator.cli import duel_look

        duel_look.pack(record, out)
        return
    source = shared.record_of(record)
    shared.ledger_of(source)
    held = kept(source)
    data = packs.write(held)
    target = f"{read_offer(source).name}.zip" if out is None else out
    shared.write_out(target, data, like=packs.BEGIN)
    head = Ledger.read(packs.Pack.of(data)).last
    shared.say(f"{target}: {len(held)} files, {len(data)} bytes", to=out)
    shared.say(f"last entry {head.step}, {head.digest}: this digest names the whole game", to=out)
