"""Lies by rulings: what is annulled, abandoned, moved or handed on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from replacing import replace
from verifier.liar import Liar, entry_of
from verifier.lies.about_reports import elsewhere, retold
from verifier.lies.base import DAY, QUIET, SETUP, SHOT, Lies, Said, alice_sees, all_see

from adjudicator.core import bundles, deadlines
from adjudicator.core import opening as core_opening
from adjudicator.core import seats as core_seats
from adjudicator.player import seated
from adjudicator.player.seat import Seat
from orders import sshsig
from orders.bundle import Bundle
from orders.documents import Private, read_consent
from orders.entries import Ruling
from orders.keys import MemoryKey
from orders.secrets import derive
from orders.sshsig import Signed

LIES = Lies("rulings")
ABSENCE = {"options": {"first": "alice", "absence": "60d"}}
REASON = "whether the reasons that a host gives are true"


@LIES(
    "l11",
    "annuls an entry that was right",
    verify=Said(3, "host", "entry 2 was right, so the reason is the host's alone"),
)
def annul_right(game: Liar) -> None:
    """Bob, a friend, was sunk; the host annuls entries that were right."""
    game.play(SETUP, SHOT)
    game.rule(Ruling("an error was found", annuls=2))
    game.finish()


@LIES(
    "m18",
    "annuls many entries that were right",
    verify=Said(
        3, "host", "entry 2 was right, 7 more follow it, so the reason is the host's alone"
    ),
)
def annul_much(game: Liar) -> None:
    game.play(SETUP, *[{"alice": "silent"}, QUIET] * 4)
    game.rule(Ruling("an error was found", annuls=2))
    game.finish()


@LIES(
    "l12",
    "tells a false report, and annuls it later for another reason",
    verify=Said(3, "host", "entry 2 was wrong: entries/0002.toml: the report of bob"),
)
def launder(game: Liar) -> None:
    """A false report at entry 2, orders drawn by it, then a ruling for another reason."""
    game.play(SETUP)
    game.step(SHOT, change=retold(game, "bob", elsewhere))
    game.play(QUIET)
    game.rule(Ruling("the mail was down", annuls=2))
    game.finish()


@LIES(
    "p29",
    "annuls from an entry that was right, to be rid of a false one after it",
    verify=Said(3, "host", "entry 2 was right, 1 more follow it; entry 3 was wrong"),
)
def launder_later(game: Liar) -> None:
    """The ruling names an entry that was right; the false one follows it."""
    game.play(SETUP, SHOT)
    game.step(QUIET, change=retold(game, "bob", elsewhere))
    game.rule(Ruling("the mail was down", annuls=2))
    game.finish()


@LIES(
    "p30",
    "annuls its own annulment",
    verify=Said(
        3, "host", "entry 3 (itself a ruling) was right, so the reason is the host's alone"
    ),
)
def annul_ruling(game: Liar) -> None:
    """The friend's annulment is annulled in turn, as the new way was no better."""
    game.play(SETUP, SHOT)
    game.rule(Ruling("an error was found", annuls=2))
    game.rule(Ruling("there was none", annuls=3))
    game.finish()


@LIES(
    "p31",
    "annuls an entry that was annulled already",
    **all_see("entries", "entry 2 was annulled already"),
)
def annul_annulled(game: Liar) -> None:
    game.play(SETUP, SHOT)
    game.rule(Ruling("an error was found", annuls=2))
    game.host.rule(Ruling("an error was found", annuls=3))
    game.resign(ruling=Ruling("an error was found", annuls=2))
    game.tell([4])


@LIES(
    "p32",
    "commits to a false position, and annuls it when a player protests",
    verify=Said(3, "host", "protested by bob"),
)
def annul_unprotested(game: Liar) -> None:
    """Bob protests an entry; the host annuls it, and what follows it."""
    game.play(SETUP)
    game.step(SHOT, change=lambda made: entry_of(made, state="ab" * 32))
    game.answer(game.order("bob", "silent", "ruling"))
    game.tell(game.advance())
    game.rule(Ruling("a mistake", annuls=2))
    game.finish()


@LIES(
    "p39",
    "tells a false report, and annuls it when its player protests that",
    verify=Said(3, "host", "bob at step 3: report"),
)
def annul_protested_report(game: Liar) -> None:
    """Bob protests that his report is false, as it is; the host annuls it."""
    game.play(SETUP)
    game.step(SHOT, change=retold(game, "bob", elsewhere))
    game.answer(game.order("bob", "silent", "report"))
    game.tell(game.advance())
    game.rule(Ruling("a mistake", annuls=2))
    game.finish()


