"""`pack`: a record as one file."""

from __future__ import annotations

from pathlib import Path

import click

from adjudicator.cli.shared import OutOption, RecordArgument, record_of, say, write_out
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import read_offer
from adjudicator.store import pack as packs
from adjudicator.verifier.packing import kept

_BEGINS = b"PK\3\4"
"""The first bytes of every pack, so that one may replace another."""


@click.command(epilog="Example: adjudicator pack friday -o friday.zip")
@RecordArgument
@OutOption
def pack(record: Path, out: str | None) -> None:
    """A record as one file: a plain zip, which verify, show, log and status read as it is.

    It leaves out sealed files that anybody can make again. Before the reveal it is for a host's or
    player's own backup.
    """
    source = record_of(record)
    held = kept(source)
    data = packs.write(held)
    target = f"{read_offer(source).name}.zip" if out is None else out
    write_out(target, data, like=_BEGINS)
    head = Ledger.read(packs.Pack.of(data)).last
    say(f"{target}: {len(held)} files, {len(data)} bytes", to=out)
    say(f"last entry {head.step}, {head.digest}: this digest names the whole game", to=out)
