"""The events, each as a sentence."""

from __future__ import annotations

from games.submarine_warfare import GAME


def test_every_event_is_a_sentence(play):
    """In plain ASCII, as reports and as entries have it, naming the submarines that it is about."""
    kinds = set()
    for seed in range(30):
        for step in play(seed):
            for event in step.events:
                kinds.add(event.kind)
                told = [event.whole() for name in ("alice", "bob") if event.heard_by(name)]
                for fields in (*told, event.plain()):
                    text = GAME.news(fields)
                    assert text.isascii()
                    assert text.endswith((".", "!"))
                    for key in ("sub", "at", "mover", "struck", "target", "amount", "reason"):
                        assert str(fields.get(key, "")) in text
    assert len(kinds) >= 22


def test_the_end_is_told_with_its_reason():
    """A winner, the organiser, and a draw."""
    assert GAME.news({"kind": "over", "winner": "bob", "how": "fifty"}) == (
        "The game is over: bob wins (50 points)."
    )
    assert "host wins" in GAME.news({"kind": "over", "winner": "host", "how": "none-left"})
    assert GAME.news({"kind": "over", "draw": True, "how": "agreed"}) == (
        "The game is a draw: agreed."
    )


def test_a_destruction_out_of_sight_is_told_without_its_place():
    """SW-7: and a healing without its target."""
    assert GAME.news({"kind": "destroyed", "sub": "v"}) == "v is destroyed."
    assert GAME.news({"kind": "destroyed", "sub": "v", "at": "C4"}) == "v is destroyed in C4."
    assert GAME.news({"kind": "heal", "sub": "a"}) == "a heals a submarine out of sight."


def test_moves_in_a_row_are_told_of_each_submarine_by_itself():
    """In short news, after one's last orders."""
    setup = GAME.setup(("alice", "bob"), {})
    view = GAME.view(GAME.start(setup), "alice")
    ways = (
        ("w", "C6"),
        ("w", "C5"),
        ("x", "D6"),
        ("x", "D5"),
        ("w", "C4"),
        ("a", "A2"),
        ("y", "E6"),
    )
    told = GAME.gist(view, [{"kind": "moved", "sub": sub, "at": at} for sub, at in ways])
    assert told == "w moves to C6-C5; x moves to D6-D5; w moves to C4; y moves to E6."
