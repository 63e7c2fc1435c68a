"""Order files: their one rendering, what people type, renderings that must be refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from generate.shared import GAME, HEX

from orders.errors import Refused
from orders.fields import digest
from orders.order_file import compose, cut, read_order_file, read_typed

CUT = cut(GAME, 3, "alice")


def order_files() -> dict[str, Any]:
    """Order files and what stands in them; what people type; renderings that must be refused."""
    return {
        "about": {"game": GAME, "step": 3, "player": "alice"},
        "written": [_order_file(*lines) for lines in _ordered()],
        "typed": [_typed(*given) for given in _typings()],
        "refused": [
            {"what": what, "bytes": data.decode(), "word": _word(read_order_file, data)}
            for what, data in _misrendered()
        ],
    }


def _ordered() -> list[list[str]]:
    return [[], ["start C4"], ["fire S", "", '  move C4 # "so" \\o/', "# a remark alone"]]


def _order_file(*lines: str) -> dict[str, Any]:
    data = compose("\n".join(lines)).render(HEX["a"])
    said = {"salt": HEX["a"], "orders": list(lines)}
    return {**said, "bytes": data.decode(), "digest": digest(data)}


def _typings() -> list[tuple[str, str]]:
    """What alice types for step 3."""
    return [
        ("lines alone", "fire S\n\nmove C4"),
        ("CR LF and a byte order mark", "\ufefffire S\r\n\r\nmove C4\r\n"),
        ("a form", f"# sea = \u2248\n\n{CUT}\nfire S\n"),
        ("tabs and remarks", "fire\tS # caf\u00e9\n\tmove C4 # ok  \n\n"),
        ("nothing", ""),
        ("UTF-16", "\x00f\x00i\x00r\x00e"),
        ("curly quotes", "fire S \u201c\n"),
        ("another letter", "fire \u0405"),
        ("a no-break space", "fire\u00a0S"),
        ("a lone carriage return", "fire S\rmove C4"),
        ("a line separator in a remark", "fire S # \u2028move C4"),
        ("a form of another game", f"{CUT.replace('9c01', '9c02')}\nfire S\n"),
        ("a form of another step", f"{CUT.replace('step 3', 'step 4')}\nfire S\n"),
        ("a form of another player", f"{CUT.replace('alice', 'bob')}\nfire S\n"),
        ("an order above the orders of a form", f"fire S\n{CUT}\n"),
    ]  # fmt: skip


def _typed(what: str, text: str) -> dict[str, Any]:
    try:
        file, _ = read_typed(text.encode(), GAME, 3, "alice")
    except Refused as error:
        return {"what": what, "typed": text, "word": error.word}
    return {"what": what, "typed": text, "orders": list(file.orders)}


def _misrendered() -> list[tuple[str, bytes]]:
    """Order files in other renderings, which a host answers with `malformed`."""
    good = compose("fire S\ndraw").render(HEX["a"])
    salt, _, lines = good.partition(b"\n")
    return [
        ("no salt", lines),
        ("the salt elsewhere", lines + salt + b"\n"),
        ("a salt in capitals", good.replace(HEX["a"].encode(), HEX["a"].upper().encode())),
        ("no blank beside the equals sign", good.replace(b" = ", b"=")),
        ("a blank at a line's end", good.replace(b"fire S", b"fire S ")),
        ("a line of blanks", good.replace(b"fire S", b" ")),
        ("an empty line at the end", good + b"\n"),
        ("a tab", good.replace(b"fire S", b"fire\tS")),
        ("another letter", good.replace(b"fire S", "fire \u0405".encode())),
        ("CR LF", good.replace(b"\n", b"\r\n")),
        ("no last LF", good[:-1]),
        ("a byte order mark", b"\xef\xbb\xbf" + good),
        ("a remark first", b"# hello\n" + good),
        ("nothing", b""),
    ]  # fmt: skip


def _word(function: Callable[..., object], *given: object) -> str:
    """The word with which this is refused; raises AssertionError where it is taken."""
    try:
        function(*given)
    except Refused as error:
        return error.word
    raise AssertionError(f"taken: {given}")
