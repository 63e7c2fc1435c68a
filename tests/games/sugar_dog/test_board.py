"""The map as text and as SVG, and the sentences of the news."""

from __future__ import annotations

import pictures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dice import Dice
from games.game import Written
from games.promises import heard_by
from games.sugar_dog import GAME
from games.sugar_dog.board import chart

PUBLISHED = """\
6 .  .  .  .  .  .
5 .  .  .  .  .  .
4 .  .  .  m  .  S
3 .  .  .  .  .  .
2 .  .  .  .  .  v
1 .  .  .  .  .  h
  A  B  C  D  E  F
"""


def test_the_published_map(at):
    """The map of the published example."""
    table = at(
        turn="bob",
        alice={"sub": "F4", "mines": ["D4"], "left": 2, "torpedoes": ["F2 S"]},
        bob={"sub": "A1"},
        contacts={"bob": "F1", "alice": "F2"},
    )
    text = GAME.draw(GAME.view(table.state, "alice"))
    assert text.startswith(PUBLISHED + "S your submarine ")


def test_the_notes_below_say_what_the_map_does_not(at):
    """Whose turn, mines under the submarine and those left, headings, whose contact, who is sunk,
    who offers a draw, and where others heard oneself last."""
    table = at(
        turn="bob",
        n=7,
        offers=["carol"],
        contacts={"bob": "F1", "alice": "F2"},
        alice={"sub": "F4", "mines": ["F4", "D4"], "left": 1, "torpedoes": ["F2 S"]},
        bob={"sub": "A1"},
        carol={"sub": "A2"},
        dave={"sunk": True, "mines": ["A1"]},
    )
    assert notes(table.state, "alice") == [
        "Turn 7: bob.",
        "1 alice: submarine in F4, torpedo F2 S, mines in F4 D4, they heard F2, 1 mine",
        "  left.",
        "2 bob: heard F1.",
        "3 carol: never heard, offers a draw.",
        "4 dave: sunk.",
    ]
    assert notes(table.state, None) == [
        "Turn 7: bob.",
        "1 alice: heard F2.",
        "2 bob: heard F1.",
        "3 carol: never heard, offers a draw.",
        "4 dave: sunk.",
    ]
    assert notes(table.state, "dave")[-1] == "4 dave: sunk, mine in A1."
    assert notes(GAME.start(table.state.setup), "bob") == ["Everybody picks a cell to start from."]
    over = at(alice={"sub": "A1"}, bob={"sunk": True}).state
    assert notes(over, "bob")[0] == "Turn 1: the game is over."
    assert notes(over, "alice")[1] == "alice: submarine in A1, 3 mines left."


def notes(state, player):
    """What stands below the map."""
    return GAME.draw(GAME.view(state, player)).partition("\n\n")[2].splitlines()


def test_all_that_is_in_a_cell_is_drawn(at):
    """Own submarine, torpedoes with their headings, mines, and others' contacts by number."""
    table = at(
        turn="bob",
        alice={"sub": "A3", "mines": ["A3", "A2", "A1"], "torpedoes": ["A3 N", "A2 W"]},
        bob={"sub": "F6"},
        carol={"sunk": True},
        contacts={"bob": "A1", "carol": "B1"},
    )
    lines = GAME.draw(GAME.view(table.state, "alice")).splitlines()
    assert [lines[row][:8] for row in (5, 6, 7)] == ["3 S+ .  ", "2 <+ .  ", "1 m+ 3  "]


def test_after_the_reveal_the_sea_as_it_was_is_drawn(at):
    """Every fleet; what the players saw of it stands in none of their maps."""
    table = at(
        turn="bob",
        alice={"sub": "A3", "mines": ["B2"], "left": 2},
        bob={"sub": "A3", "torpedoes": ["C1 E"]},
        carol={"sunk": True, "mines": ["D4"]},
        contacts={"bob": "A1"},
    )
    drawn = GAME.draw_whole(table.state)
    for mark in ("S1+", "m1", ">2", "m3"):
        assert mark in drawn.partition("\n\n")[0]
    svg = GAME.svg_whole(table.state)
    assert {(piece.cell, piece.id) for piece in pictures.pieces(svg)} == {
        ("A3", "alice-submarine"), ("A3", "bob-submarine"), ("B2", "alice-mine-B2"),
        ("C1", "bob-torpedo-E-1"), ("D4", "carol-mine-D4"),
    }  # fmt: skip
    whole = GAME.draw_whole(GAME.start(table.state.setup))
    assert whole.endswith("Everybody picks a cell to start from.\n")


