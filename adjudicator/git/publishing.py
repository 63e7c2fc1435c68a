"""What a host's push brings to main: a commit for each new entry, the page, and the host's own
edits beside the record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.core.opening import Offer
from adjudicator.git import page, refs, worktree
from adjudicator.git.changes import Ground, why_not_merged
from adjudicator.git.history import History
from adjudicator.git.process import Repo
from adjudicator.git.reading import resolve
from adjudicator.git.refs import MAIN, Remote
from adjudicator.git.slips import Pushed
from adjudicator.git.tree import Tree, beside_at
from adjudicator.host.host import Host
from adjudicator.store.record import Record
from orders.fields import Time
from orders.keys import Signer


@dataclass(frozen=True, slots=True)
class Published:
    """A host's record, to be published at a remote; `referee`: None before genesis."""

    repo: Repo
    record: Record
    signer: Signer
    offer: Offer
    referee: Host | None

    def history(self, remote: Remote, pushed: Sequence[Pushed], time: Time) -> History:
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
        self, referee: Host, remote: Remote, pushed: Sequence[Pushed], step: int
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
