"""The events, each as a sentence."""

from __future__ import annotations

import pytest

from games.game import EVERYONE
from games.grid import Cell
from games.sugar_dog import GAME, events


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ({"kind": "over", "winner": "bob"}, "The game is over: bob wins."),
        ({"kind": "over", "draw": True}, "The game is a draw."),
        ({"kind": "draw-offered", "by": "bob"}, "bob offers a draw."),
        (
            {"kind": "void", "line": 3, "reason": "sunk"},
            "Your line 3 was not carried out: your submarine was lost before.",
        ),
        ({"kind": "torpedo-lost", "from": "A1"}, "Your torpedo has left the map from A1."),
    ],
)
def test_rare_events_have_theirs_too(event, sentence):
    """Those that random games seldom bring about."""
    assert GAME.news(event) == sentence


def test_events_are_for_those_who_may_hear():
    """Cells are written as players write them; of one's own objects nobody else hears."""
    at = Cell(3, 4)
    everybody = [
        events.turn("bob", 7), events.draw_offered("bob"), events.contact("bob", at),
        events.clear("bob"), events.impact(at), events.sunk("bob"), events.ping("bob", at),
        events.echo("bob", at), events.over("bob"), events.over(None),
    ]  # fmt: skip
    own = [
        events.started("bob", at), events.moved("bob", at), events.laid("bob", at, 2),
        events.torpedo("bob", at), events.torpedo_lost("bob", at), events.lost("bob", "mine", at),
        events.void("bob", 3, "sunk"),
    ]  # fmt: skip
    assert {event.audience for event in everybody} == {EVERYONE}
    assert {event.audience for event in own} == {"bob"}
    kinds = [event.kind for event in (*everybody, *own)]
    assert len(set(kinds)) == len(kinds) - 1
    for event in (*everybody, *own):
        assert "C4" in event.fields.values() or at not in event.fields.values()
        assert GAME.news(event.whole()).isascii()
