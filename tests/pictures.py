"""Reading boards that were drawn as SVG; and the contrast of their colours."""

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


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    dark, bright = sorted((_light(one), _light(other)))
    return (bright + 0.05) / (dark + 0.05)


def _light(colour: str) -> float:
    """Relative luminance."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
