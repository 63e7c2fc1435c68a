"""The map as text and as SVG, and the sentences of the news."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.sugar_dog import GAME

PUBLISHED = """\
  +---+---+---+---+---+---+
6 |   |   |   |   |   |   |
  +---+---+---+---+---+---+
5 |   |   |   |   |   |   |
  +---+---+---+---+---+---+
4 |   |   |   | m |   | s |
  +---+---+---+---+---+---+
3 |   |   |   |   |   |   |
  +---+---+---+---+---+---+
2 |   |   |   |   |   | t |
  +---+---+---+---+---+---+
1 |   |   |   |   |   | c |
  +---+---+---+---+---+---+
    A   B   C   D   E   F
"""


def test_the_published_map(at):
    """The map of the published example, character by character."""
    table = at(
        turn="bob",
        alice={"sub": "F4", "mines": ["D4"], "left": 2, "torpedoes": ["F2 S"]},
        bob={"sub": "A1"},
        contacts={"bob": "F1", "alice": "F2"},
    )
    assert GAME.draw(GAME.view(table.state, "alice")) == PUBLISHED


def test_of_several_in_a_cell_the_first_of_s_t_m_c_is_drawn(at):
    """Own submarine before torpedo before mine before another's contact."""
    table = at(
        turn="bob",
        alice={"sub": "A3", "mines": ["A3", "A2", "A1"], "torpedoes": ["A3 N", "A2 N"]},
        bob={"sub": "F6"},
        carol={"sunk": True},
        contacts={"bob": "A1", "carol": "B1"},
    )
    lines = GAME.draw(GAME.view(table.state, "alice")).splitlines()
    assert [lines[row][:9] for row in (11, 13, 15)] == ["3 | s |  ", "2 | t |  ", "1 | m | c"]


def test_row_numbers_are_right_aligned(at):
    """From ten rows on the frame keeps its edge."""
    players = {name: {"sub": "J10"} for name in ("alice", "bob", "carol", "dave")}
    lines = GAME.draw(GAME.view(at(turn="alice", **players).state, "bob")).splitlines()
    assert lines[1].startswith("10 |") and lines[1].endswith("| s |")
    assert lines[19].startswith(" 1 |")
    assert lines[-1].startswith("     A   B")


@pytest.mark.parametrize("players", range(2, 27))
def test_the_map_is_at_most_78_columns_wide_where_it_fits(players):
    """Wide maps get narrower cells; beyond that nothing helps. Nothing but ASCII, no blank ends."""
    setup = GAME.setup([f"p{number}" for number in range(players)], {})
    text = GAME.draw(GAME.view(GAME.start(setup), "p0"))
    widest = max(map(len, text.splitlines()))
    assert widest <= 78 or 2 * (2 * players + 2) + 4 > 78
    assert text.isascii()
    assert all(line == line.rstrip() for line in text.splitlines())


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 4), st.integers(0, 2**32), st.integers(0, 60))
def test_the_svg_is_one_document_with_a_mark_for_each_on_the_text_map(reach, players, seed, steps):
    """Well-formed XML; as many marked cells as the text map has; a title that says whose it is."""
    state = reach(players, seed, steps).state
    for player in state.setup.players:
        view = GAME.view(state, player)
        root = ET.fromstring(GAME.svg(view))  # noqa: S314 - our own document
        space = {"svg": "http://www.w3.org/2000/svg"}
        discs = root.findall(".//svg:circle", space)
        rows = GAME.draw(view).splitlines()[1:-1:2]
        marks = [mark for row in rows for mark in row if mark in "stmc"]
        assert len(discs) == len(marks)
        assert player in root.find("svg:title", space).text


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 4), st.integers(0, 2**32), st.integers(0, 60))
def test_every_event_has_a_sentence(reach, players, seed, steps):
    """From a report and from an entry alike: one line of ASCII that names what happened."""
    for events in reach(players, seed, steps).events:
        for event in events:
            sentence = GAME.news(event.told_to(event.audience))
            assert sentence == GAME.news(event.public())
            assert sentence.isascii() and sentence.endswith((".", "!")) and "{" not in sentence
            assert all(
                str(value) in sentence for value in event.fields.values() if value is not True
            )


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ({"kind": "over", "winner": "bob"}, "The game is over: bob wins."),
        ({"kind": "over", "draw": True}, "The game is a draw."),
        ({"kind": "draw-offered", "by": "bob"}, "bob offers a draw."),
        ({"kind": "void", "line": 3, "reason": "sunk"}, "Your line 3 was not carried out: sunk."),
        ({"kind": "torpedo-lost", "from": "A1"}, "Your torpedo has left the map from A1."),
    ],
)
def test_rare_events_have_theirs_too(event, sentence):
    """Those that random games seldom bring about."""
    assert GAME.news(event) == sentence
