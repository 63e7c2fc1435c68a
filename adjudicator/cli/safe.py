"""`safe`: puts a seat, its key and its copy into one file behind a passphrase, and unpacks it."""

from __future__ import annotations

from pathlib import Path

import click

from adjudicator.cli.play import own_signer
from adjudicator.cli.shared import (
    AnyPath,
    MovedKeyOption,
    passphrase_asker,
    record_of,
    say,
    seat_in,
)
from adjudicator.core.opening import read_offer
from adjudicator.player import finding
from adjudicator.player import safe as safes
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store import files
from adjudicator.store.record import Record
from orders import crypto
from orders.errors import Refused, pasteable
from orders.keys import MemoryKey


@click.command(epilog="Example: adjudicator safe alice.seat --record friday")
@click.argument("seat", type=AnyPath)
@click.option("--record", type=AnyPath, help="Your copy; by default the one beside the seat.")
@MovedKeyOption
@click.option("-o", "--out", type=AnyPath, help="The safe to write; or the folder to unpack into.")
def safe(seat: Path, record: Path | None, key: Path | None, out: Path | None) -> None:
    """Put your SEAT, its key and its copy into one file behind a passphrase, as the page saves it.

    If SEAT is such a file, it is unpacked into folders again. Every --seat also takes a safe, which
    is saved at each use. A safe beside its copy is found without --seat.
    """

    if seat.is_file():
        _unpack(seat, out or seat.absolute().parent)
    else:
        _pack(seat_in(seat), record, key, out)


def _pack(own: Seat, record: Path | None, key: Path | None, out: Path | None) -> None:
    from adjudicator.player.table import memory

    copy = record_of(record, absolute=True) if record is not None else _beside(own)
    signer = own_signer(Seated(copy, own), key)
    if not isinstance(signer, MemoryKey):
        raise Refused(
            "bad-key",
            f"the key {signer.public.fingerprint} is in an ssh-agent, which never hands a key out",
            "name its private file: --key",
        )
    name = read_offer(copy).name
    target = out or Path(f"{name}-{own.player}{safes.ENDING}")
    _check_free(target)
    places = {"record": copy, "seat": own.files, "mail": memory(copy)}
    held = {**safes.gather(places), "seat/key": crypto.write_openssh(signer.seed)}
    head = safes.SafeHead(name, own.player, own.invite, 1)
    data = safes.seal(head, safes.Lock.new(_new_passphrase()), held)
    files.write(target, data, 0o600)
    say(f"{target}: your seat, its key and your copy, behind your passphrase")
    say("play on with it or with the folders, not with both: neither knows the other's orders")


def _beside(own: Seat) -> Record:
    """The copy of the seat's game beside the seat; raises Refused."""
    for copy in finding.copies(own.root.absolute().parent):
        if finding.invite_of(copy) == own.invite:
            return copy
    text = f"no copy of the game is beside {str(own.root)!a}"
    raise Refused("missing", text, "name it: --record")


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


def _unpack(path: Path, folder: Path) -> None:
    held = safes.SafeFile.open(path, passphrase_asker())
    head = held.head
    places = safes.folders(head, folder)
    for place in places.values():
        _check_free(place.root)
    safes.lay_out(places, held.held)
    seat, copy = places["seat"].root, places["record"].root
    say(f"{seat}: your seat with its key, private; {copy}: your copy")
    say(f"next: adjudicator play --record {pasteable(copy)} --seat {pasteable(seat)}")


def _check_free(path: Path) -> None:
    if path.exists() or path.is_symlink():
        raise Refused("exists", f"{str(path)!a} is there already", "name another place: -o")
