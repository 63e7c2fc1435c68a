"""A turn on a terminal's screen: title, board, notes, orders and news, laid out so that it all fits
and the prompt below is the last line.

What belongs here: where each part goes, and what gives way if there is no room. First the news
shrink, the oldest turns before the newest; then blank lines go, then the orders, then the notes;
the board never. What it must not know: seats, terminals; it makes values from values.
"""

from __future__ import annotations

import functools
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from games.chart import Chart, Part, crowded, legend, rows
from games.game import Deductions, Game, View
from games.grid import Cell

LEAST_BESIDE = 28
"""The least columns for notes beside the board."""
TALL = 12
"""A board of more rows has the orders beside it too."""
LARGE, SHOWN = 20, 18
"""From so many columns or rows on, a part of the map of so many is shown."""
LEAST_NEWS = 3
AROUND, AROUND_ALL, LEAST_ROWS = 6, 11, 6
"""Lines that a map leaves to all else: with notes and orders beside it, and below it; and the least
rows that it keeps."""
GAP = 4
ASK = "? lists what you may write"

Line: TypeAlias = list[Part]


@dataclass(frozen=True, slots=True)
class Window:
    """What a screen has room for. `rows` None: no end, as in a pipe. `utf8`: it shows more than
    ASCII; `colour`: it shows colours."""

    columns: int = 80
    rows: int | None = 24
    utf8: bool = False
    colour: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """What there is to show. `until`: the deadline, the longest wording first. `board`: a chart, or
    lines. `menu`: the lines that may be written, for so many columns. `news`: a paragraph a turn,
    the newest last. `goal`: for a first screen, which shows the marks too. `around`: the cell in
    the middle of a large map. `whole`: however large, all of the map."""

    title: str
    board: Chart | Sequence[str]
    notes: Sequence[str] = ()
    menu: Callable[[int], Sequence[str]] = lambda columns: ()
    news: Sequence[str] = ()
    since: str = "Since your last turn"
    until: Sequence[str] = ()
    goal: str = ""
    around: Cell | None = None
    whole: bool = False


def scene(
    game: Game[Any, Any],
    view: View,
    known: Deductions,
    news: Sequence[Sequence[Mapping[str, Any]]],
    lines: Sequence[str] = (),
    *,
    first: bool = False,
) -> Scene:
    """What there is to show to the view's player. `news`: the events of their reports since their
    last orders, the newest last; `lines`: orders that they have planned; `first`: they have ordered
    nothing yet."""
    seen = game.planned(view, lines) if lines else view
    told = game.brief(seen, known)
    turns = [" ".join(one.text for one in game.told(view, events)) for events in news]
    return Scene(
        title=told.title,
        board=game.chart_known(seen, known) or game.draw(seen).splitlines(),
        notes=told.notes,
        menu=lambda columns: game.menu(view, lines, columns),
        news=tuple(filter(None, turns)),
        since="Since your last orders" if news else "",
        goal=game.goal(view.setup) if first else "",
    )


def lines(scene: Scene, window: Window) -> list[str]:
    """The screen in lines, which leave the last line of the window to the prompt."""
    return [_told(line, window) for line in _laid_out(scene, window)]


# One line.


def _plain(text: str, kind: str = "") -> Line:
    return [Part(text, kind)]


def _length(line: Line) -> int:
    return sum(len(part.text) for part in line)


_NEW, _RULE = "new", "rule"
_COLOURS = {"own": "1;34", "": "", _RULE: "2", _NEW: "1", "title": "1"}


def _told(line: Line, window: Window) -> str:
    """The line as the terminal gets it."""
    out = ""
    for text, kind in line:
        said = text
        if window.utf8 and kind == _RULE:
            said = text.replace("-", "\u2500")
        elif window.utf8 and kind == "sea":
            said = text.replace(".", "\u00b7", 1)
        code = _COLOURS.get(kind, "" if kind == "sea" else "31") if window.colour else ""
        bare = said.rstrip()
        out += f"\x1b[{code}m{bare}\x1b[0m{said[len(bare) :]}" if code and bare else said
    return out.rstrip()


def wrapped(text: str, columns: int, first: str = "", then: str = "") -> list[str]:
    """The text in lines of so many columns at most; long words are broken if need be."""
    return textwrap.wrap(
        text, max(columns, 8), initial_indent=first, subsequent_indent=then,
        break_on_hyphens=False,
    )  # fmt: skip


# The whole.


