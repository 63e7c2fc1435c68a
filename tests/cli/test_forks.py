"""Helpers as forked processes. The tests use a process without threads, which may fork."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")

RECORD = Path(__file__).parents[1] / "vectors" / "records" / "sugar-dog-2.zip"

SCRIPT = """
import errno, os, signal, sys, threading
from adjudicator.cli.forks import Forks

def answer(*checks):
    forks = Forks()
    for check in checks:
        forks.give(check)
    return forks.all_hold()

def killed():
    os.kill(os.getpid(), signal.SIGKILL)

def refused():
    raise OSError(errno.EAGAIN, "no more processes")

here = os.getpid()
assert answer()
assert answer(lambda: os.getpid() != here, lambda: True)
assert not answer(lambda: True, lambda: False, lambda: True)
assert not answer(lambda: 1 / 0)
assert not answer(lambda: True, killed)
assert not answer(lambda: sys.exit(0))
forks = Forks()
forks.give(lambda: False)
assert not forks.all_hold() and forks.all_hold()
real, os.fork = os.fork, refused
assert not answer(lambda: True)
os.fork = real
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
assert not answer(lambda: True)
signal.signal(signal.SIGCHLD, signal.SIG_DFL)
os.sched_getaffinity = lambda process: {0}
assert Forks.here() is None
os.sched_getaffinity = lambda process: {0, 1}
assert Forks.here() is not None
waiting = threading.Event()
threading.Thread(target=waiting.wait).start()
assert Forks.here() is None
waiting.set()
print("unfinished", end="")
"""


def test_each_answer_counts() -> None:
    """A check holds only if its process says so. What waits to be printed is printed once."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "unfinished"), done.stderr


def test_verify_says_the_same_on_two_processors() -> None:
    """`--jobs 2` for a single record."""

    def said(*more: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "adjudicator", "verify", str(RECORD), "-v", *more]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    assert "verdict: true" in said()[1]
    assert said("--jobs", "2") == said()
