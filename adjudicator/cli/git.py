"""`git`: play by git. Each command parses, calls one function and prints."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import sleep

import click

from adjudicator.cli.shared import (
    InstallOption,
    ledger_of,
    open_seat,
    reader,
    record_of,
    say,
    seat_in,
    signer,
    warn,
)
from adjudicator.core import opening
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import LIMIT, read_or_none
from adjudicator.git import access as servers
from adjudicator.git import addresses, ci, hooks, hour, setup
from adjudicator.git import page as pages
from adjudicator.git import textconv as words
from adjudicator.git.host_sync import HostSync, Synced
from adjudicator.git.play_sync import PlaySync
from adjudicator.git.process import Repo
from adjudicator.host.folder import HostFolder
from adjudicator.install import FORMS, read_pin
from adjudicator.player.seat import Seat
from adjudicator.player.taken import Taken
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify as verify_record
from adjudicator.words import story
from orders.documents import Private
from orders.errors import Refused
from orders.secrets import draw_secret

RecordOption = click.option(
    "--record", type=click.Path(path_type=Path, file_okay=False),
    help="The record's folder; without it named as the repository is.",
)  # fmt: skip


@click.group(epilog="Example: adjudicator git play git@example.org:friday.git --seat alice.seat")
def git() -> None:
    """Play by git: a remote repository is where host and players meet.

    Host: host, start, sync, page. Player: play, sync. Server and CI: guard, access, workflow,
    secrets, badge.
    """


def _shown(path: Path) -> str:
    """A path as short as it can be told here."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def _record(url: str, record: Path | None) -> Record:
    if record is not None:
        return Record(record.absolute())
    name = (
        addresses.without_users(url)
        .rstrip("/")
        .rpartition("/")[2]
        .rpartition(":")[2]
        .removesuffix(".git")
    )
    if not name:
        raise click.UsageError("name the record's folder with --record")
    return Record(Path(name).absolute())


@git.command(
    short_help="Host: publish a record at a repository.",
    epilog="Example: adjudicator git host git@example.org:friday.git --record friday",
)
@click.argument("repo")
@RecordOption
def host(repo: str, record: Path | None) -> None:
    """Host: publish a record, begun with `adjudicator invite`, at the repository REPO."""
    target = record_of(_record(repo, record).root)
    folder = HostFolder(target.host)
    folder.master()
    setup.host(target, repo, folder.key_path())
    _tell_host(_host_sync(target), lambda sync: sync.sync())
    shown = addresses.without_users(repo)
    say(f"{_shown(target.root)}: published at {shown}")
    say(f"for the players: adjudicator git play {shown} --seat NAME.seat --key KEY")


def _host_sync(record: Record) -> HostSync:
    return HostSync(record, signer(HostFolder(record.host).key_path()), SystemClock())


@git.command(
    short_help="Host: seat the players who joined; the game begins.",
    epilog="Example: adjudicator git start friday alice bob",
)
@click.argument("record", type=click.Path(path_type=Path, file_okay=False))
@click.argument("players", nargs=-1, required=True)
def start(record: Path, players: tuple[str, ...]) -> None:
    """Host: genesis with the joins that PLAYERS pushed, in this order.

    Where two keys ask for one name, the host says which: NAME=SHA256:...
    """
    _tell_host(_host_sync(record_of(record, absolute=True)), lambda sync: sync.start(players))


@git.command(
    short_help="Player: clone a game, take a seat, join.",
    epilog="Example: adjudicator git play git@example.org:friday.git --seat alice.seat",
)
@click.argument("repo")
@click.option("--seat", type=click.Path(path_type=Path), help="Your seat folder; made if need be.")
@click.option("--name", help="Your name in the game; without it as the seat folder is named.")
@click.option("--key", type=click.Path(path_type=Path), help="Your SSH key, to take a seat.")
@click.option("--token", help="The token of your invitation, where seats are reserved.")
@click.option("--fork", metavar="URL", help="Your fork of REPO, where you may push.")
@RecordOption
@click.pass_context
def play(
    ctx: click.Context, repo: str, seat: Path | None, name: str | None, key: Path | None,
    token: str | None, fork: str | None, record: Path | None,
) -> None:  # fmt: skip
    """Player: clone the game at REPO, take a seat in it, and join.

    Without --seat a clone to look on from. With --fork you push there, and open one pull request
    from its branch players/NAME: you need no right to push to REPO.
    """
    target = _record(repo, record)
    private = Private(token=token)
    if token is not None:
        private.render()
    there = setup.clone(target, repo, fork)
    looking = PlaySync(target, None, None, SystemClock())
    taken = looking.sync()
    own = None if seat is None else _seat(target, seat, name, key)
    who = "spectator" if own is None else own.player
    setup.configure(there, who, None if own is None else own.key_path, seat)
    sync = looking
    if own is not None:
        sync = PlaySync(target, own, (own.signer() or signer(own.key_path)), SystemClock(), private)
        joined = sync.sync()
        taken.lines += joined.lines
        taken.warnings += joined.warnings
    say(f"{_shown(target.root)}: your copy of the record")
    ctx.exit(_tell_player(sync, taken))


