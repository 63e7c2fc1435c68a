"""A game's own bot as adviser of a player: it has heard what their seat was told, and nothing else.

What belongs here: which bot that is, and letting it hear a seat's reports. What it must not know:
any game, how its advice is shown.
"""

from __future__ import annotations

from typing import Any

from adjudicator.player.seated import Seated
from games.dice import Dice
from games.game import Bot, Game, Written
from orders.errors import Refused


def usual_bot(game: Game[Any, Any]) -> str:
    """The bot that plays where none is named: the captain, if the game has one."""
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
    """What that bot would write now: the same, however often it is asked in one position.

    Raises Refused where this seat is not awaited: then there is nothing to write.
    """
    if own.seat.player not in own.last.entry.awaited:
        if own.last.over:
            raise Refused("over", "the game is over: there is nothing to advise")
        raise Refused("not-yet", f"others are awaited, and not {own.seat.player}")
    return adviser(own).order(Dice(bytes.fromhex(own.last.digest)))
