"""The player's side, one sync of a clone: take in what the host published, hand in what waits in
the seat.

Without a seat it only takes in.
"""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.core import bundles, opening
from adjudicator.core.source import read_or_none
from adjudicator.git import letterbox, messages, refs, worktree
from adjudicator.git.history import as_bundles
from adjudicator.git.process import Repo
from adjudicator.git.reading import blob_ids, lasting, read_objects, read_small
from adjudicator.git.refs import Lost, Remote, Update, player_branch
from adjudicator.git.tree import Tree
from adjudicator.git.writing import Writer
from adjudicator.player import seated
from adjudicator.player.seat import Seat
from adjudicator.player.table import Table, Taken
from adjudicator.store import files
from adjudicator.store.clock import Clock
from adjudicator.store.record import Record
from orders import names
from orders.documents import Private, read_join
from orders.errors import Refused
from orders.keys import Signer

TRIES = 8
_LACKS = (
    "the remote has lost entries that are here: perhaps it was restored from an old backup; "
    "the host's next sync puts back what players have"
)
_OF_STEPS = ("entry", "slip", "seat", "consent", "opened", "report")


@dataclass(frozen=True, slots=True)
class _Handed:
    """The wanted content of the player's branch: files, the commit's message, and a line for
    people."""

    files: dict[str, bytes]
    message: str
    told: str


