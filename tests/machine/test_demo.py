"""A whole game between bots; that it is the same everywhere is held in test_determinism."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from high_low import GAME as HIGH_LOW

import games
from adjudicator.machine import demo
from adjudicator.machine.demo import NAMES, House, Moment, Plan
from adjudicator.player.seat import Seat
from adjudicator.store.clock import DemoClock
from adjudicator.store.record import Record
from adjudicator.verifier.verify import Asked, verify
from games.bots import Walker
from games.game import Written
from games.options import check_players
from orders.errors import Refused

SUGAR_DOG = games.load("sugar-dog")


def play(folder: Path, **plan: object) -> list[Moment]:
    """A demo of Sugar Dog from one seed."""
    given = {"bots": ("random", "random"), "seed": b"\x07" * 32, "options": {}, **plan}
    return list(demo.play(Plan(SUGAR_DOG, **given), folder))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Moment]]:
    """A game, told from the first seat."""
    folder = tmp_path_factory.mktemp("demo") / "friday"
    return folder, play(folder)


def test_a_demo_leaves_a_true_record(played: tuple[Path, list[Moment]]) -> None:
    """The host's, and each bot's copy with its seat."""
    folder, _ = played
    assert verify(Record(folder / "record")).code == 0
    for name in ("alice", "bob"):
        seat = Seat.open(folder / name / f"{name}.seat")
        found = verify(Record(folder / name / "record"), Asked(seat=seat))
        assert (found.code, found.claims[-1].name) == (0, "receipts")


def test_each_entry_is_told_as_it_comes(played: tuple[Path, list[Moment]]) -> None:
    """With its news, and the board from the first side; the last is revealed."""
    _, told = played
    assert told[0] == Moment(0, ("The game begins.",), None)
    assert [one.step for one in told] == list(range(len(told)))
    assert {one.view.player for one in told[1:] if one.view} == {"alice"}
    assert [one.revealed for one in told] == [False] * (len(told) - 1) + [True]


def test_a_demo_without_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a number of steps, which is told."""
    monkeypatch.setattr(demo, "MOST_STEPS", 2)
    with pytest.raises(Refused, match="demo: no end after 2 steps"):
        play(tmp_path / "friday")


def test_a_bot_that_cheats_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host refuses what it wrote; the fault names it, and nothing goes on."""

    class Cheat(Walker):
        def order(self, dice: object) -> Written:
            return Written("win")

    monkeypatch.setattr(type(SUGAR_DOG), "bots", {"random": lambda who: Cheat(SUGAR_DOG, who)})
    with pytest.raises(Refused, match="the orders of alice were not accepted: malformed"):
        play(tmp_path / "friday")
    assert Record(tmp_path / "friday" / "record").last_step() == 0


@pytest.mark.parametrize("game", ["sugar-dog", "silent-ships", "submarine-warfare"])
def test_as_many_bots_as_the_game_seats(game: str) -> None:
    """The least where nobody says; more or fewer are refused with what would be right."""
    rules = games.load(game)
    least, most = rules.seats
    assert demo.seats_of(rules, None) == demo.seats_of(rules, least) == least
    highest = min(most, len(NAMES))
    many = str(least) if least == highest else f"{least} to {highest}"
    assert demo.seats_of(rules, highest) == highest
    for players, wrong in ((least - 1, "few"), (highest + 1, "many")):
        said = f" too {wrong} for {game}, which seats {many}"
        with pytest.raises(Refused, match=said) as one:
            demo.seats_of(rules, players, "so")
        assert (one.value.word, one.value.hint) == ("bad-option", "so")


def test_every_name_of_a_bot_can_be_borne_in_every_game() -> None:
    """None is a word of a game's notation, and no game seats more."""
    for game in (*map(games.load, games.installed()), HIGH_LOW):
        assert not set(NAMES) & set(game.words)
        assert game.seats[1] <= len(set(NAMES)) == len(NAMES)
        check_players(NAMES[: game.seats[1]], game.seats, game.words, game.id)


def test_a_guest_plays_by_bundles_alone(tmp_path: Path) -> None:
    """A house waits for its guest, answers each order, and goes on once all are in."""
    clock = DemoClock()
    plan = Plan(SUGAR_DOG, ("", "random"), b"\x07" * 32, {"first": "bob"}, guests=("alice",))
    house = House(plan, tmp_path / "house", clock, clock)
    guest = demo._Seat(plan, tmp_path / "guest", "alice", Walker(SUGAR_DOG, "alice"), clock)
    genesis = house.begin({"alice": guest.join(house.invite)})
    assert genesis.kind == "entry"
    assert house.rounds("alice") == []
    guest.take([genesis])
    guest.hear()
    receipt, *entries = house.answer(guest.order())
    assert receipt.kind == "receipt"
    # The setup, and bob's first turn: it is the guest's turn again.
    assert len(entries) == 2
    assert list(house.referee.last.clocks.awaited) == ["alice"]


def orders_of(folder: Path) -> list[tuple[str, list[str]]]:
    """Every order of a revealed game, opened."""
    record = Record(folder / "record")
    opened = [path for path in record.paths() if re.fullmatch(r"orders/.*\.txt", path)]
    return [(path, record.read(path).decode().splitlines()[1:]) for path in opened]


@pytest.mark.parametrize(
    ("game", "bots", "every"),
    [
        ("sugar-dog", ("mate", "captain"), 1),
        ("sugar-dog", ("mate", "random", "captain"), 3),
        ("silent-ships", ("mate", "random"), 2),
        ("silent-ships", ("captain", "mate"), 1),
        ("submarine-warfare", ("mate", "captain"), 2),
    ],
)
def test_a_resumed_bot_orders_as_one_that_never_stopped(
    tmp_path: Path, game: str, bots: tuple[str, ...], every: int
) -> None:
    """A game that is left and gone on with comes to the same orders, to its end."""
    plan = Plan(games.load(game), bots, b"\x05" * 32, {})
    for _ in demo.play(plan, tmp_path / "whole"):
        pass
    house = demo.again(plan, tmp_path / "left")
    while house.referee.last.clocks.awaited:
        house.round()
        if house.referee.last.step % every == 0 and house.referee.last.clocks.awaited:
            house = demo.again(replace(plan, seed=b""), tmp_path / "left")
    whole = orders_of(tmp_path / "whole")
    assert len(whole) > 3
    assert orders_of(tmp_path / "left") == whole
