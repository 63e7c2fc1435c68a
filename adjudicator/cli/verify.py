"""`verify`: is a record true, and does it contradict another one?"""

from __future__ import annotations

import itertools
import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from adjudicator import bisecting
from adjudicator.archive import archive
from adjudicator.archive.archive import Item, Verifying, Walk
from adjudicator.cli import INTERRUPTED, shared, tell_error
from adjudicator.cli.which import ANY, GameOption, SeatOption, find, place_of, places
from adjudicator.core import receipts
from adjudicator.core.source import Overlay
from adjudicator.store import files
from adjudicator.store.record import Record
from adjudicator.verifier.claims import FAILED, FALSE, INCOMPLETE, LOOK, TRUE, UNUSABLE, gravest
from adjudicator.verifier.hosts import ManyRecords
from orders import names
from orders.errors import Refused, shown
from orders.fields import digest, is_hex
from orders.sshsig import Signed

if TYPE_CHECKING:
    from adjudicator.verifier.claims import Findings


def _digest(_ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """A digest from an option; anything else is a wrong call."""
    if value is not None and not is_hex(value):
        raise click.BadParameter(
            f"{value!a:.80}: expected all 64 hex digits, as adjudicator status tells them",
            param=parameter,
        )
    return value


@click.command(epilog="Example: adjudicator verify friday --seat alice.seat")
@click.argument("records", nargs=-1, metavar="[RECORD|PACK|URL|FOLDER]...")
@click.option(
    "--list", "lists", multiple=True, type=click.File("rb"), metavar="FILE",
    help="A file with a path or URL in each line; - is stdin.",
)  # fmt: skip
@GameOption
@SeatOption
@click.option(
    "--against", metavar="OTHER", help="Prove that the host signed what contradicts OTHER."
)
@click.option(
    "--receipt", "given_files", multiple=True, metavar="FILE",
    help="A receipt too: a bundle, or X.toml with X.toml.sig.",
)  # fmt: skip
@click.option("--id", "game", metavar="ID", callback=_digest, help="The id that it must have.")
@click.option(
    "--head", metavar="DIGEST", callback=_digest, help="The last entry that it must have."
)
@shared.VerboseOption
@click.option("--explain", type=shared.Number(0), help="Print step N as adjudicated again.")
@shared.JsonOption
@shared.OutOption
@shared.AtOption
@click.option(
    "--bisect/--no-bisect", default=None, help="Exit codes for git bisect, or not; else found out."
)
@shared.JobsOption
@shared.SchedulerOption
@click.pass_context
def verify(
    ctx: click.Context, records: tuple[str, ...], lists: tuple[BinaryIO, ...],
    record: Path | None, seat: Path | None, against: str | None, given_files: tuple[str, ...],
    out: str | None, game: str | None, head: str | None, verbose: bool,
    explain: int | None, as_json: bool, at: str | None, bisect: bool | None, jobs: int,
    scheduler: str | None,
) -> None:  # fmt: skip
    """Verify records (or the one here; a URL is cloned): a line per claim, a verdict, and what is
    not proved. Several, or a FOLDER of them, get a line each (-v: all). OTHER: a record, entry,
    receipt or seat. Exit codes: 0 true, 1 false, 2 unusable, 3 true but look, 4 incomplete or not
    revealed, 70 a fault here; of several the first of 1, 70, 2, 4, 3.
    """
    if against is not None:
        _prove(Path(records[0] if records else _here(record)), against, out)
        return
    if explain is not None:
        if len(records) > 1 or lists:
            raise click.UsageError("--explain takes one record")
        _explain(Path(records[0] if records else _here(record)), at, explain, as_json=as_json)
        return
    if scheduler is not None and (seat or given_files or at):
        raise click.UsageError(
            "--seat, --receipt and --at work only on this machine: leave out --scheduler"
        )
    try:
        chosen = records or (() if lists else (_here(record),))
        alone = len(chosen) == 1 and not (lists or at or scheduler)
        if seat is None and alone and (Path(chosen[0]) / names.INVITE).is_file():
            # Its own reports and receipts are checked too.
            seat = place_of(Record(Path(chosen[0]))).seat
        own = shared.open_seat(seat)
        given = tuple(_read_receipt(one) for one in given_files)
    except Refused as error:
        # It is no verdict, which 1 would be.
        tell_error(error)
        ctx.exit(UNUSABLE)
    named = [*map(Item, chosen)]
    if not (lists or scheduler) and len(named) > 1:
        named = archive.together(named)
    one = len(named) == 1 and not lists and scheduler is None
    several = not one or (at is None and archive.is_archive(chosen[0]))
    brief = several and not (as_json or verbose)
    tied = not (bisecting.is_under_way() if bisect is None else bisect)
    work = archive.Verifying(own, given, game, head, at, tied, several, brief)
    if several:
        listed = (item for file in lists for item in archive.read_list(file.name, file))
        items = itertools.chain(map(Item, chosen), listed)
        code = _many(work, items, jobs, scheduler, as_json=as_json, verbose=verbose)
    else:
        if not as_json and sys.stderr.isatty():
            work = work._replace(progress=_bar)
        found = work.do(named[0]).found
        tell(named[0].name, found, as_json=as_json, verbose=verbose)
        code = found.code
    ctx.exit(code)


def _read_receipt(path: str) -> Signed:
    """A receipt in a file beside its signature, or in a bundle; raises Refused."""
    from adjudicator.core import bundles

    if path.endswith(".toml"):
        return Signed(files.read(Path(path), 4096), files.read(Path(f"{path}.sig"), 4096))
    return bundles.read_one("receipt", shared.read_bundle(path))[1]


def _bar(done: int, of: int) -> None:
    if done % 50 == 0 or done == of:
        text = f"{done} of {of} entries"
        # Once it is done, the verdict takes its place.
        click.echo(f"\r{text}" if done < of else f"\r{' ' * len(text)}\r", err=True, nl=False)


def _here(named: Path | None) -> str:
    """The one record that is meant; else the folder itself, with all that lies in it."""
    if named is not None:
        return str(find(named, None, ANY).record)
    here = places(Path().absolute())
    return str(here[0].record) if len(here) == 1 else "."


def _explain(path: Path, revision: str | None, step: int, *, as_json: bool) -> None:
    """Print the state and everyone's report of a step, adjudicated again."""
    from adjudicator.verifier.second_adjudication import explain

    made = explain(shared.ledger_of(shared.source_of(path, revision)), step)
    texts = {"state": made.state, **{f"report of {who}": made.reports[who] for who in made.reports}}
    if as_json:
        told = {what: data.decode("ascii") for what, data in texts.items()}
        shared.say_json({"step": step, "differs": made.differs or None, "files": told})
        return
    for what, data in texts.items():
        shared.say(f"{what}, {digest(data)}:")
        shared.say(f"  {data.decode('ascii')}")
    shared.say(f"the entry differs: {made.differs}" if made.differs else "the entry says the same")


_PROOF = b"PROOF: "


def _prove(record: Path, other: str, out: str | None) -> None:
    """Print the portable proof that a host signed two contradicting statements; raises Refused if
    nothing contradicts.

    `other`: another record, or an entry as it came, for two histories; a receipt or a seat, for two
    answers to one slip.
    """
    from zipfile import is_zipfile

    from adjudicator.verifier import fork

    shared.check_out(out, like=_PROOF)
    one, path = shared.source_of(record), Path(other)
    entry = None
    if path.is_file() and not is_zipfile(path) and path.suffix != ".toml":
        came = shared.read_paste(other).bundles
        entry = next((bundle for bundle in came if bundle.kind == "entry"), None)
    if entry is not None or (path / names.INVITE).is_file() or is_zipfile(path):
        two = shared.source_of(path) if entry is None else Overlay(one, dict(entry.files))
        shared.warn(*fork.two_slips(one, two))
        proof = fork.prove(one, two)
    else:
        from adjudicator.player import witness

        ledger, is_seat = shared.ledger_of(one), (path / "seat.toml").is_file()
        beside = place_of(one).seat if isinstance(one, Record) else None
        seat = path if is_seat else beside
        found = [] if seat is None else witness.given(ledger, shared.seat_in(seat), trusted=False)
        if not is_seat:
            found.append(receipts.read(ledger.opening, _read_receipt(other)))
        proof = fork.prove_answers(one, found)
    shared.write_out(out or "-", proof.text().encode("ascii"), like=_PROOF)
    if out not in (None, "-"):
        shared.say(f"{out}: {proof.summary}")


def tell(name: str, found: Findings, *, as_json: bool, verbose: bool, brief: bool = False) -> None:
    """Print the findings about a record, for programs as one JSON document in one line. `brief`:
    only the verdict, but if they are wanted `verbose`."""
    if as_json:
        click.echo(json.dumps(found.json(name), sort_keys=True))
    elif brief and not verbose:
        shared.say(
            f"{shown(name)}: {click.style(shown(found.conclusion), fg=shared.colour(found))}"
        )
    else:
        shared.print_findings(name, found, verbose=verbose)


# Many records.


_CALLED = {
    TRUE: "true",
    LOOK: "to look at",
    INCOMPLETE: "incomplete",
    FALSE: "false",
    UNUSABLE: "unusable",
    FAILED: "not judged by a fault of this program",
}


def _many(
    work: Verifying, named: Iterable[Item], jobs: int, scheduler: str | None, *, as_json: bool,
    verbose: bool,
) -> int:  # fmt: skip
    """Verify all records that are named, and all below them: a line for each as it is verified,
    then their contradictions and a count. Returns the exit code."""
    # Processes and a cluster, which one record does not need.
    from adjudicator.archive.workers import workers

    walk, together, codes = Walk(), ManyRecords(), Counter[int]()
    seated, ended, progress = 0, 0, ""
    fault: Refused | None = None
    try:
        with workers(jobs, scheduler) as hands:
            items = archive.together(walk.items(named))
            for one in hands.spread(work.do, items, shared.warn, work.carried):
                codes[one.found.code] += 1
                seated += one.seated
                together.add(one.text, one.hosted, one.found)
                tell(one.text, one.found, as_json=as_json, verbose=verbose, brief=True)
                # The progress is for a terminal, and only if the lines go elsewhere.
                if sys.stderr.isatty() and not sys.stdout.isatty():
                    progress = f"{codes.total()} of {len(items)}, {codes[FALSE]} false"
                    click.echo(f"\r{progress}", err=True, nl=False)
    except KeyboardInterrupt:
        ended = INTERRUPTED
    except Refused as error:
        fault, ended = error, UNUSABLE
    if progress:
        click.echo(f"\r{' ' * len(progress)}\r", err=True, nl=False)
    if fault is not None:
        tell_error(fault)
    # Programs get only a line for each record.
    to = "-" if as_json else None
    shared.say(*(f"together: {shown(line)}" for line in together.lines()), to=to)
    if walk.links:
        shared.say(f"together: {walk.links} links in folders, which are not followed", to=to)
    # Two histories of one game are as grave as a false record.
    code = gravest([*codes, *[FALSE for _ in together.forks[:1]]])
    if work.seat is not None and not seated and not ended:
        shared.say(f"together: no record is of the game of {shown(str(work.seat.root))}", to=to)
        code = gravest([code, UNUSABLE])
    shared.say(f"{'ended early, ' * bool(ended)}{_count(codes, together.games)}", to=to)
    return ended if ended == INTERRUPTED else gravest([code, ended])


def _count(codes: Counter[int], games: int) -> str:
    """How many records of how many games were verified, and how many of them are what."""
    many = codes.total()
    verdicts = [f"{codes[code]} {called}" for code, called in _CALLED.items() if codes[code]]
    what = f"{many} record{'s' * (many != 1)} of {games} game{'s' * (games != 1)}"
    return f"{what}: {', '.join(verdicts) or 'none was verified'}"
