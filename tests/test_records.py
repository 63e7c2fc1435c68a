"""The finished records of the suite: played again they are the same, and they are true."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from generate import records, suite

from adjudicator.core.source import MemoryFiles
from adjudicator.store.pack import Pack
from adjudicator.verifier.listing import kept
from adjudicator.verifier.verify import verify
from orders.fields import digest

HERE = suite.SUITE


NAMES = sorted(records.PLAYS)


def expected(name: str) -> dict[str, Any]:
    return json.loads((HERE / "records" / f"{name}.json").read_text("ascii"))


@pytest.mark.parametrize("name", NAMES)
def test_played_again_it_is_the_same(name: str, tmp_path: Path) -> None:
    """Every file of the pack and every state and report, byte for byte."""
    wanted = expected(name)
    table = records.play(name, wanted["draw"], tmp_path / "table")
    pack = Pack.open(HERE / "records" / f"{name}.zip")
    assert kept(table.record) == {path: pack.read(path) for path in pack.paths()}
    assert {"draw": wanted["draw"], **records.reckoned(table)} == wanted


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


@pytest.mark.parametrize("name", NAMES)
def test_it_holds_what_it_is_played_for(name: str) -> None:
    """In each record a second verifier finds what it is to find there."""
    pack = Pack.open(HERE / "records" / f"{name}.zip")
    wanted = set(records.PLAYS[name].holds.split())
    assert wanted
    assert not wanted - records.found(pack, expected(name))


def test_together_they_hold_what_a_second_verifier_stumbles_over() -> None:
    """Rulings of every kind, missed steps, seats handed on, waiting attacks, void lines; of each
    game one that was played to its end, and one with lines that were not carried out if such a
    game can have them."""
    held = {name: set(records.PLAYS[name].holds.split()) for name in NAMES}
    assert set().union(*held.values()) >= {
        *records.SIGNS, "consent", "destroyed-at", "nullified", "mine", "laid", "waiting",
    }  # fmt: skip
    for game in ("sugar-dog", "submarine-warfare", "silent-ships"):
        of_it = set().union(*(held[name] for name in NAMES if name.startswith(game)))
        # A submarine cannot reach its own torpedo before its next command, nor lose to it.
        assert of_it >= {"over"} | ({"void"} if game != "sugar-dog" else set())


def test_a_record_whose_sealed_files_are_gone_is_true() -> None:
    """They are made again; what is not there, is not needed."""
    pack = Pack.open(HERE / "records" / f"{NAMES[0]}.zip")
    assert not [path for path in pack.paths() if path.endswith(".sealed")]
    held = {path: pack.read(path) for path in pack.paths()}
    assert verify(MemoryFiles(held)).code in (0, 3)
