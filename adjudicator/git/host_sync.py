"""The host's side: take in what players pushed, adjudicate when due, publish.

What belongs here: one sync, so ordered that nothing accepted is lost wherever it ends, and that of
two hosts that work at the same time one wins and the other's work never leaves its disk.
What it must not know: rules of games, what is printed.

What a sync pushes depends on nothing but what is public: the branches, the entries, the clock. So
the boxes with receipts are replaced at every sync while the game is under way, and a slip reaches
main with its entry only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator import bundles, files, host, opening
from adjudicator.clock import Clock
from adjudicator.git import changes, letterbox, messages, refs, slips
from adjudicator.git.history import History, beside_at, beside_files
from adjudicator.git.letterbox import Letterbox
from adjudicator.git.process import Repo
from adjudicator.git.refs import MAIN, RECEIPTS, Lost, Remote, Update
from adjudicator.git.slips import Pushed
from adjudicator.git.tree import Tree, read_objects
from adjudicator.git.unpublished import Unpublished
from adjudicator.git.writing import Writer
from adjudicator.host import Host
from adjudicator.host_folder import HostFolder, Waiting
from adjudicator.intake import Sent
from adjudicator.receive import receive
from adjudicator.record import Record
from orders import names, sshsig
from orders.documents import Receipt, read_receipt
from orders.entries import Entry, Genesis, Reveal, read_entry
from orders.errors import Refused
from orders.fields import Digest, digest
from orders.keys import Signer

TRIES = 12


@dataclass
class Synced:
    """What a sync did: lines for the host's own terminal, the steps of new entries."""

    lines: list[str] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    receipts: list[Receipt] = field(default_factory=list)

    def tell(self, line: str) -> None:
        """Add a line."""
        self.lines.append(line)


Work = Callable[[Remote, Synced], None]


