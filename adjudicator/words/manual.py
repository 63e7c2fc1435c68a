"""The games' pages for a terminal, wrapped and without Markdown's marks, and for a browser.

It reads only the Markdown that those pages use.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

NARROWEST = 44
"""The least width; nothing can be read in fewer columns."""

_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
_ITEM = re.compile(r"(\s*)(?:[-*]|\d+\.) +")
_HEADING = re.compile(r"(#+) +(.+)")
WIDEST = 100
"""The greatest width of a printed page, because longer lines are hard to read."""
_CELLS = re.compile(r"(?<!\\)\|")
_MARKED = re.compile(r"(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)")


def lines(markdown: str, width: int) -> Iterator[str]:
    """The page in lines of at most `width` letters; fenced lines stay as they are."""
    room = max(width, NARROWEST)
    blank = True
    for kind, block in _blocks(markdown.splitlines()):
        if not blank:
            yield ""
        blank = False
        if kind == "fence":
            lead = "  " if max(map(len, block), default=0) + 2 <= room else ""
            yield from (f"{lead}{line}".rstrip() for line in block)
        elif kind == "table":
            yield from _table(block, room)
        elif kind == "heading":
            found = _HEADING.fullmatch(block[0])
            title = _plain(found[2] if found else block[0])
            yield title
            yield ("=" if found and found[1] == "#" else "-") * len(title)
        else:
            for item in _items(block):
                mark = _ITEM.match(item)
                lead = mark[0] if mark else ""
                yield from textwrap.wrap(
                    _plain(item[len(lead) :]), room, initial_indent=lead,
                    subsequent_indent=" " * len(lead), break_on_hyphens=False,
                )  # fmt: skip


def elements(markdown: str) -> Iterator[list[Any]]:
    """The page as elements of HTML: each the name of a tag and what is in it, texts and elements.

    Links and pictures become their words, because a page from a file opens no address.
    """
    for kind, block in _blocks(markdown.splitlines()):
        if kind == "fence":
            yield ["pre", "\n".join(block)]
        elif kind == "heading":
            mark, title = block[0].split(maxsplit=1)
            yield ["h3" if mark == "#" else "h4", *_inline(title)]
        elif kind == "table":
            head, _, *body = [[one.strip() for one in _CELLS.split(line)[1:-1]] for line in block]
            yield [
                "table",
                ["tr", *(["th" if cell else "td", *_inline(cell)] for cell in head)],
                *(["tr", *(["td", *_inline(cell)] for cell in row)] for row in body),
            ]
        else:
            for listed, items in groupby(_items(block), lambda item: bool(_ITEM.match(item))):
                if listed:
                    yield ["ul", *(["li", *_inline(_ITEM.split(item, 1)[-1])] for item in items)]
                else:
                    yield ["p", *_inline(*items)]


def _inline(text: str) -> Iterator[str | list[str]]:
    """A line's texts, and its literal, bold and slanted parts as elements."""
    bare = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    for part in filter(None, _MARKED.split(bare)):
        if not _MARKED.fullmatch(part):
            yield part
        elif part.startswith("`"):
            yield ["code", part[1:-1]]
        else:
            yield ["b", part[2:-2]] if part.startswith("**") else ["i", part[1:-1]]


def _blocks(source: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The page's blocks: fences without their marks, headings, tables, and paragraphs or lists."""
    at = 0
    while at < len(source):
        line = source[at]
        start = at
        at += 1
        if not line.strip():
            continue
        if line.startswith("```"):
            while at < len(source) and not source[at].startswith("```"):
                at += 1
            yield "fence", list(source[start + 1 : at])
            at += 1
        elif _HEADING.fullmatch(line):
            yield "heading", [line]
        else:
            kind = "table" if line.startswith("|") else "text"
            while at < len(source) and source[at].strip() and not _opens(source[at], kind):
                at += 1
            yield kind, list(source[start:at])


def _opens(line: str, kind: str) -> bool:
    """Whether a line begins a block of another kind."""
    return line.startswith("```") or (kind == "table") != line.startswith("|")


def _items(block: Sequence[str]) -> list[str]:
    """The items of a list, each in one line; running text is one."""
    items: list[str] = []
    for line in block:
        if not items or _ITEM.match(line):
            items.append(line.rstrip())
        else:
            items[-1] += f" {line.strip()}"
    return items


def _plain(text: str) -> str:
    """Text without marks of emphasis; a link becomes its words and, for a web address, the
    address."""
    text = _IMAGE.sub(lambda found: f"[Picture: {found[1]}]", text)
    text = _LINK.sub(
        lambda link: f"{link[1]} ({link[2]})" if link[2].startswith("http") else link[1], text
    )
    parts = text.split("`")
    # Between two backticks no other mark counts.
    for at in range(0, len(parts), 2):
        parts[at] = re.sub(r"(\*\*?)(\S(?:[^*]*\S)?)\1", r"\2", parts[at])
        parts[at] = re.sub(r"<(https?://[^>]+)>", r"\1", parts[at])
    return "`".join(parts)


def _cells(line: str) -> list[str]:
    """The cells of a table's line."""
    return [_plain(cell.strip()) for cell in _CELLS.split(line)[1:-1]]


def _table(block: Sequence[str], room: int) -> Iterator[str]:
    """A table in columns; if it is too wide, cells are wrapped, those of the widest column
    first."""
    rows = [_cells(line) for line in block]
    head, body = rows[0], rows[2:]
    shown = [head, *body] if any(head) else body
    count = max(map(len, shown), default=0)
    shown = [row + [""] * (count - len(row)) for row in shown]
    widths = [max(len(row[at]) for row in shown) for at in range(count)]
    while sum(widths) + 2 * (count - 1) > room and max(widths) > 4:
        widths[widths.index(max(widths))] -= 1
    for number, row in enumerate(shown):
        cells = [
            textwrap.wrap(cell, wide, break_on_hyphens=False) or [""]
            for cell, wide in zip(row, widths, strict=True)
        ]
        for at in range(max(map(len, cells))):
            parts = (
                (cell[at] if at < len(cell) else "").ljust(wide)
                for cell, wide in zip(cells, widths, strict=True)
            )
            yield "  ".join(parts).rstrip()
        if not number and any(head):
            yield "  ".join("-" * wide for wide in widths)
