"""`resend`: an entry once more."""

from __future__ import annotations

import os
from pathlib import Path

import click

from adjudicator.cli import shared
from adjudicator.cli.which import Located, is_duel
from adjudicator.core import bundles
from adjudicator.core.opening import read_offer
from adjudicator.store.record import Record
from orders.bundle import Bundle
from orders.errors import Missing, Refused
from orders.fields import EVERYONE


@click.command(cls=Located, duels=True, epilog="Example: adjudicator resend alice 3")
@click.argument("who", required=False)
@click.argument("step", required=False, metavar="[N|invite]")
@shared.OutOption
def resend(
    record: Path, seat: Path | None, who: str | None, step: str | None, out: str | None
) -> None:
    """An entry once more as a file, with the report of WHO; for `all` without a report.

    Without N it is the newest entry; 0 is the first one, and `invite` the invite. In a duel it goes
    without WHO, and is the block that you sent last, the same bytes.
    """
    if is_duel(record):
        from adjudicator.cli import duel

        if who is not None:
            raise click.UsageError(f"in a duel it is your last block: leave out {who!a}")
        duel.resend(record, out)
        return
    if who is None:
        raise click.UsageError("name WHO: a player, or all")
    target = shared.record_of(record)
    if step is not None and step != "invite" and not (step.isascii() and step.isdigit()):
        raise click.BadParameter(f"{step!a}: expected the number of an entry, or invite")
    game = read_offer(target).name
    if step == "invite":
        made: tuple[Bundle, ...] = (bundles.of_invite(target),)
        shared.check_out(out, like=shared.like_bundle("invite"))
    else:
        number = target.last_step() if step is None else int(step)
        made = _of_entry(target, number, None if who == EVERYONE else who)
    name = os.path.relpath(target.root.with_name(bundles.name(game, made[0])))
    if len(made) > 1 and out == "-":
        raise click.UsageError(f"entry {step} takes {len(made)} files: name them with -o")
    for count, one in enumerate(made, 1):
        part = f".{count}" if count > 1 else ""
        where = shared.write_bundle(
            one, None if out is None else f"{out}{part}", f"{name}{part}.txt"
        )
        shared.say(f"{where}: for {who}", to=out)


def _of_entry(record: Record, step: int | None, player: str | None) -> tuple[Bundle, ...]:
    """The bundles of an entry; raises Refused, which says what there is."""
    last = record.last_step()
    if step is None or last is None:
        raise Refused(
            "not-yet", "the game has not begun: there is only its invite", "say invite for a number"
        )
    if player is not None and player not in shared.ledger_of(record).opening.players:
        raise Refused("no-seat", f"nobody in this game is called {player!a}")
    if step > last:
        raise Refused("missing", f"there is no entry {step}", f"the last is {last}")
    try:
        return bundles.of_entry(record, step, player)
    except Missing as error:
        of_all = "the host's record has every report, a copy only its own seat's"
        hint = of_all if error.path.startswith("reports/") else ""
        raise Refused("missing", error.message, hint) from None
