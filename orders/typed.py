"""Reads what a person typed as orders into an order file: leniently, and without losing anything.

People write a whole TOML order file, one with lines outside its quotes, or nothing but order lines;
with any line ends and any layout. All of these end in the one rendering of `order_file`. A
character that cannot be written there is refused, with its line and column in the person's own
file; only a remark with such characters is cut instead.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from orders import toml
from orders.errors import Refused
from orders.fields import HEX, PLAYER, Digest, Reader, between
from orders.order_file import LARGEST, OrderFile, Tables, check_readable, compose
from orders.toml import Value

CUT = "# ==== What stands above this line stays with you; the order file begins below. ===="
"""A template's board and lists may be longer than an order file may, and are its player's own."""

LARGEST_TYPED = 2**18
"""Bytes of the largest file that is read, the part above the cut included."""

_BREAKS = re.compile("[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""Characters that some editors show as the end of a line, and others do not."""

_QUOTES = "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033\u00ab\u00bb"
_STRAIGHT = 'type straight quotes; the setting is called "smart quotes" or "smart punctuation"'
_ODD = re.compile(r"[^\t -~]")
_STATEMENT = re.compile(r"""[ \t]*(?:\[|[A-Za-z0-9_."'-]+[ \t]*=)""")
_TOKEN = re.compile(
    r'''(?P<long>"""(?:[^"\\]|\\.|"{1,2}(?!"))*+(?:"{3,5})?|\'\'\'(?:[^']|'{1,2}(?!'))*+(?:'{3,5})?)'''
    r"""|(?P<short>"(?:[^"\\\n]|\\[^\n])*+"?|'[^'\n]*+'?)"""
    r"""|(?P<comment>\#[^\n]*+)|(?P<open>[\[{])|(?P<close>[\]}])|(?P<end>\n)"""
    r"""|[^"'\#\[\]{}\n]++""",
    re.DOTALL,
)


def _cut(lines: list[str]) -> int:
    """How many lines are above the order file, the cut included."""
    return next((at for at, line in enumerate(lines, 1) if line.rstrip() == CUT), 0)


def read_typed(data: bytes, tables: Tables, game: Digest, step: int, player: str) -> OrderFile:
    """The order file in `data`: what `player` ordered for `step` of `game`.

    `tables` are those of the game, with their defaults. The file may say game, step and player;
    then they must be these. Raises Refused: `malformed` or `too-big` for what cannot be read,
    `stale` for orders of another game or step, `mismatch` for another player's.
    """
    typed = _Typed.of(data)
    values, lines = typed.values()
    reader = Reader("order file", values)
    _check_about(reader, game, step, player)
    given = {name: reader.table(name) for name in tables if name in reader.left}
    reader.end()
    orders = [typed.clean(number, line) for number, line in enumerate(lines, 1)]
    file = compose(game, step, player, orders, given, tables)
    check_readable(file, tables)
    return file


def own_line(data: bytes, orders: Sequence[str], number: int) -> int | None:
    """The line of a typed file that holds order line `number`, both counted from 1.

    `orders` are the lines as `read_typed` gave them. None if they are not written one a line.
    """
    typed = _Typed.of(data)
    found = 0
    if number > len(orders):
        return None
    for at, line in enumerate(typed.lines[typed.above :], typed.above + 1):
        if typed.clean(at, line).rstrip(" ") == orders[found]:
            found += 1
            if found == number:
                return at
    return None


def _check_about(reader: Reader, game: Digest, step: int, player: str) -> None:
    """Check the game, step and player that the file names, if it names them."""
    if "salt" in reader.left:
        raise Refused("malformed", "order file: the tool adds key 'salt' itself", "remove it")
    fresh = "take a fresh form"
    if "game" in reader.left and (said := HEX.read(reader, "game")) != game:
        raise Refused("stale", f"order file: it is for the game {said}, this is {game}", fresh)
    if "step" in reader.left and (said := between(0, 10**9).read(reader, "step")) != step:
        raise Refused(
            "stale", f"order file: it is for step {said}, the game is at step {step}", fresh
        )
    if "player" in reader.left and (name := PLAYER.read(reader, "player")) != player:
        raise Refused("mismatch", f"order file: it is {name}'s, and you are {player}", fresh)


