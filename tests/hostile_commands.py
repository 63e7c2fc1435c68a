"""Every command that somebody else's files come to, in this process, and what it shows."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from click.testing import CliRunner
from hostile_games import Played, before, bundle, document, entry_bundle, last_step
from hostile_games import record as hostile_record
from memory import Memory
from table import join_of

from adjudicator.cli import cli
from adjudicator.core import bundles
from adjudicator.core import letters as letters_core
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import MemoryFiles
from adjudicator.host import begin
from adjudicator.host.host import Host
from adjudicator.host.letters import Letters
from adjudicator.player import letters
from adjudicator.player.copy import Copy, ReceivedBundle
from adjudicator.player.seated import Seated
from adjudicator.store import pack
from adjudicator.store.record import Record
from adjudicator.verifier import listing
from adjudicator.verifier.fork import prove
from adjudicator.verifier.verify import Asked, verify
from adjudicator.words import answers, form, story
from adjudicator.words.spans import ReadAt
from orders import names, sshsig
from orders.bundle import Bundle, decode, encode
from orders.errors import Refused
from orders.letter import HOST, Letter, Text
from orders.sshsig import Signed

Files = Mapping[str, bytes]


def called(*args: str) -> str:
    """What a command prints; raises what no command may raise."""
    result = CliRunner().invoke(cli, list(args))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def packed(played: Played, held: Files) -> Path:
    """A file with the pack of these files."""
    path = played.table.root / "hostile.zip"
    path.write_bytes(pack.write(held))
    return path


# Commands on a whole record.


def on_pack(*args: str) -> Callable[[Played, Files], str]:
    """A command with a hostile pack."""

    def call(played: Played, held: Files) -> str:
        named = () if args[0] == "verify" else ("-g",)
        return called(args[0], *named, str(packed(played, held)), *args[1:])

    return call


def verify_batch(played: Played, held: Files) -> str:
    """A hostile record between two good ones: both get their verdicts."""
    good = played.table.root / "good.zip"
    if not good.exists():
        good.write_bytes(pack.write(played.good))
    bad = packed(played, held)
    shown = called("verify", str(good), str(bad), str(good))
    lines = shown.split("\n")
    whose = [one for line in lines for one in (good, bad) if line.startswith(f"{one}: ")]
    if whose != [good, bad, good] or lines[0] != lines[2]:
        raise AssertionError(f"a batch ended: {shown[-200:]}")
    return shown


def verify_with_seat(played: Played, held: Files) -> str:
    """What `verify --seat` finds, receipts and all."""
    seat = played.seat("alice")
    found = verify(MemoryFiles(held), Asked(seat=seat, receipts=seat.receipts()))
    lines = [found.verdict, *(f"{one.name}: {one.text}" for one in found.claims)]
    lines += [text for one in found.claims for text in one.details]
    return "\n".join([*lines, *found.lines("friday")])


def seen_by_seat(played: Played, held: Files) -> str:
    """What `show`, `status` and `template` tell a seat."""
    seat = played.seat("bob" if "bob" in played.table.players else "alice")
    own = Seated(MemoryFiles(held), seat)
    seen = story.seen_by(own, None)
    reader = ReadAt("2026-01-02T00:00:00Z")
    shown = [*seen.lines(), *(one.text(reader) for one in answers.sent(own))]
    return "\n".join([*shown, form.template(own)])


def picture(played: Played, held: Files) -> str:
    """The board as a picture, and all that programs get."""
    seen = story.Story(Ledger.read(MemoryFiles(held))).seen()
    return f"{seen.svg()}\n{seen.json()!a}"


def packing_again(played: Played, held: Files) -> str:
    """What `pack` makes of it."""
    pack.write(listing.kept(MemoryFiles(held)))
    return ""


def fork(played: Played, held: Files) -> str:
    """What `verify --against` tells of it and of the good record."""
    proof = prove(MemoryFiles(played.good), MemoryFiles(held))
    return f"{proof.summary}\n{proof.text()}"


def receive(played: Played, held: Files) -> str:
    """A player takes in every entry of it."""
    player = "alice"
    files = Memory(before(held, 0))
    copy = Copy(files, played.seat(player), played.table.clock)
    shown: list[str] = []
    for step in range(last_step(MemoryFiles(held)) + 1):
        travelled = decode(encode(entry_bundle(held, step, player)))
        for received in copy.receive([travelled]):
            shown += told(copy, received)
    return "\n".join(shown)


def told(copy: Copy, received: ReceivedBundle) -> list[str]:
    """What `take` tells of what came."""
    shown = [received.what, *received.warnings]
    if received.new and received.step is not None:
        entry = copy.ledger.link(received.step).entry
        shown += story.heard(copy.ledger.opening, entry, received.report)
        shown += story.whose_turn(entry)
    return shown


def receive_last(played: Played, held: Files) -> str:
    """A player with all of it but its last entry takes that in."""
    player = "bob" if "bob" in played.table.players else "alice"
    step = last_step(MemoryFiles(held))
    copy = Copy(Memory(before(held, step)), played.seat(player), played.table.clock)
    given = entry_bundle(held, step, player)
    return "\n".join(line for received in copy.receive([given]) for line in told(copy, received))


ON_RECORD: dict[str, Callable[[Played, Files], str]] = {
    "log": on_pack("log"),
    "log --json": on_pack("log", "--json"),
    "replay": on_pack("replay"),
    "show": on_pack("show"),
    "status": on_pack("status"),
    "verify -v": on_pack("verify", "-v"),
    "verify --explain": on_pack("verify", "--explain", "2"),
    "verify of three": verify_batch,
    "verify --seat": verify_with_seat,
    "show --seat": seen_by_seat,
    "show --svg": picture,
    "pack": packing_again,
    "verify --against": fork,
    "take": receive,
    "take the last": receive_last,
}


# What travels alone.


def hostile_invite(rng: Random, played: Played, scale: int) -> Any:
    return bundle(rng, bundles.of_invite(MemoryFiles(played.good)), played, sshsig.INVITE, scale)


def take_invite(played: Played, given: Bundle) -> str:
    """A stranger starts a copy."""
    copy = Copy(Memory(), None, played.table.clock)
    return "\n".join(one.what for one in copy.receive([given]))


def hostile_joins(rng: Random, played: Played, scale: int) -> Any:
    joins = [join_of(MemoryFiles(played.good), name) for name in played.table.players]
    at = rng.randrange(len(joins))
    joins[at] = bundle(rng, joins[at], played, sshsig.JOIN, scale)
    return joins


def start(played: Played, joins: Sequence[Bundle]) -> str:
    """The host of an offered game begins it with them."""
    table = played.table
    root = table.root / "offered"
    if not root.exists():
        first = {path: data for path, data in played.good.items() if "/" not in path}
        for path, data in first.items():
            Record(root / "record").write(path, data)
        host = table.record.host
        Record(root / "record").host.mkdir(mode=0o700)
        for name in ("master", "letters", "key"):
            (Record(root / "record").host / name).write_bytes((host / name).read_bytes())
    with contextlib.suppress(FileNotFoundError):
        (root / "record/entries/0000.toml").unlink()
    begin.start(Record(root / "record"), joins, table.signer, table.clock)
    return ""


def hostile_order(rng: Random, played: Played, scale: int) -> Any:
    files = rng.choice(played.table.seat("alice").orders()).files()
    return bundle(rng, bundles.pack("order", files), played, sshsig.SLIP, scale)


def submit(played: Played, given: Bundle) -> str:
    """The host takes an order in and answers it."""
    table = played.table
    Host(table.record, table.signer, table.clock).submit(decode(encode(given)))
    return ""


def hostile_letter(rng: Random, played: Played, scale: int) -> Any:
    return bundle(rng, rng.choice(played.letters), played, sshsig.LETTER, scale)


def take_letter(played: Played, given: Bundle) -> str:
    """The host takes a player's letter in."""
    table = played.table
    took = Letters(Host(table.record, table.signer, table.clock)).take(decode(encode(given)))
    return took.text.body


