"""What verification found, as it is printed: in full, in a line, for programs."""

from __future__ import annotations

import json

import pytest

from adjudicator.cli.findings import print_findings, print_verdict, say_findings, shown
from adjudicator.verifier.claims import Claim, Findings

FOUND = Findings(
    3, "true, with something to look at (1): a draw",
    (Claim("times", "look", "late", ("by 3 d",)),),
    game="a" * 64, head="b" * 64, step=7, engine="adjudicator 1",
    title="High Low, a against b.", marked=("late by 3 d",), reason="a draw",
)  # fmt: skip


def test_all_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    """What is to be looked at, and the verdict last; each claim and its details if asked for."""
    print_findings("friday", FOUND)
    short = capsys.readouterr().out
    assert short.startswith("friday: High Low, a against b.\n  ! late by 3 d\n")
    assert short.endswith("\nTRUE, BUT LOOK (1): a draw.\n")
    print_findings("friday", FOUND, verbose=True)
    full = capsys.readouterr().out
    assert "\n  LOOK times: late\n         by 3 d\n" in full
    assert full.endswith("\nTRUE, BUT LOOK (1): a draw.\n")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("friday", "friday"),
        ("Käse.zip", "Käse.zip"),
        ("a\nTRUE: b won.", "'a\\nTRUE: b won.'"),
        ("\x1b[2J", "'\\x1b[2J'"),
        ("b\u202egpj", "'b\\u202egpj'"),
        ("\udcff.zip", "'\\udcff.zip'"),
    ],
)
def test_a_name_stays_in_its_line(capsys: pytest.CaptureFixture[str], name: str, told: str) -> None:
    """Whatever it holds: no terminal obeys it, no line looks like another's."""
    assert shown(name) == told
    print_verdict(name, FOUND)
    assert capsys.readouterr().out == f"{told}: TRUE, BUT LOOK (1): a draw.\n"
    print_findings(name, FOUND)
    assert capsys.readouterr().out.splitlines()[0].startswith(f"{told}: High Low")


def test_programs_get_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """One JSON document, in ASCII, with the name as it is."""
    say_findings("a\n\udcff", FOUND)
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert out.isascii()
    told = json.loads(out)
    assert (told["record"], told["code"], told["step"]) == ("a\n\udcff", 3, 7)
    assert told["claims"][0]["details"] == ["by 3 d"]
