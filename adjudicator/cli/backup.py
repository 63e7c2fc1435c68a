"""`backup`: what is private, in one file behind a passphrase."""

from __future__ import annotations

import os
from pathlib import Path

import click

from adjudicator.cli import keys, shared
from adjudicator.cli.host import host_signer
from adjudicator.cli.keys import own_signer
from adjudicator.cli.which import SEAT, Located, is_duel, nothing, place_of
from adjudicator.core.opening import read_offer
from adjudicator.core.source import Source
from adjudicator.duel import documents
from adjudicator.player import safe as safes
from adjudicator.player.duel import SUFFIX, Home
from adjudicator.player.seated import Seated
from adjudicator.player.table import memory
from adjudicator.store import files
from adjudicator.store.record import PrivateFolder
from orders import crypto
from orders.errors import Refused
from orders.fields import HOST
from orders.keys import MemoryKey, Signer

PASSPHRASE_FILE = "ADJUDICATOR_PASSPHRASE_FILE"  # noqa: S105 - the name of a variable


HOST_KEY = "ssh-key"
"""The host's key in a restored folder."""


@click.command(cls=Located, duels=True, epilog="Example: adjudicator backup -o friday-alice.safe")
@shared.KeyOption
@shared.OutOption
def backup(record: Path, seat: Path | None, key: Path | None, out: str | None) -> None:
    """Your seat, its key and your copy in one file behind a passphrase, as the page saves it; your
    side of a duel and its key; on the host's machine the host's folder, its key and the record.

    `restore` unpacks it.
    """
    places: dict[str, Source]
    if is_duel(record):
        home = Home.open(record)
        offered = documents.read(home.source).offered
        name = home.root.absolute().name.removesuffix(SUFFIX)
        head = safes.SafeHead(name, home.player, offered.id, 1)
        signer, places = keys.signer(key or home.key), {"duel": home}
        path = f"{offered.game.id}-{home.player}"
        where, whose = "duel/key", "your side of the duel with its key"
    else:
        game = shared.record_of(record, absolute=True)
        name, invite = read_offer(game).name, read_offer(game).digest
        if seat is not None:
            own = shared.seat_in(seat)
            player, signer = own.player, own_signer(Seated(game, own), key)
            places = {"record": game, "seat": own.files, "mail": memory(game)}
            where, whose = "seat/key", "your seat, its key and your copy"
        else:
            place = place_of(game)
            if not place.hosts:
                raise nothing([place], SEAT)
            player, signer = HOST, host_signer(game, key)
            places = {"record": game, "host": PrivateFolder(game.host)}
            where, whose = f"host/{HOST_KEY}", "the host's folder, its key and the record"
        head, path = safes.SafeHead(name, player, invite, 1), f"{name}-{player}"
    held = {**safes.gather(places), where: _private(signer)}
    target = Path(f"{path}{safes.ENDING}" if out is None else out)
    check_free(target)
    chosen = passphrase("A passphrase for the safe:")
    if passphrase("The same again:") != chosen:
        raise Refused("bad-option", "the two passphrases differ", "do the same again")
    files.write(target, safes.seal(head, safes.Lock.new(chosen), held), 0o600)
    shared.say(f"{target}: {whose}, behind your passphrase")
    if head.player != HOST:
        shared.say(
            "play on with what is here, or in the page with this: neither knows the other's orders"
        )


def _private(signer: Signer) -> bytes:
    """A key as a file; raises Refused if only an agent has it."""
    if not isinstance(signer, MemoryKey):
        raise Refused(
            "bad-key",
            f"the key {signer.public.fingerprint} is in an ssh-agent, which never hands a key out",
            "name its private file: --key",
        )
    return crypto.write_openssh(signer.seed)


def passphrase(prompt: str) -> str:
    """A safe's passphrase: from the file that the environment names, or from a terminal."""
    named = os.environ.get(PASSPHRASE_FILE)
    if named:
        lines = files.read(Path(named), 4096).decode("utf-8", "replace").splitlines()
        if not lines:
            raise Refused("bad-option", f"{PASSPHRASE_FILE}: {named!a} holds no line")
        return lines[0]
    if not shared.is_terminal():
        raise Refused(
            "bad-safe",
            "there is no terminal to ask for a passphrase",
            f"write it into a file, and name the file: {PASSPHRASE_FILE}=FILE",
        )
    return shared.ask_hidden(prompt)


def check_free(path: Path) -> None:
    if path.exists() or path.is_symlink():
        raise Refused("exists", f"{str(path)!a} is there already", "name another place: -o")
