"""A game's own bot as adviser of a player: it is given that seat's reports and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from adjudicator.duel import again
from adjudicator.duel.party import Party
from adjudicator.player.seated import Seated
from adjudicator.words.form import in_one_line
from games.bots import Captain, Ranked
from games.dice import Dice
from games.game import Bot, Game, OrderError, View, Written
from orders.errors import Refused
from orders.fields import digest


def usual_bot(game: Game[Any, Any]) -> str:
    """The bot that plays a seat if none is named: the captain, if the game has one."""
    return "captain" if "captain" in game.bots else "random"


def usual_rival(game: Game[Any, Any], *, new: bool = False) -> str:
    """The bot that a person plays against if they name none: the mate; for somebody `new` to the
    game the novice. A game without them has its usual bot."""
    wanted = "novice" if new else "mate"
    return wanted if wanted in game.bots else usual_bot(game)


def next_level(game: Game[Any, Any], bot: str) -> str | None:
    """The bot that plays better by one level; None if none does."""
    levels = list(game.bots)
    at = levels.index(bot) + 1 if bot in levels else len(levels)
    return levels[at] if at < len(levels) else None


class Advice(NamedTuple):
    """Orders that a bot would give. `why`: what speaks for them, in words; "" for nothing.
    `other`: its next best orders; None if there are none. `equal`: they are as good."""

    orders: str
    why: str = ""
    other: str | None = None
    equal: bool = False

    @property
    def says(self) -> str:
        """What speaks for the orders, and what would be next best, in words."""
        then = "as good" if self.equal else "next best"
        other = "" if self.other is None else f"{then}: {in_one_line(self.other)}"
        return "; ".join(filter(None, (self.why, other)))

    def line(self) -> str:
        """All of it in one line."""
        return ": ".join(filter(None, (in_one_line(self.orders), self.says)))

    def plain(self) -> dict[str, Any]:
        """The same as plain data, with `says`."""
        return {**self._asdict(), "says": self.says}


MOST_TRIES = 50


def taken(order: Callable[[int], Written], take: Callable[[Written], object]) -> Written:
    """A bot's first orders that are taken: a duel refuses some that a host takes, so the bot is
    asked again, each time by another number. After too many it raises what `take` raised."""
    for number in range(MOST_TRIES):
        given = order(number)
        try:
            take(given)
        except (OrderError, Refused) as error:
            refused = error
        else:
            return given
    raise refused


def advised(
    bot: Bot, dice: Callable[[int], Dice], take: Callable[[Written], object] = lambda written: None
) -> Advice:
    """What a bot says that has heard all, of orders that are taken; raises what `take` raised.

    `dice`: by the number of the try.
    """
    if not isinstance(bot, Captain):
        return Advice(taken(lambda number: bot.order(dice(number)), take).orders)
    found: list[Ranked] = []
    for one in bot.ranked(dice(0), MOST_TRIES):
        try:
            take(Written(one.orders))
        except (OrderError, Refused) as error:
            refused = error
        else:
            found.append(one)
        if len(found) == 2:
            break
    if not found:
        raise refused
    best, *others = found
    why = bot.why(best.orders)
    for other in others:
        return Advice(best.orders, why, other.orders, other.value == best.value)
    return Advice(best.orders, why)


def brief(bot: Bot, own: Seated) -> int:
    """Let a bot hear every report of this seat, and remember every order that counts; returns the
    last step of which it was told. Raises Missing or Refused."""
    last = -1
    remember = getattr(bot, "chosen", lambda written: None)
    for link in own.ledger.links():
        if (given := own.ordered(link)) is not None:
            remember(given)
        if (link.step == 0 or link.entry.reports) and own.seat.sits(link.joins):
            report = own.report(link.step)
            bot.hear(report.view, report.events)
            last = report.step
    return last


def adviser(own: Seated) -> Bot:
    """The game's usual bot, having heard all that this seat was told; raises Missing or Refused."""
    game = own.opening.game
    bot = game.bots[usual_bot(game)](own.seat.player)
    brief(bot, own)
    return bot


def advice(own: Seated) -> Advice:
    """What the bot would write now, the same each time in one position.

    Raises Refused if this seat is not awaited.
    """
    if own.seat.player not in own.last.entry.awaited:
        if own.last.over:
            raise Refused("over", "the game is over: there is nothing to advise")
        raise Refused("not-yet", f"others are awaited, {own.seat.player} is not")
    return advised(adviser(own), lambda number: Dice(bytes.fromhex(own.last.digest)))


def first(game: Game[Any, Any], view: View, dice: Dice) -> Advice:
    """What the bot would write to begin a duel."""
    bot = game.bots[usual_bot(game)](str(view.player))
    bot.hear(view, ())
    assert game.duel is not None  # noqa: S101 - such a game is no duel's
    read = game.duel.read
    return advised(bot, lambda number: dice, lambda given: read(view, again.plain(given)))


def in_duel(party: Party) -> Advice:
    """What the bot would write now in a duel; raises Refused if no orders are asked for."""
    side = party.side
    if party.prompt is None:
        raise Refused("not-yet", "no orders are asked of you now")
    game = side.game
    bot = game.bots[usual_bot(game)](side.player)
    bot.hear(game.view(game.start(side.setup), side.player), ())
    remember = getattr(bot, "chosen", lambda written: None)
    for heard in side.heard:
        if heard.given is not None:
            remember(heard.given)
        bot.hear(heard.view, heard.events)

    def dice(number: int) -> Dice:
        text = f"{party.row.last}/{side.step}/{number}"
        return Dice(bytes.fromhex(digest(text.encode("ascii"))))

    return advised(bot, dice, party.judge)
