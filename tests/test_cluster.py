"""`adjudicator.cluster`: a real scheduler and real workers on loopback, and what befalls them."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

import pytest
import servers
import workers
from click.testing import CliRunner, Result

from adjudicator import cluster as clusters
from adjudicator.cli import cli
from adjudicator.cluster import Cluster, program
from adjudicator.crew import Processes, Work, spread
from orders.errors import Refused

Table = Any
ROOT = Path(__file__).parents[1]
COPIES = 150
KEPT = (16, 64)
"""Copies that are true, among incomplete ones."""


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[workers.Cluster]:
    """A scheduler and two workers, of which tests may kill."""
    if importlib.util.find_spec("distributed") is None:
        servers.absent(["Dask distributed (the extra `cluster`)"])
    with workers.cluster(tmp_path_factory.mktemp("cluster"), 2) as made:
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


def test_a_worker_that_is_killed_changes_no_line(there: workers.Cluster, games: Path) -> None:
    """The same lines in the same order as by one process, with the same exit code."""
    alone = here("verify", games)
    assert alone.exit_code == 1
    assert alone.stdout.splitlines()[-1] == (
        "151 records of 1 game: 2 true, 147 incomplete, 1 false, 1 unusable"
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
            if len(told) == 10:
                there.processes[1].kill()
        assert process.stderr.read() == ""
    assert "".join(told) == alone.stdout
    assert process.returncode == 1


def test_games_are_counted_as_by_one_process(there: workers.Cluster) -> None:
    """`simulate`: the very same lines."""
    plan = ("simulate", "sugar-dog", "--bots", "random,random", "--games", "6", "--seed", "07")
    assert here(*plan, "--scheduler", there.address).stdout == here(*plan).stdout


def test_a_worker_of_another_version_is_refused(
    there: workers.Cluster, games: Path, tmp_path: Path
) -> None:
    """A comment in the rules is enough: nothing that it could say is told."""
    for name in ("adjudicator", "games", "orders"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "games/sugar_dog/rules.py").open("a") as rules:
        rules.write("# another version\n")
    other = there.worker({"PYTHONPATH": str(tmp_path)})
    log = there.folder / f"dask_worker-{len(there.processes) - 1}.log"
    end = time.monotonic() + 60
    while "Registered to" not in log.read_text() and time.monotonic() < end:
        time.sleep(0.05)
    result = here("verify", games, "--scheduler", there.address)
    other.kill()
    assert "with another version of this program: tcp://127.0.0.1:" in result.stderr
    assert program()[:12] in result.stderr
    assert "ended early, " in result.stdout
    assert result.exit_code in (1, 2)  # 1 where the false one had been told before


def test_what_is_too_large_to_travel_is_done_here(
    there: workers.Cluster, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So is what git has. Its line is the same."""
    monkeypatch.setattr(clusters, "MOST_BYTES", 100)
    one = games / "0016"
    assert here("verify", one, "--scheduler", there.address).stdout == (
        f"{one}: true: alice won\n1 record of 1 game: 1 true\n"
    )


def test_a_scheduler_that_dies_ends_the_work(there: workers.Cluster, games: Path) -> None:
    """What was told stays told; the rest is said to be left, and how to go on. No traceback."""
    last = workers.Cluster(there.folder / "last")
    last.folder.mkdir()
    try:
        scheduler = last.scheduler()
        last.worker()
        with subprocess.Popen(
            call("verify", games, games, "--scheduler", last.address),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
            env={**os.environ, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "2s"},
        ) as process:  # fmt: skip
            assert process.stdout is not None
            first = process.stdout.readline()
            scheduler.kill()
            out, err = process.communicate(timeout=120)
    finally:
        last.stop()
    assert first.startswith(str(games / "0021.zip"))
    assert err.startswith(f"error: cluster: the scheduler at '{last.address}' has gone\nhint: ")
    assert len(err.splitlines()) == 2
    assert out.splitlines()[-1].startswith("ended early, ")
    assert process.returncode in (1, 2)


