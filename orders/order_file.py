"""Order files: the only documents that people write, and so the only ones written freely.

An order file is hashed and sealed as its author's bytes with one line, the salt, in front.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from orders import toml
from orders.errors import Refused
from orders.fields import Digest, Reader, check_name
from orders.toml import Value


@dataclass(frozen=True, slots=True)
class OrderFile:
    """An order file as opened: what stands in it, salt aside."""

    game: Digest
    step: int
    player: str
    orders: str
    tables: Mapping[str, Mapping[str, Value]]


def salted(salt: str, authored: bytes) -> bytes:
    """The order file as hashed and sealed: the author's bytes, the salt's line in front."""
    return f'salt = "{salt}"\n'.encode() + authored


def read_order_file(data: bytes, tables: Collection[str], limit: int) -> OrderFile:
    """A salted order file; raises Refused `malformed` or `too-big`.

    `tables` are the names of tables that the game knows; `limit` is in bytes.
    """
    head, _, authored = data.partition(b"\n")
    if re.fullmatch(rb'salt = "[0-9a-f]{64}"', head) is None:
        raise Refused("malformed", "order file: the first line must be its salt")
    return read_authored(authored, tables, limit - len(head) - 1)


_PLAIN = re.compile(
    rb'game = "([0-9a-f]{64})"\nstep = ([1-9][0-9]{0,5})\nplayer = "([a-z0-9-]+)"\n'
    rb'orders = """\n((?:[ !#-\[\]-~]{0,200}\n){0,200})"""\n',
)
"""The plainest order file: no table, no comment, no quote or backslash; TOML reads it so too."""


def read_authored(data: bytes, tables: Collection[str], limit: int) -> OrderFile:
    """An order file as its author wrote it, without salt; raises Refused."""
    plain = _PLAIN.fullmatch(data)
    if plain is not None and len(data) <= limit:
        game, step, player, orders = (part.decode("ascii") for part in plain.groups())
        return OrderFile(game, int(step), check_name(player), orders, {})
    values = toml.parse(data, limit)
    if "salt" in values:
        raise Refused("malformed", "order file: key 'salt' is put in by the tool", "remove it")
    reader = Reader("order file", values)
    about = reader.hex("game"), reader.number("step", 1, 10**7), reader.name("player")
    lines = reader.take("orders", lambda value: isinstance(value, str), "a string of lines")
    found = {}
    for name in sorted(tables):
        if name in reader.left:
            found[name] = reader.table(name)
    reader.end()
    return OrderFile(*about, lines, found)
