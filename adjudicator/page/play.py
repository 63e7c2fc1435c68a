"""Playing in the page: what a player can look at, whole games against bots, and the table of all
calls.

What it must not know: HTML, any game's rules or words.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import games
from adjudicator.core import opening
from adjudicator.league import demo
from adjudicator.league.demo import House, Plan
from adjudicator.mail import player as mail
from adjudicator.page.desk import Desk, base64_of
from adjudicator.player.copy import Copy
from adjudicator.store import pack
from adjudicator.store.record import Record
from adjudicator.verifier.packing import kept
from adjudicator.verifier.verify import Asked, verify
from adjudicator.words import adviser, deduced, story
from games.game import Game
from games.options import of_preset
from orders.documents import Private
from orders.fields import Time
from orders.secrets import draw_secret


class Play(Desk):
    """A desk with the record's history, and with games against bots."""

    def games(self) -> list[dict[str, Any]]:
        """The games that can be played against bots, each with its bots and presets."""
        found = []
        for name in games.installed():
            # An installed game that does not load is skipped.
            with suppress(games.UnknownGame):
                found.append(_offered(games.load(name)))
        return found

    def against(
        self, now: Time, game: str, bots: Iterable[str] = (), preset: str | None = None
    ) -> dict[str, Any]:
        """Begin a game against bots, with the host in the page; returns the state after genesis."""
        self.clock.time = now
        rules = games.load(game)
        named = list(bots)
        rivals = demo.seated_bots(rules, named, len(named) or rules.seats[0] - 1)
        demo.seats_of(rules, 1 + len(rivals))
        me = demo.NAMES[0]
        options = of_preset(rules.presets, preset, rules.id)
        plan = Plan(rules, ["", *rivals], draw_secret(), options, guests=(me,))
        self.close()
        self.house = House(plan, self.root / "house", self.clock, self.clock)
        record = Record(self.root / rules.id)
        Copy(record, None, self.clock).receive([self.house.invite])
        self._open(record, None)
        join = self._join(me, Private(), shown_mail=False)
        return self._taken([self.house.begin({me: join}), *self.house.rounds(me)])

    # Looking.

    def log(self) -> list[dict[str, Any]]:
        """The story so far, an entry each: step, time, title, news."""
        own = self._own()
        return list(story.chapters(own.ledger, own))

    def deduced(self) -> list[str]:
        """What this seat can work out from its own reports."""
        own = self._own()
        found = deduced.worked_out(own, own.ledger.last.step)
        return list(deduced.lines(own.seat.player, found))

    def letters(self) -> list[str]:
        """The messages that came and went."""
        table = self._table()
        return [] if table.seat is None else mail.kept_letters(table.record, table.seat)

    def verdict(self) -> dict[str, Any]:
        """The verifier's findings about the copy, and about how the host has treated this seat."""
        table = self._table()
        found = verify(table.record, Asked(seat=table.seat))
        return {"code": found.code, "verdict": found.verdict}

    def packed(self) -> dict[str, Any]:
        """The game as one file, for anybody who wants to watch or verify it."""
        record = self._table().record if self.house is None else self.house.record
        return {
            "name": f"{opening.read_offer(record).name}.zip",
            "data": base64_of(pack.write(kept(record))),
        }


def _offered(game: Game[Any, Any]) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "summary": game.summary,
        "seats": list(game.seats),
        "bots": sorted(game.bots),
        "usual": adviser.usual_bot(game),
        "presets": list(game.presets),
    }


_play = Play()

CALLS = {
    name: getattr(_play, name)
    for name in (
        "after", "again", "against", "check", "close", "deduced", "games", "head", "hint", "join",
        "letters", "log", "open", "order", "packed", "save", "state", "take", "verdict",
    )
}  # fmt: skip
