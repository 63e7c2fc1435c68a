"""What a screen says around the board, for a game that words nothing itself; and the parts of which
games make their own words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from games.game import Brief, Choice, View

if TYPE_CHECKING:
    from games.game import Game

MOST_ROWS = 4
"""The most lines of a menu."""
GAP = "   "


def brief(game: Game[Any, Any], view: View) -> Brief:
    """The default of `Game.brief`: whether orders are due, and the chart's notes."""
    chart = game.chart(view)
    due = bool(game.after(view, ()).choices)
    asked = f"your orders, {view.player}." if due else "others are awaited, or it is over."
    return Brief(f"{game.title}: {asked}", () if chart is None else chart.notes)


def menu(choices: Iterable[Choice], columns: int) -> tuple[str, ...]:
    """The default of `Game.menu`: a row for each first word, with what may follow it."""
    follow: dict[str, list[str]] = {}
    for choice in choices:
        first, _, rest = choice.text.partition(" ")
        follow.setdefault(first, []).append(rest)
    rows = [row(word, list(dict.fromkeys(rests)), columns) for word, rests in follow.items()]
    if len(rows) <= MOST_ROWS:
        return tuple(rows)
    short = [row(word, (), columns) for word, rests in follow.items() if rests == [""]]
    long = [row(word, rests, columns) for word, rests in follow.items() if rests != [""]]
    packed = side_by_side(short, columns)
    if len(long) + len(packed) > MOST_ROWS:
        counted = (
            f"{word} ({len(rests)})" if rests != [""] else word for word, rests in follow.items()
        )
        packed, long = side_by_side(counted, columns), []
    if len(packed) > MOST_ROWS:
        packed = [*packed[: MOST_ROWS - 1], cut(f"{packed[MOST_ROWS - 1]} ...", columns)]
    return (*long, *packed)


def row(word: str, rests: Sequence[str], columns: int) -> str:
    """A word and what may follow it: as many as fit, and then dots."""
    if not any(rests):
        return word
    first, *others = [rest or "(alone)" for rest in rests]
    text = f"{word} {first}"
    for rest in others:
        if len(text) + len(rest) + 7 > columns:
            return cut(f"{text} | ...", columns)
        text += f" | {rest}"
    return cut(text, columns)


def cut(text: str, columns: int) -> str:
    """The text, or as much of it as fits, with dots at the end."""
    return text if len(text) <= columns else f"{text[: columns - 3].rstrip()}..."


def side_by_side(texts: Iterable[str], columns: int) -> list[str]:
    """Short texts, as many in a line as fit."""
    return list(_packed(texts, columns))


def _packed(texts: Iterable[str], columns: int) -> Iterator[str]:
    line = ""
    for text in texts:
        if line and len(line) + len(GAP) + len(text) > columns:
            yield line
            line = ""
        line += f"{GAP}{text}" if line else text
    if line:
        yield line


def ago(turns: int) -> str:
    """`1 turn ago`."""
    return "this turn" if turns <= 0 else f"{turns} turn{'s' * (turns > 1)} ago"


class Paragraph:
    """Short pieces of news, those of one sort in a row joined: `contact C4, C5; ping from C1`."""

    def __init__(self) -> None:
        self._parts: list[tuple[str, list[str]]] = []

    def add(self, head: str, item: str = "") -> None:
        """A piece of news; `head` is said once for items that follow each other."""
        if item and self._parts and self._parts[-1][0] == head and self._parts[-1][1]:
            self._parts[-1][1].append(item)
        else:
            self._parts.append((head, [item] if item else []))

    def text(self) -> str:
        """The pieces as one sentence; "" if there are none."""
        said = "; ".join(f"{head} {', '.join(items)}".rstrip() for head, items in self._parts)
        return said if not said or said[-1] in ".!" else f"{said}."
