"""`play GAME --learn`: the lessons of a game at the prompt, one after the other.

What belongs here: the way through them. What is right in one, says `machine.lesson`; its screen and
its prompt are those of every turn. Nothing of it is kept.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import games
from adjudicator.cli.prompt import Prompt, asked_by_host
from adjudicator.cli.shared import is_terminal, say, wanted
from adjudicator.machine import lesson
from adjudicator.words.adviser import Advice
from adjudicator.words.screen import Scene
from games.game import Game
from games.lessons import Lesson
from orders.errors import Refused


def lessons(game: Game[Any, Any]) -> None:
    """Lead through the lessons of the game; raises Refused if it has none that can be played."""
    whole = f"adjudicator play {game.id}"
    try:
        found = games.own_lessons(game)
        if not found:
            hint = f"adjudicator rules {game.id} explains it; {whole} begins a game"
            raise Refused("missing", f"{game.id} has no lessons", hint)
        for number, taught in enumerate(found, 1):
            name = f"Lesson {number} of {len(found)}"
            if number > 1 and is_terminal() and not wanted(f"{name}?", default=True):
                break
            if not _is_learnt(game, taught, name) and not is_terminal():
                break
    except ValueError as error:
        hint = "tell who wrote the game: adjudicator try names the fault"
        raise Refused("malformed", f"the lessons of {game.id}: {error}", hint) from None
    say(f"The lessons again: {whole} --learn", f"A whole game: {whole}")


def _is_learnt(game: Game[Any, Any], taught: Lesson, name: str) -> bool:
    """Ask for orders in the lesson's position until they are right; False if who learns leaves
    it first. Raises ValueError, Refused or OfferRefused for a lesson that cannot be played."""
    while True:
        with tempfile.TemporaryDirectory() as folder:
            at = _Position(game, taught, Path(folder, "position"), None, name)
            at.show()
            orders = at.ask()
            if orders is None:
                return False
            after = _Position(game, taught, Path(folder, "answer"), orders, name)
            after.show()
        if after.right:
            return True
        if is_terminal() and not wanted("Try again?", default=True):
            return False


class _Position(Prompt):
    """The position of a lesson, or after an answer to it what came of that."""

    def __init__(
        self, game: Game[Any, Any], taught: Lesson, folder: Path, answer: str | None, name: str
    ) -> None:
        """Raises ValueError, Refused or OfferRefused for a lesson that cannot be played."""
        own = lesson.played(game, taught, folder, answer).seats[0].seated()
        asked = asked_by_host(own)
        advice = Advice(taught.answer, taught.wrong)
        super().__init__(replace(asked, advice=lambda: advice, folder=None, note=None))
        self.right = lesson.judged(own, taught)
        self.name = name
        self.says = taught.told(self.right)

    def scene(self) -> Scene:
        """As in a game; what is said in the lesson comes last, where it is read."""
        made = super().scene()
        if self.right is None:
            return replace(made, news=(self.says,), since=self.name)
        told = f"{'Right.' if self.right else 'Not yet.'} {self.says}"
        return replace(made, news=(*made.news, told), menu=lambda columns: ())
