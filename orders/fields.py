"""What all documents share: digests, times and names, and how the fields of a document are said.

A document is a named tuple, and each of its fields is said once, by its annotation:

    class Slip(NamedTuple):
        game: Digest
        step: Annotated[int, between(1, LAST_STEP)]
        protest: Annotated[str, one_of(PROTESTS)] | None = None

Type checkers see `str`, `int` and `str | None`. `read` and `written` see the `Field` beside the
type: how the value is taken out of a file, and how it is written. Keys stand in a file in the order
of the fields, under the fields' names, or under another that is said behind the `Field`. `X | None`
is left out where it is None. A module of documents does not import annotations from `__future__`:
that would make text of them, which takes time at each start to read again.
"""

from __future__ import annotations

import binascii
import hashlib
import re
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import lru_cache
from types import MappingProxyType
from typing import (
    Annotated,
    Any,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from orders import toml
from orders.errors import Refused
from orders.toml import Inline, Value

T = TypeVar("T")

VERSION = 4
"""The version of every format, in each document's `kind` and in each label."""

HOST = "host"
"""The host's name, where a document names a writer or a winner. No player may have it."""

EVERYONE = "all"
"""The recipient of a message to everybody. No player may have this name: their private messages
would go to all."""

NAME = r"[a-z][a-z0-9-]{0,31}"
"""The form of a player's or a game's name, as a regular expression. `check_name` takes no more."""

ADDRESS = r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9.-]{1,189}"
"""The form of a mail address, as a regular expression."""

_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)
_TIME = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T([01][0-9]|2[0-3])(:[0-9]{2}){2}Z", re.ASCII)
"""Python 3.14 alone takes the hour 24 for the next day's first."""
_NAME = re.compile(NAME, re.ASCII)
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


def is_address(text: Value) -> bool:
    """Whether it is a mail address as documents hold it: plain ASCII, at most 254 characters."""
    return isinstance(text, str) and re.fullmatch(ADDRESS, text, re.ASCII) is not None


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

    def need(self, *keys: str) -> None:
        """Refuse a document without one of these keys."""
        for key in keys:
            if key not in self.left:
                raise self.fail(key, _MISSING, "")

    def table(self, key: str) -> dict[str, Value]:
        table: dict[str, Value] = _TABLE.read(self, key)
        return table

    def inner(self, key: str) -> Reader:
        """What takes the values out of a table in this one."""
        return Reader(f"{self.kind}: {key}", self.table(key))

    def tables(self, key: str) -> dict[str, Reader]:
        """A table of tables by player's name."""
        out = {}
        for name, value in self.table(key).items():
            check_name(name)
            if not isinstance(value, dict):
                raise self.fail(f"{key}.{name}", value, "a table")
            out[name] = Reader(f"{self.kind}: {key}.{name}", value)
        return out


class Field(NamedTuple):
    """How a field stands in a document: `read` takes its value out of a Reader, `write` puts it
    into the table that is rendered; both are told the key. `empty`: the value for which the key is
    left out."""

    read: Callable[[Reader, str], Any]
    write: Callable[[dict[str, Value], str, Any], None] = dict.__setitem__
    empty: Any = _MISSING

    def then(self, make: Callable[[Any], Any]) -> Field:
        """The same, for what `make` makes of the value that was read."""
        return self._replace(read=lambda reader, key: make(self.read(reader, key)))

    def put(self, make: Callable[[Any], Value]) -> Field:
        """The same, written as what `make` makes of the value."""
        return self._replace(write=lambda data, key, value: data.update({key: make(value)}))


def field(expected: str, fits: Callable[[Value], bool]) -> Field:
    """Any value that fits; `expected` says what does."""

    def take(reader: Reader, key: str) -> Any:
        value = reader.left.pop(key, _MISSING)
        if not fits(value):
            raise reader.fail(key, value, expected)
        return value

    return Field(take)


def between(low: int, high: int) -> Field:
    """A whole number from `low` to `high`, both included."""
    expected = f"a whole number from {low} to {high}"
    return field(expected, lambda value: type(value) is int and low <= value <= high)


def text(most: int) -> Field:
    """A text of 1 to `most` characters."""
    expected = f"a text of 1 to {most} characters"
    return field(expected, lambda value: isinstance(value, str) and 0 < len(value) <= most)


def one_of(words: Collection[str]) -> Field:
    """One of these words."""
    return field(" or ".join(words), lambda value: isinstance(value, str) and value in words)


def base64(size: int) -> Field:
    """Text that is the base64 of `size` bytes, with no other spelling."""
    return field(f"the base64 of {size} bytes", lambda value: len(decoded(value) or b"") == size)


def inline(values: Callable[..., Any]) -> Field:
    """A named tuple of fields, as a table on one line."""

    def take(reader: Reader, key: str) -> Any:
        inner = reader.inner(key)
        return close(inner, read(values, inner))

    return Field(take).put(lambda value: Inline(written(value)))


def by_player(values: Callable[..., Any]) -> Field:
    """Named tuples of fields by player's name, as a table for each."""

    def take(reader: Reader, key: str) -> Any:
        tables = reader.tables(key).items()
        return {player: close(inner, read(values, inner)) for player, inner in tables}

    return Field(take).put(lambda value: {player: written(one) for player, one in value.items()})


def is_hex(value: Value) -> bool:
    """Whether it is 64 lower-case hex digits."""
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


