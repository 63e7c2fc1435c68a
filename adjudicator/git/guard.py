"""Which pushes a game's repository refuses: a hook on a server of one's own.

It gives each player a part of a repository to which all of them may push:

    main        only continues, by commits of one parent that the host signed, to a record whose
                entries hold, and that brings nothing else
    receipts    one box of the right size for everyone, in a commit that the host signed in the
                place of the one that is there
    in.*        is only made, with one commit on main that adds one block, signed by the player in
                its name; and only removed, once its step is over

It needs no secret and does not ask who pushes: it believes signatures only.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from adjudicator.core import intake
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import read_offer
from adjudicator.git import inbox, letterbox, objects
from adjudicator.git.inbox import End
from adjudicator.git.objects import instead
from adjudicator.git.process import Repo
from adjudicator.git.refs import MAIN, RECEIPTS, full
from adjudicator.git.submission import FILE, JOIN, Branch, read_branch
from adjudicator.git.tree import Tree
from adjudicator.store import files
from orders.errors import Refused

MOST = 500
"""So many branches may be pushed at once."""

MOST_COMMITS = 2_000
"""So many commits of main may come at once: a record of a thousand steps, and edits beside it."""


@objects.lasting()
def check(folder: Path, rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Why a push to the repository in a folder is refused, a line each; empty: it may pass.

    `rows`: what git gives to a hook, an old and a new revision and a ref; zeros mean none. Raises
    Refused.
    """
    repo = Repo(folder.absolute(), hook=True)
    if len(rows) > MOST:
        return [f"{len(rows)} branches at once: at most {MOST}"]
    moves = {}
    for row in rows:
        if len(row) != 3:
            raise Refused("malformed", f"{' '.join(row)!a:.120}: expected OLD NEW REF")
        moves[row[2]] = _commit(repo, row[0]), _commit(repo, row[1])
    main = objects.resolve(repo, full(MAIN))
    old, new = moves.pop(full(MAIN), (main, main))
    if new is None:
        why = "there is no main yet: the host pushes it first"
        return [why if old is None else f"{full(MAIN)}: is never removed"]
    try:
        # Boxes come with the entry that they answer, and branches go with it.
        tree = Tree.open(repo, new)
        why = "" if new == old else _main_fault(tree, old)
        game = None if why else _Game(tree)
    except Refused as error:
        why = error.message
    if why or game is None:
        return [f"{full(MAIN)}: {why}"]
    found = []
    for ref, (there, end) in moves.items():
        try:
            why = game.fault(ref, there, end)
        except Refused as error:
            why = error.message
        found += [f"{ascii(ref)[1:-1]}: {why}"] if why else []
    return found


def _commit(repo: Repo, revision: str) -> str | None:
    if revision and not revision.strip("0"):
        return None
    found = objects.resolve(repo, revision)
    if found is None:
        raise Refused("git", f"{revision!a:.80} is no commit here")
    return found


def _main_fault(tree: Tree, old: str | None) -> str:
    """Why main may not move from `old` to the commit of a tree; raises Refused."""
    before = tree if old is None else Tree.open(tree.repo, old)
    host, count = read_offer(before).host, 0
    tip: str | None = tree.commit
    # The first commit that the host did not sign ends the walk, however long a line is pushed.
    while tip is not None and tip != old:
        try:
            parents = objects.signed_commit(tree.repo, tip, host).parents
        except Refused as error:
            return f"{tip[:12]} is not by the host: {error.message}"
        count += 1
        if count > MOST_COMMITS:
            return f"more than {MOST_COMMITS} commits at once"
        if len(parents) > 1:
            return f"{tip[:12]} has {len(parents)} parents"
        tip = next(iter(parents), None)
    if tip != old:
        return f"does not continue {str(old)[:12]}"
    # What others pushed before there was a guard, the host takes back.
    known = before.items() if old is None or objects.is_by(tree.repo, old, host) else {}
    held = tree.items()
    lost = sorted(path for path in known if held.get(path) != known[path])
    if lost:
        return f"{ascii(lost[0])[1:-1]}: changed or removed"
    foreign = tree.foreign()
    return f"{foreign[0]}: a file that belongs nowhere" if foreign else ""


