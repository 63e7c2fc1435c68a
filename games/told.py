"""What a report tells one player of a step: little, because entries tell the rest.

It turns a view and events into a report's plain data, and that back into everything that its reader
hears. `docs/formats/reports.md` specifies it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from games.options import Value

if TYPE_CHECKING:
    from games.game import Event, Player, View

VOID = "void"
"""The kind of event that tells a player that a line of theirs was not carried out."""

_VOIDS = re.compile(r"(?:[1-9][0-9]{0,3}[A-Za-z](?: [1-9][0-9]{0,3}[A-Za-z])*)?", re.ASCII)


def tell(view: View, events: Sequence[Event], codes: Mapping[str, str]) -> dict[str, Value]:
    """`events`, `keys`, `view` and `void` of the report of the view's player.

    `events`: the player's private events, each as `[place, event]`, where `place` counts the public
    events before it; an event that repeats an earlier one of the list is told by that one's index.
    `keys`: by a public event's index, the keys that only this player hears. `void`: the void lines
    as `3a 12c`, a line's number and its reason's letter in `codes`.
    """
    private: list[list[Value]] = []
    said: dict[str, int] = {}
    keys: list[list[Value]] = []
    voids: list[str] = []
    place = 0
    for event in events:
        if event.audience == "*":
            extra = None if view.player is None else event.private.get(view.player)
            if extra:
                keys.append([place, dict(extra)])
            place += 1
        elif event.audience == view.player and event.kind == VOID:
            voids.append(f"{event.fields['line']}{codes[event.fields['reason']]}")
        elif event.audience == view.player:
            own = event.public()
            first = said.setdefault(_write(own), len(private))
            private.append([place, own if first == len(private) else first])
    return {"events": private, "keys": keys, "view": dict(view.shown), "void": " ".join(voids)}


_write = json.JSONEncoder(sort_keys=True).encode


def hear(
    player: Player,
    told: Mapping[str, Any],
    public: Sequence[Mapping[str, Any]],
    codes: Mapping[str, str],
) -> tuple[dict[str, Value], ...]:
    """Everything that `player` hears of a step, in order, void lines last, as `Event.told_to` gives
    it.

    `told` is the result of `tell`, `public` the entry's events. Raises ValueError, whatever `told`
    holds, if the two do not fit: a report adds to public events and never changes them.
    """
    own = _private(told.get("events"), len(public))
    keys = _keys(told.get("keys"), public)
    heard: list[dict[str, Value]] = []
    at = 0
    for index in range(len(public) + 1):
        while at < len(own) and own[at][0] == index:
            heard.append({"for": player, **own[at][1]})
            at += 1
        if index < len(public):
            heard.append({"for": "*", **public[index], **keys.get(index, {})})
    return (*heard, *_voids(player, told.get("void"), codes))


def _private(value: Any, last: int) -> list[tuple[int, dict[str, Value]]]:
    """The private events with their places."""
    pairs = _pairs("events", _said(value), last)
    for _, event in pairs:
        if not isinstance(event.get("kind"), str) or event["kind"] == VOID or "for" in event:
            raise ValueError("events: expected a kind that is not void, and no audience")
    return pairs


def _said(value: Any) -> Any:
    """The list of private events, each repetition replaced by the event that it repeats."""
    if not isinstance(value, list):
        return value
    said: list[Any] = []
    for pair in value:
        match pair:
            case [_, dict()]:
                said.append(pair)
            case [place, int(index)] if type(index) is int and 0 <= index < len(said):
                said.append([place, said[index][1]])
            case _:
                raise ValueError("events: expected a place and an event, or an earlier one's index")
    return said


def _keys(value: Any, public: Sequence[Mapping[str, Any]]) -> dict[int, dict[str, Value]]:
    """The private keys of public events, by the events' index."""
    pairs = _pairs("keys", value, len(public) - 1)
    keys = dict(pairs)
    if len(keys) != len(pairs):
        raise ValueError("keys: one public event is named twice")
    for index, extra in pairs:
        if not extra or "for" in extra or not extra.keys().isdisjoint(public[index]):
            raise ValueError("keys: expected keys that the public event does not have")
    return keys


def _pairs(key: str, value: Any, last: int) -> list[tuple[int, dict[str, Value]]]:
    """`[[place, table], ...]` with places from 0 to `last`, ascending."""
    if not isinstance(value, list):
        raise ValueError(f"{key}: expected a list of pairs")  # noqa: TRY004 - it is data
    pairs: list[tuple[int, dict[str, Value]]] = []
    least = 0
    for pair in value:
        match pair:
            case [int(place), dict(table)] if type(place) is int:
                pass
            case _:
                raise ValueError(f"{key}: expected pairs of a place and a table")
        if not least <= place <= last:
            raise ValueError(f"{key}: place {place!r:.20}: expected places from {least} to {last}")
        least = place
        pairs.append((place, table))
    return pairs


def _voids(player: Player, value: Any, codes: Mapping[str, str]) -> list[dict[str, Value]]:
    if not isinstance(value, str) or _VOIDS.fullmatch(value) is None:
        raise ValueError("void: expected line numbers with a letter each, '3a 12c'")
    reasons = {letter: reason for reason, letter in codes.items()}
    out: list[dict[str, Value]] = []
    for word in value.split():
        if word[-1] not in reasons:
            raise ValueError(f"void: no reason has the letter {word[-1]!r}")
        out.append(
            {"for": player, "kind": VOID, "line": int(word[:-1]), "reason": reasons[word[-1]]}
        )
    return out
