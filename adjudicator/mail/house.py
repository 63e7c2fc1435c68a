"""The rules of a referee's house: who may write, how much one may begin, when nobody is awaited.

They are the file `referee.toml` in the folder of the games, as its host writes it. What it must not
know: games, mails.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from adjudicator.core import deadlines
from games.options import seconds
from orders.errors import Refused
from orders.fields import Time

FILE = "referee.toml"
LARGEST = 2**16

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


class House(NamedTuple):
    """`allow`, `block`: addresses, with * for any letters; without `allow` everybody may write.

    `games`: how many games that are not over one writer may have begun; `open`: how many games may
    wait for players. `options`: for each new game that names no others. `fastest`: the least turn
    time, `answer`: how long a standby player has to answer before the next is asked, in seconds.
    `weekdays`: on which no time is up, from 0 for Monday; `pause`: days from and until which no
    time is up, both included; by this machine's own time.
    """

    allow: tuple[str, ...] = ()
    block: tuple[str, ...] = ()
    games: int = 3
    open: int = 50
    options: tuple[str, ...] = ()
    fastest: int = 3_600
    answer: int = 86_400
    weekdays: tuple[int, ...] = ()
    pause: tuple[tuple[Time, Time], ...] = ()

    @staticmethod
    def read(values: Mapping[str, object]) -> House:
        """The rules by their names in the file; raises Refused."""
        made: dict[str, Any] = {}
        for name, value in values.items():
            if name in ("allow", "block", "options"):
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
            elif name == "weekdays":
                days = _texts(name, value)
                if any(day not in DAYS for day in days) or len(set(days)) == len(DAYS):
                    raise _bad(name, value, f"some of {', '.join(DAYS)}, not all")
                made[name] = tuple(map(DAYS.index, days))
            elif name == "pause":
                made[name] = _pauses(value)
            else:
                known = ", ".join(House._fields)
                raise Refused("bad-option", f"{FILE}: there is no setting {name!a}: {known}")
        return House(**made)

    def admits(self, address: str) -> bool:
        """Whether that address may write, and may be invited."""
        mine = address.lower()
        allowed = not self.allow or any(fnmatchcase(mine, one) for one in self.allow)
        return allowed and not any(fnmatchcase(mine, one) for one in self.block)

    def moved(self, since: Time, until: Time) -> Time:
        """A deadline moved out of every pause, and off the days on which no time is up.

        What was left of it at the beginning of a pause is left after it.
        """
        again = True
        while again:
            again = False
            for start, end in self.pause:
                if start <= until < end:
                    until = deadlines.add(end, deadlines.between(max(start, since), until))
                    again = True
            while _local(until).weekday() in self.weekdays:
                until = deadlines.add(until, 86_400)
                again = True
        return until


def parse(data: bytes) -> dict[str, object]:
    """What the file says; raises Refused."""
    try:
        return tomllib.loads(data.decode("utf-8"))
    except ValueError as error:
        raise Refused("malformed", f"{FILE} is no TOML: {str(error)!a:.100}") from None


def _bad(name: str, value: object, expected: str) -> Refused:
    return Refused("bad-option", f"{FILE}: {name} = {value!a:.80}: expected {expected}")


def _texts(name: str, value: object) -> Sequence[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _bad(name, value, 'a list of texts, as in ["..."]')
    return value


def _pauses(value: object) -> tuple[tuple[Time, Time], ...]:
    """Pairs of days, each as the times at which the first begins and the last ends."""
    days = _texts("pause", value)
    if len(days) % 2 or not all(_DATE.fullmatch(day) for day in days):
        raise _bad("pause", value, 'first and last days, as in ["2026-12-24", "2027-01-02"]')
    try:
        begins = [datetime.fromisoformat(day) for day in days]
    except ValueError:
        raise _bad("pause", value, "days of the calendar") from None
    found = []
    for first, last in zip(begins[::2], begins[1::2], strict=True):
        if last < first:
            raise _bad("pause", value, "the first day before the last")
        found.append((_utc(first), _utc(last + timedelta(days=1))))
    return tuple(found)


def _utc(local: datetime) -> Time:
    return local.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _local(time: Time) -> datetime:
    return datetime.fromisoformat(time).astimezone()
