"""More time for players whom the mail that asks for their orders did not reach: their turn time
begins when that mail leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from adjudicator.core import deadlines
from adjudicator.host.host import Host
from adjudicator.office import replies
from adjudicator.office.game import HostMail
from adjudicator.office.outbox import Outbox
from orders.entries import Awaited, Ruling
from orders.errors import pasteable
from orders.fields import Time

MOST_RETURNED = 2
"""How often in a game a player has more time because no mail reached them."""


@dataclass(frozen=True, slots=True)
class _Extension:
    """Until when a player may answer, why, and the entry for which that is granted only once."""

    until: Time
    why: str
    once: int | None = None


def spare(game: HostMail, outbox: Outbox, tell: Callable[[str], None]) -> bool:
    """Move overdue deadlines of players whose mail did not reach them, by one ruling.

    Returns whether there was a ruling; raises Refused. While the host itself cannot send mail, the
    deadline is moved each time it passes. If the player's server refuses the mail or sends it back,
    the deadline is moved once for that entry, however many addresses the player names, and so the
    player gets the turn once more; twice in a game at most, as anybody can send their own mails
    back. Then `tell` is told of it.
    """
    host = game.begun()
    now = game.clock.now()
    # A ruling moves a deadline by so many seconds or not at all.
    setup = host.opening.setup
    least, calendar = max(1, deadlines.turn_time(setup) // 4), deadlines.calendar(setup)
    owed = {}
    for player in host.missing():
        prompt = host.last.clocks.awaited[player]
        if player in game.addresses() and prompt.until <= now:
            one = _owed(game, outbox, player, prompt, now, tell)
            if one is not None and calendar.counted(prompt.until, one.until) >= least:
                owed[player] = one
    if not owed:
        return False
    why = "; ".join(f"{one.why} {player}" for player, one in owed.items())
    host.rule(Ruling(why[:500]), {player: one.until for player, one in owed.items()})
    # A crash before this line grants the time twice; in the other order a crash would cost a turn.
    with outbox.act():
        for player, one in owed.items():
            if one.once is not None:
                where = f"{host.last.step} {host.last.digest}"
                outbox.keep_note(f"more time/{game.id}/{player}/{one.once}", where)
    return True


def _owed(
    game: HostMail,
    outbox: Outbox,
    player: str,
    prompt: Awaited,
    now: Time,
    tell: Callable[[str], None],
) -> _Extension | None:
    host = game.begun()
    # Another machine of the host's may have told earlier ones, or have ended before they left.
    told = [
        (step, found)
        for step in range(_asking(game, player, prompt), host.last.step + 1)
        if (found := outbox.delivery(game.entry_key(player, step))) is not None
    ]
    before = outbox.notes(f"more time/{game.id}/{player}/")
    stands = [int(number) for number, where in before if _granted(host, where)]
    # For one that came back the player was given time, and the ruling's mail asks again.
    back = [step for step, _ in told if step in stands]
    step, delivery = next((one for one in told if one[0] > max(back, default=-1)), (0, None))
    if delivery is None:
        # The host gave the player the entry in another way.
        return None
    calendar = deadlines.calendar(host.opening.setup)
    time = deadlines.turn_time(host.opening.setup) + host.last.clocks.reserve[player]
    left = delivery.state == "sent"
    if left and delivery.sent <= now:
        until = calendar.later(delivery.sent, time)
        return _Extension(until, f"entry {step} left late for") if until > now else None
    until = calendar.later(now, time)
    if delivery.state == "waiting" and delivery.ours:
        return _Extension(until, f"entry {step} has not left for")
    if back:
        return None
    if len(stands) >= MOST_RETURNED:
        rule = f"{replies.COMMANDS['RULE']} {pasteable(game.record.root)}"
        tell(
            f"{game.name}: mails do not reach {player}, who was given more time for it "
            f"{MOST_RETURNED} times: {rule} --until gives more, or --hand-on gives the seat to "
            "another"
        )
        return None
    # What left while the clock was ahead left at a time that nobody knows.
    why = "left late for" if left else "could not be delivered to"
    return _Extension(until, f"entry {step} {why}", step)


def _granted(host: Host, noted: str) -> bool:
    """Whether the ruling that was noted, by its number and digest, stands in the record: it may
    have been taken back."""
    number, _, known = noted.partition(" ")
    if not known:
        return bool(noted)
    return int(number) <= host.last.step and host.ledger.link(int(number)).digest == known


def _asking(game: HostMail, player: str, prompt: Awaited) -> int:
    """The entry that first asked for the orders that the player still owes."""
    host = game.begun()
    step = host.last.step
    while step > 0:
        before = host.ledger.link(step - 1).clocks.awaited.get(player)
        if before is None or (before.what, before.since) != (prompt.what, prompt.since):
            break
        step -= 1
    return step
