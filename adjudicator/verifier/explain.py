"""One step of a finished game, replayed even if entries before it are wrong: the position that it
left, and everyone's report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from adjudicator.core.ledger import Ledger
from adjudicator.core.replay import difference, revealed
from orders.errors import Refused


class Explained(NamedTuple):
    """The state file and everyone's report of an entry, as adjudicated again; canonical JSON.

    `differs`: how the entry in the record differs from that, or "".
    """

    state: bytes
    reports: Mapping[str, bytes]
    differs: str


def explain(ledger: Ledger, step: int) -> Explained:
    """An entry of a revealed game, adjudicated again; raises Missing or Refused."""
    replay, last = revealed(ledger), ledger.last.step
    if not 1 <= step < last:
        raise Refused(
            "missing", f"entry {step} holds no adjudication", f"there are 1 to {last - 1}"
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
    return Explained(made.state_file, made.reports, "" if fault is None else fault.message)
