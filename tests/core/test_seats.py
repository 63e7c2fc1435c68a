"""Seats that change hands: the new join, and whether who left agreed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from replacing import replace
from verifier.liar import Liar
from verifier.lies.about_rulings import new_join
from verifier.lies.base import SETUP

from adjudicator.core import seats
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import Held
from adjudicator.player import seated
from orders import names, sshsig
from orders.entries import Ruling, SeatChange
from orders.errors import Missing, Refused
from orders.fields import digest
from orders.public_key import read_public

Table = Any


@pytest.fixture(scope="module", params=[True, False], ids=["agreed", "not agreed"])
def handed(
    request: pytest.FixtureRequest, make_table: Any, tmp_path_factory: pytest.TempPathFactory
) -> Table:
    """A game in which entry 2 hands on Bob's seat, with or without his consent."""
    root: Path = tmp_path_factory.mktemp("seats")
    game = Liar(make_table(root / "table")).begin().play(SETUP)
    join, signer, _ = new_join(game, "bob", b"\x36" * 32)
    consent = seated.consent(game.table.keys["bob"], join) if request.param else None
    game.host.hand_on(join, "no time", consent)
    game.table.keys["new"] = signer
    return game.table


def read(ledger: Ledger, held: dict[str, bytes], **besides: Any) -> Any:
    """Who sits in the new seat, by these files and these values of the ruling."""
    change = ledger.link(2).entry.ruling.seat
    assert change is not None
    return seats.read_seat(
        ledger.opening, ledger.link(1), replace(change, **besides), 2, Held(held)
    )


def test_the_new_join_sits_from_then_on(handed: Table) -> None:
    """With its own key; the others stay. Its signatures are counted."""
    ledger, held = Ledger.read(handed.record), handed.held()
    before, link = ledger.link(1), ledger.link(2)
    joins, signatures = seats.joins_after(
        ledger.opening, before, link.entry, Held(held), trusted=False
    )
    agreed = link.entry.ruling.seat.agreed
    assert signatures == 1 + agreed
    assert joins["alice"] == before.joins["alice"]
    assert read_public(joins["bob"].key) == handed.keys["new"].public
    assert joins["bob"] == read(ledger, held) == link.joins["bob"]


def test_who_left_a_seat_still_opens_it(handed: Table) -> None:
    """They sat earlier, so the game up to there is theirs to look at."""
    own = seated.Seated(handed.record, handed.seat("bob"))
    assert own.last.step == 2
    assert not own.seat.sits(own.last.joins)


def test_other_entries_leave_everybody_seated(handed: Table) -> None:
    """Adjudications, and rulings of other kinds."""
    ledger = Ledger.read(handed.record)
    before = ledger.link(1)
    for entry in (before.entry, replace(ledger.link(2).entry, ruling=Ruling("snow"))):
        assert seats.joins_after(ledger.opening, before, entry, Held({}), trusted=False) == (
            before.joins, 0,
        )  # fmt: skip


def test_a_seat_stays_handed_on_when_its_ruling_is_annulled(handed: Table) -> None:
    """The position goes back, and who sits does not."""
    ledger = Ledger.read(handed.record)
    link = ledger.link(2)
    annuls = replace(link.entry, ruling=Ruling("an error", annuls=2))
    assert seats.joins_after(ledger.opening, link, annuls, Held({}), trusted=False) == (
        link.joins, 0,
    )  # fmt: skip
    assert read_public(link.joins["bob"].key) == handed.keys["new"].public


def test_a_seat_is_handed_on_by_its_own_files(handed: Table) -> None:
    """The join that the ruling names, for that player, signed by its own key."""
    ledger, held = Ledger.read(handed.record), handed.held()
    path = names.seat(2, "bob")
    with pytest.raises(Refused, match="does not have the digest that the ruling names") as caught:
        read(ledger, held, join="0" * 64)
    assert caught.value.claim == "files"
    alice = held[names.join("alice")]
    other = {**held, path: alice, f"{path}.sig": held[f"{names.join('alice')}.sig"]}
    with pytest.raises(Refused, match="is a join of alice"):
        read(ledger, other, join=digest(alice), agreed=False)
    with pytest.raises(Refused, match="bad-signature"):
        read(ledger, {**held, f"{path}.sig": b"x"})
    del held[path]
    with pytest.raises(Missing, match=path):
        read(ledger, held)


def test_a_consent_is_by_who_leaves(handed: Table) -> None:
    """Where the ruling says that they agreed, their signature over the new join must be there."""
    ledger, held = Ledger.read(handed.record), handed.held()
    path = names.consent(2, "bob")
    if path not in held:
        with pytest.raises(Missing, match=path):
            read(ledger, held, agreed=True)
        return
    new = held[names.seat(2, "bob")]
    for key in (handed.keys["new"], handed.signer, handed.keys["alice"]):
        with pytest.raises(Refused, match="bad-signature") as caught:
            read(ledger, {**held, path: key.sign(sshsig.CONSENT, new)})
        assert caught.value.claim == "signatures"
    assert read(ledger, {**held, path: b"x"}, agreed=False)


def test_seats_stay_until_the_seed_is_fixed(handed: Table) -> None:
    """Until then a game can be begun anew. A seat that there is not cannot be handed on."""
    ledger, held = Ledger.read(handed.record), Held(handed.held())
    entry = ledger.link(2).entry
    early = replace(ledger.link(1), first=None)
    with pytest.raises(Refused, match="no seat changes hands before the first adjudication"):
        seats.joins_after(ledger.opening, early, entry, held, trusted=False)
    carol = Ruling("x", seat=SeatChange("carol", "0" * 64, agreed=False))
    with pytest.raises(Refused, match="the seat of carol, who has none"):
        seats.joins_after(
            ledger.opening, ledger.link(1), replace(entry, ruling=carol), held, trusted=False
        )


def test_nobody_sits_twice(handed: Table) -> None:
    """The new join may share no key with another player's: one person would see both sides."""
    ledger, held = Ledger.read(handed.record), handed.held()
    before = ledger.link(1)
    same = replace(before.joins["alice"], key=ledger.link(2).joins["bob"].key)
    doubled = replace(before, joins={**before.joins, "alice": same})
    with pytest.raises(Refused, match="is used twice"):
        seats.joins_after(ledger.opening, doubled, ledger.link(2).entry, Held(held), trusted=True)
