"""The kinds of values that keys of plain data may have, and messages about a value of another
kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from games.game import Table
from games.options import Value


class Kind(NamedTuple):
    """Values of one kind: `one` and `many` name them in a message; `fits` recognises them."""

    one: str
    many: str
    fits: Callable[[Value], bool]


ANYTHING = Kind("anything", "anything", lambda value: True)
NUMBER = Kind("a whole number", "whole numbers", lambda value: type(value) is int)
TEXT = Kind("a string", "strings", lambda value: isinstance(value, str))
LINE = Kind(
    "one line that can be printed",
    "lines that can be printed",
    lambda value: isinstance(value, str) and value.isprintable(),
)


def lists(of: Kind) -> Kind:
    """Lists of values of that kind."""
    return Kind(
        f"a list of {of.many}",
        f"lists of {of.many}",
        lambda value: isinstance(value, list) and all(map(of.fits, value)),
    )


def tables(of: Kind = ANYTHING) -> Kind:
    """Tables with a value of that kind under each key."""
    more = "" if of is ANYTHING else f" of {of.many}"
    return Kind(
        f"a table{more}",
        f"tables{more}",
        lambda value: isinstance(value, dict) and all(map(of.fits, value.values())),
    )


def some(of: Kind) -> Kind:
    """The same, but not empty."""
    more = "that is not empty"
    return Kind(f"{of.one} {more}", f"{of.many} {more}", lambda value: value and of.fits(value))


def either(one: Kind, other: Kind) -> Kind:
    """Values of either kind."""
    return Kind(
        f"{one.one} or {other.one}",
        f"{one.many} or {other.many}",
        lambda value: one.fits(value) or other.fits(value),
    )


def fault(table: Table, kinds: Mapping[str, Kind]) -> str:
    """The fault of the first of these keys that holds another kind of value; "" if none does."""
    for key, kind in kinds.items():
        if key in table and not kind.fits(table[key]):
            return f"key {key!r} = {table[key]!a:.80}: expected {kind.one}"
    return ""
