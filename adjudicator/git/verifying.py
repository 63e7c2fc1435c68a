"""Verifying a record in a repository: a clone's folder, a commit, or an address.

Nothing is checked out. The record's own signatures decide, whatever commits bring it, with one
thing to add: no number may have two entries that the host signed, in the commits that lead there,
to tags, and to main as this clone has seen it. Nobody else can make that so.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from adjudicator.core.opening import read_offer
from adjudicator.core.source import LIMIT
from adjudicator.git import refs
from adjudicator.git.objects import lasting, look_up, read_objects, read_small, read_tree, resolve
from adjudicator.git.process import Repo, check_address, without_users
from adjudicator.git.refs import MAIN, Remote, full, tracked
from adjudicator.git.tree import LARGEST, Tree, record_at
from adjudicator.verifier.claims import FAILED, FALSE, UNUSABLE, Finding, Findings
from orders import names, sshsig
from orders.entries import Genesis, read_entry
from orders.errors import Refused
from orders.fields import Digest, digest
from orders.public_key import PublicKey
from orders.sshsig import Signed

COMMITS = "commits"
"""The claim about commits."""

MOST_COMMITS = 100_000
"""So many commits are looked at."""

_PORTION = 40


@contextmanager
def opened(text: str, revision: str | None) -> Iterator[Tree]:
    """The record in a repository, by its folder or address, at a revision (None: its main).

    Of an address only `main` is fetched, into a bare repository that is removed afterwards: so
    nothing that others push there can stop a verification. Raises Refused.
    """
    if Path(text).is_dir():
        yield record_at(Path(text), revision)
        return
    url = check_address(text)
    with tempfile.TemporaryDirectory(prefix="adjudicator-") as folder:
        repo = Repo(Path(folder))
        repo.run("init", "--quiet", "--bare", f"--initial-branch={MAIN}")
        if refs.fetch(repo, [MAIN], url)[0] != [MAIN]:
            shown = without_users(url)
            raise Refused("git", f"{shown!a:.120} has no branch {MAIN}")
        repo.run("update-ref", full(MAIN), tracked(MAIN))
        yield record_at(repo.root, revision)


@lasting()
def with_clone(found: Findings, repository: Path) -> Findings:
    """The findings about a clone's folder, with that about the commits that led to it, if there are
    any."""
    if resolve(Repo(repository.absolute()), "HEAD") is None:
        return found
    try:
        return with_commits(found, record_at(repository, "HEAD"))
    except Refused as error:
        return _with(found, Finding(COMMITS, "unknown", error.message))


@lasting()
def with_commits(found: Findings, tree: Tree) -> Findings:
    """The findings about a record, with that about the commits that lead to it."""
    if found.game is None or found.code in (FALSE, UNUSABLE, FAILED):
        return found._replace(marked=(*found.marked, *_others(tree)))
    try:
        # To tags too, and to main as it was seen here; the newest first.
        tips = tree.repo.text("for-each-ref", "--format=%(objectname)", "refs/tags/", refs.SEEN)
        given = "".join(f"{one}\n" for one in [tree.commit, *tips.split()])
        asked = ("rev-list", "--stdin", f"--max-count={MOST_COMMITS + 1}")
        commits = tree.repo.run(*asked, given=given.encode()).decode("ascii").split()
        if len(commits) > MOST_COMMITS:
            told = f"there are more than {MOST_COMMITS}: not looked at"
            return _with(found, Finding(COMMITS, "unknown", told))
        fork = _fork(tree, commits, found.game)
    except Refused as error:
        return _with(found, Finding(COMMITS, "unknown", error.message))
    if not fork:
        told = f"{len(commits)}, in which no entry has two forms that the host signed"
        return _with(found, Finding(COMMITS, "true", told))
    return _with(found, Finding(COMMITS, "false", fork))._replace(
        code=FALSE,
        verdict=f"false: {fork}",
        marked=(fork, *found.marked),
        reason="the host signed two histories",
    )


def _others(tree: Tree) -> Iterator[str]:
    """That what does not hold may be the work of others, where the host did not make the last
    commits: whoever may push to main changes what lies there, and the host takes it back."""
    with suppress(Refused):
        remote = Remote(tree.commit, None).by(tree.repo, read_offer(tree).host)
        if remote.foreign:
            last = str(remote.main)[:12]
            yield f"the last commits are not the host's: --at {last} judges the record before them"


def _with(found: Findings, claim: Finding) -> Findings:
    return found._replace(claims=(*found.claims, claim))


def _fork(tree: Tree, commits: Sequence[str], game: Digest) -> str:
    """Two entries of one number in these commits, of this game and both signed by its host, in
    words; "" if there are none. Raises Refused."""
    repo, host = tree.repo, read_offer(tree).host
    forms = _forms(repo, commits)
    for path, ids in sorted(forms.items()):
        if len(ids) < 2 or path.endswith(".sig"):
            continue
        data = read_small(repo, ids, LIMIT)
        signatures = read_small(repo, forms.get(names.signature(path), ()), LIMIT).values()
        both = [
            one
            for one in sorted(data)
            if any(_is_of(game, host, Signed(data[one], each), tree) for each in signatures)
        ]
        if len(both) > 1:
            return (
                f"two entries {path}, both signed by the host: git show {both[0][:12]}, and "
                f"{both[1][:12]}"
            )
    return ""


def _forms(repo: Repo, commits: Sequence[str]) -> dict[str, set[str]]:
    """By path, the blobs that stand for each file of the folder of entries in these commits."""
    found: dict[str, set[str]] = {}
    held = look_up(repo, [f"{commit}:entries" for commit in commits])
    trees = list(dict.fromkeys(one.id for one in held if one is not None and one.kind == "tree"))
    newer = b""
    for at_ in range(0, len(trees), _PORTION):
        for data in read_objects(repo, trees[at_ : at_ + _PORTION], LARGEST):
            if data is None:
                raise Refused("too-big", f"a folder of entries has more than {LARGEST} bytes")
            # A folder that only grew holds nothing new.
            if not newer.startswith(data):
                for name, item in read_tree(data, repo.algorithm).items():
                    found.setdefault(f"entries/{name}", set()).add(item.id)
            newer = data
    return found


def _is_of(game: Digest, host: PublicKey, file: Signed, tree: Tree) -> bool:
    """Whether this is an entry of that game (a genesis: of its invite) that its host signed."""
    try:
        entry = read_entry(file.verify(host, sshsig.ENTRY))
    except Refused:
        return False
    if isinstance(entry, Genesis):
        return entry.invite == digest(tree.read(names.INVITE))
    return entry.game == game
