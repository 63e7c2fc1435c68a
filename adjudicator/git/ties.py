"""Whether a repository's commits tell the same story as the record's own chain.

What belongs here: which commit brought which entry and slip, who signed it, and whether that agrees
with the record. A record is true by its own signatures, whatever commits say. So a difference is
told and does not make the record false, unless history holds two entries of one number that the
host signed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator.core.opening import Opening
from adjudicator.git.changes import Change, Pair, between_all
from adjudicator.git.objects import Commit, read_commit
from adjudicator.git.process import Repo
from adjudicator.git.reading import blob_ids, read_objects
from adjudicator.git.tree import Tree
from orders import names, sshsig
from orders.documents import Join, Slip, read_join, read_slip
from orders.entries import AnyEntry, read_entry
from orders.errors import Refused
from orders.public_key import PublicKey, read_public


@dataclass
class Tied:
    """How many entries and slips are in commits, by the signers of these.

    `differences` has a line for each difference; `fork`: history holds two signed entries of one
    number.
    """

    entries: int = 0
    slips: int = 0
    by_host: int = 0
    differences: list[str] = field(default_factory=list)
    fork: str | None = None
    cut: bool = False

    def text(self) -> str:
        """The finding in one line."""
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


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entry of the record in a commit, with the values with which its commits are compared.

    `joins`: who sat in each seat before it. `slips`: those that it uses, by player.
    """

    entry: AnyEntry
    joins: Mapping[str, Join]
    slips: Mapping[str, Slip]

    def key(self, player: str) -> PublicKey:
        """The key with which that player signed what the entry uses."""
        return read_public(self.joins[player].key)

    def documents(self) -> list[tuple[str, str, str]]:
        """By player, the join or slip that the entry names: its path on main, and the path as
        pushed."""
        if self.entry.step == 0:
            paths = {player: names.join(player) for player in self.joins}
            return [(player, path, path) for player, path in paths.items()]
        step = self.entry.step
        return [
            (player, names.slip(step, player), names.slip(slip.step, player))
            for player, slip in self.slips.items()
        ]


def read_told(tree: Tree, opening: Opening) -> list[Recorded]:
    """Every entry of a record that was verified already; raises Refused."""
    last = tree.last_step()
    steps = range(0 if last is None else last + 1)
    tree.prefetch(
        path for path in tree.items() if path.startswith(("entries/", "slips/", "seats/"))
    )
    joins = dict(opening.joins)
    found = []
    for step in steps:
        entry = read_entry(tree.read(names.entry(step)))
        slips = {player: read_slip(tree.read(names.slip(step, player))) for player in entry.slips}
        found.append(Recorded(entry, dict(joins), slips))
        seat = None if entry.ruling is None else entry.ruling.seat
        if seat is not None:
            joins[seat.player] = read_join(tree.read(names.seat(step, seat.player)))
    return found


