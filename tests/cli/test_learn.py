"""`play GAME --learn`: lessons at the prompt, by a pipe and at a terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from terminal import Terminal

import games
from games.lessons import BadLesson

Table = Any

GAMES = ("sugar-dog", "silent-ships", "submarine-warfare")
WRONG = {
    "sugar-dog": ("silent", "ping", "silent"),
    "silent-ships": ("end", "end", "retreat discard frigate"),
    "submarine-warfare": ("c move E", "stop", "stop"),
}
ENTERS = "\n\n\n"
"""A line's own; one that sends; one more where something is left, or else for no orders."""


def lessons(game: str) -> list[tuple[Any, str, str]]:
    """Each lesson of a game with orders that are wrong in it, and some that are right."""
    return [
        (lesson, wrong, "; ".join(lesson.answer.split("\n")))
        for lesson, wrong in zip(games.own_lessons(games.load(game)), WRONG[game], strict=True)
    ]


def plain(text: str) -> str:
    """The text in one line, without colours."""
    return " ".join(re.sub(r"\x1b\[[0-9;]*m", "", text).split())


@pytest.mark.parametrize("game", GAMES)
def test_each_lesson_is_asked_and_judged(game: str, alone: Table) -> None:
    """By a pipe, in turn: the lesson's text, wrong orders, and the same again until they are right.
    At the end how to begin a game."""
    found = lessons(game)
    given = "".join(f"{wrong}{ENTERS}{right}{ENTERS}" for _, wrong, right in found)
    said = alone.ok("play", game, "--learn", given=given.encode())
    rest = plain(said)
    for number, (lesson, _, _) in enumerate(found, 1):
        head = f" Lesson {number} of 3: {lesson.says} "
        for part in (head, f" Not yet. {lesson.wrong} ", head, f" Right. {lesson.right} "):
            before, found_here, rest = rest.partition(part)
            assert found_here, part
            assert not re.search(r"Right\. |Not yet\. |Lesson ", before)
    assert "Nothing is sent" not in said
    assert said.splitlines()[-2:] == [
        f"The lessons again: adjudicator play {game} --learn",
        f"A whole game: adjudicator play {game}",
    ]
    assert not list(alone.root.iterdir())


def test_where_orders_end_the_lessons_end(alone: Table) -> None:
    """Whoever has nothing to say, or leaves, sees no lesson more, and how to go on."""
    for given in (b"", b"silent C2\nquit\n"):
        said = alone.ok("play", "sugar-dog", "--learn", given=given)
        assert said.count("Lesson 1 of 3:") == 1
        assert "Lesson 2" not in said
        assert said.partition("Nothing is sent.\n")[2] == (
            "The lessons again: adjudicator play sugar-dog --learn\n"
            "A whole game: adjudicator play sugar-dog\n"
        )


def test_a_line_that_is_not_taken_costs_nothing(alone: Table) -> None:
    """It is told, and what was planned stays planned."""
    result = alone.run("play", "sugar-dog", "--learn", given=b"silent C2\nsilent Z9\n\n")
    assert "error: " in result.stderr
    assert "Not yet." not in result.stdout
    assert "Right. bob heard nothing." in result.stdout


