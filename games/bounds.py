"""What bounds on sizes are reckoned with: the bytes of plain data, and of an order file.

What belongs here: the arithmetic that is the same for every game. What it must not know: any game,
and how a file is made (`docs/formats/order-files.md`, `docs/formats/canonical-json.md`).
"""

from __future__ import annotations

import json

from games.game import Setup
from games.options import Value

LARGEST = 2**53 - 1
"""The largest number that canonical JSON holds."""
_LAST_STEP = 9_999_999
"""The largest number of an entry that names of files can hold."""


def json_bytes(value: Value) -> int:
    """The bytes of `value` as canonical JSON."""
    return len(json.dumps(value, separators=(",", ":"), sort_keys=True))


def order_file_bytes(setup: Setup, lines: int, characters: int) -> int:
    """The most bytes of an order file without tables, in its one rendering, for any player.

    `lines` order lines of `characters` characters each at most. A backslash or a quotation mark
    takes two bytes, and what surrounds a line (blanks, marks, comma, line feed) takes eight.
    """
    head = (
        f'salt = "{"0" * 64}"\n'
        f'game = "{"0" * 64}"\n'
        f"step = {_LAST_STEP}\n"
        f'player = "{max(setup.players, key=len)}"\n'
    )
    return len(head) + len("orders = [\n]\n") + lines * (8 + 2 * characters)
