"""Charts as SVG: everything can be found and read, in any font, by light and in the dark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, islice, product
from typing import Any

import pictures
import pytest
from matches import play

import games
from adjudicator.page import shown
from games import picture, shapes
from games.chart import Chart, Ground, Piece, Sign, text
from games.grid import Board, Cell

GAMES = [games.load(name) for name in ("silent-ships", "submarine-warfare", "sugar-dog")]
SUB, MINE = shapes.submarine("A"), shapes.mine()
CHART = Chart(
    "Ann & Bob",
    Board(4, 2),
    (
        Piece(Cell(2, 1), "A", "own", SUB, "ann's <a>", "sub-a"),
        Piece(Cell(2, 1), "*", "own", MINE, "a mine"),
        Piece(Cell(3, 2), "tN", "foe", shapes.torpedo("N"), "a torpedo"),
    ),
    {Cell(2, 1): Ground("two", "2", "scores 2"), Cell(1, 1): Ground("gone", "#", "destroyed")},
    (Sign("mine", "*", "own", MINE), Sign("two points", "2", ground="two")),
    ("Turn 3: ann & co.", "bob: nothing"),
)


def test_every_cell_is_named_and_told() -> None:
    """Once each, with what it is and what is in it: for a page, for hover, for those who hear."""
    found = pictures.cells(picture.svg(CHART))
    assert list(found) == [str(cell) for cell in CHART.board.cells()]
    assert found["B1"] == "B1: scores 2; ann's <a>; a mine"
    assert found["D2"] == "D2"


def test_a_piece_is_named_as_it_says() -> None:
    """An id only where it has one; its cell always."""
    assert pictures.pieces(picture.svg(CHART)) == [
        pictures.Piece("B1", "sub-a", "ann's <a>"),
        pictures.Piece("B1", None, "a mine"),
        pictures.Piece("C2", None, "a torpedo"),
    ]


def boxes(svg: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Each piece's cell and its box: left, top, side."""
    for group in pictures.read(svg).iter(f"{pictures.SPACE}g"):
        inner = group.find(f"{pictures.SPACE}svg")
        if "data-cell" in group.attrib and inner is not None:
            yield group.attrib["data-cell"], tuple(int(inner.attrib[key]) for key in _BOX)


_BOX = ("x", "y", "width")


@pytest.mark.parametrize("many", [1, 2, 3, 4, 5, 9, 10, 30])
def test_pieces_share_their_cell_and_none_hides_another(many: int) -> None:
    """Whatever their number: within the cell, and no two in one place."""
    piece = CHART.pieces[0]
    svg = picture.svg(Chart("x", Board(7, 2), (piece,) * many))
    cell = next(
        path
        for path in pictures.read(svg).iter(f"{pictures.SPACE}path")
        if path.get("data-cell") == "B1"
    )
    found = re.match(r"M(\d+) (\d+)h(\d+)", cell.attrib["d"])
    assert found is not None
    left, top, pitch = map(int, found.groups())
    drawn = [box for _, box in boxes(svg)]
    assert len(drawn) == many
    for x, y, side in drawn:
        assert left <= x and x + side <= left + pitch
        assert top <= y and y + side <= top + pitch
    for one, other in combinations(drawn, 2):
        assert abs(one[0] - other[0]) >= one[2] or abs(one[1] - other[1]) >= one[2]


def test_the_drawing_tells_what_it_is() -> None:
    """An image with a title, and its notes in words, for who does not see it."""
    root = pictures.read(picture.svg(CHART))
    assert root.get("role") == "img"
    assert root.findtext(f"{pictures.SPACE}title") == "Ann & Bob"
    assert root.findtext(f"{pictures.SPACE}desc") == "Turn 3: ann & co. bob: nothing"


def test_text_and_picture_say_the_same() -> None:
    """Title, rulers, legend and notes are read from one chart."""
    said = pictures.written(picture.svg(CHART))
    for line in ("Ann & Bob", "mine", "two points", *CHART.notes, "A", "D", "2"):
        assert line in said


# Grounds and shapes of a game's own.

