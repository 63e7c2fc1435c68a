"""The fields of documents: digests, times and names, and the taking of values out key by key.

What belongs here: what every document shares. What it must not know: any one document's keys.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Protocol, TypeAlias, TypeVar

from orders import toml
from orders.errors import Refused
from orders.toml import Value

T = TypeVar("T")

Digest: TypeAlias = str
"""64 lower-case hex digits: the SHA-256 of a file's bytes, a salt, a key or a nonce."""

Time: TypeAlias = str
"""UTC, whole seconds: `2026-11-21T18:00:00Z`. Times compare as strings."""

_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", re.ASCII)
_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}", re.ASCII)
_DEVICES = {"con", "prn", "aux", "nul"}
_DEVICES |= {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}


def digest(data: bytes) -> Digest:
    """The SHA-256 of a file's bytes, as `sha256sum` prints it."""
    return hashlib.sha256(data).hexdigest()


def check_name(name: str) -> str:
    """A player's name; raises Refused `malformed` for what could harm a file name or a list."""
    if _NAME.fullmatch(name) is None or name in _DEVICES or name == "host":
        raise Refused(
            "malformed",
            f"{name[:80]!a} is no player's name",
            "a name is a small letter, then small letters, digits or -, 32 at the most; "
            "not host, and no name of a Windows device",
        )
    return name


class Reader:
    """Takes a document's values out key by key; raises Refused `malformed`, naming the key."""

    def __init__(self, kind: str, values: Mapping[str, Value]) -> None:
        self.kind = kind
        self.left = dict(values)

    def fail(self, key: str, value: Value, expected: str) -> Refused:
        return Refused("malformed", f"{self.kind}: {key} = {value!a:.90}: expected {expected}")

    def take(self, key: str, fits: Callable[[Value], bool], expected: str) -> Any:
        if key not in self.left:
            raise Refused("malformed", f"{self.kind}: key {key!r} is missing")
        value = self.left.pop(key)
        if not fits(value):
            raise self.fail(key, value, expected)
        return value

    def hex(self, key: str) -> Digest:
        value = self.left.get(key)
        if type(value) is str and _HEX.fullmatch(value) is not None:
            del self.left[key]
            return value
        return str(self.take(key, _is_hex, "64 lower-case hex digits"))

    def hex_or_none(self, key: str) -> Digest | None:
        return self.hex(key) if key in self.left else None

    def time(self, key: str) -> Time:
        value = self.left.get(key)
        if type(value) is str and is_time(value):
            del self.left[key]
            return value
        return str(self.take(key, is_time, "a time such as 2026-11-21T18:00:00Z"))

    def number(self, key: str, low: int, high: int) -> int:
        return int(
            self.take(
                key,
                lambda value: type(value) is int and low <= value <= high,
                f"a whole number from {low} to {high}",
            )
        )

    def text(self, key: str, most: int = 2_000) -> str:
        return str(
            self.take(
                key,
                lambda value: isinstance(value, str) and 0 < len(value) <= most,
                f"a text of 1 to {most} characters",
            )
        )

    def one_of(self, key: str, words: Collection[str]) -> str:
        return str(
            self.take(
                key, lambda value: isinstance(value, str) and value in words, " or ".join(words)
            )
        )

    def name(self, key: str) -> str:
        return check_name(self.text(key))

    def table(self, key: str, *, missing: bool = True) -> dict[str, Value]:
        if missing and key not in self.left:
            return {}
        table: dict[str, Value] = self.take(key, lambda value: isinstance(value, dict), "a table")
        return table

    def tables(self, key: str, *, missing: bool = True) -> dict[str, Reader]:
        """A table of tables by player's name."""
        out = {}
        for name, value in self.table(key, missing=missing).items():
            check_name(name)
            if not isinstance(value, dict):
                raise self.fail(f"{key}.{name}", value, "a table")
            out[name] = Reader(f"{self.kind}: {key}.{name}", value)
        return out

    def end(self) -> None:
        if self.left:
            raise Refused("malformed", f"{self.kind}: key {next(iter(self.left))!a:.90} is unknown")


def _is_hex(value: Value) -> bool:
    return isinstance(value, str) and _HEX.fullmatch(value) is not None


def is_time(value: Value) -> bool:
    """Whether it is a time as documents write it."""
    return isinstance(value, str) and _is_time(value)


@lru_cache(1024)
def _is_time(text: str) -> bool:
    if _TIME.fullmatch(text) is None:
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


class Document(Protocol):
    """What has one rendering."""

    def render(self) -> bytes:
        """The document's bytes; raises ValueError for values that cannot be written."""


DocumentT = TypeVar("DocumentT", bound=Document)


def read_exact(
    kind: str, data: bytes, limit: int, build: Callable[[Reader], DocumentT]
) -> DocumentT:
    """The document of that kind in `data`, which must be its one rendering; raises Refused.

    `build` takes the values out of a Reader; `limit` is in bytes.
    """
    if len(data) > limit:
        raise Refused("too-big", f"{kind}: {len(data)} bytes, at most {limit} are taken")
    try:
        document = _build(kind, toml.read(data), build)
        if document.render() == data:
            return document
    except (Refused, ValueError, TypeError, AttributeError, KeyError, RecursionError):
        pass
    # Something is wrong: a real parser finds out what.
    document = _build(kind, toml.parse(data, limit), build)
    try:
        again = document.render().split(b"\n")
    except ValueError as error:
        raise Refused("malformed", f"{kind}: {error}") from None
    lines = data.split(b"\n")
    pairs = enumerate(zip(lines, again, strict=False), 1)
    number = next((at for at, (line, other) in pairs if line != other), len(lines))
    raise Refused(
        "malformed",
        f"{kind}: line {number} is not as the format has it: {ascii(lines[number - 1])[2:-1]:.90}",
        "these files are written by the tool; do not edit them",
    )


def _build(
    kind: str, values: Mapping[str, Value], build: Callable[[Reader], DocumentT]
) -> DocumentT:
    reader = Reader(kind, values)
    reader.one_of("kind", (f"{kind}/1",))
    return close(reader, build(reader))


def close(reader: Reader, value: T) -> T:
    """`value`, once nothing is left in the reader; raises Refused, naming the unknown key."""
    reader.end()
    return value
