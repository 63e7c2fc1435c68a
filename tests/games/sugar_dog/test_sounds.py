"""What everybody hears, sorted by whose place it belongs to, and in words."""

from __future__ import annotations

from games.grid import Cell
from games.sugar_dog import GAME
from games.sugar_dog.sounds import Place, Sound, places, told

SETUP = GAME.setup(["alice", "bob", "carol"], {})
C3, D4 = Cell(3, 3), Cell(4, 4)


def turn(player):
    return {"kind": "turn", "player": player, "n": 1}


def heard(kind, by, at=None):
    return {"kind": kind, "by": by, **({} if at is None else {"at": at})}


def test_places_stand_in_turn_order_up_to_the_next_turn():
    """SD-12, SD-14: also those where nothing was heard."""
    found = places([turn("alice")], SETUP, "alice")
    assert found == (Place("alice", True), Place("bob", False), Place("carol", False))
    assert places([turn("alice")], SETUP, "bob") == (Place("alice", True),)


def test_a_sound_belongs_to_its_maker_and_what_follows_to_the_last_sound():
    """A contact with an impact, by which somebody is lost."""
    events = [
        turn("alice"),
        heard("contact", "alice", "C3"),
        {"kind": "impact", "at": "C3"},
        {"kind": "sunk", "player": "bob"},
        heard("clear", "carol"),
    ]
    alice, bob, carol = places(events, SETUP, None)[:3]
    assert alice.sounds == (Sound("contact", C3, hit=True, sunk=("bob",)),)
    assert bob.sounds == ()
    assert carol.sounds == (Sound("clear"),)


def test_echoes_belong_to_their_ping():
    """Each echo with its owner."""
    events = [turn("bob"), heard("ping", "bob", "C3"), {"kind": "echo", "of": "alice", "at": "D4"}]
    (place, *_) = places(events, SETUP, None)
    assert place.sounds == (Sound("ping", C3, echoes=(("alice", D4),)),)


def test_who_sinks_before_any_sound_has_resigned():
    """SD-2: also in the setup, where nobody has a turn yet."""
    assert places([{"kind": "sunk", "player": "carol"}], SETUP, "alice") == (
        Place("carol", True, resigned=True),
    )


def test_notes_tell_what_others_did_and_what_one_struck():
    """Of one's own turn only an impact; others' echoes with their owners."""
    own = Place("alice", True, (Sound("contact", C3), Sound("contact", D4, hit=True)))
    ping = Place("bob", False, (Sound("ping", C3, echoes=(("carol", D4),)), Sound("clear")))
    assert list(told((own, ping), ("bob", "carol"))) == [
        "impact in D4, by you",
        "bob: ping from C3, no further contacts",
        "echoes of carol: D4",
    ]
    assert list(told((Place("bob", True),), ("bob",))) == []
