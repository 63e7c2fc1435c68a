"""What a game may leave out: its picture, its random bot, the reading of its options."""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

import pytest
from elsewhere.high_low import GAME, State

from games.dice import Dice
from games.game import After, Choice, View
from games.walker import MOST_LINES, Walker

SETUP = GAME.setup(("alice", "bob"), {})


def test_a_game_without_a_board_shows_its_view() -> None:
    """A line a key, in the order of the keys; nothing that the view does not hold."""
    state = State(SETUP, {"alice": 3, "bob": 7}, "bob")
    assert GAME.draw(GAME.view(state, "alice")) == 'alice: 3\nturn: "bob"\n'
    assert GAME.draw(GAME.view(state, None)) == 'turn: "bob"\n'


def test_a_game_without_pictures_shows_its_text() -> None:
    """As SVG, with whatever must not stand there as it is; a title and no board."""
    view = View(SETUP, None, {"b": "<a & b>", "a": ["x", {"d": 1, "c": True}]})
    assert GAME.draw(view) == 'a: ["x", {"c": true, "d": 1}]\nb: "<a & b>"\n'
    svg, texts = GAME.svg(view), list[str]()
    parser = expat.ParserCreate()
    parser.CharacterDataHandler = texts.append
    parser.Parse(svg, True)
    assert "".join(texts).split("\n")[:-1] == [
        "", "High Low", "", "High Low", 'a: ["x", {"c": true, "d": 1}]', 'b: "<a & b>"',
    ]  # fmt: skip
    assert "data-cell" not in svg


def test_a_game_without_bots_has_one() -> None:
    """It writes what may be written: the same from the same dice, and not always the same."""
    bot = GAME.bots["random"]("alice")
    bot.hear(GAME.view(GAME.start(SETUP), "alice"), ())
    written = [bot.order(Dice(b"%d" % seed)).orders for seed in range(40)]
    assert set(written) <= {f"hide {number}" for number in range(1, 21)}
    assert len(set(written)) > 10
    assert written[7] == bot.order(Dice(b"7")).orders


class Endless(type(GAME)):  # type: ignore[misc]
    """A game in which one line more may always be written."""

    whole = True

    def after(self, view: Any, lines: Any) -> After:
        return After((Choice("more"),), complete=self.whole and len(lines) > 1)


def test_a_walker_ends_where_orders_are_whole() -> None:
    """Here after two lines or more; and where they never are, it says so."""
    walker = Walker(Endless(), "alice")
    with pytest.raises(ValueError, match="alice has heard nothing"):
        walker.order(Dice(b""))
    walker.hear(GAME.view(GAME.start(SETUP), "alice"), ())
    counts = [walker.order(Dice(b"%d" % seed)).orders.count("more") for seed in range(40)]
    assert min(counts) == 2 < max(counts) < MOST_LINES
    walker.game.whole = False  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="no whole orders for alice begin with"):
        walker.order(Dice(b""))
