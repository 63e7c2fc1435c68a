"""Runs rule cases, for any game: one scenario a TOML file (`docs/formats/cases.md`).

What belongs here: reading a case, playing its steps by the game's own functions, and saying what
differs. What it must not know: any game's rules, records, signatures.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import games
from games.dice import Dice
from games.game import Event, Game, OrderError, Setup, Table, Written
from games.options import Value

UNORDERED = frozenset({"mines", "torpedoes", "subs", "board", "discards", "hand", "sunk"})
"""Keys whose lists stand for sets: compared without order."""

_CASE_KEYS = {"case", "title", "rule", "game", "players", "options", "seed", "table"}
_CASE_KEYS |= {"position", "step", "outcome"}
_STEP_KEYS = {"orders", "refused", "refused_line", "events", "hears", "after", "sees", "hidden"}
_STEP_KEYS |= {"awaited"}


class BadCase(ValueError):
    """A file that is no rule case."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case as read: `data` is the parsed file, checked for keys but not against the game."""

    path: Path
    data: Table

    @property
    def id(self) -> str:
        """`SD-8b`: game prefix, rule number, letter. Never reused."""
        return str(self.data["case"])

    @property
    def title(self) -> str:
        """What the case holds, in one line."""
        return str(self.data["title"])

    @property
    def rules(self) -> tuple[int, ...]:
        """The numbers of the rules that it tests."""
        return tuple(self.data["rule"])


@dataclass(frozen=True, slots=True)
class Result:
    """A case that was run, and what differed, a line or a small diff each; empty: it holds."""

    case: Case
    faults: tuple[str, ...]


def find(path: Path) -> tuple[Path, ...]:
    """The case files under a folder, in the order of their paths, or the one file named."""
    return tuple(sorted(path.rglob("*.toml"))) if path.is_dir() else (path,)


