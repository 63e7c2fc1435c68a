"""Order files: their one rendering, what people type, renderings that must be refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shared import GAME, HEX

from orders.errors import Refused
from orders.fields import digest
from orders.order_file import OrderFile, compose, read_order_file
from orders.typed import CUT, read_typed

TABLES: dict[str, dict[str, Any]] = {
    "standing": {"retreat": "ask", "support": "ask", "discard": [], "all": False}
}
"""The tables of a game, with their defaults."""


def order_files() -> dict[str, Any]:
    """Order files and what stands in them; what people type; renderings that must be refused."""
    return {
        "tables": TABLES,
        "written": [_order_file(*given) for given in _ordered()],
        "typed": [_typed(*given) for given in _typings()],
        "refused": [
            {"what": what, "bytes": data.decode(), "word": _word(read_order_file, data, TABLES)}
            for what, data in _misrendered()
        ],
    }


def _ordered() -> list[tuple[list[str], dict[str, Any]]]:
    """Order lines, and tables."""
    never = {"standing": {"discard": ["speed-boat"], "retreat": "never", "support": "ask"}}
    return [
        ([], {}),
        (["start C4"], {}),
        (["fire S", "", '  move C4 # "so" \\o/', "# a remark alone"], {}),
        (["draw"], never),
        ([], {"standing": {"all": True}}),
    ]


def _order_file(lines: list[str], tables: dict[str, Any]) -> dict[str, Any]:
    file = compose(GAME, 3, "alice", lines, tables, TABLES)
    data = file.render(HEX["a"])
    return {
        "salt": HEX["a"],
        **_said(file),
        "bytes": data.decode(),
        "digest": digest(data),
    }


def _said(file: OrderFile) -> dict[str, Any]:
    return {
        "game": file.game,
        "step": file.step,
        "player": file.player,
        "orders": list(file.orders),
        "tables": {name: dict(table) for name, table in file.tables.items()},
    }


def _typings() -> list[tuple[str, str]]:
    """What people type for step 3."""
    head = f'game = "{GAME}"\nstep = 3\nplayer = "alice"\n'
    plain = f'{head}orders = """\nfire S\n\nmove C4\n"""\n'
    return [
        ("lines alone", "fire S\n\nmove C4"),
        ("CR LF and a byte order mark", "\ufefffire S\r\n\r\nmove C4\r\n"),
        ("a whole file", plain),
        ("a list", f'{head}orders = [ "fire S",\n  \'\', # no\n "move C4" ]\n'),
        (
            "lines outside the quotes",
            f'{head}fire S\norders = """\n\nmove C4\n"""\ndraw # offered\n',
        ),
        ("a board above the cut", f"# sea = \u2248\n{CUT}\n\n{plain}"),
        ("a table", f"{plain}[standing]\nsupport='ask'\nretreat = \"never\"\n"),
        ("tabs and remarks", "fire\tS # caf\u00e9\n\tmove C4 # ok  \n\n"),
        ("nothing", ""),
        ("UTF-16", "\x00f\x00i\x00r\x00e"),
        ("curly quotes", f"{head}orders = \u201c\nfire S\n\u201d\n"),
        ("another letter", "fire \u0405"),
        ("a no-break space", "fire\u00a0S"),
        ("a lone carriage return", "fire S\rmove C4"),
        ("a line separator in a remark", "fire S # \u2028move C4"),
        ("a control character in quotes", f'{head}orders = "fire\\u000bS"'),
        ("quotes never closed", plain.removesuffix('"""\n')),
        ("a list never closed", f'{head}orders = [\n"fire S",\n'),
        ("a salt", f'salt = "{GAME}"\n{plain}'),
        ("an unknown key", f"colour = 1\n{plain}"),
        ("an unknown table", f"{plain}[other]\nx = 1\n"),
        ("an unknown key in a table", f"{plain}[standing]\nretire = 1\n"),
        ("a float in a table", f"{plain}[standing]\nall = 1.5\n"),
        ("no quotes around a value", f"{plain}[standing]\nretreat = never\n"),
        ("orders as a number", f"{head}orders = 1\n"),
        ("another game", plain.replace("9c01", "9c02")),
        ("another step", plain.replace("step = 3", "step = 4")),
        ("another player", plain.replace("alice", "bob")),
    ]  # fmt: skip


def _typed(what: str, text: str) -> dict[str, Any]:
    given = (text.encode(), TABLES, GAME, 3, "alice")
    try:
        said = _said(read_typed(*given))
    except Refused as error:
        return {"what": what, "typed": text, "word": error.word}
    return {"what": what, "typed": text, "orders": said["orders"], "tables": said["tables"]}


def _misrendered() -> list[tuple[str, bytes]]:
    """Order files in other renderings, which a host answers with `malformed`."""
    tables = {"standing": {"retreat": "never", "all": True}}
    good = compose(GAME, 3, "alice", ["fire S", "draw"], tables, TABLES).render(HEX["a"])
    block = b'[\n    "fire S",\n    "draw",\n]'
    said = b'retreat = "never"\nall = true'
    return [
        ("no salt", good.partition(b"\n")[2]),
        ("the salt elsewhere", good.partition(b"\n")[2] + good.partition(b"\n")[0] + b"\n"),
        ("a salt in capitals", good.replace(HEX["a"].encode(), HEX["a"].upper().encode())),
        ("a multi-line string", good.replace(block, b'"""\nfire S\n"""')),
        ("a list on one line", good.replace(block, b'["fire S", "draw"]')),
        ("an empty list in lines", good.replace(block, b"[\n]")),
        ("no last comma", good.replace(b'"draw",', b'"draw"')),
        ("another indent", good.replace(b'    "draw"', b'  "draw"')),
        ("a blank at a line's end", good.replace(b"fire S", b"fire S ")),
        ("a blank line at the end", good.replace(b'"draw",\n', b'"draw",\n    "",\n')),
        ("a tab", good.replace(b"fire S", b"fire\\tS")),
        ("a line feed", good.replace(b"fire S", b"fire\\nS")),
        ("another letter", good.replace(b"fire S", "fire \u0405".encode())),
        ("an escape that is not needed", good.replace(b"fire S", b"fire \\u0053")),
        ("a comment", b"# hello\n" + good),
        ("an empty line", good.replace(b"[standing]", b"\n[standing]")),
        ("CR LF", good.replace(b"\n", b"\r\n")),
        ("no last LF", good[:-1]),
        ("a byte order mark", b"\xef\xbb\xbf" + good),
        ("a default written out", good.replace(b"all = true", b'support = "ask"\nall = true')),
        ("an empty table", good.partition(b"[standing]")[0] + b"[standing]\n"),
        ("keys of a table exchanged", good.replace(said, b'all = true\nretreat = "never"')),
        ("an unknown key", good.replace(b"[standing]", b"colour = 1\n[standing]")),
        ("an unknown table", good + b"[other]\nx = 1\n"),
        ("an unknown key in a table", good + b"x = 1\n"),
        ("step 0", good.replace(b"step = 3", b"step = 0")),
        ("a device's name", good.replace(b"alice", b"con")),
        ("nothing", b""),
    ]  # fmt: skip


def _word(function: Callable[..., object], *given: object) -> str:
    """The word with which this is refused; raises AssertionError where it is taken."""
    try:
        function(*given)
    except Refused as error:
        return error.word
    raise AssertionError(f"taken: {given}")
