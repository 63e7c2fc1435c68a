"""The duels of the suite are what is made now, and verify as the index says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from generate import duels, suite

from adjudicator.store.pack import Pack
from adjudicator.verifier.duel import verify_all
from adjudicator.verifier.verify import verify

ROWS = {row["id"].removeprefix("duels/"): row for row in suite.rows("duels")}


def packs(row: dict[str, Any]) -> list[Pack]:
    """What that case has verified."""
    return [Pack.open(suite.SUITE / one["file"]) for one in row["call"][1:]]


def test_duels_do_not_drift() -> None:
    """What is made again is what lies in the suite."""
    assert suite.drifted(duels.made(Path())) == []


def test_packs_verify_as_they_should() -> None:
    """Each has the verdict and the exit code that stand beside it."""
    for row in ROWS.values():
        (pack,) = packs(row)
        found, told = verify(pack), row["told"]
        said = (told["game"], row["code"], told["verdict"])
        assert (found.game, found.code, found.verdict) == said
    assert {row["code"] for row in ROWS.values()} == {0, 1, 3, 4}


def test_packs_verify_together_as_they_should() -> None:
    """Whichever comes first."""
    for row in suite.rows("duels together"):
        some = packs(row)
        for ordered in (some, some[::-1]):
            (found,) = verify_all(*ordered)
            assert (found.code, found.verdict) == (row["code"], row["told"]["verdict"])


def told_of(name: str) -> list[str]:
    """What people are told of that pack; lines that go on are put together."""
    lines: list[str] = []
    for line in verify(*packs(ROWS[name])).lines("x"):
        if line.startswith("   "):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
    return lines


def test_people_are_told_in_a_few_lines() -> None:
    """As of a game with a host: who plays, what holds, what is wrong, and the verdict last. A lie
    takes the line away that says what was played again, and an opening that lacks the other's
    secret from it."""
    told = {name: told_of(name) for name in ROWS}
    heads = {0: "TRUE: ", 1: "FALSE: ", 3: "TRUE, BUT LOOK (1): ", 4: "NOT YET: "}
    for name, (title, *lines, verdict) in told.items():
        code = ROWS[name]["code"]
        assert title.endswith("alice against bob. A duel, nobody hosts, 1 Jan 2026."), title
        assert verdict.startswith(heads[code])
        assert any(line.startswith("  ! ") for line in lines) == (code in (1, 3))
        assert any(line.startswith("  moves ") for line in lines) == (code in (0, 4))
        assert any("every move" in line for line in lines) == (code != 1), name
    assert "  Holds: 7 moves" in told["lied"]
    assert told["lied"][-1] == "FALSE: alice lied in move 7."
    assert any("from the secret of bob: " in line for line in told["unopened"])
    assert told["unopened"][-1] == "NOT YET: not opened by alice. Nothing is false so far."
