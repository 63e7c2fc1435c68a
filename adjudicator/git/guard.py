"""What a repository of a game refuses to take: a hook on a server, and the same check in CI.

What belongs here: the judgement of pushed branches, in one-line reasons. It needs no secret and
asks nobody who pushes: it believes signatures only. What it must not know: hooks, printing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator import bundles, chain, intake, opening
from adjudicator.git import changes, letterbox
from adjudicator.git.changes import losses, player_faults, steps
from adjudicator.git.objects import FILE, read_commit
from adjudicator.git.process import Repo
from adjudicator.git.refs import MAIN, PLAYERS, RECEIPTS, full
from adjudicator.git.tree import Tree, read_objects, sizes
from orders import names
from orders.entries import Entry, Reveal, read_entry
from orders.errors import Missing, Refused
from orders.fields import digest

PULL = "pull"
"""In the place of a branch's name: a pull request, of whichever player."""


@dataclass(frozen=True, slots=True)
class Pushed:
    """A branch that somebody moves; None: it is not there, before or afterwards."""

    ref: str
    old: str | None
    new: str | None


def check(repo: Repo, pushed: Sequence[Pushed]) -> list[str]:
    """Why these pushes are refused, a line each; empty: they may pass."""
    if repo.is_shallow():
        raise Refused(
            "shallow", "the clone's history is cut off", "fetch it whole (fetch-depth: 0)"
        )
    moved = next((one for one in pushed if one.ref == full(MAIN)), None)
    main = moved.old if moved is not None else None
    main = main or next((one.old for one in pushed if one.ref == PULL), None)
    main = main or repo.resolve(f"refs/remotes/origin/{MAIN}") or repo.resolve(full(MAIN))
    after = moved.new if moved is not None else main
    found = []
    for one in pushed:
        try:
            faults = _check(repo, one, after if _is_boxes(one) else main)
        except Refused as error:
            faults = [error.message]
        found += [f"{one.ref}: {fault}" for fault in dict.fromkeys(faults)]
    return found


def _is_boxes(pushed: Pushed) -> bool:
    """The boxes come with the entry after which they are made."""
    return pushed.ref == full(RECEIPTS)


def _check(repo: Repo, pushed: Pushed, main: str | None) -> list[str]:
    branch = pushed.ref.removeprefix("refs/heads/")
    if pushed.new is None:
        return ["deleted: a branch of a game is never deleted"]
    if branch == RECEIPTS:
        return _check_receipts(repo, pushed.new, main)
    if branch != PULL and pushed.old is not None and not repo.is_ancestor(pushed.old, pushed.new):
        return [f"a forced push: {pushed.new[:12]} does not continue {pushed.old[:12]}"]
    if branch == MAIN:
        return _check_main(repo, pushed.old, pushed.new)
    if branch.startswith(PLAYERS) or branch == PULL:
        player = None if branch == PULL else branch.removeprefix(PLAYERS)
        return _check_player(repo, pushed, main, player)
    return [f"belongs nowhere: pushed are {MAIN}, {PLAYERS}NAME and {RECEIPTS}"]


def _new_commits(repo: Repo, new: str, known: Sequence[str | None]) -> list[str]:
    without = [f"^{one}" for one in known if one is not None]
    return repo.text("rev-list", "--topo-order", "--reverse", new, *without).split()


# A player's branch.


def _check_player(repo: Repo, pushed: Pushed, main: str | None, player: str | None) -> list[str]:
    assert pushed.new is not None  # noqa: S101 - as the caller looked
    if main is None:
        return ["there is no main yet: the host pushes first"]
    commits = _new_commits(repo, pushed.new, [pushed.old, main])
    faults = player_faults(repo, commits, player)
    if faults:
        return faults
    tree = Tree.open(repo, pushed.new)
    base = Tree.open(repo, main)
    added = [path for path in tree.items() if base.item(path) != tree.item(path)]
    parsed = [(path, names.parse(path)) for path in added]
    documents = [
        (path, name)
        for path, name in parsed
        if name is not None and name.kind in ("join", "slip") and not name.signature
    ]
    for path, name in documents:
        held = {path: tree.read(path)}
        for other in (names.signature(path), *_sealed(name)):
            if tree.item(other) is not None:
                held[other] = tree.read(other)
        if name.kind == "join":
            join = intake.read_join_bundle(opening.read_offer(base), bundles.pack("join", held))
            faults += [] if join.player == name.player else [f"{path}: is {join.player}'s join"]
        else:
            faults += _check_slip(base, path, name, held)
    signed = {path for path, _ in documents}
    for path, _ in parsed:
        kin = {path, path.removesuffix(".sig"), _slip_of(path)}
        if not kin & signed:
            faults.append(f"{path}: a file that belongs nowhere: no slip names it")
    return faults


