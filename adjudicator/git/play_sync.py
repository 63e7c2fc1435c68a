"""The player's side, one sync of a clone: take in what the host published, hand in what waits in
the seat.

Only the host's two branches are fetched. What is handed in is pushed again at every sync until the
host has answered it: so nobody who removes it, or moves it, keeps it from the host. Without a seat
a clone only takes in.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from adjudicator.core import bundles
from adjudicator.core.opening import read_offer
from adjudicator.core.source import read_or_none
from adjudicator.git import letterbox, refs, submission, worktree
from adjudicator.git.objects import blob_ids, lasting, read_objects, read_small, resolve
from adjudicator.git.process import GitFailed, Repo
from adjudicator.git.publish import as_bundles
from adjudicator.git.refs import RECEIPTS, Remote, full, tracked
from adjudicator.git.submission import FILE, Branch
from adjudicator.git.tree import Tree
from adjudicator.player.seat import Seat
from adjudicator.player.table import Table, TakenBundles
from adjudicator.store import files
from orders import names
from orders.bundle import Bundle, decode
from orders.errors import Missing, Refused

SENT = "refs/adjudicator/sent"
"""The commit that was handed in last."""

_LACKS = (
    "the remote has lost entries that are here: perhaps it was restored from an old backup. Tell "
    "the host; adjudicator restore brings back what players have"
)
_ASK_FORK = "; and is the request from your fork open?"
_OF_STEPS = ("entry", "slip", "seat", "consent", "opened", "report", "sealed")


class _Known(NamedTuple):
    """What a clone knows of the commit that it pushed last: that commit, the newest boxes of the
    host's that it has seen, when they were made, and how often they were replaced since."""

    end: str = "-"
    boxes: str = "-"
    time: int = 0
    moves: int = 0


