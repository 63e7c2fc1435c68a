"""`verify` and `prove-fork`."""

from __future__ import annotations

import contextlib
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
@click.argument("records", nargs=-1, metavar="[RECORD|URL]...")
@click.option("--seat", type=click.Path(path_type=Path), help="Check this seat's reports too.")
@click.option("--receipt", "receipts", multiple=True, metavar="FILE", help="Check a receipt too.")
@click.option("--game", metavar="ID", help="The id that the game must have.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option("--at", "revision", metavar="REV", help="As a commit of the repository has it.")
@click.option(
    "--bisect/--no-bisect",
    default=None,
    help="Exit codes for git bisect run: good so far, bad; without it found out.",
)
@click.option("--jobs", type=click.IntRange(1, 64), default=1, help="Records at the same time.")
@click.pass_context
def verify(
    ctx: click.Context,
    records: tuple[str, ...],
    seat: Path | None,
    receipts: tuple[str, ...],
    game: str | None,
    as_json: bool,
    revision: str | None,
    bisect: bool | None,
    jobs: int,
) -> None:
    """Verify records: a line per claim, a verdict, and what is not proved.

    A URL (or a bare repository) is cloned into a temporary folder; in a clone the commits are tied
    to the chain too. Without any, the folder that one is in.

    Exit codes: 0 true, 1 false, 2 unusable input, 3 true with open protests, 4 incomplete or not
    yet revealed. Of several records the gravest counts.
    """
    chosen = records or (".",)
    if bisect is None:
        bisect = _is_bisecting(chosen[0])
    show = not as_json and jobs == 1
    work = [(one, seat, receipts, game, show, revision, not bisect) for one in chosen]
    if jobs > 1 and len(work) > 1:
        with ProcessPoolExecutor(jobs) as pool:
            found = list(pool.map(_verify, *zip(*work, strict=True)))
    else:
        found = [_verify(*one) for one in work]
    if as_json:
        say_json([_described(path, one) for path, one in zip(chosen, found, strict=True)])
    else:
        for path, one in zip(chosen, found, strict=True):
            _print(path, one)
    code = gravest(one.code for one in found)
    if bisect:
        from adjudicator.git.verifying import bisect_code

        code = bisect_code(code)
    ctx.exit(code)


def _is_bisecting(record: str) -> bool:
    if not (Path(record) / ".git").exists():
        return False
    from adjudicator.git.verifying import is_bisecting

    return is_bisecting(Path(record))


def _verify(
    text: str,
    seat: Path | None,
    receipts: tuple[str, ...],
    game: str | None,
    show: bool,
    revision: str | None,
    tied: bool,
) -> Findings:
    path = Path(text)
    plain = revision is None and (path / "invite.toml").is_file()
    if plain and not (tied and (path / ".git").exists()):
        return _verify_record(Record(path), seat, receipts, game, show)
    # Records without git never load this.
    from adjudicator.git import verifying

    try:
        if plain:
            found = _verify_record(Record(path), seat, receipts, game, show)
            return verifying.with_clone(found, Record(path))
        if revision is None and not verifying.is_address(text):
            return _verify_record(Record(path), seat, receipts, game, show)
        with verifying.opened(text, revision) as record:
            found = _verify_record(record, seat, receipts, game, show)
            return verifying.with_commits(found, record) if tied else found
    except Refused as error:
        return Findings(2, f"unusable: {error.message}")


def _verify_record(
    record: Record, seat: Path | None, receipts: tuple[str, ...], game: str | None, show: bool
) -> Findings:
    try:
        own = None if seat is None else Seat.open(seat)
        given = [_read_receipt(one) for one in receipts]
    except Refused as error:
        return Findings(2, f"unusable: {error.message}")
    if own is not None and record.last_step() is not None:
        # Where the opening is refused, the verdict below says so.
        with contextlib.suppress(Refused):
            given += load_receipts(own, opening.read_opening(record))
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


def _print(path: Path | str, found: Findings) -> None:
    click.echo(f"{path}: game {found.game}" if found.game else f"{path}:")
    for claim in found.claims:
        click.echo(f"  {_MARKS[claim.status]} {claim.name}: {claim.text}")
    if found.not_proved:
        click.echo("  not proved: " + ";\n    ".join(found.not_proved))
    colour = {0: "green", 1: "red"}.get(found.code, "yellow")
    click.secho(f"verdict: {found.verdict}", fg=colour)


def _described(path: Path | str, found: Findings) -> dict[str, Any]:
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
