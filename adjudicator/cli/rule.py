"""`rule`: a ruling is appended."""

from __future__ import annotations

from pathlib import Path

import click

from adjudicator.cli import shared
from adjudicator.cli.host import begun, desk_of, hand_out
from adjudicator.cli.which import HOST, Located
from adjudicator.core.link import counting
from adjudicator.host.host import Host
from orders.entries import Ruling


@click.command(
    cls=Located, need=HOST, epilog='Example: adjudicator rule --until 3d --reason "snow"'
)
@click.option("--annul", type=shared.Number(1), help="Annul entry N and all after it.")
@click.option("--until", metavar="TIME", help="Any later deadline for all who are awaited: 3d, ...")
@click.option("--end", "abandon", is_flag=True, help="End the game; the reveal follows.")
@click.option("--hand-on", "join", metavar="JOIN", help="Give the seat to the sender of this join.")
@click.option("--consent", metavar="FILE", help="The leaving player's consent.")
@click.option("--reason", required=True, help="The reason, for all to read.")
@shared.KeyOption
@shared.ClockOption
@shared.YesOption
@click.option(
    "-o", "--out", metavar="FOLDER", type=shared.FolderPath,
    help="The folder for the bundles; by default that of the record.",
)  # fmt: skip
def rule(
    record: Path, annul: int | None, until: str | None, abandon: bool, join: str | None,
    consent: str | None, reason: str, key: Path | None, clock_is_right: bool, yes: bool,
    out: Path | None,
) -> None:  # fmt: skip
    """Append a ruling: it annuls, moves deadlines, hands a seat on, or ends the game."""
    if annul is None and until is None and not abandon and join is None:
        raise click.UsageError("a ruling needs --annul, --until, --end or --hand-on")
    if (annul is not None) + abandon + (join is not None) > 1:
        raise click.UsageError("a ruling does one thing: --annul, --end or --hand-on")
    if consent is not None and join is None:
        raise click.UsageError("--consent goes with --hand-on")
    if until is not None and abandon:
        raise click.UsageError("a game that ends has no deadline: leave out --until")
    time = None if until is None else shared.moment(until, shared.now())
    shared.check_reason(reason)
    desk = desk_of(record, key, sure=clock_is_right)
    referee = begun(desk)
    counted = _counting(referee)
    if join is None:
        told = "the game ends, and is revealed" if abandon else f"entry {annul} is annulled, and "
        told += "" if abandon else "all after it"
        shared.agreed(f"{told if abandon or annul else 'The deadlines move'}. Sign that?", yes=yes)
        steps = referee.rule(Ruling(reason, annul, abandon), time)
    else:
        bundle = shared.read_bundle(join)
        agreement = None if consent is None else shared.read_bundle(consent, "consent")
        player = desk.room.read(bundle).player
        unsigned = f"{player} does not sign that, and verify will tell everybody to look at it. "
        told = "" if consent is not None else unsigned
        shared.agreed(f"The seat of {player} goes to another key. {told}Sign that?", yes=yes)
        steps = referee.hand_on(bundle, reason, agreement, time)
    hand_out(desk, steps, out)
    # What it has annulled, and what counts again because it annulled a ruling.
    counts = _counting(referee)
    for what, found in (
        ("no longer counts", counted - counts),
        ("counts again", counts - counted - set(steps)),
    ):
        if found:
            shared.say(f"{what}: entry {', '.join(map(str, sorted(found)))}")


def _counting(referee: Host) -> set[int]:
    return {link.step for link in counting(referee.last, referee.ledger.link)}
