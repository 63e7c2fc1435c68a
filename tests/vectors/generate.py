"""Make the test vectors: `python tests/vectors/generate.py`.

All keys and secrets are fixed. `tests/orders/test_vectors.py` fails where what is generated differs
from the files beside this one. Sealing draws fresh randomness, so its vectors are kept as they are:
they must go on opening.
"""

from __future__ import annotations

import binascii
import importlib.util
import json
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

from games.dice import Dice
from orders import bundle, canonical, entries, sealing, secrets, sshsig
from orders.documents import Invite, Join, Receipt, Sizes, Slip
from orders.fields import digest
from orders.keys import MemoryKey
from orders.letter import Absence, Letter, Press
from orders.order_file import read_authored, salted

HERE = Path(__file__).parent

GAME = "9c01" * 16
STEPS = (1, 7, 10_000)
HEX = {word: digest(word.encode()) for word in ("a", "b", "c", "d", "e", "f")}
TIME = "2026-11-21T18:00:00Z"
LATER = "2026-11-24T18:00:00Z"


def canonical_json() -> list[dict[str, Any]]:
    """Values, by any JSON parser, and their canonical bytes."""
    values: list[Any] = [
        {},
        [],
        "",
        0,
        -1,
        2**53 - 1,
        1 - 2**53,
        True,
        {"b": [1, True, {"z": "", "a": "\n"}], "a": {}, "A": [], "0": -5, "-": '"\\/'},
        ["!", "~", " "],
    ]
    return [{"value": value, "bytes": canonical.dumps(value).decode()} for value in values]


def signatures() -> list[dict[str, str]]:
    """Ed25519 seeds, messages and armored signatures under every namespace."""
    made = []
    for number, namespace in enumerate(sshsig.NAMESPACES):
        key = MemoryKey.from_seed(bytes([number + 1]) * 32)
        message = f'kind = "{namespace}"\n'.encode() * number
        made.append(
            {
                "seed": (bytes([number + 1]) * 32).hex(),
                "public": key.public.line,
                "fingerprint": key.public.fingerprint,
                "namespace": namespace,
                "message": message.hex(),
                "signature": key.sign(namespace, message).decode(),
            }
        )
    return made


def secret_values() -> dict[str, Any]:
    """Everything that comes from one master, and from one seat secret."""
    master = secrets.Master(bytes(range(32)))
    seat = secrets.SeatSecret(bytes(range(32, 64)))
    return {
        "master": {
            "secret": master.hex,
            "commitment": master.commitment,
            "sealing": master.sealing().public.hex(),
            "salt": {
                f"{kind}/{step}/{player}".rstrip("/"): master.salt(kind, step, player)
                for step in STEPS
                for kind, player in (("state", ""), ("report", "alice"), ("report", "bob"))
            },
            "seed": [
                {
                    "game": GAME,
                    "nonces": nonces,
                    "seed": master.seed(nonces, GAME).hex(),
                }
                for nonces in (
                    [seat.nonce, "41c8" * 16],
                    ["41c8" * 16, seat.nonce],
                    [seat.nonce, secrets.NO_NONCE],
                )
            ],
        },
        "seat": {
            "secret": seat.hex,
            "sealing": seat.sealing().public.hex(),
            "nonce": seat.nonce,
            "nonce_commitment": seat.nonce_commitment,
            "salt": {
                f"{step}/{revision}": seat.salt(step, revision)
                for step in STEPS
                for revision in (1, 99)
            },
        },
    }


def bundles() -> list[dict[str, Any]]:
    """Files and the block in which they travel."""
    made = []
    for kind, files in (
        ("join", (("joins/alice.toml", b'kind = "join/1"\n'), ("joins/alice.toml.sig", b"sig\n"))),
        ("order", (("orders/0001-alice.sealed", bytes(range(200))),)),
        ("receipt", (("receipts/0001-alice-1.toml", b""),)),
    ):
        block = bundle.encode(bundle.Bundle(kind, files))
        listed = {path: data.hex() for path, data in files}
        made.append({"kind": kind, "files": listed, "block": block.decode()})
    return made


