"""The packs of duels among the vectors are what is made now, and verify as the vectors say."""

from __future__ import annotations

import json
from pathlib import Path

from vectors import duel_vectors

from adjudicator.store.pack import Pack
from adjudicator.verifier.duel import verify_all
from adjudicator.verifier.verify import verify

VECTORS = Path(__file__).parents[1] / "vectors"
VECTOR = json.loads((VECTORS / "duels.json").read_text("ascii"))
SAID = VECTOR["duels"]


def test_packs_do_not_drift() -> None:
    """Generating them again gives the committed bytes."""
    made = duel_vectors.packs()
    assert made == {path.name: path.read_bytes() for path in (VECTORS / "duels").iterdir()}


def test_packs_verify_as_they_should() -> None:
    """Each has the verdict and the exit code that stand beside it."""
    for name, said in SAID.items():
        found = verify(Pack.open(VECTORS / "duels" / f"{name}.zip"))
        assert (found.game, found.code, found.verdict) == (
            said["game"],
            said["code"],
            said["verdict"],
        )
    assert {one["code"] for one in SAID.values()} == {0, 1, 3, 4}


def test_packs_verify_together_as_they_should() -> None:
    """Whichever comes first."""
    for said in VECTOR["together"]:
        for some in (said["packs"], said["packs"][::-1]):
            packs = (Pack.open(VECTORS / "duels" / f"{name}.zip") for name in some)
            (found,) = verify_all(*packs)
            assert (found.code, found.verdict) == (said["code"], said["verdict"])


def told_of(name: str) -> list[str]:
    """What people are told of that pack; lines that go on are put together."""
    lines: list[str] = []
    for line in verify(Pack.open(VECTORS / "duels" / f"{name}.zip")).lines("x"):
        if line.startswith("   "):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
    return lines


def test_people_are_told_in_a_few_lines() -> None:
    """As of a game with a host: who plays, what holds, what is wrong, and the verdict last. A lie
    takes the line away that says what was played again, and an opening that lacks the other's
    secret from it."""
    told = {name: told_of(name) for name in SAID}
    heads = {0: "TRUE: ", 1: "FALSE: ", 3: "TRUE, BUT LOOK (1): ", 4: "NOT YET: "}
    for name, (title, *lines, verdict) in told.items():
        code = SAID[name]["code"]
        assert title.endswith("alice against bob. A duel, nobody hosts, 1 Jan 2026."), title
        assert verdict.startswith(heads[code])
        assert any(line.startswith("  ! ") for line in lines) == (code in (1, 3))
        assert any(line.startswith("  moves ") for line in lines) == (code in (0, 4))
        assert any("every move" in line for line in lines) == (code != 1), name
    assert "  Holds: 7 moves" in told["lied"]
    assert told["lied"][-1] == "FALSE: alice lied in move 7."
    assert any("from the secret of bob: " in line for line in told["unopened"])
    assert told["unopened"][-1] == "NOT YET: not opened by alice. Nothing is false so far."
