"""A host's desk: what came, what is due, and what leaves for whom, by whatever way it goes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core import bundles
from adjudicator.host.desk import Desk
from adjudicator.host.waiting_room import Applicant, chosen
from adjudicator.player import letters
from orders.documents import read_receipt
from orders.errors import Refused

Table = Any


def at(table: Table) -> Desk:
    """The desk of a table's host."""
    return Desk(table.record, lambda: table.signer, table.clock)


@pytest.fixture
def begun(make_table: type[Any], tmp_path: Path) -> Table:
    """A game that has begun, in which messages are allowed."""
    return make_table(tmp_path, options={"first": "alice", "press": "private"}).begin()


def test_it_begins_when_all_have_joined(make_table: type[Any], tmp_path: Path) -> None:
    """As many as its host said, in order of arrival; a join twice counts once. Whoever asks for a
    seat later is left to the host."""
    table = make_table(tmp_path)
    table.offer()
    desk = at(table)
    assert desk.wanted is None
    for join in (table.joins[0], *table.joins):
        taken = desk.take(join)
        assert (taken.leaves, taken.asks, desk.has(join)) == ({}, False, True)
    assert (desk.advance(), desk.host) == (range(0), None)
    with pytest.raises(Refused, match="the game has not begun"):
        desk.begun()
    desk.folder.set_seats(2)
    assert desk.advance() == range(1)
    assert desk.begun().opening.players == ("alice", "bob")
    desk.room.drop("alice")
    assert all(map(desk.has, table.joins))
    assert [(step, player, number) for step, player, number, _ in desk.leaves([0])] == [
        (0, None, 1)
    ]
    assert not desk.take(table.joins[0]).asks
    again = make_table(tmp_path / "other", seed=b"\x08" * 32)
    again.root.mkdir()
    again.signer = table.signer
    assert desk.take(again.join("alice", bundles.of_invite(table.record))).asks


def test_a_game_that_is_closed_takes_nobody(make_table: type[Any], tmp_path: Path) -> None:
    """Nor does it begin, though all are there."""
    table = make_table(tmp_path)
    table.offer()
    desk = at(table)
    for join in table.joins:
        desk.take(join)
    desk.folder.set_seats(2)
    desk.closed = "not all came"
    assert (desk.go_on(), desk.host) == (False, None)
    with pytest.raises(Refused, match="not all came"):
        desk.take(table.joins[0])


def test_orders_are_answered(begun: Table) -> None:
    """Their receipt leaves for their player; the same order again brings the same one."""
    order, desk = begun.order("alice", "start C4"), at(begun)
    assert not desk.has(order)
    taken = desk.take(order)
    assert taken.what == "order of alice, step 1, revision 1: accepted"
    assert list(taken.leaves) == ["alice"]
    again = desk.take(order)
    assert (taken.new, again.new, desk.has(order)) == (True, False, True)
    assert again.leaves == taken.leaves
    assert again.answer is not None
    assert read_receipt(again.answer.data).status == "accepted"


def test_an_absent_order_was_not_taken_in(begun: Table) -> None:
    """Its receipt is there, and yet the whole of it is wanted."""
    order, desk = begun.order("alice", "start C4"), at(begun)
    held = dict(order.files)
    held.pop("orders/0001-alice.sealed")
    desk.take(bundles.pack("order", held))
    assert not desk.has(order)
    taken, again = desk.take(order), desk.take(order)
    assert (taken.new, again.new, desk.has(order)) == (True, False, True)


def test_a_join_is_chosen_by_a_name_that_one_has() -> None:
    """What is missing and what is doubtful have words of their own."""
    bundle = bundles.pack("join", {"joins/bob.toml": b"", "joins/bob.toml.sig": b""})
    two = [Applicant("bob", f"SHA256:{number}", bundle) for number in range(2)]
    with pytest.raises(Refused, match=r"missing: no join of 'alice' was pushed"):
        chosen(two, ["alice"])
    with pytest.raises(Refused, match=r"bad-key: 2 keys ask for the name bob"):
        chosen(two, ["bob"])
    assert chosen(two, ["bob=SHA256:1"]) == [bundle]


def test_two_copies_of_a_seat_are_noticed(begun: Table) -> None:
    """Two slips of one player for one step and revision, whichever the host knows already: from
    now, from what waits, or from the last entry."""
    first = begun.order("alice", "start C4")
    for path in (begun.root / "alice" / "alice.seat" / "orders").iterdir():
        path.unlink()
    other, desk = begun.order("alice", "start C5"), at(begun)
    assert desk.take(first).warnings == []
    (told,) = desk.take(other).warnings
    assert told.startswith("alice has signed two different orders as step 1, revision 1")
    assert at(begun).take(other).warnings == [told]
    assert desk.take(begun.order("bob", "start C1")).warnings == []
    assert desk.advance() == range(1, 2)
    assert at(begun).take(other).warnings == [told]


def test_letters_are_passed_on(begun: Table) -> None:
    """Each reader's leaves for that reader; and once more, as a crash may have come between."""
    own, desk = begun.seated("alice"), at(begun)
    text = letters.message("bob", "Truce?", anonymous=False)
    letter = letters.write(own.ledger, own.seat, begun.keys["alice"], text)
    assert not desk.has(letter)
    taken = desk.take(letter)
    assert list(taken.leaves) == ["bob"]
    assert re.fullmatch("letter [0-9]+ of alice", taken.what)
    assert list(desk.take(letter).leaves) == ["bob"]
    assert desk.has(letter)


def test_what_leaves_with_an_entry(begun: Table) -> None:
    """A bundle for each player who has a report; one without is for everybody."""
    desk = at(begun)
    for name, line in (("alice", "start C4"), ("bob", "start C1")):
        desk.take(begun.order(name, line))
    assert desk.advance() == range(1, 2)
    left = list(desk.leaves([0, 1]))
    assert [(step, player) for step, player, _, _ in left] == [(0, None), (1, "alice"), (1, "bob")]
    assert [bundles.name(desk.name, bundle) for *_, bundle in left[1:]] == [
        f"{desk.name}-0001-alice", f"{desk.name}-0001-bob",
    ]  # fmt: skip
    assert desk.advance() == range(2, 2)


def test_one_act_goes_on_without_who_is_late(begun: Table) -> None:
    """For what follows they are waited for again; what spares them comes first."""
    desk = at(begun)
    desk.take(begun.order("alice", "start C4"))
    begun.clock.skip(30 * 86_400)
    assert desk.go_on(lambda: True, late=True)
    assert desk.begun().last.step == 0
    assert desk.advance(late=True) == range(1, 2)
    assert desk.begun().last.entry.missing == ("bob",)
