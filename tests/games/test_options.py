"""Options: players' names, which are checked when a game is offered; and a club's terms."""

from __future__ import annotations

import re
from typing import Any

import pytest

import games
from games.options import OfferRefused, Option, check_players, offset, suggest_name

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


# The options of every game that a club agrees on.

GAMES = [games.load(name) for name in games.installed()]
every_game = pytest.mark.parametrize("game", GAMES, ids=[game.id for game in GAMES])


@every_game
def test_a_club_sets_its_terms_together(game: Any) -> None:
    """The preset, and options over it."""
    values = game.check_options(game.parse_options(["club", "zone=+05:45"]))
    assert [values[name] for name in ("rest", "zone", "away")] == ["sat,sun", "+05:45", 2]
    assert list(values)[-5:] == ["press", "rest", "zone", "away", "match"]


@every_game
@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["rest=mon,tue,wed,thu,fri,sat,sun"], "option rest = 'mon,tue,wed,thu,fri,sat,sun': exp"),
        (["rest=mon,tue,wed,thu,fri,sat,sun"], "in this order, not all seven"),
        (["rest=sun,sat"], "option rest = 'sun,sat'"), (["rest=sat,sat"], "option rest ="),
        (["rest="], "expected none, or some of mon,tue"), (["rest=Sat"], "option rest = 'Sat'"),
        (["zone=+01:00"], "option zone = '+01:00': expected rest too"),
        (["rest=sun", "zone=-00:00"], "option zone = '-00:00': expected hours and minutes"),
        (["rest=sun", "zone=+14:01"], "at most 14:00"), (["rest=sun", "zone=Europe/Berlin"], "UTC"),
        (["rest=sun", "zone=+01:60"], "option zone"), (["rest=sun", "zone=01:00"], "option zone"),
        (["away=10"], "option away = 10: expected a whole number from 0 to 9"),
        (["turn_time=999999d"], "option turn_time = '999999d': expected a time such as"),
        (["turn_time=3651d"], "at most 3650d"), (["match=3"], "expected none, first, or the"),
        (["match=" + "A" * 64], "option match = "), ([f"match={'a' * 63}"], "option match = "),
        ([f"match={'a' * 65}"], "option match = "),
    ],
)  # fmt: skip
def test_terms_that_cannot_be(game: Any, texts: list[str], said: str) -> None:
    """Quoted, with what was expected."""
    with pytest.raises(OfferRefused) as caught:
        game.check_options(game.parse_options(texts))
    assert said in str(caught.value)
    assert str(caught.value).isascii()


@every_game
@pytest.mark.parametrize("match", ["first", "a" * 64])
def test_no_lot_says_who_goes_first_in_a_match(game: Any, match: str) -> None:
    """So its second game changes that, and it is for two."""
    with pytest.raises(OfferRefused, match=f"option match = '{match}': expected first too"):
        game.check_options({"match": match})
    values = {"match": match, "first": 1}
    assert game.setup(("ann", "ben"), values).options["first"] == "ann"
    if game.seats[1] > 2:
        with pytest.raises(OfferRefused, match="a match is between two, not 3: leave out match"):
            game.setup(("ann", "ben", "cleo"), values)


@pytest.mark.parametrize("zone", ["+14:00", "-14:00", "+00:30", "-00:30", "+00:00"])
def test_a_zone_is_a_fixed_offset(zone: str) -> None:
    """Both ways, to the minute."""
    sign = -1 if zone[0] == "-" else 1
    assert offset(zone) == sign * (int(zone[1:3]) * 3_600 + int(zone[4:]) * 60)


@pytest.mark.parametrize(
    ("game", "texts", "fits"),
    [
        ("sugar-dog", ["missed=resign"], False), ("sugar-dog", ["missed=silent"], True),
        ("sugar-dog", ["missed=resign", "misses=2"], False),
        ("sugar-dog", ["missed=resign", "misses=3"], True),
        ("silent-ships", ["missed=resign"], False), ("silent-ships", ["missed=end"], True),
        ("submarine-warfare", ["missed=lose"], False), ("submarine-warfare", ["missed=pass"], True),
        ("submarine-warfare", [], False),
    ],
)  # fmt: skip
def test_a_seat_is_not_handed_on_once_its_player_is_out(
    game: str, texts: list[str], *, fits: bool
) -> None:
    """So many missed deadlines end the game for them, or they do not."""
    rules = games.load(game)
    given = rules.parse_options(["away=2", *texts])
    if fits:
        assert rules.check_options(given)["away"] == 2
    else:
        with pytest.raises(OfferRefused, match=r"away = 2 hands a seat on .* missed = "):
            rules.check_options(given)
