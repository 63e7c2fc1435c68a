"""What starting up costs: `adjudicator --help` against `python -c "import click"`.

`python tests/bench/startup.py [ROUNDS]` prints the ratio of the best of 15 rounds, taken in turn.
"""

from __future__ import annotations

import subprocess
import sys
import time

PROGRAMS = {
    "python -c pass": ["-c", "pass"],
    "import click": ["-c", "import click"],
    "adjudicator --help": ["-m", "adjudicator", "--help"],
    "adjudicator status --help": ["-m", "adjudicator", "status", "--help"],
    "adjudicator verify --help": ["-m", "adjudicator", "verify", "--help"],
}


def run(arguments: list[str]) -> float:
    """One program, to its end; the seconds that it took."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main(rounds: int) -> None:
    """Measure and print."""
    least = dict.fromkeys(PROGRAMS, float("inf"))
    for _ in range(rounds):
        for name, arguments in PROGRAMS.items():
            least[name] = min(least[name], run(arguments))
    for name, seconds in least.items():
        print(f"{seconds * 1e3:6.1f} ms  {seconds / least['import click']:5.2f} times  {name}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
