"""What verification found, put into words: a line per claim, a verdict, what is not proved.

What belongs here: the claims there are and how each is told. What it must not know: how anything
is checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from adjudicator.chain import Link
from adjudicator.opening import Opening
from orders.entries import Entry, Reveal
from orders.errors import Refused
from orders.fields import Digest

CLAIMS = (
    "files", "chain", "signatures", "countersignatures", "clock", "orders", "reports", "shuffle",
    "replay", "rulings", "protests", "receipts",
)  # fmt: skip

CLAIM_OF = {
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
"""The claim that a refusal's word speaks against; `files` for every other."""

NOT_PROVED = (
    "that the host told nobody what it knows, or did not play under another key",
    "whose a key is",
    "wall-clock times, which are the host's",
    "an order for which there is no receipt",
    "that a first-step order called missing was missing",
)
UNOPENED = "what a sealed report said, unless its player opens it (--seat)"


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


@dataclass
class Gathered:
    """What a verification has gathered: `faults` by claim, and `notes` to be told besides.

    `links` are the entries that hold; `walked` says that they are all; `replayed`, that they were
    adjudicated again; `unopened`, that opened order files are not there.
    """

    opening: Opening
    paths: Sequence[str]
    links: list[Link] = field(default_factory=list)
    faults: list[tuple[str, str]] = field(default_factory=list)
    notes: dict[str, list[str]] = field(default_factory=dict)
    protests: list[str] = field(default_factory=list)
    signatures: int = 0
    walked: bool = False
    replayed: bool = False
    unopened: bool = False

    @property
    def revealed(self) -> bool:
        """Whether the last entry that holds is the reveal."""
        return bool(self.links) and isinstance(self.links[-1].entry, Reveal)

    def refuse(self, error: Refused) -> None:
        """Something false, under the claim that its word speaks against."""
        self.fault(CLAIM_OF.get(error.word, "files"), error.message)

    def fault(self, claim: str, text: str) -> None:
        """Something false."""
        self.faults.append((claim, text))

    def note(self, claim: str, text: str) -> None:
        """Something to be told that is not false."""
        self.notes.setdefault(claim, []).append(text)


def conclude(gathered: Gathered, *, seat: bool) -> Findings:
    """The findings; `seat`: a player's reports were opened too."""
    claims = tuple(claim for name in CLAIMS if (claim := _claim(gathered, name)) is not None)
    code, verdict = _verdict(gathered)
    not_proved = NOT_PROVED + (() if seat else (UNOPENED,))
    return Findings(code, verdict, claims, not_proved, gathered.opening.id)


def _verdict(gathered: Gathered) -> tuple[int, str]:
    last = gathered.links[-1].entry if gathered.links else gathered.opening.genesis
    if gathered.faults:
        return 1, f"false: {gathered.faults[0][1]}"
    if not isinstance(last, Reveal):
        if not last.awaited:
            return 4, f"incomplete: over at entry {last.step}, not yet revealed"
        until = min(prompt.until for prompt in last.awaited.values())
        who = ", ".join(last.awaited)
        return 4, f"incomplete: entry {last.step} awaits {who} until {until}"
    if gathered.unopened:
        return 4, "incomplete: order files have not been opened"
    if gathered.protests:
        return 3, f"true, with open protests: {len(gathered.protests)}"
    return 0, f"true: {_outcome(last)}"


def _claim(gathered: Gathered, name: str) -> Claim | None:
    faults = [text for claim, text in gathered.faults if claim == name]
    notes = gathered.notes.get(name, [])
    if faults:
        return Claim(name, "false", "; ".join(faults[:5]))
    if name == "receipts":
        return Claim(name, "true", "; ".join(notes)) if notes else None
    if name == "protests" and gathered.protests:
        return Claim(name, "open", "; ".join(gathered.protests))
    status, text = _summary(gathered, name)
    return Claim(name, status, "; ".join([text, *notes]))


def _summary(gathered: Gathered, name: str) -> tuple[str, str]:
    entries, slips = len(gathered.links), sum(len(link.slips) for link in gathered.links)
    rulings = [
        link.entry.step
        for link in gathered.links
        if isinstance(link.entry, Entry) and link.entry.ruling is not None
    ]
    texts = {
        "files": f"{len(gathered.paths)} files, each named, none missing",
        "chain": f"{entries} entries, each bound to the one before" if entries > 1 else "1 entry",
        "signatures": f"{gathered.signatures} valid, each by the key expected",
        "countersignatures": f"{slips} slips, each quoting the entry that it answers",
        "clock": "no deadline cut, nobody missing before their time",
        "rulings": f"by the host: entries {rulings}" if rulings else "none",
        "protests": "none",
    }
    if name in texts:
        unknown = bool(gathered.faults) and name not in ("rulings", "protests")
        if unknown:
            return "unknown", f"checked up to entry {max(entries - 1, 0)}"
        return "true", texts[name]
    later = {
        "orders": f"{slips} opened, each the one that its slip signs, legal from its author's view",
        "reports": "each has the digest of what its player had to be told",
        "shuffle": _shuffle(gathered),
        "replay": f"every entry adjudicated again, byte for byte: {max(entries - 2, 0)}",
    }
    if gathered.replayed:
        return "true", later[name]
    return "unknown", "not checked" if gathered.faults else "after the reveal"


def _shuffle(gathered: Gathered) -> str:
    gave = set(gathered.links[1].slips) if len(gathered.links) > 1 else set()
    lacks = [name for name in gathered.opening.players if name not in gave]
    text = "the seed comes from the master and every player's nonce"
    return f"the seed lacks the nonce of {', '.join(lacks)}" if lacks else text


def _outcome(reveal: Reveal) -> str:
    if reveal.outcome.get("abandoned"):
        return "the game was abandoned"
    return "a draw" if reveal.outcome.get("draw") else f"{reveal.outcome.get('winner')} won"
