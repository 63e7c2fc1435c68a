"""A host and players with clones of their own around one repository, for tests and benches."""

from __future__ import annotations

import copy
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import games
from adjudicator.core import opening
from adjudicator.git import refs, worktree
from adjudicator.git.host_sync import HostSync, SyncResult
from adjudicator.git.play_sync import PlaySync
from adjudicator.git.process import Repo
from adjudicator.host import begin
from adjudicator.host.begin import Secrets, Terms
from adjudicator.host.host import Host
from adjudicator.player import seated as seats
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.player.table import Table as PlayerTable
from adjudicator.player.table import TakenBundles
from adjudicator.store.clock import DemoClock
from adjudicator.store.record import Record
from games.dice import Dice
from games.game import Written
from orders.documents import Private, read_receipt
from orders.keys import Signer, load_signer, write_key
from orders.order_file import OrderFile, compose
from orders.secrets import derive

SEED = bytes(31) + b"\x07"


def git(folder: Path, *args: str, code: int | None = 0, given: str = "") -> str:
    """Plain git, as a user types it; the test fails if it ends otherwise than with `code` (None:
    however it ends)."""
    done = subprocess.run(
        ["git", "-C", str(folder), *args], input=given, capture_output=True, text=True, check=False
    )
    assert code in (None, done.returncode), f"git {args}: {done.returncode}: {done.stderr}"
    return done.stdout.strip()


def _copy(source: str, target: str) -> None:
    """A file at another place; git never writes into an object or a sample: these are linked."""
    if "/objects/" in source or source.endswith(".sample"):
        os.link(source, target)
    else:
        shutil.copy2(source, target)


class Site:
    """Where a game's repository lies, here a folder: tests with a real server have another one."""

    def __init__(self, bare: Path) -> None:
        self.bare = bare
        bare.parent.mkdir(parents=True, exist_ok=True)
        git(bare.parent, "init", "-q", "--bare", "--template=", "-b", "main", str(bare))

    def address(self, name: str) -> str:
        """The repository's address for the host or a player; here everybody's is one."""
        return str(self.bare)

    def fork(self, name: str) -> str | None:
        """The address of a player's own fork; None: they push to the repository."""
        return None

    def prepare(self, name: str, repo: Repo) -> None:
        """Give a new clone what its owner has set up for that server."""


