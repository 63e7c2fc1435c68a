"""The verifier: a record in, a line for each claim and a verdict out. What belongs here: which
checks are made, in which order. The checks are in `core`, which host and player use too, and in the
other modules of this package."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.opening import Offer, read_offer
from adjudicator.core.replay import Replay
from adjudicator.core.source import Source, read_or_none
from adjudicator.verifier import listing, rulings, times
from adjudicator.verifier.claims import (
    FALSE,
    INCOMPLETE,
    LOOK,
    SO_FAR,
    TRUE,
    UNUSABLE,
    Finding,
    Findings,
    Inquiry,
    failed,
)
from adjudicator.verifier.second_adjudication import Progress, SecondAdjudication
from adjudicator.words import story
from adjudicator.words.spans import day
from orders import names
from orders.entries import AnyEntry
from orders.errors import Missing, Refused
from orders.fields import Digest, Time
from orders.sshsig import Signed

if TYPE_CHECKING:
    from adjudicator.player.seat import Seat


class Asked(NamedTuple):
    """What else to check in a verification: a player's seat, receipts, which game and head to
    expect.

    `game` is the id, `head` the digest of the last entry that the record is expected to have.
    """

    seat: Seat | None = None
    receipts: Sequence[Signed] = ()
    game: Digest | None = None
    head: Digest | None = None
    progress: Progress = lambda done, of: None


NOTHING_ELSE = Asked()


def verify(source: Source, asked: Asked = NOTHING_ELSE) -> Findings:
    """Verify a record as far as it goes. It never raises, whatever the record holds.

    What cannot be read here is nothing that anybody signed: it makes the record unusable, whatever
    else was found.
    """
    reading = _Reading(source)
    try:
        found = _verify(reading, asked)
        reading.rest()
    except Refused as error:
        return Findings.unusable(error)
    except Exception as error:
        return failed(error)
    return found if reading.fault is None else Findings.unusable(reading.fault)


@dataclass
class _Reading:
    """The files of a record as they are read. `fault`: why the first of those that cannot be read
    cannot."""

    source: Source
    done: set[str] = field(default_factory=set)
    fault: Refused | None = None

    def paths(self) -> tuple[str, ...]:
        """The names of all files, sorted."""
        return self.source.paths()

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises Missing or Refused."""
        self.done.add(path)
        try:
            return self.source.read(path)
        except Refused as error:
            if error.word == "unreadable" and self.fault is None:
                self.fault = error
            raise

    def rest(self) -> None:
        """Read what no check came to, so that no fault found earlier hides what is unreadable."""
        for path in self.source.paths():
            if path not in self.done and names.is_read(path):
                with suppress(Refused):
                    self.read(path)


def _verify(source: Source, asked: Asked) -> Findings:
    paths = source.paths()
    if names.OFFER in paths:
        # A record needs nothing of it.
        from adjudicator.verifier import duel

        return duel.verify(source)
    if not any(path.startswith(("invite", "entries/", "joins/")) for path in paths):
        return Findings(UNUSABLE, "unusable: no record is here (no invite.toml)")
    try:
        ledger = Ledger.begin(source)
    except Refused as error:
        return _before_genesis(source, paths, error)
    return _Verification(source, paths, asked, ledger, [ledger.last]).run()


def _before_genesis(source: Source, paths: Sequence[str], error: Refused) -> Findings:
    """The findings about a record whose beginning does not hold, or whose game has not begun."""
    if error.word in ("unknown-rules", "old-release"):
        return Findings.unusable(error)
    title = ""
    try:
        offer = read_offer(source)
    except Refused as other:
        if isinstance(error, Missing) and not _steps(paths):
            error = other
    else:
        title = _title(offer, (), offer.invite.date)
        if isinstance(error, Missing) and not _steps(paths):
            text = "the invite is signed; the game has not begun"
            told = (Finding("entries", "true", text, brief="the invite"),)
            return Findings(
                INCOMPLETE, f"incomplete: {text}", told, title=title, reason=f"{text}. {SO_FAR}"
            )
    path = error.message.partition(":")[0].removesuffix(".sig")
    marked = f"{error.message}{_carriage(source, path)}"
    told = (Finding(error.claim or "entries", "false", error.message),)
    return Findings(
        FALSE, f"false: {error.message}", told, title=title, marked=(marked,), reason=_BEGINNING
    )


_BEGINNING = "the beginning does not hold, so nothing was judged"


def _steps(paths: Iterable[str]) -> list[int]:
    """The numbers of the entries that are in a record."""
    parsed = (names.parse(path) for path in paths if path.startswith("entries/"))
    return [name.step for name in parsed if name is not None and not name.signature]


