"""The finished records of the vectors: played again they are the same, and they are true."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from vectors import record_vectors

from adjudicator.core.source import Held
from adjudicator.store.pack import Pack
from adjudicator.verifier.packing import kept
from adjudicator.verifier.verify import verify
from orders.fields import digest

HERE = Path(__file__).parent / "vectors"


NAMES = sorted(record_vectors.PLAYS)


def expected(name: str) -> dict[str, Any]:
    return json.loads((HERE / "records" / f"{name}.json").read_text("ascii"))


@pytest.mark.parametrize("name", NAMES)
def test_played_again_it_is_the_same(name: str, tmp_path: Path) -> None:
    """Every file of the pack and every state and report, byte for byte."""
    table = record_vectors.play(name, tmp_path / "table")
    pack = Pack.open(HERE / "records" / f"{name}.zip")
    assert kept(table.record) == {path: pack.read(path) for path in pack.paths()}
    assert record_vectors.reckoned(table) == expected(name)


@pytest.mark.parametrize("name", NAMES)
def test_the_pack_is_what_its_page_says(name: str) -> None:
    """The verdict, the head, and the digests of all states and reports."""
    pack = Pack.open(HERE / "records" / f"{name}.zip")
    wanted = expected(name)
    found = verify(pack)
    assert (found.code, found.verdict) == (wanted["code"], wanted["verdict"])
    assert (found.game, found.head) == (wanted["game"], wanted["head"])
    for step, made in wanted["entries"].items():
        entry = pack.read(f"entries/{int(step):04d}.toml").decode("ascii")
        for text in (made["state"], *made["reports"].values()):
            assert digest(text.encode("ascii")) in entry


def test_they_hold_what_a_second_verifier_stumbles_over() -> None:
    """Void lines, keys of one's own, rulings of every kind, missed steps, seats handed on."""
    seen: set[str] = set()
    for name in NAMES:
        pack = Pack.open(HERE / "records" / f"{name}.zip")
        for path in pack.paths():
            text = pack.read(path).decode("ascii") if path.endswith(".toml") else ""
            seen |= {path.partition("/")[0]} if path.endswith(".consent.sig") else set()
            for what, sign in {
                "annuls": "ruling = { from",
                "abandons": "ruling = { abandon",
                "hands a seat on, agreed": "agreed = true",
                "hands a seat on, not agreed": "agreed = false",
                "moves deadlines": 'ruling = { reason = "snow"',
                "somebody is missing": 'missing = ["',
                "protests": "protest = ",
                "standing": "[standing]",
                "a remark": "# for the record",
            }.items():
                seen |= {what} if sign in text else set()
        for made in expected(name)["entries"].values():
            for report in map(json.loads, made["reports"].values()):
                seen |= {f"{name[:3]} void"} if report["void"] else set()
                seen |= {f"{name[:3]} keys"} if report["keys"] else set()
                repeated = any(isinstance(event, int) for _, event in report["events"])
                seen |= {"a private event again"} if repeated else set()
            for word in ("nullified", "waiting", '"mines":["'):
                seen |= {word} if word in made["state"] else set()
    assert seen >= {
        "annuls", "abandons", "hands a seat on, agreed", "hands a seat on, not agreed", "seats",
        "moves deadlines", "somebody is missing", "protests", "a remark", "sil void", "nullified",
        "waiting", '"mines":["',
    }  # fmt: skip


def test_a_record_whose_sealed_files_are_gone_is_true() -> None:
    """They are made again; what is not there, is not needed."""
    pack = Pack.open(HERE / "records" / f"{NAMES[0]}.zip")
    assert not [path for path in pack.paths() if path.endswith(".sealed")]
    held = {path: pack.read(path) for path in pack.paths()}
    assert verify(Held(held)).code in (0, 3)
