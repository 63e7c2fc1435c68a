"""Six readers, with bytes that honest ones became by change upon change (`targets.py`).

Beside what a target asks, time and memory stay in proportion to the bytes. The fast share is a
glance; the slow one looks for longer, and `python -m tests.fuzz` for as long as one likes.
"""

from __future__ import annotations

import functools
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from random import Random

import pytest
from fuzz import __main__ as command
from fuzz import targets
from hostile_games import document
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.store import pack
from orders import bundle
from orders.errors import Refused

SECONDS, TIMES = 2.0, 64
"""Of processor time for one input, at most; and bytes of memory for each byte of it, beside a few
megabytes."""
FEW = 2**23


def timed(read: Callable[[bytes], None], data: bytes) -> None:
    """Read, and hold that it does not take long."""
    begun = time.process_time()
    read(data)
    spent = time.process_time() - begun
    assert spent < SECONDS, f"{spent:.1f} s for {len(data)} bytes"


def bounded(read: Callable[[bytes], None], data: bytes) -> None:
    """The same, and hold that it takes little memory: to count that takes four times as long."""
    tracemalloc.start()
    try:
        timed(read, data)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < FEW + TIMES * len(data), f"{most} bytes of memory for {len(data)}"


@functools.cache
def seeds(name: str) -> Sequence[bytes]:
    """What is spoilt for a target."""
    return targets.seeds(name)


def spoilt(rng: Random, name: str) -> bytes:
    """Honest bytes with changes: in their bytes, in the values of a document, in one file of a pack
    or of a block's payload, whose checksums are right again."""
    data, others = rng.choice(seeds(name)), seeds(name)
    held, written = opened(data)
    if not held or rng.random() < 0.4:
        return document(rng, data, others)
    path = rng.choice(sorted(held))
    match rng.randrange(6):
        case 0:
            del held[path]
        case 1:
            held[rng.choice((f"{path}.sig", "x", path[:-1] + "0", path[1:]))] = held.pop(path)
        case _:
            held[path] = document(rng, held[path], [*held.values()])
    try:
        return written(held)
    except Refused:
        return data


def opened(data: bytes) -> tuple[dict[str, bytes], Callable[[dict[str, bytes]], bytes]]:
    """The files in a pack or in a payload, none in other bytes; and what writes them again."""
    if data.startswith(b"PK"):
        return targets.listed(data), pack.write
    kind = data.partition(b"\n")[0].removeprefix(b"bundle/1 ").decode("latin-1")

    def written(held: dict[str, bytes]) -> bytes:
        return bundle.Bundle(kind, tuple(sorted(held.items()))).payload

    try:
        return dict(bundle.unpack(data).files), written
    except Refused:
        return {}, written


@pytest.mark.parametrize("name", targets.TARGETS)
def test_what_a_fuzzer_begins_with(name: str) -> None:
    """Every seed is survived, with those that once found a fault."""
    for data in seeds(name):
        timed(targets.TARGETS[name].read, data)


NUMBERS = st.integers(0, 2**64)
"""Each is the seed of some changes: what a failure prints makes them again."""


@pytest.mark.parametrize("name", targets.TARGETS)
@given(NUMBERS, st.binary(max_size=300))
@settings(max_examples=15)
def test_a_glance(name: str, number: int, anything: bytes) -> None:
    """At some changes of them, and at bytes that nobody wrote."""
    timed(targets.TARGETS[name].read, spoilt(Random(number), name))  # noqa: S311
    timed(targets.TARGETS[name].read, anything)


@pytest.mark.parametrize("name", targets.TARGETS)
@given(NUMBERS)
@settings(max_examples=400)
def test_a_long_look(name: str, number: int) -> None:
    """At many, and at the memory that some of them take."""
    rng = Random(number)  # noqa: S311 - changes, no secrets
    bounded(targets.TARGETS[name].read, spoilt(rng, name))
    for _ in range(OFTEN.get(name, 2)):
        timed(targets.TARGETS[name].read, spoilt(rng, name))


OFTEN = {"bundle": 50, "letter": 50, "pack": 1}
"""How many more changes there is time for in each example."""


@pytest.mark.parametrize("fault", ["square", "hoard"])
def test_what_is_out_of_proportion_is_a_fault(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """Time and memory beyond the bounds."""
    monkeypatch.setitem(globals(), "SECONDS", 0.05)
    kept = []

    def square(data: bytes) -> None:
        until = time.process_time() + 0.1
        while time.process_time() < until:
            kept.append(b"")

    def hoard(data: bytes) -> None:
        kept.append(bytes(FEW + 200 * len(data)))

    with pytest.raises(AssertionError, match="s for 3 bytes" if fault == "square" else "of memory"):
        bounded({"square": square, "hoard": hoard}[fault], b"abc")


def test_the_command_without_its_fuzzer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what is missing, or what there is to name."""
    monkeypatch.setitem(sys.modules, "atheris", None)
    assert tuple(targets.TARGETS) == command.NAMES
    assert command.main(["mail"]) == 2
    assert "'.[fuzz]'" in capsys.readouterr().out
    for wrong in ([], ["post"]):
        assert command.main(wrong) == 2
        assert "expected one of bundle, pack, " in capsys.readouterr().out