def _laid_out(scene: Scene, window: Window) -> list[Line]:
    """The first attempt with room for all news; else for the last turn's; else for its end."""
    attempts = list(_attempts(scene, window))
    if window.rows is None:
        return attempts[0].with_news(_news(scene, window, None))
    rooms = [window.rows - 1 - parts.taken for parts in attempts]
    whole = _news(scene, window, None)
    newest = len(_in_turns(scene, window, len(scene.news) - 1)) if scene.news else 0
    fits = list(zip(attempts, rooms, strict=True))
    roomy = [(parts, room) for parts, room in fits if parts.roomy]
    for among, least in ((roomy, len(whole)), (roomy, newest), (fits, LEAST_NEWS), (fits, 2)):
        for parts, room in among:
            if room >= min(least, len(whole)):
                return parts.with_news(_news(scene, window, room))
    # Even the board and the least of all else are too much: the newest lines stay in sight.
    return attempts[-1].with_news([])


@dataclass(frozen=True, slots=True)
class _Parts:
    """An attempt: what stands above and around the board, and the gap before the news.
    `roomy`: nothing has given way yet but blanks."""

    top: list[Line]
    middle: list[Line]
    gap: list[Line]
    roomy: bool = False

    @property
    def taken(self) -> int:
        """The lines of everything but the news."""
        return len(self.top) + len(self.middle) + len(self.gap)

    def with_news(self, news: list[Line]) -> list[Line]:
        """The whole screen."""
        return [*self.top, *self.middle, *(self.gap if news else ()), *news]


def _attempts(scene: Scene, window: Window) -> Iterator[_Parts]:
    """From the roomiest to the barest. Board and orders are the same in all: made once."""
    scene = replace(scene, menu=functools.cache(scene.menu))
    if isinstance(scene.board, Chart):
        sea = _shown(scene.board, scene, window)
    else:
        sea = _Sea([_plain(line) for line in scene.board], len(scene.board), [])
    if len(scene.title) <= window.columns:
        title = [_title(scene, window)]
    else:
        said = " ".join([scene.title, *scene.until[:1]])
        title = [_plain(line, "title") for line in wrapped(said, window.columns, then="  ")]
    goal = [_plain(line) for line in wrapped(scene.goal, window.columns)]
    rule = [_plain("-" * min(window.columns, 79), _RULE)] if window.utf8 else []
    blank = [_plain("")]
    goals = [*goal, *blank] if goal else []
    marks = bool(scene.goal)
    yield _Parts([*title, *rule, *goals], _middle(scene, window, sea, blank, marks), blank, True)
    yield _Parts([*title, *goals], _middle(scene, window, sea, blank, marks), blank, True)
    yield _Parts([*title, *goal], _middle(scene, window, sea, [], marks), [], True)
    yield _Parts([*title, *goal], _middle(scene, window, sea, [], False), [])
    asked = (ASK,) if scene.menu(window.columns) else ()
    bare = replace(scene, menu=lambda columns: asked)
    yield _Parts(title, _middle(bare, window, sea, [], False), [])
    for most in range(len(scene.notes), -1, -1):
        few = (*scene.notes[:most], "(? has the rest)") if most < len(scene.notes) else scene.notes
        yield _Parts(title, _middle(replace(bare, notes=few), window, sea, [], False), [])


def _title(scene: Scene, window: Window) -> Line:
    """The title, and the longest wording of the deadline for which there is room at the right."""
    for until in scene.until:
        room = min(window.columns, 80) - len(scene.title) - len(until)
        if room >= 2:
            return [Part(scene.title, "title"), Part(" " * room + until)]
    return _plain(scene.title, "title")


# The board, with what stands beside or below it.


class _Sea(NamedTuple):
    """The board's lines, how many rows it shows, and notes on what cells had no room for."""

    shown: list[Line]
    deep: int
    cut: list[str]


def _middle(scene: Scene, window: Window, sea: _Sea, blank: list[Line], marks: bool) -> list[Line]:
    chart = scene.board
    shown, deep, cut = sea
    notes = [*scene.notes, *cut]
    notes_below = list(legend(chart, window.columns)) if marks and isinstance(chart, Chart) else []
    across = max(map(_length, shown), default=0)
    beside = window.columns - across - GAP
    tall = deep > TALL
    if beside < LEAST_BESIDE:
        below = [one for note in notes for one in _note(note, window.columns)]
        right: list[str] = []
    else:
        below, right = [], [one for note in notes for one in _note(note, beside)]
    menu = _menu(scene, beside if tall and right else window.columns)
    if tall and right and len(right) + len(menu) <= len(shown):
        right += [""] * (len(shown) - len(right) - len(menu)) + menu
        menu = []
    elif tall and right:
        menu = _menu(scene, window.columns)
    joined = list(_joined(shown, right, across))
    out = [*joined, *map(_plain, [*below, *notes_below])]
    return [*out, *(blank if menu else ()), *map(_plain, menu)]


