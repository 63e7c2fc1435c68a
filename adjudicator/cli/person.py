"""A person at the terminal: shows them the position and asks for orders.

What it must not know: records, seats, how orders travel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import click

from adjudicator.cli import tell_error
from adjudicator.cli.shared import say
from adjudicator.words import form
from games.dice import Dice
from games.game import After, Bot, Game, OrderError, Player, Table, View, Written
from orders.errors import Refused

T = TypeVar("T")

AT_ONCE = 24
"""So many lines are listed until the person asks for all."""

PROMPT = "orders (? for all that you may write)"


NO_LINES = "-"
"""What to type for orders without a line, if the game takes them; nobody types it by mistake."""


def lines_of(text: str) -> str:
    """Orders typed in one line, with `;` between them, as one line each."""
    if text.strip() == NO_LINES:
        return ""
    return "\n".join(part.strip() for part in text.split(";"))


def choices(after: After, most: int = AT_ONCE) -> Iterator[str]:
    """The possible first lines in columns; at most `most`, and then a note that there are more."""
    texts = [choice.text for choice in after.choices]
    yield from (f"  {row}" for row in form.columns(texts[:most]))
    if len(texts) > most:
        yield f"  ... and {len(texts) - most} more"


def ask(after: After, judge: Callable[[str], T]) -> T | None:
    """Ask for orders until `judge` takes them; None if none are given.

    `judge` gets the orders, one a line, and raises OrderError or Refused for what is wrong.
    """
    while True:
        text = str(click.prompt(PROMPT, default="", show_default=False)).strip()
        if not text:
            return None
        if text == "?":
            say(*choices(after, len(after.choices)))
            say(f"  Several lines go into one, a ; between them. {NO_LINES} means no line.")
            continue
        try:
            return judge(lines_of(text))
        except (OrderError, Refused) as error:
            tell_error(error)


class Person:
    """A seat that a person plays at this terminal, with the interface of a bot."""

    def __init__(self, game: Game[Any, Any], player: Player, adviser: Bot | None = None) -> None:
        """`adviser` is given the same news; its orders are shown as a hint."""
        self.game = game
        self.player = player
        self.adviser = adviser
        self.view: View | None = None

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Tell the news of a report; the board is shown with the next question."""
        self.view = view
        say(*(f"  {self.game.news(event)}" for event in events))
        if self.adviser is not None:
            self.adviser.hear(view, events)

    def order(self, dice: Dice) -> Written:
        """The person's orders, once the game takes them; an empty answer is asked for again."""
        if self.view is None:
            raise ValueError("orders are asked for after a report")
        view, after = self.view, self.game.after(self.view, ())
        say(f"\n{self.game.draw(view)}", *choices(after))
        if self.adviser is not None:
            say(f"  hint: {in_one_line(self.adviser.order(dice))}")

        def judge(text: str) -> Written:
            self.game.read(view, Written(text))
            return Written(text)

        while (written := ask(after, judge)) is None:
            say("  Write a line, ? for what may be written, or leave the game by Ctrl-C.")
        return written


def in_one_line(written: Written) -> str:
    """Orders as one line that somebody could type: `lines_of` backwards."""
    lines = [line for line in written.orders.split("\n") if line]
    return "; ".join(lines) or NO_LINES
