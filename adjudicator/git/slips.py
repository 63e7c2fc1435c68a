"""Finds the joins and slips in pushed commits that main does not have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from adjudicator.core import bundles
from adjudicator.git.process import Repo, Row
from adjudicator.git.reading import blob_ids, read_small
from adjudicator.git.refs import Remote
from orders import names
from orders.bundle import Bundle
from orders.fields import Digest, digest

MOST_COMMITS = 200
"""How many commits of a branch beyond main are looked at."""

_LARGEST = 2**17
"""The most bytes of a slip, a signature, a join or a sealed order."""


@dataclass(frozen=True, slots=True)
class Pushed:
    """A bundle that was found in a commit; `branch`: the player whose branch it is, "" for a pull
    request."""

    bundle: Bundle
    commit: str
    branch: str

    @property
    def document(self) -> Digest:
        """The digest of the slip or join in it."""
        return next(digest(data) for path, data in self.bundle.files if path.endswith(".toml"))

    @property
    def where(self) -> str:
        """The branch or request, in words."""
        return self.branch or "a pull request"


_Wanted = tuple[str, ...]
"""The paths of a signed document to be found, and of the files that travel with it."""


def find_slips(
    repo: Repo, remote: Remote, players: Iterable[str], main: str, steps: Iterable[int]
) -> list[Pushed]:
    """Every slip for those steps that was pushed, each once, in the order of its branch."""
    out = []
    everyone = sorted(players)
    ends = [(end, [name], name) for name, end in remote.players.items() if name in everyone]
    ends += [(end, everyone, "") for end in remote.pulls]
    numbers = sorted(steps)
    for end, who, branch in ends:
        wanted = [_slip_files(step, player) for step in numbers for player in who]
        for commit, held in _files(repo, end, main, wanted):
            out.append(Pushed(bundles.pack("order", held), commit, branch))
    return list({one.bundle: one for one in reversed(out)}.values())[::-1]


def find_joins(repo: Repo, remote: Remote, main: str) -> list[Pushed]:
    """The last join in every branch and pull request, pull requests first."""
    ends = [(end, name, "") for end in remote.pulls for name in _joins_in(repo, end)]
    ends += [(end, name, name) for name, end in remote.players.items()]
    return [
        Pushed(bundles.pack("join", held), commit, branch)
        for end, name, branch in ends
        for commit, held in _files(repo, end, main, [_join_files(name)])[-1:]
    ]


def _joins_in(repo: Repo, commit: str) -> list[str]:
    listed = repo.run("ls-tree", "-z", "--name-only", commit, "--", "joins/").split(b"\0")
    parsed = [names.parse(one.decode("utf-8", "replace")) for one in listed[:200]]
    return [name.player for name in parsed if name and name.kind == "join" and not name.signature]


def _slip_files(step: int, player: str) -> _Wanted:
    slip = names.slip(step, player)
    return slip, names.signature(slip), names.sealed_order(step, player)


def _join_files(player: str) -> _Wanted:
    join = names.join(player)
    return join, names.signature(join)


@lru_cache(maxsize=64)
def beyond(repo: Repo, end: str, main: str) -> tuple[Row, ...]:
    """The commits of `end` that main does not have, oldest first, at most MOST_COMMITS. Cached, as
    they never change."""
    count = f"--max-count={MOST_COMMITS}"
    return tuple(repo.walk("--topo-order", count, "--reverse", end, f"^{main}"))


def _files(
    repo: Repo, end: str, main: str, wanted: Sequence[_Wanted]
) -> list[tuple[str, dict[str, bytes]]]:
    """The first commit from main to `end` that holds each of these documents, with their files.

    A document that is absent or too large is skipped; a file that travels with it is then left out.
    """
    asked = [(row[0], one) for row in beyond(repo, end, main) for one in wanted]
    ids = blob_ids(repo, [f"{commit}:{path}" for commit, one in asked for path in one])
    data = read_small(repo, filter(None, ids.values()), _LARGEST)
    seen: set[tuple[str, ...]] = set()
    out = []
    for commit, one in asked:
        there = tuple(ids[f"{commit}:{path}"] for path in one)
        if there in seen:
            continue
        seen.add(there)
        held = {path: data[id] for path, id in zip(one, there, strict=True) if id in data}
        if one[0] in held:
            out.append((commit, held))
    return out


def find_files(repo: Repo, ends: Sequence[str], folder: str) -> dict[str, set[str]]:
    """Every file below a folder of the record in any commit of these histories: by path, the ids of
    its blobs."""
    listed = repo.run("rev-list", "--objects", *ends).decode("utf-8", "replace").splitlines()
    found: dict[str, set[str]] = {}
    for line in listed:
        one, _, path = line.partition(" ")
        if path.startswith(f"{folder}/"):
            found.setdefault(path, set()).add(one)
    return found
