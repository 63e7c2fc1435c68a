"""The verifier: a record in, a line for each claim and a verdict out. Pure, but for reading.

What belongs here: which checks are made, in which order. They stand in `core`, which host and
player use too, and in the other modules of this room. What it must not know: folders, printing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from adjudicator.core import chain, engine, orders, receipts
from adjudicator.core.chain import Link
from adjudicator.core.claim import claim
from adjudicator.core.intake import ViewOf
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import read_offer
from adjudicator.core.receipts import Given, Revealed
from adjudicator.core.replay import Replay, difference, opened
from adjudicator.core.secret import Unlocked, unlock
from adjudicator.core.source import Source
from adjudicator.player import letters, witness
from adjudicator.player.seat import Seat
from adjudicator.player.seated import Seated
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
)
from adjudicator.words import story
from games.game import View
from orders import names
from orders.documents import Slip
from orders.entries import Reveal
from orders.errors import Missing, Refused
from orders.fields import Digest, digest
from orders.secrets import Master
from orders.signed import Signed

Progress = Callable[[int, int], None]
"""Told how many entries of how many are done."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a verification is asked besides: a player's seat, receipts, what the record must be.

    `game` is the id, `head` the digest of the last entry that the record is expected to have.
    """

    seat: Seat | None = None
    receipts: Sequence[Signed] = ()
    game: Digest | None = None
    head: Digest | None = None
    progress: Progress = field(default=lambda done, of: None)


def verify(source: Source, asked: Asked = Asked()) -> Findings:  # noqa: B008 - it is frozen
    """Verify a record as far as it goes. Never raises, whatever the record holds."""
    try:
        return _verify(source, asked)
    except Refused as error:
        return Findings(UNUSABLE, f"unusable: {error.message}")
    except Exception as error:  # a fault of this program's own, which must not end a batch
        return Findings(UNUSABLE, f"unusable: this program failed: {type(error).__name__}: {error!a:.200}")


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
    """A record whose beginning does not hold, or whose game has not begun."""
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
    """The numbers of the entries that lie in a record."""
    parsed = filter(None, map(names.parse, paths))
    return [name.step for name in parsed if name.kind == "entry" and not name.signature]


class _Verification:
    """One run, from the chain on to everything that needs the whole of it."""

    def __init__(
        self, source: Source, paths: Sequence[str], asked: Asked, ledger: Ledger
    ) -> None:
        self.source = source
        self.paths = paths
        self.asked = asked
        self.ledger = ledger
        self.found = Found()
        self.links: list[Link] = [ledger.last]
        self.wrong: dict[int, str] = {}
        self.replay: Replay | None = None

    def run(self) -> Findings:
        """Every check that can be made; each says its claim, and stops where it makes no sense."""
        self._identify()
        walked = self._walk()
        self._files(walked=walked)
        self._times()
        if walked and self.ledger.revealed and not self.found.faults:
            self._replay()
        self._rulings()
        self._protests()
        self._press()
        self._seat()
        self._receipts()
        return self._conclude()

    def _identify(self) -> None:
        game = self.ledger.opening.id
        if self.asked.game is not None and game != self.asked.game:
            self.found.fault("files", f"the record is of game {game}, not {self.asked.game}")

    def _walk(self) -> bool:
        """Verify the entries one after the other; whether all hold."""
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

    def _files(self, *, walked: bool) -> None:
        named = listing.of(self.ledger.opening, self.links)
        listing.check(
            self.found,
            self.source,
            self.paths,
            named,
            walked=self.ledger.last.step if walked else None,
            revealed=self.ledger.revealed,
        )
        listing.check_digests(self.found, self.links)

    def _times(self) -> None:
        found = times.answers(self.links)
        off = list(times.differences(found))
        for text in [*off, *times.late(self.links)]:
            self.found.note("times", text)
        for text in times.mattered(self.links, found):
            self.found.look("times", text)
        inside = len(found) - len(off)
        self.found.hold("times", f"{inside} of {len(found)} slips' own times fit the host's")

    def _replay(self) -> None:
        """Adjudicate the game again, and make every sealed file again."""
        reveal = self.ledger.last.entry
        if not isinstance(reveal, Reveal):
            return
        try:
            with claim("chain"):
                game = unlock(self.ledger.opening, Master(bytes.fromhex(reveal.master)))
        except Refused as error:
            self.found.refuse(error)
            return
        replay = Replay(game, self.links[0], opened(self.source))
        counted = {link.step for link in chain.counting(self.ledger.last, self.ledger.link)}
        for link in self.links[1:-1]:
            self._again(replay, link, counts=link.step in counted)
            self.asked.progress(link.step, self.ledger.last.step)
        self._shuffle(game)
        if self.found.lacks or self.found.faults:
            return
        self.replay = replay
        self._outcome(replay, reveal)
        self._hold_replay()

    def _again(self, replay: Replay, link: Link, *, counts: bool) -> None:
        """One entry adjudicated again, with its orders and reports sealed again."""
        try:
            for player, slip in link.slips.items():
                if link.entry.ruling is None:
                    self._check_sealed(replay, link, player, slip)
            fault = difference(link, replay.play(link))
        except Missing as error:
            replay.skip(link)
            self.found.lack(error.message)
            return
        except Refused as error:
            replay.skip(link)
            fault = error
        if fault is None:
            return
        self.wrong[link.step] = fault.message
        if counts:
            self.found.refuse(fault)

    def _check_sealed(self, replay: Replay, link: Link, player: str, slip: Slip) -> None:
        """Whether the sealed file that a slip signs is its order file, sealed again."""
        path = names.opened_order(link.step, player)
        data = replay.files(link, slip)
        shared = replay.game.shared(self.links[link.step - 1].joins[player])
        again = orders.seal(
            replay.game.opening, shared, slip.step, player, slip.revision, data
        )
        if digest(again) != slip.sealed:
            with claim("orders"):
                raise Refused(
                    "unopenable", f"{path}: sealed again, it is not the file that its slip signs"
                )

    def _shuffle(self, game: Unlocked) -> None:
        """Whose nonces made the seed; of a game that was abandoned before, the seed thrown away."""
        first = self.ledger.last.first
        players = self.ledger.opening.players
        if first is None:
            listed = self.links[-2].slips if len(self.links) > 1 else {}
            nonces = [slip.nonce if (slip := listed.get(one)) else None for one in players]
            seed = game.master.seed(nonces, self.ledger.opening.id).hex()
            self.found.hold("shuffle", f"no lot was drawn; the seed that was thrown away is {seed}")
            return
        gave = set(self.links[first].slips)
        lacks = [player for player in players if player not in gave]
        text = "the seed comes from the master and every player's nonce"
        if lacks:
            text = f"the seed lacks the nonce of {', '.join(lacks)}"
        self.found.hold("shuffle", text)
        for player in lacks:
            if any(player in link.slips for link in self.links[first + 1 :]):
                self.found.look(
                    "shuffle", f"{player} gave no nonce, and yet signed orders later"
                )

    def _outcome(self, replay: Replay, reveal: Reveal) -> None:
        before = self.links[-2]
        try:
            state = replay.head(before.step).state
        except Refused as error:
            self.found.refuse(error)
            return
        outcome = engine.outcome(self.ledger.opening, before, state)
        if dict(reveal.outcome) != outcome:
            text = f"{names.entry(reveal.step)}: outcome {dict(reveal.outcome)}, replayed {outcome}"
            self.found.fault("replay", text)

    def _hold_replay(self) -> None:
        """What the replay showed, where nothing in it was false."""
        entries = self.links[1:-1]
        slips = sum(len(link.slips) for link in entries if link.entry.ruling is None)
        reports = sum(len(link.entry.reports) for link in entries)
        self.found.hold(
            "orders",
            f"{slips} opened, each sealed again to the file that its slip signs, "
            "legal from its author's view",
        )
        self.found.hold(
            "reports", f"{reports} made and sealed again, each as its entry names it"
        )
        self.found.hold(
            "replay",
            f"{len(entries)} entries adjudicated again, byte for byte"
            + (f", but for {len(self.wrong)} that a ruling annuls" if self.wrong else ""),
        )

    def _rulings(self) -> None:
        lines = list(rulings.judge(self.links, self.wrong, replayed=self.replay is not None))
        for line in lines:
            if line.look:
                self.found.look("rulings", line.text)
            else:
                self.found.note("rulings", line.text)
        self.found.hold("rulings", f"{len(lines)} by the host" if lines else "none")

    def _protests(self) -> None:
        made = [
            (f"{player} at step {link.step}: {slip.protest}", slip.protest)
            for link in self.links
            for player, slip in link.slips.items()
            if slip.protest is not None
        ]
        for text, protest in made:
            if protest == "report" and self.replay is not None:
                self.found.note("protests", f"{text}; the report was made again as it was signed")
            else:
                self.found.look("protests", text)
        self.found.hold("protests", f"{len(made)} made" if made else "none")

    def _press(self) -> None:
        noted = {text for link in self.links for text in link.entry.press}
        known = set() if self.asked.seat is None else noted & letters.known(self.asked.seat)
        if noted:
            self.found.hold("press", f"{len(noted)} messages noted; {len(known)} are known here")
        else:
            self.found.hold("press", "none noted")

    # What a player's seat and receipts add.

    def _seat(self) -> None:
        seat = self.asked.seat
        if seat is None or self.found.faults:
            return
        try:
            seated = Seated(self.source, seat, self.ledger)
        except Refused as error:
            self.found.fault("reports", error.message)
            return
        read = 0
        for link in self.links:
            if link.entry.reports:
                read += self._own(seated, link)
            for text in witness.of_entry(self.ledger, seat, link):
                self.found.look("receipts", text)
        self.found.note("reports", f"{read} of {seat.player} lie here, open, and fit their entries")

    def _own(self, seated: Seated, link: Link) -> bool:
        try:
            seated.report(link.step)
        except Missing as error:
            self.found.note("reports", f"missing: {error.path}")
            return False
        except Refused as error:
            if error.word == "no-seat":
                raise
            self.found.fault("reports", error.message)
            return False
        return True

    def _receipts(self) -> None:
        held = self._given()
        if not held:
            return
        for one, other in receipts.contradictions(held):
            self.found.fault(
                "receipts",
                f"{one.place}: the host signed {one.receipt.status}, then {other.receipt.status}",
            )
        revealed = None
        if self.replay is not None:
            revealed = Revealed(self.replay.game, self._views)
        judged = [receipts.judge(self.ledger, one, held, revealed) for one in held]
        for one in judged:
            if one.status == "false":
                self.found.fault("receipts", one.text)
            elif not one.used:
                self.found.note("receipts", one.text)
        used = sum(one.used for one in judged)
        self.found.hold("receipts", f"{len(held)} held, {used} of them accepted and used")

    def _given(self) -> list[Given]:
        held = [] if self.asked.seat is None else witness.given(self.ledger, self.asked.seat)
        for file in self.asked.receipts:
            try:
                held.append(receipts.read(self.ledger.opening, file))
            except Refused as error:
                self.found.note("receipts", f"a receipt that does not count: {error.message}")
        return held

    def _views(self, step: int) -> ViewOf:
        """The players' views of the position that an entry left; raises Refused."""
        replay = self.replay
        assert replay is not None  # noqa: S101 - its caller looks
        state = replay.head(step).state

        def view(player: str) -> View:
            return self.ledger.opening.game.view(state, player)

        return view

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
        if not self.ledger.revealed:
            return INCOMPLETE, f"incomplete: {story.standing(last.entry)}"
        if found.lacks:
            return INCOMPLETE, f"incomplete: {found.lacks[0]}"
        outcome = story.outcome(last.entry)
        if found.looks:
            return LOOK, f"true, with something to look at ({len(found.looks)}): {outcome}"
        return TRUE, f"true: {outcome}"