class PlaySync:
    """A clone of the record at a player's table; without a seat there, anybody's."""

    repeats = True
    """What waits is pushed again until the host has answered it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.record = table.record
        self.seat = table.seat
        self.repo = Repo(table.record.root)
        self.remote: Remote | None = None
        """What the last fetch found."""

    @lasting()
    def sync(self, join: Bundle | None = None) -> TakenBundles:
        """Fetch, and send; raises Refused."""
        taken = self.fetch()
        self.send(taken, join)
        return taken

    @lasting()
    def fetch(self, here: object = None) -> TakenBundles:
        """Take in what the host published; raises Refused. `here`: what lies beside the clone, of
        which nothing is taken in."""
        with files.locked(self.repo.git_dir):
            taken, seat = TakenBundles(), self.seat
            self.remote = remote = self._look()
            if remote.foreign:
                taken.lines.append(
                    f"main holds commits that the host did not sign ({len(remote.foreign)}): they "
                    "are left out"
                )
            main = str(remote.main)
            if self._goes_on(main):
                self._take_in(main, taken)
            else:
                taken.warnings.append(_LACKS)
            if seat is not None:
                self._receipts(remote, seat, taken)
            return taken

    def _look(self) -> Remote:
        """Fetch what the host published, and nothing of others'; raises Refused."""
        boxes = resolve(self.repo, tracked(RECEIPTS))
        remote = refs.of_player(self.repo, receipts=self.seat is not None)
        if remote.main is None:
            raise Refused("git", "the remote has no main yet", "the host pushes it first")
        known = read_or_none(self.record, names.INVITE) is not None
        offer = read_offer(self.record if known else Tree.open(self.repo, remote.main))
        remote = remote.by(self.repo, offer.host)
        if boxes not in (None, remote.receipts):
            letterbox.forget(self.repo, boxes, offer.host)
        return remote

    # What is taken in.

    def _goes_on(self, main: str) -> bool:
        """Whether main has what is here; False where it ends before. Raises Refused `rewritten`.

        Entries decide, of which each binds those before it: a host and a server that both were put
        back have lost commits that brought none, and go on in another way.
        """
        other = None
        try:
            if refs.kept(self.repo, main) is None:
                return True
        except Refused as error:
            other = error
        here = self.record.last_step()
        if here is None:
            return True
        path = names.entry(here)
        if read_or_none(Tree.open(self.repo, main), path) == self.record.read(path):
            return True
        if other is not None:
            raise other
        return False

    def _take_in(self, main: str, taken: TakenBundles) -> None:
        tree = Tree.open(self.repo, main)
        there, here = tree.last_step(), self.record.last_step()
        steps = range(0 if here is None else here + 1, 0 if there is None else there + 1)
        wanted = [path for path in tree.items() if steps and _of_steps(path, steps)]
        tree.prefetch([names.INVITE, names.entry(min(here or 0, there or 0)), *wanted])
        invite = read_or_none(self.record, names.INVITE)
        if invite is None:
            self.table.take_row([bundles.of_invite(tree)])
        elif tree.read(names.INVITE) != invite:
            raise Refused("mismatch", "the remote's main is of another invite")
        if here is not None and there is not None:
            path = names.entry(min(here, there))
            if tree.read(path) != self.record.read(path):
                # It is refused as a fork, if the host signed it.
                self.table.take_row(bundles.of_entry(tree, min(here, there)))
        came = self.table.take_row([part for step in steps for part in as_bundles(tree, step)])
        taken.lines += came.lines
        taken.warnings += came.warnings
        taken.steps += came.steps
        taken.warnings += [f"{path}: on main, and belongs nowhere" for path in tree.foreign()]
        left = worktree.settle(self.repo, main)
        taken.warnings += [f"{path}: beside the record, too much: not written" for path in left]

    def _receipts(self, remote: Remote, seat: Seat, taken: TakenBundles) -> None:
        """Keep the receipts that are new in this player's box."""
        game = self.table.ledger.opening if self.table.begun else None
        if remote.unread:
            taken.warnings.append(f"the boxes with receipts cannot be read: {remote.unread}")
        if remote.receipts is None or game is None or seat.player not in game.players:
            return
        path = letterbox.path(seat.player)
        # Whoever may push there must not fill this machine's memory, nor end the sync.
        try:
            (box,) = blob_ids(self.repo, [f"{remote.receipts}:{path}"]).values()
            held = read_small(self.repo, filter(None, [box]), letterbox.expected(game)[path])
            given = letterbox.open_own(game, seat.player, seat.secret.letters(), held.get(box, b""))
        except Refused as error:
            taken.warnings.append(f"the box with your receipts: {error.message}")
            return
        new = [one for one in map(bundles.of_receipt, given) if not self.table.has(one)]
        self.table.take((("a receipt", one) for one in new), taken)

    # What is pushed.

    @lasting()
    def send(self, taken: TakenBundles, join: Bundle | None = None) -> None:
        """After a fetch, push the orders that are due, or the join before genesis, whether they are
        there or not; raises Refused.

        `join`: a new join of the seat's; without one the last that was handed in is it.
        """
        if self.seat is None:
            return
        assert self.remote is not None  # noqa: S101 - its caller has fetched
        with files.locked(self.repo.git_dir):
            self._hand_in(self.remote, join, self.seat, taken)

    def _hand_in(
        self, remote: Remote, join: Bundle | None, seat: Seat, taken: TakenBundles
    ) -> None:
        order = self.table.due()
        if order is None and self.table.begun:
            return
        last, sent = resolve(self.repo, SENT), None
        if last is not None:
            data = read_objects(self.repo, [f"{last}:{FILE}"])[0]
            with suppress(Refused):
                sent = decode(data or b"")
        given = join or (sent if sent is not None and sent.kind == "join" else None)
        if order is not None:
            given = bundles.pack("order", order.files())
        if given is None:
            return
        end = last if last is not None and given == sent else self._commit(remote, seat, given)
        branch = submission.branch(seat.player, given, end)
        name = submission.forked(seat.player) if self._forks else branch.name
        known = self._known()
        try:
            made = self._push(branch, end)
            again = made and known.end == end
        except GitFailed as error:
            if not refs.is_taken(error):
                raise
            # Whoever moved the branch has a name that does not fit, and this one gets a new one.
            end, again = self._commit(remote, seat, given, instead=end), True
            branch = submission.branch(seat.player, given, end)
            made = self._push(branch, end)
        step, revision = branch.place
        if made:
            what = f"orders for step {step}, revision {revision}" if step else "join"
            taken.lines.append(f"pushed: your {what}")
            if self._forks and not step:
                taken.lines.append(
                    f"to {submission.forked(seat.player)} in your fork: open one request from that "
                    "branch and leave it open, or let the host read your fork"
                )
        if again:
            # The host may have answered since it was fetched, and so taken the branch away.
            fetched, remote = remote, self._look()
            self._receipts(remote, seat, taken)
            again = remote.main == fetched.main if order is None else self.table.due() is not None
        if again:
            taken.warnings.append(
                f"somebody has moved or removed {name}, and the host has not answered it: yours is "
                "pushed again. If that does not end, send it to the host another way"
            )
        if self._moves(known, end, remote, made=made) > 1 and step:
            taken.warnings.append(
                f"NO RECEIPT for your orders for step {step}: they are pushed ({name}), and the "
                "host has synced since. Ask the host" + _ASK_FORK * self._forks
            )

    def _commit(self, remote: Remote, seat: Seat, given: Bundle, instead: str | None = None) -> str:
        now = self.table.clock.now()
        made = submission.commit(
            self.repo, str(remote.main), seat.player, given, now, instead=instead
        )
        self.repo.run("update-ref", SENT, made)
        return made

    @cached_property
    def _forks(self) -> bool:
        return self.repo.config("remote.fork.url") is not None

    def _push(self, branch: Branch, end: str) -> bool:
        """Push a commit; whether it was not there."""
        if self._forks:
            # Nobody else has a say in a fork, and one request is open from this branch.
            spec = f"+{end}:{full(submission.forked(branch.player))}"
            return "\n=" not in refs.send(self.repo, "fork", [spec])
        return "\n=" not in refs.send(self.repo, "origin", [f"{end}:{full(branch.name)}"])

    @property
    def _memory(self) -> Path:
        return self.repo.git_dir / "adjudicator-sent"

    def _known(self) -> _Known:
        with suppress(Missing):
            held = files.read(self._memory, 2**10).decode("ascii", "replace").split()
            if len(held) == 4 and held[2].isdecimal() and held[3].isdecimal():
                return _Known(held[0], held[1], int(held[2]), int(held[3]))
        return _Known()

    def _moves(self, known: _Known, end: str, remote: Remote, *, made: bool) -> int:
        """How often the host was seen to replace the boxes since this commit was pushed: twice, and
        it has listed the branch at least once. Boxes that others put there count as none."""
        moves = 0 if made or known.end != end else known.moves
        boxes, time = known.boxes, known.time
        newest = letterbox.made_by(self.repo, remote.receipts, read_offer(self.record).host)
        if newest is not None and newest.time >= time and remote.receipts != boxes:
            boxes, time = str(remote.receipts), newest.time
            moves += not made and known.end == end
        files.write(self._memory, f"{end} {boxes} {time} {moves}\n".encode())
        return moves


def _of_steps(path: str, steps: range) -> bool:
    """Whether taking in these entries needs that file; opened orders come with the reveal."""
    name = names.parse(path)
    if name is None or name.kind not in _OF_STEPS:
        return name is not None and name.kind == "join" and 0 in steps
    return name.step in steps or name.kind == "opened"