def read(path: Path) -> Case:
    """The case in a file; raises BadCase, naming the key at fault."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadCase(f"{path.name}: {error}") from error
    for key in ("case", "title", "game"):
        if not isinstance(data.get(key), str):
            raise BadCase(f"{path.name}: key {key!r} must be a string")
    for key in ("players", "rule", "step"):
        if not isinstance(data.get(key), list) or not data[key]:
            raise BadCase(f"{path.name}: key {key!r} must be a list that is not empty")
    # Strings under other names are remarks for the reader: `choice`, `source`, `deviation`.
    unknown = [key for key in data if key not in _CASE_KEYS and not isinstance(data[key], str)]
    if unknown:
        raise BadCase(f"{path.name}: key {unknown[0]!r} is unknown")
    return Case(path, data)


def run(case: Case) -> Result:
    """Play the case and compare; raises BadCase where it does not fit its game."""
    data = case.data
    try:
        game = games.load(data["game"])
        table = data["table"].encode() if "table" in data else None
        setup = game.setup(data["players"], data.get("options", {}), table)
        state = game.state(setup, data.get("position", {"setup": True}))
        dice = Dice(bytes.fromhex(data.get("seed", "")))
    except (ValueError, LookupError) as error:
        raise BadCase(f"{case.path.name}: {error}") from error
    faults: list[str] = []
    last: tuple[Event, ...] = ()
    for number, step in enumerate(data["step"], 1):
        unknown = [key for key in step if key not in _STEP_KEYS | game.tables.keys()]
        if unknown:
            raise BadCase(f"{case.path.name}: step {number}: key {unknown[0]!r} is unknown")
        played = _play(game, setup, state, step, dice)
        faults += [f"step {number}: {fault}" for fault in played.faults]
        if played.stopped:
            return Result(case, tuple(faults))
        state, last = played.state, played.events or last
    if "outcome" in data:
        ended = game.outcome(state)
        came = {**(last[-1].fields if last else {}), **ended.fields()} if ended else {}
        faults += _compare("outcome", data["outcome"], came)
    return Result(case, tuple(faults))


@dataclass(frozen=True, slots=True)
class _Played:
    """A step after it: `stopped` where an order file fared otherwise than the case says."""

    state: Any
    events: tuple[Event, ...]
    faults: tuple[str, ...]
    stopped: bool = False


def _play(game: Game[Any, Any], setup: Setup, state: Any, step: Table, dice: Dice) -> _Played:
    orders: dict[str, Any] = {}
    faults: list[str] = []
    refused = step.get("refused", {})
    for player in setup.players:
        tables = {name: step[name][player] for name in game.tables if player in step.get(name, {})}
        if player not in step.get("orders", {}) and not tables:
            continue
        written = Written(step.get("orders", {}).get(player, ""), tables)
        try:
            orders[player] = game.read(game.view(state, player), written)
        except OrderError as error:
            faults += _refusal(step, player, error)
        else:
            if player in refused:
                faults.append(f"{player}: expected to be refused as {refused[player]}, was taken")
    if refused or faults:
        return _Played(state, (), tuple(faults), bool(faults))
    after = game.adjudicate(state, orders, dice)
    faults += _events(step, after.events)
    if "after" in step:
        faults += _compare("after", step["after"], game.position(after.state))
    for player in setup.players:
        shown = game.view(after.state, player).shown
        if player in step.get("sees", {}):
            faults += _compare(f"sees.{player}", step["sees"][player], shown)
        told = [event.told_to(player) for event in after.events if event.heard_by(player)]
        text = json.dumps([shown, told])
        faults += [
            f"hidden.{player}: {secret!r} occurs in {text}"
            for secret in step.get("hidden", {}).get(player, ())
            if secret in text
        ]
    if "awaited" in step:
        came = sorted(prompt.player for prompt in game.awaited(after.state))
        faults += _compare("awaited", sorted(step["awaited"]), came)
    return _Played(after.state, after.events, tuple(faults))


def _refusal(step: Table, player: str, error: OrderError) -> Iterator[str]:
    expected = step.get("refused", {}).get(player)
    if expected is None:
        yield f"{player}: orders refused as {error.status}: {error}"
    elif expected != error.status:
        yield f"{player}: expected to be refused as {expected}, was as {error.status}: {error}"
    line = step.get("refused_line", {}).get(player)
    if expected is not None and line is not None and line != error.line:
        yield f"{player}: expected to be refused at line {line}, was at {error.line}: {error}"


def _events(step: Table, events: Sequence[Event]) -> Iterator[str]:
    if "events" in step:
        yield from _list("events", step["events"], [event.whole() for event in events])
    for audience, expected in step.get("hears", {}).items():
        # Where every event listed is for that one audience, only such are meant; otherwise
        # the list is all that this player hears.
        alone = bool(expected) and all(event.get("for") == audience for event in expected)
        came = [
            event.told_to(audience)
            for event in events
            if (event.audience == audience if alone else event.heard_by(audience))
        ]
        yield from _list(f"hears.{audience}", expected, came)


def _list(name: str, expected: Sequence[Table], came: Sequence[Table]) -> Iterator[str]:
    if not any(event.get("kind") == "turn" for event in expected):
        came = [event for event in came if event["kind"] != "turn"]
    if len(came) != len(expected) or not all(map(_event_fits, expected, came)):
        yield _diff(name, expected, came)


def _event_fits(expected: Table, came: Table) -> bool:
    return all(key in came and came[key] == value for key, value in expected.items())


def _compare(name: str, expected: Value, came: Value) -> Iterator[str]:
    """A fault for each place in which `expected` is not met; a table's other keys do not count."""
    if isinstance(expected, Mapping) and isinstance(came, Mapping):
        for key, value in expected.items():
            if key in came:
                yield from _compare(f"{name}.{key}", value, came[key])
            else:
                yield f"{name}.{key}: expected {_text(value)}, is not there"
    elif isinstance(expected, list) and isinstance(came, list | tuple):
        items = list(came)
        if name.rpartition(".")[2] in UNORDERED:
            expected, items = sorted(expected, key=_text), sorted(items, key=_text)
        if expected != items:
            yield _diff(name, expected, items)
    elif expected != came or type(expected) is not type(came):
        yield f"{name}: expected {_text(expected)}, came {_text(came)}"


def _diff(name: str, expected: Sequence[Value], came: Sequence[Value]) -> str:
    lines = [f"{name}: expected (-), came (+):"]
    for at in range(max(len(expected), len(came))):
        left = _text(expected[at]) if at < len(expected) else None
        right = _text(came[at]) if at < len(came) else None
        fits = (
            left is not None
            and right is not None
            and (
                left == right
                or (isinstance(expected[at], Mapping) and _event_fits(expected[at], came[at]))
            )
        )
        if fits:
            lines.append(f"    {right}")
        else:
            lines += [f"  - {left}"] * (left is not None) + [f"  + {right}"] * (right is not None)
    return "\n".join(lines)


def _text(value: Value) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=True)