@LIES(
    "p40",
    "annuls what goes on from a false position first, and the false entry after that",
    verify=Said(3, "host", "entry 3 goes on from a wrong one, so nobody can judge it"),
)
def annul_in_two(game: Liar) -> None:
    """First what goes on from a false position, then that itself."""
    game.play(SETUP)
    game.step(SHOT, change=lambda made: entry_of(made, state="ab" * 32))
    game.play(QUIET)
    game.rule(Ruling("an error was found", annuls=3))
    game.rule(Ruling("another one", annuls=2))
    game.finish()


@LIES(
    "l13",
    "abandons a game that a friend is losing",
    verify=Said(3, "host", "entry 3 abandons the game"),
    together="has abandoned 1 of 1 games here",
)
def abandon(game: Liar) -> None:
    game.play(SETUP, SHOT)
    game.rule(Ruling("no time", abandons=True))


@LIES(
    "m02",
    "abandons a game before its first entry, as it dislikes the draw",
    verify=Said(3, "dice", "the seed that was thrown away is"),
    together="1 of them before the first adjudication",
)
def throw_away(game: Liar) -> None:
    """The host knows all nonces, dislikes the draw, and abandons before the first entry."""
    game.submit(SETUP)
    game.rule(Ruling("no time", abandons=True))


@LIES(
    "p13",
    "does the same, and does not list a slip that it has accepted",
    verify=Said(3, "host", "entry 1 abandons the game"),
    together="1 of them before the first adjudication",
    **alice_sees(1, "accepted, yet entry 1 lists no order of alice"),
)
def throw_away_in_secret(game: Liar) -> None:
    """The same; Alice's slip, which it has accepted, is not listed."""
    game.submit(SETUP)
    game.forget("alice")
    game.rule(Ruling("no time", abandons=True))


@LIES(
    "l14",
    "moves a deadline by a minute, as if that voided an order that it has read",
    verify=Said(0, "host", "rulings gave alice 1 min more in all (entry 2)"),
    **alice_sees(1, "accepted, yet entry 3 has missing alice"),
)
def by_a_minute(game: Liar) -> None:
    """A ruling that does next to nothing, as if it had voided an order that the host has read."""
    game.play(SETUP)
    game.answer(game.order("alice", "fire S"))
    until = deadlines.add(game.last.awaited["alice"].until, 60)
    game.rule(Ruling("a minute more"), until)
    game.forget("alice")
    game.table.clock.skip(4 * DAY)
    game.tell(game.advance(late=True))
    game.finish()


@LIES(
    "p06",
    "moves a deadline by a minute, and refuses an order as if it had to answer that",
    verify=Said(0, "host", "rulings gave alice 1 min more in all (entry 2)"),
    **alice_sees(1, "stale, yet it answers entry 1, which is allowed after entry 2"),
)
def stale_by_ruling(game: Liar) -> None:
    """The order answers the entry before the ruling, as it must."""
    game.play(SETUP)
    game.rule(Ruling("a minute more"), deadlines.add(game.last.awaited["alice"].until, 60))
    game.sign_receipt(game.order("alice", "fire S"), "stale")
    game.table.clock.skip(4 * DAY)
    game.tell(game.advance(late=True))
    game.finish()


@LIES(
    "n20",
    "moves a deadline to the year 9999, so that the game is never overdue",
    verify=Said(4, "host", "rulings gave alice 2912"),
)
def for_ever(game: Liar) -> None:
    """A deadline that never comes, so that the record is never overdue."""
    game.play(SETUP)
    game.rule(Ruling("away"), "9999-12-31T00:00:00Z")


@LIES(
    "m21",
    "gives a friend more time again and again, a little at a time",
    verify=Said(
        3,
        "host",
        "rulings gave bob 6 d more in all (entries 3, 4, 5), more than a turn time of 3 d",
    ),
)
def by_and_by(game: Liar) -> None:
    """A friend gets another two days at each turn, none of which is worth a word."""
    game.play(SETUP, SHOT)
    for _ in range(3):
        game.rule(
            Ruling("the post is slow"), deadlines.add(game.last.awaited["bob"].until, 2 * DAY)
        )
    game.finish()


@LIES("p05", "cuts a deadline by a ruling", **all_see("time", "cuts that"))
def cut_by_ruling(game: Liar) -> None:
    game.play(SETUP)
    game.table.clock.skip(2 * DAY)
    later = deadlines.add(game.last.awaited["alice"].until, DAY)
    game.host.rule(Ruling("away"), later)
    prompt = game.last.awaited["alice"]
    game.resign(awaited={"alice": replace(prompt, until=game.last.time)})
    game.tell([2])


@LIES(
    "p05a",
    "cuts a deadline that it granted, by annulling the ruling that granted it",
    terms=ABSENCE,
    **all_see("time", "cuts that"),
)
def cut_by_annulment(game: Liar) -> None:
    """A deadline was moved to Christmas; annulling that ruling brings the old one back."""
    _granted(game)
    game.host.rule(Ruling("undo", annuls=2))
    _back_to_usual(game)
    game.tell([3])


