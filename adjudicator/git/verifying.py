"""Verifying a record in a repository: a clone's folder, a commit, or an address.

Nothing is checked out, and the findings about its commits are added to those about the record.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from adjudicator.core.opening import read_opening
from adjudicator.git import addresses, judgement, refs
from adjudicator.git.objects import object_id
from adjudicator.git.process import Repo
from adjudicator.git.reading import lasting, resolve
from adjudicator.git.refs import MAIN, full, tracked
from adjudicator.git.tree import Tree, record_at
from adjudicator.store.record import Record
from adjudicator.verifier.claims import (
    FAILED,
    FALSE,
    LOOK,
    UNUSABLE,
    Claim,
    Findings,
    gravest,
)
from orders import names
from orders.errors import Refused

COMMITS = "commits"
MAIN_HOLDS = "main"
"""The claims about commits."""


@contextmanager
def fetched(url: str) -> Iterator[Path]:
    """A bare repository with `main` from that address, removed afterwards; raises Refused.

    Nothing else is fetched, so nothing that others push there can stop a verification.
    """
    url = addresses.check(url)
    with tempfile.TemporaryDirectory(prefix="adjudicator-") as folder:
        repo = Repo(Path(folder))
        repo.run("init", "--quiet", "--bare", f"--initial-branch={MAIN}")
        listed = refs.list_remote(repo, [full(MAIN)], url)
        if full(MAIN) not in listed:
            shown = addresses.without_users(url)
            raise Refused("git", f"{shown!a:.120} has no branch {MAIN}")
        refs.bring(repo, listed, url)
        repo.run("update-ref", full(MAIN), tracked(full(MAIN)))
        yield repo.root


@contextmanager
def opened(text: str, revision: str | None) -> Iterator[Tree]:
    """The record in a repository, by its folder or address, at a revision (None: its main).

    Raises Refused.
    """
    folder = Path(text)
    if folder.is_dir():
        yield at(folder, revision)
        return
    with fetched(text) as clone:
        yield at(clone, revision)


@lasting()
def at(repository: Path, revision: str | None) -> Tree:
    """The record at a revision; None: on main, or at HEAD if there is no main."""
    repo = Repo(repository.absolute())
    wanted = [revision] if revision is not None else [refs.full(refs.MAIN), "HEAD"]
    found = next((one for one in wanted if resolve(repo, one)), None)
    if found is None:
        raise Refused("git", f"{wanted[0]!a:.80} is no commit of {str(repository)!a}")
    return record_at(repository, found)


@lasting()
def with_clone(found: Findings, record: Record) -> Findings:
    """The findings about a clone's folder, with the differences between folder and last commit."""
    repo = Repo(record.root.absolute())
    head = resolve(repo, "HEAD")
    if head is None:
        return found
    committed = record_at(record.root, head)
    return with_commits(found, committed, _unlike(record, committed))


@lasting()
def with_commits(found: Findings, tree: Tree, unlike: Sequence[str] = ()) -> Findings:
    """The findings about a record, with those about its commits.

    `unlike`: differences between a clone's folder and its last commit.
    """
    if found.game is None or found.code in (FALSE, UNUSABLE, FAILED):
        return found
    try:
        opening = read_opening(tree, found.game)
        judged = judgement.judge(tree, opening)
    except Refused as error:
        claim = Claim(COMMITS, "unknown", error.message)
        return found._replace(claims=(*found.claims, claim))
    judged.differences += unlike
    if judged.fork is not None:
        claim = Claim(COMMITS, "false", judged.fork)
        return found._replace(
            code=FALSE,
            verdict=f"false: {judged.fork}",
            claims=(*found.claims, claim),
            marked=(judged.fork, *found.marked),
            reason="the host signed two histories",
        )
    looks = any(one.look for one in judged.notes)
    status = "look" if judged.differences or looks else "true"
    details = tuple(one.text for one in judged.notes)
    claim = Claim(COMMITS, status, judged.ties(), details, COMMITS)
    # Commits change no verdict; but a person should look at slips that players signed.
    code = gravest([found.code, LOOK]) if looks else found.code
    # What differs is told, and changes no verdict.
    status = "look" if judged.faults else "true"
    holds = Claim(MAIN_HOLDS, status, judged.content(), brief=MAIN_HOLDS)
    return found._replace(
        code=code,
        claims=(*found.claims, claim, holds),
        marked=(*found.marked, *(one.text for one in judged.notes if one.look)),
    )


def _unlike(record: Record, committed: Tree) -> list[str]:
    """Files of the folder that differ from the last commit."""
    there = committed.items()
    algorithm = committed.repo.algorithm
    found = []
    for path in sorted({*there, *record.paths()} - {*names.BESIDE}):
        try:
            data = record.read(path)
        except Refused:
            found.append(f"{ascii(path)[1:-1]} is in the last commit, not in the folder")
            continue
        if path not in there:
            # The folder may hold sealed orders and strangers' files that no commit of main holds.
            name = names.parse(path)
            if name is not None and name.kind != "sealed":
                found.append(f"{path} is in the folder, not in the last commit")
        elif object_id("blob", data, algorithm) != there[path].id:
            found.append(f"{path} in the folder differs from the last commit")
    return found


def is_bisecting(root: Path) -> bool:
    """Whether `git bisect` is under way in this clone."""
    folder = Repo(root.absolute()).ask("rev-parse", "--git-dir")
    return folder is not None and Path(root, folder, "BISECT_START").exists()


def bisect_code(code: int) -> int:
    """For `git bisect run`: 0 good (so far), 1 bad, 125 cannot be judged."""
    return {FALSE: 1, UNUSABLE: 125, FAILED: 125}.get(code, 0)