def _menu(scene: Scene, columns: int) -> list[str]:
    """The orders, each wrapped if the game's words are too long."""
    return [
        line for text in scene.menu(columns) for line in wrapped(text, columns, then="     ")
    ]  # fmt: skip


def _joined(shown: Sequence[Line], right: Sequence[str], across: int) -> Iterator[Line]:
    """The board's lines with the notes at their right; what is left of the notes below."""
    for at in range(max(len(shown), len(right))):
        line = shown[at] if at < len(shown) else []
        note = right[at] if at < len(right) else ""
        pad = " " * (across + GAP - _length(line)) if note else ""
        yield [*line, Part(pad + note)]


def _note(note: str, columns: int) -> list[str]:
    """A note in lines; what does not fit goes on below, a little to the right."""
    blanks = len(note) - len(note.lstrip())
    return wrapped(note.lstrip(), columns, " " * blanks, " " * (min(blanks, columns // 2) + 2))


def _shown(chart: Chart, scene: Scene, window: Window) -> _Sea:
    board = chart.board
    margin = len(str(board.rows)) + 1
    across, deep = range(1, board.columns + 1), range(1, board.rows + 1)
    narrow = chart
    if not scene.whole and window.rows is not None:
        most = SHOWN if max(board) >= LARGE else max(board)
        middle = scene.around or _own(chart)
        # In so many columns the narrowest cells fit.
        room = max(4, (window.columns - margin) // 2)
        across = _part(board.columns, min(most, room), middle.column)
        beside = window.columns - margin - chart.wide * len(across) - GAP >= LEAST_BESIDE
        high = window.rows - (AROUND if beside else AROUND_ALL)
        deep = _part(board.rows, min(most, max(LEAST_ROWS, high)), middle.row)
    room = (window.columns - margin) // len(across)
    if room < chart.wide and not scene.whole:
        narrow = chart._replace(wide=max(2, room))
    drawn = [
        [Part(part.text, part.side or ("sea" if part.text.strip() == "." else "")) for part in line]
        for line in rows(narrow, across, deep)
    ]
    notes = [f"{cell}: {marks}" for cell, marks in crowded(narrow).items()]
    if len(across) < board.columns or len(deep) < board.rows:
        notes.insert(0, f"a part of A1 to {board.last}: map CELL, map all")
    return _Sea(drawn, len(deep), notes)


def _own(chart: Chart) -> Cell:
    """The cell of one's own first piece, or the middle of the board."""
    board = chart.board
    found = (piece.cell for piece in chart.pieces if piece.side == "own")
    return next(found, Cell((board.columns + 1) // 2, (board.rows + 1) // 2))


def _part(whole: int, most: int, middle: int) -> range:
    """So many columns or rows around the middle one."""
    if most >= whole:
        return range(1, whole + 1)
    first = min(max(1, middle - most // 2), whole - most + 1)
    return range(first, first + most)


# The news.


def _news(scene: Scene, window: Window, room: int | None) -> list[Line]:
    """The news in so many lines (None: in as many as they take), the newest last."""
    if not scene.news:
        return (
            [] if room == 0 else [_plain(f"{scene.since}: nothing was heard.")] * bool(scene.since)
        )
    for spare in range(len(scene.news)):
        for made in (_in_turns(scene, window, spare), _in_one(scene, window, spare)):
            if room is None or len(made) <= room:
                return made
    # Not even the last turn: its end, because the newest is last in it.
    head = _head(scene, len(scene.news) - 1)
    newest = wrapped(scene.news[-1], window.columns - 4, "  ... ", "    ")
    if room == 1:
        end = scene.news[-1][11 - window.columns :].partition(" ")[2]
        return [_plain(f"(news) ... {end}", _NEW)]
    left = newest[max(1, len(newest) - room + 1) :] if room else []
    return [_plain(head), *(_plain(f"    ... {line.lstrip()}" if at == 0 else line, _NEW)
                            for at, line in enumerate(left))][:room]  # fmt: skip


def _head(scene: Scene, spare: int) -> str:
    earlier = f"({spare} earlier turn{'s' * (spare > 1)}: news)" if spare else ""
    return f"{' '.join(filter(None, (scene.since, earlier)))}:"


def _in_turns(scene: Scene, window: Window, spare: int) -> list[Line]:
    """A paragraph a turn, without the first ones."""
    told = [
        _plain(line, _NEW)
        for text in scene.news[spare:]
        for line in wrapped(text, window.columns, "  ", "    ")
    ]
    return [_plain(_head(scene, spare)), *told]


def _in_one(scene: Scene, window: Window, spare: int) -> list[Line]:
    """All turns in one paragraph, without the first ones."""
    said = " ".join([_head(scene, spare), *scene.news[spare:]])
    return [_plain(line, _NEW) for line in wrapped(said, window.columns, then="  ")]
