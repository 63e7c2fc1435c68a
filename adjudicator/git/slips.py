"""What players have pushed: the joins and slips on branches and pull requests.

What belongs here: finding the files in commits that main does not have. What it must not know:
whether a slip is accepted, whether a commit may be merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adjudicator import bundles
from adjudicator.git.process import Repo
from adjudicator.git.refs import Remote
from adjudicator.git.tree import read_objects, sizes
from orders import names
from orders.bundle import Bundle
from orders.fields import Digest, digest

MOST_COMMITS = 200
"""Of a branch, beyond main: more are not looked at."""

_LARGEST = 2**17
"""Of a slip, a signature, a join or a sealed order."""


@dataclass(frozen=True, slots=True)
class Pushed:
    """A bundle as found in a commit; `branch` is the player whose branch it is, "" for a pull."""

    bundle: Bundle
    commit: str
    branch: str

    @property
    def document(self) -> Digest:
        """The digest of the slip or join in it."""
        return next(digest(data) for path, data in self.bundle.files if path.endswith(".toml"))


def find_slips(
    repo: Repo, remote: Remote, players: Iterable[str], main: str, step: int
) -> list[Pushed]:
    """Every slip for that step that was pushed, each once, in the order of its branch."""
    out = []
    everyone = sorted(players)
    ends = [(end, [name], name) for name, end in remote.ahead.items() if name in everyone]
    ends += [(end, everyone, "") for end in remote.pulls]
    for end, who, branch in ends:
        wanted = [_slip_files(step, player) for player in who]
        for commit, held in _files(repo, end, main, wanted):
            out.append(Pushed(bundles.pack("order", held), commit, branch))
    return _once(out)


def find_joins(repo: Repo, remote: Remote, main: str) -> dict[str, Pushed]:
    """Every player's last join, by name: from their branch, or from pull requests."""
    found: dict[str, Pushed] = {}
    for end in remote.pulls:
        for name in _joins_in(repo, end):
            for commit, held in _files(repo, end, main, [_join_files(name)]):
                found[name] = Pushed(bundles.pack("join", held), commit, "")
    for name, end in remote.ahead.items():
        for commit, held in _files(repo, end, main, [_join_files(name)]):
            found[name] = Pushed(bundles.pack("join", held), commit, name)
    return found


def _joins_in(repo: Repo, commit: str) -> list[str]:
    listed = repo.run("ls-tree", "-z", "--name-only", commit, "--", "joins/").split(b"\0")
    parsed = [names.parse(one.decode("utf-8", "replace")) for one in listed[:200]]
    return [
        name.player
        for name in parsed
        if name and name.kind == "join" and name.player and not name.signature
    ]


def _once(found: Sequence[Pushed]) -> list[Pushed]:
    return list({one.bundle: one for one in reversed(found)}.values())[::-1]


def _slip_files(step: int, player: str) -> tuple[str, ...]:
    slip = names.slip(step, player)
    return (names.sealed_order(step, player), slip, names.signature(slip))


def _join_files(player: str) -> tuple[str, ...]:
    join = names.join(player)
    return (join, names.signature(join))


def beyond(repo: Repo, end: str, main: str) -> list[str]:
    """The commits that `end` has and main has not, oldest first, at most MOST_COMMITS."""
    count = f"--max-count={MOST_COMMITS}"
    return repo.text("rev-list", "--topo-order", count, end, f"^{main}").split()[::-1]


def _files(
    repo: Repo, end: str, main: str, wanted: Sequence[tuple[str, ...]]
) -> list[tuple[str, dict[str, bytes]]]:
    """Where sets of files first stand so in the commits from main to `end`.

    A set is left out where its last but one name, the document signed, is not there; files that
    are not there or too large are left out of it.
    """
    commits = beyond(repo, end, main)
    asked = [(commit, one) for commit in commits for one in wanted]
    flat = [f"{commit}:{path}" for commit, one in asked for path in one]
    ids = blob_ids(repo, flat)
    known = sizes(repo, sorted({one for one in ids.values() if one}))
    small = sorted(one for one, size in known.items() if size <= _LARGEST)
    data = dict(zip(small, read_objects(repo, small), strict=True)) if small else {}
    seen: set[tuple[str, ...]] = set()
    out = []
    for commit, one in asked:
        there = tuple(ids[f"{commit}:{path}"] for path in one)
        if there in seen or not there[-2]:
            continue
        seen.add(there)
        found = zip(one, (data.get(each) for each in there), strict=True)
        held = {path: content for path, content in found if content is not None}
        if one[-2] in held:
            out.append((commit, held))
    return out


def blob_ids(repo: Repo, wanted: Sequence[str]) -> dict[str, str]:
    """The ids of blobs named `COMMIT:PATH`; "" where there is none."""
    if not wanted:
        return {}
    given = "".join(f"{name}\n" for name in wanted).encode()
    lines = repo.run("cat-file", "--batch-check", given=given).decode("ascii", "replace")
    out = {}
    for name, line in zip(wanted, lines.splitlines(), strict=True):
        words = line.split()
        out[name] = words[0] if len(words) == 3 and words[1] == "blob" else ""
    return out
