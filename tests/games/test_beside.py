"""What stands beside a board: sentences, a line about each side, standing orders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from matches import played

import games
from games.game import Deductions, Table, View
from games.news import PLAYS, SIGNS, Said, named

GAMES = ("sugar-dog", "silent-ships", "submarine-warfare")
PLAYERS = ("alice", "bob")


def reports(name: str, steps: int = 12) -> Iterator[tuple[View, list[Table]]]:
    """The reports of a game of random bots, and what everybody heard."""
    for step in played(name)[:steps]:
        for player in (*PLAYERS, None):
            heard = [one.plain() for one in step.events if one.audience in ("*", player)]
            yield step.game.view(step.state, player), heard


@pytest.mark.parametrize("name", GAMES)
def test_every_report_is_told(name: str) -> None:
    """To each player and to everybody: plain sentences, cells of the board, known signs and ways
    of playing; nothing of a cell that the events do not name."""
    game: Any = games.load(name)
    played = set()
    for view, heard in reports(name):
        board = {str(cell) for cell in game.chart(view).board.cells()}
        there = {cell for event in heard for cell in named(event)}
        for said in game.told(view, heard):
            assert said.text.isascii()
            assert said.text.endswith((".", "!")), said
            assert set(said.cells) <= board
            # Submarine Warfare: the cell ahead of a torpedo, and all around depth charges.
            beside = {"torpedo": 1, "burst": 4}.get(said.play, 0)
            assert len(set(said.cells) - there) <= beside, said
            assert said.play in PLAYS
            assert not said.sign or said.sign in SIGNS
            played.add(said.play)
        sides = game.sides(view, Deductions())
        assert not sides or list(sides) == list(PLAYERS)
    assert {"run"} <= played


@pytest.mark.parametrize("name", GAMES)
def test_a_sentence_names_a_piece_of_the_board(name: str) -> None:
    """Of the board before or after, with what the seat knows; or of what is gone at once: a
    torpedo, what was heard of it, a mine in a cell that is taken, a vessel out of sight."""
    game: Any = games.load(name)
    seen: dict[str, set[str]] = {}
    for player in (*PLAYERS, None):
        known: Deductions | None = None
        before = set[str]()
        for step in played(name, 0, ("captain", "captain")):
            view, heard = game.view(step.state, player), step.heard(player)
            known = game.deduced(view, heard, known) if player else None
            drawn = game.chart_known(view, known) if known else game.chart(view)
            after = {piece.id for piece in drawn.pieces}
            for said in game.told(view, heard):
                there = {said.piece, *said.struck} - {""} <= before | after
                assert there or said.play in ("torpedo", "contact", "lay", "sink"), said
                seen.setdefault(said.play, set()).add(said.piece)
            before = after
    # Silent Ships tells of a ship by its cell.
    if name != "silent-ships":
        named = {play for play, pieces in seen.items() if pieces - {""}}
        assert named >= seen.keys() - {"", "burst", "torpedo"}
    assert "sink" in seen


def told(name: str, player: str, *events: Table) -> list[Said]:
    game: Any = games.load(name)
    view = game.view(game.start(game.setup(PLAYERS, {})), player)
    return list(game.told(view, events))


def test_a_turn_of_sugar_dog() -> None:
    """Runs are one sentence, echoes of one player too; one's own noise is left out."""
    events: tuple[Table, ...] = (
        {"kind": "turn", "player": "alice", "n": 9},
        {"kind": "torpedo", "at": "D5"},
        {"kind": "contact", "by": "alice", "at": "D5"},
        {"kind": "torpedo", "at": "D6"},
        {"kind": "contact", "by": "alice", "at": "D6"},
        {"kind": "torpedo-lost", "from": "D6"},
        {"kind": "ping", "by": "alice", "at": "D3"},
        {"kind": "echo", "of": "bob", "at": "E6"},
        {"kind": "echo", "of": "bob", "at": "B6"},
    )
    said = told("sugar-dog", "alice", *events)
    assert [one.text for one in said] == [
        "Your torpedo enters D5, then D6, and leaves the map.",
        "You ping from D3.",
        "Echo from E6 and B6, bob's.",
    ]
    assert [one.piece for one in said] == ["torpedo-N-D", "submarine", "echo-bob-B6"]
    run, ping, echo = said
    assert 0 < run.rank < ping.rank < echo.rank
    heard = [one for one in events if one["kind"] in ("turn", "contact", "ping")]
    assert [(one.text, one.play) for one in told("sugar-dog", "bob", *heard)] == [
        ("Contact in D5, then D6, by alice.", "contact"),
        ("alice pings from D3.", "ping"),
    ]


def test_two_runs_are_not_one() -> None:
    """One's own torpedoes, and what others hear of them: each enters two cells a turn."""
    cells = ("C3", "C4", "C5", "D5")
    own = [{"kind": "torpedo", "at": at} for at in cells]
    assert [one.text for one in told("sugar-dog", "alice", *own)] == [
        "Your torpedo enters C3, then C4.",
        "Your torpedo enters C5, then D5.",
    ]
    heard = [{"kind": "contact", "by": "alice", "at": at} for at in cells]
    assert [(one.text, one.cells) for one in told("sugar-dog", "bob", *heard)] == [
        ("Contact in C3, then C4, by alice.", ("C3", "C4")),
        ("Contact in C5, then D5, by alice.", ("C5", "D5")),
    ]


