"""What waits for somebody, told once to a command of their own: the setting `tell`.

A notice is one's own turn, a game that is over, or what needs a hand, as `status` shows it; so it
says nothing that `status` hides, and no mail address either, as the command may tell a chat. A look
tells a few (`FEW`), the next one more.

Its key is noted in the file `told` of who is told (in the seat, the host's folder, the duel or the
mail state) *before* the command runs: a crash between the two loses a notice, and none comes twice.
A note is forgotten once its thing is gone and a day is over, so what comes and goes is told once a
day. Of a game that was over before anybody looked nothing is told: it must have been under way
(`ON`).

The command is the user's own program. Where it fails, that is one line on standard error, and the
notices behind it wait for the next time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudicator.cli import settings
from adjudicator.cli.shared import now, warn
from adjudicator.core import deadlines
from adjudicator.store import files
from adjudicator.store.record import PrivateFolder, Record
from orders.errors import Refused
from orders.fields import Time, digest, is_time

if TYPE_CHECKING:
    from adjudicator.cli.which import Place
    from adjudicator.player.duel import Home
    from adjudicator.words.overview import Standing

FORM = 1
"""The version of what a command is given. New keys may come; the old ones keep their meaning."""
TURN, OVER, HAND, ON = "turn", "over", "hand", "on"
"""What a notice is about; `ON` is never told."""
LIMIT = 10
"""Seconds for the command."""
FEW = 5
"""So often it runs in one look, as a referee's games wait meanwhile."""
FILE = "told"
_ADDRESS = re.compile(r"[^\s<>]*@[^\s<>,;:]*")


class Notice(NamedTuple):
    """What waits, and the key by which it is told once. `folder`: of which game; `about`: where
    several share one file, the game's id."""

    what: str
    key: str
    text: str
    folder: Path
    name: str | None = None
    game: str | None = None
    step: int | None = None
    until: Time | None = None
    about: str = ""

    @property
    def json(self) -> dict[str, Any]:
        """What the command is given: nobody's mail address."""
        given = self._asdict()
        del given["key"], given["about"]
        text = _ADDRESS.sub("somebody", self.text)
        return {**given, "form": FORM, "text": text, "folder": str(self.folder.absolute())}


def of_game(one: Standing, folder: Path, about: str = "") -> Iterator[Notice]:
    """What a game's standing has for its reader."""
    rules = one.more.get("rules")
    mine = Notice(ON, f"{ON}{about}", f"{one.name}: {one.says}", folder, one.name,
                  rules and rules.partition("/")[0], one.step, about=about)  # fmt: skip
    yield mine._replace(what=OVER, key=f"{OVER}{about}") if one.over else mine
    if one.yours:
        key = f"{TURN} {one.step} {one.since}"
        yield mine._replace(what=TURN, key=key, until=one.until)
    for line in one.hand:
        hand = of_hand(line, folder)
        yield hand._replace(text=f"{one.name}: {line}", name=one.name, game=mine.game)


def of_hand(line: str, folder: Path) -> Notice:
    """What needs a hand, and is of no one game."""
    from adjudicator.words.overview import trouble

    key = digest(trouble(line).encode())[:16]
    return Notice(HAND, f"{HAND} {key}", line, folder)


def tell(places: Sequence[Place], duels: Sequence[Home] = ()) -> None:
    """Tell what waits in these games, by the commands that the settings name. Whatever happens, it
    is a line on standard error."""
    with _harmless():
        folders = (*(one.record for one in places), *(one.root for one in duels))
        commands = {one: how for one in folders if (how := settings.get("tell", one))}
        if not commands:
            return
        from adjudicator.cli.host import carrier
        from adjudicator.cli.status import looked

        # The host of a game by mail is told in a turn of the office, of all its games.
        games = [
            one._replace(hosts=one.hosts and carrier(Record(one.record)) != "mail")
            for one in places
            if one.record in commands
        ]
        for folder, kept, one in looked(games, [one for one in duels if one.root in commands]):
            due = list(of_game(one, folder))
            if kept is not None and not _each(commands[folder], kept, due):
                return


def tell_of(command: str, kept: Path, due: Sequence[Notice]) -> None:
    """The same with what waits for who is told by the file in `kept`."""
    with _harmless():
        _each(command, kept, due)


@contextmanager
def _harmless() -> Iterator[None]:
    try:
        # Who is at work there can tell it as well.
        with files.unless_busy():
            yield
    except (Refused, OSError) as error:
        from adjudicator.words import faults

        warn(f"tell: {faults.told(error)[0]}")


def _each(command: str, kept: Path, due: Sequence[Notice]) -> bool:
    """Run the command for the first few of these that the file in `kept` does not know; returns
    whether all of that went well. Raises Refused."""
    notes = PrivateFolder(kept)
    for _ in range(FEW):
        if (new := _next(notes, due)) is None:
            break
        if fault := _fault_of(command, new):
            warn(f"tell: {fault}")
            return False
    return True


def _next(notes: PrivateFolder, due: Sequence[Notice]) -> Notice | None:
    """The first that was not told, which counts as told from now on."""
    time = now()
    with notes.locked():
        lines = (line.rpartition(" ") for line in notes.lines(FILE))
        told = {key: at for key, _, at in lines if is_time(at)}
        new = next((one for one in due if one.what != ON and one.key not in told
                    and (one.what != OVER or f"{ON}{one.about}" in told)), None)  # fmt: skip
        stand = {one.key for one in due}
        here = {one.key: time for one in due if one.what == ON or one is new} | told
        if new is None:
            here = {
                key: at for key, at in here.items()
                if key in stand or deadlines.between(at, time) < deadlines.DAY
            }  # fmt: skip
        notes.keep_lines(FILE, (f"{key} {at}" for key, at in here.items()))
    return new


def _fault_of(command: str, one: Notice) -> str:
    """Run the command for a notice; returns what went wrong, "" for nothing."""
    import subprocess
    import tempfile

    from adjudicator.authors.program import end

    words = files.words(command)
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said:
        given.write(json.dumps(one.json, sort_keys=True).encode("ascii") + b"\n")
        given.seek(0)
        try:
            process = subprocess.Popen(
                words, stdin=given, stdout=subprocess.DEVNULL, stderr=said, cwd=one.folder,
                start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            return f"{words[0]!a} does not start: {getattr(error, 'strerror', None) or error}"
        try:
            code = process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            return f"{words[0]!a} did not end in {LIMIT} s"
        finally:
            if process.poll() is None:
                end(process)
        if not code:
            return ""
        said.seek(0)
        *_, last = [b"", *said.read(10_000).splitlines()]
        why = f": {last.decode('utf-8', 'replace')!a:.200}" if last else ""
        return f"{words[0]!a} ended with exit code {code}{why}"
