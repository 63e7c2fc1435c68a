"""One sentence why a game ended: to who won, to who lost, to everybody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from matches import played

import games
from games.dice import Dice
from games.game import Outcome, Written
from games.silent_ships.events import DRAWN
from games.silent_ships.events import HOW as SHIPS
from games.silent_ships.state import Over as ShipsOver
from games.submarine_warfare.events import HOW as WARFARE
from games.submarine_warfare.state import Over as WarfareOver

DOG: Any = games.load("sugar-dog")


def ends(
    position: Mapping[str, Any], order: str | None, options: Mapping[str, Any] | None = None
) -> tuple[str, ...]:
    """What alice, bob and everybody are told of a game of Sugar Dog that ends with a turn of
    alice's; without an order of hers she missed it."""
    players = tuple(name for name in ("alice", "bob", "carol") if name in position)
    setup = DOG.setup(players, options or {})
    state = DOG.state(setup, {"turn": "alice", **position})
    orders = {"alice": DOG.read(DOG.view(state, "alice"), Written(order))} if order else {}
    step = DOG.adjudicate(state, orders, Dice(b"why"))
    assert DOG.outcome(step.state) is not None
    missing = () if order else ("alice",)
    return tuple(
        DOG.why(
            DOG.view(step.state, reader),
            [one.whole() for one in step.events if one.audience in ("*", reader)],
            missing,
        )
        for reader in ("alice", "bob", None)
    )


ALICE: dict[str, Any] = {"sub": "C2"}
BOB: dict[str, Any] = {"sub": "C3"}
FAR: dict[str, Any] = {"sub": "F6"}


@pytest.mark.parametrize(
    ("alice", "bob", "order", "told"),
    [
        (ALICE, BOB, "fire N",
         ("Your torpedo hit bob in C3.", "alice's torpedo hit you in C3.",
          "alice's torpedo hit bob in C3.")),
        (ALICE, BOB, "cruise C3",
         ("You and bob were lost together in C3.", "alice and you were lost together in C3.",
          "alice and bob were lost together in C3.")),
        (ALICE, {**FAR, "mines": ["C3"]}, "cruise C3",
         ("Your submarine met a mine or torpedo in C3.",
          "alice's submarine met your mine in C3.",
          "alice's submarine met a mine or torpedo in C3.")),
        (ALICE, {**FAR, "torpedoes": ["C3 E"]}, "cruise C3",
         ("Your submarine met a mine or torpedo in C3.",
          "alice's submarine met your torpedo in C3.",
          "alice's submarine met a mine or torpedo in C3.")),
        ({**ALICE, "mines": ["C3"]}, FAR, "cruise C3",
         ("Your submarine met your mine in C3.",
          "alice's submarine met a mine or torpedo in C3.",
          "alice's submarine met a mine or torpedo in C3.")),
        ({**ALICE, "torpedoes": ["C1 N"]}, FAR, "silent",
         ("Your submarine met your torpedo in C2.",
          "alice's submarine met a mine or torpedo in C2.",
          "alice's submarine met a mine or torpedo in C2.")),
        (ALICE, BOB, "resign", ("You resigned.", "alice resigned.", "alice resigned.")),
    ],
)  # fmt: skip
def test_sugar_dog(
    alice: dict[str, Any], bob: dict[str, Any], order: str, told: tuple[str, ...]
) -> None:
    """Who hit whom, and where; what is hidden is not told even then, but its owner knows."""
    assert ends({"alice": alice, "bob": bob}, order) == told


def test_sugar_dog_without_a_loss() -> None:
    """A draw that was agreed, or after many quiet turns; a deadline that resigns; three players."""
    position = {"alice": ALICE, "bob": FAR}
    agreed = ends({**position, "offers": ["bob"]}, "silent\ndraw")
    assert set(agreed) == {"Both offered a draw."}
    quiet = ends({**position, "quiet": 2}, "silent", {"quiet": 3})
    assert set(quiet) == {"Nothing was struck or pinged in 3 turns."}
    missed = ends(position, None, {"missed": "resign"})
    told = "You missed the deadline.", "alice missed the deadline.", "alice missed the deadline."
    assert missed == told
    three = {**position, "carol": {"sub": "G7"}, "offers": ["bob", "carol"]}
    assert set(ends(three, "silent\ndraw")) == {"All who were left offered a draw."}
    both = ends({"alice": ALICE, "bob": BOB, "carol": BOB}, "fire N")
    assert both[0] == "Your torpedo hit bob and carol in C3."
    assert both[1] == "alice's torpedo hit you and carol in C3."