def _seat(record: Record, path: Path, name: str | None, key: Path | None) -> Seat:
    if path.exists():
        return seat_in(path)
    if key is None:
        raise click.UsageError(f"{path} is not there: name your SSH key with --key to take a seat")
    chosen = name or path.name.removesuffix(".seat")
    offer = opening.read_offer(record)
    if record.last_step() is not None:
        raise Refused("no-seat", "the game has begun: no seat can be taken any more")
    opening.check_player(offer, chosen, signer(key).public)
    seat = Seat.create(path, chosen, offer.digest, key, draw_secret())
    say(f"{path}: your seat, private. Back it up: without it you can neither see nor order")
    return seat


@git.command(
    short_help="Pull, take in or hand in, adjudicate when due, push.",
    epilog="Example: adjudicator git sync friday --at 18:00",
)
@click.argument("record", type=click.Path(path_type=Path, file_okay=False))
@click.option("--seat", type=click.Path(path_type=Path), help="If not the one that play set up.")
@click.option("--late", is_flag=True, help="Host: go on without who is overdue.")
@click.option("--at", "at", metavar="HH:MM", help="Wait for this hour (UTC) before anything.")
@click.pass_context
def sync(ctx: click.Context, record: Path, seat: Path | None, late: bool, at: str | None) -> None:
    """Pull, take in, push. The host adjudicates when due; a player hands in what was ordered.

    A player's orders are what `adjudicator order` last wrote into the seat for the coming step.
    Exits 1 where something is amiss with what came.
    """
    target = record_of(record, absolute=True)
    repo = Repo(target.root)
    if at is not None:
        left = hour.seconds_until(SystemClock().now(), at)
        say(f"waiting {left} seconds, until {at} UTC")
        sleep(left)
    own = open_seat(seat) or setup.seat_of(repo)
    if own is None and target.host.is_dir():
        _tell_host(_host_sync(target), lambda sync: sync.sync(late=late))
        return
    key_holder = None if own is None else (own.signer() or signer(own.key_path))
    playing = PlaySync(target, own, key_holder, SystemClock())
    ctx.exit(_tell_player(playing, playing.sync()))


def _tell_host(sync: HostSync, act: Callable[[HostSync], Synced]) -> None:
    synced = act(sync)
    ledger = None if sync.referee is None else sync.referee.ledger
    setup.allow_signers(sync.repo, sync.offer, ledger)
    for line in synced.lines:
        say(line)
    if ledger is not None:
        _tell_steps(ledger, synced.steps)


def _tell_player(sync: PlaySync, taken: Taken) -> int:
    ledger = None if sync.record.last_step() is None else sync.copy.ledger
    setup.allow_signers(sync.repo, opening.read_offer(sync.record), ledger)
    for line in taken.lines:
        say(line)
    if ledger is not None:
        _tell_steps(ledger, taken.steps[-10:])
    for warning in dict.fromkeys(taken.warnings):
        warn(warning)
    return 1 if taken.warnings else 0


def _tell_steps(ledger: Ledger, steps: Sequence[int]) -> None:
    for step in steps:
        entry = ledger.link(step).entry
        say(f"entry {step}: {story.title(entry)}")
        for line in story.heard(ledger.opening, entry) if entry.ruling is None else ():
            say(f"  {line}")
    for line in story.whose_turn(ledger.last.entry, reader()) if steps else ():
        say(line)


