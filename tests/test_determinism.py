"""The same secrets, orders and clock give the same record, byte for byte, sealed files included.

Whatever the process and its surroundings: hash seeds, time zones, locales.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify

SURROUNDINGS = (
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C", "LANG": "C"},
    {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C.UTF-8"},
    {"PYTHONHASHSEED": "4294967295", "TZ": "America/St_Johns", "LANG": "tr_TR.UTF-8"},
)


def run_demo(
    folder: Path, players: int, around: dict[str, str], game: str = "sugar-dog", seed: str = "02"
) -> Path:
    """A seeded demo in a process of its own; the folder with all files."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path), **around}
    arguments = ["demo", "--game", game, "--players", str(players)]
    arguments += ["--seed", seed, "--keep", str(folder), "--quiet"]
    arguments += ["--bot", "random"] * players
    # What is tested here need not outlive a power cut.
    code = f"import os; os.fsync = print; from adjudicator.cli import main; main({arguments!r})"
    command = [sys.executable, "-c", code.replace("print", "lambda handle: None")]
    done = subprocess.run(
        command, env=environment, cwd=folder.parent, capture_output=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    """All files of the host's record and of every player's copy, by name."""
    records = [folder / "record", *folder.glob("*/record")]
    return {
        f"{root.relative_to(folder)}/{path}": Record(root).read(path)
        for root in sorted(records)
        for path in Record(root).paths()
    }


@pytest.mark.parametrize(
    ("game", "players", "seed"),
    [
        ("sugar-dog", 2, "02"),
        ("sugar-dog", 3, "02"),
        ("silent-ships", 2, "02"),
        ("submarine-warfare", 2, "07"),
    ],
)
def test_two_runs_are_the_same_bytes(tmp_path: Path, game: str, players: int, seed: str) -> None:
    """Under other hash seeds, time zones and locales: every file of every record."""
    first, *others = (
        files_of(run_demo(tmp_path / str(number), players, around, game, seed))
        for number, around in enumerate(SURROUNDINGS)
    )
    assert len([path for path in first if path.endswith(".sealed")]) > 10
    for other in others:
        assert list(first) == list(other)
        for path, data in first.items():
            assert data == other[path], path


def test_a_record_verifies_alike_everywhere(tmp_path: Path) -> None:
    """What one process wrote, others under other surroundings find true, in the same words."""
    folder = run_demo(tmp_path / "demo", 2, SURROUNDINGS[0])
    said = set()
    for around in SURROUNDINGS:
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(
            [sys.executable, "-m", "adjudicator", "verify", "record", "--json"],
            env={**environment, **around}, cwd=folder, capture_output=True, timeout=60,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0
        said.add(done.stdout)
    assert len(said) == 1
    assert verify(Record(folder / "record")).code == 0
