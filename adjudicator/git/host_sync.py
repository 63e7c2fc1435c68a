"""The host's side: take in what players handed in, let the game go on, publish.

What belongs here: one sync. Killing it at any point loses no accepted order. One machine hosts a
game. What another one of the same host published, and this folder lacks, is taken in, as after the
loss of a disk, and what never left here gives way to it; but where both have left, or one has
promised what the other did not keep, the sync is refused. What it must not know: rules of games,
what is printed.

Whether and what a sync pushes depends only on public things: the branches, the entries, the clock.
So the boxes with receipts are replaced for all players whenever anything that is not over has
moved, and once a day, and a slip reaches main only with its entry.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from adjudicator.git import inbox, letterbox, publish, refs, worktree
from adjudicator.git.inbox import End, Inbox
from adjudicator.git.letterbox import Boxes
from adjudicator.git.objects import Writer, lasting, resolve
from adjudicator.git.process import Repo
from adjudicator.git.refs import MAIN, RECEIPTS, LostRace, Remote, Update
from adjudicator.git.submission import JOIN, Submission
from adjudicator.git.tree import Tree
from adjudicator.host import waiting_room
from adjudicator.host.desk import Desk
from adjudicator.host.host import Host
from adjudicator.host.restore import Pool, Told, give_way
from adjudicator.host.waiting_room import Applicant
from adjudicator.player.copy import Copy
from adjudicator.store import files
from adjudicator.store.clock import Clock
from adjudicator.store.record import Record
from orders import names
from orders.documents import Receipt
from orders.entries import Reveal
from orders.errors import Refused
from orders.fields import digest
from orders.keys import Signer

TRIES = 12

MOST_REMOVED = 200
"""How many branches one push removes."""

_MOST_TOLD = 40
"""How many lines tell what was left out, and how many all the rest: others may hand in anything."""

_ALONE = (
    "one machine hosts a game: go on with the one that published, and put this folder aside, with "
    'its .host; to host here again, see "A host in CI" in docs/host.md'
)


@dataclass
class SyncResult:
    """The results of a sync: lines for the host's own terminal, the steps of new entries.

    `unread`: a line for each branch or request that could not be read and may be an awaited
    player's; it holds nothing that is not public.
    """

    lines: list[str] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    receipts: list[Receipt] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)


class HostSync:
    """One host's working tree of the record, with the host's folder beside it."""

    def __init__(
        self,
        record: Record,
        signer: Signer,
        clock: Clock,
        doubts: Callable[[str], None] | None = None,
    ) -> None:
        """`doubts`: as for `Host`. Raises Missing or Refused."""
        self.desk = Desk(record, lambda: signer, clock, doubts)
        self.record, self.folder = record, self.desk.folder
        self.repo = Repo(record.root)
        self.host = self.desk.offer.host
        """Whose commits are the host's."""
        self.began = ""
        self.listed: list[End] = []
        self.inbox = Inbox()
        self.left: list[str] = []
        self.brought: dict[str, int] = {}
        self._opened: Boxes | None = None

    @property
    def referee(self) -> Host | None:
        """The host's side of the game, verified once; None before genesis."""
        return self.desk.host

    def sync(self, *, late: bool = False) -> SyncResult:
        """Pull, take in, go on when due (`late`: do not wait for overdue players), push."""
        return self._try(lambda remote, synced: self._work(remote, synced, late=late))

    def start(self, players: Sequence[str]) -> SyncResult:
        """Genesis with the joins that these players pushed, in this order, or with all; then push.

        Each is a name, or NAME=FINGERPRINT if two keys ask for it.
        """
        return self._try(lambda remote, synced: self._begin(remote, synced, players))

    @lasting()
    def _try(self, work: Callable[[Remote, SyncResult], None]) -> SyncResult:
        with files.locked(self.record.host):
            # Read first, so that the time does not tell how much there was to do.
            self.began = self.desk.clock.now()
            self.known = inbox.Known(self.record.host / "git-read")
            lost: list[tuple[str | None, str | None]] = []
            synced = SyncResult()
            for _ in range(TRIES):
                # What another machine has answered meanwhile, its receipt answers.
                synced.unread, synced.receipts = [], []
                remote = self._list(synced)
                self._adopt(remote, synced)
                self._read(remote, synced)
                work(remote, synced)
                try:
                    self._publish(remote, synced)
                except LostRace as error:
                    lost.append((remote.leased, remote.receipts))
                    if lost.count(lost[-1]) > 2:
                        raise Refused("git", str(error)) from None
                    continue
                done = [] if self.referee is None else self.inbox.seen
                listed = [end.commit for end in self.listed]
                self.known.keep(done, self.inbox.rubbish, listed)
                synced.lines = [*_few(self.left), *_few(synced.lines)]
                return synced
        raise Refused("busy", f"somebody else pushed first, {TRIES} times", "try again")

    def _list(self, synced: SyncResult) -> Remote:
        """List everything, at origin and at every further remote of this clone's, and fetch the
        host's own branches."""
        listed = refs.list_remote(self.repo, "origin")
        self.listed = list(inbox.ends("origin", listed))
        boxes = resolve(self.repo, refs.tracked(RECEIPTS))
        remote = refs.of_host(self.repo, listed).by(self.repo, self.host)
        if boxes not in (None, remote.receipts):
            letterbox.forget(self.repo, boxes, self.host)
        if remote.unread:
            synced.lines.append(f"the boxes with receipts are made anew: {remote.unread}")
        for name in self.repo.text("remote").split():
            if name == "origin":
                continue
            try:
                self.listed += inbox.ends(name, refs.list_remote(self.repo, name))
            except Refused as error:
                # Called like a player, it is that player's; else it may be anybody's.
                players = () if self.referee is None else self.referee.opening.players
                self.listed.append(End(name, "", "", name if name in players else ""))
                synced.lines.append(
                    f"the remote {name}: {error.message}; if it is no more: git remote remove "
                    f"{name}"
                )
        seen = refs.kept(self.repo, remote.main) if remote.main is not None else None
        if seen is None:
            return remote
        synced.lines.append("the remote's main had lost commits of the host's: they are put back")
        return replace(remote, main=seen, lost=remote.tip, foreign=())

    @property
    def _awaited(self) -> Sequence[str]:
        return () if self.referee is None else tuple(self.referee.last.clocks.awaited)

    @property
    def _since(self) -> int:
        """Orders for steps after this one are waited for."""
        return -1 if self.referee is None else self.referee.last.since

    # What the remote has and this folder does not.

    def _adopt(self, remote: Remote, synced: SyncResult) -> None:
        """Take in what this folder has lost, or what another machine of the host's published."""
        if remote.main is None:
            return
        if remote.foreign:
            synced.lines.append(
                f"main held commits that you did not sign ({len(remote.foreign)}, the last of them "
                f"{remote.foreign[0][:12]}): what they changed in the record is taken back. Others "
                "can push there; adjudicator git setup refuses that"
            )
        tree = Tree.open(self.repo, remote.main)
        tree.prefetch([names.INVITE, names.entry(tree.last_step() or 0)])
        if tree.item(names.INVITE) is None:
            raise Refused(
                "git",
                "the remote's main holds no record, but something else",
                "begin with an empty repository: no README, licence or ignore file",
            )
        if tree.read(names.INVITE) != self.record.read(names.INVITE):
            raise Refused("mismatch", "the remote's main is of another invite")
        there = tree.last_step()
        self._check_alone(remote, -1 if there is None else there)
        if there is None:
            return
        here = self.record.last_step()
        both = min(here or 0, there)
        # Its `prev` binds all entries before it.
        path = names.entry(both)
        if here is not None and tree.read(path) != self.record.read(path):
            if not self._gives_way(tree, there, synced):
                raise Refused(
                    "fork",
                    f"main at the remote holds another entry {both} than this folder, and you "
                    "signed both: another machine hosts this game too",
                    _ALONE,
                )
            here = self.record.last_step()
        steps = range(0 if here is None else here + 1, there + 1)
        if steps:
            self._take(tree, steps, remote, synced)

    def _check_alone(self, remote: Remote, there: int) -> None:
        """Raise Refused if entries that are not published yet break what another machine promised.

        `there`: the last entry that is published. The host's own box at the remote tells what was
        promised; this folder knows each receipt that it gave itself.
        """
        referee = self.referee
        if referee is None or referee.last.step <= there:
            return
        for receipt in self._boxes(referee, remote).own.receipts:
            promised = receipt.status == "accepted" and receipt.step in range(
                there + 1, referee.last.step + 1
            )
            if promised and self.folder.receipt(receipt.slip) is None:
                raise Refused(
                    "fork",
                    # Not whose: players read this in the log of a host in CI.
                    "another machine hosts this game too: it has accepted orders for step "
                    f"{receipt.step}, which was adjudicated here without them; nothing was pushed",
                    _ALONE,
                )

    def _gives_way(self, tree: Tree, there: int, synced: SyncResult) -> bool:
        """Whether main differs only from what never left; that is taken back."""
        told, pool = self.told(), Pool()
        if told is None:
            return False
        for path in map(names.entry, range(told.entry + 1, there + 1)):
            pool.add((one, tree.read(one)) for one in (path, names.signature(path)))
        second = give_way(self.record, pool, told)
        if second is None:
            return False
        self.desk.reread()
        synced.lines.append(f"entry {second} of this machine came second and is taken back")
        return True

    def told(self) -> Told | None:
        """What others may have from this folder, by what was here last of the remote; None if that
        is not known, as in a clone that was made anew."""
        seen, boxes = resolve(self.repo, refs.SEEN), resolve(self.repo, refs.tracked(RECEIPTS))
        if seen is None:
            return None
        pushed, slips = Tree.open(self.repo, seen).last_step(), None
        # Boxes of anybody else's, and a record that cannot be read, do not tell what was promised.
        with contextlib.suppress(Refused):
            referee = self.referee
            if referee is not None and letterbox.made_by(self.repo, boxes, self.host):
                own = Boxes(self.repo, referee, boxes).own
                slips = frozenset(one.slip for one in own.receipts)
        return Told(max(self.folder.sent(), -1 if pushed is None else pushed), slips)

    def _take(self, tree: Tree, steps: range, remote: Remote, synced: SyncResult) -> None:
        """Take in entries that this folder lacks, each verified after those that it has.

        Orders that were accepted here for these entries are forgotten, but for those that the boxes
        name: nobody has their receipts, as the push came second or never left, and what was pushed
        first may not use them.
        """
        referee, untold = self.referee, list[Receipt]()
        if referee is not None:
            self.record.clear_step(steps[0], referee.opening.players)
            if letterbox.made_by(self.repo, remote.receipts, self.host):
                there = {one.slip for one in self._boxes(referee, remote).own.receipts}
                untold = [one for one in self.folder.promised() if one.slip not in there]
        copy = Copy(self.record, None, self.desk.clock, None if referee is None else referee.ledger)
        copy.receive([part for step in steps for part in publish.as_bundles(tree, step)])
        with self.record.locked():
            for one in untold:
                if one.step <= copy.ledger.mark.since:
                    self.folder.drop(one.slip)
            self.folder.settle(copy.ledger.mark)
        self.desk.reread()
        for step in steps:
            synced.lines.append(f"entry {step}: taken from the remote")

    # The work of one sync.

    def _read(self, remote: Remote, synced: SyncResult) -> None:
        """Fetch and read what was handed in, and is neither known nor over."""
        gone = [end for end in self.listed if not end.ref]
        wanted = [end for end in self.listed if end.commit not in self.known.commits]
        by = {} if self.referee is None else self._boxes(self.referee, remote).own.requests
        numbers = {number for who in self._awaited for number in by.get(who, ())}
        chosen = filter(self._is_wanted, wanted)
        self.inbox = inbox.fetch(self.repo, chosen, self._awaited, numbers)
        left = {**self.inbox.rubbish, **self.inbox.unread}
        self.left += [f"{end.where}: left out: {why}" for end, why in left.items()]
        # Told when it was listed.
        self.inbox.unread |= dict.fromkeys(gone, "nothing answers there")

    def _is_wanted(self, end: End) -> bool:
        """Whether the end of a branch or request may bring something of use, by its name."""
        branch, referee = end.branch, self.referee
        if end.moved or not end.ref:
            return False
        if referee is None:
            return branch is None or branch.place == JOIN
        if isinstance(referee.last.entry, Reveal):
            return False
        if end.player and end.player not in referee.opening.players:
            return False
        # One for a later step than the coming one tells a restored host what it has lost.
        return branch is None or branch.place[0] >= max(self._since, 1)

    def _held(self, referee: Host, remote: Remote, synced: SyncResult) -> set[str]:
        """The awaited players who may have sent what could not be read, which is told.

        A request that is older than the newest one that was read, and never brought anything of a
        player's, is nobody's.
        """
        own = self._boxes(referee, remote).own
        held: set[str] = set()
        for end, why in self.inbox.unread.items():
            senders = {end.player} if end.player else {*referee.opening.players}
            if 0 < end.number <= own.newest:
                senders = {who for who, numbers in own.requests.items() if end.number in numbers}
            if senders & {*self._awaited}:
                held |= senders
                synced.unread.append(f"{end.where}: {why}")
        return held

    def _asking(self) -> tuple[list[Applicant], list[str]]:
        found = [(one.where, one.bundle) for one in self.inbox.read if one.place == JOIN]
        return self.desk.room.asking(found)

    def _begin(self, remote: Remote, synced: SyncResult, players: Sequence[str]) -> None:
        if self.record.last_step() is not None:
            return
        if remote.main is None:
            raise Refused("git", "the remote has no main yet", "adjudicator invite --git URL")
        waiting, told = self._asking()
        self.left += told
        given = waiting_room.chosen(waiting, players or [one.player for one in waiting])
        self.desk.start(given)
        synced.steps.append(0)

    def _work(self, remote: Remote, synced: SyncResult, *, late: bool) -> None:
        referee = self.referee
        if referee is None:
            if remote.main is not None:
                waiting, told = self._asking()
                seated = [one.player for one in waiting]
                # More joins than seats, or two keys for a name: the host chooses.
                if len(seated) == self.desk.wanted and len(set(seated)) == len(seated):
                    self._begin(remote, synced, seated)
                else:
                    self.left += told
                    synced.lines += waiting_room.told(waiting)
            return
        if isinstance(referee.last.entry, Reveal):
            return
        self._boxes(referee, remote).restore()
        self._take_in(referee, synced)
        # Nobody is called missing who may have sent what could not be read.
        held = self._held(referee, remote, synced)
        late = late and not held & {*referee.missing()}
        synced.steps += self.desk.advance(late=late)

    def _take_in(self, referee: Host, synced: SyncResult) -> None:
        """Answer every slip that was pushed for the coming step, and late ones for the step
        before."""
        last = referee.last
        again: list[Submission] = []
        for pushed in itertools.chain(self.inbox.read, again):
            if pushed.place == JOIN or pushed.place[0] < last.since:
                continue
            try:
                taken = self.desk.take(pushed.bundle)
            except Refused as error:
                if error.word == "ahead":
                    # It quotes an entry of the host's that is not here: nothing may be signed.
                    raise
                if error.word == "clock":
                    if pushed in again:
                        raise
                    # A later slip may show that the clock is right.
                    again.append(pushed)
                    continue
                self.left.append(f"not taken in from {pushed.where}: {error.message}")
                continue
            assert taken.receipt is not None  # noqa: S101 - it is no join
            synced.receipts.append(taken.receipt)
            synced.lines += taken.warnings
            if pushed.number:
                self.brought[pushed.player] = pushed.number
            if taken.new:
                synced.lines.append(taken.what)

    def _boxes(self, referee: Host, remote: Remote) -> Boxes:
        """The boxes that the remote has, opened once."""
        known = self._opened
        if known is None or (known.commit, known.referee) != (remote.receipts, referee):
            known = self._opened = Boxes(self.repo, referee, remote.receipts)
        return known

    # What is pushed.

    def _publish(self, remote: Remote, synced: SyncResult) -> None:
        ledger = None if self.referee is None else self.referee.ledger
        base = remote.main or resolve(self.repo, refs.SEEN)
        writer = Writer(self.repo, "host", self.desk.signer)
        tip = publish.history(
            writer, self.record, self.desk.offer, ledger, base, self.began, after=remote.tip
        )
        updates = []
        if tip != remote.leased:
            updates.append(Update(MAIN, remote.leased, tip))
        sealed = self._sealed(remote, synced, tip)
        if sealed is not None:
            updates.append(Update(RECEIPTS, remote.receipts, sealed))
        writer.store()
        if updates:
            over = [
                Update(end.ref.removeprefix(refs.full("")), end.commit, None)
                for end in self.listed
                if end.remote == "origin" and self._is_over(end)
            ]
            refs.push(self.repo, [*updates, *over[:MOST_REMOVED]])
        if sealed is not None:
            # Else they would be fetched by the next sync.
            self.repo.run("update-ref", refs.tracked(RECEIPTS), sealed)
        if sealed is not None and remote.receipts is not None:
            letterbox.forget(self.repo, remote.receipts, self.host)
        worktree.settle(self.repo, tip)

    def _is_over(self, end: End) -> bool:
        """Whether a branch is of no use any more: its step is over, or it is rubbish."""
        branch = end.branch
        if branch is None or end in self.inbox.unread:
            return False
        over = branch.place[0] <= self._since
        rubbish = end in self.inbox.rubbish or end.commit in self.known.rubbish
        return over or end.moved or rubbish

    def _sealed(self, remote: Remote, synced: SyncResult, tip: str) -> str | None:
        """A commit with new boxes for everyone; None before genesis, once everything is published,
        and if nothing public has changed since the boxes were made."""
        referee = self.referee
        if referee is None:
            return None
        if isinstance(referee.last.entry, Reveal) and None not in (remote.main, remote.receipts):
            there = Tree.open(self.repo, str(remote.main)).last_step()
            if there == referee.last.step:
                return None
        # What is over is left out, so that removing it is no change; what could not be read may be
        # there the next time.
        rows = [f"{end.commit} {end.ref}" for end in self.listed if not self._is_over(end)]
        rows.sort()
        public = "" if self.inbox.unread else digest("\n".join([tip, *rows]).encode())
        message = letterbox.message(public)
        boxes = self._boxes(referee, remote)
        if public and boxes.stand(message, self.began):
            return None
        for one in self.inbox.read:
            # Where a join came from, orders may come as well.
            join = referee.last.joins.get(one.player)
            if one.number and join is not None and digest(join.render()) == one.document:
                self.brought.setdefault(one.player, one.number)
        newest = max((end.number for end in (*self.inbox.seen, *self.inbox.rubbish)), default=0)
        return boxes.made(synced.receipts, self.brought, newest, self.began, message)


def _few(lines: Sequence[str]) -> list[str]:
    """Each of these once, and not too many."""
    found = list(dict.fromkeys(lines))
    more = [f"and {len(found) - _MOST_TOLD} more like these"]
    return found[:_MOST_TOLD] + more * (len(found) > _MOST_TOLD)
