"""The entries of the chain: genesis, adjudications, rulings and the reveal; strict, one rendering.

What belongs here: the keys of entries and what each may hold (`docs/formats/entries.md`).
What it must not know: whether the chain holds, who plays, who is right, the rules of any game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, NamedTuple, TypeAlias

from orders import canonical, toml
from orders.documents import LAST_STEP
from orders.errors import Refused
from orders.fields import HOST, Digest, Reader, Time, check_name, close, read_exact
from orders.toml import Inline, Value

LONGEST_PROMPT = 200
"""The most characters that say what a player is awaited for."""


class Awaited(NamedTuple):
    """What a player is awaited for, since when and until when."""

    what: str
    since: Time
    until: Time


class Used(NamedTuple):
    """A slip that an entry uses: its digest, and when the host says that it was received."""

    digest: Digest
    received: Time


class Told(NamedTuple):
    """A player's report in an entry: digests of its bytes and of its sealed form."""

    digest: Digest
    sealed: Digest


class _Bare:
    """Empty fields of genesis and reveal, in which nothing is adjudicated, so that every entry has
    them."""

    __slots__ = ()

    reserve: ClassVar[Mapping[str, int]] = MappingProxyType({})
    slips: ClassVar[Mapping[str, Used]] = MappingProxyType({})
    reports: ClassVar[Mapping[str, Told]] = MappingProxyType({})
    missing: ClassVar[tuple[str, ...]] = ()
    events: ClassVar[tuple[Mapping[str, Value], ...]] = ()
    press: ClassVar[tuple[Digest, ...]] = ()
    ruling: ClassVar[None] = None
    view: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Genesis(_Bare):
    """Entry 0: who plays, in seat order. Its digest is the game's id."""

    outcome: ClassVar[None] = None

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
                "kind": "entry/3",
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
        players = reader.names("players")
        joins = Reader("entry: joins", reader.table("joins", missing=False))
        by_player = {player: joins.hex(player) for player in players}
        return close(joins, Genesis(time, invite, engine, by_player, _read_awaited(reader)))


class SeatChange(NamedTuple):
    """A seat that changes hands: the digest of its new join. `agreed`: the old key signed it."""

    player: str
    join: Digest
    agreed: bool


class Ruling(NamedTuple):
    """The host's ruling. It does at most one of three things; otherwise it only moves deadlines.

    `annuls` is the first entry that it annuls, or None. `abandons`: the game ends here. `seat`: a
    seat changes hands.
    """

    reason: str
    annuls: int | None = None
    abandons: bool = False
    seat: SeatChange | None = None

    @property
    def moves_only(self) -> bool:
        """Whether it only moves deadlines."""
        return self.annuls is None and not self.abandons and self.seat is None

    def fields(self) -> Inline:
        """The ruling as the entry's `ruling` holds it."""
        inline = Inline()
        if self.annuls is not None:
            inline["from"] = self.annuls
        if self.abandons:
            inline["abandon"] = True
        if self.seat is not None:
            inline["seat"] = self.seat.player
            inline["join"] = self.seat.join
            inline["agreed"] = self.seat.agreed
        inline["reason"] = self.reason
        return inline


