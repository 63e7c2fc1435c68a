"""The entries of the chain: genesis, adjudications, rulings and the reveal; strict, one rendering.

What belongs here: the keys of entries and what each may hold (`docs/formats/entries.md`).
What it must not know: whether the chain holds, who is right, the rules of any game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from orders import toml
from orders.fields import Digest, Reader, Time, check_name, close, read_exact
from orders.toml import Inline, Value


@dataclass(frozen=True, slots=True)
class Awaited:
    """What a player is awaited for, since when and until when."""

    what: str
    since: Time
    until: Time


@dataclass(frozen=True, slots=True)
class Used:
    """A slip that an entry uses: its digest, and when the host says that it was received."""

    digest: Digest
    received: Time


@dataclass(frozen=True, slots=True)
class Told:
    """A player's report in an entry: digests of its bytes and of its sealed form."""

    digest: Digest
    sealed: Digest


@dataclass(frozen=True, slots=True)
class Genesis:
    """Entry 0: who plays, in seat order. Its digest is the game's id."""

    time: Time
    invite: Digest
    engine: str
    joins: Mapping[str, Digest]
    awaited: Mapping[str, Awaited]
    step: int = 0

    @property
    def players(self) -> tuple[str, ...]:
        """In seat order."""
        return tuple(self.joins)

    def render(self) -> bytes:
        """The document's bytes."""
        return toml.render(
            {
                "kind": "entry/1",
                "step": 0,
                "time": self.time,
                "invite": self.invite,
                "engine": self.engine,
                "players": list(self.joins),
                "joins": dict(self.joins),
                **_awaited(self.awaited),
            }
        )

    @staticmethod
    def build(reader: Reader) -> Genesis:
        """From the values of a parsed entry 0."""
        reader.number("step", 0, 0)
        time, invite, engine = reader.time("time"), reader.hex("invite"), reader.text("engine", 80)
        players = reader.take("players", lambda value: isinstance(value, list), "a list of names")
        joins = Reader("entry: joins", reader.table("joins", missing=False))
        by_player = {check_name(str(player)): joins.hex(str(player)) for player in players}
        joins.end()
        return Genesis(time, invite, engine, by_player, _read_awaited(reader))


@dataclass(frozen=True, slots=True)
class Ruling:
    """The host's ruling: `annuls` is the first entry that it annuls, or None."""

    reason: str
    annuls: int | None = None
    abandons: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry from 1 on but the reveal: an adjudication, or a ruling (no slips, no events).

    `reserve` is in seconds; `press` are digests of press that the host passed on.
    """

    game: Digest
    step: int
    prev: Digest
    time: Time
    state: Digest
    reserve: Mapping[str, int]
    reports: Mapping[str, Told]
    awaited: Mapping[str, Awaited]
    ruling: Ruling | None = None
    missing: tuple[str, ...] = ()
    events: tuple[Mapping[str, Value], ...] = ()
    press: tuple[Digest, ...] = ()
    slips: Mapping[str, Used] = field(default_factory=dict)

    def render(self) -> bytes:
        """The document's bytes."""
        data: dict[str, Value] = {
            "kind": "entry/1",
            "game": self.game,
            "step": self.step,
            "prev": self.prev,
            "time": self.time,
            "state": self.state,
        }
        if self.ruling is None:
            data["missing"] = list(self.missing)
            data["events"] = [dict(event) for event in self.events]
        else:
            start = {} if self.ruling.annuls is None else {"from": self.ruling.annuls}
            abandons = {"abandon": True} if self.ruling.abandons else {}
            data["ruling"] = Inline({**start, **abandons, "reason": self.ruling.reason})
        if self.press:
            data["press"] = list(self.press)
        data["reserve"] = Inline(self.reserve)
        if self.slips:
            data["slips"] = {
                player: {"digest": used.digest, "received": used.received}
                for player, used in self.slips.items()
            }
        data["reports"] = {
            player: {"digest": told.digest, "sealed": told.sealed}
            for player, told in self.reports.items()
        }
        return toml.render({**data, **_awaited(self.awaited)})

    @staticmethod
    def build(reader: Reader) -> Entry:
        """From the values of a parsed entry."""
        head = (
            reader.hex("game"),
            reader.number("step", 1, 10**7),
            reader.hex("prev"),
            reader.time("time"),
            reader.hex("state"),
        )
        ruling = _read_ruling(reader) if "ruling" in reader.left else None
        missing, events = (), ()
        if ruling is None:
            missing = tuple(reader.take("missing", _are_texts, "a list of names"))
            events = tuple(reader.take("events", _are_tables, "a list of tables"))
        press = tuple(reader.take("press", _are_texts, "digests")) if "press" in reader.left else ()
        reserve = reader.table("reserve", missing=False)
        for player, value in reserve.items():
            if type(value) is not int or value < 0:
                raise reader.fail(f"reserve.{player}", value, "seconds")
        slips = {
            player: close(inner, Used(inner.hex("digest"), inner.time("received")))
            for player, inner in reader.tables("slips").items()
        }
        reports = {
            player: close(inner, Told(inner.hex("digest"), inner.hex("sealed")))
            for player, inner in reader.tables("reports", missing=False).items()
        }
        return Entry(
            *head, reserve, reports, _read_awaited(reader), ruling, missing, events, press, slips
        )


