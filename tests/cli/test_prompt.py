"""The words at the prompt, at a real terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from terminal import Terminal

from adjudicator.cli import prompt
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store.record import Record
from adjudicator.words.form import in_one_line, lines_of
from games.promises import PROMPT_WORDS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")

PROMPT = re.compile(r"(orders[^\n]*> |\[y/N\]: |\[Y/n\]: )$")


class Play(Terminal):
    """`play` at a terminal; games are kept below the folder."""

    def __init__(self, root: Path, *words: str, columns: int = 80, **more: str) -> None:
        more["HOME"] = str(root)
        super().__init__(
            root, "play", *words, columns=columns, XDG_STATE_HOME=str(root), PAGER="cat", **more
        )

    def read(self) -> str:
        """What is printed until the next prompt or the end."""
        return self.until_prompt(PROMPT)

    def line(self, line: str) -> str:
        """What a line leads to."""
        self.press(line + "\n")
        return self.read()


@pytest.fixture
def dog(tmp_path: Path) -> Iterator[Play]:
    """A game of Sugar Dog against a bot, after the setup."""
    terminal = Play(tmp_path, "sugar-dog", "--seed", "01")
    terminal.read()
    terminal.line("start C4")
    assert "turn 2: your move" in terminal.line("")
    yield terminal
    terminal.close()


def test_lines_are_planned_and_taken_back(dog: Play) -> None:
    """A wrong line costs nothing, and is not quoted; an empty one sends. Where one order is all,
    another is meant in its place."""
    assert "Nothing is planned" in dog.line("")
    assert "planned: fire N. Enter sends.\norders (1 line)> " in dog.line("fire n")
    assert "\n\x1b[31m'sink' is no order. Did you mean 'silent'?\x1b[0m\n" in dog.line("sink them")
    assert "\n\x1b[31mexpected one order a turn: this is the second. ? lists " in dog.line(
        "silent; ping"
    )
    assert "in place of fire N:\nplanned: silent. Enter sends.\n" in dog.line("silent")
    assert "taken back: silent." in dog.line("undo")
    assert "Nothing is planned." in dog.line("undo all")
    dog.line("mine; draw")
    said = dog.line("send")
    assert "turn 4: your move" in said
    assert "mine in C4" in said


UP, BEGINNING, CLEARS = "\x1b[A", "\x01", "\x0c"
"""The arrow, Ctrl-A and Ctrl-L."""
needs_readline = pytest.mark.skipif(find_spec("readline") is None, reason="needs readline")


@needs_readline
def test_a_line_is_edited(dog: Play, tmp_path: Path) -> None:
    """By Tab, which completes what may be written now, by arrows, and by what was typed before;
    which is in no file."""
    assert "planned: silent D4. Enter sends." in dog.line("sil\t d\t")
    assert "planned: fire N. Enter sends." in dog.line(f"ire n{BEGINNING}f")
    dog.line("sink them")
    assert "taken back: fire N." in dog.line("und\t")
    assert "planned: fire N. Enter sends." in dog.line(UP * 3)
    # Both write the prompt anew, with what was typed: nothing is sent before that is seen.
    assert "\x1b[H\x1b[2J" in dog.type(f"undo{CLEARS}", "> undo")
    assert "taken back: fire N." in dog.line("")
    assert re.search(r"E +N +S +W *\n", dog.type("f\t\t\t", "> fire "))
    assert "planned: fire W." in dog.line("w")
    dog.line("quit")
    held = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(held) > 9
    assert not [data for data in held if b"sink them" in data]


@needs_readline
def test_another_question_knows_no_orders(dog: Play) -> None:
    """Neither by Tab nor by the arrow; and its answer is not offered as an order."""
    asked = dog.line("resign")
    assert asked.endswith("Really? [y/N]: ")
    said = dog.line(f"{UP}sil\t")
    assert "Error: invalid input" in said
    assert said.replace("\x07", "").startswith("sil\n")
    dog.line("n")
    assert "Really? [y/N]: " in dog.line(UP)
    dog.line("")


@pytest.mark.parametrize(
    ("lines", "before", "part", "words"),
    [
        ((), "", "fi", ["fire "]),
        ((), "fire ", "", ["N", "E", "S", "W"]),
        ((), "Silent ", "d", ["D4"]),
        ((), "", "si", ["silent"]),
        ((), "", "u", ["undo"]),
        ((), "? ", "p", ["ping"]),
        ((), "map ", "", ["all"]),
        ((), "silent; ", "", ["draw"]),
        ((), "nonsense; ", "", []),
        (("fire N",), "", "pi", ["ping"]),
    ],
)
def test_what_tab_offers(
    lines: tuple[str, ...], before: str, part: str, words: list[str], table: Any
) -> None:
    """The next word of each line that may be written, in the game's spelling, with a blank where
    more must follow; and the words of the prompt."""
    table.step(alice="start C4", bob="start C1")
    table.ok("sync", "-g", "friday")
    own = Seated(Record(table.root / "friday"), Seat.open(table.root / "alice.seat"))
    at = prompt.Prompt(prompt.asked_by_host(own))
    at.plan = list(lines)
    assert sorted(at.fitting(before, part)) == sorted(words)
    assert at.plan == list(lines)


def test_without_readline(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows: a line as the terminal gives it."""
    monkeypatch.setitem(sys.modules, "readline", None)
    monkeypatch.setattr("builtins.input", lambda said: f"{said}fire N")
    assert prompt.typed("orders> ", lambda before, begun: ["silent"]) == "orders> fire N"


