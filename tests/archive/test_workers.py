"""`archive.workers`: results in the order of the items, whoever does them, whatever happens."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import servers
from click.testing import CliRunner, Result
from workers import Cluster, cluster

from adjudicator.archive import archive, workers
from adjudicator.archive.workers import AHEAD, program
from adjudicator.cli import cli

Table = Any
ROOT = Path(__file__).parents[2]
ALONE = ["workers failed (BrokenProcessPool): the rest is done without them"]


@dataclass(frozen=True)
class Doing:
    """An item says what befalls it; what was done leaves a file in `folder`."""

    folder: str
    main: int

    def do(self, item: str) -> str:
        """Sleep, die if it is a worker, fail, or say who did it."""
        name, _, what = item.partition(" ")
        Path(self.folder, name).write_text(str(os.getpid()))
        if what == "sleep":
            time.sleep(0.3)
        if what == "meet":
            _met(Path(self.folder))
        if what == "die" and os.getpid() != self.main:
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "fail":
            raise ValueError(item)
        return f"{name} in {Path.cwd()}"


def _met(folder: Path) -> set[int]:
    """The processes that have done something, once they are two."""
    end = time.monotonic() + 60
    while True:
        who = {int(mark.read_text() or 0) for mark in folder.iterdir()} - {0}
        if len(who) > 1 or time.monotonic() > end:
            return who
        time.sleep(0.01)


def done(folder: Path, jobs: int, *items: str) -> tuple[list[str], list[str]]:
    """The results, and what was said."""
    said: list[str] = []
    with workers.workers(jobs) as hands:
        return list(hands.spread(Doing(str(folder), os.getpid()).do, items, said.append)), said


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_stand_in_the_order_of_the_items(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    """However long one takes; each is done in the folder where the command was called."""
    monkeypatch.chdir(tmp_path)
    # The first one lasts until another process has done one: on a busy machine that begins late.
    first = "meet" if jobs > 1 else "sleep"
    items = [f"{number} {first if number == 0 else ''}" for number in range(20)]
    assert done(tmp_path, jobs, *items) == (
        [f"{one.split()[0]} in {tmp_path}" for one in items],
        [],
    )
    who = {(tmp_path / str(number)).read_text() for number in range(20)}
    assert len(who) == jobs
    assert (str(os.getpid()) in who) == (jobs == 1)
    assert done(tmp_path, jobs) == ([], [])


def test_this_process_does_the_rest_where_one_is_killed(tmp_path: Path) -> None:
    """No item is left out or told twice, and it is said once."""
    items = ["a", "b die", "c", "d die", "e"]
    results, said = done(tmp_path, 2, *items)
    assert results == [f"{item[0]} in {Path.cwd()}" for item in items]
    assert said == ALONE
    assert (tmp_path / "d").read_text() == str(os.getpid())


def test_work_that_fails_ends_it(tmp_path: Path) -> None:
    """A fault of the work is a fault of the program, and is not hidden."""
    with pytest.raises(ValueError, match="b fail"):
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

    with workers.workers(jobs) as hands:
        for _ in hands.spread(Doing(str(tmp_path), os.getpid()).do, items(), print):
            told += 1
            most = max(most, asked - told)
    assert told == 4 * AHEAD * jobs
    assert most <= AHEAD * jobs


PROGRAM = """
import sys
sys.path[:0] = {path!r}
from test_workers import Doing
from adjudicator.archive.workers import workers
if __name__ == "__main__":
    with workers(2) as hands:
        do = Doing(sys.argv[1], 0).do
        for one in hands.spread(do, (f"{{n}} sleep" for n in range(1000)), print):
            print(one, flush=True)
"""


def test_what_is_never_answered_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scheduler that ends while items are given out leaves some open, and nobody cancels them."""
    monkeypatch.setattr(workers, "BEAT", 0.01)
    answers = iter([True, False])

    class Mute(Executor):
        def submit(self, *given: Any, **named: Any) -> Future[Any]:
            return Future()

    said: list[str] = []
    hands = workers.Workers(Mute(), 2, alive=lambda: next(answers, False))
    assert list(hands.spread(str, range(4), said.append)) == ["0", "1", "2", "3"]
    assert said == ["workers failed (CancelledError): the rest is done without them"]


