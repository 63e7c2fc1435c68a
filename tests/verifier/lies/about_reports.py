"""Lies about what a step led to: reports, the public view, events, states, chance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from verifier.liar import Liar, entry_of, report_of
from verifier.lies.base import DAY, EVERYBODY, QUIET, SENT, SETUP, SHOT, Lies, Said

from adjudicator.core import bundles, intake, report
from adjudicator.core.engine import NextEntry, UnlockedGame
from games.dice import Dice
from games.game import Written
from orders import canonical, names
from orders.entries import Ruling
from orders.fields import digest
from orders.order_file import OrderFile
from orders.secrets import Master

TOLD = "that the host told nobody what it knows, or did not play under another key"
LIES = Lies("what a step led to")


def retold(game: Liar, player: str, change: Callable[[dict[str, Any]], object]) -> Any:
    """A change of what the engine made: that player is told something else, under its digest."""
    host = game.host

    def apply(made: NextEntry) -> NextEntry:
        values = canonical.loads(made.reports[player])
        change(values)
        data = canonical.dumps(values)
        shared = host.game.shared(host.last.joins[player])
        sealed = report.seal(host.opening, shared, made.entry.step, player, data)
        return report_of(made, player, sealed, data)

    return apply


def elsewhere(values: dict[str, Any]) -> None:
    values["view"]["bob"]["sub"] = "D1"


@LIES(
    "l08",
    "tells a player another position than the rules do",
    verify=Said(1, "replay", "entries/0001.toml: the report of bob is"),
)
def false_report(game: Liar) -> None:
    game.step(SETUP, change=retold(game, "bob", elsewhere))
    game.play(SHOT).finish()


@LIES(
    "n22",
    "tells a player more than the rules do, in a report",
    verify=Said(1, "replay", "entries/0001.toml: the report of alice is"),
)
def leaking_report(game: Liar) -> None:
    """Alice alone hears where Bob is."""

    def leak(values: dict[str, Any]) -> None:
        values["events"] = [[0, {"kind": "contact", "by": "bob", "at": "C1"}]]

    game.step(SETUP, change=retold(game, "alice", leak))
    game.play(SHOT).finish()


@LIES(
    "n23",
    "sends a report that the game cannot show",
    at_once={"bob": "cannot show what the host sent"},
    verify=Said(1, "replay", "entries/0001.toml: the report of bob is"),
)
def unreadable_report(game: Liar) -> None:
    def break_view(values: dict[str, Any]) -> None:
        values["view"] = {"bob": 7}

    game.step(SETUP, change=retold(game, "bob", break_view))
    game.play(SHOT).finish()


@LIES(
    "l10",
    "names and sends a sealed report that opens to nothing",
    at_once={"bob": "the sealed file does not open"},
    verify=Said(1, "replay", "entries/0001.toml: the sealed report of bob is"),
)
def sealed_noise(game: Liar) -> None:
    """The sealed report that is named and sent holds nothing that opens."""

    def noise(made: NextEntry) -> NextEntry:
        return report_of(made, "bob", bytes(len(made.sealed["bob"])))

    game.step(SETUP, change=noise)
    game.play(SHOT).finish()


@LIES(
    "l09",
    "names and sends a sealed report that holds another report",
    at_once={"bob": "the sealed file does not open"},
    verify=Said(1, "replay", "entries/0001.toml: the sealed report of bob is"),
)
def sealed_another(game: Liar) -> None:
    host = game.host

    def another(made: NextEntry) -> NextEntry:
        data = made.reports["bob"].replace(b'"C1"', b'"D1"')
        shared = host.game.shared(host.last.joins["bob"])
        return report_of(made, "bob", report.seal(host.opening, shared, 1, "bob", data))

    game.step(SETUP, change=another)
    game.play(SHOT).finish()


@LIES(
    "n01",
    "does not send a player their report",
    at_once={"bob": "your report of entry 1 is not here"},
    seats={"bob": Said(0, "receipts", "missing: reports/0001-bob.sealed")},
    unproved=SENT,
)
def withheld_report(game: Liar) -> None:
    game.submit(SETUP)
    game.advance()
    game.tell([1], to=["alice"])
    game.give("bob", bundles.of_entry(game.table.record, 1))
    game.play(SHOT).finish()


@LIES(
    "p17",
    "sends a player another file than the sealed report that it named",
    at_once={"bob": "is not the file that was signed: it is left out"},
    seats={"bob": Said(0, "receipts", "missing: reports/0001-bob.sealed")},
    unproved=SENT,
)
def other_file(game: Liar) -> None:
    """Bob is sent a file that is not the one whose digest stands in the entry."""
    game.submit(SETUP)
    game.advance()
    game.tell([1], to=["alice"])
    (right,) = bundles.of_entry(game.table.record, 1, "bob")
    held = dict(right.files)
    held[names.report(1, "bob")] = bytes(len(held[names.report(1, "bob")]))
    game.give("bob", [bundles.pack("entry", held)])
    game.play(SHOT).finish()


@LIES(
    "p12",
    "signs a public view that the reports do not bear out",
    at_once={EVERYBODY: "its view does not agree with the entry's public view"},
    verify=Said(1, "replay", "entries/0001.toml: view: "),
)
def false_view(game: Liar) -> None:
    def change(made: NextEntry) -> NextEntry:
        return entry_of(made, view=made.entry.view.replace('"turn":"alice"', '"turn":"bob"'))

    game.step(SETUP, change=change)
    game.answer(game.order("alice", "fire S", "report"))
    game.tell(game.advance())
    game.finish()


@LIES(
    "p12b",
    "signs a false public view, and tells everybody the same",
    verify=Said(1, "replay", "entries/0001.toml: the report of alice is"),
)
def false_view_in_all(game: Liar) -> None:
    """The public view and everybody's report agree with each other, and not with the rules."""

    def turn(values: dict[str, Any]) -> None:
        values["view"]["n"] = 7

    changes = [retold(game, name, turn) for name in ("alice", "bob")]

    def change(made: NextEntry) -> NextEntry:
        for one in changes:
            made = one(made)
        return entry_of(made, view=made.entry.view.replace('"n":1', '"n":7'))

    game.step(SETUP, change=change)
    game.play(SHOT).finish()


