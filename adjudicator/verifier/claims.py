"""The findings of a verification: a line for each claim, a verdict, what is not proved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from adjudicator.core.claim import CLAIMS
from orders.errors import Refused
from orders.fields import Digest

TRUE, FALSE, UNUSABLE, LOOK, INCOMPLETE = 0, 1, 2, 3, 4
"""Exit codes. LOOK: true, with something for a person to look at."""

_GRAVEST = (FALSE, UNUSABLE, INCOMPLETE, LOOK, TRUE)

_MARKS = {"true": "ok  ", "false": "FAIL", "look": "LOOK", "unknown": "  - "}

NOT_PROVED = (
    "that a file, a report or a receipt was ever sent",
    "that the host told nobody what it knows, or did not play under another key",
    "whose a key is",
    "times that both sides claim alike",
    "an order for which there is no receipt",
    "who of two wrote a second slip of one revision",
    "press that nobody shows",
    "whether the reasons that a host gives are true",
    "which joins the host turned away, and in which order the players joined",
    "that the program or page which the host hands out is the right one",
)


class Claim(NamedTuple):
    """One claim. `status`: "true", "false", "look" (for a person) or "unknown" (cannot be told
    yet).

    `text` sums it up in a line; `details` are lines for people who want to know more.
    """

    name: str
    status: str
    text: str
    details: tuple[str, ...] = ()


class Findings(NamedTuple):
    """The findings of a verification.

    `code` is one of the exit codes above. `game` is the game's id, `head` the digest of the last
    entry that holds, `engine` the adjudicating program that genesis names; None if genesis could
    not be read.
    """

    code: int
    verdict: str
    claims: tuple[Claim, ...] = ()
    game: Digest | None = None
    head: Digest | None = None
    step: int | None = None
    engine: str | None = None
    not_proved: tuple[str, ...] = NOT_PROVED

    @staticmethod
    def unusable(error: Refused) -> Findings:
        """The findings about a record that cannot even be opened."""
        hint = f" ({error.hint})" if error.hint else ""
        return Findings(UNUSABLE, f"unusable: {error.message}{hint}")

    def lines(self, record: str, *, verbose: bool = False) -> Iterator[str]:
        """The findings about the record of that name, in lines for people, without the verdict."""
        by = f", adjudicated by {self.engine}" if self.engine else ""
        yield f"{record}: game {self.game}{by}" if self.game else f"{record}:"
        for claim in self.claims:
            yield f"  {_MARKS[claim.status]} {claim.name}: {claim.text}"
            for detail in claim.details if verbose else ():
                yield f"         {detail}"
        if self.head is not None:
            yield f"  head: {self.head}, entry {self.step}"
        if self.game is not None:
            yield "  not proved: " + ";\n    ".join(self.not_proved)

    def json(self, record: str) -> dict[str, Any]:
        """The same for programs."""
        claims = [one._asdict() for one in self.claims]
        return {"record": record, **self._asdict(), "claims": claims}


def failed(error: Exception) -> Findings:
    """The findings if a fault of this program ended a verification, which must not end a batch."""
    return Findings(
        UNUSABLE, f"unusable: this program failed: {type(error).__name__}: {error!a:.200}"
    )


def gravest(codes: Iterable[int]) -> int:
    """The code that counts for several records: false, unusable, incomplete, look, true."""
    return min(codes, key=_GRAVEST.index, default=TRUE)


@dataclass
class Found:
    """The findings of one verification as they are gathered, claim by claim.

    `faults`: false things. `looks`: things for a person to look at. `notes`: other things to tell.
    `held`: by claim, the sentence that is told if its whole check ran. `misused`: arguments that do
    not go with the record.
    """

    faults: list[tuple[str, str]] = field(default_factory=list)
    looks: list[tuple[str, str]] = field(default_factory=list)
    notes: dict[str, list[str]] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)
    lacks: list[str] = field(default_factory=list)
    misused: str = ""

    def refuse(self, error: Refused) -> None:
        """Note something false, under the claim that its check named."""
        self.fault(error.claim or "files", error.message)

    def fault(self, claim: str, text: str) -> None:
        """Note something false."""
        self.faults.append((claim, text))

    def look(self, claim: str, text: str) -> None:
        """Note something true that a person should look at."""
        self.looks.append((claim, text))

    def note(self, claim: str, text: str) -> None:
        """Note something that is neither false nor to be looked at."""
        self.notes.setdefault(claim, []).append(text)

    def hold(self, claim: str, text: str) -> None:
        """Note that the whole check of a claim ran, and what it showed."""
        self.held[claim] = text

    def lack(self, text: str) -> None:
        """Note that something is missing that is needed to judge the whole record."""
        self.lacks.append(text)

    def claims(self, unknown: str) -> tuple[Claim, ...]:
        """A line for each claim; `unknown` says why the others cannot be told yet."""
        return tuple(self._claim(name, unknown) for name in CLAIMS if self._told(name))

    def _told(self, name: str) -> bool:
        return name != "receipts" or any(
            name in held for held in (self.held, self.notes, dict(self.faults))
        )

    def _claim(self, name: str, unknown: str) -> Claim:
        faults = [text for claim, text in self.faults if claim == name]
        looks = [text for claim, text in self.looks if claim == name]
        notes = self.notes.get(name, [])
        if faults:
            return Claim(name, "false", _few(faults), tuple(faults[1:] + looks + notes))
        held = self.held.get(name)
        if looks:
            text = _few(looks) if held is None else f"{held}; {_few(looks)}"
            return Claim(name, "look", text, tuple(looks + notes))
        if held is None:
            return Claim(name, "unknown", unknown, tuple(notes))
        return Claim(name, "true", held, tuple(notes))


def _few(texts: list[str]) -> str:
    """The first of several texts, and how many more there are."""
    more = len(texts) - 1
    return texts[0] if not more else f"{texts[0]} (and {more} more)"
