"""The duels of the suite are what is made now, and verify as the index says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from generate import duel_lies, duels, facts, suite

from adjudicator.duel import audit, documents
from adjudicator.store.pack import Pack, write
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
    """Whichever comes first; a lie beside a finished game takes nothing away."""
    rows = suite.rows("duels together")
    for row in rows:
        some = packs(row)
        for ordered in (some, some[::-1]):
            (found,) = verify_all(*ordered)
            assert (found.code, found.verdict) == (row["code"], row["told"]["verdict"])
    assert {row["code"] for row in rows} == {0, 1, 3, 4}


# Who lied.

TOLD = suite.rows("duels told")
LIES = [row for row in TOLD if row["id"].startswith("duel-lies/")]


@pytest.mark.parametrize("row", LIES, ids=lambda row: row["id"])
def test_who_lied_in_which_move(row: dict[str, Any]) -> None:
    """The index names the liar and the move: another verifier must name the same."""
    (pack,) = packs(row)
    (judged,) = audit.judge(documents.read(pack))
    assert judged.lie is not None
    assert (judged.lie.player, judged.lie.number) == (row["told"]["liar"], row["told"]["move"])
    assert (row["code"], row["told"]["liar"]) == (1, "mallory")
    found = verify(pack)
    assert (found.code, found.verdict) == (1, row["told"]["verdict"])
    assert f"mallory lied in move {judged.lie.number}" in found.verdict


def test_every_lie_that_is_taken_is_in_the_suite() -> None:
    """With what it does; nothing else is there."""
    told = {lie.name: lie.does for lie in duel_lies.told()}
    assert {row["id"].removeprefix("duel-lies/"): row["comment"] for row in LIES} == told
    there = {path.name for path in (suite.SUITE / "duel-lies").iterdir()}
    assert there == {f"{name}.zip" for name in told}


@pytest.mark.slow
@pytest.mark.parametrize("lie", [*duel_lies.told()], ids=lambda lie: lie.name)
def test_a_lie_does_not_drift(lie: duel_lies.Lie) -> None:
    """Told again, it is what lies in the suite."""
    data = (suite.SUITE / "duel-lies" / f"{lie.name}.zip").read_bytes()
    assert write(duel_lies.files(lie)) == data


# What is told.


def test_every_kind_of_fact_is_told_in_a_true_duel() -> None:
    """Each that the table of a game's page lists; all that is told is listed there."""
    told: dict[str, set[str]] = {name: set() for name in facts.KINDS}
    for row in TOLD:
        if row in LIES:
            continue
        (pack,) = packs(row)
        name = row["id"].partition("/")[2].rpartition("-")[0]
        told[name] |= {*row["told"]["facts"]}
        found = verify(pack)
        said = (found.code, found.game, found.verdict)
        assert said == (0, row["told"]["game"], row["told"]["verdict"])
    assert told == dict(facts.KINDS)
    for name, known in facts.KINDS.items():
        page = (suite.SUITE.parents[1] / "docs/formats" / f"{name}.md").read_text("utf-8")
        table = page.partition("\n## Duels\n")[2].partition("\n\n")[2]
        for one in {kind.partition(" ")[0] for kind in known}:
            assert f"`{one}" in table


@pytest.mark.slow
def test_facts_do_not_drift() -> None:
    """Played again, they are what lies in the suite."""
    made = facts.made(Path())
    assert [case.row() for case in made.cases] == [row for row in TOLD if row not in LIES]
    for path, data in made.files.items():
        assert (suite.SUITE / path).read_bytes() == data


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
    assert "  Holds: 6 moves" in told["lied"]
    assert told["lied"][-1] == "FALSE: bob lied in move 6."
    assert any("from the secret of bob: " in line for line in told["unopened"])
    assert any("from the secrets of alice and bob: " in line for line in told["forked"])
    assert told["unopened"][-1] == "NOT YET: not opened by alice. Nothing is false so far."
