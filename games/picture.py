"""Charts as SVG: one drawing for files, pages of repositories and web pages.

What belongs here: colours, coordinates, and how wide letters are. All light colours are attributes,
so the drawing needs no style sheet.

The dark ones are in `STYLE`, which is the same in every document: a page whose policy forbids
inline styles allows `STYLE` by its digest, or takes `DARK` into its own style. Nothing else needs
to be allowed, as there is no script and no link. Coordinates are whole numbers, so one view has one
drawing, to the byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import repeat

from games.chart import Chart, Piece, Sign, described
from games.grid import Cell, column_name

BOX = 60
"""The side of the square in which a shape is drawn."""
LEAST = 420
"""The least width of a map, so wide that notes below it can be read."""

SIDES: Mapping[str, tuple[str, str]] = {
    "own": ("#00548c", "#7cc9f8"),
    "foe": ("#993500", "#ffab70"),
    "third": ("#006b4f", "#45d0a5"),
    "fourth": ("#8a3a72", "#eaa0cc"),
    "fifth": ("#665500", "#f0e442"),
    "sixth": ("#3f4750", "#c9d2da"),
}
"""The colours of sides, light and dark: those of Okabe and Ito, made darker or lighter so that
letters can be read on them and they can be seen on the sea."""


def side_of(players: Sequence[str], reader: str | None, player: str) -> str:
    """The word of `SIDES` for a player: one's own, then the others' in their order, of everybody's
    boards the first player's; the last four repeat."""
    sides = tuple(SIDES)
    at = sorted(players, key=lambda name: name != reader).index(player)
    return sides[at] if at < 2 else sides[2 + (at - 2) % (len(sides) - 2)]


GROUNDS: Mapping[str, tuple[str, str]] = {
    "sea": ("#dbeaf5", "#15293b"),
    "isle": ("#e3e8c4", "#3a4222"),
    "home": ("#c3dcf2", "#1c4263"),
    "away": ("#f7dcc8", "#52301a"),
    "one": ("#d6f0e0", "#163831"),
    "two": ("#bde5cd", "#1a473d"),
    "four": ("#a3dbbb", "#1e5448"),
    "gone": ("#b9bec3", "#05090d"),
}
"""The colours of cells, light and dark."""

_INKS: Mapping[str, tuple[str, str, str]] = {
    "paper": ("fill", "#ffffff", "#0d1721"),
    "ink": ("fill", "#16232e", "#e8f0f6"),
    "dim": ("fill", "#4a5b69", "#a6b8c6"),
    "on": ("fill", "#ffffff", "#06131d"),
    "line": ("stroke", "#8fb2ca", "#35566f"),
    "veil": ("stroke", "#ffffff", "#33424e"),
    "way": ("stroke", "#16232e", "#e8f0f6"),
    "halo": ("stroke", "#ffffff", "#0d1721"),
}

DARK: Mapping[str, str] = {
    **{f".{name}": f"color:{dark}" for name, (_, dark) in SIDES.items()},
    **{f".{name}": f"fill:{dark}" for name, (_, dark) in GROUNDS.items()},
    **{f".{name}": f"{key}:{dark}" for name, (key, _, dark) in _INKS.items()},
    ".night": "opacity:1",
}
"""The rule for each class in the dark. A ground with colours of a game's own lies below a `night`,
the same in its dark colour, which is not seen by day."""

STYLE = (
    "@media(prefers-color-scheme:dark){"
    + "".join(f".board {name}{{{rule}}}" for name, rule in DARK.items())
    + "}"
)


_ELEMENTS = frozenset((
    "svg", "title", "desc", "style", "g", "path", "rect", "circle", "ellipse", "line", "polyline",
    "polygon", "text", "tspan",
))  # fmt: skip
_BARRED = re.compile("on.*|.*href|style|src.*", re.IGNORECASE)


def barred(elements: Set[str], attributes: Set[str], svg: str) -> Iterator[str]:
    """What of a drawing with these may be in none, as a page drops it: scripts, links, styles."""
    for element in sorted(elements - _ELEMENTS):
        yield f"the element {element!a:.40}"
    for name in filter(_BARRED.fullmatch, sorted(attributes)):
        yield f"the attribute {name!a:.40}"
    if "url(" in svg.lower():
        yield "a link by 'url('"


# How wide letters are.

_WIDTHS = {
    **dict.fromkeys(map(chr, range(ord("~") + 1)), 65),
    **dict.fromkeys(" !'(),-./:;I[]fijlrt|J\\", 42),
    **dict.fromkeys("ABCDGHKMNOQRUVXZ+=<>#~w&^", 88),
    **dict.fromkeys("mW%@", 100),
}


