"""`git` for servers and CI: setup, board, and, called by git and CI only, guard, secrets."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from adjudicator.cli import settings
from adjudicator.cli.shared import FolderPath, ledger_of, record_of, say
from adjudicator.cli.which import HOST, GameOption, Located, find
from adjudicator.core import opening
from adjudicator.core.source import read_or_none
from adjudicator.git import ci, publish
from adjudicator.git import guard as hook
from adjudicator.install import FORMS, read_pin
from adjudicator.store import files
from orders.errors import Refused


def shown_path(path: Path) -> str:
    """A path in its shortest form from here."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


@click.command(hidden=True, epilog="Example: adjudicator git guard < pushes")
@click.pass_context
def guard(ctx: click.Context) -> None:
    """Refuse pushes that must not enter a game's repository, each with a one-line reason.

    It is the repository's pre-receive hook, and reads OLD NEW REF from standard input. Exits 1 if
    anything is refused.
    """
    # Whatever bytes and line ends of Unicode's a name holds, it is one name.
    given = sys.stdin.buffer.read().decode("utf-8", "backslashreplace")
    rows = [tuple(line.split(" ", 2)) for line in given.split("\n") if line]
    faults = hook.check(Path(), rows)
    for fault in faults:
        click.echo(f"refused: {fault}", err=True)
    ctx.exit(1 if faults else 0)


@click.command(
    short_help="Host: hooks and CI files for a site, or for a bare repository.",
    epilog="Example: adjudicator git setup github --host --install "
    "git+https://example.org/sealed-orders@0123456789abcdef0123456789abcdef01234567",
)
@click.argument("site", metavar="[github|gitlab|FOLDER]")
@GameOption
@click.option("--host", "hosts", is_flag=True, help="The CI that adjudicates too.")
@click.option(
    "--install", metavar="SPEC", envvar="ADJUDICATOR_INSTALL",
    help=f"The source from which others install this program: {FORMS}",
)  # fmt: skip
def setup(site: str, record: Path | None, hosts: bool, install: str | None) -> None:
    """Host: write ready workflow files for a site's CI into a record; the next sync pushes them.

    They install this program only from SPEC. With the FOLDER of a bare repository: a hook there
    that refuses pushes which must not enter a game.
    """
    if site not in ci.FORGES:
        if not Path(site).is_dir():
            known = ", ".join(ci.FORGES)
            raise click.UsageError(
                f"{site!a}: expected {known}, or the folder of a bare repository"
            )
        where = hook.install(Path(site))
        say(f"{shown_path(where)}: runs adjudicator git guard on every push")
        return
    record = find(record, None, HOST).record
    target = record_of(record, absolute=True)
    install = install or settings.get("install", record)
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
        known = "" if site == "github" else f", {ci.KNOWN_HOSTS}"
        say(
            f"secrets to set there: {ci.MASTER}, {ci.LETTERS} (files in "
            f"{shown_path(target.host)}), {ci.KEY}, {ci.DEPLOY_KEY} (may push){known}"
        )


@click.command(hidden=True, epilog="Example: adjudicator git secrets .")
@click.argument("record", type=FolderPath, default=".")
def secrets(record: Path) -> None:
    """Host, in CI: make RECORD.host from ADJUDICATOR_MASTER, _LETTERS and _KEY; prints none."""
    target = record_of(record, absolute=True)
    ci.write_secrets(target, os.environ)
    say(f"{shown_path(target.host)}: made from the environment")


@click.command(
    short_help="Host: a page with the board, which each sync keeps up to date.",
    epilog="Example: adjudicator git board",
    cls=Located,
    need=HOST,
)
def board(record: Path) -> None:
    """Host: write README.md, with the public board; from then on each sync writes it anew.

    It tells the news, who is awaited until when, and how to join and verify. To stop it, remove the
    file, or its first line.
    """
    target = record_of(record, absolute=True)
    ledger = None if target.last_step() is None else ledger_of(target)
    held = read_or_none(target, publish.README)
    if held is not None and not publish.is_page({publish.README: held}):
        where = f"{str(record / publish.README)!a}"
        raise Refused(
            "exists", f"{where} is a page of your own", "move it away, then do the same again"
        )
    for path, data in publish.page(opening.read_offer(target), ledger).items():
        files.write(target.root / path, data)
    say(
        f"{record / publish.README}: written; the next sync pushes it, and later ones keep it up "
        "to date"
    )


@click.group(
    commands=(setup, board, guard, secrets), epilog="Example: adjudicator git setup github --host"
)
def git() -> None:
    """Forges: hooks and CI files for a game's repository, and a README with the board."""
