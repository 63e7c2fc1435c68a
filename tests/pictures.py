"""Reading boards that were drawn as SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass

SPACE = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Piece:
    """A piece of a board: its cell, its id or None, its title."""

    cell: str
    id: str | None
    title: str


def read(svg: str) -> ET.Element:
    """The root of a document that was drawn just now."""
    return ET.fromstring(svg)  # noqa: S314 (made here)


def pieces(svg: str) -> list[Piece]:
    """All pieces, in the order in which they are drawn."""
    return [
        Piece(group.attrib["data-cell"], group.get("id"), group.findtext(f"{SPACE}title") or "")
        for group in read(svg).iter(f"{SPACE}g")
        if "data-cell" in group.attrib
    ]


def cells(svg: str) -> dict[str, str]:
    """The title of each cell, by its name."""
    return {
        path.attrib["data-cell"]: path.findtext(f"{SPACE}title") or ""
        for path in read(svg).iter(f"{SPACE}path")
        if "data-cell" in path.attrib
    }


def written(svg: str) -> list[str]:
    """Every text of the document in its order, as it is read."""
    return ["".join(text.itertext()) for text in read(svg).iter(f"{SPACE}text")]
