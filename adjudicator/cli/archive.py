"""Many records: a line for each as it is verified, then their contradictions and a count of
verdicts."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import click

from adjudicator.cli import INTERRUPTED, tell_error
from adjudicator.cli.findings import print_findings, print_verdict, say_findings
from adjudicator.cli.shared import say, warn
from adjudicator.league.archive import Item, ItemFindings, Verifying, Walk, together
from adjudicator.league.workers import workers
from adjudicator.verifier.claims import (
    FAILED,
    FALSE,
    INCOMPLETE,
    LOOK,
    TRUE,
    UNUSABLE,
    gravest,
)
from adjudicator.verifier.hosts import ManyRecords
from orders.errors import Refused, shown

_CALLED = {
    TRUE: "true",
    LOOK: "to look at",
    INCOMPLETE: "incomplete",
    FALSE: "false",
    UNUSABLE: "unusable",
    FAILED: "not judged by a fault of this program",
}


@dataclass
class _Count:
    """The counts so far."""

    codes: Counter[int] = field(default_factory=Counter)
    together: ManyRecords = field(default_factory=ManyRecords)
    seated: int = 0

    def add(self, one: ItemFindings) -> None:
        self.codes[one.found.code] += 1
        self.seated += one.seated
        self.together.add(one.text, one.hosted, one.found)

    @property
    def done(self) -> int:
        return self.codes.total()

    def code(self) -> int:
        """The gravest exit code; two histories of one game are as grave as a false record."""
        return gravest([*self.codes, *[FALSE for _ in self.together.forks[:1]]])

    def text(self) -> str:
        verdicts = [f"{self.codes[code]} {_CALLED[code]}" for code in _CALLED if self.codes[code]]
        what = f"{self.done} record{'s' * (self.done != 1)}"
        games = f"{self.together.games} game{'s' * (self.together.games != 1)}"
        return f"{what} of {games}: {', '.join(verdicts) or 'none was verified'}"


@dataclass(frozen=True, slots=True)
class Batch:
    """Verifies many records and prints the findings."""

    work: Verifying
    jobs: int
    scheduler: str | None
    as_json: bool
    verbose: bool

    def run(self, named: Iterable[Item]) -> int:
        """Verify all records that are named, and all below them; returns the exit code."""
        walk, count = Walk(), _Count()
        ended = 0
        try:
            with _Progress() as progress, workers(self.jobs, self.scheduler) as hands:
                items, work = together(walk.items(named)), self.work
                progress.of = len(items)
                for one in hands.spread(work.do, items, warn, work.carried):
                    count.add(one)
                    progress.clear()
                    self._tell(one)
                    progress.show(count)
        except KeyboardInterrupt:
            ended = INTERRUPTED
        except Refused as error:
            tell_error(error)
            ended = UNUSABLE
        return self._conclude(count, walk.links, ended)

    def _tell(self, one: ItemFindings) -> None:
        if self.as_json:
            say_findings(one.text, one.found)
        elif self.verbose:
            print_findings(one.text, one.found, verbose=True)
        else:
            print_verdict(one.text, one.found)

    def _conclude(self, count: _Count, links: int, ended: int) -> int:
        """Print what all of them say together; returns the exit code."""
        # Programs get only a line for each record.
        to = "-" if self.as_json else None
        say(*(f"together: {shown(line)}" for line in count.together.lines()), to=to)
        if links:
            say(f"together: {links} links in folders, which are not followed", to=to)
        code = count.code()
        if self.work.seat is not None and not count.seated and not ended:
            say(f"together: no record is of the game of {shown(str(self.work.seat.root))}", to=to)
            code = gravest([code, UNUSABLE])
        say(("ended early, " if ended else "") + count.text(), to=to)
        return ended if ended == INTERRUPTED else gravest([code, ended])


class _Progress:
    """The progress, on standard error if that is a terminal and the lines go elsewhere."""

    def __init__(self) -> None:
        self.on = sys.stderr.isatty() and not sys.stdout.isatty()
        self.of = 0
        self._width = 0

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, count: _Count) -> None:
        if self.on:
            text = f"{count.done} of {self.of}, {count.codes[FALSE]} false"
            self._width = len(text)
            click.echo(f"\r{text}", err=True, nl=False)

    def clear(self) -> None:
        if self._width:
            click.echo(f"\r{' ' * self._width}\r", err=True, nl=False)
            self._width = 0