def test_what_has_no_lessons_says_so(alone: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game without any; a file that holds none; one that cannot be played."""
    words = ("play", "sugar-dog", "--learn")
    (lesson, *_) = games.own_lessons(games.load("sugar-dog"))
    monkeypatch.setattr(games, "own_lessons", lambda _: ())
    assert alone.fails("missing", *words) == (
        "error: sugar-dog has no lessons [missing]\n"
        "hint: adjudicator rules sugar-dog explains it; adjudicator play sugar-dog begins a game\n"
    )
    hint = "hint: tell who wrote the game: adjudicator try names the fault\n"

    def broken(_: object) -> None:
        raise BadLesson("lesson 2.says is missing")

    monkeypatch.setattr(games, "own_lessons", broken)
    assert alone.fails("malformed", *words) == (
        f"error: the lessons of sugar-dog: lesson 2.says is missing [malformed]\n{hint}"
    )
    spoilt = lesson._replace(orders={"alice": ("start Z9",), "bob": ("start F1",)})
    monkeypatch.setattr(games, "own_lessons", lambda _: (spoilt,))
    said = alone.fails("malformed", *words)
    assert said.startswith("error: the lessons of sugar-dog: alice: 'start Z9' is not taken: ")
    assert said.endswith(hint)


@pytest.mark.parametrize(
    "words",
    [(), ("sugar-dog", "--new"), ("sugar-dog", "--bot", "mate"), ("sugar-dog", "--seed", "01"),
     ("sugar-dog", "--option", "small"), ("sugar-dog", "--keep", "x")],
)  # fmt: skip
def test_it_goes_with_a_game_alone(words: tuple[str, ...], alone: Table) -> None:
    """What it would not do is refused."""
    result = alone.run("play", *words, "--learn")
    assert result.exit_code == 2
    assert "--learn goes with a GAME alone, as in play sugar-dog --learn" in result.stderr


def test_what_is_no_game_is_named(alone: Table) -> None:
    """With what there is."""
    assert "did you mean 'sugar-dog'?" in alone.fails("unknown-game", "play", "sugardog", "--learn")


# At a terminal.


PROMPT = re.compile(r"(orders[^\n]*> |\[Y/n\]: )$")


class Learner(Terminal):
    """`play GAME --learn` at a terminal."""

    def __init__(self, root: Path, game: str) -> None:
        super().__init__(root, "play", game, "--learn", HOME=str(root), PAGER="cat")

    def read(self) -> str:
        """What is printed until the next prompt or the end."""
        return self.until_prompt(PROMPT)

    def line(self, line: str) -> str:
        """What a line leads to."""
        self.press(line + "\n")
        return self.read()

    def sent(self, orders: str) -> str:
        """What comes of orders."""
        self.line(orders)
        said = self.line("")
        return self.line("") if "Enter again sends." in said else said


@pytest.fixture
def learner(tmp_path: Path) -> Iterator[Learner]:
    """The first lesson of Sugar Dog."""
    if sys.platform == "win32":
        pytest.skip("needs a terminal")
    terminal = Learner(tmp_path, "sugar-dog")
    assert "Lesson 1 of 3:" in terminal.read()
    yield terminal
    terminal.close()


@pytest.mark.parametrize("game", GAMES)
def test_every_screen_fits(game: str, tmp_path: Path) -> None:
    """Title, board and what is said in the lesson, with the prompt below them, in 24 lines of 80;
    before orders, after wrong ones, and after right ones."""
    if sys.platform == "win32":
        pytest.skip("needs a terminal")
    terminal = Learner(tmp_path, game)
    said = terminal.read()
    for number, (lesson, wrong, right) in enumerate(lessons(game), 1):
        assert fits(said, f"Lesson {number} of 3: {lesson.says} orders>")
        assert fits(terminal.sent(wrong), f"Not yet. {lesson.wrong} Try again? [Y/n]:")
        assert fits(terminal.line(""), f"Lesson {number} of 3: {lesson.says} orders>")
        told = terminal.sent(right)
        if number < 3:
            assert fits(told, f"Right. {lesson.right} Lesson {number + 1} of 3? [Y/n]:")
            said = terminal.line("")
    assert f"Right. {lesson.right} The lessons again: " in plain(told)
    assert len(told.splitlines()) <= 25
    assert terminal.code() == 0


def fits(said: str, end: str) -> bool:
    """Whether what follows the line typed is a screen with that end, and a title at its head."""
    lines = said.splitlines()
    title = next(at for at, line in enumerate(lines) if "\x1b[1m" in line and ": " in line)
    wide = max(len(plain(line)) for line in lines)
    return len(lines) - title <= 24 and wide <= 80 and plain(said).endswith(end)


def test_a_hint_is_right_and_quit_skips(learner: Learner) -> None:
    """No lesson stands in the way; who has enough is told how to come back."""
    assert "hint: silent C2: Creep one cell in silence" in learner.line("hint")
    assert "note TEXT" not in learner.line("?")
    assert "Your submarine starts in C3." in learner.line("news all")
    learner.line("silent D3")
    said = learner.line("quit")
    assert said.endswith("quit\nNothing is sent.\nLesson 2 of 3? [Y/n]: ")
    assert "Lesson 2 of 3:" in learner.line("")
    assert learner.line("quit").endswith("Lesson 3 of 3? [Y/n]: ")
    end = learner.line("n")
    assert "Lesson 3 of 3:" not in end
    assert end.endswith(
        "The lessons again: adjudicator play sugar-dog --learn\n"
        "A whole game: adjudicator play sugar-dog\n"
    )
    assert learner.code() == 0


def test_who_gives_up_after_wrong_orders_goes_on(learner: Learner) -> None:
    """`n` skips the lesson, Ctrl-C at a question leaves all."""
    assert learner.sent("silent").endswith("Try again? [Y/n]: ")
    assert learner.line("n").endswith("Lesson 2 of 3? [Y/n]: ")
    learner.press("\x03")
    assert learner.read().endswith("A whole game: adjudicator play sugar-dog\n")
    assert learner.code() == 0


def test_resigning_is_asked_and_is_not_right(learner: Learner) -> None:
    """As in a game."""
    assert "Really?" in learner.type("resign\n", "[y/N]: ")
    assert "Not yet. Creep one cell in silence, and nobody hears it." in learner.line("y")
