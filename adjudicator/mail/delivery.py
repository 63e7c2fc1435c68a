"""More time for players who did not get the mail that asks for their orders: their turn time begins
when that mail leaves."""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.core import deadlines
from adjudicator.mail.desk import Desk
from adjudicator.mail.outbox import Outbox
from orders.entries import Awaited, Ruling
from orders.errors import Refused, pasteable
from orders.fields import Time

SETTLED = 3_600
"""Seconds after which a mail that left is taken to have arrived: it would have come back."""


@dataclass(frozen=True, slots=True)
class _Owed:
    """Until when a player may answer, why, and the entry for which that is granted only once."""

    until: Time
    why: str
    once: int | None = None


def spare(desk: Desk, outbox: Outbox) -> bool:
    """Move overdue deadlines of players whose mail did not reach them, by one ruling.

    Returns whether there was a ruling; raises Refused. While the host itself cannot send mail, the
    deadline is moved each time it passes. If the player's server refuses the mail or sends it back,
    the deadline is moved once for that entry, however many addresses the player names. If no mail
    has reached the player since that was done for an earlier entry, the game waits for the host to
    rule, who is told at each turn (`not-yet`).
    """
    game = desk.begun()
    now = desk.clock.now()
    # A ruling moves a deadline by so many seconds or not at all.
    least = max(1, deadlines.turn_time(game.opening.setup) // 4)
    owed = {}
    for player in game.missing():
        prompt = game.last.clocks.awaited[player]
        if player in desk.addresses() and prompt.until <= now:
            one = _owed(desk, outbox, player, prompt, now)
            if one is not None and deadlines.between(prompt.until, one.until) >= least:
                owed[player] = one
    if not owed:
        return False
    why = "; ".join(f"{one.why} {player}" for player, one in owed.items())
    game.rule(Ruling(why[:500]), {player: one.until for player, one in owed.items()})
    # A crash before this line grants the time twice; in the other order a crash would cost a turn.
    with outbox.act():
        for player, one in owed.items():
            if one.once is not None:
                outbox.keep_note(_last(desk, player), now)
                outbox.keep_note(f"{_last(desk, player)}/{one.once}", now)
    return True


def _owed(desk: Desk, outbox: Outbox, player: str, prompt: Awaited, now: Time) -> _Owed | None:
    game = desk.begun()
    step = _asking(desk, player, prompt)
    delivery = outbox.delivery(desk.entry_key(player, step))
    if delivery is None:
        # The host gave the player the entry in another way.
        return None
    time = deadlines.turn_time(game.opening.setup) + game.last.clocks.reserve[player]
    left = delivery.state == "sent"
    if left and delivery.sent <= now:
        until = deadlines.add(delivery.sent, time)
        return _Owed(until, f"entry {step} left late for") if until > now else None
    until = deadlines.add(now, time)
    if delivery.state == "waiting" and delivery.ours:
        return _Owed(until, f"entry {step} has not left for")
    last, to = outbox.noted(_last(desk, player)), desk.addresses()[player]
    reached = not last or outbox.delivered(to, last, deadlines.add(now, -SETTLED))
    if outbox.noted(f"{_last(desk, player)}/{step}"):
        return None
    if not reached:
        where = pasteable(desk.record.root)
        raise Refused(
            "not-yet",
            f"mails do not reach {player} any more, who is overdue: the game waits for you",
            f"adjudicator rule {where} --until gives more time, or --seat hands the seat on; "
            f"adjudicator advance {where} --late calls them missing",
        )
    # What left while the clock was ahead left at a time that nobody knows.
    why = "left late for" if left else "could not be delivered to"
    return _Owed(until, f"entry {step} {why}", step)


def _last(desk: Desk, player: str) -> str:
    """The note of when a player was last given more time because no mail reached them."""
    return f"more time/{desk.id}/{player}"


def _asking(desk: Desk, player: str, prompt: Awaited) -> int:
    """The entry that first asked for the orders that the player still owes."""
    game = desk.begun()
    step = game.last.step
    while step > 0:
        before = game.ledger.link(step - 1).clocks.awaited.get(player)
        if before is None or (before.what, before.since) != (prompt.what, prompt.since):
            break
        step -= 1
    return step