def escape(text: str) -> str:
    """As text of an XML document."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def wide(text: str, size: int, bold: bool = False) -> int:
    """The width of a text at that size, or a little more, in any usual font without serifs.

    Letters are grouped by width, in hundredths of the size, as in Verdana and DejaVu Sans, the
    widest of these fonts.
    """
    hundredths = sum(map(_WIDTHS.get, text, repeat(110)))
    return hundredths * size * (118 if bold else 100) // 10_000 + 1


@lru_cache(256)
def folded(note: str, size: int, most: int, bold: bool = False) -> tuple[str, ...]:
    """A note in lines of at most that width; a word is cut only if it alone is wider.

    The words before a colon are bold, and their width is that of bold letters.
    """
    head = note.partition(": ")[0] if ": " in note else ""
    room = most if bold else most - wide(head, size, bold=True) + wide(head, size)
    lines: list[str] = []
    for word in note.split():
        cut = max(1, room * 10 // (13 * size)) if wide(word, size, bold) > room else len(word)
        for start in range(0, len(word), cut):
            part = word[start : start + cut]
            longer = f"{lines[-1]} {part}" if lines and not start else ""
            if longer and wide(longer, size, bold) <= room:
                lines[-1] = longer
            else:
                lines.append(part)
    return tuple(lines) or ("",)


def written(x: int, y: int, size: int, text: str, kind: str, bold: bool = False) -> str:
    """A word centred at x; `kind` is its class."""
    colour = {"on": ' fill="#ffffff"', "ink": ' fill="#16232e"'}.get(kind, ' fill="currentColor"')
    weight = ' font-weight="bold"' if bold else ""
    named = f' class="{kind}"' if kind else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="middle"{weight}{named}{colour}>'
        f"{escape(text)}</text>"
    )


def drawing(piece: Piece | Sign) -> str:
    """The shape; without one the mark, as large as it fits."""
    size = min(32, 64 // max(1, len(piece.mark)))
    return piece.shape or written(30, 30 + size // 3, size, piece.mark, "", bold=True)


_COLOUR = re.compile("#[0-9a-f]{6}", re.ASCII)


def colours(chart: Chart, kind: str) -> tuple[str, str]:
    """The colours of a ground by day and by night; raises ValueError if it has none."""
    found = GROUNDS.get(kind) or chart.colours.get(kind)
    if found is None:
        known = ", ".join([*GROUNDS, *chart.colours])
        raise ValueError(f"ground {kind!a}: expected one of {known}, or colours of it in the chart")
    if len(found) != 2 or not all(_COLOUR.fullmatch(one) for one in found):
        raise ValueError(f"ground {kind!a}: expected two colours such as '#dbeaf5', not {found!a}")
    return found


# The document.


def svg(chart: Chart) -> str:
    """The chart as one self-contained SVG document, deterministic to the byte.

    Every cell, and the group of every piece, has the cell's name as `data-cell` and a title that
    says what it is. Signs and notes are below the map.
    """
    board = chart.board
    pitch = max(BOX, LEAST // max(1, board.columns))
    across, down = pitch * board.columns, pitch * board.rows
    inner = max(LEAST, across)
    size, edge = 15 * inner // LEAST, 16 * inner // LEAST
    ruler = min(size * 13 // 15, pitch * 2 // 5)
    left = edge + wide(str(board.rows), ruler) + 4
    room = left - edge + inner
    titles = folded(chart.title, size * 9 // 8, room, bold=True)
    top = edge + len(titles) * size * 3 // 2
    head = [
        f'<text class="ink" x="{edge}" y="{(number + 1) * size * 3 // 2}" '
        f'font-size="{size * 9 // 8}" font-weight="bold" fill="#16232e">{escape(line)}</text>'
        for number, line in enumerate(titles)
    ]
    corner = (left + (inner - across) // 2, top)
    body: list[str] = []
    end = top
    if board.columns:
        body = [
            *_cells(chart, corner, pitch),
            *_rulers(chart, corner, pitch, ruler),
            *_pieces(chart, corner, pitch),
            *_arrows(chart, corner, pitch),
        ]
        end = top + down + ruler * 3 // 2
    below, high = _below(chart, end, size, edge, room)
    width = left + inner + edge
    return (
        "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" class="board" role="img" '
                f'viewBox="0 0 {width} {high}" width="{width}" height="{high}" '
                'font-family="Helvetica,Arial,sans-serif">',
                f"<title>{escape(chart.title)}</title>",
                f"<desc>{escape(' '.join(chart.notes))}</desc>",
                f"<style>{STYLE}</style>",
                f'<rect class="paper" width="{width}" height="{high}" rx="10" fill="#ffffff"/>',
                *head,
                *body,
                *below,
                "</svg>",
            ]
        )
        + "\n"
    )


def drawn(chart: Chart | None, title: str, text: Callable[[], str]) -> str:
    """The chart as an SVG document; without one the lines of `text`."""
    return of_lines(title, text()) if chart is None else svg(chart)


def of_lines(title: str, text: str) -> str:
    """Lines of ASCII as an SVG document, with every blank in its place."""
    lines = text.splitlines()
    width = 32 + 9 * max(map(len, (title, *lines)), default=0)
    high = 52 + 20 * len(lines)
    shown = "\n".join(
        f'<text class="ink" x="16" y="{52 + 20 * number}" font-size="14" font-family="monospace" '
        f'fill="#16232e" xml:space="preserve">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" role="img" '
        f'viewBox="0 0 {width} {high}" width="{width}" height="{high}">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n"
        f'<rect class="paper" width="{width}" height="{high}" rx="10" fill="#ffffff"/>\n'
        f'<text class="ink" x="16" y="28" font-size="14" font-weight="bold" '
        f'font-family="monospace" fill="#16232e">{escape(title)}</text>\n{shown}\n</svg>\n'
    )


Corner = tuple[int, int]


def _at(chart: Chart, cell: Cell, corner: Corner, pitch: int) -> Corner:
    """The upper left corner of a cell."""
    board = chart.board
    if chart.turned:
        return corner[0] + (board.columns - cell.column) * pitch, corner[1] + (cell.row - 1) * pitch
    return corner[0] + (cell.column - 1) * pitch, corner[1] + (board.rows - cell.row) * pitch


def _cells(chart: Chart, corner: Corner, pitch: int) -> Iterator[str]:
    told = described(chart)
    yield '<g class="line" stroke="#8fb2ca">'
    for cell in chart.board.cells():
        x, y = _at(chart, cell, corner, pitch)
        title = f"<title>{escape(told[cell])}</title>"
        yield from _ground(chart, chart.ground(cell).kind, (x, y), pitch, str(cell), title)
    yield "</g>"
    taken = chart.standing()
    for cell, ground in (chart.grounds or {}).items():
        x, y = _at(chart, cell, corner, pitch)
        if ground.kind == "gone":
            yield (
                f'<path class="veil" d="M{x + 6} {y + 6}l{pitch - 12} {pitch - 12}M{x + 6} '
                f'{y + pitch - 6}l{pitch - 12} -{pitch - 12}" stroke="#ffffff" stroke-width="3"/>'
            )
        elif ground.mark and cell not in taken:
            yield (
                f'<text class="ink" x="{x + 5}" y="{y + 16}" font-size="13" fill="#16232e">'
                f"{escape(ground.beside or ground.mark)}</text>"
            )


def _ground(
    chart: Chart, kind: str, corner: Corner, side: int, cell: str = "", title: str = ""
) -> Iterator[str]:
    """A square of ground; of one with colours of the game's own, by day and by night."""
    day, night = colours(chart, kind)
    square = f'd="M{corner[0]} {corner[1]}h{side}v{side}h-{side}z"'
    named = f'data-cell="{cell}" ' if cell else ""
    known = f'class="{kind}" ' if kind in GROUNDS else ""
    yield f'<path {known}{named}{square} fill="{day}">{title}</path>'
    if not known:
        yield f'<path class="night" {square} fill="{night}" opacity="0" pointer-events="none"/>'


