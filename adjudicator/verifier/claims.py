"""The findings of a verification: a line for each claim, what is not proved, and the verdict last;
with details for who wants to know more, and for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from orders.errors import CLAIMS, Refused
from orders.fields import Digest

TRUE, FALSE, UNUSABLE, LOOK, INCOMPLETE, FAILED = 0, 1, 2, 3, 4, 70
"""Exit codes. LOOK: true, with something for a person to look at. FAILED: a fault of this program,
which is no verdict."""

_GRAVEST = (FALSE, FAILED, UNUSABLE, INCOMPLETE, LOOK, TRUE)

_HEADS = {
    TRUE: "TRUE",
    FALSE: "FALSE",
    UNUSABLE: "NOT JUDGED",
    FAILED: "NOT JUDGED",
    LOOK: "TRUE, BUT LOOK",
    INCOMPLETE: "NOT YET",
}

SO_FAR = "Nothing is false so far"

_WIDTH = 80

_MOST = 6
"""How many lines say what is wrong, before the rest is counted."""

_MARKS = {"true": "ok  ", "false": "FAIL", "look": "LOOK", "unknown": "  - "}

NOT_PROVED = (
    "that a file, a report or a receipt was ever sent",
    "that the host told nobody what it knows, or did not play under another key",
    "whose a key is",
    "times on which both agree, and which are wrong",
    "an order for which there is no receipt",
    "by which order another one was superseded, once its player has ordered again",
    "who of two with one key signed other orders under the same number",
    "messages of players that nobody shows",
    "whether the reasons that a host gives are true",
    "which joins the host turned away, and in which order the players joined",
    "that the program or page which the host hands out is the right one",
)

UNPROVED = "who holds a key; what was said in private; joint lies"
"""The same in a line."""


class Finding(NamedTuple):
    """One claim. `status`: "true", "false", "look" (for a person) or "unknown" (cannot be told
    yet).

    `text` says in a sentence what the check showed, what is false, or why nothing can be told;
    `details` are lines for people who want to know more. `brief` is what the check showed as part
    of one line; "" if not the whole check ran.
    """

    name: str
    status: str
    text: str
    details: tuple[str, ...] = ()
    brief: str = ""


class Findings(NamedTuple):
    """The findings of a verification.

    `code` is one of the exit codes above, `verdict` its words for programs. `game` is the game's
    id, `head` the digest of the last entry that holds, `engine` the adjudicating program that
    genesis names; None if genesis could not be read.

    The rest is for people. `title` names the game, `marked` says what is false, missing or to be
    looked at, each in a sentence; `reason` is the verdict's, without a full stop; `unproved` is
    `not_proved` in a line; `cut`: the entry after `step` does not hold.
    """

    code: int
    verdict: str
    claims: tuple[Finding, ...] = ()
    game: Digest | None = None
    head: Digest | None = None
    step: int | None = None
    engine: str | None = None
    not_proved: tuple[str, ...] = NOT_PROVED
    title: str = ""
    marked: tuple[str, ...] = ()
    reason: str = ""
    unproved: str = UNPROVED
    cut: bool = False

    @staticmethod
    def unusable(error: Refused) -> Findings:
        """The findings about a record that cannot even be opened."""
        hint = f" ({error.hint})" if error.hint else ""
        return Findings(UNUSABLE, f"unusable: {error.message}{hint}")

    @property
    def conclusion(self) -> str:
        """The verdict for people, in one line: `TRUE: alice won.`"""
        head = _HEADS[self.code]
        if self.code == LOOK:
            head += f" ({len(self.marked)})"
        reason = self.reason or self.verdict.partition(": ")[2]
        return f"{head}: {reason}{'' if reason.endswith('.') else '.'}"

    @property
    def checked(self) -> str:
        """The same for who has just played, where nothing needs a look:
        `Checked: alice won, and nothing was changed.`"""
        if self.code != TRUE:
            return self.conclusion
        return f"Checked: {self.reason}, and nothing was changed."

    def lines(self, record: str, *, verbose: bool = False) -> Iterator[str]:
        """The findings about the record of that name, in lines for people, the verdict last.

        `verbose`: with the details of every claim, digests, and all that is not proved.
        """
        yield from _wrapped(f"{record}: {self.title}".rstrip(), "  ")
        if verbose:
            yield from self._in_full()
        elif _HEADS[self.code] != _HEADS[UNUSABLE]:  # Such lines would look like a judgement.
            yield from self._in_short()
        yield self.conclusion

    def _in_full(self) -> Iterator[str]:
        for claim in self.claims:
            yield f"  {_MARKS[claim.status]} {claim.name}: {claim.text}"
            for detail in claim.details:
                yield f"         {detail}"
        if self.head is not None:
            yield f"  game: {self.game}, adjudicated by {self.engine}"
            yield f"  head: {self.head}, entry {self.step}"
        elif self.game is not None:
            yield f"  game: {self.game}"
        if self.game is not None:
            yield "  not proved: " + ";\n    ".join(self.not_proved)

    def _in_short(self) -> Iterator[str]:
        if self.code in (TRUE, INCOMPLETE):
            for claim in self.claims:
                if claim.brief:
                    yield from _wrapped(f"  {claim.name:<8} {claim.text}", " " * 11)
        elif holding := [one.brief for one in self.claims if one.brief and one.status == "true"]:
            yield from _wrapped(f"  Holds: {', '.join(holding)}", "    ")
        yield from self._untold()
        for text in self.marked[:_MOST]:
            yield from _wrapped(f"  ! {text}", "    ")
        if len(self.marked) > _MOST:
            yield f"  ! and {len(self.marked) - _MOST} more (-v)"
        if self.game is not None and self.code != FALSE:
            told = f"  Not proved: {self.unproved} (-v: all {len(self.not_proved)})"
            yield from _wrapped(told, "    ")

    def _untold(self) -> Iterator[str]:
        """What was not judged, or cannot be yet."""
        untold = ", ".join(one.name for one in self.claims if one.status == "unknown")
        if self.code == FALSE and self.cut:
            upto = "Entry 0 holds" if self.step == 0 else f"Entries 0 to {self.step} hold"
            yield f"  {upto}; nothing after {'it' if self.step == 0 else 'them'} was judged"
        elif untold and self.code == FALSE:
            yield f"  Not judged: {untold}"
        elif untold and self.code == INCOMPLETE:
            yield f"  not yet  {untold}"

    def json(self, record: str) -> dict[str, Any]:
        """The same for programs, without what only people read."""
        told = self._asdict()
        for name in ("title", "marked", "reason", "unproved", "cut"):
            del told[name]
        fields = Finding._fields[:-1]
        claims = [dict(zip(fields, one, strict=False)) for one in self.claims]
        return {"record": record, **told, "claims": claims}


def _wrapped(text: str, indent: str) -> list[str]:
    """A line that goes on below where it is too long."""
    return textwrap.wrap(text, _WIDTH, subsequent_indent=indent, break_on_hyphens=False)


def failed(error: Exception) -> Findings:
    """The findings if a fault of this program ended a verification, which must not end a batch."""
    return Findings(FAILED, f"failed: this program failed: {type(error).__name__}: {error!a:.200}")


def gravest(codes: Iterable[int]) -> int:
    """The code that counts for several records: false, failed, unusable, incomplete, look, true."""
    return min(codes, key=_GRAVEST.index, default=TRUE)


class Mark(NamedTuple):
    """Something false, or for a person to look at: the claim and its words; `told`, the sentence
    for people; of something false also `reason`, what the verdict says to them."""

    claim: str
    text: str
    told: str
    reason: str = ""


@dataclass
class Inquiry:
    """The findings of one verification as they are gathered, claim by claim.

    `faults`: false things. `looks`: things for a person to look at. `notes`: details to tell.
    `held`: by claim, what its whole check showed, in a sentence and in its part of one line.
    `lacks`: what is missing that is needed to judge the whole record.
    `misused`: arguments that do not go with the record, and the `way_out`.
    """

    faults: list[Mark] = field(default_factory=list)
    looks: list[Mark] = field(default_factory=list)
    notes: dict[str, list[str]] = field(default_factory=dict)
    held: dict[str, tuple[str, str]] = field(default_factory=dict)
    lacks: list[str] = field(default_factory=list)
    misused: str = ""
    way_out: str = ""

    def refuse(self, error: Refused, reason: str, told: str = "") -> None:
        """Note something false, under the claim that its check named."""
        self.fault(error.claim or "entries", error.message, reason, told)

    def fault(self, claim: str, text: str, reason: str = "", told: str = "") -> None:
        """Note something false, for people in words of their own where these are given."""
        self.faults.append(Mark(claim, text, told or text, reason or text))

    def look(self, claim: str, text: str, told: str = "") -> None:
        """Note something true that a person should look at."""
        self.looks.append(Mark(claim, text, told or text))

    def note(self, claim: str, text: str) -> None:
        """Note something that is neither false nor to be looked at."""
        self.notes.setdefault(claim, []).append(text)

    def hold(self, claim: str, text: str, brief: str = "") -> None:
        """Note that the whole check of a claim ran, and what it showed."""
        self.held[claim] = text, brief or claim

    def claims(self, unknown: str) -> tuple[Finding, ...]:
        """Every claim, but receipts only where there are any; `unknown` says why the others cannot
        be told yet."""
        told = []
        for name in CLAIMS:
            faults = [one.text for one in self.faults if one.claim == name]
            looks = [one.text for one in self.looks if one.claim == name]
            text, brief = self.held.get(name, (unknown, ""))
            details = (*faults[1:], *looks, *self.notes.get(name, ()))
            if faults:
                more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
                told.append(Finding(name, "false", f"{faults[0]}{more}", details))
            elif name != "receipts" or text != unknown or details:
                status = "look" if looks else "true" if brief else "unknown"
                told.append(Finding(name, status, text, details, brief))
        return tuple(told)
