"""Screens of positions from random games: they fit, and nothing of the view is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest
import screens

import games
from adjudicator.words.screen import ASK, Scene, Window, lines
from games.chart import Chart, legend
from games.grid import Board, Cell

CUT = "(? has the rest)"
WINDOWS = (
    Window(80, 24), Window(80, 24, utf8=True, colour=True), Window(60, 24), Window(80, 20),
    Window(60, 20, utf8=True), Window(120, 50, utf8=True), Window(80, None),
)  # fmt: skip
ANSI = re.compile("\x1b\\[[0-9;]*m")


class Played(NamedTuple):
    """A game to draw: how many players, by which bots, with which options."""

    game: str
    players: int
    kind: str
    options: Mapping[str, Any]

    def screens(self, seed: int, most: int) -> Iterator[screens.Drawn]:
        """Every screen of the first steps."""
        names = screens.names(self.players)
        kinds = [self.kind] * self.players
        game = games.load(self.game)
        return screens.drawn(game, names, self.options, kinds, b"%d" % seed, most)


FEW = (
    Played("sugar-dog", 2, "walker", {}),
    Played("sugar-dog", 4, "random", {"quiet": 40}),
    Played("sugar-dog", 8, "random", {}),
    Played("silent-ships", 2, "captain", {}),
    Played("submarine-warfare", 2, "random", {"rounds": 20}),
)
MANY = (
    *FEW,
    *(Played("sugar-dog", 2, kind, {}) for kind in ("random", "mate", "captain")),
    *(Played("sugar-dog", count, "random", {}) for count in (3, 5, 6, 7, 9, 12)),
    Played("sugar-dog", 26, "random", {}),
    *(Played("silent-ships", 2, kind, {"speed": True}) for kind in ("random", "walker")),
    Played("silent-ships", 2, "walker", {"edition": "2021-09-12"}),
    *(Played("submarine-warfare", 2, kind, {}) for kind in ("walker", "captain")),
)


def words(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(ANSI.sub("", text).split())


def fault(drawn: screens.Drawn, window: Window) -> str:
    """What is wrong with a screen; "" if nothing is."""
    told = lines(drawn.scene, window)
    text, scene = "\n".join(told), drawn.scene
    plain = ANSI.sub("", text).splitlines()
    if window.rows is not None and len(told) >= window.rows:
        return f"{len(told)} lines and a prompt"
    # A pipe gets the whole of a large map, as `map all` prints it.
    if window.rows is not None and max(map(len, plain)) > window.columns:
        return f"{max(map(len, plain))} columns"
    if not window.utf8 and not text.isascii():
        return "not ASCII"
    if not window.colour and "\x1b" in text:
        return "colour"
    if any(line != line.rstrip() for line in plain):
        return "a blank at the end of a line"
    return missing(scene, window, words(text))


def missing(scene: Scene, window: Window, said: str) -> str:
    """A part of the scene that the screen neither has nor says where it is."""
    if not said.startswith(words(scene.title)):
        return "the title"
    for note in scene.notes if CUT not in said else ():
        if not all(word in said for word in note.split()):
            return f"the note {note!a}"
    if scene.menu(window.columns) and ASK not in said and not menus(scene, said):
        return "the orders"
    elsewhere = CUT in said or "earlier turn" in said or "(news) ..." in said
    for paragraph in scene.news[-1:] if elsewhere else scene.news:
        if paragraph.split()[-1] not in said and CUT not in said:
            return f"the news {paragraph!a}"
    return marks(scene, said)


def menus(scene: Scene, said: str) -> bool:
    """Whether the orders are there, in whichever width they were asked for."""
    return any(
        all(word in said for row in scene.menu(columns) for word in row.split())
        for columns in (80, 60, 120, *range(20, 120))
    )


def marks(scene: Scene, shown: str) -> str:
    """A piece that its cell does not show; a large board shows a part."""
    chart = scene.board
    if not isinstance(chart, Chart):
        return ""
    for pieces in chart.standing().values() if "a part of A1 to" not in shown else ():
        mark = pieces[0].mark
        if not (mark in shown or mark[:2] in shown or f"{mark[0]}+" in shown):
            return f"{mark!a} on the board"
    return ""


def check(played: Played, seed: int, most: int, windows: tuple[Window, ...]) -> int:
    """Draw a game on these windows; how many positions there were."""
    positions = list(played.screens(seed, most))
    for drawn in positions:
        for window in windows:
            found = fault(drawn, window)
            assert not found, f"{window}: {found}\n" + "\n".join(lines(drawn.scene, window))
    return len(positions)


@pytest.mark.parametrize("played", FEW, ids=str)
def test_a_turn_fits_its_window(played: Played) -> None:
    """Lines and columns are counted, with the prompt; what has no room is said to be elsewhere."""
    assert check(played, 1, 6, WINDOWS) > 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("played", MANY, ids=str)
def test_a_thousand_turns_fit(played: Played, seed: int) -> None:
    """The same over whole games, whoever plays them."""
    most = 130 if played.players <= 8 else 360 // played.players
    check(played, seed, most, WINDOWS)


# Single parts.

BOARD = Chart("x", Board(6, 6))


def drawn(window: Window = Window(), **parts: Any) -> list[str]:  # noqa: B008
    """A small scene on a window."""
    return lines(Scene(**{"title": "A game: your turn.", "board": BOARD, **parts}), window)


def test_the_deadline_is_as_short_as_it_must_be() -> None:
    """At the right if there is room, in fewer words if not, and else below the title."""
    until = ("until Mon 18:00, 2 d 3 h", "until Mon 18:00", "2 d 3 h")
    assert drawn(until=until)[0] == "A game: your turn." + " " * 38 + until[0]
    assert drawn(Window(40), until=until)[0].endswith(" " * 7 + until[1])
    assert drawn(Window(30), until=until)[0].endswith("   2 d 3 h")
    assert drawn(Window(20), until=until)[0] == "A game: your turn."


def test_news_shrink_before_the_orders() -> None:
    """The oldest turns first, counted; then the beginning of the last; then the orders go."""
    menu = ("one", "two", "three", "four")
    news = tuple(f"turn {number}: {'a noise, ' * 20}" for number in range(6))
    told = drawn(news=news, menu=lambda columns: menu)
    assert any("earlier turns: news):" in line for line in told)
    assert "a noise" in told[-1]
    assert "four" in told
    short = drawn(Window(80, 16), news=news, menu=lambda columns: menu)
    assert "four" in short
    assert any("(5 earlier turns: news):" in line for line in short)
    least = drawn(Window(80, 12), news=news, menu=lambda columns: menu)
    assert ASK in least
    assert len(least) <= 11


def test_notes_go_below_a_board_that_leaves_no_room() -> None:
    """Beside it from 28 columns on."""
    note = "a note of some words"
    assert drawn(notes=(note,))[1].endswith(f"    {note}")
    wide = Chart("x", Board(5, 2), wide=15)
    assert note in drawn(notes=(note,), board=wide)


def test_a_large_map_is_shown_in_part() -> None:
    """Around one's own piece, or the cell that was named; all of it if that is asked for."""
    large = Chart("x", Board(30, 30), wide=2)
    part = drawn(board=large, around=Cell(1, 30))
    assert part[1].startswith("30 .")
    assert "a part of A1 to AD30" in words("\n".join(part))
    whole = drawn(board=large, whole=True)
    assert [line for line in whole if line.startswith((" 1 .", "30 ."))] != []
    assert max(map(len, whole)) >= 60


def test_colours_and_letters_only_add() -> None:
    """Without them the same text is left."""
    plain = drawn(news=("boom",))
    bright = drawn(Window(utf8=True, colour=True), news=("boom",))
    bare = [ANSI.sub("", line).replace("\u00b7", ".") for line in bright]
    assert [line for line in bare if "\u2500" not in line] == plain
    assert any("\x1b[1m" in line for line in bright)


def test_the_first_screen_has_goal_and_marks() -> None:
    """Two lines below the title, and the legend below the board."""
    scene = next(Played("sugar-dog", 2, "random", {}).screens(1, 1)).scene
    told = lines(scene, Window())
    assert told[1].startswith("Goal: be the last submarine afloat.")
    assert isinstance(scene.board, Chart)
    assert set(legend(scene.board, 80)) <= set(told)