@LIES(
    "m04",
    "tells of an event that did not happen",
    verify=Said(1, "replay", "entries/0002.toml: events: "),
)
def false_event(game: Liar) -> None:
    def change(made: NextEntry) -> NextEntry:
        event = {"kind": "contact", "by": "bob", "at": "A1"}
        return entry_of(made, events=(*made.entry.events, event))

    game.play(SETUP)
    game.step(SHOT, change=change)
    game.finish()


@LIES(
    "n15",
    "keeps quiet about an event that everybody should hear",
    verify=Said(1, "replay", "entries/0002.toml: events: "),
)
def hidden_event(game: Liar) -> None:
    game.play(SETUP)
    game.step(SHOT, change=lambda made: entry_of(made, events=made.entry.events[:-1]))
    game.finish()


@LIES(
    "n17",
    "tells of an event that the game does not know",
    at_once={EVERYBODY: "sugar-dog cannot show what the host sent"},
    verify=Said(1, "replay", "entries/0002.toml: events: "),
    together="has abandoned 1 of 1 games here",
)
def strange_event(game: Liar) -> None:
    def change(made: NextEntry) -> NextEntry:
        return entry_of(made, events=(*made.entry.events, {"kind": "earthquake"}))

    game.play(SETUP)
    game.step(SHOT, change=change)
    game.rule(Ruling("nobody can go on", abandons=True))


@LIES("m05", "commits to another position", verify=Said(1, "replay", "entries/0002.toml: state: "))
def false_state(game: Liar) -> None:
    game.play(SETUP)
    game.step(SHOT, change=lambda made: entry_of(made, state="ab" * 32))
    game.finish()


@LIES(
    "m06",
    "carries out another order than the player's",
    verify=Said(1, "replay", "entries/0002.toml: "),
)
def favoured(game: Liar) -> None:
    """Alice fired; the host has her stay silent, and goes on from there."""
    game.play(SETUP)
    read = intake.read_orders

    def other(opening: Any, data: bytes, view: Any) -> Any:
        if b"fire S" in data:
            return opening.game.read(view, Written("silent"))
        return read(opening, data, view)

    game.submit(SHOT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intake, "read_orders", other)
        game.tell(game.advance())
        game.finish()


