"""What all documents share: digests, times and names, and `Reader`, which takes values out key by
key."""

from __future__ import annotations

import binascii
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

HOST = "host"
"""The host's name, where a document names a writer or a winner. No player may have it."""

EVERYONE = "all"
"""The recipient of a message to everybody. No player may have this name: their private messages
would go to all."""

NAME = r"[a-z][a-z0-9-]{0,31}"
"""The form of a player's or a game's name, as a regular expression. `check_name` takes no more."""

_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", re.ASCII)
_NAME = re.compile(NAME, re.ASCII)
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9.-]{1,189}", re.ASCII)
_DEVICES = {"con", "prn", "aux", "nul"}
_DEVICES |= {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}


def digest(data: bytes) -> Digest:
    """The SHA-256 of a file's bytes, as `sha256sum` prints it."""
    return hashlib.sha256(data).hexdigest()


def check_name(name: str) -> str:
    """A player's or a game's name; raises Refused `malformed` for what could harm a file name or a
    list."""
    if _NAME.fullmatch(name) is None or name in _DEVICES or name in (HOST, EVERYONE):
        raise Refused(
            "malformed",
            f"{name[:80]!a} is no player's name",
            "a name is a small letter, then small letters, digits or -, at most 32; not host or "
            "all, and no name of a Windows device",
        )
    return name


def is_address(text: str) -> bool:
    """Whether it is a mail address as documents hold it: plain ASCII, at most 254 characters."""
    return _ADDRESS.fullmatch(text) is not None


_MISSING = object()


class Reader:
    """Takes a document's values out key by key; raises Refused `malformed`, naming the key."""

    __slots__ = ("kind", "left")

    def __init__(self, kind: str, values: Mapping[str, Value]) -> None:
        self.kind = kind
        self.left = dict(values)

    def fail(self, key: str, value: Value, expected: str) -> Refused:
        if value is _MISSING:
            return Refused("malformed", f"{self.kind}: key {key!r} is missing")
        return Refused("malformed", f"{self.kind}: {key} = {value!a:.90}: expected {expected}")

    def take(self, key: str, fits: Callable[[Value], bool], expected: str) -> Any:
        value = self.left.pop(key, _MISSING)
        if not fits(value):
            raise self.fail(key, value, expected)
        return value

    def hex(self, key: str) -> Digest:
        value = self.left.pop(key, _MISSING)
        if isinstance(value, str) and _HEX.fullmatch(value) is not None:
            return value
        raise self.fail(key, value, "64 lower-case hex digits")

    def hex_or_none(self, key: str) -> Digest | None:
        return self.hex(key) if key in self.left else None

    def time(self, key: str) -> Time:
        value = self.left.pop(key, _MISSING)
        if isinstance(value, str) and is_time(value):
            return value
        raise self.fail(key, value, "a time such as 2026-11-21T18:00:00Z")

    def hexes(self, key: str) -> tuple[Digest, ...]:
        """A list of digests: at least one, none of them twice."""
        return tuple(self.take(key, _are_hexes, "a list of digests, not empty, none twice"))

    def minute(self, key: str) -> Time:
        """A time in whole minutes."""
        return str(self.take(key, _is_minute, "a time in whole minutes: 2026-11-21T18:00:00Z"))

    def address(self, key: str) -> str:
        """A mail address."""
        value = self.left.pop(key, _MISSING)
        if isinstance(value, str) and is_address(value):
            return value
        raise self.fail(key, value, "a mail address")

    def number(self, key: str, low: int, high: int) -> int:
        value = self.left.pop(key, _MISSING)
        if type(value) is int and low <= value <= high:
            return value
        raise self.fail(key, value, f"a whole number from {low} to {high}")

    def text(self, key: str, most: int = 2_000) -> str:
        value = self.left.pop(key, _MISSING)
        if isinstance(value, str) and 0 < len(value) <= most:
            return value
        raise self.fail(key, value, f"a text of 1 to {most} characters")

    def texts(self, key: str, expected: str) -> list[str]:
        found: list[str] = self.take(key, _are_texts, expected)
        return found

    def base64(self, key: str, size: int) -> str:
        """Text that is the base64 of `size` bytes, with no other spelling."""
        return str(
            self.take(key, lambda value: _is_base64(value, size), f"the base64 of {size} bytes")
        )

    def one_of(self, key: str, words: Collection[str]) -> str:
        value = self.left.pop(key, _MISSING)
        if isinstance(value, str) and value in words:
            return value
        raise self.fail(key, value, " or ".join(words))

    def name(self, key: str) -> str:
        return check_name(self.text(key))

    def names(self, key: str) -> tuple[str, ...]:
        """A list of players' names, none twice."""
        found = self.texts(key, "a list of names")
        if len(set(found)) != len(found):
            raise self.fail(key, found, "each name once")
        return tuple(map(check_name, found))

    def flag(self, key: str) -> bool:
        """Whether the key is there; if it is, its value must be true."""
        return key in self.left and bool(self.take(key, lambda value: value is True, "true"))

    def truth(self, key: str) -> bool:
        return bool(self.take(key, lambda value: type(value) is bool, "true or false"))

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


def is_hex(value: Value) -> bool:
    """Whether it is 64 lower-case hex digits."""
    return isinstance(value, str) and _HEX.fullmatch(value) is not None


def _are_hexes(value: Value) -> bool:
    return isinstance(value, list) and all(map(is_hex, value)) and 0 < len(value) == len(set(value))


def _are_texts(value: Value) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_base64(value: Value, size: int) -> bool:
    try:
        data = binascii.a2b_base64(value, strict_mode=True)
    except (TypeError, ValueError):
        return False
    return len(data) == size and binascii.b2a_base64(data, newline=False).decode("ascii") == value


def is_time(value: Value) -> bool:
    """Whether it is a time as documents write it."""
    return isinstance(value, str) and _is_time(value)


def _is_minute(value: Value) -> bool:
    return is_time(value) and str(value).endswith(":00Z")


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
        values = toml.read(data)
    except Refused as error:
        raise Refused(error.word, f"{kind}: {error.message}", error.hint) from None
    try:
        document = _build(kind, values, build)
        if document.render() == data:
            return document
    except (Refused, ValueError, TypeError, AttributeError) as error:
        raise _fault(kind, data, lambda: toml.render(values), error) from None
    raise _fault(kind, data, document.render, None)


def _fault(kind: str, data: bytes, again: Callable[[], bytes], error: Exception | None) -> Refused:
    """What is wrong. A line that is not in the one rendering is named before any fault in its
    values."""
    try:
        toml.check_rendering(data, again)
    except Refused as found:
        return Refused(found.word, f"{kind}: {found.message}", found.hint)
    return error if isinstance(error, Refused) else Refused("malformed", f"{kind}: {error!a:.200}")


def _build(
    kind: str, values: Mapping[str, Value], build: Callable[[Reader], DocumentT]
) -> DocumentT:
    reader = Reader(kind, values)
    reader.one_of("kind", (f"{kind}/3",))
    return close(reader, build(reader))


def close(reader: Reader, value: T) -> T:
    """`value`, once nothing is left in the reader; raises Refused, naming the unknown key."""
    reader.end()
    return value