class Tie:
    """One run over the commits that lead to a record."""

    def __init__(self, repo: Repo, tree: Tree, opening: Opening, told: Sequence[Recorded]) -> None:
        self.repo = repo
        self.tree = tree
        self.opening = opening
        self.told = told
        self.tied = Tied(cut=repo.is_shallow())
        self.parents = {one: parents for one, *parents in repo.walk(tree.commit)}
        self.line = _line(self.parents, tree.commit)
        self.brought: dict[str, str] = {}
        self.grouped: dict[str, list[str]] = {}
        self.held: dict[str, str] = {}
        self.commits: dict[str, Commit] = {}

    def run(self) -> Tied:
        """Look at every commit of main's own line, and at all commits that they merge."""
        pairs: list[Pair] = [(next(iter(self.parents[one]), None), one) for one in self.line]
        for commit, changed in zip(self.line, between_all(self.repo, pairs), strict=True):
            for change in changed.values():
                self._note(commit, change)
        merged = {one for told in self.told for one in self._merged(told)}
        self._read({*merged, *self.brought.values()})
        self._look_up()
        for told in self.told:
            self._check_entry(told)
        self._check_others()
        return self.tied

    def _note(self, commit: str, change: Change) -> None:
        """Remember which commit of main brought a file; note changes that main should never
        have."""
        name = names.parse(change.path)
        if change.status == "A":
            self.brought.setdefault(change.path, commit)
            return
        if name is None:
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

    def _merged(self, told: Recorded) -> list[str]:
        """The commits that the entry's commit merges."""
        commit = self.brought.get(names.entry(told.entry.step), "")
        return self.parents.get(commit, [])[1:]

    def _read(self, wanted: set[str]) -> None:
        ordered = sorted(wanted)
        for one, content in zip(ordered, read_objects(self.repo, ordered), strict=True):
            if content is not None:
                self.commits[one] = read_commit(content, self.repo.algorithm)

    def _look_up(self) -> None:
        """Look up the blob of each slip and join in the merged commits of its entry."""
        wanted = [
            f"{parent}:{pushed}"
            for told in self.told
            for _, _, pushed in told.documents()
            for parent in self._merged(told)
        ]
        self.held = blob_ids(self.repo, wanted)

    def _check_entry(self, told: Recorded) -> None:
        step = told.entry.step
        commit = self.brought.get(names.entry(step))
        if commit is None or (self.tied.cut and commit == self.line[0]):
            return
        if self._signed(commit, self.opening.offer.host, f"entry {step}"):
            self.tied.entries += 1
        if sum(_is_entry(name) for name in self._of(commit)) > 1:
            self.tied.differences.append(f"{commit[:12]} brings more than one entry")
        for player, path, pushed in told.documents():
            self._check_document(told, player, path, pushed)

    def _of(self, commit: str) -> list[str]:
        """The files that a commit of main brought."""
        if not self.grouped:
            for path, at in self.brought.items():
                self.grouped.setdefault(at, []).append(path)
        return self.grouped.get(commit, [])

    def _check_document(self, told: Recorded, player: str, path: str, pushed: str) -> None:
        """Check that the commit that brought a join or slip is its player's or the host's, and
        merged."""
        what = f"the {'slip' if told.entry.step else 'join'} of {player}, entry {told.entry.step}"
        wanted = self.tree.item(path)
        for parent in self._merged(told):
            if wanted is None or self.held[f"{parent}:{pushed}"] != wanted.id:
                continue
            if self.is_by(parent, self.opening.offer.host):
                self.tied.by_host += 1
            else:
                self.tied.slips += self._signed(parent, told.key(player), what)
            return
        at = self.brought.get(path, "")
        self.tied.differences.append(f"{what} came in the commit of its entry, {at[:12]}")

    def is_by(self, commit: str, key: PublicKey) -> bool:
        """Whether that key signed a commit that was read."""
        try:
            self.commits[commit].check(key)
        except (KeyError, Refused):
            return False
        return True

    def _signed(self, commit: str, key: PublicKey, what: str) -> bool:
        try:
            self.commits[commit].check(key)
        except KeyError:
            self.tied.differences.append(f"{what}: commit {commit[:12]} is not here")
            return False
        except Refused as error:
            reason = error.message.removeprefix("signature: ")
            self.tied.differences.append(f"{what}: commit {commit[:12]} is {reason}")
            return False
        return True

    def _check_others(self) -> None:
        """Note every other commit in main's history that nobody of the game signed."""
        others = self.parents.keys() - {*self.commits, *self.line}
        self._read(self.parents.keys() - self.commits)
        keys = list(self._keys())
        for one in sorted(others):
            if not any(self.is_by(one, key) for key in keys):
                self.tied.differences.append(f"commit {one[:12]} is by nobody of the game")

    def _keys(self) -> Iterator[PublicKey]:
        yield self.opening.offer.host
        yield from {read_public(join.key) for told in self.told for join in told.joins.values()}


def _line(parents: Mapping[str, Sequence[str]], end: str) -> list[str]:
    """The first parents that lead to a commit, oldest first."""
    line = [end]
    while parents[line[-1]]:
        line.append(parents[line[-1]][0])
    return line[::-1]


def _is_entry(path: str) -> bool:
    name = names.parse(path)
    return name is not None and name.kind == "entry" and not name.signature
