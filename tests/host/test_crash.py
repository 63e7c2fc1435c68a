"""Row 30: whatever ends a process, and wherever, nothing accepted is lost and the next run goes on.

Whatever system calls an act makes that write: what lies there right before the n-th of them is what
`kill -9` would leave (a write is half done then). And the act is done in as many copies of a
folder, each with another of these calls refused, as by a full disk. What is left is looked at once,
however many of these endings leave the very same.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.opening import read_opening
from adjudicator.core.source import LIMIT, read_or_none
from adjudicator.host import begin
from adjudicator.store.files import read
from adjudicator.verifier.verify import verify
from orders import names
from orders.bundle import Bundle, decode, encode
from orders.documents import read_receipt
from orders.entries import Ruling
from orders.errors import Refused

Table = Any


def hook(patch: pytest.MonkeyPatch, before: Callable[[str, Callable[[], None]], None]) -> None:
    """Have `before(call, half)` called before every system call that changes what is on disk."""

    def wrap(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            writes = name != "open" or given[1] & os.O_CREAT
            if writes:
                before(name, lambda: None)
            return real(*given, **named)

        return call

    for name in ("open", "mkdir", "replace", "unlink", "fsync", "sync"):
        patch.setattr(os, name, wrap(name, getattr(os, name)))
    real = os.write

    def write(handle: int, data: bytes) -> int:
        done = 0

        def half() -> None:
            nonlocal done
            done = real(handle, data[: len(data) // 2])

        before("write", half)
        return done + real(handle, data[done:])

    patch.setattr(os, "write", write)


Left = frozenset[tuple[str, bytes | None]]


def lying_in(root: Path) -> Left:
    """Everything in a folder: names, and the bytes of files."""
    left: set[tuple[str, bytes | None]] = set()
    for folder, _, files in os.walk(root):
        below = folder[len(str(root)) :]
        left.add((below, None))
        left.update((f"{below}/{name}", read(f"{folder}/{name}", LIMIT)) for name in files)
    return frozenset(left)


def killed(
    table: Table, act: Callable[[Table], object], root: Path
) -> Iterator[tuple[Left, Table]]:
    """What a process that did it would leave if it ended right before each of its calls."""
    acting = table.copy(root / "acting")
    copies: dict[Left, Table] = {}
    ends: list[Left] = []

    def before(name: str, half: Callable[[], None]) -> None:
        half()
        patch.undo()
        ends.append(lying_in(acting.root))
        if ends[-1] not in copies:
            copies[ends[-1]] = acting.copy(root / f"{len(ends):03d}")
        hook(patch, before)

    with pytest.MonkeyPatch.context() as patch:
        hook(patch, before)
        act(acting)
    yield from ((left, copies[left]) for left in ends)
    yield lying_in(acting.root), acting


def refused_at(number: int, act: Callable[[], object]) -> bool:
    """Do it with the n-th call refused as by a full disk; whether it came to that."""
    left = number

    def before(name: str, half: Callable[[], None]) -> None:
        nonlocal left
        if left == 0 and name != "unlink":
            left -= 1
            half()
            raise OSError(errno.ENOSPC, "No space left on device")
        left -= 1

    with pytest.MonkeyPatch.context() as patch:
        hook(patch, before)
        try:
            act()
        except Refused as error:
            assert (error.word, "No space left" in error.message) == ("unwritable", True)
            return True
        except OSError as error:
            # Where a folder is made or cleared, it comes as it is.
            assert error.errno == errno.ENOSPC
            return True
    return left < 0


def refused(
    table: Table, act: Callable[[Table], object], root: Path
) -> Iterator[tuple[Left, Table]]:
    """What is left where each call in turn is refused.

    The copies are links: nothing may write into a file that is there.
    """
    for number in range(500):
        copy = table.copy(root / f"{number:03d}", os.link)
        came = refused_at(number, lambda: act(copy))  # noqa: B023 - used at once
        yield lying_in(copy.root), copy
        if not came:
            return
    raise AssertionError("no end")


ENDINGS = {"killed": killed, "full": refused}


@dataclass
class Ending:
    """A table whose act ended somewhere; whether it came to its end (`last`).

    `met`: what the tables of these endings came to, as far as they were asked.
    """

    table: Table
    last: bool
    met: set[Left]

    def as_before(self) -> bool:
        """Whether the table is by now what that of an earlier ending was."""
        left = lying_in(self.table.root)
        if left in self.met:
            return True
        self.met.add(left)
        return False


@pytest.fixture(params=ENDINGS)
def endings(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Callable[[Table, Callable[[Table], object]], Iterator[Ending]]:
    """Copies of a table, each after an act on it that ended elsewhere and left something else."""

    def each(table: Table, act: Callable[[Table], object]) -> Iterator[Ending]:
        root = Path(tempfile.mkdtemp(dir=tmp_path))
        before = lying_in(table.root)
        ends = list(ENDINGS[request.param](table, act, root))
        assert len(ends) > 5
        met: set[Left] = set()
        for end in dict(ends).values():
            yield Ending(end, end is ends[-1][1], met)
        assert lying_in(table.root) == before

    return each


def sound(table: Table) -> None:
    """What stands in the record holds; the game goes on from it, and nothing is said against it."""
    found = table.verify()
    assert found.code == 4, found.verdict


def finish(ending: Ending, script: Any) -> None:
    """The game goes on; played to its end, the record is true with all receipts that went out."""
    table = ending.table
    if ending.as_before():
        return
    sound(table)
    table.play(*script)
    for name in table.players:
        found = table.verify(name)
        assert found.code == 0, found.verdict


@pytest.fixture(scope="module")
def ordered(begun: Table, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Both have written their first orders, and sent nothing."""
    table = begun.copy(tmp_path_factory.mktemp("crash") / "ordered")
    table.bundles = {
        name: encode(table.order(name, lines))
        for name, lines in (("alice", "start C4"), ("bob", "start C1"))
    }
    return table


