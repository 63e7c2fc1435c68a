"""Hidden information: what a player's view and report may and may not depend on.

The two properties that make up noninterference here:

1. A quiet turn of another player is one thing to everyone else, whatever it was (SD-14).
2. Of two positions that look alike to a player, everything that they are answered before the step
   is equal; and so is their report of it, byte for byte, unless something that is hidden from them
   lies in a cell that is entered in it (SD-8), or a ping brings it out (SD-13).
"""

from __future__ import annotations

import json

from alike import adjudicated, assert_alike, report
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from replacing import replace

from games.dice import Dice
from games.sugar_dog import GAME
from games.sugar_dog.state import Fleet, Torpedo

seeds, lengths = st.integers(0, 2**32), st.integers(1, 60)
HEADINGS = ("N", "E", "S", "W")


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 4), seeds, lengths, seeds)
def test_the_public_view_tells_nothing_hidden(reach, players, seed, steps, other):
    """Positions that differ in all that is hidden have the same public view, map and picture."""
    state = reach(players, seed, steps).state
    public = GAME.view(state, None)
    world = other_world(state, None, other)
    assert GAME.view(world, None) == replace(public, setup=world.setup)
    assert GAME.draw(GAME.view(world, None)) == GAME.draw(public)
    assert GAME.svg(GAME.view(world, None)) == GAME.svg(public)
    text = json.dumps(public.shown)
    assert "sub" not in text and "mines" not in text and "torpedoes" not in text


def test_the_public_view_of_a_game_under_way(at):
    """Key by key: turn, its number, offers, contacts, who is sunk."""
    state = at(
        turn="bob",
        n=7,
        offers=["alice"],
        contacts={"bob": "F1"},
        alice={"sub": "A1", "mines": ["B2"], "torpedoes": ["C3 N"]},
        bob={"sub": "F6"},
        carol={"sunk": True, "mines": ["D4"]},
    ).state
    assert GAME.view(state, None).shown == {
        "turn": "bob", "n": 7, "offers": ["alice"], "contacts": {"bob": "F1"}, "alice": {},
        "bob": {}, "carol": {"sunk": True},
    }  # fmt: skip
    assert GAME.public(GAME.view(GAME.start(state.setup), "bob")) == {"setup": True}


def other_world(state, player, seed):
    """The same position with everything redrawn that is hidden from that player (None: from a
    stranger)."""
    dice, cells, fleets = Dice(b"%d" % seed), state.board.cells(), dict(state.fleets)

    def drawn(label):
        return cells[dice.below(label, len(cells))]

    for other, fleet in state.fleets.items():
        if other == player:
            continue
        left = dice.below(f"{other}/left", 4)
        laid = dice.below(f"{other}/laid", 4 - left)
        flying = dice.below(f"{other}/flying", 4)
        fleets[other] = Fleet(
            drawn(f"{other}/sub") if fleet.sub else None,
            tuple(drawn(f"{other}/mine/{number}") for number in range(laid)),
            left,
            tuple(
                Torpedo(
                    drawn(f"{other}/torpedo/{number}"),
                    HEADINGS[dice.below(f"{other}/heading/{number}", 4)],
                )
                for number in range(flying)
            ),
        )
    return state._replace(fleets=fleets)


def quiet_lines(state):
    """The quiet commands that the player on turn may give (SD-14)."""
    view = GAME.view(state, state.turn)
    sub = state.fleets[state.turn].sub
    for line in GAME.legal(view):
        word, _, rest = line.partition(" ")
        if word in ("silent", "mine") or (word == "fire" and not sub.step(rest).on(state.board)):
            yield line


@settings(max_examples=150, deadline=None)
@given(st.integers(2, 4), seeds, lengths)
def test_quiet_turns_are_one_to_everybody_else(reach, players, seed, steps):
    """SD-14: `silent`, `silent X`, `mine`, `fire` straight off the map and a missed deadline give
    every other player the same bytes.

    Sunk players' torpedoes that advance in the same step are left out: they may meet what the turn
    left in a cell, and then they tell."""
    state = reach(players, seed, steps).state
    assume(state.turn is not None)
    assume(not any(fleet.torpedoes for fleet in state.fleets.values() if not fleet.sub))
    results = [adjudicated(GAME, state, line) for line in quiet_lines(state)]
    results.append(GAME.adjudicate(state, {}, Dice(b"view")))
    for player in state.setup.players:
        if player != state.turn:
            assert len({report(GAME, step, player) for step in results}) == 1


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 4), seeds, lengths, seeds, st.text(max_size=20))
def test_what_looks_alike_is_answered_alike(reach, players, seed, steps, other, text):
    """Equal views have equal answers: acceptance, refusal, legal lines, map, who is awaited."""
    state = reach(players, seed, steps).state
    for player in state.setup.players:
        world = other_world(state, player, other)
        assert_alike(GAME, state, world, player, (text, "silent B2", "cruise C3 C4", "mine"))


def met(state, step):
    """Whether anything lay, before the step, in a cell that was entered in it."""
    entered = {event.fields["at"] for event in step.events if event.kind == "contact"}
    lying = {str(cell) for fleet in state.fleets.values() for cell in fleet.objects()}
    return bool(entered & lying)


@settings(max_examples=150, deadline=None)
@given(st.integers(2, 4), seeds, lengths, seeds, st.integers(0, 10_000))
def test_one_s_own_turn_tells_nothing_of_what_it_does_not_meet(
    reach, players, seed, steps, other, pick
):
    """Of two positions that look alike to the player whose turn it is, the report of the same
    command is the same, byte for byte, unless an entered cell held something. A ping aside."""
    state = reach(players, seed, steps).state
    assume(state.turn is not None)
    assume(all(fleet.sub for fleet in state.fleets.values()))
    player = state.turn
    lines = [line for line in GAME.legal(GAME.view(state, player)) if line not in ("draw", "ping")]
    line = lines[pick % len(lines)]
    worlds = (state, other_world(state, player, other))
    reports = set()
    for world in worlds:
        step = adjudicated(GAME, world, line)
        assume(not met(world, step))
        reports.add(report(GAME, step, player))
    assert len(reports) == 1


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 4), seeds, lengths)
def test_a_view_is_built_by_adding(reach, players, seed, steps):
    """Of another player a view holds whether they are sunk, and nothing else; of the public part
    everyone sees the same; one's own table is the position's."""
    state = reach(players, seed, steps).state
    position = GAME.position(state)
    for player in state.setup.players:
        shown = dict(GAME.view(state, player).shown)
        if "setup" in position:
            assert shown == position
            continue
        assert shown.pop(player) == position[player]
        for other in state.setup.players:
            if other != player:
                assert shown.pop(other) == ({"sunk": True} if "sunk" in position[other] else {})
        assert shown == {
            key: position[key] for key in ("turn", "n", "offers", "contacts") if key in position
        }


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 4), seeds, lengths)
def test_an_event_for_one_player_is_of_that_player(reach, players, seed, steps):
    """Nobody is told of another's objects: what is addressed to one player names their own cells,
    which they see in their views before or after the step."""
    table = reach(players, seed, steps)
    for before, after, events in zip(table.states, table.states[1:], table.events, strict=False):
        for event in events:
            if event.audience == "*" or event.kind in ("started", "void"):
                continue
            cell = event.fields.get("at", event.fields.get("to", event.fields.get("from")))
            public = [other.fields.get("at") for other in events if other.audience == "*"]
            own = [
                str(at)
                for state in (before, after)
                if state.fleets
                for at in state.fleets[event.audience].objects()
            ]
            assert cell in own + public
