"""A game's own bot as adviser of a player: it is given that seat's reports and nothing else."""

from __future__ import annotations

from typing import Any

from adjudicator.player.seated import Seated
from games.dice import Dice
from games.game import Bot, Game, Written
from orders.errors import Refused


def usual_bot(game: Game[Any, Any]) -> str:
    """The bot that plays if none is named: the captain, if the game has one."""
    return "captain" if "captain" in game.bots else "random"


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
