"""Two clocks: what slips say of the host's times, where it mattered, and who was late."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from replacing import replace

from adjudicator.core import deadlines
from adjudicator.core.deadlines import Clocks
from adjudicator.core.link import Link
from adjudicator.verifier import times
from adjudicator.verifier.times import TOLERANCE
from games.game import Setup
from orders.documents import Slip
from orders.entries import Awaited, Entry, Ruling, UsedSlip

A, T0 = "a" * 64, "2026-01-01T00:00:00Z"
HOUR = 3_600
NAMES = ("alice", "bob")
SETUP = Setup(NAMES, {"rest": "none", "zone": "+00:00"})


def at(seconds: int) -> str:
    """A time some seconds after the first entry."""
    return deadlines.add(T0, seconds)


def link(
    step: int,
    time: int,
    slips: Mapping[str, tuple[int, int]] | None = None,
    *,
    until: int = 9 * HOUR,
    reserve: int = 0,
    **values: Any,
) -> Link:
    """An entry `time` seconds after the first, with slips: when dated, when received.

    After it both are awaited until `until`, with so much reserve.
    """
    clocks = Clocks(
        {name: Awaited("turn", at(time), at(until)) for name in NAMES},
        dict.fromkeys(NAMES, reserve),
    )
    given = slips or {}
    used = {name: UsedSlip(A, at(received)) for name, (_, received) in given.items()}
    entry = Entry(
        A,
        step,
        A,
        at(time),
        A,
        reserve=clocks.reserve,
        slips=used,
        awaited=clocks.awaited,
        **values,
    )
    held = {name: Slip(A, step, name, 1, at(dated), A, A, A) for name, (dated, _) in given.items()}
    return Link(b"", A, entry, clocks, {}, slips=held)


@pytest.mark.parametrize(
    ("dated", "off"),
    [
        (0, 0), (HOUR, 0), (-TOLERANCE, 0), (HOUR + TOLERANCE, 0),
        (-TOLERANCE - 1, -TOLERANCE - 1), (HOUR + TOLERANCE + 1, TOLERANCE + 1),
        (-2 * HOUR, -2 * HOUR), (4 * HOUR, 3 * HOUR),
    ],
)  # fmt: skip
def test_a_slip_is_dated_between_its_entry_and_its_receipt(dated: int, off: int) -> None:
    """A quarter of an hour is nothing; beyond that all of the difference is told."""
    chain = [link(0, 0), link(1, 2 * HOUR, {"bob": (dated, HOUR)})]
    (answer,) = times.answers(chain)
    assert (answer.player, answer.quoted, answer.used_by) == ("bob", *chain)
    assert answer.off == off
    lines = list(times.differences([answer]))
    assert len(lines) == bool(off)


def test_a_difference_is_told_with_both_sides() -> None:
    """Where the slip lies, and how many others agree with the host."""
    three = {"alice": (0, 60), "bob": (9 * HOUR, HOUR), "carol": (60, 60)}
    chain = [link(0, 0), link(1, 2 * HOUR, three)]
    (line,) = times.differences(times.answers(chain))
    assert line == (
        f"the slip of bob in entry 1 is dated {at(9 * HOUR)}, 8 h after its receipt; "
        "2 of 2 others' slips agree with the host"
    )
    late = [link(0, 0), link(1, 2 * HOUR, {"bob": (HOUR + TOLERANCE + 1, HOUR)})]
    assert "after its receipt" in next(times.differences(times.answers(late)))
    alone = [link(0, 0), link(1, 2 * HOUR, {"bob": (-HOUR, 60)})]
    (line,) = times.differences(times.answers(alone))
    assert line.endswith("1 h before the entry that it answers")


def test_slips_of_rulings_are_not_compared() -> None:
    """They list what was thrown away."""
    ruled = link(1, HOUR, {"bob": (0, 60)}, ruling=Ruling("x", abandons=True))
    assert times.answers([link(0, 0), ruled]) == []


def test_a_deadline_that_a_slip_disputes_mattered() -> None:
    """Bob is called missing, or pays reserve; a later slip of his is dated well before that."""
    for charged, entry in (
        ("calls missing", link(1, 5 * HOUR, missing=("bob",), reserve=600)),
        ("charges reserve to", link(1, 5 * HOUR, {"bob": (5 * HOUR, 5 * HOUR)}, reserve=300)),
    ):
        chain = [link(0, 0, reserve=600), entry, link(2, 6 * HOUR, {"bob": (HOUR, 6 * HOUR)})]
        (line,) = times.mattered(SETUP, chain, [])
        assert line == (
            f"entry 1 {charged} bob at {at(5 * HOUR)}, and a later slip of bob is dated {at(HOUR)}"
        )
        for dated in (5 * HOUR - TOLERANCE, 5 * HOUR - TOLERANCE - 1):
            later = link(2, 6 * HOUR, {"bob": (dated, 6 * HOUR)})
            told = len(list(times.mattered(SETUP, [*chain[:2], later], [])))
            assert told == (dated < 5 * HOUR - TOLERANCE)
        other = link(2, 6 * HOUR, {"alice": (HOUR, 6 * HOUR)})
        assert not any("bob" in line for line in times.mattered(SETUP, [*chain[:2], other], []))
    kept = link(1, 5 * HOUR, {"bob": (5 * HOUR, 5 * HOUR)}, reserve=600)
    assert list(times.mattered(SETUP, [link(0, 0, reserve=600), kept, chain[2]], [])) == []


def test_a_receipt_that_spared_reserve_mattered() -> None:
    """The host dated a friend's slip before the deadline that the slip itself lies after."""
    before = link(0, 0, until=2 * HOUR, reserve=HOUR)
    for dated, received, lines in (
        (3 * HOUR, HOUR, 1), (HOUR, HOUR, 0), (HOUR + TOLERANCE, HOUR, 0),
        (HOUR - 60, -HOUR, 0), (HOUR + TOLERANCE + 60, HOUR, 1),
        (2 * HOUR + 1, 2 * HOUR - TOLERANCE, 1), (2 * HOUR, 2 * HOUR - TOLERANCE, 0),
    ):  # fmt: skip
        chain = [before, link(1, 4 * HOUR, {"bob": (dated, received)}, reserve=HOUR)]
        found = list(times.mattered(SETUP, chain, times.answers(chain)))
        assert len(found) == lines, (dated, received)
    chain = [before, link(1, 4 * HOUR, {"bob": (3 * HOUR, HOUR)}, reserve=HOUR)]
    (line,) = times.mattered(SETUP, chain, times.answers(chain))
    assert line == (
        f"entry 1 received the slip of bob at {at(HOUR)}, which spared reserve; "
        f"the slip itself is dated {at(3 * HOUR)}"
    )


