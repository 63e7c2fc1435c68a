"""Order lines as they are written: from text to words with a meaning (SS-4, SS-12, SS-17).

What belongs here: the form of lines and of standing orders, which is the same in every position.
What it must not know: positions; so a ship's name stays as it was written, perhaps a prefix.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from games.grid import Cell, read_cell
from games.options import Value, suggest
from games.silent_ships.cards import LONGEST, NAMES
from games.silent_ships.state import Standing

DECISIONS = ("stand", "retreat", "support", "push")
LAST = ("end", "resign")
"""Lines after which nothing may follow."""


class Refused(Exception):
    """A line that is refused when read, and void when its time has come.

    `malformed`: not understood, else not allowed. `reason` is the word that a `void` event bears.
    `expected` says what would have been right. `word`: a ship's name to suggest another for.
    """

    def __init__(
        self, reason: str, expected: str, *, malformed: bool = False, hint: str = "", word: str = ""
    ) -> None:
        super().__init__(reason, expected)
        self.reason = reason
        self.expected = expected
        self.malformed = malformed
        self.hint = hint
        self.word = word


@dataclass(frozen=True, slots=True)
class Line:
    """An order line. `cells` and `cards` in the order written; `place` is `on`, `left`, `right`.

    `cards` are the card played, swapped in or given up. `supports` (None: not said) are the cells
    and cards of supports, `()` is `support none`; `push` the cell that a retreat goes to.
    """

    verb: str
    cells: tuple[Cell, ...] = ()
    cards: tuple[str, ...] = ()
    place: str = ""
    supports: tuple[tuple[Cell, str], ...] | None = None
    push: Cell | None = None


def read_line(text: str) -> Line | None:
    """The line in a text, None where it says nothing; raises Refused, malformed.

    Any case; what follows `#` does not count.
    """
    words = text.partition("#")[0].lower().split()
    if not words:
        return None
    if not text.isascii():
        raise _malformed("plain ASCII")
    form = _FORMS.get(words[0])
    if form is None:
        known = ", ".join(_FORMS)
        raise _malformed(f"a line that begins with one of {known}", suggest(words[0], _FORMS))
    return form(words[1:])


def read_standing(table: Mapping[str, Value]) -> Standing:
    """The standing orders in an order file's table (SS-13); raises Refused, malformed."""
    for key in table:
        if key not in ("retreat", "support", "discard"):
            raise _malformed(f"no key {key!a:.40} in `standing`; it has retreat, support, discard")
    discard = table.get("discard")
    names: list[str] | None = None
    if discard is not None:
        if not isinstance(discard, list) or not all(isinstance(name, str) for name in discard):
            raise _malformed("`standing.discard` to be a list of ships' names")
        names = ["-".join(name.lower().split()) for name in discard]
        for name, written in zip(names, discard, strict=True):
            if name not in NAMES or len(written) > LONGEST:
                raise _malformed(
                    f"full names of ships in `standing.discard`, not {name!a:.40}",
                    suggest(name, NAMES),
                )
        if len(set(names)) < len(names):
            raise _malformed("no ship twice in `standing.discard`")
    return Standing(
        _choice(table, "retreat", ("ask", "never", "always")),
        _choice(table, "support", ("ask", "never", "all")),
        None if names is None else tuple(names),
    )


def _choice(table: Mapping[str, Value], key: str, choices: tuple[str, ...]) -> str:
    value = table.get(key, "ask")
    if not isinstance(value, str) or value not in choices:
        raise _malformed(f"`standing.{key}` to be one of {', '.join(choices)}, not {value!a:.40}")
    return value


def _malformed(expected: str, hint: str = "", word: str = "") -> Refused:
    return Refused("malformed", f"expected {expected}", malformed=True, hint=hint, word=word)


# One function a form. Each takes the words after the first.


def _bare(verb: str) -> Callable[[Sequence[str]], Line]:
    def form(words: Sequence[str]) -> Line:
        if words:
            raise _malformed(f"nothing after `{verb}`")
        return Line(verb)

    return form


def _play(words: Sequence[str]) -> Line:
    usage = "`play SHIP on`, `left`, `right` or a cell, such as `play frigate left`"
    if not words:
        raise _malformed(usage)
    *name, place = words
    if place in ("on", "left", "right"):
        return Line("play", (), (_name(name, usage),), place)
    return Line("play", (_cell(place, usage),), (_name(name, usage),))


