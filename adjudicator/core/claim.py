"""The claims that verification makes about a record, and how a check names its claim.

Each check runs inside `with claim(NAME):`. How a verdict is worded is not known here.
"""

from __future__ import annotations

from orders.errors import Refused

CLAIMS = ("entries", "orders", "dice", "replay", "time", "host", "receipts")
"""Every claim, in the order in which they are told."""


class claim:  # noqa: N801 - reads as a word: `with claim("time"):`
    """A refusal inside this block counts against the claim, unless an inner block names another."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        if name not in CLAIMS:
            raise ValueError(f"there is no claim {name!a}")
        self.name = name

    def __enter__(self) -> None:
        """Nothing to do."""

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Note the claim in a refusal that has none yet."""
        if isinstance(error, Refused) and not error.claim:
            error.claim = self.name
