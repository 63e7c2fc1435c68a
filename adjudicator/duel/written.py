"""Orders as a duel keeps them: in small letters, without remarks, in one form of bytes."""

from __future__ import annotations

from games.game import Written
from games.lines import read_lines
from orders import sealing
from orders.errors import Refused


def plain(written: Written) -> Written:
    """The same orders without remarks, blank lines and capitals."""
    lines = [" ".join(line.words) for line in read_lines(written.orders)]
    return Written("\n".join(lines))


def encode(written: Written) -> bytes:
    """Plain orders as bytes; raises Refused `malformed` for other characters than plain ASCII."""
    text = written.orders
    if not text.isascii():
        raise Refused("malformed", f"orders {text[:60]!a}: expected plain ASCII")
    return text.encode("ascii")


def decode(data: bytes) -> Written:
    """The inverse of `encode`; raises Refused `malformed` for bytes that are not those of plain
    orders."""
    written = Written(data.decode("ascii", "replace"))
    if encode(plain(written)) != data:
        raise Refused("malformed", "orders: they are not in their one form")
    return written


def kept(given: Written, padded: int) -> Written:
    """Orders as a duel keeps them; raises Refused for what cannot be kept so, also if they are
    longer than the game's padded length holds."""
    content = encode(plain(given))
    if len(content) > sealing.room(padded):
        raise Refused(
            "too-big",
            f"the orders have {len(content)} characters: a duel takes {sealing.room(padded)} of "
            "one step",
            "write fewer lines",
        )
    return decode(content)
