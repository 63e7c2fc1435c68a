"""Lies about time: dates, deadlines, reserves."""

from __future__ import annotations

import pytest
from replacing import replace
from verifier.liar import Liar
from verifier.lies.base import (
    DAY,
    EVERYBODY,
    QUIET,
    SENT,
    SETUP,
    SHOT,
    Lies,
    Said,
    alice_sees,
    all_see,
)

from adjudicator.core import deadlines, engine
from orders.bundle import Bundle

LIES = Lies("time")
RESERVE = {"options": {"first": "alice", "turn_time": "3d", "reserve_time": "1d"}}
REST = {"options": {"first": "alice", "rest": "sat,sun"}}


@LIES(
    "l02",
    "sets its clock ten days ahead, and calls a player missing at once",
    at_once={EVERYBODY: "9 d 23 h ahead"},
    verify=Said(3, "time", "entry 2 calls missing alice"),
)
def hurry(game: Liar) -> None:
    """Nobody is late: the entry is dated ten days on, minutes after the prompt."""
    game.play(SETUP)
    game.ahead = 10 * DAY
    game.tell(game.advance(late=True))
    game.play(QUIET).finish()


@LIES(
    "l07",
    "dates its entries in 2099",
    at_once={EVERYBODY: "26644 d 23 h ahead"},
    verify=Said(0, "time", "26644 d 23 h before the entry that it answers"),
)
def far_future(game: Liar) -> None:
    game.play(SETUP)
    game.ahead = 73 * 365 * DAY
    game.play(SHOT).finish()


@LIES(
    "m15",
    "dates the genesis 25 years before its own invite",
    begun=False,
    **all_see("time", "is before the time of the invite"),
)
def long_past(game: Liar) -> None:
    game.table.offer()
    real, early = engine.genesis, deadlines.add(game.table.clock.now(), -25 * 365 * DAY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            engine, "genesis",
            lambda offer, setup, joins, time, by: real(offer, setup, joins, early, by),
        )  # fmt: skip
        game.start_with()


@LIES(
    "m15b",
    "dates everything 25 years back",
    begun=False,
    at_once={EVERYBODY: "if it came so late"},
    verify=Said(0, "time", "9124 d 23 h after its receipt"),
)
def always_past(game: Liar) -> None:
    game.table.clock.skip(-25 * 365 * DAY)
    game.table.offer()
    game.start_with()
    game.table.clock.skip(25 * 365 * DAY)
    game.ahead = -25 * 365 * DAY
    game.play(SETUP, SHOT).finish()


@LIES(
    "l06",
    "dates a receipt and its entry ahead, so that the player's reserve is used up",
    terms=RESERVE,
    at_once={EVERYBODY: "3 d 23 h ahead"},
    verify=Said(3, "time", "entry 2 charges reserve to alice"),
)
def charge_reserve(game: Liar) -> None:
    """Receipt and entry are dated four days ahead, so that Alice's reserve is used up."""
    game.play(SETUP)
    game.ahead = 4 * DAY
    game.play(SHOT)
    game.ahead = 0
    game.play(QUIET).finish()


@LIES(
    "n02",
    "keeps an entry from a player until that player's deadline is over",
    at_once={"alice": "entry 1 awaits you until"},
    verify=Said(0, "time", "entry 2: alice missing"),
    unproved=SENT,
)
def hold_back(game: Liar) -> None:
    """Alice gets an entry only when her deadline is over, together with the next one."""
    game.submit(SETUP)
    game.advance()
    game.tell([1], to=["bob"])
    game.table.clock.skip(5 * DAY)
    game.tell(game.advance(late=True), to=["bob"])
    game.tell([1, 2], to=["alice"])
    game.play(QUIET).finish()


