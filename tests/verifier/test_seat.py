"""What a seat and receipts add to a verification; false ones are among the lies."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import Any

import pytest
from replacing import replace
from verifier.forger import Forger
from verifier.liar import Liar, entry_of, report_of
from verifier.lies.base import QUIET, SETUP, SHOT

from adjudicator.core import intake
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import MemoryFiles
from adjudicator.player import witness
from adjudicator.verifier import rulings
from adjudicator.verifier import seat as of_seat
from adjudicator.verifier.claims import Findings, Inquiry
from adjudicator.verifier.verify import Asked, verify
from orders import names, sshsig
from orders.bundle import Bundle
from orders.entries import Entry, Ruling, SeatChange
from orders.order_file import OrderFile
from orders.sshsig import Signed

Table = Any


def details(found: Findings, claim: str) -> str:
    """All that is told of a claim."""
    return "\n".join(
        line for one in found.claims if one.name == claim for line in (one.text, *one.details)
    )


def illegal_order(game: Liar, player: str) -> Bundle:
    """An order that the player's own tool would not write."""
    table = game.table
    own = table.seated(player)
    file = OrderFile(("silent F6",))
    return own.order(file, table.keys[player], table.clock.now()).bundle


def test_true_refusals_are_no_lies(make_liar: Callable[..., Liar]) -> None:
    """Of each kind that an honest host gives: nobody is warned, and all are told as right."""
    game = make_liar().play(SETUP)
    first, second = game.order("alice", "fire N"), game.order("alice", "fire S")
    empty = Bundle("order", tuple(file for file in first.files if ".sealed" not in file[0]))
    answers = [
        ("absent", empty),
        ("accepted", second),
        ("superseded", first),
        ("illegal", illegal_order(game, "alice")),
    ]
    for status, order in answers:
        assert f'status = "{status}"'.encode() in game.answer(order).data
    game.tell(game.advance())
    late = game.order("bob", "ping")
    game.rule(Ruling("the mail was down", annuls=2))
    assert b'status = "stale"' in game.answer(late).data
    game.play(SHOT, QUIET).finish()
    assert game.said["alice"] == game.said["bob"] == []
    for player, texts in (
        (
            "alice",
            (
                "illegal, and judged again it is the same",
                "superseded by step 2",
                "absent: the sealed orders never came, which proves",
            ),
        ),
        ("bob", ("stale, as the chain shows",)),
    ):
        found = game.table.verify(player, copy=True)
        assert {one.name for one in found.claims if one.status != "true"} == {"host"}
        assert all(text in details(found, "receipts") for text in texts)


def test_a_receipt_that_the_host_did_not_sign_does_not_count(
    make_liar: Callable[..., Liar],
) -> None:
    """It is told, and proves nothing against anybody."""
    game = make_liar().play(SETUP, SHOT).finish()
    given = game.table.given("alice")[0].file
    changed = replace(given, data=given.data.replace(b"accepted", b"illegal"))
    found = verify(game.table.record, Asked(receipts=[given, changed]))
    assert found.code == 0
    assert "a receipt that does not count" in details(found, "receipts")
    alone = verify(game.table.record, Asked(receipts=[changed]))
    (told,) = (one for one in alone.claims if one.name == "receipts")
    assert (told.status, told.brief) == ("unknown", "")


def test_a_false_record_is_false_with_any_seat(forged: Forger, finished: Table) -> None:
    """What a seat adds hides nothing."""
    forged.change_entry(2, state="ab" * 32)
    found = verify(MemoryFiles(forged.held), Asked(seat=finished.seat("alice")))
    assert found.code == 1
    assert "entries/0002.toml" in found.verdict
    receipts = [finished.given("alice")[0].file]
    told = verify(MemoryFiles(forged.held), Asked(receipts=receipts)).claims[-1]
    assert (told.name, told.status) == ("receipts", "unknown")


@pytest.mark.parametrize(("entry", "told"), [(2, False), (3, True), (5, True), (6, False)])
def test_orders_after_the_last_missed_deadline_show_that_a_player_was_there(
    finished: Table, monkeypatch: pytest.MonkeyPatch, entry: int, told: bool
) -> None:
    """Accepted from the entry on that last called them missing, and before the ruling."""
    (first, *_), ledger = finished.given("bob"), finished.host.ledger
    change = Ruling("away", seat=SeatChange("bob", "ab" * 32))
    handed_on = replace(ledger.last, entry=Entry("", 6, "", "", "", ruling=change))
    monkeypatch.setattr(Ledger, "links", lambda self: [handed_on])
    monkeypatch.setattr(rulings, "handed_on_as_agreed", lambda *_: (2, 3))
    held = replace(first, receipt=replace(first.receipt, entry=entry))
    lines = list(of_seat._present(ledger, [held]))
    assert [line.partition(" as ")[0] for line in lines] == (
        ["entry 6 hands on the seat of bob"] if told else []
    )


