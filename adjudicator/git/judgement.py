"""Which commits may stand in a game's history, and whether all of them tell the record's story.

A record is true by its own signatures, whatever commits say. But people read `git log`, and anybody
may push. So there is one judgement of commits, and three ask for it: the guard before a push is let
in, the host before it merges what a player pushed, and a verifier of the whole history afterwards.
No commit that the guard lets in stops the host's next push.

A commit may stand in one of three ways:

    on main's own line (the first parents): signed by the host, it brings the invite, an entry, or
        files beside the record, and only adds to the record
    merged by an entry: signed by a player, it adds that player's join, or slips with their sealed
        orders for the step that waits; a waiting slip may be replaced
    merged by an entry: signed by the host, the same for a player whose files came in another way

Nothing else is in it: no foreign file, none that is larger than its kind may be, no message but the
tool's own. Files of main are never changed or left out.

The history is walked once, and each commit is known by what it changes (`git.changes`): two levels
of trees compared, none of a stranger's listed to its end. From these steps follow what the verifier
is told:

    `differences`: which commit brought which entry and slip, and who signed it, is not as the
        record has it. This makes no record false, since a squashed history is nobody's lie, unless
        (`fork`) the history holds two entries of one number that the host signed
    `faults`: a commit that may not stand: a story in somebody's name, a useless or a huge file
    `notes`: slips in the history or on branches that the record does not show. A branch does not
        show when a slip was pushed, so most of them accuse nobody
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import Offer, Opening, read_offer
from adjudicator.git import messages, page, slips
from adjudicator.git.changes import MOST_COMMITS, Change, Step, beyond, steps
from adjudicator.git.objects import FILE, Commit, read_commit
from adjudicator.git.process import Repo
from adjudicator.git.reading import blob_ids, read_objects, read_small, sizes
from adjudicator.git.slips import KINDS
from adjudicator.git.tree import Tree, beside_at
from orders import names, sshsig
from orders.documents import Join, Slip, read_join, read_slip
from orders.entries import AnyEntry, read_entry
from orders.errors import Missing, Refused
from orders.fields import Digest, digest
from orders.public_key import PublicKey, read_public
from orders.sealing import sealed_size

LARGEST_DOCUMENT = 4_096
"""Bytes of a join, a slip or a signature."""

LARGEST_COMMIT = 8_192
"""The most bytes of a player's commit object: parents, message and signature."""

_PUSHED = ("refs/remotes", "refs/heads/players", "refs/pull", "refs/merge-requests")


# What any commit may hold.


def shrinks(step: Step) -> Iterator[str]:
    """The files of the record that a commit of main's own line changes or removes."""
    first: Mapping[str, Change] = next(iter(step.against.values()), {})
    for change in first.values() if step.parents else ():
        if not change.beside and change.status != "A":
            verb = "removed" if change.status == "D" else "changed"
            yield f"{change.shown}: {verb} in {step.commit[:12]}; the record only grows"


def foreign(step: Step) -> Iterator[str]:
    """The files of a commit that are no part of a record and may not lie beside one either."""
    for change in step.own:
        if not change.beside and names.parse(change.path) is None:
            yield f"{change.shown}: a file that belongs nowhere, in {step.commit[:12]}"


def _file_fault(change: Change, player: str | None) -> str | None:
    """Why a merged commit may not add a file; `player` None: of any player."""
    name = names.parse(change.path)
    if name is None or change.beside:
        return "a file that belongs nowhere"
    if name.kind not in KINDS:
        return "only the host adds this, on main"
    if player not in (None, name.player):
        return f"in another player's name, not {player}'s"
    if change.status == "D":
        return "removed; a waiting file may be replaced, but not removed"
    if change.mode != FILE or change.status == "T":
        return f"no plain file (mode {change.mode})"
    return None


