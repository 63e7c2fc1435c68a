"""The entries of the chain: genesis, adjudications, rulings and the reveal; strict, one rendering.

What belongs here: the keys of entries and what each may hold (`docs/formats/entries.md`).
What it must not know: whether the chain holds, who plays, who is right, the rules of any game.
"""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, ClassVar, NamedTuple, TypeAlias

from orders import canonical, toml
from orders.documents import Step
from orders.errors import Refused
from orders.fields import (
    HEX,
    HOST,
    NAMES,
    NOTHING,
    VERSION,
    Digest,
    Digests,
    Field,
    Flag,
    Name,
    Names,
    Reader,
    Time,
    between,
    by_player,
    check_name,
    close,
    field,
    inline,
    read,
    read_exact,
    rendered,
    text,
    written,
)
from orders.toml import Inline, Value

LONGEST_PROMPT = 200
"""The most characters that say what a player is awaited for."""


class Awaited(NamedTuple):
    """What a player is awaited for, since when and until when."""

    what: Annotated[str, text(LONGEST_PROMPT), "for"]
    since: Time
    until: Time


class UsedSlip(NamedTuple):
    """A slip that an entry uses: its digest, and when the host says that it was received."""

    digest: Digest
    received: Time


class ReportDigests(NamedTuple):
    """A player's report in an entry: digests of its bytes and of its sealed form."""

    digest: Digest
    sealed: Digest


AllAwaited: TypeAlias = Annotated[Mapping[str, Awaited], by_player(Awaited)._replace(empty=NOTHING)]


class _Bare:
    """Empty fields of genesis and reveal, in which nothing is adjudicated, so that every entry has
    them."""

    __slots__ = ()

    reserve: ClassVar[Mapping[str, int]] = NOTHING
    slips: ClassVar[Mapping[str, UsedSlip]] = NOTHING
    reports: ClassVar[Mapping[str, ReportDigests]] = NOTHING
    missing: ClassVar[tuple[str, ...]] = ()
    events: ClassVar[tuple[Mapping[str, Value], ...]] = ()
    press: ClassVar[tuple[Digest, ...]] = ()
    ruling: ClassVar[None] = None
    view: ClassVar[str] = ""


def _read_joins(reader: Reader, key: str) -> dict[str, Digest]:
    """By player, in the order of the list of players."""
    players = NAMES.read(reader, "players")
    joins = reader.inner(key)
    return close(joins, {player: HEX.read(joins, player) for player in players})


_JOINS = Field(
    _read_joins, lambda data, key, joins: data.update({"players": list(joins), key: dict(joins)})
)


class _Genesis(NamedTuple):
    time: Time
    invite: Digest
    engine: Annotated[str, text(80)]
    joins: Annotated[Mapping[str, Digest], _JOINS]
    awaited: AllAwaited


class Genesis(_Bare, _Genesis):
    """Entry 0: who plays, in seat order. Its digest is the game's id."""

    __slots__ = ()

    step: ClassVar[int] = 0
    outcome: ClassVar[None] = None

    @property
    def players(self) -> tuple[str, ...]:
        """In seat order."""
        return tuple(self.joins)

    def render(self) -> bytes:
        """The document's bytes."""
        return toml.render({"kind": f"entry/{VERSION}", "step": 0, **written(self)})


class SeatChange(NamedTuple):
    """A seat that changes hands: the digests of its new join, and of the consent of who leaves it;
    None if they did not sign one."""

    player: Annotated[Name, "seat"]
    join: Digest
    consent: Digest | None = None

    @property
    def agreed(self) -> bool:
        """Whether who leaves signed a consent."""
        return self.consent is not None


_SEAT = Field(
    lambda reader, key: read(SeatChange, reader), lambda data, key, seat: data.update(written(seat))
)


class Ruling(NamedTuple):
    """The host's ruling. It does at most one of three things; otherwise it only moves deadlines.

    `annuls` is the first entry that it annuls, or None. `abandons`: the game ends here. `seat`: a
    seat changes hands, told by its keys beside the others.
    """

    reason: Annotated[str, text(500)]
    annuls: Annotated[Step, "from"] | None = None
    abandons: Annotated[Flag, "abandon"] = False
    seat: Annotated[SeatChange, _SEAT] | None = None

    @property
    def moves_only(self) -> bool:
        """Whether it only moves deadlines."""
        return self.annuls is None and not self.abandons and self.seat is None


def _check_ruling(ruling: Ruling) -> Ruling:
    if (ruling.annuls is not None) + ruling.abandons + (ruling.seat is not None) > 1:
        raise Refused("malformed", "entry: ruling: expected one of from, abandon and seat")
    return ruling


_RULING = (
    inline(Ruling)
    .then(_check_ruling)
    .put(lambda ruling: Inline({**written(ruling, ("reason",)), "reason": ruling.reason}))
)


