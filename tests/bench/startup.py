"""What starting up costs: `adjudicator --help` against `python -c "import click"`.

`python tests/bench/startup.py [ROUNDS]` prints the ratio of the best of 15 rounds, taken in turn.
Bytecode is there, as wherever the program is installed: the first round writes what is not.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

RECORD = Path(__file__).parents[1] / "suite" / "records" / "sugar-dog-2.zip"
"""A finished game of ten steps."""

PROGRAMS = {
    "python -c pass": ["-c", "pass"],
    "import click": ["-c", "import click"],
    "adjudicator --help": ["-m", "adjudicator", "--help"],
    "adjudicator status --help": ["-m", "adjudicator", "status", "--help"],
    "adjudicator verify --help": ["-m", "adjudicator", "verify", "--help"],
    "adjudicator status PACK": ["-m", "adjudicator", "status", "-g", str(RECORD)],
    "adjudicator show PACK": ["-m", "adjudicator", "show", "-g", str(RECORD)],
    "adjudicator verify PACK": ["-m", "adjudicator", "verify", str(RECORD)],
}


def run(arguments: list[str]) -> float:
    """Processor seconds of one program, which must end with 0, or with 3 for open protests."""
    command = [sys.executable, *arguments]
    start = used()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    assert done.returncode in (0, 3), arguments
    return used() - start


def used() -> float:
    """The processor seconds of all programs that have ended."""
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


def main(rounds: int) -> None:
    """Measure and print."""
    least = dict.fromkeys(PROGRAMS, float("inf"))
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for _ in range(rounds):
        for name, arguments in PROGRAMS.items():
            least[name] = min(least[name], run(arguments))
    for name, seconds in least.items():
        print(f"{seconds * 1e3:6.1f} ms  {seconds / least['import click']:5.2f} times  {name}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
