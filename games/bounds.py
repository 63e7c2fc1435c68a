"""The arithmetic of bounds on reports: how many bytes plain data takes."""

from __future__ import annotations

import json

from games.options import Value

LARGEST = 2**53 - 1
"""The largest number that canonical JSON holds."""


def json_bytes(value: Value) -> int:
    """The bytes of `value` as canonical JSON."""
    return len(json.dumps(value, separators=(",", ":"), sort_keys=True))
