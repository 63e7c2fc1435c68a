"""The options with which a game is offered: their kinds, those of every game, refusing others.

What belongs here: what may stand in an invite's `[options]`, and how it is written on a command
line. What it must not know: any game.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

Value: TypeAlias = Any
"""What canonical JSON and TOML both hold: str, int, bool, list of these, dict from str to these."""


class OfferRefused(ValueError):
    """Options, a house table or players with which the game cannot be offered or begun."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game, as it may stand in an invite's `[options]`.

    `kind`: "int" (with `low`, `high`), "bool", "choice" (one of `choices`), "player" (a name,
    checked at genesis) or "duration" ("90s", "5m", "12h", "3d"). A default of None: not given.
    """

    name: str
    kind: str
    default: Value
    help: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0

    def parse(self, text: str) -> Value:
        """The value that `name=text` on a command line stands for; raises OfferRefused."""
        value: Value = text
        if self.kind == "int" and text.isascii() and text.isdigit() and len(text) < 10:
            value = int(text)
        elif self.kind == "bool" and text in ("true", "false"):
            value = text == "true"
        return self.check(value)

    def check(self, value: Value) -> Value:
        """`value` itself if it may stand in an invite; raises OfferRefused."""
        if not self._fits(value):
            raise OfferRefused(f"option {self.name} = {value!r:.80}: expected {self._expected()}")
        return value

    def _fits(self, value: Value) -> bool:
        if self.kind == "int":
            return type(value) is int and self.low <= value <= self.high
        if self.kind == "bool":
            return type(value) is bool
        if not isinstance(value, str):
            return False
        if self.kind == "choice":
            return value in self.choices
        if self.kind == "duration":
            return seconds(value) is not None
        return 0 < len(value) <= 32

    def _expected(self) -> str:
        return {
            "int": f"a whole number from {self.low} to {self.high}",
            "bool": "true or false",
            "choice": "one of " + ", ".join(self.choices),
            "duration": 'a time such as "90s", "5m", "12h" or "3d"',
        }.get(self.kind, "a player's name")


UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds(text: str) -> int | None:
    """The length in seconds of a duration such as `90s` or `3d`; None if it is none."""
    digits, unit = text[:-1], text[-1:]
    if unit not in UNITS or not digits.isascii() or not digits.isdigit():
        return None
    if len(digits) > 6 or digits != str(int(digits)):
        return None
    return int(digits) * UNITS[unit]


TURN_TIME = Option("turn_time", "duration", "3d", "time for a step's orders")
RESERVE_TIME = Option("reserve_time", "duration", "0d", "time in reserve for the whole game")
ABSENCE = Option("absence", "duration", "0d", "how long in all a player may be away")
PRESS = Option(
    "press",
    "choice",
    "none",
    "messages between players, each allowing what stands before it",
    choices=("none", "public", "private", "anonymous"),
)


def suggest(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` where something known is close to `word`, else nothing."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
