"""`verify` and `prove-fork`."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from adjudicator.cli import tell_error
from adjudicator.cli.findings import print_findings, say_findings
from adjudicator.cli.shared import (
    AnyPath,
    AtOption,
    JobsOption,
    SchedulerOption,
    check_out,
    ledger_of,
    open_seat,
    read_bundle,
    say,
    say_json,
    source_of,
    warn,
    write_out,
)
from adjudicator.core import receipts
from adjudicator.core.source import Source
from adjudicator.league import archive
from adjudicator.league.archive import Item, Verifying
from adjudicator.player import finding
from adjudicator.store import files
from orders.errors import Refused
from orders.fields import digest, is_hex
from orders.signed import Signed

if TYPE_CHECKING:
    from adjudicator.player.seat import Seat
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
@click.option("--seat", type=AnyPath, help="Check this seat's reports too.")
@click.option(
    "--receipt", "given_files", multiple=True, metavar="FILE",
    help="Check a receipt too: a bundle, or NAME.toml beside NAME.toml.sig.",
)  # fmt: skip
@click.option("--game", metavar="ID", callback=_digest, help="The id that the game must have.")
@click.option(
    "--head", metavar="DIGEST", callback=_digest, help="The last entry that it must have."
)
@click.option("-v", "--verbose", is_flag=True, help="Every detail of every claim.")
@click.option("--explain", type=int, metavar="N", help="Print step N as adjudicated again.")
@click.option("--json", "as_json", is_flag=True, help="For programs: a line for each record.")
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
    ctx: click.Context, records: tuple[str, ...], lists: tuple[BinaryIO, ...], seat: Path | None,
    given_files: tuple[str, ...], game: str | None, head: str | None, verbose: bool,
    explain: int | None, as_json: bool, at: str | None, bisect: bool | None, jobs: int,
    scheduler: str | None,
) -> None:  # fmt: skip
    """Verify records: a line per claim, a verdict, and what is not proved.

    A URL (or a bare repository) is cloned into a temporary folder; in a clone the commits are
    compared with the chain too. Without any, the record that is here is verified.

    Several records, or a FOLDER with records and packs (.zip) in it, get a line each, in their
    order; -v tells each of them in full.

    Exit codes: 0 true, 1 false, 2 unusable input, 3 true with something for a person to look at, 4
    incomplete or not yet revealed. Of several records the gravest counts: 1, 2, 4, 3, 0. 130 after
    Ctrl-C.
    """
    chosen = records or (() if lists else (_here(),))
    if explain is not None:
        if len(chosen) != 1 or lists:
            raise click.UsageError("--explain takes one record")
        _explain(Path(chosen[0]), at, explain, as_json=as_json)
        return
    if scheduler is not None and (seat or given_files or at):
        raise click.UsageError(
            "--seat, --receipt and --at work only on this machine: leave out --scheduler"
        )
    if bisect is None:
        bisect = any(map(_is_bisecting, chosen[:1]))
    try:
        own = open_seat(seat)
        given = tuple(_read_receipt(one) for one in given_files)
    except Refused as error:
        tell_error(error)
        ctx.exit(UNUSABLE)
    one = len(chosen) == 1 and not lists and scheduler is None
    several = not one or (at is None and archive.is_archive(chosen[0]))
    brief = several and not (as_json or verbose)
    work = archive.Verifying(own, given, game, head, at, not bisect, several, brief)
    if several:
        # Processes and a cluster, which one record does not need.
        from adjudicator.cli.archive import Batch

        named = [*map(archive.Item, chosen)]
        listed = (item for file in lists for item in archive.read_list(file.name, file))
        batch = Batch(work, jobs, scheduler, as_json=as_json, verbose=verbose)
        code = batch.run(itertools.chain(named, listed) if lists else named, again=not lists)
    else:
        code = _one(work, chosen[0], as_json=as_json, verbose=verbose)
    if bisect:
        from adjudicator.git.verifying import bisect_code

        code = bisect_code(code)
    ctx.exit(code)


def _one(work: Verifying, record: str, *, as_json: bool, verbose: bool) -> int:
    """Verify one record and print all findings; returns the exit code."""
    if not as_json and sys.stderr.isatty():
        work = replace(work, progress=_bar)
    found = work.do(Item(record)).found
    if as_json:
        say_findings(record, found)
    else:
        print_findings(record, found, verbose=verbose)
    return found.code


def _is_bisecting(record: str) -> bool:
    if not (Path(record) / ".git").exists():
        return False
    from adjudicator.git.verifying import is_bisecting

    return is_bisecting(Path(record))


def _read_receipt(path: str) -> Signed:
    """A receipt in a file beside its signature, or in a bundle; raises Refused."""
    from adjudicator.core import bundles

    if path.endswith(".toml"):
        return Signed(files.read(Path(path), 4096), files.read(Path(f"{path}.sig"), 4096))
    return bundles.read_one("receipt", read_bundle(path))[1]


def _bar(done: int, of: int) -> None:
    if done % 50 == 0 or done == of:
        end = "\n" if done == of else ""
        click.echo(f"\r{done}/{of}{end}", err=True, nl=False)


def _here() -> str:
    """The one record in which this folder lies, or that lies in it; else the folder itself."""
    here = finding.records(Path().absolute())
    return os.path.relpath(here[0].root) if len(here) == 1 else "."


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


@click.command("prove-fork", epilog="Example: adjudicator prove-fork alices-copy bobs-copy")
@click.argument("a", type=AnyPath)
@click.argument("b", type=AnyPath, required=False)
@click.option("--seat", type=AnyPath, help="Search this seat's receipts.")
@click.option("--receipt", "given", multiple=True, metavar="FILE", help="Search these receipts.")
@click.option("-o", "--out", metavar="FILE", help="Where to write the proof; without it stdout.")
def prove_fork(
    a: Path, b: Path | None, seat: Path | None, given: tuple[str, ...], out: str | None
) -> None:
    """Print the portable proof that a host signed two contradicting statements.

    With two records A and B: two histories. With --seat or --receipt: two answers to one slip, in
    the game of record A. Exits 1 if nothing contradicts.
    """
    from adjudicator.verifier import fork

    check_out(out, like=_PROOF)
    if b is not None:
        one, other = source_of(a), source_of(b)
        warn(*fork.two_slips(one, other))
        proof = fork.prove(one, other)
    else:
        proof = _prove_answers(source_of(a), open_seat(seat), given)
    write_out(out or "-", proof.text().encode("ascii"), like=_PROOF)
    if out not in (None, "-"):
        say(f"{out}: {proof.summary}")


_PROOF = b"PROOF: "


def _prove_answers(record: Source, seat: Seat | None, given: Sequence[str]) -> Proof:
    from adjudicator.player import witness
    from adjudicator.verifier import fork

    if seat is None and not given:
        raise click.UsageError("name a second record, --seat or --receipt")
    ledger = ledger_of(record)
    found = [] if seat is None else witness.given(ledger, seat, trusted=False)
    found += [receipts.read(ledger.opening, _read_receipt(path)) for path in given]
    return fork.prove_answers(record, found)
