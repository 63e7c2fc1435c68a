"""The rules of a referee's house: who may write, how much one may begin, when it has holidays.

They are the file `referee.toml` in the folder of the games, as its host writes it. What it must not
know: games, mails.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from adjudicator.core import deadlines
from adjudicator.core.deadlines import DAY, Calendar
from games.options import seconds
from orders import toml
from orders.errors import Refused, at
from orders.fields import Time

FILE = "referee.toml"
LARGEST = 2**16

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


class House(NamedTuple):
    """`allow`, `block`: addresses, with * for any letters; without `allow` everybody may write.

    `games`: how many games that are not over one writer may have begun; `open`: how many games may
    wait for players. `options`: for each new game that names no others. `fastest`: the least turn
    time, `answer`: how long a standby player has to answer before the next is asked, in seconds.
    `pause`: holidays in order, the first and the last day of each, on which no time is up.
    `organisers`: the addresses of who may rule by mail. `publish`: the folder for what may be on
    the web, as seen from that of the games; "": none. `site`: where the web has that folder.
    """

    allow: tuple[str, ...] = ()
    block: tuple[str, ...] = ()
    games: int = 3
    open: int = 50
    options: tuple[str, ...] = ()
    fastest: int = 3_600
    answer: int = DAY
    pause: tuple[tuple[str, str], ...] = ()
    publish: str = ""
    site: str = ""
    organisers: tuple[str, ...] = ()

    @staticmethod
    def read(values: Mapping[str, object]) -> House:
        """The rules by their names in the file; raises Refused."""
        made: dict[str, Any] = {}
        for name, value in values.items():
            if name in ("allow", "block", "options", "organisers"):
                made[name] = tuple(one.lower() for one in _texts(name, value))
            elif name in ("games", "open"):
                if not isinstance(value, int) or value < 0:
                    raise _bad(name, value, "a number")
                made[name] = value
            elif name in ("fastest", "answer"):
                found = seconds(value) if isinstance(value, str) else None
                if found is None:
                    raise _bad(name, value, "a time such as 1h or 2d")
                made[name] = found
            elif name == "pause":
                made[name] = _pauses(value)
            elif name in ("publish", "site"):
                if not isinstance(value, str) or not value:
                    raise _bad(name, value, "a folder" if name == "publish" else "an address")
                made[name] = value
            else:
                known = ", ".join(House._fields)
                raise Refused("bad-option", f"{FILE}: there is no setting {name!a}: {known}")
        return House(**made)

    def organises(self, address: str) -> bool:
        """Whether that address is an organiser's."""
        return address.lower() in self.organisers

    def admits(self, address: str) -> bool:
        """Whether that address may write, and may be invited."""
        mine = address.lower()
        allowed = not self.allow or any(fnmatchcase(mine, one) for one in self.allow)
        return allowed and not any(fnmatchcase(mine, one) for one in self.block)


def after_holiday(calendar: Calendar, days: tuple[str, str], since: Time, until: Time) -> Time:
    """A deadline moved out of a holiday, which begins and ends at midnight in the game's zone. What
    was left of it when the holiday began is left after it."""
    begins, ends = (deadlines.add(f"{day}T00:00:00Z", -calendar.ahead) for day in days)
    ends = deadlines.add(ends, DAY)
    if not begins <= until < ends:
        return until
    return calendar.later(ends, calendar.counted(max(begins, since), until))


def parse(data: bytes) -> Mapping[str, object]:
    """What the file says; raises Refused."""
    with at(FILE):
        return toml.parse(data, LARGEST)


def _bad(name: str, value: object, expected: str) -> Refused:
    return Refused("bad-option", f"{FILE}: {name} = {value!a:.80}: expected {expected}")


def _texts(name: str, value: object) -> Sequence[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _bad(name, value, 'a list of texts, as in ["..."]')
    return value


def _pauses(value: object) -> tuple[tuple[str, str], ...]:
    """Pairs of days, in order."""
    days = _texts("pause", value)
    if len(days) % 2 or not all(_DATE.fullmatch(day) for day in days):
        raise _bad("pause", value, 'first and last days, as in ["2026-12-24", "2027-01-02"]')
    try:
        for day in days:
            date.fromisoformat(day)
    except ValueError:
        raise _bad("pause", value, "days of the calendar") from None
    found = tuple(zip(days[::2], days[1::2], strict=True))
    if any(last < first for first, last in found):
        raise _bad("pause", value, "the first day before the last")
    return tuple(sorted(found))
