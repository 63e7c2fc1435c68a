"""Anything at all gets an answer or a refusal, in time that grows with its size (`hostile.py`).

The adversary is a host, a player or a stranger who writes any file of the protocol, and signs it
where they have a key. The bad day: one such record among twenty that are verified together.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import growth
import hostile
import hostile_commands
import hostile_readers
import pytest
from hostile_games import Played
from spoil import FORGED

from adjudicator.core import report
from adjudicator.core.source import MemoryFiles
from adjudicator.verifier.verify import verify
from orders import names, toml
from orders.errors import Refused
from orders.fields import digest

CASES = 3_000
PARTS = 6


@pytest.fixture(scope="module")
def games() -> Iterator[list[Played]]:
    """The games that hostile inputs are made from."""
    with hostile.games() as played:
        yield played


@pytest.mark.parametrize("part", range(PARTS))
def test_hostile_input_is_answered(games: list[Played], part: int) -> None:
    """Nothing but refusals, answers in plain text, and time in proportion."""
    numbers = range(part, CASES, PARTS)
    found = [
        f"{number} {one.what}: {fault}"
        for number, one, fault in hostile.run(numbers, 0, games)
        if fault is not None
    ]
    assert not found, "\n".join(found)


def fault_of(shown: str) -> str | None:
    return hostile.judge(hostile.Case("", lambda scale: None, lambda given: shown))


def test_what_is_looked_for_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception of another kind, a control character, a forged line, a hang, time squared."""

    def fault(run: Callable[[Any], Any]) -> str:
        case = hostile.Case("", lambda scale: "x" * 150 * scale, run)
        return hostile.judge(case) or ""

    assert fault_of("two\nlines") is None
    assert "KeyError" in fault(lambda given: {}[given])
    assert "control character" in fault(lambda given: "\x1b[2J")
    assert "control character" in fault(lambda given: "\u202e")
    assert "forged line" in fault(lambda given: f"x\n  {FORGED}")
    assert "this program failed" in fault(lambda given: "verdict: unusable: this program failed")

    def refuse(given: str) -> None:
        raise Refused("malformed", f"a line\n{given[:3]}")

    assert "no plain line" in fault(refuse)

    monkeypatch.setattr(hostile, "ENOUGH", 0.01)

    def square(given: str) -> str:
        until = time.process_time() + len(given) ** 2 * 1e-6
        while time.process_time() < until:
            pass
        return ""

    assert "twice the size" in fault(square)


def test_a_case_without_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where something within it swallows every exception."""
    monkeypatch.setattr(hostile, "MOST", 0.2)

    def never(given: Any) -> str:
        while True:
            with contextlib.suppress(Exception):
                time.process_time()

    assert "no end" in (hostile.judge(hostile.Case("", lambda scale: None, never)) or "")


# Lines.


def test_a_line_feed_in_a_view_forges_no_line(games: list[Played]) -> None:
    """A view is drawn on a terminal; whoever signs it writes no lines of their own there."""
    ship_war = games[2]
    for step in (1, ship_war.forger.last):
        forger = ship_war.fresh()
        view = forger.entry(step).view.replace('"turn":"', f'"turn":"x\\n{FORGED}')
        assert FORGED in view
        forger.change_entry(step, view=view)
        assert "without line feeds" in verify(MemoryFiles(forger.held)).verdict


def test_a_line_feed_in_a_report_forges_no_line(games: list[Played]) -> None:
    """The same for what a host seals to one player, where nobody else looks."""
    played = games[2]
    step = played.forger.last
    data = played.reports[step, "alice"]
    spoilt = data.replace(b'"turn":"', b'"turn":"x\\n')
    assert spoilt != data
    begun = played.forger.game.opening
    with pytest.raises(Refused, match="line feed"):
        report.read(begun, played.forger.entry(step), "alice", spoilt)
    assert report.read(begun, played.forger.entry(step), "alice", data).data == data


# Time.

SMALL, LARGE = 2**16, 2**19
"""Bytes of the files that are compared. Twice as many would be refused by their size alone."""

MOST_TIMES_AS_LONG = 2 * LARGE / SMALL
"""Time squared is 64 times as long; in proportion it is 8 times, and others use the machine."""

TOKENS = (
    b"9", b"a", b" ", b"\n", b"\\", b'"', b'"""', b"[", b"{", b"a = [", b"{ a = ", b", a = ", b"a.",
    b"1,\n", b"[[],", b'"a",', b"    { a = 1 },\n", b"#", b"a = 1\n", b"[a]\n", b"\r\n", b"\xff",
    b"-----BEGIN ADJUDICATOR BUNDLE-----\n", b"-----BEGIN SSH SIGNATURE-----\n", b"PK\1\2",
    b"A" * 64 + b"\n", b"1 a\n", b'{"a":', b"9" * 4_000 + b",", b'a."b".', b'\\"',
)  # fmt: skip
"""What is written over and over into honest files."""


