"""Battleship, a game from elsewhere, as a duel: reports are a host's, and every lie is found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from duel.hosted import drawn, play
from duel.liars import ChangeFact, Lie, LyingSide, tell
from elsewhere.outside import EXAMPLES

import games
from adjudicator.duel.side import secrets_of
from games.duel import Half, Untrue, Waiting
from games.game import Game, Player, Step, Written
from orders.secrets import DuelSecret

NAMES = ("alice", "bob")
SHIPS = ("carrier", "battleship", "cruiser", "submarine", "destroyer")
SECRETS = {"alice": secrets_of(DuelSecret(drawn("alice")), 2)}


@pytest.fixture(scope="module")
def game() -> Iterator[Game[Any, Any]]:
    """The example, as it is found where it is installed."""
    with pytest.MonkeyPatch.context() as patch:
        for folder in EXAMPLES:
            patch.syspath_prepend(str(folder))
        games._elsewhere.cache_clear()
        yield games.load("battleship")
    games._elsewhere.cache_clear()


@pytest.mark.parametrize("number", range(4))
def test_reports_are_a_hosts(game: Game[Any, Any], number: int) -> None:
    """Events, views and prompts of both seats, whoever offers; and no fleet is told."""
    kinds = ("captain", "random") if number % 2 else ("captain", "captain")
    bots = {name: game.bots[kind](name) for name, kind in zip(NAMES, kinds, strict=True)}
    played = play(game, game.setup(NAMES, {}), bots, f"ships/{number}", NAMES[number // 2])
    assert played.compared >= 2 * (len(played.hosted.states) - 1) > 0
    told = [text for _, one in played.moves for text in one.facts]
    assert {text.partition(" ")[0] for text in told} == {"shot", "answer"}


# Lies.


def answers(of: dict[str, str]) -> ChangeFact:
    """Give another answer than the true one."""
    return lambda side, what, value, known: of.get(value) if what == "answer" else None


def aims_elsewhere(side: LyingSide, what: str, value: Any, known: Any) -> Any:
    """Shoot at another cell than was ordered."""
    if what != "shot":
        return None
    other = side.state.other(side.player)
    shot = {value, *(one.cell for one in side.state.sea(other).shots)}
    return next(cell for cell in side.state.cells(other) if cell not in shot)


LIES = (
    ("a hit denied", answers(dict.fromkeys(SHIPS, "miss")), "either", "answer"),
    ("a miss called a hit", answers({"miss": "carrier"}), "either", "answer"),
    (
        "another ship named",
        answers(dict(zip(SHIPS, SHIPS[1:] + SHIPS[:1], strict=True))),
        "either",
        "answer",
    ),
    ("a shot elsewhere", aims_elsewhere, "audit", "is `shot .*; by its secret and orders `shot"),
)


@pytest.mark.parametrize(("does", "fact", "noticed", "words"), LIES, ids=[row[0] for row in LIES])
def test_a_lie_is_found(
    game: Game[Any, Any], does: str, fact: ChangeFact, noticed: str, words: str
) -> None:
    """Once it cannot be, or when the duel is over; and it is the liar who is named."""
    lie = Lie(does, does, noticed, words, fact=fact, game=game, bots=("captain",))
    for seed in range(2):
        outcome = tell(lie, seed)
        assert outcome is not None
        assert outcome.noticed in (("at once", "audit") if noticed == "either" else (noticed,))
        assert re.search(words, outcome.words), outcome.words


# Half a position, under way.


def half_of_alice(game: Game[Any, Any], turn: Player) -> Any:
    """What alice's half holds: bob's carrier was hit in K1, and his destroyer is sunk."""
    fleet = "\n".join(f"place {ship} A{row} E" for row, ship in enumerate(SHIPS, 1))
    start = game.start(game.setup(NAMES, {}))
    orders = {"alice": game.read(game.view(start, "alice"), Written(fleet))}
    begun = stepped(game, start, orders).state
    shots = ["K1 carrier", "M9 destroyer", "N9 destroyer"]
    alice = {**game.view(begun, "alice").shown["alice"], "shots": ["A2 battleship"]}
    shown = {"turn": turn, "alice": alice, "bob": {"shots": shots}}
    return type(game).state(begun.setup, shown, whole=False)  # type: ignore[call-arg]


def stepped(game: Game[Any, Any], state: Any, orders: Any, half: Half | None = None) -> Step[Any]:
    """The step of alice's half."""
    assert game.duel is not None
    return game.duel.step(state, orders, Half(SECRETS) if half is None else half)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("shot K5", "K5 is not in the sea of alice"),
        ("shot A1 ", "expected a cell"),
        ("shot A2", "you shot at A2 before"),
        ("answer miss", "expected `shot`"),
    ],
)
def test_a_shot_that_cannot_be_is_refused(game: Game[Any, Any], told: str, said: str) -> None:
    """By whoever would answer it."""
    half = Half(SECRETS, (told,))
    with pytest.raises(Untrue, match=said):
        stepped(game, half_of_alice(game, "bob"), {}, half)
    assert half.tells == []


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("answer ", "expected miss, or a ship that is afloat"),
        ("answer Carrier", "expected miss, or a ship that is afloat"),
        ("answer destroyer", "expected miss, or a ship that is afloat"),
        ("answer carrier", "at T1: then some ship lies nowhere"),
    ],
)
def test_an_answer_that_cannot_be_is_refused(game: Game[Any, Any], told: str, said: str) -> None:
    """No carrier reaches from K1 to T1."""
    state = half_of_alice(game, "alice")
    orders = {"alice": game.read(game.view(state, "alice"), Written("shoot T1"))}
    with pytest.raises(Untrue, match=said):
        stepped(game, state, orders, Half(SECRETS, (told,)))


def test_a_half_answers_for_its_own_fleet(game: Game[Any, Any]) -> None:
    """And waits for what only the other knows."""
    with pytest.raises(Waiting):
        stepped(game, half_of_alice(game, "bob"), {})
    half = Half(SECRETS, ("shot A1",))
    step = stepped(game, half_of_alice(game, "bob"), {}, half)
    assert half.tells == ["answer carrier"]
    assert [event.kind for event in step.events] == ["hit"]
