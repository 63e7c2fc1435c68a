"""`sync`: what came is taken in, and what is due is done, for players and hosts."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from adjudicator.cli import courier, host, notices, tell_error
from adjudicator.cli.courier import Here, tell
from adjudicator.cli.shared import (
    AnyPath,
    ClockOption,
    Everywhere,
    KeyOption,
    QuietOption,
    open_seat,
    warn,
)
from adjudicator.cli.which import ANY, HOST, Place, SeatOption, find, nothing, places
from adjudicator.host.folder import HostFolder
from adjudicator.player import finding
from adjudicator.player.duel import Home, homes
from adjudicator.store.record import Record
from orders.errors import Refused


@click.command(epilog="Example: adjudicator sync --every 1m")
@click.option(
    "-g", "--game", "named", multiple=True, metavar="NAME|PATH", type=AnyPath,
    envvar="ADJUDICATOR_GAME", cls=Everywhere, help="The game, if not all that are here.",
)  # fmt: skip
@SeatOption
@KeyOption
@click.option("--every", metavar="TIME", help="Again and again, after that time: 1m, 1h.")
@click.option("--late", is_flag=True, help="Host: go on without overdue players.")
@ClockOption
@click.option("--retry", is_flag=True, help="Host: try mails again that could not be sent.")
@click.option(
    "--tell-again", type=click.Choice(["all", "last", "none"]),
    help="Host: which entries are mailed again of a game that the outbox does not know.",
)  # fmt: skip
@QuietOption
@click.pass_context
def sync(
    ctx: click.Context, named: tuple[Path, ...], seat: Path | None, key: Path | None,
    every: str | None, late: bool, clock_is_right: bool, retry: bool, tell_again: str | None,
    quiet: bool,
) -> None:  # fmt: skip
    """Do all that is due, in every game here: fetch, take in what lies here, adjudicate, send.

    A host's games go on when all orders are in; --late calls overdue players missing. By files it
    takes in what lies beside the record, and moves it into RECORD.done. Passwords for mail are read
    from ADJUDICATOR_IMAP_PASSWORD and ADJUDICATOR_SMTP_PASSWORD or from a netrc file;
    ADJUDICATOR_IMAP_TOKEN and ADJUDICATOR_SMTP_TOKEN name commands that print a token for XOAUTH2.
    """
    work = _Sync(named, seat, key, tell_again or "", late, clock_is_right, retry, quiet)
    if every is None:
        ctx.exit(work.run())
    from adjudicator.cli.office import span

    pause = span("--every", every)
    while True:
        try:
            work.run()
        except (Refused, OSError) as error:
            tell_error(error)
        time.sleep(0 if work.left else pause)


@dataclass
class _Sync:
    """All that is due in some games, once. `left`: mails that the next time sends."""

    named: Sequence[Path]
    seat: Path | None
    key: Path | None
    tell_again: str
    late: bool
    sure: bool
    retry: bool
    quiet: bool
    left: int = 0

    def run(self) -> int:
        """Do it; returns the exit code. Raises Refused."""
        found = self._places()
        duels = [] if self.seat is not None else [
            home for one in self.named or [Path()] for home in homes(one)
        ]  # fmt: skip
        if not found and not duels:
            raise nothing([], HOST)
        hosted = [Record(one.record) for one in found if one.hosts and self.seat is None]
        by_mail = [one for one in hosted if host.carrier(one) == "mail"]
        try:
            return self._run(found, duels, by_mail)
        finally:
            mine = [
                one._replace(seat=self.seat or one.seat, hosts=one.hosts and self.seat is None)
                for one in found
            ]
            notices.tell(mine, duels)

    def _run(
        self, found: Sequence[Place], duels: Sequence[Home], by_mail: Sequence[Record]
    ) -> int:  # fmt: skip
        code = 0
        if by_mail:
            from adjudicator.cli import office

            try:
                faults, self.left = office.turn(
                    by_mail, late_is_told=self.tell_again, sure=self.sure, quiet=self.quiet,
                    again=self.retry,
                )  # fmt: skip
                code = 1 if faults else 0
            except Refused as error:
                if len(by_mail) == len(found) + len(duels):
                    raise
                tell_error(error)
                code = 1
        by_files = [one.record for one in found if not (one.record / ".git").exists()]
        roots = [*by_files, *(home.root for home in duels)]
        folders = {root.absolute().parent for root in roots}
        here = {folder: courier.look(folder) for folder in sorted(folders)}
        acts = [(one.record.name, partial(self._game, one, here)) for one in found]
        for home in duels:
            from adjudicator.cli import duel

            beside = here[home.root.absolute().parent]
            act = partial(duel.sync, home, self.key, beside, quiet=self.quiet)
            acts.append((home.root.name, act))
        for name, act in acts:
            try:
                code = act() or code
            except Refused as error:
                if len(acts) == 1:
                    raise
                error.message = f"{name}: {error.message}"
                tell_error(error)
                code = 1
        for folder, lies in here.items():
            told, look = courier.strays(folder, lies)
            warn(*told)
            code = code or look
        return code

    def _places(self) -> list[Place]:
        if self.named:
            return [find(one, self.seat, ANY) for one in self.named if not homes(one)]
        found = places(Path().absolute())
        if self.seat is not None:
            own = open_seat(self.seat)
            found = [
                one for one in found
                if own is not None and finding.invite_of(Record(one.record)) == own.invite
            ]  # fmt: skip
        return found

    def _game(self, place: Place, read: Mapping[Path, Here]) -> int:
        record = Record(place.record)
        here = read.get(record.root.absolute().parent, courier.Here((), ()))
        if place.hosts and self.seat is None:
            return host.sync(
                record, self.key, here, late=self.late, sure=self.sure, quiet=self.quiet
            )
        own = open_seat(self.seat or place.seat)
        if own is None and record.host.is_dir():
            # It says what is wrong with the host's folder, if it is this game's.
            HostFolder(record.host).master()
        carrier = courier.of(Record(place.record.absolute()), own)
        taken = carrier.fetch(here)
        carrier.send(taken)
        return tell(carrier.table, taken, quiet=self.quiet)
