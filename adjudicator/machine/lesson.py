"""A lesson of a game, played on one machine through the real files: how it begins, and whether the
orders given in it were right.

What it must not know: how it is shown.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import games
from adjudicator.machine.demo import NAMES, House, Plan
from adjudicator.player.seated import Seated
from adjudicator.store.clock import DEMO_START
from games.bots import Walker
from games.dice import Dice
from games.game import Bot, Game
from games.lessons import BadLesson, Lesson, Scripted
from games.options import OfferRefused
from orders.entries import Reveal
from orders.errors import Refused
from orders.fields import Time

ME = NAMES[0]
"""Who learns."""
BEGUN = DEMO_START
"""When every lesson begins, because all chance follows from its genesis."""
OPTIONS = {"turn_time": "3650d"}
"""Whoever learns has time."""


class _Still:
    """A clock that stands still at the beginning."""

    def now(self) -> Time:
        """The beginning."""
        return BEGUN


def plan(game: Game[Any, Any], lesson: Lesson, learner: Bot | None = None) -> Plan:
    """What to play: who learns is a guest, or that bot. Raises OfferRefused or BadLesson."""
    players = NAMES[: len(lesson.orders)]
    if tuple(lesson.orders) != players:
        raise BadLesson(f"orders: expected those of {', '.join(players)}, in this order")
    people: dict[str, Bot] = {
        name: Scripted(game, name, lesson.orders[name]) for name in players[1:]
    }
    if learner is not None:
        people[ME] = learner
    seed = bytes.fromhex(lesson.seed).rjust(32, b"\0")
    guests = () if learner else (ME,)
    options = {**OPTIONS, **lesson.options}
    return Plan(game, [""] * len(players), seed, options, people, guests, by="a lesson")


def judged(own: Seated, lesson: Lesson) -> bool | None:
    """Whether the orders that this seat has given in the lesson were right; None before them."""
    links = list(own.ledger.links())
    given = [link.step for link in links if own.seat.player in link.slips]
    mine = given[len(lesson.orders[own.seat.player]) :]
    if not mine:
        return None
    told = [link.step for link in links[mine[0] :] if not isinstance(link.entry, Reveal)]
    return lesson.is_right(event for step in told for event in own.report(step).events)


def played(game: Game[Any, Any], lesson: Lesson, folder: Path, answer: str | None = None) -> House:
    """The lesson's game in `folder`, as far as its position or, with an answer to it, until who
    learns is awaited again. Raises Refused, OfferRefused or BadLesson; ValueError for orders that
    are not taken."""
    orders = [*lesson.orders[ME], *([] if answer is None else [answer])]
    learner = Scripted(game, ME, orders)
    people = plan(game, lesson, learner)
    house = House(people, folder, _Still(), _Still())
    house.begin()
    while house.referee.last.clocks.awaited:
        if learner.given == len(orders) and ME in house.referee.missing():
            break
        house.round()
    if learner.given < len(orders):
        raise ValueError(f"the game is over before {ME} orders {orders[learner.given]!a}")
    for name, bot in people.people.items():
        # Others may find that what they were to answer is not asked after other orders.
        assert isinstance(bot, Scripted)  # noqa: S101 - here all are
        if bot.spoiled and (answer is None or answer == lesson.answer or name == ME):
            raise ValueError(f"{name}: {bot.spoiled}")
    return house


def tried(game: Game[Any, Any], lesson: Lesson, folder: Path, answer: str) -> bool:
    """Whether these orders are right; raises as `played` does."""
    return bool(judged(played(game, lesson, folder, answer).seats[0].seated(), lesson))


MOST_TRIED = 20
"""So many other orders are tried at most, until one is wrong."""


def of_game(game: Game[Any, Any]) -> Sequence[Lesson]:
    """Its lessons, if it is installed: only then it can be played. Raises BadLesson."""
    found = games.own_lessons(game)
    return found if game.id in games.installed() else ()


def faults(game: Game[Any, Any]) -> Iterator[str]:
    """What is wrong with these: one that does not begin, whose answer has not the effect, or in
    which any orders would be right."""
    try:
        found = of_game(game)
    except BadLesson as error:
        yield str(error)
        return
    for number, lesson in enumerate(found, 1):
        try:
            yield from (f"lesson {number}: {fault}" for fault in _faults(game, lesson))
        except (ValueError, OfferRefused, Refused) as error:
            yield f"lesson {number}: {error}"


def _faults(game: Game[Any, Any], lesson: Lesson) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        if not tried(game, lesson, Path(folder, "answer"), lesson.answer):
            yield f"its answer {lesson.answer!a} has not the effect"
        walker = Walker(game, ME)
        walker.hear(played(game, lesson, Path(folder, "begun")).seats[0].seated().report().view, ())
        for number in range(MOST_TRIED):
            other = walker.order(Dice(b"lesson/%d" % number)).orders
            if not tried(game, lesson, Path(folder, str(number)), other):
                return
        yield "all orders that were tried have the effect"
