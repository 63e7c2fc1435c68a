"""Plain data read as values: the one validator of positions, views, house tables and rule cases.

A `Kind` says what a value must be and turns it into a value of the game. A `Reader` takes the
values out of a table, key by key. A refusal names the key, quotes what stands there, and says what
was expected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar, overload

from games.game import BadPosition, Table
from games.grid import Board, Cell, read_cell
from games.options import OfferRefused, Value, suggest

T = TypeVar("T")
U = TypeVar("U")


class WrongKind(ValueError):
    """A value of another kind: the value, and what was expected."""

    def __init__(self, value: Value, expected: str) -> None:
        super().__init__(f"{value!a:.80}: expected {expected}")


class Kind(NamedTuple, Generic[T]):
    """Values of one kind: `one` and `many` name them in a message; `read` gives the value that one
    of them stands for, and raises WrongKind for any other."""

    one: str
    many: str
    read: Callable[[Value], T]

    def then(self, make: Callable[[T], U]) -> Kind[U]:
        """The same plain data, which stands for what `make` makes of it."""
        return Kind(self.one, self.many, lambda value: make(self.read(value)))


def kind(one: str, fits: Callable[[Value], bool], many: str = "values") -> Kind[Any]:
    """The values that fit, each of which stands for itself."""

    def read(value: Value) -> Any:
        if not fits(value):
            raise WrongKind(value, one)
        return value

    return Kind(one, many, read)


ANYTHING = kind("anything", lambda value: True)
TRUE = kind("true", lambda value: value is True)
TRUTH = kind("true or false", lambda value: type(value) is bool)
NUMBER = kind("a whole number", lambda value: type(value) is int, "whole numbers")
TEXT = kind("a string", lambda value: isinstance(value, str), "strings")
LINE = kind(
    "one line that can be printed", lambda value: isinstance(value, str) and value.isprintable()
)


def number(low: int, high: int = 2**53 - 1) -> Kind[int]:
    """Whole numbers from `low` to `high`, both included."""
    to = f"from {low} on" if high == 2**53 - 1 else f"from {low} to {high}"
    one = str(low) if low == high else f"a whole number {to}"
    return kind(one, lambda value: type(value) is int and low <= value <= high, NUMBER.many)


@lru_cache(256)
def word(*known: str) -> Kind[str]:
    """Some words."""
    one = f"one of {', '.join(known)}"

    def read(value: Value) -> str:
        if not isinstance(value, str) or value not in known:
            raise WrongKind(value, one + (suggest(value, known) if isinstance(value, str) else ""))
        return value

    return Kind(one, "words", read)


def named(values: Mapping[str, T]) -> Kind[T]:
    """Some words, each of which stands for a value."""
    return word(*values).then(values.__getitem__)


@lru_cache(256)
def cell(board: Board) -> Kind[Cell]:
    """The cells of a board as they are written there: `C4`."""
    one = f"a cell from A1 to {board.last}"

    def read(value: Value) -> Cell:
        found = read_cell(value) if isinstance(value, str) else None
        if found is None or str(found) != value or not found.on(board):
            raise WrongKind(value, one)
        return found

    return Kind(one, "cells", read)


def phrase(example: str, *parts: Kind[Any]) -> Kind[tuple[Any, ...]]:
    """Texts of so many words, each of its kind, with one blank between two words."""
    one = f"a text such as {example!r}"

    def read(value: Value) -> tuple[Any, ...]:
        words = value.split(" ") if isinstance(value, str) else ()
        if len(words) != len(parts):
            raise WrongKind(value, one)
        return tuple(part.read(word) for part, word in zip(parts, words, strict=True))

    return Kind(one, f"texts such as {example!r}", read)


def lists(of: Kind[T]) -> Kind[tuple[T, ...]]:
    """Lists of values of that kind."""
    one = f"a list of {of.many}"

    def read(value: Value) -> tuple[T, ...]:
        if not isinstance(value, list | tuple):
            raise WrongKind(value, one)
        return tuple([of.read(item) for item in value])

    return Kind(one, f"lists of {of.many}", read)


def once(of: Kind[T]) -> Kind[tuple[T, ...]]:
    """Lists that hold no value twice."""
    return lists(of).then(none_twice)


def none_twice(values: Sequence[T]) -> tuple[T, ...]:
    """The values; raises WrongKind if one of them is there twice."""
    for at, value in enumerate(values):
        if value in values[:at]:
            raise WrongKind(str(value), "it once, not twice")
    return tuple(values)


def some_of(*known: str) -> Kind[tuple[str, ...]]:
    """Lists of some of these words, none twice; they stand for the words in the order here."""
    return once(word(*known)).then(lambda found: tuple([one for one in known if one in found]))


def tables(of: Kind[T] = ANYTHING) -> Kind[dict[str, T]]:
    """Tables with a value of that kind under each key."""
    more = "" if of is ANYTHING else f" of {of.many}"
    one = f"a table{more}"

    def read(value: Value) -> dict[str, T]:
        if not isinstance(value, Mapping):
            raise WrongKind(value, one)
        return {name: of.read(item) for name, item in value.items()}

    return Kind(one, f"tables{more}", read)


def some(of: Kind[T]) -> Kind[T]:
    """The same, but not empty."""
    one = f"{of.one} that is not empty"

    def read(value: Value) -> T:
        if not value:
            raise WrongKind(value, one)
        return of.read(value)

    return Kind(one, f"{of.many} that are not empty", read)


def either(one: Kind[T], other: Kind[U]) -> Kind[T | U]:
    """Values of either kind."""

    def read(value: Value) -> T | U:
        for each in (one, other):
            try:
                return each.read(value)
            except WrongKind:
                pass
        raise WrongKind(value, f"{one.one} or {other.one}")

    return Kind(f"{one.one} or {other.one}", f"{one.many} or {other.many}", read)


MISSING: Any = object()
"""The default of a key that must be there."""


def bad_position(key: str, said: str) -> Exception:
    """The error for a key of a position or a view."""
    return BadPosition(f"key {key!r}{said}")


class Reader:
    """Takes values out of a table, key by key. A refusal is an `error`, made of the key, with the
    keys of the tables around it, and what is said of it."""

    def __init__(
        self,
        table: Value,
        keys: Iterable[str],
        at: str = "",
        error: Callable[[str, str], Exception] = bad_position,
    ) -> None:
        """`keys` are all that the table may have; `at` is its own key, if it lies in another."""
        self.at, self.error = at, error
        known = tuple(keys)
        if not isinstance(table, Mapping):
            raise error(at, f" = {table!a:.80}: expected a table with {', '.join(known):.400}")
        self.table = table
        for key in table:
            if key not in known:
                hint = f"{suggest(key, known)}; there are {', '.join(known):.400}"
                raise error(self._path(ascii(key)[1:-1][:80]), f" is unknown{hint}")

    def _path(self, key: str) -> str:
        return f"{self.at}.{key}" if self.at else key

    def __contains__(self, key: str) -> bool:
        return key in self.table

    def fault(self, key: str, expected: str) -> Exception:
        """The error that says what was expected under that key."""
        found = f" = {self.table[key]!a:.80}" if key in self.table else ""
        return self.error(self._path(key), f"{found}: expected {expected}")

    @overload
    def take(self, key: str, kind: Kind[T]) -> T: ...

    @overload
    def take(self, key: str, kind: Kind[T], default: U) -> T | U: ...

    def take(self, key: str, kind: Kind[Any], default: Any = MISSING) -> Any:
        """The value of that key; without a default the key must be there."""
        if key not in self.table:
            if default is MISSING:
                raise self.error(self._path(key), f" is missing: expected {kind.one}")
            return default
        try:
            return kind.read(self.table[key])
        except WrongKind as wrong:
            raise self.error(self._path(key), f" = {wrong}") from None

    def none_twice(self, key: str, values: Sequence[Any]) -> None:
        """Raise the error for that key if one of these values, which it holds, is there twice."""
        try:
            none_twice(values)
        except WrongKind as wrong:
            raise self.error(self._path(key), f": {wrong}") from None

    def inner(self, key: str, keys: Iterable[str], default: Value = None) -> Reader:
        """The reader of the table under that key."""
        return Reader(self.table.get(key, default), keys, self._path(key), self.error)

    def each(
        self, key: str, keys: Iterable[str], kind: Kind[T], default: Value = None
    ) -> dict[str, T]:
        """The table under that key, whose values are all of one kind."""
        return self.inner(key, keys, default).whole(kind)

    def whole(self, kind: Kind[T]) -> dict[str, T]:
        """The whole table, whose values are all of one kind."""
        return {key: self.take(key, kind) for key in self.table}

    def is_setup(self) -> bool:
        """Whether it is the position before the setup: `setup = true` and no other key."""
        if "setup" not in self.table:
            return False
        if self.table["setup"] is not True or len(self.table) > 1:
            raise self.fault("setup", "setup = true and no other key")
        return True


# House tables.

MOST_TABLE = 8_000
"""The most bytes of a house table."""
SOURCES = word("published", "house")


def parse_table(text: bytes, what: str) -> Table:
    """A house table of `what`, which is TOML; raises OfferRefused."""
    # Most games have none, and start sooner.
    import tomllib

    if len(text) > MOST_TABLE:
        raise OfferRefused(f"table of {what}: {len(text)} bytes; expected at most {MOST_TABLE}")
    try:
        return tomllib.loads(text.decode())
    except (ValueError, RecursionError) as error:
        raise OfferRefused(f"table of {what}: {error!s:.200}") from error


def bad_table(what: str) -> Callable[[str, str], Exception]:
    """The errors for keys of a house table of `what`."""
    return lambda key, said: OfferRefused(f"table of {what}: {key}{said}")


def read_sources(reader: Reader, values: Sequence[str]) -> dict[str, str]:
    """Whether the published text or the house gives these values of a house table: `source` is one
    word for all of them, or a table with a word for each."""
    if isinstance(reader.table.get("source"), Mapping):
        inner = reader.inner("source", values)
        return {value: inner.take(value, SOURCES) for value in values}
    return dict.fromkeys(values, reader.take("source", SOURCES))
