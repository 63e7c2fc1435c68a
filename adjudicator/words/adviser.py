"""A game's own bot as adviser of a player: it is given that seat's reports and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjudicator.duel import again
from adjudicator.duel.party import Party
from adjudicator.player.seated import Seated
from games.dice import Dice
from games.game import Bot, Game, OrderError, View, Written
from orders.errors import Refused
from orders.fields import digest


def usual_bot(game: Game[Any, Any]) -> str:
    """The bot that plays a seat if none is named: the captain, if the game has one."""
    return "captain" if "captain" in game.bots else "random"


def usual_rival(game: Game[Any, Any]) -> str:
    """The bot that a person plays against if they name none: the mate, if the game has one."""
    return "mate" if "mate" in game.bots else usual_bot(game)


def adviser(own: Seated) -> Bot:
    """The game's usual bot, having heard all that this seat was told; raises Missing or Refused."""
    game = own.opening.game
    bot = game.bots[usual_bot(game)](own.seat.player)
    for link in own.ledger.links():
        if (link.step == 0 or link.entry.reports) and own.seat.sits(link.joins):
            report = own.report(link.step)
            bot.hear(report.view, report.events)
    return bot


def advice(own: Seated) -> Written:
    """The orders that the bot would write now, the same each time in one position.

    Raises Refused if this seat is not awaited.
    """
    if own.seat.player not in own.last.entry.awaited:
        if own.last.over:
            raise Refused("over", "the game is over: there is nothing to advise")
        raise Refused("not-yet", f"others are awaited, {own.seat.player} is not")
    return adviser(own).order(Dice(bytes.fromhex(own.last.digest)))


MOST_TRIES = 50


def taken(order: Callable[[int], Written], take: Callable[[Written], Any]) -> Written:
    """A bot's first orders that a duel takes: it refuses some that a host takes, so the bot is
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


def first(game: Game[Any, Any], view: View, dice: Dice) -> Written:
    """The orders with which the bot would begin a duel."""
    bot = game.bots[usual_bot(game)](str(view.player))
    bot.hear(view, ())
    assert game.duel is not None  # noqa: S101 - such a game is no duel's
    read = game.duel.read
    return taken(lambda _: bot.order(dice), lambda given: read(view, again.plain(given)))


def in_duel(party: Party) -> Written:
    """The orders that the bot would write now in a duel; raises Refused if none are asked for."""
    side = party.side
    if party.prompt is None:
        raise Refused("not-yet", "no orders are asked of you now")
    game = side.game
    bot = game.bots[usual_bot(game)](side.player)
    bot.hear(game.view(game.start(side.setup), side.player), ())
    for heard in side.heard:
        bot.hear(heard.view, heard.events)

    def order(number: int) -> Written:
        text = f"{party.row.last}/{side.step}/{number}"
        return bot.order(Dice(bytes.fromhex(digest(text.encode("ascii")))))

    return taken(order, party.judge)
