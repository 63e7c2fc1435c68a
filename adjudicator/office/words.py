"""The words that a mail may say without a signature: one table, one reader, one help.

A word stands alone in the first line that its writer wrote, or else in the subject. What is quoted,
and the line that says who is quoted, is nobody's word.

Whoever answers a mail of ours names its token (`mail.outgoing`), and so has read it. A word that
does anything is believed only of them. Of anybody else it brings one mail that asks for `yes`: that
mail's token is the act, which `yes` alone does, once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import takewhile
from typing import NamedTuple

LONGEST = 600
"""The most characters of a line that are read."""

WIDTH = 22
"""Columns of a word in the help."""
MOST_LINES = 20
"""Lines of one's own that are looked at."""
MOST_WORDS = 4
"""The most words of the rest of a broken line that says who wrote, as in `<a@b.org> a écrit :`."""

NOTHING, NUMBER, OFF, ANY = "", r"(\d{1,7})?", r"(off)?", r".*"
"""What may stand behind a word."""


class Whose(Enum):
    """Whose word it is: everybody's, a player's about their own games, or an organiser's; `CLUB`
    is everybody's where games begin by mail."""

    ALL, PLAYER, CLUB, ORGANISER = range(4)


class Word(NamedTuple):
    """A word of the table: `usage` and `does` are its lines in the help; `takes`: what may stand
    behind it; `acts`: it does more than bring an answer."""

    usage: str
    does: str
    whose: Whose
    takes: str = NOTHING
    acts: bool = False


WORDS = {
    "status": Word("status", "whose orders are awaited, and until when", Whose.PLAYER),
    "orders": Word("orders", "your orders that are in, with the receipt", Whose.PLAYER),
    "resend": Word("resend", "the last entry again, or another: resend 7", Whose.PLAYER, NUMBER),
    "history": Word("history", "the story so far", Whose.PLAYER),
    "who": Word("who", "who plays", Whose.PLAYER),
    "rules": Word("rules", "the rules of the game", Whose.PLAYER),
    "mine": Word("mine", "all your games here, the least time left first", Whose.PLAYER),
    "note": Word("note", "why a note to yourself is written elsewhere", Whose.PLAYER, ANY),
    "games": Word("games", "all games here", Whose.CLUB),
    "standings": Word("standings", "the club's table", Whose.CLUB),
    "new": Word("new sugar-dog with bob@example.org",
                "a game with these people; sugar-dog match: two", Whose.CLUB, ANY,
                acts=True),
    "seek": Word("seek silent-ships turn_time=2d", "a game that anybody may join", Whose.CLUB, ANY,
                 acts=True),
    "join": Word("join 3fa2", "a seat in a game that seeks players", Whose.CLUB, ANY, acts=True),
    "watch": Word("watch sugar-dog-3fa2", "a game as everybody may see it", Whose.CLUB, ANY,
                  acts=True),
    "standby": Word("standby sugar-dog", "to be asked for an empty seat", Whose.CLUB, ANY,
                    acts=True),
    "stay": Word("stay sugar-dog-3fa2", "to keep your seat after a missed deadline", Whose.CLUB,
                 ANY, acts=True),
    "leave": Word("leave sugar-dog-3fa2", "no more of it; leave alone: of anything", Whose.CLUB,
                  ANY, acts=True),
    "weekly": Word("weekly", "all your games each week; weekly off: no more", Whose.CLUB, OFF,
                   acts=True),
    "extend": Word("extend sugar-dog-3fa2 2d REASON", "more time for all who are awaited",
                   Whose.ORGANISER, ANY, acts=True),
    "pause": Word("pause sugar-dog-3fa2 2027-01-02 REASON", "no deadline up to that day",
                  Whose.ORGANISER, ANY, acts=True),
    "end": Word("end sugar-dog-3fa2 REASON", "the game ends, and is revealed", Whose.ORGANISER,
                ANY, acts=True),
    "replace": Word("replace sugar-dog-3fa2 bob with dora@example.org REASON",
                    "a seat to somebody else", Whose.ORGANISER, ANY, acts=True),
    "why": Word("why", "what needs a hand", Whose.ORGANISER, acts=True),
    "yes": Word("yes", "in an answer to a mail that asks for it", Whose.ALL),
    "help": Word("help", "this", Whose.ALL),
}  # fmt: skip


