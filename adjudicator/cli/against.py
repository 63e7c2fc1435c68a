"""A whole game of one person against bots at this terminal: what `play GAME` does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from adjudicator.cli.person import Person
from adjudicator.cli.shared import game_folder, ledger_of, read_seed, say
from adjudicator.league import demo
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify
from adjudicator.words.adviser import usual_bot
from adjudicator.words.story import Story
from games.game import Game
from games.options import of_preset
from orders.secrets import draw_secret


def against(
    game: Game[Any, Any],
    bots: Sequence[str],
    options: Sequence[str],
    preset: str | None,
    seed: str | None,
    keep: Path | None,
    *,
    hint: bool,
) -> int:
    """Play the game; returns the exit code of its verdict. Raises Refused and OfferRefused."""
    rivals = demo.seated_bots(game, bots, len(bots) or game.seats[0] - 1)
    demo.seats_of(game, 1 + len(rivals))
    me, *others = demo.NAMES[: 1 + len(rivals)]
    human = Person(game, me, game.bots[usual_bot(game)](me) if hint else None)
    given = {**of_preset(game.presets, preset, game.id), **game.parse_options(options)}
    drawn = draw_secret() if seed is None else read_seed(seed)
    plan = demo.Plan(game, ["", *rivals], drawn, given, {me: human})
    named = ", ".join(f"{other} ({bot})" for other, bot in zip(others, rivals, strict=True))
    with game_folder(keep) as folder:
        say(f"{game.title}: you are {me}, against {named}.\n")
        for _ in demo.play(plan, folder):
            pass
        record = Record(folder / "record")
        say("\nThe game is over, and the host reveals what was hidden.\n")
        for view in Story(ledger_of(record)).seen().boards:
            say(f"As {view.player} saw it at the end:\n{game.draw(view)}")
        found = verify(record)
        say(f"A stranger verifies the record: {found.verdict}")
    return found.code
