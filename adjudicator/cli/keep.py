"""`backup` and `restore`: what is private in one file behind a passphrase, and back; and a host's
folder made whole from copies, seats, mails and clones."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from adjudicator.cli import settings, tell_error
from adjudicator.cli.here import (
    HOST,
    SEAT,
    GameOption,
    Located,
    hosted,
    is_duel,
    locate,
    nothing,
    place_of,
)
from adjudicator.cli.host import carrier, host_signer, open_host, write_receipt
from adjudicator.cli.play import own_signer
from adjudicator.cli.post import authorities
from adjudicator.cli.shared import (
    AnyPath,
    KeyOption,
    OutOption,
    now,
    passphrase_asker,
    record_of,
    say,
    seat_in,
    write_out,
)
from adjudicator.cli.shared import (
    signer as signer_of,
)
from adjudicator.core.bundles import ids_of
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import read_offer
from adjudicator.core.source import Source, read_or_none
from adjudicator.duel import documents
from adjudicator.host import ahead
from adjudicator.host.folder import HostFolder
from adjudicator.host.restore import Pool, Told, bring_invite
from adjudicator.host.restore import restore as bring_back
from adjudicator.mail import block, mailboxes
from adjudicator.mail.mailboxes import MailboxDown, Unreadable
from adjudicator.mail.mime import read_mail
from adjudicator.player import safe as safes
from adjudicator.player.duel import SUFFIX, Home
from adjudicator.player.seated import Seated
from adjudicator.player.table import memory
from adjudicator.store import files
from adjudicator.store import pack as packs
from adjudicator.store.clock import SystemClock
from adjudicator.store.pack import Pack
from adjudicator.store.record import PrivateFolder, Record
from adjudicator.verifier.packing import kept
from orders import crypto, names
from orders.bundle import Bundle
from orders.documents import read_receipt
from orders.errors import Refused, pasteable
from orders.keys import MemoryKey, Signer

_LARGEST = 2**23
"""Bytes of the largest mail or bundle that is looked at."""
_MAILBOXES = ("imaps:", "imap:", "maildir:")
_PACK = b"PK\3\4"
"""The first bytes of every pack, so that one may replace another."""
_HOST_KEY = "ssh-key"
"""The host's key in a restored folder."""


@click.command(cls=Located, duels=True, epilog="Example: adjudicator pack -o friday.zip")
@OutOption
def pack(record: Path, seat: Path | None, out: str | None) -> None:
    """The game as one file: a plain zip, which verify, show, log and status read as it is.

    It leaves out sealed files that anybody can make again. Before the reveal it is for a host's or
    player's own backup; a duel's may be shown to anybody.
    """
    if is_duel(record):
        from adjudicator.cli import duel_look

        duel_look.pack(record, out)
        return
    source = record_of(record)
    held = kept(source)
    data = packs.write(held)
    target = f"{read_offer(source).name}.zip" if out is None else out
    write_out(target, data, like=_PACK)
    head = Ledger.read(packs.Pack.of(data)).last
    say(f"{target}: {len(held)} files, {len(data)} bytes", to=out)
    say(f"last entry {head.step}, {head.digest}: this digest names the whole game", to=out)


@click.command(cls=Located, duels=True, epilog="Example: adjudicator backup -o friday-alice.safe")
@KeyOption
@OutOption
def backup(record: Path, seat: Path | None, key: Path | None, out: str | None) -> None:
    """Your seat, its key and your copy in one file behind a passphrase, as the page saves it; your
    side of a duel and its key; on the host's machine the host's folder, its key and the record.

    Every --seat also takes a player's safe, which is saved at each use. `restore` unpacks it.
    """
    if is_duel(record):
        _backup_duel(Home.open(record), key, out)
        return
    target = record_of(record, absolute=True)
    name = read_offer(target).name
    places: dict[str, Source] = {"record": target}
    if seat is not None:
        own = seat_in(seat)
        player, signer = own.player, own_signer(Seated(target, own), key)
        places |= {"seat": own.files, "mail": memory(target)}
        where = "seat/key"
    else:
        place = place_of(target)
        if not place.hosts:
            raise nothing([place], SEAT)
        player, signer = "host", host_signer(target, key)
        places |= {"host": PrivateFolder(target.host)}
        where = f"host/{_HOST_KEY}"
    held = {**safes.gather(places), where: _private(signer)}
    head = safes.SafeHead(name, player, read_offer(target).digest, 1)
    path = _sealed(head, held, f"{name}-{player}", out)
    whose = (
        "your seat, its key and your copy"
        if seat is not None
        else "the host's folder, its key and the record"
    )
    say(f"{path}: {whose}, behind your passphrase")
    if seat is not None:
        say("play on with it or with the folders, not with both: neither knows the other's orders")


def _backup_duel(home: Home, key: Path | None, out: str | None) -> None:
    """A side of a duel with its key, in a safe."""
    held = safes.gather({"duel": PrivateFolder(home.root)})
    held["duel/key"] = _private(signer_of(home.key if key is None else key))
    name = home.root.absolute().name.removesuffix(SUFFIX)
    offered = documents.read(home.source).offered
    head = safes.SafeHead(name, home.player, offered.id, 1)
    path = _sealed(head, held, f"{offered.game.id}-{home.player}", out)
    say(f"{path}: your side of the duel with its key, behind your passphrase")
    say("play on with it or with the folder, not with both: neither knows the other's orders")


