"""`--bot CMD`: a program of somebody's in the seat of a bot, in simulations, demos and duels."""

from __future__ import annotations

import json
import re
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from commands import Table

import games
from adjudicator.authors import program
from adjudicator.authors.program import bots_of
from adjudicator.cli.bot import known
from adjudicator.machine import demo
from adjudicator.machine.demo import Plan
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store.record import Record
from orders.errors import Refused

SUGAR_DOG = games.load("sugar-dog")
SETS_OUT = """
import json, sys
known = json.load(sys.stdin)
with open("asked", "a") as file:
    print(json.dumps(known, sort_keys=True), file=file)
first = known["for"] == "setup"
"""
RESIGNS = "print('start A1' if first else 'resign')"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """An empty folder, in which commands and programs run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Table(tmp_path)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a program was given when it failed lies there too."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def wrote(here: Table, text: str) -> str:
    """The command of a program that notes what it is asked."""
    (here.root / "own.py").write_text(f"{SETS_OUT}{text}\n")
    return f"{shlex.quote(sys.executable)} own.py"


def asked(here: Table) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (here.root / "asked").read_text().splitlines()]


def test_one_grammar_names_bots_and_programs(here: Table) -> None:
    """Names one by one or with commas; what has a blank or a slash is a command, commas and all."""
    own = wrote(here, RESIGNS)
    assert bots_of(SUGAR_DOG, ("captain,random", f"{own} a,b", "mate")) == (
        "captain", "random", f"{own} a,b", "mate",
    )  # fmt: skip
    assert bots_of(SUGAR_DOG, ("random",), 3) == ("random", "captain", "captain")
    assert bots_of(SUGAR_DOG, (), 0) == ()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("own.py", "no bot 'own.py': "),
        ("captain,", "no bot '': "),
        ("./nothing", "'./nothing': there is no program './nothing'"),
        ("captain,random x", "there is no program 'captain,random'"),
        ("python 'own.py", "is no command"),
        ("python a\nb", "is no command"),
        (" ", "is no command"),
    ],
)
def test_what_names_neither_is_refused(given: str, said: str) -> None:
    """In words that list the bots, or quote the command; and how a program is named."""
    with pytest.raises(Refused, match=re.escape(said)) as one:
        bots_of(SUGAR_DOG, (given,))
    assert one.value.word == "bad-option"
    assert one.value.hint.startswith("a program of yours is named by its command: --bot 'python ")
    if "no bot" in said:
        assert one.value.message.endswith(", ".join(SUGAR_DOG.bots))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_simulation_seats_a_program(here: Table, jobs: int) -> None:
    """In any number of processes; it is counted by its command, and the last line plays again."""
    own = wrote(here, RESIGNS)
    call = ("simulate", "sugar-dog", "--games", "2", "--seed", "07", "--jobs", jobs)
    said = here.run(*call, "--bot", own, "--bot", "random")
    assert said.exit_code == 0, said.output
    assert f"2 games of sugar-dog/1: {own}, random" in said.stdout
    assert re.search(rf"won by {re.escape(own)} +0 of 2 ", said.stdout)
    again = said.stdout.splitlines()[-1].removeprefix("again: adjudicator ")
    assert here.run(*shlex.split(again)).stdout == said.stdout


def test_it_is_given_the_same_everywhere(here: Table) -> None:
    """In a simulation, a demo and a duel the form is that of `adjudicator bot`; in a demo the very
    same is given, deadlines included. What it heard before its last orders is no news."""
    own = wrote(here, "print('start A1' if first else 'resign' if known['step'] > 5 else 'ping')")
    bots = (own, "random")
    plan = Plan(
        SUGAR_DOG, bots, b"\x05" * 32, {"first": "alice"}, program.programs(SUGAR_DOG, bots)
    )
    house = demo.again(plan, here.root / "kept")
    while house.referee.last.clocks.awaited:
        if "alice" in house.referee.missing():
            own_seat = here.root / "kept" / "alice"
            seated = Seated(Record(own_seat / "record"), Seat.open(own_seat / "alice.seat"))
            expected = json.loads(json.dumps(known(seated)))
            house.round()
            given = asked(here)[-1]
            assert given == expected
        else:
            house.round()
    first, *rest = asked(here)
    assert (first["for"], first["step"], first["news"], first["reports"]) == ("setup", 1, [], [])
    assert [one["for"] for one in rest] == ["turn"] * len(rest)
    assert all(one["until"] for one in rest)
    assert len(rest) > 1
    (here.root / "asked").unlink()
    for call in (("simulate", "sugar-dog", "--games", "1"), ("demo", "sugar-dog", "--duel")):
        done = here.run(*call, "--bot", own, "--bot", "random", "--seed", "05")
        assert done.exit_code == 0, done.output
        given = asked(here)
        assert [set(one) for one in given] == [set(first)] * len(given)
        assert {one["until"] for one in given} == {None}
        assert [one["step"] for one in given] == sorted({one["step"] for one in given})
        assert [one["step"] for one in given[-1]["reports"]] == list(range(1, given[-1]["step"]))
        assert given[-1]["players"] == ["alice", "bob"]
        (here.root / "asked").unlink()


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("call", "where"),
    [
        (("simulate", "sugar-dog", "--games", "1", "--bot", "random"), "game 1: "),
        (("demo", "sugar-dog", "--quiet", "--bot", "random"), ""),
        (("demo", "sugar-dog", "--duel", "--quiet", "--bot", "random"), ""),
    ],
)
def test_one_that_gives_no_orders_stops_the_game(
    here: Table, call: tuple[str, ...], where: str
) -> None:
    """After three answers: which program, where, why, and how to see the same again."""
    own = wrote(here, "print('start A1' if first else 'fire Z')")
    done = here.run(*call, "--bot", own, "--seed", "05")
    assert done.exit_code == 1
    *warned, error, hint = [
        line for line in done.stderr.splitlines() if not line.endswith(" games")
    ]
    assert len(warned) == 3
    assert all("warning: the program's answer: " in line for line in warned), warned
    assert all("'fire z'" in line.lower() for line in warned), warned
    step = asked(here)[-1]["step"]
    assert error.startswith(
        f"error: {where}{own!a}, who plays bob, step {step}: no orders came of 3 answers: "
    )
    assert error.endswith(" [bot]")
    assert hint.startswith(f"hint: the same again: {own} < ")
    question = json.loads(Path(hint.rpartition(" < ")[2]).read_text())
    assert question == asked(here)[-3]
    assert "'fire z'" in asked(here)[-1]["refused"].lower()


@pytest.mark.usefixtures("kept")
def test_one_that_takes_too_long_gives_no_orders(
    here: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit holds for each answer."""
    monkeypatch.setattr(program, "LIMIT", 0.2)
    own = wrote(here, "import time; time.sleep(600)")
    done = here.run("simulate", "sugar-dog", "--games", "1", "--bot", own, "--bot", "random")
    assert done.exit_code == 1
    assert "no orders came of 3 answers: no answer in 0.2 s" in done.stderr