def test_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    """Also where that one is killed and can do nothing any more."""
    file = tmp_path / "program.py"
    here = Path(__file__).parent
    file.write_text(PROGRAM.format(path=[str(here), str(here.parent)]))
    work = tmp_path / "work"
    work.mkdir()
    with subprocess.Popen(
        [sys.executable, str(file), str(work)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for _ in range(3):
            process.stdout.readline()
        # Either of them may begin late.
        who = _met(work)
        process.kill()
    assert len(who) == 2
    end = time.monotonic() + 60
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


@pytest.mark.parametrize("command", [("verify", "x"), ("simulate", "sugar-dog")])
@pytest.mark.parametrize("jobs", ["0", "65", "two"])
def test_so_many_processes_are_a_wrong_call(command: tuple[str, ...], jobs: str) -> None:
    """Told in one line, before anything is done."""
    result = here(*command, "--jobs", jobs)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--jobs" in result.stderr.splitlines()[0]


# A cluster: a real scheduler and real workers on loopback.


COPIES = 40
KEPT = (16, 30)
"""Copies that are true, among incomplete ones."""


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler and two workers, of which tests may kill."""
    if importlib.util.find_spec("distributed") is None:
        servers.absent(["Dask distributed (the extra `cluster`)"])
    with cluster(tmp_path_factory.mktemp("cluster"), 2) as made:
        yield made


@pytest.fixture(scope="module")
def games(begun: Table, finished: Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of records that are short, and some that are whole, false, or nothing."""
    folder = tmp_path_factory.mktemp("games")
    for number in range(COPIES):
        table = finished if number in KEPT else begun
        shutil.copytree(table.record.root, folder / f"{number:04}")
    entry = folder / "0020/entries/0000.toml"
    entry.write_bytes(entry.read_bytes() + b"\n")
    (folder / "0021.zip").write_bytes(b"PK")
    return folder


def call(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "adjudicator", *map(str, arguments)]


def here(*arguments: object) -> Result:
    """A command in this process."""
    return CliRunner().invoke(cli, [str(one) for one in arguments])


def test_a_worker_that_is_killed_changes_no_line(there: Cluster, games: Path) -> None:
    """The same lines in the same order as by one process, with the same exit code; `simulate`
    too. Dask takes a result for an error, a ValueError, if the worker that hands it over dies in
    that instant: that is said once."""
    alone = here("verify", games)
    assert alone.exit_code == 1
    assert alone.stdout.splitlines()[-1] == (
        "41 records of 1 game: 2 true, 37 incomplete, 1 false, 1 unusable"
    )
    told = []
    with subprocess.Popen(
        call("verify", games, "--scheduler", there.address),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        for line in process.stdout:
            told.append(line)
            if len(told) == 2:
                there.processes[1].kill()
        said = process.stderr.read()
    assert said in ("", "warning: workers failed (ValueError): the rest is done without them\n")
    assert "".join(told) == alone.stdout
    assert process.returncode == 1
    plan = ("simulate", "sugar-dog", "--bot", "random,random", "--games", "6", "--seed", "07")
    assert here(*plan, "--scheduler", there.address).stdout == here(*plan).stdout


def test_a_worker_of_another_version_is_refused(
    there: Cluster, games: Path, tmp_path: Path
) -> None:
    """A comment in the rules is enough: nothing that it could say is told."""
    for name in ("adjudicator", "games", "orders"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "games/sugar_dog/rules.py").open("a") as rules:
        rules.write("# another version\n")
    other = there.worker({"PYTHONPATH": str(tmp_path)})
    there.registered()
    result = here("verify", games, "--scheduler", there.address)
    other.kill()
    assert "error: the worker tcp://127.0.0.1:" in result.stderr
    assert "runs another version of this program: " in result.stderr
    assert (
        f"this machine {program()[:12]} [cluster]\nhint: install the same version" in result.stderr
    )
    assert "ended early, " in result.stdout
    assert result.exit_code in (1, 2)  # 1 where the false one had been told before


def test_what_is_too_large_to_travel_is_done_here(
    there: Cluster, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So is what git has. Its line is the same."""
    monkeypatch.setattr(archive, "MOST_CARRIED", 100)
    monkeypatch.setattr(workers, "_do", None)
    one = games / "0016"
    assert here("verify", one, "--scheduler", there.address).stdout == (
        f"{one}: TRUE: alice won.\n1 record of 1 game: 1 true\n"
    )


def test_a_scheduler_that_dies_leaves_the_rest_to_this_machine(there: Cluster, games: Path) -> None:
    """The lines are the same; it is said, once, and without a traceback."""
    last = Cluster(there.folder / "last")
    last.folder.mkdir()
    try:
        scheduler = last.scheduler()
        last.worker()
        last.registered()
        with subprocess.Popen(
            call("verify", games, "--scheduler", last.address),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
            env={**os.environ, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "2s"},
        ) as process:  # fmt: skip
            assert process.stdout is not None
            assert process.stderr is not None
            first = process.stdout.readline()
            scheduler.kill()
            # `communicate` would pass over what was read with the first line.
            out, err = process.stdout.read(), process.stderr.read()
    finally:
        last.stop()
    assert first + out == here("verify", games).stdout
    assert err == "warning: workers failed (CancelledError): the rest is done without them\n"
    assert process.returncode == 1


def test_without_workers_nothing_waits_for_ever(
    there: Cluster, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said that there is none."""
    last = Cluster(there.folder / "empty")
    last.folder.mkdir()
    # The scheduler itself has its time to answer.
    client = importlib.import_module("distributed").Client
    wait = client.wait_for_workers
    monkeypatch.setattr(client, "wait_for_workers", lambda self, many, timeout: wait(self, many, 1))
    try:
        last.scheduler()
        result = here("verify", games, "--scheduler", last.address)
    finally:
        last.stop()
    assert "has no worker" in result.stderr
    assert result.stdout == "ended early, 0 records of 0 games: none was verified\n"
    assert result.exit_code == 2


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "x://y", ""])
def test_a_scheduler_that_is_not_there_is_told(
    there: Cluster, games: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """With its address, and how one is started; `simulate` says the same."""
    monkeypatch.setattr(workers, "LONELY", 1)
    result = here("verify", games, "--scheduler", address)
    assert result.exit_code == 2
    assert f"error: no scheduler answers at '{address}'" in result.stderr
    assert "hint: dask scheduler starts one" in result.stderr
    played = here("simulate", "sugar-dog", "--games", "1", "--scheduler", address)
    assert played.exit_code == 1
    assert played.stderr.splitlines() == result.stderr.splitlines()


def test_dask_is_an_extra(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it the option says how to get it."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = here("verify", games, "--scheduler", "tcp://127.0.0.1:8786")
    assert result.exit_code == 2
    assert "error: --scheduler needs Dask distributed" in result.stderr


@pytest.mark.parametrize("option", ["--seat", "--receipt", "--at"])
def test_what_is_of_this_machine_does_not_go_to_others(option: str) -> None:
    """A seat holds a secret."""
    result = here("verify", "x", option, "y", "--scheduler", "tcp://127.0.0.1:1")
    assert result.exit_code == 2
    assert "work only on this machine" in result.stderr