@LIES(
    "n06",
    "dates the receipt of a friend's late order back, so that no reserve is used",
    terms=RESERVE,
    verify=Said(3, "time", "which spared reserve"),
)
def spare_a_friend(game: Liar) -> None:
    """Bob, a friend, wrote a day late; the host says that it had his order in time."""
    game.play(SETUP, SHOT)
    game.table.clock.skip(3 * DAY + DAY // 2)
    late = game.order("bob", "silent")
    game.ahead = -(3 * DAY)
    game.answer(late)
    game.ahead = 0
    game.tell(game.advance())
    game.finish()


@LIES(
    "p08",
    "does the same, and the friend dates the slip back as well",
    terms=RESERVE,
    unproved="times on which both agree, and which are wrong",
)
def spare_a_friend_together(game: Liar) -> None:
    """The same, and Bob dates his slip back too."""
    game.play(SETUP, SHOT)
    game.table.clock.skip(3 * DAY + DAY // 2)
    late = back_dated(game, "bob", "silent", 3 * DAY)
    game.ahead = -(3 * DAY)
    game.answer(late)
    game.ahead = 0
    game.tell(game.advance())
    game.finish()


def back_dated(game: Liar, player: str, lines: str, by: int) -> Bundle:
    """An order of a player whose clock is behind."""
    table = game.table
    own = table.seated(player)
    time = deadlines.add(table.clock.now(), -by)
    return own.order(own.read(lines.encode()), table.keys[player], time).bundle


@LIES(
    "m19",
    "waits two days for a friend, and a minute for everybody else",
    verify=Said(0, "time", "entry 4: alice missing, 1 min after the deadline"),
)
def patience_for_one(game: Liar) -> None:
    """Bob may be two days late and is waited for, Alice is dropped a minute after her deadline."""
    game.play(SETUP, SHOT)
    game.table.clock.skip(5 * DAY)
    game.play(QUIET)
    until = game.last.awaited["alice"].until
    now = game.table.clock.now()
    game.table.clock.skip(deadlines.between(now, until))
    game.tell(game.advance(late=True))
    game.finish()


@LIES(
    "n09",
    "gives a player a day less than the turn time",
    **all_see("time", "bob is awaited for turn since"),
)
def cut_deadline(game: Liar) -> None:
    game.play(SETUP)
    game.submit(SHOT)
    game.advance()
    prompt = game.last.awaited["bob"]
    game.resign(awaited={"bob": replace(prompt, until=deadlines.add(prompt.until, -DAY))})
    game.tell([2])


@LIES(
    "q01",
    "counts days of rest, so that a deadline is over on a Sunday",
    terms=REST,
    **all_see("time", "bob is awaited for turn since"),
)
def count_days_of_rest(game: Liar) -> None:
    """The time of a day that counts goes on to Tuesday; the host gives it until Sunday."""
    game.play(SETUP)
    game.submit(SHOT)
    game.advance()
    prompt = game.last.awaited["bob"]
    game.resign(awaited={"bob": replace(prompt, until=deadlines.add(prompt.since, 3 * DAY))})
    game.tell([2])


@LIES(
    "q02",
    "lets a friend rest on days on which time counts",
    **all_see("time", "bob is awaited for turn since"),
)
def rest_on_days_that_count(game: Liar) -> None:
    """Two days more, without a ruling, as if the invite had a weekend."""
    game.play(SETUP)
    game.submit(SHOT)
    game.advance()
    prompt = game.last.awaited["bob"]
    game.resign(awaited={"bob": replace(prompt, until=deadlines.add(prompt.until, 2 * DAY))})
    game.tell([2])


@LIES("n08", "takes a player's reserve away", terms=RESERVE, **all_see("time", "reserve is"))
def cut_reserve(game: Liar) -> None:
    game.submit(SETUP)
    game.advance()
    game.resign(reserve={**game.last.reserve, "bob": 0})
    game.tell([1])


@LIES(
    "n10",
    "calls a player missing before the deadline",
    **all_see("time", "alice is missing before"),
)
def missing_early(game: Liar) -> None:
    game.play(SETUP)
    game.table.clock.skip(4 * DAY)
    game.advance(late=True)
    early = deadlines.add(game.last.time, -2 * DAY)
    prompt = game.last.awaited["bob"]
    until = deadlines.add(prompt.until, -2 * DAY)
    game.resign(time=early, awaited={"bob": replace(prompt, since=early, until=until)})
    game.tell([2])


@LIES(
    "n07",
    "dates an entry before the entry that it follows",
    **all_see("time", "is before the time of entry 1"),
)
def run_backwards(game: Liar) -> None:
    game.play(SETUP)
    game.submit(SHOT)
    game.advance()
    game.resign(time="2025-12-31T00:00:00Z")
    game.tell([2])


@LIES(
    "n04",
    "says that an order came after its own entry",
    **all_see("time", "which is not between the entry before it and its own"),
)
def received_outside(game: Liar) -> None:
    game.play(SETUP)
    game.submit(SHOT)
    game.advance()
    used = game.last.slips["alice"]
    game.resign(slips={"alice": replace(used, received="2026-03-01T00:00:00Z")})
    game.tell([2])


@LIES(
    "n25",
    "says in the entry that an order came at another time than its receipt says",
    **alice_sees(1, "received at"),
)
def another_receipt_time(game: Liar) -> None:
    game.play(SETUP)
    game.submit(SHOT)
    game.advance()
    used = game.last.slips["alice"]
    game.resign(slips={"alice": replace(used, received=game.last.time)})
    game.tell([2])
    game.finish()


@LIES(
    "n26",
    "gives less time for the first orders than the invite does",
    begun=False,
    **all_see("time", "every player must be awaited for setup, for the turn time"),
)
def cut_first_deadline(game: Liar) -> None:
    """Genesis gives an hour less than the invite promises."""
    game.table.offer()
    game.start_with(
        lambda genesis: replace(
            genesis,
            awaited={
                name: replace(prompt, until=deadlines.add(prompt.until, -3600))
                for name, prompt in genesis.awaited.items()
            },
        )
    )
