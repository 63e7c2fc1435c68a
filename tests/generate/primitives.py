"""Values for a client's own tests, which no command answers: what each format and each primitive
makes of fixed keys and secrets.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from generate import bundles, documents, duels, order_files, sealing, torsion
from generate.shared import GAME
from generate.suite import Case, Made

from games.dice import Dice
from orders import canonical, secrets, sshsig
from orders.keys import MemoryKey

STEPS = (1, 7, 10_000)


NOT_CANONICAL = (
    (1, ("", " ", "\u00fc", '"\u00fc"', "{} ", " {}", "{}\n", "{}{}", "[", "\ufeff{}")),
    (2, ("null", "[null]", "NaN", "Infinity", "undefined", "'a'")),
    (3, ("[" * 33 + "]" * 33, '{"a":' * 33 + "1" + "}" * 33, "[" * 3_000 + "]" * 3_000)),
    (4, ("00", "01", "-01", "+1", "-0", "1.0", "1e2", "1E2", "0.5", str(2**53), str(-(2**53)))),
    (4, ("0x1", "1_000", "-", ".5")),
    (5, ('"\\u0041"', '"\\/"', '"\\t"', '"\t"', '"\n"', '"\x7f"', '"\\u00fc"', '{"\\u0041":1}')),
    (5, ('"\\ud800"', '"a', "a", '"\\"')),
    (6, ('{"b":1,"a":2}', '{"a":1,"a":1}', '{"a":1,"A":2}', '{"a":1,"a":2}')),
    (7, ('{"a": 1}', "[1, 2]", "[ ]", "[1,\n2]", '{"a":1 }')),
    (1, ("[1,]", '{"a":1,}', "{a:1}", "[1 2]", "{1:2}", '{"a"}', "// a\n1")),
)
"""Text that is no canonical JSON, by the number of the rule that it breaks."""


def canonical_json() -> dict[str, Any]:
    """Values, by any JSON parser, and their canonical bytes; and what must be refused."""
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
    return {
        "values": [{"value": value, "bytes": canonical.dumps(value).decode()} for value in values],
        "refused": [
            {"rule": rule, "bytes": text} for rule, texts in NOT_CANONICAL for text in texts
        ],
    }


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
                path: salt
                for step in STEPS
                for path, salt in (
                    (f"state/{step}", master.state_salt(step)),
                    (f"report/{step}/alice", master.report_salt(step, "alice")),
                    (f"report/{step}/bob", master.report_salt(step, "bob")),
                )
            },
            "seed": [
                {"game": GAME, "nonces": nonces, "seed": master.seed(nonces, GAME).hex()}
                for nonces in (
                    [seat.nonce, "41c8" * 16],
                    ["41c8" * 16, seat.nonce],
                    [seat.nonce, None],
                )
            ],
        },
        "seat": {
            "secret": seat.hex,
            "sealing": seat.sealing().public.hex(),
            "letters": seat.letters().public.hex(),
            "nonce": seat.nonce,
            "nonce_commitment": seat.nonce_commitment,
            "salt": {
                f"{step}/{revision}": seat.salt(step, revision)
                for step in STEPS
                for revision in (1, 99)
            },
        },
    }


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


class Values(NamedTuple):
    """A file of values: the heading that decides them, what makes it, what it holds."""

    page: str
    make: Callable[[], Any]
    comment: str


FORMATS = "docs/formats"
VALUES = {
    "canonical-json": Values(
        f"{FORMATS}/canonical-json.md", canonical_json,
        "values with their canonical bytes; bytes to be refused, each with the rule it breaks",
    ),
    "signatures": Values(
        f"{FORMATS}/signatures.md#the-signature-file", signatures,
        "armored signatures under every namespace",
    ),
    "signatures-torsion": Values(
        f"{FORMATS}/signatures.md", torsion.torsion,
        "signatures on which libraries differ, each with what this protocol says of it",
    ),
    "secrets": Values(
        f"{FORMATS}/secrets.md", secret_values, "what comes from a master and from a seat's secret"
    ),
    "bundle": Values(
        f"{FORMATS}/containers.md#bundles", bundles.bundles,
        "files and their block; blocks to be refused; texts with blocks to be repaired, or not",
    ),
    "draws": Values(f"{FORMATS}/draws.md", draws, "numbers and shuffles under one seed"),
    "sealing": Values(
        f"{FORMATS}/sealing.md", sealing.sealed,
        "agreements, sealed files, files that must not open, letters, bad keys",
    ),
    "documents": Values(
        f"{FORMATS}/documents.md", documents.documents,
        "documents of every kind, letters' texts, and a slip spoilt in every way",
    ),
    "order-files": Values(
        f"{FORMATS}/order-files.md", order_files.order_files,
        "order files, what people type, other renderings to be refused",
    ),
    "duels": Values(
        f"{FORMATS}/duels.md", duels.values, "what comes from one secret of a duel"
    ),
}  # fmt: skip


def made(_: Path) -> Made:
    """Every file of values."""
    found = {name: one.make() for name, one in VALUES.items()}
    files = {
        f"{name}.json": (json.dumps(value, indent=1) + "\n").encode("ascii")
        for name, value in found.items()
    }
    cases = [
        Case(
            name, "values", one.page, one.comment,
            files=(f"{name}.json",), count=counted(found[name]),
        )
        for name, one in VALUES.items()
    ]  # fmt: skip
    return Made(cases, files)


def counted(value: Any) -> int:
    """How many values: the rows of all lists, or where there is none, of the tables."""
    if isinstance(value, list):
        return len(value)
    if not isinstance(value, dict):
        return 1
    return sum(map(counted, value.values()))