@dataclass
class _Verification:
    """One run: the chain, then all checks that need the whole chain. `links`: the entries so far;
    `wrong`, `unjudged`, `replay`: what the second adjudication gave; `host`: what of the host's
    claim was counted, in words."""

    source: Source
    paths: Sequence[str]
    asked: Asked
    ledger: Ledger
    links: list[Link]
    found: Inquiry = field(default_factory=Inquiry)
    wrong: Mapping[int, str] = field(default_factory=dict)
    unjudged: set[int] = field(default_factory=set)
    replay: Replay | None = None
    walked: bool = False
    host: list[str] = field(default_factory=list)

    def run(self) -> Findings:
        """Make every check that can be made; each names its claim."""
        game = self.ledger.opening.id
        if self.asked.game not in (None, game):
            text = f"the record is of game {game}, not {self.asked.game}"
            self.found.fault("entries", text, "this is not the game that was asked for")
        self.walked = self._walk()
        self._files()
        self._times()
        if self.walked and self.ledger.revealed and not self.found.faults:
            again = SecondAdjudication(self.found, self.ledger, self.links)
            self.replay = again.run(self.asked.progress)
            self.wrong, self.unjudged = again.wrong, again.unjudged
        for link in self.links:
            # Players without a share in the dice who ordered later; this shows before the reveal.
            for text in story.without_nonce(self.ledger, link):
                self.found.look("dice", text)
        self._rulings()
        self._protests()
        self._press()
        if self.asked.seat is not None or self.asked.receipts:
            self._own(self.asked.seat)
        return self._conclude()

    def _walk(self) -> bool:
        """Verify the entries one after the other, and return whether all of them hold."""
        last = max(_steps(self.paths), default=0)
        try:
            while self.ledger.last.step < last:
                self._extend()
                self.asked.progress(self.ledger.last.step, last)
        except Refused as error:
            self._refuse(error)
            return False
        signatures = sum(link.signatures for link in self.links)
        slips = sum(len(link.slips) for link in self.links)
        count = len(self.links)
        text = f"{count}, each signed by the host and following the one before"
        self.found.hold("entries", text, f"{count} entries")
        for text in story.of_match(self.ledger.opening.offer.match):
            self.found.note("entries", text)
        self.found.note("entries", f"{signatures} signatures, each by the key expected")
        self.found.note("entries", f"{slips} slips, each quoting the entry that it answers")
        head = self.asked.head
        if head is not None and self.ledger.last.digest != head:
            text = f"the last entry is {self.ledger.last.digest}, expected {head}"
            self.found.fault("entries", text, "the last entry is not the one that was asked for")
        return True

    def _refuse(self, error: Refused) -> None:
        """Note why the next entry does not hold."""
        step = self.ledger.last.step + 1
        path = names.entry(step)
        if isinstance(error, Missing) and error.path == path:
            told = f"entry {step} is not here, and a later one is"
            self.found.refuse(error, f"entry {step} is missing", told)
        elif error.message.startswith(names.signature(path)):
            told = f"entry {step} is not what the host signed{_carriage(self.source, path)}"
            self.found.refuse(error, f"entry {step} was changed", told)
        else:
            self.found.refuse(error, f"entry {step} does not hold")

    def _extend(self) -> None:
        step = self.ledger.last.step + 1
        if self.ledger.revealed:
            raise Refused("chain", f"{names.entry(step)}: follows the reveal")
        try:
            self.ledger = self.ledger.extend({})
        except Missing as error:
            path = names.entry(step)
            if error.path in (path, names.signature(path)):
                error.message = f"chain broken at {step}: {error.message}"
            raise
        self.links.append(self.ledger.last)

    def _files(self) -> None:
        named = listing.of(self.ledger.opening, self.links)
        listing.check(
            self.found,
            self.source,
            self.paths,
            named,
            walked=self.ledger.last.step if self.walked else None,
            revealed=self.ledger.revealed,
        )
        listing.check_digests(self.found, self.links)

    def _times(self) -> None:
        setup, found = self.ledger.opening.setup, times.answers(self.links)
        off = list(times.differences(found))
        for text in [*off, *times.late(setup, self.links)]:
            self.found.note("time", text)
        for text in times.mattered(setup, self.links, found):
            self.found.look("time", text)
        if self.walked:
            self.found.hold("time", times.summary(setup, self.links, len(off)))

    def _rulings(self) -> None:
        replayed = self.replay is not None
        setup = self.ledger.opening.setup
        judged = rulings.judge(setup, self.links, self.wrong, self.unjudged, replayed=replayed)
        lines = list(judged)
        for line in (*lines, *rulings.favours(self.ledger.opening, self.links)):
            if line.look:
                self.found.look("host", line.text)
            else:
                self.found.note("host", line.text)
        self.host.append(_counted(len(lines), "ruling"))

    def _protests(self) -> None:
        made = [
            (f"{player} at step {link.step}: {slip.protest}", slip, slip.protest)
            for link in self.links
            for player, slip in link.slips.items()
            if slip.protest is not None
        ]
        doubtful = self.unjudged.union(self.wrong)
        for text, slip, protest in made:
            right = self.replay is not None and slip.step - 1 not in doubtful
            if protest == "report" and right:
                self.found.note("host", f"{text}; the report was made again as it was signed")
            else:
                told = f"{slip.player} protests against entry {slip.step - 1}: {_PROTESTS[protest]}"
                self.found.look("host", text, told)
        self.host.append(_counted(len(made), "protest"))

    def _press(self) -> None:
        noted = {text for link in self.links for text in link.entry.press}
        if self.walked:
            self.found.hold("host", "; ".join([*self.host, _counted(len(noted), "message")]))
        if noted:
            known: set[Digest] = set()
            if self.asked.seat is not None:
                from adjudicator.player import letters

                known = noted & letters.known(self.asked.seat)
            self.found.note("host", f"{len(noted)} messages noted; {len(known)} are known here")

    def _own(self, seat: Seat | None) -> None:
        # Most verifications have neither seat nor receipts, and need no module of the player's.
        from adjudicator.verifier.seat import check_receipts, check_seat

        told = []
        if seat is not None and not self.found.faults:
            told.append(check_seat(self.found, self.source, self.ledger, seat))
        told.append(check_receipts(self.found, self.ledger, seat, self.asked.receipts, self.replay))
        if any(told) and not self.found.faults:
            self.found.hold("receipts", "; ".join(filter(None, told)), "what your seat holds")

    def _conclude(self) -> Findings:
        ledger = self.ledger
        code, verdict, reason = self._verdict()
        false, looks = self.found.faults, self.found.looks
        if false:
            unknown = "not checked"
        elif self.found.lacks:
            unknown = f"not whole: {self.found.lacks[0]}"
        else:
            unknown = "after the reveal"
        return Findings(
            code,
            verdict,
            self.found.claims(unknown),
            game=ledger.opening.id,
            head=ledger.last.digest,
            step=ledger.last.step,
            engine=ledger.opening.genesis.engine,
            title=_title(ledger.opening.offer, ledger.opening.players, ledger.opening.genesis.time),
            marked=(*(one.told for one in false), *self.found.lacks, *(one.told for one in looks)),
            reason=reason,
            cut=not self.walked,
        )

    def _verdict(self) -> tuple[int, str, str]:
        """The exit code, and the verdict's words for programs and for people."""
        found, last = self.found, self.ledger.last
        if found.faults:
            return FALSE, f"false: {found.faults[0].text}", found.faults[0].reason
        if found.misused:
            return UNUSABLE, f"unusable: {found.misused}", found.way_out or found.misused
        if not self.ledger.revealed:
            standing = story.standing(last.entry)
            return INCOMPLETE, f"incomplete: {standing}", f"{_waits(last.entry)}. {SO_FAR}"
        if found.lacks:
            lack = found.lacks[0]
            return INCOMPLETE, f"incomplete: {lack}", f"{lack}. {SO_FAR}"
        outcome = story.outcome(last.entry)
        if found.looks:
            looks = f"true, with something to look at ({len(found.looks)}): {outcome}"
            return LOOK, looks, outcome
        return TRUE, f"true: {outcome}", outcome