def test_row_numbers_are_right_aligned(at):
    """From ten rows on the map keeps its edge."""
    players = {name: {"sub": "J10"} for name in ("alice", "bob", "carol", "dave")}
    lines = GAME.draw(GAME.view(at(turn="alice", **players).state, "bob")).splitlines()
    assert lines[0].startswith("10 .")
    assert lines[0].endswith(".  S")
    assert lines[9].startswith(" 1 .")
    assert lines[10].startswith("   A  B")


@pytest.mark.parametrize("players", range(2, 27))
def test_the_map_is_at_most_78_columns_wide_where_it_fits(players):
    """Wide maps get narrower cells; beyond that nothing helps. Nothing but ASCII, no blank ends."""
    setup = GAME.setup([f"p{number}" for number in range(players)], {})
    fleets = {player: {"sub": "A1"} for player in setup.players}
    heard = dict.fromkeys(setup.players, "B2")
    position = {"turn": "p0", "contacts": heard, "misses": {}, **fleets}
    text = GAME.draw(GAME.view(GAME.state(setup, position), "p0"))
    below = text.splitlines()[2 * players + 4 :]
    assert max(map(len, below)) <= 78
    widest = max(map(len, text.splitlines()))
    assert widest <= 78 or 2 * (2 * players + 2) + 3 > 78
    assert text.isascii()
    assert all(line == line.rstrip() for line in text.splitlines())


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 4), st.integers(0, 2**32), st.integers(0, 60))
def test_the_svg_is_one_document_with_a_piece_for_each_on_the_text_map(reach, players, seed, steps):
    """A mark in each cell that has a piece; no id twice; a title that says whose it is; the same
    notes."""
    state = reach(players, seed, steps).state
    for player in (None, *state.setup.players):
        view = GAME.view(state, player)
        svg, drawn = GAME.svg(view), GAME.draw(view)
        pieces = pictures.pieces(svg)
        ids = [piece.id for piece in pieces if piece.id]
        assert len(ids) == len(set(ids))
        assert list(pictures.cells(svg)) == [str(cell) for cell in state.board.cells()]
        rows = drawn.splitlines()[: state.board.rows]
        marks = [mark for row in rows for mark in row.split()[1:] if mark != "."]
        assert len({piece.cell for piece in pieces}) == len(marks)
        whose = "everybody" if player is None else player
        assert whose in pictures.read(svg).findtext(f"{pictures.SPACE}title")
        below = " ".join(pictures.written(svg))
        for note in " ".join(notes(state, player)).split():
            assert note in below


def test_a_piece_keeps_its_name_as_it_moves(at):
    """A page can follow it from one board to the next; of two torpedoes on one lane only the first
    has the name."""
    table = at(
        turn="alice",
        alice={"sub": "A1", "mines": ["D4"], "torpedoes": ["B2 N", "B1 N", "C6 W"]},
        bob={"sub": "F6"},
        contacts={"bob": "F1"},
    )
    expected = ["submarine", "torpedo-N-B", "torpedo-W-6", "mine-D4", "contact-bob"]
    assert ids_of(table.state) == expected
    step = table.step(alice="silent A2")
    assert ids_of(step.state) == [
        "submarine", "torpedo-N-B", "torpedo-W-6", "mine-D4", "contact-bob",
    ]  # fmt: skip


def ids_of(state):
    """The ids in Alice's picture, in order."""
    return [piece.id for piece in pictures.pieces(GAME.svg(GAME.view(state, "alice"))) if piece.id]


@pytest.mark.parametrize("many", [2, 7, 26])
def test_no_two_players_contacts_look_alike(many):
    """However many play, and however alike the names are: where colours repeat, numbers tell."""
    names = [f"player-{number}" for number in range(1, many + 1)]
    fleets = {name: {"sub": "A1"} for name in names}
    contacts = {
        name: f"{'ABCDEF'[number % 6]}{number // 6 + 1}" for number, name in enumerate(names)
    }
    position = {"turn": names[0], "contacts": contacts, **fleets}
    state = GAME.state(GAME.setup(names, {}), position)
    pieces = chart(GAME.view(state, None)).pieces
    assert len({(piece.side, piece.shape) for piece in pieces}) == len(pieces) == many


