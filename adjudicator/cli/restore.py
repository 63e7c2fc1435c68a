"""`restore`: a host's folder made whole from copies, seats, mails and clones."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import click

from adjudicator.cli.host import host_signer, open_host
from adjudicator.cli.shared import AnyPath, MovedKeyOption, say
from adjudicator.host import ahead
from adjudicator.host.restore import Pool, bring_invite
from adjudicator.host.restore import restore as bring_back
from adjudicator.mail import block, mailboxes
from adjudicator.mail.mailboxes import Down, Unreadable
from adjudicator.mail.mime import read_mail
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.pack import Pack
from adjudicator.store.record import Record
from orders import names
from orders.bundle import Bundle
from orders.errors import Refused, pasteable

_LARGEST = 2**23
"""Bytes of the largest mail or bundle that is looked at."""
_MAILBOXES = ("imaps:", "imap:", "maildir:")


@click.command(
    epilog="Example: adjudicator restore friday alice-copy bob.seat mails/",
    short_help="Bring back what an older backup lacks.",
)
@click.argument("record", type=AnyPath)
@click.argument("sources", metavar="FROM...", nargs=-1)
@click.option(
    "--nothing-lost", is_flag=True,
    help="A player quotes an entry that never was: go on, and no longer believe them.",
)  # fmt: skip
@click.option("--ca", type=AnyPath, help="Certificates to trust for IMAP.")
@MovedKeyOption
@click.pass_context
def restore(
    ctx: click.Context, record: Path, sources: tuple[str, ...], nothing_lost: bool,
    ca: Path | None, key: Path | None,
) -> None:  # fmt: skip
    """Bring back into RECORD and its host's folder what an older backup lacks.

    FROM: copies of the record, packs, git clones, players' seats or the bundles in them, files of
    mails, and mailboxes (maildir:PATH, imaps://USER@HOST/Adjudicated). All that is found is
    checked, so anybody's files will do. Exits 1, and says what is missing, until all is there.
    """
    if nothing_lost:
        if sources:
            raise click.UsageError("--nothing-lost goes without FROM")
        referee = open_host(record, key, sure=True)
        with referee.record.locked():
            doubted = ahead.dismiss(referee)
        say(*(f"{name}: what they quote stops nothing any more" for name in doubted))
        return
    target = Record(record)
    pool = Pool()
    for source in sources:
        _gather(pool, source, ca)
    bring_invite(target, pool)
    done = bring_back(target, host_signer(target, key), SystemClock(), pool)
    say(*(f"brought back: {line}" for line in done.lines))
    for line in done.missing:
        click.echo(f"missing: {line}", err=True)
    if not done.missing:
        say(f"{pasteable(record)} is whole, as far as these files tell")
    ctx.exit(1 if done.missing else 0)


def _gather(pool: Pool, source: str, ca: Path | None) -> None:
    """Take in all that a path or a mailbox holds; raises Refused if there is nothing to read."""
    if source.startswith(_MAILBOXES):
        for data in _mails(source, ca):
            _gather_text(pool, data)
        return
    path = Path(source)
    if not path.exists():
        raise Refused("missing", f"{source!a} is not there")
    if (path / ".git").exists() or ((path / "HEAD").is_file() and (path / "objects").is_dir()):
        from adjudicator.git import slips
        from adjudicator.git.process import Repo

        pool.add(slips.all_files(Repo(path.absolute())))
    if path.is_file():
        _gather_file(pool, path, "")
        return
    for folder, folders, found in os.walk(path):
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in sorted(found):
            inside = (Path(folder) / name).relative_to(path).as_posix()
            _gather_file(pool, Path(folder) / name, inside)


def _gather_file(pool: Pool, path: Path, inside: str) -> None:
    """Take in a file of a record or a seat by its name, and the blocks in a bundle or a mail."""
    if path.suffix in (".toml", ".sig", ".sealed"):
        name = path.name if names.is_ours(path.name) else "/".join(inside.split("/")[-2:])
        with contextlib.suppress(Refused):
            pool.add([(name, files.read(path, _LARGEST))])
        return
    with contextlib.suppress(Refused):
        pack = Pack.open(path)
        pool.add((name, pack.read(name)) for name in pack.paths())
        return
    with contextlib.suppress(Refused):
        _gather_text(pool, files.read(path, _LARGEST))


def _gather_text(pool: Pool, data: bytes) -> None:
    for bundle in _bundles(data):
        pool.add_bundle(bundle)


def _bundles(data: bytes) -> Iterator[Bundle]:
    """The bundles in a mail, or in a text."""
    if b"ADJUDICATOR" not in data and b"base64" not in data:
        return
    found = block.find(data.decode("ascii", "replace"))
    with contextlib.suppress(Refused):
        found += read_mail(data).blocks
    for one in found:
        if one.bundle is not None:
            yield one.bundle


def _mails(source: str, ca: Path | None) -> Iterator[bytes]:
    """The mails of a mailbox, in which nothing is changed; raises Refused."""
    try:
        for one in mailboxes.open_source(source, ca, "1970-01-02T00:00:00Z").mails():
            with contextlib.suppress(Refused, Unreadable):
                yield one.read()
    except Down as error:
        raise Refused("unreadable", f"{source!a}: {error}") from None
