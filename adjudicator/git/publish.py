"""The record as commits: one for the invite, one for each entry, each with one parent.

The tree of `main` is the record with all files that everybody may have: reports and orders stay
sealed until the reveal. The host's own edits beside the record come with them, and the page.

Every date of the host's commits is the entry's own, so commits tell no more than the record, and
after a crash the same commits are made again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from adjudicator.core import bundles
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import Offer
from adjudicator.core.source import Source, read_or_none
from adjudicator.git import messages, page, refs, worktree
from adjudicator.git.process import Repo
from adjudicator.git.reading import resolve
from adjudicator.git.tree import Tree, beside_at, root_beside
from adjudicator.git.writing import Writer
from adjudicator.store.record import Record
from orders import names
from orders.bundle import Bundle
from orders.entries import Reveal, read_entry
from orders.fields import Time
from orders.keys import Signer


def as_bundles(source: Source, step: int) -> list[Bundle]:
    """All files that an entry adds to `main`, as bundles: what it names, with every report and
    every sealed order."""
    first, *others = bundles.of_entry(source, step)
    held = dict(first.files)
    entry = read_entry(held[names.entry(step)])
    paths = [names.report(step, player) for player in entry.reports]
    paths += [names.sealed_order(step, player) for player in entry.slips]
    for path in paths:
        data = read_or_none(source, path)
        held |= {} if data is None else {path: data}
    return [bundles.pack("entry", held), *others]


class History(NamedTuple):
    """Commits that continue a record up to `tip`; nothing is stored before `writer.store`."""

    writer: Writer
    tip: str


def history(
    repo: Repo,
    record: Record,
    signer: Signer,
    offer: Offer,
    ledger: Ledger | None,
    base: str | None,
    time: Time,
    *,
    after: str | None = None,
) -> History:
    """Commits for everything that `base`, the last of the host's on main, lacks (None: for all).

    `ledger`: the game, None before genesis. `time` dates the commit of files beside the record.
    `after`: where main ends, if others pushed there: of theirs only what lies beside the record
    stays.
    """
    writer = Writer(repo, "host", signer)
    writer.start(base)
    tip = base
    there = None if base is None else Tree.open(repo, base).last_step()
    if tip is None:
        files = dict(bundles.of_invite(record).files) | {names.ATTRIBUTES: names.ATTRIBUTES_TEXT}
        tip = writer.commit([], files, offer.invite.date, messages.invite(offer))
    elif after is not None and after != base:
        writer.replace(names.BESIDE, root_beside(repo, after))
        tip = writer.commit([after], {}, time, messages.BESIDE)
    beside = _beside(repo, record, offer, ledger, after or base)
    last = -1 if ledger is None else ledger.last.step
    for step in range(0 if there is None else there + 1, last + 1):
        assert ledger is not None  # noqa: S101 - there are entries
        parts = as_bundles(record, step)
        files = {path: data for part in parts for path, data in part.files}
        if step == last:
            # One push brings one page, that of its last entry.
            files |= page.taken(beside)
        entry = ledger.link(step).entry
        tip = writer.commit(
            [tip], files, _time(ledger, step), messages.entry(ledger.opening, entry)
        )
    if beside:
        for path in [path for path, data in beside.items() if data is None]:
            writer.remove(path)
        kept = {path: data for path, data in beside.items() if data is not None}
        tip = writer.commit([tip], kept, time, messages.BESIDE)
    return History(writer, tip)


def _time(ledger: Ledger, step: int) -> Time:
    """An entry's time; the reveal has the time of the entry before it."""
    entry = ledger.link(step).entry
    return _time(ledger, step - 1) if isinstance(entry, Reveal) else str(entry.time)


def _beside(
    repo: Repo, record: Record, offer: Offer, ledger: Ledger | None, base: str | None
) -> dict[str, bytes | None]:
    """The files beside the record that differ from `base`: the host's edits, and the page."""
    # Not the clone's own main, to which the host may have committed.
    before = resolve(repo, refs.SEEN)
    known = beside_at(repo, before).files
    here = worktree.beside_files(record.root)
    changed: Mapping[str, bytes | None]
    changed = {path: None for path in known if path not in here}
    changed |= {path: data for path, data in here.items() if known.get(path) != data}
    there = known if base == before else beside_at(repo, base).files
    if page.is_page({**there, **changed}):
        changed |= page.of_ledger(offer, ledger)
    return {path: data for path, data in changed.items() if there.get(path) != data}