def _size_faults(
    changed: Iterable[Change], size: Mapping[str, int], opening: Opening | None
) -> Iterator[str]:
    """The files of players that are too large. `opening`: None before genesis."""
    for change in changed:
        sealed = change.path.endswith(".sealed") and opening is not None
        most = sealed_size(opening.sizes.order) if sealed and opening else LARGEST_DOCUMENT
        if size[change.new] > most:
            yield f"{change.shown}: {size[change.new]} bytes, at most {most}"


def _is_said(player: str, commit: Commit) -> bool:
    """Whether author and message are those of that player's tool."""
    return commit.names(player) and messages.is_of(player, commit.message)


def _players(made: Iterable[Step]) -> set[str]:
    """The players in whose names commits add such files as players push."""
    parsed = [names.parse(change.path) for step in made for change in step.own]
    return {name.player for name in parsed if name is not None and name.kind in KINDS}


# Before it is merged: the commits of a player's branch, upon a main.


class Ground:
    """The verified record that main holds, by which players' commits are judged."""

    def __init__(self, repo: Repo, main: str, ledger: Ledger | None = None) -> None:
        """`ledger`: the game, if it was verified before; it may have more entries than main."""
        self.repo = repo
        self.main = main
        self.tree = Tree.open(repo, main)
        self.offer: Offer = read_offer(self.tree)
        if ledger is None and self.tree.last_step() is not None:
            self.tree.prefetch(path for path in self.tree.items() if not path.startswith("reports"))
            ledger = Ledger.read(self.tree)
        self.ledger = ledger

    def key(self, player: str, tree: Tree) -> PublicKey:
        """The key of a player's commits on that tree; raises Missing or Refused."""
        last = tree.last_step()
        if last is None or self.ledger is None:
            return read_public(read_join(tree.read(names.join(player))).key)
        if player not in self.ledger.opening.players:
            raise Refused("no-seat", f"nobody in this game is called {player}")
        return self.ledger.link(last).key(player)

    def waiting(self, tree: Tree) -> range:
        """The steps for which a slip can be written on that tree; none before genesis."""
        last = tree.last_step()
        if last is None or self.ledger is None:
            return range(0)
        return range(self.ledger.link(last).since + 1, last + 2)


def why_not_merged(ground: Ground, commit: str, player: str) -> str | None:
    """Why a player's commit may not become part of main's history; None if it may."""
    faults = player_faults(ground, beyond(ground.repo, commit, ground.main), player)
    return faults[0] if faults else None


def player_faults(ground: Ground, made: Sequence[Step], player: str | None) -> list[str]:
    """Why commits, oldest first, are not those of a player; empty if nothing is wrong.

    `player` None: they may be any one player's. Only the first commit with faults is told.
    """
    if len(made) >= MOST_COMMITS:
        return [f"it has {MOST_COMMITS} commits or more that main does not have"]
    if player is None:
        player = min(_players(made), default=None)
    if player is None:
        return ["it holds no join and no order of a player"]
    for step in made:
        if not step.against:
            return [f"{step.commit[:12]} begins another history"]
        lost = _losses(ground, step)
        faults = list(lost)
        skipped = {line.partition(": ")[0] for line in lost}
        tree = Tree.open(ground.repo, step.commit)
        for change in step.own:
            if change.shown not in skipped:
                fault = _file_fault(change, player) or _time_fault(ground, tree, change)
                faults += [] if fault is None else [f"{change.shown}: {fault}"]
        faults = faults or _act_faults(ground, step, tree, player)
        if faults:
            return faults
    return []


def _losses(ground: Ground, step: Step) -> list[str]:
    """Files of main that a parent of a commit has and that the commit changes or leaves out."""
    found = []
    merge = len(step.against) > 1
    for parent, changed in step.against.items():
        for one in changed.values():
            item = None if one.beside or one.status == "A" else ground.tree.item(one.path)
            if item is None or item.id != one.old or _waits(ground.repo, parent, one.path):
                continue
            what = "changed"
            if one.status == "D":
                what = "dropped by a merge" if merge else "removed"
            found.append(f"{one.shown}: {what} in {step.commit[:12]}; the record only grows")
    return found


