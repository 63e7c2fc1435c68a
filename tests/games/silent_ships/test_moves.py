"""What may come after some lines: every path that is complete is taken, and nothing is missing."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dice import Dice
from games.game import OrderError, View, Written
from games.grid import Cell
from games.lines import read_lines
from games.silent_ships import GAME
from games.silent_ships.answers import ANSWERS
from games.silent_ships.cards import NAMES
from games.silent_ships.moves import MOST_LINES, read_command
from games.silent_ships.state import BOARD

SETUP = GAME.setup(("alice", "bob"), {})


def walk(view: View, dice: Dice, most: int) -> list[str]:
    """A path of at most `most` lines, drawn from what `after` offers."""
    lines: list[str] = []
    while len(lines) < most:
        choices = GAME.after(view, lines).choices
        if not choices:
            break
        # Long lists of moves would hide all else, so a verb is drawn first.
        verbs = sorted({choice.text.split()[0] for choice in choices})
        verb = verbs[dice.below(f"verb/{len(lines)}", len(verbs))]
        of_verb = [choice.text for choice in choices if choice.text.split()[0] == verb]
        lines.append(of_verb[dice.below(f"line/{len(lines)}", len(of_verb))])
    return lines


def taken(view: View, lines: Sequence[str]) -> bool:
    """Whether `read` takes the lines as a file."""
    try:
        GAME.read(view, Written("\n".join(lines)))
    except OrderError:
        return False
    return True


def candidates(view: View) -> list[str]:
    """Every line of one word or with one card; moves are paid for by a card in hand, or by one of
    two that are not."""
    cells = [*BOARD.cells(), Cell(6, 1), Cell(1, 5)]
    plays = [f"play {name} {place}" for name in NAMES for place in ("on", "left", "right")]
    pairs = [(a, b) for a in cells for b in cells if a.distance(b) <= 2]
    hand = view.shown.get(str(view.player), {}).get("hand", [])
    cards = [*hand, *[name for name in NAMES if name not in hand][:2]]
    moves = [f"move {a} {b} discard {name}" for a, b in pairs for name in cards]
    flips = [f"flip {cell}" for cell in cells]
    supports = [f"support {cell} discard {name}" for cell in cells for name in NAMES]
    swaps = [f"swap {cell} {name}" for cell in cells for name in NAMES]
    retreats = [f"retreat discard {name}" for name in NAMES]
    pushes = [f"push {cell}" for cell in cells]
    bare = ["start", "stand", "support none", "offer end", "resign", "end"]
    return [*plays, *moves, *flips, *supports, *swaps, *retreats, *pushes, *bare]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_before_an_attack_the_choices_are_exact(play: Any, bots: Any, count: int) -> None:
    """After some lines another is taken if and only if it is offered, awaited or not."""
    for number, step in enumerate(itertools.islice(play(4, bots), 2, 60, 9)):
        for name in step.setup.players:
            view = GAME.view(step.before, name)
            path = walk(view, Dice(b"%d" % number), count)
            choices = {choice.text: choice.label for choice in GAME.after(view, path).choices}
            if any(text.split()[0] in ANSWERS for text in path) or attacks(view, path):
                continue
            answering = "attack" in view.shown and view.shown["attack"]["player"] == name
            lines = candidates(view)
            for line in lines:
                try:
                    GAME.read(view, Written("\n".join([*path, line])))
                    came = True
                except OrderError as error:
                    # A line beside an answer is right if nothing but the answer is missing.
                    came = answering and error.line is None
                assert came == (line in choices), (path, line, view.shown)
            for line in choices.keys() - set(lines):
                assert taken(view, [*path, line]), line


def attacks(view: View, path: Sequence[str]) -> bool:
    """Whether a line of the path was offered as an attack."""
    for at, text in enumerate(path):
        choices = {choice.text: choice.label for choice in GAME.after(view, path[:at]).choices}
        if choices[text].startswith("attack"):
            return True
    return False


def offered(view: View, lines: Sequence[str]) -> bool:
    """Whether each line is among the choices after those before it, its discards in any order."""
    path: list[str] = []
    for text in lines:
        if text.startswith("standing "):
            continue
        choices = {alike(choice.text): choice.text for choice in GAME.after(view, path).choices}
        if alike(text) not in choices:
            return False
        path.append(choices[alike(text)])
    return True


def alike(text: str) -> tuple[str, ...]:
    """A line with its discards in a fixed order, to be compared."""
    said, *cards = text.split(" discard ")
    return (said, *sorted(cards))


def plain(text: str) -> str:
    """A bot's line without what `after` leaves out: decisions within a move line."""
    return text.partition(" support ")[0].partition(" push ")[0] if "move" in text else text


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 7),
    bots=st.sampled_from([("random", "random"), ("captain", "captain")]),
    edition=st.sampled_from(["print", "2021-09-12"]),
)
def test_what_bots_write_can_be_reached(play: Any, seed: int, bots: Any, edition: str) -> None:
    """Whole files of bots are paths, but for decisions within a move line."""
    for step in play(seed, bots, {"edition": edition}):
        for name, written in step.written.items():
            lines = [plain(line) for line in written.orders.split("\n") if line]
            assert offered(GAME.view(step.before, name), lines), lines


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
        legal = tuple(line for line in legal if line.split()[0] in ANSWERS)
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
    for seed in range(16):
        for step in play(seed, ("captain", "captain")):
            if step.before.turn is None or step.before.attack is not None:
                continue
            name = step.before.turn
            view = GAME.view(step.before, name)
            choices = GAME.after(view, ()).choices
            attacks = [each.text for each in choices if each.label.startswith("attack")]
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


@pytest.mark.parametrize("text", ["frobnicate", "move C3 C4 discard submarine", "flip A1", "stand"])
def test_lines_that_were_not_offered_are_an_error(text: str) -> None:
    """The caller's mistake: nothing is guessed."""
    state = GAME.state(SETUP, {"turn": "alice", "board": ["C3 alice up submarine"]})
    with pytest.raises(ValueError, match="not offered"):
        GAME.after(GAME.view(state, "alice"), [text])


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


@pytest.mark.parametrize("player", ["alice", "bob"])
def test_a_choice_names_cells_and_says_what_it_does(play: Any, player: str) -> None:
    """Labels are plain and short; cells stand on the board; each text is a line, once."""
    for step in play(5, ("random", "captain")):
        choices = GAME.after(GAME.view(step.before, player), ()).choices
        assert len({choice.text for choice in choices}) == len(choices)
        for choice in choices:
            assert choice.label.isascii()
            assert 0 < len(choice.label) <= 120
            (row,) = read_lines(choice.text)
            line = read_command(row)
            named = line.cells or tuple(cell for cell, _ in line.supports or ())
            named = named or ((line.push,) if line.push else ())
            if line.verb != "play":
                assert choice.cells == tuple(map(str, named))