STAR = '<path d="M30 4L56 56L4 20H56L4 56z" fill="currentColor"/>'
FOG = ("#e0e0e0", "#202020")
OWN = Chart(
    "Fog",
    Board(3, 1),
    (Piece(Cell(1, 1), "*", "own", STAR, "a star"), Piece(Cell(2, 1), "K<", "foe", "", "a king")),
    {Cell(3, 1): Ground("fog", "~", "fog")},
    (Sign("fog", "~", ground="fog"), Sign("king", "K<", "foe")),
    colours={"fog": FOG},
)


def test_a_game_has_grounds_and_shapes_of_its_own() -> None:
    """In text, in a picture and on a page; without a shape the mark is written."""
    assert text(OWN).splitlines()[0] == "1 *  K< ~"
    svg = picture.svg(OWN)
    root = pictures.read(svg)
    assert STAR in svg
    assert ">K&lt;</text>" in svg
    fills = [node.get("fill") for node in root.iter(f"{pictures.SPACE}path")]
    assert [one for one in fills if one in FOG] == [*FOG, *FOG]
    for night in (node for node in root.iter() if node.get("class") == "night"):
        assert (night.get("fill"), night.get("opacity")) == (FOG[1], "0")
    assert ".board .night{opacity:1}" in picture.STYLE
    told = shown.plain(OWN)
    assert told["grounds"] == {"C1": {"kind": "fog", "mark": "~", "colours": list(FOG)}}
    assert [one["shape"] for one in told["pieces"]] == [STAR, picture.drawing(OWN.pieces[1])]
    assert shown.plain(CHART)["grounds"]["B1"]["colours"] == []


@pytest.mark.parametrize(
    ("kind", "colours", "said"),
    [
        ("mist", FOG, "ground 'mist': expected one of sea, "),
        ("fog", ("#e0e0e0",), "expected two colours such as '#dbeaf5', not ('#e0e0e0',)"),
        ("fog", ("#e0e0e0", 'x"/><script>'), "expected two colours"),
        ("fog", ("#e0e0e0", "url(//x)"), "expected two colours"),
    ],
)
def test_a_ground_has_two_colours(kind: str, colours: Any, said: str) -> None:
    """And no more than that, in a picture and on a page."""
    chart = OWN._replace(grounds={Cell(3, 1): Ground(kind)}, colours={"fog": colours})
    for draw in (picture.svg, shown.plain):
        with pytest.raises(ValueError, match=re.escape(said)):
            draw(chart)


# How wide letters are.

_ASCII = "".join(map(chr, range(32, 127)))
# Advance widths of DejaVu Sans and DejaVu Sans Bold for these letters, in thousandths of the size.
# fmt: off
_PLAIN = dict(zip(_ASCII, (
    318, 401, 460, 838, 637, 951, 780, 275, 391, 391, 500, 838, 318, 361, 318, 337, 637, 637, 637,
    637, 637, 637, 637, 637, 637, 637, 337, 337, 838, 838, 838, 531, 1000, 685, 687, 699, 771, 632,
    576, 775, 752, 295, 295, 656, 558, 863, 749, 788, 604, 788, 695, 635, 611, 732, 685, 989, 686,
    611, 686, 391, 337, 391, 838, 500, 500, 613, 635, 550, 635, 616, 353, 635, 634, 278, 278, 580,
    278, 975, 634, 612, 635, 635, 412, 521, 393, 634, 592, 818, 592, 592, 525, 637, 337, 637, 838,
), strict=True))
_BOLD = dict(zip(_ASCII, (
    349, 457, 521, 838, 696, 1002, 873, 307, 458, 458, 523, 838, 380, 416, 380, 366, 696, 696, 696,
    696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 581, 1000, 774, 763, 734, 831, 684,
    684, 821, 837, 373, 373, 775, 638, 996, 837, 851, 733, 851, 771, 721, 683, 813, 774, 1104, 771,
    725, 726, 458, 366, 458, 838, 500, 500, 675, 716, 593, 716, 679, 436, 716, 712, 343, 343, 666,
    343, 1042, 712, 688, 716, 716, 494, 596, 479, 712, 652, 924, 646, 652, 583, 712, 366, 712, 838,
), strict=True))
# fmt: on


