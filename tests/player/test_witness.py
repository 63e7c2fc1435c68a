"""What a player's tool notices alone and at once; `tests/verifier` has each lie as a whole."""

from __future__ import annotations

from typing import Any

import pytest
from replacing import replace

from adjudicator.core import bundles, deadlines
from adjudicator.core.link import Link
from adjudicator.player import witness
from adjudicator.player.copy import Copy
from adjudicator.player.seat import Seat
from adjudicator.player.table import Table as Reader
from adjudicator.player.witness import TOLERANCE
from adjudicator.store.record import Record
from adjudicator.words.spans import ReadAt
from orders import sshsig
from orders.documents import Receipt, read_receipt
from orders.entries import Awaited, Ruling, SeatChange, UsedSlip
from orders.sshsig import Signed

Table = Any

T = "2026-01-01T00:00:00Z"
"""Seconds of half the turn time of the tables here."""


@pytest.fixture
def shot(table: Table) -> Table:
    """Alice has fired, and Bob is awaited for entry 3."""
    return table.play({"alice": "start C4", "bob": "start C1"}, {"alice": "fire S"})


def noticed(table: Table, name: str, link: Link) -> list[str]:
    """What a player notices in an entry."""
    return list(witness.of_step(table.host.ledger, table.seat(name), link))


def of_receipts(ledger: Any, seat: Seat, since: int) -> list[str]:
    """What is amiss with the seat's receipts from that step on."""
    return list(witness.of_receipts(ledger, seat, witness.given(ledger, seat, since)))


def answer(table: Table, name: str, status: str, place: int = -1, **values: Any) -> Receipt:
    """A receipt that the host signs for an order of that player, kept in their seat."""
    seat = table.seat(name)
    order = seat.orders()[place]
    host = table.host
    receipt = Receipt(
        host.opening.id, order.slip.step, name, order.slip.revision, order.file.digest,
        table.clock.now(), host.last.step, host.last.digest, status,
    )  # fmt: skip
    receipt = replace(receipt, **values)
    file = Signed.by(table.signer, sshsig.RECEIPT, receipt.render())
    seat.keep_receipt(receipt.step, receipt.revision, file)
    return receipt


def test_nothing_is_noticed_of_an_honest_host(finished: Table) -> None:
    """Neither in an entry nor in a receipt."""
    ledger = finished.host.ledger
    for name in finished.players:
        for link in ledger.links():
            assert noticed(finished, name, link) == []
            assert list(witness.of_seat(ledger, finished.seat(name), link)) == []
        assert of_receipts(ledger, finished.seat(name), 0) == []


def test_receipts_are_held_with_what_they_answer(table: Table) -> None:
    """Those of this game, for these steps; another host's signature counts for nothing."""
    table.submit("alice", "start C4")
    seat, ledger = table.seat("alice"), table.host.ledger
    (one,) = witness.given(ledger, seat)
    assert (one.receipt.status, one.order) == ("accepted", seat.orders()[0])
    assert witness.given(ledger, seat, 2) == witness.given(ledger, seat, 0, 0) == []
    seat.keep_receipt(1, 1, Signed(one.file.data, b"x"))
    assert len(witness.given(ledger, seat)) == 1
    assert witness.given(ledger, seat, trusted=False) == []
    answer(table, "alice", "illegal", game="0" * 64)
    assert len(witness.given(ledger, seat)) == 1


@pytest.mark.parametrize("agreed", [True, False])
def test_a_seat_that_is_given_away(shot: Table, agreed: bool) -> None:
    """Whoever sat there is told, even if they signed a consent: somebody may have their key."""
    ledger, seat = shot.host.ledger, shot.seat("bob")
    link = ledger.link(2)
    change = SeatChange("bob", "ab" * 32, "cd" * 32 if agreed else None)
    entry = replace(link.entry, ruling=Ruling("Bob is \u00e9", seat=change))
    other = replace(link.joins["bob"], sealing="ab" * 32)
    given = replace(link, entry=entry, joins={**link.joins, "bob": other})
    (line,) = witness.of_seat(ledger, seat, given)
    signed = "your key signed" if agreed else "you did not sign"
    assert line == (
        f"entry 2 gives your seat to somebody else, and {signed} that; the reason given: "
        "'Bob is \\xe9'"
    )
    assert list(witness.of_seat(ledger, shot.seat("alice"), given)) == []
    assert list(witness.of_seat(ledger, seat, replace(given, joins=link.joins))) == []


