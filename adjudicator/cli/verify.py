"""`verify`: is a record true, and does it contradict another one?"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from adjudicator import bisecting
from adjudicator.cli import tell_error
from adjudicator.cli.findings import print_findings, say_findings
from adjudicator.cli.here import ANY, GameOption, SeatOption, find, place_of, places
from adjudicator.cli.shared import (
    AtOption,
    JobsOption,
    JsonOption,
    OutOption,
    SchedulerOption,
    VerboseOption,
    check_out,
    ledger_of,
    open_seat,
    read_bundle,
    read_paste,
    say,
    say_json,
    seat_in,
    source_of,
    warn,
    write_out,
)
from adjudicator.core import receipts
from adjudicator.core.source import Overlay, Source
from adjudicator.league import archive
from adjudicator.league.archive import Item, Verifying
from adjudicator.store import files
from adjudicator.store.record import Record
from orders import names
from orders.errors import Refused
from orders.fields import digest, is_hex
from orders.signed import Signed

if TYPE_CHECKING:
    from adjudicator.verifier.fork import Proof
UNUSABLE = 2


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
    help="A file with a path or an address in each line; - is stdin.",
)  # fmt: skip
@GameOption
@SeatOption
@click.option(
    "--against",
    metavar="OTHER",
    help="Prove that the host signed two contradicting statements: a record, entry, receipt, seat.",
)
@click.option(
    "--receipt", "given_files", multiple=True, metavar="FILE",
    help="Check a receipt too: a bundle, or NAME.toml beside NAME.toml.sig.",
)  # fmt: skip
@click.option("--id", "game", metavar="ID", callback=_digest, help="The id that it must have.")
@click.option(
    "--head", metavar="DIGEST", callback=_digest, help="The last entry that it must have."
)
@VerboseOption
@click.option("--explain", type=int, metavar="N", help="Print step N as adjudicated again.")
@JsonOption
@OutOption
@AtOption
@click.option(
    "--bisect/--no-bisect",
    default=None,
    help="Exit codes for git bisect run (good so far, or bad); by default found out.",
)
@JobsOption
@SchedulerOption
@click.pass_context
def verify(
    ctx: click.Context, records: tuple[str, ...], lists: tuple[BinaryIO, ...],
    record: Path | None, seat: Path | None, against: str | None, given_files: tuple[str, ...],
    out: str | None, game: str | None, head: str | None, verbose: bool,
    explain: int | None, as_json: bool, at: str | None, bisect: bool | None, jobs: int,
    scheduler: str | None,
) -> None:  # fmt: skip
    """Verify records: a line per claim, a verdict, and what is not proved.

    A URL (or a bare repository) is cloned into a temporary folder. In a clone, commits that hold
    two entries of one number are looked for too. Without any, the record that is here is verified.

    Several records, or a FOLDER with records and packs (.zip) in it, get a line each, in their
    order; -v tells each of them in full. Files of one duel are judged together, as one.

    Exit codes: 0 true, 1 false, 2 unusable input, 3 true with something for a person to look at, 4
    incomplete or not yet revealed. No verdict: 70 a fault of this program, 130 Ctrl-C. Of several
    records the gravest counts: 1, 70, 2, 4, 3, 0.
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
        if seat is None and len(chosen) == 1 and not (lists or at or scheduler):
            seat = _beside(chosen[0])
        own = open_seat(seat)
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
        # Processes and a cluster, which one record does not need.
        from adjudicator.cli.archive import Batch

        listed = (item for file in lists for item in archive.read_list(file.name, file))
        batch = Batch(work, jobs, scheduler, as_json=as_json, verbose=verbose)
        code = batch.run(itertools.chain(map(Item, chosen), listed))
    else:
        code = _one(work, named[0], as_json=as_json, verbose=verbose)
    ctx.exit(code)


def _one(work: Verifying, record: Item, *, as_json: bool, verbose: bool) -> int:
    """Verify one record and print all findings; returns the exit code."""
    if not as_json and sys.stderr.isatty():
        work = work._replace(progress=_bar)
    found = work.do(record).found
    if as_json:
        say_findings(record.name, found)
    else:
        print_findings(record.name, found, verbose=verbose)
    return found.code


def _read_receipt(path: str) -> Signed:
    """A receipt in a file beside its signature, or in a bundle; raises Refused."""
    from adjudicator.core import bundles

    if path.endswith(".toml"):
        return Signed(files.read(Path(path), 4096), files.read(Path(f"{path}.sig"), 4096))
    return bundles.read_one("receipt", read_bundle(path))[1]


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


def _beside(record: str) -> Path | None:
    """The seat beside a record, whose own reports and receipts are checked too."""
    if not (Path(record) / names.INVITE).is_file():
        return None
    seat = place_of(Record(Path(record))).seat
    return seat if seat is not None and seat.is_dir() else None


def _explain(path: Path, revision: str | None, step: int, *, as_json: bool) -> None:
    """Print the state and everyone's report of a step, adjudicated again."""
    from adjudicator.verifier.second_adjudication import explain

    made = explain(ledger_of(source_of(path, revision)), step)
    texts = {"state": made.state, **{f"report of {who}": made.reports[who] for who in made.reports}}
    if as_json:
        told = {what: data.decode("ascii") for what, data in texts.items()}
        say_json({"step": step, "differs": made.differs or None, "files": told})
        return
    for what, data in texts.items():
        say(f"{what}, {digest(data)}:")
        say(f"  {data.decode('ascii')}")
    say(f"the entry differs: {made.differs}" if made.differs else "the entry says the same")


_PROOF = b"PROOF: "


def _prove(record: Path, other: str, out: str | None) -> None:
    """Print the portable proof that a host signed two contradicting statements; raises Refused if
    nothing contradicts.

    `other`: another record, or an entry as it came, for two histories; a receipt or a seat, for two
    answers to one slip.
    """
    from zipfile import is_zipfile

    from adjudicator.verifier import fork

    check_out(out, like=_PROOF)
    one, path = source_of(record), Path(other)
    entry = None
    if path.is_file() and not is_zipfile(path) and path.suffix != ".toml":
        came = read_paste(other).bundles
        entry = next((bundle for bundle in came if bundle.kind == "entry"), None)
    if entry is not None or (path / names.INVITE).is_file() or is_zipfile(path):
        two = source_of(path) if entry is None else Overlay(one, dict(entry.files))
        warn(*fork.two_slips(one, two))
        proof = fork.prove(one, two)
    else:
        proof = _prove_answers(one, path)
    write_out(out or "-", proof.text().encode("ascii"), like=_PROOF)
    if out not in (None, "-"):
        say(f"{out}: {proof.summary}")


def _prove_answers(record: Source, other: Path) -> Proof:
    from adjudicator.player import witness
    from adjudicator.verifier import fork

    ledger = ledger_of(record)
    if (other / "seat.toml").is_file():
        found = witness.given(ledger, seat_in(other), trusted=False)
    else:
        beside = place_of(record).seat if isinstance(record, Record) else None
        own = None if beside is None or not beside.is_dir() else seat_in(beside)
        found = [] if own is None else witness.given(ledger, own, trusted=False)
        found.append(receipts.read(ledger.opening, _read_receipt(str(other))))
    return fork.prove_answers(record, found)
