"""The duels' voyage: its old seeds hold, and each fault that is planted is found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from unittest import mock

import pytest
from duel import test_search as judges

from adjudicator.mail import duel as mails
from adjudicator.mail import mailboxes
from adjudicator.player.duel import DuelTable, Home
from adjudicator.store import files
from voyage.duels import Duels
from voyage.sail import Log, sail, smaller

SEEDS = (
    1, 3, 5, 8, 12, 15, 16, 17, 28, 32, 171, 70043, 334932834, 209360631, 209360659, 912796060,
    307106290, 524403419,
)  # fmt: skip
"""Those that found something once; see what is planted below."""


def sailed(number: int) -> Log:
    """That seed, to the end or to what breaks."""
    return sail(f"duel/{number}", Duels)


@pytest.mark.slow
def test_a_seed_sails_to_the_same_instant() -> None:
    """Twice the same commands with the same output, and nothing breaks."""
    one, other = sailed(8), sailed(8)
    assert one.broken is None, one.story
    assert one.turns > 30
    assert (one.trace, one.events) == (other.trace, other.events)


@pytest.mark.slow
@pytest.mark.parametrize("number", SEEDS)
def test_old_seeds_hold(number: int) -> None:
    """All promises, in each."""
    log = sailed(number)
    assert log.broken is None, log.broken


# Power.


def looked_at_first(patch: pytest.MonkeyPatch) -> None:
    """A mail counts as looked at before what it brought is kept."""
    fetch = mails.fetch

    def worse(table: DuelTable, *given: Any) -> Any:
        with mock.patch.object(table, "keep"):
            found = fetch(table, *given)
        mails.looked_at(table.home, found)
        return found

    patch.setattr(mails, "fetch", worse)


def half_a_side(patch: pytest.MonkeyPatch) -> None:
    """A side's folder is filled where everybody sees it."""

    class Filled:
        def __init__(self, *given: Any) -> None:
            self.given = given

        def __enter__(self) -> Home:
            return Home.create(*self.given)

        def __exit__(self, *_: Any) -> None:
            return

    patch.setattr(Home, "begun", Filled)


def half_a_document(patch: pytest.MonkeyPatch) -> None:
    """A file that is there counts as kept, whatever it holds."""
    add = files.add

    def worse(root: Any, parts: Any, *given: Any) -> None:
        for part in parts:
            if left := {path: data for path, data in part.items() if not (root / path).exists()}:
                add(root, [left], *given)

    patch.setattr(files, "add", worse)


def by_the_offers_clock(patch: pytest.MonkeyPatch) -> None:
    """Mails are looked for from the offer's time on, whoever's clock told it."""
    real = mailboxes.open_source
    patch.setattr(
        mailboxes, "open_source", lambda text, ca, since=None, _="": real(text, ca, since)
    )


class Found(NamedTuple):
    """Which promise a fault breaks, and the first seed that shows it."""

    promise: int
    seed: int


FAULTS: dict[Callable[[pytest.MonkeyPatch], None], Found] = {
    looked_at_first: Found(2, 1),
    half_a_side: Found(5, 5),
    half_a_document: Found(5, 32),
    by_the_offers_clock: Found(2, 28),
    judges.winner_need_not_confirm: Found(3, 93),
    judges.disputed_first: Found(3, 13),
    judges.later_move_contradicts: Found(3, 42),
    judges.first_file_counts: Found(3, 14),
    judges.forks_are_lies: Found(3, 50),
}


def found(fault: Callable[[pytest.MonkeyPatch], None], first: int, many: int) -> Log | None:
    """The first of so many seeds that breaks, with that fault."""
    with pytest.MonkeyPatch.context() as patch:
        fault(patch)
        for number in range(first, first + many):
            log = sailed(number)
            if log.broken is not None:
                return log
    return None


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_each_fault_is_found(fault: Callable[[pytest.MonkeyPatch], None]) -> None:
    """By the promise that it breaks, with the seed that is kept beside it; if seeds are others now,
    within some dozens."""
    promise, seed = FAULTS[fault]
    log = found(fault, seed, 1) or found(fault, 0, 60)
    assert log is not None
    assert log.broken is not None
    assert log.broken.promise == promise, log.broken


@pytest.mark.slow
def test_a_failure_is_made_smaller() -> None:
    """To the few events that bring it."""
    with pytest.MonkeyPatch.context() as patch:
        looked_at_first(patch)
        log = sailed(1)
        assert log.broken is not None
        small = smaller(log, Duels)
        assert small.broken is not None
        assert len(small.story) < len(log.story)
        assert small.broken.promise == 2
