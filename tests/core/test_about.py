"""Which game a bundle is of: by the signed document in it, of whichever kind."""

from __future__ import annotations

from typing import Any

import pytest
from table import join_of

from adjudicator.core import bundles, opening
from adjudicator.core.bundles import about
from orders.bundle import Bundle
from orders.errors import Refused
from orders.letter import Letter

Table = Any


def test_before_genesis_a_bundle_names_the_invite(table: Table) -> None:
    """The invite, a join and genesis: all by the invite's digest."""
    invite = opening.read_offer(table.record).digest
    (genesis,) = bundles.of_entry(table.record, 0)
    for bundle in (bundles.of_invite(table.record), join_of(table.record, "bob"), genesis):
        assert about(bundle) == invite


def test_later_a_bundle_names_the_game(finished: Table) -> None:
    """Entries, orders, receipts and letters: by the digest of genesis."""
    game = finished.host.opening.id
    for step in (1, finished.record.last_step()):
        for bundle in bundles.of_entry(finished.record, step, "alice"):
            assert about(bundle) == game
    seat = finished.seat("alice")
    (order, *_) = seat.orders()
    assert about(bundles.pack("order", order.files())) == game
    (receipt, *_) = seat.receipts()
    assert about(bundles.of_receipt(receipt)) == game
    letter = Letter(game, "alice", 1, shown=True).render()
    assert about(Bundle("letter", (("letters/0001-alice.toml", letter),))) == game


@pytest.mark.parametrize("kind", ["invite", "join", "order", "entry", "receipt", "letter"])
def test_a_bundle_without_its_document_is_refused(kind: str) -> None:
    """Signatures and sealed files alone name no game; another folder's document does not either."""
    given = (
        ("entries/0001.toml.sig", b"x"),
        ("notes/0001.toml", b"y"),
        ("reports/0001-bob.sealed", b"z"),
    )
    for files in (given[:1], given):
        with pytest.raises(Refused, match=f"a bundle of kind {kind} without its document"):
            about(Bundle(kind, files))


@pytest.mark.parametrize(
    ("kind", "path"),
    [("join", "joins/bob.toml"), ("order", "slips/0001-bob.toml"), ("entry", "entries/0001.toml")],
)
def test_what_is_no_document_is_refused(kind: str, path: str) -> None:
    """Whatever stands in its place."""
    with pytest.raises(Refused):
        about(Bundle(kind, ((path, b"game = 1\n"),)))


def test_files_are_called_by_the_game(table: Table) -> None:
    """What a bundle's file is called says the game first, then whose it is and for which step."""
    held = {"slips/0002-al-2.toml": b"", "reports/0002-al-2.sealed": b"", "entries/0002.toml": b""}
    assert bundles.name("friday", bundles.of_invite(table.record)) == "friday-invite"
    assert bundles.name("friday", join_of(table.record, "bob")) == "friday-bob-join"
    assert bundles.name("friday", bundles.pack("entry", held)) == "friday-0002-al-2"
    receipt = bundles.pack("receipt", {"receipts/0012-al-2-3.toml": b""})
    assert bundles.name("friday", receipt) == "friday-al-2-0012-3-receipt"
    letter = bundles.pack("letter", {"letters/al-2-0007.toml": b""})
    assert bundles.name("friday", letter) == "friday-al-2-letter-0007"
