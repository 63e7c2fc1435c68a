"""The branches of a game's repository: what each role fetches of them, and pushing.

| branch | pushed by | holds |
|---|---|---|
| `main` | the host | the record: a commit an entry, each with one parent |
| `receipts` | the host | sealed boxes of one size, replaced for all; no part of the record |
| `in.*` | the players | one block each, for the host (`git.submission`) |

Players fetch the host's two branches, by their names, so whatever anybody pushes beside them costs
no player anything. The host lists all branches, chooses by name, and fetches aside (`git.inbox`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from adjudicator.git.objects import is_by, resolve
from adjudicator.git.process import NETWORK, PUSH, Bounds, GitFailed, Repo
from orders.errors import Refused
from orders.public_key import PublicKey

MAIN = "main"
RECEIPTS = "receipts"

SEEN = "refs/adjudicator/seen"
"""The last commit of main that this clone took in; main must continue it."""

_HEADS = "refs/heads/"
_FSCK = re.compile(r"fsck error|error: object [0-9a-f]{40,64}: |is not a valid object|"
                   r"object corrupt|did not receive expected object")  # fmt: skip
"""git's words for an object that is wrong, whoever reads it and whenever."""

_MOST_FOREIGN = 10_000

_OF_USE = (
    "refs/heads/main", "refs/heads/receipts", "refs/heads/in.*",
    "refs/pull/*/head", "refs/merge-requests/*/head",
)  # fmt: skip
_LONGEST = 2**24
"""The most bytes of a list of refs: some 190,000 branches of players."""

USUAL = Bounds(900, 4, 2**22, 2**27)
"""What main and receipts bring together. Whatever exceeds it is fetched again one by one, and main
may have more."""


def full(branch: str) -> str:
    """A branch's whole name at the remote."""
    return f"{_HEADS}{branch}"


def tracked(branch: str) -> str:
    """The name under which a clone keeps one of the host's branches."""
    return f"refs/remotes/origin/{branch}"


@dataclass(frozen=True, slots=True)
class Remote:
    """The host's branches as they were just fetched: the commits at their ends, None for none.

    `main`: the last commit there that the host signed; `foreign`: those after it, the last one
    first. `lost`: the end of the server's main, if it lost commits that `main` has. `unread`: why
    `receipts` could not be fetched, "" if it could.
    """

    main: str | None
    receipts: str | None
    lost: str | None = None
    unread: str = ""
    foreign: tuple[str, ...] = ()

    @property
    def leased(self) -> str | None:
        """The commit at which the server's main ends."""
        return self.lost or self.tip

    @property
    def tip(self) -> str | None:
        """The commit that the host's next one continues."""
        return self.foreign[0] if self.foreign else self.main

    def by(self, repo: Repo, host: PublicKey) -> Remote:
        """The same, where `main` ends at the last commit that the host signed: what others push
        there is read by nobody. If there is none, all of it is judged by what it holds."""
        if self.main is None or is_by(repo, self.main, host):
            return self
        line = repo.text("rev-list", "--topo-order", f"--max-count={_MOST_FOREIGN}", self.main)
        after: list[str] = []
        for one in line.split():
            if is_by(repo, one, host):
                return replace(self, main=one, foreign=tuple(after))
            after.append(one)
        return self


def list_remote(repo: Repo, remote: str) -> dict[str, str]:
    """The refs of a remote that may be of use, by their whole names, and the commits at their ends;
    raises Refused."""
    try:
        out = repo.run(
            "ls-remote", "--quiet", "--refs", remote, *_OF_USE, network=True, most=_LONGEST
        )
    except GitFailed as error:
        if not error.exceeded:
            raise
        raise Refused(
            "git",
            f"{remote} lists more than {_LONGEST} bytes of branches and requests",
            "somebody floods it: remove those branches there, and their right to push",
        ) from None
    rows = [line.partition("\t") for line in out.decode("utf-8", "replace").splitlines()]
    return {ref: one for one, _, ref in rows}


def fetch(repo: Repo, branches: Sequence[str], remote: str = "origin") -> tuple[list[str], str]:
    """Fetch these branches of the host's; returns those that are there, and why `receipts` cannot
    be read ("" if it can). Raises Refused."""
    there: list[str] = []
    waiting, why = [list(branches)], ""
    while waiting:
        some = waiting.pop(0)
        try:
            _fetch(repo, some, remote)
            there += some
        except GitFailed as error:
            absent = [branch for branch in some if f" {full(branch)}\n" in error.stderr]
            if absent and "find remote ref" in error.stderr:
                waiting = [[one for one in some if one != absent[0]], *waiting]
            elif not is_wrong(error):
                raise
            elif len(some) > 1:
                # Whoever may push to receipts must not keep the game from anybody.
                waiting = [[branch] for branch in some]
            elif RECEIPTS in some:
                why = error.message
            else:
                raise Refused("git", f"{MAIN} of the remote: {error.message}", _PUT_BACK) from None
        waiting = [some for some in waiting if some]
    return there, why


