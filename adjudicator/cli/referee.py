"""`referee`: a folder whose games are begun, hosted and told by mail, without anybody's hand."""

from __future__ import annotations

import time
from contextlib import ExitStack, chdir
from pathlib import Path

import click

from adjudicator.cli import host, office, settings, tell_error
from adjudicator.cli.shared import QuietOption
from adjudicator.cli.which import hosted
from adjudicator.store import files
from adjudicator.store.record import Record
from orders.errors import Refused


@click.command(epilog="Example: adjudicator referee games --every 1m")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--every", default="1m", show_default=True, metavar="TIME",
              help="How long to wait between two turns.")  # fmt: skip
@click.option("--once", is_flag=True, help="One turn, and no more.")
@QuietOption
@click.pass_context
def referee(ctx: click.Context, folder: Path, every: str, once: bool, quiet: bool) -> None:
    """Serve all games in FOLDER by mail, and let players begin games themselves.

    FOLDER/referee.toml holds the settings of the mailbox (address, mail-in, mail-out, as in
    `config`) and the rules of the house: allow, block, games, open, options, fastest, answer,
    pause, organisers, publish, site. Whoever writes `help` to the mailbox is told what to write.
    """
    pause = office.span("--every", every)
    if not (folder / settings.REFEREE).is_file():
        raise Refused(
            "missing", f"{str(folder / settings.REFEREE)!a} is not there",
            'write it: address = "games@example.org", and mail-in and mail-out, as in config',
        )  # fmt: skip
    with ExitStack() as stack:
        stack.enter_context(chdir(folder))
        if not once:
            # A second one on this folder goes on when the first one has ended.
            stack.enter_context(files.locked(Path().absolute(), waits=office.tell))
        while True:
            faults = left = 0
            try:
                here = Path().absolute()
                served = [one for one in hosted(here) if _is_served(one)]
                faults, left = office.turn(
                    served, late_is_told="", sure=False, quiet=quiet, again=False, folder=here
                )
            except (Refused, OSError) as error:
                if once:
                    raise
                tell_error(error)
            if once:
                ctx.exit(1 if faults else 0)
            time.sleep(0 if left else pause)


def _is_served(record: Record) -> bool:
    """Whether a game goes by mail, as far as its invite can be read: of one that does not hold the
    office says so, and serves all others."""
    try:
        return host.carrier(record) == "mail"
    except (Refused, OSError):
        return True
