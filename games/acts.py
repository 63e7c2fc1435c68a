"""Order lines in parts, as a board offers them: who does what, along which cells, for what, and
what the others will hear.

What belongs here: the values, and what a game says that words nothing itself. No part is read from
a label: a game gives each from the same command that its rules carry out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from games.game import Choice

SIGNS = (
    "step", "run", "torpedo", "mine", "sonar", "anchor", "card", "fight", "flip", "swap", "up",
    "down", "heal", "burst", "contact", "echo", "again",
)  # fmt: skip
"""The signs that a page has for buttons and sentences."""


ROLES = ("", "beside", "end", "give-up", "rare")
"""How a line is offered: as a button; beside the others, as an offer of a draw; as what ends the
orders, taken unless one says no; as what ends the game, after a question; only as text."""


class Verb(NamedTuple):
    """A kind of line, as a button: its name, a few words on it, its sign (a word of `SIGNS`) and
    its role (a word of `ROLES`). `heard`: whether others hear it (None: it depends). `about`: the
    word under which the game's pages explain it, if it is another than its key. `answers`: of a
    line that is planned from the start, as the usual answer, what its author is told: `Attacked`;
    `asks`: the question, `Stand or retreat?`.
    """

    name: str
    words: str = ""
    sign: str = ""
    heard: bool | None = None
    role: str = ""
    about: str = ""
    answers: str = ""
    asks: str = ""


class Act(NamedTuple):
    """A line that may come next.

    `verb`: the kind. `unit`: who does it, as one would call them: a submarine's letter, a card of
    the hand, a ship's cell; "" if there is only one. `here`: its cell, or "". `to`: the cells that
    tell this line from the others of its verb and unit, in order; `reach`: the cells that it
    touches beyond. `picks`: what it names besides, such as cards given up. `says`: what it does.
    `heard`: what others will hear, a sentence, or "". `cost`: of what is limited, such as `1 AP`.
    `goes`: the unit goes along these cells. `warns`: what is surely lost by it, a sentence, or "".
    """

    text: str
    verb: str
    unit: str = ""
    here: str = ""
    to: tuple[str, ...] = ()
    reach: tuple[str, ...] = ()
    picks: tuple[str, ...] = ()
    says: str = ""
    heard: str = ""
    cost: str = ""
    goes: bool = False
    warns: str = ""


class Held(NamedTuple):
    """A card in one's hand: its name as lines have it, its shape as SVG, and its words."""

    name: str
    shape: str
    words: str


def of_choices(choices: Iterable[Choice]) -> tuple[Act, ...]:
    """The default of `Game.acts`: the first word of a line is its verb."""
    return tuple(
        Act(one.text, one.text.partition(" ")[0], to=one.cells, says=one.label or one.text)
        for one in choices
    )


def joined(names: Iterable[str]) -> str:
    """`D4`, `D4 and E4`, `D4, E4 and F4`."""
    *others, last = list(names) or ["nothing"]
    return f"{', '.join(others)} and {last}" if others else last
