"""What the page shows of a game, as plain data: an offer, and a seat's state.

The terminal uses the same modules to make these values. What it must not know: HTML.
"""

from __future__ import annotations

from typing import Any

from adjudicator.core import opening
from adjudicator.player.table import Table
from adjudicator.store.record import Record
from adjudicator.words import answers, story
from adjudicator.words.spans import left
from orders.entries import Reveal
from orders.errors import PROTESTS
from orders.fields import Time


def offer(record: Record) -> dict[str, Any]:
    """The game in an invite."""
    told = opening.read_offer(record)
    return {
        "name": told.name,
        "title": told.game.title,
        "summary": told.game.summary,
        "rules": told.invite.rules,
        "options": {key: str(value) for key, value in told.invite.options.items()},
        "reserved": told.invite.reserved,
        "host": told.invite.mail or "",
    }


def state(table: Table, now: Time) -> dict[str, Any]:
    """A seat's state: board, clocks, its own orders, and warnings.

    `mine`: whether it is awaited. `protest`: what its last report calls for; then the board is what
    everybody sees. `amiss`: what its owner should see to. Raises Refused if the seat is not one of
    this game.
    """
    own = table.seated()
    game, last, player = own.opening.game, own.last, own.seat.player
    protest = table.lacking()
    step = last.step - isinstance(last.entry, Reveal)
    view = story.seen_by(own, None).boards[0] if protest else own.report().view
    awaited = last.entry.awaited
    return {
        "stage": "over" if isinstance(last.entry, Reveal) else "play",
        "step": last.step,
        "id": own.opening.id,
        "svg": game.svg(view),
        "board": game.draw(view),
        "standing": story.standing(last.entry),
        "mine": player in awaited,
        "awaited": [
            {
                "player": name,
                "you": name == player,
                "what": prompt.what,
                "until": prompt.until,
                "left": left(prompt.until, now),
            }
            for name, prompt in awaited.items()
        ],
        "news": story.told(own, step),
        "sent": [
            {
                "text": one.text(),
                "lines": list(one.lines),
                "answered": bool(one.answer),
                "refused": not (one.answer or "accepted").startswith("accepted"),
            }
            for one in answers.sent(own)
        ],
        "protests": list(PROTESTS),
        "protest": protest,
        "amiss": list(table.news(now)),
        "outcome": story.outcome(last.entry) if isinstance(last.entry, Reveal) else "",
    }