_EVENTS = (
    field(
        "a list of events, each a table with its kind",
        lambda value: (
            isinstance(value, list)
            and all(isinstance(item, dict) and isinstance(item.get("kind"), str) for item in value)
        ),
    )
    .then(tuple)
    .put(lambda events: [dict(event) for event in events])
)


def _read_view(reader: Reader, key: str) -> str:
    """The public view: the canonical JSON of an object, whose strings hold no line feed."""
    view: str = text(2**20).read(reader, key)
    try:
        shown = canonical.loads(view.encode("ascii"))
    except (Refused, UnicodeEncodeError):
        shown = None
    if not isinstance(shown, dict) or canonical.has_line_feed(view):
        raise reader.fail(key, view, "the canonical JSON of an object, without line feeds")
    return view


def _read_reserve(reader: Reader, key: str) -> dict[str, int]:
    reserve = reader.table(key)
    for player, seconds in reserve.items():
        check_name(player)
        if type(seconds) is not int or seconds < 0:
            raise reader.fail(f"{key}.{player}", seconds, "seconds")
    return reserve


class Entry(NamedTuple):
    """An entry from 1 on, except the reveal: an adjudication, or a ruling.

    `view` is the public view: the canonical JSON of an object. `reserve` is in seconds; `press` are
    digests of press that the host passed on. A ruling has no events, nobody missing and no press;
    it has slips only if it abandons the game.
    """

    game: Digest
    step: Step
    prev: Digest
    time: Time
    state: Digest
    missing: Names = ()
    events: Annotated[tuple[Mapping[str, Value], ...], _EVENTS] = ()
    ruling: Annotated[Ruling, _RULING] | None = None
    view: Annotated[str, Field(_read_view)] = ""
    press: Digests = ()
    reserve: Annotated[Mapping[str, int], Field(_read_reserve).put(Inline)] = NOTHING
    slips: Annotated[Mapping[str, UsedSlip], by_player(UsedSlip)._replace(empty=NOTHING)] = NOTHING
    reports: Annotated[Mapping[str, ReportDigests], by_player(ReportDigests)] = NOTHING
    awaited: AllAwaited = NOTHING

    @property
    def outcome(self) -> None:
        """Only a reveal has one."""
        return None

    def render(self) -> bytes:
        """The document's bytes."""
        return rendered("entry", self, () if self.ruling is None else ("missing", "events"))


def _read_outcome(reader: Reader, key: str) -> dict[str, Value]:
    """A winner (a name, or the host), a draw, or an abandoned game."""
    outcome = reader.table(key)
    word, value = next(iter(outcome.items()), ("", None))
    if isinstance(value, str) and value != HOST:
        check_name(value)
    known = value is True if word in ("draw", "abandoned") else isinstance(value, str)
    if len(outcome) != 1 or word not in ("winner", "draw", "abandoned") or not known:
        raise Refused(
            "malformed",
            f"entry: outcome = {outcome!a:.90}: expected exactly one of winner, draw = "
            "true and abandoned = true",
        )
    return outcome


class _Reveal(NamedTuple):
    game: Digest
    step: Step
    prev: Digest
    master: Digest
    outcome: Annotated[Mapping[str, Value], Field(_read_outcome).put(Inline)]


class Reveal(_Bare, _Reveal):
    """The last entry: the master secret and the outcome; nothing is adjudicated in it.

    It follows from the entry before it and from the master, so it has no time of its own.
    """

    __slots__ = ()

    time: ClassVar[None] = None
    awaited: ClassVar[Mapping[str, Awaited]] = NOTHING

    def render(self) -> bytes:
        """The document's bytes: master and outcome in a table of their own."""
        *head, master, outcome = written(self).items()
        reveal = dict((master, outcome))
        return toml.render({"kind": f"entry/{VERSION}", **dict(head), "reveal": reveal})


AnyEntry: TypeAlias = Genesis | Entry | Reveal


def _build_entry(reader: Reader) -> AnyEntry:
    if reader.left.get("step") == 0:
        between(0, 0).read(reader, "step")
        return read(Genesis, reader)
    if "reveal" in reader.left:
        inner = reader.inner("reveal")
        master, outcome = HEX.read(inner, "master"), _read_outcome(inner, "outcome")
        return close(inner, read(Reveal, reader, master=master, outcome=outcome))
    if "ruling" not in reader.left:
        return read(Entry, reader)
    ruling: Ruling = _RULING.read(reader, "ruling")
    slips = {} if ruling.abandons else {"slips": NOTHING}
    return read(Entry, reader, ruling=ruling, missing=(), events=(), press=(), **slips)


read_entry = partial(read_exact, "entry", _build_entry, 2**20)
"""Gives the entry in a file, at most 1 MiB; raises Refused `malformed` or `too-big`."""