class Entry(NamedTuple):
    """An entry from 1 on, except the reveal: an adjudication, or a ruling.

    `view` is the public view: the canonical JSON of an object. `reserve` is in seconds; `press` are
    digests of press that the host passed on. A ruling has no events, nobody missing and no press;
    it has slips only if it abandons the game.
    """

    game: Digest
    step: int
    prev: Digest
    time: Time
    state: Digest
    reserve: Mapping[str, int]
    reports: Mapping[str, Told]
    awaited: Mapping[str, Awaited]
    view: str = ""
    ruling: Ruling | None = None
    missing: tuple[str, ...] = ()
    events: tuple[Mapping[str, Value], ...] = ()
    press: tuple[Digest, ...] = ()
    slips: Mapping[str, Used] = MappingProxyType({})

    @property
    def outcome(self) -> None:
        """Only a reveal has one."""
        return None

    def render(self) -> bytes:
        """The document's bytes."""
        data: dict[str, Value] = {
            "kind": "entry/3",
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
            data["ruling"] = self.ruling.fields()
        data["view"] = self.view
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
        head = (*_head(reader), reader.time("time"), reader.hex("state"))
        ruling = _read_ruling(reader) if "ruling" in reader.left else None
        missing: tuple[str, ...] = ()
        events: tuple[Mapping[str, Value], ...] = ()
        press: tuple[Digest, ...] = ()
        if ruling is None:
            missing = reader.names("missing")
            events = tuple(reader.take("events", _are_tables, "a list of tables"))
            press = reader.hexes("press") if "press" in reader.left else ()
        view = _read_view(reader)
        reserve = _read_reserve(reader)
        slips = {}
        if ruling is None or ruling.abandons:
            slips = {
                player: close(inner, Used(inner.hex("digest"), inner.time("received")))
                for player, inner in reader.tables("slips").items()
            }
        reports = {
            player: close(inner, Told(inner.hex("digest"), inner.hex("sealed")))
            for player, inner in reader.tables("reports", missing=False).items()
        }
        rest = (missing, events, press, slips)
        return Entry(*head, reserve, reports, _read_awaited(reader), view, ruling, *rest)


@dataclass(frozen=True, slots=True)
class Reveal(_Bare):
    """The last entry: the master secret and the outcome; nothing is adjudicated in it.

    It follows from the entry before it and from the master, so it has no time of its own.
    """

    time: ClassVar[None] = None
    awaited: ClassVar[Mapping[str, Awaited]] = MappingProxyType({})

    game: Digest
    step: int
    prev: Digest
    master: str
    outcome: Mapping[str, Value]

    def render(self) -> bytes:
        """The document's bytes."""
        return toml.render(
            {
                "kind": "entry/3",
                "game": self.game,
                "step": self.step,
                "prev": self.prev,
                "reveal": {"master": self.master, "outcome": Inline(self.outcome)},
            }
        )

    @staticmethod
    def build(reader: Reader) -> Reveal:
        """From the values of a parsed reveal."""
        head = _head(reader)
        inner = Reader("entry: reveal", reader.table("reveal"))
        reveal = Reveal(*head, inner.hex("master"), inner.table("outcome", missing=False))
        _check_outcome(reveal.outcome)
        return close(inner, reveal)


AnyEntry: TypeAlias = Genesis | Entry | Reveal


def _head(reader: Reader) -> tuple[Digest, int, Digest]:
    return reader.hex("game"), reader.number("step", 1, LAST_STEP), reader.hex("prev")


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
            inner,
            Awaited(inner.text("for", LONGEST_PROMPT), inner.time("since"), inner.time("until")),
        )
        for player, inner in reader.tables("awaited").items()
    }


def _read_ruling(reader: Reader) -> Ruling:
    inner = Reader("entry: ruling", reader.table("ruling"))
    annuls = inner.number("from", 1, LAST_STEP) if "from" in inner.left else None
    abandons = inner.flag("abandon")
    seat = None
    if "seat" in inner.left:
        seat = SeatChange(inner.name("seat"), inner.hex("join"), inner.truth("agreed"))
    if (annuls is not None) + abandons + (seat is not None) > 1:
        raise Refused("malformed", "entry: ruling: expected one of from, abandon and seat")
    return close(inner, Ruling(inner.text("reason", 500), annuls, abandons, seat))


def _read_view(reader: Reader) -> str:
    """The public view: the canonical JSON of an object, whose strings hold no line feed."""
    view = reader.text("view", 2**20)
    try:
        shown = canonical.loads(view.encode("ascii"))
    except (Refused, UnicodeEncodeError):
        shown = None
    if not isinstance(shown, dict) or canonical.has_line_feed(view):
        raise reader.fail("view", view, "the canonical JSON of an object, without line feeds")
    return view


def _read_reserve(reader: Reader) -> dict[str, int]:
    reserve = reader.table("reserve", missing=False)
    for player, seconds in reserve.items():
        check_name(player)
        if type(seconds) is not int or seconds < 0:
            raise reader.fail(f"reserve.{player}", seconds, "seconds")
    return reserve


def _check_outcome(outcome: Mapping[str, Value]) -> None:
    """Refuse everything except a winner (a name, or the host), a draw, and an abandoned game."""
    word, value = next(iter(outcome.items()), ("", None))
    if word == "winner" and isinstance(value, str) and value != HOST:
        check_name(value)
    known = value is True if word in ("draw", "abandoned") else isinstance(value, str)
    if len(outcome) != 1 or word not in ("winner", "draw", "abandoned") or not known:
        raise Refused(
            "malformed",
            f"entry: outcome = {dict(outcome)!a:.90}: expected exactly one of winner, draw = "
            "true and abandoned = true",
        )


def _are_tables(value: Value) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _build_entry(reader: Reader) -> AnyEntry:
    if reader.left.get("step") == 0:
        return Genesis.build(reader)
    return Reveal.build(reader) if "reveal" in reader.left else Entry.build(reader)


def read_entry(data: bytes) -> AnyEntry:
    """The entry in a file, at most 1 MiB; raises Refused `malformed` or `too-big`."""
    return read_exact("entry", data, 2**20, _build_entry)