@git.command(
    short_help="Refuse what must not enter a game's repository.",
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
    """Refuse what must not enter a game's repository, each with a one-line reason.

    As a pre-receive hook it reads OLD NEW REF from standard input; as an update hook, or in CI, it
    takes REF OLD NEW (REF is `pull` for a pull request). Exits 1 if anything is refused.
    """
    if target is not None:
        say(f"{_shown(hooks.install(target))}: runs adjudicator git guard on every push")
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


@git.command(
    short_help="Access rules for a server, as files to apply.",
    epilog="Example: adjudicator git access gitolite alice bob --host carl --repo friday -o access",
)
@click.argument("site", type=click.Choice(servers.SITES))
@click.argument("players", nargs=-1)
@click.option("--host", default="", help="gitolite: the host's account.")
@click.option("--repo", default="", help="gitolite: the repository's name there.")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path, file_okay=False))
def access(site: str, players: tuple[str, ...], host: str, repo: str, out: Path) -> None:
    """Write the rules by which the host pushes main and receipts, and a player their own branch.

    gitolite needs the names of PLAYERS; NAME=ACCOUNT where the account is called otherwise.
    """
    accounts = {name: account or name for name, _, account in (p.partition("=") for p in players)}
    for file, text in servers.rules(site, repo, host, accounts).items():
        files.write(out / file, text.encode())
        say(f"{out / file}: {servers.HOW[site].format(file=file)}")


@git.command(
    short_help="Show a file of a record in words, for git diff.",
    epilog="Example: git config diff.adjudicator.textconv 'adjudicator git textconv'",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--seat", type=click.Path(path_type=Path), help="Open this seat's own reports.")
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
        # git ends where its driver fails, whatever somebody pushed.
        text = f"not shown: {error.message}\n"
    click.echo(text, nl=False)


@git.command(
    short_help="Host: write ready workflow files for a site's CI.",
    epilog="Example: adjudicator git workflow github --record friday --host --install "
    "git+https://example.org/sealed-orders@0123456789abcdef0123456789abcdef01234567",
)
@click.argument("site", type=click.Choice(ci.SITES))
@click.option("--record", required=True, type=click.Path(path_type=Path, file_okay=False))
@click.option("--host", "hosts", is_flag=True, help="The one that adjudicates too.")
@InstallOption
def workflow(site: str, record: Path, hosts: bool, install: str | None) -> None:
    """Host: write ready workflow files for SITE's CI into a record; the next sync pushes them.

    They install this program from SPEC, and from nowhere else.
    """
    target = record_of(record, absolute=True)
    if install is None:
        raise Refused(
            "bad-option",
            "expected --install: what a workflow installs runs beside the game's secrets, so its "
            "source must name the very bytes; nothing was written",
            f"--install {FORMS}",
        )
    for path, data in ci.workflows(site, read_pin(install), hosts=hosts).items():
        files.write(target.root / path, data)
        say(f"{record / path}: written")
    if hosts:
        say(ci.to_set(site, _shown(target.host)))


@git.command(
    short_help="Host, in CI: the secrets from the environment.",
    epilog="Example: adjudicator git secrets .",
)
@click.argument("record", type=click.Path(path_type=Path, file_okay=False))
def secrets(record: Path) -> None:
    """Host, in CI: make RECORD.host from ADJUDICATOR_MASTER, _LETTERS and _KEY; prints none."""
    target = record_of(record, absolute=True)
    ci.write_secrets(target, os.environ)
    say(f"{_shown(target.host)}: made from the environment")


@git.command(
    short_help="Host: a page with the board, kept true by each sync.",
    epilog="Example: adjudicator git page friday",
)
@click.argument("record", type=click.Path(path_type=Path, file_okay=False))
def page(record: Path) -> None:
    """Host: write README.md, with the public board; from then on each sync writes it anew.

    It tells the news, who is awaited until when, and how to join and verify. Remove it, or its
    first line, to have it no longer.
    """
    target = record_of(record, absolute=True)
    ledger = None if target.last_step() is None else ledger_of(target)
    held = read_or_none(target, pages.README)
    if held is not None and not pages.is_page({pages.README: held}):
        where = f"{str(record / pages.README)!a}"
        raise Refused("exists", f"{where} is a page of your own", "move it away, then again")
    for path, data in pages.of_ledger(opening.read_offer(target), ledger).items():
        files.write(target.root / path, data)
    say(f"{record / pages.README}: written; the next sync pushes it, and keeps it true")


@git.command(
    short_help="The verdict as a small picture.",
    epilog="Example: adjudicator git badge . -o badge.svg",
)
@click.argument("record", type=click.Path(path_type=Path, file_okay=False))
@click.option("-o", "--out", metavar="FILE", required=True, help="Where to write; - is stdout.")
def badge(record: Path, out: str) -> None:
    """Verify RECORD and write the verdict as a small picture."""
    picture = ci.badge(verify_record(record_of(record, absolute=True)))
    if out == "-":
        click.echo(picture, nl=False)
        return
    files.write(Path(out), picture.encode())
    say(f"{out}: the badge")
