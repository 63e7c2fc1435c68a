"""Order files: a salt, and below it a player's order lines for one step, in their one rendering.

What belongs here: the bytes that are hashed, sealed and opened (`docs/formats/order-files.md`).
`typed.py` reads what a person typed. What it must not know: what the orders mean.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from orders.errors import Refused

LARGEST = 2**16
"""Bytes of the largest order file that is read at all; every game's bound is far below."""

_FORM = re.compile(rb'salt = "([0-9a-f]{64})"\n((?:[ -~]*\n)*)')


class OrderFile(NamedTuple):
    """A player's orders: `orders` are their lines."""

    orders: tuple[str, ...]

    @property
    def text(self) -> str:
        """The orders as the game reads them."""
        return "\n".join(self.orders)

    def render(self, salt: str) -> bytes:
        """The file's bytes with that salt, 64 hex digits."""
        return "\n".join([f'salt = "{salt}"', *self.orders, ""]).encode("ascii")


def compose(text: str) -> OrderFile:
    """The order file of these lines, without blanks at line ends and blank last lines."""
    orders = [line.rstrip(" ") for line in text.split("\n")]
    while orders and not orders[-1]:
        orders.pop()
    return OrderFile(tuple(orders))


def read_order_file(data: bytes) -> tuple[str, OrderFile]:
    """Salt and order file in `data`, which must be its one rendering; raises Refused `malformed` or
    `too-big`."""
    if len(data) > LARGEST:
        raise Refused("too-big", f"order file: {len(data)} bytes, at most {LARGEST} are taken")
    found = _FORM.fullmatch(data)
    if found is not None:
        salt, file = found[1].decode("ascii"), compose(found[2].decode("ascii"))
        if file.render(salt) == data:
            return salt, file
    raise Refused("malformed", f"order file: {_fault(data)}", "these files are written by the tool")


def _fault(data: bytes) -> str:
    """The first line that is not as it must be, and how it must be."""
    salt, *lines = data.split(b"\n")
    if re.fullmatch(rb'salt = "[0-9a-f]{64}"', salt) is None:
        return f"line 1 is {ascii(salt)[2:-1]:.90}: expected its salt"
    for number, line in enumerate(lines[:-1], 2):
        if re.fullmatch(rb"[ -~]*(?<! )", line) is None:
            expected = "expected plain ASCII without a blank at its end"
            return f"line {number} is {ascii(line)[2:-1]:.90}: {expected}"
    return "expected LF at the end of its last line, and no empty line there"