class Table:
    """A game over a bare repository: `host` and every player with their own clone and clock."""

    def __init__(
        self,
        folder: Path,
        game_id: str,
        players: Sequence[str],
        options: Mapping[str, Any],
        site: Site | None = None,
    ) -> None:
        self.folder = folder
        self.game = games.load(game_id)
        self.players = tuple(players)
        self.clock = DemoClock()
        self.site = Site(folder / "remote.git") if site is None else site
        self.bare = self.site.bare
        folder.mkdir(parents=True, exist_ok=True)
        self.record = Record(folder / "friday")
        self.key = self._key("host")
        secrets = Secrets(derive(SEED, "master"), derive(SEED, "letters"))
        given = dict(options)
        terms = Terms(self.game, given, reserved=bool(given.pop("reserved", False)))
        key = folder / "host.key"
        begin.invite(self.record, terms, self.key, key, secrets, self.clock)
        self.site.prepare("host", worktree.create(self.record.root, self.site.address("host")))
        self.sync_host()
        self.seats: dict[str, Seat] = {}
        self.records: dict[str, Record] = {}
        self.steps = 0
        self.keys: dict[str, Signer] = {}

    def copy(self, folder: Path) -> Table:
        """Everything of this table at another place, with a clock of its own."""
        shutil.copytree(self.folder, folder, symlinks=True, copy_function=_copy)
        where = (".git/config", "seat.toml", "key")
        # Of folders in here, and of those in a folder of them.
        ways = (f"{above}*/{name}" for above in ("", "*/") for name in where)
        for path in (found for way in ways for found in folder.glob(way)):
            path.write_text(path.read_text().replace(f"{self.folder}/", f"{folder}/"))
        other = copy.copy(self)
        other.folder, other.bare = folder, folder / self.bare.name
        other.site, other.clock = copy.copy(self.site), copy.copy(self.clock)
        other.site.bare = other.bare
        other.record = Record(folder / self.record.root.name)
        other.records = {
            name: Record(folder / record.root.name) for name, record in self.records.items()
        }
        other.seats = {
            name: Seat.open(folder / seat.root.name) for name, seat in self.seats.items()
        }
        other.keys = dict(self.keys)
        return other

    def _key(self, name: str) -> Signer:
        path = self.folder / f"{name}.key"
        if not path.exists():
            write_key(path, name, derive(SEED, f"key/{name}"))
        return load_signer(path, None)

    def join(self) -> None:
        """Every player clones and joins."""
        for name in self.players:
            record = Record(self.folder / f"{name}-clone")
            repo = worktree.clone(record, self.site.address(name), self.site.fork(name))
            self.site.prepare(name, repo)
            PlaySync(PlayerTable(record, None, self.clock)).sync()
            self.keys[name] = self._key(name)
            offer = opening.read_offer(record)
            seat = Seat.create(
                self.folder / f"{name}.seat", name, offer.digest, self.folder / f"{name}.key",
                derive(SEED, f"seat/{name}"),
            )  # fmt: skip
            repo.run("config", "--local", worktree.SEAT, str(seat.root))
            self.records[name], self.seats[name] = record, seat
            join = seats.join(offer, seat, self.keys[name], Private())
            assert self.play_sync(name).sync(join).warnings == []

    def start(self) -> SyncResult:
        """Genesis, with which every clone is brought up to date."""
        synced = self.host_sync().start(self.players)
        for name in self.players:
            self.sync(name)
        return synced

    def host_sync(self) -> HostSync:
        return HostSync(self.record, self.key, self.clock)

    def sync_host(self, *, late: bool = False) -> SyncResult:
        return self.host_sync().sync(late=late)

    def play_sync(self, name: str) -> PlaySync:
        return PlaySync(PlayerTable(self.records[name], self.seats[name], self.clock))

    def sync(self, name: str) -> TakenBundles:
        taken = self.play_sync(name).sync()
        assert taken.warnings == []
        return taken

    def order(self, name: str, lines: str | Written) -> None:
        """Orders written into the seat; nothing is pushed."""
        seated = Seated(self.records[name], self.seats[name])
        written = Written(lines) if isinstance(lines, str) else lines
        seated.opening.game.read(seated.report().view, written)
        seated.order(compose(written.orders), self.keys[name], self.clock.now())

    @property
    def host(self) -> Host:
        return Host(self.record, self.key, self.clock)

    def awaited(self) -> tuple[str, ...]:
        """Who is awaited, as the host's record says."""
        return tuple(self.host.last.clocks.awaited)

    def statuses(self, name: str) -> list[str]:
        """What the receipts in a player's seat say, in their order."""
        return [read_receipt(file.data).status for file in self.seats[name].receipts()]

    def play_bots(self, most: int = 10**6) -> int:
        """Let bots play through git, to the end or for `most` steps; returns the steps played."""
        bots = {name: self.game.bots["captain"](name) for name in self.players}
        heard = dict.fromkeys(self.players, -1)
        steps = 0
        while (awaited := self.awaited()) and steps < most:
            for name in self.players:
                report = Seated(self.records[name], self.seats[name]).report()
                if report.step > heard[name]:
                    bots[name].hear(report.view, report.events)
                    heard[name] = report.step
            for name in awaited:
                dice = Dice(derive(SEED, f"bot/{name}/{steps}"))
                self.order(name, bots[name].order(dice))
                self.sync(name)
            assert self.sync_host().steps
            for name in self.players:
                self.sync(name)
            steps += 1
        return steps

    def play_quietly(self, steps: int) -> None:
        """Sugar Dog's host plays so many steps in which nobody moves; nothing is published."""
        referee = self.host
        # The seats are used over the host's record here, which holds every report.
        seated = {name: Seated(self.record, seat) for name, seat in self.seats.items()}
        for step in range(1, steps + 1):
            for number, name in enumerate(self.players):
                if step == 1 or (step + number) % 2 == 0:
                    line = f"start {'AF'[number]}1" if step == 1 else "silent"
                    file = OrderFile((line,))
                    own = seated[name]
                    own.ledger = referee.ledger
                    order = own.order(file, self.keys[name], self.clock.now())
                    referee.submit(order.bundle)
            referee.advance()

    def main(self) -> str:
        """The commit at the end of the remote's main."""
        return git(self.bare, "rev-parse", refs.full(refs.MAIN))