def _waits(repo: Repo, commit: str, path: str) -> bool:
    """Whether a join or slip still waits in that commit: no entry there names it."""
    name = names.parse(path)
    if name is None or name.kind not in KINDS:
        return False
    last = Tree.open(repo, commit).last_step()
    return last is None or (name.kind != "join" and name.step > last)


def _time_fault(ground: Ground, tree: Tree, change: Change) -> str | None:
    """Why a join or slip does not wait for anything on that tree."""
    name = names.parse(change.path)
    assert name is not None  # noqa: S101 - as the caller looked
    if name.kind == "join":
        return _join_fault(ground.repo, tree, change)
    waiting = ground.waiting(tree)
    if name.step in waiting:
        return None
    expected = f"the step that waits is {waiting[-1]}" if waiting else "the game has not begun"
    return f"for a step that does not wait: {expected}"


def _join_fault(repo: Repo, tree: Tree, change: Change) -> str | None:
    if tree.last_step() is not None:
        return "the game has begun"
    if change.status == "M" and not change.path.endswith(".sig"):
        old, new = (_join_key(data) for data in read_objects(repo, [change.old, change.new]))
        if old is not None and old != new:
            return f"replaces the join of another key, {old.fingerprint}"
    return None


def _join_key(data: bytes | None) -> PublicKey | None:
    """The key in a join; None if the bytes are no join."""
    try:
        return None if data is None else read_public(read_join(data).key)
    except Refused:
        return None


def _act_faults(ground: Ground, step: Step, tree: Tree, player: str) -> list[str]:
    """Why the sizes of a commit's files, or the commit object, are not as this player's tool makes
    them."""
    opening = None if ground.ledger is None else ground.ledger.opening
    size = dict.fromkeys((change.new for change in step.own), 2**31)
    faults = [*_size_faults(step.own, size | sizes(ground.repo, list(size)), opening)]
    short = step.commit[:12]
    data = read_objects(ground.repo, [step.commit])[0] or b""
    if len(data) > LARGEST_COMMIT:
        return [*faults, f"{short}: a commit of {len(data)} bytes, at most {LARGEST_COMMIT}"]
    commit = read_commit(data, ground.repo.algorithm)
    try:
        commit.check(ground.key(player, tree))
    except Missing as error:
        return [*faults, f"{short}: {error.message}"]
    except Refused as error:
        return [*faults, f"{short} is not by {player}: {error.message}"]
    if not _is_said(player, commit):
        said = f"{short}: its message is not the tool's for a join or an order of {player}"
        return [*faults, said]
    return faults


# Afterwards: the whole history.


class Basis(NamedTuple):
    """An entry of the record, with what its commits must have brought.

    `joins`: who sat in each seat before it. `slips`: those that it uses, by player.
    """

    entry: AnyEntry
    joins: Mapping[str, Join]
    slips: Mapping[str, Slip]

    def key(self, player: str) -> PublicKey:
        """The key with which that player signed what the entry uses."""
        return read_public(self.joins[player].key)

    def documents(self) -> list[tuple[str, str, str]]:
        """By player, the join or slip that the entry names: its path on main, and the path as
        pushed."""
        if self.entry.step == 0:
            paths = {player: names.join(player) for player in self.joins}
            return [(player, path, path) for player, path in paths.items()]
        step = self.entry.step
        return [
            (player, names.slip(step, player), names.slip(slip.step, player))
            for player, slip in self.slips.items()
        ]


def _bases(tree: Tree, opening: Opening) -> list[Basis]:
    """Every entry of a record that was verified already; raises Refused."""
    last = tree.last_step()
    tree.prefetch(
        path for path in tree.items() if path.startswith(("entries/", "slips/", "seats/"))
    )
    joins = dict(opening.joins)
    found = []
    for step in range(0 if last is None else last + 1):
        entry = read_entry(tree.read(names.entry(step)))
        used = {player: read_slip(tree.read(names.slip(step, player))) for player in entry.slips}
        found.append(Basis(entry, dict(joins), used))
        seat = None if entry.ruling is None else entry.ruling.seat
        if seat is not None:
            joins[seat.player] = read_join(tree.read(names.seat(step, seat.player)))
    return found


