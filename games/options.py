"""The options with which a game is offered: their kinds, the options of every game, and refusals.

What belongs here: the values allowed in an invite's `[options]`, and their form on a command line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

Value: TypeAlias = Any
"""The values of both canonical JSON and TOML: str, int, bool, list of these, dict from str to
these."""


class OfferRefused(ValueError):
    """Options, a house table or players with which the game cannot be offered or begun."""


class Option(NamedTuple):
    """One option of a game, in an invite's `[options]`.

    `kind`: "int" (with `low`, `high`), "bool", "choice" (one of `choices`), "player" (a name, or
    the number of a seat, from 1; genesis checks that such a player plays), "duration" ("90s",
    "5m", "12h", "3d"), "days" ("none", or days of the week as in "sat,sun"), "zone" (a fixed
    offset from UTC, "+01:00") or "match" ("none", "first", or the digest by which the second game
    of a match names the first). A default of None means that the option is not given.
    """

    name: str
    kind: str
    default: Value
    help: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0

    def parse(self, text: str) -> Value:
        """The value of `name=text` on a command line; raises OfferRefused."""
        value: Value = text
        if self.kind in ("int", "player") and text.isascii() and text.isdigit() and len(text) < 10:
            value = int(text)
        elif self.kind == "bool" and text in ("true", "false"):
            value = text == "true"
        return self.check(value)

    def check(self, value: Value) -> Value:
        """`value` itself if an invite may hold it; raises OfferRefused."""
        if not self._fits(value):
            meant = ""
            if isinstance(value, str):
                player = self.kind == "player"
                meant = suggest_name(value) if player else suggest(value, self.choices)
            raise OfferRefused(
                f"option {self.name} = {value!a:.80}: expected {self._expected()}{meant}"
            )
        return value

    def check_named(self, value: Value, players: Sequence[str]) -> None:
        """Raise OfferRefused for an option that names somebody who does not play."""
        if self.kind == "player" and value is not None and value not in players:
            raise OfferRefused(
                f"option {self.name} = {value!r}: no player has that name; there are "
                f"{', '.join(players)}. In an invite {self.name}=1 means whoever gets the first "
                "seat"
            )

    def named(self, value: Value, players: Sequence[str]) -> Value:
        """The value with the name of the player whose seat it gives."""
        if self.kind != "player" or type(value) is not int:
            return value
        if value > len(players):
            raise OfferRefused(f"option {self.name} = {value}: there are {len(players)} seats")
        return players[value - 1]

    def _fits(self, value: Value) -> bool:
        if self.kind == "int":
            return type(value) is int and self.low <= value <= self.high
        if self.kind == "bool":
            return type(value) is bool
        if self.kind == "player" and type(value) is int:
            return 1 <= value <= 64
        if not isinstance(value, str):
            return False
        if self.kind == "choice":
            return value in self.choices
        if self.kind == "duration":
            length = seconds(value)
            return length is not None and length <= LONGEST
        if self.kind == "days":
            return value == "none" or value in _DAYS_OF_REST
        if self.kind == "zone":
            return offset(value) is not None
        if self.kind == "match":
            return value in ("none", "first") or _DIGEST.fullmatch(value) is not None
        return is_name(value)

    def _expected(self) -> str:
        return {
            "int": f"a whole number from {self.low} to {self.high}",
            "bool": "true or false",
            "choice": "one of " + ", ".join(self.choices),
            "duration": f'a time such as "90s", "5m", "12h" or "3d", at most {LONGEST // 86_400}d',
            "days": f"none, or some of {','.join(DAYS)} in this order, not all seven",
            "zone": "hours and minutes from UTC such as +01:00 or -03:30, at most 14:00",
            "match": "none, first, or the digest by which a second game names the first",
            "player": "a name (at most 32 of a to z, 0 to 9 and -, a letter first, and not host), "
            "or the number of a seat",
        }[self.kind]


def complete(known: Iterable[Option], given: Mapping[str, Value], whose: str) -> dict[str, Value]:
    """The value of each option, defaults included; raises OfferRefused, naming the option.

    `whose`: the game's id, for messages.
    """
    options = {option.name: option for option in known}
    for name in given:
        if name not in options:
            raise OfferRefused(
                f"option {name!a:.80} is unknown to {whose}; it has {', '.join(options)}"
                f"{suggest(name, options)}"
            )
    values = {name: option.default for name, option in options.items()}
    return values | {name: options[name].check(value) for name, value in given.items()}


def parse(
    known: Iterable[Option],
    presets: Mapping[str, Mapping[str, Value]],
    texts: Iterable[str],
    whose: str,
) -> dict[str, Value]:
    """Options written as `name=value`, as on a command line, over those of the presets that are
    named among them, as `club` or `preset=club`; raises OfferRefused."""
    options = {option.name: option for option in known}
    given: dict[str, Value] = {}
    written = [text.removeprefix("preset=") for text in texts]
    for text in written:
        given |= presets.get(text, {})
    for text in written:
        if text in presets:
            continue
        name, equals, value = text.partition("=")
        if name not in options:
            sets = f", and the presets {', '.join(presets)}" if presets else ""
            raise OfferRefused(
                f"{name!a:.80} is no option of {whose}; it has {', '.join(options)}{sets}"
                f"{suggest(name, (*options, *presets))}"
            )
        if not equals:
            raise OfferRefused(f"option {name} = ?: write {name}=VALUE")
        given[name] = options[name].parse(value)
    return given


def check_players(
    players: Sequence[str], seats: tuple[int, int], words: frozenset[str], whose: str
) -> None:
    """Raise OfferRefused for too few or too many players, for what is no name, for a name that is
    one of `words`, and for one that stands twice."""
    least, most = seats
    if not least <= len(players) <= most:
        many = f"{least}" if least == most else f"{least} to {most}"
        raise OfferRefused(f"{whose} is for {many} players, not {len(players)}")
    for player in players:
        if not is_name(player):
            raise OfferRefused(f"{player!a:.80} is no player's name{suggest_name(player)}")
        if player in words:
            raise OfferRefused(f"{player!r} is a word of the orders of {whose}, no name")
        if players.count(player) > 1:
            raise OfferRefused(f"{player!r} stands twice among the players")


_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}", re.ASCII)
_SPELT = str.maketrans(
    {
        "\N{LATIN SMALL LETTER A WITH DIAERESIS}": "ae",
        "\N{LATIN SMALL LETTER O WITH DIAERESIS}": "oe",
        "\N{LATIN SMALL LETTER U WITH DIAERESIS}": "ue",
        "\N{LATIN SMALL LETTER SHARP S}": "ss",
        "\N{LATIN SMALL LETTER AE}": "ae",
        "\N{LATIN SMALL LETTER O WITH STROKE}": "oe",
        "\N{LATIN SMALL LETTER A WITH RING ABOVE}": "aa",
    }
)


def of_preset(
    presets: Mapping[str, Mapping[str, Value]], name: str | None, whose: str
) -> dict[str, Value]:
    """The options of that preset; raises OfferRefused if there is no preset of that name.

    Without a name there are none.
    """
    if name is None:
        return {}
    if name not in presets:
        known = ", ".join(presets) or "none"
        raise OfferRefused(
            f"{whose} has no preset {name!a:.80}; it has {known}{suggest(name, presets)}"
        )
    return dict(presets[name])


def is_name(text: str) -> bool:
    """Whether a player may have that name: `[a-z][a-z0-9-]{0,31}`, but not `host`."""
    return _NAME.fullmatch(text) is not None and text != "host"


def suggest_name(text: str) -> str:
    """`; did you mean 'joerg'?` for a text such as `Joerg` that is not a name but close to one."""
    name = plain_name(text)
    return f"; did you mean {name!r}?" if name and name != text else ""


def plain_name(text: str) -> str:
    """The name that is closest to a text: `joerg` for `Joerg`; empty if there is none."""
    plain = unicodedata.normalize("NFC", text[:80].strip()).lower().translate(_SPELT)
    letters = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode("ascii")
    name = re.sub("[^a-z0-9]+", "-", letters).strip("-")[:32]
    return name if is_name(name) else ""


UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
LONGEST = 3_650 * 86_400
"""The seconds of the longest duration that an option may have."""


def seconds(text: str) -> int | None:
    """The length in seconds of a duration such as `90s` or `3d`; None if it is none."""
    return _seconds(text) if len(text) <= len("999999d") else None


@lru_cache(256)
def _seconds(text: str) -> int | None:
    digits, unit = text[:-1], text[-1:]
    if unit not in UNITS or not digits.isascii() or not digits.isdigit():
        return None
    if digits != str(int(digits)):
        return None
    return int(digits) * UNITS[unit]


DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAYS_OF_REST = {
    ",".join(days): days for many in range(1, len(DAYS)) for days in combinations(DAYS, many)
}
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_ZONE = re.compile(r"([+-])(0[0-9]|1[0-4]):([0-5][0-9])", re.ASCII)


def weekdays(rest: str) -> tuple[int, ...]:
    """The days of the week that count, from 0 for Monday, by an option such as `sat,sun`."""
    resting = _DAYS_OF_REST.get(rest, ())
    return tuple(number for number, day in enumerate(DAYS) if day not in resting)


def offset(zone: str) -> int | None:
    """The seconds by which clocks in a zone such as `+01:00` are ahead of UTC; None if it is no
    zone."""
    found = _ZONE.fullmatch(zone)
    if found is None or zone == "-00:00":
        return None
    ahead = (int(found[2]) * 60 + int(found[3])) * 60
    return None if ahead > 14 * 3600 else -ahead if found[1] == "-" else ahead


TURN_TIME = Option("turn_time", "duration", "3d", "time for a step's orders")
RESERVE_TIME = Option("reserve_time", "duration", "0d", "time in reserve for the whole game")
ABSENCE = Option("absence", "duration", "0d", "for how long in all a player may be away")
PRESS = Option(
    "press",
    "choice",
    "none",
    "messages between players; each choice also allows the ones before it",
    choices=("none", "public", "private", "anonymous"),
)
REST = Option("rest", "days", "none", "days on which no time passes: sat,sun")
ZONE = Option("zone", "zone", "+00:00", "where the days of rest begin and end: +01:00")
AWAY = Option(
    "away",
    "int",
    0,
    "missed in a row after which a seat may be handed on unsigned, 0: never",
    high=9,
)
MATCH = Option("match", "match", "none", "whether it is a game of a match of two, seats changed")
COMMON = (TURN_TIME, RESERVE_TIME, ABSENCE, PRESS, REST, ZONE, AWAY, MATCH)
"""The options of every game."""

CLUB: Mapping[str, Value] = {"rest": "sat,sun", "zone": "+00:00", "away": 2}
"""The preset `club` of every game: what a club does anyway is agreed on before the game."""


def check_terms(values: Mapping[str, Value]) -> None:
    """Raise OfferRefused for options of every game that do not go together."""
    if values["zone"] != ZONE.default and values["rest"] == REST.default:
        raise OfferRefused(
            f"option zone = {values['zone']!r}: expected rest too, because a zone only says when "
            "days of rest begin"
        )
    if is_match(values) and values.get("first", "") is None:
        raise OfferRefused(
            f"option match = {values['match']!r}: expected first too, as in first=1, because in a "
            "match no lot says who goes first"
        )


def is_match(values: Mapping[str, Value]) -> bool:
    """Whether a game with these options is one of a match of two."""
    return bool(values.get(MATCH.name, MATCH.default) != MATCH.default)


def check_away(values: Mapping[str, Value], ends: int) -> None:
    """Raise OfferRefused if a player who missed `ends` deadlines in a row is out of the game before
    their seat may be handed on."""
    if values["away"] >= ends:
        raise OfferRefused(
            f"option away = {values['away']} hands a seat on after so many missed deadlines, and "
            f"missed = {values['missed']} ends the game for its player by then: leave one out"
        )


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The hint `did you mean 'x'?`, if something known is close to `word`; else ""."""
    import difflib

    close = difflib.get_close_matches(word, list(known), n=1)
    return f"did you mean {close[0]!r}?" if close else ""


def suggest(word: str, known: Iterable[str]) -> str:
    """The same at the end of a message: `; did you mean 'x'?`, or ""."""
    hint = did_you_mean(word, known)
    return f"; {hint}" if hint else ""
