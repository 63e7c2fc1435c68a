"""The events of Sugar Dog, a row each: how it is made, for whom, what is said of it and how a board
plays that. `rules` decides when an event happens.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.game import EVERYONE, Event, Player, Table
from games.grid import Cell, lane, read_cell
from games.news import Sentences
from games.sugar_dog.state import RUN

_SENTENCES = Sentences()
says, news, told = _SENTENCES.says, _SENTENCES.news, _SENTENCES.told


@says("Turn {n}: {player}.", told=False)
def turn(player: Player, n: int) -> Event:
    """SD-14: the first event of a step that adjudicates a turn."""
    return Event("turn", EVERYONE, {"player": player, "n": n})


@says("{by} offers a draw.", own="You offer a draw.")
def draw_offered(by: Player) -> Event:
    """SD-16: right after `turn`."""
    return Event("draw-offered", EVERYONE, {"by": by})


@says(
    "Contact in {at}, by {by}.",
    own="",
    sign="contact",
    play="contact",
    way="at",
    most=RUN,
    piece="contact-{by}",
)
def contact(by: Player, at: Cell) -> Event:
    """SD-7: something unnamed entered a cell."""
    return Event("contact", EVERYONE, {"by": by, "at": str(at)})


@says("{by}: no further contacts.", own="", behind={"contact": ", and no further."})
def clear(by: Player) -> Event:
    """SD-9: no further contacts."""
    return Event("clear", EVERYONE, {"by": by})


@says("Impact in {at}!", sign="burst", play="burst")
def impact(at: Cell) -> Event:
    """SD-8: everything in that cell is destroyed."""
    return Event("impact", EVERYONE, {"at": str(at)})


@says(
    "{player}'s submarine is lost.",
    own="Your submarine is lost.",
    sign="down",
    play="sink",
    there="impact",
    shape="submarine",
    piece=lambda told: "submarine" if told["own"] else f"{told['player']}-submarine",
    wreck="{player}'s submarine",
)
def sunk(player: Player) -> Event:
    """SD-8, SD-16: a submarine is lost."""
    return Event("sunk", EVERYONE, {"player": player})


@says(
    "{by} pings from {at}.",
    own="You ping from {at}.",
    sign="sonar",
    play="ping",
    piece=lambda told: "submarine" if told["own"] else f"ping-{told['by']}",
)
def ping(by: Player, at: Cell) -> Event:
    """SD-13: active sonar and its source."""
    return Event("ping", EVERYONE, {"by": by, "at": str(at)})


@says(
    "Echo from {at}, {of}'s.",
    own="Echo from {at}, yours.",
    sign="echo",
    play="echo",
    each="at",
    piece=lambda told: "" if told["own"] else "echo-{of}-{at}".format_map(told),
)
def echo(of: Player, at: Cell) -> Event:
    """SD-13: one object of an unnamed kind answers a ping."""
    return Event("echo", EVERYONE, {"of": of, "at": str(at)})


def _end(event: Table) -> str:
    if "draw" not in event:
        return f"The game is over: {event['winner']} wins."
    why = ": nothing was struck or pinged for long" if event.get("how") == "quiet" else ""
    return f"The game is a draw{why}."


@says(_end)
def over(winner: Player | None, how: str = "") -> Event:
    """SD-15: the end, won or (None) drawn; `how`: "quiet" if that is the reason."""
    ended = {"draw": True} if winner is None else {"winner": winner}
    return Event("over", EVERYONE, {**ended, "how": how} if how else ended)


def _start(event: Table) -> str:
    if event.get("missed"):
        return f"You missed the setup: your submarine was placed by lot, in {event['at']}."
    return f"Your submarine starts in {event['at']}."


@says(_start, sign="anchor", play="lay", piece="submarine")
def started(owner: Player, at: Cell) -> Event:
    """SD-2: where one's own submarine starts."""
    return Event("started", owner, {"at": str(at)})


@says("Your submarine moves to {to}.", sign="step", play="run", way="to", piece="submarine")
def moved(owner: Player, to: Cell) -> Event:
    """SD-5: one's own submarine entered a cell."""
    return Event("moved", owner, {"to": str(to)})


@says("You lay a mine in {at} ({left} left).", sign="mine", play="lay", piece="mine-{at}")
def laid(owner: Player, at: Cell, left: int) -> Event:
    """SD-5: one's own mine lies, and how many are left."""
    return Event("laid", owner, {"at": str(at), "left": left})


def _torpedo(told: Mapping[str, Any]) -> str:
    """The piece that it is: its lane is known once it has run two cells."""
    at, way = read_cell(told["at"]), told["heading"]
    return f"torpedo-{way}-{lane(at, way)}" if at and way else ""


@says(
    "Your torpedo enters {at}.",
    sign="torpedo",
    play="torpedo",
    way="at",
    most=RUN,
    shape="torpedo",
    piece=_torpedo,
)
def torpedo(owner: Player, at: Cell) -> Event:
    """SD-5: one's own torpedo entered a cell."""
    return Event("torpedo", owner, {"at": str(at)})


@says(
    "Your torpedo has left the map from {from}.",
    sign="torpedo",
    behind={"torpedo": ", and leaves the map."},
)
def torpedo_lost(owner: Player, last: Cell) -> Event:
    """SD-10: one's own torpedo left the map from that cell."""
    return Event("torpedo-lost", owner, {"from": str(last)})


def _met(event: Table) -> str:
    """Right after an impact: of a submarine that is lost there, everybody would be told before."""
    if event["what"] == "mine":
        return ": your mine is destroyed, and no submarine."
    return ": your torpedo met a mine or another torpedo, and no submarine."


@says("Your {what} in {at} is destroyed.", behind={"impact": _met, "lost": "; so is your {what}."})
def lost(owner: Player, what: str, at: Cell) -> Event:
    """SD-11: one's own `mine` or `torpedo` was destroyed."""
    return Event("lost", owner, {"what": what, "at": str(at)})


@says("Your line {line} was not carried out: your submarine was lost before.")
def void(owner: Player, line: int, reason: str) -> Event:
    """SD-4: an order line of one's own was not carried out."""
    return Event("void", owner, {"line": line, "reason": reason})
