"""A seat's files: what is kept comes back, over a folder and over files in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from memory import Memory

from adjudicator.player.seat import Seat
from orders.bundle import encode
from orders.documents import LAST_STEP
from orders.errors import Missing, Refused
from orders.sshsig import Signed

Table = Any

A, B = "a" * 64, "b" * 64
SECRET = b"\x05" * 32


@pytest.fixture
def seat(tmp_path: Path) -> Seat:
    """A new seat in a folder."""
    return Seat.create(tmp_path / "game.seat", "alice", A, Path("keys/alice"), SECRET)


def in_memory(seat: Seat) -> Seat:
    """The same seat over files in memory."""
    return Seat.of(Memory({path: seat.files.read(path) for path in seat.files.paths()}))


def test_a_seat_is_opened_as_it_was_made(seat: Seat) -> None:
    """From its folder or from its bytes alone; the key is found from anywhere."""
    for again in (Seat.open(seat.root), in_memory(seat)):
        assert (again.player, again.invite) == ("alice", A)
        assert again.key_path == Path("keys/alice").absolute()
        assert again.secret.nonce == seat.secret.nonce
    assert in_memory(seat).root == Path()


def test_a_seat_is_for_one_game(seat: Seat, tmp_path: Path) -> None:
    """A folder that is there is left alone, and a name that is none makes no folder."""
    with pytest.raises(Refused, match="is there already") as caught:
        Seat.create(seat.root, "bob", B, Path("k"), SECRET)
    assert caught.value.word == "exists"
    assert Seat.open(seat.root).player == "alice"
    with pytest.raises(Refused, match="malformed"):
        Seat.create(tmp_path / "x", "Alice", A, Path("k"), SECRET)
    assert not (tmp_path / "x").exists()


def test_a_seat_that_is_elsewhere_is_pointed_to(seat: Seat, tmp_path: Path) -> None:
    """`game` where `game.seat` was meant; otherwise the hint says what a seat is."""
    with pytest.raises(Refused, match="missing") as caught:
        Seat.open(tmp_path / "game")
    assert caught.value.hint == f"did you mean --seat {seat.root}?"
    with pytest.raises(Refused) as other:
        Seat.open(tmp_path / "other")
    assert other.value.hint == "a seat is the folder that join made"


@pytest.mark.parametrize(
    "content",
    [b"", b"x", b'player = "alice"\n', b'player = 1\ninvite = ""\nkey = ""\nsecret = "00"\n',
     b'player = "alice"\ninvite = "x"\nkey = "k"\nsecret = "00"\n',
     b'player = "../x"\ninvite = "x"\nkey = "k"\nsecret = "' + b"05" * 32 + b'"\n',
     b'player = "alice"\ninvite = "x"\nkey = 1\nsecret = "' + b"05" * 32 + b'"\n'],
)  # fmt: skip
def test_a_damaged_seat_is_told(seat: Seat, content: bytes) -> None:
    """In one refusal, whatever is wrong with it."""
    seat.files.write("seat.toml", content)
    with pytest.raises(Refused) as caught:
        Seat.open(seat.root)
    assert caught.value.word == "malformed"
    assert "0505" not in str(caught.value)
    assert "Error(" not in str(caught.value)


def test_one_nonce_starts_one_game(seat: Seat) -> None:
    """The first genesis is remembered; a second one is a fork, and quoted beside it."""
    seat.pin(A)
    seat.pin(A)
    with pytest.raises(Refused, match="fork: this seat plays in game 'aaaa") as caught:
        seat.pin(B)
    assert f"the record is of game {B}" in caught.value.message
    seat.pin(A)


def test_a_mark_counts_for_a_copy_that_came_so_far(
    finished: Table, begun: Table, make_table: Any, tmp_path: Path
) -> None:
    """A seat may be used over several copies, and by mistake over another game."""
    seat = in_memory(finished.seat("alice"))
    mark = finished.host.ledger.mark
    seat.keep_mark(mark)
    assert seat.mark(finished.record) == mark
    assert seat.mark(begun.record) is None
    early = begun.host.ledger.mark
    seat.keep_mark(early)
    assert seat.mark(begun.record) == seat.mark(finished.record) == early
    other = make_table(tmp_path / "other", seed=b"\x09" * 32).begin()
    assert seat.mark(other.record) is None
    seat.files.write("mark", b"x")
    assert seat.mark(finished.record) is None


def test_a_seat_sits_where_its_own_join_does(finished: Table) -> None:
    """By its key, not by its name."""
    joins = finished.host.opening.joins
    seat = finished.seat("alice")
    assert seat.sits(joins)
    assert not seat.sits({**joins, "alice": joins["bob"]})
    assert not seat.sits({"bob": joins["bob"]})


def test_revisions_count_up_to_ninety_nine(seat: Seat) -> None:
    """For each step by itself; then there are no more."""
    seat = in_memory(seat)
    for number in range(1, 100):
        assert seat.next_revision(3) == number
        seat.files.write(f"orders/0003-{number}.order", b"")
    with pytest.raises(Refused, match="superseded: 99 revisions"):
        seat.next_revision(3)
    assert seat.next_revision(4) == 1


def test_a_revision_with_a_receipt_is_not_used_again(seat: Seat) -> None:
    """The seat wrote it before it was put back; but numbers that a host makes up use up none."""
    seat = in_memory(seat)
    seat.files.write("receipts/0003-2.toml", b"")
    assert seat.next_revision(3) == 3
    seat.files.write("receipts/0003-99.toml", b"")
    assert seat.next_revision(3) == 1
    seat.files.write("orders/0003-1.order", b"")
    assert seat.next_revision(3) == 2


def test_orders_come_back_by_step_and_revision(table: Table) -> None:
    """As they were sent, in their order, of the steps that are asked for."""
    first, second = table.order("alice", "start C4"), table.order("alice", "start D4")
    seat = table.seat("alice")
    assert [order.place for order in seat.orders()] == [(1, 1), (1, 2)]
    assert [order.files() for order in seat.orders()] == [dict(first.files), dict(second.files)]
    assert b"C4" in seat.order_file(1, 1)
    with pytest.raises(Missing):
        seat.order_file(1, 3)
    copy = in_memory(seat)
    for step in (2, 10):
        copy.files.write(f"orders/{step:04d}-1.txt", encode(first))
    copy.files.write("orders/0001-3.txt", b"what a crash left")
    copy.files.write("orders/notes.txt", encode(first))
    assert len(copy.orders()) == 4
    for since, until, count in ((1, 1, 2), (2, 2, 1), (2, 10, 2), (3, 9, 0), (10, LAST_STEP, 1)):
        assert len(copy.orders(since, until)) == count


def test_every_receipt_is_kept(seat: Seat) -> None:
    """One that says otherwise stands beside the first; the same again changes nothing."""
    for data in (b"one", b"two", b"one", b"three", b"two"):
        seat.keep_receipt(2, 1, Signed(data, b"s-" + data))
    seat.keep_receipt(3, 1, Signed(b"four", b"s"))
    assert sorted(file.data for file in seat.receipts(2, 2)) == [b"one", b"three", b"two"]
    assert {file.signature for file in seat.receipts(2, 2)} == {b"s-one", b"s-two", b"s-three"}
    assert [file.data for file in seat.receipts(3)] == [b"four"]
    assert len(seat.receipts()) == 4
    (seat.root / "receipts" / "0003-1.toml.sig").unlink()
    assert seat.receipts(3) == []


def test_letters_and_the_address_come_back(table: Table) -> None:
    """By name; where the host was told no address there is none."""
    seat = table.seat("alice")
    assert (seat.letters(), seat.address()) == ([], None)
    bundle = table.order("alice", "start C4")
    seat.keep_letter("out-0001", bundle)
    seat.keep_letter("in-x", bundle)
    assert seat.letters() == [("in-x", bundle), ("out-0001", bundle)]
    seat.keep_address("a@b")
    seat.keep_address("c@d")
    assert seat.address() == in_memory(seat).address() == "c@d"
