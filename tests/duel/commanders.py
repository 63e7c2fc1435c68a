"""Two people who play a duel at command lines, each in a folder of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import Result
from commands import Table
from duel.hosted import BOTS, SUGAR_BOTS, drawn

from adjudicator.player.duel import Home
from adjudicator.store.clock import SystemClock
from adjudicator.words.form import NO_LINES
from games.dice import Dice
from games.game import Bot
from orders import crypto

TIME = "2030-01-01T12:00:00Z"
"""When everything happens, if a test does not say otherwise; None is the present."""


class Person(Table):
    """Somebody with a folder of their own, and a bot that thinks for them."""

    game, bots = "silent-ships", BOTS

    def __init__(self, root: Path, name: str, bot: str) -> None:
        super().__init__(root)
        root.mkdir()
        self.name = name
        self.drawn = 0
        self.time: str | None = TIME
        self.settings: dict[str, str] = {}
        self.key("key")
        self.bot: Bot = self.bots[bot](name)
        self.dice = Dice(drawn(name))
        self.heard = 0

    @contextmanager
    def surrounded(self) -> Iterator[None]:
        """With this person's settings, and with chance and time of their own: each run of a test
        plays the same duel."""
        with pytest.MonkeyPatch.context() as patch:
            for name, value in self.settings.items():
                patch.setenv(name, value)
            patch.setattr(crypto, "fresh", self.fresh)
            if self.time is not None:
                patch.setattr(SystemClock, "now", lambda _: self.time)
            yield

    def fresh(self) -> bytes:
        self.drawn += 1
        return drawn(f"{self.root.name} {self.name} {self.drawn}")

    def run(self, *arguments: object, given: bytes | None = None) -> Result:
        """A command in these surroundings."""
        with self.surrounded():
            return super().run(*arguments, given=given)

    def key(self, path: object) -> str:
        with self.surrounded():
            return super().key(path)

    @property
    def home(self) -> Home:
        return Home.open(self.root / f"{self.name}.duel")

    def think(self) -> bool:
        """Order once, if something is asked."""
        party = self.home.party()
        if party.prompt is None:
            return False
        for report in party.side.heard[self.heard :]:
            self.bot.hear(report.view, report.events)
        self.heard = len(party.side.heard)
        lines = self.bot.order(self.dice).orders.strip().replace("\n", "; ")
        self.ok("play", lines or NO_LINES)
        return True

    @property
    def block(self) -> Path:
        """The newest block that is to be sent."""
        found = self.root.glob(f"{self.game}-{self.name}-*.txt")
        return max(found, key=lambda path: path.stat().st_mtime_ns)


class Submariner(Person):
    """The same in Sugar Dog."""

    game, bots = "sugar-dog", SUGAR_BOTS


def by_mail(root: Path) -> tuple[Person, Person]:
    """Two people, each with a mailbox; mails are files."""
    ann, ben = Person(root / "ann", "ann", "captain"), Person(root / "ben", "ben", "captain")
    for one, other in ((ann, ben), (ben, ann)):
        one.settings = {
            "ADJUDICATOR_MAIL_ADDRESS": f"{one.name}@example.org",
            "ADJUDICATOR_MAIL_IN": f"maildir:{one.root}/inbox",
            "ADJUDICATOR_MAIL_OUT": f"maildir:{other.root}/inbox",
        }
        for folder in ("tmp", "new", "cur"):
            (one.root / "inbox" / folder).mkdir(parents=True)
    return ann, ben
