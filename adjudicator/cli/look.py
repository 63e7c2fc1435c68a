"""Looking at a record: `show`, `log`, `status`, `bundle`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from adjudicator import bundles, files, opening, story
from adjudicator.cli.shared import (
    RecordArgument,
    open_seat,
    record_of,
    say,
    say_json,
    write_bundle,
)
from adjudicator.clock import SystemClock
from adjudicator.player import Seated
from adjudicator.record import Record
from orders.errors import Missing, Refused

AtOption = click.option(
    "--at", metavar="REV", help="As a commit of the record's repository has it."
)


def _at(path: Path, revision: str | None) -> Record:
    """The record in a folder, or in a commit of its repository; raises Refused."""
    if revision is None:
        return record_of(path)
    from adjudicator.git.tree import record_at

    return record_at(path, revision)


@click.command(epilog="Example: adjudicator show friday --seat alice.seat --svg board.svg")
@RecordArgument
@click.option("--seat", type=click.Path(path_type=Path), help="As this seat may see it.")
@click.option("--step", type=int, metavar="N", help="As entry N left it; without it the last.")
@click.option("--svg", metavar="FILE", help="The board as a picture; - is stdout.")
@AtOption
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def show(
    record: Path, seat: Path | None, step: int | None, svg: str | None, at: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """The board and news: with a seat its own, without the public news, after the reveal all."""
    target = _at(record, at)
    own = open_seat(seat)
    seen = (
        story.seen_by_all(target, step) if own is None else story.seen_by(Seated(target, own), step)
    )
    if svg is not None:
        if not seen.boards:
            raise Refused("no-board", "without a seat there is no board before the reveal")
        data = seen.svg().encode()
        if svg == "-":
            sys.stdout.buffer.write(data)
        else:
            files.write(Path(svg), data)
            say(f"{svg}: the board after entry {seen.step}")
        return
    if as_json:
        say_json(seen.json())
        return
    click.echo("\n".join(seen.lines()))


@click.command(epilog="Example: adjudicator log friday --at HEAD~3")
@RecordArgument
@AtOption
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def log(record: Path, at: str | None, as_json: bool) -> None:
    """The story so far: every entry with its time and public news."""
    target = _at(record, at)
    told = list(story.chapters(target))
    if as_json:
        say_json(told)
        return
    for chapter in told:
        click.echo(f"{chapter['step']:>4}  {chapter['time']}  {chapter['title']}")
        for line in chapter["news"]:
            click.echo(f"      {line}")


@click.command(epilog="Example: adjudicator status friday")
@RecordArgument
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def status(record: Path, as_json: bool) -> None:
    """Whose orders are awaited, for what and until when."""
    told: dict[str, Any] = story.status(record_of(record))
    if as_json:
        say_json(told)
        return
    click.echo(f"game {told['game']}" if told["game"] else "no game yet")
    last = "no entry" if told["step"] is None else f"last entry {told['step']}"
    click.echo(f"{told['rules']}, {last}: {told['state']}")
    now = SystemClock().now()
    for name, prompt in told["awaited"].items():
        late = " (overdue)" if prompt["until"] < now else ""
        click.echo(f"awaited: {name} for {prompt['for']}, until {prompt['until']}{late}")


@click.command(epilog="Example: adjudicator bundle friday 3 -o entry-3.txt")
@RecordArgument
@click.argument("step", required=False, metavar="[N|invite]")
@click.option("-o", "--out", metavar="FILE", help="Where to write; - is stdout.")
def bundle(record: Path, step: str | None, out: str | None) -> None:
    """What the invite, the genesis (0) or entry N added, as one bundle; without N the newest."""
    target = record_of(record)
    last = target.last_step()
    if step is not None and step != "invite" and not (step.isascii() and step.isdigit()):
        raise click.BadParameter(f"{step!a}: expected the number of an entry, or invite")
    number = last if step is None else None if step == "invite" else int(step)
    if number is None:
        opening.read_offer(target)
        made, name = bundles.of_invite(target), f"{record}-invite.txt"
    else:
        try:
            made, name = bundles.of_entry(target, number), f"{record}-{number:04d}.txt"
        except Missing as error:
            raise Refused("missing", error.message, f"the last entry is {last}") from None
    say(f"{write_bundle(made, out, name)}: {len(made.files)} files", to=out)