class Walk:
    """Every commit that leads to a verified record: what it changed, and who signed it.

    `line` has main's own commits, the oldest first. `brought`: by path, the one that added it.
    """

    def __init__(self, tree: Tree, opening: Opening) -> None:
        repo = tree.repo
        self.repo, self.tree, self.opening = repo, tree, opening
        self.host = opening.offer.host
        self.cut = repo.is_shallow()
        self.bases = _bases(tree, opening)
        self.steps = {one.commit: one for one in steps(repo, repo.walk(tree.commit))}
        self.line = [tree.commit]
        while above := self.steps[self.line[-1]].parents:
            self.line.append(above[0])
        self.line.reverse()
        self.merged = sorted(self.steps.keys() - set(self.line))
        self.brought: dict[str, str] = {}
        for one in self.line:
            for change in self.first(one):
                if change.status == "A":
                    self.brought.setdefault(change.path, one)
        data = zip(self.steps, read_objects(repo, list(self.steps)), strict=True)
        self.commits = {
            one: read_commit(held, repo.algorithm) for one, held in data if held is not None
        }
        self._signed: dict[tuple[str, PublicKey], str | None] = {}

    def first(self, commit: str) -> Iterable[Change]:
        """What a commit changes against its first parent."""
        step = self.steps[commit]
        return step.against[step.parents[0]].values() if step.parents else step.own

    def merges(self, basis: Basis) -> tuple[str, ...]:
        """The commits that the entry's commit merges."""
        commit = self.brought.get(names.entry(basis.entry.step))
        return () if commit is None else self.steps[commit].parents[1:]

    def unsigned(self, commit: str, key: PublicKey) -> str | None:
        """Why a commit is not one that this key signed; None if it is."""
        place = commit, key
        if place not in self._signed:
            self._signed[place] = None
            try:
                self.commits[commit].check(key)
            except KeyError:
                self._signed[place] = "not here"
            except Refused as error:
                self._signed[place] = error.message.removeprefix("signature: ")
        return self._signed[place]

    def is_by(self, commit: str, keys: Iterable[PublicKey]) -> bool:
        """Whether one of these keys signed a commit."""
        return any(self.unsigned(commit, key) is None for key in keys)


class Note(NamedTuple):
    """A line about slips. `look`: a person should look at it; otherwise it may mean nothing."""

    text: str
    look: bool


@dataclass
class Judgement:
    """What a repository's commits say of its record, as this module's head has it.

    `entries`, `slips`: how many are in commits by the host and by their players; `by_host`: slips
    and joins in the host's commits; `cut`: the clone is shallow; `own`, `merged`: how many commits
    are on main's own line, and how many these merge.
    """

    cut: bool
    own: int
    merged: int
    entries: int = 0
    slips: int = 0
    by_host: int = 0
    differences: list[str] = field(default_factory=list)
    fork: str | None = None
    faults: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def ties(self) -> str:
        """In a line, how entries and slips are tied to commits."""
        if self.fork is not None:
            return self.fork
        parts = [f"{self.entries} entries in commits that the host signed"]
        parts.append(f"{self.slips} slips and joins in commits that their players signed")
        if self.by_host:
            parts.append(f"{self.by_host} in the host's, which came another way")
        if self.cut:
            parts.append("the clone is shallow: earlier commits are not here")
        if self.differences:
            parts.insert(0, f"differ: {_listed(self.differences)}")
        return "; ".join(parts)

    def content(self) -> str:
        """In a line, what the commits hold."""
        if self.faults:
            return f"not accounted for: {_listed(self.faults)}"
        cut = "; earlier commits are not here" if self.cut else ""
        kept = f"{self.own} commits of the host's and {self.merged} that they merge"
        return f"{kept}, each saying and adding what the game makes it{cut}"


