"""Who wins between captains: plays every row of the tables on the games' pages again.

`python -m tests.generate.balance [GAMES] [GAME]`: writes the figures of so many games (2,000;
within 2 %) a row into each page, in place. It takes some hours: give it a free machine.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from adjudicator.cli import cli

ROOT = Path(__file__).parents[2]
PAGES = {page.parent.name.replace("_", "-"): page for page in ROOT.glob("games/*/LEARN.md")}
HEAD = (
    "| `simulate` with | games | who goes first wins | a draw | how games end | steps, median |\n"
    "|---|---|---|---|---|---|\n"
)
ROW = re.compile(r"^\| (?:`([^`]*)`|nothing) \| ([0-9,]+) \|.*\|$", re.MULTILINE)


def figures(game: str, arguments: str, many: int) -> Mapping[str, Any]:
    """What `simulate --json` says of a row."""
    usual = ["simulate", game, "--games", str(many), "--seed", "07", "--json"]
    done = CliRunner().invoke(cli, [*usual, *shlex.split(arguments)], catch_exceptions=False)
    if done.exit_code:
        raise ValueError(f"{game} {arguments}: {done.output}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def row(arguments: str, found: Mapping[str, Any]) -> str:
    """A row of the table."""
    ends = (
        f"{how} {100 * share['won'] / share['of']:.0f} %"
        for how, share in sorted(found["how"].items(), key=lambda one: -one[1]["won"])
    )
    cells = (
        f"`{arguments}`" if arguments else "nothing",
        f"{found['games']:,}",
        _share(found["movers"][0]),
        _share(found["nobody"]),
        ", ".join(ends),
        str(found["steps"]["median"]),
    )
    return f"| {' | '.join(cells)} |"


def _share(share: Mapping[str, float]) -> str:
    part = 100 * share["won"] / share["of"] if share["of"] else 0
    return f"{part:.0f} % ({100 * share['low']:.0f} to {100 * share['high']:.0f})"


def rows(page: str) -> Iterator[re.Match[str]]:
    """The rows of a page's table: arguments and games; raises ValueError where it has no table."""
    _, head, rest = page.partition(HEAD)
    if not head:
        raise ValueError("no table of who wins")
    return ROW.finditer(rest.split("\n\n")[0])


def main() -> None:
    """Play, and write each row as soon as it is known."""
    many = int(sys.argv[1]) if sys.argv[1:] else 2_000
    for game in sys.argv[2:] or sorted(PAGES):
        for old in list(rows(PAGES[game].read_text(encoding="utf-8"))):
            new = row(old[1] or "", figures(game, old[1] or "", many))
            print(new)
            text = PAGES[game].read_text(encoding="utf-8")
            PAGES[game].write_text(text.replace(old[0], new), encoding="utf-8")


if __name__ == "__main__":
    main()
