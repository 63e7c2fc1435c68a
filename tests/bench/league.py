"""What a turn of a host with many games costs, beside that of one.

`python tests/bench/league.py [GAMES [ROUNDS]]` begins 1 and GAMES (20) games of Sugar Dog by mail,
and prints the processor time of `adjudicator referee FOLDER --once` while nothing came, and of
`adjudicator status` there, the least of ROUNDS (7).
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mail.club import ADDRESS, Club

from adjudicator.store.clock import SystemClock
from orders.keys import write_key
from orders.secrets import derive


def folder(root: Path, count: int) -> Path:
    """A referee's folder with so many games under way."""
    club = Club(root)
    club.clock.time = SystemClock().now()
    write_key(club.folder / "referee.key", "host", derive(b"r" * 32, "host"))
    for number in range(count):
        club.write(f"a{number}@example.org", "list")
    club.turn()
    for number in range(count):
        mails = club.got(f"a{number}@example.org")
        club.write(f"a{number}@example.org", f"new sugar-dog first=1 with b{number}@example.org",
                   subject="x", answers=mails[0])  # fmt: skip
    club.turn()
    for letter in "ab":
        for number in range(count):
            club.person(f"{letter}{number}").join()
        club.turn()
    assert all(club.host(name).host is not None for name in club.games)
    for name in ("new", "cur", "tmp"):
        (club.folder / "box" / name).mkdir(parents=True)
    (club.folder / "referee.toml").write_text(
        f'address = "{ADDRESS}"\nmail-in = "maildir:box"\nmail-out = "maildir:out"\n'
    )
    return club.folder


def took(words: list[str], here: Path, rounds: int) -> float:
    """Milliseconds of processor time of a whole process, the least of some."""
    found = []
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "adjudicator", *words],
            cwd=here,
            check=True,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return min(found) * 1e3


def main(games: int = 20, rounds: int = 7) -> None:
    """Print both, and by how much many games cost more."""
    with tempfile.TemporaryDirectory() as root:
        one, many = folder(Path(root, "one"), 1), folder(Path(root, "many"), games)
        for what, words in (("an idle turn", ["referee", ".", "--once"]), ("status", ["status"])):
            # The first one brings the state up to date.
            took(words, one, 1), took(words, many, 1)
            least, most = took(words, one, rounds), took(words, many, rounds)
            print(f"{what}: {least:.0f} ms with 1 game, {most:.0f} ms with {games}: "
                  f"x{most / least:.2f}")  # fmt: skip


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
