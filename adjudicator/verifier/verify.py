"""The verifier: a record in, a line for each claim and a verdict out. What belongs here: which
checks are made, in which order. The checks are in `core`, which host and player use too, and in the
other modules of this package."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adjudicator.core.claim import claim
from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.opening import read_offer
from adjudicator.core.replay import Replay
from adjudicator.core.source import Source
from adjudicator.verifier import listing, rulings, times
from adjudicator.verifier.claims import (
    FALSE,
    INCOMPLETE,
    LOOK,
    TRUE,
    UNUSABLE,
    Claim,
    Findings,
    Found,
    failed,
)
from adjudicator.verifier.second_adjudication import Progress, SecondAdjudication
from adjudicator.words import story
from orders import names
from orders.errors import Missing, Refused
from orders.fields import Digest
from orders.signed import Signed

if TYPE_CHECKING:
    from adjudicator.player.seat import Seat


@dataclass(frozen=True, slots=True)
class Asked:
    """What else to check in a verification: a player's seat, receipts, which game and head to
    expect.

    `game` is the id, `head` the digest of the last entry that the record is expected to have.
    """

    seat: Seat | None = None
    receipts: Sequence[Signed] = ()
    game: Digest | None = None
    head: Digest | None = None
    progress: Progress = field(default=lambda done, of: None)


def verify(source: Source, asked: Asked = Asked()) -> Findings:
    """Verify a record as far as it goes. It never raises, whatever the record holds."""
    try:
        return _verify(source, asked)
    except Refused as error:
        return Findings(UNUSABLE, f"unusable: {error.message}")
    except Exception as error:
        return failed(error)


def _verify(source: Source, asked: Asked) -> Findings:
    paths = source.paths()
    if not any(path.startswith(("invite", "entries/", "joins/")) for path in paths):
        return Findings(UNUSABLE, "unusable: no record is here (no invite.toml)")
    try:
        ledger = Ledger.begin(source)
    except Refused as error:
        return _before_genesis(source, paths, error)
    return _Verification(source, paths, asked, ledger).run()


def _before_genesis(source: Source, paths: Sequence[str], error: Refused) -> Findings:
    """The findings about a record whose beginning does not hold, or whose game has not begun."""
    if error.word == "unknown-rules":
        return Findings(UNUSABLE, f"unusable: {error.message}")
    if isinstance(error, Missing) and not _steps(paths):
        try:
            read_offer(source)
        except Refused as other:
            error = other
        else:
            text = "the invite is signed; the game has not begun"
            told = (Claim("signatures", "true", text),)
            return Findings(INCOMPLETE, f"incomplete: {text}", told)
    told = (Claim(error.claim or "files", "false", error.message),)
    return Findings(FALSE, f"false: {error.message}", told)


def _steps(paths: Iterable[str]) -> list[int]:
    """The numbers of the entries that are in a record."""
    parsed = (names.parse(path) for path in paths if path.startswith("entries/"))
    return [name.step for name in parsed if name is not None and not name.signature]


class _Verification:
    """One run: the chain, then all checks that need the whole chain."""

    def __init__(
        self,
        source: Source,
        paths: Sequence[str],
        asked: Asked,
        ledger: Ledger,
    ) -> None:
        self.source = source
        self.paths = paths
        self.asked = asked
        self.ledger = ledger
        self.found = Found()
        self.links: list[Link] = [ledger.last]
        self.wrong: dict[int, str] = {}
        self.unjudged: set[int] = set()
        self.replay: Replay | None = None
        self.walked = False

    def run(self) -> Findings:
        """Make every check that can be made; each names its claim."""
        self._identify()
        self.walked = self._walk()
        self._files()
        self._times()
        if self.walked and self.ledger.revealed and not self.found.faults:
            again = SecondAdjudication(self.found, self.ledger, self.links)
            self.replay = again.run(self.asked.progress)
            self.wrong, self.unjudged = again.wrong, again.unjudged
        self._nonces()
        self._rulings()
        self._protests()
        self._press()
        if self.asked.seat is not None or self.asked.receipts:
            self._own(self.asked.seat)
        return self._conclude()

    def _identify(self) -> None:
        game = self.ledger.opening.id
        if self.asked.game is not None and game != self.asked.game:
            self.found.fault("files", f"the record is of game {game}, not {self.asked.game}")

    def _walk(self) -> bool:
        """Verify the entries one after the other, and return whether all of them hold."""
        last = max(_steps(self.paths), default=0)
        try:
            while self.ledger.last.step < last:
                self._extend()
                self.asked.progress(self.ledger.last.step, last)
        except Refused as error:
            self.found.refuse(error)
            return False
        signatures = sum(link.signatures for link in self.links)
        slips = sum(len(link.slips) for link in self.links)
        count = len(self.links)
        self.found.hold("chain", f"{count} entries, each bound to the one before")
        self.found.hold("signatures", f"{signatures} valid, each by the key expected")
        self.found.hold(
            "countersignatures", f"{slips} slips, each quoting the entry that it answers"
        )
        self.found.hold("clock", "no deadline cut, nobody missing before their time")
        head = self.asked.head
        if head is not None and self.ledger.last.digest != head:
            self.found.fault(
                "chain", f"the last entry is {self.ledger.last.digest}, expected {head}"
            )
        return True

    def _extend(self) -> None:
        step = self.ledger.last.step + 1
        if self.ledger.revealed:
            with claim("chain"):
                raise Refused("chain", f"{names.entry(step)}: follows the reveal")
        try:
            self.ledger = self.ledger.extend({})
        except Missing as error:
            path = names.entry(step)
            if error.path in (path, names.signature(path)):
                error.claim = "chain"
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

    def _hold(self, claim: str, text: str) -> None:
        """Note a claim about all entries, but only if all of them were read."""
        if self.walked:
            self.found.hold(claim, text)

    def _times(self) -> None:
        found = times.answers(self.links)
        off = list(times.differences(found))
        for text in [*off, *times.late(self.links)]:
            self.found.note("times", text)
        for text in times.mattered(self.links, found):
            self.found.look("times", text)
        inside = len(found) - len(off)
        self._hold("times", f"{inside} of {len(found)} slips' own times fit the host's")

    def _nonces(self) -> None:
        """Players without a share in the dice who ordered later; this shows before the reveal."""
        for link in self.links:
            for text in story.without_nonce(self.ledger, link):
                self.found.look("shuffle", text)

    def _rulings(self) -> None:
        replayed = self.replay is not None
        lines = list(rulings.judge(self.links, self.wrong, self.unjudged, replayed=replayed))
        for line in (*lines, *rulings.favours(self.ledger.opening, self.links)):
            if line.look:
                self.found.look("rulings", line.text)
            else:
                self.found.note("rulings", line.text)
        self._hold("rulings", f"{len(lines)} by the host" if lines else "none")

    def _protests(self) -> None:
        made = [
            (f"{player} at step {link.step}: {slip.protest}", slip)
            for link in self.links
            for player, slip in link.slips.items()
            if slip.protest is not None
        ]
        doubtful = self.unjudged.union(self.wrong)
        for text, slip in made:
            right = self.replay is not None and slip.step - 1 not in doubtful
            if slip.protest == "report" and right:
                self.found.note("protests", f"{text}; the report was made again as it was signed")
            else:
                self.found.look("protests", text)
        self._hold("protests", f"{len(made)} made" if made else "none")

    def _press(self) -> None:
        noted = {text for link in self.links for text in link.entry.press}
        if not noted:
            self._hold("press", "none noted")
            return
        known: set[Digest] = set()
        if self.asked.seat is not None:
            from adjudicator.player import letters

            known = noted & letters.known(self.asked.seat)
        self._hold("press", f"{len(noted)} messages noted; {len(known)} are known here")

    def _own(self, seat: Seat | None) -> None:
        # Most verifications have neither seat nor receipts, and need no module of the player's.
        from adjudicator.verifier.seat import check_receipts, check_seat

        if seat is not None and not self.found.faults:
            check_seat(self.found, self.source, self.ledger, seat)
        check_receipts(self.found, self.ledger, seat, self.asked.receipts, self.replay)

    def _conclude(self) -> Findings:
        ledger = self.ledger
        code, verdict = self._verdict()
        if self.found.faults:
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
        )

    def _verdict(self) -> tuple[int, str]:
        found, last = self.found, self.ledger.last
        if found.faults:
            return FALSE, f"false: {found.faults[0][1]}"
        if found.misused:
            return UNUSABLE, f"unusable: {found.misused}"
        if not self.ledger.revealed:
            return INCOMPLETE, f"incomplete: {story.standing(last.entry)}"
        if found.lacks:
            return INCOMPLETE, f"incomplete: {found.lacks[0]}"
        outcome = story.outcome(last.entry)
        if found.looks:
            return LOOK, f"true, with something to look at ({len(found.looks)}): {outcome}"
        return TRUE, f"true: {outcome}"
