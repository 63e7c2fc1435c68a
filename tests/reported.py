"""What a report tells of a step, and the bytes that it takes, for tests of games."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from adjudicator.core import report
from games.game import Event, View
from orders.documents import LAST_STEP
from orders.sealing import room


def written(view: View, events: Sequence[Event]) -> bytes:
    """The report of the view's player at the last possible step."""
    return report.make("f" * 64, LAST_STEP, "0" * 64, view, events)


def told(view: View, events: Sequence[Event]) -> dict[str, Any]:
    """What the game has in that report: `events` and `view`."""
    data = json.loads(written(view, events))
    return {"events": data["events"], "view": data["view"]}


def laid_out(value: object) -> str:
    """Canonical JSON with line ends after the keys of the outer table; or a list of events, a line
    each, whose keys stay in their order. As the pages on games' formats show it."""
    if isinstance(value, dict):
        rows = [f"{_compact(key)}:{_compact(value[key])}" for key in sorted(value)]
        return "{\n" + ",\n".join(rows) + "\n}\n"
    assert isinstance(value, list)
    rows = [json.dumps(item, separators=(",", ":")) for item in value]
    return "[\n" + ",\n".join(rows) + "\n]\n"


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


def around(players: Iterable[str]) -> int:
    """The most bytes of a report around what the game tells, its player's name included."""
    frame = {"events": [], "game": "f" * 64, "player": max(players, key=len), "salt": "0" * 64}
    return json_bytes({**frame, "step": LAST_STEP, "view": {}}) - len("[]{}")


def json_bytes(value: Any) -> int:
    """The bytes of plain data as canonical JSON."""
    return len(_compact(value))


def order_file_bound(most: int) -> int:
    """The most bytes of an order file, salt and all, if its lines take `most` (`check_size`)."""
    return len(f'salt = "{"0" * 64}"\n') + most


def room_for(game: Any, players: int) -> tuple[int, int]:
    """The bytes of an order file, and of a report, that fit the sizes of a game of so many."""
    sizes = game.sizes_for(players)
    return room(sizes.order), room(sizes.report)
