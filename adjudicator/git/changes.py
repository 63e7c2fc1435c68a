"""What commits change, and which changes a player's commits may make.

What belongs here: the one judgement of a player's commits that the host (may I merge them?) and the
guard (may they be pushed?) share. What it must not know: branches, signatures.

A file is *settled* once the record that holds it has an entry of its step: nothing that is settled
is ever changed or removed. A slip that waits may be replaced by its player.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from adjudicator.git.objects import FILE
from adjudicator.git.process import Repo
from adjudicator.git.slips import MOST_COMMITS, beyond
from adjudicator.git.tree import Tree
from orders import names
from orders.errors import Refused

_OWN = ("join", "slip", "sealed")
"""What players push."""


@dataclass(frozen=True, slots=True)
class Change:
    """A file that a commit has otherwise than a parent. `status`: A, M, D or T; ids of blobs."""

    path: str
    status: str
    mode: str
    old: str
    new: str

    @property
    def shown(self) -> str:
        """The path, printable."""
        return ascii(self.path)[1:-1]

    @property
    def beside(self) -> bool:
        """Whether it is no part of the record and may lie beside it."""
        return self.path.split("/", 1)[0] in names.BESIDE


Pair = tuple[str | None, str]
"""A commit's parent (None: it has none) and the commit."""


def between(repo: Repo, old: str | None, new: str) -> dict[str, Change]:
    """By path what differs between two commits' trees; `old` None: everything is new."""
    if old is None or new == old:
        return between_all(repo, [(None, new)])[0] if old is None else {}
    return between_all(repo, [(old, new)])[0]


def between_all(repo: Repo, pairs: Sequence[Pair]) -> list[dict[str, Change]]:
    """The same for many pairs, in their order."""
    given = "".join(f"{new} {old}\n" if old else f"{new}\n" for old, new in pairs)
    out = repo.run(
        "diff-tree", "--stdin", "--root", "-r", "-z", "--raw", "--no-renames", "--no-abbrev",
        "--always", given=given.encode(),
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


@dataclass(frozen=True, slots=True)
class Step:
    """What one commit does: `own` against all its parents, `against` each parent."""

    commit: str
    own: tuple[Change, ...]
    against: Mapping[str, Mapping[str, Change]]


def steps(repo: Repo, commits: Sequence[str]) -> list[Step]:
    """What each of these commits does. A merge is charged with what no parent has so."""
    if not commits:
        return []
    given = "".join(f"{one}\n" for one in commits).encode()
    listed = repo.run("rev-list", "--parents", "--no-walk=unsorted", "--stdin", given=given)
    family = [(one, parents) for one, *parents in map(str.split, listed.decode().splitlines())]
    pairs: list[Pair] = [
        (parent, one) for one, parents in family for parent in (parents or (None,))
    ]
    differences = iter(between_all(repo, pairs))
    out = []
    for one, parents in family:
        found = [next(differences) for _ in range(max(len(parents), 1))]
        first, *others = found
        own = [change for path, change in first.items() if all(path in other for other in others)]
        out.append(Step(one, tuple(own), dict(zip(parents, found, strict=False))))
    return out


def losses(repo: Repo, step: Step, last_steps: dict[str, int]) -> list[str]:
    """Settled files of a parent's that a commit changes or has not; a line each.

    `last_steps` remembers the last entry of commits looked at.
    """
    found = []
    merge = len(step.against) > 1
    for parent, changed in step.against.items():
        lost = [one for one in changed.values() if one.status != "A" and not one.beside]
        if not lost:
            continue
        if parent not in last_steps:
            last = Tree.open(repo, parent).last_step()
            last_steps[parent] = -1 if last is None else last
        for one in lost:
            if not is_settled(one.path, last_steps[parent]):
                continue
            if one.status == "D":
                what = "dropped by a merge" if merge else "removed"
            else:
                what = "changed"
            found.append(f"{one.shown}: {what} in {step.commit[:12]}; the record only grows")
    return found


def is_settled(path: str, last: int) -> bool:
    """Whether a record whose last entry is `last` (-1: none) has that file for good."""
    name = names.parse(path)
    if name is None:
        return False
    if name.kind == "join":
        return last >= 0
    return name.kind not in _OWN or (name.step or 0) <= last


def player_faults(
    repo: Repo, commits: Sequence[str], player: str | None, kinds: Iterable[str] = _OWN
) -> list[str]:
    """Why commits are not what a player pushes; empty where they are.

    `player` None: of whichever one player they are.
    """
    faults: list[str] = []
    last_steps: dict[str, int] = {}
    for step in steps(repo, commits):
        if not step.against:
            return [f"{step.commit[:12]} begins another history"]
        lost = losses(repo, step, last_steps)
        faults += lost
        for change in step.own:
            if any(line.startswith(f"{change.shown}: ") for line in lost):
                continue
            name = names.parse(change.path)
            if name is None or change.beside:
                faults.append(f"{change.shown}: a file that belongs nowhere")
            elif name.kind not in kinds:
                faults.append(f"{change.shown}: only the host adds this, on main")
            elif player is not None and name.player != player:
                faults.append(f"{change.shown}: in another player's name, not {player}'s")
            elif change.status == "D":
                faults.append(f"{change.shown}: removed; what waits is replaced, never removed")
            elif change.mode != FILE:
                faults.append(f"{change.shown}: no plain file (mode {change.mode})")
            player = player or (name.player if name is not None else None)
    return faults


def why_not_merged(repo: Repo, commit: str, main: str, player: str) -> str | None:
    """Why a player's commit may not become part of main's history; None where it may.

    All its commits that main does not have may add that player's own join, slips and sealed
    orders, or replace those that wait, and do nothing else.
    """
    commits = beyond(repo, commit, main)
    if len(commits) >= MOST_COMMITS:
        return f"it has {MOST_COMMITS} commits or more that main has not"
    faults = player_faults(repo, commits, player)
    return faults[0] if faults else None
