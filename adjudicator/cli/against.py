"""A game of one person against bots at this terminal, kept from turn to turn: `play GAME`.

The game is played through the real files, in a folder of its own: the host's record, and a copy and
a seat for each player. So it can be left at any prompt, and goes on from what is in the folder.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

import games
from adjudicator.authors.program import bots_of, programs
from adjudicator.cli.prompt import Prompt, asked_by_host, tell_end
from adjudicator.cli.shared import is_terminal, ledger_of, read_seed, wanted, warn
from adjudicator.cli.which import BOTS
from adjudicator.core import opening
from adjudicator.machine import demo
from adjudicator.machine.demo import NAMES, House, Plan
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store import files
from adjudicator.store.record import Record
from adjudicator.words import faults
from adjudicator.words.adviser import next_level, usual_rival
from adjudicator.words.deduced import Knowledge
from adjudicator.words.overview import Standing
from games.dice import Dice
from games.game import Deductions, Game, Table, View, Written
from games.lessons import BadLesson
from orders.entries import Reveal
from orders.errors import Refused, pasteable
from orders.secrets import draw_secret

ME = NAMES[0]
WINS = 2
"""After each so many wins against a level the next one is proposed."""
MOST_NOTED = 1_000
_LARGEST = 2**16
GO_ON = "Against bots; to go on: adjudicator play"


def place_of(game: str) -> Path:
    """Where a game against bots is kept if no folder is named."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "adjudicator" / "against" / game


def copy_of(folder: Path) -> Record:
    """The person's copy of the game against bots in a folder."""
    return Record(folder / ME / "record")


def standing(folder: Path) -> Standing | None:
    """How the game against bots in that folder stands, to the person; None if none has begun there.
    Raises Refused for one that cannot go on."""
    record = Record(folder / "record")
    if not (folder / BOTS).is_file() or record.last_step() is None:
        return None
    try:
        own = Seated(copy_of(folder), Seat.open(folder / ME / f"{ME}.seat"))
        title = own.opening.game.brief(own.report().view, Deductions()).title
        over = ledger_of(record).last.over
        return Standing(folder.name, title, yours=not over, step=own.step, over=over)
    except (Refused, OSError) as error:
        raise Refused(
            faults.word(error),
            f"{folder.name}, against bots, cannot go on: {faults.told(error)[0]}",
            f"to be rid of it: rm -r {pasteable(folder)}",
        ) from None


def kept(*, over: bool = False) -> dict[Path, Standing]:
    """The games against bots that go on, by their folders, sorted; if there is none, and `over`
    ones will do, those. One that cannot go on is told of, and left out."""
    found: dict[Path, Standing] = {}
    for path in sorted(place_of("x").parent.glob(f"*/{BOTS}")):
        try:
            one = standing(path.parent)
        except Refused as error:
            warn(f"{error.message}; {error.hint}")
        else:
            found |= {path.parent: one} if one else {}
    going = {folder: one for folder, one in found.items() if not one.over}
    return going or (found if over else {})


def _results(game: str) -> list[str]:
    """How the person's games of that kind ended, the newest last: the level and `won`, `drawn` or
    `lost`. A game that one cares to keep for oneself leaves no more than this line behind."""
    path = place_of(f"{game}.results")
    if not path.is_file():
        return []
    return files.read(path, _LARGEST).decode("ascii", "replace").splitlines()


def _note(
    game: Game[Any, Any], rivals: Sequence[str], outcome: Mapping[str, Any]
) -> tuple[str, ...]:
    """Note how a game against one level ended; returns what to say after two wins against it, if a
    better one plays the game."""
    if len(set(rivals)) > 1:
        return ()
    level = rivals[0]
    how = "won" if outcome.get("winner") == ME else "lost" if "winner" in outcome else "drawn"
    noted = [*_results(game.id), f"{level} {how}"][-MOST_NOTED:]
    path = place_of(f"{game.id}.results")
    # The game is over all the same where it cannot be noted.
    with suppress(OSError, Refused):
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write(path, "".join(f"{line}\n" for line in noted).encode())
    better = next_level(game, level)
    won = noted.count(f"{level} won")
    if better is None or how != "won" or won % WINS:
        return ()
    play = f"adjudicator play {game.id} --bot {better}"
    return (f"That makes {won} wins against the {level}. The {better} plays better: {play}",)


def _is_new(game: Game[Any, Any]) -> bool:
    """Whether the person has never come to the end of such a game, and may learn it first."""
    with suppress(BadLesson):
        return not _results(game.id) and bool(games.own_lessons(game))
    return False


