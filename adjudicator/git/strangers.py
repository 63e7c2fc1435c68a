"""Fetches for the host the branches and pull requests that anybody pushed, one at a time, bounded.

An end (the commit at which a branch or request ends) is judged by itself: a malformed object, or an
end that is too large or useless, costs one fetch and one line, never a whole sync, and is
remembered. What is remembered is of two kinds:

    the object itself is wrong (git's fsck refuses it, it holds nothing of use): for good, as a
        commit never changes; told once
    it went beyond the limits of time or space: for an hour, as a slow line or a busy machine could
        have been the reason; told at each sync

A fault of this machine or of the line (a full disk, no connection) is no judgement: it is told, and
the next sync tries again. So it does with the branches of seated players, whatever was judged of
their size before: nobody is late through a fault of the host's.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterable, Mapping

from adjudicator.core import deadlines
from adjudicator.git import refs
from adjudicator.git.process import Bounds, GitFailed, Repo
from adjudicator.git.refs import MAIN, PLAYERS, PULLS, RECEIPTS, Remote, full, tracked
from adjudicator.store import files
from orders.errors import Missing, Refused
from orders.fields import NAME, Time, digest

EACH = Bounds(60, 4, 2**22)
"""The limits for fetching one end."""

MOST = 50
"""How many new ends one sync fetches."""

SECONDS = 180
"""After so many seconds of fetching, the other ends wait for the next sync."""

WINDOW = 2_000
"""So many ends that nobody has judged yet are looked at in one sync, the newest requests first."""

HOUR = 3_600
"""A judgement for time or space is forgotten after so many seconds."""

USELESS = "of no use"

_JUDGED = "adjudicator-ends"
_REMEMBERED = 20_000
_NAME = re.compile(NAME, re.ASCII)
_NUMBERED = re.compile(r"refs/[a-z-]+/([0-9]{1,18})/", re.ASCII)
_FSCK = re.compile(r"fsck error|error: object [0-9a-f]{40,64}: |is not a valid object|"
                   r"object corrupt|did not receive expected object")  # fmt: skip
"""git's words for an object that is wrong, whoever reads it and whenever."""

_SMALL = ("-c", "fetch.unpackLimit=1")
"""What is fetched stays a pack, whose size is limited."""


class Ends:
    """The ends that need not be looked at again: their commits, until when, and why.

    They are kept in the clone, a line each; `-` for an end that is judged for good.
    """

    def __init__(self, repo: Repo, now: Time) -> None:
        self.path = repo.git_dir / _JUDGED
        self.now = deadlines.to_seconds(now)
        self.judged: dict[str, tuple[str, str]] = {}
        with contextlib.suppress(Missing):
            for line in files.read(self.path, 2**24).decode("utf-8", "replace").splitlines():
                one, until, why = (*line.split(" ", 2), "", "")[:3]
                if until == "-" or (until.isdecimal() and self.now < int(until) <= self.now + HOUR):
                    self.judged[one] = until, why
        self._known = dict(self.judged)

    def useless(self, commits: Iterable[str]) -> None:
        """Never look at these again: they hold nothing of use."""
        self.judged |= dict.fromkeys(commits, ("-", USELESS))

    def judge(self, commit: str, error: Refused) -> str:
        """Judge an end by the error that it caused; what to tell beside that error."""
        if isinstance(error, GitFailed) and _FSCK.search(error.stderr):
            self.judged[commit] = "-", error.message
            return ""
        if error.word == "too-big" or (isinstance(error, GitFailed) and error.exceeded):
            self.judged[commit] = str(self.now + HOUR), error.message
            return "; it is tried again in an hour"
        if isinstance(error, GitFailed):
            return "; this may be the line or this machine: it is tried again at the next sync"
        self.judged[commit] = "-", error.message
        return ""

    def told(self, commit: str) -> str | None:
        """What to tell at each sync of an end that is judged for a while; None for other ends."""
        until, why = self.judged.get(commit, ("-", ""))
        if until == "-":
            return None
        return f"{why}; it is tried again after {deadlines.to_time(int(until))}"

    def keep(self, listed: Iterable[str] | None = None) -> None:
        """Write the judgements to the clone; with `listed` only those of ends that the remote still
        has."""
        if listed is not None:
            there = set(listed)
            kept = [one for one in self.judged if one in there][-_REMEMBERED:]
            self.judged = {one: self.judged[one] for one in kept}
        if self.judged != self._known:
            rows = self.judged.items()
            text = "".join(f"{one} {until} {why}\n" for one, (until, why) in rows)
            files.write(self.path, text.encode())
            self._known = dict(self.judged)