@pytest.mark.parametrize(("bold", "widths"), [(False, _PLAIN), (True, _BOLD)])
def test_no_letter_is_wider_than_reckoned(bold: bool, widths: dict[str, int]) -> None:
    """Of the widest usual font; and not more than half as wide again in a common sentence."""
    for letter in _ASCII:
        assert picture.wide(letter * 50, 20, bold) * 1000 >= widths[letter] * 50 * 20
    sentence = "your discards: submarine, speed-boat, ammunition-ship"
    real = sum(widths[letter] for letter in sentence) * 20
    assert picture.wide(sentence, 20, bold) * 1000 <= real * 3 // 2


@pytest.mark.parametrize("most", [60, 200, 460])
@pytest.mark.parametrize(
    "note", ["", "a", "m" * 400, f"{'m' * 32}: " + "W" * 90, "a: b, " * 60, "one two: " * 30]
)
def test_folded_lines_fit_and_lose_nothing(note: str, most: int) -> None:
    """What stands before a colon counts as bold; a word is cut only where it is wider."""
    lines = picture.folded(note, 15, most)
    assert "".join(lines).replace(" ", "") == note.replace(" ", "")
    for line in lines:
        head, colon, rest = line.partition(":")
        bold, plain = (head, rest) if colon else ("", line)
        assert picture.wide(plain, 15) + picture.wide(bold, 15, bold=True) <= most + 15


def texts(root: Any, left: int = 0, top: int = 0, scale: tuple[int, int] = (1, 1)) -> Iterator[Any]:
    """Every text with where it is drawn, in units of the document: what, left, right, top, foot."""
    many, of = scale
    for node in root:
        if node.tag == f"{pictures.SPACE}svg":
            x, y, side = (int(node.attrib[key]) for key in _BOX)
            yield from texts(node, left + x, top + y, (side, picture.BOX))
        elif node.tag == f"{pictures.SPACE}text":
            bold = node.get("font-weight") == "bold"
            size, at = int(node.get("font-size") or root.get("font-size")), int(node.attrib["x"])
            wide = sum(
                (_BOLD if bold or one.tag.endswith("tspan") else _PLAIN)[letter] * size / 1000
                for one in node.iter()
                for letter in one.text or ""
            ) + sum(_PLAIN[letter] * size / 1000 for one in node for letter in one.tail or "")
            anchor = node.get("text-anchor") or root.get("text-anchor")
            x = at - {"middle": wide / 2, "end": wide}.get(anchor, 0)
            y = int(node.attrib["y"])
            yield (
                "".join(node.itertext()),
                left + x * many / of,
                left + (x + wide) * many / of,
                top + (y - size) * many / of,
                top + (y + size / 4) * many / of,
            )
        else:
            yield from texts(node, left, top, scale)


LONG = ("m" * 32, "w" * 32)
CROWDS = [(game, LONG, 40) for game in GAMES]
CROWDS += [
    (GAMES[2], tuple(f"m{number}" + "m" * 29 for number in range(n)), 4) for n in (5, 12, 26)
]


def drawn(game: Any, names: tuple[str, ...], steps: int) -> Iterator[str]:
    """Every picture of a random game: of the first player, of everybody, and of the whole."""
    for step in islice(play(game.id, 0, ("random",) * len(names), {}, names), steps):
        for player in (names[0], None):
            yield game.svg(game.view(step.before, player))
        yield game.svg_whole(step.before)


@pytest.mark.parametrize(
    ("game", "names", "steps"), CROWDS, ids=lambda one: getattr(one, "id", str(one)[:2])
)
def test_every_text_lies_inside_the_picture_and_no_two_overlap(
    game: Any, names: tuple[str, ...], steps: int
) -> None:
    """In the widest usual font, with the longest names, throughout a game; on the largest map."""
    for svg in drawn(game, names, steps):
        root = pictures.read(svg)
        width, height = (int(root.attrib[key]) for key in ("width", "height"))
        assert root.get("viewBox") == f"0 0 {width} {height}"
        found = [text for text in texts(root) if text[0]]
        for what, left, right, top, foot in found:
            assert left >= 0 and right <= width, f"{what}: {left} to {right} of {width}"
            assert top >= 0 and foot <= height, f"{what}: {top} to {foot} of {height}"
        for one, other in combinations(found, 2):
            apart = one[2] <= other[1] or other[2] <= one[1] or one[4] <= other[3] + 6
            assert apart or other[4] <= one[3] + 6, f"{one} and {other}"


