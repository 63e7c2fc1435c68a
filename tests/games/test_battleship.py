"""The example of a game: what its captain makes of hits and misses, and what its board shows."""

from __future__ import annotations

from typing import Any

from games.chart import text
from games.dice import Dice
from games.examples.battleship import GAME
from games.examples.battleship.bot import Gunner

SETUP = GAME.setup(("alice", "bob"), {})
SHIPS = ("carrier", "battleship", "cruiser", "submarine", "destroyer")


def position(*shots: str) -> Any:
    """Alice's turn, after these shots at bob."""
    sides = {
        name: {"fleet": [f"{ship} {at}{row} E" for row, ship in enumerate(SHIPS, 1)], "shots": []}
        for name, at in (("alice", "A"), ("bob", "K"))
    }
    sides["bob"]["shots"] = list(shots)
    return GAME.state(SETUP, {"turn": "alice", **sides})


def captain(*shots: str) -> Gunner:
    """Who has heard the answers to these shots."""
    bot = Gunner("alice")
    bot.hear(GAME.view(position(*shots), "alice"), ())
    return bot


def test_a_hit_is_followed_where_the_ship_can_lie_on() -> None:
    """Misses and the sea's edge leave the destroyer in K5 one place: then it is sure."""
    shots = ("K5 destroyer", "K6 miss", "K4 submarine")
    (best, next_best) = captain(*shots).ranked(Dice(b""), 2)
    assert (best.orders, best.value >= 1000 > next_best.value) == ("shoot L5", True)
    assert captain(*shots).why("shoot L5") == "it hits by about 100 %"
    view = GAME.view(position(*shots), "alice")
    known = GAME.deduced(view, ())
    assert known.may["bob's destroyer"] == ["destroyer K5 E"]
    board = text(GAME.chart_known(view, known)).splitlines()
    assert [line.split()[11:13] for line in board[4:6]] == [["o", "."], ["D*", "+"]]


def test_with_nothing_hit_the_captain_shoots_where_most_ships_fit() -> None:
    """In the middle, not in a corner, where the fewest do; the dice choose between equals."""
    ranked = captain().ranked(Dice(b""), 100)
    assert len(ranked) == 100
    assert {one.orders for one in ranked[:4]} == {
        f"shoot {cell}" for cell in ("O5", "O6", "P5", "P6")
    }
    assert {one.orders for one in ranked[-4:]} == {
        f"shoot {cell}" for cell in ("K1", "K10", "T1", "T10")
    }
    assert len({captain().ranked(Dice(b"%d" % seed), 1)[0].orders for seed in range(20)}) == 4


def test_a_sunk_ship_is_drawn_whole_and_a_hit_alone_as_a_peg() -> None:
    """Whoever sees it: a hidden ship shows no more than its hits."""
    state = position("K5 destroyer", "L5 destroyer", "M1 carrier")
    found = {str(one.cell): one for one in GAME.chart(GAME.view(state, "alice")).pieces}
    assert {at: one.mark for at, one in found.items() if one.side == "foe"} == {
        "K5": "D#", "L5": "D#", "M1": "C*",
    }  # fmt: skip
    assert found["K5"].title == "bob's destroyer, sunk"
    assert "<circle" in found["M1"].shape and "<path" not in found["M1"].shape
    assert "<path" in found["K5"].shape
    assert found["A1"].mark == "C"
