"""What there is to know about an order word, in one row.

What belongs here: the row, and what errors quote from it. What it must not know: any single order
word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from games.grid import HEADINGS
from games.sugar_dog.view import Sight


def _no_fault(sight: Sight, order: Any) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Word:
    """An order word: everything but the rule that carries it out, which stands in `rules`.

    `forms`: what may stand after it; `CELL` and `HEADING` stand for what is named there. `make`:
    the order, from the cells and headings named, in their order. `offers`: what may stand after it
    now, each with what the line does, for a player on turn. `fault`: why such an order is illegal
    as far as its author sees, told as what was expected; None where it is legal. `habits`: other
    words that people write for it. `in_setup`: it is written in the setup, and only there.
    `beside`: it stands beside a command. `alone`: nothing stands beside it.
    """

    forms: tuple[str, ...]
    make: Callable[..., Any]
    offers: Callable[[Sight], Iterable[tuple[str, str]]]
    fault: Callable[[Sight, Any], str | None] = _no_fault
    habits: tuple[str, ...] = ()
    in_setup: bool = False
    beside: bool = False
    alone: bool = False

    def expected(self, name: str) -> str:
        """The forms of the word `name` in quotes, every heading spelt out."""
        spelt = [
            form.replace("HEADING", heading)
            for form in self.forms
            for heading in (HEADINGS if "HEADING" in form else ("",))
        ]
        *others, last = [f"'{name} {rest}'" if rest else f"'{name}'" for rest in spelt]
        return f"{', '.join(others)} or {last}" if others else last
