"""Pages in the terminal: wrapped, whole, and without Markdown's marks."""

from __future__ import annotations

import re

import pytest

import games
from adjudicator.words import manual

PAGE = """\
# A game

Some **bold** text and *other*, with `a * b * c` and a [page](RULES.md), one on [the web](https://e.org/x)
and <https://e.org>.
Goes on.

* one item that
  goes on
* another
1. first
2. second [see](#there)

![A map of the sea](x.svg)

```
  +---+   **kept**
| a |
```

| line | does |
|---|---|
| `go` | one two three four five six seven |
| `stop` | |
"""


def shown(markdown: str, width: int = 60) -> list[str]:
    return list(manual.lines(markdown, width))


def test_a_page_is_shown_without_marks() -> None:
    """Headings, text, lists, pictures, what is fenced, tables: each in its way."""
    assert shown(PAGE) == [
        "A game",
        "======",
        "",
        "Some bold text and other, with `a * b * c` and a page, one",
        "on the web (https://e.org/x) and https://e.org. Goes on.",
        "",
        "* one item that goes on",
        "* another",
        "1. first",
        "2. second see",
        "",
        "[Picture: A map of the sea]",
        "",
        "    +---+   **kept**",
        "  | a |",
        "",
        "line    does",
        "------  ---------------------------------",
        "`go`    one two three four five six seven",
        "`stop`",
    ]


def test_a_page_as_elements() -> None:
    """The same page for a browser: no mark is left, no link leads anywhere, and a cell of the head
    that has words is one."""
    assert list(manual.elements(PAGE.replace("| line |", "| |"))) == [
        ["h3", "A game"],
        [
            "p", "Some ", ["b", "bold"], " text and ", ["i", "other"], ", with ",
            ["code", "a * b * c"], " and a page, one on the web and <https://e.org>. Goes on.",
        ],
        [
            "ul", ["li", "one item that goes on"], ["li", "another"], ["li", "first"],
            ["li", "second see"],
        ],
        ["p", "A map of the sea"],
        ["pre", "  +---+   **kept**\n| a |"],
        [
            "table",
            ["tr", ["td"], ["th", "does"]],
            ["tr", ["td", ["code", "go"]], ["td", "one two three four five six seven"]],
            ["tr", ["td", ["code", "stop"]], ["td"]],
        ],
    ]  # fmt: skip
    assert list(manual.elements("## So\n\nThese:\n1. one")) == [
        ["h4", "So"], ["p", "These:"], ["ul", ["li", "one"]],
    ]  # fmt: skip


def test_what_is_too_wide_is_wrapped_where_it_belongs() -> None:
    """Items behind their mark, cells in their column."""
    words = "one two " * 6
    assert shown(f"* {words}", 44) == ["* one two one two one two one two one two", "  one two"]
    assert shown(f"| a | b |\n|---|---|\n| x | {words}|", 44) == [
        "a  b",
        f"-  {'-' * 41}",
        "x  one two one two one two one two one two",
        "   one two",
    ]


def test_what_is_fenced_keeps_its_lines() -> None:
    """Indented where there is room."""
    assert shown(f"```\n{'x' * 50}\n\n y\n```", 51) == ["x" * 50, "", " y"]
    assert shown("```\nx\n```\ntext") == ["  x", "", "text"]


def test_a_table_without_a_head_has_no_line() -> None:
    """As for options and what they mean; pipes in a cell are written with a backslash."""
    assert shown("| | |\n|---|---|\n| a | b |") == ["a  b"]


@pytest.mark.parametrize("width", [20, 40, 60, 79, 100])
@pytest.mark.parametrize("name", games.installed())
@pytest.mark.parametrize("which", ["rules_page", "learn_page"])
def test_no_word_of_a_games_page_is_lost(which: str, name: str, width: int) -> None:
    """Only a fenced line or a single word may be too long."""
    page = getattr(games, which)(games.load(name))
    lines = shown(page, width)
    fenced = re.findall(r"^```.*?\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    kept = {line.strip() for block in fenced for line in block.splitlines()}
    for line in lines:
        if line.strip() not in kept and len(line.split()) > 1:
            assert len(line) <= max(width, manual.NARROWEST), line
    if width < 79:
        return  # long words are cut in narrow columns
    bare = re.sub(r"^```\w*$|\]\([^)\s]+\)|[^\w]", " ", page, flags=re.MULTILINE)
    told = "".join(re.sub(r"\W", "", line) for line in lines)
    for word in re.findall(r"\w{4,}", bare):
        if not word.startswith("http"):
            assert word in told, word
