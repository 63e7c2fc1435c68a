"""What a seat can work out of Sugar Dog: all that fits what was heard, and nothing else."""

from __future__ import annotations

import pytest
from example import worked_out

from games.game import Deductions
from games.grid import read_cell
from games.sugar_dog import GAME
from games.sugar_dog.deduced import Guess, Place, Sound, Track, follow, places, unknown
from games.sugar_dog.state import Torpedo, board


def cell(text):
    """The cell of that name."""
    return read_cell(text)


def heard(*sounds, owner="bob"):
    """A turn of that owner with these sounds: a contact as its cell, `A1!` one with an impact by
    which bob is sunk, `A1?` one by which he is not."""
    made = []
    for sound in sounds:
        if sound == "clear":
            made.append(Sound("clear"))
        elif sound[-1] in "!?":
            sunk = ("bob",) if sound[-1] == "!" else ()
            made.append(Sound("contact", cell(sound[:-1]), True, sunk))
        else:
            made.append(Sound("contact", cell(sound)))
    return Place(owner, True, tuple(made))


def ping(at, *echoes, owner="bob"):
    """A turn in which that owner pings, with the echoes of bob."""
    found = tuple(("bob", cell(echo)) for echo in echoes)
    return Place(owner, True, (Sound("ping", cell(at), echoes=found),))


@pytest.fixture
def sea():
    """The 6 by 6 map."""
    return board(GAME.setup(["alice", "bob"], {}))


def at(sea, sub, *torpedoes):
    """A track of bob, who is known to be there, with torpedoes such as `F2 S`."""
    flying = tuple(Torpedo(cell(text[:-2]), text[-1]) for text in torpedoes)
    return Track(sea, {Guess(cell(sub), flying): 1})


def cells(track):
    """Where the submarine may be, by name."""
    return {str(one) for one in track.where()}


def test_a_straight_run_is_a_cruise_or_a_shot(sea):
    """After C4 D4 the submarine is in D4, or has fired from B4; one that was in C3 cannot have
    fired."""
    assert cells(follow(unknown(sea), "bob", heard("C4", "D4"))) == {"D4", "B4"}
    assert cells(follow(at(sea, "C3"), "bob", heard("C4", "D4"))) == {"D4"}


def test_a_silent_turn_reaches_the_neighbours_and_no_further(sea):
    """SD-5: it stays, or creeps one cell."""
    silent = follow(at(sea, "C3"), "bob", heard())
    assert cells(silent) == {"C3", "B3", "D3", "C2", "C4"}
    assert cells(follow(at(sea, "C3"), "bob", heard(owner="alice"))) == {"C3"}


def test_a_cell_that_another_entered_unharmed_was_empty(sea):
    """SD-8: no impact, nothing there, however silent it runs."""
    track = follow(unknown(sea), "bob", heard("C4", "D4", owner="alice"))
    assert cells(track) & {"C4", "D4"} == set()
    assert len(cells(track)) == 34


def test_an_impact_tells_whether_the_submarine_was_there(sea):
    """SD-8, SD-11: everybody hears who is sunk by it; whoever is not sunk was not there."""
    assert cells(follow(unknown(sea), "bob", heard("C4?", owner="alice"))) == {
        str(one) for one in sea.cells() if str(one) != "C4"
    }
    sunk = follow(unknown(sea), "bob", heard("C4!", owner="alice"))
    assert set(sunk.weights) == {Guess(None)}
    cruised = follow(unknown(sea), "bob", heard("C4!"))
    assert set(cruised.weights) == {Guess(None)}
    fired = follow(unknown(sea), "bob", heard("C4?"))
    assert cells(fired) == {"B4", "D4", "C3", "C5"}


def test_a_torpedo_is_followed_to_where_it_runs_next(sea):
    """A shot from A3 that was heard in B3 and C3 runs to D3 and E3, and is feared there."""
    track = follow(at(sea, "A3"), "bob", heard("B3", "C3"))
    assert track.struck()[cell("D3")] == track.struck()[cell("E3")] > 0
    assert cell("F3") not in track.struck()
    silent = follow(track, "bob", heard())
    assert cell("D3") not in silent.struck()
    assert cells(silent) <= {"C3", *map(str, sea.adjacent(cell("C3")))}


def test_a_torpedo_that_another_struck_runs_no_more(sea):
    """SD-8: what is in the cell of an impact is gone."""
    flying = at(sea, "A3", "C3 E")
    struck = follow(flying, "bob", heard("C3?", owner="alice"))
    assert set(struck.weights) == {Guess(cell("A3"))}
    assert cells(follow(struck, "bob", heard())) == {"A3", "A2", "A4", "B3"}
    assert not follow(flying, "bob", heard()).fits


def test_one_torpedo_may_destroy_the_other_before_it_moves(sea):
    """SD-4: the older runs into the younger, which then does not run."""
    track = follow(at(sea, "A1", "B3 E", "D3 N"), "bob", heard("C3", "D3?"))
    assert {guess.torpedoes for guess in track.weights} == {()}


def test_echoes_leave_only_guesses_that_answer_from_there(sea):
    """SD-13: all that a player has answers a ping, so nothing lies where no echo comes from."""
    track = follow(unknown(sea), "bob", ping("A1", "B2", "F6", owner="alice"))
    assert cells(track) == {"B2", "F6"}
    assert track.laid == 1
    own = follow(unknown(sea), "bob", ping("C3", "B2"))
    assert cells(own) == {"C3"}
    assert own.mines == (cell("B2"),)


