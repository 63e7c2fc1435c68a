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
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import click

from adjudicator.cli.here import Located, is_duel
from adjudicator.cli.prompt import window
from adjudicator.cli.shared import (
    AtOption,
    JsonOption,
    ledger_of,
    open_seat,
    say,
    say_json,
    source_of,
)
from adjudicator.core.ledger import Ledger
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
@click.argument("step", required=False, type=click.IntRange(0), metavar="[N]")
@click.option(
    "--as", "whose", metavar="NAME",
    help=f"By whose eyes: {EVERYONE}, or after the reveal any player's, or {HOST}'s.",
)  # fmt: skip
@AtOption
@JsonOption
def replay(
    record: Path, seat: Path | None, step: int | None, whose: str | None, at: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """A game step by step, from its beginning or from entry N: the board, and what was told.

    It shows what your seat saw, without one what everybody saw, and of an opened game what anybody
    saw, or the whole position. At a terminal: n next, p previous, g go to a step, v other eyes, q
    quit.
    """
    told: Steps = _duel(record, at) if is_duel(record) else _game(record, seat, at)
    chosen = told.eyes[0] if whose is None else _known(whose, told)
    first = told.first if step is None else step
    told.check(first)
    steps = range(first, told.last + 1)
    if as_json:
        say_json([told.seen(number, chosen).json() for number in steps])
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _leaf(told, first, chosen)
    else:
        shown = (lines(told.seen(number, chosen).scene(), window()) for number in steps)
        say("\n\n".join("\n".join(one) for one in shown))


def _game(record: Path, seat: Path | None, at: str | None) -> Told:
    """A game that has a host."""
    source = source_of(record, at)
    own = open_seat(seat)
    ledger = ledger_of(source, own)
    seated = None
    if own is not None:
        from adjudicator.player.seated import Seated

        seated = Seated(source, own, ledger)
    return Told(ledger, seated)


def _duel(record: Path, at: str | None) -> Steps:
    """A duel by the eyes of whoever may see it; raises Refused."""
    from adjudicator.cli import duel_look

    return ToldBySides(duel_look.sides(record, at))


class Steps(Protocol):
    """What is shown step by step. `eyes`: by whose one may look, one's own first."""

    @property
    def eyes(self) -> Sequence[str]:
        """Names."""

    @property
    def first(self) -> int:
        """The first step."""

    @property
    def last(self) -> int:
        """The last step."""

    def check(self, step: int) -> None:
        """Raise Refused if there is no such step."""

    def seen(self, step: int, eyes: str) -> Shot:
        """That step by these eyes; raises Refused."""


def _known(eyes: str, told: Steps) -> str:
    """The eyes of that name; raises Refused if nobody may see by them yet."""
    if eyes not in told.eyes:
        raise Refused(
            "no-board",
            f"there is no board of {eyes!a} to show",
            f"expected --as {' or '.join(told.eyes)}",
        )
    return eyes


Board: TypeAlias = Chart | list[str]
"""A game's board, or its lines if the game draws no chart."""


class Shot(NamedTuple):
    """One step by somebody's eyes. `notes` stand beside the board; `told`: sentences; `views`: by
    player, what they saw; "*" is everybody. `what` is counted: a duel has steps."""

    step: int
    last: int
    eyes: str
    title: str
    time: str | None
    board: Board
    notes: Sequence[str]
    told: tuple[str, ...]
    views: Mapping[str, Any]
    what: str = "Entry"

    def scene(self) -> Scene:
        """The step as a screen, with what was told last."""
        eyes = "everybody" if self.eyes == EVERYONE else self.eyes
        whose = "as it was" if self.eyes == HOST else f"as {eyes} saw it"
        return Scene(
            f"{self.what} {self.step} of {self.last}, {whose}: {self.title}",
            self.board,
            self.notes,
            news=(" ".join(self.told),) if self.told else (),
            since="Told",
        )

    def json(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "step": self.step,
            "time": self.time,
            "title": self.title,
            "views": dict(self.views),
            "news": list(self.told),
        }


class ToldBySides:
    """A duel by its players' eyes."""

    first = 1

    def __init__(self, sides: Sides) -> None:
        self.sides = sides
        self.eyes = sides.eyes
        self.last = len(sides.side().heard)

    def check(self, step: int) -> None:
        """Raise Refused if there is no such step."""
        self.sides.heard(self.sides.side(), step)

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
            "Step",
        )


class Told:
    """A game by everybody's eyes who may see it.

    `eyes`: by whose, one's own first. Until the reveal these are the seat's and everybody's; a game
    that is opened is adjudicated again, once, for the eyes of the others.
    """

    first = 0

    def __init__(self, ledger: Ledger, seated: Seated | None) -> None:
        self.story = Story(ledger)
        self.opening = ledger.opening
        self.seated = seated
        self.last = self.story.last
        own = [] if seated is None else [seated.seat.player]
        players = [one for one in self.opening.players if one not in own]
        self._known: dict[str, Knowledge] = {}
        self.eyes = [*own, *([HOST, *players] if ledger.revealed else []), EVERYONE]

    def check(self, step: int) -> None:
        """Raise Refused if there is no such step."""
        if not 0 <= step <= self.last:
            raise Refused("missing", f"there is no entry {step}", f"the last is {self.last}")

    def seen(self, step: int, eyes: str) -> Shot:
        """That step by these eyes; raises Refused."""
        game, entry = self.opening.game, self.story.ledger.link(step).entry
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
                view, found = report.view, self._knowledge(eyes).after(step)
                board = game.chart_known(view, found) or game.draw(view).splitlines()
                return board, game.brief(view, found).notes, self._sentences(report.events), view
        view = story.view_of(self.opening, entry)
        chart = game.chart(view)
        told = [f"({lacking}: this is what everybody saw)"] if lacking else []
        told += self._sentences(entry.events)
        return chart or game.draw(view).splitlines(), chart.notes if chart else (), told, view

    def _knowledge(self, player: str) -> Knowledge:
        """What a player could work out from their reports."""
        if player not in self._known:
            report = partial(self._report, player=player)
            self._known[player] = Knowledge(self.story.ledger, player, report)
        return self._known[player]

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


def _leaf(told: Steps, first: int, eyes: str) -> None:
    """Show a step, take a key, and so on until the person leaves."""
    step, key = first, ""
    while key not in _END:
        if os.environ.get("TERM") != "dumb":
            click.clear()
        with _keys():
            shot = told.seen(step, eyes)
            say(*lines(shot.scene(), window()))
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
            step = _asked(step, told, shot.what)


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


def _asked(step: int, told: Steps, what: str) -> int:
    """The step that a person types, the nearest that there is; for anything else the same step."""
    try:
        typed = input(f"{what.lower()}, {told.first} to {told.last}: ").strip()
    except (KeyboardInterrupt, EOFError):
        return step
    if not (typed.isascii() and typed.isdigit()):
        return step
    return max(told.first, min(int(typed), told.last))
