"""The verifier: a record in, a line per claim and a verdict out. Pure, but for reading the record.

What belongs here: which claims there are, what makes each true or false, and the verdict. The
checks themselves stand in `opening`, `chain`, `replay` and `receipts`, which host and player use
too. What it must not know: folders, printing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from adjudicator import chain, player, receipts
from adjudicator.chain import Link
from adjudicator.engine import Clocks
from adjudicator.opening import Opening, read_offer, read_opening
from adjudicator.receipts import Given
from adjudicator.record import Source
from adjudicator.replay import Replay
from adjudicator.seat import Seat
from orders import names
from orders.entries import Entry, Reveal
from orders.errors import Missing, Refused
from orders.fields import Digest
from orders.secrets import Master

CLAIMS = (
    "files", "chain", "signatures", "countersignatures", "clock", "orders", "reports", "shuffle",
    "replay", "rulings", "protests", "receipts",
)  # fmt: skip

_CLAIM_OF = {
    "bad-signature": "signatures",
    "bad-key": "signatures",
    "countersignature": "countersignatures",
    "nonce": "shuffle",
    "clock": "clock",
    "chain": "chain",
    "replay": "replay",
    "reports": "reports",
    "unopenable": "orders",
    "illegal": "orders",
}

NOT_PROVED = (
    "that the host told nobody what it knows, or did not play under another key",
    "whose a key is",
    "wall-clock times, which are the host's",
    "an order for which there is no receipt",
    "that a first-step order called missing was missing",
)
UNOPENED = "what a sealed report said, unless its player opens it (--seat)"

Progress = Callable[[int, int], None]
"""Told how many entries of how many are done."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim: `status` is "true", "false", "open" (a protest) or "unknown" (cannot be yet)."""

    name: str
    status: str
    text: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What verification found. `code`: 0 true, 1 false, 2 unusable, 3 open protests, 4 incomplete.

    `game` is the game's id where genesis could be read.
    """

    code: int
    verdict: str
    claims: tuple[Claim, ...] = ()
    not_proved: tuple[str, ...] = ()
    game: Digest | None = None


def gravest(codes: Iterable[int]) -> int:
    """The code that counts for several records: 1, 2, 4, 3, 0 in this order."""
    return min(codes, key=(1, 2, 4, 3, 0).index, default=0)


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
    return _Verification(source, opening, paths, seat, given, progress or _silent).run()


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
    claim = _CLAIM_OF.get(error.word, "files")
    return Findings(1, f"false: {error.message}", (Claim(claim, "false", error.message),))


@dataclass
class _Verification:
    """One run; `faults` holds claim and text of what is false, `notes` what is told besides."""

    source: Source
    opening: Opening
    paths: Sequence[str]
    seat: Seat | None
    given: Sequence[Given]
    progress: Progress
    links: list[Link] = field(default_factory=list)
    faults: list[tuple[str, str]] = field(default_factory=list)
    notes: dict[str, list[str]] = field(default_factory=dict)
    protests: list[str] = field(default_factory=list)
    signatures: int = 0
    walked: bool = False
    replayed: bool = False
    opened_missing: bool = False

    def run(self) -> Findings:
        """Walk the chain, then everything that needs the whole of it."""
        last = max(
            (
                name.step or 0
                for path in self.paths
                if (name := names.parse(path)) and name.kind == "entry" and not name.signature
            ),
            default=0,
        )
        try:
            self._walk(last)
            self.walked = True
        except Refused as error:
            self._fault(error)
        self._check_files()
        self._check_digests()
        replay = None
        if self.revealed and not self.faults:
            replay = self._replay(last)
        if self.seat is not None and not self.faults:
            self._check_seat(self.seat)
        self._check_receipts(replay)
        return self._findings()

    @property
    def revealed(self) -> bool:
        """Whether the last checked entry is the reveal."""
        return bool(self.links) and isinstance(self.links[-1].entry, Reveal)

    def _fault(self, error: Refused) -> None:
        self.faults.append((_CLAIM_OF.get(error.word, "files"), error.message))

    def _note(self, claim: str, text: str) -> None:
        self.notes.setdefault(claim, []).append(text)

    def _walk(self, last: int) -> None:
        self.links.append(chain.first(self.opening, self.source))
        self.signatures = 2 + len(self.opening.players)
        for step in range(1, last + 1):
            if self.revealed:
                raise Refused("chain", f"{names.entry(step)}: follows the reveal")
            try:
                link = chain.follow(self.opening, self.links[-1], self.source, self._clocks)
            except Missing as error:
                if error.path in (names.entry(step), names.signature(names.entry(step))):
                    raise Refused("chain", f"chain broken at {step}: {error.message}") from None
                raise
            self.links.append(link)
            self.signatures += 1 + len(link.slips)
            for name, slip in link.slips.items():
                if slip.protest is not None:
                    self.protests.append(f"{name} protests at step {step}: {slip.protest}")
            self.progress(step, last)

    def _clocks(self, step: int) -> Clocks:
        return self.links[step].clocks

    def _check_files(self) -> None:
        named = {names.INVITE, names.signature(names.INVITE)}
        if self.opening.offer.table is not None:
            named.add(names.TABLE)
        for name in self.opening.players:
            named |= {names.join(name), names.signature(names.join(name))}
        for link in self.links:
            step = link.entry.step
            named |= {names.entry(step), names.signature(names.entry(step))}
            for name in link.slips:
                slip = names.slip(step, name)
                named |= {slip, names.signature(slip), names.sealed_order(step, name)}
                if self.revealed:
                    named.add(names.opened_order(step, name))
            if isinstance(link.entry, Entry):
                named |= {names.report(step, name) for name in self.opening.players}
        for path in self.paths:
            if path == names.ATTRIBUTES:
                self._check_attributes(path)
            elif path not in named:
                self._unnamed(path)
        there = set(self.paths)
        for path in sorted(named - there):
            parsed = names.parse(path)
            if parsed is not None and parsed.kind == "opened":
                self.opened_missing = True
                self._note("orders", f"{path} is not there: never opened")
            elif not self.faults:
                self.faults.append(("files", f"{path} is not there"))

    def _check_attributes(self, path: str) -> None:
        try:
            as_it_must_be = self.source.read(path) == names.ATTRIBUTES_TEXT
        except Refused:
            as_it_must_be = False
        if not as_it_must_be:
            self.faults.append(("files", f"{path}: is not as a record has it"))

    def _unnamed(self, path: str) -> None:
        """A file that no entry names: what a crash left of the next step, or something foreign."""
        drafted = _drafted(path)
        name = names.parse(path if drafted is None else drafted)
        whole = drafted is None and name is not None and not name.signature
        unfinished = name is not None and (
            name.kind == "opened"
            or (name.step == len(self.links) and not (whole and name.kind == "entry"))
        )
        if not self.revealed and unfinished:
            # Where the walk has stopped at a fault, an entry that was not read may name it.
            if self.walked:
                text = f"{path} is named by no entry: an unfinished act of the host"
                self._note("files", text)
        elif not self.faults or self.revealed:
            self.faults.append(("files", f"{ascii(path)[1:-1]} belongs nowhere: no entry names it"))

    def _check_digests(self) -> None:
        seen: dict[Digest, str] = {}
        for link in self.links[1:]:
            step = link.entry.step
            found = [(slip.order, f"order of {who}, {step}") for who, slip in link.slips.items()]
            found += [(slip.sealed, f"sealed, {step} {who}") for who, slip in link.slips.items()]
            if isinstance(link.entry, Entry):
                found.append((link.entry.state, f"state {step}"))
                for who, told in link.entry.reports.items():
                    found.append((told.digest, f"report {step} {who}"))
                    found.append((told.sealed, f"sealed report {step} {who}"))
            for value, place in found:
                if value in seen:
                    text = f"one digest twice: {value[:16]} as {seen[value]} and as {place}"
                    self.faults.append(("files", text))
                seen[value] = place

    def _annulled(self) -> dict[int, int]:
        """By annulled step the ruling that annuls it."""
        out: dict[int, int] = {}
        for link in self.links:
            entry = link.entry
            if isinstance(entry, Entry) and entry.ruling and entry.ruling.annuls is not None:
                out |= dict.fromkeys(range(entry.ruling.annuls, entry.step), entry.step)
        return out

    def _replay(self, last: int) -> Replay:
        reveal = self.links[-1].entry
        assert isinstance(reveal, Reveal)  # noqa: S101 - as `revealed` says
        master = Master(bytes.fromhex(reveal.master))
        replay = Replay(self.opening, master, self.source, opened=not self.opened_missing)
        sealing = replay.key.public.hex()
        if sealing != self.opening.offer.invite.sealing:
            self.faults.append(("chain", "invite.toml: sealing does not come from the master"))
            return replay
        annulled = self._annulled()
        for played in replay.play(self.links[1:]):
            self.progress(played.step, last)
            if played.fault is None:
                continue
            ruling = annulled.get(played.step)
            if ruling is None:
                self._fault(played.fault)
                return replay
            self._note("replay", f"annulled by entry {ruling}: {played.fault.message}")
        self.replayed = True
        final = replay.heads[-1]
        ended = None if final is None else self.opening.game.outcome(final.state)
        outcome = {"abandoned": True} if ended is None else ended.fields()
        if dict(reveal.outcome) != outcome:
            text = f"{names.entry(reveal.step)}: outcome {dict(reveal.outcome)}, replayed {outcome}"
            self.faults.append(("replay", text))
        return replay

    def _check_seat(self, seat: Seat) -> None:
        if seat.player not in self.opening.players or seat.invite != self.opening.offer.digest:
            self.faults.append(("reports", f"the seat of {seat.player} is none in this game"))
            return
        for link in self.links:
            if not isinstance(link.entry, Entry):
                continue
            try:
                report = player.read_report(self.opening, seat, self.source, link.entry.step)
                player.check_report(report, link.entry, seat.player)
            except Refused as error:
                self.faults.append(("reports", error.message))
        self._note("reports", f"those of {seat.player} open and agree with the public events")

    def _check_receipts(self, replay: Replay | None) -> None:
        for one in self.given:
            status, text = receipts.check(self.opening, self.links, replay, one, self.given)
            if status == "false":
                self.faults.append(("receipts", text))
            else:
                self._note("receipts", text)

    def _findings(self) -> Findings:
        claims = tuple(claim for name in CLAIMS if (claim := self._claim(name)) is not None)
        not_proved = NOT_PROVED + (() if self.seat is not None else (UNOPENED,))
        code, verdict = self._verdict()
        return Findings(code, verdict, claims, not_proved, self.opening.id)

    def _verdict(self) -> tuple[int, str]:
        last = self.links[-1].entry if self.links else self.opening.genesis
        if self.faults:
            return 1, f"false: {self.faults[0][1]}"
        if not isinstance(last, Reveal):
            if not last.awaited:
                return 4, f"incomplete: over at entry {last.step}, not yet revealed"
            until = min(prompt.until for prompt in last.awaited.values())
            who = ", ".join(last.awaited)
            return 4, f"incomplete: entry {last.step} awaits {who} until {until}"
        if self.opened_missing:
            return 4, "incomplete: order files have not been opened"
        if self.protests:
            return 3, f"true, with open protests: {len(self.protests)}"
        return 0, f"true: {_outcome(last)}"

    def _claim(self, name: str) -> Claim | None:
        faults = [text for claim, text in self.faults if claim == name]
        notes = self.notes.get(name, [])
        if faults:
            return Claim(name, "false", "; ".join(faults[:5]))
        if name == "receipts":
            return Claim(name, "true", "; ".join(notes)) if notes else None
        if name == "protests" and self.protests:
            return Claim(name, "open", "; ".join(self.protests))
        status, text = self._summary(name)
        return Claim(name, status, "; ".join([text, *notes]))

    def _summary(self, name: str) -> tuple[str, str]:
        entries, slips = len(self.links), sum(len(link.slips) for link in self.links)
        rulings = [
            link.entry.step
            for link in self.links
            if isinstance(link.entry, Entry) and link.entry.ruling is not None
        ]
        texts = {
            "files": f"{len(self.paths)} files, each named, none missing",
            "chain": f"{entries} entries, each bound to the one before",
            "signatures": f"{self.signatures} valid, each by the key expected",
            "countersignatures": f"{slips} slips, each quoting the entry that it answers",
            "clock": "no deadline cut, nobody missing before their time",
            "rulings": f"by the host: entries {rulings}" if rulings else "none",
            "protests": "none",
        }
        if name in texts:
            unknown = bool(self.faults) and name not in ("rulings", "protests")
            if unknown:
                return "unknown", f"checked up to entry {max(entries - 1, 0)}"
            return "true", texts[name]
        later = {
            "orders": f"{slips} opened, each the one that its slip signs, legal from its author's "
            "view",
            "reports": "each has the digest of what its player had to be told",
            "shuffle": self._shuffle(),
            "replay": f"every entry adjudicated again, byte for byte: {max(entries - 2, 0)}",
        }
        if self.replayed:
            return "true", later[name]
        return "unknown", "not checked" if self.faults else "after the reveal"

    def _shuffle(self) -> str:
        gave = set(self.links[1].slips) if len(self.links) > 1 else set()
        lacks = [name for name in self.opening.players if name not in gave]
        text = "the seed comes from the master and every player's nonce"
        return f"the seed lacks the nonce of {', '.join(lacks)}" if lacks else text


def _drafted(path: str) -> str | None:
    """The name of the file that was being written there (`files.draft_of`), None for others."""
    folder, slash, name = path.rpartition("/")
    if not name.startswith(".") or not name.endswith(".part"):
        return None
    return folder + slash + name[1 : -len(".part")]


def _outcome(reveal: Reveal) -> str:
    if reveal.outcome.get("abandoned"):
        return "the game was abandoned"
    return "a draw" if reveal.outcome.get("draw") else f"{reveal.outcome.get('winner')} won"
