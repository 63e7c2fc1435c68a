"""A value with other fields, whether it is a dataclass or a named tuple."""

from __future__ import annotations

import dataclasses
from typing import Any


def replace(value: Any, **changes: Any) -> Any:
    """`value` with these fields changed, as `copy.replace` of Python 3.13 does."""
    if isinstance(value, tuple):
        return value._replace(**changes)  # type: ignore[attr-defined]
    return dataclasses.replace(value, **changes)
