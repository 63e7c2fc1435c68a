"""What a host's mail commands share: the desk of a record, the outbox, and waiting for both."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import click

from adjudicator.cli.shared import now, record_of, signer
from adjudicator.host.folder import HostFolder
from adjudicator.mail.desk import Desk
from adjudicator.mail.mime import check_address
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from orders.errors import Refused

BUSY_SECONDS = 30

AddressOption = click.option(
    "--address", required=True, envvar="ADJUDICATOR_MAIL_ADDRESS", help="The host's mail address."
)


def desk_of(record: Path, address: str) -> Desk:
    """The desk of a record that this machine hosts; raises Missing or Refused."""
    if check_address(address) is None:
        raise Refused("bad-option", f"--address {address!a:.80} is no mail address")
    target = record_of(record)
    folder = HostFolder(target.host)
    folder.master()
    return Desk(target, signer(folder.key_path()), SystemClock(), address)


def locked(folder: Path, work: Callable[[], int]) -> int:
    """Do the work once nobody else works in those folders; it waits for other processes for a
    while."""
    files.make_folder(folder, 0o700)
    for left in range(BUSY_SECONDS, -1, -1):
        try:
            with files.locked(folder):
                return work()
        except Refused as error:
            if error.word != "busy" or not left:
                raise
            time.sleep(1)
    raise AssertionError


def tell(line: str) -> None:
    """Print a line for logs."""
    click.echo(f"{now()} {line}", err=True)
