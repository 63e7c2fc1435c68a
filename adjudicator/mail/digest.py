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
from orders.fields import Time

MOST_LINES = 200
"""The most lines of the log in one digest; the newest ones."""

_MARK = "digest"
_TOLD = ("a mail to ", "set aside")
"""Lines of the log that begin so belong to no game; the digest tells them too."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The address to which a host wants digests: once a day, or whenever there is something to
    tell."""

    to: str
    at_once: bool = False


def put(desks: Sequence[Desk], outbox: Outbox, post: Post, wanted: Wanted, now: Time) -> None:
    """Put the digest into the outbox, if it is time for one."""
    if not wanted.at_once and not outbox.daily(_MARK, now):
        return
    _, number = outbox.marked(_MARK) or ("", 0)
    log = outbox.log(number)
    ours = tuple(f"{desk.name}: " for desk in desks) + _TOLD
    news = [f"{time} {line}" for _, time, line in log if line.startswith(ours)][-MOST_LINES:]
    if wanted.at_once and not news:
        return
    parts = [_standing(desk) for desk in desks]
    parts.append("\n".join(wording.undelivered(outbox.listed(), outbox.aside())) + "\n")
    parts.append(wording.since_last(news, len(log) - len(news)))
    subject = f"{', '.join(desk.name for desk in desks)}: the state of the games"
    upto = log[-1][0] if log else number
    key = f"digest/{upto}/{now}/{wanted.to}"
    with outbox.act():
        post.put([Outgoing(key, desks[0].secret, wanted.to, subject, "\n".join(parts))])
        outbox.mark(_MARK, now, upto)


def _standing(desk: Desk) -> str:
    """The state of a game, or the fault in its record."""
    try:
        return telling.host_status(desk)
    except Refused as error:
        return f"{desk.name}: {error}\n"
