"""A game at a repository: what `join`, `start`, `sync` and `invite --git` do by git."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import click

from adjudicator.cli import keys
from adjudicator.cli.courier import tell
from adjudicator.cli.git import shown_path
from adjudicator.cli.join import choose_name, key_in_match, place_for, tell_offer
from adjudicator.cli.keys import signer
from adjudicator.cli.shared import agreed, record_of, say, seat_in
from adjudicator.core import opening
from adjudicator.git import process, worktree
from adjudicator.git.host_sync import HostSync, SyncResult
from adjudicator.git.play_sync import PlaySync
from adjudicator.host.folder import HostFolder
from adjudicator.player import seated
from adjudicator.player.seat import Seat
from adjudicator.player.table import Table
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from orders.documents import Private
from orders.errors import Refused
from orders.secrets import draw_secret


def publish(record: Record, url: str) -> None:
    """Host: publish a record at a repository; raises Refused."""
    target = record_of(record.root.absolute())
    HostFolder(target.host).master()
    worktree.create(target.root, url)
    sync = _host_sync(target)
    _tell_host(sync, sync.sync())
    shown = process.to_share(url)
    say(f"{shown_path(target.root)}: published at {shown}")
    say(f"for the players: adjudicator join {shown}")


def _host_sync(record: Record, *, sure: bool = False) -> HostSync:
    target = record_of(record.root.absolute())
    holder = signer(HostFolder(target.host).key_path())
    # Not on stderr: in CI players can read that, and it would tell them whose orders are in.
    return HostSync(target, holder, SystemClock(), None if sure else say)


def start_by_git(record: Record, players: Sequence[str], *, yes: bool) -> None:
    """Host: genesis with the joins that these players pushed, in this order, or with all."""
    agreed(f"Begin with {', '.join(players) or 'all who joined'}?", yes=yes, default=True)
    sync = _host_sync(record)
    _tell_host(sync, sync.start(players))


def sync_host(record: Record, *, late: bool, sure: bool) -> None:
    """Host: pull, take in, adjudicate when due, push."""
    sync = _host_sync(record, sure=sure)
    _tell_host(sync, sync.sync(late=late))


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
    # Named like the repository.
    usual = re.split("[/:]", process.without_users(url).rstrip("/"))[-1].removesuffix(".git")
    if out is None and not usual:
        raise click.UsageError("name the folder of your copy: -o")
    target = Record(Path(usual if out is None else out).absolute())
    there = worktree.clone(target, url, fork)
    sync = PlaySync(Table(target, None, SystemClock()))
    taken = sync.sync()
    offer = opening.read_offer(target)
    worktree.allow_host(there, offer)
    if not watch:
        own = _seat(target, name, key, yes=yes)
        there.run("config", "--local", worktree.SEAT, files.relative(own.root, target.root))
        sync = PlaySync(Table(target, own, SystemClock()))
        join = None
        if not sync.table.begun:
            join = seated.join(offer, own, own.signer() or signer(key or own.key_path), private)
        joined = sync.sync(join)
        taken.lines += joined.lines
        taken.warnings += joined.warnings
    tell_offer(offer)
    say(f"{shown_path(target.root)}: your copy of the record")
    return tell(sync.table, taken)


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
    key = key or key_in_match(offer, chosen, place.parent)
    holder, path = keys.found(key, place.parent / f"{offer.name}-{chosen}.key", yes=yes)
    opening.check_player(offer, chosen, holder.public)
    seat = Seat.create(place, chosen, offer.digest, path, draw_secret())
    say(f"{place}: your private seat. Back it up: you cannot see or order without it")
    return seat


def _tell_host(sync: HostSync, synced: SyncResult) -> None:
    from adjudicator.cli import host

    say(*synced.lines)
    if synced.steps:
        host.hand_out(sync.desk, synced.steps)
    elif sync.desk.host is not None:
        say(*host.waits(sync.desk))
    if synced.unread:
        raise Refused(
            "unread",
            f"not read: {'; '.join(synced.unread[:5])}"
            f"{f'; and {len(synced.unread) - 5} more' if len(synced.unread) > 5 else ''}. "
            "Nobody was called missing who may have sent it",
            "sync again; if it stays so, ask them to send their orders another way",
        )
