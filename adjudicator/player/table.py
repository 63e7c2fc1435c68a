"""A player's table: their copy of a game and their seat at it.

Whatever carries the bundles (files, mail, git, the page), the same four things are done with them:
what came is taken in, what must still leave is sent, under the game's name, and the player is told
what they must see to. This module does them; a carrier only fetches and sends.

An entry that comes before the one that it follows cannot be taken in. A carrier that hands each
bundle over once lets the table keep it (`keeps`); then it is taken in when its turn has come. As
long as such an entry waits, the board is known to be old.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from adjudicator.core import bundles, deadlines, opening
from adjudicator.core.intake import Order
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import Offer
from adjudicator.core.source import read_or_none
from adjudicator.player import letters, witness
from adjudicator.player.copy import Copy, others, rank
from adjudicator.player.letters import KeptLetter
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
from adjudicator.store import files
from adjudicator.store.clock import Clock
from adjudicator.store.record import PrivateFolder, Record
from adjudicator.words.spans import ReadAt
from games.game import Player
from orders import names, sshsig
from orders.bundle import Bundle, decode, encode
from orders.documents import read_receipt
from orders.errors import TEMPORARY, Missing, Refused, pasteable
from orders.fields import Time
from orders.sshsig import Signed

KINDS = ("invite", "entry", "receipt", "letter")
"""The kinds of bundles that come from a host."""

MOST_EARLY = 50
"""How many bundles are kept that came before the entries that they follow."""


@dataclass
class TakenBundles:
    """What was taken in and handed in, a line each; what is wrong; and the steps that came.

    `letters`: the messages that came. `theirs`: whose report came in an entry's bundle, if it was
    another player's, by the bundle's name. `foreign`: names of bundles of another game. `left`:
    names of bundles that may be of use later, and were not kept. `evidence`: of each bundle to keep
    as it is, because it is forged or proves two histories, what it is.
    """

    lines: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    letters: list[KeptLetter] = field(default_factory=list)
    theirs: dict[str, Player] = field(default_factory=dict)
    foreign: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    evidence: list[str] = field(default_factory=list)


def memory(copy: Record) -> PrivateFolder:
    """`RECORD.mail/`, the folder of notes about a game's mails."""
    return PrivateFolder(copy.root.with_name(f"{copy.root.name}.mail"))


def by_mail(copy: Record) -> bool:
    """Whether a game goes by mail: there are notes about its mails. Entries that came too early,
    by whatever way, are none."""
    return any(not path.startswith("early/") for path in memory(copy).paths())


