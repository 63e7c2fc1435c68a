"""A search: players, a host and somebody who pushes what she likes, in any order, with bad ends.

Nobody's list of bad days is whole, so a seed draws what happens. After every act of the host's:

    nobody is missing whose orders lay in the repository when the host synced
    no verdict is false, for anybody's seat: so every promise was kept
    nobody is told that the host gives no receipt while it has not synced twice

And at the end, once she has gone, two syncs of everybody's bring the game on by a step.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from git.conftest import POINTS, Ended, end_at, handed_in
from git_table import Table, git

from adjudicator.git import inbox, submission
from adjudicator.git.process import GitFailed
from adjudicator.player.seated import Seated
from adjudicator.verifier.verify import Asked, verify
from orders.errors import Refused

DAY = 86_400
LENGTH = 24
"""So many acts a seed."""

SEEDS = (*range(12), 31)


class Search:
    """A table of Sugar Dog and the draws of one seed."""

    def __init__(self, table: Table, rng: Random, patch: pytest.MonkeyPatch) -> None:
        self.table, self.rng, self.patch = table, rng, patch
        self.mallory = table.folder / "mallory"
        git(table.folder, "clone", "-q", str(table.bare), str(self.mallory))
        self.told: list[str] = []
        self.synced: dict[str, int] = dict.fromkeys(table.players, 0)
        self.boxes = [git(table.bare, "rev-parse", "receipts")]

    # What players and host do.

    def order(self, name: str) -> None:
        """New orders, if they are awaited, and a sync."""
        if len(self.table.seats[name].orders()) < 60:
            self.write(name)
        self.sync(name)

    def write(self, name: str) -> None:
        """New orders, if they are awaited."""
        awaited = Seated(self.table.records[name], self.table.seats[name]).last.entry.awaited
        if name in awaited:
            cell = f"{self.rng.choice('ABCDEF')}{self.rng.randint(1, 6)}"
            self.table.order(name, f"start {cell}" if awaited[name].what == "setup" else "silent")

    def sync(self, name: str) -> None:
        """A sync, sometimes one that ends early."""
        before = set(handed_in(self.table, name))
        self.ended(lambda: self.play(name))
        if set(handed_in(self.table, name)) - before:
            self.synced[name] = 0

    def play(self, name: str) -> None:
        try:
            warnings = self.table.play_sync(name).sync().warnings
        except Refused as error:
            assert "the remote has no main yet" in error.message
            return
        for line in warnings:
            assert "NO RECEIPT" not in line or self.synced[name] >= 2, line

    def host(self) -> None:
        """A sync of the host's, sometimes late, over a bad line, or ended early."""
        late, bad = self.rng.random() < 0.5, self.rng.random() < 0.3
        if late:
            self.table.clock.skip(4 * DAY)
        step = self.table.record.last_step()
        there = self.there()
        with self.patch.context() as patch:
            if bad:
                self.worsen(patch)
            self.ended(lambda: self.table.sync_host(late=late))
        for number in range(step + 1, self.table.record.last_step() + 1):
            missing = self.table.host.ledger.link(number).entry.missing
            assert not {name for name in missing if (name, number) in there}, f"entry {number}"
        self.boxes.append(git(self.table.bare, "rev-parse", "receipts"))
        for name in self.table.players:
            self.synced[name] += 1

    def there(self) -> set[tuple[str, int]]:
        """Whose orders for which step lie in a branch that nobody has moved."""
        found = set()
        for row in git(self.table.bare, "for-each-ref", "--format=%(refname) %(objectname)").split(
            "\n"
        ):
            ref, commit = row.split()
            branch = submission.read_branch(ref.removeprefix("refs/heads/"))
            own = branch is not None and branch.fits(commit)
            if own and commit in self.table_commits(branch.player):
                found.add((branch.player, branch.place[0]))
        return found

    def table_commits(self, name: str) -> set[str]:
        """The commits that a player's own program made."""
        root = self.table.records[name].root
        listed = git(root, "cat-file", "--batch-all-objects", "--batch-check")
        return {line.split()[0] for line in listed.splitlines() if " commit " in line}

    def worsen(self, patch: pytest.MonkeyPatch) -> None:
        """Some of what was pushed cannot be fetched now."""
        bring, rng = inbox._bring, self.rng

        def failing(aside: Any, remote: str, wanted: Any, until: float, found: Any) -> None:
            bad = [end for end in wanted if rng.random() < 0.5]
            for end in bad:
                found.unread[end] = str(GitFailed("the line is cut", ""))
            left = [end for end in wanted if end not in bad]
            if left:
                bring(aside, remote, left, until, found)

        patch.setattr(inbox, "_bring", failing)

    def ended(self, act: Any) -> None:
        """An act, which the end of its process may cut short at a call of git's."""
        if self.rng.random() < 0.2:
            word, after = self.rng.choice(POINTS)
            with self.patch.context() as patch:
                end_at(patch, word, after=after)
                try:
                    act()
                except Ended:
                    return
        else:
            act()

    # What anybody does who may push.

    def remove(self) -> None:
        """Somebody's branch."""
        if refs := handed_in(self.table):
            git(self.mallory, "push", "-q", "origin", f":{self.rng.choice(refs)}")

    def move(self) -> None:
        """Somebody's branch, to something else."""
        if refs := handed_in(self.table):
            self.push(self.rng.choice(refs))

    def junk(self) -> None:
        """A branch in somebody's name, with noise of any size; its ID fits, or does not."""
        name, step = self.rng.choice(self.table.players), self.rng.randint(0, 5)
        what = f"{step:04d}-1" if step else "join"
        commit = self.made()
        mark = commit[:16] if self.rng.random() < 0.7 else f"{self.rng.getrandbits(64):016x}"
        self.push(f"refs/heads/in.{name}.{what}.{mark}", commit)

    def request(self) -> None:
        """A request: noise, or a copy of what somebody handed in."""
        refs = handed_in(self.table)
        number, copied = self.rng.randint(1, 9), refs and self.rng.random() < 0.5
        target = self.rng.choice(refs) if copied else self.made()
        if not copied:
            self.push("refs/heads/junk", target)
        git(self.table.bare, "update-ref", f"refs/pull/{number}/head", target)

    def receipts(self) -> None:
        """Old boxes of the host's, or none of theirs."""
        if self.rng.random() < 0.5:
            git(self.table.bare, "update-ref", "refs/heads/receipts", self.rng.choice(self.boxes))
        else:
            self.push("refs/heads/receipts")

    def main(self) -> None:
        """A commit of her own upon it, the one before it, or none."""
        act = self.rng.randrange(3)
        at = git(self.table.bare, "rev-parse", "-q", "--verify", "main", code=None)
        if not at:
            return
        if act == 0:
            git(self.mallory, "fetch", "-q", "origin", "main")
            git(self.mallory, "reset", "-q", "--hard", "FETCH_HEAD")
            self.push("refs/heads/main")
        elif act == 1:
            git(self.table.bare, "update-ref", "refs/heads/main", f"{at}~1")
        else:
            git(self.table.bare, "update-ref", "-d", "refs/heads/main")

    def made(self) -> str:
        """A commit with noise in `to-host.txt`."""
        size = self.rng.choice([0, 100, 300_000])
        (self.mallory / submission.FILE).write_bytes(self.rng.randbytes(size))
        git(self.mallory, "add", "-A")
        git(self.mallory, "commit", "-q", "--allow-empty", "-m", f"{self.rng.random()}")
        return git(self.mallory, "rev-parse", "HEAD")

    def push(self, ref: str, commit: str | None = None) -> None:
        git(self.mallory, "push", "-q", "-f", "origin", f"{commit or self.made()}:{ref}")

    # The whole.

    def run(self) -> None:
        table, rng = self.table, self.rng
        harm = [self.remove, self.move, self.junk, self.request, self.receipts, self.main]
        for _ in range(LENGTH):
            name = rng.choice(table.players)
            act = rng.choices(["order", "sync", "host", "harm"], [3, 2, 3, 3])[0]
            self.told.append(act)
            if act == "host":
                self.host()
            elif act == "harm":
                rng.choice(harm)()
            else:
                getattr(self, act)(name)
            self.check()
        # She has the last word, and then is gone: all that was handed in is pushed again.
        for ref in handed_in(table):
            git(table.bare, "update-ref", "-d", ref)
        table.sync_host()
        before = table.record.last_step()
        for _ in range(2):
            for name in table.players:
                table.play_sync(name).sync()
                if table.play_sync(name).table.due() is None:
                    self.write(name)
                    table.play_sync(name).sync()
            table.sync_host()
        assert table.record.last_step() > before
        self.check()

    def check(self) -> None:
        """No verdict is false."""
        for name in self.table.players:
            found = verify(self.table.records[name], Asked(self.table.seats[name]))
            assert found.code in (0, 4), (name, found.verdict, found.marked)
        assert verify(self.table.record).code in (0, 4)


def searched(begun: Table, folder: Path, patch: pytest.MonkeyPatch, seed: int) -> None:
    """One seed, from genesis on."""
    Search(begun.copy(folder / "t"), Random(seed), patch).run()  # noqa: S311


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_happens(begun, tmp_path, monkeypatch, seed):
    """See above; 3, 7 and 31 find what was wrong once."""
    searched(begun, tmp_path, monkeypatch, seed)