_PROTESTS = {
    "report": "the report is wrong",
    "undelivered": "no report came",
    "order": "not the orders that were sent",
    "time": "its times are wrong",
    "ruling": "the ruling",
}


def _title(offer: Offer, players: Sequence[str], time: Time) -> str:
    """Which game, who plays, whose host, since when."""
    game = f"{offer.game.title}, {story.against(players)}" if players else offer.game.title
    return f"{game}. Host {offer.host.fingerprint[:15]}.., {day(time)}."


def _waits(entry: AnyEntry) -> str:
    """Why a game cannot be judged to its end yet."""
    if not entry.awaited:
        return "the game is over, the host has not opened it"
    players = tuple(entry.awaited)
    who = " and ".join(players) if len(players) < 3 else f"{len(players)} players"
    until = min(prompt.until for prompt in entry.awaited.values())
    return f"entry {entry.step} awaits {who} until {until}"


def _counted(number: int, what: str) -> str:
    """`no ruling`, `1 ruling`, `2 rulings`."""
    return f"{number or 'no'} {what}{'s' * (number > 1)}"


def _carriage(source: Source, path: str) -> str:
    """What may have changed a file whose lines end in CR."""
    data = read_or_none(source, path) or b""
    return " (its lines end in CR: a mail program or git autocrlf did that)" * (b"\r" in data)
