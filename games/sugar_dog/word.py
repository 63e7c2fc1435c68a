"""The row of an order word, and the texts that errors quote from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from games.grid import HEADINGS
from games.sugar_dog.view import Sight


@dataclass(frozen=True, slots=True)
class Word:
    """An order word: everything except the rule that carries it out, which is in `rules`.

    `forms`: what may follow it, with `CELL` and `HEADING` as blanks. `make`: the order, from the
    cells and headings in the blanks, in order. `offers`: what may follow it now, with what each
    line does, for a player on turn. `fault`: what was expected instead of an illegal order, as far
    as its author sees; None if it is legal. `habits`: other words that people write for it.
    `in_setup`: it is written only in the setup. `beside`: it comes with a command. `alone`: nothing
    may come with it.
    """

    forms: tuple[str, ...]
    make: Callable[..., Any]
    offers: Callable[[Sight], Iterable[tuple[str, str]]]
    fault: Callable[[Sight, Any], str | None] = lambda sight, order: None
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
