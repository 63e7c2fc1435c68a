"""Play by git: `git setup`, `git board` and what git and CI call; and what `join`, `start`, `sync`
and `invite --git` do by git."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from adjudicator.cli import git_server, keys
from adjudicator.cli.git_server import shown_path
from adjudicator.cli.play import check_name, choose_name, place_for, tell_offer
from adjudicator.cli.shared import agreed, reader, record_of, say, seat_in, signer, warn
from adjudicator.core import opening
from adjudicator.core.ledger import Ledger
from adjudicator.git import addresses, setup, worktree
from adjudicator.git.host_sync import HostSync, SyncResult
from adjudicator.git.play_sync import PlaySync
from adjudicator.host.folder import HostFolder
from adjudicator.player import seated
from adjudicator.player.seat import Seat
from adjudicator.player.table import Table, TakenBundles
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words import story
from orders.documents import Private
from orders.errors import Refused
from orders.secrets import draw_secret


@click.group(commands=git_server.COMMANDS, epilog="Example: adjudicator git setup github --host")
def git() -> None:
    """Forges: hooks and CI files for a game's repository, and a README with the board."""


def publish(record: Record, url: str) -> None:
    """Host: publish a record at a repository; raises Refused."""
    target = record_of(record.root.absolute())
    HostFolder(target.host).master()
    worktree.create(target.root, url)
    _tell_host(_host_sync(target), lambda sync: sync.sync())
    shown = addresses.to_share(url)
    say(f"{shown_path(target.root)}: published at {shown}")
    say(f"for the players: adjudicator join {shown}")


def _host_sync(record: Record, *, sure: bool = False) -> HostSync:
    holder = signer(HostFolder(record.host).key_path())
    # Not on stderr: in CI players can read that, and it would tell them whose orders are in.
    return HostSync(record, holder, SystemClock(), None if sure else say)


def start_by_git(record: Record, players: Sequence[str], *, yes: bool) -> None:
    """Host: genesis with the joins that these players pushed, in this order, or with all."""
    agreed(f"Begin with {', '.join(players) or 'all who joined'}?", yes=yes, default=True)
    target = record_of(record.root.absolute())
    _tell_host(_host_sync(target), lambda sync: sync.start(players))


def sync_host(record: Record, *, late: bool, sure: bool) -> None:
    """Host: pull, take in, adjudicate when due, push."""
    target = record_of(record.root.absolute())
    _tell_host(_host_sync(target, sure=sure), lambda sync: sync.sync(late=late))


def clone(
    url: str, name: str | None, key: Path | None, private: Private, fork: str | None,
    out: str | None, *, watch: bool, yes: bool,
) -> int:  # fmt: skip
    """Player: clone the game at a repository, take a seat in it, and join; `watch`: only clone.

    With `fork` they push to their fork, and open one pull request from its branch in.NAME.
    Returns the exit code.
    """
    if private != Private():
        private.render()
    target = Record((_usual(url) if out is None else Path(out)).absolute())
    there = setup.clone(target, url, fork)
    sync = PlaySync(Table(target, None, SystemClock()))
    taken = sync.sync()
    offer = opening.read_offer(target)
    setup.allow_host(there, offer)
    if not watch:
        own = _seat(target, name, key, yes=yes)
        setup.remember_seat(there, own.root)
        sync = PlaySync(Table(target, own, SystemClock()))
        join = None
        if not sync.table.begun:
            join = seated.join(offer, own, own.signer() or signer(key or own.key_path), private)
        joined = sync.sync(join)
        taken.lines += joined.lines
        taken.warnings += joined.warnings
    tell_offer(offer)
    say(f"{shown_path(target.root)}: your copy of the record")
    return _tell_player(sync, taken)


def _usual(url: str) -> Path:
    """The folder of a clone: named like the repository."""
    name = re.split("[/:]", addresses.without_users(url).rstrip("/"))[-1].removesuffix(".git")
    if not name:
        raise click.UsageError("name the folder of your copy: -o")
    return Path(name)


def _seat(record: Record, name: str | None, key: Path | None, *, yes: bool) -> Seat:
    """The seat in a clone, beside it; made if it is not there. Raises Refused."""
    offer = opening.read_offer(record)
    chosen = choose_name(name, yes=yes)
    place = place_for(Path(os.path.relpath(record.root.parent)), chosen, offer)
    if place.exists():
        return seat_in(place)
    if record.last_step() is not None:
        raise Refused(
            "no-seat", "the game has begun: no seat can be taken any more",
            "to look on: adjudicator join URL --watch",
        )  # fmt: skip
    holder, path = keys.found(key, place.parent / f"{offer.name}-{chosen}.key", yes=yes)
    check_name(offer, chosen, holder)
    seat = Seat.create(place, chosen, offer.digest, path, draw_secret())
    say(f"{place}: your private seat. Back it up: you cannot see or order without it")
    return seat


def _tell_host(sync: HostSync, act: Callable[[HostSync], SyncResult]) -> None:
    synced = act(sync)
    ledger = None if sync.referee is None else sync.referee.ledger
    say(*synced.lines)
    if ledger is not None:
        _tell_steps(ledger, synced.steps)
    if sync.referee is not None and not synced.steps:
        from adjudicator.cli.host import waits

        say(*waits(sync.referee))
    if synced.unread:
        raise Refused(
            "unread",
            f"not read: {'; '.join(synced.unread[:5])}"
            f"{f'; and {len(synced.unread) - 5} more' if len(synced.unread) > 5 else ''}. "
            "Nobody was called missing who may have sent it",
            "sync again; if it stays so, ask them to send their orders another way",
        )


def _tell_player(sync: PlaySync, taken: TakenBundles) -> int:
    ledger = sync.table.ledger if sync.table.begun else None
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