def draws() -> dict[str, Any]:
    """Numbers and shuffles under one seed."""
    dice = Dice(bytes(range(32)))
    return {
        "seed": dice.seed.hex(),
        "below": [
            {"label": label, "bound": bound, "number": dice.below(label, bound)}
            for label in ("first", "shuffle/alice/2", "")
            for bound in (1, 2, 6, 100, 2**32 - 1, 2**32)
        ],
        "shuffle": [
            {"label": label, "items": count, "order": list(dice.shuffle(label, range(count)))}
            for label in ("shuffle/alice/2", "shuffle/bob/2")
            for count in (0, 1, 2, 5, 30)
        ],
    }


def sealed(kept: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sealed files: those kept from before, or new ones where there are none."""
    if kept:
        return kept
    made = []
    for direction, step, body, size in (
        ("order", 1, b'salt = "00"\n', 64),
        ("report", 7, b"{}", 64),
        ("letter", 0, b"", 64),
        ("order", 10_000, bytes(60), 64),
    ):
        key = sealing.SealingKey.from_seed(bytes([step % 251]) * 32)
        info = sealing.info(direction, GAME, step, "alice")
        made.append(
            {
                "private": (bytes([step % 251]) * 32).hex(),
                "public": key.public.hex(),
                "direction": direction,
                "game": GAME,
                "step": step,
                "player": "alice",
                "info": info.hex(),
                "size": size,
                "body": body.hex(),
                "sealed": binascii.hexlify(sealing.seal(key.public, info, body, size)).decode(),
            }
        )
    return made


def _written() -> list[tuple[str, Any]]:
    """Documents of every kind, with and without what is optional."""
    host, alice, bob = (MemoryKey.from_seed(bytes([n]) * 32).public.line for n in (1, 2, 3))
    sealed_to = [sealing.SealingKey.from_seed(bytes([n]) * 32).public.hex() for n in (4, 5, 6, 7)]
    awaited = {"alice": entries.Awaited("turn", TIME, LATER)}
    told = {name: entries.Told(HEX["a"], HEX["b"]) for name in ("alice", "bob")}
    head = (GAME, 2, HEX["a"], TIME)
    return [
        (
            "invite",
            Invite(
                "sugar-dog/1", TIME, host, sealed_to[0], sealed_to[1], HEX["a"], None,
                Sizes(2048, 4096), {"first": "alice", "turn_time": "3d", "reserve_time": "0d"},
            ),
        ),
        (
            "invite",
            Invite(
                "submarine-warfare/12", TIME, host, sealed_to[0], sealed_to[1], HEX["a"], HEX["b"],
                Sizes(2048, 2**20), {"variant": 'a "b" \\ c', "swap": True, "hand": 4},
            ),
        ),
        ("join", Join(HEX["a"], "alice", alice, sealed_to[2], HEX["b"])),
        ("join", Join(HEX["a"], "b-2", bob, sealed_to[3], HEX["b"], "open", "AAAA")),
        ("slip", Slip(GAME, 1, "alice", 1, GAME, HEX["a"], HEX["b"], HEX["c"])),
        ("slip", Slip(GAME, 10_000, "alice", 99, HEX["d"], HEX["a"], HEX["b"], None, "ruling")),
        ("receipt", Receipt(GAME, 1, "alice", 1, HEX["a"], TIME, "accepted")),
        (
            "entry",
            entries.Genesis(TIME, HEX["a"], "adjudicator 0.1.0",
                            {"alice": HEX["b"], "bob": HEX["c"]},
                            {n: entries.Awaited("setup", TIME, LATER) for n in ("alice", "bob")}),
        ),
        (
            "entry",
            entries.Entry(
                *head, HEX["b"], {"alice": 0, "bob": 86_400}, told, awaited, None, ("bob",),
                ({"kind": "turn", "player": "alice", "n": 1}, {"kind": "clear"}), (HEX["e"],),
                {"alice": entries.Used(HEX["c"], TIME)},
            ),
        ),
        ("entry", entries.Entry(*head, HEX["b"], {"alice": 0, "bob": 0}, told, {})),
        (
            "entry",
            entries.Entry(*head, HEX["b"], {"alice": 0, "bob": 0}, told, awaited,
                          entries.Ruling("a storm", 1)),
        ),
        (
            "entry",
            entries.Entry(*head, HEX["b"], {"alice": 0, "bob": 0}, told, {},
                          entries.Ruling("no time", None, True)),
        ),
        ("entry", entries.Reveal(*head, HEX["f"], {"winner": "alice"})),
        ("letter", Letter(GAME, "alice", 1, HEX["a"], HEX["b"])),
        ("letter", Letter(GAME, "host", 2, HEX["a"])),
        ("letter", Letter(GAME, "alice", 3, absence=Absence(TIME, LATER))),
        ("letter", Letter(GAME, "alice", 9_999, address="hidden")),
    ]  # fmt: skip


def _spoilt() -> list[tuple[str, bytes, str]]:
    """A slip spoilt in one way after another, each with the way."""
    slip = Slip(GAME, 2, "alice", 1, GAME, HEX["a"], HEX["b"]).render()
    return [
        ("a comment", slip + b"# remark\n", "malformed"),
        ("an empty line", slip.replace(b"step", b"\nstep"), "malformed"),
        ("CR before LF", slip.replace(b"\n", b"\r\n"), "malformed"),
        ("no last LF", slip[:-1], "malformed"),
        ("a blank at the end of a line", slip.replace(b"step = 2\n", b"step = 2 \n"), "malformed"),
        ("no blanks around =", slip.replace(b"step = 2", b"step=2"), "malformed"),
        ("another order of keys", slip.replace(b"step = 2\n", b"") + b"step = 2\n", "malformed"),
        ("a key twice", slip + b"step = 2\n", "malformed"),
        ("an unknown key", slip + b"colour = 1\n", "malformed"),
        ("a key left out", slip.replace(b"revision = 1\n", b""), "malformed"),
        ("a literal string", slip.replace(b'"alice"', b"'alice'"), "malformed"),
        ("an escape that is not needed", slip.replace(b"alice", b"\\u0061lice"), "malformed"),
        ("a leading plus", slip.replace(b"step = 2", b"step = +2"), "malformed"),
        ("a hexadecimal integer", slip.replace(b"step = 2", b"step = 0x2"), "malformed"),
        ("true where 1 is meant", slip.replace(b"revision = 1", b"revision = true"), "malformed"),
        ("a float", slip.replace(b"step = 2", b"step = 2.0"), "malformed"),
        ("a date", slip.replace(b"step = 2", b"step = 2026-11-21"), "malformed"),
        ("2^63", slip.replace(b"step = 2", b"step = 9223372036854775808"), "malformed"),
        ("revision 0", slip.replace(b"revision = 1", b"revision = 0"), "malformed"),
        ("revision 100", slip.replace(b"revision = 1", b"revision = 100"), "malformed"),
        ("a digest in capitals", slip.replace(b"9c01", b"9C01"), "malformed"),
        ("a device's name", slip.replace(b"alice", b"con"), "malformed"),
        ("a path as name", slip.replace(b"alice", b"../alice"), "malformed"),
        ("a byte order mark", b"\xef\xbb\xbf" + slip, "malformed"),
        ("another kind", slip.replace(b"slip/1", b"slip/2"), "malformed"),
        ("4,097 bytes", slip + b"#" * (4_097 - len(slip)), "too-big"),
    ]


def documents() -> dict[str, Any]:
    """The values of documents and their bytes; bytes that must be refused."""
    return {
        "documents": [
            {"document": kind, "values": tomllib.loads(one.render().decode()),
             "bytes": one.render().decode(), "digest": digest(one.render())}
            for kind, one in _written()
        ],
        "press": [
            {"to": one.to, "anonymous": one.anonymous, "text": one.text,
             "bytes": one.render().decode(), "digest": digest(one.render())}
            for one in (
                Press(HEX["a"], "bob", "Hi.\n\nDraw?"),
                Press(HEX["b"], "all", "\u00e9", True),
                Press(HEX["c"], "host", "I am away."),
            )
        ],
        "refused": [
            {"what": what, "document": "slip", "bytes": data.decode(), "word": word}
            for what, data, word in _spoilt()
        ],
    }  # fmt: skip


def order_files() -> dict[str, Any]:
    """Order files as written and as hashed; order files that must be refused."""
    head = f'game = "{GAME}"\nstep = 1\nplayer = "alice"\n'
    plain = f'{head}orders = """\nstart C4\n"""\n'
    standing = f"{plain}[standing]\nretreat = 'never'\ndiscard = ['speed-boat']\n"
    free = f"# r\u00e9mark\r\norders = 'ping'\r\n{head}".replace("\n", "\r\n")
    good = {"plain": plain, "standing": standing, "free": free.replace("\r\r", "\r")}
    bad = {
        "a salt of its own": (f'salt = "{GAME}"\n{plain}', "malformed"),
        "an unknown key": (f"colour = 1\n{plain}", "malformed"),
        "no orders": (head, "malformed"),
        "orders as a list": (f"{head}orders = []\n", "malformed"),
        "step 0": (plain.replace("step = 1", "step = 0"), "malformed"),
        "no TOML": (f"{plain}=\n", "malformed"),
        "a key twice": (f"{plain}step = 1\n", "malformed"),
        "a byte order mark": (f"\ufeff{plain}", "malformed"),
        "a bidirectional control": (plain.replace("C4", "\u202eC4"), "malformed"),
        "an escape character": (plain.replace("C4", "\x1bC4"), "malformed"),
        "a lone carriage return": (plain.replace("step", "\rstep"), "malformed"),
        "a line of 2,001 characters": (f"{plain}#{'x' * 2_000}\n", "malformed"),
        "61 dots in a line": (f"{plain}a{'.a' * 61} = 1\n", "malformed"),
        "61 brackets in a line": (f"{plain}a = {'[' * 61}\n", "malformed"),
        "an integer of 1,999 digits": (f"{plain}a = {'9' * 1_990}\n", "malformed"),
        "4,001 bytes": (plain + "# 8901234567890123456789012345678901234\n" * 98, "too-big"),
    }
    written = []
    for what, text in good.items():
        file = read_authored(text.encode(), {"standing"}, 4_000)
        whole = salted(HEX["a"], text.encode())
        written.append(
            {"what": what, "authored": text, "salt": HEX["a"], "salted": whole.decode(),
             "digest": digest(whole), "step": file.step, "player": file.player,
             "orders": file.orders, "tables": {k: dict(v) for k, v in file.tables.items()}}
        )  # fmt: skip
    refused = [{"what": w, "authored": text, "word": word} for w, (text, word) in bad.items()]
    return {"tables": ["standing"], "limit": 4_000, "written": written, "refused": refused}


def _record_vectors() -> ModuleType:
    """The module beside this one, which is in no package."""
    spec = importlib.util.spec_from_file_location("record_vectors", HERE / "record_vectors.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def generate() -> dict[str, str]:
    """The text of every vector file by its name."""
    path = HERE / "sealing.json"
    kept = json.loads(path.read_text("ascii")) if path.exists() else []
    made = {
        "canonical-json": canonical_json(),
        "signatures": signatures(),
        "secrets": secret_values(),
        "bundle": bundles(),
        "draws": draws(),
        "sealing": sealed(kept),
        "documents": documents(),
        "order-files": order_files(),
    }
    texts = {f"{name}.json": json.dumps(value, indent=1) + "\n" for name, value in made.items()}
    return {**texts, "record.json": _record_vectors().text()}


if __name__ == "__main__":
    for name, text in generate().items():
        (HERE / name).write_text(text, "ascii", newline="\n")
