"""Adjudicating a revealed record again, step by step, by the host's own code.

What belongs here: opening orders with the master, reading them from their author's view, making
every entry once more and comparing bytes. What it must not know: how a verdict is worded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from adjudicator import engine
from adjudicator.chain import Link
from adjudicator.engine import Head, Made, Taken
from adjudicator.opening import Opening
from adjudicator.record import Source
from games.dice import Dice
from games.game import OrderError, Written
from orders import names
from orders.entries import Entry, read_entry
from orders.errors import Refused, at
from orders.fields import digest
from orders.order_file import OrderFile, read_order_file
from orders.sealing import SealingKey, info, unseal
from orders.secrets import Master


@dataclass(frozen=True, slots=True)
class Replayed:
    """A step adjudicated again; `fault` says in which claim and how it differs, or is None."""

    step: int
    made: Made | None
    fault: Refused | None


def open_order(opening: Opening, key: SealingKey, step: int, player: str, sealed: bytes) -> bytes:
    """An order file's bytes; raises Refused `unopenable`. `key` is the master's sealing key."""
    size = opening.offer.invite.sizes.order
    return unseal(key, info("order", opening.id, step, player), sealed, size)


def read_opened(opening: Opening, step: int, player: str, data: bytes) -> OrderFile:
    """What stands in an opened order file of that step and player; raises Refused."""
    file = read_order_file(data, opening.game.tables, opening.offer.invite.sizes.order - 4)
    if (file.game, file.step, file.player) != (opening.id, step, player):
        raise Refused(
            "malformed",
            f"order file: it says game {file.game[:8]}, step {file.step}, player {file.player}",
            "take a fresh template",
        )
    return file


def written(file: OrderFile) -> Written:
    """The part of an order file that the game reads."""
    return Written(file.orders, file.tables)


def opened_orders(opening: Opening, master: Master, source: Source, last: int) -> dict[str, bytes]:
    """Every order file that entries 1 to `last` use, opened, by its name in the record."""
    key = master.sealing()
    held = {}
    for step in range(1, last + 1):
        entry = read_entry(source.read(names.entry(step)))
        for player in entry.slips if isinstance(entry, Entry) else ():
            sealed = source.read(names.sealed_order(step, player))
            held[names.opened_order(step, player)] = open_order(opening, key, step, player, sealed)
    return held


class Replay:
    """The positions of a record, made again from its orders. Needs the master.

    Feed it the links after genesis in order; it keeps a head for each entry, since a ruling may
    go back to any.
    """

    def __init__(
        self, opening: Opening, master: Master, source: Source, *, opened: bool = True
    ) -> None:
        """`opened`: the opened order files must lie in the record too."""
        self.opening = opening
        self.master = master
        self.source = source
        self.opened = opened
        self.key = master.sealing()
        self.heads: list[Head | None] = [engine.begin(opening)]
        self.clocks = engine.begin(opening).clocks
        self.dice: Dice | None = None

    def play(self, links: Iterable[Link]) -> Iterator[Replayed]:
        """Adjudicate each again, up to the reveal.

        After a step that cannot be played there is no position until a ruling goes back to one.
        """
        for link in links:
            if not isinstance(link.entry, Entry):
                return
            try:
                made = self._make(link, link.entry)
            except Refused as fault:
                self.heads.append(None)
                yield Replayed(link.entry.step, None, fault)
            else:
                self.heads.append(made.head(link.digest))
                yield Replayed(link.entry.step, made, _difference(link.entry, made.draft))
            self.clocks = link.clocks

    def head(self, step: int) -> Head:
        """The game as that entry left it; raises Refused where it could not be played."""
        head = self.heads[step]
        if head is None:
            raise Refused("replay", f"{names.entry(step)}: its position could not be made again")
        return head

    def _make(self, link: Link, entry: Entry) -> Made:
        if entry.ruling is not None:
            annuls = entry.ruling.annuls
            base = self.head((entry.step if annuls is None else annuls) - 1)
            before = Head(entry.step - 1, entry.prev, base.time, self.clocks, base.state)
            return engine.rule(
                self.opening, self.master, before, base, entry.ruling, entry.time, _until(entry)
            )
        head = self.head(entry.step - 1)
        taken = {player: self._taken(link, entry, player, head) for player in entry.slips}
        return engine.adjudicate(
            self.opening, self.master, self._dice(link), head, taken, entry.time, entry.press
        )

    def _dice(self, link: Link) -> Dice:
        """Fixed by entry 1 for good: the nonces in its slips."""
        if self.dice is None:
            nonces = {player: slip.nonce or "" for player, slip in link.slips.items()}
            self.dice = Dice(engine.seed(self.master, self.opening, nonces))
        return self.dice

    def _taken(self, link: Link, entry: Entry, player: str, head: Head) -> Taken:
        path, data = self._order(link, entry.step, player)
        with at(path):
            if digest(data) != link.slips[player].order:
                raise Refused("unopenable", "is not the order file that its slip signs")
            file = read_opened(self.opening, entry.step, player, data)
        view = self.opening.game.view(head.state, player)
        try:
            orders = self.opening.game.read(view, written(file))
        except OrderError as error:
            raise Refused(error.status, f"{path}: used, though {error}") from None
        used = entry.slips[player]
        return Taken(used.digest, used.received, orders)

    def _order(self, link: Link, step: int, player: str) -> tuple[str, bytes]:
        """An order file and the name of what it was read from.

        One that lies opened in the record needs no opening: the slip signs its digest, and that of
        the sealed form.
        """
        if self.opened:
            path = names.opened_order(step, player)
            return path, self.source.read(path)
        path = names.sealed_order(step, player)
        with at(path):
            return path, open_order(self.opening, self.key, step, player, link.sealed[player])


def _until(entry: Entry) -> str | None:
    """The deadline that a ruling set, if it is everyone's; a check of the chain came before."""
    untils = {prompt.until for prompt in entry.awaited.values()}
    return untils.pop() if len(untils) == 1 else None


_PARTS = ("missing", "events", "awaited", "reserve", "slips", "press", "ruling", "state")


def _difference(came: Entry, made: Entry) -> Refused | None:
    """How an entry differs from the one made again; None where they have equal bytes."""
    path = names.entry(came.step)
    for key in _PARTS:
        there, right = getattr(came, key), getattr(made, key)
        if there != right:
            return Refused("replay", f"{path}: {key}: {_show(there)}; replayed: {_show(right)}")
    for player, told in made.reports.items():
        if told.digest != came.reports[player].digest:
            return Refused(
                "reports",
                f"{path}: the report of {player} is {came.reports[player].digest}; "
                f"replayed: {told.digest}",
            )
    if _layout(came) != _layout(made):
        return Refused("replay", f"{path}: its tables stand in another order than replayed")
    return None


def _layout(entry: Entry) -> tuple[object, ...]:
    """The order of keys, which the equality of tables leaves out."""
    events = [tuple(event) for event in entry.events]
    return list(entry.awaited), list(entry.slips), list(entry.reserve), events


def _show(value: object) -> str:
    if isinstance(value, Mapping):
        value = dict(value)
    return f"{value!a:.300}"
