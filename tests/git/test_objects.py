"""Git's objects as bytes, against git itself."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess

import pytest
from git.conftest import run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudicator.git.objects import (
    FILE,
    FOLDER,
    Item,
    PackObject,
    Writer,
    _Folder,
    object_id,
    pack,
    read_commit,
    read_tree,
    signed_commit,
    tree_data,
)
from adjudicator.git.tree import Tree
from orders.errors import Refused
from orders.keys import MemoryKey

KEY = MemoryKey.from_seed(b"k" * 32)
TIME = "2026-01-01T00:00:00Z"


def test_a_signature_binds_the_whole_commit(repo):
    """Any byte changed, or another key: refused."""
    writer = Writer(repo, "host", KEY)
    commit = writer.commit([], {"a": b"1"}, TIME, "x")
    data = writer._objects[commit].data.replace(b"\n\nx", b"\n\ny")
    writer.store()
    assert signed_commit(repo, commit, KEY.public).message == "x\n"
    kept = repo.run("hash-object", "-t", "commit", "-w", "--stdin", given=data)
    for one, key in ((kept.decode().strip(), KEY), (commit, MemoryKey.from_seed(b"o" * 32))):
        with pytest.raises(Refused) as error:
            signed_commit(repo, one, key.public)
        assert error.value.word == "bad-signature"


@given(st.binary(max_size=400))
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_any_bytes_parse_or_are_refused(data):
    """A tree or commit that somebody else made raises the one error, if any."""
    for read in (read_tree, read_commit):
        with contextlib.suppress(Refused):
            read(data, "sha1")


NAMES = st.text(st.sampled_from("ab.-0/"), min_size=1, max_size=6).map(
    lambda s: s.replace("/", "_")
)


@given(st.dictionaries(NAMES, st.sampled_from([FILE, FOLDER]), max_size=8))
@settings(max_examples=100, deadline=None)
def test_trees_round_trip(modes):
    """What is written is read again."""
    items = {name: Item(mode, object_id("blob", name.encode(), "sha1")) for name, mode in
             modes.items()}  # fmt: skip
    assert read_tree(tree_data(items), "sha1") == items


# A record as a commit holds it, never checked out.


def test_show_log_and_verify_at_a_commit(finished, clone, run_git):
    """`--at REV` shows the game as it stood then, checking nothing out."""
    commit = run_git(clone, "log", "--format=%H", "--grep=^0003 ", "--author=host")
    told = json.loads(run("log", "-g", str(clone), "--at", commit, "--json").stdout)
    assert [chapter["step"] for chapter in told] == [0, 1, 2, 3]
    seen = run("show", "-g", str(clone), "--at", commit, "--json")
    assert json.loads(seen.stdout)["step"] == 3
    own = run("show", "-g", str(clone), "--at", commit, "--seat", str(finished.seats["alice"].root))
    assert "As alice sees it:" in own.stdout
    assert "After entry 3:" in own.stdout
    result = run("verify", str(clone), "--at", commit)
    assert result.exit_code == 4
    assert "NOT YET: entry 3 awaits" in result.stdout
    bad = run("show", "-g", str(clone), "--at", "nonsense")
    assert bad.exit_code == 1
    assert bad.stderr.startswith("error: 'nonsense' is no commit")


def test_a_link_in_a_commit_is_named(clone, run_git):
    """A tree is read without following anything."""
    (clone / "entries" / "0001.toml").unlink()
    (clone / "entries" / "0001.toml").symlink_to("0002.toml")
    run_git(clone, "commit", "-qam", "link")
    result = run("verify", str(clone), "--at", "HEAD")
    assert result.exit_code == 2
    assert "entries/0001.toml is no regular file" in result.stdout


def test_no_folder_in_the_place_of_one(clone, run_git):
    """A link where a record has a folder is no way out of it."""
    run_git(clone, "rm", "-qr", "slips")
    (clone / "slips").symlink_to("entries")
    run_git(clone, "add", "-A")
    run_git(clone, "commit", "-qm", "link")
    result = run("verify", str(clone), "--at", "HEAD")
    assert result.exit_code == 2
    assert "'slips' is no folder, and a record has one of that name" in result.stdout


def test_an_object_that_is_gone(finished, tmp_path, run_git):
    """A repository that lacks a file's bytes, as a partial clone does: nobody's lie."""
    bare = tmp_path / "loose.git"
    run_git(tmp_path, "init", "-q", "--bare", str(bare))
    pack = run_git(finished.bare, "rev-parse", "main:entries/0001.toml")
    run_git(bare, "fetch", "-q", "--depth=1", f"file://{finished.bare}", "main:main")
    for path in (bare / "objects" / "pack").glob("*.pack"):
        given = path.rename(bare / path.name)
        path.with_suffix(".idx").unlink()
        with given.open("rb") as file:
            subprocess.run(["git", "-C", str(bare), "unpack-objects", "-q"], stdin=file, check=True)
    (bare / "objects" / pack[:2] / pack[2:]).unlink()
    result = run("verify", str(bare))
    assert result.exit_code == 2
    assert f"entries/0001.toml: this repository does not hold {pack}" in result.stdout


# Commits are what git makes of the same files, signature included.


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
    folder = _Folder(tree_data({"a": one}), "sha1")
    both = {"a": one, "b": other}
    for name, items in (("b", both), ("b", both), ("a", {**both, "a": other})):
        folder.put(name, other)
        assert folder.packed("sha1")[1].data == tree_data(items)