def test_with_libedit(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on macOS, which binds Tab in other words."""
    told: list[str] = []
    library = SimpleNamespace(
        __doc__="(libedit)", parse_and_bind=told.append, add_history=told.append,
        set_completer_delims=str, set_auto_history=bool, set_completer=callable,
        get_current_history_length=lambda: 0,
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, "readline", library)
    monkeypatch.setattr(prompt, "_history", [])
    monkeypatch.setattr("builtins.input", lambda said: "silent")
    for _ in range(2):
        assert prompt.typed("orders> ", lambda before, begun: []) == "silent"
    binds, plain = "bind ^I rl_complete", "set enable-bracketed-paste off"
    assert told == [binds, plain, binds, plain, "silent"]


def test_words_that_tell(dog: Play) -> None:
    """Each on one screen."""
    for typed, answer in (
        ("?", "undo, undo all"),
        ("? fire", "fire: A torpedo north, east, south or west (fire N). "),
        ("? fire", "  fire W  Fire west. bob will hear a contact in B4 and in A4."),
        ("? resign", "resign: Sink your own submarine. No other line goes with it.\n"),
        ("? board", "S your submarine   ^ > v < your torpedo   m your mine\n"),
        ("? S", "S  your submarine\n"),
        ("? >", "^ > v <  your torpedo\n"),
        ("? nonsense", "Nothing is known of 'nonsense'"),
        ("goal", "Goal: be the last submarine afloat."),
        ("news", "Your submarine starts in C4."),
        ("news all", "Your submarine starts in C4.\nTurn 1: bob.\n"),
        ("rules", "Playing Sugar Dog"),
        ("board", "Sugar Dog, turn 2: your move, alice."),
        ("map", "map CELL, such as map K9"),
        ("map all", "6 "),
        ("hint", "hint: "),
    ):
        assert answer in dog.line(typed)
    assert len(dog.line("?").splitlines()) <= 24
    assert len(dog.line("board").splitlines()) <= 25


def test_a_word_lists_what_it_does_now(tmp_path: Path) -> None:
    """A line that changes nothing may be written, and is not listed."""
    boats = Play(tmp_path, "submarine-warfare", "--seed", "01")
    boats.read()
    boats.line("a A1 torpedo; b C1 reactor; c D1 heal; d E1 armor; e F1 mine")
    assert "surface (0) none" in boats.line("")
    assert "possible now" not in boats.line("? surface")
    boats.line("c submerge")
    said = boats.line("? surface")
    assert "possible now:\n  c surface" in said
    assert "d surface" not in said
    boats.close()


def test_a_note_is_kept_where_one_stands(dog: Play, tmp_path: Path) -> None:
    """As a player types it, plan or none; it sends nothing, and an empty one is refused."""
    dog.line("silent D4")
    said = dog.line("Note Silent; or is it (D4)?")
    assert "\nkept, for you alone\norders (1 line)> " in said
    assert "a note has 1 to 1800 bytes, this has 0" in dog.line("note")
    assert "note TEXT           keeps a note for yourself alone" in dog.line("?")
    (kept,) = tmp_path.rglob("notes/*")
    assert kept.name == "0002-0001.sealed"


@pytest.mark.parametrize("leave", ["quit\n", "\x04", "\x03"])
def test_leaving_keeps_the_plan(dog: Play, tmp_path: Path, leave: str) -> None:
    """By the word, by Ctrl-D and by Ctrl-C; and going on asks."""
    dog.line("silent D4")
    dog.press(leave)
    assert "Nothing is sent. The plan is kept. Go on: adjudicator play" in dog.read()
    again = Play(tmp_path, "sugar-dog")
    assert "Sugar Dog, turn 2: your move, alice. Go on? [Y/n]: " in again.read()
    assert "planned: silent D4. Enter sends." in again.line("y")
    assert "submarine in D4" in again.line("")
    again.close()


def test_resigning_asks(dog: Play) -> None:
    """And then the game ends with a verdict and another is offered."""
    assert "Really? [y/N]: " in dog.line("resign")
    assert "orders> " in dog.line("n")
    dog.line("silent")
    dog.line("resign")
    dog.press("\x03")
    assert dog.read().endswith("\norders (1 line)> ")
    dog.line("resign")
    said = dog.line("y")
    assert "\nbob won. You resigned." in re.sub(r"\x1b\[[0-9;]*m", "", said)
    end = said.partition("Checked: ")[2].splitlines()
    assert end[0] == "bob won, and nothing was changed."
    assert end[1:] == ["replay: adjudicator replay -g sugar-dog", "Again? [y/N]: "]
    # It is no fault of the game, whose verdict is the exit code.
    dog.press("\x03")
    assert dog.code() == 0


def test_what_is_left_is_said_first(tmp_path: Path) -> None:
    """Action points in Submarine Warfare, the open turn in Silent Ships; the plan is drawn."""
    sub = Play(tmp_path, "submarine-warfare", "--seed", "03")
    assert "a CELL SPECIAL" in sub.read()
    said = sub.line("a B1 torpedo; b C1 armor; c D1 reactor; d E1 heal")
    assert "heal. More must follow." in said
    sub.line("e F1 sonar")
    assert "your turn, alice. 6 AP." in sub.line("")
    assert "planned: a move N. 5 of 6 AP left. Enter sends." in sub.line("a move n")
    assert "A B2: 5 HP" in sub.line("board")
    assert "5 of 6 AP left. Enter again sends.\norders (1 line, 5 of 6 AP left)> " in sub.line("")
    assert "round 2: your turn" in sub.line("")
    sub.close()
    ships = Play(tmp_path, "silent-ships", "--seed", "00")
    ships.read()
    ships.line("start")
    assert "play SHIP on (C4)" in ships.line("")
    assert "Your turn is not ended." in ships.line("play fire left")
    assert "Enter again sends." in ships.line("")
    assert "+(Fire 8)" in ships.line("board")
    assert "Nothing is sent" in ships.line("quit")
    ships.close()


@pytest.mark.parametrize("game", ["sugar-dog", "silent-ships", "submarine-warfare"])
def test_the_help_leaves_the_board_in_view(game: str, tmp_path: Path) -> None:
    """Title and rows are within the last 24 lines after it, turn after turn."""
    with closing(Play(tmp_path, game, "--seed", "07")) as terminal:
        terminal.read()
        for _ in range(3):
            board = terminal.line("board").partition("\nSince your last orders")[0].splitlines()
            helped = terminal.line("?").splitlines()
            rows = [line for line in board if re.match(r"\d+ ", line)]
            assert len(rows) >= 4
            for line in (board[1], *rows):
                assert line in helped[-24:]
            assert any(line.startswith("undo, undo all") for line in helped)
            hint = terminal.line("hint").partition("hint: ")[2].rpartition("orders")[0]
            terminal.line(" ".join(hint.split()))
            while "again sends" in terminal.line(""):
                pass


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_the_help_fits_the_window(tmp_path: Path, columns: int) -> None:
    """No word of it is broken by the terminal."""
    dog = Play(tmp_path, "sugar-dog", "--seed", "01", columns=columns)
    dog.read()
    said = re.sub(r"\x1b\[[0-9;]*m", "", dog.line("?")).splitlines()
    assert max(map(len, said)) <= columns
    dog.close()
    assert re.search("undo, undo all:? +take back the last", " ".join(said))


@pytest.mark.parametrize(
    ("more", "has", "lacks"),
    [
        ({}, "\x1b[", "\0"),
        ({"NO_COLOR": "1"}, "\u00b7", "\x1b["),
        ({"TERM": "dumb"}, "6 .  .", "\u00b7"),
        ({"TERM": "dumb"}, "6 .  .", "\x1b["),
    ],
)
def test_what_a_terminal_cannot_show(
    tmp_path: Path, more: dict[str, str], has: str, lacks: str
) -> None:
    """Colour and letters only where they can be shown and are wanted."""
    terminal = Play(tmp_path, "sugar-dog", "--seed", "01", PYTHONUTF8="1", **more)
    terminal.read()
    terminal.line("start C4")
    said = terminal.line("")
    terminal.close()
    assert has in said
    assert lacks not in said


def test_orders_in_one_line_and_back() -> None:
    """A `;` between two lines; `-` for none."""
    assert lines_of("a move N;  stop") == "a move N\nstop"
    assert lines_of(" - ") == ""
    assert in_one_line("a\nb") == "a; b"
    assert in_one_line("") == "-"


def test_a_slip_in_a_word_of_the_prompt_is_told(alone: Any) -> None:
    """Rather than an order that is less like it; an order's own slip keeps the order."""
    for typed, meant in (("rule", "rules"), ("hints now", "hint"), ("silnt", "silent")):
        given = f"{typed}\nquit\n".encode()
        told = alone.run("play", "sugar-dog", "--learn", given=given)
        word = repr(typed.split()[0])
        assert told.stderr == (
            f"error: {word}: {word} is no order [malformed]\nhint: did you mean {meant!r}?\n"
        )


def test_no_order_begins_with_a_word_of_the_prompt(table: Any) -> None:
    """What games promise not to use are all words that a player types for other things."""
    own = Seated(Record(table.root / "friday"), Seat.open(table.root / "alice.seat"))
    at = prompt.Prompt(prompt.asked_by_host(own))
    assert {*at._words(), "send", "quit"} == PROMPT_WORDS
