"""Canonical JSON: the one way to write what a verifier must make again byte for byte.

RFC 8785 (JCS), restricted: strings are printable ASCII and line feeds, numbers are integers of
magnitude below 2^53, there is no null; at most 32 deep and 1 MiB long. `docs/formats/`
`canonical-json.md` specifies it.
What it must not know: what a state or a report holds.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn, TypeAlias

from orders.errors import Refused

Value: TypeAlias = Any
"""str, int, bool, a list of these or a dict from str to these; tuples are written as lists."""

DEEPEST = 32
LARGEST = 2**20
_BIG = 2**53

_NUMBER = re.compile("[0-9]{16}")
_TEXT = re.compile(r"[\n -~]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_BRACKET = re.compile(r"[][{}]")


def dumps(value: Value) -> bytes:
    """The canonical bytes of `value`; raises TypeError or ValueError for what has none."""
    try:
        text = _write(value)
        if _is_plain(text) and _parse(text) == value:
            return text.encode("ascii")
    except (ValueError, RecursionError):
        pass
    # Tuples, or something that cannot be written: looked at piece by piece.
    _check(value, DEEPEST)
    data = _write(value).encode("ascii")
    if len(data) > LARGEST:
        raise ValueError(f"{len(data)} bytes of canonical JSON, at most {LARGEST} are written")
    return data


def loads(data: bytes) -> Value:
    """The value whose canonical bytes are `data`; raises Refused `malformed` or `too-big`."""
    if len(data) > LARGEST:
        raise Refused("too-big", f"JSON: {len(data)} bytes, at most {LARGEST} are taken")
    try:
        text = data.decode("ascii")
        if _depth(text) > DEEPEST:
            raise _malformed(f"nested deeper than {DEEPEST}")
        value = _parse(text)
        if not _is_plain(text):
            _check(value, DEEPEST)
        again = _write(value)
    except (ValueError, TypeError, RecursionError) as error:
        raise _malformed(ascii(str(error))[1:-1][:200]) from None
    if again != text:
        pairs = enumerate(zip(text, again, strict=False))
        at = next((at for at, (found, due) in pairs if found != due), len(again))
        raise _malformed(f"character {at} is not as the canonical form has it: {text[at:][:40]!a}")
    return value


def _malformed(message: str) -> Refused:
    return Refused("malformed", f"JSON: {message}")


def _write(value: Value) -> str:
    # Without ensure_ascii strings come out as RFC 8785 section 3.2.2.2 has them.
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text[:40]} is not an integer")


_DECODER = json.JSONDecoder(parse_float=_no_number, parse_constant=_no_number)
_parse = _DECODER.decode


def _is_plain(text: str) -> bool:
    """Whether nothing in `text` needs the closer look of `_check`; may say no without need."""
    return (
        text.isascii()
        and "\\" not in text
        and "\x7f" not in text
        and "null" not in text
        and _NUMBER.search(text) is None
        and len(text) <= LARGEST
        and _depth(text) <= DEEPEST
    )


def _depth(text: str) -> int:
    """How deep brackets are nested, those in strings left out; an upper bound where it is low."""
    bound = text.count("[") + text.count("{")
    if bound <= DEEPEST:
        return bound
    depth = deepest = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        if bracket in "[{":
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth -= 1
    return deepest


def _check(value: Value, levels: int) -> None:
    """Raise TypeError or ValueError unless `value` can be written within `levels` levels."""
    if isinstance(value, str):
        if _TEXT.fullmatch(value) is None:
            raise ValueError(f"{value[:80]!a} is not printable ASCII and line feeds")
    elif isinstance(value, int):
        if not -_BIG < value < _BIG:
            raise ValueError("a number of magnitude 2^53 or more")
    elif isinstance(value, dict | list | tuple):
        if levels == 0:
            raise ValueError(f"nested deeper than {DEEPEST}")
        if isinstance(value, dict):
            for key in value:
                if not isinstance(key, str):
                    raise TypeError(f"key {key!a:.80} is not a string")
                _check(key, levels)
            value = value.values()
        for item in value:
            _check(item, levels - 1)
    else:
        raise TypeError(f"{value!a:.80} is neither text, integer, bool, list nor dict")