def _listed(lines: Sequence[str]) -> str:
    more = f"; and {len(lines) - 5} more" if len(lines) > 5 else ""
    return "; ".join(lines[:5]) + more


def judge(tree: Tree, opening: Opening) -> Judgement:
    """The judgement of all commits that lead to a verified record; raises Refused."""
    walk = Walk(tree, opening)
    found = Judgement(walk.cut, len(walk.line), len(walk.merged))
    for commit in walk.line:
        found.differences += shrinks(walk.steps[commit])
        found.fork = _fork(walk, commit) or found.fork
    _tie(walk, found)
    found.faults += dict.fromkeys(_faults(walk))
    found.notes += _notes(walk)
    return found


# Differences: which commit brought what.


def _fork(walk: Walk, commit: str) -> str | None:
    """That a commit of main replaced an entry by another that the host signed too."""
    for change in walk.first(commit):
        name = names.parse(change.path)
        if name is None or name.kind != "entry" or name.signature or change.status != "M":
            continue
        parent = walk.steps[commit].parents[0]
        paths = (change.path, names.signature(change.path))
        wanted = [f"{at}:{path}" for at in (parent, commit) for path in paths]
        old, old_signature, new, new_signature = read_objects(walk.repo, wanted)
        try:
            for data, armored in ((old, old_signature), (new, new_signature)):
                sshsig.verify(walk.host, sshsig.ENTRY, data or b"", armored or b"")
        except Refused:
            continue
        return (
            f"two entries {change.path}, both signed by the host: in {parent[:12]} and in "
            f"{commit[:12]}"
        )
    return None


def _tie(walk: Walk, found: Judgement) -> None:
    """Tie each entry, slip and join to the commit that brought it."""
    documents = [(basis, *one) for basis in walk.bases for one in basis.documents()]
    held = blob_ids(walk.repo, [
        f"{parent}:{pushed}" for basis, _, _, pushed in documents for parent in walk.merges(basis)
    ])  # fmt: skip
    brings: dict[str, int] = {}
    for path, commit in walk.brought.items():
        name = names.parse(path)
        if name is not None and name.kind == "entry" and not name.signature:
            brings[commit] = brings.get(commit, 0) + 1
    for basis in walk.bases:
        step = basis.entry.step
        commit = walk.brought.get(names.entry(step), "")
        if not commit or (walk.cut and commit == walk.line[0]):
            continue
        found.entries += _signed(walk, found, commit, walk.host, f"entry {step}")
        if brings[commit] > 1:
            found.differences.append(f"{commit[:12]} brings more than one entry")
        for player, path, pushed in basis.documents():
            _tie_document(walk, found, basis, player, path, {
                parent: held[f"{parent}:{pushed}"] for parent in walk.merges(basis)
            })  # fmt: skip
    merged = set(chain.from_iterable(map(walk.merges, walk.bases)))
    keys = {read_public(join.key) for basis in walk.bases for join in basis.joins.values()}
    for one in walk.merged:
        if one not in merged and not walk.is_by(one, (walk.host, *keys)):
            found.differences.append(f"commit {one[:12]} is by nobody of the game")


def _tie_document(
    walk: Walk, found: Judgement, basis: Basis, player: str, path: str, held: Mapping[str, str]
) -> None:
    """The commit that brought a join or slip is its player's or the host's, and merged. `held`: by
    merged commit, the blob that it has in its place."""
    what = f"the {'slip' if basis.entry.step else 'join'} of {player}, entry {basis.entry.step}"
    wanted = walk.tree.item(path)
    parent = next((one for one, blob in held.items() if wanted and blob == wanted.id), None)
    if parent is None:
        at = walk.brought.get(path, "")
        found.differences.append(f"{what} came in the commit of its entry, {at[:12]}")
    elif walk.is_by(parent, [walk.host]):
        found.by_host += 1
    else:
        found.slips += _signed(walk, found, parent, basis.key(player), what)


