"""A person at the terminal: what is listed, how orders are typed, what is asked again."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from adjudicator.cli import person
from games.dice import Dice
from games.game import After, Choice, Malformed, Written
from games.sugar_dog import GAME
from orders.errors import Refused

SETUP = GAME.setup(["alice", "bob"], {})
VIEW = GAME.view(GAME.start(SETUP), "alice")


@pytest.mark.parametrize(
    ("typed", "lines"),
    [("fire S", "fire S"), ("a; b", "a\nb"), (" a ;b; ", "a\nb\n"), ("-", ""), (" - ", "")],
)
def test_lines_are_typed_in_one(typed: str, lines: str) -> None:
    """A `;` between two of them; a `-` alone stands for none."""
    assert person.lines_of(typed) == lines


def test_a_long_list_never_looks_like_all_there_is() -> None:
    """It says how many more there are; a short one says nothing."""
    after = After(tuple(Choice(f"line {number}") for number in range(30)), complete=False)
    rows = list(person.choices(after))
    assert rows[-1] == "  ... and 6 more"
    assert all("line 24" not in row for row in rows)
    assert "more" not in "".join(person.choices(after, 30))


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What somebody types, one answer after the other."""
    words: list[str] = []

    def prompt(*given: object, **named: object) -> str:
        if not words:
            raise click.Abort
        return words.pop(0)

    monkeypatch.setattr(person.click, "prompt", prompt)
    yield words
    assert words == []


def test_what_cannot_stand_is_asked_again(
    typing: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """After error and hint. A line that is taken ends the question; Enter alone gives none."""
    after = GAME.after(VIEW, ())

    def judge(text: str) -> str:
        if text == "bad":
            raise Malformed(1, text, "expected good", "write good")
        if text == "over":
            raise Refused("over", "the game is over")
        return text.upper()

    typing += ["bad", "over", "?", "good"]
    assert person.ask(after, judge) == "GOOD"
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        "error: malformed: line 1: 'bad': expected good",
        "hint: write good",
        "error: over: the game is over",
    ]
    assert "start F6" in told.out
    typing += [""]
    assert person.ask(after, judge) is None


def test_a_person_plays_as_a_bot_is_asked(
    typing: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """To ask before a report is a fault of this program; after one, the board is shown first."""
    me = person.Person(GAME, "alice")
    with pytest.raises(ValueError, match="after a report"):
        me.order(Dice(b""))
    me.hear(VIEW, ())
    typing += ["", "start C4"]
    assert me.order(Dice(b"")) == Written("start C4")
    told = capsys.readouterr().out
    assert told.index("A   B   C") < told.index("start A1")
    assert "Write a line" in told


def test_the_end_of_the_input_ends_the_question(typing: list[str]) -> None:
    """The end of the input is no order."""
    me = person.Person(GAME, "alice")
    me.hear(VIEW, ())
    with pytest.raises(click.Abort):
        me.order(Dice(b""))


def test_orders_in_one_line_are_what_can_be_typed() -> None:
    """Lines of a file in one, `-` for a file without any."""
    for text, shown in (("a\nb\n", "a; b"), ("a", "a"), ("", "-")):
        assert person.in_one_line(Written(text)) == shown
        assert person.lines_of(shown).split() == text.split()
