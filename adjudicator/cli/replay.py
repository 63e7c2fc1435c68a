"""`replay`: a game again, step by step, by the eyes of whoever may see it.

At a terminal it is one screen a step, and keys go on; into a pipe all steps are printed.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import click

from adjudicator.cli import shared
from adjudicator.cli.prompt import window
from adjudicator.cli.which import Located, is_duel
from adjudicator.core.ledger import Ledger
from adjudicator.player.notes import Note, kept
from adjudicator.words import story
from adjudicator.words.deduced import Knowledge
from adjudicator.words.screen import Scene, lines
from adjudicator.words.story import Story
from games.chart import Chart
from games.game import View
from orders.errors import Missing, Refused
from orders.fields import EVERYONE, HOST

if TYPE_CHECKING:
    from adjudicator.core.report import Report
    from adjudicator.player.seated import Seated
    from adjudicator.words.duel import Sides

KEYS = "n next   p previous   g go to   v eyes   q quit"
_NEXT = ("n", " ", "\r", "\n", "\x1b[C", "\x1b[B")
_BACK = ("p", "\x7f", "\x1b[D", "\x1b[A")
_END = ("q", "\x1b", "\x03", "\x04")
_ARROW = 0.05
"""Seconds in which the rest of an arrow's key follows Escape."""


