"""What a player's tool does for whoever is lied to: orders without a report, a seat handed on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from verifier.liar import Liar
from verifier.lies.about_reports import false_view
from verifier.lies.about_rulings import new_join
from verifier.lies.base import QUIET, SETUP, SHOT

from adjudicator.core import bundles
from adjudicator.player import seated
from orders.errors import Refused


def test_who_gets_no_report_can_protest_and_play_on(make_liar: Callable[..., Liar]) -> None:
    """No report is no reason to miss a turn; without the protest the hint names it."""
    game = make_liar()
    game.submit(SETUP)
    game.advance()
    game.give("alice", bundles.of_entry(game.table.record, 1))
    own = game.table.seated("alice")
    with pytest.raises(Refused, match="your report of entry 1 is not here") as caught:
        own.read(b"fire S")
    assert "--protest undelivered" in caught.value.hint
    file = own.read(b"fire S", "undelivered")
    order = own.order(file, game.table.keys["alice"], game.table.clock.now(), "undelivered")
    game.answer(order.bundle)
    assert game.said["alice"][-1:] != []
    game.tell(game.advance())
    assert list(game.last.slips) == ["alice"]


def test_a_false_public_view_stops_nobody(make_liar: Callable[..., Liar]) -> None:
    """Everybody's report disagrees with it; who protests orders all the same."""
    game = make_liar()
    false_view(game)
    assert list(game.host.ledger.link(2).entry.slips) == ["alice"]
    with pytest.raises(Refused, match="public view"):
        game.table.report("alice", 1)


def test_a_seat_handed_on_by_agreement(make_liar: Callable[..., Liar]) -> None:
    """Who leaves is told; each verifies their own time, and the old one orders no more. What
    others do after the consent does not withdraw it."""
    game = make_liar().play(SETUP)
    join, signer, _ = new_join(game, "bob", b"\x35" * 32)
    consent = seated.consent(game.host.ledger, game.table.keys["bob"], join)
    game.play(SHOT)
    game.tell(game.host.hand_on(join, "Bob has no time", consent))
    (said,) = game.said["bob"]
    assert "gives your seat to somebody else, and your key signed that" in said
    own = game.table.seated("bob")
    with pytest.raises(Refused, match=r"^no-seat: .* has been handed on"):
        own.read(b"silent")
    with pytest.raises(Refused, match="another player had the seat of bob"):
        game.table.report("bob", 3)
    old, new = game.table.root / "bob" / "bob.seat", game.table.root / "new-bob.seat"
    keep = old.rename(game.table.root / "bob" / "old.seat")
    new.rename(old)
    game.table.keys["bob"] = signer
    game.tell([3], to=["bob"])
    game.play(QUIET).finish()
    assert game.table.verify("bob", copy=True).code == 0
    old.rename(new)
    keep.rename(old)
    found = game.table.verify("bob", copy=True)
    assert (found.code, found.verdict) == (0, "true: bob won")
