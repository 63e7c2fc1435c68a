"""The verifier: a record in, a line per claim and a verdict out. Pure, but for reading the record.

What belongs here: which checks are made, in which order. They stand in `opening`, `chain`,
`replay` and `receipts`, which host and player use too, and in `listing`; `findings` puts into words
what came of them. What it must not know: folders, printing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adjudicator import chain, player, receipts
from adjudicator.engine import Clocks
from adjudicator.findings import CLAIM_OF, Claim, Findings, Gathered, conclude, gravest
from adjudicator.listing import check_digests, check_listing
from adjudicator.opening import read_offer, read_opening
from adjudicator.receipts import Given
from adjudicator.record import Source
from adjudicator.replay import Replay
from adjudicator.seat import Seat
from orders import names
from orders.entries import Entry, Reveal
from orders.errors import Missing, Refused
from orders.fields import Digest
from orders.secrets import Master

__all__ = ["Claim", "Findings", "gravest", "verify"]

Progress = Callable[[int, int], None]
"""Told how many entries of how many are done."""


def verify(
    source: Source,
    *,
    seat: Seat | None = None,
    given: Sequence[Given] = (),
    game: Digest | None = None,
    progress: Progress | None = None,
) -> Findings:
    """Verify a record as far as it goes, with a player's seat and receipts where there are any.

    `game` is the id that the record is expected to have. Never raises Refused for what is in the
    record.
    """
    try:
        paths = source.paths()
    except Refused as error:
        return Findings(2, f"unusable: {error.message}")
    if not any(path.startswith(("invite", "entries/", "joins/")) for path in paths):
        return Findings(2, "unusable: no record is here (no invite.toml)")
    try:
        opening = read_opening(source)
    except Refused as error:
        return _before_genesis(source, paths, error)
    if game is not None and opening.id != game:
        text = f"the record is of game {opening.id}, not {game}"
        return Findings(1, f"false: {text}", (Claim("files", "false", text),), (), opening.id)
    gathered = Gathered(opening, paths)
    return _Verification(source, gathered, seat, given, progress or _silent).run()


def _silent(done: int, of: int) -> None:
    """No progress shown."""


def _before_genesis(source: Source, paths: Sequence[str], error: Refused) -> Findings:
    if error.word == "unknown-rules":
        return Findings(2, f"unusable: {error.message}")
    parsed = filter(None, map(names.parse, paths))
    begun = any(name.kind == "entry" and not name.signature for name in parsed)
    if isinstance(error, Missing) and not begun:
        try:
            read_offer(source)
        except Refused as other:
            error = other
        else:
            text = "the invite is signed; the game has not begun"
            return Findings(4, f"incomplete: {text}", (Claim("signatures", "true", text),))
    claim = CLAIM_OF.get(error.word, "files")
    return Findings(1, f"false: {error.message}", (Claim(claim, "false", error.message),))


@dataclass(frozen=True, slots=True)
class _Verification:
    """One run, that fills `found`."""

    source: Source
    found: Gathered
    seat: Seat | None
    given: Sequence[Given]
    progress: Progress

    def run(self) -> Findings:
        """Walk the chain, then everything that needs the whole of it."""
        found = self.found
        parsed = [name for path in found.paths if (name := names.parse(path)) is not None]
        steps = [name.step or 0 for name in parsed if name.kind == "entry" and not name.signature]
        last = max(steps, default=0)
        try:
            self._walk(last)
            found.walked = True
        except Refused as error:
            found.refuse(error)
        check_listing(found, self.source)
        check_digests(found)
        replay = self._replay(last) if found.revealed and not found.faults else None
        if self.seat is not None and not found.faults:
            self._check_seat(self.seat)
        self._check_receipts(replay)
        return conclude(found, seat=self.seat is not None)

    def _walk(self, last: int) -> None:
        self.found.links.append(chain.first(self.found.opening, self.source))
        self.found.signatures = 2 + len(self.found.opening.players)
        for step in range(1, last + 1):
            if self.found.revealed:
                raise Refused("chain", f"{names.entry(step)}: follows the reveal")
            try:
                link = chain.follow(
                    self.found.opening, self.found.links[-1], self.source, self._clocks
                )
            except Missing as error:
                if error.path in (names.entry(step), names.signature(names.entry(step))):
                    raise Refused("chain", f"chain broken at {step}: {error.message}") from None
                raise
            self.found.links.append(link)
            self.found.signatures += 1 + len(link.slips)
            for name, slip in link.slips.items():
                if slip.protest is not None:
                    self.found.protests.append(f"{name} protests at step {step}: {slip.protest}")
            self.progress(step, last)

    def _clocks(self, step: int) -> Clocks:
        return self.found.links[step].clocks

    def _annulled(self) -> dict[int, int]:
        """By annulled step the ruling that annuls it."""
        out: dict[int, int] = {}
        for link in self.found.links:
            entry = link.entry
            if isinstance(entry, Entry) and entry.ruling and entry.ruling.annuls is not None:
                out |= dict.fromkeys(range(entry.ruling.annuls, entry.step), entry.step)
        return out

    def _replay(self, last: int) -> Replay:
        reveal = self.found.links[-1].entry
        assert isinstance(reveal, Reveal)  # noqa: S101 - as `revealed` says
        master = Master(bytes.fromhex(reveal.master))
        replay = Replay(self.found.opening, master, self.source, opened=not self.found.unopened)
        sealing = replay.key.public.hex()
        if sealing != self.found.opening.offer.invite.sealing:
            self.found.fault("chain", "invite.toml: sealing does not come from the master")
            return replay
        annulled = self._annulled()
        for played in replay.play(self.found.links[1:]):
            self.progress(played.step, last)
            if played.fault is None:
                continue
            ruling = annulled.get(played.step)
            if ruling is None:
                self.found.refuse(played.fault)
                return replay
            self.found.note("replay", f"annulled by entry {ruling}: {played.fault.message}")
        self.found.replayed = True
        final = replay.heads[-1]
        ended = None if final is None else self.found.opening.game.outcome(final.state)
        outcome = {"abandoned": True} if ended is None else ended.fields()
        if dict(reveal.outcome) != outcome:
            text = f"{names.entry(reveal.step)}: outcome {dict(reveal.outcome)}, replayed {outcome}"
            self.found.fault("replay", text)
        return replay

    def _check_seat(self, seat: Seat) -> None:
        if (
            seat.player not in self.found.opening.players
            or seat.invite != self.found.opening.offer.digest
        ):
            self.found.fault("reports", f"the seat of {seat.player} is none in this game")
            return
        for link in self.found.links:
            if not isinstance(link.entry, Entry):
                continue
            try:
                report = player.read_report(self.found.opening, seat, self.source, link.entry.step)
                player.check_report(report, link.entry, seat.player)
            except Refused as error:
                self.found.fault("reports", error.message)
        self.found.note("reports", f"those of {seat.player} open and agree with the public events")

    def _check_receipts(self, replay: Replay | None) -> None:
        for one in self.given:
            status, text = receipts.check(
                self.found.opening, self.found.links, replay, one, self.given
            )
            if status == "false":
                self.found.fault("receipts", text)
            else:
                self.found.note("receipts", text)
