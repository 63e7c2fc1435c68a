"""Orders in one line and back, and order forms for players to fill in; above the orders these show
the board and what may be written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjudicator.player.seated import Seated
from games.game import Game, View
from orders.order_file import cut

NO_LINES = "-"
"""Orders without a line, if the game takes them, where they are in one line."""


def lines_of(text: str) -> str:
    """Orders typed in one line, with `;` between them, as one line each."""
    if text.strip() == NO_LINES:
        return ""
    return "\n".join(part.strip() for part in text.split(";"))


def in_one_line(orders: str) -> str:
    """Orders as one line that somebody could type: `lines_of` backwards."""
    return "; ".join(line for line in orders.split("\n") if line) or NO_LINES


def template(seated: Seated) -> str:
    """An order form for the coming step, with news, board and choices above the cut.

    Raises Missing or Refused if the seat's last report cannot be read.
    """
    opening, step, player = seated.opening, seated.step, seated.seat.player
    told, game = seated.report(), opening.game
    out = [f"# Orders of {player} for step {step}.", "#"]
    news = [line for event in told.events for line in game.news(event).splitlines()]
    if told.events:
        out += ["# What you heard:", *(f"#   {line}" for line in news), "#"]
    out += [*(f"# {line}".rstrip() for line in game.draw(told.view).splitlines()), "#"]
    out += [f"# {line}" for line in _choices(game, told.view)]
    out += ["#", "# Write one order a line at the end. What stands above the end is not sent."]
    return "\n".join([*out, cut(opening.id, step, player), ""])


def _choices(game: Game[Any, Any], view: View) -> list[str]:
    """The possible first lines. The text says if more lines may follow, so that nobody takes the
    list for complete."""
    lines = [choice.text for choice in game.after(view, ()).choices]
    if not lines:
        return ["There is nothing that you may write now: others are awaited."]
    more = any(game.after(view, (line,)).choices for line in lines)
    out = [f"Your first line can be one of these{', and more may follow it' * more}:"]
    out += [f"  {row}" for row in columns(lines)]
    for name, table in game.tables.items():
        out.append(f"A line may also be {', '.join(f'`{name} {key} ...`' for key in table)}.")
    return out


def columns(lines: Sequence[str], width: int = 74) -> list[str]:
    """The texts side by side, column by column, as many columns as fit."""
    wide = max((len(line) for line in lines), default=0) + 3
    across = max(1, min(width // wide, 6))
    down = -(-len(lines) // across)
    rows = [lines[row::down] for row in range(down)]
    return ["".join(line.ljust(wide) for line in row).rstrip() for row in rows]
