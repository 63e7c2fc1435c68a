"""What a screen says around the board: the values, and the words of a game that has none of its
own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from games.game import Brief, Choice, View

if TYPE_CHECKING:
    from games.game import Game
    from games.orders import Verb

MOST_ROWS = 4
"""The most lines of a menu."""
GAP = "   "
MANY, WIDE = 12, 24
"""More values of a word are not listed; a longer row does not widen the others."""


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


class Held(NamedTuple):
    """A card in one's hand: its name as lines have it, its shape as SVG, and its words."""

    name: str
    shape: str
    words: str


def brief(game: Game[Any, Any], view: View) -> Brief:
    """The default of `Game.brief`: whether orders are due, and the chart's notes."""
    chart = game.chart(view)
    due = bool(game.after(view, ()).choices)
    asked = f"your orders, {view.player}." if due else "others are awaited, or it is over."
    return Brief(f"{game.title}: {asked}", () if chart is None else chart.notes)


def menu(choices: Iterable[Choice], verbs: Mapping[str, Verb], columns: int) -> tuple[str, ...]:
    """The default of `Game.menu`: a row for each first word, with what may stand next to it and
    what its buttons say, if there is room; words that stand alone share one."""
    follow: dict[str, list[str]] = {}
    buttons: dict[str, dict[str, Verb]] = {}
    for choice in choices:
        first, _, rest = choice.text.partition(" ")
        follow.setdefault(first, []).append(rest)
        verb = choice.verb or first
        buttons.setdefault(first, {}).update({verb: verbs[verb]} if verb in verbs else {})
    told = {word: _told(found.values()) for word, found in buttons.items()}
    short = [word for word, rests in follow.items() if rests == [""]]
    long = {word: row(word, rests) for word, rests in follow.items() if rests != [""]}
    wide = max((len(text) for text in long.values() if len(text) <= WIDE), default=0)
    rows = []
    for word, text in long.items():
        whole = f"{text:<{wide}}  {told[word]}".rstrip()
        rows.append(whole if len(whole) <= columns else cut(text, columns))
    most = MOST_ROWS - len(rows)
    for explained in range(len(short), -1, -1):
        said = [f" ({told[word]})" * bool(told[word]) for word in short[:explained]]
        packed = side_by_side(map("".join, zip_longest(short, said, fillvalue="")), columns)
        if len(packed) <= most:
            return (*rows, *packed)
    counted = [
        f"{word} ({len(rests)})" if rests != [""] else word for word, rests in follow.items()
    ]
    packed = side_by_side(counted, columns)
    if len(packed) > MOST_ROWS:
        packed = [*packed[: MOST_ROWS - 1], cut(f"{packed[MOST_ROWS - 1]} ...", columns)]
    return tuple(packed)


def _told(buttons: Iterable[Verb]) -> str:
    """What buttons say, and whether others hear it."""
    told = [verb for verb in buttons if verb.words]
    ears = {verb.heard for verb in told}
    heard = "heard: " if ears == {True} else "unheard: " if ears == {False} else ""
    return heard + " | ".join(verb.words for verb in told)


def row(word: str, rests: Sequence[str]) -> str:
    """A word and what may stand next to it: in brackets if it may stand alone, with dots if more
    may follow, the first and the last of many."""
    each = list(dict.fromkeys(rest.partition(" ")[0] for rest in rests if rest))
    told = " ".join(each if len(each) <= MANY else [each[0], "...", each[-1]])
    told += " ..." * any(" " in rest for rest in rests)
    return f"{word} [{told}]" if "" in rests else f"{word} {told}"


def cut(text: str, columns: int) -> str:
    """The text, or as much of it as fits, with dots at the end."""
    return text if len(text) <= columns else f"{text[: columns - 3].rstrip()}..."


def side_by_side(texts: Iterable[str], columns: int) -> list[str]:
    """Short texts, as many in a line as fit."""
    lines: list[str] = []
    for text in texts:
        if lines and len(lines[-1]) + len(GAP) + len(text) <= columns:
            lines[-1] += f"{GAP}{text}"
        else:
            lines.append(text)
    return lines


def told_of(about: Mapping[str, str], word: str) -> list[str]:
    """What is said of a word, by `Game.about`: of this one, or of the one whose plural, whose past
    or whose beginning, up to a hyphen, it is."""
    asked = "-".join(word.lower().split())
    return [
        f"{name}: {text}"
        for name, text in about.items()
        for known in [name.lower()]
        if asked in [known + end for end in ("", "s", "es", "ed")] or known.startswith(f"{asked}-")
    ]


def ago(turns: int) -> str:
    """`1 turn ago`."""
    return "this turn" if turns <= 0 else f"{turns} turn{'s' * (turns > 1)} ago"
