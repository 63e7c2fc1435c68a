"""Playing in the page: what a player can look at, whole games against bots, and the table of all
calls.

What it must not know: HTML, any game's rules or words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import games
from adjudicator.core import opening
from adjudicator.machine import demo, lesson
from adjudicator.machine.demo import House, Plan
from adjudicator.mail import pasted
from adjudicator.page import shown, whole
from adjudicator.page.desk import Desk, base64_of
from adjudicator.page.duel import DuelDesk
from adjudicator.page.whole import Whole
from adjudicator.player import letters
from adjudicator.player.copy import Copy
from adjudicator.player.safe import Lock, SafeHead
from adjudicator.store import pack
from adjudicator.store.record import Record
from adjudicator.verifier.listing import kept
from adjudicator.verifier.verify import Asked, verify
from adjudicator.words import manual, story
from adjudicator.words.adviser import Advice
from adjudicator.words.spans import ReadAt
from adjudicator.words.story import Story
from games.lessons import Lesson
from games.options import of_preset
from orders.documents import Private
from orders.entries import Reveal
from orders.errors import Refused
from orders.fields import Digest, Time
from orders.secrets import derive, draw_secret


class Play(Desk):
    """A desk with the record's history, with games against bots, and with a desk for duels beside
    it: one of the two is open at a time."""

    taught: tuple[int, int, Lesson] | None = None
    """The lesson that is open: its number, of how many."""

    def __init__(self) -> None:
        super().__init__()
        self.duel = DuelDesk()
        self._over: tuple[Digest, Whole] | None = None

    @property
    def here(self) -> SafeHead | None:
        """See SafeDesk: that of the desk that is open."""
        return self.duel.here if self.duel.is_open else super().here

    def lay_out(self, head: SafeHead, lock: Lock, held: Mapping[str, bytes]) -> dict[str, Any]:
        """Open the files of a safe: a seat's, or those of a duel's side; raises Refused."""
        if any(path.startswith("duel/") for path in held):
            told = self.duel.lay_out(head, lock, held)
            self.close()
            return told
        told = super().lay_out(head, lock, held)
        self.duel.close()
        return told

    def answer(self, name: str, /, **given: Any) -> Any:
        """The answer to a call of the page, by the desk that is open."""
        desk: Desk | DuelDesk = self
        if name in _OF_DUELS or (name == "take" and self.table is None and _of_duel(given["data"])):
            self.close()
            desk = self.duel
        elif name in _BEGIN:
            self.duel.close()
        elif self.duel.is_open and name not in _OF_NONE:
            desk = self.duel
        if name == "open":
            self.duel.clock.time = given["now"]
        return getattr(desk, name)(**given)

    def against(
        self,
        now: Time,
        game: str,
        bots: Iterable[str] = (),
        preset: str | None = None,
        options: Iterable[str] = (),
        seed: str = "",
        orders: Iterable[tuple[Time, str]] = (),
    ) -> dict[str, Any]:
        """Begin a game against bots, with the host in the page; returns the state after genesis.

        `options`: written as `name=value`, over those of the preset. `seed`: 32 bytes in hex, from
        which all secrets follow. With the seed and the time of a game that was left, and all that
        was ordered in it, each with its time, it goes on where it was left.
        """
        self.clock.time = now
        rules = games.load(game)
        named = list(bots)
        rivals = demo.seated_bots(rules, named, len(named) or rules.seats[0] - 1)
        demo.seats_of(rules, 1 + len(rivals))
        me = demo.NAMES[0]
        chosen = {**of_preset(rules.presets, preset, rules.id), **rules.parse_options(options)}
        secret = bytes.fromhex(seed) or draw_secret()
        plan = Plan(rules, ["", *rivals], secret, chosen, guests=(me,))
        return self._sit(plan, orders)

    def lesson(self, now: Time, game: str, number: int) -> dict[str, Any]:
        """Begin a lesson of a game, counted from 1, in its position; returns the state.

        In the state `lesson` tells its `number`, `of` how many, whether the orders given since were
        `right` (None: none were), and what it `says`. Raises Refused if there is no such lesson.
        """
        rules = games.load(game)
        found = games.own_lessons(rules)
        if not 1 <= number <= len(found):
            raise Refused("missing", f"{rules.id} has {len(found)} lessons, and none is {number}")
        taught = found[number - 1]
        self.clock.time = lesson.BEGUN
        orders = [(lesson.BEGUN, text) for text in taught.orders[lesson.ME]]
        self._sit(lesson.plan(rules, taught), orders, f"{{}}/{lesson.ME}")
        self.taught = (number, len(found), taught)
        return self.state(now)

    def _sit(
        self, plan: Plan, orders: Iterable[tuple[Time, str]], label: str = "guest/{}"
    ) -> dict[str, Any]:
        """Begin a game with the host in the page, and go on by these orders of its one guest, whose
        key and seat are drawn from the plan's seed under that label."""
        (me,) = plan.guests
        self.close()
        self.house = House(plan, self.root / "house", self.clock, self.clock)
        record = Record(self.root / plan.game.id)
        Copy(record, None, self.clock).receive([self.house.invite])
        self._open(record, None)
        mine = (derive(plan.seed, label.format(what)) for what in ("key", "seat"))
        join = self._join(me, Private(), False, lambda: next(mine))
        told = self._taken([self.house.begin({me: join}), *self.house.rounds(me)])
        for time, text in orders:
            told = self.order(time, text)
        return told

    def _close(self) -> None:
        super()._close()
        self.taught = None

    def _told(self) -> dict[str, Any]:
        if self.taught is None:
            return super()._told()
        number, of, taught = self.taught
        right = lesson.judged(self._own(), taught)
        told = {"number": number, "of": of, "right": right, "says": taught.told(right)}
        return {**super()._told(), "lesson": told}

    def hint(self) -> dict[str, Any]:
        """What the game's own bot would write from this seat's reports, and why: `Advice.plain`; in
        a lesson, orders that are right."""
        return super().hint() if self.taught is None else Advice(self.taught[2].answer).plain()

    # Looking.

    def log(self) -> list[dict[str, Any]]:
        """The story so far, an entry each: step, time, title, news."""
        own = self._own()
        return list(story.chapters(own.ledger, own))

    def deduced(self) -> dict[str, Any]:
        """What this seat can work out from its own reports: `may`, as `shown.worked_out`, and
        `notes`."""
        found = self._seen().worked_out(self._own().last.step)
        return {"may": shown.worked_out(found), "notes": list(found.notes)}

    def rules(self, game: str) -> dict[str, list[Any]]:
        """A game's pages, as `manual.elements`: `learn` for a first game (none: empty), without
        what only a command line needs; `rules` for all."""
        found = games.load(game)
        learn, *_ = (games.learn_page(found) or "").split(games.AT_THE_COMMAND_LINE)
        pages = {"learn": learn, "rules": games.rules_page(found)}
        return {name: list(manual.elements(page)) for name, page in pages.items()}

    def boards(self) -> list[dict[str, Any]]:
        """What happened since this seat's last orders, to be played; see `shown.Seen.boards`."""
        return list(self._seen().boards())

    def letters(self) -> list[str]:
        """The messages that came and went."""
        table = self._table()
        if table.seat is None:
            return []
        reader = ReadAt(table.clock.now(), here=True)
        return letters.all_in_words(table.ledger, table.seat, reader)

    def verdict(self) -> dict[str, Any]:
        """The verifier's findings about the copy, and about how the host has treated this seat."""
        table = self._table()
        found = verify(table.record, Asked(seat=table.seat))
        return shown.findings(found, table.record.root.name)

    def _whole(self) -> Whole:
        ledger = self._own().ledger
        if self._over is None or self._over[0] != ledger.last.digest:
            told = Story(ledger)
            told.state(told.last)
            self._over = ledger.last.digest, whole.of_game(told)
        return self._over[1]

    def end(self) -> dict[str, Any]:
        """A game that is over, with nothing hidden; see `Whole.end`."""
        return self._whole().end()

    def moment(self, step: int) -> dict[str, Any]:
        """A step of a game that is over, as it was; see `Whole.moment`."""
        return self._whole().moment(step)

    def loud(self) -> list[dict[str, Any]]:
        """The turns of a game that is over in which most was heard, see `shown.loud`."""
        ledger = self._own().ledger
        opening, links = ledger.opening, list(ledger.links())[1:]
        return shown.loud(
            [
                (link.step, story.sentences(opening, view, link.entry.events))
                for link in links
                if not isinstance(link.entry, Reveal)
                for view in [story.view_of(opening, link.entry)]
            ]
        )

    def packed(self) -> dict[str, Any]:
        """The game as one file, for anybody who wants to watch or verify it."""
        record = self._table().record if self.house is None else self.house.record
        return {
            "name": f"{opening.read_offer(record).name}.zip",
            "data": base64_of(pack.write(kept(record))),
        }


_OF_DUELS = ("accept", "end_duel", "go_on", "offer", "request", "second")
_BEGIN = ("against", "join", "lesson")
_OF_NONE = ("brings", "head", "open", "rules")
"""Calls that begin a duel or are about one; that begin another game; that need nothing open."""


def _of_duel(data: bytes) -> bool:
    """Whether pasted or dropped data brings anything of a duel."""
    try:
        return any(one.kind == "duel" for one in pasted.read(data).bundles)
    except Refused:
        return False


_play = Play()

CALLS = {
    name: partial(_play.answer, name)
    for name in (
        "accept", "again", "against", "boards", "brings", "check", "close", "consent",
        "deduced", "end", "end_duel", "go_on", "head", "hint", "join", "lesson", "letters", "log",
        "loud", "moment", "offer", "open", "order", "packed", "plan", "request", "rules", "save",
        "say", "second", "set_passphrase", "state", "take", "verdict",
    )
}  # fmt: skip