def test_without_workers_nothing_waits_for_ever(
    there: workers.Cluster, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said that there is none."""
    last = workers.Cluster(there.folder / "empty")
    last.folder.mkdir()
    monkeypatch.setattr(clusters, "LONELY", 1)
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
    there: workers.Cluster, games: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """With its address, and how one is started; `simulate` says the same."""
    monkeypatch.setattr(clusters, "LONELY", 1)
    result = here("verify", games, "--scheduler", address)
    assert result.exit_code == 2
    assert f"error: cluster: no scheduler answers at '{address}'" in result.stderr
    assert "hint: dask scheduler starts one" in result.stderr
    played = here("simulate", "sugar-dog", "--games", "1", "--scheduler", address)
    assert played.exit_code == 1
    assert played.stderr.splitlines() == result.stderr.splitlines()


def test_dask_is_an_extra(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it the option says how to get it."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = here("verify", games, "--scheduler", "tcp://127.0.0.1:8786")
    assert result.exit_code == 2
    assert "error: cluster: --scheduler needs Dask distributed" in result.stderr


@pytest.mark.parametrize("option", ["--seat", "--receipt", "--at"])
def test_what_is_of_this_machine_does_not_go_to_others(option: str) -> None:
    """A seat holds a secret."""
    result = here("verify", "x", option, "y", "--scheduler", "tcp://127.0.0.1:1")
    assert result.exit_code == 2
    assert "work only on this machine" in result.stderr


# What cannot be had from real workers at will.


class Killed(Exception):
    """As Dask calls what became of a piece whose workers were killed."""


class Echo(Work[str, str]):
    """Says what it was given."""

    together = 4

    def do(self, item: str) -> str:
        return item

    def lost(self, item: str) -> str:
        return f"lost {item}"


class Client:
    """A client whose workers answer at once, as `answer` says."""

    def __init__(self, answer: Callable[[Sequence[str]], Any]) -> None:
        self.answer = answer
        self.parcels: list[Sequence[str]] = []

    def get_executor(self, **_: Any) -> Client:
        return self

    def wait_for_workers(self, *_: Any, **__: Any) -> None:
        pass

    def nthreads(self) -> dict[str, int]:
        return {"tcp://127.0.0.1:2": 1}

    def submit(self, _do: Any, _work: Any, items: Sequence[str], _wanted: str) -> Future[Any]:
        self.parcels.append(items)
        future: Future[Any] = Future()
        try:
            future.set_result(self.answer(items))
        except CancelledError:
            future.cancel()
            future.set_running_or_notify_cancel()
        except Exception as error:
            future.set_exception(error)
        return future


def echoed(answer: Callable[[Sequence[str]], Any], monkeypatch: pytest.MonkeyPatch) -> Client:
    """Ten pieces done by workers that answer so; the client, with the results."""
    import types

    monkeypatch.setitem(sys.modules, "distributed", types.SimpleNamespace(KilledWorker=Killed))
    client = Client(answer)
    work = Echo()
    with contextlib.closing(Processes(work, 1)) as own:
        client.results = list(  # type: ignore[attr-defined]
            spread(Cluster(client, "tcp://here", work, own), "abcdefghij")
        )
    return client


def test_a_parcel_that_kills_its_workers_is_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one piece that does it is lost, and no other."""

    def answer(items: Sequence[str]) -> tuple[str, list[str]]:
        if "f" in items:
            raise Killed
        return "", list(items)

    client = echoed(answer, monkeypatch)
    assert client.results == [*"abcde", "lost f", *"ghij"]  # type: ignore[attr-defined]
    assert [len(one) for one in client.parcels] == [4, 4, 2, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (("tcp://127.0.0.1:3 runs 123", []), "another version of this program: tcp://127.0.0.1:3"),
        (ModuleNotFoundError("No module\nnamed 'adjudicator'"), "fails: ModuleNotFoundError: "),
        (CancelledError(), "has gone"),
    ],
)
def test_workers_that_cannot_do_it_end_the_work(
    monkeypatch: pytest.MonkeyPatch, answer: Any, said: str
) -> None:
    """In one line, which quotes what they said."""

    def give(_: Sequence[str]) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    with pytest.raises(Refused) as error:
        echoed(give, monkeypatch)
    assert error.value.word == "cluster"
    assert said in error.value.message
    assert error.value.message.isprintable()
