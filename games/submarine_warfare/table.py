"""The table of special actions: reading it, checking it, asking it (SW-18).

It turns `specials.toml`, or a table in its place, into checked values. Rules name mechanisms, never
specials, so that a table with other names and numbers needs no change of code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from games.game import Setup, Table
from games.grid import read_cell
from games.kinds import ANYTHING, Reader, bad_table, number, parse_table, read_sources, tables, word
from games.options import OfferRefused

DEFAULT = (Path(__file__).parent / "specials.toml").read_bytes()

LEAST = 6
"""The least number of specials: five submarines hold one each, and `replace` needs one more."""
MOST = 40
MOST_MORE = 2
"""The most AP that all reactors of a table give together; the bound on reports relies on it."""

_NAME = re.compile(r"[a-z](?:[a-z0-9]|-(?=[a-z0-9])){0,19}", re.ASCII)
_TAKEN = ("move", "surface", "submerge", "replace", "stop", "draw", "resign", "up", "down")
"""Words of order lines and of the notation, which no special may have as its name."""

ACTIVE: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "torpedo": {"range": (1, 6), "damage": (1, 5)},
    "mine": {"damage": (1, 5)},
    "heal": {"amount": (1, 5)},
    "sonar": {"range": (1, 12)},
    "nullify": {},
    "depth-charge": {"damage": (1, 5)},
}
"""Mechanisms that need an order and cost AP, with their numbers and the bounds of each."""

PASSIVE: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "armor": {"less": (1, 5)},
    "battering-ram": {"takes": (0, 5), "deals": (1, 5)},
    "reactor": {"more": (1, MOST_MORE)},
    "repair": {"amount": (1, 5)},
}
"""Mechanisms that work by themselves and cost no AP."""

MECHANISMS = {**ACTIVE, **PASSIVE}


@dataclass(frozen=True, slots=True)
class Special:
    """One row of the table. `numbers` are the mechanism's, by name; `sources` says whether
    `mechanism`, `ap` and each number are `published` or `house`."""

    name: str
    mechanism: str
    ap: int
    numbers: Mapping[str, int]
    sources: Mapping[str, str]


Specials = Mapping[str, Special]
"""A whole table by name, in the order in which it is written."""


def specials(setup: Setup) -> Specials:
    """The table of a game."""
    table: Specials = setup.table
    return table


@lru_cache(16)
def read(text: bytes) -> Specials:
    """A house table's bytes, parsed and checked; raises OfferRefused, naming the key at fault."""
    return MappingProxyType(check(parse_table(text, "specials")))


def check(data: Table) -> Specials:
    """The table of parsed values; raises OfferRefused, naming the key at fault.

    Several kinds of mines could not be told apart once laid; reactors make reports longer.
    """
    rows = Reader(data, data, "", _refused).whole(tables(ANYTHING))
    table = {name: _special(name, row) for name, row in rows.items()}
    if not LEAST <= len(table) <= MOST:
        raise OfferRefused(
            f"table of specials: {len(table)} of them; expected {LEAST} to {MOST} tables such as "
            '[torpedo] with mechanism = "torpedo"'
        )
    mines = [special.name for special in table.values() if special.mechanism == "mine"]
    if len(mines) > 1:
        raise OfferRefused(f"table of specials: {', '.join(mines)}: expected one kind of mine")
    more = sum(
        special.numbers["more"] for special in table.values() if special.mechanism == "reactor"
    )
    if more > MOST_MORE:
        raise OfferRefused(
            f"table of specials: reactors give {more} AP together; expected at most {MOST_MORE}"
        )
    return table


def _special(name: str, row: Table) -> Special:
    if not _NAME.fullmatch(name) or name in _TAKEN or read_cell(name):
        raise OfferRefused(
            f"table of specials: {name!a:.80} cannot be a special's name; expected lower-case "
            f"letters, digits and single hyphens, at most 20; no word of order lines and "
            "no cell"
        )
    mechanism = Reader(row, row, name, _refused).take("mechanism", _MECHANISM)
    bounds = MECHANISMS[mechanism]
    reader = Reader(row, ("mechanism", "ap", *bounds, "source"), name, _refused)
    ap = reader.take("ap", number(0, 0) if mechanism in PASSIVE else number(1, 9))
    numbers = {key: reader.take(key, number(*bound)) for key, bound in bounds.items()}
    sources = read_sources(reader, ("mechanism", "ap", *numbers))
    return Special(name, mechanism, ap, numbers, sources)


_MECHANISM = word(*MECHANISMS)
_refused = bad_table("specials")
