"""Deadlines as a calendar (RFC 5545), an event for each that somebody has to keep.

No clock has a part in it: a change of the game alone changes the bytes. An event is the same one as
long as it is about the same game and reader (its UID), so a program that reads the file again moves
it; each entry of the game makes its SEQUENCE greater.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from adjudicator.core.ledger import Ledger
from orders.entries import Awaited
from orders.fields import HOST, Digest, Time

BEGIN = "BEGIN:VCALENDAR\r\nPRODID:-//sealed-orders//adjudicator//EN\r\n"
"""How each of these files begins, and no other calendar."""
_WIDTH = 75
"""The most octets of a line."""
_ESCAPED = {ord("\\"): "\\\\", ord(";"): "\\;", ord(","): "\\,", ord("\n"): "\\n"}
_EMPTY = (
    "BEGIN:VTIMEZONE", "TZID:UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000",
    "TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE",
)  # fmt: skip
"""A calendar must hold something."""


class Deadline(NamedTuple):
    """What somebody has to do `until` then. `game`: its id; `whose`: the player, or `HOST`;
    `number`, `time`: of the last entry, or in a duel of the last move."""

    game: Digest
    whose: str
    number: int
    time: Time
    until: Time
    says: str

    @property
    def lines(self) -> tuple[str, ...]:
        """The event's lines, not folded."""
        says = "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in self.says)
        return (
            "BEGIN:VEVENT",
            f"UID:{self.game}-{self.whose}",
            f"SEQUENCE:{self.number}",
            f"DTSTAMP:{_utc(self.time)}",
            f"DTSTART:{_utc(self.until)}",
            f"SUMMARY:{says.translate(_ESCAPED)}",
            "TRANSP:TRANSPARENT",
            "END:VEVENT",
        )


def of_game(
    name: str, ledger: Ledger, late: Mapping[str, Awaited], whose: str = HOST
) -> Deadline | None:
    """The deadline of the game called `name`: for a player their own, for its host the first of
    those who are `late`, whose orders are not in. None if there is none."""
    last, title = ledger.last, ledger.opening.offer.game.title
    mine = {whose: late[whose]} if whose in late else late if whose == HOST else {}
    if not mine or last.entry.time is None:
        return None
    what = ", ".join(
        ("your " if player == whose else f"{player}'s ") + one.what for player, one in mine.items()
    )
    until = min(one.until for one in mine.values())
    said = f"{title} {name}: {what}"
    return Deadline(ledger.opening.id, whose, last.step, last.entry.time, until, said)


def calendar(found: Iterable[Deadline]) -> bytes:
    """The file."""
    events = [line for one in sorted(found) for line in one.lines]
    lines = ("VERSION:2.0", *(events or _EMPTY), "END:VCALENDAR")
    return (BEGIN + "".join(map(_folded, lines))).encode()


def _utc(time: Time) -> str:
    return time.replace("-", "").replace(":", "")


def _folded(line: str) -> str:
    """A line in parts of 75 octets at most, none of which divides a character."""
    out, room = "", _WIDTH
    for c in line:
        size = len(c.encode())
        if size > room:
            out, room = f"{out}\r\n ", _WIDTH - 1
        out, room = out + c, room - size
    return f"{out}\r\n"
