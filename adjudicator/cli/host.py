"""The host's commands: `invite`, `start`, `submit`, `advance`, `rule`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import games
from adjudicator import files, host, story
from adjudicator.cli.shared import (
    RecordArgument,
    read_bundle,
    record_of,
    say,
    signer,
    write_bundle,
)
from adjudicator.clock import SystemClock
from adjudicator.host import Advanced, Host, Secrets
from adjudicator.host_folder import HostFolder
from adjudicator.record import Record
from games.game import Game
from games.options import OfferRefused, suggest
from orders.documents import read_receipt
from orders.entries import Ruling
from orders.errors import Refused
from orders.fields import is_time
from orders.secrets import draw_secret

OutOption = click.option("-o", "--out", metavar="FILE", help="Where to write; - is stdout.")


@click.command(epilog="Example: adjudicator invite sugar-dog --key host.key -o friday")
@click.argument("game")
@click.option("--key", required=True, type=click.Path(path_type=Path), help="Your SSH key.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game.")
@click.option("--preset", help="A named set of options, as adjudicator games lists them.")
@click.option("--table", type=click.Path(path_type=Path), help="A house table of your own.")
@click.option(
    "-o", "record", required=True, type=click.Path(path_type=Path), help="The record's folder."
)
def invite(
    game: str, key: Path, options: tuple[str, ...], preset: str | None, table: Path | None,
    record: Path,
) -> None:  # fmt: skip
    """Start a record of GAME with its invite, and your private folder RECORD.host beside it."""
    found = games.load(game)
    given = {**_preset(found, preset), **found.parse_options(options)}
    text = None if table is None else files.read(table, 2**16)
    secrets = Secrets(draw_secret(), draw_secret())
    target = Record(record)
    bundle = host.invite(target, found, given, text, signer(key), key, secrets, SystemClock())
    where = write_bundle(bundle, None, f"{record}-invite.txt")
    say(f"{record}: the record, public at any time")
    say(f"{target.host}: your secrets. Back it up: without it the game can neither go on nor end")
    say(f"{where}: the invite, for the players")


def _preset(game: Game[Any, Any], name: str | None) -> dict[str, Any]:
    if name is None:
        return {}
    if name not in game.presets:
        known = ", ".join(game.presets) or "none"
        raise OfferRefused(
            f"{game.id} has no preset {name!r}; it has {known}{suggest(name, game.presets)}"
        )
    return dict(game.presets[name])


@click.command(epilog="Example: adjudicator start friday alice-join.txt bob-join.txt")
@RecordArgument
@click.argument("joins", nargs=-1, required=True)
@OutOption
def start(record: Path, joins: tuple[str, ...], out: str | None) -> None:
    """Seat the players in the order of their JOINs: genesis. The game begins."""
    target = record_of(record)
    key = signer(HostFolder(target.host).key_path())
    bundle = host.start(target, [read_bundle(path) for path in joins], key, SystemClock())
    where = write_bundle(bundle, out, f"{record}-0000.txt")
    HostFolder(target.host).mark_sent(0)
    say(f"{where}: the genesis, for the players", to=out)
    for line in story.whose_turn(target):
        say(line, to=out)


def open_host(record: Path) -> Host:
    """The host's side of a record; raises Refused."""
    target = record_of(record)
    folder = HostFolder(target.host)
    folder.master()
    return Host(target, signer(folder.key_path()), SystemClock())


@click.command(epilog="Example: adjudicator submit friday alice-0001-1.txt")
@RecordArgument
@click.argument("bundle")
@OutOption
@click.pass_context
def submit(ctx: click.Context, record: Path, bundle: str, out: str | None) -> None:
    """Take in an order BUNDLE and write the receipt that answers it.

    Exits 1 where the receipt does not accept.
    """
    answer = open_host(record).submit(read_bundle(bundle))
    receipt = read_receipt(answer.files[0][1])
    name = f"{receipt.player}-{receipt.step:04d}-{receipt.revision}"
    where = write_bundle(answer, out, f"{name}-receipt.txt")
    say(f"{name}: {receipt.status}", to=out)
    say(f"{where}: the receipt, for {receipt.player}", to=out)
    ctx.exit(0 if receipt.status == "accepted" else 1)


@click.command(epilog="Example: adjudicator advance friday --late")
@RecordArgument
@click.option("--late", is_flag=True, help="Go on without who is overdue.")
@OutOption
def advance(record: Path, late: bool, out: str | None) -> None:
    """Adjudicate when all are in; after the end append the reveal as well."""
    referee = open_host(record)
    try:
        advanced = referee.advance(late=late)
    except Refused as error:
        advanced = referee.unsent()
        if error.word not in ("not-yet", "over") or not advanced.steps:
            raise
    _tell(referee, advanced, record, out)


def _tell(referee: Host, advanced: Advanced, record: Path, out: str | None) -> None:
    game = referee.opening.game
    for step, bundle in zip(advanced.steps, advanced.bundles, strict=True):
        # A second bundle of one run (the reveal) gets a file of its own.
        target = out if step == advanced.steps[0] else None
        where = write_bundle(bundle, target, f"{record}-{step:04d}.txt")
        say(f"{where}: entry {step}, for the players", to=out)
    referee.folder.mark_sent(advanced.steps[-1])
    link = referee.link()
    for event in getattr(referee.entry(advanced.steps[0]), "events", ()):
        say(f"  {game.news(event)}", to=out)
    for name, prompt in link.clocks.awaited.items():
        say(f"awaited: {name} for {prompt.what}, until {prompt.until}", to=out)


@click.command(
    epilog='Example: adjudicator rule friday --until 2026-12-01T00:00:00Z --reason "snow"'
)
@RecordArgument
@click.option("--annul", type=int, metavar="N", help="Annul entry N and all after it.")
@click.option("--until", metavar="TIME", help="A later deadline for all who are awaited, in UTC.")
@click.option("--abandon", is_flag=True, help="End the game; the reveal follows.")
@click.option("--reason", required=True, help="Why, for all to read.")
@OutOption
def rule(
    record: Path, annul: int | None, until: str | None, abandon: bool, reason: str, out: str | None
) -> None:
    """Append a ruling: an entry that annuls, moves deadlines, or ends the game."""
    if annul is None and until is None and not abandon:
        raise click.UsageError("a ruling needs --annul, --until or --abandon")
    if until is not None and not is_time(until):
        raise click.BadParameter(f"{until!a}: expected a time such as 2026-12-01T00:00:00Z")
    if not reason.isascii() or not reason.isprintable() or not 0 < len(reason) <= 500:
        raise Refused("malformed", "--reason: expected 1 to 500 printable ASCII characters")
    referee = open_host(record)
    _tell(referee, referee.rule(Ruling(reason, annul, abandon), until), record, out)
