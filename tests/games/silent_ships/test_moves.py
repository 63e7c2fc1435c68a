"""What may come after some lines: every path that is complete is taken, and nothing is missing."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

from games.dice import Dice
from games.game import OrderError, View, Written
from games.silent_ships import GAME
from games.silent_ships.actions import WORDS
from games.silent_ships.orders import MOST_LINES

SETUP = GAME.setup(("alice", "bob"), {})


def taken(view: View, lines: Sequence[str]) -> bool:
    """Whether `read` takes the lines as a file."""
    try:
        GAME.read(view, Written("\n".join(lines)))
    except OrderError:
        return False
    return True


def carried_out(state: Any, name: str, lines: Sequence[str], answers: Dice) -> set[int]:
    """The numbers of a turn's lines that were not void, with drawn answers; none if all is over."""
    view = GAME.view(state, name)
    orders = {name: GAME.read(view, Written("\n".join(lines)))}
    void: set[int] = set()
    dice = Dice(b"")
    for number in range(2 * len(lines) + 1):
        came = GAME.adjudicate(state, orders, dice)
        void |= {event.fields["line"] for event in came.events if event.kind == "void"}
        if came.state.over is not None:
            return set()
        if came.state.attack is None:
            return set(range(1, len(lines) + 1)) - void
        state = came.state
        asked = GAME.awaited(state)[0].player
        legal = GAME.legal(GAME.view(state, asked))
        legal = tuple(line for line in legal if WORDS[line.split()[0]].asks)
        text = legal[answers.below(f"answer/{number}", len(legal))]
        orders = {asked: GAME.read(GAME.view(state, asked), Written(text))}
    raise AssertionError("the attacks do not end")


def stray(view: View, dice: Dice, number: int) -> list[str]:
    """Lines such as may stand behind an attack: well formed, and possible or not."""
    columns, rows, cards = "ABCDE", "1234", view.shown[view.player]["hand"] or ["frigate"]

    def cell(label: str) -> str:
        return columns[dice.below(f"{label}/c", 5)] + rows[dice.below(f"{label}/r", 4)]

    card = cards[dice.below(f"card/{number}", len(cards))]
    start = read_cell_of(view, dice, number) or cell(f"from/{number}")
    steps = [start]
    for step in range(1 + dice.below(f"steps/{number}", 2)):
        column, row = columns.index(steps[-1][0]), rows.index(steps[-1][1])
        east, north = ((0, 1), (1, 0), (0, -1), (-1, 0))[dice.below(f"way/{number}/{step}", 4)]
        steps.append(columns[min(4, max(0, column + east))] + rows[min(3, max(0, row + north))])
    places = ("on", "left", "right")
    return [
        f"play {card} {places[dice.below(f'place/{number}', 3)]}",
        f"move {' '.join(steps)} discard {card}",
        f"flip {start}",
    ]


def read_cell_of(view: View, dice: Dice, number: int) -> str | None:
    """A cell in which the view's player has a ship."""
    own = [line.split()[0] for line in view.shown["board"] if line.split()[1] == view.player]
    return own[dice.below(f"own/{number}", len(own))] if own else None


def test_a_line_that_was_carried_out_had_been_offered(play: Any) -> None:
    """Behind an attack too `after` leaves out only what no outcome allows."""
    seen: Counter[str] = Counter()
    for seed in range(80):
        for step in play(seed, ("captain", "captain")):
            if step.before.turn is None or step.before.attack is not None:
                continue
            name = step.before.turn
            view = GAME.view(step.before, name)
            choices = GAME.after(view, ()).choices
            attacks = [each.text for each in choices if each.verb == "attack"]
            if not attacks:
                continue
            dice = Dice(hashlib.sha256(f"{seed}/{seen.total()}".encode()).digest())
            lines = [attacks[dice.below("attack", len(attacks))]]
            for number in range(8):
                some = stray(view, dice, number)
                lines.append(some[dice.below(f"some/{number}", len(some))])
            done = carried_out(step.before, name, lines, dice)
            for number in sorted(done - {1}):
                seen[lines[number - 1].split()[0]] += 1
                texts = {each.text for each in GAME.after(view, lines[: number - 1]).choices}
                assert lines[number - 1] in texts, (lines, number, view.shown)
    assert all(seen[verb] > 10 for verb in ("play", "move", "flip")), seen


def test_the_longest_path_ends() -> None:
    """As many lines as a file may have, and not one more."""
    state = GAME.state(SETUP, {"turn": "alice", "board": ["C3 alice up submarine"]})
    position = GAME.position(state)
    position["board"].append("C2 bob down speed-boat")
    position["alice"]["hand"] = ["frigate"]
    view = GAME.view(GAME.state(SETUP, position), "alice")
    lines = ["move C3 C2 discard frigate", *["move C2 C3 discard frigate"] * (MOST_LINES - 1)]
    assert taken(view, lines)
    came = GAME.after(view, lines)
    assert came.complete
    assert came.choices == ()
    assert GAME.after(view, lines[:-1]).choices
