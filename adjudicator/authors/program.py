"""Somebody's program plays a seat: how it is named, what it is given, how it runs, and what becomes
of its answer.

For each turn that awaits the seat the program is started anew. On standard input it gets one line
of JSON, all that its seat may know (docs/bots.md has the form), and on standard output it answers
order lines. What it answers is judged as if a person had typed it. It is somebody's program, not
ours: it has a time limit, what it prints has an end, and of the environment it gets only what says
where programs and files are. No key, passphrase or mailbox is in what it is given.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import IO, Any, NamedTuple, TypeVar

import click

from adjudicator.machine.demo import NAMES, Turn, seated_bots
from adjudicator.player.letters import printable
from adjudicator.store import files
from adjudicator.words import faults
from adjudicator.words.adviser import usual_bot
from games.dice import Dice
from games.game import Bot, Deductions, Game, OrderError, Player, Table, View, Written
from orders.errors import Refused
from orders.fields import Time
from orders.order_file import LARGEST_TYPED, read_typed

T = TypeVar("T")

FORM = 1
"""The version of what a program is given. New keys may come; the old ones keep their meaning."""
LIMIT, TRIES = 60, 3
"""Seconds for an answer, and how often it is asked for one turn, if nobody says otherwise."""
MOST_SAID = 4_000
"""So many characters of what a program says on standard error are shown."""
HANDED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "VIRTUAL_ENV", "PYTHONPATH",
             "SYSTEMROOT")  # fmt: skip
"""What the program gets of the environment: nothing that names a secret or a way to sign."""


# How bots and programs are named.


def is_program(bot: str) -> bool:
    """Whether that names a program, by its command line; else it names bots of a game."""
    return not {" ", "/", os.sep}.isdisjoint(bot)


def bots_of(game: Game[Any, Any], given: Iterable[str], count: int = 0) -> tuple[str, ...]:
    """The bots and programs that were named, one a seat, and the usual bot for the rest of `count`
    seats. `given`: a command line each, or names with commas between them. Raises Refused."""
    found: list[str] = []
    for text in given:
        if is_program(text):
            _check_program(text)
            found.append(text)
        else:
            found += seated_bots(game, text.split(","), 0, _NAMED)
    return (*found, *[usual_bot(game)] * (count - len(found)))


_NAMED = "a program of yours is named by its command: --bot 'python mine.py', or --bot ./mine"


def _check_program(text: str) -> None:
    """Raise Refused for a command that is none."""
    named = files.words(text)
    if not (named and text.isprintable()):
        raise Refused("bad-option", f"{text!a} is no command", _NAMED)
    if shutil.which(named[0]) is None:
        raise Refused("bad-option", f"{text!a}: there is no program {named[0]!a}", _NAMED)


def seat(game: Game[Any, Any], bot: str, player: Player) -> Bot:
    """The bot or program of that name for a player."""
    return Programmed(game, bot, player) if is_program(bot) else game.bots[bot](player)


def programs(game: Game[Any, Any], bots: Sequence[str]) -> dict[Player, Bot]:
    """Those of the bots, one a seat, that are programs, by their players."""
    named = zip(NAMES, bots, strict=False)
    return {name: seat(game, bot, name) for name, bot in named if is_program(bot)}


# What a program is given, and what it answers.


def question(
    game: Game[Any, Any], view: View, what: str, until: Time | None, step: int,
    news: Iterable[str], reports: Iterable[Table], deduced: Deductions,
) -> dict[str, Any]:  # fmt: skip
    """All that a seat may know now, as plain data. `reports`: step, view and events of each."""
    after = game.after(view, ())
    return {
        "form": FORM,
        "game": game.id,
        "rules": game.rules,
        "options": dict(view.setup.options),
        "players": list(view.setup.players),
        "player": view.player,
        "step": step,
        "for": what,
        "until": until,
        "view": view.shown,
        "legal": [choice.text for choice in after.choices],
        "after": {
            "choices": [choice._asdict() for choice in after.choices],
            "complete": after.complete,
        },
        "news": list(news),
        "reports": list(reports),
        "deduced": {
            "may": {name: list(values) for name, values in deduced.may.items()},
            "notes": list(deduced.notes),
        },
        "refused": None,
    }


def answered(program: Program, asked: dict[str, Any], tries: int, read: Callable[[bytes], T]) -> T:
    """What `read` makes of a program's answer; it is asked again where that raises OrderError or
    Refused. Raises Refused if none of its answers can stand."""
    why = ""
    for _ in range(tries):
        try:
            return read(program.answer(asked))
        except (OrderError, Refused) as error:
            why, _ = faults.told(error)
            click.secho(f"warning: the program's answer: {why}", err=True, fg="yellow")
            asked = {**asked, "refused": why}
    raise Refused("bot", f"no orders came of {tries} answers: {why}")


class Programmed:
    """A program in place of a bot. It remembers nothing: this keeps what its seat has heard."""

    def __init__(self, game: Game[Any, Any], command: str, player: Player) -> None:
        self.game = game
        self.command = command
        self.player = player
        self._heard: list[tuple[View, Sequence[Table]]] = []
        self._known: Deductions | None = None
        self._since = 0
        self._turn: Turn | None = None

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """Take in a report, and work out what it shows."""
        self._heard.append((view, events))
        self._known = self.game.deduced(view, events, self._known)

    def asked(self, turn: Turn) -> None:
        """Take in what `order` is to answer."""
        self._turn = turn

    def chosen(self, written: Written) -> None:
        """What was heard before the orders that were given is no news any more."""
        self._since = len(self._heard)

    def order(self, dice: Dice) -> Written:
        """What the program orders; raises Refused, with the file of what it was given."""
        assert self._turn is not None  # noqa: S101 - whoever lets it order asks first
        turn, (view, _) = self._turn, self._heard[-1]
        reports = [
            {"step": step, "view": seen.shown, "events": [dict(event) for event in events]}
            for step, (seen, events) in enumerate(self._heard)
        ]
        news = [self.game.news(one) for _, told in self._heard[self._since :] for one in told]
        known = self._known or Deductions()
        given = question(
            self.game, view, turn.what, turn.until, turn.step, news, reports[1:], known
        )

        def read(answer: bytes) -> Written:
            file, above = read_typed(answer, "0" * 64, turn.step, self.player)
            written = Written("\n" * above + file.text)
            turn.judge(written)
            return Written(file.text)

        try:
            written = answered(Program(files.words(self.command), LIMIT), given, TRIES, read)
        except Refused as error:
            with tempfile.NamedTemporaryFile(
                "w", prefix="adjudicator-", suffix=".json", encoding="ascii", delete=False
            ) as file:
                file.write(f"{json.dumps(given, sort_keys=True)}\n")
            raise Refused(
                "bot",
                f"{self.command!a}, who plays {self.player}, step {turn.step}: {error.message}",
                f"the same again: {self.command} < {file.name}",
            ) from None
        self.chosen(written)
        return written


# The program.


class Program(NamedTuple):
    """A program and the seconds that it may take for an answer."""

    words: Sequence[str]
    limit: float

    def answer(self, question: dict[str, Any]) -> bytes:
        """What it answers; raises Refused if it fails, says too much or takes too long."""
        with tempfile.TemporaryFile() as given:
            given.write(json.dumps(question, sort_keys=True).encode("ascii") + b"\n")
            given.seek(0)
            try:
                process = subprocess.Popen(
                    self.words, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    env={name: os.environ[name] for name in HANDED_ON if name in os.environ},
                    start_new_session=True,
                )  # fmt: skip
            except OSError as error:
                text = f"{self.words[0]!a} does not start: {error.strerror}"
                raise Refused("bot", text, "name a program, as in python pinger.py") from None
        return self._heard(process)

    def _heard(self, process: subprocess.Popen[bytes]) -> bytes:
        answer, said = _Listener(process, process.stdout), _Listener(process, process.stderr)
        late = False
        try:
            code = process.wait(self.limit)
        except subprocess.TimeoutExpired:
            late = True
        finally:
            # Also what it has started itself, which would keep the pipes open.
            end(process)
        for one in (answer, said):
            one.join(_GRACE)
        if said.heard:
            for line in printable(said.heard.decode("utf-8", "replace")[:MOST_SAID]):
                click.echo(f"bot: {line}", err=True)
        if answer.much or said.much:
            raise Refused("bot", f"it printed more than {LARGEST_TYPED} bytes")
        if late:
            raise Refused("bot", f"no answer in {self.limit:g} s", "--limit gives it longer")
        if code:
            raise Refused("bot", f"it ended with exit code {code}")
        return bytes(answer.heard)


_GRACE = 5
"""Seconds for the rest of what an ended program has printed. Only one that left a process of
another session behind uses them up."""


class _Listener(threading.Thread):
    """Reads what a program prints, and ends it if that is too much (`much`)."""

    def __init__(self, process: subprocess.Popen[bytes], pipe: IO[bytes] | None) -> None:
        super().__init__(daemon=True)
        self.heard = bytearray()
        self.much = False
        self._process, self._pipe = process, pipe
        self.start()

    def run(self) -> None:
        """Until the pipe is closed."""
        if self._pipe is None:
            return
        with self._pipe as pipe:
            while not self.much and (part := os.read(pipe.fileno(), 2**16)):
                self.much = len(self.heard) + len(part) > LARGEST_TYPED
                if not self.much:
                    self.heard += part
        if self.much:
            end(self._process)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a program and what it has started."""
    with suppress(OSError):
        if os.name == "nt":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
