"""A bot for Sugar Dog that uses the command line alone, as a bot in any language could.

`python pinger.py RECORD SEAT` prints an order bundle; nothing where the seat is not awaited. It
pings, and when an echo lies in line with it, it fires that way.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any


def ask(*arguments: str) -> Any:
    """What a command answers with `--json`."""
    command = ["adjudicator", *arguments, "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def heading(mine: str, theirs: str) -> str | None:
    """The way from one cell to another, if they lie in line."""
    if mine[0] == theirs[0] and mine != theirs:
        return "N" if theirs[1:] > mine[1:] else "S"
    if mine[1:] == theirs[1:] and mine != theirs:
        return "E" if theirs[0] > mine[0] else "W"
    return None


def line(me: str, view: dict[str, Any]) -> str:
    """The order line for a view."""
    if "setup" in view:
        return "start C3"
    for player, cell in view["contacts"].items():
        way = heading(view[me]["sub"], cell)
        if player != me and way is not None and view["n"] % 4 > 1:
            return f"fire {way}"
    return "ping"


def main(record: str, seat: str) -> None:
    """One order bundle to standard output."""
    status = ask("status", record)
    seen = ask("show", record, "--seat", seat)
    [(me, view)] = seen["views"].items()
    if me not in status["awaited"]:
        return
    orders = line(me, view)
    command = ["adjudicator", "order", record, "-", "--seat", seat, "-o", "-"]
    done = subprocess.run(command, input=orders.encode(), check=True, capture_output=True)
    sys.stdout.buffer.write(done.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
