"""The row of an event: its kind, its audience, its fields and its sentence, in one place.

Each kind of event has one function in a game's `events`, which makes it; the function's name is the
kind. The sentence in English stands above it:

    @says("Contact in {at}, by {by}.")
    def contact(by: Player, at: Cell) -> Event:
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from games.game import Table

_MakerT = TypeVar("_MakerT", bound=Callable[..., object])


class Sentences:
    """The sentences of one game by kind: filled in as its `events` are loaded, never changed."""

    def __init__(self) -> None:
        self._by_kind: dict[str, Callable[[Table], str]] = {}

    def says(self, sentence: str | Callable[[Table], str]) -> Callable[[_MakerT], _MakerT]:
        """Keeps the sentence of the events that a function makes: a template of their keys, or a
        function of them."""

        def keep(maker: _MakerT) -> _MakerT:
            kind = maker.__name__.replace("_", "-")
            self._by_kind[kind] = sentence.format_map if isinstance(sentence, str) else sentence
            return maker

        return keep

    def news(self, event: Table) -> str:
        """One event, as in a report or an entry, as an English sentence in plain ASCII."""
        return self._by_kind[event["kind"]](event)
