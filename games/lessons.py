"""Lessons: positions of a game to be played by who learns it, each with what the right orders do.

A game gives them in `LESSONS.toml` beside its code (docs/new-game.md). What it must not know: any
game's rules and words, how a game is hosted.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from games.bots import Walker
from games.dice import Dice
from games.game import Game, OrderError, Player, Table, Written
from games.kinds import LINE, TEXT, Kind, Reader, lists, some, tables

_KINDS: Mapping[str, Kind[Any]] = {
    "says": LINE,
    "right": LINE,
    "wrong": LINE,
    "orders": some(tables(lists(TEXT))),
    "answer": TEXT,
    "heard": lists(tables()),
    "unheard": lists(tables()),
    "options": tables(),
    "seed": TEXT,
}
_DEFAULTS: Table = {"heard": (), "unheard": (), "options": {}, "seed": "07"}


class BadLesson(ValueError):
    """A file that holds no lessons; the message names the key at fault."""


class Lesson(NamedTuple):
    """A position that some orders lead to, and what is to be done in it.

    `says`: what is so there, and what to do. `right`, `wrong`: what is told after orders with that
    effect, and after others. `orders`: each player's orders, one after the other; the first player
    is who learns, and the others' may go on after the position. `answer`: orders with the effect.
    `heard`: events that who learns must hear from then on, each with at least these fields;
    `unheard`: events that they may not hear. `seed`: of all chance, in hex digits.
    """

    says: str
    right: str
    wrong: str
    orders: Mapping[Player, Sequence[str]]
    answer: str
    heard: Sequence[Table]
    unheard: Sequence[Table]
    options: Table
    seed: str

    def told(self, right: bool | None) -> str:
        """What is said after orders that were right, or were not; None: before any."""
        return self.says if right is None else self.right if right else self.wrong

    def is_right(self, heard: Iterable[Table]) -> bool:
        """Whether these events, told to who learns, are the effect."""
        told = list(heard)

        def is_told(pattern: Table) -> bool:
            return any(pattern.items() <= event.items() for event in told)

        return all(map(is_told, self.heard)) and not any(map(is_told, self.unheard))


def read(text: str) -> tuple[Lesson, ...]:
    """The lessons in a file, in their order; raises BadLesson."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadLesson(str(error)) from error
    reader = Reader(data, ("lesson",), error=_fault)
    held: tuple[dict[str, Any], ...] = reader.take("lesson", lists(tables()))
    return tuple(_lesson(table, f"lesson {at}") for at, table in enumerate(held, 1))


def _lesson(table: Table, at: str) -> Lesson:
    reader = Reader(table, _KINDS, at, _fault)
    taken = {
        key: reader.take(key, kind, *([_DEFAULTS[key]] if key in _DEFAULTS else []))
        for key, kind in _KINDS.items()
    }
    if not (taken["heard"] or taken["unheard"]):
        raise BadLesson(f"{at}: neither heard nor unheard: any orders would be right")
    return Lesson(**taken)


def _fault(key: str, said: str) -> BadLesson:
    return BadLesson(f"{key}{said}")


class Scripted(Walker):
    """A bot that gives these orders one after the other, and then, or where one is not taken, any.

    `given`: how many it gave so far; `spoiled`: of the first that were not taken, what was wrong;
    "" for nothing."""

    def __init__(self, game: Game[Any, Any], player: Player, orders: Iterable[str]) -> None:
        super().__init__(game, player)
        self._orders: Iterator[str] = iter(orders)
        self.given = 0
        self.spoiled = ""

    def order(self, dice: Dice) -> Written:
        """The next orders."""
        self.given += 1
        for text in self._orders:
            try:
                self.game.read(self.view, Written(text))
                return Written(text)
            except OrderError as error:
                self.spoiled = self.spoiled or f"{text!a} is not taken: {error}"
                break
        return super().order(dice)
