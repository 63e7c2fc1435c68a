"""The words of a referee: what a mail may ask of it without a signature, and what it answers.

Templates are filled as those of all mails (`office.replies`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from adjudicator.office.replies import Reply, fill, write

WORDS = ("new", "seek", "join", "list", "watch", "standby", "leave", "help")
FREE = ("list", "help")
"""Words with no effect but their answer; all others are believed only in an answer to a mail of the
referee's, which proves that their writer reads that address."""

LONGEST = 600
"""The most characters of a line that are read."""

_MAILTO = re.compile(r"<mailto:[^<>]*>", re.IGNORECASE)
_BEFORE = re.compile(
    r"(?:\s*(?:re|aw|sv|fwd?|wg|tr|antw)\s*(?:\[\d+\])?:|\s*\[[^\[\]]*\])*\s*", re.IGNORECASE
)
_BETWEEN = re.compile(r"[,;]+(?=\s|$|[^\s,;]*[=@])")
"""Commas between words, and not those in a value: `rest=sat,sun`."""
_QUOTED = re.compile(r"\s*[>|]")


class Request(NamedTuple):
    """A line that asks for something: its word, and what stands behind it."""

    word: str
    rest: tuple[str, ...]

    @property
    def line(self) -> str:
        """The same as it is written."""
        return " ".join((self.word, *self.rest))


def read(subject: str, text: str) -> Request | None:
    """What a mail asks: its first line that is not quoted, else its subject; None if neither does.

    Lines of addresses that follow belong to it, as mail programs break long lines. `yes` alone asks
    something only where the subject does not: it may well confirm what stands there.
    """
    lines = text[: 4 * LONGEST].replace("\r", "\n").split("\n")
    own = [line for line in lines if line.strip() and not _QUOTED.match(line)]
    while len(own) > 1 and own[1].split() and all("@" in word for word in own[1].split()):
        own[:2] = [f"{own[0]} {own[1]}"]
    for line in (*own[:1], _BEFORE.sub("", subject, count=1)):
        plain = _BETWEEN.sub(" ", _MAILTO.sub("", line[:LONGEST]))
        word, *rest = plain.split() or [""]
        asks = word.lower().rstrip(".!:") in WORDS and all(one.isprintable() for one in rest)
        if asks and (rest or word.lower().rstrip(".!:") in ("list", "leave", "help")):
            return Request(word.lower().rstrip(".!:"), tuple(one.strip("<>") for one in rest))
    agrees = re.match(r"yes\b", (own[:1] or [_BEFORE.sub("", subject, count=1)])[0], re.IGNORECASE)
    return Request("yes", ()) if agrees else None


HELP = """\
Subject: help

Games are begun here by mail. Write one line:

  new sugar-dog with bob@example.org       a game with these people
  new sugar-dog turn_time=2d with bob@...  the same with options
  seek silent-ships                        a game that anybody may join
  list                                     all games here
  join 3fa2                                a seat in a game that seeks players
  watch sugar-dog-3fa2                     a game as everybody may see it
  standby sugar-dog                        to be asked for an empty seat
  leave sugar-dog-3fa2                     no more of it; withdraw an offer
  leave                                    no more of anything

Games: {games}. A line that does something is answered by a mail that you answer once, so that
nobody can write in your name.
"""

CONFIRM = """\
Subject: {line}

Somebody wrote to this mailbox, in which games are played, in your name:

  {line}

If it was you, answer this mail as it is: the line is in its subject. If it was not, do nothing.
Nothing was done yet.
"""

OFFERED = """\
You asked for this game, called {name}. {others}It begins when {count} have joined. The words leave
{name} withdraw it before that. Take your own seat now:
"""
INVITED = "Invited: {whom}. "

ASKED = """\
{by} asked this mailbox, in which games are played, for a game with you. If you do not want to play,
do nothing. The word leave as an answer keeps such invitations away from you.
"""

SUBSTITUTE = """\
You are on the standby list. In the game {name} the seat of {player} stays empty: a deadline was
missed. If you take it, join under the name {player}; the first who joins so gets the seat, unless
{player} comes back before.
"""

WATCHED = """\
Subject: you watch {name}

You get what everybody may know of {name}, entry by entry, and at its end the whole game in one
file. The word leave as an answer ends that.

The block holds its invite: with it {TAKE} begins your copy.
"""

PACK = """\
Subject: {outcome}

{name} is over: {outcome}. The attachment holds the whole game; nothing in it is hidden any more.
Anybody can verify it:

  adjudicator verify {name}.zip
"""
NOT_ATTACHED = """\
Subject: {outcome}

{name} is over: {outcome}. The whole game is too large for a mail: ask the host for it.
"""

DONE = """\
Subject: {line}

{said}
"""

NOT_DONE = """\
Subject: not done: {line}

{why}

  {hint}
"""

MISSED = """\
Subject: you missed a deadline

Your orders did not come in time for entry {step} of {name}. {so}

If you play on, answer this mail with the word yes: the seat stays yours until your next deadline. A
message that you sign does the same, and so do orders.
"""
MORE = "If that happens {times} more, your seat is offered to others."
OFFERED_NOW = "Your seat is offered to others now."

BACK = """\
Subject: you do not get the seat

You do not get the seat of {player} in {name}: {why}. You stay on the standby list.
"""


def helping(games: Sequence[str]) -> Reply:
    """What may be asked."""
    return write(HELP, games=", ".join(games))


def missed(name: str, step: int, left: int) -> Reply:
    """The mail to who missed a deadline; `left`: how many more until the seat is offered."""
    times = "once" if left == 1 else f"{left} times"
    so = fill(MORE, times=times) if left else OFFERED_NOW
    return write(MISSED, name=name, step=step, so=so)


def offered(name: str, others: Sequence[str], count: int) -> str:
    """What stands above the invitation of who asked for a game."""
    whom = fill(INVITED, whom=", ".join(others)) + " " if others else ""
    return fill(OFFERED, name=name, others=whom, count=count)


def listed(
    seek: Iterable[str], open_: Iterable[str], others: Iterable[str], over: Iterable[str]
) -> Reply:
    """The games of a mailbox."""

    def part(title: str, rows: Iterable[str]) -> str:
        found = [f"  {row}" for row in rows]
        return "\n".join([f"{title}:", *found]) if found else ""

    parts = [
        part("Seeking players", seek), part("Waiting for those who were invited", open_),
        part("Under way", others), part("Over", over),
    ]  # fmt: skip
    text = "\n\n".join(one for one in parts if one) or "No games yet: new GAME with ADDRESS."
    return Reply("list", text + "\n")