# What a page that shows it may have to allow.


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_picture_holds_whole_numbers_and_nothing_that_a_page_must_allow(game: Any) -> None:
    """No script, no link, no style but the one of every picture, no id twice; always the same."""
    pictured = list(drawn(game, ("ann", "bob"), 12))
    assert pictured == list(drawn(game, ("ann", "bob"), 12))
    for svg in pictured:
        assert svg.count("<style>") == 1 and f"<style>{picture.STYLE}</style>" in svg
        rest = svg.replace(picture.STYLE, "")
        assert not re.search(r"style=|href|url\(|script|\son\w+=|<image|<use|@", rest)
        root = pictures.read(svg)
        ids = [node.attrib["id"] for node in root.iter() if "id" in node.attrib]
        assert len(ids) == len(set(ids))
        for node in root.iter():
            shown = " ".join(
                value for key, value in node.attrib.items() if key not in ("id", "fill", "color")
            )
            assert not re.search(r"\d\.\d", shown)


# Colours.


def colour(name: str, dark: bool) -> str:
    """What a class of colour is; light ones as the attributes say."""
    if name in picture.SIDES:
        return picture.SIDES[name][dark]
    if name in picture.GROUNDS:
        return picture.GROUNDS[name][dark]
    return picture._INKS[name][1 + dark]


WATERS = ("sea", "one", "two", "four")


@pytest.mark.parametrize("dark", [False, True])
def test_letters_can_be_read(dark: bool) -> None:
    """4.5 at least: ink on paper and grounds, letters on every side's colour and in it."""
    pairs = [("ink", ground) for ground in ("paper", *picture.GROUNDS)]
    pairs += [("dim", "paper"), *(("on", side) for side in picture.SIDES)]
    pairs += [(side, ground) for side in picture.SIDES for ground in ("paper", "sea")]
    pairs += product(("own", "foe"), WATERS)
    for one, other in pairs:
        found = pictures.contrast(colour(one, dark), colour(other, dark))
        assert found >= 4.5, f"{one} on {other}: {found:.2f}"


@pytest.mark.parametrize("dark", [False, True])
def test_pieces_stand_out_from_any_ground(dark: bool) -> None:
    """3 at least, as for any part of a picture that one must see."""
    for side, ground in product(("own", "foe"), picture.GROUNDS):
        found = pictures.contrast(colour(side, dark), colour(ground, dark))
        assert found >= 3, f"{side} on {ground}: {found:.2f}"


# Machado, Oliveira and Fernandes 2009: full protanopia, deuteranopia, tritanopia, on linear light.
BLIND = (
    (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.052),
    ),
    (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.01182, 0.04294, 0.968881),
    ),
    (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.3039),
    ),
)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("matrix", BLIND, ids=("red", "green", "blue"))
def test_the_colour_blind_tell_the_sides_apart(matrix: Any, dark: bool) -> None:
    """One's own from theirs, by colour alone; hulls and cards differ in shape besides."""
    seen = []
    for side in ("own", "foe"):
        code = colour(side, dark)
        linear = [(int(code[at : at + 2], 16) / 255) ** 2.2 for at in (1, 3, 5)]
        mixed = (sum(a * b for a, b in zip(row, linear, strict=True)) for row in matrix)
        seen.append([max(0.0, part) ** (1 / 2.2) * 255 for part in mixed])
    assert sum((a - b) ** 2 for a, b in zip(*seen, strict=True)) ** 0.5 > 80


def test_every_class_has_a_dark_colour() -> None:
    """All that a picture uses is told in its style; a page may take the rules from there."""
    pictured = "".join(svg for game in GAMES for svg in drawn(game, ("ann", "bob"), 30))
    used = set(re.findall(r'class="([a-z]+)"', pictured)) - {"board"}
    assert used <= {name[1:] for name in picture.DARK}
    for name, rule in picture.DARK.items():
        assert f".board {name}{{{rule}}}" in picture.STYLE
