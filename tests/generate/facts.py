"""True duels in which every kind of fact is told that the pages of the games list.

Captains tell few of them. These are short duels of other bots, chosen so that together they hold
each kind; `kind` says what counts as one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from duel.people import NO_OPTIONS, Duel, played
from generate import duels, suite
from generate.suite import Case, Made

from adjudicator.store.pack import write
from games.silent_ships import GAME as SILENT
from games.sugar_dog import GAME as SUGAR

GAMES: Mapping[str, Any] = {"silent-ships": SILENT, "sugar-dog": SUGAR}
CHOSEN: Sequence[tuple[str, str, str, int]] = (
    ("silent-ships", "random", "captain", 237),
    ("silent-ships", "random", "wild", 81),
    ("silent-ships", "asker", "wild", 0),
    ("silent-ships", "wild", "asker", 216),
    ("silent-ships", "captain", "wild", 83),
    ("silent-ships", "asker", "captain", 142),
    ("silent-ships", "random", "wild", 1),
    ("silent-ships", "wild", "asker", 13),
    ("silent-ships", "random", "wild", 14),
    ("sugar-dog", "wild", "captain", 0),
    ("sugar-dog", "wild", "captain", 36),
    ("sugar-dog", "wild", "wild", 1),
)
"""A game, its two bots, and a number that makes their duel another than before."""

KINDS: Mapping[str, frozenset[str]] = {
    "silent-ships": frozenset({
        "line play", "line move", "line flip", "line swap", "line offer", "line end", "line resign",
        "line nothing", "answer stand", "answer retreat", "answer support", "answer push",
        "answer flip", "answer offer", "answer resign", "retreat never", "retreat ask",
        "retreat always", "supports ask", "supports none", "supports cells", "support never",
        "support ask", "support all", "push ask", "push cells", "names", "look", "release",
    }),
    "sugar-dog": frozenset({
        "turn nothing", "turn draw", "turn resign", "heard run", "heard ping", "heard nothing",
        "doors", "doors after an impact", "answer", "answer sunk", "echoes cells", "echoes none",
    }),
}  # fmt: skip
"""What the table of a game's page lists."""


def kind(fact: str, before: str) -> str:
    """The kind of a fact; `before` is the one before it in its move."""
    first, _, rest = fact.partition(" ")
    word = rest.partition(" ")[0]
    if first == "doors" and before.startswith("answer"):
        return "doors after an impact"
    if first in ("supports", "push", "echoes"):
        return f"{first} {word if word in ('ask', 'none') else 'cells'}"
    if first == "heard":
        return f"{first} {word if word in ('ping', 'nothing') else 'run'}"
    if first == "answer" and len(word) == 32:
        return fact.replace(f" {word}", "")
    return first if first in ("doors", "names", "look", "release") else f"{first} {word}"


def kinds(duel: Duel) -> set[str]:
    """The kinds of facts that are told in a duel."""
    return {
        kind(fact, before)
        for move in duel.row.moves
        for before, fact in zip(("", *move.facts), move.facts, strict=False)
    }


def duel(game: str, one: str, other: str, number: int) -> Duel:
    """The duel of these bots with that number."""
    return played(f"facts {number}", (one, other), NO_OPTIONS, GAMES[game])


def made(_: Path) -> Made:
    """A case for each duel."""
    cases, files = [], {}
    for number, chosen in enumerate(CHOSEN, 1):
        whole = duel(*chosen)
        path = f"duels/facts-{number:02}.zip"
        files[path] = write(whole.files)
        said = duels.answer(whole.files)
        told = {**said, "facts": sorted(kinds(whole))}
        cases.append(
            Case(
                f"duel-facts/{chosen[0]}-{number:02}", "duels told",
                f"docs/formats/{chosen[0]}.md#duels", ", ".join(told["facts"]),
                ("verify", suite.file(path)), told.pop("code"), told=told,
            )
        )  # fmt: skip
    return Made(cases, files)
