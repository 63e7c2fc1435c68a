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


GAMES = (
    ("sugar-dog", 2, "02"),
    ("sugar-dog", 3, "02"),
    ("silent-ships", 2, "02"),
    ("submarine-warfare", 2, "07"),
)

# What is tested here need not outlive a power cut.
PLAY = """
import os
os.fsync = lambda handle: None
from adjudicator.cli import cli
for arguments in {demos!r}:
    assert not cli(arguments, standalone_mode=False), arguments
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """For each surroundings a folder in which a process played a seeded demo of each of `GAMES`;
    its folder `2` holds all files of the third."""
    root = tmp_path_factory.mktemp("played")
    folders = [root / str(number) for number in range(len(SURROUNDINGS))]
    demos = [demo(number) for number in range(len(GAMES))]
    for folder, around in zip(folders, SURROUNDINGS, strict=True):
        folder.mkdir()
        run(["-c", PLAY.format(demos=demos)], folder, around)
    return folders


def demo(number: int) -> list[str]:
    """The command that plays that game by random bots, and keeps all files."""
    game, players, seed = GAMES[number]
    arguments = ["demo", game, "--players", str(players)]
    arguments += ["--seed", seed, "--keep", str(number), "--quiet"]
    return arguments + ["--bot", "random"] * players


def run(arguments: list[str], folder: Path, around: dict[str, str]) -> bytes:
    """What Python prints in these surroundings, without a complaint."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path), **around}
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment, cwd=folder, capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def files_of(folder: Path) -> dict[str, bytes]:
    """All files of the host's record and of every player's copy, by name."""
    records = [folder / "record", *folder.glob("*/record")]
    return {
        f"{root.relative_to(folder)}/{path}": Record(root).read(path)
        for root in sorted(records)
        for path in Record(root).paths()
    }


def test_two_runs_are_the_same_bytes(played: list[Path]) -> None:
    """Under other hash seeds, time zones and locales: every file of every record. What one process
    wrote, others find true, in the same words."""
    for number, game in enumerate(GAMES):
        first, *others = (files_of(folder / str(number)) for folder in played)
        assert len([path for path in first if path.endswith(".sealed")]) > 10
        for other in others:
            assert list(first) == list(other), game
            for path, data in first.items():
                assert data == other[path], (game, path)
    folder = played[0] / "0"
    verifying = ["-m", "adjudicator", "verify", "record", "--json"]
    assert len({run(verifying, folder, around) for around in SURROUNDINGS}) == 1
    assert verify(Record(folder / "record")).code == 0
