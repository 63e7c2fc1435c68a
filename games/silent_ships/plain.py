"""Reads plain data as strings, numbers, tables, cells and lists of them; a refusal names the key
(BadPosition)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.game import BadPosition, Table
from games.grid import Cell, read_cell
from games.silent_ships.state import BOARD

MOST = 10**7 - 1
"""The largest number that is read: no game has more steps."""


def known_keys(name: str, table: Table, keys: Sequence[str]) -> None:
    """Raise BadPosition for a key that is not among `keys`."""
    for key in table:
        if key not in keys:
            raise BadPosition(f"{name}: key {key!a:.80} is unknown; there are {', '.join(keys)}")


def a_table(name: str, value: Any, keys: Sequence[str]) -> Table:
    """A table with no other keys than these."""
    if not isinstance(value, dict):
        raise BadPosition(f"key {name!r} = {value!a:.80}: expected a table")
    known_keys(f"key {name!r}", value, keys)
    return value


def a_word(name: str, value: Any, known: Sequence[str]) -> str:
    """One of some words."""
    if value not in known:
        raise BadPosition(f"key {name!r}: {value!a:.80}: expected one of {', '.join(known)}")
    word: str = value
    return word


def strings(name: str, value: Any) -> tuple[str, ...]:
    """A list of strings."""
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise BadPosition(f"key {name!r} = {value!a:.80}: expected a list of strings")
    return tuple(value)


def words(name: str, value: Any, known: Sequence[str]) -> tuple[str, ...]:
    """A list of some words."""
    return tuple(a_word(name, item, known) for item in strings(name, value))


def a_cell(name: str, value: Any) -> Cell:
    """A cell on the board."""
    cell = read_cell(value) if isinstance(value, str) else None
    if cell is None or not cell.on(BOARD):
        raise BadPosition(f"key {name!r}: {value!a:.80}: expected a cell from A1 to E4")
    return cell


def a_number(name: str, table: Table, key: str, least: int = 0) -> int:
    """A number that is at least `least`, which is also its default."""
    value = table.get(key, least)
    if type(value) is not int or not least <= value <= MOST:
        raise BadPosition(
            f"key {name!r} = {value!a:.80}: expected a whole number from {least} to {MOST}"
        )
    return value


def a_bool(name: str, table: Table, key: str) -> bool:
    """True or false; the default is given."""
    value = table.get(key, False)
    if type(value) is not bool:
        raise BadPosition(f"key {name!r} = {value!a:.80}: expected true or false")
    return value
