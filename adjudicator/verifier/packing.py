"""Which files of a record go into its pack: all except sealed ones that anybody can make again."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.core import orders
from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.replay import Replay, revealed
from adjudicator.core.source import Source, read_or_none
from orders import names
from orders.errors import Refused


def kept(source: Source) -> dict[str, bytes]:
    """The files of a record's pack by name; raises Missing or Refused.

    A sealed file is left out only if it was made again byte for byte. One that differs stays, and
    verifying the pack finds it.
    """
    ledger = Ledger.read(source)
    paths = [path for path in source.paths() if names.is_ours(path) and path != names.ATTRIBUTES]
    again = set(_made_again(ledger)) if ledger.revealed else set()
    return {path: source.read(path) for path in paths if path not in again}


def _made_again(ledger: Ledger) -> Iterator[str]:
    """The sealed files in a revealed record that are the same when they are made again."""
    replay = revealed(ledger)
    for link in ledger.links()[1:-1]:
        for path, data in _sealed(replay, ledger, link):
            if read_or_none(ledger.source, path) == data:
                yield path


def _sealed(replay: Replay, ledger: Ledger, link: Link) -> Iterator[tuple[str, bytes]]:
    """The sealed files of an entry, made again as far as that is possible."""
    opening = ledger.opening
    before = ledger.link(link.step - 1)
    for player, slip in link.slips.items():
        if link.entry.ruling is None:
            try:
                data = replay.files(link, slip)
            except Refused:
                continue
            shared = replay.game.shared(before.joins[player])
            sealed = orders.seal(opening, shared, slip.step, player, slip.revision, data)
            yield names.sealed_order(link.step, player), sealed
    try:
        made = replay.play(link)
    except Refused:
        replay.skip(link)
        return
    for player, sealed in made.sealed.items():
        yield names.report(link.step, player), sealed
