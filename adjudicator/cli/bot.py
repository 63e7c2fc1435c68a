"""`bot`: a program of one's own plays a seat, turn after turn.

For each turn that awaits the seat the program is started anew. On standard input it gets one line
of JSON, all that its seat may know (docs/bots.md has the form), and on standard output it answers
order lines. What it answers is judged as if a person had typed it. It is somebody's program, not
ours: it has a time limit, what it prints has an end, and of the environment it gets only what says
where programs and files are. No key, passphrase or mailbox is in what it is given.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

import click

from adjudicator.cli import courier, notices
from adjudicator.cli.keys import own_signer
from adjudicator.cli.prompt import heard, since_my_last
from adjudicator.cli.shared import KeyOption, now, say, seat_in, warn
from adjudicator.cli.which import SEAT, Located, Place
from adjudicator.player.letters import printable
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store.record import Record
from adjudicator.words import answers, faults, story
from adjudicator.words.deduced import worked_out
from games.game import OrderError
from games.options import seconds
from orders.errors import Refused
from orders.keys import Signer
from orders.order_file import LARGEST_TYPED, OrderFile

FORM = 1
"""The version of what a program is given. New keys may come; the old ones keep their meaning."""
MOST_SAID = 4_000
"""So many characters of what a program says on standard error are shown."""
HANDED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "VIRTUAL_ENV", "PYTHONPATH",
             "SYSTEMROOT")  # fmt: skip
"""What the program gets of the environment: nothing that names a secret or a way to sign."""


def _span(ctx: click.Context, param: click.Parameter, text: str) -> int:
    """The seconds of a time such as 30s or 10m; raises BadParameter."""
    found = seconds(text)
    if not found:
        raise click.BadParameter(f"{text!a}: expected a time such as 30s, 10m or 1h")
    return found


@click.command(
    cls=Located,
    need=SEAT,
    epilog="Example: adjudicator bot python pinger.py",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.argument("words", metavar="CMD...", nargs=-1, required=True, type=click.UNPROCESSED)
@KeyOption
@click.option(
    "--every", callback=_span, default="1m", show_default=True, metavar="TIME",
    help="How often it looks for what came.",
)  # fmt: skip
@click.option("--once", is_flag=True, help="Do what is due now, and end; for cron.")
@click.option(
    "--limit", callback=_span, default="1m", show_default=True, metavar="TIME",
    help="How long the program may take for an answer.",
)  # fmt: skip
@click.option(
    "--tries", type=click.IntRange(1, 20), default=3, show_default=True,
    help="How often it is asked for one turn.",
)  # fmt: skip
@click.pass_context
def bot(
    ctx: click.Context, words: tuple[str, ...], record: Path, seat: Path,
    key: Path | None, every: int, once: bool, limit: int, tries: int,
) -> None:  # fmt: skip
    """Let your own program play your seat, turn after turn, until the game is over.

    For each turn CMD gets what you may know as JSON on standard input, and answers order lines. A
    wrong line is told to it, and it is asked again. It runs as you do, so run only what you trust.
    """
    program = Program(shlex.split(words[0]) if len(words) == 1 else list(words), limit)
    player = _Player(Record(record.absolute()), seat_in(seat), program, tries, key, once)
    while True:
        code = player.look()
        notices.tell([Place(record, seat, hosts=False)])
        if code == 0 or once:
            ctx.exit(code or 0)
        time.sleep(every)


@dataclass
class _Player:
    """A seat that a program plays."""

    copy: Record
    seat: Seat
    program: Program
    tries: int
    key: Path | None
    once: bool
    _signer: Signer | None = None
    _warned: frozenset[str] = frozenset()

    def look(self) -> int | None:
        """Fetch, and order if that is due: 0 once the game is over, 4 if something is missing, else
        None. Raises Refused."""
        # Other commands may have written to the copy since the last time.
        carrier = courier.of(self.copy, self.seat)
        try:
            table, fetched = carrier.table, carrier.fetch()
        except Refused as error:
            if self.once or error.word != "busy":
                raise
            # Who works here now is done by the next look. Where orders are to leave it is told:
            # they are signed by then, and would wait unseen.
            return None
        told = [*fetched.warnings, *table.news()]
        # What is wrong is told once as long as it lasts.
        warn(*(one for one in told if one not in self._warned))
        self._warned = frozenset(told)
        if not table.begun:
            return 4 if table.old() else None
        own = table.seated()
        for step in fetched.steps:
            say(f"[{step}] {story.title(own.ledger.link(step).entry)}")
        if own.last.over:
            say(*story.whose_turn(own.last.entry) or ("The game is over.",))
            return 0
        if table.old() or table.lacking():
            return 4
        if own.seat.player in own.last.entry.awaited and self._is_due(own):
            file = asked(own, self.program, self.tries)
            self._signer = self._signer or own_signer(own, self.key)
            ordered = own.order(file, self._signer, now())
            say(f"Ready: {answers.in_words(ordered.file)}.")
            courier.send(carrier)
        elif carrier.repeats and table.due() is not None:
            # Somebody may have removed what was pushed.
            courier.send(carrier)
        return None

    def _is_due(self, own: Seated) -> bool:
        """Whether no orders for the coming step are written, or the host has refused them; raises
        Refused if it has refused all tries."""
        sent = [one.answer for one in answers.sent(own) if one.slip.step == own.step]
        if not sent:
            return True
        if not sent[-1] or sent[-1].startswith(("accepted", "absent")):
            return False
        if len(sent) < self.tries:
            return True
        raise Refused(
            "bot",
            f"the host refused {len(sent)} orders for step {own.step}: {sent[-1]}",
            "look at the turn yourself: adjudicator play",
        )


def asked(own: Seated, program: Program, tries: int) -> OrderFile:
    """The orders of a program, asked again for those that the host would refuse; raises Refused if
    none of its answers can stand."""
    question, why = known(own), ""
    for _ in range(tries):
        try:
            answer = program.answer(question)
            return own.read(answer)
        except (OrderError, Refused) as error:
            why, _ = faults.told(error)
            warn(f"the program's answer: {why}")
            question = {**question, "refused": why}
    raise Refused(
        "bot",
        f"no orders came of {tries} answers: {why}",
        "mend the program, or write the orders: adjudicator play",
    )


# What a program is given.


def known(own: Seated) -> dict[str, Any]:
    """All that a seat may know now, as plain data; raises Refused."""
    opening, entry, player = own.opening, own.last.entry, own.seat.player
    game, view = opening.game, own.report().view
    after = game.after(view, ())
    found = worked_out(own, own.step - 1)
    news = heard(own, since_my_last(own)[0])
    prompt = entry.awaited[player]
    return {
        "form": FORM,
        "game": game.id,
        "rules": opening.offer.invite.rules,
        "options": dict(opening.setup.options),
        "players": list(opening.players),
        "player": player,
        "step": own.step,
        "for": prompt.what,
        "until": prompt.until,
        "view": view.shown,
        "legal": [choice.text for choice in after.choices],
        "after": {
            "choices": [choice._asdict() for choice in after.choices],
            "complete": after.complete,
        },
        "news": [story.news(opening, event) for events in news for event in events],
        "reports": list(_reports(own)),
        "deduced": {
            "may": {name: list(values) for name, values in found.may.items()},
            "notes": list(found.notes),
        },
        "refused": None,
    }


def _reports(own: Seated) -> Iterator[dict[str, Any]]:
    """The seat's own reports that are here, the oldest first."""
    for link in own.ledger.links():
        if link.step and link.entry.reports and own.seat.sits(link.joins):
            with suppress(Refused):
                told = own.report(link.step)
                events = [dict(event) for event in told.events]
                yield {"step": told.step, "view": told.view.shown, "events": events}


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
