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
from adjudicator.git.refs import LostRace, Remote, Update, player_branch
from adjudicator.git.tree import Tree
from adjudicator.git.writing import Writer
from adjudicator.player import seated
from adjudicator.player.seat import Seat
from adjudicator.player.table import Table, TakenBundles
from adjudicator.store import files
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
class _Content:
    """The wanted content of the player's branch: files, the commit's message, and a line for
    people."""

    files: dict[str, bytes]
    message: str
    what: str


class PlaySync:
    """A clone of the record at a player's table; without a seat there, anybody's."""

    def __init__(
        self,
        table: Table,
        signer: Signer | None = None,
        private: Private = Private(),  # noqa: B008 - it is frozen
    ) -> None:
        """`signer` is the seat's; None: nothing is handed in. `private`: what a join holds for the
        host."""
        self.table = table
        self.record = table.record
        self.seat = table.seat
        self.repo = Repo(table.record.root)
        self.signer = signer
        self.private = private

    @lasting()
    def sync(self) -> TakenBundles:
        """Pull, take in, hand in, push; raises Refused."""
        with files.locked(self.repo.git_dir):
            taken = TakenBundles()
            for _ in range(TRIES):
                remote = refs.fetch(self.repo, None if self.seat is None else self.seat.player)
                if remote.main is None:
                    raise Refused("git", "the remote has no main yet", "the host pushes it first")
                kept = refs.kept(self.repo, remote.main)
                if kept is None:
                    self._take_in(remote.main, taken)
                if self.seat is not None:
                    self._receipts(remote, self.seat, taken)
                try:
                    if self.seat is not None and self.signer is not None:
                        self._hand_in(remote, kept, self.seat, self.signer, taken)
                except LostRace:
                    continue
                if kept is not None:
                    taken.warnings.append(_LACKS)
                return taken
        raise Refused("busy", f"somebody else pushed first, {TRIES} times", "try again")

    # What is taken in.

    def _take_in(self, main: str, taken: TakenBundles) -> None:
        tree = Tree.open(self.repo, main)
        there, here = tree.last_step(), self.record.last_step()
        steps = range(0 if here is None else here + 1, 0 if there is None else there + 1)
        wanted = [path for path in tree.items() if steps and _of_steps(path, steps)]
        tree.prefetch([names.INVITE, names.entry(min(here or 0, there or 0)), *wanted])
        self._invite(tree)
        if here is not None and there is not None:
            self._compare(tree, min(here, there))
        came = self.table.take_row([part for step in steps for part in as_bundles(tree, step)])
        taken.warnings += came.warnings
        taken.steps += came.steps
        taken.warnings += [f"{path}: on main, and belongs nowhere" for path in tree.foreign()]
        left = worktree.settle(self.repo, main)
        taken.warnings += [f"{path}: beside the record, too much: not written" for path in left]

    def _invite(self, tree: Tree) -> None:
        there = read_or_none(self.record, names.INVITE)
        if there is None:
            self.table.take_row([bundles.of_invite(tree)])
        elif tree.read(names.INVITE) != there:
            raise Refused("mismatch", "the remote's main is of another invite")

    def _compare(self, tree: Tree, step: int) -> None:
        """Raise Refused `fork` if the remote's entry of that number is not the one that is here."""
        path = names.entry(step)
        if tree.read(path) != self.record.read(path):
            self.table.take_row(bundles.of_entry(tree, step))

    def _receipts(self, remote: Remote, seat: Seat, taken: TakenBundles) -> None:
        """Keep the receipts that are new in this player's box."""
        game = self.table.ledger.opening if self.table.begun else None
        if remote.receipts is None or game is None or seat.player not in game.players:
            return
        path = letterbox.path(seat.player)
        (box,) = blob_ids(self.repo, [f"{remote.receipts}:{path}"]).values()
        # Whoever may push there must not fill this machine's memory.
        held = read_small(self.repo, filter(None, [box]), letterbox.expected(game)[path])
        try:
            given = letterbox.open_own(game, seat.player, seat.secret.letters(), held.get(box, b""))
        except Refused as error:
            taken.warnings.append(f"the box with your receipts: {error.message}")
            return
        new = [one for one in map(bundles.of_receipt, given) if not self.table.has(one)]
        self.table.take((("a receipt", one) for one in new), taken)

    # What is pushed.

    def _hand_in(
        self, remote: Remote, kept: str | None, seat: Seat, signer: Signer, taken: TakenBundles
    ) -> None:
        """Push the join, or the last orders for the coming step, unless they are there.

        `kept`: the end of main as it was here, if the remote has lost it; it is handed in too.
        """
        old = remote.players.get(seat.player)
        if kept is not None and self._give_back(remote, old, kept, seat, taken):
            old = kept
        content = self._orders(seat) if self.table.begun else self._join(old, seat, signer)
        if content is None or (old is not None and _has(self.repo, old, content.files)):
            return
        new = self._commit(kept or str(remote.main), old, content, seat, signer)
        update = Update(player_branch(seat.player), old, new)
        refs.push(self.repo, [update], remote.to)
        taken.lines.append(f"pushed: {content.what}")

    def _give_back(
        self, remote: Remote, old: str | None, kept: str, seat: Seat, taken: TakenBundles
    ) -> bool:
        """Push the main that was here to the player's own branch, so that the host finds it."""
        if old is not None and not self.repo.is_ancestor(old, kept):
            return False
        if old != kept:
            update = Update(player_branch(seat.player), old, kept)
            refs.push(self.repo, [update], remote.to)
            taken.lines.append("pushed: the entries that the remote has lost, for the host")
        return True

    def _join(self, old: str | None, seat: Seat, signer: Signer) -> _Content | None:
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
        return _Content(dict(bundle.files), messages.join(seat.player), "your join")

    def _orders(self, seat: Seat) -> _Content | None:
        """The orders that are due; None if there are none."""
        order = self.table.due()
        if order is None:
            return None
        slip = order.slip
        return _Content(
            order.files(),
            messages.slip(slip.step, seat.player, slip.revision),
            f"your orders for step {slip.step}, revision {slip.revision}",
        )

    def _commit(
        self, main: str, old: str | None, content: _Content, seat: Seat, signer: Signer
    ) -> str:
        """A commit on main that continues this player's branch."""
        parents = [main]
        if old is not None and not self.repo.is_ancestor(old, main):
            parents = [old] if self.repo.is_ancestor(main, old) else [main, old]
        writer = Writer(self.repo, seat.player, signer)
        writer.start(parents[0])
        commit = writer.commit(parents, content.files, self.table.clock.now(), content.message)
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
