"""Order forms for players to fill in; above the orders they show the board and what may be
written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjudicator.player.seated import Seated
from games.game import Game, View
from orders.fields import Digest
from orders.typed import cut


def template(seated: Seated) -> str:
    """An order form for the coming step, with news, board and choices above the cut.

    Raises Missing or Refused if the seat's last report cannot be read.
    """
    opening, player = seated.opening, seated.seat.player
    told = seated.report()
    news = [opening.game.news(event) for event in told.events]
    board = opening.game.draw(told.view)
    return _form(opening.id, seated.step, player, board, _choices(opening.game, told.view), news)


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


def _form(
    game: Digest, step: int, player: str, board: str, choices: Sequence[str], news: Sequence[str]
) -> str:
    out = [f"# Orders of {player} for step {step}.", "#"]
    if news:
        out += ["# What you heard:", *(f"#   {line}" for one in news for line in one.splitlines())]
        out.append("#")
    out += [*(f"# {line}".rstrip() for line in board.splitlines()), "#"]
    out += [f"# {line}" for line in choices]
    out += ["#", "# Write one order a line at the end. What stands above the end is not sent."]
    return "\n".join([*out, cut(game, step, player), ""])


def columns(lines: Sequence[str], width: int = 74) -> list[str]:
    """The texts side by side, column by column, as many columns as fit."""
    wide = max((len(line) for line in lines), default=0) + 3
    across = max(1, min(width // wide, 6))
    down = -(-len(lines) // across)
    rows = [lines[row::down] for row in range(down)]
    return ["".join(line.ljust(wide) for line in row).rstrip() for row in rows]
