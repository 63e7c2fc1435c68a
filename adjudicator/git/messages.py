"""Commit messages: the story of the game, as `git log --oneline` tells it.

All of it is public, because it comes from the files that the commit adds.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Sequence

from adjudicator.core.opening import Offer, Opening
from adjudicator.words import story
from orders.entries import AnyEntry, Genesis, Reveal

BESIDE = "Change what lies beside the record"
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


def is_of(player: str, message: str) -> bool:
    """Whether a message is one that this player's own commits can have."""
    name = re.escape(player)
    said = rf"(?:{name} joins|[0-9]{{4,7}} {name}: orders(?:, revision [0-9]{{1,2}})?)\n"
    return re.fullmatch(said, message, re.ASCII) is not None


def other_way(step: int, players: Sequence[str]) -> str:
    """Joins or orders that came in no commit that can be merged."""
    who = ", ".join(players)
    return f"{step:04d} {who}: orders" if step else f"{who}: joined another way"


def is_other_way(players: Collection[str], message: str) -> bool:
    """Whether a message is that of `other_way` for these players, in any order."""
    found = re.fullmatch(
        r"(?:[0-9]{4,7} (?P<ordered>.+): orders|(?P<joined>.+): joined another way)\n", message
    )
    who = "" if found is None else found["ordered"] or found["joined"]
    return sorted(who.split(", ")) == sorted(players)


def letterbox(public: str) -> str:
    """New boxes; `public`: a digest of everything public at the remote, "" if not all of it was
    seen."""
    return "Receipts, sealed" + (f"\n\nAfter {public}" if public else "")


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
