"""`consent`: a seat that is handed on."""

from __future__ import annotations

from pathlib import Path

import click

from adjudicator.cli import shared
from adjudicator.cli.keys import own_signer
from adjudicator.cli.play import seated
from adjudicator.cli.which import SEAT, Located
from adjudicator.player import seated as player
from orders.errors import at


@click.command(
    cls=Located, need=SEAT, epilog="Example: adjudicator consent friday-dora-join.txt"
)  # fmt: skip
@click.argument("join")
@shared.KeyOption
@shared.OutOption
def consent(record: Path, seat: Path, join: str, key: Path | None, out: str | None) -> None:
    """Agree that the player of a new JOIN takes your seat; the host rules on it. Whoever orders
    again has withdrawn that."""
    own = seated(record, shared.seat_in(seat))
    bundle = shared.read_bundle(join, "join")
    name = f"{own.opening.offer.name}-{own.seat.player}-consent.txt"
    shared.check_out(out or name, like=shared.like_bundle("consent"))
    with at(ascii(join)):
        own.successor(bundle)
    target = shared.write_bundle(
        player.consent(own.ledger, own_signer(own, key), bundle), out, name
    )
    shared.say(
        f"{target}: your consent; the key of {join} takes the seat of {own.seat.player}", to=out
    )
