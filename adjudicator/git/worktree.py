"""A clone's folder: git's index and branch, and the files beside the record.

The tool writes those files itself, so that no filter runs on them.
"""

from __future__ import annotations

import os
from pathlib import Path

from adjudicator.core.source import LIMIT
from adjudicator.git import addresses
from adjudicator.git.objects import FOLDER, read_tree
from adjudicator.git.process import Repo
from adjudicator.git.reading import read_objects, resolve
from adjudicator.git.refs import MAIN, SEEN, full
from adjudicator.git.tree import REGULAR, Tree
from adjudicator.store import files
from orders import names
from orders.errors import Refused

_PACKS = 50
"""As git's own gc.autoPackLimit: with more of them, which strangers may push, it makes one."""
_LEFT_OUT = "/orders/*.sealed\n"
"""Excluded from a host's commits: the folder holds all sealed order files, the branch none."""


def create(root: Path, url: str) -> Repo:
    """Make a folder a repository with that remote; a repository that is there already is used."""
    url = addresses.check(url)
    repo = Repo(root)
    if not (root / ".git").exists():
        root.mkdir(parents=True, exist_ok=True)
        repo.run("init", "--quiet", f"--initial-branch={MAIN}")
    there = repo.config("remote.origin.url")
    if there is None:
        repo.run("remote", "add", "origin", url)
    elif there != url:
        shown = addresses.without_users(there)
        raise Refused(
            "exists", f"{str(root)!a} has another remote: {shown!a:.120}", "git remote set-url"
        )
    _leave_out(repo.git_dir.absolute() / "info" / "exclude")
    return repo


def _leave_out(exclude: Path) -> None:
    there = exclude.read_bytes() if exclude.exists() else b""
    if _LEFT_OUT.encode() not in there:
        files.write(exclude, there + _LEFT_OUT.encode())


def settle(repo: Repo, commit: str) -> None:
    """Make a commit the clone's own main, as if it had been checked out.

    The record's files are there already, each checked when it came; only the files beside them are
    written. The index is put in place whole, so a run that ends early leaves no lock.
    """
    moved = not resolve(repo, SEEN) == commit == resolve(repo, full(MAIN))
    if moved:
        _move(repo, commit)
    packs = (repo.git_dir / "objects" / "pack").glob("*.pack")
    # Fetches do not collect garbage, as that would slow a sync down.
    if moved or sum(1 for _ in packs) > _PACKS:
        repo.ask("gc", "--auto", "--quiet")


def _move(repo: Repo, commit: str) -> None:
    folder = repo.git_dir.absolute()
    draft = folder / "adjudicator-index"
    draft.unlink(missing_ok=True)
    repo.run("read-tree", commit, env={"GIT_INDEX_FILE": str(draft)})
    _write_beside(repo, commit)
    os.replace(draft, folder / "index")  # noqa: PTH105 - both are there
    if (folder / "HEAD").read_bytes() != f"ref: {full(MAIN)}\n".encode():
        repo.run("symbolic-ref", "HEAD", full(MAIN))
    moved = f"update {full(MAIN)} {commit}\nupdate {SEEN} {commit}\n"
    repo.run("update-ref", "--stdin", given=moved.encode())


def _write_beside(repo: Repo, commit: str) -> None:
    """Write the files beside the record, and the record's attributes; only plain files."""
    for path, data in beside_at(repo, commit).items():
        target = repo.root / path
        parts = Path(path).parts
        inside = [repo.root.joinpath(*parts[:number]) for number in range(1, len(parts) + 1)]
        if not _has(target, data) and not any(above.is_symlink() for above in inside):
            files.write(target, data)
    tree = Tree.open(repo, commit)
    attributes = repo.root / names.ATTRIBUTES
    if tree.item(names.ATTRIBUTES) is not None and not attributes.exists():
        files.write(attributes, tree.read(names.ATTRIBUTES))


def _has(path: Path, data: bytes) -> bool:
    try:
        return files.read(path, LIMIT) == data
    except Refused:
        return False


def beside_files(root: Path) -> dict[str, bytes]:
    """The files beside the record in a working tree, by path."""
    held = {}
    for name in names.BESIDE:
        top = root / name
        found = sorted(top.rglob("*")) if top.is_dir() and not top.is_symlink() else [top]
        for path in found:
            if path.is_file() and not path.is_symlink():
                held[path.relative_to(root).as_posix()] = path.read_bytes()
    return held


def beside_at(repo: Repo, commit: str | None) -> dict[str, bytes]:
    """The files beside the record in a commit (None: there are none): plain files whose names a
    folder can hold."""
    found: dict[str, str] = {}
    waiting = {} if commit is None else Tree.open(repo, commit).beside()
    while waiting:
        found |= {path: item.id for path, item in waiting.items() if item.mode in REGULAR}
        folders = {path: item.id for path, item in waiting.items() if item.mode == FOLDER}
        trees = zip(folders, read_objects(repo, list(folders.values())), strict=True)
        waiting = {
            f"{folder}/{name}": item
            for folder, data in trees
            for name, item in read_tree(data or b"", repo.algorithm).items()
            if _is_plain(name)
        }
    data = read_objects(repo, list(found.values()))
    return {path: one for path, one in zip(found, data, strict=True) if one is not None}


def _is_plain(name: str) -> bool:
    return not {"/", "\\"} & set(name) and name.lower() not in ("", ".", "..", ".git")
