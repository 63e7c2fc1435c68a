"""`git` for servers and CI: guard, textconv, workflow, secrets, page.

They are in the group of `cli/git.py`.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import click

from adjudicator.cli.shared import (
    AnyPath,
    FolderPath,
    InstallOption,
    RecordArgument,
    ledger_of,
    record_of,
    say,
    seat_in,
)
from adjudicator.core import opening
from adjudicator.core.source import LIMIT, read_or_none
from adjudicator.git import addresses, ci, hooks
from adjudicator.git import page as pages
from adjudicator.git import textconv as words
from adjudicator.install import FORMS, read_pin
from adjudicator.store import files
from adjudicator.store.record import Record
from orders.errors import Refused


def shown_path(path: Path) -> str:
    """A path in its shortest form from here."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


@click.command(
    short_help="Refuse pushes that must not enter a game's repository.",
    epilog="Example: adjudicator git guard --install /srv/friday.git",
)
@click.argument("ref", required=False)
@click.argument("old", required=False)
@click.argument("new", required=False)
@click.option(
    "--install", "target", type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Write a pre-receive hook into this bare repository.",
)  # fmt: skip
@click.pass_context
def guard(
    ctx: click.Context, ref: str | None, old: str | None, new: str | None, target: Path | None
) -> None:
    """Refuse pushes that must not enter a game's repository, each with a one-line reason.

    As a pre-receive hook it reads OLD NEW REF from standard input; as an update hook, or in CI, it
    takes REF OLD NEW (REF is `pull` for a pull request). Exits 1 if anything is refused.
    """
    if target is not None:
        say(f"{shown_path(hooks.install(target))}: runs adjudicator git guard on every push")
        return
    if ref is None:
        lines = sys.stdin.read().splitlines()
        rows = [tuple(line.split(" ", 2)) for line in lines]
    elif old is None or new is None:
        raise click.UsageError("expected REF OLD NEW, or nothing and lines on standard input")
    else:
        rows = [(old, new, ref)]
    faults = hooks.check(Path(), rows)
    for fault in faults:
        click.echo(f"refused: {fault}", err=True)
    ctx.exit(1 if faults else 0)


@click.command(
    short_help="Show a file of a record in words, for git diff.",
    epilog="Example: git config diff.adjudicator.textconv 'adjudicator git textconv'",
)
@click.argument("file", type=AnyPath)
@click.option("--seat", type=AnyPath, help="Open this seat's own reports.")
def textconv(file: Path, seat: Path | None) -> None:
    """Show FILE of a record in words, for `git diff` and `git log -p`.

    `git host` and `git play` set it up in their clones.
    """
    own = None
    with contextlib.suppress(Refused):
        own = None if seat is None else seat_in(seat)
    try:
        text = words.show(files.read(file, LIMIT), Record(Path.cwd()), own)
    except Refused as error:
        # git would end if its driver failed, whatever somebody pushed.
        text = f"not shown: {error.message}\n"
    click.echo(text, nl=False)


@click.command(
    short_help="Host: write ready workflow files for a site's CI.",
    epilog="Example: adjudicator git workflow github --record friday --host --install "
    "git+https://example.org/sealed-orders@0123456789abcdef0123456789abcdef01234567",
)
@click.argument("site", type=click.Choice(addresses.FORGES))
@click.option("--record", required=True, type=FolderPath)
@click.option("--host", "hosts", is_flag=True, help="The one that adjudicates too.")
@InstallOption
def workflow(site: str, record: Path, hosts: bool, install: str | None) -> None:
    """Host: write ready workflow files for SITE's CI into a record; the next sync pushes them.

    They install this program only from SPEC.
    """
    target = record_of(record, absolute=True)
    if install is None:
        raise Refused(
            "bad-option",
            "expected --install: the program runs beside the game's secrets, so its source must "
            "fix its exact bytes; nothing was written",
            f"--install {FORMS}",
        )
    for path, data in ci.workflows(site, read_pin(install), hosts=hosts).items():
        files.write(target.root / path, data)
        say(f"{record / path}: written")
    if hosts:
        say(ci.to_set(site, shown_path(target.host)))


@click.command(
    short_help="Host, in CI: the secrets from the environment.",
    epilog="Example: adjudicator git secrets .",
)
@RecordArgument
def secrets(record: Path) -> None:
    """Host, in CI: make RECORD.host from ADJUDICATOR_MASTER, _LETTERS and _KEY; prints none."""
    target = record_of(record, absolute=True)
    ci.write_secrets(target, os.environ)
    say(f"{shown_path(target.host)}: made from the environment")


@click.command(
    short_help="Host: a page with the board, which each sync keeps up to date.",
    epilog="Example: adjudicator git page friday",
)
@RecordArgument
def page(record: Path) -> None:
    """Host: write README.md, with the public board; from then on each sync writes it anew.

    It tells the news, who is awaited until when, and how to join and verify. To stop it, remove the
    file, or its first line.
    """
    target = record_of(record, absolute=True)
    ledger = None if target.last_step() is None else ledger_of(target)
    held = read_or_none(target, pages.README)
    if held is not None and not pages.is_page({pages.README: held}):
        where = f"{str(record / pages.README)!a}"
        raise Refused(
            "exists", f"{where} is a page of your own", "move it away, then do the same again"
        )
    for path, data in pages.of_ledger(opening.read_offer(target), ledger).items():
        files.write(target.root / path, data)
    say(
        f"{record / pages.README}: written; the next sync pushes it, and later ones keep it up "
        "to date"
    )


COMMANDS = (guard, textconv, workflow, secrets, page)
