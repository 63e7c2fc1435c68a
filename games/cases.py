"""Runs rule cases for any game: one scenario a TOML file (`docs/formats/cases.md`).

It reads a case, plays its steps by the game's own functions, and reports differences. What it must
not know: any game's rules and words, records.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import games
from games import promises
from games.dice import Dice
from games.game import EVERYONE, BadPosition, Event, Game, OrderError, Step, Table, View, Written
from games.kinds import LINE, NUMBER, TEXT, Kind, Reader, either, lists, some, tables
from games.options import OfferRefused, Value
from games.promises import quote

_LEGAL = lists(TEXT)
_STEP: Mapping[str, Kind[Any]] = {
    "orders": tables(TEXT),
    "legal": tables(either(_LEGAL, tables(_LEGAL))),
    "refused": tables(TEXT),
    "refused_line": tables(NUMBER),
    "events": lists(tables()),
    "hears": tables(lists(tables())),
    "after": tables(),
    "sees": tables(tables()),
    "hidden": tables(lists(TEXT)),
    "awaited": either(lists(TEXT), tables(TEXT)),
}
_BY_PLAYER = ("orders", "legal", "refused", "refused_line", "hears", "sees", "hidden")
_BAD: Mapping[str, Mapping[str, Kind[Any]]] = {
    "bad_position": {"names": TEXT, "put": tables(), "without": lists(TEXT)},
    "bad_table": {"names": TEXT, "replace": TEXT, "put": TEXT},
    "bad_options": {"names": TEXT, "put": tables()},
}
_NEEDED = ("case", "title", "rule", "game", "players")
_CASE: Mapping[str, Kind[Any]] = {
    "case": LINE,
    "title": LINE,
    "rule": some(lists(NUMBER)),
    "game": TEXT,
    "players": lists(TEXT),
    "options": tables(),
    "seed": TEXT,
    "table": TEXT,
    "position": tables(),
    "outcome": tables(),
    **dict.fromkeys(("step", *_BAD), some(lists(tables()))),
}
"""Which kind of value each key of a case holds, of a step, and of what must be refused."""


class BadCase(ValueError):
    """A file that is no rule case, or does not fit its game."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case as read: `data` is the parsed file, checked for keys but not against the game."""

    path: Path
    data: Table

    @property
    def id(self) -> str:
        """Such as `SD-8b`: the game's prefix, a rule's number, a letter. An id is never used
        again."""
        return str(self.data["case"])

    @property
    def title(self) -> str:
        """The title of the case, in one line."""
        return str(self.data["title"])

    @property
    def rules(self) -> tuple[int, ...]:
        """The numbers of the rules that it tests."""
        return tuple(self.data["rule"])


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a case: each difference, in a line or a small diff; empty if the case holds."""

    case: Case
    faults: tuple[str, ...]


def find(path: Path) -> tuple[Path, ...]:
    """The case files under a folder, in the order of their paths; or the file itself, if one is
    named. A folder that is not there has none."""
    return (path,) if path.is_file() else tuple(sorted(path.rglob("*.toml")))


def read(path: Path) -> Case:
    """The case in a file; raises BadCase, naming the key at fault."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadCase(f"{path.name}: {error}") from error
    # Strings under other names are remarks for readers, such as `choice`, `source`, `deviation`.
    meant = {key: data[key] for key in data if key in _CASE or not isinstance(data[key], str)}
    needed = _NEEDED if data.keys() & {"step", *_BAD} else (*_NEEDED, "step")
    _check(path.name, meant, _CASE, needed)
    if data.get("table", "").endswith(".toml"):
        try:
            data["table"] = path.parent.joinpath(data["table"]).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise BadCase(f"{path.name}: key 'table': {error}") from error
    return Case(path, data)


def _check(where: str, table: Table, kinds: Mapping[str, Kind[Any]], needed: Sequence[str]) -> None:
    """Raise BadCase for a key that is not among these or holds another kind of value, and for one
    that is missing although it is needed."""
    reader = Reader(table, kinds, error=lambda key, said: BadCase(f"{where}: key {key!r}{said}"))
    for key, kind in kinds.items():
        if key in table or key in needed:
            reader.take(key, kind)


def run(case: Case) -> Result:
    """Play the case and compare; raises BadCase if it does not fit its game."""
    played = _Run(case)
    try:
        return Result(case, tuple(played.faults()))
    except BadCase:
        raise
    except (ValueError, LookupError) as error:
        # Positions need not be reachable, and from some of these no step can be carried out.
        raise played.bad(f"it cannot be played on from its position: {error!r}") from error


