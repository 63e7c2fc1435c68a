"""Order files as text: what a template, a demo or a mail client puts before a player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tomli_w

from games.game import Written
from orders.fields import Digest

CUT = "# ==== What stands above this line stays with you; the order file begins below. ===="
"""A template's board and lists may be longer than an order file may, and are its player's own."""


def below_cut(data: bytes) -> bytes:
    """The order file in what its author has written: what follows the cut, or all of it."""
    lines = data.split(b"\n")
    cut = CUT.encode("ascii")
    at = next((at for at, line in enumerate(lines, 1) if line.rstrip() == cut), 0)
    return b"\n".join(lines[at:])


def order_text(game: Digest, step: int, player: str, written: Written) -> str:
    """A whole order file, ready to be checked and sealed."""
    tables: Mapping[str, Any] = {name: dict(table) for name, table in written.tables.items()}
    lines = [*head(game, step, player), 'orders = """', *written.orders.splitlines(), '"""']
    return "\n".join(lines) + "\n" + (tomli_w.dumps(tables) if tables else "")


def head(game: Digest, step: int, player: str) -> list[str]:
    """The lines that say what the file is for."""
    return [f'game = "{game}"', f"step = {step}", f'player = "{player}"']


def comments(text: str) -> list[str]:
    """Lines of text as comment lines."""
    return [f"# {line}".rstrip() for line in text.splitlines()]


def template(
    game: Digest, step: int, player: str, board: str, lines: Sequence[str], news: Sequence[str]
) -> str:
    """An order file to fill in: the news, the board and the legal lines as comments above it."""
    out = [f"# Orders of {player} for step {step}.", "#"]
    if news:
        out += ["# What you heard:", *(f"#   {one}" for one in news), "#"]
    out += [*comments(board), "#"]
    if lines:
        out += ["# Lines that you may write now:", *(f"#   {row}" for row in columns(lines))]
    else:
        out.append("# There is nothing that you may write now: others are awaited.")
    out += ["#", CUT, "", *head(game, step, player)]
    out += ["# Write one order a line between the quotes.", 'orders = """', "", '"""']
    return "\n".join(out) + "\n"


def columns(lines: Sequence[str], width: int = 74) -> list[str]:
    """The lines side by side, column by column, as many as fit."""
    wide = max((len(line) for line in lines), default=0) + 3
    across = max(1, min(width // wide, 6))
    down = -(-len(lines) // across)
    rows = [lines[row::down] for row in range(down)]
    return ["".join(line.ljust(wide) for line in row).rstrip() for row in rows]
