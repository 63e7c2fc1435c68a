"""A bot for Sugar Dog: it pings, and if an echo lies in line with it, it fires that way."""

import json
import sys

known = json.load(sys.stdin)
me, view = known["player"], known["view"]


def heading(mine: str, theirs: str) -> str | None:
    """The way from one cell to another, if they lie in line."""
    if mine[0] == theirs[0] and mine != theirs:
        return "N" if theirs[1:] > mine[1:] else "S"
    if mine[1:] == theirs[1:] and mine != theirs:
        return "E" if theirs[0] > mine[0] else "W"
    return None


if known["for"] == "setup":
    print("start C3")
elif known["refused"]:
    print(known["legal"][0])
else:
    cells = [cell for player, cell in view["contacts"].items() if player != me]
    ways = [way for cell in cells if (way := heading(view[me]["sub"], cell))]
    print(f"fire {ways[0]}" if ways and view["n"] % 4 > 1 else "ping")
