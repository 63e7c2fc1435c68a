"""What a seat can work out about a game from its own reports, in words.

It takes in reports one after the other, without annulled ones, and puts the result into words.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.report import Report
from adjudicator.player.seated import Seated
from games.game import Deductions
from orders.entries import Reveal
from orders.errors import Missing, Refused
from orders.names import report as report_name


class Knowledge:
    """What one player can work out from their reports; each step is computed once."""

    def __init__(self, ledger: Ledger, player: str, report: Callable[[int], Report]) -> None:
        """`report` gives the player's report of a step, as their seat has it; it raises Refused."""
        self.ledger = ledger
        self.player = player
        self.report = report
        self._found: list[Deductions | None] = []
        self._gaps: list[int] = []

    def after(self, step: int) -> Deductions:
        """What the player can work out from the reports up to that step; raises Refused.

        If a report is missing, or was another player's, the reports before it do not count, and a
        note says so. A ruling that annuls goes back to what was worked out before.
        """
        while len(self._found) <= min(step, self.ledger.last.step):
            link = self.ledger.link(len(self._found))
            if isinstance(link.entry, Reveal):
                break
            self._found.append(self._hear(link))
        found = self._found[: step + 1]
        now = (found[-1] if found else None) or Deductions()
        gap = max((one for one in self._gaps if one <= step), default=None)
        if gap is None:
            return now
        lost = f"your report of entry {gap} is not here, so what you heard before it is not used"
        return now._replace(notes=(lost, *now.notes))

    def _hear(self, link: Link) -> Deductions | None:
        now = self._found[-1] if self._found else None
        ruling = link.entry.ruling
        if ruling is not None and ruling.annuls is not None:
            now = self._found[ruling.annuls - 1]
        try:
            told = self.report(link.step)
        except (Missing, Refused):
            self._gaps.append(link.step)
            return None
        try:
            return self.ledger.opening.game.deduced(told.view, told.events, now)
        except Exception:
            where = report_name(link.step, self.player)
            raise Refused(
                "reports",
                f"{where}: {self.ledger.opening.game.id} can make nothing of what the host sent",
            ) from None


def worked_out(seated: Seated, step: int) -> Deductions:
    """What the seat can work out from its reports up to that step; raises Refused."""
    return Knowledge(seated.ledger, seated.seat.player, seated.report).after(step)


def lines(player: str, found: Deductions) -> Iterator[str]:
    """The lines for a terminal: one for each hidden thing, then what was heard."""
    yield f"What {player} can work out:"
    for name, may in found.may.items():
        many = f" ({len(may)} possible)" if len(may) > 1 else ""
        yield from _wrapped(f"{name}{many}: {said(may)}")
    # What was heard and no board shows: by whom, and how long ago.
    for note in found.notes:
        yield from _wrapped(note)
    if not found.may and not found.notes:
        yield "  nothing"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(
        text, 78, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
    )


def said(may: Sequence[Any]) -> str:
    """All values that something can have, in words: numbers as a range, lists with `or` between
    them."""
    if len(may) > 2 and all(type(one) is int for one in may):
        return f"{may[0]} to {may[-1]}"
    parts = [_word(one) for one in may]
    return (" or " if any(isinstance(one, list) for one in may) else ", ").join(parts)


def _word(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_word, value)) or "none"
    return value if isinstance(value, str) else json.dumps(value)
