"""A simulation as a picture: every share with its interval, and how long the games were.

The same figures give the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape

from adjudicator.simulate import Share

WIDE = 640
_LEFT, _AXIS, _ROW, _TOP = 176, 300, 22, 68
"""The axis's start and length, a row's height, and the place of the first row."""
_BARS, _HIGH = 20, 120
"""The most bars of lengths, and how high the highest is."""
_INK, _FAINT, _MARK = "#22313f", "#b4cbdc", "#1f4e79"


def plot(title: str, shares: Iterable[tuple[str, Share]], steps: Sequence[int]) -> str:
    """An SVG document. Each named share has a row on an axis from 0 to 100 %: a dot for what was
    counted and a line for its 95 % interval. Bars below say how many games took how many steps.

    `steps`: of each game, ascending; at least one.
    """
    rows = list(shares)
    foot = _TOP + _ROW * len(rows)
    drawn = [
        _text(16, 28, title, "start", 'font-size="16" font-weight="bold"'),
        *_axis(foot),
        *(part for at, row in enumerate(rows) for part in _row(_TOP + _ROW * at, *row)),
        *_lengths(foot + 36, steps),
    ]
    high = foot + 36 + _HIGH + 60
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high}" '
            f'width="{WIDE}" height="{high}" font-family="Helvetica,Arial,sans-serif" '
            f'font-size="13" fill="{_INK}">',
            f"<title>{escape(title)}</title>",
            '<rect width="100%" height="100%" fill="#ffffff"/>',
            *drawn,
            "</svg>\n",
        ]
    )


def _text(x: int, y: int, text: str, anchor: str, style: str = "") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" {style}>{escape(text)}</text>'


def _line(x: int, y: int, to_x: int, to_y: int, colour: str, width: int = 1) -> str:
    return f'<path d="M{x} {y}L{to_x} {to_y}" stroke="{colour}" stroke-width="{width}"/>'


def _axis(foot: int) -> Iterator[str]:
    for percent in range(0, 101, 25):
        x = _LEFT + _AXIS * percent // 100
        yield _line(x, _TOP - 16, x, foot - 10, _FAINT)
        yield _text(x, _TOP - 22, f"{percent} %", "middle", 'font-size="11"')


def _row(y: int, name: str, share: Share) -> Iterator[str]:
    low, high = (_LEFT + round(_AXIS * end) for end in share.interval())
    part = share.part / share.whole if share.whole else 0.0
    yield _text(_LEFT - 12, y + 4, name, "end")
    yield _line(low, y, high, y, _MARK, 3)
    yield f'<circle cx="{_LEFT + round(_AXIS * part)}" cy="{y}" r="5" fill="{_MARK}"/>'
    told = f"{100 * part:.1f} %, {share.part} of {share.whole}"
    yield _text(_LEFT + _AXIS + 16, y + 4, told, "start", 'font-size="11"')


def _lengths(top: int, steps: Sequence[int]) -> Iterator[str]:
    """Bars of equal width: so many games of so many steps."""
    width = (steps[-1] - steps[0]) // _BARS + 1
    bars = Counter((step - steps[0]) // width for step in steps)
    most, foot = max(bars.values()), top + _HIGH
    each = (WIDE - 32) // (max(bars) + 1)
    named = max(bars) // 5 + 1
    for bar in range(max(bars) + 1):
        low = steps[0] + bar * width
        high = _HIGH * bars[bar] // most
        says = f"{low}" if width == 1 else f"{low} to {low + width - 1}"
        yield (
            f'<rect x="{16 + bar * each}" y="{foot - high}" width="{each - 2}" height="{high}" '
            f'fill="{_MARK}"><title>{says} steps: {bars[bar]}</title></rect>'
        )
        if bar % named == 0:
            yield _text(16 + bar * each, foot + 16, f"{low}", "start", 'font-size="11"')
    yield _line(16, foot, WIDE - 16, foot, _FAINT)
    middle = steps[len(steps) // 2]
    yield _text(16, foot + 38, f"steps of a game: median {middle}, most {steps[-1]}", "start")
