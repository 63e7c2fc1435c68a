"""`docs/formats/errors.md` names every word with which this program refuses, and no other."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "formats" / "errors.md"


def words_of(source: str) -> Iterator[str]:
    """The words in a module: first arguments of `Refused(...)`, and of its subclasses' init."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        first, function = node.args[0], node.func
        word = first.value if isinstance(first, ast.Constant) else None
        direct = isinstance(function, ast.Name) and function.id == "Refused"
        inherited = isinstance(function, ast.Attribute) and function.attr == "__init__"
        if isinstance(word, str) and (direct or inherited) and len(node.args) > 1:
            yield word


@functools.cache
def in_the_code() -> frozenset[str]:
    """All words of `orders` and `adjudicator`, and those of a game's own errors, which a command
    tells (`adjudicator.cli`)."""
    files = [*(ROOT / "orders").rglob("*.py"), *(ROOT / "adjudicator").rglob("*.py")]
    found = {word for file in files for word in words_of(file.read_text("utf-8"))}
    return frozenset(found | {"malformed", "illegal", "unknown-game"})


def on_the_page() -> list[str]:
    """All words in the page's tables that name errors."""
    text = PAGE.read_text("utf-8").partition("## Exit codes")[0]
    return re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE)


def test_every_word_is_documented() -> None:
    """No refusal uses a word that the page does not explain."""
    assert in_the_code() - set(on_the_page()) == set()


def test_no_word_is_invented() -> None:
    """The page explains no word that nothing uses, and none twice."""
    words = on_the_page()
    assert set(words) - in_the_code() == set()
    assert len(words) == len(set(words))


def test_words_are_found_in_code() -> None:
    """The search itself: both ways of naming a word, and nothing else."""
    source = (
        'Refused("one", "line")\nother("two", "line")\n'
        'class C(Refused):\n    def __init__(self):\n        super().__init__("three", "line")\n'
    )
    assert set(words_of(source)) == {"one", "three"}
