"""Order files: a player's orders for one step, in their one rendering.

What belongs here: the document that is hashed, sealed and opened (`docs/formats/order-files.md`).
`typed.py` reads what a person typed. What it must not know: what the orders mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from orders import toml
from orders.documents import STEP
from orders.errors import Refused
from orders.fields import HEX, PLAYER, Digest, Reader, are_texts, close, field
from orders.toml import Lines, Value

LARGEST = 2**16
"""Bytes of the largest order file that is read at all; every game's bound is far below."""

Tables = Mapping[str, Mapping[str, Value]]
"""A game's tables by name: their keys in order, with their values or defaults."""


_LINES = field("a list of order lines", are_texts)


class OrderFile(NamedTuple):
    """A player's orders. `orders` are the lines; `tables` hold no value that equals its default."""

    game: Digest
    step: int
    player: str
    orders: tuple[str, ...]
    tables: Tables = MappingProxyType({})

    @property
    def text(self) -> str:
        """The orders as the game reads them."""
        return "\n".join(self.orders)

    def render(self, salt: str) -> bytes:
        """The document's bytes with that salt, 64 hex digits.

        Raises ValueError for what cannot be written.
        """
        return toml.render(
            {
                "salt": salt,
                "game": self.game,
                "step": self.step,
                "player": self.player,
                "orders": Lines(self.orders),
                **{name: dict(table) for name, table in self.tables.items()},
            }
        )


def compose(
    game: Digest, step: int, player: str, lines: Sequence[str], given: Tables, known: Tables
) -> OrderFile:
    """The order file for these orders, without blanks at line ends, blank last lines and defaults.

    `known` are the tables of the game, `given` those in the player's file; a key whose default is
    None must be written. Raises Refused `malformed` for a table or a key that the game does not
    know.
    """
    orders = [line.rstrip(" ") for line in lines]
    while orders and not orders[-1]:
        orders.pop()
    _check_known("order file: table", given, known)
    tables = {}
    for name, defaults in known.items():
        table = given.get(name, {})
        _check_known(f"order file: {name}: key", table, defaults)
        said = {key: _checked(f"{name}.{key}", table[key]) for key in defaults if key in table}
        # 1 and true are equal in Python, but they are not the same value; so their renderings are
        # compared.
        kept = {
            key: value
            for key, value in said.items()
            if defaults[key] is None or toml.plain(value) != toml.plain(defaults[key])
        }
        if kept:
            tables[name] = kept
    return OrderFile(game, step, player, tuple(orders), tables)


def _check_known(what: str, given: Mapping[str, Value], known: Mapping[str, Value]) -> None:
    odd = next((key for key in given if key not in known), None)
    if odd is not None:
        expected = f"expected {', '.join(known)}" if known else "there are none in this game"
        raise Refused("malformed", f"{what} {odd!a:.90} is unknown: {expected}")


def _checked(name: str, value: Value) -> Value:
    """A value of a game's table: text, number, boolean, or a list of these."""
    parts = value if isinstance(value, list) else [value]
    try:
        for part in parts:
            toml.plain(part)
    except ValueError as error:
        raise Refused("malformed", f"order file: {name}: {ascii(str(error))[1:-1]}") from None
    if any(isinstance(part, list | dict) for part in parts):
        raise Refused("malformed", f"order file: {name} = {value!a:.90}: expected no table or list")
    return value


def read_order_file(data: bytes, tables: Tables) -> tuple[str, OrderFile]:
    """Salt and order file in `data`, which must be its one rendering.

    `tables` are those of the game, with their defaults. Raises Refused `malformed` or `too-big`.
    """
    salt, file = _read(data, tables)
    toml.check_rendering(data, lambda: file.render(salt))
    return salt, file


def check_readable(file: OrderFile, tables: Tables) -> None:
    """Check that the file's rendering reads back as the same orders; raises Refused `malformed` or
    `too-big`."""
    try:
        data = file.render("0" * 64)
    except ValueError as error:
        raise Refused("malformed", f"order file: {ascii(str(error))[1:-1]}") from None
    if _read(data, tables)[1] != file:
        raise Refused("malformed", "order file: written out, it would read differently")


def _read(data: bytes, tables: Tables) -> tuple[str, OrderFile]:
    if len(data) > LARGEST:
        raise Refused("too-big", f"order file: {len(data)} bytes, at most {LARGEST} are taken")
    reader = Reader("order file", toml.read(data))
    salt, game = HEX.read(reader, "salt"), HEX.read(reader, "game")
    about = game, STEP.read(reader, "step"), PLAYER.read(reader, "player")
    lines = _LINES.read(reader, "orders")
    given = {name: reader.table(name) for name in tables if name in reader.left}
    return salt, close(reader, compose(*about, lines, given, tables))
