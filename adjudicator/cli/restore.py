"""`restore`: a backup unpacked; and a host's folder made whole from copies, mails and clones."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from adjudicator.cli import settings, shared, tell_error
from adjudicator.cli.backup import HOST_KEY, check_free, passphrase
from adjudicator.cli.host import carrier, desk_of, host_signer, open_host, write_for
from adjudicator.cli.post import authorities
from adjudicator.cli.which import HOST, GameOption, find, hosted
from adjudicator.core.bundles import ids_of, of_receipt
from adjudicator.core.source import read_or_none
from adjudicator.host import ahead
from adjudicator.host.folder import HostFolder
from adjudicator.host.restore import Pool, Told, bring_invite
from adjudicator.host.restore import restore as bring_back
from adjudicator.mail import block, mailboxes
from adjudicator.mail.mailboxes import MailboxDown, Unreadable
from adjudicator.mail.mime import read_mail
from adjudicator.player import safe as safes
from adjudicator.player.duel import Home
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.pack import Pack
from adjudicator.store.record import Record
from orders import names
from orders.documents import read_receipt
from orders.errors import Refused, pasteable
from orders.keys import Signer

_LARGEST = 2**23
"""Bytes of the largest mail or bundle that is looked at."""
_MAILBOXES = ("imaps:", "imap:", "maildir:")


@click.command(epilog="Example: adjudicator restore friday-alice.safe")
@click.argument("sources", metavar="FILE...", nargs=-1)
@GameOption
@click.option(
    "--nothing-lost", is_flag=True,
    help="Host: a player quotes an entry that never was: go on, and no longer believe them.",
)  # fmt: skip
@shared.KeyOption
@click.option(
    "-o", "--out", type=shared.AnyPath, help="The folder to unpack into; by default this one."
)
@click.pass_context
def restore(
    ctx: click.Context, sources: tuple[str, ...], record: Path | None, nothing_lost: bool,
    key: Path | None, out: Path | None,
) -> None:  # fmt: skip
    """Unpack a backup FILE into folders; or, for a host, bring back what an older backup lacks.

    Then FILEs are copies of the record, packs, git clones, players' seats or the bundles in them,
    files of mails, and mailboxes (maildir:PATH, imaps://USER@HOST/Adjudicated). All that is found
    is checked, so anybody's files will do. Exits 4, and says what is missing, until all is there.
    In a referee's folder every game is brought back.
    """
    if len(sources) == 1 and shared.begins(Path(sources[0]), b"adjudicator-safe/"):
        _unpack(Path(sources[0]), out or Path(sources[0]).absolute().parent)
        return
    if nothing_lost and sources:
        raise click.UsageError("--nothing-lost goes without a FILE")
    if record is None and Path(settings.REFEREE).is_file() and not nothing_lost:
        if not (games := hosted(Path())):
            raise Refused("missing", "no game is hosted in this folder", "name one: -g RECORD")
        ctx.exit(4 if _bring_back(games, sources, key) else 0)
    if record is None or (record / names.INVITE).is_file():
        record = find(record, None, HOST).record
    if nothing_lost:
        referee = open_host(record, key, sure=True)
        with referee.record.locked():
            doubted = ahead.dismiss(referee)
        shared.say(*(f"{name}: what they quote stops nothing any more" for name in doubted))
        return
    ctx.exit(4 if _bring_back([Record(record)], sources, key) else 0)


def _bring_back(games: Sequence[Record], sources: Sequence[str], key: Path | None) -> bool:
    """Bring back what games lack; whether something is missing still.

    What stops one, as two histories do, is said, and keeps no other from being brought back.
    """
    ids = [ids_of(game) for game in games]
    # Whatever has begun has two; what a lost genesis began is known only once that is found.
    pool = Pool(frozenset().union(*ids) if all(len(one) == 2 for one in ids) else None)
    for source in sources:
        _gather(pool, source, games[0].root)
    lacking = False
    for game in games:
        place = pasteable(game.root)
        which = f"{place}: " if len(games) > 1 else ""
        try:
            bring_invite(game, pool)
            signer = host_signer(game, key)
            done = bring_back(game, signer, SystemClock(), pool, _told(game, signer))
        except Refused as error:
            if len(games) == 1:
                raise
            if read_or_none(game, names.entry(0)) is None and error.word == "missing":
                shared.say(f"{place} has not begun, as far as these files tell")
                continue
            click.echo(which.rstrip(), err=True)
            tell_error(error)
            lacking = True
            continue
        shared.say(*(f"{which}brought back: {line}" for line in done.lines))
        if done.receipts and carrier(game) == "files":
            desk = desk_of(game.root, key, sure=True)
            for receipt in done.receipts:
                player = read_receipt(receipt.data).player
                where = write_for(desk, player, of_receipt(receipt))
                shared.say(f"For {player}: {where}")
        for line in done.missing:
            click.echo(f"{which}missing: {line}", err=True)
        if not done.missing:
            shared.say(f"{place} is whole, as far as these files tell")
        lacking = lacking or bool(done.missing)
    return lacking


def _told(game: Record, signer: Signer) -> Told | None:
    """What anybody may have from this machine; None if that may be all. By mail copies of what was
    told lie in the mailbox."""
    how, sent = carrier(game), HostFolder(game.host).sent()
    if how == "git":
        from adjudicator.git.host_sync import HostSync

        return HostSync(game, signer, SystemClock()).told()
    # A folder in which nothing was handed out may have lost its note of that.
    return Told(sent) if how == "files" and sent >= 0 else None


def _unpack(path: Path, folder: Path) -> None:
    data = files.read(path, safes.LARGEST)
    head = safes.read_head(data)
    _, files_of = safes.open_with(data, passphrase(f"Passphrase of {head.player}'s safe:"))
    places = safes.folders(head, folder, files_of)
    for place in places.values():
        check_free(place.root)
    if "duel" in places:
        root = places["duel"].root.absolute()
        home = Home.of(root, files_of["duel/me.toml"])
        home.key = root / "key"
        safes.lay_out(places, {**files_of, "duel/me.toml": home.me})
        party = home.party()
        party.restore(shared.now())
        home.keep(party)
        shared.say(f"{places['duel'].root}: your side of the duel with its key, private")
        shared.say(*_SINCE)
        return
    if "host" in places:
        files_of["host/key"] = f"{HOST_KEY}\n".encode()
    safes.lay_out(places, files_of)
    copy = places["record"].root
    if "host" in places:
        shared.say(
            f"{places['host'].root}: the host's folder with its key, private; {copy}: the record"
        )
        shared.say(
            "if the game went on after this backup: adjudicator restore FILE... brings that back"
        )
        return
    seat = places["seat"].root
    shared.say(f"{seat}: your seat with its key, private; {copy}: your copy")
    shared.say(f"next: adjudicator play -g {pasteable(copy)} --seat {pasteable(seat)}")


_SINCE = (
    "if you have moved since this backup, the other has these moves: the program asks for them",
    "before it asks for orders: adjudicator sync",
)


def _gather(pool: Pool, source: str, record: Path) -> None:
    """Take in all that a path or a mailbox holds; raises Refused if there is nothing to read.

    `record`: the game whose settings say which servers are trusted.
    """
    if source.startswith(_MAILBOXES):
        try:
            # Of all days: what is offered then comes from two days before on.
            box = mailboxes.open_source(source, authorities(record), "1970-01-04T00:00:00Z")
            for one in box.mails():
                with contextlib.suppress(Refused, Unreadable):
                    _gather_text(pool, one.read())
        except MailboxDown as error:
            raise Refused("unreadable", f"{source!a}: {error}") from None
        return
    path = Path(source)
    if not path.exists():
        raise Refused("missing", f"{source!a} is not there")
    if (path / ".git").exists() or ((path / "HEAD").is_file() and (path / "objects").is_dir()):
        pool.add(_committed(path))
    if path.is_file():
        _gather_file(pool, path, "")
        return
    for folder, folders, found in os.walk(path):
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in sorted(found):
            inside = (Path(folder) / name).relative_to(path).as_posix()
            _gather_file(pool, Path(folder) / name, inside)


def _committed(repository: Path) -> Iterator[tuple[str, bytes]]:
    """The files of the record on a repository's main that can be read; none if it has no commit."""
    from adjudicator.git.tree import record_at

    with contextlib.suppress(Refused):
        tree = record_at(repository, None)
        for name in filter(names.is_ours, tree.items()):
            with contextlib.suppress(Refused):
                yield name, tree.read(name)


def _gather_file(pool: Pool, path: Path, inside: str) -> None:
    """Take in a file of a record or a seat by its name, and the blocks in a bundle or a mail."""
    name = path.name if names.is_ours(path.name) else "/".join(inside.split("/")[-2:])
    if path.suffix in (".toml", ".sig", ".sealed", ".order") or names.is_ours(name):
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
    """Take in the bundles in a mail, or in a text."""
    if b"ADJUDICATOR" not in data and b"base64" not in data:
        return
    found = block.find(data.decode("ascii", "replace"))
    with contextlib.suppress(Refused):
        found += read_mail(data).blocks
    for one in found:
        if one.bundle is not None:
            pool.add_bundle(one.bundle)
