"""`mail`: play by email, for hosts and for players."""

from __future__ import annotations

import click

from adjudicator.cli import mail_host, mail_player, mail_serve

COMMANDS = (
    mail_serve.serve,
    mail_host.invite,
    mail_host.joins,
    mail_host.drop,
    mail_host.start,
    mail_host.say_,
    mail_host.moved,
    mail_host.letters,
    mail_serve.outbox,
    mail_serve.log,
    mail_player.read,
    mail_player.sync,
    mail_player.wrap,
    mail_player.message,
    mail_player.absence,
    mail_player.address,
    mail_player.shown,
)


@click.group(commands=COMMANDS, epilog="Example: adjudicator mail read < message")
def mail() -> None:
    """Play by email: `serve` for hosts, `sync` or `read`, and `order --mail`, for players."""