def bundle(table: Table, name: str) -> Bundle:
    """The first order bundle of that player, as it lies in the seat."""
    return decode((table.root / name / f"{name}.seat/orders/0001-1.txt").read_bytes())


def test_submit_ends_anywhere(ordered: Table, example: Any, endings: Any) -> None:
    """A submit that ended anywhere: the same bundle is accepted then, once, and is used."""
    for ending in endings(ordered, lambda table: table.host.submit(bundle(table, "alice"))):
        table = ending.table
        sound(table)
        assert table.send(bundle(table, "bob")).status == "accepted"
        receipt = table.send(bundle(table, "alice"))
        assert receipt.status == "accepted"
        assert table.send(bundle(table, "alice")) == receipt
        table.advance()
        finish(ending, example[1:])


def test_submit_ends_anywhere_and_the_host_goes_on(ordered: Table, endings: Any) -> None:
    """What came in before the end is used without being sent again, and keeps its receipt."""
    seen = set()
    for ending in endings(ordered, lambda table: table.host.submit(bundle(table, "alice"))):
        table = ending.table
        table.send(bundle(table, "bob"))
        try:
            table.advance()
        except Refused as error:
            assert error.word == "not-yet"
            seen.add("lost")
        else:
            seen.add("used")
            receipt = table.send(bundle(table, "alice"))
            assert receipt.status == "accepted"
            assert table.entry(1).slips["alice"].digest == receipt.slip
            assert table.entry(1).slips["alice"].received == receipt.time
    assert seen == {"lost", "used"}


def test_a_revision_ends_anywhere(ordered: Table, endings: Any, tmp_path: Path) -> None:
    """While a revision comes in the earlier one stays; whichever was accepted last is used."""
    before = ordered.copy(tmp_path / "before")
    for name in ("alice", "bob"):
        before.send(bundle(before, name))
    revised = before.order("alice", "start D4")
    for ending in endings(before, lambda table: table.host.submit(revised)):
        table = ending.table
        sound(table)
        table.advance()
        used = table.entry(1).slips["alice"].digest
        first = read_receipt(table.host.submit(bundle(table, "alice")).data)
        assert first.status == "accepted"
        second = read_receipt(table.host.submit(revised).data)
        assert (second.status == "accepted") == (used == second.slip)
        assert used in (first.slip, second.slip)
        if ending.last:
            assert used == second.slip


def test_advance_ends_anywhere(ordered: Table, example: Any, endings: Any, tmp_path: Path) -> None:
    """Before its entry stands nothing has happened; after it, that entry is the one."""
    before = ordered.copy(tmp_path / "before")
    for name in ("alice", "bob"):
        before.send(bundle(before, name))
    for ending in endings(before, lambda table: table.host.advance()):
        table = ending.table
        sound(table)
        there = read_or_none(table.record, names.entry(1))
        if there is None:
            table.advance()
        else:
            with pytest.raises(Refused, match="not-yet"):
                table.host.advance()
            assert table.record.read(names.entry(1)) == there
            # Nothing has left the host: it sends that entry, never a second.
            table.hand_out((1,))
        finish(ending, example[1:])


