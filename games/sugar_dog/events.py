"""The events of Sugar Dog: how each is made, for whom, and what it says in English.

Every kind of event with its audience and fields, once. `rules` decides when an event happens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from games.game import EVERYONE, Event, Player, Table
from games.grid import Cell

_Made = TypeVar("_Made", bound=Callable[..., Event])
_SENTENCES = {"over": "The game is over: {winner} wins."}
"""Sentences by kind. `_worded` fills them in as this module is loaded; they never change later."""


def _worded(sentence: str) -> Callable[[_Made], _Made]:
    """Keeps the sentence for the events that a function makes; the function's name is their
    kind."""

    def keep(made: _Made) -> _Made:
        _SENTENCES[made.__name__.replace("_", "-")] = sentence
        return made

    return keep


def news(event: Table) -> str:
    """One event, as in a report or an entry, as an English sentence in plain ASCII."""
    if event["kind"] == "over" and "draw" in event:
        why = ": nothing was struck or pinged for long" if event.get("how") == "quiet" else ""
        return f"The game is a draw{why}."
    return _SENTENCES[event["kind"]].format_map(event)


@_worded("Turn {n}: {player}.")
def turn(player: Player, n: int) -> Event:
    """SD-14: the first event of a step that adjudicates a turn."""
    return Event("turn", EVERYONE, {"player": player, "n": n})


@_worded("{by} offers a draw.")
def draw_offered(by: Player) -> Event:
    """SD-16: right after `turn`."""
    return Event("draw-offered", EVERYONE, {"by": by})


@_worded("Contact in {at}, by {by}.")
def contact(by: Player, at: Cell) -> Event:
    """SD-7: something unnamed entered a cell."""
    return Event("contact", EVERYONE, {"by": by, "at": str(at)})


@_worded("{by}: no further contacts.")
def clear(by: Player) -> Event:
    """SD-9: no further contacts."""
    return Event("clear", EVERYONE, {"by": by})


@_worded("Impact in {at}!")
def impact(at: Cell) -> Event:
    """SD-8: everything in that cell is destroyed."""
    return Event("impact", EVERYONE, {"at": str(at)})


@_worded("{player}'s submarine is lost.")
def sunk(player: Player) -> Event:
    """SD-8, SD-16: a submarine is lost."""
    return Event("sunk", EVERYONE, {"player": player})


@_worded("{by} pings from {at}.")
def ping(by: Player, at: Cell) -> Event:
    """SD-13: active sonar and its source."""
    return Event("ping", EVERYONE, {"by": by, "at": str(at)})


@_worded("Echo from {at}, {of}'s.")
def echo(of: Player, at: Cell) -> Event:
    """SD-13: one object of an unnamed kind answers a ping."""
    return Event("echo", EVERYONE, {"of": of, "at": str(at)})


def over(winner: Player | None, how: str = "") -> Event:
    """SD-15: the end, won or (None) drawn; `how`: "quiet" if that is the reason."""
    ended = {"draw": True} if winner is None else {"winner": winner}
    return Event("over", EVERYONE, {**ended, "how": how} if how else ended)


@_worded("Your submarine starts in {at}.")
def started(owner: Player, at: Cell) -> Event:
    """SD-2: where one's own submarine starts."""
    return Event("started", owner, {"at": str(at)})


@_worded("Your submarine moves to {to}.")
def moved(owner: Player, to: Cell) -> Event:
    """SD-5: one's own submarine entered a cell."""
    return Event("moved", owner, {"to": str(to)})


@_worded("You lay a mine in {at} ({left} left).")
def laid(owner: Player, at: Cell, left: int) -> Event:
    """SD-5: one's own mine lies, and how many are left."""
    return Event("laid", owner, {"at": str(at), "left": left})


@_worded("Your torpedo enters {at}.")
def torpedo(owner: Player, at: Cell) -> Event:
    """SD-5: one's own torpedo entered a cell."""
    return Event("torpedo", owner, {"at": str(at)})


@_worded("Your torpedo has left the map from {from}.")
def torpedo_lost(owner: Player, last: Cell) -> Event:
    """SD-10: one's own torpedo left the map from that cell."""
    return Event("torpedo-lost", owner, {"from": str(last)})


@_worded("Your {what} in {at} is destroyed.")
def lost(owner: Player, what: str, at: Cell) -> Event:
    """SD-11: one's own `mine` or `torpedo` was destroyed."""
    return Event("lost", owner, {"what": what, "at": str(at)})


@_worded("Your line {line} was not carried out: {reason}.")
def void(owner: Player, line: int, reason: str) -> Event:
    """SD-4: an order line of one's own was not carried out."""
    return Event("void", owner, {"line": line, "reason": reason})
