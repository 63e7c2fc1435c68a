"""What there is to know of an order word, in one row.

What belongs here: the row, and the texts of errors that are made of its forms. What it must not
know: any single order word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from games.game import Choice
from games.grid import HEADINGS, read_cell
from games.sugar_dog.view import Sight


def choice(text: str, label: str) -> Choice:
    """That line as what may come next."""
    return Choice(text, tuple(word for word in text.split(" ") if read_cell(word)), label)


def _no_fault(sight: Sight, order: Any) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Word:
    """An order word: all but the rule that carries it out, which stands in `rules`.

    `forms`: how its line is written, with `CELL` and `HEADING` for what is named there.
    `make`: the order, of the cells and headings that are named, in their order.
    `offers`: the lines that are legal now, each with what it does, for a player on turn.
    `fault`: why such an order is illegal as far as its author sees, as what was expected; None
    where it is legal.
    `habits`: other words that people write for it.
    `in_setup`: it is written in the setup, and never after it. `beside`: it stands beside a
    command. `alone`: nothing stands beside it.
    """

    forms: tuple[str, ...]
    make: Callable[..., Any]
    offers: Callable[[Sight], Iterable[Choice]]
    fault: Callable[[Sight, Any], str | None] = _no_fault
    habits: tuple[str, ...] = ()
    in_setup: bool = False
    beside: bool = False
    alone: bool = False

    def expected(self) -> str:
        """Its forms in quotes, every heading spelt out."""
        spelt = [
            form.replace("HEADING", heading)
            for form in self.forms
            for heading in (HEADINGS if "HEADING" in form else ("",))
        ]
        *others, last = [f"'{form}'" for form in spelt]
        return f"{', '.join(others)} or {last}" if others else last
