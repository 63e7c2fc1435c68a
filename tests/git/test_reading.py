"""Objects read by processes that last for a command: right answers, and nothing left behind."""

from __future__ import annotations

import hashlib
import subprocess
import threading
from types import SimpleNamespace

import pytest

from adjudicator.git import objects, process
from adjudicator.git.objects import (
    Writer,
    lasting,
    look_up,
    object_id,
    read_objects,
    read_small,
    resolve,
)
from adjudicator.git.process import GitFailed
from orders.keys import MemoryKey

KEY = MemoryKey.from_seed(b"k" * 32)
TIME = "2026-01-01T00:00:00Z"


def commit(repo, **files: bytes) -> str:
    """A stored commit with these files."""
    writer = Writer(repo, "host", KEY)
    made = writer.commit([], files, TIME, "x")
    writer.store()
    return made


@pytest.fixture
def started(monkeypatch) -> list[subprocess.Popen[bytes]]:
    """The processes that were started to read: of each question one for sizes, one for bytes."""
    seen = []
    start = process.start

    def noted(repo, args, *more):
        made = start(repo, args, *more)
        if args[0] == "cat-file":
            seen.append(made)
        return made

    monkeypatch.setattr(process, "start", noted)
    return seen


def ended(one: subprocess.Popen[bytes]) -> bool:
    """Whether the process was waited for and its pipes are closed."""
    return one.returncode is not None and one.stdin.closed and one.stdout.closed


def test_what_names_stand_for(repo, run_git):
    """Ids, revisions and paths; where nothing is there the answers after it are still right."""
    made = commit(repo, a=b"1\n", b=b"")
    run_git(repo.root, "update-ref", "refs/heads/main", made)
    blob = object_id("blob", b"1\n", repo.algorithm)
    tree = run_git(repo.root, "rev-parse", "main^{tree}")
    asked = [blob, "main", f"{made}:no such file 12", "0" * len(made), f"{made}:b", "main^{tree}"]
    found = look_up(repo, asked)
    assert [one and (one.id, one.kind) for one in found] == [
        (blob, "blob"), (made, "commit"), None, None,
        (object_id("blob", b"", repo.algorithm), "blob"), (tree, "tree"),
    ]  # fmt: skip
    assert read_objects(repo, [blob, asked[2], f"{made}:b"]) == [b"1\n", None, b""]
    assert resolve(repo, "main") == resolve(repo, made[:9]) == made
    for revision in ("", "--all", f"main\n{made}", "nobody", f"{made}:a"):
        assert resolve(repo, revision) is None
    assert resolve(process.Repo(repo.root / "nowhere"), "main") is None


def test_one_process_of_each_kind(repo, started):
    """Within `lasting` all questions share it, and it ends with it; elsewhere each has its own."""
    made = commit(repo, a=b"1")
    read_objects(repo, [made])
    read_objects(repo, [made])
    assert read_objects(repo, []) == []
    assert len(started) == 4
    assert all(map(ended, started))
    with pytest.raises(KeyError), lasting():
        for _ in range(3):
            read_objects(repo, [made])
            with lasting():
                assert resolve(process.Repo(repo.root), made) == made
        assert len(started) == 6
        assert not any(map(ended, started[4:]))
        raise KeyError
    assert all(map(ended, started))
    assert not [one for one in threading.enumerate() if isinstance(one, threading.Timer)]


def test_processes_end_for_a_rest(repo, started):
    """During it no process has a file open; the next question starts another process."""
    made = commit(repo, a=b"1")
    objects.rest()
    with lasting():
        read_objects(repo, [made])
        objects.rest()
        assert all(map(ended, started))
        assert read_objects(repo, [f"{made}:a"]) == [b"1"]
    assert len(started) == 4


def test_what_is_written_meanwhile_is_found(repo, run_git):
    """Loose objects and packs that come, packs that git replaces, and refs that move."""
    with lasting():
        for number in range(4):
            data = f"{number}".encode()
            blob = object_id("blob", data, repo.algorithm)
            assert read_objects(repo, [blob]) == [None]
            made = commit(repo, a=data)
            run_git(repo.root, "update-ref", "refs/heads/main", made)
            if number % 2:
                run_git(repo.root, "gc", "-q", "--prune=now")
            assert read_objects(repo, [blob, "main:a"]) == [data, data]
            assert resolve(repo, "main") == made


def test_many_and_large_objects(repo):
    """More names than a pipe holds, and more bytes between them, come in their order."""
    files = {f"{number:03}": b"%d" % number * 200 for number in range(90)} | {"z": b"x" * 2**21}
    commit(repo, **files)
    names = [object_id("blob", data, repo.algorithm) for data in files.values()] * 40
    assert read_objects(repo, names) == [*files.values()] * 40
    assert read_small(repo, names, 400).keys() == {*names[:90]}


def test_a_process_that_is_killed(repo, started):
    """The question fails in one line; the next one starts another process."""
    made = commit(repo, a=b"1")
    with lasting():
        read_objects(repo, [made])
        started[0].kill()
        with pytest.raises(GitFailed, match="git cat-file: ended with code -9"):
            read_objects(repo, [made])
        assert ended(started[0])
        assert read_objects(repo, [f"{made}:a"]) == [b"1"]


def test_an_interrupted_question(repo, started, monkeypatch):
    """Its answers are not taken for those of the next one."""
    made = commit(repo, a=b"1", b=b"2")
    with lasting():
        with monkeypatch.context() as patch:
            patch.setattr(objects, "GitObject", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                read_objects(repo, [f"{made}:a", f"{made}:a"])
        assert ended(started[0])
        assert read_objects(repo, [f"{made}:b"]) == [b"2"]


def test_a_damaged_object_is_told(repo):
    """In git's own words, in one line."""
    data = hashlib.shake_256().digest(9000)
    made = commit(repo, a=data)
    blob = object_id("blob", data, repo.algorithm)
    path = repo.git_dir / "objects" / blob[:2] / blob[2:]
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:4500])
    with pytest.raises(GitFailed, match=f"git cat-file: .*{blob}") as told:
        read_objects(repo, [made, blob])
    assert "\n" not in told.value.message


def test_a_process_that_does_not_answer(repo, started, tmp_path, monkeypatch):
    """It is ended when its time is over."""
    silent = tmp_path / "bin" / "git"
    silent.parent.mkdir()
    silent.write_text("#!/bin/sh\nexec sleep 600\n")
    silent.chmod(0o755)
    monkeypatch.setattr(process, "LOCAL_SECONDS", 0.2)
    monkeypatch.setenv("PATH", str(silent.parent), prepend=":")
    with pytest.raises(GitFailed, match="git cat-file took too long"):
        read_objects(repo, ["main"])
    assert ended(started[0])


def test_a_process_that_has_lasted_long(repo, started, monkeypatch):
    """Another one is asked in its place, so that each question has its time."""
    made = commit(repo, a=b"1")
    now = [0.0]
    monkeypatch.setattr(objects, "time", SimpleNamespace(monotonic=lambda: now[0]))
    with lasting():
        for now[0] in (0, process.LOCAL_SECONDS * 0.4):
            read_objects(repo, [made])
        assert len(started) == 2
        now[0] = process.LOCAL_SECONDS * 0.6
        assert read_objects(repo, [f"{made}:a"]) == [b"1"]
        assert [ended(one) for one in started] == [True, True, False, False]
    assert all(map(ended, started))


def test_without_git(repo, tmp_path, monkeypatch):
    """The refusal is that of every other command."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitFailed, match="git is not installed"):
        read_objects(repo, ["main"])