def fetch(repo: Repo, seated: Iterable[str], now: Time) -> Remote:
    """Fetch what a host needs; raises Refused if `main` or `receipts` cannot be fetched.

    `seated`: players whose branches come first, and are tried again whatever was judged of them.
    """
    patterns = [full(MAIN), full(RECEIPTS), full(f"{PLAYERS}*"), *PULLS]
    listed = refs.list_remote(repo, patterns)
    own = {ref: one for ref, one in listed.items() if ref in (full(MAIN), full(RECEIPTS))}
    refs.bring(repo, own)
    main = own.get(full(MAIN))
    ends = Ends(repo, now)
    players = {full(refs.player_branch(name)) for name in seated}
    useful, told, whole = _bring_ends(repo, _in_order(listed, players), ends, players)
    rest = "".join(f"{one} {ref}\n" for ref, one in sorted(listed.items()) if ref not in own)
    ends.keep(listed.values())
    if main is not None and useful:
        # Only these, because walking over each request that was ever judged would cost more and
        # more.
        asked = ("--format=%(objectname)", f"--no-merged={main}", *map(tracked, useful))
        ahead = set(repo.text("for-each-ref", *asked).split())
        useful = {ref: one for ref, one in useful.items() if one in ahead}
    pulls = tuple(one for ref, one in useful.items() if not ref.startswith(full(PLAYERS)))
    others = digest(rest.encode()) if whole else ""
    return Remote(
        main, own.get(full(RECEIPTS)), refs.of_players(useful), pulls, tuple(told), others=others
    )


def _in_order(listed: Mapping[str, str], players: set[str]) -> dict[str, str]:
    """The ends to look at: players' branches first, then pull requests, the newest first."""
    start = full(PLAYERS)
    branches = sorted(
        (ref for ref in listed if ref.startswith(start) and _NAME.fullmatch(ref[len(start) :])),
        key=lambda ref: (ref not in players, ref),
    )
    numbered = [(int(found[1]), ref) for ref in listed if (found := _NUMBERED.match(ref))]
    requests = [ref for _, ref in sorted(numbered, reverse=True)]
    return {ref: listed[ref] for ref in (*branches, *requests)}


def _bring_ends(
    repo: Repo, wanted: Mapping[str, str], ends: Ends, players: set[str]
) -> tuple[dict[str, str], list[str], bool]:
    """By ref, the ends that are here and not judged useless; lines to tell; and whether no end is
    left for the next sync."""
    useful: dict[str, str] = {}
    told: list[str] = []
    waiting: dict[str, str] = {}
    for ref, one in wanted.items():
        again = ends.told(one)
        if one not in ends.judged or (again is not None and ref in players):
            waiting[ref] = one
        elif again is not None:
            told.append(f"{_shown(ref)}: left out: {again}")
    left = max(len(waiting) - WINDOW, 0)
    waiting = dict(list(waiting.items())[:WINDOW])
    here = refs.held(repo, waiting)
    began, fetched = time.monotonic(), 0
    failed: set[str] = set()
    whole = True
    for ref, one in waiting.items():
        if one in failed:
            continue
        if here.get(ref) != one:
            if fetched >= MOST or time.monotonic() - began > SECONDS:
                left += 1
                continue
            fetched += 1
            error = _bring(repo, ref)
            if error is not None:
                failed.add(one)
                told.append(f"{_shown(ref)}: left out: {error.message}{ends.judge(one, error)}")
                whole = whole and one in ends.judged
                continue
        ends.judged.pop(one, None)
        useful[ref] = one
    if left:
        told.append(f"{left} pushed branches are left for the next sync")
    return useful, shortened(told), whole and not left


def shortened(told: list[str]) -> list[str]:
    """So many lines as a person reads."""
    return told if len(told) <= 60 else [*told[:60], f"and {len(told) - 60} more like these"]


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
