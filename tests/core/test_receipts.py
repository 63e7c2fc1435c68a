"""Receipts against a chain: what proves that a host was right, and what that it lied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from replacing import replace

from adjudicator.core import deadlines, receipts
from adjudicator.core.receipts import OrderReceipt, ReceiptVerdict, RevealedGame
from orders import sshsig
from orders.documents import read_receipt
from orders.entries import Ruling
from orders.errors import Refused
from orders.sshsig import Signed

Table = Any


def given(table: Table, name: str, place: int = 0, **values: Any) -> OrderReceipt:
    """A receipt from that player's seat with other values, signed by the host.

    One for another slip answers no order that the seat holds.
    """
    one = table.given(name)[place]
    receipt = replace(one.receipt, **values)
    order = one.order if receipt.slip == one.receipt.slip else None
    return OrderReceipt(receipt, Signed.by(table.signer, sshsig.RECEIPT, receipt.render()), order)


def judge(
    table: Table, one: OrderReceipt, *others: OrderReceipt, revealed: RevealedGame | None = None
) -> ReceiptVerdict:
    """Whether the host was right, by its record as it stands."""
    return receipts.judge(table.host.ledger, one, others, revealed)


def test_a_receipt_is_the_host_s_and_of_this_game(finished: Table) -> None:
    """With the order that it answers, where one is held."""
    opening = finished.host.opening
    one = finished.given("alice")[0]
    assert receipts.read(opening, one.file, one.order) == one
    assert receipts.read(opening, one.file).order is None
    other = finished.given("bob")[0].order
    assert receipts.read(opening, one.file, other).order is None
    assert one.place == "receipt for alice, step 1, revision 1"
    with pytest.raises(Refused, match="bad-signature"):
        receipts.read(opening, replace(one.file, signature=b"x"))
    assert receipts.read(opening, replace(one.file, signature=b"x"), trusted=True)
    elsewhere = given(finished, "alice", game="0" * 64).file
    with pytest.raises(Refused, match=f"mismatch: the receipt is of game {'0' * 64}"):
        receipts.read(opening, elsewhere)


@pytest.mark.parametrize(
    ("first", "second", "lies"),
    [("accepted", "illegal", True), ("stale", "superseded", True), ("accepted", "accepted", False),
     ("accepted", "absent", False), ("absent", "accepted", False), ("absent", "absent", False)],
)  # fmt: skip
def test_two_answers_to_one_slip(finished: Table, first: str, second: str, lies: bool) -> None:
    """They are a proof, whichever came first; `absent` alone may be replaced."""
    early = given(finished, "alice", status=first, time="2026-01-01T00:00:00Z")
    late = given(finished, "alice", status=second, time="2026-01-01T00:09:00Z")
    expected = [(early, late)] if lies else []
    assert receipts.contradictions([early, late]) == expected
    assert receipts.contradictions([late, early]) == expected
    beside = given(finished, "bob", status="illegal")
    assert receipts.contradictions([early, beside]) == []


def test_three_answers_of_which_one_is_absent(finished: Table) -> None:
    """The two others still contradict each other."""
    one, two, three = (
        given(finished, "alice", status=status, time=f"2026-01-01T00:0{at}:00Z")
        for at, status in enumerate(("absent", "accepted", "illegal"))
    )
    assert receipts.contradictions([three, one, two]) == [(two, three)]


def test_an_accepted_order_was_used(finished: Table) -> None:
    """As the entry says: this slip, and when it came."""
    one = given(finished, "bob")
    assert judge(finished, one) == ReceiptVerdict(
        "true", f"{one.place}: accepted and used", used=True
    )
    later = given(finished, "bob", time="2026-01-01T09:00:00Z")
    told = judge(finished, later)
    assert (told.status, told.used) == ("false", False)
    assert "received at 2026-01-01T09:00:00Z, entry 1 says 2026-01-01T" in told.text


def test_an_accepted_order_that_was_not_used_is_a_lie(table: Table) -> None:
    """Unless a later revision took its place; before its entry nobody can tell."""
    table.submit("alice", "start C4")
    one = given(table, "alice")
    assert judge(table, one).status == "unknown"
    table.submit("alice", "start D4")
    table.play({"bob": "start C1"})
    told = judge(table, one)
    assert (told.status, told.text) == (
        "true", f"{one.place}: accepted, then replaced by revision 2",
    )  # fmt: skip
    second = given(table, "alice", 1)
    older = replace(second, receipt=replace(second.receipt, slip="0" * 64))
    told = judge(table, older)
    assert (told.status, told.text.endswith("yet entry 1 uses revision 2")) == ("false", True)
    table.play({"alice": "silent"})
    head = table.host.ledger.link(1).digest
    missing = given(table, "alice", 1, slip="0" * 64, player="bob", step=2, entry=1, head=head)
    assert judge(table, missing).text.endswith("accepted, yet entry 2 lists no order of bob")


def test_nothing_is_accepted_once_the_game_is_over(finished: Table) -> None:
    """A receipt for the step of the reveal: no order of that step can be used."""
    end = finished.host.ledger.last.step
    head = finished.host.ledger.link(end - 1).digest
    told = judge(
        finished, given(finished, "alice", step=end, entry=end - 1, slip="0" * 64, head=head)
    )
    assert (told.status, told.text.endswith(f"yet entry {end} lists no order of alice")) == (
        "false", True,
    )  # fmt: skip


def test_a_ruling_voids_what_was_accepted(table: Table) -> None:
    """It annuls, or it abandons the game after its first adjudication."""
    table.play({"alice": "start C4", "bob": "start C1"})
    table.submit("alice", "fire S")
    one = given(table, "alice", 1)
    table.rule(Ruling("misread", annuls=1))
    assert judge(table, one) == ReceiptVerdict(
        "true", f"{one.place}: accepted, then voided by the ruling in 2"
    )
    table.submit("alice", "start C4")
    other = given(table, "alice", 2)
    table.rule(Ruling("no time", abandons=True))
    assert judge(table, other).text.endswith("accepted, then the game was abandoned")
    assert judge(table, other).status == "true"


def test_a_ruling_on_deadlines_is_annulled_before_the_first_adjudication(table: Table) -> None:
    """What was accepted is voided then too, and no receipt for it is a proof against the host."""
    table.submit("alice", "start C4")
    one = given(table, "alice")
    until = deadlines.add(next(iter(table.host.last.clocks.awaited.values())).until, 86_400)
    table.rule(Ruling("later"), until)
    table.rule(Ruling("not later", annuls=1))
    assert judge(table, one).text.endswith("accepted, then voided by the ruling in 2")
    assert judge(table, one).status == "true"


def test_a_game_abandoned_early_lists_what_was_accepted(table: Table) -> None:
    """Its seed is thrown away in the open; who was left out holds a proof."""
    table.submit("alice", "start C4")
    one = given(table, "alice")
    table.rule(Ruling("no time", abandons=True))
    assert judge(table, one).used
    bobs = given(table, "alice", player="bob", slip="0" * 64)
    told = judge(table, bobs)
    assert (told.status, told.text.endswith("entry 1 lists no order of bob")) == ("false", True)


def test_a_receipt_names_the_host_s_last_entry(finished: Table, table: Table) -> None:
    """An entry that is not here may be on its way, but none comes after the reveal.

    Another entry in its place is a fork.
    """
    table.submit("alice", "start C4")
    ahead = given(table, "alice", entry=9)
    told = judge(table, ahead)
    assert (told.status, "it names entry 9, which is not here yet" in told.text) == (
        "unknown",
        True,
    )
    for status in ("accepted", "illegal"):
        ahead = given(finished, "alice", entry=9, status=status)
        told = judge(finished, ahead)
        assert (told.status, told.text) == (
            "false", f"{ahead.place}: names entry 9, and nothing follows the reveal",
        )  # fmt: skip
    other = given(table, "alice", head="0" * 64)
    assert judge(table, other).text.endswith("names an entry 0 that is not the record's")
    other = given(finished, "alice", head="0" * 64)
    told = judge(finished, other)
    assert (told.status, told.text) == (
        "false", f"{other.place}: names an entry 0 that is not the record's",
    )  # fmt: skip


def test_a_refusal_is_held_against_the_chain(finished: Table) -> None:
    """Stale where it was not, superseded where nothing was before it: false without a reveal."""
    right = given(finished, "alice")
    for status, verdict, said in (
        ("absent", "true", "which proves nothing for either side"),
        ("stale", "false", "stale, yet it answers entry 0, which is allowed after entry 0"),
        ("superseded", "false", "yet entry 1 uses no order to which it gave way"),
        ("illegal", "unknown", "cannot be judged before the reveal"),
        ("malformed", "unknown", "cannot be judged before the reveal"),
    ):
        one = given(finished, "alice", status=status, time="2025-12-31T00:00:00Z")
        told = judge(finished, one)
        assert (told.status, said in told.text) == (verdict, True), told
    nothing = replace(given(finished, "alice", status="illegal"), order=None)
    assert judge(finished, nothing).text.endswith("its order bundle is not given")
    late = given(
        finished, "alice", status="stale", entry=1, head=finished.host.ledger.link(1).digest
    )
    assert judge(finished, late).text.endswith("stale, as the chain shows")
    besides = judge(finished, replace(late, receipt=replace(late.receipt, status="illegal")))
    assert (besides.status, besides.text.endswith("illegal, yet after entry 1 it is stale")) == (
        "false", True,
    )  # fmt: skip
    assert judge(finished, right).used


@pytest.mark.parametrize("status", ["accepted", "absent", "stale", "illegal", "superseded"])
def test_no_receipt_names_an_entry_from_before_the_one_that_its_slip_answers(
    finished: Table, status: str
) -> None:
    """By the earlier entry the order looks stale, yet the host had signed the one it answers."""
    begun = finished.host.ledger.link(0).digest
    one = given(finished, "alice", 1, status=status, entry=0, head=begun)
    told = judge(finished, one)
    assert (told.status, told.text) == (
        "false",
        f"{one.place}: {status}, yet it names entry 0 as the last, and its slip answers entry 1",
    )
    order = one.order
    assert order is not None
    elsewhere = replace(one, order=replace(order, slip=replace(order.slip, head="0" * 64)))
    assert "it names entry 0" not in judge(finished, elsewhere).text
    to_come = OrderReceipt(
        replace(one.receipt, step=9), one.file, replace(order, slip=replace(order.slip, step=9))
    )
    assert "it names entry 0" not in judge(finished, to_come).text


def test_so_it_is_if_the_record_ends_there(table: Table) -> None:
    """The entry that the slip answers is the last one."""
    table.play({"alice": "start C4", "bob": "start C1"})
    table.submit("alice", "fire S")
    begun = table.host.ledger.link(0).digest
    told = judge(table, given(table, "alice", 1, entry=0, head=begun))
    assert told.text.endswith("it names entry 0 as the last, and its slip answers entry 1")


@pytest.mark.parametrize("values", [{"step": 9}, {"revision": 2}, {"player": "bob"}])
def test_a_receipt_says_of_its_slip_what_the_slip_says(
    finished: Table, values: dict[str, Any]
) -> None:
    """Otherwise nobody could tell which entry must use what it accepts."""
    one = given(finished, "alice", **values)
    told = judge(finished, one)
    assert (told.status, told.text) == (
        "false", f"{one.place}: accepted, yet its slip is of alice, step 1, revision 1",
    )  # fmt: skip


def test_a_superseded_order_gave_way_to_one_accepted_before_it(finished: Table) -> None:
    """By the entry that used it, or by another receipt; one accepted later justifies nothing."""
    one = given(finished, "alice", status="superseded", time="2026-01-01T09:00:00Z")
    assert judge(finished, one).text.endswith("superseded by step 1, revision 1")
    used = finished.host.ledger.link(1).entry.slips["alice"].received
    same = given(finished, "alice", status="superseded", time=used)
    assert judge(finished, same).text.endswith("superseded by step 1, revision 1")
    early = given(finished, "alice", status="superseded", time="2025-12-31T00:00:00Z")
    at_once = given(finished, "alice", revision=7, time="2025-12-31T00:00:00Z")
    assert judge(finished, early, at_once).text.endswith("superseded by step 1, revision 7")
    refused = given(finished, "alice", revision=7, time="2025-12-30T00:00:00Z", status="illegal")
    assert judge(finished, early, refused).status == "false"
    before = given(finished, "alice", revision=7, time="2025-12-30T00:00:00Z")
    after = given(finished, "alice", revision=7, time="2026-01-30T00:00:00Z")
    bobs = given(finished, "alice", revision=7, player="bob", time="2025-12-30T00:00:00Z")
    assert judge(finished, early, before).text.endswith("superseded by step 1, revision 7")
    assert judge(finished, early, after, bobs).status == "false"


def test_a_superseded_order_may_have_given_way_to_one_that_is_not_here(
    table: Table, example: Sequence[Mapping[str, str]]
) -> None:
    """Another copy of the seat wrote it. Before the entry nobody can know; then it has that order,
    or a later one."""
    early = "2025-12-31T00:00:00Z"
    table.submit("alice", "start C4")
    one = given(table, "alice", status="superseded", time=early)
    before = table.host.ledger
    assert judge(table, one).status == "unknown"
    table.submit("alice", "start C5")
    table.submit("bob", example[0]["bob"])
    table.advance()
    told = judge(table, one)
    assert (told.status, told.text) == (
        "unknown", f"{one.place}: superseded, by an order that is not here",
    )  # fmt: skip
    assert one.order is not None
    ledger = table.host.ledger
    last = replace(one, order=replace(one.order, slip=replace(one.order.slip, revision=2)),
                   receipt=replace(one.receipt, revision=2))  # fmt: skip
    assert receipts.judge(ledger, last, (last,)).status == "false"
    assert receipts.judge(before, last, (last,)).status == "unknown"


@pytest.mark.parametrize(("steps", "status"), [(0, "false"), (1, "unknown")])
def test_a_game_that_is_abandoned_lists_what_was_accepted_before_it_began_alone(
    table: Table, example: Sequence[Mapping[str, str]], steps: int, status: str
) -> None:
    """Later it lists nothing, and an order that is not here may have been accepted."""
    table.play(*example[:steps])
    table.submit("alice", "fire S" if steps else "start C4")
    one = given(table, "alice", steps, status="superseded", time="2026-01-01T00:00:00Z")
    table.rule(Ruling("no time", abandons=True))
    assert judge(table, one).status == status


def test_the_reveal_judges_by_content(finished: Table) -> None:
    """What was called illegal is judged again from its author's view then."""
    host = finished.host
    opening = host.opening
    start = opening.game.start(opening.setup)
    revealed = RevealedGame(host.game, lambda step: lambda name: opening.game.view(start, name))
    one = given(finished, "alice", status="illegal", time="2025-12-31T00:00:00Z")
    told = judge(finished, one, revealed=revealed)
    assert (told.status, told.text.endswith("illegal, but judged again it is accepted")) == (
        "false",
        True,
    )
    bare = replace(one, order=replace(one.order, sealed=None))
    told = judge(finished, bare, revealed=revealed)
    assert (told.status, "its sealed file is not given" in told.text) == ("unknown", True)

    def lost(step: int) -> Any:
        raise Refused("replay", "x")

    told = judge(finished, one, revealed=RevealedGame(host.game, lost))
    assert (told.status, "the position of entry 0 is not known" in told.text) == ("unknown", True)


def test_an_order_is_settled_by_the_next_entry_that_is_no_delay(table: Table) -> None:
    """Rulings that only move deadlines leave it waiting."""
    assert receipts.settled_by(table.host.ledger, 1) is None
    table.clock.skip(2 * 86_400)
    table.rule(Ruling("snow"), "2026-01-05T00:00:00Z")
    assert receipts.settled_by(table.host.ledger, 1) is None
    table.play({"alice": "start C4", "bob": "start C1"})
    settled = receipts.settled_by(table.host.ledger, 1)
    assert settled is not None
    assert settled.step == 2
    assert read_receipt(table.given("bob")[0].file.data).step == 1
