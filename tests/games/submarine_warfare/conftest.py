"""Positions of Submarine Warfare, drawn and read, for the tests here."""

from __future__ import annotations

from typing import Any

import pytest

from games.dice import Dice
from games.submarine_warfare import GAME
from games.submarine_warfare.state import LETTERS

NAMES = ("alice", "bob")
CELLS = tuple(f"{column}{row}" for row in range(1, 8) for column in "ABCDEFG")
SCORING = ("D4", "D3", "C4", "E4", "D5", "C3", "E3", "C5", "E5")
TABLE = GAME.read_table(GAME.default_table or b"")
HERE = {
    "turn": "alice",
    "alice": {"subs": ["a C2 5 down torpedo", "b D2 3 up mine", "c A7 5 down armor"]},
    "bob": {"subs": ["v D3 5 up heal", "w G7 5 down nullify"]},
}


def position(seed: int, turn: str = "alice") -> dict[str, Any]:
    """A position with everything drawn: who is afloat where, how many HP, what was laid and lost.

    Nobody has fewer than two submarines, or less than 2 HP; points are far from 25 and 50.
    """
    dice = Dice(b"position %d" % seed)
    cells = list(dice.shuffle("cells", CELLS))
    out: dict[str, Any] = {"turn": turn, "round": 1 + dice.below("round", 45), "first": "alice"}
    for name, own in zip(NAMES, LETTERS, strict=True):
        held = dice.shuffle(f"{name}/specials", tuple(TABLE))
        afloat = 2 + dice.below(f"{name}/afloat", 4)
        subs, sunk = [], []
        for at, (letter, special) in enumerate(zip(own, held, strict=False)):
            if at >= afloat:
                sunk.append(f"{letter} {special}")
                continue
            hp = 2 + dice.below(f"{name}/{letter}/hp", 4)
            state = ("up", "down", "down")[dice.below(f"{name}/{letter}/up", 3)]
            subs.append(f"{letter} {cells.pop()} {hp} {state} {special}")
        free = [cell for cell in cells if cell not in SCORING]
        mines = free[: dice.below(f"{name}/mines", 4)]
        cells = [cell for cell in cells if cell not in mines]
        points = (0, 28)[dice.below(f"{name}/points", 2)]
        row = 1 if name == "alice" else 7
        out[name] = {"row": row, "points": points, "subs": subs, "mines": mines, "sunk": sunk}
    return out


@pytest.fixture(name="position", scope="session")
def _position() -> Any:
    """The function `position`."""
    return position


@pytest.fixture(name="at", scope="session")
def _at() -> Any:
    """`at(position, **options)`: the state that a position stands for, in which a first turn has as
    many AP as any other."""

    def state(table: dict[str, Any], **options: Any) -> Any:
        return GAME.state(GAME.setup(NAMES, {"first_ap": 5, **options}), table)

    return state


@pytest.fixture(name="here", scope="session")
def _here(at: Any) -> Any:
    """Alice's turn, with two of Bob's submarines near: one of them in sight."""
    return at(HERE)
