"""A host that lies, at a table of honest players: every act of a host, done wrongly at will.

Everything is real: the host has its key and its master, every player takes in what they are sent
with the project's own tool, and sends slips by it. What a player's tool says is kept in `said`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from replacing import replace

from adjudicator.core import bundles, deadlines, engine, intake
from adjudicator.core.engine import NextEntry
from adjudicator.core.source import Source
from adjudicator.host import begin
from adjudicator.host.host import Host
from orders import names, sshsig
from orders.bundle import Bundle
from orders.documents import Receipt, read_receipt
from orders.entries import AnyEntry, Genesis, Ruling
from orders.errors import Refused
from orders.fields import Time, digest
from orders.sshsig import Signed

Table = Any
Change = Callable[[NextEntry], NextEntry]


@dataclass(frozen=True)
class Wrong:
    """A clock that is ahead of another by some seconds."""

    clock: Any
    ahead: int

    def now(self) -> Time:
        """The wrong time."""
        return deadlines.add(self.clock.now(), self.ahead)


@dataclass
class Liar:
    """A host that lies. `ahead`: seconds by which its clock is wrong. `parted`: players whose tool
    refused what they were sent, so that nothing later fits their copies. `beside`: records of
    other games of this host.
    """

    table: Table
    ahead: int = 0
    said: dict[str, list[str]] = field(default_factory=dict)
    parted: set[str] = field(default_factory=set)
    beside: list[Source] = field(default_factory=list)

    def begin(self) -> Liar:
        """Begin the game honestly."""
        self.table.begin()
        return self

    def start_with(self, change: Callable[[Genesis], Genesis] | None = None) -> None:
        """Begin the game that was offered; `change`: the genesis that is made is changed so."""
        right = engine.genesis
        with pytest.MonkeyPatch.context() as patch:
            if change is not None:
                patch.setattr(engine, "genesis", lambda *given: change(right(*given)))
            table = self.table
            genesis = begin.start(table.record, table.joins, table.signer, table.clock)
        for name in self.table.players:
            self.give(name, [genesis])

    @property
    def host(self) -> Host:
        """The host's own tool, with the host's clock."""
        clock = Wrong(self.table.clock, self.ahead) if self.ahead else self.table.clock
        return Host(self.table.record, self.table.signer, clock)

    @property
    def last(self) -> AnyEntry:
        """The last entry."""
        return self.host.last.entry

    # What players do.

    def order(self, name: str, lines: str, protest: str | None = None) -> Bundle:
        """A player's order for the coming step, as their tool writes it."""
        return self.table.order(name, lines, protest)

    # What the host does.

    def answer(self, order: Bundle, *, tell: bool = True) -> Signed:
        """Answer an order by a receipt, honestly; `tell`: its sender gets the receipt."""
        answer = self.host.submit(order)
        if tell:
            self.give_receipt(answer)
        return answer

    def give_receipt(self, answer: Signed) -> None:
        """Bring a receipt to its player."""
        self.give(read_receipt(answer.data).player, [bundles.of_receipt(answer)])

    def sign_receipt(self, order: Bundle, status: str, **values: Any) -> Receipt:
        """Answer an order as the host likes, without taking it in; its sender gets the receipt."""
        host = self.host
        read = intake.own_order(order)
        made = intake.receipt(host.opening.id, host.last, read, status, host.clock.now())
        receipt = replace(made, **values)
        self.give_receipt(Signed.by(self.table.signer, sshsig.RECEIPT, receipt.render()))
        return receipt

    def forget(self, player: str) -> None:
        """Throw away a player's last order that waits, as if it had never come."""
        inbox = sorted((self.table.record.host / "inbox").glob(f"*-{player}-*.txt"))
        inbox[-1].unlink()

    def submit(self, orders: Mapping[str, str]) -> None:
        """Have players order, and answer each honestly."""
        for name, lines in orders.items():
            self.answer(self.order(name, lines))

    def advance(self, *, late: bool = False, change: Change | None = None) -> tuple[int, ...]:
        """Adjudicate without telling anybody; `change`: what the engine made is changed so."""
        with self.adjudicating(change):
            return self.host.advance(late=late)

    @contextmanager
    def adjudicating(self, change: Change | None) -> Any:
        """Change whatever the host's engine makes."""
        right = engine.adjudicate
        with pytest.MonkeyPatch.context() as patch:
            if change is not None:
                patch.setattr(engine, "adjudicate", lambda *given: change(right(*given)))
            yield

    def resign(self, **values: Any) -> None:
        """Sign the last entry again with other values, whatever they are."""
        path = names.entry(self.last.step)
        self.overwrite(path, replace(self.last, **values).render())

    def overwrite(self, path: str, data: bytes) -> None:
        """Sign an entry anew in the place of the one that is there."""
        self.table.record.write(path, data)
        self.table.record.write(names.signature(path), self.table.signer.sign(sshsig.ENTRY, data))
        (self.table.record.host / "mark").unlink(missing_ok=True)

    def rule(self, ruling: Ruling, until: Any = None) -> tuple[int, ...]:
        """Rule, and tell everybody."""
        return self.tell(self.host.rule(ruling, until))

    # What goes out.

    def tell(self, steps: Sequence[int], to: Iterable[str] | None = None) -> tuple[int, ...]:
        """Bring these entries to these players (everybody), to each what is theirs."""
        for name in self.table.players if to is None else to:
            given = [
                one for step in steps for one in bundles.of_entry(self.table.record, step, name)
            ]
            self.give(name, given)
        return tuple(steps)

    def tell_file(self, path: str) -> None:
        """Bring everybody an entry that names no other file."""
        held = {one: self.table.record.read(one) for one in (path, names.signature(path))}
        for name in self.table.players:
            self.give(name, [bundles.pack("entry", held)])

    def give(self, name: str, given: Sequence[Bundle]) -> None:
        """Bring bundles to a player, and keep what the player's tool says of them."""
        if name in self.parted:
            return
        before = len(self.table.warnings.get(name, []))
        try:
            self.table.deliver(name, given)
        except Refused as error:
            self.parted.add(name)
            self.said.setdefault(name, []).append(error.message)
        self.said.setdefault(name, []).extend(self.table.warnings.get(name, [])[before:])

    def step(self, orders: Mapping[str, str], *, change: Change | None = None) -> tuple[int, ...]:
        """One step: orders, answers, an adjudication, and everybody is told."""
        self.submit(orders)
        return self.tell(self.advance(change=change))

    def play(self, *script: Mapping[str, str]) -> Liar:
        """Steps without a lie."""
        for orders in script:
            self.step(orders)
        return self

    def finish(self) -> Liar:
        """Go on honestly to the reveal: whoever is awaited resigns."""
        while self.last.awaited:
            player = next(iter(self.last.awaited))
            if player in self.parted:
                break
            self.step({player: "resign"})
        return self


def entry_of(made: NextEntry, **values: Any) -> NextEntry:
    """What the engine made, with other values in the entry."""
    return replace(made, entry=replace(made.entry, **values))


def report_of(
    made: NextEntry, player: str, sealed: bytes, content: bytes | None = None
) -> NextEntry:
    """What the engine made, with another sealed report, and perhaps another digest of it."""
    reports = dict(made.entry.reports)
    told = replace(reports[player], sealed=digest(sealed))
    reports[player] = told if content is None else replace(told, digest=digest(content))
    return replace(entry_of(made, reports=reports), sealed={**made.sealed, player: sealed})
