"""The few words that a host understands in a mail without a block."""

from __future__ import annotations

import pytest

from adjudicator.mail.answering import WORDS, Command, read_command


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("written", ["{}", "{}.", "  {}!\n\nBest wishes", "\n> quoted\n{}\n> more"])
def test_a_word_in_the_body(word: str, written: str) -> None:
    """It stands on the first line that its writer wrote, in small or capital letters."""
    assert read_command("hello", written.format(word)) == Command(word)
    assert read_command("hello", written.format(word.upper())) == Command(word)


@pytest.mark.parametrize(
    "subject",
    ["status", "Re: status", "RE: [friday] status", "AW: Fwd: [friday] Re[2]: STATUS", "status!"],
)
def test_a_word_in_the_subject(subject: str) -> None:
    """Behind whatever mail programs put before it; where the body begins with no such word."""
    for text in ("", "> status of things\n", "Dear host,\nhow is it going?\n"):
        found = read_command(subject, text)
        assert found.word == "status"
        assert found.game == ("friday" if "friday" in subject else None)


def test_the_body_comes_first() -> None:
    """A reply keeps the subject of what it answers."""
    assert read_command("Re: [friday] history", "help") == Command("help", None, "friday")


@pytest.mark.parametrize(
    ("text", "step"),
    [("resend", None), ("resend 0", 0), ("Resend 12.", 12), ("resend 9999999", 9_999_999)],
)
def test_a_number_of_an_entry(text: str, step: int | None) -> None:
    """`resend` may name one."""
    assert read_command("", text) == Command("resend", step)


@pytest.mark.parametrize(
    "text",
    ["statuses", "what is the status?", "resend the last one", "resend -1", "resend 12345678", ""],
)
def test_what_is_no_command(text: str) -> None:
    """Nothing is guessed."""
    assert read_command("Your orders", text) == Command("")


@pytest.mark.parametrize("text", ["message to bob: hi", "Anonymous message to all: hi"])
def test_press_that_is_not_signed(text: str) -> None:
    """It is told apart, so that its writer hears how it is sent."""
    assert read_command("[friday]", text) == Command("message", None, "friday")


def test_an_order_form_as_it_is() -> None:
    """Filled in, and sent without seal and signature."""
    form = 'Here it is:\n\ngame = "0"\norders = """\nfire S\n"""\n'
    assert read_command("orders", form).word == "orders"
    assert read_command("my turn", form) == Command("form")


def test_a_long_line_costs_no_more_than_its_beginning() -> None:
    """Two hundred characters are looked at."""
    assert read_command("", "status" + " " * 300 + "x").word == "status"
    assert read_command("", "x" * 10_000_000) == Command("")
