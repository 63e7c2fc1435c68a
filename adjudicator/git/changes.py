"""What commits change, and which commits of players the record's history may hold.

The host (may I merge them?) and the guard (may they be pushed?) share this one judgement, so that
no commit that the guard lets in stops the host's next push.

A player's commit adds that player's join, or slips with their sealed orders for the step that
waits, and does nothing else. It is signed by that player's key, and its message is the tool's.
Files of main are never changed or left out. A player may replace their own waiting slip.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import Offer, read_offer
from adjudicator.git import messages
from adjudicator.git.objects import FILE, object_id, read_commit
from adjudicator.git.process import ANSWER, Repo, Row
from adjudicator.git.reading import look_up, read_objects, sizes
from adjudicator.git.tree import Tree
from adjudicator.store.record import FOLDERS
from orders import names
from orders.documents import read_join
from orders.errors import Missing, Refused
from orders.public_key import PublicKey, read_public
from orders.sealing import sealed_size

KINDS = ("join", "slip", "sealed")
"""The kinds of files that players push."""

LARGEST_DOCUMENT = 4_096
"""Bytes of a join, a slip or a signature."""

LARGEST_COMMIT = 8_192
"""The most bytes of a player's commit object: parents, message and signature."""

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
            if change.path in FOLDERS and _TREE in (change.mode, change.before):
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


class Ground:
    """The verified record that main holds, by which players' commits are judged."""

    def __init__(self, repo: Repo, main: str, ledger: Ledger | None = None) -> None:
        """`ledger`: the game, if it was verified before; it may have more entries than main."""
        self.repo = repo
        self.main = main
        self.tree = Tree.open(repo, main)
        self.offer: Offer = read_offer(self.tree)
        if ledger is None and self.tree.last_step() is not None:
            self.tree.prefetch(path for path in self.tree.items() if not path.startswith("reports"))
            ledger = Ledger.read(self.tree)
        self.ledger = ledger

    def key(self, player: str, tree: Tree) -> PublicKey:
        """The key of a player's commits on that tree; raises Missing or Refused."""
        last = tree.last_step()
        if last is None or self.ledger is None:
            return read_public(read_join(tree.read(names.join(player))).key)
        if player not in self.ledger.opening.players:
            raise Refused("no-seat", f"nobody in this game is called {player}")
        return self.ledger.link(last).key(player)

    def waiting(self, tree: Tree) -> range:
        """The steps for which a slip can be written on that tree; none before genesis."""
        last = tree.last_step()
        if last is None or self.ledger is None:
            return range(0)
        return range(self.ledger.link(last).since + 1, last + 2)

    def most(self, path: str) -> int:
        """The most bytes of a player's file."""
        if path.endswith(".sealed") and self.ledger is not None:
            return sealed_size(self.ledger.opening.sizes.order)
        return LARGEST_DOCUMENT


def why_not_merged(ground: Ground, commit: str, player: str) -> str | None:
    """Why a player's commit may not become part of main's history; None if it may."""
    faults = player_faults(ground, beyond(ground.repo, commit, ground.main), player)
    return faults[0] if faults else None


def player_faults(ground: Ground, made: Sequence[Step], player: str | None) -> list[str]:
    """Why commits, oldest first, are not those of a player; empty if nothing is wrong.

    `player` None: they may be any one player's. Only the first commit with faults is told.
    """
    if len(made) >= MOST_COMMITS:
        return [f"it has {MOST_COMMITS} commits or more that main does not have"]
    if player is None:
        player = min(players(made), default=None)
    if player is None:
        return ["it holds no join and no order of a player"]
    for step in made:
        if not step.against:
            return [f"{step.commit[:12]} begins another history"]
        lost = losses(ground, step)
        faults = list(lost)
        skipped = {line.partition(": ")[0] for line in lost}
        tree = Tree.open(ground.repo, step.commit)
        for change in step.own:
            if change.shown not in skipped:
                faults += _change_faults(ground, tree, change, player)
        faults = faults or [
            *_size_faults(ground, step.own),
            *_commit_faults(ground, step, tree, player),
        ]
        if faults:
            return faults
    return []


