"""`replay`: a game step by step, at a terminal and into a pipe."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import ALICE
from terminal import Terminal

from adjudicator.cli import replay
from adjudicator.core.ledger import Ledger
from adjudicator.store.record import Record
from adjudicator.words.screen import Window, lines

Table = Any
KEYS = f"{replay.KEYS}: "


def headings(said: str) -> list[str]:
    return [line for line in said.splitlines() if line.startswith("Entry ")]


def test_a_pipe_gets_every_step(finished: Table) -> None:
    """By the eyes of the seat that is here, each with its board and news; from N on."""
    said = finished.ok("replay", *ALICE)
    assert headings(said) == [
        "Entry 0 of 4, as alice saw it: the game begins: alice, bob",
        "Entry 1 of 4, as alice saw it: orders of alice, bob",
        "Entry 2 of 4, as alice saw it: orders of alice",
        "Entry 3 of 4, as alice saw it: orders of bob",
        "Entry 4 of 4, as alice saw it: orders of alice",
    ]
    assert said.count("you    submarine in C4") == 4
    assert "Told:\n  Your submarine starts in C4.\n" in said
    rest = finished.ok("replay", "-g", "friday", "3", "--seat", "alice.seat")
    assert headings(rest) == headings(said)[3:]


def test_eyes_of_a_game_that_is_opened(finished: Table) -> None:
    """Without a seat all is seen; --as names a side, and each sees what it saw then."""
    whole = finished.ok("replay", "-g", "friday")
    assert headings(whole)[1] == "Entry 1 of 4, as it was: orders of alice, bob"
    assert "1 alice: submarine in C4" in whole
    assert "2 bob: submarine in C1" in whole
    assert "bob: Your submarine starts in C1." in whole
    bob = finished.ok("replay", "-g", "friday", "1", "--as", "bob")
    assert "Told:\n  Your submarine starts in C1.\n" in bob
    assert "C4" not in bob.partition("Entry 2")[0]
    everybody = finished.ok("replay", "-g", "friday", "--as", "all")
    assert "starts in" not in everybody
    error = finished.fails("no-board", "replay", "-g", "friday", "--as", "carol")
    assert "there are those of host, alice, bob, all" in error


def test_before_the_reveal_nobody_sees_the_other_side(table: Table) -> None:
    """Neither by name nor by the whole: a seat has its own eyes and everybody's, others these."""
    table.step(alice="start C4", bob="start C1")
    own = table.ok("replay", *ALICE)
    assert "C1" not in own
    assert "submarine in C4" in own
    public = table.ok("replay", "-g", "friday")
    assert "C4" not in public
    assert "S C" not in public
    for eyes in ("bob", "host"):
        error = table.fails("no-board", "replay", *ALICE, "--as", eyes)
        assert error.endswith("of alice, all\n")
    assert table.fails("no-board", "replay", "-g", "friday", "--as", "alice")


def test_steps_that_are_not_there(table: Table, tmp_path: Path, at_commands: Any) -> None:
    """Beyond the last, below the first, and of a game that has not begun."""
    assert "there are 0 to 0" in table.fails("missing", "replay", "-g", "friday", "7")
    assert table.run("replay", "-g", "friday", "-1").exit_code == 2
    alone = at_commands(tmp_path)
    alone.key("host.key")
    alone.ok("invite", "sugar-dog", "--key", "host.key", "-o", "friday")
    alone.fails("not-yet", "replay", "-g", "friday")


def test_programs_read_the_same(finished: Table) -> None:
    """--json: a step each, with what these eyes saw."""
    steps = json.loads(finished.ok("replay", "-g", "friday", "--json", "--seat", "alice.seat"))
    assert [one["step"] for one in steps] == [0, 1, 2, 3, 4]
    assert {tuple(one["views"]) for one in steps} == {("alice",)}
    assert "Your submarine starts in C4." in steps[1]["news"]
    whole = json.loads(finished.ok("replay", "-g", "friday", "4", "--json", "--as", "host"))
    assert tuple(whole[0]["views"]) == ("alice", "bob")


