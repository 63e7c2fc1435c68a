"""The voyage by mail: seeds that found something, faults of once put back; and its makings."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from adjudicator.host.folder import HostFolder
from adjudicator.mail.mime import read_mail
from adjudicator.mail.outgoing import render
from adjudicator.office import copies, replies
from adjudicator.office.copies import Copies
from adjudicator.office.game import HostMail
from adjudicator.office.office import Office, Turn

from .hosted import Hosted, address, pair
from .sail import sail, smaller
from .scenes import SCENES
from .world import DAY, World, surrounded

FOUND = (
    "mail/201",  # two machines signed two entries 1 in one turn
    "mail/991",  # and two receipts for one slip
    "mail/3029",  # a ruling on a machine that was behind could not be taken back
    "mail/5006",  # what a process that ended while it took in a copy left stood in the way
    "mail/7017",  # what was refused for a ruling that no copy had was put away
    "mail/168781697",  # an entry of which only a copy had come was taken for one of later orders
    "mail/156123219",  # who lacked a game's first mail was told nothing, and could not go on
    "files/7107",  # restore took in orders, and their player had no receipt
    "files/9021",  # an order gave way to one that a disk that was put back had forgotten
    "files/20351816",  # what a process that ended had not handed out never went out
    "files/555730107",  # a receipt for an order that had given way was given a second time
    "files/934210072",
    "git/154644097",  # nobody asked for a report that had gone to somebody else
    "git/37309278",  # an entry that was never pushed stood in the way of the one that was lost
    "git/909772009",  # and one that an old disk had not pushed stopped its sync for good
    "git/741559617",  # orders that had gone with an unpushed entry had a receipt, and did not wait
    "git/638470099",  # of two orders that restore took in, one's receipt reached nobody
    "git/252869579",  # the receipt of a push that came second replaced the one that had left
    "git/20351701",  # and so did one that another machine of the host's had not pushed
    "git/213673043",  # a player refused a main that had lost a commit without an entry
    "git/477819642",  # a seat that was put back used a revision again whose receipt it held
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


def test_a_slow_program_takes_no_time_of_the_world() -> None:
    """However often it is looked whether it has ended: no clock goes wrong by that."""
    with surrounded(World("slow")) as world:
        began = world.time
        assert subprocess.Popen(["sleep", "0.2"]).wait(60) == 0
        assert world.time == began


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
    """What is signed leaves as if its copy were the first of its number."""

    def settle(self: Office, done: Turn) -> None:
        for game in self.games:
            mail = self.copies.made(game)
            if mail is not None:
                data = render(mail, self.address)
                self.source.keep(data)
                copy = copies.read(read_mail(data))
                assert copy is not None
                self.copies.take(game, [copy])

    patch.setattr(Office, "settle", settle)


def copies_are_away(patch: pytest.MonkeyPatch) -> None:
    """A machine finds no copy but those of its own process."""
    take = Copies.take

    def own_alone(self: Copies, game: HostMail, found: Any) -> list[str]:
        return take(self, game, [copy for copy in found if copy.code in self.own])

    patch.setattr(Copies, "take", own_alone)


PLANTED = {mails_leave_before_the_look: (16, 12), copies_are_away: (0, 1)}
"""Each fault, and seeds of which one finds that two of something are signed."""


@pytest.mark.parametrize("plant", PLANTED)
def test_a_planted_fault_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the story that is left of it fits on a hand."""
    plant(monkeypatch)
    turns = 0
    for seed in PLANTED[plant]:
        log = sail(f"mail/{seed}", Hosted)
        turns += log.turns
        if log.broken is not None:
            print(plant.__name__, log.seed, turns, log.broken)
            assert log.broken.promise == 1
            return
    raise AssertionError(f"not found in {turns} turns")


def test_a_failure_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of forty events those are left that bring it, and they bring it again."""
    mails_leave_before_the_look(monkeypatch)
    logs = (sail(f"mail/{seed}", Hosted) for seed in PLANTED[mails_leave_before_the_look])
    log = next(log for log in logs if log.broken is not None)
    small = smaller(log, Hosted)
    assert small.broken is not None
    assert len(small.story) < len(log.story), small.story
    again = sail(small.seed, Hosted, small.without)
    assert (str(again.broken), again.trace) == (str(small.broken), small.trace)


def test_what_a_player_hides_shows_in_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """In two worlds that differ in it the others hold the same; a word that told it is found."""
    assert pair("mail/156123170").broken is None  # what the rules tell may lie in mails unread
    assert pair("mail/719099710").broken is None  # the end tells all, though no report differed
    log = pair("mail/17", 20)
    assert log.broken is None
    assert log.events["things of two worlds compared"] > 20
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
    monkeypatch.setattr(replies, "write", telling)
    found = pair("mail/17", 20)
    assert found.broken is not None
    assert found.broken.promise == 4