class Table:
    """A copy of a game and a seat at it; without a seat, anybody's copy."""

    def __init__(
        self,
        record: Record,
        seat: Seat | None,
        clock: Clock,
        ledger: Ledger | None = None,
        *,
        keeps: bool = False,
    ) -> None:
        """`ledger`: the game in these files, if the caller has verified it already."""
        self.record = record
        self.seat = seat
        self.clock = clock
        self.copy = Copy(record, seat, clock, ledger)
        self.keeps = keeps
        self._early = PrivateFolder(memory(record).root / "early")
        self._ahead: set[int] = set()

    @property
    def player(self) -> Player:
        """Whose seat it is; "" without one."""
        return "" if self.seat is None else self.seat.player

    @property
    def begun(self) -> bool:
        """Whether the genesis is here."""
        return self.record.last_step() is not None

    @property
    def ledger(self) -> Ledger:
        """The game up to its last entry here; raises Missing or Refused."""
        return self.copy.ledger

    @cached_property
    def game(self) -> str:
        """The game's name."""
        return self._offer.name

    @property
    def _offer(self) -> Offer:
        """The game's invite; raises Refused."""
        return self.ledger.opening.offer if self.begun else opening.read_offer(self.record)

    def seated(self) -> Seated:
        """The seat in the game as it is here now; raises Refused."""
        if self.seat is None:
            raise Refused("no-seat", "nobody has joined here", "join, or open your seat")
        return Seated(self.record, self.seat, self.ledger)

    # In.

    def take(
        self, given: Iterable[tuple[str, Bundle]], taken: TakenBundles | None = None
    ) -> TakenBundles:
        """Take in bundles, each with the name by which its player knows it, in any order.

        A bundle's fault is told by that name and harms no other. Raises Refused only if nothing can
        be written now. `taken`: what was taken in before, which grows.
        """
        taken = TakenBundles() if taken is None else taken
        unseated: list[str] = []
        first = len(taken.steps)
        # One's own report comes before another's of the same entry.
        for where, bundle in sorted(given, key=lambda one: (rank(one[1]), self._whose(one[1]))):
            with harmless(where, taken):
                try:
                    self._take_one(where, bundle, taken)
                except Refused as error:
                    if error.word != "no-seat" or bundle.kind != "entry":
                        raise
                    # It is kept all the same, and a later entry may hand this seat on to us.
                    unseated.append(f"{where}: {error}")
        if not self._sits():
            taken.warnings += unseated
        taken.warnings += self.copy.late(taken.steps[first:])
        return taken

    def _whose(self, bundle: Bundle) -> Player:
        """Whose report an entry's bundle brings, if not this player's; else ""."""
        return others(dict(bundle.files), self.player) if bundle.kind == "entry" else ""

    def take_one(self, where: str, bundle: Bundle, taken: TakenBundles) -> None:
        """The same with one bundle, and with those that waited for it; raises Refused."""
        first = len(taken.steps)
        self._take_one(where, bundle, taken)
        taken.warnings += self.copy.late(taken.steps[first:])

    def _take_one(self, where: str, bundle: Bundle, taken: TakenBundles) -> None:
        if bundles.about(bundle) not in bundles.ids_of(self.record):
            # Before genesis nobody knows which game an entry is of.
            (taken.foreign if self.begun else taken.left).append(where)
            return
        if bundle.kind == "letter":
            if self.seat is None:
                raise Refused("no-seat", "a message needs a seat in the game", "name --seat")
            taken.letters.append(letters.take(self.ledger, self.seat, bundle))
            return
        try:
            if whose := self._whose(bundle):
                taken.theirs[where] = whose
            self._receive([bundle], taken)
        except Refused as error:
            if error.word == "no-seat" and bundle.kind == "entry":
                # It is kept all the same, and one that waited for it may hand this seat on to us.
                self._take_early(taken)
                if self._sits():
                    return
            if error.word != "gap":
                raise
            self._ahead.add(rank(bundle)[1])
            if not self.keeps or len(self._early.paths()) >= MOST_EARLY:
                taken.left.append(where)
                return
            self._early.write(f"{bundle.digest}.txt", encode(bundle))
            taken.lines.append(f"entry {rank(bundle)[1]} is kept: {error.message}")
        else:
            self._take_early(taken)

    def _sits(self) -> bool:
        """Whether the seat here is one of the game's now."""
        return self.seat is not None and self.begun and self.seat.sits(self.ledger.last.joins)

    def take_row(self, given: Sequence[Bundle]) -> TakenBundles:
        """Take in bundles of this record that follow each other, all or none; raises Refused."""
        taken = TakenBundles()
        self._receive(given, taken)
        taken.warnings += self.copy.late(taken.steps)
        return taken

    def notice(self, bundle: Bundle) -> None:
        """Note an entry that lies here and cannot be taken in yet; raises Refused if it is none of
        this host's."""
        step, last = rank(bundle)[1], self.record.last_step()
        if step > (0 if last is None else last + 1):
            path, held = names.entry(step), dict(bundle.files)
            file = Signed(held[path], held.get(names.signature(path), b""))
            file.verify(self._offer.host, sshsig.ENTRY)
            self._ahead.add(step)

    def has(self, bundle: Bundle) -> bool:
        """Whether all of a bundle that is of use here was taken in before; with a seat, the reports
        of others are of none."""
        if bundle.kind == "receipt":
            return bundle.files[0][1] in self._receipts
        if bundle.kind == "letter":
            kept = () if self.seat is None else self.seat.letters()
            return self.seat is None or any({*bundle.files} <= {*one.files} for _, one in kept)
        theirs = "" if self.seat is None else self._whose(bundle)
        return all(
            read_or_none(self.record, path) == data
            for path, data in bundle.files
            if not (theirs and path.startswith("reports/"))
        )

    @cached_property
    def _receipts(self) -> set[bytes]:
        return set() if self.seat is None else {file.data for file in self.seat.receipts()}

    def _receive(self, given: Sequence[Bundle], taken: TakenBundles) -> None:
        for one in self.copy.receive(given):
            told = one.told or f"{one.what} taken in"
            taken.lines.append(told if one.new else f"{one.what}: here already")
            taken.warnings.extend(one.warnings)
            if one.new and one.step is not None and one.step not in taken.steps:
                taken.steps.append(one.step)
        self._receipts.update(one.files[0][1] for one in given if one.kind == "receipt")

    def _take_early(self, taken: TakenBundles) -> None:
        """Take in the bundles whose turn has come now."""
        waiting = self._waiting()
        while waiting:
            for path, bundle in list(waiting.items()):
                try:
                    self._receive([bundle], taken)
                except Refused as error:
                    if error.word == "gap":
                        continue
                    if error.word != "no-seat":
                        taken.warnings.append(f"what came earlier: {error.message}")
                files.remove(self._early.root / path)
                del waiting[path]
                break
            else:
                return

    def _waiting(self) -> dict[str, Bundle]:
        """The bundles that came too early, by the names of their files, in their order."""
        early = self._early
        if not early.root.is_dir():
            return {}
        held = [(path, decode(early.read(path))) for path in early.paths()]
        return dict(sorted(held, key=lambda one: rank(one[1])))

    # Out.

    def due(self) -> Order | None:
        """The orders of this seat that still have to leave; None if there are none.

        They are the last that it wrote for the step that is open, unless the host has answered
        them: any receipt settles an order but `absent`, which asks for the whole bundle again.
        """
        if self.seat is None or not self.begun:
            return None
        last = self.ledger.last
        if last.over or not self.seat.sits(last.joins):
            return None
        written = self.seat.orders(last.since + 1)
        answers = [read_receipt(one.data) for one in self.seat.receipts(last.since + 1)]
        settled = {one.slip for one in answers if one.status != "absent"}
        return written[-1] if written and written[-1].file.digest not in settled else None

    def name(self, bundle: Bundle) -> str:
        """What the file is called in which a bundle leaves, without ending."""
        return bundles.name(self.game, bundle)

    # What the player must be told.

    def gap(self) -> tuple[list[int], list[int]]:
        """The entries that came and wait, and those that they wait for; none if none wait."""
        last = self.record.last_step()
        early = {rank(bundle)[1] for bundle in self._waiting().values()}
        here = sorted(step for step in self._ahead | early if last is None or step > last)
        after = 0 if last is None else last + 1
        return here, sorted(set(range(after, here[-1] if here else after)) - set(here))

    def old(self) -> str:
        """That the board is old, with what is missing and whom to ask; "" if it is not."""
        last = self.record.last_step()
        here, lacking = self.gap()
        if not here:
            return ""
        player = f"-{self.player}" if self.player else ""
        clock = "" if self.seat is None else "Your clock may be running. "
        asked = ", ".join(f"{self.game}-{step:04d}{player * (step > 0)}.txt" for step in lacking)
        return (
            f"OLD BOARD ({'not begun' if last is None else f'entry {last}'}): "
            f"{_entries(here, 'is here', 'are here')}, {_entries(lacking, 'is not', 'are not')}. "
            f"{clock}Ask the host for {asked}: "
            f"{', '.join(f'resend {step}' for step in lacking)}"
        )

    @property
    def _reported(self) -> int:
        """The step of the last report: a reveal brings none."""
        last = self.ledger.last
        return last.step - (last.entry.time is None)

    def lacking(self) -> str:
        """The protest that this seat's last report calls for; "" if it is here and right."""
        if not self._sits():
            return ""
        try:
            self.seated().report()
        except Missing:
            return "undelivered"
        except Refused:
            return "report"
        return ""

    def news(self, reader: ReadAt | None = None) -> Iterator[str]:
        """What the player must see to, a line each, the most urgent first."""
        if old := self.old():
            yield old
        if not self.begun or self.seat is None:
            return
        if fault := self.lacking():
            step = self._reported
            what = (
                f"NO REPORT of entry {step}"
                if fault == "undelivered"
                else f"WRONG REPORT of entry {step}, which is not the one that was signed"
            )
            protest = "" if self.ledger.last.over else f", or: play --protest {fault}"
            yield f"{what}: this is what everybody knows. Ask the host: resend {step}{protest}"
        if given := witness.given_away(self.ledger, self.seat):
            yield given
        reader = reader or ReadAt(self.clock.now(), here=True)
        yield from witness.unanswered(self.ledger, self.seat, reader)
        yield from letters.amiss(self.ledger, self.seat)

    def not_news(self, warnings: Sequence[str]) -> list[str]:
        """The warnings of what came, without what `news` says of the last entry's report."""
        if not self.begun or not self.lacking():
            return list(warnings)
        told = witness.no_report(self._reported)
        return [line for line in warnings if not line.endswith(told)]

    def not_mine(self, taken: TakenBundles) -> list[str]:
        """Whose reports came, a line each, as long as this seat's own is not here."""
        came = taken.theirs.items() if self.begun and self.lacking() else ()
        return [f"NOT YOUR REPORT: {where} was {whose}'s" for where, whose in came]

    def silence(self, now: Time) -> str:
        """That the time of all who are awaited is over and yet nothing came, if this seat is not
        one of them; "" if not."""
        awaited = self.ledger.last.entry.awaited if self.begun else {}
        if self.seat is None or not awaited or self.seat.player in awaited:
            return ""
        last = max(prompt.until for prompt in awaited.values())
        if last >= now:
            return ""
        return (
            f"NO NEWS since entry {self.ledger.last.step}, and the time of {', '.join(awaited)} "
            f"ended {deadlines.span(deadlines.between(last, now))} ago. Ask the host: status"
        )

    @property
    def robbed(self) -> bool:
        """Whether this seat was given to somebody else without its player's consent."""
        return (
            self.begun
            and self.seat is not None
            and bool(witness.given_away(self.ledger, self.seat))
        )

    def check_new(self) -> None:
        """Raise Refused if the board is known to be old: orders on it would be stale."""
        if old := self.old():
            raise Refused("gap", old, "to sign orders all the same: --anyway")


def _entries(steps: list[int], one: str, many: str) -> str:
    listed = ", ".join(map(str, steps))
    return f"entry {listed} {one}" if len(steps) == 1 else f"entries {listed} {many}"


@contextmanager
def harmless(where: str, taken: TakenBundles) -> Iterator[None]:
    """Do something with one bundle or file. Its fault is told by its name and harms no other, but a
    full disk ends everything."""
    try:
        yield
    except Refused as error:
        if error.word in TEMPORARY:
            raise
        taken.warnings.append(f"{ascii(where)[1:-1]}: {error}")
        if told := evidence(where, error):
            taken.evidence.append(told)


def evidence(where: str, error: Refused) -> str:
    """What a bundle is that was refused and has to be kept; "" for any other."""
    name = ascii(where)[1:-1]
    if error.word == "fork":
        return (
            f"TWO HISTORIES: {name} holds another entry than the one here. Keep both: "
            f"adjudicator verify --against {pasteable(where)}"
        )
    if error.word == "bad-signature":
        return f"REFUSED: {name} is not signed by this game's host. Keep the file"
    return ""