@pytest.mark.parametrize(
    ("lines", "cells"),
    [
        (("silent D4",), {"D4": ["S"], "F2": ["v"]}),
        (("cruise D4 E4",), {"E4": ["S"], "F2": ["v"]}),
        (("mine", "draw"), {"C4": ["S", "m"], "F2": ["v"]}),
        (("fire N",), {"C4": ["S"], "C6": ["^"], "F2": ["v"]}),
        (("fire W",), {"A4": ["<"], "C4": ["S"], "F2": ["v"]}),
        (("ping",), {"C4": ["S"], "F2": ["v"]}),
    ],
)
def test_a_plan_is_drawn(at, lines: tuple[str, ...], cells: dict[str, list[str]]) -> None:
    """Where one's own pieces will be if nothing is struck; nothing is said of anybody else."""
    table = at(turn="alice", alice={"sub": "C4", "torpedoes": ["F2 S"]}, bob={"sub": "D4"})
    view = GAME.planned(GAME.view(table.state, "alice"), lines)
    drawn: dict[str, list[str]] = {}
    for piece in chart(view).pieces:
        drawn.setdefault(str(piece.cell), []).append(piece.mark)
    assert drawn == cells


def test_a_start_is_drawn() -> None:
    """Before anybody is at sea."""
    before = GAME.start(GAME.setup(("alice", "bob"), {}))
    view = GAME.planned(GAME.view(before, "alice"), ("start B2",))
    assert [(str(piece.cell), piece.mark) for piece in chart(view).pieces] == [("B2", "S")]


def seen(*turns):
    """What stands beside Alice's map, and the marks of the others on it, after these turns of a
    game that she begins: order lines by player."""
    state = GAME.start(GAME.setup(("alice", "bob"), {"first": "alice"}))
    found = None
    for written in turns:
        orders = {
            name: GAME.read(GAME.view(state, name), Written(text)) for name, text in written.items()
        }
        step = GAME.adjudicate(state, orders, Dice(b""))
        state = step.state
        found = GAME.deduced(GAME.view(state, "alice"), heard_by("alice", step), found)
    view = GAME.view(state, "alice")
    marks = [(piece.mark, str(piece.cell)) for piece in GAME.chart_known(view, found).pieces]
    return GAME.brief(view, found).notes[1:], [one for one in marks if one[0] in "hPe"]


BEGIN = {"alice": "start A1", "bob": "start C3"}


def test_echoes_say_what_they_may_be():
    """One is the submarine; of more one is, and several can be in one cell. Once it was heard
    elsewhere, the echoes have a line of their own."""
    one = [BEGIN, {"alice": "ping"}]
    assert seen(*one) == (("bob    echo from C3, 1 turn ago: the submarine",), [("e", "C3")])
    two = [BEGIN, {"alice": "silent"}, {"bob": "mine"}, {"alice": "ping"}]
    said = "bob    2 echoes from C3 (2), 1 turn ago: the submarine and a mine or torpedo"
    assert seen(*two)[0] == (said,)
    more = [BEGIN, {"alice": "silent"}, {"bob": "mine"}, {"alice": "silent"}, {"bob": "fire E"}]
    assert seen(*more, {"alice": "ping"})[0] == (
        "bob    3 echoes from C3 (2) E3, 1 turn ago: the submarine and 2 mines or torpedoes",
    )
    assert seen(*more, {"alice": "ping"}, {"bob": "cruise C4"})[0] == (
        "bob    heard C4, 1 turn ago",
        "echoes of turn 5: C3 (2) E3",
    )
    pinged = seen(BEGIN, {"alice": "silent"}, {"bob": "ping"})
    assert pinged == (("bob    pinged from C3, 1 turn ago",), [("P", "C3")])


def test_what_is_destroyed_is_marked_no_more():
    """Alice's torpedo meets Bob's in E1, where it was heard; otherwise the mark stays."""
    turns = [{"alice": "start C1", "bob": "start E3"}, {"alice": "silent"}, {"bob": "fire S"}]
    before = seen(*turns)
    assert before == (("bob    heard E1, 1 turn ago",), [("h", "E1")])
    for line, marks in (("cruise D1", [("h", "E1")]), ("fire E", [])):
        notes, left = seen(*turns, {"alice": line}, {"bob": "silent"})
        assert left == marks
        assert ("destroyed" in notes[0]) == (not marks)
    assert notes[0] == "bob    heard E1, 3 turns ago; what was there is destroyed"
