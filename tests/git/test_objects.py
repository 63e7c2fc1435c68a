"""Git's objects as bytes, against git itself."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudicator.git import addresses
from adjudicator.git.objects import (
    FILE,
    FOLDER,
    Item,
    Packed,
    object_id,
    pack,
    read_commit,
    read_tree,
    tree_data,
)
from adjudicator.git.process import Repo
from adjudicator.git.tree import Tree
from adjudicator.git.writing import Writer
from orders.errors import Refused
from orders.keys import MemoryKey

KEY = MemoryKey.from_seed(b"k" * 32)
TIME = "2026-01-01T00:00:00Z"


@pytest.fixture(params=["sha1", "sha256"])
def repo(request, tmp_path, run_git):
    """An empty repository of either kind."""
    run_git(tmp_path, "init", "-q", f"--object-format={request.param}", "-b", "main", ".")
    return Repo(tmp_path)


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
    whole = pack((Packed(o.kind, o.data) for o in writer._objects.values()), writer.algorithm)
    assert len(packed) < len(whole) / 4
    writer.store()
    run_git(repo.root, "update-ref", "refs/heads/main", tip[0])
    run_git(repo.root, "fsck", "--strict")
    assert len(run_git(repo.root, "ls-tree", "main:entries").splitlines()) == 300
    middle = Tree.open(repo, run_git(repo.root, "rev-parse", "main~150"))
    assert len(middle.paths()) == 150
    assert middle.read("entries/0007.toml") == b"7"


def test_a_signature_binds_the_whole_commit(repo):
    """Any byte changed, or another key: refused."""
    writer = Writer(repo, "host", KEY)
    commit = writer.commit([], {"a": b"1"}, TIME, "x")
    data = writer._objects[commit].data
    read_commit(data, writer.algorithm).check(KEY.public)
    changed = read_commit(data.replace(b"\n\nx", b"\n\ny"), writer.algorithm)
    for one, key in ((changed, KEY), (read_commit(data, writer.algorithm), None)):
        public = MemoryKey.from_seed(b"o" * 32).public if key is None else key.public
        with pytest.raises(Refused) as error:
            one.check(public)
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


@pytest.mark.parametrize("url", ["", "-x", "--upload-pack=x", "ext::sh -c x", "a\nb", "fd::3"])
def test_addresses_that_git_must_not_be_given(url):
    """Options and helpers that run programs are no addresses."""
    with pytest.raises(Refused) as error:
        addresses.check(url)
    assert error.value.word == "bad-url"


@pytest.mark.parametrize(
    "url",
    ["git@example.org:friday.git", "ssh://[::1]/friday.git", "/srv/friday.git", "https://x/y"],
)
def test_addresses(url):
    """Those of ssh, of folders, and URLs."""
    assert addresses.check(url) == url


def test_variables_that_turn_git_elsewhere_are_dropped(repo, monkeypatch, tmp_path_factory):
    """Run from a hook or an alias, git would otherwise write into another repository."""
    other = tmp_path_factory.mktemp("other")
    monkeypatch.setenv("GIT_DIR", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / "index"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other))
    assert repo.git_dir.resolve() == (repo.root / ".git").resolve()


def test_the_clones_own_configuration_runs_nothing(repo, run_git, tmp_path):
    """A repository from elsewhere whose configuration names programs: none is started."""
    marker = tmp_path / "ran"
    hook = tmp_path / "hooks" / "post-index-change"
    hook.parent.mkdir()
    hook.write_text(f"#!/bin/sh\ntouch {marker}\n")
    hook.chmod(0o755)
    run_git(repo.root, "config", "core.hooksPath", str(hook.parent))
    run_git(repo.root, "config", "core.fsmonitor", str(hook))
    run_git(repo.root, "config", "core.alternateRefsCommand", str(hook))
    writer = Writer(repo, "host", KEY)
    commit = writer.commit([], {"a": b"1"}, TIME, "x")
    writer.store()
    repo.run("read-tree", commit)
    repo.run("update-index", "-q", "--refresh")
    assert not marker.exists()