def test_a_receipt_spares_nothing_while_its_player_is_awaited_for_the_same_thing() -> None:
    """A turn of several files is paid for once it ends."""
    before = link(0, 0, until=2 * HOUR, reserve=HOUR)
    used = link(1, 4 * HOUR, {"bob": (3 * HOUR, HOUR)}, reserve=HOUR)
    chain = [before, replace(used, clocks=before.clocks)]
    assert list(times.mattered(SETUP, chain, times.answers(chain))) == []


def test_who_was_late_is_told_by_how_much() -> None:
    """Missing or waited for; on time, not at all; a ruling makes nobody late."""
    chain = [
        link(0, 0, until=2 * HOUR),
        link(1, 3 * HOUR, {"alice": (HOUR, 2 * HOUR)}, missing=("bob",), until=4 * HOUR),
        link(2, 9 * HOUR, {"alice": (HOUR, 5 * HOUR), "bob": (HOUR, 4 * HOUR)}, until=6 * HOUR),
        link(3, 9 * HOUR, {"alice": (HOUR, 6 * HOUR), "bob": (HOUR, 6 * HOUR + 1)}),
    ]
    assert list(times.late(SETUP, chain)) == [
        "entry 1: bob missing, 1 h after the deadline",
        "entry 2: alice late by 1 h, and used",
        "entry 3: bob late by 1 s, and used",
    ]
    counted = "no deadline cut; missed bob 1, late alice 1, bob 1"
    assert times.summary(SETUP, chain, 0) == counted
    assert times.summary(SETUP, chain, 2) == f"{counted}; dated otherwise than received 2 (-v)"
    ruled = replace(chain[1], entry=replace(chain[1].entry, ruling=Ruling("snow"), missing=()))
    assert list(times.late(SETUP, [chain[0], ruled])) == []
