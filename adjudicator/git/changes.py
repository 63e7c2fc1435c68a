"""What commits change, and which commits of players the record's history may hold.

The host (may I merge them?) and the guard (may they be pushed?) share this one judgement, so that
no commit that the guard lets in stops the host's next push.

A player's commit adds that player's join, or slips with their sealed orders for the step that
waits, and does nothing else. It is signed by that player's key, and its message is the tool's.
Files of main are never changed or left out. A player may replace their own waiting slip.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import Offer, read_offer
from adjudicator.git import messages
from adjudicator.git.objects import FILE, read_commit
from adjudicator.git.process import Repo, Row
from adjudicator.git.reading import read_objects, sizes
from adjudicator.git.slips import MOST_COMMITS, beyond
from adjudicator.git.tree import Tree
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


@dataclass(frozen=True, slots=True)
class Change:
    """A file in which a commit differs from a parent. `status`: A, M, D or T; ids of blobs."""

    path: str
    status: str
    mode: str
    old: str
    new: str

    @property
    def shown(self) -> str:
        """The path, with unprintable characters escaped."""
        return ascii(self.path)[1:-1]

    @property
    def beside(self) -> bool:
        """Whether the file is no part of the record and may lie beside it."""
        return self.path.split("/", 1)[0] in names.BESIDE


Pair = tuple[str | None, str]
"""A commit's parent (None: it has none) and the commit."""


def between(repo: Repo, old: str | None, new: str) -> dict[str, Change]:
    """The differences between two commits' trees, by path; `old` None: everything is new."""
    return between_all(repo, [(old, new)])[0] if new != old else {}


def between_all(repo: Repo, pairs: Sequence[Pair], *paths: str) -> list[dict[str, Change]]:
    """The same for many pairs, in their order; with `paths` only of files below these."""
    if not pairs:
        return []
    given = "".join(f"{new} {old}\n" if old else f"{new}\n" for old, new in pairs)
    out = repo.run(
        "diff-tree", "--stdin", "--root", "-r", "-z", "--raw", "--no-renames", "--no-abbrev",
        "--always", "--", *paths, given=given.encode(),
    )  # fmt: skip
    found: list[dict[str, Change]] = []
    parts = iter(out.decode("utf-8", "surrogateescape").split("\0"))
    for part in parts:
        if not part.startswith(":"):
            if part:
                found.append({})
            continue
        path = next(parts)
        words = part.lstrip(":").split()
        if len(words) == 5:
            found[-1][path] = Change(path, words[4][0], words[1], words[2], words[3])
    if len(found) != len(pairs):
        raise Refused("git", "git diff-tree did not tell every difference")
    return found


def of_use(repo: Repo, ends: Sequence[str], main: str, since: int) -> set[str]:
    """Those ends of branches that have a slip for a step after `since`, in a game under way."""
    changed = between_all(repo, [(main, end) for end in ends], "slips/")
    return {end for end, found in zip(ends, changed, strict=True) if _latest(found) > since}


def _latest(paths: Iterable[str]) -> int:
    return max((name.step for name in map(names.parse, paths) if name is not None), default=0)


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


def steps(repo: Repo, rows: Sequence[Row]) -> list[Step]:
    """The changes of each of these commits."""
    pairs: list[Pair] = [(parent, one) for one, *parents in rows for parent in (parents or (None,))]
    differences = iter(between_all(repo, pairs))
    out = []
    for one, *parents in rows:
        found = [next(differences) for _ in range(max(len(parents), 1))]
        first, *others = found
        own = [change for path, change in first.items() if all(path in other for other in others)]
        out.append(Step(one, tuple(own), dict(zip(parents, found, strict=False))))
    return out


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
    commits = beyond(ground.repo, commit, ground.main)
    faults = player_faults(ground, commits, player)
    return faults[0] if faults else None


def player_faults(ground: Ground, commits: Sequence[Row], player: str | None) -> list[str]:
    """Why commits, oldest first, are not those of a player; empty if nothing is wrong.

    `player` None: they may be any one player's.
    """
    if len(commits) >= MOST_COMMITS:
        return [f"it has {MOST_COMMITS} commits or more that main does not have"]
    made = steps(ground.repo, commits)
    if player is None:
        player = min(players(made), default=None)
    if player is None:
        return ["it holds no join and no order of a player"]
    faults: list[str] = []
    for step in made:
        if not step.against:
            return [f"{step.commit[:12]} begins another history"]
        lost = losses(ground, step)
        faults += lost
        skipped = {line.partition(": ")[0] for line in lost}
        tree = Tree.open(ground.repo, step.commit)
        for change in step.own:
            if change.shown not in skipped:
                faults += _change_faults(ground, tree, change, player)
        if not faults:
            faults += _size_faults(ground, step.own) + _commit_faults(ground, step, tree, player)
    return faults


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
