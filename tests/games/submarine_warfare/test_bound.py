"""The bound on reports: never exceeded, and not a matter of what is hidden."""

from __future__ import annotations

import json

from games.dice import Dice
from games.game import Written
from games.submarine_warfare import GAME
from games.submarine_warfare.lines import MOST_LINES

BOUND = GAME.report_bound(GAME.check_options({}))
LONG = ("a" * 32, "b" * 32)


def size(report):
    """The bytes of a view and events as canonical JSON."""
    return len(json.dumps(report, sort_keys=True, separators=(",", ":")).encode("ascii"))


def test_no_report_of_a_long_game_is_longer_than_the_bound(play):
    """With names of 32 characters, games without a last round, random play and captains."""
    for seed in range(30):
        bots = (("random", "random"), ("captain", "random"), ("captain", "captain"))[seed % 3]
        for step in play(seed, bots, {"rounds": 0}, LONG):
            for name in LONG:
                assert 0 < size(step.report(name)) <= BOUND


def test_reports_fit_sixteen_kibibytes():
    """Envelope, length and all; whatever the options."""
    assert BOUND + 320 + 4 <= 16 * 1024
    assert GAME.report_bound(GAME.check_options({"rounds": 10_000, "missed": "pass"})) == BOUND


def adjudicate(alice, bob, text):
    """Alice's turn with these lines, and her report's size."""
    position = {"turn": LONG[0], "round": 40, "first": LONG[1], LONG[0]: alice, LONG[1]: bob}
    state = GAME.state(GAME.setup(LONG, {"rounds": 0}), position)
    orders = {LONG[0]: GAME.read(GAME.view(state, LONG[0]), Written(text))}
    step = GAME.adjudicate(state, orders, Dice(b""))
    return max(
        size(
            {
                "events": [event.told_to(name) for event in step.events if event.heard_by(name)],
                "view": GAME.view(step.state, name).shown,
            }
        )
        for name in LONG
    )


def test_the_fullest_turns_are_not_longer():
    """A full row pushed along twice, then all that 30 lines can be void; a sonar with six AP that
    finds five; a map full of mines."""
    subs = ["a A4 5 down armor", "b C4 5 down heal", "c E4 5 down battering-ram"]
    subs += ["d G4 5 down torpedo", "e A1 5 down reactor"]
    foes = ["v B4 5 down armor", "w D4 5 down battering-ram", "x F4 5 down heal"]
    foes += ["y G7 5 down sonar", "z G1 5 down mine"]
    lines = ["a move E", "b move N", *["a surface"] * (MOST_LINES - 2)]
    full = adjudicate({"subs": subs, "draw": True}, {"subs": foes}, "\n".join(lines))
    mines = [f"{column}{row}" for row in (2, 3, 5, 6) for column in "AB"] + ["F7", "G2", "E1"]
    finder = {"subs": ["a F6 5 down sonar", "b A1 3 down reactor"], "mines": mines}
    near = ["v G6 5 up heal", "w F5 5 down mine", "x E6 5 up armor"]
    near += ["y G7 5 down nullify", "z E5 5 down repair"]
    found = adjudicate(finder, {"subs": near}, "draw\n" + "a sonar\n" * 6)
    assert 3000 < full <= BOUND
    assert 2500 < found <= BOUND