class _Typed(NamedTuple):
    """A typed file as text: `lines` of the whole file, of which the first `above` are not read."""

    lines: list[str]
    above: int

    @classmethod
    def of(cls, data: bytes) -> _Typed:
        """Decoded and split; raises Refused for other characters than order files hold."""
        text = _decode(data)
        lines = text.split("\n")
        typed = cls(lines, _cut(lines))
        _check_above(lines[: typed.above])
        if sum(map(len, lines[typed.above :])) > LARGEST:
            raise Refused("too-big", f"order file: more than {LARGEST} characters", "shorten it")
        for number, line in enumerate(lines[typed.above :], typed.above + 1):
            odd = _BREAKS.search(line) or _ODD.search(line.partition("#")[0])
            if odd is not None:
                raise _odd(f"line {number}, column {odd.start() + 1}", odd[0])
        return typed

    def values(self) -> tuple[dict[str, Value], list[str]]:
        """What TOML says in the file, `orders` aside, and the order lines."""
        statements = self._statements()
        if not statements:
            return {}, self.lines[self.above :]
        kept = [""] * len(self.lines)
        before: list[str] = []
        after: list[str] = []
        inside: set[int] = set()
        for first, last in statements:
            kept[first : last + 1] = self.lines[first : last + 1]
            inside |= set(range(first, last + 1))
        values = self._parse("\n".join(kept))
        orders = _order_lines(values.pop("orders", []))
        at = next((f for f, _ in statements if self.lines[f].split("=")[0].strip() == "orders"), 0)
        for number in range(self.above, len(self.lines)):
            line = self.lines[number]
            if number not in inside and line.strip() and not line.lstrip().startswith("#"):
                (before if number < at else after).append(line)
        return values, [*before, *_trimmed(orders, after), *after]

    def _statements(self) -> list[tuple[int, int]]:
        """First and last line, from 0, of each pair and each table's head."""
        found = []
        number = self.above
        text = "\n".join(self.lines)
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line) + 1)
        while number < len(self.lines):
            last = number
            if _STATEMENT.match(self.lines[number]):
                last = self._last(text, starts[number], number)
                found.append((number, last))
            number = last + 1
        return found

    def _last(self, text: str, at: int, number: int) -> int:
        """The last line of the statement that begins at character `at`, on line `number`."""
        depth, line = 0, number
        while (token := _TOKEN.match(text, at)) is not None:
            at = token.end()
            kind = token.lastgroup
            if kind == "long" and not token[0][3:].endswith(token[0][:3]):
                raise _unclosed(line + 1, token[0][:3])
            depth += (kind == "open") - (kind == "close")
            if kind == "end" and depth <= 0:
                return line
            line += token[0].count("\n")
        if depth > 0:
            raise _unclosed(number + 1, "[")
        return line

    def _parse(self, text: str) -> dict[str, Value]:
        toml.guard(text)
        try:
            return tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise Refused(
                "malformed",
                f"order file: not TOML: {ascii(str(error))[1:-1]}",
                "write one order a line, and nothing else, or take a fresh form",
            ) from None

    def clean(self, number: int, line: str) -> str:
        """Order line `number` as it is signed: tabs as blanks, remarks in printable ASCII only."""
        line = line.replace("\t", " ")
        orders, _, remark = line.partition("#")
        odd = _ODD.search(orders)
        if odd is not None:
            raise _odd(f"order line {number}, column {odd.start() + 1}", odd[0])
        return orders if _ODD.search(remark) else line


def _check_above(lines: list[str]) -> None:
    """Refuse a line that may be an order written in the wrong place, as it would be lost."""
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            raise Refused(
                "malformed",
                f"line {number} is above the line where the orders begin: {line[:60]!a}",
                "write orders below that line, and put # in front of a note of your own",
            )


def _decode(data: bytes) -> str:
    """The text of a typed file, its lines ended by LF."""
    if len(data) > LARGEST_TYPED:
        raise Refused("too-big", f"{len(data)} bytes, at most {LARGEST_TYPED} are taken")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:200]:
        raise Refused(
            "malformed",
            "the order file is saved as UTF-16 (some editors call it Unicode)",
            "save the file as UTF-8",
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise Refused(
            "malformed",
            f"line {line}, byte {column}: {data[error.start : error.start + 8]!r} is no UTF-8",
            "save the file as UTF-8",
        ) from None
    return text.replace("\r\n", "\n")


def _order_lines(value: Value) -> list[str]:
    """The lines in `orders`: one string of lines, or a list of strings."""
    parts = value if isinstance(value, list) else [value]
    if not all(isinstance(part, str) for part in parts):
        raise Refused(
            "malformed",
            f"order file: orders = {value!a:.90}: expected lines between quotes",
            "write one order a line between the quotes",
        )
    return [line for part in parts for line in part.split("\n")]


def _trimmed(lines: list[str], after: list[str]) -> list[str]:
    """The lines without the blank ones at their end, if others follow."""
    while after and lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def _odd(place: str, character: str) -> Refused:
    name = unicodedata.name(character, "a control character")
    if character in _QUOTES:
        return Refused("malformed", f"{place}: {character!a} is a curly quote ({name})", _STRAIGHT)
    return Refused(
        "malformed",
        f"{place}: {character!a} ({name}): expected plain ASCII",
        "type it again; only a remark, after #, may hold other characters, and is then left out",
    )


def _unclosed(line: int, mark: str) -> Refused:
    closing = {"[": "]"}.get(mark, mark)
    return Refused(
        "malformed",
        f"line {line}: the {mark} here is never closed",
        f"put a line {closing} after the last order",
    )