def test_the_last_advance_ends_anywhere(
    begun: Table, example: Any, endings: Any, tmp_path: Path
) -> None:
    """With the reveal after it: the next run reveals, and not before the game's last entry."""
    before = begun.copy(tmp_path / "before").play(*example[:-1])
    assert before.submit("alice", "silent") == "accepted"
    for ending in endings(before, lambda table: table.host.advance()):
        table = ending.table
        found = table.verify()
        if table.record.last_step() == 5:
            assert found.code == 0
            with pytest.raises(Refused, match="over"):
                table.host.advance()
        else:
            assert found.code == 4, found.verdict
            table.host.advance()
        assert table.record.last_step() == 5
        if not ending.as_before():
            for name in table.players:
                assert table.verify(name).code == 0


def test_a_ruling_ends_anywhere(begun: Table, example: Any, endings: Any, tmp_path: Path) -> None:
    """A ruling stands whole or not at all."""
    before = begun.copy(tmp_path / "before").play(*example[:2])
    ruling = Ruling("by mistake", annuls=2)
    for ending in endings(before, lambda table: table.host.rule(ruling, None)):
        table = ending.table
        sound(table)
        if table.record.last_step() == 2:
            table.host.rule(ruling, None)
        assert table.record.last_step() == 3
        sound(table)


def test_start_ends_anywhere(make_table: Any, endings: Any, tmp_path: Path) -> None:
    """A genesis stands whole or not at all; the next run makes it, or gives the one made."""
    before = make_table(tmp_path / "before")
    before.offer()
    joins = before.joins

    def start(table: Table) -> Bundle:
        return begin.start(table.record, joins, table.signer, table.clock)

    for ending in endings(before, start):
        table = ending.table
        assert table.verify().code == 4, table.verify().verdict
        there = read_or_none(table.record, names.entry(0))
        for name in table.players:
            table.deliver(name, [start(table)])
        assert there in (None, table.record.read(names.entry(0)))
        assert table.submit("alice", "start A1") == "accepted"
        assert table.verify().code == 4, table.verify().verdict


def test_start_goes_on_with_other_players(make_table: Any, tmp_path: Path) -> None:
    """Joins that a crash left of players who then do not play belong nowhere, and are cleared."""
    table = make_table(tmp_path / "table", ("alice", "bob", "carol"), {})
    table.offer()
    joins = table.joins

    def start(table: Table) -> Bundle:
        return begin.start(table.record, joins, table.signer, table.clock)

    for number in (3, 12):
        _, table = list(killed(table, start, tmp_path / str(number)))[number]
    ends = (one for _, one in killed(table, start, tmp_path / "named"))
    table = next(one for one in ends if "joins/alice.toml" in one.record.paths())
    assert table.record.last_step() is None
    begin.start(table.record, joins[1:], table.signer, table.clock)
    assert "joins/alice.toml" not in table.record.paths()
    assert table.verify().code == 4, table.verify().verdict


def test_receiving_ends_anywhere(finished: Table, endings: Any, tmp_path: Path) -> None:
    """A copy takes an entry whole or not at all; the next run takes it in."""
    for last in (3, 5):
        before = finished.copy(tmp_path / f"before{last}")
        copy = before.copies["alice"]
        for path in copy.paths():
            name = names.parse(path)
            assert name is not None
            begins = name.kind in ("invite", "join")
            if not begins and (name.step >= last or name.kind == "opened"):
                (copy.root / path).unlink()
        (before.root / "alice/alice.seat/mark").unlink()
        given = finished.host.bundles([last], "alice")
        for ending in endings(
            before, lambda table, given=given: table.copy_of("alice").receive(given)
        ):
            table = ending.table
            table.copy_of("alice").receive(given)
            assert table.copies["alice"].last_step() == last
            assert verify(table.copies["alice"]).code == (0 if last == 5 else 4)


def test_ordering_ends_anywhere(begun: Table, endings: Any) -> None:
    """A player's tool never writes two bundles of one revision, and can always order again."""
    for ending in endings(begun, lambda table: table.order("alice", "start C4")):
        table = ending.table
        assert table.submit("alice", "start D4") == "accepted"
        places = [order.place for order in table.seat("alice").orders()]
        assert places == sorted(set(places))
        assert read_opening(table.record).players == ("alice", "bob")
