"""What was handed in for a host: which branches and requests it looks at, and what is in them.

Anybody may push anything. So an end (the commit at which a branch or a request ends) is chosen by
its name alone; it is fetched aside, within bounds, into a folder that goes away with the sync; and
of what came only a commit, its root and a few small files are read, each with its size known
before. An end is then

    read        a block for the host was in it: it is not looked at again
    rubbish     git refuses it, it is beyond the bounds, or holds no block: told once, not looked at
                again, its branch removed. What an honest program pushes has three kilobytes on a
                branch of its own, so rubbish holds nothing up
    unread      the line, the disk, the time or the number of them: nobody is called missing who may
                have sent it

A fetch that fails is tried again by halves, so one bad end costs a few fetches and no other end.
What may be of awaited players is fetched first, in fetches of its own.
"""

from __future__ import annotations

import math
import re
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from adjudicator.git.objects import Item, lasting, read_commit, read_objects, read_tree, rest, sizes
from adjudicator.git.process import Bounds, GitFailed, Repo
from adjudicator.git.refs import full, is_wrong
from adjudicator.git.submission import START, Branch, Submission, read, read_branch, read_forked
from adjudicator.git.tree import REGULAR
from adjudicator.mail import pasted
from adjudicator.store import files
from orders.errors import Missing, Refused

MOST = 10_000
"""How many ends one sync looks at."""

TOGETHER = 200
"""How many ends are fetched at once."""

SECONDS = 180
"""After so many seconds of fetching, what is left stays unread."""

LARGEST = 2**17
"""The most bytes of an end."""

_LARGEST_COMMIT = 2**16
_LARGEST_ROOT = 2**14
_LARGEST_FILE = 2**16
_MOST_FILES = 4
_PORTION = 50
"""So many ends are read at once."""

_REQUEST = re.compile(r"refs/(?:pull|merge-requests)/([0-9]{1,9})/head", re.ASCII)
_ID = re.compile(r"[0-9a-f]{40,64}(?:\^\{tree\})?", re.ASCII)
_NONE = "0"
"""No object's name."""

_SHORT = "the time was too short"


class End(NamedTuple):
    """Where a branch or a request ends: `commit`, at the remote of that name, under that ref.

    `branch`: its name taken apart, if it has the form of a player's. `player`: who may have pushed
    it by its name, "" for anybody; `number`: that of a request, 0 for a branch.
    """

    remote: str
    ref: str
    commit: str
    player: str = ""
    branch: Branch | None = None
    number: int = 0

    @property
    def where(self) -> str:
        """The branch or request, in words; without one, the remote."""
        if not self.ref:
            return f"the remote {self.remote}"
        name = self.ref.removeprefix("refs/heads/").removeprefix("refs/")
        shown = ascii(name)[1:-1]
        return shown if self.remote == "origin" else f"{shown} of {self.remote}"

    @property
    def moved(self) -> bool:
        """Whether somebody moved the branch: it ends elsewhere than its name says."""
        return self.branch is not None and not self.branch.fits(self.commit)


def ends(remote: str, listed: Mapping[str, str]) -> Iterator[End]:
    """The ends among the refs of a remote that may be for a host, by their form."""
    origin = remote == "origin"
    for ref, commit in listed.items():
        request = _REQUEST.fullmatch(ref) if origin else None
        if request is not None:
            yield End(remote, ref, commit, number=int(request[1]))
        elif ref.startswith(full(START)):
            name = ref.removeprefix(full(""))
            branch = read_branch(name)
            owner = branch.player if branch is not None else read_forked(name)
            # In the game's repository nobody has a branch that others could move unseen.
            if owner is not None and not (origin and branch is None):
                yield End(remote, ref, commit, owner, branch)


@dataclass
class Inbox:
    """What a sync found: submissions, joins first, then by step and revision; and by end, why it is
    rubbish, and why it is unread. `wrong`: why a commit cannot be fetched, whatever leads there."""

    read: list[Submission] = field(default_factory=list)
    seen: list[End] = field(default_factory=list)
    rubbish: dict[End, str] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)
    unread: dict[End, str] = field(default_factory=dict)


