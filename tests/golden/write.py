"""Golden games: whole games of every edition, with the position and everyone's report at each step.

A file is canonical JSON, a line each: what is played, then for every step the orders as they were
written, the position after it, what each player sees and hears, and who is awaited; at last the
outcome. `test_golden.py` adjudicates the orders in the files again, so that no change of rules goes
unnoticed; bots may change. Run this script to play new games and rewrite the files. That changes
what the rules version means: where released records name it, make it a new version. The
games of an earlier version stay as long as the newest plays them alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import games
from games.dice import Dice
from games.game import Game, Setup, Step, View, Written
from orders import canonical

FOLDER = Path(__file__).parent
NAMES = ("alice", "bob", "carol")
MOST_STEPS = 400


@dataclass(frozen=True)
class Play:
    """What to play: `bots` in seat order; every `absent`-th awaited file is never sent (0: all)."""

    name: str
    game: str
    bots: Sequence[str]
    options: Mapping[str, Any]
    seed: str
    absent: int = 0


PLAYS = (
    Play("sugar-dog-1", "sugar-dog", ("captain", "captain"), {}, "01"),
    Play("sugar-dog-2", "sugar-dog", ("random",) * 3, {"first": "carol"}, "03"),
    Play("sugar-dog-3", "sugar-dog", ("random", "captain"), {}, "05", 4),
    # 1 to 4 are of version 1, and none of them ends in the one way that version 2 changed.
    Play("silent-ships-5", "silent-ships", ("captain", "captain"), {"edition": "print"}, "01"),
    Play("silent-ships-6", "silent-ships", ("captain", "captain"), {"edition": "2021-09-12"}, "03"),
    Play("silent-ships-7", "silent-ships", ("captain", "captain"), {"edition": "2021-09-17"}, "03"),
    Play("silent-ships-8", "silent-ships", ("captain", "captain"), {"stalemate": 4}, "02", 9),
    # 1 to 3 are of version 1, which had the options and the house table in EARLIER.
    Play("submarine-warfare-4", "submarine-warfare", ("captain", "captain"), {}, "01"),
    Play("submarine-warfare-5", "submarine-warfare", ("random", "captain"), {"rounds": 20}, "02"),
    Play("submarine-warfare-6", "submarine-warfare", ("random", "random"),
         {"missed": "pass", "rounds": 15}, "03", 5),
)  # fmt: skip

EARLIER: Mapping[str, tuple[Mapping[str, Any], str]] = {
    "submarine-warfare/1": ({"first_ap": 5}, "classic.toml")
}
"""What a game of an earlier version says by not saying it: options, and the file of its table."""


def head(play: Play) -> dict[str, Any]:
    """The first line: all that the game follows from, its orders aside."""
    game = games.load(play.game)
    return {
        "rules": game.rules,
        "players": list(NAMES[: len(play.bots)]),
        "options": dict(play.options),
        "seed": play.seed,
    }


def frame(first: Mapping[str, Any]) -> tuple[Game[Any, Any], Setup, Dice]:
    """What a first line stands for."""
    game = games.load(str(first["rules"]).partition("/")[0])
    usual, name = EARLIER.get(first["rules"], ({}, ""))
    table = (games.own_cases(game).parent / name).read_bytes() if name else None
    setup = game.setup(first["players"], {**usual, **first["options"]}, table)
    return game, setup, Dice(bytes.fromhex(first["seed"]))


def adjudicated(
    game: Game[Any, Any], state: Any, written: Mapping[str, Written], dice: Dice
) -> Step[Any]:
    """The step that these order files make, each read from its author's view."""
    orders = {name: game.read(game.view(state, name), file) for name, file in written.items()}
    return game.adjudicate(state, orders, dice)


def line(
    game: Game[Any, Any], setup: Setup, written: Mapping[str, Written], step: Step[Any]
) -> dict[str, Any]:
    """A step as it stands in a file."""
    views = {name: game.view(step.state, name) for name in setup.players}
    return {
        "orders": {name: file.orders for name, file in written.items()},
        "position": game.position(step.state),
        "reports": {
            name: {
                "view": view.shown,
                "events": [one.whole() for one in step.events if one.heard_by(name)],
            }
            for name, view in views.items()
        },
        "awaited": [[prompt.player, prompt.what] for prompt in game.awaited(step.state)],
    }


def outcome(game: Game[Any, Any], state: Any) -> dict[str, Any]:
    """The last line."""
    ended = game.outcome(state)
    return {"outcome": {} if ended is None else ended.fields()}


def played(play: Play) -> Iterator[dict[str, Any]]:
    """A game between bots, line by line."""
    first = head(play)
    yield first
    game, setup, dice = frame(first)
    state = game.start(setup)
    bots = {
        name: game.bots[kind](name) for name, kind in zip(setup.players, play.bots, strict=True)
    }
    heard: Mapping[str, tuple[View, list[Any]]] = {
        name: (game.view(state, name), []) for name in setup.players
    }
    asked = 0
    for number in range(1, MOST_STEPS):
        for name, bot in bots.items():
            bot.hear(*heard[name])
        prompts = game.awaited(state)
        if not prompts:
            break
        written = {}
        for prompt in prompts:
            asked += 1
            if not play.absent or asked % play.absent:
                lots = Dice(f"{play.seed}/{prompt.player}/{number}".encode())
                written[prompt.player] = bots[prompt.player].order(lots)
        step = adjudicated(game, state, written, dice)
        yield line(game, setup, written, step)
        state = step.state
        heard = {
            name: (
                game.view(state, name),
                [one.whole() for one in step.events if one.heard_by(name)],
            )
            for name in setup.players
        }
    yield outcome(game, state)


def text(lines: Iterator[dict[str, Any]]) -> bytes:
    """A golden file."""
    return b"".join(canonical.dumps(one) + b"\n" for one in lines)


def path(play: Play) -> Path:
    """Where the golden game lies."""
    return FOLDER / f"{play.name}.txt"


if __name__ == "__main__":
    for one in PLAYS:
        content = text(played(one))
        path(one).write_bytes(content)
        print(f"{one.name}: {len(content.splitlines()) - 2} steps, {len(content)} bytes")
