"""The bot beside a player."""

from __future__ import annotations

from typing import Any

import pytest
from high_low import GAME as HIGH_LOW

import games
from adjudicator.words.adviser import advice, adviser, usual_bot
from orders.errors import Refused

Table = Any


def test_the_captain_advises_where_there_is_one() -> None:
    """A game without one has a bot that takes any line."""
    assert usual_bot(games.load("sugar-dog")) == "captain"
    assert usual_bot(HIGH_LOW) == "random"


def test_advice_is_taken_by_the_game(table: Table) -> None:
    """The host accepts it, and asked again in the same position it is the same."""
    own = table.seated("alice")
    told = advice(own)
    assert advice(own) == told
    assert table.submit("alice", told.orders) == "accepted"


def test_the_adviser_knows_what_the_seat_was_told_alone(table: Table) -> None:
    """Where the rival is changes nothing of the advice: none of its reports is opened."""
    told = []
    for where in ("start C1", "start F6"):
        other = table.copy(table.root.with_name(where.replace(" ", "-")))
        other.play({"alice": "start C4", "bob": where})
        own = other.seated("alice")
        bot = adviser(own)
        told.append((type(bot), own.report().view.shown))
    assert told[0] == told[1]


def test_who_is_not_awaited_gets_no_advice(table: Table) -> None:
    """After the end, and while another is awaited, it is refused in words."""
    table.play({"alice": "start C4", "bob": "start C1"}).play({"alice": "resign"})
    for name in ("alice", "bob"):
        with pytest.raises(Refused, match="over: there is nothing to advise"):
            advice(table.seated(name))


def test_every_report_is_heard_once(table: Table) -> None:
    """From the setup on, in their order."""
    table.play({"alice": "start C4", "bob": "start C1"})
    heard: list[str | None] = []
    game = table.seated("alice").opening.game

    class Ears:
        def __init__(self, player: str) -> None:
            self.player = player

        def hear(self, view: Any, events: Any) -> None:
            heard.append(view.player)

    own = table.seated("alice")
    bots = {"random": Ears}
    kind = type(game)
    before = kind.bots
    try:
        kind.bots = property(lambda self: bots)
        adviser(own)
    finally:
        kind.bots = before
    assert heard == ["alice", "alice"]
