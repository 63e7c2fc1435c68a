"""Random games by honest hands: whatever an honest host and honest players do, the record is true.

Each walk draws acts from its number: orders, revisions, repeated and stale bundles, time that
passes, adjudications, late ones too, deadlines moved, entries annulled. After each the record holds
as far as it goes, and nobody is warned of anything; at the end it is true with all receipts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.core import deadlines
from games.dice import Dice
from orders.entries import Entry, Reveal, Ruling
from orders.errors import Refused
from orders.order_file import compose

Table = Any
ACTS = (
    "order", "order", "order", "order", "order", "advance", "advance", "advance", "again", "again",
    "time", "late", "until", "annul", "protest",
)  # fmt: skip


class Walk:
    """A game that goes on at random."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self.dice = Dice(b"walk %d" % seed)
        self.drawn = 0
        self.bundles: list[Any] = []
        self.statuses: set[str] = set()

    def below(self, bound: int) -> int:
        self.drawn += 1
        return self.dice.below(f"{self.drawn}", bound)

    def pick(self, items: Any) -> Any:
        return items[self.below(len(items))]

    @property
    def awaited(self) -> list[str]:
        return list(self.table.host.last.clocks.awaited)

    def act(self) -> None:
        """One act drawn; what an honest host refuses to do is no act."""
        before = self.table.record.last_step()
        try:
            getattr(self, self.pick(ACTS))()
        except Refused as error:
            assert error.word in ("not-yet", "over", "clock", "chain"), error
            assert self.table.record.last_step() == before

    def order(self, protest: str | None = None) -> None:
        if not self.awaited:
            return
        name = self.pick(self.awaited)
        seated = self.table.seated(name)
        report = seated.report()
        bot = seated.opening.game.bots["random"](name)
        bot.hear(report.view, report.events)
        written = bot.order(Dice(b"%d" % self.below(2**20)))
        file = compose(written.orders)
        time = self.table.clock.now()
        bundle = seated.order(file, self.table.keys[name], time, protest).bundle
        self.bundles.append(bundle)
        if self.below(4):
            self.statuses.add(self.table.send(bundle).status)

    def protest(self) -> None:
        if self.below(3) == 0:
            self.order("time")

    def again(self) -> None:
        if self.bundles:
            self.statuses.add(self.table.send(self.pick(self.bundles[-4:])).status)

    def time(self) -> None:
        self.table.clock.skip(self.below(4 * 86_400))

    def advance(self) -> None:
        self.table.advance()

    def late(self) -> None:
        self.table.clock.skip(5 * 86_400)
        self.table.advance(late=True)

    def until(self) -> None:
        awaited = self.table.host.last.clocks.awaited
        if self.below(3) == 0 and awaited:
            latest = max(prompt.until for prompt in awaited.values())
            self.table.rule(Ruling("later"), deadlines.add(latest, self.below(4 * 86_400)))

    def annul(self) -> None:
        if self.below(3) == 0:
            self.table.rule(
                Ruling("again", annuls=1 + self.below(self.table.record.last_step() + 1))
            )

    def sound(self) -> None:
        over = isinstance(self.table.entry(), Reveal)
        for name in self.table.players:
            found = self.table.verify(name)
            assert found.code in ((0, 3) if over else (4,)), found.verdict
        told = [text for texts in self.table.warnings.values() for text in texts]
        # Some orders were written and never sent, and some first orders were missed: both are
        # rightly said.
        usual = ("(no receipt)", "normal after a missed first deadline")
        assert all(any(words in text for words in usual) for text in told), told


@pytest.fixture(scope="module")
def kinds(make_table: Any, tmp_path_factory: pytest.TempPathFactory) -> list[Table]:
    """Games after genesis: two and three players, with and without reserve."""
    root = tmp_path_factory.mktemp("walks")
    return [
        make_table(root / "2", options={"reserve_time": "2d"}).begin(),
        make_table(root / "3", ("alice", "bob", "carol"),
                   {"turn_time": "12h", "missed": "resign"}).begin(),
        make_table(root / "s", game="silent-ships", options={"reserve_time": "1d"}).begin(),
        make_table(root / "w", game="submarine-warfare", options={}).begin(),
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(24))
def test_an_honest_walk_is_true(kinds: list[Table], tmp_path: Path, seed: int) -> None:
    """Forty acts, then the end: true, for everybody, with every receipt that was given."""
    walk = Walk(kinds[seed % len(kinds)].copy(tmp_path / "walk"), seed)
    table = walk.table
    for number in range(40):
        walk.act()
        if number % 8 == 0:
            walk.sound()
    walk.sound()
    if not isinstance(table.entry(), Reveal):
        table.rule(Ruling("enough", abandons=True))
    walk.sound()
    for name in table.players:
        assert table.verify(name, copy=True).code in (0, 3)
        held = {path: table.copies[name].read(path) for path in table.copies[name].paths()}
        assert held.items() <= table.held().items()


def test_walks_go_far(kinds: list[Table], tmp_path: Path) -> None:
    """They come to rulings, to missing players and to receipts of several kinds."""
    rulings = missing = 0
    statuses: set[str] = set()
    for seed in range(6):
        walk = Walk(kinds[seed % 2].copy(tmp_path / str(seed)), 100 + seed)
        for _ in range(40):
            walk.act()
        statuses |= walk.statuses
        for step in range(1, (walk.table.record.last_step() or 0) + 1):
            entry = walk.table.entry(step)
            if isinstance(entry, Entry):
                rulings += entry.ruling is not None
                missing += bool(entry.missing)
    assert rulings > 2
    assert missing > 2
    assert {"accepted", "stale", "superseded"} <= statuses
