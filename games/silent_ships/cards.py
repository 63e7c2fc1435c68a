"""The data of the game: the table of ships and the editions (SS-2, SS-16).

What belongs here: reading `ships.toml`, or a table in its place, and `editions.toml`, and questions
about them. Rules name abilities, never ships, so another table of ships needs no change of code.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from games.game import Table
from games.kinds import Reader, bad_table, number, parse_table, read_sources, tables, word
from games.options import OfferRefused, check_away

HERE = Path(__file__).parent
DEFAULT_TABLE = (HERE / "ships.toml").read_bytes()

NAMES = (
    "flag-ship",
    "fire-ship",
    "frigate",
    "submarine",
    "ramming-ship",
    "missile-boat",
    "speed-boat",
    "patrol-ship",
    "salvage-ship",
    "special-operations-craft",
    "ammunition-ship",
)


def spoken(name: str) -> str:
    """A ship's name in a sentence: `Fire ship`."""
    return name.replace("-", " ").capitalize()


LONGEST = max(map(len, NAMES))
MOST_ATTACK = 20

ABILITIES: Mapping[str, tuple[str, int, int] | None] = {
    "none": None,
    "flag": None,
    "burns": None,
    "heavy": ("discards", 2, 3),
    "silent": None,
    "rams": ("ramming", 1, MOST_ATTACK),
    "reaches": ("distance", 2, 7),
    "sprints": ("cells", 2, 3),
    "scouts": None,
    "salvages": ("bonus", 1, MOST_ATTACK),
    "swaps": None,
    "arms": ("bonus", 1, MOST_ATTACK),
}
"""Each ability's one parameter with its least and greatest value; None if it has no parameter."""


class Card(NamedTuple):
    """A ship's card. `amount` is the ability's parameter; 1 if it has none.

    `sources`: for attack and ability, whether the published texts give them.
    """

    name: str
    attack: int
    ability: str
    amount: int
    sources: tuple[str, str]


@dataclass(frozen=True)
class Cards:
    """The table of ships, in the order in which it is written."""

    ships: tuple[Card, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The ships' names in the order of the table."""
        return tuple(self._by_name)

    def attack(self, name: str) -> int:
        """The attack on the card, before any ability."""
        return self._by_name[name].attack

    def ability(self, name: str, ability: str) -> int:
        """The ability's amount if that ship has it, else 0."""
        card = self._by_name[name]
        return card.amount if card.ability == ability else 0

    def sort(self, names: Iterable[str]) -> tuple[str, ...]:
        """These ships in the order of the table."""
        return tuple(sorted(names, key=self._places.__getitem__))

    @cached_property
    def _places(self) -> dict[str, int]:
        # A card that is not known comes last.
        return {name: place for place, name in enumerate((*self.names, ""))}

    @cached_property
    def _by_name(self) -> dict[str, Card]:
        return {card.name: card for card in self.ships}


class Edition(NamedTuple):
    """An edition with its options applied. `sunk`: how many ships sunk are a win, 0: none."""

    hand: int
    draw: int
    steps: tuple[str, ...]
    wins: tuple[str, ...]
    sunk: int


@lru_cache(16)
def read_table(text: bytes) -> Cards:
    """A table of ships; raises OfferRefused, naming the ship and the key at fault."""
    data = parse_table(text, "ships")
    reader = Reader(data, NAMES, "", _refused)
    for name in NAMES:
        reader.take(name, tables())
    return Cards(tuple(_card(name, data[name]) for name in data))


def _card(name: str, entry: Table) -> Card:
    ability = Reader(entry, entry, name, _refused).take("ability", _ABILITY)
    parameter = ABILITIES[ability]
    keys = ("attack", "ability", "source", *(parameter[:1] if parameter else ()))
    reader = Reader(entry, keys, name, _refused)
    attack = reader.take("attack", number(0, MOST_ATTACK))
    amount = reader.take(parameter[0], number(*parameter[1:])) if parameter else 1
    sources = read_sources(reader, ("attack", "ability"))
    return Card(name, attack, ability, amount, (sources["attack"], sources["ability"]))


_ABILITY = word(*ABILITIES)
_refused = bad_table("ships")

_EDITIONS: Mapping[str, Any] = tomllib.loads((HERE / "editions.toml").read_bytes().decode())
EDITIONS = tuple(_EDITIONS)
OF_SOME_EDITIONS: Mapping[str, bool] = {"speed": False, "flag_ship": True}
"""Options that not every edition has, with their defaults."""


def edition(options: Table) -> Edition:
    """The edition that a game's options name, with the changes that they make."""
    return _edition(options["edition"], tuple(options[name] for name in OF_SOME_EDITIONS))


@cache
def _edition(name: str, given: tuple[bool, ...]) -> Edition:
    data = _EDITIONS[name]
    values: dict[str, Any] = {key: data[key] for key in Edition._fields}
    of_some = zip(OF_SOME_EDITIONS.items(), given, strict=True)
    changed = [option for (option, default), value in of_some if value != default]
    for option, changes in data.get("options", {}).items():
        if option in changed:
            values |= changes
    values |= {key: tuple(values[key]) for key in ("steps", "wins")}
    return Edition(**values)


def check_options(options: Table) -> None:
    """Raise OfferRefused for an option that the edition does not have, and for a seat that would be
    handed on after the deadline by which its player resigns."""
    if options["missed"] == "resign":
        check_away(options, 1)
    of_edition = _EDITIONS[options["edition"]].get("options", {})
    for name, default in OF_SOME_EDITIONS.items():
        if options[name] != default and name not in of_edition:
            raise OfferRefused(
                f"option {name} goes with edition {_having(name)} only, "
                f"not with {options['edition']}"
            )


def _having(option: str) -> str:
    """The editions that have an option."""
    return ", ".join(name for name, data in _EDITIONS.items() if option in data.get("options", {}))


DEFAULT = read_table(DEFAULT_TABLE)
