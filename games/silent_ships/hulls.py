"""Cards of Silent Ships as SVG: each ship's outline, face up or face down, in a box of 60 by 60."""

from __future__ import annotations

from collections.abc import Mapping

from games.shapes import written

SHORT: Mapping[str, str] = {
    "flag-ship": "Flag",
    "fire-ship": "Fire",
    "frigate": "Frigate",
    "submarine": "Sub",
    "ramming-ship": "Ram",
    "missile-boat": "Missile",
    "speed-boat": "Speed",
    "patrol-ship": "Patrol",
    "salvage-ship": "Salvage",
    "special-operations-craft": "Craft",
    "ammunition-ship": "Ammo",
}
"""Names that fit into a cell of a text board, and onto a card."""

_HULL = "M10 32h40l-5 8h-30z"
_OUTLINES: Mapping[str, str] = {
    "flag-ship": _HULL + "M18 32v-6h22v6zM28 26v-15h2l14 5l-14 5v5z",
    "fire-ship": _HULL + "M20 30q-3-7 4-11q0 4 3 5q1-6 5-9q1 5 4 7q4 4 2 8z",
    "frigate": _HULL
    + "M22 32v-7h7v-9h3v9h5v7zM12 30v-4h7v4zM9 26h6v2h-6zM40 30v-4h7v4zM45 26h6v2h-6z",
    "submarine": "M9 34q0-6 8-6h8v-8h9v8h9q8 0 8 6t-8 6h-26q-8 0-8-6zM28 20v-6h6v2h-4v4z",
    "ramming-ship": "M8 30h32l16 7l-16 3h-28zM16 30v-7h14v7zM20 23v-6h4v6z",
    "missile-boat": _HULL + "M15 32l2-5h6l-2 5zM18 26l18-12l6-1l-3 5l-18 12z",
    "speed-boat": "M8 34h20l24-6l-6 10q-1 2-4 2h-30zM24 32l4-7h7l-3 6z"
    "M6 22h12v2h-12zM10 27h9v2h-9z",
    "patrol-ship": _HULL + "M20 32v-6h14v6zM26 26v-8h2v8zM18 12q9 8 18 0q-2 9-9 9t-9-9z",
    "salvage-ship": _HULL + "M17 32v-8h7v8zM29 32v-18h3l15 7v5h-2v-4l-13-5v15zM43 26h6v3h-6z",
    "special-operations-craft": "M9 32q0-3 4-3h34q4 0 4 3l-3 7q-1 2-4 2h-28q-3 0-4-2z"
    "M17 27v-5h6v5zM27 27v-5h6v5zM37 27v-5h6v5zM18 20v-4h4v4zM28 20v-4h4v4zM38 20v-4h4v4z",
    "ammunition-ship": _HULL
    + "M15 31v-8l3-5l3 5v8zM23 31v-8l3-5l3 5v8zM31 31v-8l3-5l3 5v8zM39 31v-8l3-5l3 5v8z",
}

_ROUNDED = "M10 4h40q5 0 5 5v42q0 5-5 5h-40q-5 0-5-5v-42q0-5 5-5z"
_CORNERED = "M13 4h34l8 8v36l-8 8h-34l-8-8v-36z"


def card(name: str, up: bool, foe: bool, attack: int = 0) -> str:
    """A card: paper with an outline while it is face up, dark while face down. `name` is "" if it
    is not known; face up that is an empty card. An enemy's card has its corners cut. `attack` is in
    a corner, unless it is 0."""
    edge = _CORNERED if foe else _ROUNDED
    if up:
        ground = (
            f'<path class="paper" d="{edge}" fill="#ffffff"/>'
            f'<path d="{edge}" fill="none" stroke="currentColor" stroke-width="3"/>'
        )
    else:
        ground = f'<path d="{edge}" fill="currentColor"/>'
    ink = "" if up else "on"
    if not name and up:
        return ground
    if not name:
        return ground + written(30, 42, 34, "?", "on", bold=True)
    fill = "currentColor" if up else "#ffffff"
    kind = "" if up else ' class="on"'
    strength = written(47, 19, 12, str(attack), ink, bold=True) if attack else ""
    outline = f'<path{kind} d="{_OUTLINES[name]}" fill="{fill}"/>'
    return ground + outline + strength + written(30, 51, 10, SHORT[name], ink, bold=True)
