"""The board after each sentence, and wrecks: of whole games, and of single turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import repeat
from typing import Any

import pytest
from matches import played

import games
from adjudicator.page.boards import WRECK, Heard, strewn, unfolded, wrecks
from games.chart import Chart, Piece
from games.dice import Dice
from games.examples.battleship import GAME as BATTLESHIP
from games.game import Deductions, Written
from games.grid import Cell, read_cell
from games.news import Said, rank

NAMES = ("sugar-dog", "silent-ships", "submarine-warfare", "battleship")
READERS = ("alice", "bob", None)
RESIGN, DICE = Written("resign"), Dice(b"")


@pytest.fixture(autouse=True)
def _with_battleship(monkeypatch: pytest.MonkeyPatch) -> None:
    load = games.load
    monkeypatch.setattr(
        games, "load", lambda name: BATTLESHIP if name == "battleship" else load(name)
    )


def course(
    name: str, seed: int, reader: str | None, bots: Any = ("captain", "captain")
) -> Iterator[tuple[Chart, Chart, Sequence[Said]]]:
    """Each entry of a game as a reader sees it: the boards before and after it, and sentences."""
    game: Any = games.load(name)
    known: Deductions | None = None
    heard: list[Heard] = []
    before: Chart | None = None
    for step in played(name, seed, bots):
        view, events = game.view(step.state, reader), step.heard(reader)
        known = game.deduced(view, events, known) if reader else None
        heard.append(Heard(game.told(view, events), partial(game.chart, view)))
        drawn = game.chart_known(view, known) if known else game.chart(view)
        after = strewn(drawn, wrecks(heard)[-1])
        if before is not None:
            yield before, after, heard[-1].told
        before = after


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", NAMES)
def test_boards_lead_from_one_to_the_next(name: str, reader: str | None) -> None:
    """The last is the one after the entry; every sentence is there, in its order; its piece stands
    on the board before it or after it, or it has none; a torpedo has a shape."""
    some = False
    for seed, bots in ((0, ("captain", "captain")), (4, ("random", "random"))):
        for before, after, told in course(name, seed, reader, bots):
            last, found = unfolded(before, after, told)
            assert [one.text for one, _ in found] == [one.text for one in told]
            assert not found or found[-1][1] == after
            for one, board in found:
                ids = {piece.id for piece in (*last.pieces, *board.pieces)}
                assert {one.piece, *one.struck} - {""} <= ids, one
                assert one.shape or one.play != "torpedo"
                assert len({piece.id for piece in board.pieces}) == len(board.pieces)
                some, last = some or bool(one.piece), board
    assert some or name == "battleship"


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", NAMES)
def test_no_board_between_shows_more(name: str, reader: str | None) -> None:
    """Each piece is drawn as before or after the entry, or as a sentence draws it; it is in a cell
    where it is before or after, or that a sentence names."""
    for before, after, told in course(name, 0, reader):
        ends = (*before.pieces, *after.pieces)
        shapes = {piece.shape for piece in ends} | {one.shape for one in told}
        titles = {piece.title for piece in ends} | {one.wreck for one in told}
        cells = {str(piece.cell) for piece in ends} | {cell for one in told for cell in one.cells}
        for _, board in unfolded(before, after, told)[1]:
            assert board.grounds in (before.grounds, after.grounds)
            for piece in board.pieces:
                assert piece.shape in shapes
                assert piece.title in titles
                assert str(piece.cell) in cells


@pytest.mark.parametrize("name", NAMES[:3])
def test_a_run_goes_on_where_it_ended(name: str) -> None:
    """What runs in several sentences is after each of them in its last cell."""
    ran = 0
    for before, after, told in course(name, 0, "alice"):
        for one, board in unfolded(before, after, told)[1][:-1]:
            if one.play == "run":
                at = {piece.id: str(piece.cell) for piece in board.pieces}
                places = [cell for name, cell in at.items() if name == one.piece]
                ran += places == [one.cells[-1]]
                # It has another name where it rests, if it has none of its own.
                assert places == [one.cells[-1]] or one.cells[-1] in at.values()
    assert ran or name == "sugar-dog"


def board(*pieces: Piece) -> Chart:
    """A small board."""
    return Chart("", games.load("sugar-dog").chart(START).board, pieces)


START: Any = games.load("sugar-dog").view(
    games.load("sugar-dog").start(games.load("sugar-dog").setup(("alice", "bob"), {})), "alice"
)


def piece(name: str, at: str, token: str = "", **more: Any) -> Piece:
    """One's own, drawn as its name says."""
    cell = read_cell(at)
    assert cell is not None
    return Piece(cell, "", "own", name, name, name, token, **more)


