"""The page's colours by day and night: text has a contrast of 4.5 on its ground, marks have 3."""

from __future__ import annotations

import re

import pytest

from adjudicator.page import build

STYLE = (build.HERE / "page.css").read_text("utf-8")
DAY, NIGHT = (
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
    for block in re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)[:2]
)
SEA = ("t0", "t1", "t2", "t3", "bank1", "bank2", "bank4")

TEXT = [
    *((text, ground) for text in ("ink", "dim") for ground in ("paper", "paper2", "deep")),
    ("accent", "paper"), ("accent", "wash"), ("on-fill", "fill"), ("ink", "wash"),
    ("good", "good-wash"), ("ink", "good-wash"), ("bad", "bad-wash"), ("bad", "paper"),
    ("foe", "paper"), ("good", "paper"), ("paper", "ink"),
]  # fmt: skip
MARKS = [
    *((mark, ground) for mark in ("own", "foe", "accent", "brass") for ground in SEA),
    *((mark, "land") for mark in ("own", "foe", "accent")),
    ("on-own", "own"), ("on-foe", "foe"), ("own", "face"), ("foe", "face"), ("accent", "face"),
    ("edge", "paper"), ("brass", "paper2"), ("neat", "rim"),
    *(("coast", ground) for ground in SEA[:4]),
]  # fmt: skip


def light(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast of two colours (WCAG 2.2)."""
    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["day", "night"])
def test_contrast(scheme: str) -> None:
    """Of every text on its grounds, and of every mark on all that it can stand on."""
    colours = DAY if scheme == "day" else {**DAY, **NIGHT}
    for pairs, least in ((TEXT, 4.5), (MARKS, 3)):
        for one, ground in pairs:
            found = contrast(colours[one], colours[ground])
            assert found >= least, f"{one} on {ground} by {scheme}: {found:.2f}"
