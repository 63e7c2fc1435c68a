"""What a game may leave out: its picture, its random bot, the reading of its options."""

from __future__ import annotations

import pictures
from elsewhere.high_low import GAME, State

from games.dice import Dice
from games.game import View

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
    svg = GAME.svg(view)
    assert pictures.written(svg) == [
        "High Low", 'a: ["x", {"c": true, "d": 1}]', 'b: "<a & b>"',
    ]  # fmt: skip
    assert "data-cell" not in svg
    state = State(SETUP, {"alice": 3, "bob": 7}, "bob")
    assert GAME.draw_whole(state).splitlines() == pictures.written(GAME.svg_whole(state))[1:]
    assert "7" in GAME.draw_whole(state)


def test_a_game_without_bots_has_one() -> None:
    """It writes what may be written: the same from the same dice, and not always the same."""
    bot = GAME.bots["random"]("alice")
    bot.hear(GAME.view(GAME.start(SETUP), "alice"), ())
    written = [bot.order(Dice(b"%d" % seed)).orders for seed in range(40)]
    assert set(written) <= {f"hide {number}" for number in range(1, 21)}
    assert len(set(written)) > 10
    assert written[7] == bot.order(Dice(b"7")).orders
