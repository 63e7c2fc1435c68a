"""Removing boxes that were replaced, because git would keep them for weeks in every clone."""

from __future__ import annotations

import os
from pathlib import Path

from adjudicator.git.objects import read_tree
from adjudicator.git.process import Repo
from adjudicator.git.reading import look_up, read_objects, rest
from adjudicator.store import files

_HEAD = 8 + 256 * 4
"""The bytes of a pack's index (version 2) before the names of its objects."""

_LARGEST = 2**16
"""The most bytes of the index of a pack that holds only boxes."""


def forget(repo: Repo, boxes: str) -> None:
    """Remove a commit of `receipts` and all its objects, unless their pack holds others.

    Nothing of the program's refers to it: it is nobody's parent, and every box is sealed anew. If a
    branch or a tag of the user's refers to it, it stays.
    """
    if repo.ask("for-each-ref", "--points-at", boxes) != "":
        return
    tree = look_up(repo, [f"{boxes}^{{tree}}"])[0]
    if tree is None:
        return
    items = read_tree(read_objects(repo, [tree.id])[0] or b"", repo.algorithm)
    ids = {boxes, tree.id, *(item.id for item in items.values())}
    objects = repo.git_dir / "objects"
    if os.name == "nt":
        # Windows removes no file that a process has open.
        rest()
    for one in ids:
        files.remove(objects / one[:2] / one[2:])
    for index in (objects / "pack").glob("*.idx"):
        if index.stat().st_size <= _LARGEST and _names(index, len(boxes) // 2) <= ids:
            for path in (objects / "pack").glob(f"{index.stem}.*"):
                files.remove(path)


def _names(index: Path, length: int) -> set[str]:
    """The objects of a pack; each name has `length` bytes."""
    data = files.read(index, _LARGEST)
    count = int.from_bytes(data[_HEAD - 4 : _HEAD])
    ends = range(_HEAD, _HEAD + count * length, length)
    return {data[at : at + length].hex() for at in ends}
