"""What people do with plain git in a clone, and on a site's pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from git.conftest import handed_in
from git_table import Table, git

from adjudicator.cli import cli
from adjudicator.core import bundles
from orders.bundle import encode
from orders.errors import Refused


def all_order(table: Table) -> None:
    """Everybody's first orders, pushed."""
    for name, line in (("alice", "start C4"), ("bob", "start F1")):
        table.order(name, line)
        table.sync(name)


def test_a_plain_pull_brings_the_record(make_table):
    """Before there are boxes, and after; the next sync goes on from there."""
    table = make_table(started=False)
    table.join()
    root = table.records["alice"].root
    git(root, "pull", "-q")
    table.start()
    all_order(table)
    assert table.sync_host().steps == [1]
    git(root, "pull", "-q")
    assert git(root, "rev-parse", "HEAD") == table.main()
    table.sync("alice")
    assert table.statuses("alice") == ["accepted"]
    assert git(root, "status", "--porcelain") == ""
    table.order("alice", "silent")
    table.sync("alice")
    assert table.sync_host().steps == [2]


def test_what_the_host_commits_by_hand_is_published(make_table):
    """An edit beside the record that the host has committed, or pushed too, stays."""
    table = make_table()
    root = table.record.root
    page = root / "README.md"

    def published() -> str:
        table.sync_host()
        assert git(root, "status", "--porcelain") == ""
        assert git(root, "rev-parse", "HEAD") == table.main()
        there = git(table.bare, "ls-tree", "--name-only", "main").splitlines()
        return git(table.bare, "show", "main:README.md") if "README.md" in there else ""

    page.write_text("Welcome.\n")
    git(root, "add", "README.md")
    git(root, "commit", "-q", "-m", "A page of ours")
    assert published() == "Welcome."
    page.write_text("Welcome, all.\n")
    git(root, "commit", "-q", "-a", "-m", "A better one")
    assert published() == "Welcome, all."
    page.write_text("Welcome, you all.\n")
    git(root, "commit", "-q", "-a", "-m", "The best")
    git(root, "push", "-q", "origin", "main")
    assert published() == page.read_text().strip() == "Welcome, you all."
    git(root, "rm", "-q", "README.md")
    git(root, "commit", "-q", "-m", "None")
    assert published() == ""


def test_a_start_without_names_seats_all_who_joined(make_table):
    """In the order of their names; nobody, or two keys for a name, is refused in words."""
    table = make_table(started=False)
    with pytest.raises(Refused, match="for 2 to 26 players, not 0"):
        table.host_sync().start([])
    table.join()
    assert table.host_sync().start([]).steps == [0]
    assert table.host.opening.players == ("alice", "bob")


# What people do on a site's pages.


def upload(table: Table, name: str, number: int, folder: Path) -> str:
    """Somebody puts the block up as a file in their fork, on a branch that the site makes, and
    opens a request; the ref that shows it."""
    order = table.seats[name].orders()[-1]
    step, revision = order.place
    path = f"friday-{name}-{step:04d}-{revision}.txt"
    git(folder, "clone", "-q", "-b", "main", str(table.bare), f"web-{number}")
    clone = folder / f"web-{number}"
    (clone / path).write_bytes(encode(bundles.pack("order", order.files())))
    git(clone, "checkout", "-q", "-b", "patch-1")
    git(clone, "add", path)
    git(clone, "commit", "-q", "-m", f"Add files via upload\n\n{path}")
    ref = f"refs/pull/{number}/head"
    git(table.bare, "fetch", "-q", str(clone), f"refs/heads/patch-1:{ref}")
    return ref


def test_a_person_without_git_uploads_the_block(make_table, tmp_path):
    """Each turn in a request of its own; with a licence on main, which somebody made there."""
    table = make_table()
    clone = tmp_path / "page"
    git(tmp_path, "clone", "-q", str(table.bare), str(clone))
    (clone / "LICENSE.txt").write_text("Free.\n")
    git(clone, "add", "LICENSE.txt")
    git(clone, "commit", "-q", "-m", "Create LICENSE.txt")
    git(clone, "push", "-q", "origin", "main")
    table.order("alice", "start C4")
    upload(table, "alice", 1, tmp_path)
    table.order("bob", "start F1")
    table.play_sync("bob").sync()
    synced = table.sync_host()
    assert synced.steps == [1]
    assert any("commits that you did not sign (1, " in line for line in synced.lines)
    for name in table.players:
        assert table.play_sync(name).sync().warnings == []
        assert table.statuses(name) == ["accepted"]
    table.order("alice", "silent")
    upload(table, "alice", 2, tmp_path)
    assert table.sync_host().steps == [2]
    assert table.sync_host().lines == []


def test_a_block_that_is_merged_is_taken_away_again(make_table, tmp_path):
    """The host's next commit removes it; orders go on being read, and nothing is untrue."""
    table = make_table()
    all_order(table)
    (branch,) = (ref.removeprefix("refs/heads/") for ref in handed_in(table, "alice"))
    clone = tmp_path / "page"
    git(tmp_path, "clone", "-q", str(table.bare), str(clone))
    git(clone, "merge", "-q", "--no-ff", "--no-gpg-sign", "-m", "Merge", f"origin/{branch}")
    git(clone, "push", "-q", "origin", "main")
    assert table.sync_host().steps == [1]
    assert "to-host.txt" not in git(table.bare, "ls-tree", "--name-only", "main").splitlines()
    for name in table.players:
        table.sync(name)
    table.order("alice", "silent")
    table.sync("alice")
    assert table.sync_host().steps == [2]
    shown = CliRunner().invoke(cli, ["verify", str(table.bare)])
    assert shown.exit_code == 4, shown.output
