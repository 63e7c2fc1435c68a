"""Commit messages: the story of the game, as `git log --oneline` tells it.

Everything said here is public: it stands in the files that the commit adds.
"""

from __future__ import annotations

import textwrap
from typing import Any

from adjudicator import story
from adjudicator.opening import Offer
from games.game import Game
from orders.entries import AnyEntry, Entry, Genesis

LETTERBOX = "Receipts, sealed"
_WIDTH = 72


def invite(offer: Offer) -> str:
    """The first commit."""
    return f"Invite to {offer.game.title} ({offer.invite.rules})"


def join(player: str) -> str:
    """A player's join."""
    return f"{player} joins"


def slip(step: int, player: str, revision: int) -> str:
    """A player's orders for a step."""
    again = "" if revision == 1 else f", revision {revision}"
    return f"{step:04d} {player}: orders{again}"


def beside() -> str:
    """A change to what lies beside the record."""
    return "Change what lies beside the record"


def entry(game: Game[Any, Any], found: AnyEntry) -> str:
    """An entry: in its first line what happened, below it all news and who is awaited."""
    if isinstance(found, Genesis):
        return f"0000 The game begins: {', '.join(found.players)}"
    title = story.title(found)
    if not isinstance(found, Entry):
        return f"{found.step:04d} {title[0].upper()}{title[1:]}"
    news = [str(game.news(event)) for event in found.events]
    told = " ".join(news) if news and found.ruling is None else title[0].upper() + title[1:]
    first = textwrap.shorten(f"{found.step:04d} {told}", _WIDTH, placeholder="...")
    body = [title, *news] if found.ruling is None else [title]
    for player, prompt in found.awaited.items():
        body.append(f"Awaited: {player} for {prompt.what}, until {prompt.until}")
    return f"{first}\n\n" + "\n".join(body)
