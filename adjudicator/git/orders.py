"""Brings sealed order files out of git's history into a host's record, which needs them to replay
and to reveal. `main` holds none; the commits that it merged hold all of them."""

from __future__ import annotations

from adjudicator.core.ledger import Ledger
from adjudicator.core.source import read_or_none
from adjudicator.git.process import Repo
from adjudicator.git.reading import read_objects
from adjudicator.git.slips import find_files
from adjudicator.store.record import Record
from orders import names
from orders.fields import digest


def bring_orders(repo: Repo, commit: str, ledger: Ledger, record: Record) -> None:
    """Write every sealed order file that an entry uses and that is not there yet."""
    wanted = {
        slip.sealed: (names.sealed_order(slip.step, player), names.sealed_order(link.step, player))
        for link in ledger.links()
        for player, slip in link.slips.items()
        if read_or_none(record, names.sealed_order(link.step, player)) is None
    }
    if not wanted:
        return
    held = find_files(repo, [commit], "orders")
    ids = sorted({one for pushed, _ in wanted.values() for one in held.get(pushed, ())})
    for data in read_objects(repo, ids):
        if data is not None and digest(data) in wanted:
            record.write(wanted[digest(data)][1], data)