@LIES(
    "n24",
    "takes an illegal order of a friend",
    verify=Said(1, "orders", "orders/0003-bob.txt: line 1"),
)
def illegal_of_a_friend(game: Liar) -> None:
    """Bob, the host's friend, jumps across the map; the host lets him."""
    game.play(SETUP, SHOT)
    table = game.table
    own = table.seated("bob")
    file = OrderFile(("silent F6",))
    order = own.order(file, table.keys["bob"], table.clock.now()).bundle

    def take(opening: Any, data: bytes, view: Any) -> Any:
        return opening.game.read(view, Written("silent"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intake, "read_orders", take)
        game.answer(order)
        steps = game.advance()
    game.tell(steps)
    game.finish()


@LIES(
    "o01",
    "takes an order of a friend whose sealed file opens to nothing",
    verify=Said(
        1, "orders", "orders/0003-bob.txt: sealed again, it is not the file that its slip signs"
    ),
)
def sealed_nothing(game: Liar) -> None:
    """Bob's slip signs noise as his sealed file; the host got the order in private."""
    game.play(SETUP, SHOT)
    table = game.table
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intake, "seal_order", lambda opening, *given: bytes(opening.sizes.order + 16))
        order = game.order("bob", "silent")
    data = table.seat("bob").order_file(3, 1)
    right = intake.unseal_order

    def unseal(opening: Any, shared: Any, slip: Any, sealed: bytes) -> bytes:
        return (
            data
            if slip.player == "bob" and slip.step == 3
            else right(opening, shared, slip, sealed)
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intake, "unseal_order", unseal)
        game.answer(order)
        game.tell(game.advance())
        game.finish()


@LIES(
    "m03",
    "throws loaded dice",
    terms={"options": {"turn_time": "3d"}},
    verify=Said(1, "replay", "entries/0001.toml: "),
)
def loaded_dice(game: Liar) -> None:
    honest = game.host.game

    def first(dice: Dice) -> int:
        return dice.below("first", 2)

    with pytest.MonkeyPatch.context() as patch:
        right = UnlockedGame.dice
        nonces = {name: game.table.seat(name).secret.nonce for name in ("alice", "bob")}
        drawn = first(right(honest, nonces))
        seeds = (Dice(bytes([number]) * 32) for number in range(99))
        loaded = next(dice for dice in seeds if first(dice) != drawn)
        patch.setattr(UnlockedGame, "dice", lambda *given: loaded)
        game.play(SETUP).finish()


@LIES(
    "n19",
    "takes salts that do not come from its master",
    verify=Said(1, "replay", "entries/0002.toml: state: "),
)
def salts_of_its_own(game: Liar) -> None:
    state, report = Master.state_salt, Master.report_salt
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Master, "state_salt", lambda self, step: state(self, 1))
        patch.setattr(Master, "report_salt", lambda self, step, who: report(self, 1, who))
        game.play(SETUP, SHOT).finish()


@LIES(
    "m22",
    "sits in seats of its own, and gives or withholds their nonces until it likes the dice",
    terms={"players": ("alice", "bob", "carol")},
    at_once={EVERYBODY: "carol missed step 1 and so added nothing to the dice"},
    verify=Said(3, "dice", "carol missed step 1 and so added nothing to the dice"),
)
def withhold(game: Liar) -> None:
    """Carol never orders again, and so looks like somebody who stayed away."""
    game.submit(SETUP)
    game.table.clock.skip(4 * DAY)
    game.tell(game.advance(late=True))
    game.play(SHOT, QUIET).finish()


@LIES(
    "m01",
    "drops a player's first order, to throw the dice without that player's nonce",
    terms={"players": ("alice", "bob", "carol")},
    at_once={
        EVERYBODY: "carol missed step 1 and so added nothing to the dice",
        "carol": "calls you missing, though you wrote",
    },
    verify=Said(3, "dice", "carol missed step 1 and so added nothing to the dice"),
)
def throw_again(game: Liar) -> None:
    """The host drops Carol's first order for another throw of the dice."""
    game.answer(game.order("carol", "start A1"), tell=False)
    game.forget("carol")
    game.submit({"alice": "start C4", "bob": "start C1"})
    game.table.clock.skip(4 * DAY)
    game.tell(game.advance(late=True))
    game.play(SHOT, QUIET, {"carol": "silent"}).finish()


@LIES(
    "m07",
    "notes press that nobody wrote",
    verify=Said(0, "host", "1 messages noted; 0 are known here"),
    unproved="messages of players that nobody shows",
)
def press_of_nobody(game: Liar) -> None:
    game.play(SETUP)
    game.step(SHOT, change=lambda made: entry_of(made, press=(digest(b"never was"),)))
    game.finish()


@LIES("n03", "tells a friend what the others ordered", unproved=TOLD)
def whisper(game: Liar) -> None:
    """The host tells Bob where Alice is, by telephone; the record is that of an honest game."""
    game.play(SETUP, SHOT).finish()
