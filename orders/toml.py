"""The one rendering of the documents that the tool writes, and the guards before any TOML parser.

`render` lays values out in the one way that `docs/formats/documents.md` fixes. `read` turns such
bytes back into values without a TOML parser: it may read carelessly, because whoever calls it
renders the values again and compares bytes (a parser would cost as much as a signature).
`parse` is for files that people write: limits first, then `tomllib`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from orders.errors import Refused

Value = Any
"""str (printable ASCII), int, bool, a list of these or of tables, a mapping from str to these."""


class Inline(dict[str, Value]):
    """A table that is written on one line: `{ order = 2048, report = 2048 }`."""


LONGEST_LINE = 2_000
DEEPEST = 60

_KEY = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_PAIR = re.compile(r'([A-Za-z0-9_-]+) = ("(?:[^"\\]|\\.)*"|\[[^\]]*\]|[^,\s]+)')
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


def render(data: Mapping[str, Value]) -> bytes:
    """The document's bytes: keys in the order given, plain values before `[tables]`, ASCII, LF.

    Raises ValueError for a value that the documents do not hold.
    """
    lines: list[str] = []
    _table(lines, "", data)
    return ("\n".join(lines) + "\n").encode("ascii")


def _table(lines: list[str], path: str, data: Mapping[str, Value]) -> None:
    tables: list[tuple[str, Mapping[str, Value]]] = []
    for key, value in data.items():
        if type(value) is dict:
            tables.append((key, value))
        elif type(value) is list and value and isinstance(value[0], dict):
            lines.append(f"{key} = [")
            lines.extend(f"    {_inline(item)}," for item in value)
            lines.append("]")
        else:
            lines.append(f"{_key(key)} = {_plain(value)}")
    for key, value in tables:
        below = f"{path}.{_key(key)}" if path else _key(key)
        if not value or type(next(iter(value.values()))) is not dict:
            lines.append(f"[{below}]")
        _table(lines, below, value)


@lru_cache(4096)
def _key(key: str) -> str:
    if _KEY.fullmatch(key) is None:
        raise ValueError(f"key {key!a} cannot be written bare")
    return key


def _inline(data: Mapping[str, Value]) -> str:
    pairs = ", ".join([f"{_key(key)} = {_plain(value)}" for key, value in data.items()])
    return f"{{ {pairs} }}" if pairs else "{}"


def _plain(value: Value) -> str:
    kind = type(value)
    if kind is str:
        if not (value.isascii() and value.isprintable()):
            raise ValueError(f"{value!a:.80} is not printable ASCII")
        return json.dumps(value) if '"' in value or "\\" in value else f'"{value}"'
    if kind is bool:
        return "true" if value else "false"
    if kind is int and -(2**53) < value < 2**53:
        return str(value)
    if kind is list or kind is tuple:
        return "[" + ", ".join([_plain(item) for item in value]) + "]"
    if kind is Inline:
        return _inline(value)
    raise ValueError(f"{value!a:.80} cannot stand in a document")


def read(data: bytes) -> dict[str, Value]:
    """The values of a document that `render` wrote; for other bytes anything, or ValueError.

    Only what renders again to the same bytes has been read right.
    """
    top: dict[str, Value] = {}
    table = top
    items: list[Value] | None = None
    for line in data.decode("ascii").split("\n"):
        if items is not None:
            if line == "]":
                items = None
            else:
                items.append(_read_inline(line))
        elif line.startswith("["):
            table = top
            for key in line[1:-1].split("."):
                table = table.setdefault(key, {})
        elif line:
            key, _, text = line.partition(" = ")
            if text == "[":
                table[key] = items = []
            else:
                table[key] = _read_plain(text)
    return top


def _read_inline(text: str) -> Inline:
    return Inline((key, _read_plain(value)) for key, value in _PAIR.findall(text))


def _read_plain(text: str) -> Value:
    first = text[:1]
    if first == '"':
        return json.loads(text) if "\\" in text else text[1:-1]
    if first.isdigit():
        return int(text)
    if first == "{":
        return _read_inline(text)
    return [] if text == "[]" else json.loads(text)


def parse(data: bytes, limit: int) -> dict[str, Value]:
    """Any TOML, once size, lines and depth are known to be harmless; raises Refused `malformed`.

    `limit` is in bytes. Control and bidirectional characters, a byte order mark and a lone CR are
    refused: what a person reads is what was signed.
    """
    import tomllib

    if len(data) > limit:
        raise Refused("too-big", f"{len(data)} bytes, at most {limit} are taken")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(
            "malformed",
            f"byte {error.start} is no UTF-8: {data[error.start : error.start + 8]!r}",
            "save the file as UTF-8",
        ) from None
    guard(text)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refused("malformed", f"not TOML: {ascii(str(error))[1:-1]}") from None


def guard(text: str) -> None:
    """Refuse text that a TOML parser chokes on, or that shows otherwise than it reads."""
    odd = _BIDI.search(text)
    if odd is not None:
        name = "byte order mark" if odd[0] == "\ufeff" else "invisible character"
        hint = 'save the file as UTF-8 without "BOM"' if odd[0] == "\ufeff" else "remove it"
        raise Refused("malformed", f"{name} {odd[0]!a} at character {odd.start()}", hint)
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            raise Refused("malformed", f"line {number} is longer than {LONGEST_LINE} characters")
        if "\r" in line[:-1] or (line.endswith("\r") and "\r\n" not in text):
            raise Refused("malformed", f"line {number} holds a lone carriage return")
        if max(line.count("["), line.count("{"), line.count(".")) > DEEPEST:
            raise Refused("malformed", f"line {number} nests or dots deeper than {DEEPEST}")
    if max(text.count("["), text.count("{")) > 500 or text.count(".") > 5_000:
        raise Refused("malformed", "more than 500 brackets or 5,000 dots")
