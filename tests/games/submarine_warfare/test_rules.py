"""What holds in every game, step by step, whatever is ordered."""

from __future__ import annotations

from itertools import pairwise

import pytest
from matches import BOTS

from games.game import Outcome
from games.submarine_warfare import GAME
from games.submarine_warfare.state import LETTERS


@pytest.mark.parametrize("bots", BOTS)
def test_what_no_step_can_break(play, bots):
    """One submarine a cell, none on a mine, no mine on a scoring cell, HP from 1 to 5, specials and
    letters once a side, points that never fall (SW-3, 5, 6, 8, 13, 18)."""
    for seed in range(12):
        points = {"alice": 0, "bob": 0}
        for step in play(seed, bots):
            sides, subs = step.state.sides, step.state.subs.values()
            mines = [str(cell) for side in sides.values() for cell in side.mines]
            cells = [str(sub.at) for sub in subs] + mines
            assert len(cells) == len(set(cells))
            assert not set(mines) & {"D4", "D3", "C4", "E4", "D5", "C3", "E3", "C5", "E5"}
            assert all(1 <= sub.hp <= 5 for sub in subs)
            for (name, side), own in zip(sides.items(), LETTERS, strict=True):
                held = [*step.state.fleet(name), *side.sunk]
                assert sorted(one.letter for one in held) == list(own)
                assert len({one.special for one in held}) == 5
                assert side.points >= points[name]
                points[name] = side.points


@pytest.mark.parametrize("bots", BOTS)
def test_turns_alternate_and_rounds_count(play, bots):
    """SW-16: a round is a turn of each, from who goes first; nobody is awaited at the end only."""
    for seed in range(6):
        steps = list(play(seed, bots))
        for one, two in pairwise(steps[1:]):
            assert one.state.turn == two.before.turn != one.before.turn
            ended = one.before.turn != one.before.first
            assert one.state.round == one.before.round + ended
        last = steps[-1].state
        assert GAME.awaited(last) == ()
        assert last.turn is None
        assert isinstance(GAME.outcome(last), Outcome)
        assert all(GAME.outcome(step.before) is None for step in steps)
        assert [event.kind for event in steps[-1].events].count("over") == 1
        assert steps[-1].events[-1].kind == "over"