def _move(words: Sequence[str]) -> Line:
    usage = "`move FROM TO discard SHIP`, such as `move B4 A4 discard frigate`"
    parts = _parts(words, ("discard", "support", "push"), usage)
    cells = tuple(_cell(word, usage) for word in parts[0])
    at = 1
    cards = []
    while at < len(parts) and parts[at][0] == "discard":
        cards.append(_name(parts[at][1:], usage))
        at += 1
    if len(cells) < 2 or not cards:
        raise _malformed(usage)
    supports, at = _supports(parts, at)
    push = None
    if at < len(parts) and parts[at][0] == "push":
        push = _push(parts[at][1:]).push
        at += 1
    if at < len(parts):
        raise _malformed("discards, then supports, then a push")
    return Line("move", cells, tuple(cards), supports=supports, push=push)


def _supports(
    parts: Sequence[Sequence[str]], at: int
) -> tuple[tuple[tuple[Cell, str], ...] | None, int]:
    """The supports of a move line from its part `at` on, and the part after them."""
    usage = "`support CELL discard SHIP` or `support none`"
    if at == len(parts) or parts[at][0] != "support":
        return None, at
    if list(parts[at]) == ["support", "none"]:
        return (), at + 1
    found = []
    while at < len(parts) and parts[at][0] == "support":
        given = parts[at + 1] if at + 1 < len(parts) else [""]
        if len(parts[at]) != 2 or given[0] != "discard":
            raise _malformed(usage)
        found.append((_cell(parts[at][1], usage), _name(given[1:], usage)))
        at += 2
    return tuple(found), at


def _flip(words: Sequence[str]) -> Line:
    usage = "`flip CELL`, such as `flip A4`"
    if len(words) != 1:
        raise _malformed(usage)
    return Line("flip", (_cell(words[0], usage),))


def _swap(words: Sequence[str]) -> Line:
    usage = "`swap CELL SHIP`, such as `swap A3 frigate`"
    if len(words) < 2:
        raise _malformed(usage)
    return Line("swap", (_cell(words[0], usage),), (_name(words[1:], usage),))


def _offer(words: Sequence[str]) -> Line:
    if list(words) != ["end"]:
        raise _malformed("`offer end`")
    return Line("offer")


def _retreat(words: Sequence[str]) -> Line:
    usage = "`retreat discard SHIP`"
    if words[:1] != ["discard"]:
        raise _malformed(usage)
    return Line("retreat", (), (_name(words[1:], usage),))


def _support(words: Sequence[str]) -> Line:
    usage = "`support CELL discard SHIP` or `support none`"
    if list(words) == ["none"]:
        return Line("support", supports=())
    if len(words) < 3 or words[1] != "discard":
        raise _malformed(usage)
    return Line("support", supports=((_cell(words[0], usage), _name(words[2:], usage)),))


def _push(words: Sequence[str]) -> Line:
    usage = "`push CELL`, such as `push D2`"
    if len(words) != 1:
        raise _malformed(usage)
    return Line("push", push=_cell(words[0], usage))


_FORMS: Mapping[str, Callable[[Sequence[str]], Line]] = {
    "play": _play,
    "move": _move,
    "flip": _flip,
    "swap": _swap,
    "offer": _offer,
    "end": _bare("end"),
    "resign": _bare("resign"),
    "stand": _bare("stand"),
    "retreat": _retreat,
    "support": _support,
    "push": _push,
    "start": _bare("start"),
}


def _parts(words: Sequence[str], heads: tuple[str, ...], usage: str) -> list[list[str]]:
    """The words up to the first head, then each head with what follows it."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word in heads:
            parts.append([word])
        else:
            parts[-1].append(word)
    if not parts[0]:
        raise _malformed(usage)
    return parts


def _cell(word: str, usage: str) -> Cell:
    cell = read_cell(word)
    if cell is None:
        raise _malformed(f"{usage}; {word!a:.40} is no cell")
    return cell


def _name(words: Sequence[str], usage: str) -> str:
    """A ship's name or a beginning of one, with `-` for blanks (SS-17)."""
    name = "-".join(words)
    if not name:
        raise _malformed(usage)
    if not any(known.startswith(name) for known in NAMES):
        raise _malformed(f"a ship's name; {name!a:.40} begins none", word=name)
    return name
