"""The branches of a game's repository: what each role fetches of them, what a restored server has
lost of them, and pushing.

| branch | pushed by | holds |
|---|---|---|
| `main` | the host | the record |
| `players/NAME` | the player | main, and the slip (or join) that waits to be taken in |
| `receipts` | the host | sealed boxes of one size, replaced for all; no part of the record |

Everybody fetches `main`, a player also `receipts` and their own branch. The host fetches `main` and
`receipts`, and then, by `git.strangers`, the branches and requests that anybody pushed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from adjudicator.git import letterbox
from adjudicator.git.process import PUSH, GitFailed, Repo
from adjudicator.git.reading import is_by, look_up, resolve
from orders.errors import Refused
from orders.public_key import PublicKey

MAIN = "main"
RECEIPTS = "receipts"
PLAYERS = "players/"

SEEN = "refs/adjudicator/seen"
"""The last commit of main that this clone took in; main must continue it."""

_HEADS = "refs/heads/"
_TRACKED = {
    _HEADS: "refs/remotes/origin/",
    "refs/pull/": "refs/remotes/pull/",
    "refs/merge-requests/": "refs/remotes/merge-requests/",
}
"""The prefix under which a clone keeps a remote's refs."""

PULLS = ("refs/pull/*/head", "refs/merge-requests/*/head")
"""The refs in which sites show pull and merge requests."""


def player_branch(player: str) -> str:
    """The branch to which that player pushes."""
    return f"{PLAYERS}{player}"


def full(branch: str) -> str:
    """A branch's whole name at the remote."""
    return f"{_HEADS}{branch}"


def tracked(ref: str) -> str:
    """The name under which a clone keeps a ref of the remote."""
    start = next(start for start in _TRACKED if ref.startswith(start))
    return _TRACKED[start] + ref.removeprefix(start).removesuffix("/head")


@dataclass(frozen=True, slots=True)
class Remote:
    """The remote's branches as they were just fetched: the commits at their ends, None for none.

    `players` are ends of players' branches; a player's clone has only its own. `pulls` are ends of
    pull requests. A host has only ends that may be useful and that main does not have; `told` has a
    line for each that was left out. `lost`: the end of the server's main, if it lost commits that
    `main` has. `others`: a digest of all other branches and requests; "" if not all of them were
    looked at. `to`: where a player pushes: `fork` if the clone has one.
    """

    main: str | None
    receipts: str | None
    players: Mapping[str, str]
    pulls: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    lost: str | None = None
    others: str = ""
    to: str = "origin"

    @property
    def leased(self) -> str | None:
        """The commit at which the server's main ends."""
        return self.lost or self.main


def fetch(repo: Repo, player: str | None = None) -> Remote:
    """Fetch what that player needs, or (None) a spectator; raises Refused."""
    own = [] if player is None else [full(player_branch(player))]
    branches = [full(MAIN)] if player is None else [full(MAIN), full(RECEIPTS)]
    to = "origin" if repo.config("remote.fork.url") is None else "fork"
    listed = list_remote(repo, branches + (own if to == "origin" else []))
    bring(repo, listed)
    if own and to != "origin":
        forked = list_remote(repo, own, to)
        bring(repo, forked, to)
        listed |= forked
    players = {} if player is None else of_players(listed)
    return Remote(listed.get(full(MAIN)), listed.get(full(RECEIPTS)), players, to=to)


def of_players(listed: Mapping[str, str]) -> dict[str, str]:
    """The ends of players' branches among these refs, by player."""
    start = full(PLAYERS)
    return {ref.removeprefix(start): one for ref, one in listed.items() if ref.startswith(start)}


def list_remote(repo: Repo, patterns: Sequence[str], remote: str = "origin") -> dict[str, str]:
    """The remote's refs of these names, and the commits at their ends; raises Refused."""
    out = repo.run("ls-remote", "--quiet", remote, *patterns, network=True)
    rows = [line.partition("\t") for line in out.decode("utf-8", "replace").splitlines()]
    starts = tuple(_TRACKED)
    # git compares a pattern with the end of a name only.
    return {ref: one for one, _, ref in rows if ref.startswith(starts)}


def bring(repo: Repo, listed: Mapping[str, str], remote: str = "origin") -> None:
    """Fetch these refs unless they are here already; raises Refused.

    The boxes are fetched apart from others, so that old ones can be removed (`git.letterbox`).
    """
    here = held(repo, listed)
    wanted = [ref for ref, one in listed.items() if here.get(ref) != one]
    if repo.is_shallow():
        _fetch(repo, remote, wanted or list(listed), "--unshallow")
        return
    boxes = [ref for ref in wanted if ref == full(RECEIPTS)]
    for refs in ([ref for ref in wanted if ref not in boxes], boxes):
        if refs:
            _fetch(repo, remote, refs)
    if boxes and boxes[0] in here:
        letterbox.forget(repo, here[boxes[0]])