def test_an_order_that_this_seat_did_not_write(shot: Table) -> None:
    """Somebody else has the key, or there is another copy of the seat."""
    link = shot.host.ledger.link(2)
    entry = replace(link.entry, slips={"alice": UsedSlip("ab" * 32, T)})
    (line, *_) = noticed(shot, "alice", replace(link, entry=entry))
    assert line.startswith("entry 2 uses an order in your name that this seat did not write")
    assert noticed(shot, "bob", replace(link, entry=entry)) == []


@pytest.mark.parametrize(
    ("status", "told"),
    [(None, "no receipt"), ("accepted", "receipt: accepted"), ("absent", "receipt: absent"),
     ("illegal", ""), ("superseded", "")],
)  # fmt: skip
def test_an_order_that_was_not_used(table: Table, status: str | None, told: str) -> None:
    """A later revision than the one used, if nothing says why."""
    table.play({"alice": "start C4", "bob": "start C1"})
    table.submit("alice", "fire S")
    table.order("alice", "silent")
    if status is not None:
        answer(table, "alice", status)
    table.advance()
    found = noticed(table, "alice", table.host.ledger.link(2))
    lines = [line for line in found if "in their place" in line]
    assert len(lines) == bool(told)
    if told:
        uses = (
            "entry 2 uses orders that you had replaced (step 2, revision 1), and not those in "
            "their place (step 2, revision 2)"
        )
        sent = "" if status else "if you sent it in time, "
        assert lines[0] == f"{uses} ({told}); {sent}protest with your next orders: --protest order"


def missing_alice(table: Table) -> Link:
    """Entry 2 as if Alice had been missing."""
    link = table.host.ledger.link(2)
    return replace(link, entry=replace(link.entry, slips={}, missing=("alice",)), slips={})


def test_a_player_who_ordered_and_is_called_missing(shot: Table) -> None:
    """They are told, with the last answer; a ruling calls nobody missing."""
    link = missing_alice(shot)
    lines = [line for line in noticed(shot, "alice", link) if "calls you missing" in line]
    assert lines == [
        "entry 2 calls you missing, though you wrote revision 1 for step 2 (receipt: accepted); "
        "protest with your next orders: --protest order"
    ]
    assert noticed(shot, "bob", link) == []
    ruling = replace(link, entry=replace(link.entry, ruling=Ruling("snow")))
    assert not any("missing" in line for line in noticed(shot, "alice", ruling))


def test_two_answers_to_one_order_are_a_proof(table: Table) -> None:
    """The tool says how to write it out."""
    table.submit("alice", "start C4")
    answer(table, "alice", "illegal")
    lines = of_receipts(table.host.ledger, table.seat("alice"), 0)
    assert "the host signed two answers to one slip" in lines[0]
    assert "verify --against" in lines[0]
    assert of_receipts(table.host.ledger, table.seat("alice"), 2) == []


@pytest.mark.parametrize("status", ["illegal", "malformed", "unopenable"])
def test_a_refusal_of_what_is_right_by_one_s_own_report(table: Table, status: str) -> None:
    """The seat opens and reads its own order; a stranger's key could not."""
    table.order("alice", "start C4")
    answer(table, "alice", status)
    ledger, seat = table.host.ledger, table.seat("alice")
    (one,) = witness.given(ledger, seat)
    (line,) = witness.of_refusal(ledger, seat, one)
    assert f"{status}, yet by your own report nothing is wrong with it" in line
    assert of_receipts(ledger, seat, 0) == [line]
    for harmless in (
        replace(one, order=None),
        replace(one, receipt=replace(one.receipt, status="absent")),
        replace(one, order=replace(one.order, sealed=b"x")),
        replace(one, order=replace(one.order, slip=replace(one.order.slip, head="0" * 64))),
    ):
        assert list(witness.of_refusal(ledger, seat, harmless)) == []


def test_a_receipt_that_names_an_entry_to_come(table: Table) -> None:
    """The player is told: that entry was not sent yet, or never will be."""
    table.order("alice", "start C4")
    answer(table, "alice", "accepted", entry=4)
    lines = of_receipts(table.host.ledger, table.seat("alice"), 0)
    assert len(lines) == 1
    assert "it names entry 4, which is not here yet" in lines[0]


