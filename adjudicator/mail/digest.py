"""The digest: a mail to the host about the state of each game, failures and mails that came.

It tells what the host knows, so it goes to nobody else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.mail import telling, wording
from adjudicator.mail.desk import Desk
from adjudicator.mail.outbox import Outbox
from adjudicator.mail.outgoing import Outgoing
from adjudicator.mail.post import Post
from orders.errors import Refused
from orders.fields import Time, digest

MOST_LINES = 200
"""The most lines of the log in one digest; the newest ones."""

_MARK, _FAULTS = "digest", "faults told"
_TOLD = ("a mail to ", "set aside")
"""Lines of the log that begin so belong to no game; the digest tells them too."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The address to which a host wants digests: once a day, or whenever there is something to
    tell."""

    to: str
    at_once: bool = False


def put(
    desks: Sequence[Desk],
    outbox: Outbox,
    post: Post,
    wanted: Wanted,
    now: Time,
    faults: Sequence[str],
) -> None:
    """Put the digest into the outbox, if it is time for one. Faults come first: what this turn
    could not do, and games that are left out.

    Faults that were not told before are told `at_once`.
    """
    amiss = "\n".join(sorted(set(faults)))
    new = amiss not in ("", outbox.noted(_FAULTS))
    if not wanted.at_once and not outbox.daily(_MARK, now):
        return
    _, number = outbox.marked(_MARK) or ("", 0)
    log = outbox.log(number)
    ours = tuple(f"{desk.name}: " for desk in desks) + _TOLD
    news = [f"{time} {line}" for _, time, line in log if line.startswith(ours)][-MOST_LINES:]
    if wanted.at_once and not news and not new:
        return
    parts = [f"At fault:\n{amiss}\n"] if amiss else []
    parts += [_standing(desk) for desk in desks]
    parts.append("\n".join(wording.undelivered(outbox.listed(), outbox.aside())) + "\n")
    parts.append(wording.since_last(news, len(log) - len(news)))
    subject = f"{', '.join(desk.name for desk in desks)}: the state of the games"
    if amiss:
        subject = f"{len(set(faults))} at fault: {subject}"
    upto = log[-1][0] if log else number
    key = f"digest/{upto}/{now}/{digest(amiss.encode())}/{wanted.to}"
    with outbox.act():
        post.put([Outgoing(key, desks[0].secret, wanted.to, subject, "\n".join(parts))])
        outbox.mark(_MARK, now, upto)
        outbox.keep_note(_FAULTS, amiss)


def _standing(desk: Desk) -> str:
    """The state of a game, or the fault in its record."""
    try:
        return telling.host_status(desk)
    except Refused as error:
        return f"{desk.name}: {error}\n"