def _fetch(repo: Repo, remote: str, wanted: Sequence[str], *options: str) -> None:
    specs = [f"+{ref}:{tracked(ref)}" for ref in wanted]
    repo.run(
        "fetch", "--quiet", "--no-tags", "--no-auto-maintenance", *options, remote, *specs,
        network=True,
    )  # fmt: skip


def held(repo: Repo, listed: Iterable[str]) -> dict[str, str]:
    """Where those of the remote's refs that this clone has end in it."""
    asked = list(listed)
    found = zip(asked, look_up(repo, [tracked(ref) for ref in asked]), strict=True)
    return {ref: one.id for ref, one in found if one is not None}


def kept(repo: Repo, main: str) -> str | None:
    """The commit of main that was seen here, where the remote's main ends before it; else None.

    Raises Refused `rewritten` where neither continues the other.
    """
    seen = resolve(repo, SEEN)
    if seen is None or repo.is_ancestor(seen, main):
        return None
    if not repo.is_ancestor(main, seen):
        raise rewritten(seen, main)
    return seen


def rewritten(seen: str, main: str) -> Refused:
    """Why a main that does not continue what was seen here before is not taken in."""
    return Refused(
        "rewritten",
        f"main of the remote ({main[:12]}) does not continue {seen[:12]}, which was here "
        "before: its history was rewritten",
        "keep this clone; adjudicator verify --against compares two records. To put the history "
        f"back: git push --force origin {SEEN}:{full(MAIN)}",
    )


# After a server was restored from an old backup, clones still have the commits that its main lost.
# The host's signature makes them the host's, whoever pushed them; the caller verifies that they
# hold the game's next entries.


def continued(repo: Repo, end: str, main: str, host: PublicKey) -> str | None:
    """The last of the host's commits on the first-parent line to `end` that continue `main`.

    None if there is none: all commits between the two must be the host's.
    """
    if end == main:
        return None
    at = main
    for one, *parents in repo.walk("--first-parent", "--reverse", end, f"^{main}"):
        if parents[:1] != [at] or not is_by(repo, one, host):
            break
        at = one
    return None if at == main else at


def foreign(repo: Repo, main: str, host: PublicKey) -> list[str]:
    """The commits on main's first-parent line since what was seen here that the host did not sign,
    the last one first."""
    seen = resolve(repo, SEEN)
    if seen is None or seen == main:
        return []
    line = repo.walk("--first-parent", main, f"^{seen}")
    return [one for one, *_ in line if not is_by(repo, one, host)]


def complete(repo: Repo, remote: Remote, host: PublicKey) -> Remote:
    """The remote, with the longest main that this clone has or a player pushed."""
    if remote.main is None:
        return remote
    seen = resolve(repo, SEEN)
    main = remote.main
    for end in (*([] if seen is None else [seen]), *remote.players.values(), *remote.pulls):
        main = continued(repo, end, main, host) or main
    return remote if main == remote.main else replace(remote, main=main, lost=remote.main)


# Pushing.


class LostRace(Exception):
    """A push was refused because a branch had moved meanwhile."""


_FIRST = (
    "stale info", "fetch first", "non-fast-forward", "cannot lock ref", "failed to update ref",
    "reference already exists", "incorrect old value", "atomic transaction failed",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Update:
    """A branch to be moved from `old` (None: it is not there yet) to `new`."""

    branch: str
    old: str | None
    new: str


def push(repo: Repo, updates: Sequence[Update], remote: str = "origin") -> None:
    """Move branches of the remote, all or none.

    Raises LostRace if a branch has moved meanwhile, Refused for anything else.
    """
    leases = [f"--force-with-lease={full(u.branch)}:{u.old or ''}" for u in updates]
    specs = [f"{u.new}:{full(u.branch)}" for u in updates]
    try:
        try:
            _push(repo, ("--atomic", *leases), remote, specs)
        except GitFailed as error:
            if "does not support --atomic" not in error.stderr:
                raise
            for lease, spec in zip(leases, specs, strict=True):
                _push(repo, (lease,), remote, [spec])
    except GitFailed as error:
        told = [line for line in error.stderr.splitlines() if "refused: " in line]
        if told:
            reason = ascii(told[0].partition("refused: ")[2].strip())[1:-1]
            raise Refused("guard", f"the remote refuses: {reason}") from None
        if "hook declined" not in error.stderr and any(w in error.stderr for w in _FIRST):
            raise LostRace(error.message) from None
        raise


def _push(repo: Repo, options: Sequence[str], remote: str, specs: Sequence[str]) -> None:
    args = ("push", "--quiet", "--no-verify", *options, remote, *specs)
    repo.run(*args, network=True, bounds=PUSH)
