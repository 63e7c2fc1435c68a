"""What commits change: two levels of two trees compared, as a record has them.

Any other folder that differs is one change and is never entered, so a stranger's tree is never
listed to its end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from adjudicator.git.objects import FILE, object_id
from adjudicator.git.process import ANSWER, Repo, Row
from adjudicator.git.reading import look_up
from orders import names
from orders.errors import Refused

MOST_COMMITS = 200
"""How many commits of a branch beyond main are looked at."""

MOST_CHANGED = 2**22
"""The most bytes that git may need to tell what they change: some 20,000 files, as where a player
who was long away merges main."""

_TREE = "040000"


@dataclass(frozen=True, slots=True)
class Change:
    """A file in which a commit differs from a parent, or a folder that is none of a record's.

    `status`: A, M, D or T; `old`, `new`: ids; `before`, `mode`: the modes that go with them.
    """

    path: str
    status: str
    mode: str
    old: str
    new: str
    before: str = FILE

    @property
    def shown(self) -> str:
        """The path, with unprintable characters escaped."""
        return ascii(self.path)[1:-1]

    @property
    def beside(self) -> bool:
        """Whether the file is no part of the record and may lie beside it."""
        return self.path.split("/", 1)[0] in names.BESIDE


Pair = tuple[str | None, str | None]
"""Two commits, or two trees; None: there is none."""


def between(repo: Repo, old: str | None, new: str) -> dict[str, Change]:
    """The differences between two commits, by path; `old` None: everything is new."""
    return between_all(repo, [(old, new)])[0] if new != old else {}


def between_all(repo: Repo, pairs: Sequence[Pair], most: int = ANSWER) -> list[dict[str, Change]]:
    """The same for many pairs, in their order.

    Two levels are compared, as a record has: the root, and the record's own folders. Any other
    folder that differs is one change. Raises Refused if there is more to tell than `most` bytes.
    """
    commits = sorted({one for pair in pairs for one in pair if one is not None})
    found = look_up(repo, [f"{one}^{{tree}}" for one in commits])
    trees = {one: tree.id for one, tree in zip(commits, found, strict=True) if tree is not None}
    lost = [one for one in commits if one not in trees]
    if lost:
        raise Refused("git", f"there is no commit {lost[0][:12]}")
    roots = [(old and trees[old], new and trees[new]) for old, new in pairs]
    out: list[dict[str, Change]] = []
    inner: list[tuple[dict[str, Change], str, Pair]] = []
    for root in _compare(repo, roots, most):
        out.append({})
        for change in root:
            if change.path in names.FOLDERS and _TREE in (change.mode, change.before):
                pair = (_folder(change.before, change.old), _folder(change.mode, change.new))
                inner.append((out[-1], change.path, pair))
            else:
                _put(out[-1], change)
    for (into, folder, _), changes in zip(
        inner, _compare(repo, [pair for _, _, pair in inner], most), strict=True
    ):
        for change in changes:
            _put(into, replace(change, path=f"{folder}/{change.path}"))
    return out


def _folder(mode: str, id: str) -> str | None:
    return id if mode == _TREE else None


def _put(into: dict[str, Change], change: Change) -> None:
    """A file that became a folder is told by git as two changes of one name."""
    known = into.get(change.path)
    into[change.path] = change if known is None else replace(change, status="T")


def _compare(repo: Repo, trees: Sequence[Pair], most: int) -> list[list[Change]]:
    """The differences between the items of two trees each, none of them entered."""
    if not trees:
        return []
    empty = object_id("tree", b"", repo.algorithm)
    given = "".join(f"{old or empty} {new or empty}\n" for old, new in trees)
    args = ("--stdin", "-z", "--raw", "--no-renames", "--no-abbrev", "--always")
    told = repo.run("diff-tree", *args, given=given.encode(), most=most)
    found: list[list[Change]] = []
    parts = iter(told.decode("utf-8", "surrogateescape").split("\0"))
    for part in parts:
        # Before the differences of two trees there is a line with both, without a zero after it.
        *heads, row = part.split("\n")
        found += [[] for _ in heads]
        words = row.lstrip(":").split()
        if len(words) == 5:
            before, mode, old, new, status = words
            found[-1].append(Change(next(parts), status[0], mode, old, new, before))
    if len(found) != len(trees):
        raise Refused("git", "git diff-tree did not tell every difference")
    return found


@dataclass(frozen=True, slots=True)
class Step:
    """The changes of one commit: `own` are those against all its parents, `against` those against
    each parent."""

    commit: str
    own: tuple[Change, ...]
    against: Mapping[str, Mapping[str, Change]]

    @property
    def parents(self) -> tuple[str, ...]:
        """Its parents, in their order."""
        return tuple(self.against)


def steps(repo: Repo, rows: Sequence[Row], most: int = ANSWER) -> list[Step]:
    """The changes of each of these commits; raises Refused if they take more than `most` bytes."""
    pairs: list[Pair] = [(parent, one) for one, *parents in rows for parent in (parents or (None,))]
    differences = iter(between_all(repo, pairs, most))
    out = []
    for one, *parents in rows:
        found = [next(differences) for _ in range(max(len(parents), 1))]
        first, *others = found
        own = [change for path, change in first.items() if all(path in other for other in others)]
        out.append(Step(one, tuple(own), dict(zip(parents, found, strict=False))))
    return out


@lru_cache(maxsize=64)
def beyond(repo: Repo, end: str, main: str) -> tuple[Step, ...]:
    """The commits of a branch that main does not have, oldest first, with what they change.

    At most MOST_COMMITS. Cached, as they never change. Raises Refused if they change too much.
    """
    count = f"--max-count={MOST_COMMITS}"
    rows = repo.walk("--topo-order", count, "--reverse", end, f"^{main}")
    return tuple(steps(repo, rows, MOST_CHANGED))