def _sealed(name: names.Name) -> tuple[str, ...]:
    if name.kind != "slip":
        return ()
    return (names.sealed_order(name.step or 0, name.player or ""),)


def _slip_of(path: str) -> str:
    """The slip that names a sealed order file."""
    name = names.parse(path)
    if name is None or name.kind != "sealed":
        return path
    return names.slip(name.step or 0, name.player or "")


def _check_slip(base: Tree, path: str, name: names.Name, held: dict[str, bytes]) -> list[str]:
    try:
        opened = opening.read_opening(base)
    except Missing:
        return [f"{path}: the game has not begun"]
    if name.player not in opened.players:
        return [f"{path}: nobody in this game is called {name.player}"]
    sent = intake.read_order_bundle(opened, bundles.pack("order", held))
    if sent.sealed is None or digest(sent.sealed) != sent.slip.sealed:
        return [f"{_sealed(name)[0]}: is not the file that the slip names"]
    return []


# The boxes with receipts.


def _check_receipts(repo: Repo, new: str, main: str | None) -> list[str]:
    if main is None:
        return ["there is no main yet: the host pushes first"]
    tree = Tree.open(repo, main)
    data = read_objects(repo, [new])[0]
    commit = read_commit(data or b"", repo.algorithm)
    try:
        commit.check(opening.read_offer(tree).host)
    except Refused as error:
        return [f"not by the host: {error.message}"]
    if tree.last_step() is None:
        # An update hook sees one branch at a time: the genesis comes with these boxes.
        return []
    items = changes.between(repo, None, new)
    wanted = letterbox.expected(opening.read_opening(tree))
    known = sizes(repo, [item.new for item in items.values()])
    there = {path: known.get(item.new, -1) for path, item in items.items() if item.mode == FILE}
    if commit.parents or there != wanted or len(items) != len(wanted):
        return ["is not one box of the right size for everyone"]
    return []


# Main.


def _check_main(repo: Repo, old: str | None, new: str) -> list[str]:
    tree = Tree.open(repo, new)
    offer = opening.read_offer(tree if old is None else Tree.open(repo, old))
    faults: list[str] = []
    last_steps: dict[str, int] = {}
    algorithm = repo.algorithm
    for step in steps(repo, _new_commits(repo, new, [old])):
        faults += losses(repo, step, last_steps)
        if old is not None and not step.against:
            faults.append(f"{step.commit[:12]} begins another history")
        beside = [change for change in step.own if change.beside]
        if beside:
            data = read_objects(repo, [step.commit])[0]
            try:
                read_commit(data or b"", algorithm).check(offer.host)
            except Refused as error:
                faults.append(f"{beside[0].shown}: only the host changes this: {error.message}")
        for change in step.own:
            if not change.beside and names.parse(change.path) is None:
                faults.append(f"{change.shown}: a file that belongs nowhere")
    if faults:
        return faults
    return _check_added(repo, old, new, tree)


def _check_added(repo: Repo, old: str | None, new: str, tree: Tree) -> list[str]:
    """Whether the entries that are new on main follow, and every new file is named by one."""
    added = changes.between(repo, old, new)
    tree.prefetch(added)
    named = {names.INVITE, names.signature(names.INVITE), names.TABLE, names.ATTRIBUTES}
    before = None if old is None else Tree.open(repo, old).last_step()
    last = tree.last_step()
    for step in range(0 if before is None else before + 1, 0 if last is None else last + 1):
        named |= _follow(tree, step)
    faults = []
    for path, change in added.items():
        if change.beside:
            continue
        if change.mode != FILE:
            faults.append(f"{change.shown}: no plain file (mode {change.mode})")
        elif path not in named:
            faults.append(f"{change.shown}: a file that belongs nowhere: no entry names it")
        elif path == names.ATTRIBUTES and tree.read(path) != names.ATTRIBUTES_TEXT:
            faults.append(f"{change.shown}: is not as a record has it")
    return faults


def _follow(tree: Tree, step: int) -> set[str]:
    """The files that entry `step` names, once it was checked; raises Refused."""
    opened = opening.read_opening(tree)
    if step == 0:
        chain.first(opened, tree)
        return set(dict(bundles.of_entry(tree, 0).files))
    before = chain.standing(opened, tree, step - 1)
    link = chain.follow(opened, before, tree, lambda n: chain.standing(opened, tree, n).clocks)
    found = set(dict(bundles.of_entry(tree, step).files))
    if isinstance(link.entry, Reveal):
        for number in range(1, step):
            entry = read_entry(tree.read(names.entry(number)))
            if isinstance(entry, Entry):
                found |= {names.opened_order(number, player) for player in entry.slips}
    return found


def hook_script(program: str) -> str:
    """A pre-receive hook that runs this check; `program` is quoted for a shell already."""
    return f"#!/bin/sh\nexec {program} git guard\n"
