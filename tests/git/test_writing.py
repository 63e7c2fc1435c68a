"""Commits are what git makes of the same files, signature included."""

from __future__ import annotations

import os
import subprocess

from adjudicator.git.objects import FILE, Item, PackObject, pack, tree_data
from adjudicator.git.tree import Tree
from adjudicator.git.writing import Writer, _Folder
from orders.keys import MemoryKey

KEY = MemoryKey.from_seed(b"k" * 32)


TIME = "2026-01-01T00:00:00Z"


def test_commits_are_what_git_makes_of_the_same_files(repo, run_git):
    """Trees in git's order, nested folders, changes and removals: fsck takes them, ids agree."""
    writer = Writer(repo, "host", KEY)
    files = {"a-b": b"1", "a/x": b"2", "a.c": b"3", "a0": b"4", "z/y/x": b"5", "README.md": b"6"}
    first = writer.commit([], files, TIME, "first")
    writer.remove("z/y/x")
    second = writer.commit([first], {"a/w": b"7", "a/x": b"8"}, TIME, "second\n\nbody")
    writer.store()
    run_git(repo.root, "update-ref", "refs/heads/main", second)
    run_git(repo.root, "fsck", "--strict")
    run_git(repo.root, "checkout", "-q", "-f", "main")
    run_git(repo.root, "add", "-A")
    assert run_git(repo.root, "write-tree") == run_git(repo.root, "rev-parse", "main^{tree}")
    listed = run_git(repo.root, "ls-tree", "-r", "--name-only", "main").split()
    assert sorted(listed) == ["README.md", "a-b", "a.c", "a/w", "a/x", "a0"]


def test_a_folder_that_grows_is_packed_as_what_was_added(repo, run_git):
    """Hundreds of commits in one pack: each tree is right, and the pack stays small."""
    writer = Writer(repo, "host", KEY)
    tip: list[str] = []
    for number in range(300):
        path = f"entries/{number:04d}.toml"
        tip = [writer.commit(tip, {path: b"%d" % number}, TIME, f"{number}")]
    packed = pack(writer._objects.values(), writer.algorithm)
    whole = pack((PackObject(o.kind, o.data) for o in writer._objects.values()), writer.algorithm)
    assert len(packed) < len(whole) / 4
    writer.store()
    run_git(repo.root, "update-ref", "refs/heads/main", tip[0])
    run_git(repo.root, "fsck", "--strict")
    assert len(run_git(repo.root, "ls-tree", "main:entries").splitlines()) == 300
    middle = Tree.open(repo, run_git(repo.root, "rev-parse", "main~150"))
    assert len(middle.paths()) == 150
    assert middle.read("entries/0007.toml") == b"7"


def test_a_commit_is_signed_byte_for_byte_as_git_signs(finished, run_git, tmp_path):
    """Ed25519 gives one signature, so git's own commit of the same values is the same object."""
    root = finished.record.root
    head = run_git(root, "rev-parse", "main")
    date = run_git(root, "show", "-s", "--format=%at +0000", head)
    parents = run_git(root, "show", "-s", "--format=%P", head).split()
    message = run_git(root, "show", "-s", "--format=%B", head)
    who = {"NAME": "host", "EMAIL": "host@adjudicator.invalid", "DATE": date}
    env = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in
           who.items()}  # fmt: skip
    made = subprocess.run(
        ["git", "-C", str(root), "-c", "gpg.format=ssh", "commit-tree", f"{head}^{{tree}}",
         f"-S{finished.folder / 'host.key'}", *[w for p in parents for w in ("-p", p)]],
        env={**os.environ, **env}, input=message + "\n", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert made.stdout.strip() == head


def test_a_file_that_is_put_again_stands_once():
    """Also the last of its folder, behind which new ones are put without sorting."""
    one, other = (Item(FILE, f"{number:040d}") for number in (1, 2))
    folder = _Folder({"a": one}, tree_data({"a": one}))
    both = {"a": one, "b": other}
    for name, items in (("b", both), ("b", both), ("a", {**both, "a": other})):
        folder.put(name, other)
        assert folder.bytes() == tree_data(items)
