"""One order, from sealed to read: the same for host and verifier."""

from __future__ import annotations

from typing import Any

import pytest
from replacing import replace

from adjudicator.core import intake
from orders.documents import Slip
from orders.errors import Refused
from orders.fields import digest
from orders.order_file import OrderFile
from orders.sealing import sealed_size

Table = Any


def written(table: Table, *lines: str) -> tuple[bytes, Slip]:
    """An order file of Alice's for the first step, and the slip that signs it."""
    opening = table.host.opening
    data = OrderFile(lines).render("ab" * 32)
    slip = Slip(
        opening.id, 1, "alice", 1, "2026-01-01T00:00:00Z", opening.id, digest(data), digest(b"")
    )
    return data, slip


def read(table: Table, data: bytes) -> Any:
    """The orders as the game reads them from Alice's view."""
    opening = table.host.opening
    view = opening.game.view(opening.game.start(opening.setup), "alice")
    return intake.read_orders(opening, data, view)


def test_an_order_opens_to_what_its_slip_signs(begun: Table) -> None:
    """Sealed to one size, whoever seals it and however long it is."""
    opening, shared = begun.host.opening, begun.seated("alice").shared()
    short, slip = written(begun, "start C4")
    long, other = written(begun, "start C4", "# " + "x" * 60)
    sealed = intake.seal_order(opening, shared, 1, "alice", 1, short)
    assert intake.seal_order(opening, shared, 1, "alice", 1, short) == sealed
    assert len(sealed) == sealed_size(opening.sizes.order)
    assert len(intake.seal_order(opening, shared, 1, "alice", 1, long)) == len(sealed)
    assert intake.unseal_order(opening, shared, slip, sealed) == short
    for wrong in (
        other, replace(slip, step=2), replace(slip, revision=2), replace(slip, player="bob"),
    ):  # fmt: skip
        with pytest.raises(Refused) as caught:
            intake.unseal_order(opening, shared, wrong, sealed)
        assert caught.value.word == "unopenable"
    with pytest.raises(Refused, match="unopenable"):
        intake.unseal_order(opening, begun.seated("bob").shared(), slip, sealed)


@pytest.mark.parametrize(
    ("line", "word"), [("start Z9", "illegal"), ("strat C4", "malformed"), ("fire N", "illegal")]
)
def test_faults_have_the_words_of_receipts(begun: Table, line: str, word: str) -> None:
    """With the line and what was expected there."""
    with pytest.raises(Refused) as caught:
        read(begun, written(begun, line)[0])
    assert caught.value.word == word
    assert caught.value.message.startswith("line 1: ")


def test_what_is_no_order_file_is_malformed(begun: Table) -> None:
    """Before the game sees any of it."""
    data, _ = written(begun, "start C4")
    for broken in (b"", data[:-1], data + b"\n", b"\xff"):
        with pytest.raises(Refused, match="malformed"):
            read(begun, broken)