def _sealed(head: safes.SafeHead, held: Mapping[str, bytes], name: str, out: str | None) -> Path:
    """The path of a new safe with these files; raises Refused."""
    path = Path(f"{name}{safes.ENDING}" if out is None else out)
    _check_free(path)
    data = safes.seal(head, safes.Lock.new(_new_passphrase()), held)
    files.write(path, data, 0o600)
    return path


def _private(signer: Signer) -> bytes:
    """A key as a file; raises Refused if only an agent has it."""
    if not isinstance(signer, MemoryKey):
        raise Refused(
            "bad-key",
            f"the key {signer.public.fingerprint} is in an ssh-agent, which never hands a key out",
            "name its private file: --key",
        )
    return crypto.write_openssh(signer.seed)


def _new_passphrase() -> str:
    ask = passphrase_asker()
    if ask is None:
        raise Refused(
            "bad-safe",
            "there is no terminal to ask for a passphrase",
            "write it into a file, and name the file: ADJUDICATOR_PASSPHRASE_FILE=FILE",
        )
    first = ask("A passphrase for the safe:")
    if ask("The same again:") != first:
        raise Refused("bad-option", "the two passphrases differ", "do the same again")
    return first


@click.command(epilog="Example: adjudicator restore friday-alice.safe")
@click.argument("sources", metavar="FILE...", nargs=-1)
@GameOption
@click.option(
    "--nothing-lost", is_flag=True,
    help="Host: a player quotes an entry that never was: go on, and no longer believe them.",
)  # fmt: skip
@KeyOption
@click.option("-o", "--out", type=AnyPath, help="The folder to unpack into; by default this one.")
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
    if len(sources) == 1 and _is_safe(Path(sources[0])):
        _unpack(Path(sources[0]), out or Path(sources[0]).absolute().parent)
        return
    if nothing_lost and sources:
        raise click.UsageError("--nothing-lost goes without a FILE")
    if record is None and Path(settings.REFEREE).is_file() and not nothing_lost:
        if not (games := hosted(Path())):
            raise Refused("missing", "no game is hosted in this folder", "name one: -g RECORD")
        ctx.exit(4 if _bring_back(games, sources, key) else 0)
    if record is None or (record / names.INVITE).is_file():
        record = Path(str(locate(record, None, HOST)["record"]))
    if nothing_lost:
        referee = open_host(record, key, sure=True)
        with referee.record.locked():
            doubted = ahead.dismiss(referee)
        say(*(f"{name}: what they quote stops nothing any more" for name in doubted))
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
                say(f"{place} has not begun, as far as these files tell")
                continue
            click.echo(which.rstrip(), err=True)
            tell_error(error)
            lacking = True
            continue
        say(*(f"{which}brought back: {line}" for line in done.lines))
        for receipt in done.receipts if carrier(game) == "files" else ():
            player = read_receipt(receipt.data).player
            say(f"For {player}: {write_receipt(game, receipt)}")
        for line in done.missing:
            click.echo(f"{which}missing: {line}", err=True)
        if not done.missing:
            say(f"{place} is whole, as far as these files tell")
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


def _is_safe(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(17) == b"adjudicator-safe/"


def _unpack(path: Path, folder: Path) -> None:
    held = safes.SafeFile.open(path, passphrase_asker())
    head = held.head
    places = safes.folders(head, folder, held.held)
    for place in places.values():
        _check_free(place.root)
    files_of = dict(held.held)
    if "duel" in places:
        root = places["duel"].root.absolute()
        home = Home.read(root, files_of["duel/me.toml"])._replace(key=root / "key")
        safes.lay_out(places, {**files_of, "duel/me.toml": home.me})
        party = home.party()
        party.restore(now())
        home.keep(party)
        say(f"{places['duel'].root}: your side of the duel with its key, private")
        say(*_SINCE)
        return
    if "host" in places:
        path = places["host"].root.absolute() / _HOST_KEY
        files_of["host/key"] = f"{path}\n".encode()
    safes.lay_out(places, files_of)
    copy = places["record"].root
    if "host" in places:
        say(f"{places['host'].root}: the host's folder with its key, private; {copy}: the record")
        say("if the game went on after this backup: adjudicator restore FILE... brings that back")
        return
    seat = places["seat"].root
    say(f"{seat}: your seat with its key, private; {copy}: your copy")
    say(f"next: adjudicator play -g {pasteable(copy)} --seat {pasteable(seat)}")


_SINCE = (
    "if you have moved since this backup, the other has these moves: the program asks for them",
    "before it asks for orders: adjudicator sync",
)


def _check_free(path: Path) -> None:
    if path.exists() or path.is_symlink():
        raise Refused("exists", f"{str(path)!a} is there already", "name another place: -o")


def _gather(pool: Pool, source: str, record: Path) -> None:
    """Take in all that a path or a mailbox holds; raises Refused if there is nothing to read.

    `record`: the game whose settings say which servers are trusted.
    """
    if source.startswith(_MAILBOXES):
        for data in _mails(source, record):
            _gather_text(pool, data)
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
    from adjudicator.git import verifying

    with contextlib.suppress(Refused):
        tree = verifying.at(repository, None)
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


def _mails(source: str, record: Path) -> Iterator[bytes]:
    """The mails of a mailbox, in which nothing is changed; raises Refused."""
    try:
        box = mailboxes.open_source(source, authorities(record), "1970-01-02T00:00:00Z")
        for one in box.mails():
            with contextlib.suppress(Refused, Unreadable):
                yield one.read()
    except MailboxDown as error:
        raise Refused("unreadable", f"{source!a}: {error}") from None
