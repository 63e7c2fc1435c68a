"""Running git: nothing that a folder or an environment says is obeyed; what servers say is told."""

from __future__ import annotations

import os
import subprocess

import pytest
from click.testing import CliRunner
from git.conftest import git_command

from adjudicator.cli import cli
from adjudicator.git import process
from adjudicator.git.objects import Writer
from adjudicator.git.process import Repo
from orders.keys import MemoryKey

KEY = MemoryKey.from_seed(b"k" * 32)


TIME = "2026-01-01T00:00:00Z"


@pytest.mark.skipif(os.name == "nt", reason="files are shared in another way there")
def test_what_git_said_is_read_while_ssh_still_writes(tmp_path):
    """The place in the file is shared: reading must not bring a late line onto the first one."""
    with (tmp_path / "said").open("w+b", buffering=0) as said:
        first = b"fatal: couldn't find remote ref refs/heads/receipts\n"
        said.write(first + bytes(2**16))
        assert process.said_in(said).startswith(first)
        said.write(b"fatal: the remote end hung up unexpectedly\n")
        assert process.said_in(said).startswith(first)
        assert said.tell() == len(first) + 2**16 + 43


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


def test_a_file_of_grafts_changes_no_history(repo, run_git):
    """Whoever hands over a folder could give a commit other parents by it."""
    writer = Writer(repo, "host", KEY)
    first = writer.commit([], {"a": b"1"}, TIME, "x")
    other = writer.commit([], {"a": b"2"}, TIME, "y")
    writer.store()
    grafts = repo.git_dir / "info" / "grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{first} {other}\n")
    assert run_git(repo.root, "rev-list", first).split() == [first, other]
    assert repo.run("rev-list", first).split() == [first.encode()]


@pytest.fixture
def gift(finished_games, run_git, tmp_path):
    """A partial clone whose configuration names programs, with an object missing."""
    table = finished_games("sugar-dog")
    folder = tmp_path / "gift"
    run_git(tmp_path, "clone", "-q", "--no-local", str(table.bare), str(folder))
    marker = tmp_path / "PWNED"
    packs = folder / ".git" / "objects" / "pack"
    for pack in list(packs.glob("*.pack")):
        away = tmp_path / pack.name
        pack.replace(away)
        for other in packs.glob(f"{pack.stem}.*"):
            other.chmod(0o644)
            other.unlink()
        with away.open("rb") as data:
            subprocess.run(
                ["git", "-C", str(folder), "unpack-objects", "-q"], stdin=data, check=True
            )
    blob = run_git(folder, "rev-parse", "HEAD:entries/0001.toml")
    (folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for key, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": "ssh://x/y",
        "core.sshCommand": f"touch {marker}; false",
        "remote.origin.uploadpack": f"touch {marker}; git-upload-pack",
        "core.fsmonitor": f"touch {marker}",
        "core.hooksPath": str(tmp_path),
    }.items():
        run_git(folder, "config", key, value)
    return folder, marker, table


@pytest.mark.parametrize("url", ["ssh://x/y", "local"])
@pytest.mark.parametrize("command", ["verify", "log", "show"])
def test_a_folder_from_a_stranger_runs_nothing(gift, command, url, run_git):
    """No missing object is fetched, so no program that the configuration names is started."""
    folder, marker, table = gift
    run_git(folder, "config", "remote.origin.url", str(table.bare) if url == "local" else url)
    args = [command, str(folder)] + ([] if command == "verify" else ["--at", "HEAD"])
    result = CliRunner().invoke(cli, args)
    assert "Traceback" not in result.output
    assert not marker.exists()


def test_the_gift_would_run_something(gift):
    """The test above can fail: plain git fetches what is missing, and runs the program."""
    folder, marker, _ = gift
    subprocess.run(
        ["git", "-C", str(folder), "cat-file", "-p", "HEAD:entries/0001.toml"],
        capture_output=True,
        check=False,
    )
    assert marker.exists()


def test_a_remote_that_is_not_there(make_table):
    """git's own words in one line, and what to do in another."""
    table = make_table(started=False)
    Repo(table.record.root).run("remote", "set-url", "origin", "/nowhere/at/all")
    result = git_command("sync", "-g", str(table.record.root), code=1)
    assert result.stderr.startswith("error: git ls-remote: ")
    assert result.stderr.splitlines()[1].startswith("hint: check the address")
    assert len(result.stderr.splitlines()) == 2


GITHUB = """\
remote: error: GH006: Protected branch update failed for refs/heads/main.
remote: error: Cannot update this protected ref.
To github.com:carl/friday.git
 ! [remote rejected] main -> main (protected branch hook declined)
error: failed to push some refs to 'github.com:carl/friday.git'
"""


GITLAB = """\
remote: GitLab: You are not allowed to push code to protected branches on this project.
To gitlab.com:carl/friday.git
 ! [remote rejected] main -> main (pre-receive hook declined)
error: failed to push some refs to 'gitlab.com:carl/friday.git'
"""


NOT_BARE = """\
remote: error: refusing to update checked out branch: refs/heads/main
 ! [remote rejected] main -> main (branch is currently checked out)
error: failed to push some refs to '/srv/friday'
"""


FORBIDDEN = """\
fatal: unable to access 'https://alice:pw@example.org/x.git/': The requested URL returned error: 403
"""


@pytest.mark.parametrize(
    ("stderr", "told", "hint"),
    [
        (GITHUB, "remote: error: GH006: Protected branch update failed", "--fork URL"),
        (GITLAB, "You are not allowed to push code to protected branches", "--fork URL"),
        (NOT_BARE, "refusing to update checked out branch", "git init --bare"),
        (FORBIDDEN, "https://example.org/x.git/': The requested URL returned error: 403", "--fork"),
        ("fatal: Authentication failed for 'https://h/'\n", "Authentication", "credential"),
        ("ERROR: Repository not found.\nfatal: Could not read from remote repository.\n",
         "Repository not found", "check the address"),
        ("fatal: unable to access 'https://h/': Could not resolve host: h\n", "resolve", "again"),
        ("remote: fatal: unpack-objects abnormal exit\nerror: remote unpack failed: unpack-objects "
         "abnormal exit\n", "abnormal exit", "the server is full"),
    ],
)  # fmt: skip
def test_what_servers_say_and_what_to_do(stderr, told, hint):
    """By the words that servers use; those of sites are from their documentation."""
    error = process.failed(["push"], 1, stderr.encode(), network=True)
    assert told in error.message
    assert hint in error.hint
    assert "pw" not in error.message
