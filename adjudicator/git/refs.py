"""The branches of a game's repository, fetching them, and how a clone is set up.

| branch | pushed by | holds |
|---|---|---|
| `main` | the host | the record |
| `players/NAME` | the player | main, and the slip (or join) that waits to be taken in |
| `receipts` | the host | sealed boxes of one size, replaced at each sync; no part of the record |
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from adjudicator.git.process import GitFailed, Repo, check_url
from adjudicator.git.tree import Tree
from orders import names
from orders.errors import Refused

MAIN = "main"
RECEIPTS = "receipts"
PLAYERS = "players/"

SEEN = "refs/adjudicator/seen"
"""The last commit of main that was taken for good here; main must go on from it."""

_ORIGIN = "refs/remotes/origin/"
_PULLS = ("refs/remotes/pull/", "refs/remotes/merge-requests/")
_REFSPECS = (
    f"+refs/heads/*:{_ORIGIN}*",
    f"+refs/pull/*/head:{_PULLS[0]}*",
    f"+refs/merge-requests/*/head:{_PULLS[1]}*",
)


def player_branch(player: str) -> str:
    """The branch to which that player pushes."""
    return f"{PLAYERS}{player}"


def full(branch: str) -> str:
    """A branch's whole name at the remote."""
    return f"refs/heads/{branch}"


@dataclass(frozen=True, slots=True)
class Remote:
    """The remote's branches as just fetched: the commits at their ends, None where there is none.

    `ahead` are those of `players` that have something main has not, and `pulls` the ends of such
    pull and merge requests, where the site shows them as refs.
    """

    main: str | None
    receipts: str | None
    players: Mapping[str, str]
    ahead: Mapping[str, str]
    pulls: tuple[str, ...]


def fetch(repo: Repo) -> Remote:
    """Fetch everything; raises Refused."""
    deepen = ("--unshallow",) if repo.is_shallow() else ()
    repo.run(
        "fetch", "--quiet", "--no-tags", "--prune", "--no-auto-maintenance", *deepen,
        "origin", *_REFSPECS, network=True,
    )  # fmt: skip
    refs = _refs(repo)
    main = refs.get(_ORIGIN + MAIN)
    beyond = refs if main is None else _refs(repo, f"--no-merged={main}")
    return Remote(
        main,
        refs.get(_ORIGIN + RECEIPTS),
        _players(refs),
        _players(beyond),
        tuple(one for name, one in sorted(beyond.items()) if name.startswith(_PULLS)),
    )


def _refs(repo: Repo, *options: str) -> dict[str, str]:
    form = "--format=%(objectname) %(refname)"
    lines = repo.text("for-each-ref", form, *options, "refs/remotes").splitlines()
    return {name: one for one, _, name in (line.partition(" ") for line in lines)}


def _players(refs: Mapping[str, str]) -> dict[str, str]:
    start = _ORIGIN + PLAYERS
    return {name[len(start) :]: one for name, one in sorted(refs.items()) if name.startswith(start)}


def check_seen(repo: Repo, main: str) -> None:
    """Raise Refused `rewritten` where main does not go on from what was seen here before."""
    seen = repo.resolve(SEEN)
    if seen is not None and not repo.is_ancestor(seen, main):
        raise Refused(
            "rewritten",
            f"main of the remote ({main[:12]}) does not continue {seen[:12]}, which was here "
            "before: its history was rewritten",
            "keep this clone; adjudicator prove-fork compares two records. To put the history "
            f"back: git push --force origin {SEEN}:refs/heads/{MAIN}",
        )


class Lost(Exception):
    """A push that was refused because somebody else pushed first."""


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


def push(repo: Repo, updates: list[Update]) -> None:
    """Move branches of the remote, all or none, each only from where it was seen.

    Raises Lost where one has moved meanwhile, Refused for anything else.
    """
    leases = [f"--force-with-lease={full(u.branch)}:{u.old or ''}" for u in updates]
    specs = [f"{u.new}:{full(u.branch)}" for u in updates]
    try:
        try:
            _push(repo, ("--atomic", *leases), specs)
        except GitFailed as error:
            if "does not support --atomic" not in error.stderr:
                raise
            for lease, spec in zip(leases, specs, strict=True):
                _push(repo, (lease,), [spec])
    except GitFailed as error:
        told = [line for line in error.stderr.splitlines() if "refused: " in line]
        if told:
            reason = ascii(told[0].partition("refused: ")[2].strip())[1:-1]
            raise Refused("guard", f"the remote refuses: {reason}") from None
        if "hook declined" not in error.stderr and any(w in error.stderr for w in _FIRST):
            raise Lost from None
        raise


def _push(repo: Repo, options: tuple[str, ...], specs: list[str]) -> None:
    repo.run("push", "--quiet", "--no-verify", *options, "origin", *specs, network=True)


def create(root: Path, url: str) -> Repo:
    """Make a folder a repository with that remote; one that is there already is used."""
    url = check_url(url)
    if "://" not in url and Path(url).exists():
        url = str(Path(url).absolute())
    repo = Repo(root)
    if not (root / ".git").exists():
        root.mkdir(parents=True, exist_ok=True)
        repo.run("init", "--quiet", f"--initial-branch={MAIN}")
    there = repo.config("remote.origin.url")
    if there is None:
        repo.run("remote", "add", "origin", url)
    elif there != url:
        raise Refused(
            "exists", f"{str(root)!a} has another remote: {there!a:.120}", "git remote set-url"
        )
    return repo


def settle(repo: Repo, commit: str) -> None:
    """Make a commit the clone's own main, as if it had been checked out.

    The record's files are there already, each checked as it came; only what lies beside is
    written. The index is put in place whole, so that a run that was ended leaves no lock.
    """
    if repo.resolve(SEEN) == commit == repo.resolve(full(MAIN)):
        return
    tree = Tree.open(repo, commit)
    folder = repo.git_dir.absolute()
    draft = folder / "adjudicator-index"
    draft.unlink(missing_ok=True)
    env = {"GIT_INDEX_FILE": str(draft)}
    repo.run("read-tree", commit, env=env)
    listed = repo.run("ls-files", "-z", "--", *names.BESIDE, env=env).split(b"\0")
    beside = [one.decode("utf-8", "surrogateescape") for one in listed if one]
    if beside:
        repo.run("checkout-index", "-q", "-f", "--", *beside, env=env)
    attributes = repo.root / names.ATTRIBUTES
    if tree.item(names.ATTRIBUTES) is not None and not attributes.exists():
        attributes.write_bytes(tree.read(names.ATTRIBUTES))
    repo.ask_with(env, "update-index", "-q", "--refresh")
    os.replace(draft, folder / "index")  # noqa: PTH105 - both are there
    repo.run("symbolic-ref", "HEAD", full(MAIN))
    moved = f"update {full(MAIN)} {commit}\nupdate {SEEN} {commit}\n"
    repo.run("update-ref", "--stdin", given=moved.encode())
    # Fetches are told not to: a collection between two steps of a sync would cost time there.
    repo.ask("gc", "--auto", "--quiet")
