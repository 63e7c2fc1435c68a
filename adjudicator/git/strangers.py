"""Fetches for the host the branches and pull requests that anybody pushed, one at a time, bounded.

A malformed object, or an end that is too large or useless, costs one fetch and one line, never a
whole sync, and is remembered.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterable, Mapping

from adjudicator.git import refs
from adjudicator.git.process import Bounds, GitFailed, Repo
from adjudicator.git.refs import MAIN, PLAYERS, PULLS, RECEIPTS, Remote, full, tracked
from adjudicator.store import files
from orders.errors import Missing
from orders.fields import NAME, digest

EACH = Bounds(60, 4 * 2**20)
"""The limits for fetching one end."""

MOST = 50
"""How many new ends one sync fetches."""

SECONDS = 180
"""After so many seconds of fetching, the other ends wait for the next sync."""

_JUDGED = "adjudicator-ends"
_NAME = re.compile(NAME, re.ASCII)
_NUMBERED = re.compile(r"refs/[a-z-]+/([0-9]{1,18})/", re.ASCII)
_OWN_FAULT = re.compile("object|pack|took too long|not our ref")
"""git's words for a fault of the end itself, not of the connection."""

_SMALL = ("-c", "fetch.unpackLimit=1", "-c", "core.bigFileThreshold=1m")
"""Large objects go to the disk, where their size is limited, not into memory."""


class Ends:
    """The ends that need not be looked at again: their commits, and why; kept in the clone."""

    def __init__(self, repo: Repo) -> None:
        self.path = repo.git_dir / _JUDGED
        self.judged: dict[str, str] = {}
        with contextlib.suppress(Missing):
            lines = files.read(self.path, 2**22).decode("utf-8", "replace").splitlines()
            self.judged = {one: why for one, _, why in (line.partition(" ") for line in lines)}
        self._known = dict(self.judged)

    def keep(self, listed: Iterable[str] | None = None) -> None:
        """Write the judgements to the clone; with `listed` only those of ends that the remote still
        has."""
        if listed is not None:
            there = set(listed)
            self.judged = {one: why for one, why in self.judged.items() if one in there}
        if self.judged != self._known:
            text = "".join(f"{one} {why}\n" for one, why in self.judged.items())
            files.write(self.path, text.encode())
            self._known = dict(self.judged)


def fetch(repo: Repo, seated: Iterable[str]) -> Remote:
    """Fetch what a host needs; raises Refused if `main` or `receipts` cannot be fetched.

    `seated`: players whose branches come first.
    """
    patterns = [full(MAIN), full(RECEIPTS), full(f"{PLAYERS}*"), *PULLS]
    listed = refs.list_remote(repo, patterns)
    own = {ref: one for ref, one in listed.items() if ref in (full(MAIN), full(RECEIPTS))}
    refs.bring(repo, own)
    main = own.get(full(MAIN))
    ends = Ends(repo)
    useful, told, whole = _bring_ends(repo, _in_order(listed, set(seated)), ends)
    rest = "".join(f"{one} {ref}\n" for ref, one in sorted(listed.items()) if ref not in own)
    ends.keep(listed.values())
    if main is not None and useful:
        # Only these, because walking over each request that was ever judged would cost more and
        # more.
        asked = ("--format=%(objectname)", f"--no-merged={main}", *map(tracked, useful))
        ahead = set(repo.text("for-each-ref", *asked).split())
        useful = {ref: one for ref, one in useful.items() if one in ahead}
    players = refs.of_players(useful)
    pulls = tuple(one for ref, one in useful.items() if not ref.startswith(full(PLAYERS)))
    others = digest(rest.encode()) if whole else ""
    return Remote(main, own.get(full(RECEIPTS)), players, pulls, tuple(told), others=others)


def _in_order(listed: Mapping[str, str], seated: set[str]) -> dict[str, str]:
    """The ends to look at: players' branches first, then pull requests, the newest first."""
    start = full(PLAYERS)
    branches = sorted(
        (ref for ref in listed if ref.startswith(start) and _NAME.fullmatch(ref[len(start) :])),
        key=lambda ref: (ref.removeprefix(start) not in seated, ref),
    )
    numbered = [(int(found[1]), ref) for ref in listed if (found := _NUMBERED.match(ref))]
    requests = [ref for _, ref in sorted(numbered, reverse=True)]
    return {ref: listed[ref] for ref in (*branches, *requests)}


def _bring_ends(
    repo: Repo, wanted: Mapping[str, str], ends: Ends
) -> tuple[dict[str, str], list[str], bool]:
    """By ref, the ends that are here and not judged useless; lines to tell; and whether no end is
    left for the next sync."""
    here = refs.held(repo, (ref for ref, one in wanted.items() if one not in ends.judged))
    useful: dict[str, str] = {}
    told: list[str] = []
    began, fetched, left = time.monotonic(), 0, 0
    whole = True
    for ref, one in wanted.items():
        if one in ends.judged:
            continue
        if here.get(ref) != one:
            if fetched >= MOST or time.monotonic() - began > SECONDS:
                left += 1
                continue
            fetched += 1
            error = _bring(repo, ref)
            if error is not None:
                told.append(f"{_shown(ref)}: left out: {error.message}")
                if _OWN_FAULT.search(error.message):
                    ends.judged[one] = error.message
                else:
                    whole = False
                continue
        useful[ref] = one
    if left:
        told.append(f"{left} pushed branches are left for the next sync")
    return useful, told, whole and not left


def _bring(repo: Repo, ref: str) -> GitFailed | None:
    """Fetch one end; returns the error if that failed."""
    try:
        repo.run(
            *_SMALL, "fetch", "--quiet", "--no-tags", "--no-auto-maintenance", "origin",
            f"+{ref}:{tracked(ref)}", network=True, bounds=EACH,
        )  # fmt: skip
    except GitFailed as error:
        # An interrupted fetch leaves a part of its pack.
        for path in (repo.git_dir / "objects" / "pack").glob("tmp_*"):
            files.remove(path)
        return error
    return None


def _shown(ref: str) -> str:
    return ascii(ref.removeprefix("refs/heads/").removeprefix("refs/"))[1:-1]
