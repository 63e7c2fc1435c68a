"""Whether main's history holds only what this program makes of a game: the claim `main`.

It compares with the record what each commit says and adds. A false story in the host's or a
player's name, a useless or a huge file, a page that differs from the record: all of these may be
signed, but they are no part of the game. `ties` compares commits and entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from adjudicator.git import changes, messages, page
from adjudicator.git.changes import (
    KINDS,
    LARGEST_COMMIT,
    LARGEST_DOCUMENT,
    MOST_COMMITS,
    Change,
    Step,
    steps,
)
from adjudicator.git.objects import FILE, Commit
from adjudicator.git.reading import sizes
from adjudicator.git.ties import Tie
from adjudicator.git.tree import beside_at
from orders import names
from orders.sealing import sealed_size


class Accounts:
    """One run over all commits that lead to a record, after `ties` has looked at them."""

    def __init__(self, tie: Tie) -> None:
        self.tie = tie
        self.repo = tie.repo
        self.told = tie.told
        self.host = tie.opening.offer.host
        self.largest = sealed_size(tie.opening.sizes.order)

    def text(self) -> tuple[str, bool]:
        """The finding in a line, and whether every commit is accounted for."""
        found = list(dict.fromkeys(self._faults()))
        if found:
            more = f"; and {len(found) - 5} more" if len(found) > 5 else ""
            return f"not accounted for: {'; '.join(found[:5])}{more}", False
        own, others = len(self.tie.line), len(self.tie.commits) - len(self.tie.line)
        cut = "; earlier commits are not here" if self.tie.tied.cut else ""
        kept = f"{own} commits of the host's and {others} that they merge"
        return f"{kept}, each saying and adding what the game makes it{cut}", True

    def _faults(self) -> Iterator[str]:
        rows = [(one, *self.tie.parents[one]) for one in sorted(self.tie.commits)]
        made = {one.commit: one for one in steps(self.repo, rows)}
        line = self.tie.line
        ends = {line[0]} if self.tie.tied.cut else set()
        size = sizes(self.repo, sorted({c.new for one in made.values() for c in one.own}))
        for commit in line:
            if commit not in ends:
                yield from self._of_main(made[commit], self.tie.commits[commit])
        for commit in sorted(made.keys() - set(line)):
            yield from self._merged(made[commit], self.tie.commits[commit], size)
        yield from _many(made, line)
        yield from self._page()

    def _of_main(self, step: Step, commit: Commit) -> Iterator[str]:
        """A commit on main's own line: the invite, an entry, or a change beside the record."""
        short = step.commit[:12]
        if not self.tie.is_by(step.commit, self.host):
            yield f"{short} is not the host's"
        if not commit.names("host") or commit.message not in self._said(step):
            yield f"{short} says what the tool does not say"
        for change in step.own:
            if names.parse(change.path) is None and not change.beside:
                yield f"{change.shown} in {short}"

    def _said(self, step: Step) -> set[str]:
        """What the host's tool says of that commit."""
        parsed = [names.parse(change.path) for change in step.own]
        entries = [one.step for one in parsed if one is not None and one.kind == "entry"]
        if entries:
            told = self.told[min(max(entries), len(self.told) - 1)].entry
            return {f"{messages.entry(self.tie.opening, told)}\n"}
        if not step.parents:
            return {f"{messages.invite(self.tie.opening.offer)}\n"}
        only_beside = all(change.beside for change in step.own)
        return {f"{messages.BESIDE}\n"} if step.own and only_beside else set()

    def _merged(self, step: Step, commit: Commit, size: Mapping[str, int]) -> Iterator[str]:
        """A commit that an entry merges: a player's, or the host's for files that came in another
        way."""
        short = step.commit[:12]
        player = commit.author.partition(" ")[0]
        if len(commit.payload) + len(commit.signature or b"") > LARGEST_COMMIT:
            yield f"{short} is a commit of more than {LARGEST_COMMIT} bytes"
        by_host = self.tie.is_by(step.commit, self.host)
        if by_host:
            allowed = changes.players([step])
            said = commit.names("host") and messages.is_other_way(allowed, commit.message)
        else:
            said = commit.names(player) and messages.is_of(player, commit.message)
            keys = {told.key(player) for told in self.told if player in told.joins}
            if not any(self.tie.is_by(step.commit, key) for key in keys):
                yield f"{short} is signed by no player of that name"
        if not said:
            yield f"{short} says what the tool does not say"
        for change in step.own:
            yield from self._added(change, short, None if by_host else player, size)

    def _added(
        self, change: Change, short: str, player: str | None, size: Mapping[str, int]
    ) -> Iterator[str]:
        """A file of a merged commit; `player` None: of any player."""
        name = names.parse(change.path)
        of_game = name is not None and name.kind in KINDS and player in (None, name.player)
        if not of_game or change.mode != FILE or change.status not in "AM":
            yield f"{change.shown} in {short}"
            return
        most = self.largest if change.path.endswith(".sealed") else LARGEST_DOCUMENT
        if size.get(change.new, 0) > most:
            yield f"{change.shown} in {short}: {size[change.new]} bytes"

    def _page(self) -> Iterator[str]:
        """A page of this program's must be what the record makes it."""
        held = beside_at(self.repo, self.tie.tree.commit).files
        if not page.is_page(held):
            return
        opening = self.tie.opening
        made = page.made(opening.offer, opening, [told.entry for told in self.told])
        for path, data in made.items():
            if held.get(path) != data:
                yield f"{path} is not what the record makes it"


def _many(made: Mapping[str, Step], line: Sequence[str]) -> Iterator[str]:
    """The commits on main's own line, oldest first, that merge more commits than players may
    push."""
    seen: set[str] = set()
    for commit in line:
        seen.add(commit)
        merged, waiting = 0, list(made[commit].parents[1:])
        while waiting:
            one = waiting.pop()
            if one in made and one not in seen:
                seen.add(one)
                merged += 1
                waiting += made[one].parents
        if merged >= MOST_COMMITS:
            yield f"{commit[:12]} merges {merged} commits"