def test_no_more_than_three_objects_are_mines(sea):
    """SD-5: of five echoes at least one is a torpedo's; without torpedoes no guess fits."""
    assert not follow(
        unknown(sea), "bob", ping("A1", *["B1", "C1", "D1", "E1", "F1"], owner="alice")
    ).fits


def test_the_sounds_of_a_step_are_told_by_whose_place_it_is():
    """SD-12: sunk players' places follow the turn's in one step, heard or not."""
    events = [
        {"kind": "turn", "player": "alice", "n": 4},
        {"kind": "contact", "by": "alice", "at": "A2"},
        {"kind": "impact", "at": "A2"},
        {"kind": "sunk", "player": "dave"},
        {"kind": "contact", "by": "carol", "at": "D5"},
        {"kind": "clear", "by": "carol"},
    ]
    setup = GAME.setup(["alice", "bob", "carol", "dave"], {})
    assert places(events, setup, "dave") == (
        Place("alice", True, (Sound("contact", cell("A2"), True, ("dave",)),)),
        Place("bob", False),
        Place("carol", False, (Sound("contact", cell("D5")), Sound("clear"))),
    )


def test_places_stand_in_turn_order_up_to_the_next_turn():
    """SD-12, SD-14: also those where nothing was heard; and each echo belongs to its ping."""
    setup = GAME.setup(["alice", "bob", "carol"], {})
    turn = {"kind": "turn", "player": "alice", "n": 1}
    found = places([turn], setup, "alice")
    assert found == (Place("alice", True), Place("bob", False), Place("carol", False))
    assert places([turn], setup, "bob") == (Place("alice", True),)
    ping = {"kind": "ping", "by": "alice", "at": "C3"}, {"kind": "echo", "of": "bob", "at": "D4"}
    (place, *_) = places([turn, *ping], setup, None)
    assert place.sounds == (Sound("ping", cell("C3"), echoes=(("bob", cell("D4")),)),)


def test_who_resigns_is_gone_and_their_torpedoes_are_not():
    """SD-16: `sunk` before any sound means resigned; in the setup, missed the deadline."""
    setup = GAME.setup(["alice", "bob", "carol"], {})
    events = [
        {"kind": "turn", "player": "bob", "n": 2},
        {"kind": "sunk", "player": "bob"},
        {"kind": "contact", "by": "bob", "at": "D5"},
        {"kind": "clear", "by": "bob"},
    ]
    assert places(events, setup, "carol") == (
        Place("bob", True, (Sound("contact", cell("D5")), Sound("clear")), resigned=True),
    )
    missed = places([{"kind": "sunk", "player": name} for name in ("alice", "bob")], setup, None)
    assert {place.owner for place in missed if place.resigned} == {"alice", "bob"}


def told(*turns):
    """What Alice can work out of a game after these turns: order lines by player, in turn order."""
    return worked_out(GAME, GAME.start(GAME.setup(("alice", "bob"), {"first": "alice"})), *turns)


BEGIN = {"alice": "start A1", "bob": "start C3"}


def test_a_player_is_told_what_can_be_and_who_was_heard_when():
    """Bob lays a mine, then cruises: where he can be, what he may have left, and how long ago."""
    quiet = told(BEGIN, {"alice": "silent"}, {"bob": "mine"})
    assert len(quiet.may["bob's submarine"]) == 36
    assert quiet.may["bob's mines left"] == (2, 3)
    loud = told(
        BEGIN, {"alice": "silent"}, {"bob": "mine"}, {"alice": "silent"}, {"bob": "cruise C4"}
    )
    assert loud.may["bob's submarine"] == ("C4",)
    assert loud.notes == ("last turn: Contact in C4, by bob, and no further.",)
    shot = told(BEGIN, {"alice": "silent"}, {"bob": "fire S"}, {"alice": "silent"})
    assert shot.may["bob's submarine"] == ("C1", "C3")
    assert shot.may["bob's torpedoes"] == ([], ["C1 S"])
    assert shot.notes == ("2 turns ago: Contact in C2, then C1, by bob.",)


def test_echoes_are_noted():
    """A ping tells where all lies, and how many mines are laid at least."""
    found = told(BEGIN, {"alice": "silent"}, {"bob": "mine"}, {"alice": "ping"})
    assert found.may["bob's submarine"] == ("C3",)
    assert found.may["bob's mines left"] == (2,)
    assert found.notes == ("last turn: Echo from C3 (2), bob's.",)


def test_nothing_is_left_to_be_worked_out_of_a_game_that_is_over():
    """The reveal opens it; of a game that has not begun nothing is worked out either."""
    assert told(BEGIN, {"alice": "resign"}).may == {}
    assert told().may == {}


def test_who_was_not_told_everything_is_promised_nothing(sea):
    """A seat that was taken over knows nothing of what is in flight; a bot in it goes on."""
    setup = GAME.setup(["alice", "bob"], {})
    state = GAME.state(
        setup, {"turn": "bob", "alice": {"sub": "A1"}, "bob": {"sub": "C3", "torpedoes": ["D1 N"]}}
    )
    late = GAME.deduced(GAME.view(state, "alice"), [], None)
    assert late.may == {}
    assert isinstance(late, Deductions)
    assert late.memory.tracks["bob"].where()