@pytest.mark.usefixtures("kept")
def test_a_person_plays_against_a_program_and_goes_on_later(here: Table) -> None:
    """Its command is kept with the game; one that fails leaves the game as it was."""
    own = wrote(here, "print('start A1' if first else 'ping')")
    call = ("play", "sugar-dog", "--bot", own, "--seed", "01", "--option", "first=alice")
    said = here.ok(*call, given=b"start C4\n\nsilent\n\nquit\n")
    assert f"(a bot: {own})." in " ".join(said.split())
    (here.root / "own.py").rename(here.root / "away")
    broken = here.run("play", given=b"silent\n\n")
    assert broken.exit_code == 1
    assert f"error: {own!a}, who plays bob, step 5: no orders came of 3 answers" in broken.stderr
    (here.root / "away").rename(here.root / "own.py")
    before = len(asked(here))
    here.ok("play", given=b"quit\n")
    here.ok("play", given=b"resign\ny\n")
    # It was asked for nothing twice, and still knows all of its reports.
    rest = asked(here)[before:]
    assert [one["step"] for one in rest] == [5]
    assert [one["step"] for one in rest[-1]["reports"]] == [1, 2, 3, 4]
    heard = [len(one["events"]) for one in rest[-1]["reports"]]
    assert len(rest[-1]["news"]) == sum(heard[2:]) < sum(heard)  # since its orders for step 3
    assert asked(here)[before - 1]["news"] != []