def _rulers(chart: Chart, corner: Corner, pitch: int, size: int) -> Iterator[str]:
    board = chart.board
    yield f'<g class="dim" font-size="{size}" fill="#4a5b69" text-anchor="middle">'
    for column in range(1, board.columns + 1):
        x, y = _at(chart, Cell(column, board.rows if chart.turned else 1), corner, pitch)
        yield f'<text x="{x + pitch // 2}" y="{y + pitch + size}">{column_name(column)}</text>'
    for row in range(1, board.rows + 1):
        x, y = _at(chart, Cell(board.columns if chart.turned else 1, row), corner, pitch)
        yield f'<text x="{x - 5}" y="{y + pitch // 2 + size // 3}" text-anchor="end">{row}</text>'
    yield "</g>"


def _pieces(chart: Chart, corner: Corner, pitch: int) -> Iterator[str]:
    """Each piece in its cell; several share a cell, in as many rows as they need."""
    for cell, pieces in chart.standing().items():
        across = next(n for n in range(1, len(pieces) + 1) if n * n >= len(pieces))
        left, top = _at(chart, cell, corner, pitch)
        slot = pitch // across
        top += (pitch - slot * -(-len(pieces) // across)) // 2
        for number, piece in enumerate(pieces):
            row, column = divmod(number, across)
            shape = _shape(drawing(piece), left + column * slot, top + row * slot, slot)
            name = escape(piece.id).replace('"', "&quot;")
            named = f' id="{name}"' if piece.id else ""
            yield (
                f'<g{named} class="{piece.side}" data-cell="{cell}" '
                f'color="{SIDES[piece.side][0]}"><title>{escape(piece.title)}</title>{shape}</g>'
            )


def _shape(shape: str, x: int, y: int, side: int) -> str:
    return (
        f'<svg x="{x}" y="{y}" width="{side}" height="{side}" viewBox="0 0 {BOX} {BOX}">'
        f"{shape}</svg>"
    )


def _arrows(chart: Chart, corner: Corner, pitch: int) -> Iterator[str]:
    """Each arrow, drawn over the edge that its two neighbouring cells share."""
    for start, to in chart.arrows:
        (x, y), (far, away) = (_at(chart, cell, corner, pitch) for cell in (start, to))
        east, south = (far > x) - (far < x), (away > y) - (away < y)
        x, y = (x + far + pitch) // 2, (y + away + pitch) // 2
        x, y = x - 5 * east, y - 5 * south
        line = f"M{x - 14 * east} {y - 14 * south}l{14 * east} {14 * south}"
        tip = (
            f"M{x + 12 * east} {y + 12 * south}L{x - 10 * south} {y + 10 * east}"
            f"L{x + 10 * south} {y - 10 * east}Z"
        )
        yield (
            f'<path class="halo" d="{line}{tip}" fill="none" stroke="#ffffff" stroke-width="10" '
            'stroke-linejoin="round"/>'
            f'<path class="way" d="{line}" stroke="#16232e" stroke-width="6"/>'
            f'<path class="ink" d="{tip}" fill="#16232e"/>'
        )


def _below(chart: Chart, top: int, size: int, edge: int, room: int) -> tuple[list[str], int]:
    """The legend and the notes, drawn below `top`; and the height of the whole picture."""
    out: list[str] = []
    box, step = size * 5 // 3, size * 2
    x, y = edge, top + size // 2
    small = size * 13 // 15
    for sign in chart.signs:
        lines = folded(sign.words, small, room - box - size // 2)
        needs = box + size // 2 + max(wide(line, small) for line in lines) + size
        if x > edge and x + needs > room + edge:
            x, y = edge, y + step
        out += _sign(chart, sign, x, y, box)
        for number, line in enumerate(lines):
            y += size * 5 // 4 * (number > 0)
            out.append(
                f'<text class="dim" x="{x + box + size // 2}" y="{y + box * 2 // 3}" '
                f'font-size="{small}" fill="#4a5b69">{escape(line)}</text>'
            )
        x += needs
    if chart.signs:
        y += step
    y += size * 2 // 3
    for note in chart.notes:
        for number, line in enumerate(folded(note, size, room - size)):
            y += size * 4 // 3
            x = edge + size * (number > 0)
            out.append(
                f'<text class="ink" x="{x}" y="{y}" font-size="{size}" fill="#16232e">'
                f"{_spoken(line) if not number else escape(line)}</text>"
            )
    return out, y + size


def _spoken(line: str) -> str:
    """A note's first line; the words before a colon are bold."""
    head, colon, rest = line.partition(":")
    if not (colon and rest.startswith(" ")):
        return escape(line)
    return f'<tspan font-weight="bold">{escape(head)}:</tspan>{escape(rest)}'


def _sign(chart: Chart, sign: Sign, x: int, y: int, box: int) -> Iterator[str]:
    if not sign.ground:
        side, shape = sign.side or "own", _shape(drawing(sign), x, y, box)
        yield f'<g class="{side}" color="{SIDES[side][0]}">{shape}</g>'
        return
    yield '<g class="line" stroke="#8fb2ca">'
    yield from _ground(chart, sign.ground, (x, y), box)
    yield "</g>"
    letter = escape(sign.mark) if len(sign.mark) == 1 else ""
    yield (
        f'<text class="ink" x="{x + box // 2}" y="{y + box * 2 // 3}" font-size="{box // 2}" '
        f'text-anchor="middle" fill="#16232e">{letter}</text>'
    )
