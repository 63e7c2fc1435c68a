"""Order lines: what is read, what is refused and how, and the list of legal lines."""

from __future__ import annotations

import pytest
from example import refusal
from hypothesis import given, settings
from hypothesis import strategies as st

from games.game import Illegal, Malformed, OrderError, Written
from games.grid import column_name
from games.sugar_dog import GAME
from games.sugar_dog.moves import Orders

seeds, lengths = st.integers(0, 2**32), st.integers(0, 60)
WORDS = ("silent", "cruise", "ping", "fire", "mine", "draw", "resign", "start", "SILENT")
REST = ("A1", "B1", "a2", "C4", "Z9", "N", "s", "7", "#", "\n", "\u017f")
words = st.sampled_from(WORDS + REST)
texts = st.one_of(st.text(max_size=60), st.lists(words, max_size=8).map(" ".join))


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 3), seeds, lengths, texts)
def test_any_text_parses_or_is_refused(reach, players, seed, steps, text):
    """SD-6: any text gives orders, or one of the two errors, which says where and what."""
    state = reach(players, seed, steps).state
    for player in state.setup.players:
        view = GAME.view(state, player)
        try:
            orders = GAME.read(view, Written(text))
        except OrderError as error:
            assert isinstance(error, Malformed | Illegal)
            assert error.expected.strip()
            assert error.line is None or error.text in text
            assert (error.line is None) == (not error.text)
            assert str(error).isascii()
        else:
            assert isinstance(orders, Orders)


def every_line(state):
    """Every one-line order whose words are right, on the map and one cell around it."""
    edge = range(1, state.board.columns + 2)
    cells = [f"{column_name(column)}{row}" for column in edge for row in edge]
    yield from ("silent", "ping", "mine", "draw", "resign")
    yield from (f"fire {heading}" for heading in "NESW")
    for word in ("start", "silent", "cruise"):
        yield from (f"{word} {cell}" for cell in cells)
    near = cells[:12]
    yield from (f"cruise {first} {second}" for first in cells for second in near)


@settings(max_examples=15, deadline=None)
@given(seeds, lengths)
def test_the_legal_lines_are_exactly_those_that_are_read(reach, seed, steps):
    """Each listed line is accepted (a `draw` beside a command), and every other is refused."""
    state = reach(2, seed, steps).state
    for player in state.setup.players:
        view = GAME.view(state, player)
        legal = GAME.legal(view)
        assert len(set(legal)) == len(legal)
        for line in legal:
            GAME.read(view, Written(line if line != "draw" else "draw\nsilent"))
        for line in every_line(state):
            if line not in legal:
                with pytest.raises(OrderError):
                    GAME.read(view, Written(line))


def paths(view, lines=()):
    """Every path through `after` from these lines on."""
    yield lines
    for choice in GAME.after(view, lines).choices:
        yield from paths(view, (*lines, choice.text))


@settings(max_examples=8, deadline=None)
@given(seeds, lengths)
def test_whatever_is_read_can_be_reached(reach, seed, steps):
    """Any one or two lines that `read` takes are a complete path through `after`."""
    state = reach(2, seed, steps).state
    for player in state.setup.players:
        view = GAME.view(state, player)
        whole = {lines for lines in paths(view) if GAME.after(view, lines).complete}
        for line in every_line(state):
            for lines in ((line,), ("draw", line), (line, "draw"), (line, "silent")):
                try:
                    GAME.read(view, Written("\n".join(lines)))
                except OrderError:
                    assert lines not in whole
                else:
                    assert lines in whole


def test_a_choice_names_its_cells_and_says_what_it_does(table):
    """For a page or a list: the cells of the line in order, and a few words of plain ASCII."""
    choices = {
        choice.text: choice for choice in GAME.after(GAME.view(table.state, "alice"), ()).choices
    }
    assert choices["cruise A5 B5"].cells == ("A5", "B5")
    assert choices["fire N"].cells == ()
    assert choices["silent"].cells == ()
    assert all(choice.label and choice.label.isascii() for choice in choices.values())


@pytest.mark.parametrize(
    "lines", [("silnet",), ("silent C1",), ("silent", "ping"), ("resign", "draw")]
)
def test_lines_that_were_not_offered_are_a_mistake_of_the_caller(table, lines):
    """`after` says which line."""
    with pytest.raises(ValueError, match=f"'{lines[-1]}' was not offered"):
        GAME.after(GAME.view(table.state, "alice"), lines)


@pytest.mark.parametrize(
    ("text", "line", "expected", "hint"),
    [
        ("silent A7", 1, "A7 is not on the map (A1 to F6)", "legal now: silent, silent B6"),
        ("silent B5", 1, "expected a cell next to A6, not diagonally", "legal now: silent, "),
        ("\ncruise A5 C5", 2, "expected a cell next to A5", "legal now: cruise B6, "),
        ("mine", 1, "expected another command: no mine is left", ""),
        ("start A1", 1, "expected a command: the setup is over", ""),
        ("resign\ndraw", 2, "expected no 'draw' together with 'resign'", ""),
    ],
)
def test_an_illegal_file_says_where_what_and_what_is_legal(table, text, line, expected, hint):
    """Line number, what was expected, and the legal lines of the same command."""
    error = refusal(GAME, GAME.view(table.state, "alice"), text)
    assert isinstance(error, Illegal)
    assert error.line == line
    assert error.expected.startswith(expected)
    assert error.hint.startswith(hint)


def test_who_is_not_awaited_is_told_why(at, table):
    """Another's turn, sunk, or over: three reasons, all public."""
    refused = refusal(GAME, GAME.view(table.state, "bob"), "silent")
    assert refused.expected == "it is alice's turn, not yours"
    three = at(turn="alice", alice={"sub": "A1"}, bob={"sub": "A2"}, carol={"sunk": True})
    assert "sunk" in refusal(GAME, GAME.view(three.state, "carol"), "silent").expected
    over = at(alice={"sub": "A1"}, bob={"sunk": True})
    assert "over" in refusal(GAME, GAME.view(over.state, "alice"), "silent").expected
