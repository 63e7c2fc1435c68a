"""What a game may leave out: its picture, its random bot, the reading of its options."""

from __future__ import annotations

import pictures
from high_low import GAME, HighLow, State
from replacing import replace

from games.chart import Chart, text
from games.dice import Dice
from games.game import Malformed, View
from games.grid import Board
from games.picture import svg

SETUP = GAME.setup(("alice", "bob"), {})


def test_a_game_without_a_board_shows_its_view() -> None:
    """A line a key, in the order of the keys; nothing that the view does not hold."""
    state = State(SETUP, {"alice": 3, "bob": 7}, "bob")
    assert GAME.draw(GAME.view(state, "alice")) == 'alice: 3\nturn: "bob"\n'
    assert GAME.draw(GAME.view(state, None)) == 'turn: "bob"\n'


def test_a_game_without_pictures_shows_its_text() -> None:
    """As SVG, with special characters escaped; a title and no board."""
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


def test_text_and_svg_are_made_of_the_chart_of_a_game() -> None:
    """Of a view by `chart`, with nothing hidden by `chart_whole`."""
    seen, whole = (Chart(title, Board(2, 1)) for title in ("seen", "whole"))

    class Charted(HighLow):
        def chart(self, view: View) -> Chart:
            return seen

        def chart_whole(self, state: State) -> Chart:
            return whole

    state = State(SETUP, {"alice": 3, "bob": 7}, "bob")
    view = GAME.view(state, None)
    assert (Charted().draw(view), Charted().svg(view)) == (text(seen), svg(seen))
    assert (Charted().draw_whole(state), Charted().svg_whole(state)) == (text(whole), svg(whole))


def test_a_game_may_draw_text_of_its_own() -> None:
    """Then its SVG holds the lines of that text."""

    class Texts(HighLow):
        def draw(self, view: View) -> str:
            return "own\nlines\n"

        def draw_whole(self, state: State) -> str:
            return "all\n"

    state = State(SETUP, {"alice": 3, "bob": 7}, "bob")
    assert pictures.written(Texts().svg(GAME.view(state, None))) == ["High Low", "own", "lines"]
    assert pictures.written(Texts().svg_whole(state)) == ["High Low", "all"]


def test_a_game_without_bots_has_one() -> None:
    """It writes what may be written: the same from the same dice, and not always the same."""
    bot = GAME.bots["random"]("alice")
    bot.hear(GAME.view(GAME.start(SETUP), "alice"), ())
    written = [bot.order(Dice(b"%d" % seed)).orders for seed in range(40)]
    assert set(written) <= {f"hide {number}" for number in range(1, 21)}
    assert len(set(written)) > 10
    assert written[7] == bot.order(Dice(b"7")).orders


def test_a_changed_view_forgets_what_it_was_written_from() -> None:
    """Whoever asks "what if" changes what it shows; then only that counts."""
    view = View(SETUP, "alice", {"n": 1}).beside("one")
    assert view.sight == "one"
    assert replace(view, shown={"n": 2}).sight is None


def test_a_refusal_quotes_what_was_written() -> None:
    """Where nothing was written it quotes nothing."""
    assert str(Malformed(2, "fyre", "expected a word")) == "line 2: 'fyre': expected a word"
    assert str(Malformed(None, "", "expected a command")) == "expected a command"
    assert str(Malformed(2, "fyre", "expected a word").alone()) == "expected a word"
