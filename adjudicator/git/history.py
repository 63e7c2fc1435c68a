"""The record as commits: one for the invite and one for each entry; and what a push brings to main.

An entry's commit merges the commits that brought its slips. The host's own edits beside the record
and the page come with them.

Every date of the host's commits is the entry's own, so commits tell no more than the record, and
after a crash the same commits are made again. The tree of `main` holds the record without sealed
order files: these stay in the commits that brought them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudicator.core import bundles
from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.opening import Offer
from adjudicator.core.source import Source, read_or_none, signed
from adjudicator.git import messages, page, refs, worktree
from adjudicator.git.judgement import Ground, why_not_merged
from adjudicator.git.process import Repo
from adjudicator.git.reading import resolve
from adjudicator.git.refs import MAIN, Remote
from adjudicator.git.slips import Submission
from adjudicator.git.tree import Tree, beside_at
from adjudicator.git.writing import Writer
from adjudicator.host.host import Host
from adjudicator.store.record import Record
from orders import names
from orders.bundle import Bundle
from orders.entries import Reveal, read_entry
from orders.fields import Time
from orders.keys import Signer


@dataclass
class History:
    """Commits that continue a record from `tip`. Nothing is stored before `writer.store`."""

    repo: Repo
    signer: Signer
    tip: str | None

    def __post_init__(self) -> None:
        self.writer = Writer(self.repo, "host", self.signer)
        self.writer.start(self.tip)

    def add_invite(self, record: Source, offer: Offer) -> None:
        """The first commit: invite, house table, attributes."""
        files = dict(bundles.of_invite(record).files)
        files[names.ATTRIBUTES] = names.ATTRIBUTES_TEXT
        self._commit([], files, offer.invite.date, messages.invite(offer))

    def add_beside(self, changed: Mapping[str, bytes | None], time: Time) -> None:
        """A commit of files beside the record; None removes a file."""
        for path, data in changed.items():
            if data is None:
                self.writer.remove(path)
        kept = {path: data for path, data in changed.items() if data is not None}
        self._commit([], kept, time, messages.BESIDE)

    def add_entry(
        self, ledger: Ledger, step: int, merged: Mapping[str, str], page: Mapping[str, bytes]
    ) -> None:
        """An entry with all files that it names; its commit merges the given ones.

        `page`: the page about the record, which lies beside it. Slips or joins that came in another
        way (by mail, or in a commit that may not be merged) go into a commit of the host's own,
        which is merged too.
        """
        link = ledger.link(step)
        time = _time(ledger, link)
        brought = {
            player: _brought(ledger.source, link, player)
            for player in _players(link)
            if player not in merged
        }
        parents = [merged[player] for player in _players(link) if player in merged]
        if brought:
            parents.append(self._beside_main(step, brought, time))
        parts = as_bundles(ledger.source, step)
        files = {path: data for part in parts for path, data in part.files} | dict(page)
        self._commit(parents, files, time, messages.entry(ledger.opening, link.entry))

    def _beside_main(
        self, step: int, brought: Mapping[str, Mapping[str, bytes]], time: Time
    ) -> str:
        """A commit on main with the files that players sent in another way, for the entry to
        merge."""
        files = {path: data for held in brought.values() for path, data in held.items()}
        above = [] if self.tip is None else [self.tip]
        made = self.writer.commit(above, files, time, messages.other_way(step, list(brought)))
        for path in files:
            name = names.parse(path)
            # The entry's commit keeps slips and joins of these names: their folders only grow.
            if name is not None and (
                name.kind == "sealed" or (name.kind == "slip" and name.step != step)
            ):
                self.writer.remove(path)
        return made

    def _commit(
        self, merged: list[str], files: Mapping[str, bytes], time: Time, message: str
    ) -> None:
        parents = ([] if self.tip is None else [self.tip]) + merged
        self.tip = self.writer.commit(list(dict.fromkeys(parents)), files, time, message)


def as_bundles(source: Source, step: int) -> list[Bundle]:
    """All files that an entry adds to `main`, as bundles: what it names, and every report there."""
    first, *others = bundles.of_entry(source, step)
    held = dict(first.files)
    return [bundles.pack("entry", held | _reports(source, step, held)), *others]


def _reports(source: Source, step: int, held: Mapping[str, bytes]) -> dict[str, bytes]:
    found = {}
    for player in read_entry(held[names.entry(step)]).reports:
        path = names.report(step, player)
        data = read_or_none(source, path)
        if data is not None:
            found[path] = data
    return found


def _time(ledger: Ledger, link: Link) -> Time:
    """An entry's time; the reveal has the time of the entry before it."""
    if isinstance(link.entry, Reveal):
        return _time(ledger, ledger.link(link.step - 1))
    return str(link.entry.time)


