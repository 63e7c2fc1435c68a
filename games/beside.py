"""What stands beside a board that is touched: what happened, in sentences that the board plays; a
line about each side; and standing orders, as questions with answers to choose from.

What belongs here: the values, and what a game says that words nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from games.game import Table

if TYPE_CHECKING:
    from games.game import Game

PLAYS = ("", "run", "ping", "burst", "fight")
"""How a board plays a sentence: a ring out of each cell; something goes along the cells; a wide
ring out of the first; something bursts in each; the first cell strikes at the second."""


class Said(NamedTuple):
    """A sentence about what happened.

    `cells`: those that it names, in their order. `sign`: a word of `acts.SIGNS`. `play`: a word of
    `PLAYS`. `shape`, `side`: what goes along the cells, as in `chart.Piece`; without a shape it is
    what stands on the last of them or, if nothing does, a contact.
    """

    text: str
    cells: tuple[str, ...] = ()
    sign: str = ""
    play: str = ""
    shape: str = ""
    side: str = "own"


class Sideline(NamedTuple):
    """A line about one side: a few words, and what is counted of it (`2 mines left`)."""

    words: str = ""
    tally: str = ""


class Asked(NamedTuple):
    """A question that standing orders answer: how the order line begins, the question in words, the
    possible ends of the line with their words, and the one that holds now.

    `many`: the line ends with any of the choices, in an order, with commas between them, or with
    `none`; None if there is no such line. An order file without any of these lines changes nothing;
    with one, what the others do not say is as if nothing had been said before.
    """

    line: str
    words: str
    choices: tuple[tuple[str, str], ...]
    now: str | tuple[str, ...] | None
    many: bool = False


def told(game: Game[Any, Any], events: Iterable[Table]) -> tuple[Said, ...]:
    """The default of `Game.told`: each event's sentence, with the cells that it names."""
    return tuple(
        Said(game.news(event), tuple(dict.fromkeys(game.named(event)))) for event in events
    )


class Tale:
    """Sentences as they come: one can be put in place of the last."""

    def __init__(self) -> None:
        self.said: list[Said] = []
        self.last: tuple[str, ...] = ()

    def add(self, said: Said, *last: str) -> None:
        """One more sentence; `last` says of what kind it is, for whoever goes on with it."""
        self.said.append(said)
        self.last = last

    def more(self, said: Said, *last: str) -> None:
        """This sentence in place of the last."""
        self.said.pop()
        self.add(said, *last)
