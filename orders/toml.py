"""The one rendering of the documents that the tool writes, and the guards before any TOML parser.

`render` lays values out in the one way that `docs/formats/documents.md` fixes. `read` turns such
bytes back into values without a TOML parser. It need not be strict, because every caller renders
the values again and compares bytes (a parser would cost as much as a signature). Its work is linear
in the size of any input. `parse` is for files that people write: limits first, then `tomllib`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from orders.errors import Refused

Value = Any
"""str (printable ASCII), int, bool, a list of these or of tables, a mapping from str to these."""


class Inline(dict[str, Value]):
    """A table that is written on one line: `{ draw = true }`."""


class Lines(list[str]):
    """A list of strings that is written one string a line."""


DEEPEST = 16
"""The deepest nesting of tables and lists in a document, the same on every machine."""

LONGEST_LINE = 2_000
MOST_NESTED = 60

_TABLES: frozenset[type] = frozenset((dict, Inline))
_KEY = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_STRING = re.compile(r'("(?:[^"\\]|\\.)*+"?)')
"""A string, closed or not: all that follows a quote is taken, so nothing is looked at twice."""
_BEFORE_KEY = re.compile(r"(?<=[{,] )(?=[A-Za-z0-9_-]++ = )")
"""Where the quote mark of a JSON key belongs. The lookbehind keeps the work linear on a long run of
letters."""
_BIDI = "[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"


def render(data: Mapping[str, Value]) -> bytes:
    """The document's bytes: keys in the order given, plain values before `[tables]`, ASCII, LF.

    Raises ValueError for a value that the documents do not hold.
    """
    lines: list[str] = []
    _table(lines, "", data, DEEPEST)
    return "\n".join([*lines, ""]).encode("ascii")


def _table(lines: list[str], path: str, data: Mapping[str, Value], levels: int) -> None:
    """Append the header (left out if the table holds only tables), its lines, then its tables."""
    if levels == 0:
        raise ValueError(f"nested deeper than {DEEPEST}")
    own: list[str] = []
    tables: list[tuple[str, Mapping[str, Value]]] = []
    for key, value in data.items():
        kind = type(value)
        if kind is str:
            own.append(f"{_key(key)} = {_text(value)}")
        elif kind is dict:
            tables.append((key, value))
        elif kind is Lines and value:
            _block(own, key, [plain(item) for item in value])
        elif kind is list and value and _TABLES.issuperset(map(type, value)):
            _block(own, key, [_inline(item, levels) for item in value])
        else:
            own.append(f"{_key(key)} = {plain(value)}")
    if path and (own or not tables):
        lines.append(f"[{path}]")
    lines += own
    for key, value in tables:
        _table(lines, f"{path}.{_key(key)}" if path else _key(key), value, levels - 1)


def _block(lines: list[str], key: str, items: list[str]) -> None:
    lines.append(f"{_key(key)} = [")
    lines.extend([f"    {item}," for item in items])
    lines.append("]")


@lru_cache(4096)
def _key(key: str) -> str:
    if _KEY.fullmatch(key) is None:
        raise ValueError(f"key {key!a:.80} cannot be written bare")
    return key


def _inline(data: Mapping[str, Value], levels: int) -> str:
    pairs = ", ".join([f"{_key(key)} = {plain(value, levels)}" for key, value in data.items()])
    return f"{{ {pairs} }}" if pairs else "{}"


def plain(value: Value, levels: int = DEEPEST) -> str:
    """A value as it is written after `KEY = ` on one line; raises ValueError."""
    kind = type(value)
    if kind is str:
        return _text(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is int and -(2**53) < value < 2**53:
        return str(value)
    if levels == 0:
        raise ValueError(f"nested deeper than {DEEPEST}")
    if kind in (list, tuple, Lines):
        return "[" + ", ".join([plain(item, levels - 1) for item in value]) + "]"
    if kind is Inline:
        return _inline(value, levels - 1)
    raise ValueError(f"{value!a:.80}: expected text, an integer, true, false or a list of these")


def _text(value: str) -> str:
    if not (value.isascii() and value.isprintable()):
        raise ValueError(f"{value!a:.80} is not printable ASCII")
    return _quote(value) if '"' in value or "\\" in value else f'"{value}"'


_quote = json.JSONEncoder().encode


def read(data: bytes) -> dict[str, Value]:
    """The values of a document that `render` wrote.

    Other bytes give Refused or arbitrary values: they are right only if they render to the same
    bytes again. A refusal is `malformed` and names the line that cannot be read.
    """
    top: dict[str, Value] = {}
    table, number = top, 0
    try:
        lines = data.decode("ascii").split("\n")
        rest = enumerate(lines, 1)
        for number, line in rest:
            if line.startswith("["):
                table = top
                for key in line[1:-1].split(".", DEEPEST):
                    table = table.setdefault(key, {})
            elif line:
                key, _, text = line.partition(" = ")
                if text[:1] == '"' and "\\" not in text:
                    table[key] = text[1:-1]
                else:
                    table[key] = _read_plain(text) if text != "[" else _read_block(rest)
            elif number != len(lines):
                raise ValueError("an empty line")  # noqa: TRY301 (one place words it)
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise _not_ours(number, data.split(b"\n")[number - 1]) from None
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise _not_ours(number, data.split(b"\n")[number - 1]) from None
    return top


def _read_block(rest: enumerate[str]) -> list[Value]:
    """The items of a list that has a line for each, up to its closing bracket."""
    items = []
    for number, line in rest:
        if line == "]":
            break
        items.append((number, line.strip().removesuffix(",")))
    try:
        found: list[Value] = _read_json(f"[{','.join([item for _, item in items])}]")
    except ValueError:
        # The first item that cannot be read alone is named.
        for number, item in items:
            try:
                _read_json(item)
            except ValueError:
                raise _not_ours(number, item.encode("ascii")) from None
        raise
    return Lines(found) if all(type(item) is str for item in found) else found


def _read_plain(text: str) -> Value:
    if text.isdigit():
        return int(text)
    return _read_json(text) if text[:1] in ("{", "[") else _decode(text)


def _read_json(text: str) -> Value:
    """Lists and inline tables, by way of JSON: it differs from TOML in how keys are written.

    Keys are looked for outside strings alone, in all of it at once.
    """
    if "=" in text:
        parts = text.split('"') if "\\" not in text else _STRING.split(text)
        outside = _BEFORE_KEY.sub('"', "\0".join(parts[::2])).replace(" = ", '":')
        parts[::2] = outside.split("\0")
        text = ('"' if "\\" not in text else "").join(parts)
    return _decode(text)


def _decode(text: str) -> Value:
    """The value of a JSON text with nothing around it; raises ValueError."""
    value, end = _scan(text)
    if end != len(text):
        raise ValueError("something follows the value")
    return value


_scan = json.JSONDecoder(object_pairs_hook=Inline).raw_decode


def _not_ours(number: int, line: bytes) -> Refused:
    return Refused(
        "malformed",
        f"line {number} does not follow the format: {ascii(line)[2:-1]:.90}",
        "these files are written by the tool; do not edit them",
    )


def check_rendering(data: bytes, again: Callable[[], bytes]) -> None:
    """Check that `again()` gives `data`; raises Refused `malformed`, naming the line that differs.

    `again` may raise ValueError for a value that cannot be written.
    """
    try:
        made = again()
    except (ValueError, TypeError, AttributeError) as error:
        raise Refused("malformed", ascii(str(error))[1:-1]) from None
    if made == data:
        return
    lines = data.split(b"\n")
    pairs = enumerate(zip(lines, made.split(b"\n"), strict=False), 1)
    number = next((at for at, (line, other) in pairs if line != other), len(lines))
    raise _not_ours(number, lines[number - 1])


def read_rendered(data: bytes) -> dict[str, Value]:
    """The values in `data`, which must be their one rendering; raises Refused `malformed`."""
    values = read(data)
    check_rendering(data, lambda: render(values))
    return values


def one_rendering(data: bytes, limit: int = 2**16) -> bytes:
    """The one rendering of a TOML file that somebody wrote, such as a house table.

    `limit` is in bytes. Raises Refused `malformed` or `too-big`, also for values that documents do
    not hold: floats, dates, text that is not printable ASCII.
    """
    values = parse(data, limit)
    try:
        return render(_below(values))
    except ValueError as error:
        raise Refused("malformed", ascii(str(error))[1:-1]) from None


def _below(value: Value, kind: type[dict[str, Value]] = dict) -> Value:
    """Parsed values as `render` takes them: tables within lists become inline tables."""
    if isinstance(value, dict):
        return kind((key, _below(item, kind)) for key, item in value.items())
    return [_below(item, Inline) for item in value] if isinstance(value, list) else value


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
            f"byte {error.start} (0x{data[error.start]:02x}) is in another encoding than UTF-8",
            "save the file as UTF-8",
        ) from None
    guard(text)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refused("malformed", f"not TOML: {ascii(str(error))[1:-1]}") from None


def guard(text: str) -> None:
    """Refuse text on which a TOML parser fails, or that displays differently from what it says."""
    odd = re.search(_BIDI, text)
    if odd is not None:
        name = "byte order mark" if odd[0] == "\ufeff" else "invisible character"
        hint = 'save the file as UTF-8 without "BOM"' if odd[0] == "\ufeff" else "remove it"
        raise Refused("malformed", f"{name} {odd[0]!a} at character {odd.start()}", hint)
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if len(line) > LONGEST_LINE:
            raise Refused("malformed", f"line {number} is longer than {LONGEST_LINE} characters")
        if "\r" in line:
            raise Refused("malformed", f"line {number} holds a lone carriage return")
        if len(line) > MOST_NESTED and max(map(line.count, "[{.")) > MOST_NESTED:
            raise Refused("malformed", f"line {number} nests or dots deeper than {MOST_NESTED}")
    if max(text.count("["), text.count("{")) > 500 or text.count(".") > 5_000:
        raise Refused("malformed", "more than 500 brackets or 5,000 dots")
