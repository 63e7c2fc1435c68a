"""Whether a repository's commits tell the same story as the record's own chain.

What belongs here: which commit brought which entry and slip, who signed it, and where that differs
from what the record says. A record is true by its own signatures, whatever commits say; so a
difference is told and does not make it false, unless history holds two entries of one number that
the host signed. What it must not know: how a verdict is worded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudicator import opening
from adjudicator.git.changes import Change, Pair, between_all, is_settled
from adjudicator.git.objects import Commit, read_commit
from adjudicator.git.process import Repo
from adjudicator.git.slips import blob_ids
from adjudicator.git.tree import Tree, read_objects
from adjudicator.opening import Opening
from orders import names, sshsig
from orders.entries import Entry, Genesis, read_entry
from orders.errors import Refused
from orders.public_key import PublicKey


@dataclass
class Tied:
    """What was found: how many entries and slips stand in commits by who signed them.

    `differences` is a line each; `fork`: history holds two signed entries of one number.
    """

    entries: int = 0
    slips: int = 0
    by_host: int = 0
    differences: list[str] = field(default_factory=list)
    fork: str | None = None
    cut: bool = False

    def text(self) -> str:
        """In one line."""
        if self.fork is not None:
            return self.fork
        parts = [f"{self.entries} entries in commits that the host signed"]
        parts.append(f"{self.slips} slips and joins in commits that their players signed")
        if self.by_host:
            parts.append(f"{self.by_host} in the host's, which came another way")
        if self.cut:
            parts.append("the clone is shallow: earlier commits are not here")
        if self.differences:
            more = len(self.differences) - 5
            told = "; ".join(self.differences[:5]) + (f"; and {more} more" if more > 0 else "")
            parts.insert(0, f"differ: {told}")
        return "; ".join(parts)


def tie(repo: Repo, commit: str) -> Tied:
    """Tie the commits that lead to `commit` to the record that it holds; raises Refused.

    The record is taken to be verified already.
    """
    return _Tie(repo, commit).run()


class _Tie:
    def __init__(self, repo: Repo, commit: str) -> None:
        self.repo = repo
        self.tree = Tree.open(repo, commit)
        self.opening: Opening = opening.read_opening(self.tree)
        self.tied = Tied(cut=repo.is_shallow())
        listed = repo.text("rev-list", "--first-parent", "--parents", "--reverse", commit)
        self.line = [line.split() for line in listed.splitlines()]
        self.brought: dict[str, str] = {}
        self.grouped: dict[str, list[str]] = {}
        self.held: dict[str, str] = {}
        self.parents = {one: parents for one, *parents in self.line}

    def run(self) -> Tied:
        pairs: list[Pair] = [(row[1] if len(row) > 1 else None, row[0]) for row in self.line]
        last = -1
        for (_, commit), changed in zip(pairs, between_all(self.repo, pairs), strict=True):
            for change in changed.values():
                self._note(commit, change, last)
            name = [names.parse(path) for path in changed]
            last = max([last, *(n.step or 0 for n in name if n and n.kind == "entry")])
        entries = self._entries()
        commits = self._commits(entries)
        self._look_up(entries)
        for step, entry in entries.items():
            self._check_entry(step, entry, commits)
        return self.tied

    def _note(self, commit: str, change: Change, last: int) -> None:
        """Remember which commit of main brought a file; tell what main should never do."""
        name = names.parse(change.path)
        if change.status == "A":
            self.brought.setdefault(change.path, commit)
            return
        if name is None or not is_settled(change.path, last):
            return
        verb = "removed" if change.status == "D" else "changed"
        self.tied.differences.append(f"{change.path} was {verb} in {commit[:12]}")
        if name.kind == "entry" and not name.signature and change.status == "M":
            self._check_fork(commit, change)

    def _check_fork(self, commit: str, change: Change) -> None:
        parent = self.parents[commit][0]
        signature = names.signature(change.path)
        wanted = [f"{at}:{path}" for at in (parent, commit) for path in (change.path, signature)]
        old, old_signature, new, new_signature = read_objects(self.repo, wanted)
        try:
            for data, armored in ((old, old_signature), (new, new_signature)):
                sshsig.verify(self.opening.offer.host, sshsig.ENTRY, data or b"", armored or b"")
        except Refused:
            return
        self.tied.fork = (
            f"two entries {change.path}, both signed by the host: in {parent[:12]} and in "
            f"{commit[:12]}"
        )

    def _entries(self) -> dict[int, Genesis | Entry | None]:
        """Every entry of the record that these commits brought; None for the reveal."""
        last = self.tree.last_step()
        steps = range(0 if last is None else last + 1)
        self.tree.prefetch([names.entry(step) for step in steps])
        found: dict[int, Genesis | Entry | None] = {}
        for step in steps:
            entry = read_entry(self.tree.read(names.entry(step)))
            found[step] = entry if isinstance(entry, Genesis | Entry) else None
        return found

    def _commits(self, entries: Mapping[int, object]) -> dict[str, Commit]:
        brought = {self.brought.get(names.entry(step), "") for step in entries}
        wanted = {one for commit in brought if commit for one in self.parents[commit][1:]}
        wanted |= set(self.brought.values())
        ordered = sorted(wanted)
        data = read_objects(self.repo, ordered)
        algorithm = self.repo.algorithm
        return {
            one: read_commit(content, algorithm)
            for one, content in zip(ordered, data, strict=True)
            if content is not None
        }

    def _look_up(self, entries: Mapping[int, Genesis | Entry | None]) -> None:
        """Which blob every merged commit has for the slips and joins of its entry."""
        wanted = [
            f"{parent}:{path}"
            for step, entry in entries.items()
            for _, path in _documents(step, entry)
            for parent in self.parents.get(self.brought.get(names.entry(step), ""), [])[1:]
        ]
        self.held = blob_ids(self.repo, wanted)

    def _check_entry(
        self, step: int, entry: Genesis | Entry | None, commits: Mapping[str, Commit]
    ) -> None:
        path = names.entry(step)
        commit = self.brought.get(path)
        if commit is None or (self.tied.cut and commit == self.line[0][0]):
            return
        if self._signed(commits, commit, self.opening.offer.host, f"entry {step}"):
            self.tied.entries += 1
        if sum(_is_entry(name) for name in self._of(commit)) > 1:
            self.tied.differences.append(f"{commit[:12]} brings more than one entry")
        for player, document in _documents(step, entry):
            self._check_document(step, commit, player, document, commits)

    def _of(self, commit: str) -> list[str]:
        """The files that a commit of main brought."""
        if not self.grouped:
            for path, at in self.brought.items():
                self.grouped.setdefault(at, []).append(path)
        return self.grouped.get(commit, [])

    def _check_document(
        self, step: int, commit: str, player: str, path: str, commits: Mapping[str, Commit]
    ) -> None:
        """The commit that a player made for a join or slip, merged by its entry's."""
        what = f"the {'join' if step == 0 else 'slip'} of {player}, entry {step}"
        wanted = self.tree.item(path)
        key = self.opening.keys[player]
        for parent in self.parents[commit][1:]:
            if wanted is not None and self.held[f"{parent}:{path}"] == wanted.id:
                self.tied.slips += self._signed(commits, parent, key, what)
                return
        at = self.brought.get(path, commit)
        if at == commit:
            self.tied.differences.append(f"{what} came in the commit of its entry, {at[:12]}")
        elif self._signed(commits, at, self.opening.offer.host, what):
            self.tied.by_host += 1

    def _signed(
        self, commits: Mapping[str, Commit], commit: str, key: PublicKey, what: str
    ) -> bool:
        try:
            commits[commit].check(key)
        except KeyError:
            self.tied.differences.append(f"{what}: commit {commit[:12]} is not here")
            return False
        except Refused as error:
            text = f"{what}: commit {commit[:12]} is {_reason(error)}"
            self.tied.differences.append(text)
            return False
        return True


def _documents(step: int, entry: Genesis | Entry | None) -> list[tuple[str, str]]:
    """The players' documents that an entry names, by player."""
    if isinstance(entry, Genesis):
        return [(player, names.join(player)) for player in entry.joins]
    return [(player, names.slip(step, player)) for player in (entry.slips if entry else ())]


def _reason(error: Refused) -> str:
    return error.message.removeprefix("signature: ")


def _is_entry(path: str) -> bool:
    name = names.parse(path)
    return name is not None and name.kind == "entry" and not name.signature