class _Game:
    """The record on main as it is after the push; raises Refused if it does not hold."""

    def __init__(self, tree: Tree) -> None:
        tree.prefetch()
        self.repo = tree.repo
        self.commit = tree.commit
        self.offer = read_offer(tree)
        self.ledger = None if tree.last_step() is None else Ledger.read(tree)
        self.since = -1 if self.ledger is None else self.ledger.last.since

    @cached_property
    def line(self) -> frozenset[str]:
        """The commits of main."""
        return frozenset(self.repo.text("rev-list", self.commit).split())

    def fault(self, ref: str, old: str | None, new: str | None) -> str:
        """Why a ref other than main's may not move, "" if it may; raises Refused."""
        name = ref.removeprefix(full(""))
        branch = read_branch(name) if ref == full(name) else None
        if ref == full(RECEIPTS):
            return "is never removed" if new is None else self._boxes_fault(old, new)
        if branch is None:
            return f"belongs nowhere: expected {MAIN}, {RECEIPTS}, or in.NAME.WHAT.ID"
        is_over = branch.place[0] <= self.since
        if new is None:
            return "" if is_over else "is removed once its step is over"
        if is_over:
            return "its step is over" if branch.place[0] else "the game has begun"
        if old is not None:
            return "is there, and never moved: new orders get a branch of their own"
        return self._submission_fault(branch, new)

    def _boxes_fault(self, old: str | None, new: str) -> str:
        made = objects.signed_commit(self.repo, new, self.offer.host)
        if self.ledger is None:
            return "the game has not begun"
        if old is not None and not made.message.endswith(f"{instead(old)}\n"):
            return f"was not made for the place of {old[:12]}"
        held = Tree.open(self.repo, new).folders[""]
        size = objects.sizes(self.repo, [item.id for item in held.values()])
        plain = [name for name, item in held.items() if item.mode == objects.FILE]
        there = {name: size.get(held[name].id) for name in plain}
        wanted = letterbox.expected(self.ledger.opening)
        right = not made.parents and there == wanted and len(held) == len(wanted)
        return "" if right else "is not one box of the right size for everyone"

    def _submission_fault(self, branch: Branch, new: str) -> str:
        if not branch.fits(new):
            return f"ends at {new[:16]}, and its name says {branch.id}"
        data = objects.read_objects(self.repo, [new], 2**16)[0]
        made = objects.read_commit(data or b"", self.repo.algorithm)
        if len(made.parents) != 1 or made.parents[0] not in self.line:
            return "is not one commit on a commit of main"
        (block,) = objects.blob_ids(self.repo, [f"{new}:{FILE}"]).values()
        root = {
            **Tree.open(self.repo, made.parents[0]).folders[""],
            FILE: objects.Item(objects.FILE, block),
        }
        if objects.object_id("tree", objects.tree_data(root), self.repo.algorithm) != made.tree:
            return f"does not just add {FILE}"
        found = inbox.Inbox()
        inbox.look(self.repo, [End("origin", full(branch.name), new, branch.player, branch)], found)
        if len(found.read) != 1:
            told = f"{FILE} holds {len(found.read)} blocks: expected one"
            return next(iter(found.rubbish.values()), told)
        (one,) = found.read
        if (one.player, one.place) != (branch.player, branch.place):
            return f"{FILE} is not what its name says"
        if one.place == JOIN:
            intake.read_join_bundle(self.offer, one.bundle)
        elif self.ledger is None:
            return "the game has not begun"
        else:
            joins = self.ledger.last.joins
            order = intake.read_order_bundle(self.ledger.opening, joins, one.bundle)
            if order.sealed is None:
                return "the sealed orders are not with the slip"
        return ""


# The hook.


def install(repository: Path) -> Path:
    """Write a pre-receive hook into a bare repository; raises Refused if it has another hook."""
    folder = Repo(repository.absolute()).git_dir / "hooks"
    path = folder / "pre-receive"
    program = shlex.join([sys.executable, "-m", "adjudicator"])
    script = f"#!/bin/sh\nexec {program} git guard\n".encode()
    if path.exists() and files.read(path, 2**16) != script:
        raise Refused("exists", f"{str(path)!a} is there already", "call it from your own hook")
    files.make_folder(folder)
    files.write(path, script, 0o755)
    path.chmod(0o755)
    return path
