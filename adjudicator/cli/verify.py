"""`verify` and `prove-fork`."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import click

from adjudicator.cli.shared import (
    AtOption,
    JsonOption,
    check_out,
    ledger_of,
    open_seat,
    read_bundle,
    say,
    say_json,
    seat_in,
    source_of,
    warn,
    write_out,
)
from adjudicator.core import bundles, receipts
from adjudicator.core.source import Source
from adjudicator.player import witness
from adjudicator.player.seat import Seat
from adjudicator.store import files
from adjudicator.store.pack import Pack
from adjudicator.store.record import Record
from adjudicator.verifier import explain as explaining
from adjudicator.verifier import fork, hosts
from adjudicator.verifier.claims import Findings, gravest
from adjudicator.verifier.verify import Asked
from adjudicator.verifier.verify import verify as verify_source
from orders import names
from orders.errors import Refused
from orders.fields import digest, is_hex
from orders.signed import Signed


def _digest(_ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """A digest as an option gives it; a wrong call where it is none."""
    if value is not None and not is_hex(value):
        raise click.BadParameter(
            f"{value!a:.80}: expected all 64 hex digits, as adjudicator status tells them",
            param=parameter,
        )
    return value


@dataclass(frozen=True, slots=True)
class _Work:
    """One record to be verified, with what the call asks; goes to another process whole."""

    text: str
    seat: Path | None
    receipts: tuple[str, ...]
    game: str | None
    head: str | None
    revision: str | None
    tied: bool
    bar: bool
    helped: bool


@click.command(epilog="Example: adjudicator verify friday --seat alice.seat")
@click.argument("records", nargs=-1, metavar="[RECORD|URL]...")
@click.option("--seat", type=click.Path(path_type=Path), help="Check this seat's reports too.")
@click.option("--receipt", "given", multiple=True, metavar="FILE", help="Check a receipt too.")
@click.option("--game", metavar="ID", callback=_digest, help="The id that the game must have.")
@click.option(
    "--head", metavar="DIGEST", callback=_digest, help="The last entry that it must have."
)
@click.option("-v", "--verbose", is_flag=True, help="Every detail of every claim.")
@click.option("--explain", type=int, metavar="N", help="Print step N as it is reckoned again.")
@JsonOption
@AtOption
@click.option(
    "--bisect/--no-bisect",
    default=None,
    help="Exit codes for git bisect run: good so far, bad; without it found out.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=1,
    help="Records at the same time; 2 for one record: two processors for it.",
)
@click.pass_context
def verify(
    ctx: click.Context,
    records: tuple[str, ...],
    seat: Path | None,
    given: tuple[str, ...],
    game: str | None,
    head: str | None,
    verbose: bool,
    explain: int | None,
    as_json: bool,
    at: str | None,
    bisect: bool | None,
    jobs: int,
) -> None:
    """Verify records: a line per claim, a verdict, and what is not proved.

    A URL (or a bare repository) is cloned into a temporary folder; in a clone the commits are tied
    to the chain too. Without any, the folder that one is in.

    Exit codes: 0 true, 1 false, 2 unusable input, 3 true with something for a person to look at, 4
    incomplete or not yet revealed. Of several records the gravest counts: 1, 2, 4, 3, 0.
    """
    chosen = records or (".",)
    if explain is not None:
        if len(chosen) > 1:
            raise click.UsageError("--explain takes one record")
        _explain(Path(chosen[0]), at, explain, as_json=as_json)
        return
    if bisect is None:
        bisect = _is_bisecting(chosen[0])
    bar = not as_json and jobs == 1 and sys.stderr.isatty()
    seats = _seats(chosen, seat)
    work = [
        _Work(
            one, own, given, game, head, at, not bisect, bar, helped=jobs > 1 and len(chosen) == 1
        )
        for one, own in zip(chosen, seats, strict=True)
    ]
    if jobs > 1 and len(work) > 1:
        with ProcessPoolExecutor(jobs) as pool:
            found = list(pool.map(_verify, work))
    else:
        found = [_verify(one) for one in work]
    beside = _beside(chosen)
    if as_json:
        say_json([one.json(path) for path, one in zip(chosen, found, strict=True)])
    else:
        for path, one in zip(chosen, found, strict=True):
            print_findings(path, one, verbose=verbose)
    for line in beside:
        say(f"together: {line}", to="-" if as_json else None)
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


def _seats(chosen: Sequence[str], seat: Path | None) -> list[Path | None]:
    """The seat for those of several records that are of its invite; for all where none is."""
    if seat is None or len(chosen) == 1:
        return [seat] * len(chosen)
    try:
        invite = seat_in(seat).invite
        own = [digest(source_of(Path(one)).read(names.INVITE)) == invite for one in chosen]
    except Refused:
        own = []
    return [seat if one else None for one in own] if any(own) else [seat] * len(chosen)


def _beside(chosen: Sequence[str]) -> list[str]:
    """What several records tell together."""
    if len(chosen) < 2:
        return []
    found: list[tuple[str, Source]] = []
    for one in chosen:
        # What is no record here, its own verification tells.
        with contextlib.suppress(Refused):
            found.append((one, source_of(Path(one))))
    return hosts.together(found)


def _verify(work: _Work) -> Findings:
    path = Path(work.text)
    here = work.revision is None and (path / names.INVITE).is_file()
    clone = work.tied and here and (path / ".git").exists()
    elsewhere = work.revision is not None or ":" in work.text or (path / "HEAD").is_file()
    try:
        if not clone and (here or not elsewhere):
            return _verify_record(Pack.open(path) if path.is_file() else Record(path), work)
        # Records without git never load this.
        from adjudicator.git import verifying

        if here:
            tied: Findings = verifying.with_clone(_verify_record(Record(path), work), Record(path))
            return tied
        if work.revision is None and not verifying.is_address(work.text):
            return _verify_record(Record(path), work)
        with verifying.opened(work.text, work.revision) as record:
            found = _verify_record(record, work)
            if work.tied:
                found = verifying.with_commits(found, record)
            return found
    except Refused as error:
        return Findings.unusable(error)


def _verify_record(record: Source, work: _Work) -> Findings:
    own = open_seat(work.seat)
    given = [_read_receipt(one) for one in work.receipts]
    helpers = None
    if work.helped:
        from adjudicator.cli.forks import Forks

        helpers = Forks.here()
    asked = Asked(own, given, work.game, work.head, helpers=helpers)
    if work.bar:
        asked = replace(asked, progress=_bar)
    return verify_source(record, asked)


def _read_receipt(path: str) -> Signed:
    """A receipt in a file beside its signature, or in a bundle; raises Refused."""
    if path.endswith(".toml"):
        return Signed(files.read(Path(path), 4096), files.read(Path(f"{path}.sig"), 4096))
    return bundles.read_receipt_bundle(read_bundle(path))


def _bar(done: int, of: int) -> None:
    if done % 50 == 0 or done == of:
        end = "\n" if done == of else ""
        click.echo(f"\r{done}/{of}{end}", err=True, nl=False)


def print_findings(path: Path | str, found: Findings, *, verbose: bool = False) -> None:
    """Tell what was found of a record: a line for each claim, and the verdict last."""
    for line in found.lines(str(path), verbose=verbose):
        say(line)
    colour = {0: "green", 1: "red"}.get(found.code, "yellow")
    click.secho(f"verdict: {found.verdict}", fg=colour)


def _explain(path: Path, revision: str | None, step: int, *, as_json: bool) -> None:
    """Print the state and everyone's report of a step, adjudicated again."""
    made = explaining.explain(ledger_of(source_of(path, revision)), step)
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
@click.argument("a", type=click.Path(path_type=Path))
@click.argument("b", type=click.Path(path_type=Path), required=False)
@click.option("--seat", type=click.Path(path_type=Path), help="Search this seat's receipts.")
@click.option("--receipt", "given", multiple=True, metavar="FILE", help="Search these receipts.")
@click.option("-o", "--out", metavar="FILE", help="Where to write the proof; without it stdout.")
def prove_fork(
    a: Path, b: Path | None, seat: Path | None, given: tuple[str, ...], out: str | None
) -> None:
    """Print the portable proof that a host signed what contradicts itself.

    With two records A and B: two histories. With --seat or --receipt: two answers to one slip, in
    the game of record A. Exits 1 where nothing contradicts.
    """
    check_out(out, like=_PROOF)
    if b is not None:
        one, other = source_of(a), source_of(b)
        for line in fork.two_slips(one, other):
            warn(line)
        proof = fork.prove(one, other)
    else:
        proof = _prove_answers(source_of(a), open_seat(seat), given)
    write_out(out or "-", proof.text().encode("ascii"), like=_PROOF)
    if out not in (None, "-"):
        say(f"{out}: {proof.summary}")


_PROOF = b"PROOF: "


def _prove_answers(record: Source, seat: Seat | None, given: Sequence[str]) -> fork.Proof:
    if seat is None and not given:
        raise click.UsageError("name a second record, --seat or --receipt")
    ledger = ledger_of(record)
    found = [] if seat is None else witness.given(ledger, seat, trusted=False)
    found += [receipts.read(ledger.opening, _read_receipt(path)) for path in given]
    return fork.prove_answers(record, found)