@LIES(
    "p05b",
    "cuts a deadline that it granted, by annulling what came after",
    terms=ABSENCE,
    **all_see("time", "cuts that"),
)
def cut_by_annulling_more(game: Liar) -> None:
    """The same, where the ruling lies within what is annulled, and the game has gone on."""
    _granted(game)
    game.play(SHOT)
    game.host.rule(Ruling("entry 3 was wrong", annuls=3))
    _back_to_usual(game)
    game.tell([4])


def _granted(game: Liar) -> None:
    game.play(SETUP)
    game.rule(Ruling("away until February"), "2026-02-01T00:00:00Z")


def _back_to_usual(game: Liar) -> None:
    prompt = game.last.awaited["alice"]
    usual = deadlines.add(str(game.last.time), deadlines.turn_time(game.host.opening.setup))
    assert usual < prompt.until
    game.resign(awaited={"alice": replace(prompt, until=usual)})


@LIES(
    "n27",
    "commits to another position in a ruling",
    verify=Said(1, "replay", "entries/0003.toml: state: "),
)
def false_state(game: Liar) -> None:
    game.play(SETUP, SHOT)
    game.table.clock.skip(2 * DAY)
    game.host.rule(Ruling("away"), deadlines.add(game.last.awaited["bob"].until, DAY))
    game.resign(state="ab" * 32)
    game.tell([3])
    game.finish()


def new_join(
    game: Liar, player: str, seed: bytes, key: MemoryKey | None = None
) -> tuple[Bundle, MemoryKey, bytes]:
    """A join to that seat by somebody new, or by that key: the bundle, the key, the seat's
    secret."""
    table = game.table
    offer = core_opening.read_offer(table.record)
    secret = derive(seed, "seat")
    signer = key or MemoryKey.from_seed(derive(seed, "key"))
    root = table.root / f"new-{player}{'' if key is None else '-back'}.seat"
    seat = Seat.create(root, player, offer.digest, Path("/keys/new.key"), secret)
    return seated.join(offer, seat, signer, Private()), signer, secret


@LIES(
    "p01",
    "gives a seat to somebody else, and says that its player has left",
    at_once={"bob": "gives your seat to somebody else, and you did not sign that"},
    verify=Said(
        3, "host", "entry 2: the host gave bob's seat to another key; bob did not sign that"
    ),
    seats={"bob": Said(3, "host", "gives your seat to somebody else")},
)
def take_seat(game: Liar) -> None:
    """The host gives a player's seat to somebody else, without that player's consent."""
    game.play(SETUP)
    _given_away(game, b"\x31" * 32)


def change_seat(game: Liar, player: str, signer: MemoryKey) -> None:
    """From now on that seat's new player plays, with a copy and a seat of their own."""
    table = game.table
    old = table.root / player / f"{player}.seat"
    old.rename(table.root / player / "old.seat")
    (table.root / f"new-{player}.seat").rename(old)
    table.keys[player] = signer
    game.parted.discard(player)
    game.tell([game.last.step], to=[player])


@LIES(
    "p03",
    "forges the consent of who leaves a seat",
    **all_see("entries", "seats/0002-bob.consent.toml.sig: signature: by another key"),
)
def forge_consent(game: Liar) -> None:
    """The host says that the old player agreed, and signs for them with its own key."""
    game.play(SETUP)
    join, _, _ = new_join(game, "bob", b"\x32" * 32)
    consent = seated.consent(game.host.ledger, game.table.signer, join)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("orders.sshsig.Signed.verify", lambda self, *given: self.data)
        game.host.hand_on(join, "Bob has left", consent)
    game.tell([2])


def sign_all_the_same(game: Liar, join: Bundle, consent: Bundle | None) -> None:
    """Hand Bob's seat on though that does not hold, and tell everybody."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core_seats, "_check_new", lambda *given: None)
        patch.setattr(core_seats, "_check_consent", lambda *given, **more: None)
        steps = game.host.hand_on(join, "Bob has left", consent)
    game.tell(steps)


def of_bob(game: Liar, join: Bundle) -> Bundle:
    """Bob's consent that this join takes his seat now."""
    return seated.consent(game.host.ledger, game.table.keys["bob"], join)


@LIES(
    "q03",
    "takes a seat a second time, by the consent and the join of the first",
    **all_see("entries", "has had the seat of bob before"),
)
def consent_twice(game: Liar) -> None:
    """Bob let somebody sit in for him and came back, with his own key."""
    game.play(SETUP)
    join, key, _ = new_join(game, "bob", b"\x34" * 32)
    agreed, bobs = of_bob(game, join), game.table.keys["bob"]
    game.tell(game.host.hand_on(join, "Bob is on holiday", agreed))
    back, _, _ = new_join(game, "bob", b"\x37" * 32, bobs)
    again = seated.consent(game.host.ledger, key, back)
    game.tell(game.host.hand_on(back, "Bob is back", again))
    sign_all_the_same(game, join, agreed)