def _signed(walk: Walk, found: Judgement, commit: str, key: PublicKey, what: str) -> bool:
    fault = walk.unsigned(commit, key)
    if fault is not None:
        found.differences.append(f"{what}: commit {commit[:12]} is {fault}")
    return fault is None


# Faults: which commits may not stand.


def _faults(walk: Walk) -> Iterator[str]:
    for commit in walk.line[walk.cut :]:
        yield from _line_faults(walk, walk.steps[commit])
    changed = {change.new for one in walk.merged for change in walk.steps[one].own}
    size = dict.fromkeys(changed, 0) | sizes(walk.repo, sorted(changed))
    for commit in walk.merged:
        yield from _merged_faults(walk, walk.steps[commit], size)
    yield from _many(walk)
    held = beside_at(walk.repo, walk.tree.commit).files
    if page.is_page(held):
        entries = [basis.entry for basis in walk.bases]
        for path, data in page.made(walk.opening.offer, walk.opening, entries).items():
            if held.get(path) != data:
                yield f"{path} is not what the record makes it"


def _line_faults(walk: Walk, step: Step) -> Iterator[str]:
    """A commit of main's own line: the invite, an entry, or a change beside the record."""
    short = step.commit[:12]
    commit = walk.commits.get(step.commit)
    if not walk.is_by(step.commit, [walk.host]):
        yield f"{short} is not the host's"
    if commit is None or not commit.names("host") or commit.message != _said(walk, step):
        yield f"{short} says what the tool does not say"
    yield from foreign(step)


def _said(walk: Walk, step: Step) -> str | None:
    """What the host's tool says of that commit."""
    parsed = [names.parse(change.path) for change in step.own]
    entries = [one.step for one in parsed if one is not None and one.kind == "entry"]
    if entries:
        basis = walk.bases[min(max(entries), len(walk.bases) - 1)]
        return f"{messages.entry(walk.opening, basis.entry)}\n"
    if not step.parents:
        return f"{messages.invite(walk.opening.offer)}\n"
    only_beside = all(change.beside for change in step.own)
    return f"{messages.BESIDE}\n" if step.own and only_beside else None


def _merged_faults(walk: Walk, step: Step, size: Mapping[str, int]) -> Iterator[str]:
    """A commit that an entry merges: a player's, or the host's for files that came another way."""
    short = step.commit[:12]
    commit = walk.commits.get(step.commit)
    if commit is None or commit.size > LARGEST_COMMIT:
        yield f"{short} is a commit of more than {LARGEST_COMMIT} bytes"
    if commit is None:
        return
    player = None if walk.is_by(step.commit, [walk.host]) else commit.author.partition(" ")[0]
    if player is None:
        others = _players([step])
        said = commit.names("host") and messages.is_other_way(others, commit.message)
    else:
        said = _is_said(player, commit)
        keys = {basis.key(player) for basis in walk.bases if player in basis.joins}
        if not walk.is_by(step.commit, keys):
            yield f"{short} is signed by no player of that name"
    if not said:
        yield f"{short} says what the tool does not say"
    added = []
    for change in step.own:
        fault = _file_fault(change, player)
        if fault is None:
            added.append(change)
        else:
            yield f"{short}: {change.shown}: {fault}"
    for fault in _size_faults(added, size, walk.opening):
        yield f"{short}: {fault}"


def _many(walk: Walk) -> Iterator[str]:
    """The commits on main's own line that merge more commits than players may push."""
    seen: set[str] = set()
    for commit in walk.line:
        seen.add(commit)
        merged = 0
        waiting = list(walk.steps[commit].parents[1:])
        while waiting:
            one = waiting.pop()
            if one in walk.steps and one not in seen:
                seen.add(one)
                merged += 1
                waiting += walk.steps[one].parents
        if merged >= MOST_COMMITS:
            yield f"{commit[:12]} merges {merged} commits"


# Notes: slips that the record does not show.


class _SignedSlip(NamedTuple):
    """A slip of this game that its player signed, and the blob that holds it."""

    slip: Slip
    digest: Digest
    blob: str