def stands(chart: Chart) -> dict[str, str]:
    """The cells of the pieces by their names."""
    return {piece.id: str(piece.cell) for piece in chart.pieces}


def test_each_piece_changes_with_its_own_sentence() -> None:
    """The last that is about it; else the last that names its cell; else the last of all."""
    before = board(piece("a", "A1"), piece("b", "B1"), piece("c", "C1"), piece("d", "D1"))
    after = board(piece("a", "A3"), piece("d", "D2"), piece("e", "E1"))
    told = [
        Said("a", ("A2", "A3"), play="run", piece="a"),
        Said("at b", ("B1",)),
        Said("to e", ("E1",)),
        Said("c", (), piece="c"),
        Said("the end"),
    ]
    found = [stands(chart) for _, chart in unfolded(before, after, told)[1]]
    assert found == [
        {"a": "A3", "b": "B1", "c": "C1", "d": "D1"},
        {"a": "A3", "c": "C1", "d": "D1"},
        {"a": "A3", "e": "E1", "c": "C1", "d": "D1"},
        {"a": "A3", "e": "E1", "d": "D1"},
        {"a": "A3", "d": "D2", "e": "E1"},
    ]


def test_a_ship_without_a_name_is_followed() -> None:
    """Laid face down, it moves, attacks, and is turned up as it rests: one piece all the way."""
    before = board(piece("foe", "C3"))
    after = board(piece("foe", "C3"), piece("frigate", "B2"))
    told = [
        Said("laid", ("A1",), play="lay", shape="down"),
        Said("moves", ("A1", "B1", "B2"), play="run"),
        Said("attacks", ("B2", "C3"), play="fight"),
        Said("turned", ("B2",), play="turn"),
        Said("the end"),
    ]
    _, found = unfolded(before, after, told)
    assert [one.piece for one, _ in found] == ["laid-0"] * 4 + [""]
    drawn = [{one.shape: str(one.cell) for one in chart.pieces} for _, chart in found]
    assert drawn == [
        {"foe": "C3", "down": "A1"},
        {"foe": "C3", "down": "B2"},
        {"foe": "C3", "down": "B2"},
        {"foe": "C3", "frigate": "B2"},
        {"foe": "C3", "frigate": "B2"},
    ]


def test_who_is_pushed_and_who_sinks() -> None:
    """The struck one goes on; a ship that was face down shows itself as it is turned, and sinks."""
    before = board(piece("a", "A1"), piece("b", "A2"))
    wreck = piece(f"{WRECK}-b", "A3", WRECK)
    after = board(piece("a", "A1"), wreck)
    told = [
        Said("runs into", ("A1", "A2", "A3"), play="fight", piece="a", struck=("b",)),
        Said("turned", ("A3",), play="turn"),
        Said("sinks", ("A3",), play="sink", piece="b", shape="whole", wreck="b"),
        Said("the end"),
    ]
    _, found = unfolded(before, after, told)
    assert [one.piece for one, _ in found] == ["a", "b", "b", ""]
    assert [stands(chart) for _, chart in found] == [
        {"a": "A1", "b": "A3"},
        {"a": "A1", "b": "A3"},
        {"a": "A1", "wreck-b": "A3"},
        {"a": "A1", "wreck-b": "A3"},
    ]
    assert [one.shape for one in found[1][1].pieces] == ["a", "whole"]


@pytest.mark.parametrize(("at", "to", "turn"), [("C3", "C4", ""), ("C3", "D3", "rotate(90 30 30)")])
def test_a_torpedo_of_one_cell_is_turned_along_its_way(at: str, to: str, turn: str) -> None:
    """From where it was, or from who fired it, who does not go along."""
    ran = Said("", (to,), "torpedo", "torpedo")
    submarine = piece("submarine", "A1", "hidden")
    flown = board(submarine, piece("torpedo", at, about="torpedo"))
    ((one, _),) = unfolded(flown, board(submarine), [ran])[1]
    assert (one.piece, turn in one.shape) == ("torpedo", True)
    fires = board(piece("submarine", at, "hidden"))
    ((one, _),) = unfolded(fires, fires, [ran])[1]
    assert (one.piece, turn in one.shape) == ("", True)
    assert turn or "rotate" not in one.shape


def torpedo(name: str, at: str) -> Piece:
    """One that is called so, and drawn by its cell."""
    return piece(name, at, about="torpedo")._replace(shape=at)


