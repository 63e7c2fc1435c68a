"""What starting up costs: `adjudicator --help` against `python -c "import click"`.

`python tests/bench/startup.py` prints the ratio of the best of 15, taken in turn.
"""

from __future__ import annotations

import subprocess
import sys

from long_record import best

ROUNDS = 15
PROGRAMS = {
    "python -c pass": ["-c", "pass"],
    "import click": ["-c", "import click"],
    "adjudicator --help": ["-m", "adjudicator", "--help"],
    "adjudicator status --help": ["-m", "adjudicator", "status", "--help"],
    "adjudicator verify --help": ["-m", "adjudicator", "verify", "--help"],
}


def run(arguments: list[str]) -> None:
    """One program, to its end."""
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)


def main() -> None:
    """Measure and print."""
    least = dict.fromkeys(PROGRAMS, float("inf"))
    for _ in range(ROUNDS):
        for name, arguments in PROGRAMS.items():
            least[name] = min(least[name], best(lambda one=arguments: run(one), 1))
    for name, seconds in least.items():
        print(f"{seconds * 1e3:6.1f} ms  {seconds / least['import click']:5.2f} times  {name}")


if __name__ == "__main__":
    main()
