"""Canonical JSON: the one way to write what a verifier must make again byte for byte.

RFC 8785 (JCS), restricted: strings are printable ASCII and line feeds, numbers are integers of
magnitude below 2^53, there is no null; at most 32 deep and 1 MiB long. `docs/formats/`
`canonical-json.md` specifies it.
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
_TEXT = re.compile(r'(?:[ -\[\]-~]|\\["\\n])*')
"""JSON text whose strings are printable ASCII and line feeds."""


def dumps(value: Value) -> bytes:
    """The canonical bytes of `value`; raises TypeError or ValueError for a value that has none."""
    _check(value, DEEPEST)
    text = _write(value)
    if not text.isascii() or "\x7f" in text or ("\\" in text and not _TEXT.fullmatch(text)):
        raise ValueError("a string that is not printable ASCII and line feeds")
    if len(text) > LARGEST:
        raise ValueError(f"{len(text)} bytes of canonical JSON, at most {LARGEST} are written")
    return text.encode("ascii")


def loads(data: bytes) -> Value:
    """The value whose canonical bytes are `data`; raises Refused `malformed` or `too-big`."""
    if len(data) > LARGEST:
        raise Refused("too-big", f"JSON: {len(data)} bytes, at most {LARGEST} are taken")
    try:
        text = data.decode("ascii")
        value = _parse(text)
        again = _write(value).encode("ascii") if _is_plain(text) else dumps(value)
    except (ValueError, TypeError, RecursionError) as error:
        raise Refused("malformed", f"JSON: {ascii(str(error))[1:-1]:.200}") from None
    if again != data:
        pairs = enumerate(zip(data, again, strict=False))
        at = next((at for at, (found, due) in pairs if found != due), len(again))
        found = data[at : at + 40]
        raise Refused("malformed", f"JSON: byte {at} is not canonical: {found!r}")
    return value


_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def has_line_feed(text: str) -> bool:
    """Whether a string in canonical JSON holds a line feed: printed, it would forge a line."""
    return "n" in _ESCAPED.findall(text)


# Without ensure_ascii strings come out as RFC 8785 section 3.2.2.2 has them.
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
_MAKE: Any = getattr(json.encoder, "c_make_encoder", None)
# `encode` makes the writer in C anew for each text, which costs as much as a short text.
_WRITER = _MAKE and _MAKE(
    None, _ENCODER.default, json.encoder.encode_basestring, None, ":", ",", True, False, False
)


def _write(value: Value) -> str:
    return "".join(_WRITER(value, 0)) if _WRITER else _ENCODER.encode(value)


_LARGE = re.compile("[0-9]{16}")


def _is_plain(text: str) -> bool:
    """Whether the text as a whole already shows that `_check` and `dumps` will find no fault.

    A view is read for every entry, and checking each of its values would cost more than all the
    rest.
    """
    return (
        text.isprintable()
        and "\\" not in text
        and "null" not in text
        and _LARGE.search(text) is None
        and text.count("[") + text.count("{") < DEEPEST
    )


def _no_integer(text: str) -> NoReturn:
    raise ValueError(f"{text[:40]} is not an integer")


_parse = json.JSONDecoder(parse_float=_no_integer, parse_constant=_no_integer).decode


def _check(value: Value, levels: int) -> None:
    """Raise TypeError or ValueError unless `value` can be written within `levels` levels.

    Characters are not checked here: `dumps` checks them once for the whole text.
    """
    kind = type(value)
    if kind is dict or kind is list or kind is tuple:
        if levels == 0:
            raise ValueError(f"nested deeper than {DEEPEST}")
        if kind is dict:
            for key in value:
                if type(key) is not str:
                    raise TypeError(f"key {key!a:.80} is not a string")
            value = value.values()
        for item in value:
            # Most are text or small numbers, and a call for each would cost more than the writing.
            inner = type(item)
            if inner is str or inner is bool or (inner is int and -_BIG < item < _BIG):
                continue
            _check(item, levels - 1)
    elif isinstance(value, int):
        if not -_BIG < value < _BIG:
            raise ValueError("a number of magnitude 2^53 or more")
    elif not isinstance(value, str):
        raise TypeError(f"{value!a:.80} is neither text, integer, bool, list, tuple nor dict")