def test_no_receipt_for_an_hour(table: Table) -> None:
    """Only then, only for the last order, and not once it is answered or the game is over."""
    ledger, seat = table.host.ledger, table.seat("alice")
    assert list(witness.unanswered(ledger, seat, ReadAt("2026-02-01T00:00:00Z", here=True))) == []
    table.order("alice", "start C4")
    table.order("alice", "start D4")
    written = seat.orders()[-1].slip.time
    at = [deadlines.add(written, seconds) for seconds in (0, 3600, 3601)]
    told = [list(witness.unanswered(ledger, seat, ReadAt(now, here=True))) for now in at]
    assert told[:2] == [[], []]
    assert told[2] == [
        f"NO RECEIPT yet for start D4 (sent {ReadAt(at[2], here=True).day(written)}). "
        "sync sends it again"
    ]
    answer(table, "alice", "accepted", 0)
    assert len(list(witness.unanswered(ledger, seat, ReadAt(at[2], here=True)))) == 1
    answer(table, "alice", "accepted", 1)
    assert list(witness.unanswered(ledger, seat, ReadAt(at[2], here=True))) == []


def test_nobody_waits_for_an_answer_after_the_end(finished: Table) -> None:
    """However long ago."""
    seat: Seat = finished.seat("alice")
    assert list(witness.unanswered(finished.host.ledger, seat, "2030-01-01T00:00:00Z")) == []


def test_a_time_that_lies_ahead() -> None:
    """A quarter of an hour is tolerated; what has no time cannot be ahead."""
    for ahead in (TOLERANCE, TOLERANCE + 1):
        told = list(witness.of_times("entry 3", deadlines.add(T, ahead), T))
        assert len(told) == (ahead > TOLERANCE)
    assert list(witness.of_times("entry 3", "2025-01-01T00:00:00Z", T)) == []
    assert list(witness.of_times("entry 3", None, T)) == []
    late = deadlines.add(T, TOLERANCE + 60)
    assert list(witness.of_times("entry 3", late, T)) == [
        f"entry 3 is dated {late}, this machine's clock says {T}: 16 min ahead; "
        "if your clock is right, protest with your next orders: --protest time"
    ]


def test_an_entry_that_comes_after_the_deadline_that_it_gives(shot: Table) -> None:
    """Whoever it newly awaits is told; whoever was awaited before has had the time."""
    link = shot.host.ledger.link(2)
    until = link.entry.awaited["bob"].until
    after = deadlines.add(until, 1)
    assert list(witness.of_deadline(link, "bob", until)) == []
    (line,) = witness.of_deadline(link, "bob", after)
    assert line.startswith(f"entry 2 awaits you until {until}, and this machine's clock says")
    assert list(witness.of_deadline(link, "alice", after)) == []
    kept = {"bob": Awaited("turn", T, until)}
    older = replace(link, entry=replace(link.entry, awaited=kept))
    assert list(witness.of_deadline(older, "bob", after)) == []


@pytest.mark.parametrize("more", [True, False])
@pytest.mark.parametrize("together", [True, False])
def test_a_deadline_that_passed_on_the_way(shot: Table, *, more: bool, together: bool) -> None:
    """Entry 2 asks Bob and comes after its deadline. If entry 3 comes with it and gives him more
    time, there is nothing to protest against; if it calls him missing, or comes later, there is."""
    until = shot.host.last.clocks.awaited["bob"].until
    record = Record(shot.root / "late")
    begun = [bundles.of_invite(shot.record), *shot.host.bundles(range(2), "bob")]
    Copy(record, None, shot.clock).receive(begun)
    table = Reader(record, shot.seat("bob"), shot.clock)
    shot.clock.skip(deadlines.between(shot.clock.now(), until) + 1)
    host = shot.host
    if more:
        host.rule(Ruling("it has not left"), deadlines.add(until, 86_400))
    else:
        host.advance(late=True)
    heaps = (
        [host.bundles([2, 3], "bob")] if together else [host.bundles([n], "bob") for n in (2, 3)]
    )
    warnings = [line for heap in heaps for line in table.take(("", one) for one in heap).warnings]
    late = [line for line in warnings if "if it came so late" in line]
    assert [line[:7] for line in late] == ["entry 2"] * (not (more and together))


def test_a_receipt_for_orders_that_this_seat_never_wrote(table: Table) -> None:
    """A stranger who copies slips of another game, or holds the key, has them answered here."""
    table.submit("alice", "start C4")
    own = read_receipt(table.receipts[-1].data)
    for digest, warned in ((own.slip, False), ("0" * 64, True)):
        other = replace(own, slip=digest)
        file = Signed.by(table.signer, sshsig.RECEIPT, other.render())
        (one,) = table.copy_of("alice").receive([bundles.of_receipt(file)])
        told = any("orders that this seat did not write" in line for line in one.warnings)
        assert told is warned