class PlaySync:
    """A clone of the record; with a seat, that player's."""

    def __init__(
        self,
        record: Record,
        seat: Seat | None,
        signer: Signer | None,
        clock: Clock,
        private: Private = Private(),  # noqa: B008 - it is frozen
    ) -> None:
        """`signer` is the seat's; None: nothing is handed in. `private`: what a join holds for the
        host."""
        self.record = record
        self.repo = Repo(record.root)
        self.seat = seat
        self.signer = signer
        self.clock = clock
        self.private = private
        self.table = Table(record, seat, clock)
        self.copy = self.table.copy

    @lasting()
    def sync(self) -> Taken:
        """Pull, take in, hand in, push; raises Refused."""
        with files.locked(self.repo.git_dir):
            taken = Taken()
            for _ in range(TRIES):
                remote = refs.fetch(self.repo, None if self.seat is None else self.seat.player)
                if remote.main is None:
                    raise Refused("git", "the remote has no main yet", "the host pushes it first")
                kept = refs.kept(self.repo, remote.main)
                if kept is None:
                    self._take_in(remote.main, taken)
                if self.seat is not None and self._plays(self.seat):
                    self._receipts(remote, self.seat, taken)
                try:
                    if self.seat is not None and self.signer is not None:
                        self._hand_in(remote, kept, self.seat, self.signer, taken)
                except Lost:
                    continue
                if kept is not None:
                    taken.warnings.append(_LACKS)
                return taken
        raise Refused("busy", f"somebody else pushed first, {TRIES} times", "try again")

    # What is taken in.

    def _take_in(self, main: str, taken: Taken) -> None:
        tree = Tree.open(self.repo, main)
        there, here = tree.last_step(), self.record.last_step()
        steps = range(0 if here is None else here + 1, 0 if there is None else there + 1)
        wanted = [path for path in tree.items() if steps and _of_steps(path, steps)]
        tree.prefetch([names.INVITE, names.entry(min(here or 0, there or 0)), *wanted])
        self._invite(tree, taken)
        if here is not None and there is not None:
            self._compare(tree, min(here, there))
        parts = [part for step in steps for part in as_bundles(tree, step)]
        for received in self.copy.receive(parts):
            taken.warnings += received.warnings
        taken.steps += steps
        taken.warnings += [f"{path}: on main, and belongs nowhere" for path in tree.foreign()]
        left = worktree.settle(self.repo, main)
        taken.warnings += [f"{path}: beside the record, too much: not written" for path in left]

    def _invite(self, tree: Tree, taken: Taken) -> None:
        there = read_or_none(self.record, names.INVITE)
        if there is None:
            self.copy.receive([bundles.of_invite(tree)])
            taken.lines.append("the invite")
        elif tree.read(names.INVITE) != there:
            raise Refused("mismatch", "the remote's main is of another invite")

    def _compare(self, tree: Tree, step: int) -> None:
        """Raise Refused `fork` if the remote's entry of that number is not the one that is here."""
        path = names.entry(step)
        if tree.read(path) != self.record.read(path):
            self.copy.receive(bundles.of_entry(tree, step))

    def _receipts(self, remote: Remote, seat: Seat, taken: Taken) -> None:
        """Keep the receipts that are new in this player's box."""
        if remote.receipts is None:
            return
        game = self.copy.ledger.opening
        path = letterbox.path(seat.player)
        (box,) = blob_ids(self.repo, [f"{remote.receipts}:{path}"]).values()
        # Whoever may push there must not fill this machine's memory.
        held = read_small(self.repo, filter(None, [box]), letterbox.expected(game)[path])
        try:
            given = letterbox.open_own(game, seat.player, seat.secret.letters(), held.get(box, b""))
        except Refused as error:
            taken.warnings.append(f"the box with your receipts: {error.message}")
            return
        known = {file.data for file in seat.receipts()}
        for file in given:
            if file.data in known:
                continue
            try:
                for received in self.copy.receive([bundles.of_receipt(file)]):
                    taken.lines.append(received.what)
                    taken.warnings += received.warnings
            except Refused as error:
                taken.warnings.append(f"a receipt: {error.message}")

    def _plays(self, seat: Seat) -> bool:
        """Whether the game has begun with that player in it."""
        if self.record.last_step() is None:
            return False
        return seat.player in self.copy.ledger.opening.players

    # What is pushed.

    def _hand_in(
        self, remote: Remote, kept: str | None, seat: Seat, signer: Signer, taken: Taken
    ) -> None:
        """Push the join, or the last orders for the coming step, unless they are there.

        `kept`: the end of main as it was here, if the remote has lost it; it is handed in too.
        """
        old = remote.players.get(seat.player)
        if kept is not None and self._give_back(remote, old, kept, seat, taken):
            old = kept
        if self.record.last_step() is None:
            handed = self._join(old, seat, signer)
        else:
            handed = self._orders(seat)
        if handed is None or (old is not None and _has(self.repo, old, handed.files)):
            return
        new = self._commit(kept or str(remote.main), old, handed, seat, signer)
        update = Update(player_branch(seat.player), old, new)
        refs.push(self.repo, [update], remote.to)
        taken.lines.append(f"pushed: {handed.told}")

    def _give_back(
        self, remote: Remote, old: str | None, kept: str, seat: Seat, taken: Taken
    ) -> bool:
        """Push the main that was here to the player's own branch, so that the host finds it."""
        if old is not None and not self.repo.is_ancestor(old, kept):
            return False
        if old != kept:
            update = Update(player_branch(seat.player), old, kept)
            refs.push(self.repo, [update], remote.to)
            taken.lines.append("pushed: the entries that the remote has lost, for the host")
        return True

    def _join(self, old: str | None, seat: Seat, signer: Signer) -> _Handed | None:
        """The join, unless the branch has it; its private part is sealed anew each time."""
        offer = opening.read_offer(self.record)
        bundle = seated.join(offer, seat, signer, self.private)
        path = names.join(seat.player)
        there = None if old is None else read_objects(self.repo, [f"{old}:{path}"])[0]
        if there is not None and self.private == Private():
            try:
                if read_join(there)._replace(private=None) == read_join(dict(bundle.files)[path]):
                    return None
            except Refused:
                pass
        return _Handed(dict(bundle.files), messages.join(seat.player), "your join")

    def _orders(self, seat: Seat) -> _Handed | None:
        """The orders that are due; None if there are none."""
        order = self.table.due()
        if order is None:
            return None
        slip = order.slip
        return _Handed(
            order.files(),
            messages.slip(slip.step, seat.player, slip.revision),
            f"your orders for step {slip.step}, revision {slip.revision}",
        )

    def _commit(
        self, main: str, old: str | None, handed: _Handed, seat: Seat, signer: Signer
    ) -> str:
        """A commit on main that continues this player's branch."""
        parents = [main]
        if old is not None and not self.repo.is_ancestor(old, main):
            parents = [old] if self.repo.is_ancestor(main, old) else [main, old]
        writer = Writer(self.repo, seat.player, signer)
        writer.start(parents[0])
        commit = writer.commit(parents, handed.files, self.clock.now(), handed.message)
        writer.store()
        return commit


def _of_steps(path: str, steps: range) -> bool:
    """Whether taking in these entries needs that file; opened orders come with the reveal."""
    name = names.parse(path)
    if name is None or name.kind not in _OF_STEPS:
        return name is not None and name.kind == "join" and 0 in steps
    return name.step in steps or name.kind == "opened"


def _has(repo: Repo, commit: str, held: dict[str, bytes]) -> bool:
    """Whether a commit has exactly these files."""
    data = read_objects(repo, [f"{commit}:{path}" for path in held])
    return data == list(held.values())