@pytest.mark.parametrize("agreed", [True, False])
def test_a_seat_that_was_given_away_is_looked_at_unless_its_player_signed(
    finished: Table, monkeypatch: pytest.MonkeyPatch, agreed: bool
) -> None:
    change = SeatChange("bob", "ab" * 32, "cd" * 32 if agreed else None)
    entry = replace(finished.entry(3), ruling=Ruling("away", seat=change))
    link = replace(finished.host.ledger.link(3), entry=entry)
    monkeypatch.setattr(Ledger, "links", lambda self: [link])
    monkeypatch.setattr(witness, "of_seat", lambda *_: ["gone"])
    found, seat = Inquiry(), finished.seat("bob")
    of_seat.check_seat(found, finished.record, finished.host.ledger, seat)
    assert ("gone" in found.notes.get("host", ()), bool(found.looks)) == (agreed, not agreed)


@pytest.mark.parametrize("loses", [False, True], ids=["kept", "lost"])
def test_a_refusal_at_a_position_that_is_lost_is_not_judged(
    make_liar: Callable[..., Liar], loses: bool
) -> None:
    """The entry was false and is annulled: whether the refusal was right nobody can tell."""
    game = make_liar().play(SETUP)
    change = (lambda made: entry_of(made, state="ab" * 32)) if loses else None
    game.step(SHOT, change=change)
    assert b'status = "illegal"' in game.answer(illegal_order(game, "bob")).data
    game.rule(Ruling("a mistake", annuls=2))
    game.play(SHOT, QUIET).finish()
    found = game.table.verify("bob", copy=True)
    assert found.code == 3
    expected = (
        "the position of entry 2 is not known"
        if loses
        else "illegal, and judged again it is the same"
    )
    assert expected in details(found, "receipts")


def test_a_report_that_does_not_open_is_false(make_liar: Callable[..., Liar]) -> None:
    """Whoever has the seat sees at once that it is noise."""
    game = make_liar()
    game.step(SETUP, change=lambda made: report_of(made, "bob", bytes(len(made.sealed["bob"]))))
    found = game.table.verify("bob", copy=True)
    assert found.code == 1
    assert "reports/0001-bob.sealed" in details(found, "receipts")


def test_a_missing_report_of_ones_own_is_called_missing(finished: Table) -> None:
    """Never false: that it was sent no file can tell."""
    held = finished.held()
    del held[names.report(2, "alice")]
    found = verify(MemoryFiles(held), Asked(seat=finished.seat("alice")))
    assert found.code == 0
    assert f"missing: {names.report(2, 'alice')}" in details(found, "receipts")


def test_a_seat_that_cannot_be_read_accuses_nobody(
    finished: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its orders and receipts are the player's own: without them nothing is said of the host."""
    seat, real = finished.seat("alice"), os.open
    for folder in ("orders", "receipts"):

        def broken(opened: Any, *rest: Any, place: str = f"{seat.root}/{folder}/") -> int:
            if str(opened).startswith(place):
                raise PermissionError(errno.EACCES, "Permission denied")
            return real(opened, *rest)

        monkeypatch.setattr(os, "open", broken)
        found = verify(MemoryFiles(finished.held()), Asked(seat=seat))
        assert found.code == 2
        assert f"/{folder}/" in found.verdict
        monkeypatch.undo()


def test_a_false_refusal_before_the_reveal(make_liar: Callable[..., Liar]) -> None:
    """The seat alone can tell then: a person should look, once there is a verdict."""
    game = make_liar().play(SETUP)
    game.sign_receipt(game.order("alice", "fire S"), "illegal")
    found = game.table.verify("alice", copy=True)
    assert found.code == 4
    (claim,) = (one for one in found.claims if one.name == "receipts")
    assert claim.status == "look"
    assert "by your own report nothing is wrong with it" in claim.details[0]


def test_a_receipt_beside_a_seat_is_judged_by_the_order_in_the_seat(
    make_liar: Callable[..., Liar],
) -> None:
    """A player may have kept a receipt elsewhere; without the seat nobody can judge its word."""
    game = make_liar().play(SETUP)
    order = intake.own_order(game.order("alice", "fire S"))
    host = game.host
    made = intake.receipt(host.opening.id, host.last, order, "illegal", host.clock.now())
    receipts = [Signed.by(game.table.signer, sshsig.RECEIPT, made.render())]
    game.play(SHOT, QUIET).finish()
    assert verify(game.table.record, Asked(receipts=receipts)).code == 0
    found = verify(game.table.record, Asked(seat=game.table.seat("alice"), receipts=receipts))
    assert found.code == 1
    told = details(found, "receipts")
    assert "illegal, but judged again it is accepted" in told
    assert "by your own report" not in told


def test_receipts_are_counted(finished: Table) -> None:
    """How many are held, and how many of them were accepted and used."""
    used = [given.file for given in finished.given("alice")]
    ledger = finished.host.ledger
    absent = replace(finished.given("bob")[0].receipt, status="absent", slip="ab" * 32)
    refused = Signed.by(finished.signer, sshsig.RECEIPT, absent.render())
    found = Inquiry()
    told = of_seat.check_receipts(found, ledger, None, [*used, refused], None)
    assert (told, found.notes["receipts"][-1]) == (
        "4 receipts, all honoured",
        "3 of 4 receipts accepted, and used",
    )
    nothing = Inquiry()
    of_seat.check_receipts(nothing, ledger, None, [], None)
    assert vars(nothing) == vars(Inquiry())
