"""The player's side: take in what the host published, hand in what waits in the seat.

What belongs here: one sync of a clone; without a seat it only takes in. What it must not know:
the host's folder, what is printed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from adjudicator import bundles, files, opening, player
from adjudicator.clock import Clock
from adjudicator.git import letterbox, messages, refs
from adjudicator.git.process import Repo
from adjudicator.git.refs import Lost, Remote, Update, player_branch
from adjudicator.git.tree import Tree, read_objects
from adjudicator.git.writing import Writer
from adjudicator.opening import Opening
from adjudicator.receive import receive
from adjudicator.record import Record
from adjudicator.seat import Seat
from adjudicator.verify import verify
from orders import names
from orders.bundle import Bundle, decode
from orders.documents import read_slip
from orders.errors import Refused
from orders.keys import Signer

TRIES = 8
_MANY = 20
"""More new entries than this are checked together at the end, not one by one with the seat."""

_LARGEST_BUNDLE = 2**22


@dataclass
class Taken:
    """What a sync took in and handed in; `warnings` is what is amiss with it."""

    lines: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)


class PlaySync:
    """A clone of the record; with a seat, that player's."""

    def __init__(
        self, record: Record, seat: Seat | None, signer: Signer | None, clock: Clock
    ) -> None:
        """`signer` is the seat's; None: nothing is handed in."""
        self.record = record
        self.repo = Repo(record.root)
        self.seat = seat
        self.signer = signer
        self.clock = clock

    def sync(self) -> Taken:
        """Pull, take in, hand in, push; raises Refused."""
        with files.locked(self.repo.git_dir):
            for _ in range(TRIES):
                taken = Taken()
                remote = refs.fetch(self.repo)
                if remote.main is None:
                    raise Refused("git", "the remote has no main yet", "the host pushes it first")
                self._take_in(remote.main, taken)
                if self.seat is not None:
                    self._receipts(remote, self.seat, taken)
                try:
                    if self.seat is not None and self.signer is not None:
                        self._hand_in(remote, remote.main, self.seat, self.signer, taken)
                except Lost:
                    continue
                return taken
        raise Refused("busy", f"somebody else pushed first, {TRIES} times", "try again")

    def _take_in(self, main: str, taken: Taken) -> None:
        refs.check_seen(self.repo, main)
        tree = Tree.open(self.repo, main)
        there, here = tree.last_step(), self.record.last_step()
        steps = range(0 if here is None else here + 1, 0 if there is None else there + 1)
        wanted = [path for path in tree.items() if _of_steps(path, steps)]
        tree.prefetch([names.INVITE, names.entry(min(here or 0, there or 0)), *wanted])
        if self.record.read_or_none(names.INVITE) is None:
            receive(self.record, [bundles.of_invite(tree)])
            taken.lines.append("the invite")
        elif tree.read(names.INVITE) != self.record.read(names.INVITE):
            raise Refused("mismatch", "the remote's main is of another invite")
        if here is not None and there is not None:
            path = names.entry(min(here, there))
            if tree.read(path) != self.record.read(path):
                receive(self.record, [bundles.of_entry(tree, min(here, there))], self.seat)
        seat = self.seat if len(steps) <= _MANY else None
        for step in steps:
            for received in receive(self.record, [bundles.of_entry(tree, step)], seat):
                taken.warnings += received.warnings
            taken.steps.append(step)
        if len(steps) > _MANY:
            found = verify(self.record, seat=self.seat)
            taken.warnings += [found.verdict] if found.code in (1, 2) else []
        foreign = sorted(set(tree.items()) - set(self.record.paths()) - {names.ATTRIBUTES})
        taken.warnings += [f"{ascii(path)[1:-1]}: on main, and belongs nowhere" for path in foreign]
        refs.settle(self.repo, main)

    def _receipts(self, remote: Remote, seat: Seat, taken: Taken) -> None:
        """Keep the receipts that are new in this player's box."""
        if remote.receipts is None or self.record.last_step() is None:
            return
        opened = opening.read_opening(self.record)
        if seat.player not in opened.players:
            return
        data = read_objects(self.repo, [f"{remote.receipts}:{letterbox.path(seat.player)}"])[0]
        try:
            given = letterbox.open_own(opened, seat.player, seat.secret.sealing(), data or b"")
        except Refused as error:
            taken.warnings.append(f"the box with your receipts: {error.message}")
            return
        known = {path.read_bytes() for path in seat.receipts()}
        for name, receipt, signature in given:
            if receipt in known:
                continue
            bundle = bundles.pack("receipt", {name: receipt, names.signature(name): signature})
            try:
                found = receive(self.record, [bundle], seat)
            except Refused as error:
                taken.warnings.append(f"a receipt: {error.message}")
                continue
            taken.lines += [received.what for received in found]

    def _hand_in(self, remote: Remote, main: str, seat: Seat, signer: Signer, taken: Taken) -> None:
        """Push the join, or the last orders written for the coming step, unless they are there."""
        old = remote.players.get(seat.player)
        step = self.record.last_step()
        if step is None:
            bundle: Bundle | None = player.join(opening.read_offer(self.record), seat, signer)
            message, told = messages.join(seat.player), "your join"
        else:
            bundle = self._orders(opening.read_opening(self.record), seat, step + 1)
            if bundle is None:
                return
            revision = read_slip(_document(bundle)).revision
            message = messages.slip(step + 1, seat.player, revision)
            told = f"your orders for step {step + 1}, revision {revision}"
        assert bundle is not None  # noqa: S101 - as both branches left it
        held = dict(bundle.files)
        if old is not None and _has(self.repo, old, held):
            return
        new = self._commit(main, old, held, message, signer)
        refs.push(self.repo, [Update(player_branch(seat.player), old, new)])
        taken.lines.append(f"pushed: {told}")

    def _orders(self, opened: Opening, seat: Seat, step: int) -> Bundle | None:
        revisions = seat.revisions(step)
        if seat.player not in opened.players or not revisions:
            return None
        path = seat.order_path(step, revisions[-1]).with_suffix(".txt")
        return decode(files.read(path, _LARGEST_BUNDLE))

    def _commit(
        self, main: str, old: str | None, held: dict[str, bytes], message: str, signer: Signer
    ) -> str:
        """A commit upon main that goes on from what this player's branch has."""
        parents = [main]
        if old is not None and not self.repo.is_ancestor(old, main):
            parents = [old] if self.repo.is_ancestor(main, old) else [main, old]
        writer = Writer(self.repo, self.seat.player if self.seat else "player", signer)
        writer.start(main)
        commit = writer.commit(parents, held, self.clock.now(), message)
        writer.store()
        return commit


def _of_steps(path: str, steps: range) -> bool:
    name = names.parse(path)
    return name is not None and (name.step in steps or (name.kind == "join" and 0 in steps))


def _document(bundle: Bundle) -> bytes:
    return next(data for path, data in bundle.files if path.endswith(".toml"))


def _has(repo: Repo, commit: str, held: dict[str, bytes]) -> bool:
    """Whether a commit has these very files."""
    data = read_objects(repo, [f"{commit}:{path}" for path in held])
    return data == list(held.values())