def hostile_host_letter(rng: Random, played: Played, scale: int) -> Any:
    """A letter of the host's own to Alice, with other values."""
    last = played.table.host.last
    opening = played.forger.game.opening
    letter = Letter(opening.id, HOST, 1, "", entry=last.step, head=last.digest)
    text = Text("message to all:", "Good morning.", salt="0" * 64)
    own = letters_core.write(opening, letter, text, played.table.signer)
    cover = letters_core.own(own)[0]
    passed = letters_core.pass_on(opening, cover, text, last.joins["alice"])
    return bundle(rng, passed, played, sshsig.LETTER, scale)


def read_letter(played: Played, given: Bundle) -> str:
    """A player keeps a letter of the host's."""
    kept = letters.take(played.table.host.ledger, played.seat("alice"), given)
    return kept.text.body


def hostile_receipt(rng: Random, played: Played, scale: int) -> Any:
    file = rng.choice(played.table.seat("alice").receipts())
    data = document(rng, file.data, [], scale)
    return Signed.by(played.table.signer, sshsig.RECEIPT, data)


def take_receipt(played: Played, file: Signed) -> str:
    """A player takes a receipt in, and verifies the game with it."""
    seat = played.seat("alice")
    copy = Copy(Memory(dict(played.good)), seat, played.table.clock)
    shown = []
    with contextlib.suppress(Refused):
        came = copy.receive([bundles.pack("receipt", file.files(names.receipt(2, "alice", 1)))])
        shown += [line for one in came for line in told(copy, one)]
    found = verify(MemoryFiles(played.good), Asked(seat=seat, receipts=[*seat.receipts(), file]))
    return "\n".join([*shown, found.verdict, *(one.text for one in found.claims)])


ALONE: dict[str, tuple[Callable[[Random, Played, int], Any], Callable[[Played, Any], str]]] = {
    "receive an invite": (hostile_invite, take_invite),
    "start": (hostile_joins, start),
    "submit": (hostile_order, submit),
    "take a letter": (hostile_letter, take_letter),
    "read a letter": (hostile_host_letter, read_letter),
    "take a receipt": (hostile_receipt, take_receipt),
}


def choose(rng: Random, games: Sequence[Played]) -> Any:
    """A command, what is hostile in it, and how it runs."""
    played = rng.choice(games)
    if rng.random() < 0.6:
        what = rng.choice(sorted(ON_RECORD))
        call = ON_RECORD[what]
        return (
            what,
            lambda inner, scale: hostile_record(inner, played, scale),
            lambda held: call(played, held),
        )
    what = rng.choice(sorted(ALONE))
    make, run = ALONE[what]
    return what, lambda inner, scale: make(inner, played, scale), lambda given: run(played, given)