def shot(*cells: str) -> Said:
    """A torpedo that runs north in column E; of one cell nobody says that."""
    shape, name = ("shape", "N-E") if cells[1:] else ("", "")
    return Said("", cells, "torpedo", "torpedo", shape, piece=name)


def test_two_torpedoes_in_one_lane() -> None:
    """They have one name: the one that was there before runs on, or is gone; the other is new."""
    before = board(torpedo("N-E", "E3"))
    after = strewn(board(torpedo("N-E", "E5"), torpedo("N-E", "E3")), {})
    _, found = unfolded(before, after, [shot("E4", "E5"), shot("E2", "E3"), Said("the end")])
    assert [one.piece for one, _ in found] == ["N-E", "at-E3-0", ""]
    assert [stands(chart) for _, chart in found] == [
        {"N-E": "E5"}, {"N-E": "E5", "at-E3-0": "E3"}, {"N-E": "E5", "at-E3-0": "E3"},
    ]  # fmt: skip
    before, after = board(torpedo("N-E", "E5")), board(torpedo("N-E", "E3"))
    first, found = unfolded(before, after, [shot("E6"), shot("E2", "E3"), Said("the end")])
    assert stands(first) == {"from-N-E": "E5"}
    assert [one.piece for one, _ in found] == ["from-N-E", "N-E", ""]
    assert [stands(chart) for _, chart in found] == [{}, {"N-E": "E3"}, {"N-E": "E3"}]


# Wrecks.


def last_of(name: str, seed: int, reader: str | None) -> list[str]:
    """The wrecks on the last board of a game between captains."""
    *_, (_, after, _) = course(name, seed, reader)
    return [f"{one.title} in {one.cell}" for one in after.pieces if one.token == WRECK]


def test_a_wreck_lies_where_the_report_told() -> None:
    """Of Sugar Dog all hear where it was; and of a ship of Silent Ships. It is on no board before
    the sentence that tells it."""
    for name in ("sugar-dog", "silent-ships"):
        mine, theirs, all_ = (last_of(name, 0, reader) for reader in READERS)
        assert mine == theirs == all_ != []
        for before, after, told in course(name, 0, None):
            more = {one.id for one in after.pieces} - {one.id for one in before.pieces}
            sunk = [one for one in told if one.wreck]
            assert len([one for one in more if one.startswith(WRECK)]) == len(sunk)


def test_a_submarine_that_resigns_leaves_a_wreck_for_its_owner_alone() -> None:
    """Its place was never told: it is where it stood on its owner's board."""
    game: Any = games.load("sugar-dog")
    setup = game.setup(("alice", "bob"), {})
    at = {"turn": "alice", "alice": {"sub": "C3"}, "bob": {"sub": "E5"}}
    state = game.state(setup, at)
    step = game.adjudicate(state, {"alice": game.read(game.view(state, "alice"), RESIGN)}, DICE)
    for reader, cells in (("alice", [Cell(3, 3)]), ("bob", []), (None, [])):
        events = [one.plain() for one in step.events if one.audience in ("*", reader)]
        before, after = (game.view(one, reader) for one in (state, step.state))
        heard = [Heard((), partial(game.chart, before))]
        heard += [Heard(game.told(after, events), partial(game.chart, after))]
        assert [one.cell for one in wrecks(heard)[-1].values()] == cells


def test_an_annulled_entry_leaves_no_wreck() -> None:
    """What was undone did not happen; what is sunk after it, did."""
    sinks = Said("", ("C3",), play="sink", piece="b", wreck="b", rank=rank("down"))
    again = Said("", ("D4",), play="sink", piece="b", wreck="b")
    told: tuple[tuple[Said, ...], ...] = ((), (sinks,), (), (again,))
    annuls = (None, None, 1, None)
    found = wrecks(Heard(*one) for one in zip(told, repeat(lambda: None), annuls, strict=False))
    assert [[str(one.cell) for one in now.values()] for now in found] == [[], ["C3"], [], ["D4"]]


def test_a_wreck_goes_when_its_vessel_comes_back() -> None:
    """As a ship of Silent Ships may; other pieces of its cell stay."""
    wreck = piece(f"{WRECK}-frigate", "A1", WRECK)
    with_it = strewn(board(piece("other", "A1")), {"frigate": wreck})
    assert stands(with_it) == {"other": "A1", "wreck-frigate": "A1"}
    assert stands(strewn(board(piece("frigate", "B1")), {"frigate": wreck})) == {"frigate": "B1"}
