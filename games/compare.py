"""What differs between what a rule case expects and what came (`docs/formats/cases.md`).

What belongs here: plain data, compared and told. What it must not know: games, and how a case runs.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence

from games.game import Table
from games.options import Value


def in_order(name: str, expected: Sequence[Table], came: Sequence[Table]) -> Iterator[str]:
    """A fault where lists of events differ in number or order, or in a key that is expected.

    Events `turn` do not count, unless one is expected.
    """
    if not any(event.get("kind") == "turn" for event in expected):
        came = [event for event in came if event["kind"] != "turn"]
    if len(came) != len(expected) or not all(map(_fits, expected, came)):
        yield _diff(name, expected, came)


def _fits(expected: Table, came: Table) -> bool:
    return all(key in came and came[key] == value for key, value in expected.items())


def compare(name: str, expected: Value, came: Value, sets: Collection[str] = ()) -> Iterator[str]:
    """A fault for each place in which `expected` is not met; a table's other keys do not count.

    Lists under a key of `sets` compare without order.
    """
    if isinstance(expected, Mapping) and isinstance(came, Mapping):
        for key, value in expected.items():
            if key in came:
                yield from compare(f"{name}.{key}", value, came[key], sets)
            else:
                yield f"{name}.{key}: expected {quote(value)}, is not there"
    elif isinstance(expected, list) and isinstance(came, list | tuple):
        items = list(came)
        if name.rpartition(".")[2] in sets:
            expected, items = sorted(expected, key=quote), sorted(items, key=quote)
        if expected != items:
            yield _diff(name, expected, items)
    elif expected != came or type(expected) is not type(came):
        yield f"{name}: expected {quote(expected)}, came {quote(came)}"


def _diff(name: str, expected: Sequence[Value], came: Sequence[Value]) -> str:
    lines = [f"{name}: expected (-), came (+):"]
    for at in range(max(len(expected), len(came))):
        left = quote(expected[at]) if at < len(expected) else None
        right = quote(came[at]) if at < len(came) else None
        fits = (
            left is not None
            and right is not None
            and (
                left == right
                or (isinstance(expected[at], Mapping) and _fits(expected[at], came[at]))
            )
        )
        if fits:
            lines.append(f"    {right}")
        else:
            lines += [f"  - {left}"] * (left is not None) + [f"  + {right}"] * (right is not None)
    return "\n".join(lines)


def quote(value: Value) -> str:
    """Any value on one line, in ASCII."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True)
