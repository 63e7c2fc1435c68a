"""`git`: play by git.

`cli/git_server.py` has the commands for servers and CI.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from adjudicator.cli import git_server
from adjudicator.cli.git_server import shown_path
from adjudicator.cli.shared import (
    AnyPath,
    FolderPath,
    RecordArgument,
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
from adjudicator.git import addresses, setup
from adjudicator.git.host_sync import HostSync, Synced
from adjudicator.git.play_sync import PlaySync
from adjudicator.git.process import Repo
from adjudicator.host.folder import HostFolder
from adjudicator.player.seat import Seat
from adjudicator.player.table import Taken
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words import story
from orders.documents import Private
from orders.errors import Refused
from orders.secrets import draw_secret

RecordOption = click.option(
    "--record", type=FolderPath,
    help="The record's folder; by default named like the repository.",
)  # fmt: skip


@click.group(
    commands=git_server.COMMANDS,
    epilog="Example: adjudicator git play git@example.org:friday.git --seat alice.seat",
)
def git() -> None:
    """Play by git: a remote repository is where host and players meet.

    Host: host, start, sync, page. Player: play, sync. Server and CI: guard, workflow,
    secrets.
    """


def _record(url: str, record: Path | None) -> Record:
    if record is not None:
        return Record(record.absolute())
    name = re.split("[/:]", addresses.without_users(url).rstrip("/"))[-1].removesuffix(".git")
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
    shown = addresses.to_share(repo)
    say(f"{shown_path(target.root)}: published at {shown}")
    say(f"for the players: adjudicator git play {shown} --seat NAME.seat --key KEY")


def _host_sync(record: Record, *, sure: bool = False) -> HostSync:
    holder = signer(HostFolder(record.host).key_path())
    # Not on stderr: in CI players can read that, and it would tell them whose orders are in.
    return HostSync(record, holder, SystemClock(), None if sure else say)


@git.command(
    short_help="Host: seat the players who joined; the game begins.",
    epilog="Example: adjudicator git start friday alice bob",
)
@RecordArgument
@click.argument("players", nargs=-1, required=True)
def start(record: Path, players: tuple[str, ...]) -> None:
    """Host: genesis with the joins that PLAYERS pushed, in this order.

    If two keys ask for one name, say which you mean: NAME=SHA256:...
    """
    _tell_host(_host_sync(record_of(record, absolute=True)), lambda sync: sync.start(players))


@git.command(
    short_help="Player: clone a game, take a seat, join.",
    epilog="Example: adjudicator git play git@example.org:friday.git --seat alice.seat",
)
@click.argument("repo")
@click.option("--seat", type=AnyPath, help="Your seat folder; it is made if need be.")
@click.option("--name", help="Your name in the game; by default that of the seat folder.")
@click.option("--key", type=AnyPath, help="Your SSH key, to take a seat.")
@click.option("--token", help="The token of your invitation, if seats are reserved.")
@click.option("--fork", metavar="URL", help="Your fork of REPO, where you may push.")
@RecordOption
@click.pass_context
def play(
    ctx: click.Context, repo: str, seat: Path | None, name: str | None, key: Path | None,
    token: str | None, fork: str | None, record: Path | None,
) -> None:  # fmt: skip
    """Player: clone the game at REPO, take a seat in it, and join.

    Without --seat it makes a clone for a spectator. With --fork you push to your fork, and open one
    pull request from its branch players/NAME: you need no right to push to REPO.
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
    say(f"{shown_path(target.root)}: your copy of the record")
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
    epilog="Example: adjudicator git sync friday",
)
@RecordArgument
@click.option("--seat", type=AnyPath, help="Your seat, if not the one that play set up.")
@click.option("--late", is_flag=True, help="Host: go on without overdue players.")
@click.option(
    "--clock-is-right", is_flag=True,
    help="Host: sign though other times differ from this clock's.",
)  # fmt: skip
@click.pass_context
def sync(
    ctx: click.Context, record: Path, seat: Path | None, late: bool, clock_is_right: bool
) -> None:
    """Pull, take in, push.

    The host adjudicates when due; a player hands in orders: those that `adjudicator order` last
    wrote into the seat for the coming step.

    Exits 1 if something that came is wrong.
    """
    target = record_of(record, absolute=True)
    repo = Repo(target.root)
    own = open_seat(seat) or setup.seat_of(repo)
    if own is None and target.host.is_dir():
        _tell_host(_host_sync(target, sure=clock_is_right), lambda sync: sync.sync(late=late))
        return
    key_holder = None if own is None else (own.signer() or signer(own.key_path))
    playing = PlaySync(target, own, key_holder, SystemClock())
    ctx.exit(_tell_player(playing, playing.sync()))


def _tell_host(sync: HostSync, act: Callable[[HostSync], Synced]) -> None:
    synced = act(sync)
    ledger = None if sync.referee is None else sync.referee.ledger
    setup.allow_signers(sync.repo, sync.offer, ledger)
    say(*synced.lines)
    if ledger is not None:
        _tell_steps(ledger, synced.steps)


def _tell_player(sync: PlaySync, taken: Taken) -> int:
    ledger = None if sync.record.last_step() is None else sync.copy.ledger
    setup.allow_signers(sync.repo, opening.read_offer(sync.record), ledger)
    say(*taken.lines)
    if ledger is not None:
        _tell_steps(ledger, taken.steps[-10:])
    warn(*taken.warnings)
    return 1 if taken.warnings else 0


def _tell_steps(ledger: Ledger, steps: Sequence[int]) -> None:
    for step in steps:
        entry = ledger.link(step).entry
        say(f"entry {step}: {story.title(entry)}")
        if entry.ruling is None:
            say(*(f"  {line}" for line in story.heard(ledger.opening, entry)))
    if steps:
        say(*story.whose_turn(ledger.last.entry, reader()))
