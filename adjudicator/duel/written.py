"""Orders as a duel keeps them: without remarks, in small letters, and short.

A move holds the sealed orders of every step that it begins, and should stay below 3 KB. So lines
are kept word by word, and each word of the game's own (`Duel.words`) is one byte.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from games.game import Written
from games.lines import read_lines
from orders import canonical
from orders.errors import Refused

_WORD = re.compile(r"[a-z0-9-]+")
_BLANK = re.compile("(?<=[\x80-\xff]) (?=[\x80-\xff])")
_BETWEEN = re.compile("(?<=[\x80-\xff])(?=[\x80-\xff])")
"""A blank between two words that are a byte each goes without saying."""
_FIRST = 0x80
MOST_WORDS = 120


def plain(written: Written) -> Written:
    """The same orders without remarks, blank lines and capitals."""
    lines = [" ".join(line.words) for line in read_lines(written.orders)]
    return Written("\n".join(lines), written.tables)


def encode(written: Written, words: Sequence[str]) -> bytes:
    """Plain orders as bytes; raises Refused `malformed` for other characters than plain ASCII."""
    text = written.orders
    if written.tables:
        text += "\n" + canonical.dumps(dict(written.tables)).decode("ascii")
    if not text.isascii():
        raise Refused("malformed", f"orders {text[:60]!a}: expected plain ASCII")
    codes = _codes(tuple(words))
    short = _WORD.sub(lambda found: codes.get(found[0], found[0]), text)
    return _BLANK.sub("", short).encode("latin-1")


def decode(data: bytes, words: Sequence[str]) -> Written:
    """The inverse of `encode`; raises Refused `malformed` for bytes that it does not write."""
    codes = _words(tuple(words))
    short = _BETWEEN.sub(" ", data.decode("latin-1"))
    text = "".join([codes.get(sign, sign) for sign in short])
    lines, found, table = text.rpartition("\n{")
    written = Written(text)
    if found:
        tables = canonical.loads(("{" + table).encode("ascii", "replace"))
        if not isinstance(tables, dict):
            raise Refused("malformed", "orders: expected tables behind the lines")
        written = Written(lines, tables)
    if encode(written, words) != data:
        raise Refused("malformed", "orders: they are not in their one form")
    return written


@lru_cache(8)
def _codes(words: tuple[str, ...]) -> dict[str, str]:
    if len(words) > MOST_WORDS:
        raise ValueError(f"{len(words)} words, at most {MOST_WORDS}")
    return {word: chr(_FIRST + at) for at, word in enumerate(words)}


@lru_cache(8)
def _words(words: tuple[str, ...]) -> dict[str, str]:
    return {code: word for word, code in _codes(words).items()}