WARFARE_TOLD = {
    "eliminated": ("bob's last submarine was destroyed.", "Your last submarine was destroyed."),
    "fifty": ("You reached 12 points.", "alice reached 50 points, and you had 8."),
    "none-left": (
        "No submarine was left, and you had more points.",
        "No submarine was left, and alice had more points.",
    ),
    "resigned": ("bob resigned.", "You resigned."),
    "missed": ("bob missed the setup.", "You missed the setup."),
    "time": ("bob missed the deadline.", "You missed the deadline."),
    "rounds": (
        "The last round was over, and you had more points.",
        "The last round was over, and alice had more points.",
    ),
}
SHIPS_TOLD = {
    "country": (
        "You held bob's country until the end of bob's turn.",
        "alice held your country until the end of your turn.",
    ),
    "flag-ship": ("You sank bob's flag ship.", "alice sank your flag ship."),
    "sunk": ("You sank 1 of bob's ships.", "alice sank 1 of your ships."),
    "agreed": (
        "Both offered to end the game, and you sank more.",
        "Both offered to end the game, and alice sank more.",
    ),
    "stalemate": (
        "Nothing was done in 30 turns, and you sank more.",
        "Nothing was done in 30 turns, and alice sank more.",
    ),
    "resigned": ("bob resigned.", "You resigned."),
    "missed": ("bob missed the deadline.", "You missed the deadline."),
}


def why(name: str, over: Any, **options: Any) -> list[str]:
    """What alice, bob and everybody are told of a game that ended so."""
    game: Any = games.load(name)
    step = played(name, 0, ("captain", "captain"), options)[3]
    state = step.state._replace(over=over, turn=None)
    views = [game.view(state, reader) for reader in ("alice", "bob", None)]
    ended = {"kind": "over", "how": over.how, **Outcome(over.winner).fields()}
    return [game.why(view, [ended]) for view in views]


@pytest.mark.parametrize("how", WARFARE)
def test_submarine_warfare(how: str) -> None:
    """Each way in which it ends; with a side's points, if they are known."""
    if how == "agreed":
        assert set(why("submarine-warfare", WarfareOver(None, how))) == {"Both offered a draw."}
        return
    *told, all_ = why("submarine-warfare", WarfareOver("alice", how))
    assert tuple(told) == WARFARE_TOLD[how]
    assert "you" not in all_.lower()


@pytest.mark.parametrize("how", ["none-left", "rounds"])
def test_a_tie_that_the_organiser_wins(how: str) -> None:
    """SW-15: nobody has more points."""
    for said in why("submarine-warfare", WarfareOver("host", how)):
        assert said.endswith("points were equal, and then the organiser wins.")


@pytest.mark.parametrize("how", [*SHIPS, *DRAWN])
def test_silent_ships(how: str) -> None:
    """Each way in which it ends, won and drawn."""
    won = why("silent-ships", ShipsOver("alice", how), stalemate=30)
    assert tuple(won[:2]) == SHIPS_TOLD[how]
    assert "you" not in won[2].lower()
    if how in DRAWN:
        drawn = SHIPS_TOLD[how][0].replace(", and you sank more", "")
        assert set(why("silent-ships", ShipsOver(None, how), stalemate=30)) == {drawn}


@pytest.mark.parametrize("name", ["sugar-dog", "silent-ships", "submarine-warfare"])
def test_no_game_ends_without_a_reason(name: str) -> None:
    """Whole games, as both and everybody hear them."""
    for seed in range(8):
        *_, last = played(name, seed, ("random", "captain"))
        for reader in ("alice", "bob", None):
            said = last.game.why(last.game.view(last.state, reader), last.heard(reader))
            assert said.isascii()
            assert said.endswith(".")


def test_a_game_that_says_nothing_of_it() -> None:
    """The last that is told."""
    from games.examples.battleship import GAME

    view = GAME.view(GAME.start(GAME.setup(("alice", "bob"), {})), "alice")
    over = {"kind": "over", "winner": "alice"}
    assert GAME.why(view, [over]) == "You have sunk the whole fleet."
    assert GAME.why(view, []) == ""
