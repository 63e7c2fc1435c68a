"""`adjudicator.crew`: results in the order of the items, whoever does them, whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from adjudicator.crew import AHEAD, Failed, Work, crew, spread


@dataclass(frozen=True)
class Doing(Work[str, str]):
    """An item says what befalls it; what was done leaves a file in `folder`."""

    folder: str

    def do(self, item: str) -> str:
        """Sleep, die, die once, fail, or say who did it."""
        name, _, what = item.partition(" ")
        mark = Path(self.folder, name)
        begun = mark.exists()
        mark.write_text(str(os.getpid()))
        if what == "sleep":
            time.sleep(0.3)
        if what == "die" or (what == "die once" and not begun):
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "fail":
            raise ValueError(item)
        return f"{name} in {Path.cwd()}"

    def lost(self, item: str) -> str:
        """What is told of it."""
        return f"{item} was lost"


def done(folder: Path, jobs: int, *items: str) -> list[str]:
    with crew(Doing(str(folder)), jobs) as hands:
        return list(spread(hands, items))


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_stand_in_the_order_of_the_items(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    """However long one takes; each is done in the folder where the command was called."""
    monkeypatch.chdir(tmp_path)
    items = [f"{number} {'sleep' if number == 0 else ''}" for number in range(20)]
    assert done(tmp_path, jobs, *items) == [f"{number} in {tmp_path}" for number in range(20)]
    who = {(tmp_path / str(number)).read_text() for number in range(20)}
    assert len(who) == jobs
    assert (str(os.getpid()) in who) == (jobs == 1)
    assert done(tmp_path, jobs) == []


def test_work_whose_process_is_killed_is_done_again_and_then_told(tmp_path: Path) -> None:
    """A piece is lost if its process ended twice while doing it; no other piece is lost."""
    items = ["a", "b die", "c", "d die once", "e", "f die", "g"]
    found = done(tmp_path, 2, *items)
    lost = [number for number, one in enumerate(found) if one.endswith("was lost")]
    assert lost == [1, 5]
    assert [one[0] for one in found] == list("abcdefg")


def test_work_that_fails_ends_it_with_the_traceback_of_its_process(tmp_path: Path) -> None:
    """A fault of the work is a fault of the program, and is not hidden."""
    with pytest.raises(Failed, match="ValueError: b fail"):
        done(tmp_path, 2, "a", "b fail", "c")


@pytest.mark.parametrize("jobs", [1, 2])
def test_items_are_asked_for_as_they_can_be_done(tmp_path: Path, jobs: int) -> None:
    """There may be any number: what is held does not grow with it, even while the first one takes
    its time."""
    asked = told = most = 0

    def items() -> Iterator[str]:
        nonlocal asked
        for number in range(4 * AHEAD * jobs):
            asked += 1
            yield f"{number} {'sleep' if number == 0 else ''}"

    with crew(Doing(str(tmp_path)), jobs) as hands:
        for _ in spread(hands, items()):
            told += 1
            most = max(most, asked - told)
    assert told == 4 * AHEAD * jobs
    assert most <= hands.ahead <= AHEAD * jobs


PROGRAM = """
import sys
sys.path[:0] = {path!r}
from test_crew import Doing
from adjudicator.crew import crew, spread
if __name__ == "__main__":
    with crew(Doing(sys.argv[1]), 2) as hands:
        for one in spread(hands, (f"{{n}} sleep" for n in range(1000))):
            print(one, flush=True)
"""


def test_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    """Also where that one is killed and can do nothing any more."""
    program = tmp_path / "program.py"
    here = Path(__file__).parent
    program.write_text(PROGRAM.format(path=[str(here), str(here.parent)]))
    work = tmp_path / "work"
    work.mkdir()
    with subprocess.Popen(
        [sys.executable, str(program), str(work)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for _ in range(3):
            process.stdout.readline()
        process.kill()
    who = {int(mark.read_text() or 0) for mark in work.iterdir()} - {0}
    assert len(who) == 2
    end = time.monotonic() + 20
    while any(map(_lives, who)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(_lives, who))


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
        # One that nobody has waited for yet is dead all the same.
        told = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return not Path("/proc/self").exists()
    except OSError:
        return False
    return told.rpartition(")")[2].split()[0] != "Z"
