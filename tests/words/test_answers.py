"""Receipts in words: what became of an order, step by step, and what a seat has sent."""

from __future__ import annotations

import re
from typing import Any

import pytest
from replacing import replace

from adjudicator.words.answers import answered, counts, lines_of, sent
from adjudicator.words.spans import ReadAt
from orders.documents import Receipt
from orders.entries import Ruling

Table = Any


def said(table: Table, receipt: Receipt) -> tuple[str, bool]:
    """The receipt in words, and whether its order counts, as the record stands now."""
    ledger = table.host.ledger
    return answered(ledger, receipt), counts(ledger, receipt)


def test_an_order_is_accepted_and_then_used(table: Table) -> None:
    """Until its entry stands there is no more to say."""
    receipt = table.send(table.order("alice", "start C4"))
    assert said(table, receipt) == ("accepted", True)
    table.play({"bob": "start C1"})
    assert said(table, receipt) == ("accepted, and used in entry 1", True)


def test_an_order_that_was_replaced_is_not_used(table: Table) -> None:
    """By a revision of the same player; it was accepted all the same."""
    first = table.send(table.order("alice", "start C4"))
    second = table.send(table.order("alice", "start D4"))
    table.play({"bob": "start C1"})
    assert said(table, first)[0] == "accepted, and not used in entry 1"
    assert said(table, second)[0] == "accepted, and used in entry 1"


def test_an_annulled_entry_takes_its_orders_with_it(table: Table) -> None:
    """What was used is annulled, what waits is voided; both say which step to order for."""
    table.play({"alice": "start C4", "bob": "start C1"})
    used = table.send(table.order("alice", "fire S"))
    table.advance()
    waits = table.send(table.order("bob", "silent"))
    table.rule(Ruling("misread", annuls=2))
    assert said(table, used) == (
        "accepted, and used in entry 2, which a ruling has annulled; send orders for step 4",
        False,
    )
    assert said(table, waits) == (
        "accepted for step 3, which the ruling in entry 3 has voided; send orders for step 4",
        False,
    )


def test_a_ruling_that_moves_a_deadline_leaves_orders_as_they_are(table: Table) -> None:
    """They still wait for their entry."""
    receipt = table.send(table.order("alice", "start C4"))
    table.clock.skip(2 * 86_400)
    table.rule(Ruling("snow"), "2026-01-05T00:00:00Z")
    assert said(table, receipt) == ("accepted", True)


def test_an_abandoned_game_wants_no_more_orders(table: Table) -> None:
    """It says what happened, and does not ask for new orders."""
    table.play({"alice": "start C4", "bob": "start C1"})
    receipt = table.send(table.order("alice", "fire S"))
    table.rule(Ruling("no time", abandons=True))
    assert said(table, receipt) == ("accepted; then entry 2 abandoned the game", False)


@pytest.mark.parametrize(
    ("status", "why"),
    [("stale", "order again"), ("superseded", "a later revision counts"),
     ("absent", "send the whole"), ("unopenable", "do not open"),
     ("malformed", "does not understand"), ("illegal", "not allowed")],
)  # fmt: skip
def test_a_refusal_says_how_to_go_on(finished: Table, status: str, why: str) -> None:
    """Each in a line that begins with the receipt's own word."""
    accepted = finished.given("alice")[0].receipt
    text, is_used = said(finished, replace(accepted, status=status))
    assert text.startswith(f"{status}: ")
    assert why in text
    assert not is_used


def test_an_order_whose_file_came_later_is_not_absent(table: Table) -> None:
    """Of two receipts for one slip the one that judged it counts."""
    order = table.order("alice", "start C4")
    without = replace(order, files=tuple(file for file in order.files if ".sealed" not in file[0]))
    assert [table.send(one).status for one in (without, order)] == ["absent", "accepted"]
    assert [one.answer for one in sent(table.seated("alice"))] == ["accepted"]


def test_what_a_seat_has_sent_for_the_coming_entry(table: Table) -> None:
    """Each revision with its lines and its answer; nothing of entries that stand."""
    table.play({"alice": "start C4", "bob": "start C1"})
    table.submit("alice", "fire S")
    table.order("alice", "silent # perhaps", "time")
    first, second = sent(table.seated("alice"))
    assert (first.slip.revision, first.answer) == (1, "accepted")
    assert lines_of(first.file) == ["fire S"]
    assert (second.slip.revision, second.answer) == (2, "")
    elsewhere = ReadAt(second.slip.time)
    assert first.text(elsewhere) == f"Sent {first.slip.time}: fire S. The host has it"
    assert second.text(elsewhere) == (
        f"Signed {second.slip.time}: silent # perhaps, with a protest: time. No receipt yet"
    )
    assert re.fullmatch(r"Sent today \d\d:\d\d: .*", first.text(ReadAt(first.slip.time, here=True)))
    table.advance()
    assert sent(table.seated("alice")) == []
    without = first._replace(file=first.file._replace(orders=()))
    assert without.text(elsewhere).endswith(": no lines. The host has it")
