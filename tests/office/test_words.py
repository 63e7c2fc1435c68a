"""Which words are understood in a mail that nobody signed, and which are not."""

from __future__ import annotations

import pytest

from adjudicator.office.words import MOST_LINES, WORDS, Request, Whose, read
from orders.order_file import cut


@pytest.mark.parametrize(
    "word", [name for name, one in WORDS.items() if one.whose in (Whose.PLAYER, Whose.ALL)]
)
@pytest.mark.parametrize("written", ["{}", "{}.", "  {}!\n\nBest wishes", "\n> quoted\n{}\n> more"])
def test_a_word_in_the_body(word: str, written: str) -> None:
    """It stands on the first line that its writer wrote, in small or capital letters."""
    assert read("hello", written.format(word)) == Request(word)
    assert read("hello", written.format(word.upper())) == Request(word)


@pytest.mark.parametrize(
    "subject",
    ["status", "Re: status", "RE: [friday] status", "AW: Fwd: [friday] Re[2]: STATUS", "status!"],
)
def test_a_word_in_the_subject(subject: str) -> None:
    """Behind whatever mail programs put before it; where the body begins with no such word, and in
    an answer with no other words either: an out-of-office keeps the subject."""
    own = "Dear host,\nhow is it going?\n"
    for text in ("", "> status of things\n", own):
        found = read(subject, text)
        assert found.word == ("" if text == own and ":" in subject else "status")
        assert found.game == ("friday" if "friday" in subject else None)


def test_the_body_comes_first() -> None:
    """A reply keeps the subject of what it answers."""
    assert read("Re: [friday] history", "help") == Request("help", (), "friday")


@pytest.mark.parametrize(
    ("text", "step"),
    [("resend", None), ("resend 0", 0), ("Resend 12.", 12), ("resend 9999999", 9_999_999)],
)
def test_a_number_of_an_entry(text: str, step: int | None) -> None:
    """`resend` may name one."""
    assert read("", text) == Request("resend", () if step is None else (str(step),))


@pytest.mark.parametrize(
    "text",
    ["statuses", "what is the status?", "resend the last one", "resend -1", "resend 12345678", ""],
)
def test_what_is_no_command(text: str) -> None:
    """Nothing is guessed."""
    assert read("Your orders", text) == Request("")


@pytest.mark.parametrize("text", ["message to bob: hi", "Anonymous message to all: hi"])
def test_press_that_is_not_signed(text: str) -> None:
    """It is told apart, so that its writer hears how it is sent."""
    assert read("[friday]", text) == Request("message", (), "friday")


def test_an_order_form_as_it_is() -> None:
    """Filled in, and sent without seal and signature."""
    form = f"Here it is:\n\n{cut('ab' * 32, 3, 'alice')}\nfire S\n"
    assert read("orders", form).word == "orders"
    assert read("my turn", form) == Request("form")


def test_a_long_line_costs_no_more_than_its_beginning() -> None:
    """Six hundred characters are looked at."""
    assert read("", "status" + " " * 700 + "x").word == "status"
    assert read("", "x" * 10_000_000) == Request("")


A, B = "a@example.org", "b@example.org"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (f"new sugar-dog with\n{A}\n{B}", ("new", "sugar-dog", "with", A, B)),
        (f"new sugar-dog with {A}\n<{B}>, \n> quoted", ("new", "sugar-dog", "with", A, B)),
        (f"new sugar-dog with {A}\n\n{B}", ("new", "sugar-dog", "with", A)),
        (f"new sugar-dog with {A}\nGreetings from {B}", ("new", "sugar-dog", "with", A)),
        (f"new sugar-dog with {A} <mailto:{A}>", ("new", "sugar-dog", "with", A)),
        (f"yes\n{A}", ("yes",)), (f"Yes!\r\n\r\n{A}\r\n", ("yes",)),
        (f"status\n<{A}>", ("status",)),
    ],
)  # fmt: skip
def test_lines_of_addresses_right_below(text: str, asked: tuple[str, ...]) -> None:
    """Mail programs break long lines there; below a blank line, or a word behind which nothing
    stands, an address is a signature."""
    assert read("", text) == Request(asked[0], asked[1:])


@pytest.mark.parametrize(
    "above",
    ["On some day somebody wrote:", f"On Tue, 24 Nov 2026, {A}\nwrote:",
     f"Le mar. 24 nov. 2026, Les Jeux\n<{A}> a \u00e9crit :", f"Am 24.11.2026 schrieb\n<{A}>:",
     f"On Tue, 24 Nov 2026, {A} wrote:\n"],
)  # fmt: skip
def test_who_is_quoted_is_nobodys_word(above: str) -> None:
    """The line above a quotation goes, also if it is broken in two; a word above it stays."""
    assert read("", f"{above}\n> help\n> status\n\nwho\n") == Request("who")
    assert read("", f"who\n\n{above}\n> help\n\nstatus") == Request("who")
    assert read("", f"{above}\n> help\n") == Request("")
    assert read("", f"{above}\nhelp\n") == Request(""), "it is no quotation"


def test_a_quotation_below_many_lines() -> None:
    """After so many lines of one's own no more are looked at; the first one counts."""
    text = "who\n" + "and so on\n" * (2 * MOST_LINES)
    assert read("", f"{text}> status\n") == Request("who")


@pytest.mark.parametrize(
    "line", ["yes please", "yes, I am back", "yes yes", "yes 7", "yes?", "Yes:", "'yes'", "y"]
)
def test_yes_stands_alone(line: str) -> None:
    assert read("", line) == Request("")
    assert read("", "YES !.") == Request("yes")
