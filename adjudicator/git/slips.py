"""Finds joins, slips and sealed orders in commits that main merged, or does not have.

A sealed order file is in no tree of `main`: the commits that it merged hold all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from adjudicator.core import bundles
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import LIMIT, read_or_none
from adjudicator.git import changes
from adjudicator.git.changes import Step
from adjudicator.git.objects import FILE
from adjudicator.git.process import ANSWER, Repo
from adjudicator.git.reading import read_objects, read_small
from adjudicator.store.record import Record
from orders import names
from orders.bundle import Bundle
from orders.fields import Digest, digest
from orders.names import Name

KINDS = ("join", "slip", "sealed")
"""The kinds of files that players push."""

MOST = 400
"""How many joins or slips of one branch are looked at."""

_PORTION = 60
_LARGEST = 2**17
"""The most bytes of a slip, a signature, a join or a sealed order."""


@dataclass(frozen=True, slots=True)
class Submission:
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
    def step(self) -> int:
        """The step in its slip's name; 0 for a join."""
        parsed = (names.parse(path) for path, _ in self.bundle.files)
        return next((name.step for name in parsed if name and name.kind == "slip"), 0)

    @property
    def where(self) -> str:
        """The branch or request, in words."""
        return self.branch or "a pull request"


def find(
    repo: Repo, end: str, main: str, branch: str, wanted: Callable[[Name], bool]
) -> list[Submission]:
    """The joins, and the slips with their sealed orders, in the commits that main does not have.

    In the order of the branch, each once, at most MOST. What belongs to a document is what its
    commit brought with it, or an earlier one. Raises Refused.
    """
    there: dict[str, str] = {}
    found: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []
    for step in changes.beyond(repo, end, main):
        touched: dict[tuple[str, ...], None] = {}
        for change in step.own:
            name = names.parse(change.path)
            if name and name.kind in KINDS and change.mode == FILE and wanted(name):
                there[change.path] = change.new
                touched[_files(name)] = None
        found += [(step.commit, one, tuple(there.get(path, "") for path in one)) for one in touched]
    found = found[:MOST]
    data = read_small(repo, (one for _, _, ids in found for one in ids if one), _LARGEST)
    out: dict[Bundle, Submission] = {}
    for commit, paths, ids in found:
        held = {path: data[one] for path, one in zip(paths, ids, strict=True) if one in data}
        if paths[0] in held:
            bundle = bundles.pack("join" if len(paths) == 2 else "order", held)
            out.setdefault(bundle, Submission(bundle, commit, branch))
    return list(out.values())


def latest(repo: Repo, end: str, main: str) -> int:
    """The last step for which a branch has a slip that main does not have; 0 for none."""
    own = (change for step in changes.beyond(repo, end, main) for change in step.own)
    parsed = (names.parse(change.path) for change in own)
    return max((name.step for name in parsed if name and name.kind == "slip"), default=0)


def _files(name: Name) -> tuple[str, ...]:
    """The paths of a join or slip and of the files that travel with it."""
    if name.kind == "join":
        join = names.join(name.player)
        return join, names.signature(join)
    slip = names.slip(name.step, name.player)
    return slip, names.signature(slip), names.sealed_order(name.step, name.player)


def find_files(
    repo: Repo, ends: Sequence[str], folder: str = "", most: int = ANSWER
) -> dict[str, set[str]]:
    """Every file in a folder of the record in any commit of these histories: by path, its blobs.

    "": in all folders of the record. Raises Refused if git needs more than `most` bytes to tell.
    """
    rows = repo.walk("--stdin", given="".join(f"{one}\n" for one in ends))
    return files_of(changes.steps(repo, rows, most), folder)


def files_of(made: Iterable[Step], folder: str = "") -> dict[str, set[str]]:
    """The same of these commits."""
    found: dict[str, set[str]] = {}
    for step in made:
        for change in step.own:
            inside = change.path.startswith(f"{folder}/") if folder else True
            if inside and change.mode == FILE and names.is_ours(change.path):
                found.setdefault(change.path, set()).add(change.new)
    return found


def all_files(repo: Repo) -> Iterator[tuple[str, bytes]]:
    """Every file of a record, with its path, in any commit to which a branch of a clone leads.

    For a host who has lost some: players' branches have the sealed orders, which main has not.
    """
    ends = repo.text("for-each-ref", "--format=%(objectname)").split()
    rows = [(path, one) for path, ids in find_files(repo, ends, most=2**26).items() for one in ids]
    for at in range(0, len(rows), _PORTION):
        some = rows[at : at + _PORTION]
        data = read_small(repo, (one for _, one in some), LIMIT)
        yield from ((path, data[one]) for path, one in some if one in data)


def bring_orders(repo: Repo, commit: str, ledger: Ledger, record: Record) -> None:
    """Write into a host's record every sealed order file that an entry uses and that is not there
    yet: replaying and revealing need them."""
    wanted = {
        slip.sealed: (names.sealed_order(slip.step, player), names.sealed_order(link.step, player))
        for link in ledger.links()
        for player, slip in link.slips.items()
        if read_or_none(record, names.sealed_order(link.step, player)) is None
    }
    if not wanted:
        return
    held = find_files(repo, [commit], "orders")
    ids = sorted({one for pushed, _ in wanted.values() for one in held.get(pushed, ())})
    for data in read_objects(repo, ids):
        if data is not None and digest(data) in wanted:
            record.write(wanted[digest(data)][1], data)