def are_texts(value: Value) -> bool:
    """Whether it is a list of texts."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def decoded(value: Value) -> bytes | None:
    """The bytes of which a value is the base64, in its one spelling; None if it is of none."""
    try:
        data = binascii.a2b_base64(value, strict_mode=True)
    except (TypeError, ValueError):
        return None
    return data if binascii.b2a_base64(data, newline=False).decode("ascii") == value else None


def _read_names(reader: Reader, key: str) -> tuple[str, ...]:
    found = _TEXTS.read(reader, key)
    if len(set(found)) != len(found):
        raise reader.fail(key, found, "each name once")
    return tuple(map(check_name, found))


NOTHING: Mapping[str, Any] = MappingProxyType({})
"""An empty table, for a field that may be left out."""

HEX = field("64 lower-case hex digits", is_hex)
PLAYER = text(2_000).then(check_name)
NAMES = Field(_read_names)
_TEXTS = field("a list of names", are_texts)
_TABLE = field("a table", lambda value: isinstance(value, dict))

Digest: TypeAlias = Annotated[str, HEX]
"""64 lower-case hex digits: the SHA-256 of a file's bytes, a salt, a key or a nonce."""

Digests: TypeAlias = Annotated[
    tuple[Digest, ...],
    field(
        "a list of digests, not empty, none twice",
        lambda value: (
            isinstance(value, list)
            and all(map(is_hex, value))
            and 0 < len(value) == len(set(value))
        ),
    )
    .then(tuple)
    ._replace(empty=()),
]
"""Left out if there are none."""

Time: TypeAlias = Annotated[str, field("a time such as 2026-11-21T18:00:00Z", is_time)]
"""UTC, whole seconds: `2026-11-21T18:00:00Z`. Times compare as strings."""

Minute: TypeAlias = Annotated[
    str,
    field(
        "a time in whole minutes: 2026-11-21T18:00:00Z",
        lambda value: is_time(value) and value.endswith(":00Z"),
    ),
]

Name: TypeAlias = Annotated[str, PLAYER]
"""A player's or a game's name, see `check_name`."""

Names: TypeAlias = Annotated[tuple[str, ...], NAMES]
"""Players' names, none twice."""

Text: TypeAlias = Annotated[str, text(2_000)]

Address: TypeAlias = Annotated[str, field("a mail address", is_address)]

Truth: TypeAlias = Annotated[bool, field("true or false", lambda value: type(value) is bool)]

Flag: TypeAlias = Annotated[bool, field("true", lambda value: value is True)._replace(empty=False)]
"""A key that is there, with `true`, or is not there."""


@lru_cache(64)
def _fields(values: Any) -> list[tuple[str, str, Field]]:
    """Name, key and `Field` of all fields of a named tuple, in their order."""
    out = []
    hints = get_type_hints(values, include_extras=True)
    for name in values._fields:
        hint = hints[name]
        optional = get_origin(hint) is not Annotated  # X | None
        how, *key = (get_args(hint)[0] if optional else hint).__metadata__
        out.append((name, *(key or [name]), how._replace(empty=None) if optional else how))
    return out


def read(values: Callable[..., T], reader: Reader, **known: Any) -> T:
    """The named tuple whose fields are taken out of the reader, in their order.

    `known` are fields that are not read, with their values. Raises Refused for the first field that
    does not fit. What stays in the reader is no field.
    """
    found, left = [], reader.left
    for name, key, (take, _, empty) in _fields(values):
        if name in known:
            found.append(known[name])
        else:
            found.append(take(reader, key) if empty is _MISSING or key in left else empty)
    return values(*found)


def written(document: Any, without: Collection[str] = ()) -> dict[str, Value]:
    """The fields of a named tuple as `toml.render` takes them, but for some and for empty ones."""
    data: dict[str, Value] = {}
    for (name, key, (_, put, empty)), value in zip(
        _fields(document.__class__), document, strict=True
    ):
        if (empty is _MISSING or value != empty) and name not in without:
            put(data, key, value)
    return data


def rendered(kind: str, document: Any, without: Collection[str] = ()) -> bytes:
    """The bytes of a document of that kind: its fields in their order."""
    return toml.render({"kind": f"{kind}/{VERSION}", **written(document, without)})


class Document(Protocol):
    """What has one rendering."""

    def render(self) -> bytes:
        """The document's bytes; raises ValueError for values that cannot be written."""


DocumentT = TypeVar("DocumentT", bound=Document)


def read_exact(
    kind: str, build: Callable[[Reader], DocumentT], limit: int, data: bytes
) -> DocumentT:
    """The document of that kind in `data`, which must be its one rendering; raises Refused
    `malformed` or `too-big`.

    `build` takes the values out of a Reader; `limit` is in bytes.
    """
    if len(data) > limit:
        raise Refused("too-big", f"{kind}: {len(data)} bytes, at most {limit} are taken")
    try:
        values = toml.read(data)
    except Refused as error:
        raise Refused(error.word, f"{kind}: {error.message}", error.hint) from None
    try:
        if values.get("kind") in [f"{kind}/{version}" for version in range(1, VERSION)]:
            raise Refused(  # noqa: TRY301 (a fault in the rendering is named before it)
                "old-release",
                f"{values['kind']} is by a release before this one, which writes {kind}/{VERSION}",
                "take the release of adjudicator by which it was made",
            )
        reader = Reader(kind, values)
        one_of((f"{kind}/{VERSION}",)).read(reader, "kind")
        document = close(reader, build(reader))
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


def close(reader: Reader, value: T) -> T:
    """`value`, once nothing is left in the reader; raises Refused, naming the unknown key."""
    if reader.left:
        raise Refused("malformed", f"{reader.kind}: key {next(iter(reader.left))!a:.90} is unknown")
    return value
