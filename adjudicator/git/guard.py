"""Which pushes a game's repository refuses: a hook on a server of one's own.

It gives each player a part of a repository to which all of them may push:

    main        only continues, by commits of one parent that the host signed, to a record whose
                entries hold, and that brings nothing else
    receipts    one box of the right size for everyone, in a commit that the host signed
    in.*        is only made, with one commit on main that adds one block, signed by the player in
                its name; and only removed, once its step is over

It needs no secret and does not ask who pushes: it believes signatures only.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from adjudicator.core import intake
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import read_offer
from adjudicator.git import inbox, letterbox
from adjudicator.git.inbox import End
from adjudicator.git.objects import FILE as PLAIN
from adjudicator.git.objects import Item, read_commit
from adjudicator.git.process import Repo
from adjudicator.git.reading import lasting, read_objects, resolve, signed_commit, sizes
from adjudicator.git.refs import MAIN, RECEIPTS, full
from adjudicator.git.submission import FILE, JOIN, Branch, read_branch
from adjudicator.git.tree import Tree
from adjudicator.store import files
from orders.errors import Refused

MOST = 500
"""So many branches may be pushed at once."""

MOST_COMMITS = 2_000
"""So many commits of main may come at once: a record of a thousand steps, and edits beside it."""


class Move(NamedTuple):
    """A ref that somebody moves from `old` to `new`; None: it is not there."""

    ref: str
    old: str | None
    new: str | None


@lasting()
def check(folder: Path, rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Why pushes to the repository in a folder are refused, a line each; empty: they may pass.

    `rows`: what git gives to a hook, an old and a new revision and a ref; zeros mean none. Raises
    Refused.
    """
    repo = Repo(folder.absolute(), hook=True)
    if len(rows) > MOST:
        return [f"{len(rows)} branches at once: at most {MOST}"]
    moves = []
    for row in rows:
        if len(row) != 3:
            raise Refused("malformed", f"{' '.join(row)!a:.120}: expected OLD NEW REF")
        moves.append(Move(row[2], _commit(repo, row[0]), _commit(repo, row[1])))
    main = resolve(repo, full(MAIN))
    # Boxes come with the entry that they answer, and branches go with it.
    after = next((one.new for one in moves if one.ref == full(MAIN)), None) or main
    found = []
    for one in sorted(moves, key=lambda one: one.ref != full(MAIN)):
        try:
            why = _fault(repo, one, main, after)
        except Refused as error:
            why = error.message
        if why:
            found.append(f"{ascii(one.ref)[1:-1]}: {why}")
    return found


def _commit(repo: Repo, revision: str) -> str | None:
    if revision and not revision.strip("0"):
        return None
    found = resolve(repo, revision)
    if found is None:
        raise Refused("git", f"{revision!a:.80} is no commit here")
    return found


def _fault(repo: Repo, move: Move, main: str | None, after: str | None) -> str:
    """Why a push is refused, "" if it may pass; raises Refused."""
    branch = move.ref.removeprefix(full(""))
    handed = read_branch(branch) if move.ref.startswith(full("")) else None
    if branch == MAIN and move.new is not None:
        return _main_fault(repo, move.old, move.new)
    if after is None:
        return "there is no main yet: the host pushes first"
    if branch == RECEIPTS and move.new is not None:
        return _boxes_fault(repo, move.new, after)
    if handed is None:
        known = branch in (MAIN, RECEIPTS)
        return "is never removed" if known else f"belongs nowhere: expected {_EXPECTED}"
    if move.new is None:
        since = _since(Tree.open(repo, after))
        return "" if handed.place[0] <= since else "is removed once its step is over"
    if move.old is not None:
        return "is there, and never moved: new orders get a branch of their own"
    return _submission_fault(repo, handed, move.new, main or after)


_EXPECTED = f"{MAIN}, {RECEIPTS}, or in.NAME.WHAT.ID"


def _since(tree: Tree) -> int:
    """The step up to which all is over in a record; -1 before genesis."""
    return -1 if tree.last_step() is None else Ledger.read(tree).last.since


# What players hand in.


