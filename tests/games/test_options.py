"""Options of the kind `player`: names are checked when a game is offered, not when it begins."""

from __future__ import annotations

import re

import pytest

from games.options import OfferRefused, Option, check_players, suggest_name

FIRST = Option("first", "player", None, "who goes first")


@pytest.mark.parametrize("name", ["bob", "a", "r2-d2", "x" * 32])
def test_a_name_is_taken(name: str) -> None:
    """What a join can bear, an option can name."""
    assert FIRST.parse(name) == name
    assert FIRST.check(name) == name


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Bob", "bob"), ("J\u00f6rg", "joerg"), ("Jo\u0308rg", "joerg"),
        ("\u017di\u017eek", "zizek"), (" bob\n", "bob"), ("Anna Maria", "anna-maria"),
        ("x" * 33, "x" * 32),
    ],
)  # fmt: skip
def test_what_is_no_name_is_refused_with_the_name_that_is_meant(text: str, meant: str) -> None:
    """At once, in plain ASCII, with what to write in its place."""
    with pytest.raises(OfferRefused, match=f"; did you mean '{meant}'") as caught:
        FIRST.parse(text)
    assert str(caught.value).isascii()
    assert "option first = " in str(caught.value)


@pytest.mark.parametrize("text", ["", "host", "HOST", "-", "\u674e", "---"])
def test_what_is_close_to_no_name_gets_no_suggestion(text: str) -> None:
    """`host` is the host's, and a name begins with a letter."""
    with pytest.raises(OfferRefused, match=r"expected a name \(at most 32") as caught:
        FIRST.parse(text)
    assert "did you mean" not in str(caught.value)


def test_a_seat_in_place_of_a_name() -> None:
    """The player of that seat, whoever it is once all have joined."""
    assert FIRST.parse("2") == 2
    assert FIRST.named(2, ("alice", "bob")) == "bob"
    assert FIRST.named("alice", ("alice", "bob")) == "alice"
    with pytest.raises(OfferRefused, match="option first = 3: there are 2 seats"):
        FIRST.named(3, ("alice", "bob"))


@pytest.mark.parametrize("value", [0, 65, True, None, ["bob"], b"bob"])
def test_a_value_of_another_type_is_refused(value: object) -> None:
    """An invite may hold anything that TOML can write."""
    with pytest.raises(OfferRefused, match="expected a name"):
        FIRST.check(value)


def test_a_long_text_costs_no_time() -> None:
    """Only its beginning is looked at for the suggestion."""
    assert suggest_name("\u00e9" * 10_000_000) == f"; did you mean '{'e' * 32}'?"


def test_a_choice_that_is_close_is_suggested() -> None:
    """Options with choices have the same help."""
    option = Option("missed", "choice", "silent", "", choices=("silent", "resign"))
    with pytest.raises(OfferRefused, match="did you mean 'resign'"):
        option.parse("resing")


@pytest.mark.parametrize(
    ("players", "said"),
    [
        (["alice"], "for 2 to 4 players, not 1"),
        (["alice", "turn"], "'turn' is a word"),
        (["alice", "*"], "'*' is no player's name"),
        (["alice", "Bob"], "'Bob' is no player's name; did you mean 'bob'"),
        (["alice", "host"], "'host' is no player's name"),
        (["alice", "bob", "alice"], "'alice' stands twice"),
    ],
)
def test_players_have_names_of_their_own(players: list[str], said: str) -> None:
    """Events and positions tell players apart by their names alone."""
    with pytest.raises(OfferRefused, match=re.escape(said)):
        check_players(players, (2, 4), frozenset({"turn"}), "a game")


def test_players_with_names_are_taken() -> None:
    """As many as the game has seats for."""
    check_players(["alice", "bob", "carol"], (2, 4), frozenset({"turn"}), "a game")
