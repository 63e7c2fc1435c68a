"""A player's mails, as the settings say how: the mailbox, and the ways by which mails leave."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

from adjudicator.cli import settings
from adjudicator.cli.shared import own_name, say, write_out
from adjudicator.mail import mailboxes, play_sync, player, senders
from adjudicator.mail.mailboxes import Mailbox
from adjudicator.mail.senders import NotSent, Sender
from adjudicator.player.seat import Seat
from adjudicator.store.record import Record
from orders.bundle import Bundle
from orders.errors import Refused


def mailbox(record: Path) -> Mailbox:
    """A player's mailbox, as the settings name it, from the game's beginning on; raises Refused."""
    source, begins = settings.get("mail-in", record), play_sync.begins(Record(record))
    return mailboxes.open_source(source or "", authorities(record), begins)


def way_out(record: Path | None) -> Sender | None:
    """The way to send mails that the settings name; None if they name none. Raises Refused."""
    named = settings.get("mail-out", record)
    return None if named is None else senders.open_sender(named, authorities(record))


def authorities(record: Path | None) -> Path | None:
    """The file of certificates to trust for TLS, if the settings name one."""
    named = settings.get("ca", record)
    return None if named is None else Path(named)


def mail(
    record: Record, bundle: Bundle, what: str, seat: Seat | None, me: str | None = None
) -> None:
    """Send a bundle to the host: by the mail server, by a program, or as a file; raises Refused.

    `me`: one's own address, if it is not the one that the host was told.
    """
    if me is None and (seat is None or seat.address() is None):
        me = settings.get("address", record.root)
    ready = player.wrap(record, bundle, what, None, me, seat=seat)
    if not leaves(record.root, bundle.digest, ready.sender, ready.to, ready.data):
        where = own_name(str(record.root.with_name(f"{ready.name}.eml")), ready.bundle)
        write_out(where, ready.data, like=b"Date: ")
        say(f"{os.path.relpath(where)}: the mail to {ready.to}, ready to send")


def leaves(root: Path, key: str, sender: str, to: str, data: bytes) -> bool:
    """Send a mail as the settings of that game say how; False if they name no way. Raises Refused.

    `key` names the mail.
    """
    program = settings.get("send", root)
    if program is not None:
        _run(program, to, data)
        return True
    way = way_out(root)
    if way is None:
        return False
    try:
        way.send(key, sender, to, data)
    except NotSent as error:
        raise Refused("busy", f"the mail is not sent: {error.fault}", "try again") from None
    finally:
        way.close()
    say(f"sent to {to}")
    return True


def _run(program: str, to: str, data: bytes) -> None:
    """Give a mail to a program; raises Refused."""
    command = shlex.split(program)
    try:
        done = subprocess.run(command, input=data.replace(b"\r\n", b"\n"), check=False, timeout=120)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Refused("bad-option", f"send = {program!a:.80}: {error!s:.120}") from None
    if done.returncode:
        raise Refused("bad-option", f"send = {program!a:.80}: exit code {done.returncode}")
    say(f"sent to {to} by {command[0]}")
