"""Commit messages: the story of the game, as `git log --oneline` tells it.

All of it is public, because it comes from the files that the commit adds.
"""

from __future__ import annotations

import textwrap

from adjudicator.core.opening import Offer, Opening
from adjudicator.words import story
from orders.entries import AnyEntry, Genesis, Reveal

BOXES = "Receipts, sealed"
BESIDE = "Change what lies beside the record"
_WIDTH = 72


def invite(offer: Offer) -> str:
    """The first commit."""
    return f"Invite to {offer.game.title} ({offer.invite.rules})"


def letterbox(public: str) -> str:
    """New boxes; `public`: a digest of everything public at the remote, "" if not all of it was
    seen."""
    return BOXES + (f"\n\nAfter {public}" if public else "")


def instead(commit: str | None) -> str:
    """The end of the message of a commit that replaces one, which cannot be put back behind it;
    None: it replaces none."""
    return f"\n\nIn the place of {commit}" if commit else ""


def entry(opening: Opening, found: AnyEntry) -> str:
    """An entry: what happened in the first line, and below it all news and who is awaited."""
    if isinstance(found, Genesis):
        return f"0000 The game begins: {', '.join(found.players)}"
    title = story.title(found)
    upper = title[0].upper() + title[1:]
    if isinstance(found, Reveal):
        return f"{found.step:04d} {upper}"
    news = [] if found.ruling is not None else story.heard(opening, found)
    told = " ".join(news) or upper
    first = textwrap.shorten(f"{found.step:04d} {told}", _WIDTH, placeholder="...")
    awaited = [
        f"Awaited: {player} for {prompt.what}, until {prompt.until}"
        for player, prompt in found.awaited.items()
    ]
    return f"{first}\n\n" + "\n".join([title, *news, *awaited])