@LIES(
    "q04",
    "uses a consent after which its player has played on",
    **all_see("entries", "who plays on has withdrawn it"),
)
def consent_late(game: Liar) -> None:
    """Bob agreed once, and was asked to stay."""
    game.play(SETUP)
    join, _, _ = new_join(game, "bob", b"\x38" * 32)
    agreed = of_bob(game, join)
    game.play(SHOT, QUIET)
    sign_all_the_same(game, join, agreed)


@LIES(
    "q05",
    "uses a consent that a player gave in another game",
    **all_see("entries", "consent.toml: it is for the game"),
)
def consent_elsewhere(game: Liar) -> None:
    """The same key, another game."""
    game.play(SETUP)
    join, _, _ = new_join(game, "bob", b"\x39" * 32)
    said = read_consent(of_bob(game, join).files[0][1])._replace(game="ab" * 32).render()
    file = Signed.by(game.table.keys["bob"], sshsig.CONSENT, said)
    sign_all_the_same(game, join, bundles.pack("consent", file.files("consents/bob.toml")))


@LIES(
    "q06",
    "gives a seat back to the join of a player who left it",
    **all_see("entries", "has had the seat of bob before"),
)
def old_join(game: Liar) -> None:
    """So that nobody who left is said to sit there without having joined anew."""
    game.play(SETUP)
    first = game.table.joins_again()[1]
    sign_all_the_same(game, first, None)


AWAY = {"options": {"first": "alice", "away": 2}}


def stay_away(game: Liar, times: int) -> None:
    """Bob misses so many deadlines in a row."""
    game.play(SETUP)
    for _ in range(times):
        game.play({"alice": "silent"})
        game.table.clock.skip(4 * DAY)
        game.tell(game.advance(late=True))


@LIES(
    "q07",
    "gives a seat to somebody else one missed deadline early",
    at_once={"bob": "gives your seat to somebody else, and you did not sign that"},
    verify=Said(3, "host", "entry 4: the host gave bob's seat to another key; bob did not sign"),
    seats={"bob": Said(3, "host", "gives your seat to somebody else")},
    terms=AWAY,
)
def too_early(game: Liar) -> None:
    """The invite says two deadlines, and Bob has missed one."""
    stay_away(game, 1)
    _given_away(game, b"\x3a" * 32)


@LIES(
    "q08",
    "gives a seat to somebody else as the invite says, though it has accepted its player's orders",
    at_once={"bob": "gives your seat to somebody else, and you did not sign that"},
    verify=Said(0, "host", "bob's seat went to another key after 2 missed deadlines"),
    seats={"bob": Said(3, "receipts", "was accepted after entry 5, the last of them")},
    terms=AWAY,
)
def though_present(game: Liar) -> None:
    """Bob's orders are in, and are voided by the ruling."""
    stay_away(game, 2)
    game.play({"alice": "silent"})
    game.submit(QUIET)
    _given_away(game, b"\x3b" * 32)


def _given_away(game: Liar, seed: bytes) -> None:
    """Hand Bob's seat on unsigned; whoever was Bob looks with the seat that they still have."""
    join, signer, _ = new_join(game, "bob", seed)
    game.tell(game.host.hand_on(join, "Bob has left"))
    change_seat(game, "bob", signer)
    game.finish()
    old, new = game.table.root / "bob" / "old.seat", game.table.root / "bob" / "bob.seat"
    new.rename(game.table.root / "bob" / "new.seat")
    old.rename(new)


@LIES(
    "p33",
    "gives a seat to somebody else before the dice were thrown",
    **all_see("entries", "no seat changes hands before the first step is played"),
)
def take_seat_early(game: Liar) -> None:
    join, _, _ = new_join(game, "bob", b"\x33" * 32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("adjudicator.core.chain.seats.joins_after", _anybody)
        game.host.hand_on(join, "Bob has left")
    game.tell([1])


def _anybody(
    opening: Any, before: Any, entry: Any, source: Any, earlier: Any, *, trusted: bool
) -> Any:
    return before.joins, 0


@LIES(
    "n21",
    "lies in the reason of a ruling",
    verify=Said(0, "host", "Bob asked me for it by telephone"),
    unproved=REASON,
)
def lie_in_reason(game: Liar) -> None:
    game.play(SETUP, SHOT)
    game.table.clock.skip(2 * DAY)
    later = deadlines.add(game.last.awaited["bob"].until, DAY)
    game.rule(Ruling("Bob asked me for it by telephone"), later)
    game.finish()