def test_what_a_torpedo_met() -> None:
    """Its owner is told that it was no submarine, where none is lost; what it was nobody knows."""
    hit: Table = {"kind": "impact", "at": "D3"}
    lost = [{"kind": "lost", "what": what, "at": "D3"} for what in ("mine", "torpedo")]
    sunk: Table = {"kind": "sunk", "player": "bob"}

    def texts(*events: Table) -> list[str]:
        return [one.text for one in told("sugar-dog", "alice", *events)]

    assert texts(hit) == ["Impact in D3!"]
    assert texts(hit, lost[1]) == [
        "Impact in D3: your torpedo met a mine or another torpedo, and no submarine."
    ]
    assert texts(hit, lost[0]) == ["Impact in D3: your mine is destroyed, and no submarine."]
    assert texts(hit, *lost) == [
        "Impact in D3: your mine is destroyed, and no submarine; so is your torpedo."
    ]
    assert texts(hit, sunk, lost[1]) == [
        "Impact in D3!",
        "bob's submarine is lost.",
        "Your torpedo in D3 is destroyed.",
    ]


def test_a_way_of_silent_ships() -> None:
    """Each step of a ship with what it cost, of one's own cards the names; steps that cost nothing
    more are one way."""
    step: tuple[Table, ...] = (
        {"kind": "discarded", "player": "alice", "count": 1},
        {"kind": "discarded", "player": "alice", "cards": ["frigate"]},
        {"kind": "moved", "from": "B4", "to": "A4"},
        {"kind": "discarded", "player": "alice", "count": 1},
        {"kind": "discarded", "player": "alice", "cards": ["speed-boat"]},
        {"kind": "moved", "from": "A4", "to": "A3"},
    )
    assert [one.text for one in told("silent-ships", "alice", *step)] == [
        "You pay Frigate: the ship in B4 moves to A4.",
        "You pay Speed boat: the ship in A4 moves to A3.",
    ]
    public = [one for one in step if "cards" not in one]
    (theirs,) = told("silent-ships", "bob", *public[:2], *public[3:])
    assert theirs.text == "alice pays 1 card: the ship in B4 moves to A4, then A3."
    assert (theirs.cells, theirs.play) == (("B4", "A4", "A3"), "run")


def test_a_turn_of_submarine_warfare() -> None:
    """Moves in a row are one way; a hit is told with what was heard before it."""
    said = told(
        "submarine-warfare",
        "alice",
        {"kind": "moved", "sub": "x", "at": "D6"},
        {"kind": "moved", "sub": "x", "at": "D5"},
        {"kind": "torpedo", "sub": "x", "at": "D5", "heading": "S"},
        {"kind": "hit", "sub": "c", "amount": 2},
    )
    assert [(one.text, one.piece, one.struck) for one in said] == [
        ("x moves to D6, then D5.", "sub-x", ()),
        ("x in D5 fires a torpedo S; c takes 2 damage.", "", ("sub-c",)),
    ]


def test_a_submarine_that_is_destroyed_is_told_in_one_sentence() -> None:
    """With its cell, where that is told; its wreck lies there. Who only goes out of sight is no
    such news."""
    gone: Table = {"kind": "destroyed", "sub": "x"}
    at: Table = {"kind": "destroyed-at", "sub": "x", "at": "D6"}
    (said,) = told("submarine-warfare", "alice", gone, at)
    assert (said.text, said.cells, said.play) == ("x is destroyed in D6.", ("D6",), "sink")
    assert (said.piece, said.wreck, said.side) == ("sub-x", "x", "foe")
    (unseen, dives) = told(
        "submarine-warfare", "alice", gone, {"kind": "submerged", "sub": "b", "at": "C6"}
    )
    assert unseen.cells == ()
    assert (dives.play, dives.piece) == ("turn", "sub-b")
    assert unseen.rank == said.rank > dives.rank


def test_what_matters_most() -> None:
    """From the loudest on; the rest matters least, and what has no sign not at all."""
    by = {"by": "bob"}
    found = [
        *told("sugar-dog", "alice", {"kind": "sunk", "player": "bob"}),
        *told("sugar-dog", "alice", {"kind": "impact", "at": "A1"}),
        *told("silent-ships", "alice", {"kind": "attack", "from": "A1", "to": "A2"}),
        *told("sugar-dog", "alice", {"kind": "echo", "of": "bob", "at": "A1"}),
        *told("sugar-dog", "alice", {"kind": "ping", **by, "at": "A1"}),
        *told("sugar-dog", "alice", {"kind": "contact", **by, "at": "A1"}),
        *told("silent-ships", "alice", {"kind": "flipped", "at": "A1", "ship": "frigate"}),
        *told("sugar-dog", "alice", {"kind": "torpedo", "at": "A1"}),
        *told("sugar-dog", "alice", {"kind": "moved", "to": "A1"}),
        *told("sugar-dog", "alice", {"kind": "laid", "at": "A1", "left": 2}),
        *told("silent-ships", "alice", {"kind": "drew", "player": "bob", "count": 1}),
        *told("sugar-dog", "alice", {"kind": "started", "at": "A1"}),
        *told("sugar-dog", "alice", {"kind": "draw-offered", **by}),
    ]
    ranks = [one.rank for one in found]
    assert ranks == sorted(set(ranks), reverse=True)
    assert ranks[-1] == 0


def test_standing_orders_are_asked() -> None:
    """Each kind of line, with what holds now; a game without such lines asks nothing."""
    for view, _ in reports("silent-ships", 3):
        asked = games.load("silent-ships").standing(view)
        if view.player is not None and "setup" not in view.shown:
            assert [one.line.split()[1] for one in asked] == ["retreat", "support", "discard"]
            assert [one.now for one in asked] == ["ask", "ask", None]
    for view, _ in reports("sugar-dog", 2):
        assert games.load("sugar-dog").standing(view) == ()
