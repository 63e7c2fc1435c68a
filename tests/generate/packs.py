"""Packs: whole and broken records in one file, and files that no reader may take for a pack."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generate import suite
from generate.suite import Case, Made

from adjudicator.core.source import MemoryFiles
from adjudicator.store import pack
from adjudicator.verifier.listing import kept

PAGE = "docs/formats/containers.md#packs"
BROKEN = (
    "strangers_lie_beside", "an_act_was_cut_off", "an_opened_order_file_is_missing",
    "a_nonce_is_missing", "a_game_is_abandoned", "the_rules_are_unknown_here",
    "an_entry_quotes_another", "a_slip_is_signed_by_the_host", "a_state_is_another",
    "a_deadline_is_cut", "an_order_is_illegal", "somebody_was_late",
)  # fmt: skip
"""Breaks that a pack shows as well as a folder; some of them break nothing."""


def made(_: Path) -> Made:
    """All cases, of what lies in the suite as breaks."""
    rows = {row["id"].removeprefix("breaks/"): row for row in suite.rows("breaks")}
    files, cases = {}, []
    for name in BROKEN:
        row = rows[name]
        held = {
            path: data
            for path, data in suite.folder(row["call"][-1]).items()
            if not path.startswith(".") and not path.endswith(".sealed")
        }
        files[f"packs/{name}.zip"] = pack.write(held)
        cases.append(_case(name, row["page"], row["comment"], row["code"], row.get("rule", "")))
    whole = suite.folder({"zip": "breaks.zip", "of": ["example"]})
    files["packs/example.zip"] = pack.write(kept(MemoryFiles(whole)))
    cases.append(_case("example", PAGE, "a whole game, as this project packs it", 0))
    sealed = {path: whole[path] for path in whole if not path.startswith(".")}
    files["packs/sealed.zip"] = pack.write(sealed)
    cases.append(_case("sealed", PAGE, "the same with all its sealed files", 0))
    for name, rule, data in _refused(kept(MemoryFiles(whole))):
        place = name.replace(" ", "-")
        files[f"packs/{place}.zip"] = data
        cases.append(_case(place, PAGE, name, 2, rule))
    return Made(cases, files)


def _case(name: str, page: str, comment: str, code: int, rule: str = "") -> Case:
    call = ("verify", suite.file(f"packs/{name}.zip"))
    return Case(f"packs/{name}", "packs", page, comment, call, code, rule)


def _refused(held: Mapping[str, bytes]) -> Iterator[tuple[str, str, bytes]]:
    """What breaks a rule of the page, the rule, and the bytes."""
    good = pack.write(held)
    paths = sorted(held)
    end = good.rindex(b"PK\5\6")
    yield "nothing", "2", b""
    yield "an empty archive", "", good[end : end + 4] + bytes(18)
    yield "no zip", "2", b"a game of submarines\n"
    yield "a byte before it", "2", b"x" + good
    yield "a byte after it", "2", good + b"x"
    yield "a byte between", "2", good[:40] + b"x" + good[40:]
    yield "cut off", "2", good[: len(good) // 2]
    yield "no end record", "2", good[:end]
    yield "a byte of a file is another", "3", _flipped(good, good.index(b'kind = "invite'))
    yield "a checksum is another", "3", _flipped(good, 14)
    yield "a version is another", "3", _flipped(good, 4)
    yield "a flag is set", "3", _flipped(good, 6)
    yield "a count is another", "3", _flipped(good, end + 8)
    for name, rule, changes in (
        ("deflated", "3", {"method": zipfile.ZIP_DEFLATED}),
        ("times of day", "3", {"time": (2026, 11, 21, 0, 0, 0)}),
        ("an extra field", "3", {"extra": struct.pack("<HHI", 0x5455, 4, 0)}),
        ("a comment on a file", "3", {"comment": b"hello"}),
        ("a comment at the end", "3", {"end": b"hello"}),
        ("attributes", "3", {"attributes": 0o644 << 16}),
        ("another order", "1", {"order": paths[::-1]}),
        ("a file twice", "1", {"order": [*paths, paths[0]]}),
    ):
        yield name, rule, rewritten(held, **changes)
    for name, path in (
        ("a path that leaves the folder", "../invite.toml"), ("an absolute path", "/invite.toml"),
        ("a stranger's file", "notes.txt"), ("a backslash", "joins\\a.toml"),
        ("a folder around it", "friday/invite.toml"),
    ):  # fmt: skip
        yield name, "1", pack.write({**held, path: b"?"})
    yield (
        "a file of more than a mebibyte",
        "4",
        pack.write({**held, "entries/0009.toml": bytes(2**20 + 1)}),
    )


def _flipped(data: bytes, at: int) -> bytes:
    """The same with another bit at that place."""
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def rewritten(held: Mapping[str, bytes], **changes: Any) -> bytes:
    """Those files by Python's own zip writer; `changes` lay them out otherwise."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a file twice
        for path in changes.get("order", sorted(held)):
            info = zipfile.ZipInfo(path, changes.get("time", (1980, 1, 1, 0, 0, 0)))
            info.compress_type = changes.get("method", zipfile.ZIP_STORED)
            info.extra = changes.get("extra", b"")
            info.comment = changes.get("comment", b"")
            info.create_system = 0
            archive.writestr(info, held[path])
            info.external_attr = changes.get("attributes", 0)
        archive.comment = changes.get("end", b"")
    return out.getvalue()