class HostSync:
    """One host's working tree of the record, with the host's folder beside it."""

    def __init__(self, record: Record, signer: Signer, clock: Clock) -> None:
        self.record = record
        self.repo = Repo(record.root)
        self.signer = signer
        self.clock = clock
        self.began = ""
        self.folder = HostFolder(record.host)
        self.folder.master()
        self.unpublished = Unpublished(record, self.folder)

    def sync(self, *, late: bool = False) -> Synced:
        """Pull, take in, advance when due (`late`: also without who is overdue), push."""
        return self._try(lambda remote, synced: self._work(remote, synced, late))

    def start(self, players: Sequence[str]) -> Synced:
        """Genesis with the joins that these players pushed, in this order; then push."""
        return self._try(lambda remote, synced: self._begin(remote, synced, players))

    def _try(self, work: Work) -> Synced:
        with files.locked(self.record.host):
            # Taken before anything is looked at, so that it tells nothing of what there was to do.
            self.began = self.clock.now()
            for _ in range(TRIES):
                synced = Synced()
                remote = refs.fetch(self.repo)
                self._adopt(remote, synced)
                made = self.unpublished.read()
                if made is not None and made.receipts != (remote.receipts or "-"):
                    self.unpublished.withdraw()
                if self.unpublished.read() is None:
                    work(remote, synced)
                try:
                    self._publish(remote, synced)
                except Lost:
                    self.unpublished.withdraw()
                    continue
                return synced
        raise Refused("busy", f"somebody else pushed first, {TRIES} times", "try again")

    # What the remote has and this folder has not.

    def _adopt(self, remote: Remote, synced: Synced) -> None:
        """Go on from the remote's main: another host of this game may have published."""
        if remote.main is None:
            return
        refs.check_seen(self.repo, remote.main)
        tree = Tree.open(self.repo, remote.main)
        tree.prefetch([names.INVITE, names.entry(tree.last_step() or 0)])
        if tree.read(names.INVITE) != self.record.read(names.INVITE):
            raise Refused("mismatch", "the remote's main is of another invite")
        there = tree.last_step()
        if there is None:
            return
        if not self._agrees(tree, there):
            self.unpublished.withdraw()
            if not self._agrees(tree, there):
                raise Refused(
                    "fork",
                    "the remote has another last entry than this folder, and both are signed",
                    "an entry that has left is never replaced: tell the players",
                )
        made = self.unpublished.read()
        if made is not None and there >= made.step:
            self.unpublished.clear()
        here = self.record.last_step()
        for step in range(0 if here is None else here + 1, there + 1):
            if step:
                self.record.clear_step(step, opening.read_opening(self.record).players)
            receive(self.record, [bundles.of_entry(tree, step)])
            self.folder.clear(step)
            synced.tell(f"entry {step}: taken from the remote")

    def _agrees(self, tree: Tree, there: int) -> bool:
        """Whether the last entry that both have is one; those before it are bound by `prev`."""
        here = self.record.last_step()
        if here is None:
            return True
        path = names.entry(min(here, there))
        return tree.read(path) == self.record.read(path)

    # The work of one sync.

    def _begin(self, remote: Remote, synced: Synced, players: Sequence[str]) -> None:
        if self.record.last_step() is not None:
            return
        if remote.main is None:
            raise Refused("git", "the remote has no main yet", "adjudicator git host, first")
        joins = slips.find_joins(self.repo, remote, remote.main)
        for player in players:
            if player not in joins:
                known = ", ".join(joins) or "nobody"
                raise Refused("missing", f"no join of {player} was pushed; there is: {known}")
        self.unpublished.note(0, remote.receipts)
        host.start(self.record, [joins[p].bundle for p in players], self.signer, self.clock)
        synced.steps.append(0)

    def _work(self, remote: Remote, synced: Synced, late: bool) -> None:
        if self.record.last_step() is None:
            if remote.main is not None:
                joined = sorted(slips.find_joins(self.repo, remote, remote.main))
                synced.tell(f"joined so far: {', '.join(joined) or 'nobody'}")
            return
        referee = Host(self.record, self.signer, self.clock)
        link = referee.link()
        if isinstance(link.entry, Reveal):
            return
        self._restore(referee, remote)
        if remote.main is not None:
            self._take_in(referee, remote, remote.main, synced)
        self.unpublished.note(link.entry.step + 1, remote.receipts)
        try:
            synced.steps += referee.advance(late=late).steps
        except Refused as error:
            self.unpublished.clear()
            if error.word != "not-yet":
                raise
            synced.tell(error.message)

    def _restore(self, referee: Host, remote: Remote) -> None:
        """Have here what the remote's box says that a host has promised; it wins."""
        box = self._box(referee, remote)
        for receipt in box.receipts:
            data = receipt.render()
            if (self.folder.receipt(receipt.slip) or (b"",))[0] != data:
                signature = self.signer.sign(sshsig.RECEIPT, data)
                self.folder.keep_receipt(receipt.slip, data, signature)
        step = referee.link().entry.step + 1
        for sent in box.waiting.values():
            known = self.folder.receipt(digest(sent.slip_data))
            if sent.slip.step == step and known is not None:
                self.folder.keep(sent, *known, accepted=True)

    def _box(self, referee: Host, remote: Remote) -> Letterbox:
        """What the remote's box for the host holds; empty where there is none that opens."""
        if remote.receipts is None:
            return Letterbox()
        path = f"{remote.receipts}:{letterbox.path(letterbox.HOST)}"
        data = read_objects(self.repo, [path])[0]
        try:
            return letterbox.open_host(referee.opening, self.folder.letters(), data or b"")
        except Refused:
            return Letterbox()

    def _take_in(self, referee: Host, remote: Remote, main: str, synced: Synced) -> None:
        """Answer every slip that was pushed for this step, and late ones for the step before."""
        step = referee.link().entry.step + 1
        players = referee.opening.players
        for number in (step - 1, step) if step > 1 else (step,):
            for pushed in slips.find_slips(self.repo, remote, players, main, number):
                try:
                    answer = referee.submit(pushed.bundle)
                except Refused as error:
                    where = pushed.branch or "a pull request"
                    synced.tell(f"not taken in, from {where}: {error.message}")
                    continue
                receipt = read_receipt(answer.files[0][1])
                synced.receipts.append(receipt)
                synced.tell(
                    f"step {receipt.step}, {receipt.player}, revision {receipt.revision}: "
                    f"{receipt.status}"
                )

    # What leaves.

    def _publish(self, remote: Remote, synced: Synced) -> None:
        made = self._history(remote)
        updates = []
        if made.tip is not None and made.tip != remote.main:
            updates.append(Update(MAIN, remote.main, made.tip))
        boxes = self._boxes(remote, synced)
        if boxes is not None:
            updates.append(Update(RECEIPTS, remote.receipts, boxes))
        made.writer.store()
        if updates:
            refs.push(self.repo, updates)
        self.unpublished.clear()
        if made.tip is not None:
            refs.settle(self.repo, made.tip)

    def _history(self, remote: Remote) -> History:
        """Commits for all that the remote's main lacks."""
        base = remote.main or self.repo.resolve(refs.SEEN)
        made = History(self.repo, self.record, self.signer, base)
        there: int | None = None
        if base is None:
            made.add_invite()
        else:
            there = Tree.open(self.repo, base).last_step()
        last = self.record.last_step()
        steps = range(0 if there is None else there + 1, -1 if last is None else last + 1)
        if steps:
            game = opening.read_opening(self.record).game
            for step in steps:
                made.add_entry(step, self._merged(remote, step), game)
        changed = self._beside_changed()
        if changed:
            made.add_beside(changed, self.began)
        return made

    def _merged(self, remote: Remote, step: int) -> dict[str, str]:
        """By player the commit of theirs that entry `step` can merge."""
        if remote.main is None:
            return {}
        entry = read_entry(self.record.read(names.entry(step)))
        pushed: Mapping[Digest, Pushed] = {}
        used: dict[str, Digest] = {}
        if isinstance(entry, Genesis):
            used = dict(entry.joins)
            found = slips.find_joins(self.repo, remote, remote.main)
            pushed = {one.document: one for one in found.values()}
        elif isinstance(entry, Entry):
            used = {player: one.digest for player, one in entry.slips.items()}
            listed = slips.find_slips(self.repo, remote, tuple(used), remote.main, step)
            pushed = {one.document: one for one in reversed(listed)}
        return {
            player: pushed[one].commit
            for player, one in used.items()
            if one in pushed
            and not changes.why_not_merged(self.repo, pushed[one].commit, remote.main, player)
        }

    def _beside_changed(self) -> dict[str, bytes | None]:
        """Edits of the host's to what lies beside the record, since this clone's last commit."""
        before = self.repo.resolve(refs.full(MAIN))
        known = {} if before is None else beside_at(self.repo, before)
        here = beside_files(self.record.root)
        gone: dict[str, bytes | None] = {path: None for path in known if path not in here}
        return gone | {path: data for path, data in here.items() if known.get(path) != data}

    def _boxes(self, remote: Remote, synced: Synced) -> str | None:
        """A commit with fresh boxes for everyone; None before genesis and once all is published."""
        if self.record.last_step() is None:
            return None
        referee = Host(self.record, self.signer, self.clock)
        link = referee.link()
        if isinstance(link.entry, Reveal) and remote.main is not None:
            there = Tree.open(self.repo, remote.main).last_step()
            if there == link.entry.step and remote.receipts is not None:
                return None
        before = self._box(referee, remote)
        waiting = self.folder.waiting(link.entry.step + 1)
        given = [*synced.receipts, *(read_receipt(one.receipt[0]) for one in waiting.values())]
        sent = {player: _sent(player, one) for player, one in waiting.items()}
        box = Letterbox(before.with_receipts(given), sent)
        writer = Writer(self.repo, "host", self.signer)
        made = letterbox.make(referee.opening, box, self.signer)
        commit = writer.commit([], made, self.began, messages.LETTERBOX)
        writer.store()
        return commit


def _sent(player: str, one: Waiting) -> Sent:
    path = names.slip(one.slip.step, player)
    return Sent(one.slip, one.files[path], one.files[names.signature(path)], one.sealed)
