"""`verify` and `prove-fork`."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from adjudicator import files, fork, opening
from adjudicator.cli.shared import read_bundle, record_of, say_json
from adjudicator.receipts import Given
from adjudicator.receive import load_receipts, read_receipt_files
from adjudicator.record import Record
from adjudicator.seat import Seat
from adjudicator.verify import Findings, gravest
from adjudicator.verify import verify as verify_record
from orders.errors import Refused

_MARKS = {"true": "ok  ", "false": "FAIL", "open": "OPEN", "unknown": "  - "}


@click.command(epilog="Example: adjudicator verify friday --seat alice.seat")
@click.argument("records", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--seat", type=click.Path(path_type=Path), help="Check this seat's reports too.")
@click.option("--receipt", "receipts", multiple=True, metavar="FILE", help="Check a receipt too.")
@click.option("--game", metavar="ID", help="The id that the game must have.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, help="Records at the same time.")
@click.pass_context
def verify(
    ctx: click.Context,
    records: tuple[Path, ...],
    seat: Path | None,
    receipts: tuple[str, ...],
    game: str | None,
    as_json: bool,
    jobs: int,
) -> None:
    """Verify RECORDS: a line per claim, a verdict, and what is not proved.

    Exit codes: 0 true, 1 false, 2 unusable input, 3 true with open protests, 4 incomplete or not
    yet revealed. Of several records the gravest counts.
    """
    work = [(path, seat, receipts, game, not as_json and jobs == 1) for path in records]
    if jobs > 1 and len(work) > 1:
        with ProcessPoolExecutor(jobs) as pool:
            found = list(pool.map(_verify, *zip(*work, strict=True)))
    else:
        found = [_verify(*one) for one in work]
    if as_json:
        say_json([_described(path, one) for path, one in zip(records, found, strict=True)])
    else:
        for path, one in zip(records, found, strict=True):
            _print(path, one)
    ctx.exit(gravest(one.code for one in found))


def _verify(
    path: Path, seat: Path | None, receipts: tuple[str, ...], game: str | None, show: bool
) -> Findings:
    record = Record(path)
    try:
        own = None if seat is None else Seat.open(seat)
        given = [_read_receipt(one) for one in receipts]
        if own is not None and (path / "entries").is_dir():
            given += load_receipts(own, opening.read_opening(record))
    except Refused as error:
        return Findings(2, f"unusable: {error.message}")
    progress = _bar if show and sys.stderr.isatty() else None
    return verify_record(record, seat=own, given=given, game=game, progress=progress)


def _read_receipt(path: str) -> Given:
    if path.endswith(".toml"):
        return Given(files.read(Path(path), 4096), files.read(Path(f"{path}.sig"), 4096))
    bundle = read_bundle(path)
    if bundle.kind != "receipt":
        raise Refused("bad-bundle", f"{path}: a bundle of kind {bundle.kind}: expected a receipt")
    return read_receipt_files(bundle.files)


def _bar(done: int, of: int) -> None:
    if done % 50 == 0 or done == of:
        end = "\n" if done == of else ""
        click.echo(f"\r{done}/{of}{end}", err=True, nl=False)


def _print(path: Path, found: Findings) -> None:
    click.echo(f"{path}: game {found.game}" if found.game else f"{path}:")
    for claim in found.claims:
        click.echo(f"  {_MARKS[claim.status]} {claim.name}: {claim.text}")
    if found.not_proved:
        click.echo("  not proved: " + ";\n    ".join(found.not_proved))
    colour = {0: "green", 1: "red"}.get(found.code, "yellow")
    click.secho(f"verdict: {found.verdict}", fg=colour)


def _described(path: Path, found: Findings) -> dict[str, Any]:
    return {"record": str(path), **asdict(found)}


@click.command("prove-fork", epilog="Example: adjudicator prove-fork alices-copy bobs-copy")
@click.argument("a", type=click.Path(path_type=Path, file_okay=False))
@click.argument("b", type=click.Path(path_type=Path, file_okay=False))
@click.option("-o", "--out", metavar="FILE", help="Where to write the proof; without it stdout.")
def prove_fork(a: Path, b: Path, out: str | None) -> None:
    """Print the portable proof that the host signed two histories, A and B.

    Exits 1 where the two records do not contradict each other.
    """
    proof = fork.prove(record_of(a), record_of(b))
    if out is None or out == "-":
        click.echo(proof.text(), nl=False)
        return
    files.write(Path(out), proof.text().encode())
    click.echo(f"{out}: {proof.summary}")