class Known:
    """The ends that need not be looked at again, in a file: their commits, a line each, with
    `rubbish` after those that are."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            lines = files.read(path, 2**24).decode("ascii", "replace").splitlines()
        except Missing:
            lines = []
        rows = [line.partition(" ") for line in lines]
        self.commits = {commit for commit, _, _ in rows}
        self.rubbish = {commit for commit, _, word in rows if word}

    def keep(self, read: Iterable[End], rubbish: Iterable[End], listed: Collection[str]) -> None:
        """Know more of them; what is listed nowhere any more is forgotten."""
        before = (self.commits, self.rubbish)
        self.rubbish = (self.rubbish | {end.commit for end in rubbish}) & {*listed}
        self.commits = (self.commits | {end.commit for end in read} | self.rubbish) & {*listed}
        if before != (self.commits, self.rubbish):
            rows = [f"{one}{' rubbish' * (one in self.rubbish)}\n" for one in self.commits]
            files.write(self.path, "".join(sorted(rows)).encode(), 0o600)


@lasting()
def fetch(
    repo: Repo, chosen: Iterable[End], awaited: Collection[str] = (), numbers: Collection[int] = ()
) -> Inbox:
    """Fetch and read these ends: those of awaited players first, requests last, newest first.

    `numbers`: the requests by which awaited players sent something before.
    """
    found = Inbox()
    first = {end: end.player in awaited or end.number in numbers for end in chosen}
    rows = sorted(first, key=lambda end: (not first[end], end.number > 0, -end.number, end.ref))
    # Nobody's many branches push out another player's few.
    counts = Counter[str]()
    turns: dict[End, int] = {}
    for end in rows:
        counts[end.player] += 1
        turns[end] = counts[end.player]
    looked = {*sorted(rows, key=turns.__getitem__)[:MOST]}
    found.unread |= {end: "there are too many" for end in rows if end not in looked}
    groups: dict[tuple[str, bool], list[End]] = {}
    for end in (end for end in rows if end in looked):
        groups.setdefault((end.remote, first[end]), []).append(end)
    until = time.monotonic() + SECONDS
    for (remote, _), group in sorted(groups.items(), key=lambda row: not row[0][1]):
        for at in range(0, len(group), TOGETHER):
            some = group[at : at + TOGETHER]
            try:
                with tempfile.TemporaryDirectory(prefix="adjudicator-") as folder:
                    aside = repo.aside(Path(folder))
                    _bring(aside, remote, some, until, found)
                    look(aside, [end for end in some if _is_open(end, found)], found, until)
                    rest(aside)
            except OSError as error:
                left = [end for end in some if _is_open(end, found)]
                found.unread |= dict.fromkeys(left, f"{error.strerror}")
    found.read.sort(key=lambda one: one.place)
    return found


def _is_open(end: End, found: Inbox) -> bool:
    return end not in found.unread and end not in found.rubbish and end not in found.seen


def bounds(count: int) -> Bounds:
    """The limits for fetching so many ends."""
    return Bounds(60, 4, min(count * LARGEST, 2**22), 2**27)


def _bring(aside: Repo, remote: str, wanted: Sequence[End], until: float, found: Inbox) -> None:
    """Fetch ends; those that cannot be fetched are put down as rubbish or unread."""
    found.rubbish |= {end: found.wrong[end.commit] for end in wanted if end.commit in found.wrong}
    wanted = [end for end in wanted if end.commit not in found.wrong]
    if time.monotonic() > until:
        found.unread |= dict.fromkeys(wanted, _SHORT)
        return
    if not wanted:
        return
    refs = "".join(f"{end.ref}\n" for end in wanted)
    try:
        aside.run(
            "-c", "fetch.unpackLimit=1", "fetch", "--quiet", "--no-tags", "--no-auto-maintenance",
            "--no-write-fetch-head", "--refmap=", "--stdin", remote,
            network=True, bounds=bounds(len(wanted)), given=refs.encode(),
        )  # fmt: skip
    except GitFailed as error:
        if len(wanted) > 1:
            half = len(wanted) // 2
            _bring(aside, remote, wanted[:half], until, found)
            _bring(aside, remote, wanted[half:], until, found)
        elif is_wrong(error):
            found.rubbish[wanted[0]] = found.wrong[wanted[0].commit] = error.message
        else:
            found.unread[wanted[0]] = error.message


def look(repo: Repo, here: Sequence[End], found: Inbox, until: float = math.inf) -> None:
    """Read ends whose objects are there."""
    there = sizes(repo, [end.commit for end in here])
    gone = [end for end in here if end.commit not in there]
    found.unread |= dict.fromkeys(gone, "it moved while it was fetched")
    here = [end for end in here if end.commit in there]
    for at in range(0, len(here), _PORTION):
        some = here[at : at + _PORTION]
        if time.monotonic() > until:
            found.unread |= dict.fromkeys(here[at:], _SHORT)
            return
        for end, texts in zip(some, _texts(repo, some), strict=True):
            given, why = _submissions(end, texts)
            found.read += given
            if given:
                found.seen.append(end)
            else:
                found.rubbish[end] = why


def _texts(repo: Repo, some: Sequence[End]) -> list[list[bytes]]:
    """Of each end the files at its root whose names end in .txt and that its parent has not."""
    roots: list[tuple[str, str]] = []
    for data in read_objects(repo, [end.commit for end in some], _LARGEST_COMMIT):
        try:
            made = read_commit(data or b"", repo.algorithm)
        except Refused:
            roots.append(("", ""))
            continue
        roots.append((made.tree, f"{made.parents[0]}^{{tree}}" if made.parents else ""))
    asked = [one if _ID.fullmatch(one) else _NONE for pair in roots for one in pair]
    trees = iter(read_objects(repo, asked, _LARGEST_ROOT))
    wanted: list[list[str]] = []
    for own, before in zip(trees, trees, strict=True):
        known = {item.id for item in _items(before, repo).values()}
        new = [
            item.id
            for name, item in sorted(_items(own, repo).items())
            if name.endswith(".txt") and item.mode in REGULAR and item.id not in known
        ]
        wanted.append(new[:_MOST_FILES])
    ids = [one for row in wanted for one in row]
    texts = iter(read_objects(repo, ids, _LARGEST_FILE))
    return [[text for text in (next(texts) for _ in row) if text is not None] for row in wanted]


def _items(tree: bytes | None, repo: Repo) -> dict[str, Item]:
    try:
        return read_tree(tree or b"", repo.algorithm)
    except Refused:
        return {}


def _submissions(end: End, texts: Iterable[bytes]) -> tuple[list[Submission], str]:
    """The submissions in the files of an end; and why there are none."""
    found, why = [], "no block for the host is in it"
    for text in texts:
        try:
            given = [read(bundle) for bundle in pasted.read(text).bundles]
            found += [one._replace(where=end.where, number=end.number) for one in given]
        except Refused as error:
            why = error.message
    return found, why
