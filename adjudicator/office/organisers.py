"""What the organisers of a club may do by mail: more time, a pause, an end, another player for a
seat, each by a ruling that gives their reason for all to read; and to see what needs a hand.

A ruling is signed as its mail is read, and its answer leaves once it lies in a copy. The end of its
reason names the act that it was made for, so an act that is done again after a crash is not done
twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from adjudicator.core import deadlines
from adjudicator.core.deadlines import DAY
from adjudicator.install import Pin
from adjudicator.mail.mime import check_address
from adjudicator.mail.outgoing import Outgoing
from adjudicator.office import overview, replies
from adjudicator.office.game import HostMail
from adjudicator.office.replies import Reply
from adjudicator.office.served import Asked, Served
from games.options import seconds
from orders.entries import Ruling
from orders.errors import Refused
from orders.fields import Time

Act = Callable[[], list[Reply | Outgoing]]

YEAR = 366 * DAY
"""The most seconds that a word gives: what was written by mistake cannot be taken back."""
MARKED = 8
"""Characters of an act's name that stand in its ruling."""


def extend(game: HostMail, rest: Sequence[str], asked: Asked, served: Served) -> Act:
    """`2d REASON`: so much more time for all who are awaited. Raises Refused."""
    more = seconds(rest[0]) if rest else None
    if not more or more > YEAR:
        raise Refused("malformed", "no time to give, up to a year", "extend NAME 2d REASON")
    why = _reason(rest[1:], asked, "extend NAME 2d REASON")

    def act() -> list[Reply | Outgoing]:
        host = game.begun()
        calendar = deadlines.calendar(host.opening.setup)
        until = {
            player: calendar.later(one.until, more)
            for player, one in host.last.clocks.awaited.items()
        }
        return _rule(game, Ruling(why), until, served)

    return act


def pause(game: HostMail, rest: Sequence[str], asked: Asked, served: Served) -> Act:
    """`2027-01-02 REASON`: no deadline until that day is over. Raises Refused."""
    how = "pause NAME 2027-01-02 REASON"
    now = served.clock.now()
    try:
        last = date.fromisoformat(rest[0]).isoformat() if rest else ""
    except ValueError:
        last = ""
    latest = deadlines.add(now, YEAR)[:10]
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", last) or not now[:10] <= last <= latest:
        raise Refused("malformed", "no day to come, within a year", how)
    _check_going_on(game)
    why = _reason(rest[1:], asked, how)

    def act() -> list[Reply | Outgoing]:
        served.register.pause(game.offer.digest, now[:10], last, why)
        said = f"No deadline of {game.name} falls into the days up to {last}."
        return [replies.done(f"{game.name} pauses", said)]

    return act


def end(game: HostMail, rest: Sequence[str], asked: Asked, served: Served) -> Act:
    """`REASON`: the game ends, and is revealed. Raises Refused."""
    why = _reason(rest, asked, "end NAME REASON")
    return lambda: _rule(game, Ruling(why, abandons=True), None, served)


def replace_player(
    game: HostMail, rest: Sequence[str], asked: Asked, served: Served, pin: Pin | None
) -> Act:
    """`bob with dora@example.org REASON`: the seat of a player to somebody else, who is asked, and
    has it once they join. Raises Refused."""
    how = "replace NAME bob with dora@example.org REASON"
    to = check_address(rest[2].strip("<>,;")) if len(rest) > 2 else None
    if to is None or rest[1].lower() != "with":
        raise Refused("malformed", "nobody to replace a player with", how)
    player = rest[0]
    _check_going_on(game)
    if player not in game.begun().opening.players:
        raise Refused("no-seat", "no player of that name has a seat in that game", how)
    if game.players_at(to):
        raise Refused("no-seat", "who sits in that game already takes no second seat", how)
    if not game.begun().last.since:
        raise Refused("illegal", "no seat changes hands before the first step is played")
    why = _reason(rest[3:], asked, how)

    def act() -> list[Reply | Outgoing]:
        token = game.room.token_for(f"{player} {to}")
        above = replies.fill("invitation.replace", name=game.name, player=player)
        one = game.invitation(to, f"seat/{player}/{asked.origin}", token, pin, above)
        one = replace(one, subject=f"[{game.name}] the seat of {player} is yours to take")
        if served.copies.waits(game, f"token/{token}"):
            served.waits.append((game, f"token/{token}"))
        served.register.ask(game.offer.digest, player, to, served.clock.now(), why)
        said = (
            f"{to} is asked to take the seat of {player} in {game.name}, and has it once they join."
        )
        return [replies.done("somebody is asked", said), one]

    return act


def why(served: Served) -> list[Reply | Outgoing]:
    """What needs a hand: the same lines as the host's mail has."""
    games = [one.id for one in served.known]
    _, faults = overview.last_turn(served.outbox)
    found = overview.hand(served.outbox, served.clock.now(), games, faults)
    return [Reply("what needs a hand", "\n".join(found or ("Nothing needs a hand.",)) + "\n")]


def _check_going_on(game: HostMail) -> None:
    if not game.begun().last.clocks.awaited:
        raise Refused("over", f"{game.name} is over, or waits for nobody")


def _reason(rest: Sequence[str], asked: Asked, how: str) -> str:
    """The reason of a ruling, with the act that it is made for."""
    said = " ".join(rest)
    if not said:
        raise Refused("malformed", "a reason is missing, for all to read", how)
    if not said.isascii() or len(said) > 400:
        raise Refused("malformed", "a reason has at most 400 plain ASCII characters", how)
    return f"{said} (an organiser, {asked.origin[:MARKED]})"


def _rule(
    game: HostMail, ruling: Ruling, until: dict[str, Time] | None, served: Served
) -> list[Reply | Outgoing]:
    """Sign a ruling, unless it was signed before."""
    host = game.begun()
    if game in served.stopped:
        raise Refused("not-yet", f"{game.name} stands still: the word why says more")
    made = (
        host.ledger.link(step) for step in range(max(0, host.last.step - 9), host.last.step + 1)
    )
    if not any(link.entry.ruling and link.entry.ruling.reason == ruling.reason for link in made):
        _check_going_on(game)
        host.rule(ruling, until)
    served.waits.append((game, f"entry/{host.last.step}"))
    said = f"The ruling is in {game.name}, with your reason, and all its players are told."
    return [replies.done(f"a ruling in {game.name}", said)]
