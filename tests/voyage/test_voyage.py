"""The voyage by mail: seeds that found something, faults of once put back; and its makings."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from adjudicator.host.folder import HostFolder
from adjudicator.mail import replies
from adjudicator.mail.copies import Copies
from adjudicator.mail.host import HostMail

from .hosted import Hosted, address, pair
from .sail import sail, smaller
from .scenes import SCENES
from .world import DAY, World, surrounded

FOUND = (
    "mail/201",  # two machines signed two entries 1 in one turn
    "mail/991",  # and two receipts for one slip
    "mail/3029",  # a ruling on a machine that was behind could not be taken back
    "mail/5006",  # what a process that ended while it took in a copy left stood in the way
)
"""Seeds that found a fault."""


@pytest.mark.parametrize("seed", FOUND)
def test_what_was_found_is_mended(seed: str) -> None:
    """Each sails to its end."""
    assert sail(seed, SCENES[seed.partition("/")[0]]).broken is None


def test_a_seed_decides_everything() -> None:
    """The same commands print the same, to the last byte."""
    one, two = (sail("mail/7", Hosted, length=12) for _ in range(2))
    assert one.turns > 30
    assert (one.trace, one.events, one.turns) == (two.trace, two.events, two.turns)


def test_a_ruling_of_a_machine_that_is_behind_is_taken_back() -> None:
    """Nobody was told of it: what the other machine signed first counts, and this one goes on."""
    with surrounded(World("rule")) as world:
        made = Hosted(world, Random(1))  # noqa: S311
        behind = made.host.twin("behind")
        world.time += 5 * DAY
        assert made.turn(Random(1), "--late").code == 0  # noqa: S311
        game = made.records["game0"]
        given = ("--until", "9d", "--reason", "snow", "-y", "-g", game)
        assert behind.run("rule", *given).code == 0
        done = behind.run("sync")
        assert done.code == 0, done.told
        assert "came second and is taken back" in done.told
        made.seen.check(made.lay)
        entry = f"{game}/entries/0001.toml"
        assert (behind.disk / entry).read_bytes() == (made.host.disk / entry).read_bytes()
        assert made.got[address("alice")]


# Faults of once.


def mails_leave_before_the_look(patch: pytest.MonkeyPatch) -> None:
    """A machine takes its own copy for the first of its number."""
    take = Copies.take

    def own_first(self: Copies, game: HostMail, found: Any) -> list[str]:
        return take(self, game, sorted(found, key=lambda copy: copy.code not in self.own))

    patch.setattr(Copies, "take", own_first)


def copies_are_away(patch: pytest.MonkeyPatch) -> None:
    """A machine finds no copy but those of its own process."""
    take = Copies.take

    def own_alone(self: Copies, game: HostMail, found: Any) -> list[str]:
        return take(self, game, [copy for copy in found if copy.code in self.own])

    patch.setattr(Copies, "take", own_alone)


def receipt_before_the_write(patch: pytest.MonkeyPatch) -> None:
    """An order is kept when the game goes on, long after its receipt."""
    waits: list[tuple[Any, ...]] = []
    accept, waiting = HostFolder.accept, HostFolder.waiting

    def later(self: HostFolder, *order: Any) -> None:
        waits.append((self, *order))

    def now(self: HostFolder) -> Any:
        held, waits[:] = list(waits), []
        for one in held:
            accept(*one)
        return waiting(self)

    patch.setattr(HostFolder, "accept", later)
    patch.setattr(HostFolder, "waiting", now)


PLANTED = {
    mails_leave_before_the_look: (1, range(8)),
    copies_are_away: (1, range(8)),
    receipt_before_the_write: (2, range(8)),
}
"""Each fault, the promise that it breaks, and the seeds of which one finds it."""


@pytest.mark.parametrize("plant", PLANTED)
def test_a_planted_fault_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the story that is left of it fits on a hand."""
    promise, seeds = PLANTED[plant]
    plant(monkeypatch)
    turns = 0
    for seed in seeds:
        log = sail(f"mail/{seed}", Hosted)
        turns += log.turns
        if log.broken is not None:
            print(plant.__name__, log.seed, turns, log.broken)
            assert log.broken.promise == promise
            return
    raise AssertionError(f"not found in {turns} turns")


def test_a_failure_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of forty events those are left that bring it, and they bring it again."""
    mails_leave_before_the_look(monkeypatch)
    logs = (sail(f"mail/{seed}", Hosted) for seed in PLANTED[mails_leave_before_the_look][1])
    log = next(log for log in logs if log.broken is not None)
    small = smaller(log, Hosted)
    assert small.broken is not None
    assert len(small.story) <= 6, small.story
    again = sail(small.seed, Hosted, small.without)
    assert (str(again.broken), again.trace) == (str(small.broken), small.trace)


def test_what_a_player_hides_shows_in_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """In two worlds that differ in it the others hold the same; a word that told it is found."""
    log = pair("mail/1", 20)
    assert log.broken is None
    assert log.events["things of two worlds compared"] > 10
    write = replies.write

    def telling(template: Any, **values: Any) -> Any:
        made = write(template, **values)
        return made._replace(text=made.text + hidden[-1]) if hidden else made

    hidden: list[str] = []
    state = HostFolder.settle

    def heard(self: HostFolder, mark: Any, left: bytes | None = None, waiting: Any = ()) -> None:
        hidden.append("." * (sum(left or b"") % 50))
        state(self, mark, left, waiting)

    monkeypatch.setattr(HostFolder, "settle", heard)
    for module in (replies,):
        monkeypatch.setattr(module, "write", telling)
    found = pair("mail/1", 20)
    assert found.broken is not None
    assert found.broken.promise == 4
