"""Which pushes a game's repository refuses: as a hook on a server, and as the same check in CI.

It needs no secret and does not ask who pushes: it believes signatures only.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from adjudicator.core import bundles, intake
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import read_offer
from adjudicator.git import changes, letterbox
from adjudicator.git.changes import Step, beyond, steps
from adjudicator.git.judgement import Ground, foreign, player_faults, shrinks
from adjudicator.git.objects import FILE
from adjudicator.git.process import Repo
from adjudicator.git.reading import is_by, lasting, resolve, signed_commit, sizes
from adjudicator.git.refs import MAIN, PLAYERS, RECEIPTS, continued, full
from adjudicator.git.tree import Tree
from adjudicator.store import files
from orders import names
from orders.entries import Reveal
from orders.errors import Refused
from orders.fields import NAME, digest
from orders.public_key import PublicKey

PULL = "pull"
"""Instead of a branch's name: a pull request, of any player."""

MOST = 20
"""So many faults of a push are told."""

MOST_REFS = 500
"""So many branches may be pushed at once."""

_PLAYER = re.compile(f"{PLAYERS}({NAME})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Move:
    """A branch that somebody moves from `old` to `new`; None: it is not there."""

    ref: str
    old: str | None
    new: str | None


def check(repo: Repo, pushed: Sequence[Move]) -> list[str]:
    """Why these pushes are refused, a line each; empty: they may pass."""
    if len(pushed) > MOST_REFS:
        return [f"{len(pushed)} branches at once: at most {MOST_REFS}"]
    if repo.is_shallow():
        raise Refused(
            "shallow", "the clone's history is cut off", "fetch it whole (fetch-depth: 0)"
        )
    moved = next((one for one in pushed if one.ref == full(MAIN)), None)
    main = moved.old if moved is not None else None
    main = main or next((one.old for one in pushed if one.ref == PULL), None)
    main = main or resolve(repo, f"refs/remotes/origin/{MAIN}") or resolve(repo, full(MAIN))
    after = moved.new if moved is not None else main
    found = []
    for one in pushed:
        try:
            # Boxes are judged after the entry that they come with.
            faults = _check(repo, one, after if one.ref == full(RECEIPTS) else main)
        except Refused as error:
            faults = [error.message]
        told = list(dict.fromkeys(faults))
        more = [f"and {len(told) - MOST} more"] if len(told) > MOST else []
        found += [f"{one.ref}: {fault}" for fault in (*told[:MOST], *more)]
    return found


@lasting()
def check_rows(folder: Path, rows: Sequence[tuple[str, ...]]) -> list[str]:
    """The same for a repository's folder and the rows that git gives to a hook: an old and a new
    revision and a ref; zeros mean none."""
    repo = Repo(folder.absolute(), hook=True)
    pushed = []
    for row in rows:
        if len(row) != 3:
            raise Refused("malformed", f"{' '.join(row)!a:.120}: expected OLD NEW REF")
        old, new, ref = row
        pushed.append(Move(ref, _commit(repo, old), _commit(repo, new)))
    return check(repo, pushed)


def _commit(repo: Repo, revision: str) -> str | None:
    if revision and not revision.strip("0"):
        return None
    found = resolve(repo, revision)
    if found is None:
        raise Refused("git", f"{revision!a:.80} is no commit here", "fetch the whole history")
    return found


def _check(repo: Repo, pushed: Move, main: str | None) -> list[str]:
    branch = pushed.ref.removeprefix("refs/heads/")
    if pushed.new is None:
        return ["deleted: a branch of a game is never deleted"]
    if branch == RECEIPTS:
        return _check_receipts(repo, pushed.new, main)
    if branch != PULL and pushed.old is not None and not repo.is_ancestor(pushed.old, pushed.new):
        return [f"a forced push: {pushed.new[:12]} does not continue {pushed.old[:12]}"]
    if branch == MAIN:
        return _check_main(repo, pushed.old, pushed.new)
    player = _PLAYER.fullmatch(branch)
    if player is not None or branch == PULL:
        return _check_player(repo, pushed, main, None if player is None else player[1])
    return [f"belongs nowhere: only {MAIN}, {PLAYERS}NAME and {RECEIPTS} are pushed"]


# A player's branch.


def _check_player(repo: Repo, pushed: Move, main: str | None, player: str | None) -> list[str]:
    assert pushed.new is not None  # noqa: S101 - as the caller looked
    if main is None:
        return ["there is no main yet: the host pushes first"]
    host = read_offer(Tree.open(repo, main)).host
    kept = continued(repo, pushed.new, main, host)
    if kept is not None:
        # The server was restored from an old backup: a player brings what it lost.
        faults = _check_main(repo, main, kept)
        if faults:
            return faults
        main = kept
    ground = Ground(repo, main)
    # What the branch had before is judged again: main may have moved since.
    faults = player_faults(ground, beyond(repo, pushed.new, main), player)
    return faults or _document_faults(ground, Tree.open(repo, pushed.new))


def _document_faults(ground: Ground, tree: Tree) -> list[str]:
    """Why what a branch adds is more than one player's join, or slips with their sealed orders."""
    added = [path for path, item in tree.items().items() if ground.tree.item(path) != item]
    parsed = [(path, name) for path in added if (name := names.parse(path)) is not None]
    faults = []
    signed = set()
    for path, name in parsed:
        if name.kind in ("join", "slip") and not name.signature:
            signed |= {path, names.signature(path)}
            if name.kind == "slip":
                signed.add(names.sealed_order(name.step, name.player))
            faults += _check_document(ground, tree, path, name)
    faults += [
        f"{path}: a file that belongs nowhere: no slip names it"
        for path, _ in parsed
        if path not in signed
    ]
    return faults


def _check_document(ground: Ground, tree: Tree, path: str, name: names.Name) -> list[str]:
    held = {path: tree.read(path)}
    if tree.item(names.signature(path)) is not None:
        held[names.signature(path)] = tree.read(names.signature(path))
    if name.kind == "join":
        intake.read_join_bundle(ground.offer, bundles.pack("join", held))
        return []
    if ground.ledger is None:
        return [f"{path}: the game has not begun"]
    sealed = names.sealed_order(name.step, name.player)
    if tree.item(sealed) is not None:
        held[sealed] = tree.read(sealed)
    last = min(tree.last_step() or 0, ground.ledger.last.step)
    joins = ground.ledger.link(last).joins
    order = intake.read_order_bundle(ground.ledger.opening, joins, bundles.pack("order", held))
    if order.sealed is None or digest(order.sealed) != order.slip.sealed:
        return [f"{sealed}: is not the file that the slip names"]
    return []


# The boxes with receipts.


def _check_receipts(repo: Repo, new: str, main: str | None) -> list[str]:
    if main is None:
        return ["there is no main yet: the host pushes first"]
    tree = Tree.open(repo, main)
    try:
        signed_commit(repo, new, read_offer(tree).host)
    except Refused as error:
        return [f"not by the host: {error.message}"]
    if tree.last_step() is None:
        # An update hook sees one branch at a time: main, with the genesis, may come with these
        # boxes.
        return []
    items = changes.between(repo, None, new)
    wanted = letterbox.expected(Ledger.begin(tree).opening)
    known = sizes(repo, [item.new for item in items.values()])
    there = {path: known.get(item.new, -1) for path, item in items.items() if item.mode == FILE}
    if repo.walk("--no-walk", new) != [(new,)] or there != wanted or len(items) != len(wanted):
        return ["is not one box of the right size for everyone"]
    return []


# Main.


def _check_main(repo: Repo, old: str | None, new: str) -> list[str]:
    tree = Tree.open(repo, new)
    host = read_offer(tree if old is None else Tree.open(repo, old)).host
    beyond_old = [] if old is None else [f"^{old}"]
    own = steps(repo, repo.walk("--first-parent", "--reverse", new, *beyond_old))
    faults = _line_faults(own, old)
    for step in own:
        faults += _step_faults(repo, step, host)
    if faults:
        return faults
    tree.prefetch()
    ledger = None if tree.last_step() is None else Ledger.read(tree)
    faults = _added_faults(repo, old, tree, ledger)
    return faults or _merged_faults(repo, own, ledger, host)


def _line_faults(own: Sequence[Step], old: str | None) -> list[str]:
    """Why commits do not continue `old` by their first parents."""
    found = []
    if own and old is not None and own[0].parents[:1] != (old,):
        found.append(
            f"{own[0].commit[:12]}: history dropped by a merge: its first parent is not the main "
            f"that is there, {old[:12]}"
        )
    found += [
        f"{step.commit[:12]} begins another history"
        for step in own
        if not step.parents and (old is not None or step is not own[0])
    ]
    return found


def _step_faults(repo: Repo, step: Step, host: PublicKey) -> list[str]:
    """Why a commit of main's own line is not one of the host's that only adds."""
    faults = [*shrinks(step), *foreign(step)]
    try:
        signed_commit(repo, step.commit, host)
    except Refused as error:
        beside = [change.shown for change in step.own if change.beside]
        what = beside[0] if beside else step.commit[:12]
        faults.append(f"{what}: only the host changes this: {error.message}")
    return faults


def _added_faults(repo: Repo, old: str | None, tree: Tree, ledger: Ledger | None) -> list[str]:
    """Why a new file of main is not one that an entry names; all entries were verified before."""
    named = {names.INVITE, names.signature(names.INVITE), names.TABLE, names.ATTRIBUTES}
    digests: dict[str, str] = {}
    before = None if old is None else Tree.open(repo, old).last_step()
    last = -1 if ledger is None else ledger.last.step
    for number in range(0 if before is None else before + 1, last + 1):
        assert ledger is not None  # noqa: S101 - there are entries
        link = ledger.link(number)
        path = names.entry(number)
        named |= {path, names.signature(path), *bundles.named(tree, link.entry)}
        for player, told in link.entry.reports.items():
            digests[names.report(number, player)] = told.sealed
        if isinstance(link.entry, Reveal):
            for one in ledger.links():
                for player, slip in one.slips.items():
                    digests[names.opened_order(one.step, player)] = slip.order
    faults = []
    for path, change in changes.between(repo, old, tree.commit).items():
        if change.beside:
            continue
        if change.mode != FILE:
            faults.append(f"{change.shown}: no plain file (mode {change.mode})")
        elif path in digests:
            if digest(tree.read(path)) != digests[path]:
                faults.append(f"{change.shown}: is not the file that its entry names")
        elif path not in named:
            faults.append(f"{change.shown}: a file that belongs nowhere: no entry names it")
        elif path == names.ATTRIBUTES and tree.read(path) != names.ATTRIBUTES_TEXT:
            faults.append(f"{change.shown}: is not the file that the tool writes")
    return faults


def _merged_faults(
    repo: Repo, own: Sequence[Step], ledger: Ledger | None, host: PublicKey
) -> list[str]:
    """Why a commit that main's new commits merge is neither the host's nor a player's own."""
    faults: list[str] = []
    for step in own:
        for merged in step.parents[1:]:
            if not is_by(repo, merged, host):
                # It is judged on the main that it was merged into: one push may bring several
                # entries.
                ground = Ground(repo, step.parents[0], ledger)
                faults += player_faults(ground, beyond(repo, merged, step.parents[0]), None)
    return faults


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