class Request(NamedTuple):
    """What a mail asks: its word, and what stands behind it. `game`: the name in brackets in the
    subject, or None.

    The word is "" where the mail asks nothing, and names what should have been signed: `message`
    (to another player), `form` (a filled-in form of orders).
    """

    word: str
    rest: tuple[str, ...] = ()
    game: str | None = None

    @property
    def line(self) -> str:
        """The same as it is written."""
        return " ".join((self.word, *self.rest))


_TAG = re.compile(r"\[([^\[\]]{1,60})\]")
_BEFORE = re.compile(
    r"(?:\s*(?:re|aw|sv|fwd?|wg|tr|antw)\s*(?:\[\d+\])?:|\s*\[[^\[\]]*\])*\s*", re.IGNORECASE
)
_QUOTED = re.compile(r"\s*[>|]")
_MAILTO = re.compile(r"<mailto:[^<>]*>", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;]+(?=\s|$|[^\s,;]*[=@])")
"""Commas between words, and not those in a value: `rest=sat,sun`."""
_MESSAGE = re.compile(r"(anonymous\s+)?message\s+to\s+\S+?:", re.IGNORECASE)
_FORM = re.compile(r"^# ==== Below: the orders of ", re.MULTILINE)


def read(subject: str, text: str) -> Request:
    """What a mail asks: its first own line, else its subject, of which "" asks nothing.

    The subject of an answer asks nothing if its writer wrote anything: it is that of the mail which
    is answered, and an out-of-office would ask for ever.
    """
    tag = _TAG.search(subject)
    game = None if tag is None else tag[1]
    first, about = _first(text), _BEFORE.sub("", subject, count=1)
    before = _TAG.sub("", subject.removesuffix(about))
    for line in first if first and ":" in before else (*first, about):
        found = _request(line)
        if found is not None:
            return found._replace(game=game)
        if _MESSAGE.match(line.strip()):
            return Request("message", game=game)
    return Request("form" if _FORM.search(text) else "", game=game)


def _request(line: str) -> Request | None:
    plain = _BETWEEN.sub(" ", _MAILTO.sub("", line[:LONGEST]))
    first, *rest = plain.split() or [""]
    name = first.lower().rstrip(".!")
    # Who asks "yes?" has not said it.
    name = name if name.startswith("yes") else name.rstrip(".!?:")
    word = WORDS.get(name)
    behind = " ".join(rest) if any(one.strip(".!?") for one in rest) else ""
    if word is None or not behind.isprintable():
        return None
    if word.takes != ANY:
        behind = behind.rstrip(" .!?")
    if not re.fullmatch(word.takes, behind):
        return None
    if word.whose is Whose.ORGANISER:
        # A reason is for all to read, as it was written.
        return Request(name, tuple(_MAILTO.sub("", line[:LONGEST]).split()[1:]))
    return Request(name, tuple(one.strip("<>") for one in behind.split()))


def _first(text: str) -> tuple[str, ...]:
    """The first line that its writer wrote: with the lines of addresses right below, as mail
    programs break long lines, and alone, as a signature may be an address; () if there is none."""
    own: list[str] = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if _QUOTED.match(line):
            _drop_who(own)
            if any(own):
                break
        elif own or line.strip():
            own.append(line[:LONGEST].strip())
            if len(own) > MOST_LINES:
                break
    more = takewhile(lambda line: line and all("@" in one for one in line.split()), own[1:])
    return tuple(dict.fromkeys((" ".join([own[0], *more]), own[0]))) if own else ()


def _drop_who(own: list[str]) -> None:
    """Drop the line above a quotation that says who wrote it, which may be broken in two."""
    while own and not own[-1]:
        own.pop()
    if own and own[-1].endswith(":"):
        last = own.pop()
        if len(last.split()) <= MOST_WORDS and own and re.search(r"[\d@]", own[-1]):
            own.pop()


def lines(whose: Iterable[Whose]) -> Iterator[str]:
    """The lines of the help for who may write these words; what is too long for its column has a
    line of its own."""
    mine = set(whose)
    for word in WORDS.values():
        if word.whose in mine:
            if len(word.usage) > WIDTH:
                yield f"  {word.usage}"
            yield f"  {word.usage if len(word.usage) <= WIDTH else '':{WIDTH}}  {word.does}"
