"""The names of a record's files; bundles carry files under the same names.

Names come from the kind of file, the step and the player's name only, so a name tells nothing.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from orders.errors import Refused
from orders.fields import NAME

INVITE = "invite.toml"
TABLE = "table.toml"
ATTRIBUTES = ".gitattributes"
ATTRIBUTES_TEXT = b"* -text\n"
"""Keeps git from changing line ends: what is signed are bytes."""

BESIDE = (".github", ".gitlab-ci.yml", "README.md")
"""Names at the root that may lie beside the record and are no part of it: a page, and what CI
runs."""

FOLDERS = (
    "entries", "joins", "orders", "reports", "seats", "slips",
    "moves", "ends",
)  # fmt: skip
"""The folders of a record, and of a duel."""

_STEP = r"(?P<step>[0-9]{4}|[1-9][0-9]{4,6})"
_PLAYER = rf"(?P<player>{NAME})"
_FORMS = {
    "invite": r"invite\.toml",
    "table": r"table\.toml",
    "attributes": r"\.gitattributes",
    "join": rf"joins/{_PLAYER}\.toml",
    "entry": rf"entries/{_STEP}\.toml",
    "slip": rf"slips/{_STEP}-{_PLAYER}\.toml",
    "seat": rf"seats/{_STEP}-{_PLAYER}\.toml",
    "consent": rf"seats/{_STEP}-{_PLAYER}\.consent\.toml",
    "sealed": rf"orders/{_STEP}-{_PLAYER}\.sealed",
    "opened": rf"orders/{_STEP}-{_PLAYER}\.txt",
    "report": rf"reports/{_STEP}-{_PLAYER}\.sealed",
}
_KINDS = {
    "entries": ("entry",),
    "joins": ("join",),
    "slips": ("slip",),
    "seats": ("seat", "consent"),
    "orders": ("sealed", "opened"),
    "reports": ("report",),
}
_AT_ROOT = ("invite", "table", "attributes")
_SIGNED = {"invite", "join", "entry", "slip", "seat", "consent"}


class Name(NamedTuple):
    """A file's name taken apart.

    `kind` is a key of the table above. `signature`: it is the detached signature of that file.
    `step` and `player`: -1 and "" for kinds whose names have none.
    """

    kind: str
    signature: bool
    step: int = -1
    player: str = ""


def parse(path: str) -> Name | None:
    """The parts of a file's name; None if no file of a record has such a name."""
    for kind in _KINDS.get(path.partition("/")[0], _AT_ROOT):
        found = _form(kind).fullmatch(path)
        if found is None:
            continue
        parts = found.groupdict()
        signature = parts["sig"] is not None
        if signature > (kind in _SIGNED):
            return None
        return Name(kind, signature, int(parts.get("step", -1)), parts.get("player", ""))
    return None


@cache
def _form(kind: str) -> re.Pattern[str]:
    return re.compile(rf"{_FORMS[kind]}(?P<sig>\.sig)?", re.ASCII)


def is_ours(path: str) -> bool:
    """Whether a path has a form of the protocol's own; every other file is a stranger's."""
    return parse(path) is not None


def is_read(path: str) -> bool:
    """Whether a verifier reads the file of that name: it is one of a record, or of a duel."""
    return is_ours(path) or is_duels(path)


def no_folder(path: str) -> Refused:
    """The refusal of a link, a file or anything else in the place of a folder of a record."""
    return Refused("unreadable", f"{path!a} is no folder, and a record has one of that name")


def signature(path: str) -> str:
    """The detached signature beside a file."""
    return f"{path}.sig"


def join(player: str) -> str:
    """A player's join."""
    return f"joins/{player}.toml"


def entry(step: int) -> str:
    """Entry `step`; from 10000 on with five digits or more."""
    return f"entries/{step:04d}.toml"


def slip(step: int, player: str) -> str:
    """The slip of that player that entry `step` uses."""
    return f"slips/{step:04d}-{player}.toml"


def seat(step: int, player: str) -> str:
    """The new join for that seat, which the ruling in entry `step` names."""
    return f"seats/{step:04d}-{player}.toml"


def consent(step: int, player: str) -> str:
    """The leaving player's consent to that new join."""
    return f"seats/{step:04d}-{player}.consent.toml"


def sealed_order(step: int, player: str) -> str:
    """The order file of that slip, sealed."""
    return f"orders/{step:04d}-{player}.sealed"


def opened_order(step: int, player: str) -> str:
    """The order file of that slip, opened: it is there after the reveal."""
    return f"orders/{step:04d}-{player}.txt"


def report(step: int, player: str) -> str:
    """A player's sealed report of entry `step`."""
    return f"reports/{step:04d}-{player}.sealed"


TOKEN = "token"  # noqa: S105 - the name of a file
"""The token of one seat in the invite's bundle that goes to one person; it is not in the record."""


def receipt(step: int, player: str, revision: int) -> str:
    """A receipt in its bundle and in a seat folder; receipts are not in the record."""
    return f"receipts/{step:04d}-{player}-{revision}.toml"


# A duel's files. Those of which there may be several are told apart by their digest.

OFFER, ACCEPT = "offer.toml", "accept.toml"
REQUEST = "request.toml"
"""A request in its block; it lies in no folder and no pack."""

_OF_DUELS = re.compile(
    rf"(?:(offer|accept)\.toml|(moves)/([0-9]{{4}}|[1-9][0-9]{{4,6}})-[0-9a-f]{{16}}\.toml"
    rf"|(ends)/{NAME}-[0-9a-f]{{16}}\.toml)(?:\.sig)?",
    re.ASCII,
)
_DUELS_ORDER = ("offer", "accept", "moves", "ends")


def is_duels(path: str) -> bool:
    """Whether a duel has a file of that name."""
    return _OF_DUELS.fullmatch(path) is not None


def in_duel(path: str) -> tuple[int, int, str]:
    """The place of a duel's file among the others: each stands behind those that it names."""
    found = _OF_DUELS.fullmatch(path)
    if found is None:
        raise ValueError(f"{path!a} is no file of a duel")
    kind = found[1] or found[2] or found[4]
    return _DUELS_ORDER.index(kind), int(found[3] or 0), path


def move(number: int, digest: str) -> str:
    """A move of a duel; from 10000 on with five digits or more."""
    return f"moves/{number:04d}-{digest[:16]}.toml"


def end(player: str, digest: str) -> str:
    """A player's end of a duel."""
    return f"ends/{player}-{digest[:16]}.toml"