class _Run:
    """One case as it is played: its game, setup and dice, the state and the last events so far."""

    def __init__(self, case: Case) -> None:
        self.case = case
        data = case.data
        try:
            self.game: Game[Any, Any] = games.load(data["game"])
            table = data["table"].encode() if "table" in data else None
            self.setup = self.game.setup(data["players"], data.get("options", {}), table)
            if "position" in data:
                self.state = self.game.state(self.setup, data["position"])
            else:
                self.state = self.game.start(self.setup)
            self.dice = Dice(bytes.fromhex(data.get("seed", "")))
        except (ValueError, LookupError) as error:
            raise self.bad(str(error)) from error
        self.orders: dict[str, Any] = {}
        self.events: tuple[Event, ...] = ()

    def bad(self, why: str) -> BadCase:
        return BadCase(f"{self.case.path.name}: {why}")

    def faults(self) -> Iterator[str]:
        """Every fault of the case, up to the first order file that is wrongly taken or refused."""
        data = self.case.data
        refusals = (self.bad_position, self.bad_table, self.bad_options)
        for name, refusal in zip(_BAD, refusals, strict=True):
            for bad in data.get(name, ()):
                needed = [*_BAD[name]] if name == "bad_table" else ["names"]
                self.check(name, bad, _BAD[name], needed)
                yield from (f"{name}: {fault}" for fault in refusal(bad))
        yield from self.holds()
        for number, step in enumerate(data.get("step", ()), 1):
            self.check_step(number, step)
            refused = list(self.read(step))
            yield from (f"step {number}: {fault}" for fault in refused)
            if refused:
                return
            played = () if step.get("refused") else self.adjudicate(step)
            yield from (f"step {number}: {fault}" for fault in (*played, *self.awaited(step)))
        if "outcome" in data:
            yield from self.outcome(data["outcome"])

    # What the game must refuse before anything is played.

    def bad_position(self, bad: Table) -> Iterator[str]:
        """The game must refuse the case's position with another key put in or one left out."""
        position = {**self.case.data.get("position", {}), **bad.get("put", {})}
        for key in bad.get("without", ()):
            if position.pop(key, None) is None:
                raise self.bad(f"bad_position: key {key!r} is not there to be left out")
        tried = partial(self.game.state, self.setup, position)
        return _refused(tried, quote(position), f"key {bad['names']!r}")

    def bad_table(self, bad: Table) -> Iterator[str]:
        """The game must refuse the house table with one piece of text replaced by another."""
        data = self.case.data
        text = data.get("table", (self.game.default_table or b"").decode())
        if text.count(bad["replace"]) != 1:
            raise self.bad(f"bad_table: {bad['replace']!r} is not exactly once in the table")
        table = text.replace(bad["replace"], bad["put"]).encode()
        tried = partial(self.game.setup, data["players"], data.get("options", {}), table)
        return _refused(tried, f"the table with {bad['put']!r}", bad["names"])

    def bad_options(self, bad: Table) -> Iterator[str]:
        """The game must refuse the case's options with these put in."""
        options = {**self.case.data.get("options", {}), **bad.get("put", {})}
        tried = partial(self.game.setup, self.setup.players, options)
        return _refused(tried, quote(options), f"option {bad['names']}")

    # A step.

    def check_step(self, number: int, step: Table) -> None:
        """Raise BadCase for an unknown key of a step, for a value of another kind, and for a player
        who does not play."""
        self.check(f"step {number}", step, {**_STEP, **dict.fromkeys(self.game.tables, tables())})
        for key in (*_BY_PLAYER, *self.game.tables):
            for player in step.get(key, ()):
                everyone = player == EVERYONE and key in ("hears", "sees")
                if player not in self.setup.players and not everyone:
                    raise self.bad(f"step {number}: key {key!r}: {player!r} does not play")

    def check(
        self, where: str, table: Table, kinds: Mapping[str, Kind[Any]], needed: Sequence[str] = ()
    ) -> None:
        _check(f"{self.case.path.name}: {where}", table, kinds, needed)

    def read(self, step: Table) -> Iterator[str]:
        """Read all orders of the step; yields a fault for each that is wrongly taken or refused."""
        self.orders = {}
        for player in self.setup.players:
            view = self.game.view(self.state, player)
            yield from self.legal(view, step.get("legal", {}).get(player, {}))
            tables = {
                name: step[name][player]
                for name in self.game.tables
                if player in step.get(name, {})
            }
            if player not in step.get("orders", {}) and not tables:
                if player in step.get("refused", {}):
                    raise self.bad(f"key 'refused': {player!r} orders nothing")
                continue
            said = step.get("orders", {}).get(player, "").rstrip("\n")
            lines = [line for name, table in tables.items() for line in self.lines(name, table)]
            try:
                self.orders[player] = self.game.read(view, Written("\n".join([said, *lines])))
            except OrderError as error:
                yield from _refusal(step, player, error)
            else:
                if player in step.get("refused", {}):
                    status = step["refused"][player]
                    yield f"{player}: expected to be refused as {status}, was taken"

    def lines(self, name: str, table: Table) -> Iterator[str]:
        """The order lines that a table stands for (`Game.tables`); a value that no line could hold
        is quoted, so that no game reads it."""
        kinds = self.game.tables[name]
        for key, value in table.items():
            listed = value if kinds.get(key) == () and isinstance(value, list) else [value]
            fits = key in kinds and isinstance(value, list) == (kinds[key] == ())
            plain = fits and all(isinstance(one, str) for one in listed)
            yield f"{name} {key} {', '.join(listed) or 'none' if plain else ascii(value)}"

    def legal(self, view: View, expected: Value) -> Iterator[str]:
        """The lines that may come next: first, or (in a table) after the lines that are its
        keys."""
        for before, lines in ({"": expected} if isinstance(expected, list) else expected).items():
            try:
                found = self.game.after(view, before.splitlines())
            except (ValueError, OrderError) as error:
                yield f"legal.{view.player}: {error}"
                continue
            offered = sorted(choice.text for choice in found.choices)
            yield from compare(f"legal.{view.player}.{before!a}", sorted(lines), offered)
            if found.complete != promises.is_read(self.game, view, before):
                yield f"legal.{view.player}.{before!a}: complete is {found.complete}"

    def adjudicate(self, step: Table) -> Iterator[str]:
        """Adjudicate, and compare the result with the case."""
        game = self.game
        if not game.awaited(self.state):
            raise self.bad("a step is left, and the game is over")
        after = game.adjudicate(self.state, self.orders, self.dice)
        self.state, self.events = after.state, after.events
        yield from _events(step, after.events)
        if "after" in step:
            yield from compare("after", step["after"], game.position(after.state), game.sets)
        for player in (EVERYONE, *self.setup.players):
            shown = game.view(after.state, None if player == EVERYONE else player).shown
            expected = step.get("sees", {}).get(player, {})
            yield from compare(f"sees.{player}", expected, shown, game.sets)
        for player in self.setup.players:
            view = game.view(after.state, player)
            text = json.dumps([view.shown, promises.heard_by(player, after)])
            for secret in step.get("hidden", {}).get(player, ()):
                if secret in text:
                    yield f"hidden.{player}: {secret!r} occurs in {text}"
        yield from self.told(after)
        yield from self.holds()

    def awaited(self, step: Table) -> Iterator[str]:
        """Who is awaited after the step, and for what, if the case says so."""
        prompts = self.game.awaited(self.state)
        expected, came = step.get("awaited"), [prompt.player for prompt in prompts]
        if isinstance(expected, Mapping):
            what = {prompt.player: prompt.what for prompt in prompts}
            yield from compare("awaited", list(expected.items()), list(what.items()), ("awaited",))
        elif expected is not None:
            yield from compare("awaited", expected, came, ("awaited",))

    # What must hold in every case.

    def holds(self) -> Iterator[str]:
        """The promises of every game about each position."""
        for promise in (promises.position, promises.public, promises.outcome):
            faults = promise(self.game, self.state, self.setup)
            yield from (f"{promise.__name__}: {fault}" for fault in faults)

    def told(self, step: Step[Any]) -> Iterator[str]:
        """The promises of every game about the news of a step."""
        for promise in (promises.audience, promises.over):
            faults = promise(self.game, self.setup, step)
            yield from (f"{promise.__name__}: {fault}" for fault in faults)

    # The end.

    def outcome(self, expected: Table) -> Iterator[str]:
        """How the game ended, exactly; and `how`, if the case names it, as the event `over` tells
        it."""
        ended = self.game.outcome(self.state)
        came = {} if ended is None else ended.fields()
        over = next((event.fields for event in self.events if event.kind == "over"), {})
        if "how" in expected and "how" in over:
            came["how"] = over["how"]
        if expected != came:
            yield f"outcome: expected {quote(expected)}, came {quote(came)}"


def _refused(tried: Callable[[], object], what: str, words: str) -> Iterator[str]:
    """The fault if what is tried is taken, or refused without these words."""
    try:
        tried()
    except (BadPosition, OfferRefused) as error:
        if words not in str(error):
            yield f"expected a refusal that names {words}, came: {error}"
    else:
        yield f"{what} was taken; expected a refusal that names {words}"


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
        yield from in_order("events", step["events"], [event.whole() for event in events])
    for audience, expected in step.get("hears", {}).items():
        # If every listed event is for that one audience, the list means only such events; otherwise
        # it is everything that this player hears.
        alone = bool(expected) and all(event.get("for") == audience for event in expected)
        came = [
            event.whole()
            for event in events
            if (event.audience == audience if alone else event.heard_by(audience))
        ]
        yield from in_order(f"hears.{audience}", expected, came)


# What is expected and what came.


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