def against(
    game: Game[Any, Any],
    bots: Sequence[str],
    options: Sequence[str],
    seed: str | None,
    keep: Path | None,
    *,
    new: bool = False,
    usual: str | None = None,
) -> int:
    """Play the game; returns the exit code of its verdict. Raises Refused and OfferRefused.

    `usual`: the rival of whoever names none, in place of the game's.
    """
    folder = place_of(game.id) if keep is None else keep
    chosen = bool(new or bots or options or seed)
    there = None if chosen and keep is None else standing(folder)
    there = None if there is None or there.over else there
    # Without a terminal a person goes on.
    if (
        there is not None
        and not chosen
        and (not is_terminal() or click.confirm(f"{there.says} Go on?", default=True))
    ):
        return go_on(folder)
    if keep is not None and keep.exists() and there is None:
        raise Refused("exists", f"{str(keep)!a} is there already", "name another folder")
    rival = usual or usual_rival(game, new=not _results(game.id))
    rivals = bots_of(game, bots or [rival] * (game.seats[0] - 1))
    demo.seats_of(game, 1 + len(rivals), "name fewer or more, each by --bot; or none")
    return _games(game, rivals, game.parse_options(options), seed, folder)


def go_on(folder: Path, orders: str | None = None, *, hint: bool = False) -> int:
    """Go on with the game in the folder; returns the exit code of its verdict. With `orders` that
    turn alone is played, and the next screen shown; `hint`: what the captain would write is shown
    first."""
    rivals = files.read(folder / BOTS, 2**20).decode("utf-8", "replace").splitlines()
    offer = opening.read_offer(Record(folder / "record"))
    person = _Person(rivals, orders, hint=hint)
    return _games(offer.game, rivals, offer.invite.options, None, folder, person)


def _games(
    game: Game[Any, Any],
    rivals: Sequence[str],
    options: Mapping[str, Any],
    seed: str | None,
    folder: Path,
    person: _Person | None = None,
) -> int:
    """Play the game in the folder on as that `person`, or a new one, and then others, until the
    person has enough; the last one's exit code."""
    while True:
        drawn = draw_secret() if seed is None else read_seed(seed)
        if person is None:
            if (folder / BOTS).is_file():  # a game against bots that was there, and nothing else
                shutil.rmtree(folder)
            folder.parent.mkdir(parents=True, exist_ok=True)
            files.make_folder(folder, 0o700)
            files.write(folder / BOTS, "".join(f"{name}\n" for name in rivals).encode())
        code = _play(game, person or _Person(rivals), drawn, options, folder)
        if code is None or not (is_terminal() and wanted("Again?", default=False)):
            return code or 0
        person = None


class _Left(Exception):
    """The person has left the game for now."""


@dataclass
class _Person:
    """The person's seat, with the interface of a bot. `orders`: those of this turn, after which
    they leave; `hint`: they are shown one first."""

    rivals: Sequence[str]
    orders: str | None = None
    hint: bool = False
    leaves: bool = False
    house: House | None = None
    known: Knowledge | None = None

    def hear(self, view: View, events: Sequence[Table]) -> None:
        """The next screen tells it."""

    def order(self, dice: Dice) -> Written:
        """The orders that were given, or those asked for below the screen; raises _Left."""
        if self.orders is not None:
            given, self.orders, self.leaves = self.orders, None, True
            return Written(given)
        assert self.house is not None  # noqa: S101 - nobody orders before the house is there
        own = self.house.seats[0].seated()
        if self.known is None:
            self.known = Knowledge(own.ledger, own.seat.player, own.report)
        self.known.ledger, self.known.report = own.ledger, own.report
        asked = asked_by_host(own, self.known.after(own.last.step))
        at = Prompt(asked, until=("no deadline",))
        if at.first:
            told = at.game.brief(at.view, at.known).title
            many = "a bot" if len(self.rivals) == 1 else "bots"
            at.title = f"{told[:-1]} ({many}: {', '.join(dict.fromkeys(self.rivals))})."
            if _is_new(at.game):
                at.lessons = f"adjudicator play {at.game.id} --learn"
        at.show()
        if self.hint:
            at.hint()
            self.hint, self.leaves = False, not is_terminal()
        text = None if self.leaves else at.ask()
        if text is None:
            raise _Left
        return Written(text)


def _play(
    game: Game[Any, Any], person: _Person, seed: bytes, options: Mapping[str, Any], folder: Path
) -> int | None:
    """The game to its end: the exit code of the verdict; None if the person left it."""
    bots = ["", *person.rivals]
    people = {ME: person, **programs(game, bots)}
    house = demo.again(Plan(game, bots, seed, options, people), folder)
    person.house = house
    ends = bool(house.referee.last.clocks.awaited)
    try:
        while house.referee.last.clocks.awaited:
            house.round()
    except _Left:
        return None
    own = house.seats[0].seated()
    entry = own.last.entry
    assert isinstance(entry, Reveal)  # noqa: S101 - nobody is awaited
    named = game.id if folder == place_of(game.id) else copy_of(folder).root
    # Who looks at an end again has not won again.
    return tell_end(own, named, *(_note(game, person.rivals, entry.outcome) if ends else ()))
