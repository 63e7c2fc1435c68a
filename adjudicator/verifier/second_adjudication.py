"""A revealed game adjudicated again: every order read, every entry made, every file sealed again.

What belongs here: which claims the second adjudication supports, and where one is false; and one
step of it shown to people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from adjudicator.core import intake
from adjudicator.core.engine import UnlockedGame
from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link, counting
from adjudicator.core.replay import Replay, difference, revealed
from adjudicator.verifier.claims import Inquiry
from orders import names
from orders.entries import Entry
from orders.errors import Missing, Refused, at, claim
from orders.fields import digest

_REASONS = {
    "orders": "the orders of entry {} are not what their players signed, or not legal",
    "reports": "the reports of entry {} are not what the game tells",
    "replay": "entry {} is not what the game makes of the orders",
}

Progress = Callable[[int, int], None]
"""Called with how many entries are done, and how many there are."""


@dataclass
class SecondAdjudication:
    """One second adjudication. `wrong`: by step how an entry differs, if a ruling may annul it.

    If an entry's position differs or cannot be made, the entries that continue from it are not
    judged (`unjudged`, their steps), because their players acted on what they were told. From a
    ruling that goes back to an earlier position on, entries are judged again.
    """

    found: Inquiry
    ledger: Ledger
    links: Sequence[Link]
    wrong: dict[int, str] = field(default_factory=dict)
    unjudged: set[int] = field(default_factory=set)

    def run(self, progress: Progress) -> Replay | None:
        """The positions of the game, made again; None if something is missing or false."""
        try:
            replay = revealed(self.ledger)
        except Refused as error:
            self.found.refuse(error, "the host's secret is not the one of the invite")
            return None
        counted = {link.step for link in counting(self.ledger.last, self.ledger.link)}
        for link in self.links[1:-1]:
            self._entry(replay, link, counts=link.step in counted)
            progress(link.step, self.ledger.last.step)
        self._shuffle(replay.game)
        if self.found.lacks or self.found.faults:
            return None
        self._hold()
        return replay

    def _entry(self, replay: Replay, link: Link, *, counts: bool) -> None:
        """One entry adjudicated again, with its orders and reports sealed again."""
        if link.base not in replay.states:
            replay.skip(link)
            self.unjudged.add(link.step)
            return
        faults = []
        try:
            if link.entry.ruling is None:
                faults = list(self._sealed_otherwise(replay, link))
            made = replay.play(link)
        except Missing as error:
            replay.skip(link)
            self.found.lacks.append(error.message)
            return
        except Refused as error:
            replay.skip(link)
            faults.append(error)
        else:
            fault = difference(link, made)
            faults += [] if fault is None else [fault]
            if isinstance(link.entry, Entry) and made.entry.state != link.entry.state:
                # Nothing that starts from it can be judged.
                del replay.states[link.step]
        for fault in faults:
            self.wrong.setdefault(link.step, fault.message)
            if counts:
                reason = _REASONS.get(fault.word) or _REASONS[fault.claim]
                reason = reason.format(link.step)
                self.found.refuse(fault, reason, _told(fault))

    def _sealed_otherwise(self, replay: Replay, link: Link) -> Iterator[Refused]:
        """A line for each slip whose sealed file differs from its order file sealed again."""
        for player, slip in link.slips.items():
            data = replay.files(link, slip)
            shared = replay.game.shared(self.links[link.step - 1].joins[player])
            path = names.opened_order(link.step, player)
            with claim("orders"), at(path):
                again = intake.seal_order(
                    replay.game.opening, shared, slip.step, player, slip.revision, data
                )
            if digest(again) != slip.sealed:
                text = f"{path}: sealed again, it is not the file that its slip signs"
                fault = Refused("unopenable", text)
                fault.claim = "orders"
                yield fault

    def _shuffle(self, game: UnlockedGame) -> None:
        """Note whose nonces made the seed, or for a game abandoned before its first adjudication,
        the seed that was thrown away."""
        first = self.ledger.last.first
        players = self.ledger.opening.players
        if first is None:
            listed = self.links[-2].slips
            nonces = [slip.nonce if (slip := listed.get(one)) else None for one in players]
            seed = game.master.seed(nonces, self.ledger.opening.id).hex()
            self.found.hold("dice", "none was thrown")
            self.found.note("dice", f"the seed that was thrown away is {seed}")
            return
        lacks = [player for player in players if player not in self.links[first].slips]
        told = "from the host's secret and every player's"
        if lacks:
            who = ", ".join(lacks)
            told = f"{who} missed entry {first} and added nothing to them. Normal after a miss"
        self.found.hold("dice", told)

    def _hold(self) -> None:
        """Note what the replay showed, if nothing in it was false except entries that a ruling
        annuls."""
        entries = self.links[1:-1]
        annulled = self.unjudged.union(self.wrong)
        right = [link for link in entries if link.step not in annulled]
        slips = sum(len(link.adjudicated) for link in right)
        reports = sum(len(link.entry.reports) for link in right)
        turns = sum(link.entry.ruling is None for link in entries)
        played = f"{turns} turn{'s' * (turns != 1)}"
        if turns < len(entries):
            played += f" and {len(entries) - turns} ruling{'s' * (len(entries) - turns != 1)}"
        but = f" but for {len(annulled)} entries that a ruling annuls" if annulled else ""
        self.found.hold(
            "orders",
            f"{slips}, each the one that its player signed, legal for what they knew",
            f"{slips} orders",
        )
        self.found.hold(
            "replay",
            f"{played} played again: the same to the byte{but}; "
            f"{reports} reports told what they had to",
            f"{played} played again",
        )


def _told(fault: Refused) -> str:
    """For people only where two values differ, not the values; "" for another fault."""
    before, differ, _ = fault.message.partition("; replayed: ")
    path, *rest = before.split(": ", 2)
    return f"{path}: {rest[0]} is not what comes out again (-v shows both)" if differ else ""


class Explanation(NamedTuple):
    """The state file and everyone's report of an entry, as adjudicated again; canonical JSON.

    `differs`: how the entry in the record differs from that, or "".
    """

    state: bytes
    reports: Mapping[str, bytes]
    differs: str


def explain(ledger: Ledger, step: int) -> Explanation:
    """An entry of a revealed game, adjudicated again; raises Missing or Refused."""
    replay, last = revealed(ledger), ledger.last.step
    if not 1 <= step < last:
        raise Refused(
            "missing", f"no step was played in entry {step}", f"there are 1 to {last - 1}"
        )
    for number in range(1, step):
        try:
            replay.play(ledger.link(number))
        except Refused:
            # A later ruling may go back to before the step that cannot be replayed.
            replay.skip(ledger.link(number))
    link = ledger.link(step)
    made = replay.play(link)
    fault = difference(link, made)
    return Explanation(made.state_file, made.reports, "" if fault is None else fault.message)