def test_a_pack_is_replayed_as_its_folder(finished: Table) -> None:
    """The same steps to the letter."""
    finished.ok("pack", "-g", "friday", "-o", "again.zip")
    assert finished.ok("replay", "-g", "again.zip") == finished.ok("replay", "-g", "friday")
    assert "Entry 3" not in finished.ok("replay", "-g", "again.zip", "4")


def test_a_report_that_did_not_come(finished: Table, tmp_path: Path) -> None:
    """That step is shown as everybody saw it, and says so."""
    there = type(finished)(tmp_path / "there")
    shutil.copytree(finished.root, there.root)
    (there.root / "friday" / "reports" / "0001-alice.sealed").unlink()
    said = there.ok("replay", *ALICE)
    first, _, second = said.partition("Entry 2")
    assert "(your report is not here: this is what everybody saw)" in first
    assert "submarine in C4" not in first
    assert "submarine in C4" in second


@pytest.fixture
def at_terminal(finished: Table) -> Callable[..., Terminal]:
    return lambda *words, **named: Terminal(
        finished.root, "replay", "-g", "friday", *words, **named
    )


def test_keys(at_terminal: Callable[..., Terminal]) -> None:
    """n and p step, g goes, v changes eyes, q leaves; each step is one screen of its own."""
    terminal = at_terminal("--seat", "alice.seat")
    first = terminal.until(KEYS)
    assert "Entry 0 of 4, as alice saw it" in first
    assert "Entry 1 of 4" in terminal.type("n", KEYS)
    assert "Entry 2 of 4" in terminal.type("\x1b[C", KEYS)
    terminal.type("pp", KEYS)
    assert "Entry 0 of 4" in terminal.until(KEYS)
    terminal.type("nn", KEYS)
    terminal.until(KEYS)
    assert "Entry 1 of 4" in terminal.type("p", KEYS)
    assert "Entry 1 of 4, as it was" in terminal.type("v", KEYS)
    assert "Entry 1 of 4, as bob saw it" in terminal.type("v", KEYS)
    assert "Entry 1 of 4, as everybody saw it" in terminal.type("v", KEYS)
    assert "Entry 1 of 4, as alice saw it" in terminal.type("v", KEYS)
    assert "entry, 0 to 4: " in terminal.type("g", ": ")
    assert "Entry 3 of 4" in terminal.type("3\n", KEYS)
    terminal.type("g", ": ")
    assert "Entry 4 of 4" in terminal.type("99\n", KEYS)
    assert "Entry 4 of 4" in terminal.type("n", KEYS)
    terminal.type("g", ": ")
    assert "Entry 4 of 4" in terminal.type("minus one\n", KEYS)
    assert "Entry 4 of 4" in terminal.type("x", KEYS)
    assert terminal.end("q") == 0


@pytest.mark.parametrize("leave", ["\x03", "\x04", "\x1b"])
def test_other_ways_to_leave(at_terminal: Callable[..., Terminal], leave: str) -> None:
    """Ctrl-C, Ctrl-D and Escape; it begins at N, and a dumb terminal is not cleared."""
    terminal = at_terminal("2", TERM="dumb")
    said = terminal.until(KEYS)
    assert said.startswith("Entry 2 of 4")
    assert "\x1b" not in said
    assert said.count("\n") < 24
    assert terminal.end(leave) == 0


@pytest.mark.parametrize("game", ["sugar-dog", "silent-ships", "submarine-warfare"])
def test_each_step_is_one_screen(tmp_path: Path, at_commands: Any, game: str) -> None:
    """Of 24 lines with the keys, by every pair of eyes."""
    table = at_commands(tmp_path)
    table.ok("demo", game, "--bot", "random", "--bot", "captain", "--seed", "03", "--quiet",
             "--keep", "kept")  # fmt: skip
    told = replay.Told(Ledger.read(Record(tmp_path / "kept" / "record")), None)
    assert told.eyes == ["host", "alice", "bob", "all"]
    for step in range(told.last + 1):
        for eyes in told.eyes:
            shown = lines(told.seen(step, eyes).scene(), Window(80, 24))
            assert len(shown) < 24
            assert max(map(len, shown)) <= 80
            assert shown[0].startswith(f"Entry {step} of ")
