"""Verifying what lies in a repository: a clone's folder, a commit, or an address.

What belongs here: getting at the record without checking anything out, and adding what commits
say to what was found. What it must not know: printing.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from adjudicator.git import refs
from adjudicator.git.objects import object_id
from adjudicator.git.process import Repo, check_url, run
from adjudicator.git.ties import tie
from adjudicator.git.tree import RecordAt, record_at
from adjudicator.record import Record
from adjudicator.verify import Claim, Findings
from orders import names
from orders.errors import Refused

COMMITS = "commits"
"""The claim that is added."""

_SCP = re.compile(r"(?:[A-Za-z0-9._-]+@)?[A-Za-z0-9.-]+:(?!\\).+")


def is_address(text: str) -> bool:
    """Whether this names a repository to be fetched rather than a folder with a record."""
    if "://" in text:
        return True
    path = Path(text)
    if path.is_dir():
        return (path / "HEAD").is_file() and (path / "objects").is_dir()
    return not path.exists() and _SCP.fullmatch(text) is not None


@contextmanager
def fetched(url: str) -> Iterator[Path]:
    """A bare clone of a repository in a temporary folder, gone afterwards; raises Refused."""
    url = check_url(url)
    if "://" not in url and Path(url).exists():
        url = str(Path(url).absolute())
    with tempfile.TemporaryDirectory(prefix="adjudicator-") as folder:
        target = Path(folder) / "clone.git"
        run(["clone", "--quiet", "--bare", "--no-tags", "--", url, str(target)], network=True)
        yield target


@contextmanager
def opened(text: str, revision: str | None) -> Iterator[RecordAt]:
    """The record in a repository, by its folder or address, at a revision (None: its main).

    Raises Refused.
    """
    folder = Path(text)
    if folder.is_dir():
        yield at(folder, revision)
        return
    with fetched(text) as clone:
        yield at(clone, revision)


def at(repository: Path, revision: str | None) -> RecordAt:
    """The record at a revision; None: on main, or where HEAD is if there is no main."""
    repo = Repo(repository.absolute())
    wanted = [revision] if revision is not None else [refs.full(refs.MAIN), "HEAD"]
    found = next((one for one in wanted if repo.resolve(one)), None)
    if found is None:
        raise Refused("git", f"{wanted[0]!a:.80} is no commit of {str(repository)!a}")
    return record_at(repository, found)


def with_commits(found: Findings, record: RecordAt) -> Findings:
    """What was found of a record, and how its commits tie to its chain."""
    return _with(found, record.tree.repo, record.tree.commit, [])


def with_clone(found: Findings, record: Record) -> Findings:
    """The same for a clone's folder; tells too where the folder differs from its last commit."""
    repo = Repo(record.root.absolute())
    head = repo.resolve("HEAD")
    if head is None:
        return found
    return _with(found, repo, head, _unlike(record, record_at(record.root, head)))


def _with(found: Findings, repo: Repo, commit: str, unlike: list[str]) -> Findings:
    if found.game is None or found.code in (1, 2):
        return found
    try:
        tied = tie(repo, commit)
    except Refused as error:
        claim = Claim(COMMITS, "unknown", error.message)
        return replace(found, claims=(*found.claims, claim))
    tied.differences += unlike
    if tied.fork is not None:
        claim = Claim(COMMITS, "false", tied.fork)
        verdict = f"false: {tied.fork}"
        return replace(found, code=1, verdict=verdict, claims=(*found.claims, claim))
    status = "open" if tied.differences else "true"
    return replace(found, claims=(*found.claims, Claim(COMMITS, status, tied.text())))


def _unlike(record: Record, committed: RecordAt) -> list[str]:
    """Files of the folder that are not as the last commit has them."""
    there = committed.tree.items()
    algorithm = committed.tree.repo.algorithm
    found = []
    for path in sorted({*there, *record.paths()} - {*names.BESIDE}):
        try:
            data = record.read(path)
        except Refused:
            found.append(f"{ascii(path)[1:-1]} is in the last commit, not in the folder")
            continue
        if path not in there:
            found.append(f"{ascii(path)[1:-1]} is in the folder, not in the last commit")
        elif object_id("blob", data, algorithm) != there[path].id:
            found.append(f"{path} in the folder is not as in the last commit")
    return found


def is_bisecting(root: Path) -> bool:
    """Whether `git bisect` is under way in this clone."""
    if not (root / ".git").exists():
        return False
    folder = Repo(root.absolute()).ask("rev-parse", "--git-dir")
    return folder is not None and Path(root, folder, "BISECT_START").exists()


def bisect_code(code: int) -> int:
    """For `git bisect run`: 0 good (so far), 1 bad, 125 cannot be judged."""
    return {1: 1, 2: 125}.get(code, 0)
