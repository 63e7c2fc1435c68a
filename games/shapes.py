"""Shapes of pieces as SVG, each in a box of 60 by 60, in whole numbers.

`currentColor` is the colour of the piece's side; class `on` is drawn on that colour, class `ink` on
paper.
"""

from __future__ import annotations

from games.grid import Heading
from games.picture import wide, written

_TURNED = {"N": "", "E": "rotate(90 30 30)", "S": "rotate(180 30 30)", "W": "rotate(270 30 30)"}

_ROUND = "M6 38q0-11 13-11h24q13 0 13 11t-13 11h-24q-13 0-13-11z"
_SHARP = "M4 38l10-11h30l12 11l-12 11h-30z"
_TOWER = "M23 28v-11h8v-7h3v7h4v11z"
_WAVE = "M7 14q6-6 12 0t12 0t12 0t12 0"


def submarine(letter: str = "", up: bool = True, foe: bool = False, lives: int = 0) -> str:
    """A submarine: filled if it is up, an outline below waves if it is down; an enemy's hull has
    corners. `letter` is written on it, `lives` is the number of dots below."""
    hull = _SHARP if foe else _ROUND
    if up:
        body = f'<path d="{hull}{_TOWER}" fill="currentColor"/>'
    else:
        body = (
            f'<path d="{hull}" fill="none" stroke="currentColor" stroke-width="3" '
            'stroke-dasharray="5 3"/>'
            f'<path d="{_WAVE}" fill="none" stroke="currentColor" stroke-width="3" '
            'stroke-linecap="round"/>'
        )
    inner = written(30, 44, 16, letter, "on" if up else "", bold=True) if letter else _PORTS * up
    dots = "".join(
        f'<circle cx="{30 - 5 * (lives - 1) + 10 * one}" cy="55" r="3" fill="currentColor"/>'
        for one in range(lives)
    )
    return body + inner + dots


_PORTS = "".join(
    f'<circle class="on" cx="{x}" cy="38" r="3" fill="#ffffff"/>' for x in (19, 30, 41)
)


def torpedo(heading: Heading, letter: str = "") -> str:
    """A torpedo, its nose towards its heading."""
    turn = f' transform="{_TURNED[heading]}"' if _TURNED[heading] else ""
    body = (
        f"<g{turn}>"
        '<path d="M30 4q9 7 9 18v18l6 8h-30l6-8v-18q0-11 9-18z" fill="currentColor"/>'
        '<path d="M24 52v5M30 52v6M36 52v5" stroke="currentColor" stroke-width="2"/></g>'
    )
    return body + (written(30, 36, 16, letter, "on", bold=True) if letter else "")


def mine(letter: str = "") -> str:
    """A mine with its horns."""
    inner = (
        written(30, 36, 16, letter, "on", bold=True)
        if letter
        else '<circle class="on" cx="30" cy="30" r="4" fill="#ffffff"/>'
    )
    return (
        '<path d="M30 6v48M6 30h48M13 13l34 34M13 47l34-34" stroke="currentColor" '
        'stroke-width="5" stroke-linecap="round"/>'
        f'<circle cx="30" cy="30" r="16" fill="currentColor"/>{inner}'
    )


def contact(name: str, number: str = "") -> str:
    """The last contact of a player: two rings, or one ring around a number, with the beginning of
    the player's name below."""
    rings = "".join(
        f'<circle cx="30" cy="24" r="{r}" fill="none" stroke="currentColor" '
        f'stroke-width="3"{dash}/>'
        for r, dash in ((20, ' stroke-dasharray="6 4"'), (12, ""))[: 1 if number else 2]
    )
    dot = '<circle cx="30" cy="24" r="5" fill="currentColor"/>'
    inner = written(30, 30, 18, number, "", bold=True) if number else dot
    return rings + inner + (written(30, 57, 11, short(name), "", bold=True) if name else "")


def short(name: str, most: int = 56) -> str:
    """A name that fits; a longer one is cut but keeps its last letter, which tells `p-1` from
    `p-2`."""
    cut = (f"{name[:letters]}..{name[-1]}" for letters in range(len(name) - 2, 0, -1))
    return next((label for label in (name, *cut) if wide(label, 11, bold=True) <= most), name[-1])