@dataclass(frozen=True, slots=True)
class Reveal:
    """The last entry: the master secret and the outcome; nothing is adjudicated."""

    game: Digest
    step: int
    prev: Digest
    time: Time
    master: str
    outcome: Mapping[str, Value]

    def render(self) -> bytes:
        """The document's bytes."""
        return toml.render(
            {
                "kind": "entry/1",
                "game": self.game,
                "step": self.step,
                "prev": self.prev,
                "time": self.time,
                "reveal": {"master": self.master, "outcome": Inline(self.outcome)},
            }
        )

    @staticmethod
    def build(reader: Reader) -> Reveal:
        """From the values of a parsed reveal."""
        head = (
            reader.hex("game"),
            reader.number("step", 1, 10**7),
            reader.hex("prev"),
            reader.time("time"),
        )
        inner = Reader("entry: reveal", reader.table("reveal"))
        reveal = Reveal(*head, inner.hex("master"), inner.table("outcome", missing=False))
        return close(inner, reveal)


AnyEntry: TypeAlias = Genesis | Entry | Reveal


def _awaited(awaited: Mapping[str, Awaited]) -> dict[str, Value]:
    if not awaited:
        return {}
    return {
        "awaited": {
            player: {"for": prompt.what, "since": prompt.since, "until": prompt.until}
            for player, prompt in awaited.items()
        }
    }


def _read_awaited(reader: Reader) -> dict[str, Awaited]:
    return {
        player: close(
            inner, Awaited(inner.text("for", 200), inner.time("since"), inner.time("until"))
        )
        for player, inner in reader.tables("awaited").items()
    }


def _read_ruling(reader: Reader) -> Ruling:
    inner = Reader("entry: ruling", reader.table("ruling"))
    annuls = inner.number("from", 1, 10**7) if "from" in inner.left else None
    abandons = "abandon" in inner.left
    if abandons:
        inner.take("abandon", lambda value: value is True, "true")
    return close(inner, Ruling(inner.text("reason", 500), annuls, abandons))


def _are_texts(value: Value) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _are_tables(value: Value) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _build_entry(reader: Reader) -> AnyEntry:
    if reader.left.get("step") == 0:
        return Genesis.build(reader)
    return Reveal.build(reader) if "reveal" in reader.left else Entry.build(reader)


def read_entry(data: bytes) -> AnyEntry:
    """The entry in a file, at most 1 MiB; raises Refused `malformed` or `too-big`."""
    return read_exact("entry", data, 2**20, _build_entry)
