"""The bots: legal, bounded, deterministic, from their own reports; the captain the better one."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from games.dice import Dice
from games.sugar_dog import GAME
from games.sugar_dog.captain import Captain

NAMES = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi")


@dataclass
class Played:
    """How a game between bots went."""

    winner: str | None
    lines: list[str]


def play(bots, seed, absent=()):
    """A game between bots. Who is absent misses every deadline after the setup."""
    setup = GAME.setup(NAMES[: len(bots)], {})
    state, rules, lines = GAME.start(setup), Dice(seed), []
    seats = {name: GAME.bots[bot](name) for name, bot in zip(setup.players, bots, strict=True)}
    for name, bot in seats.items():
        bot.hear(GAME.view(state, name), ())
    while awaited := GAME.awaited(state):
        orders = {}
        for prompt in awaited:
            if prompt.player in absent and prompt.what == "turn":
                continue
            written = seats[prompt.player].order(Dice(seed + prompt.player.encode()))
            orders[prompt.player] = GAME.read(GAME.view(state, prompt.player), written)
            lines.append(written.orders)
        step = GAME.adjudicate(state, orders, rules)
        state = step.state
        for name, bot in seats.items():
            told = [event.told_to(name) for event in step.events if event.heard_by(name)]
            bot.hear(GAME.view(state, name), told)
        assert state.n < 1000
    return Played(GAME.outcome(state).winner, lines)


def test_the_captain_beats_random_play():
    """Of 30 games of two, seats swapped, the captain wins 25 or more and loses 2 at most."""
    wins = losses = 0
    for number in range(30):
        bots = ("captain", "random") if number % 2 else ("random", "captain")
        winner = play(bots, b"match/%d" % number).winner
        captain = NAMES[bots.index("captain")]
        wins += winner == captain
        losses += winner not in (captain, None)
    assert wins >= 25
    assert losses <= 2


@pytest.mark.parametrize(("count", "games", "drawn"), [(2, 10, 0), (3, 3, 1), (4, 2, 0), (5, 1, 0)])
def test_captains_seek_each_other_until_one_is_left(count, games, drawn):
    """They do not go round in circles: within 400 steps, and of so many games few are drawn."""
    played = [play(("captain",) * count, b"duel/%d" % number) for number in range(games)]
    assert all(len(one.lines) < 400 for one in played)
    assert [one.winner for one in played].count(None) <= drawn


@pytest.mark.parametrize("bots", [("random",) * 2, ("random",) * 8, ("captain", "random") * 2])
def test_mixed_and_random_games_end(bots):
    """Random play ends itself, with captains among it or without."""
    for number in range(4):
        assert len(play(bots, b"mixed/%d" % number).lines) < 600


def test_a_captain_finds_an_opponent_who_never_moves():
    """Against someone who misses every deadline it pings, closes in and wins."""
    for number in range(4):
        assert play(("captain", "captain"), b"gone/%d" % number, {"bob"}).winner == "alice"


def test_the_same_seed_gives_the_same_game():
    """Bots draw through their dice alone."""
    for bots in (("captain", "captain"), ("random", "random", "captain")):
        assert play(bots, b"again") == play(bots, b"again")


def test_a_bot_that_has_heard_nothing_says_so():
    """Ordering comes after hearing."""
    for bot in GAME.bots.values():
        with pytest.raises(ValueError, match="heard"):
            bot("alice").order(Dice(b""))


def captain_of(table, player="alice"):
    """A captain who has just heard this position."""
    bot = Captain(player)
    bot.hear(GAME.view(table.state, player), ())
    return bot


def test_a_captain_fires_at_a_contact_in_reach(at):
    """Bob cruises and ends two cells north of Alice, in her lane: she fires north."""
    table = at(turn="bob", alice={"sub": "C2"}, bob={"sub": "E4"})
    bot = captain_of(table)
    step = table.step(bob="cruise D4 C4")
    told = [event.told_to("alice") for event in step.events if event.heard_by("alice")]
    bot.hear(GAME.view(step.state, "alice"), told)
    assert bot.order(Dice(b"1")).orders == "fire N"


@pytest.mark.parametrize("torpedo", ["A1 N", "E4 W"])
def test_a_captain_keeps_out_of_the_way_of_its_own_torpedo(at, torpedo):
    """It does not end its turn where its own torpedo, which has advanced by then, runs next."""
    position = {"turn": "alice", "bob": {"sub": "F6"}}
    table = at(**position, alice={"sub": "A4", "left": 0, "torpedoes": [torpedo]})
    for seed in range(8):
        text = captain_of(table).order(Dice(b"%d" % seed)).orders
        fleet = table.step(alice=text).state.fleets["alice"]
        table.states.pop()
        ahead = fleet.torpedoes[0].cell.step(fleet.torpedoes[0].heading)
        assert fleet.sub not in (ahead, ahead.step(fleet.torpedoes[0].heading))
