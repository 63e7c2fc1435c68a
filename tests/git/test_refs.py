"""Branches: their names, a history that was rewritten, a clone that is shallow."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from git.conftest import check_all

from adjudicator.git import refs, submission
from adjudicator.git.host_sync import HostSync
from adjudicator.git.objects import Writer
from adjudicator.git.play_sync import PlaySync
from adjudicator.git.process import Repo
from adjudicator.player.table import Table
from adjudicator.store.record import Record
from orders.errors import Refused


def test_the_branch_names_are_the_documented_ones():
    """Names that players and CI write by hand."""
    assert (refs.MAIN, refs.RECEIPTS) == ("main", "receipts")
    assert submission.forked("alice") == "in.alice"
    for name in ("in.alice.join.0123456789abcdef", "in.a-b.0003-12.0123456789abcdef"):
        assert submission.read_branch(name).name == name


@pytest.mark.parametrize(
    "name",
    [
        "in.alice",
        "in.alice.join",
        "in.Alice.join.0123456789abcdef",
        "in.al.ice.join.0123456789abcdef",
        "in.alice.0003-0.0123456789abcdef",
        "in.alice.003-1.0123456789abcdef",
        "in.alice.0003-1.0123456789abcde",
        "in.alice.0003-1.0123456789ABCDEF",
        "in.alice.0003-1.0123456789abcdef/x",
    ],
)
def test_other_names_are_no_players_branches(name):
    """One letter more, less or of another case: the host never looks there."""
    assert submission.read_branch(name) is None


def test_a_host_folder_lies_beside():
    """Also a name that people write by hand."""
    assert Record(Path("/x/friday")).host == Path("/x/friday.host")


def test_a_rewritten_history_is_refused(ready, run_git):
    """A main of the host's that goes another way is named; nothing of it is taken."""
    old = ready.main()
    writer = Writer(Repo(ready.bare), "host", ready.key)
    writer.start(old)
    other = writer.commit([old], {}, ready.clock.now(), "Another history")
    writer.store()
    ready.sync_host()
    ready.sync("alice")
    good = ready.main()
    run_git(ready.bare, "update-ref", "refs/heads/main", other)
    for sync in (ready.sync_host, ready.play_sync("alice").sync):
        with pytest.raises(Refused) as error:
            sync()
        assert error.value.word == "rewritten"
        assert f"refs/heads/{refs.MAIN}" in error.value.hint
    assert ready.records["alice"].last_step() == 1
    run_git(
        ready.records["alice"].root,
        "push",
        "-q",
        "--force",
        "origin",
        f"{refs.SEEN}:refs/heads/main",
    )
    assert ready.main() == good
    check_all(ready)


def test_a_shallow_clone_is_deepened(ready, run_git, tmp_path):
    """A clone made with --depth becomes whole with the first sync."""
    ready.sync_host()
    folder = tmp_path / "shallow"
    run_git(tmp_path, "clone", "-q", "--depth", "1", f"file://{ready.bare}", str(folder))
    taken = PlaySync(Table(Record(folder), None, ready.clock)).sync()
    assert taken.warnings == []
    assert run_git(folder, "rev-parse", "--is-shallow-repository") == "false"


def test_a_shallow_clone_of_the_hosts_is_deepened(ready, run_git, tmp_path):
    """The host's too, though nothing at the remote is new to it."""
    ready.sync_host()
    folder = tmp_path / "friday"
    run_git(tmp_path, "clone", "-q", "--depth", "1", f"file://{ready.bare}", str(folder))
    run_git(
        folder, "fetch", "-q", "--depth", "1", "origin", "+receipts:refs/remotes/origin/receipts"
    )
    shutil.copytree(ready.record.host, tmp_path / "friday.host")
    HostSync(Record(folder), ready.key, ready.clock).sync()
    assert run_git(folder, "rev-parse", "--is-shallow-repository") == "false"
