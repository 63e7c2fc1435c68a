"""The differences between a rule case's plain data and what happened (`docs/formats/cases.md`)."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from games.game import Table
from games.options import Value


def in_order(name: str, expected: Sequence[Table], came: Sequence[Table]) -> Iterator[str]:
    """A fault if lists of events differ in number or order, or in an expected key.

    Events `turn` count only if one is expected.
    """
    if not any(event.get("kind") == "turn" for event in expected):
        came = [event for event in came if event["kind"] != "turn"]
    if len(came) != len(expected) or not all(map(_fits, expected, came)):
        yield _diff(name, expected, came, _fits)


def _fits(expected: Table, came: Table) -> bool:
    return all(key in came and _same(value, came[key]) for key, value in expected.items())


def _same(expected: Value, came: Value) -> bool:
    """Whether both are the same value of the same type: `true` is not 1, alone or within a list."""
    return quote(expected) == quote(came)


def compare(name: str, expected: Value, came: Value, sets: Collection[str] = ()) -> Iterator[str]:
    """A fault for each place at which `expected` is not met; a table may have more keys than
    expected.

    Lists under a key of `sets` are compared without regard to order.
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
        if not _same(expected, items):
            yield _diff(name, expected, items, _same)
    elif not _same(expected, came):
        yield f"{name}: expected {quote(expected)}, came {quote(came)}"


def _diff(
    name: str, expected: Sequence[Any], came: Sequence[Any], fits: Callable[[Any, Any], bool]
) -> str:
    lines = [f"{name}: expected (-), came (+):"]
    for at in range(max(len(expected), len(came))):
        there, here = at < len(expected), at < len(came)
        if there and here and fits(expected[at], came[at]):
            lines.append(f"    {quote(came[at])}")
            continue
        lines += [f"  - {quote(expected[at])}"] if there else []
        lines += [f"  + {quote(came[at])}"] if here else []
    return "\n".join(lines)


def quote(value: Value) -> str:
    """Any value on one line, in ASCII."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, default=repr)