def _players(link: Link) -> tuple[str, ...]:
    """The players whose joins or slips an entry names."""
    return tuple(link.slips) if link.step else tuple(link.joins)


def _brought(source: Source, link: Link, player: str) -> dict[str, bytes]:
    """The files of a join or an order, as the player would have pushed them."""
    if not link.step:
        path = names.join(player)
        return signed(source, path).files(path)
    slip = link.slips[player]
    files = signed(source, names.slip(link.step, player)).files(names.slip(slip.step, player))
    sealed = read_or_none(source, names.sealed_order(link.step, player))
    path = names.sealed_order(slip.step, player)
    return files if sealed is None else {**files, path: sealed}


@dataclass(frozen=True, slots=True)
class Publication:
    """A host's record, to be published at a remote; `referee`: None before genesis."""

    repo: Repo
    record: Record
    signer: Signer
    offer: Offer
    referee: Host | None

    def history(self, remote: Remote, pushed: Sequence[Submission], time: Time) -> History:
        """Commits for everything that the remote's main lacks; they merge those of `pushed`.

        `time` dates the commit of files beside the record.
        """
        base = remote.main or resolve(self.repo, refs.SEEN)
        made = History(self.repo, self.signer, base)
        there: int | None = None
        if base is None:
            made.add_invite(self.record, self.offer)
        else:
            there = Tree.open(self.repo, base).last_step()
        beside = self._beside(base)
        referee = self.referee
        if referee is not None:
            last = referee.last.step
            for step in range(0 if there is None else there + 1, last + 1):
                # One push brings one page, that of its last entry.
                told = page.taken(beside) if step == last else {}
                made.add_entry(
                    referee.ledger, step, self._merged(referee, remote, pushed, step), told
                )
        if beside:
            made.add_beside(beside, time)
        return made

    def _merged(
        self, referee: Host, remote: Remote, pushed: Sequence[Submission], step: int
    ) -> dict[str, str]:
        """By player, their commit that entry `step` can merge."""
        if step == 0:
            used = dict(referee.opening.genesis.joins)
        else:
            slips = referee.ledger.link(step).entry.slips
            used = {player: one.digest for player, one in slips.items()}
        there = {one.document: one.commit for one in reversed(pushed)}
        commits = {player: there[one] for player, one in used.items() if one in there}
        if remote.main is None or not commits:
            return {}
        ground = Ground(self.repo, remote.main, referee.ledger)
        return {
            player: commit
            for player, commit in commits.items()
            if why_not_merged(ground, commit, player) is None
        }

    def _beside(self, base: str | None) -> dict[str, bytes | None]:
        """The files beside the record that differ from `base`: the host's edits, and the page."""
        before = resolve(self.repo, refs.full(MAIN))
        known = beside_at(self.repo, before).files
        here = worktree.beside_files(self.record.root)
        changed: dict[str, bytes | None] = {path: None for path in known if path not in here}
        changed |= {path: data for path, data in here.items() if known.get(path) != data}
        there = known if base == before else beside_at(self.repo, base).files
        if page.is_page({**there, **changed}):
            ledger = None if self.referee is None else self.referee.ledger
            changed |= page.of_ledger(self.offer, ledger)
        return {path: data for path, data in changed.items() if there.get(path) != data}