def players(made: Iterable[Step]) -> set[str]:
    """The players in whose names commits add such files as players push."""
    parsed = [names.parse(change.path) for step in made for change in step.own]
    return {name.player for name in parsed if name is not None and name.kind in KINDS}


def losses(ground: Ground, step: Step) -> list[str]:
    """Files of main that a parent of a commit has and that the commit changes or leaves out."""
    found = []
    merge = len(step.against) > 1
    for parent, changed in step.against.items():
        for one in changed.values():
            item = None if one.beside or one.status == "A" else ground.tree.item(one.path)
            if item is None or item.id != one.old or _waits(ground.repo, parent, one.path):
                continue
            what = "changed"
            if one.status == "D":
                what = "dropped by a merge" if merge else "removed"
            found.append(f"{one.shown}: {what} in {step.commit[:12]}; the record only grows")
    return found


def _waits(repo: Repo, commit: str, path: str) -> bool:
    """Whether a join or slip still waits in that commit: no entry there names it."""
    name = names.parse(path)
    if name is None or name.kind not in KINDS:
        return False
    last = Tree.open(repo, commit).last_step()
    return last is None or (name.kind != "join" and name.step > last)


def _change_faults(ground: Ground, tree: Tree, change: Change, player: str) -> list[str]:
    """Why one file of a commit is not what that player may add."""
    name = names.parse(change.path)
    if name is None or change.beside:
        return [f"{change.shown}: a file that belongs nowhere"]
    if name.kind not in KINDS:
        return [f"{change.shown}: only the host adds this, on main"]
    if name.player != player:
        return [f"{change.shown}: in another player's name, not {player}'s"]
    if change.status == "D":
        return [f"{change.shown}: removed; a waiting file may be replaced, but not removed"]
    if change.mode != FILE:
        return [f"{change.shown}: no plain file (mode {change.mode})"]
    if name.kind == "join":
        return _join_faults(ground.repo, tree, change)
    waiting = ground.waiting(tree)
    if name.step not in waiting:
        expected = f"the step that waits is {waiting[-1]}" if waiting else "the game has not begun"
        return [f"{change.shown}: for a step that does not wait: {expected}"]
    return []


def _join_faults(repo: Repo, tree: Tree, change: Change) -> list[str]:
    if tree.last_step() is not None:
        return [f"{change.shown}: the game has begun"]
    if change.status == "M" and not change.path.endswith(".sig"):
        old, new = (_join_key(data) for data in read_objects(repo, [change.old, change.new]))
        if old is not None and old != new:
            return [f"{change.shown}: replaces the join of another key, {old.fingerprint}"]
    return []


def _join_key(data: bytes | None) -> PublicKey | None:
    """The key in a join; None if the bytes are no join."""
    try:
        return None if data is None else read_public(read_join(data).key)
    except Refused:
        return None


def _size_faults(ground: Ground, changed: Sequence[Change]) -> list[str]:
    known = sizes(ground.repo, [change.new for change in changed])
    return [
        f"{change.shown}: {known.get(change.new)} bytes, at most {ground.most(change.path)}"
        for change in changed
        if known.get(change.new, 2**31) > ground.most(change.path)
    ]


def _commit_faults(ground: Ground, step: Step, tree: Tree, player: str) -> list[str]:
    """Why the commit object is not one that this player's tool makes."""
    short = step.commit[:12]
    data = read_objects(ground.repo, [step.commit])[0] or b""
    if len(data) > LARGEST_COMMIT:
        return [f"{short}: a commit of {len(data)} bytes, at most {LARGEST_COMMIT}"]
    commit = read_commit(data, ground.repo.algorithm)
    try:
        commit.check(ground.key(player, tree))
    except Missing as error:
        return [f"{short}: {error.message}"]
    except Refused as error:
        return [f"{short} is not by {player}: {error.message}"]
    if not commit.names(player) or not messages.is_of(player, commit.message):
        return [f"{short}: its message is not the tool's for a join or an order of {player}"]
    return []
