"""What a host must see to, from the mail state; and the mail that says so.

`adjudicator status` and the mail have the same lines. They tell what the host knows, players'
addresses too, so they go to nobody else; a notice (`tell`) says them without addresses.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from adjudicator.core import deadlines
from adjudicator.core.deadlines import DAY
from adjudicator.mail.logins import fault_of
from adjudicator.mail.outgoing import Outgoing
from adjudicator.office.game import HostMail
from adjudicator.office.outbox import CHECKS, Outbox, Post, undelivered
from adjudicator.words import overview
from adjudicator.words.overview import Overview, Standing
from adjudicator.words.spans import ReadAt
from orders.errors import Refused
from orders.fields import Time, digest

KEPT = 14 * DAY
"""Seconds for which a mail that was set aside is told."""
MOST = 200
"""The most lines of one kind in one mail."""

_MARK, _TOLD, _FAULTS, _KNOWN = "alarm", "alarm told", "faults", "games under way"


def note(outbox: Outbox, now: Time, faults: Sequence[str]) -> None:
    """Keep what a turn could not do, until the next one."""
    outbox.keep_note(_FAULTS, json.dumps([now, *dict.fromkeys(faults)]))


def last_turn(outbox: Outbox) -> tuple[Time | None, list[str]]:
    """When the last turn was, and what it could not do."""
    time, *faults = json.loads(outbox.noted(_FAULTS) or "[null]")
    return time, faults


def remember(outbox: Outbox, games: Sequence[HostMail]) -> None:
    """Note which games are under way, so that one that is left out later is told."""
    known = under_way(outbox)
    now = dict(known)
    for game in games:
        over = game.host is None or game.host.last.over
        now |= {} if over else {game.id: game.name}
        if over:
            now.pop(game.id, None)
    if now != known:
        outbox.keep_note(_KNOWN, json.dumps(now))


def under_way(outbox: Outbox) -> dict[str, str]:
    """The games that were served and are not over: names by their ids."""
    return dict(json.loads(outbox.noted(_KNOWN) or "{}"))


def hand(
    outbox: Outbox, now: Time, served: Sequence[str], faults: Sequence[str]
) -> tuple[str, ...]:
    """What needs a hand in the mail state: mails that did not arrive or were set aside, games left
    out (`served`: the ids of those that are here), and `faults` of the last turn."""
    listed = [one for one in outbox.listed() if one.state != "waiting" or one.tries]
    known = {one.recipient for one in listed}
    # Who is not reached by an answer asks again; and anybody may ask in another's name.
    lost = [one for one in listed if not one.key.startswith(("answer/", CHECKS))]
    lines = outbox.amiss(deadlines.add(now, -KEPT), deadlines.add(now, -DAY))
    told = [one for one in faults if not any(one.startswith(f"a mail to {to} ") for to in known)]
    told = [one for one in told if one not in lines]
    left = [
        f"{name}: it was served before, and is left out now"
        for game, name in under_way(outbox).items()
        if game not in served
    ]
    found = [told, left, undelivered(lost, outbox.aside()), lines]
    last = (line for part in found for line in list(dict.fromkeys(part))[-MOST:])
    return tuple(dict.fromkeys(last))


def standing(game: HostMail) -> Standing:
    """How a game stands, for its host; what needs a hand in it is told by `hand`."""
    try:
        if game.host is None:
            return overview.unbegun(game.name, game.offer, list(game.joins()), game.wanted)
        reader = ReadAt(game.clock.now(), here=True)
        orders_in = list(game.host.folder.waiting())
        return overview.hosted(game.name, game.host.ledger, orders_in, reader)
    except Refused as error:
        return Standing(game.name, f"its record does not hold: {fault_of(error)}")


def put(
    games: Sequence[HostMail], outbox: Outbox, post: Post, secret: bytes, to: str, now: Time,
    faults: Sequence[str],
) -> None:  # fmt: skip
    """Put the mail to the host into the outbox, if something needs a hand: at once what was not
    told before, and once a day what still does."""
    found = hand(outbox, now, [game.id for game in games], faults)
    same = "\n".join(sorted(map(overview.trouble, found)))
    new = same != outbox.noted(_TOLD)
    if found and (new or outbox.daily(_MARK, now)):
        told = Overview(tuple(map(standing, games)), found)
        key = f"alarm/{now}/{digest(same.encode())}/{to}"
        zone = datetime.fromisoformat(now).astimezone().strftime("%Z")
        text = "\n".join([*told.lines(), "", f"Times are those of the host's machine, {zone}.", ""])
        mail = Outgoing(key, secret, to, told.summary(), text, budget=(f"alarm/{to.lower()}",))
        with outbox.act():
            post.put(post.chosen([mail]))
            outbox.mark(_MARK, now)
            outbox.keep_note(_TOLD, same)
    elif new:
        outbox.keep_note(_TOLD, same)