def _fetch(repo: Repo, branches: Sequence[str], remote: str) -> None:
    shallow = ("--unshallow",) if repo.is_shallow() else ()
    # Each to an explicit place; the server is asked for these names alone.
    specs = [f"+{full(branch)}:{tracked(branch)}" for branch in branches]
    repo.run(
        "fetch", "--quiet", "--no-tags", "--no-auto-maintenance", "--no-write-fetch-head",
        "--refmap=", *shallow, remote, *specs, network=True,
        bounds=USUAL if RECEIPTS in branches else NETWORK,
    )  # fmt: skip


def of_player(repo: Repo, *, receipts: bool) -> Remote:
    """Fetch what a player needs, or a spectator, who needs no receipts; raises Refused."""
    there, why = fetch(repo, [MAIN, RECEIPTS] if receipts else [MAIN])
    ends = {branch: resolve(repo, tracked(branch)) for branch in there}
    return Remote(ends.get(MAIN), ends.get(RECEIPTS), unread=why)


def of_host(repo: Repo, listed: Mapping[str, str]) -> Remote:
    """Fetch what of its own branches a host lacks; `listed`: all refs of the remote. Raises
    Refused."""
    ends = {branch: listed.get(full(branch)) for branch in (MAIN, RECEIPTS)}
    here = {branch: resolve(repo, tracked(branch)) for branch in ends}
    cut = repo.is_shallow()
    wanted = [one for one, end in ends.items() if end is not None and (cut or end != here[one])]
    why = fetch(repo, wanted)[1] if wanted else ""
    return Remote(ends[MAIN], ends[RECEIPTS], unread=why)


def is_wrong(error: GitFailed) -> bool:
    """Whether a fetch failed by what was to be fetched, whoever fetches it and whenever: it is
    malformed, or beyond all bounds."""
    return error.exceeded or _FSCK.search(error.stderr) is not None


def kept(repo: Repo, main: str) -> str | None:
    """The commit of main that was seen here, where the remote's main ends before it; else None.

    Raises Refused `rewritten` where neither continues the other.
    """
    seen = resolve(repo, SEEN)
    if seen is None or repo.is_ancestor(seen, main):
        return None
    if not repo.is_ancestor(main, seen):
        raise Refused(
            "rewritten",
            f"main of the remote ({main[:12]}) does not continue {seen[:12]}, which was here "
            "before: its history was rewritten",
            f"keep this clone; adjudicator verify --against compares two records. {_PUT_BACK}",
        )
    return seen


_PUT_BACK = f"To put back what was here: git push --force origin {SEEN}:{full(MAIN)}"


# Pushing.


class LostRace(Exception):
    """A push was refused because a branch had moved meanwhile."""


_FIRST = (
    "stale info", "fetch first", "non-fast-forward", "cannot lock ref", "failed to update ref",
    "reference already exists", "incorrect old value", "atomic transaction failed",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Update:
    """A branch to be moved from `old` (None: it is not there yet) to `new` (None: away)."""

    branch: str
    old: str | None
    new: str | None


def push(repo: Repo, updates: Sequence[Update]) -> None:
    """Move branches of the remote, all or none; where nobody may remove branches, these stay.

    Raises LostRace if a branch has moved meanwhile, Refused for anything else.
    """
    kept = [one for one in updates if one.new is not None]
    try:
        _push_all(repo, updates)
    except (GitFailed, LostRace) as error:
        refused = isinstance(error, LostRace) or "rejected]" in error.stderr
        if not refused or len(kept) in (0, len(updates)):
            raise
        # Somebody who moves the branches that would go must not hold up the rest.
        _push_all(repo, kept)


def _push_all(repo: Repo, updates: Sequence[Update]) -> None:
    leases = [f"--force-with-lease={full(one.branch)}:{one.old or ''}" for one in updates]
    specs = [f"{one.new or ''}:{full(one.branch)}" for one in updates]
    try:
        try:
            send(repo, "origin", specs, "--atomic", *leases)
        except GitFailed as error:
            if "does not support --atomic" not in error.stderr:
                raise
            for lease, spec in zip(leases, specs, strict=True):
                send(repo, "origin", [spec], lease)
    except GitFailed as error:
        if is_taken(error):
            raise LostRace(error.message) from None
        raise


def is_taken(error: GitFailed) -> bool:
    """Whether a push failed because a branch is not what it was taken for."""
    return "hook declined" not in error.stderr and any(w in error.stderr for w in _FIRST)


def send(repo: Repo, remote: str, specs: Sequence[str], *options: str) -> str:
    """Push to a remote; what git says of each branch, with `*` for a new one and `=` for one that
    was there already. Raises GitFailed."""
    args = ("push", "--porcelain", "--no-verify", *options, remote, *specs)
    return repo.run(*args, network=True, bounds=PUSH).decode("utf-8", "replace")