def grown(make: Callable[[int], Any], read: Callable[[Any], object]) -> str | None:
    """How reading takes too long: half a second, or more than in proportion; None where not."""

    def reading(given: Any) -> None:
        with contextlib.suppress(*hostile.REFUSALS):
            read(given)

    small, large = make(SMALL), make(LARGE)
    return growth.fault(reading, small, large, MOST_TIMES_AS_LONG, spare=0.05, most=0.5)


def filled(honest: bytes, token: bytes, where: str) -> Callable[[int], bytes]:
    """Makes a file of some size: an honest one with a token over and over in it."""
    at = {"first": 0, "middle": len(honest) // 2, "last": len(honest)}[where]

    def make(size: int) -> bytes:
        return honest[:at] + token * (size // len(token)) + honest[at:]

    return make


def test_every_reader_takes_time_in_proportion(games: list[Played]) -> None:
    """Up to half a mebibyte, whatever stands in it, at most half a second."""
    found = []
    for what, reader in hostile_readers.readers(games[2]).items():
        for token in TOKENS:
            for where in ("first", "middle", "last"):
                honest = reader.honest[-1][:4_096]
                fault = grown(filled(honest, token, where), reader.read)
                if fault is not None:
                    found.append(f"{what} {token[:20]!r} {where}: {fault}")
    assert not found, "\n".join(found)


def entries(played: Played) -> dict[str, Callable[[int], bytes]]:
    """Entries of some size, as a host might sign them."""
    honest = played.good[names.entry(2)]
    values = toml.read(honest)
    head = honest[: honest.index(b"events = ")]

    def of(key: str, one: Callable[[int], Any]) -> Callable[[int], bytes]:
        """As many as fit of what `one` makes of a number, as a list or table under a key."""

        def make(size: int) -> bytes:
            count = size // (len(str(one(0))) + 8)
            made = [one(number) for number in range(count)]
            if isinstance(made[0], tuple):
                return toml.render({**values, key: dict(made)})
            return toml.render({**values, key: made})

        return make

    told = {"digest": "0" * 64, "sealed": "0" * 64}
    event = values["events"][0]
    return {
        "events": of("events", lambda number: event),
        "press": of("press", lambda number: digest(b"%d" % number)),
        "missing": of("missing", lambda number: f"a{number}"),
        "reports": of("reports", lambda number: (f"a{number}", told)),
        "reserve": of("reserve", lambda number: (f"a{number}", 1)),
        "view": lambda size: toml.render({**values, "view": f'{{"turn":"{"a" * size}"}}'}),
        "views": lambda size: toml.render({**values, "view": str([0] * (size // 3))}),
        "a run of digits": lambda size: head + b"events = [\n" + b"9" * size + b"\n]\n",
        "open lists": lambda size: head + b"a = [ " * (size // 6) + b"\n",
        "open tables": lambda size: head + b"{ a = " * (size // 6) + b"\n",
        "headers": lambda size: head + b"[a]\n" * (size // 4),
        "numbers": lambda size: head + b"events = [\n" + b"1,\n" * (size // 3) + b"]\n",
    }


COMMANDS = ("log", "take", "replay", "show", "show --seat", "status", "verify -v", "pack")


@pytest.mark.parametrize(("signed", "commands"), [(True, COMMANDS), (False, ("show", "verify -v"))])
def test_a_large_entry_takes_every_command_time_in_proportion(
    games: list[Played], signed: bool, commands: Sequence[str]
) -> None:
    """Whether its host signed it or nobody did."""
    played = games[0]
    found = []
    for shape, make in entries(played).items():
        records = {size: ending_in(played, make(size - 1_024), signed) for size in (SMALL, LARGE)}
        for what in commands:
            call = partial(hostile_commands.ON_RECORD[what], played)
            fault = grown(records.__getitem__, call)
            if fault is not None:
                found.append(f"{what} {shape}: {fault}")
    assert not found, "\n".join(found)


def ending_in(played: Played, entry: bytes, signed: bool) -> dict[str, bytes]:
    """A record whose entry 2 and last is this one."""
    forger = played.fresh()
    forger.cut(2)
    forger.held[names.entry(2)] = entry
    if signed:
        forger.sign(names.entry(2), entry, forger.keys[0])
    return forger.held
