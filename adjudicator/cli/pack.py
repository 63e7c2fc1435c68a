"""`adjudicator pack`: a record as one file, to be mailed, kept or verified."""

from __future__ import annotations

from pathlib import Path

import click

from adjudicator.cli.shared import OutOption, record_of, say, write_out

_BEGINS = b"PK\3\4"
"""How every pack begins, so that one may replace another."""


@click.command(epilog="Example: adjudicator pack friday -o friday.zip")
@click.argument("record", type=click.Path(path_type=Path, file_okay=False))
@OutOption
def pack(record: Path, out: str | None) -> None:
    """A record as one file: a plain zip, which verify, show, log and status read as it is.

    Sealed files that anybody can make again stay out of it. Before the reveal it is for a host's or
    player's own backup: only what lies in the folder can be packed.
    """
    from adjudicator.core.ledger import Ledger
    from adjudicator.store import pack as packs
    from adjudicator.verifier.packing import kept

    source = record_of(record)
    held = kept(source)
    data = packs.write(held)
    target = f"{source.root.name}.zip" if out is None else out
    write_out(target, data, like=_BEGINS)
    head = Ledger.read(packs.Pack.of(data)).last
    say(f"{target}: {len(held)} files, {len(data)} bytes", to=out)
    say(f"last entry {head.step}, {head.digest}: whoever quotes it names this game", to=out)
