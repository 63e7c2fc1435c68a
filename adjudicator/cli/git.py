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
from adjudicator.git import addresses, setup
from adjudicator.git.host_sync import HostSync, SyncResult
from adjudicator.git.play_sync import PlaySync
from adjudicator.host.folder import HostFolder
from adjudicator.player.seat import Seat
from adjudicator.player.table import Table, TakenBundles
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words import story
from orders.documents import Private
from orders.errors import Refused
from orders.keys import Signer
from orders.secrets import draw_secret


@click.group(commands=git_server.COMMANDS, epilog="Example: adjudicator git setup github --host")
def git() -> None:
    """Forges: hooks and CI files for a game's repository, and a README with the board."""


def publish(record: Record, url: str) -> None:
    """Host: publish a record at a repository; raises Refused."""
    target = record_of(record.root.absolute())
    folder = HostFolder(target.host)
    folder.master()
    setup.host(target, url, folder.key_path())
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

    With `fork` they push to their fork, and open one pull request from its branch players/NAME.
    Returns the exit code.
    """
    if private != Private():
        private.render()
    target = Record((_usual(url) if out is None else Path(out)).absolute())
    there = setup.clone(target, url, fork)
    looking = PlaySync(Table(target, None, SystemClock()))
    taken = looking.sync()
    sync, own, who = looking, None, "spectator"
    if not watch:
        own = _seat(target, name, key, yes=yes)
        who = own.player
    setup.configure(there, who, None if own is None else own.key_path,
                    None if own is None else own.root)  # fmt: skip
    if own is not None:
        sync = PlaySync(Table(target, own, SystemClock()), signer_in(own, key), private)
        joined = sync.sync()
        taken.lines += joined.lines
        taken.warnings += joined.warnings
    tell_offer(opening.read_offer(target))
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


def signer_in(own: Seat, key: Path | None) -> Signer:
    """The signer of a seat, with the given key or its own; raises Refused."""
    held = own.signer() if key is None else None
    return held or signer(own.key_path if key is None else key)


def _tell_host(sync: HostSync, act: Callable[[HostSync], SyncResult]) -> None:
    synced = act(sync)
    ledger = None if sync.referee is None else sync.referee.ledger
    setup.allow_signers(sync.repo, sync.offer, ledger)
    say(*synced.lines)
    if ledger is not None:
        _tell_steps(ledger, synced.steps)
    if sync.referee is not None and not synced.steps:
        from adjudicator.cli.host import waits

        say(*waits(sync.referee))


def _tell_player(sync: PlaySync, taken: TakenBundles) -> int:
    ledger = sync.table.ledger if sync.table.begun else None
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