def _submission_fault(repo: Repo, branch: Branch, new: str, main: str) -> str:
    if not branch.fits(new):
        return f"ends at {new[:16]}, and its name says {branch.id}"
    made = read_commit(read_objects(repo, [new], 2**16)[0] or b"", repo.algorithm)
    if len(made.parents) != 1 or not repo.is_ancestor(made.parents[0], main):
        return "is not one commit on a commit of main"
    held = Tree.open(repo, new).folders[""]
    before = Tree.open(repo, made.parents[0]).folders[""]
    changed = {name for name in {*held, *before} if held.get(name) != before.get(name)}
    if changed != {FILE} or held.get(FILE, Item("", "")).mode != PLAIN:
        return f"does not just add {FILE}"
    found = inbox.Inbox()
    inbox.look(repo, [End("origin", full(branch.name), new, branch.player, branch)], found)
    if found.rubbish:
        return next(iter(found.rubbish.values()))
    if len(found.read) != 1:
        return f"{FILE} holds {len(found.read)} blocks: expected one"
    one, tree = found.read[0], Tree.open(repo, main)
    if (one.player, one.place) != (branch.player, branch.place):
        return f"{FILE} is not what its name says"
    if one.place == JOIN:
        intake.read_join_bundle(read_offer(tree), one.bundle)
        return ""
    if tree.last_step() is None:
        return "the game has not begun"
    ledger = Ledger.read(tree)
    order = intake.read_order_bundle(ledger.opening, ledger.last.joins, one.bundle)
    if order.sealed is None:
        return "the sealed orders are not with the slip"
    return "" if order.slip.step > ledger.last.since else "its step is over"


# The boxes with receipts.


def _boxes_fault(repo: Repo, new: str, main: str) -> str:
    tree = Tree.open(repo, main)
    made = signed_commit(repo, new, read_offer(tree).host)
    if tree.last_step() is None:
        # An update hook sees one branch at a time: main, with the genesis, may come with these.
        return ""
    held = Tree.open(repo, new).folders[""]
    size = sizes(repo, [item.id for item in held.values()])
    there = {name: size.get(item.id) for name, item in held.items() if item.mode == PLAIN}
    wanted = letterbox.expected(Ledger.read(tree).opening)
    right = not made.parents and there == wanted and len(held) == len(wanted)
    return "" if right else "is not one box of the right size for everyone"


# Main.


def _main_fault(repo: Repo, old: str | None, new: str) -> str:
    tree = Tree.open(repo, new)
    host = read_offer(tree if old is None else Tree.open(repo, old)).host
    asked = ["rev-list", "--parents", f"--max-count={MOST_COMMITS + 1}", new]
    rows = repo.text(*asked, *([] if old is None else [f"^{old}"])).splitlines()
    line = [row.split() for row in rows]
    ends = line[-1][1:] if line else [old]
    if len(line) > MOST_COMMITS:
        return f"more than {MOST_COMMITS} commits at once"
    if any(len(row) > 2 for row in line) or ends != ([] if old is None else [old]):
        return f"does not continue {old and old[:12]}, one commit after another"
    for commit, *_ in line:
        try:
            signed_commit(repo, commit, host)
        except Refused as error:
            return f"{commit[:12]} is not by the host: {error.message}"
    return _content_fault(tree, {} if old is None else Tree.open(repo, old).items())


def _content_fault(tree: Tree, before: Mapping[str, Item]) -> str:
    """Why a record on main is not the one that was there, with whole entries added."""
    held = tree.items()
    lost = sorted(path for path in before if path != FILE and held.get(path) != before[path])
    if lost:
        return f"{ascii(lost[0])[1:-1]}: changed or removed"
    tree.prefetch()
    if tree.last_step() is not None:
        Ledger.read(tree)
    foreign = tree.foreign()
    return f"{foreign[0]}: a file that belongs nowhere" if foreign else ""


# The hook.


def hook_script(program: str) -> str:
    """A pre-receive hook that runs this check; `program` is quoted for a shell already."""
    return f"#!/bin/sh\nexec {program} git guard\n"


def install(repository: Path) -> Path:
    """Write a pre-receive hook into a bare repository; raises Refused if it has another hook."""
    folder = Repo(repository.absolute()).git_dir / "hooks"
    path = folder / "pre-receive"
    script = hook_script(shlex.join([sys.executable, "-m", "adjudicator"])).encode()
    if path.exists() and files.read(path, 2**16) != script:
        raise Refused("exists", f"{str(path)!a} is there already", "call it from your own hook")
    files.make_folder(folder)
    files.write(path, script, 0o755)
    path.chmod(0o755)
    return path
