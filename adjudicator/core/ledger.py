"""`Ledger`: a game's verified entries. To hold one is proof that they were verified.

There are two ways to get one. `Ledger.read` verifies a record from its beginning, or resumes from a
`Mark`, which somebody wrote to their own private folder after verifying. `extend` verifies one more
entry. What it must not know: folders, secrets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from adjudicator.core import chain, intake, seats
from adjudicator.core.deadlines import Clocks
from adjudicator.core.link import Link
from adjudicator.core.opening import Opening, read_opening
from adjudicator.core.source import Overlay, Source, read_or_none
from orders import canonical, names
from orders.documents import Slip, read_slip
from orders.entries import Reveal, UsedSlip, read_entry
from orders.errors import Missing, Refused
from orders.fields import Digest, digest


class Mark(NamedTuple):
    """The last verified entry of a game: enough to go on from it without the earlier ones.

    `game` and `digest` bind every earlier byte. `first`, `since`, `rulings`: as in `Link`. `seats`:
    by player, the step of the last ruling that handed the seat on, and the digest of the new join.
    `nonces`: by player, the one in their slip of the first adjudication.
    """

    game: Digest
    step: int
    digest: Digest
    first: int | None
    since: int
    rulings: int
    seats: Mapping[str, tuple[int, Digest]]
    nonces: Mapping[str, str]

    def render(self) -> bytes:
        """The mark as a private folder keeps it."""
        tables = {"seats": dict(self.seats), "nonces": dict(self.nonces)}
        return canonical.dumps({**self._asdict(), "first": self.first or 0, **tables})

    @staticmethod
    def read(data: bytes) -> Mark | None:
        """The mark in a file; None if the file holds none, and then everything is verified anew."""
        try:
            values = canonical.loads(data)
            seats = {player: (step, join) for player, (step, join) in values["seats"].items()}
            fields = {key: values[key] for key in Mark._fields}
            fields["nonces"] = dict(fields["nonces"].items())
            return Mark(**{**fields, "first": fields["first"] or None, "seats": seats})
        except (Refused, KeyError, TypeError, ValueError, AttributeError):
            return None


@dataclass(frozen=True)
class Ledger:
    """A verified game up to its last entry; made by `read` and `extend` alone.

    `seats` and `nonces`: as in `Mark`.
    """

    source: Source
    opening: Opening
    last: Link
    seats: Mapping[str, tuple[int, Digest]]
    nonces: Mapping[str, str]
    _links: dict[int, Link] = field(repr=False, compare=False)

    @staticmethod
    def begin(source: Source, known: Digest | None = None) -> Ledger:
        """The game at its genesis; raises Missing or Refused."""
        opening = read_opening(source, known)
        link = chain.first(opening, source)
        return Ledger(source, opening, link, {}, {}, {0: link})

    @staticmethod
    def read(source: Source, mark: Mark | None = None) -> Ledger:
        """The game that a record holds, up to its last entry; raises Missing or Refused.

        `mark`: the entries up to there were verified before. If the mark does not fit the record,
        the record was changed, which is an error.
        """
        return (Ledger.begin(source) if mark is None else _resume(source, mark)).further()

    def further(self) -> Ledger:
        """The game with every entry that the record holds by now; raises Missing or Refused."""
        ledger = self
        while True:
            try:
                ledger = ledger.extend({})
            except Missing as error:
                if error.path != names.entry(ledger.last.step + 1):
                    raise
                return ledger

    def extend(self, files: Mapping[str, bytes]) -> Ledger:
        """The game with its next entry, whose files lie in the record or are given.

        Raises Missing or Refused. The given files are not written: the caller does that.
        """
        source = Overlay(self.source, files) if files else self.source
        link = chain.follow(self.opening, self.last, source, self.link)
        seats = self.seats
        if link.entry.ruling is not None and link.entry.ruling.seat is not None:
            change = link.entry.ruling.seat
            seats = {**seats, change.player: (link.step, change.join)}
        nonces = intake.nonces(link) if link.first == link.step else self.nonces
        links = self._links
        if link.step in links:
            # Another entry was tried here before; values made from it must not see this one.
            links = {step: other for step, other in links.items() if step < link.step}
        links[link.step] = link
        return Ledger(self.source, self.opening, link, seats, nonces, links)

    def link(self, step: int) -> Link:
        """The verified entry of that step; raises Missing or Refused."""
        if not 0 <= step <= self.last.step:
            raise Refused("missing", f"there is no entry {step}", f"the last is {self.last.step}")
        if step not in self._links:
            self._fill()
        return self._links[step]

    def links(self) -> tuple[Link, ...]:
        """Every entry from genesis to the last one."""
        return tuple(self.link(step) for step in range(self.last.step + 1))

    def _fill(self) -> None:
        """Read the entries before a mark. Only their digests are checked, as the mark's entry binds
        them."""
        known = self._links[min(step for step in self._links if step)]
        link = chain.first(self.opening, self.source)
        found = {0: link}
        while link.step < known.step:
            link = chain.follow(
                self.opening, link, self.source, lambda step: found[step], trusted=True
            )
            found[link.step] = link
        if link.digest != known.digest:
            raise Refused("chain", f"the entries before {known.step} are not those verified before")
        self._links.update({**found, **self._links})

    @property
    def mark(self) -> Mark:
        """The mark from which the next command can go on."""
        last = self.last
        return Mark(
            self.opening.id,
            last.step,
            last.digest,
            last.first,
            last.since,
            last.rulings,
            self.seats,
            self.nonces,
        )

    @property
    def revealed(self) -> bool:
        """Whether the last entry is the reveal."""
        return isinstance(self.last.entry, Reveal)


def _resume(source: Source, mark: Mark) -> Ledger:
    """The game as a mark has it; raises Missing or Refused."""
    begun = Ledger.begin(source, mark.game)
    if mark.step == 0:
        return begun
    path = names.entry(mark.step)
    data = read_or_none(source, path)
    if data is None:
        raise Refused(
            "gap",
            f"{path} is not there, though it was verified here before",
            "was the record restored from an older backup? take the entry from anybody who has "
            "it: adjudicator take; its host brings it back: adjudicator restore",
        )
    if digest(data) != mark.digest:
        raise Refused(
            "fork",
            f"{path}: is not the entry that was verified before, {mark.digest}",
            "keep both: adjudicator verify --against shows two histories",
        )
    joins = dict(begun.opening.joins)
    for player, (step, join) in mark.seats.items():
        joins[player] = seats.read_seat(begun.opening, player, join, step, source, trusted=True)
    entry = read_entry(data)
    slips = {player: _slip(source, mark.step, player, used) for player, used in entry.slips.items()}
    clocks = Clocks(entry.awaited, entry.reserve)
    last = Link(
        data, mark.digest, entry, clocks, joins, mark.first, mark.since, mark.rulings, slips
    )
    links = {0: begun.last, mark.step: last}
    return Ledger(source, begun.opening, last, mark.seats, mark.nonces, links)


def _slip(source: Source, step: int, player: str, used: UsedSlip) -> Slip:
    path = names.slip(step, player)
    data = source.read(path)
    if digest(data) != used.digest:
        raise Refused("mismatch", f"{path} does not have the digest that entry {step} names")
    return read_slip(data)
