"""All games of one reader in one mail: by time left, whose turn, since when.

It tells what public entries tell, and of orders only whether the reader's own are in.
"""

from __future__ import annotations

from dataclasses import replace

from adjudicator.core import deadlines
from adjudicator.core.deadlines import DAY
from adjudicator.office import replies
from adjudicator.office.game import HostMail
from adjudicator.office.replies import Reply, write
from adjudicator.office.served import Served
from adjudicator.words import overview
from adjudicator.words.overview import Overview, Standing
from adjudicator.words.spans import ReadAt
from orders.errors import Refused

WEEK = 7 * DAY


def mine(served: Served, address: str, calendar: str = "", zone: int | None = None) -> Reply:
    """The games of who reads at that address, in their time zone, with UTC beside; `calendar`: that
    of their deadlines, "" for none. `zone`: of the mail that asks, if it tells one."""
    known = served.register.zone(address) if zone is None else zone
    reader = ReadAt(served.clock.now(), zone=known)
    told = Overview(
        tuple(_standing(game, player, reader) for game, player in served.seats_at(address))
    )
    rows = "\n".join(f"  {one.name}: {one.says}" for one in told.rows)
    return write("mine", summary=told.summary(), rows=rows, calendar=calendar)


def _standing(game: HostMail, player: str, reader: ReadAt) -> Standing:
    try:
        return _told(game, player, reader)
    except Refused:
        # The others are told all the same; its host is told why.
        return Standing(game.name, "it cannot be told now")


def _told(game: HostMail, player: str, reader: ReadAt) -> Standing:
    if game.host is None:
        joined, title = list(game.joins()), game.offer.game.title
        return Standing(game.name, replies.not_begun(game.name, title, joined, game.wanted))
    answers = ["accepted"] * (player in game.host.folder.waiting())
    found = overview.played(game.name, game.host.ledger, player, answers, reader)
    awaited = game.host.last.entry.awaited
    if not awaited:
        return found
    since = min(one.since for one in awaited.values())
    return replace(found, says=f"{found.says}, since {reader.when(since)}")


def due(served: Served) -> list[tuple[str, str]]:
    """Who is to have their games in this turn, a week after the last time; and what names that
    mail."""
    now = served.clock.now()
    return [
        (address, f"weekly/{address}/{now[:10]}")
        for address, last in served.register.weekly().items()
        if not 0 <= deadlines.between(last, now) < WEEK
    ]
