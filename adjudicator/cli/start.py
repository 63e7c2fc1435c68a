"""`start`: who joined is seated, and the game begins."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from adjudicator.cli import shared
from adjudicator.cli.host import desk_of
from adjudicator.cli.which import HOST, Located
from adjudicator.core.opening import read_offer
from adjudicator.host.desk import Desk
from adjudicator.words import story
from orders.bundle import Bundle
from orders.errors import Refused
from orders.public_key import read_public


@click.command(cls=Located, need=HOST, epilog="Example: adjudicator start")
@click.argument("names", metavar="[NAME|JOIN]...", nargs=-1)
@shared.KeyOption
@shared.YesOption
@shared.OutOption
def start(
    record: Path, names: tuple[str, ...], key: Path | None, yes: bool, out: str | None
) -> None:
    """Seat who joined: those named, in this order, or all in order of arrival. The game begins.

    In a match seats are in the order of the invitations. A file with a join counts as its player's
    name. By git all are seated in the order of their names, and NAME=SHA256:... tells two keys
    apart that ask for one name.
    """
    target = shared.record_of(record)
    if (target.root / ".git").exists():
        from adjudicator.cli.repository import start_by_git

        start_by_git(target, names, yes=yes)
        return
    offer = read_offer(target)
    name = str(target.root.with_name(f"{offer.name}-0000.txt"))
    shared.check_out(out or name, like=shared.like_bundle("entry"))
    again = target.last_step() is not None
    desk = desk_of(record, key, sure=True)
    given = desk.room.seated(_joins(desk, names, again=again))
    if not again:
        for bundle in given:
            join = desk.room.read(bundle)
            shared.say(f"  {join.player}  {read_public(join.key).fingerprint}", to=out)
        shared.agreed("Begin with these players, in this order?", yes=yes, default=True)
    where = shared.write_bundle(desk.start(given), out, name)
    desk.folder.mark_sent(0)
    if again:
        shared.say("the game has begun already, with these players", to=out)
    shared.say(f"{where}: entry 0, for everybody", to=out)
    if not again:
        shared.say(*story.whose_turn(desk.begun().last.entry, shared.reader()), to=out)


def _joins(desk: Desk, names: Sequence[str], *, again: bool) -> list[Bundle]:
    """The joins of those named, or all that wait; raises Refused."""
    room = desk.room
    held = [
        shared.read_bundle(one, "join") if Path(one).exists() and not Path(one).is_dir() else None
        for one in names
    ]
    if again:
        players = desk.begun().opening.players
        strange = [one for one in names if not Path(one).is_file() and one not in players]
        if strange:
            raise Refused("exists", f"the game has begun without {strange[0]!a}")
        return [bundle for bundle in held if bundle is not None]
    chosen = [
        one if bundle is None else room.take(bundle).player
        for one, bundle in zip(names, held, strict=True)
    ]
    waiting = {room.read(bundle).player: bundle for bundle in room.bundles()}
    lacking = [one for one in chosen if one not in waiting]
    if lacking:
        raise Refused(
            "missing",
            f"no join of {lacking[0]!a} is here; joined so far: {', '.join(waiting) or 'nobody'}",
        )
    if len(set(chosen)) < len(chosen):
        raise Refused("malformed", "two joins of one player are named")
    return [waiting[one] for one in chosen or waiting]
