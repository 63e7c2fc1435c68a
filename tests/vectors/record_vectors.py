"""The finished game of the vectors: Alice fires south, Bob stays, the torpedo comes to his cell.

All secrets and keys are fixed. Sealing draws fresh randomness, so the record is kept as it is once
it is made; what is generated again is everything that does not hang on it.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import games
from adjudicator import host, opening, player, verify
from adjudicator.bundles import of_entry, of_invite
from adjudicator.chain import first, follow
from adjudicator.clock import DemoClock
from adjudicator.host import Host, Secrets
from adjudicator.order_text import order_text
from adjudicator.player import Seated
from adjudicator.record import Record
from adjudicator.replay import Replay
from adjudicator.seat import Seat
from games.game import Written
from orders import names
from orders.bundle import encode
from orders.keys import MemoryKey
from orders.secrets import Master, SeatSecret

FOLDER = Path(__file__).parent / "record"
PLAYERS = ("alice", "bob")
SECRETS = {
    "master": bytes(range(32)),
    "letters": bytes(range(32, 64)),
    "alice": bytes(range(64, 96)),
    "bob": bytes(range(96, 128)),
}
KEYS = {"host": b"\x01" * 32, "alice": b"\x02" * 32, "bob": b"\x03" * 32}
SCRIPT = (
    {"alice": "start C4", "bob": "start C1"},
    {"alice": "fire S"},
    {"bob": "silent"},
    {"alice": "silent"},
)


def play(folder: Path) -> Record:
    """Play it in an empty folder; all but what is sealed comes out the same every time."""
    record, clock = Record(folder / "record"), DemoClock()
    keys = {name: MemoryKey.from_seed(seed) for name, seed in KEYS.items()}
    secrets = Secrets(SECRETS["master"], SECRETS["letters"])
    options = {"first": "alice", "players": 2}
    game = games.load("sugar-dog")
    key_path = folder / "host.key"
    host.invite(record, game, options, None, keys["host"], key_path, secrets, clock)
    offer = opening.read_offer(record)
    seats = {
        name: Seat.create(folder / f"{name}.seat", name, offer.digest, folder / name, SECRETS[name])
        for name in PLAYERS
    }
    joins = [player.join(offer, seats[name], keys[name]) for name in PLAYERS]
    host.start(record, joins, keys["host"], clock)
    referee = Host(record, keys["host"], clock)
    for step, orders in enumerate(SCRIPT, 1):
        for name, lines in orders.items():
            seated = Seated(record, seats[name])
            text = order_text(seated.opening.id, step, name, Written(lines))
            referee.submit(seated.order(text.encode(), keys[name]))
        referee.advance()
    return record


def keep(folder: Path = FOLDER) -> None:
    """Make the record anew where there is none."""
    if folder.exists():
        return
    with tempfile.TemporaryDirectory() as scratch:
        record = play(Path(scratch))
        for path in record.paths():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(record.read(path))


def described(folder: Path = FOLDER) -> dict[str, Any]:
    """The secrets of the record in `folder`, and every state and report, made again from them."""
    record = Record(folder)
    opened = opening.read_opening(record)
    links = [first(opened, record)]
    for _ in range(record.last_step() or 0):
        links.append(follow(opened, links[-1], record, lambda at: links[at].clocks))
    replay = Replay(opened, Master(SECRETS["master"]), record)
    made = [played.made for played in replay.play(links[1:])]
    found = verify.verify(record)
    return {
        "game": opened.id,
        "secrets": {name: secret.hex() for name, secret in SECRETS.items()},
        "keys": {name: seed.hex() for name, seed in KEYS.items()},
        "nonces": {name: SeatSecret(SECRETS[name]).nonce for name in PLAYERS},
        "seed": Master(SECRETS["master"])
        .seed([SeatSecret(SECRETS[name]).nonce for name in PLAYERS], opened.id)
        .hex(),
        "states": [one.state_file.decode() for one in made if one],
        "reports": [
            {name: report.decode() for name, report in one.reports.items()} for one in made if one
        ],
        "verdict": found.verdict,
        "code": found.code,
    }


def bundles(folder: Path = FOLDER) -> dict[str, str]:
    """The blocks in which the invite, the genesis and entry 2 travel."""
    record = Record(folder)
    blocks = {"invite": encode(of_invite(record)).decode()}
    for step in (0, 2):
        blocks[names.entry(step)] = encode(of_entry(record, step)).decode()
    return blocks


def early(record: Record) -> dict[str, bytes]:
    """The files that hang neither on what sealing draws nor on this program's version."""
    paths = (names.INVITE, *map(names.join, PLAYERS))
    return {one: record.read(one) for path in paths for one in (path, names.signature(path))}


def text() -> str:
    """`record.json`."""
    keep()
    return json.dumps({**described(), "bundles": bundles()}, indent=1) + "\n"