def _notes(walk: Walk) -> Iterator[Note]:
    """In the history, and on the branches that are here."""
    refs = walk.repo.text("for-each-ref", "--format=%(objectname)", *_PUSHED).split()
    given = "".join(f"{one}\n" for one in (*dict.fromkeys(refs), f"^{walk.tree.commit}"))
    others = steps(walk.repo, walk.repo.walk("--stdin", given=given)) if refs else []
    found = list(_signed_slips(walk, slips.files_of([*walk.steps.values(), *others], "slips")))
    yield from _twins(found)
    yield from _missing(walk, found)


def _signed_slips(walk: Walk, files: Mapping[str, set[str]]) -> Iterator[_SignedSlip]:
    used = {slip.digest for basis in walk.bases for slip in basis.entry.slips.values()}
    held = read_small(walk.repo, chain.from_iterable(files.values()), LARGEST_DOCUMENT)
    seen: set[str] = set()
    for path in sorted(files):
        name = names.parse(path)
        if name is None or name.signature:
            continue
        for blob in sorted(files[path] - seen):
            seen.add(blob)
            data = held.get(blob, b"")
            signatures = [held.get(one, b"") for one in files.get(names.signature(path), ())]
            slip = _slip_of(walk, data)
            if slip and (digest(data) in used or _is_signed(walk, slip, data, signatures)):
                yield _SignedSlip(slip, digest(data), blob)


def _slip_of(walk: Walk, data: bytes) -> Slip | None:
    """The slip of this game in a file."""
    try:
        slip = read_slip(data)
    except Refused:
        return None
    ours = slip.game == walk.opening.id and slip.player in walk.opening.players
    return slip if ours else None


def _is_signed(walk: Walk, slip: Slip, data: bytes, signatures: Iterable[bytes]) -> bool:
    """Whether one of these signatures is its player's."""
    key = walk.bases[min(slip.step, len(walk.bases) - 1)].key(slip.player)
    for armored in signatures:
        try:
            sshsig.verify(key, sshsig.SLIP, data, armored)
        except Refused:
            continue
        return True
    return False


def _twins(found: Iterable[_SignedSlip]) -> Iterator[Note]:
    first: dict[tuple[str, int, int], Digest] = {}
    for slip, own, _ in found:
        other = first.setdefault((slip.player, slip.step, slip.revision), own)
        if other != own:
            yield Note(
                f"{slip.player} signed two slips of step {slip.step}, revision {slip.revision}: "
                f"{other[:16]} and {own[:16]}",
                look=True,
            )


def _missing(walk: Walk, found: Sequence[_SignedSlip]) -> Iterator[Note]:
    """Orders of a player whom an entry calls missing."""
    for number, basis in enumerate(walk.bases):
        for player in basis.entry.missing:
            blobs = {
                one.blob
                for one in found
                if one.slip.player == player and _answers(walk.bases, one.slip, number)
            }
            if not blobs:
                continue
            before = _before(walk, walk.brought.get(names.entry(number - 1)))
            known = slips.files_of((walk.steps[one] for one in before), "slips")
            if blobs & set().union(*known.values()):
                text = f"entry {number} calls {player} missing, but the host had merged their slip"
                yield Note(text, look=True)
            else:
                text = (
                    f"entry {number} calls {player} missing, and a branch holds a slip of "
                    f"{player} for it; it may have been written later"
                )
                yield Note(text, look=False)


def _before(walk: Walk, commit: str | None) -> set[str]:
    """The commits to which that one leads, itself included."""
    seen: set[str] = set()
    waiting = [] if commit is None else [commit]
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            waiting += walk.steps[one].parents
    return seen


def _answers(bases: Sequence[Basis], slip: Slip, number: int) -> bool:
    """Whether that entry could use a slip: only delays follow the entry that the slip quotes."""
    if not 1 <= slip.step <= number:
        return False
    rulings = [bases[step].entry.ruling for step in range(slip.step, number)]
    return all(ruling is not None and ruling.moves_only for ruling in rulings)