@click.command(cls=Located, duels=True, epilog="Example: adjudicator replay 12")
@click.argument("step", required=False, type=shared.Number(0), metavar="[N]")
@click.option(
    "--as", "whose", metavar="NAME",
    help=f"By whose eyes: {EVERYONE}, or after the reveal any player's, or {HOST}'s.",
)  # fmt: skip
@shared.AtOption
@shared.JsonOption
def replay(
    record: Path, seat: Path | None, step: int | None, whose: str | None, at: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """A game step by step, from its beginning or from entry N: the board, and what was told.

    It shows what your seat saw, without one what everybody saw, and of an opened game what anybody
    saw, or the whole position. At a terminal: n next, p previous, g go to a step, v other eyes, q
    quit.
    """
    told: Told | ToldBySides
    if is_duel(record):
        from adjudicator.cli import duel_look

        told = ToldBySides(duel_look.sides(record, at))
    else:
        from adjudicator.player.seated import Seated

        source, own = shared.source_of(record, at), shared.open_seat(seat)
        ledger = shared.ledger_of(source, own)
        told = Told(ledger, None if own is None else Seated(source, own, ledger))
    eyes = told.eyes[0] if whose is None else whose
    if eyes not in told.eyes:
        raise Refused(
            "no-board",
            f"there is no board of {eyes!a} to show",
            f"there are those of {', '.join(told.eyes)}",
        )
    first = told.first if step is None else step
    if not told.first <= first <= told.last:
        expected = f"there are {told.first} to {told.last}"
        raise Refused("missing", f"there is no {told.what} {first}", expected)
    steps = range(first, told.last + 1)
    if as_json:
        shared.say_json([told.seen(number, eyes).json() for number in steps])
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _leaf(told, first, eyes)
    else:
        shown = (lines(told.seen(number, eyes).scene(), window()) for number in steps)
        shared.say("\n\n".join("\n".join(one) for one in shown))


Board: TypeAlias = Chart | list[str]
"""A game's board, or its lines if the game draws no chart."""


class Shot(NamedTuple):
    """One step by somebody's eyes. `notes` stand beside the board; `told`: sentences; `views`: by
    player, what they saw; "*" is everybody. `what` is counted: entries, or a duel's steps. `noted`:
    what the reader noted for themselves, where these are their own eyes."""

    step: int
    last: int
    eyes: str
    title: str
    time: str | None
    board: Board
    notes: Sequence[str]
    told: tuple[str, ...]
    views: Mapping[str, Any]
    what: str
    noted: Sequence[Note] = ()

    def scene(self) -> Scene:
        """The step as a screen, with what was told last."""
        eyes = "everybody" if self.eyes == EVERYONE else self.eyes
        whose = "as it was" if self.eyes == HOST else f"as {eyes} saw it"
        when = shared.reader().when
        own = [f"Your note, {when(one.time)}: {one.text}" for one in self.noted]
        return Scene(
            f"{self.what.capitalize()} {self.step} of {self.last}, {whose}: {self.title}",
            self.board,
            self.notes,
            news=(*filter(None, (" ".join(self.told),)), *own),
            since="Told" if self.told or not own else "Noted",
        )

    def json(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "step": self.step,
            "time": self.time,
            "title": self.title,
            "views": dict(self.views),
            "news": list(self.told),
            "noted": [{"time": one.time, "text": one.text} for one in self.noted],
        }


class ToldBySides:
    """A duel by its players' eyes."""

    first, what = 1, "step"

    def __init__(self, sides: Sides) -> None:
        self.sides = sides
        self.eyes = sides.eyes
        self.last = len(sides.side().heard)

    def seen(self, step: int, eyes: str) -> Shot:
        """That step by these eyes; raises Refused."""
        sides, side = self.sides, self.sides.side(eyes)
        heard = sides.heard(side, min(step, len(side.heard)))
        game, view, known = sides.game, heard.view, sides.known(side, heard.step)
        return Shot(
            heard.step,
            self.last,
            eyes,
            sides.title(side, heard.step),
            None,
            game.chart_known(view, known) or game.draw(view).splitlines(),
            game.brief(view, known).notes,
            tuple(sides.news(heard)),
            {eyes: view.shown},
            self.what,
        )


class Told:
    """A game by everybody's eyes who may see it.

    `eyes`: by whose, one's own first. Until the reveal these are the seat's and everybody's; a game
    that is opened is adjudicated again, once, for the eyes of the others.
    """

    first, what = 0, "entry"

    def __init__(self, ledger: Ledger, seated: Seated | None) -> None:
        self.story = Story(ledger)
        self.opening = ledger.opening
        self.seated = seated
        self.last = self.story.last
        self.noted = () if seated is None else tuple(kept(seated))
        own = [] if seated is None else [seated.seat.player]
        players = [one for one in self.opening.players if one not in own]
        self._known: dict[str, Knowledge] = {}
        self.eyes = [*own, *([HOST, *players] if ledger.revealed else []), EVERYONE]

    def seen(self, step: int, eyes: str) -> Shot:
        """That step by these eyes; raises Refused."""
        game, entry = self.opening.game, self.story.ledger.link(step).entry
        mine = self.seated is not None and eyes == self.seated.seat.player
        if eyes == HOST:
            state = self.story.state(step)
            chart = game.chart_whole(state)
            board = chart or game.draw_whole(state).splitlines()
            notes: Sequence[str] = chart.notes if chart else ()
            told = list(self._told_to_all(step))
            views = [game.view(state, player) for player in self.opening.players]
        else:
            board, notes, told, view = self._by(step, eyes)
            views = [view]
        return Shot(
            step,
            self.last,
            eyes,
            story.title(entry),
            entry.time,
            board,
            notes,
            tuple(told),
            {view.player or "*": view.shown for view in views},
            self.what,
            [one for one in self.noted if mine and one.step == step],
        )

    def _by(self, step: int, eyes: str) -> tuple[Board, Sequence[str], list[str], View]:
        """The board, the notes, what was told, and the view: by a player's eyes, or by
        everybody's."""
        game, entry, lacking = self.opening.game, self.story.ledger.link(step).entry, ""
        if eyes != EVERYONE:
            try:
                report = self._report(step, eyes)
            except Missing:
                lacking = "your report is not here"
            except Refused as error:
                if error.word != "no-seat":
                    raise
                lacking = error.message
            else:
                if eyes not in self._known:
                    reports = partial(self._report, player=eyes)
                    self._known[eyes] = Knowledge(self.story.ledger, eyes, reports)
                view, found = report.view, self._known[eyes].after(step)
                board = game.chart_known(view, found) or game.draw(view).splitlines()
                return board, game.brief(view, found).notes, self._sentences(report.events), view
        view = story.view_of(self.opening, entry)
        chart = game.chart(view)
        told = [f"({lacking}: this is what everybody saw)"] if lacking else []
        told += self._sentences(entry.events)
        return chart or game.draw(view).splitlines(), chart.notes if chart else (), told, view

    def _report(self, step: int, player: str) -> Report:
        """A player's report: one's own is opened with the seat, another's made again."""
        if self.seated is not None and player == self.seated.seat.player:
            return self.seated.report(step)
        return self.story.report(step, player)

    def _told_to_all(self, step: int) -> Iterator[str]:
        """What everybody was told, and then what only some were, with their names."""
        public = self._sentences(self.story.ledger.link(step).entry.events)
        yield from public
        known = frozenset(public)
        for player in self.opening.players:
            told = self._sentences(self.story.report(step, player).events)
            yield from (f"{player}: {line}" for line in told if line not in known)

    def _sentences(self, events: Iterable[Mapping[str, Any]]) -> list[str]:
        return [story.news(self.opening, event) for event in events]


# At a terminal.


def _leaf(told: Told | ToldBySides, first: int, eyes: str) -> None:
    """Show a step, take a key, and so on until the person leaves."""
    step, key = first, ""
    while key not in _END:
        if os.environ.get("TERM") != "dumb":
            click.clear()
        with _keys():
            shared.say(*lines(told.seen(step, eyes).scene(), window()))
            click.echo(f"{KEYS}: ", nl=False)
            key = _key()
        click.echo()
        if key in _NEXT:
            step = min(step + 1, told.last)
        elif key in _BACK:
            step = max(step - 1, told.first)
        elif key == "v":
            eyes = told.eyes[(told.eyes.index(eyes) + 1) % len(told.eyes)]
        elif key == "g":
            step = _asked(step, told)


@contextmanager
def _keys() -> Iterator[None]:
    """The terminal gives each key at once, Ctrl-C too, and does not print it."""
    if os.name == "nt":
        yield
        return
    import termios

    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    raw = list(before)
    raw[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG)
    # What was typed ahead is kept.
    termios.tcsetattr(fd, termios.TCSADRAIN, raw)
    try:
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def _key() -> str:
    """The next key; an arrow is three characters. At the end of the input a key that leaves."""
    if os.name == "nt":
        return click.getchar()
    fd = sys.stdin.fileno()
    key = os.read(fd, 1)
    if key == b"\x1b" and select.select([fd], [], [], _ARROW)[0]:
        key += os.read(fd, 2)
    return key.decode("ascii", "replace") or _END[0]


def _asked(step: int, told: Told | ToldBySides) -> int:
    """The step that a person types, the nearest that there is; for anything else the same step."""
    try:
        typed = input(f"{told.what}, {told.first} to {told.last}: ").strip()
    except (KeyboardInterrupt, EOFError):
        return step
    if not (typed.isascii() and typed.isdigit()):
        return step
    return max(told.first, min(int(typed), told.last))
