"""What a clone is set up with: plain git shows the host's signatures, the tool knows the seat."""

from __future__ import annotations

import os
import shutil

import pytest
from click.testing import CliRunner
from git.conftest import git_command, handed_in

from adjudicator.cli import cli
from adjudicator.git import process, worktree
from adjudicator.git.objects import Item, Writer
from adjudicator.git.process import Repo
from orders import names
from orders.errors import Refused
from orders.keys import load_signer, write_key


def test_playing_by_a_fork(make_table, run_git, tmp_path):
    """No right to push to the game's repository: slips go to the fork, turn after turn."""
    table = make_table()
    fork = tmp_path / "fork.git"
    run_git(tmp_path, "clone", "-q", "--bare", str(table.bare), str(fork))
    root = table.records["alice"].root
    run_git(root, "config", "remote.fork.url", str(fork))
    for line in ("start A1", "start B2", "start C4"):
        table.order("alice", line)
        assert "pushed: your orders" in table.sync("alice").lines[-1]
        # The site shows the fork's branch as the head of a pull request.
        run_git(table.bare, "fetch", "-q", str(fork), "+refs/heads/in.alice:refs/pull/1/head")
    assert handed_in(table, "alice") == []
    table.order("bob", "start F1")
    table.sync("bob")
    assert table.sync_host().steps == [1]
    table.sync("alice")
    assert table.statuses("alice") == ["accepted"]
    assert names.slip(1, "alice") in table.record.paths()


def test_play_and_sync_remember_the_seat(make_table, tmp_path, monkeypatch):
    """`git play` takes a seat and joins; later `git sync` needs no --seat."""
    table = make_table(started=False)
    monkeypatch.chdir(tmp_path)
    write_key(tmp_path / "me", "me")
    key = load_signer(tmp_path / "me", None).public.fingerprint
    bare = str(table.bare)
    told = git_command("join", bare, "--name", "carol", "--key", "me", "-o", "game").stdout
    assert "pushed: your join" in told
    assert "Back it up" in told
    assert git_command("sync", "-g", "game").stdout == ""
    assert "carol" in git_command("sync", "-g", str(table.record.root)).stdout
    # Within a second it is the very same commit.
    git_command("join", bare, "--name", "carol", "-o", "second")
    assert (
        f"joined so far: carol ({key})" in git_command("sync", "-g", str(table.record.root)).stdout
    )


def test_plain_git_checks_the_signatures(finished, run_git):
    """`git verify-commit` takes every commit of main, under the host's key in the invite."""
    root = finished.records["alice"].root
    worktree.allow_host(Repo(root), finished.host.opening.offer)
    commits = run_git(root, "rev-list", "--max-count=6", "main").split()
    commits += run_git(root, "rev-list", "--max-parents=0", "main").split()
    run_git(root, "verify-commit", *commits)


# A clone's folder: only plain bytes are written there.


def test_no_filter_runs_on_what_lies_beside(make_table, run_git, tmp_path):
    """Attributes on main name a filter that a player has, as git-lfs sets up: it stays idle."""
    table = make_table()
    folder, marker = table.record.root / ".github", tmp_path / "SMUDGED"
    folder.mkdir()
    (folder / ".gitattributes").write_text("*.md filter=lfs\n")
    (folder / "x.md").write_text("hello\n")
    table.sync_host()
    root = table.records["alice"].root
    for kind in ("smudge", "clean", "process"):
        run_git(root, "config", f"filter.lfs.{kind}", f"touch {marker}; cat")
    table.sync("alice")
    assert (root / ".github" / "x.md").read_text() == "hello\n"
    assert not marker.exists()


def test_a_link_beside_the_record_is_not_written(make_table, run_git):
    """Not even one that the host signed."""
    table = make_table()
    writer = Writer(Repo(table.bare), "host", table.key)
    writer.start(table.main())
    writer.put("README.md", b"/etc/passwd")
    root = writer._folder("")
    root.put("README.md", Item("120000", root.items["README.md"].id))
    made = writer.commit([table.main()], {}, table.clock.now(), "A link")
    writer.store()
    run_git(table.bare, "update-ref", "refs/heads/main", made)
    table.sync("alice")
    assert run_git(table.records["alice"].root, "rev-parse", "HEAD") == made
    assert not os.path.lexists(table.records["alice"].root / "README.md")


# Addresses that git may be given, and how they are told.


@pytest.mark.parametrize("url", ["", "-x", "--upload-pack=x", "ext::sh -c x", "a\nb", "fd::3"])
def test_addresses_that_git_must_not_be_given(url):
    """Options and helpers that run programs are no addresses."""
    with pytest.raises(Refused) as error:
        process.check_address(url)
    assert error.value.word == "bad-url"


@pytest.mark.parametrize(
    "url",
    ["git@example.org:friday.git", "ssh://[::1]/friday.git", "/srv/friday.git", "https://x/y"],
)
def test_addresses(url):
    """Those of ssh, of folders, and URLs."""
    assert process.check_address(url) == url


def test_no_address_that_is_told_holds_a_user_or_a_password(make_table, monkeypatch, tmp_path):
    """A password is refused at the door; users are left out of every line."""
    table = make_table(started=False)
    monkeypatch.chdir(tmp_path)
    record = str(table.record.root)
    shutil.rmtree(table.record.root / ".git")
    given = "http://carl:pw-carl@127.0.0.1:9/friday.git"
    result = CliRunner().invoke(cli, ["invite", "--git", given, "-g", record])
    assert result.exit_code == 1
    assert "holds a password" in result.output
    assert "credential" in result.output
    assert "pw-carl" not in result.output
    for url in ("http://carl@127.0.0.1:9/friday.git", "ssh://carl@127.0.0.1:9/friday.git"):
        result = CliRunner().invoke(cli, ["invite", "--git", url, "-g", record])
        assert result.exit_code == 1
        assert "carl" not in result.output
        shutil.rmtree(table.record.root / ".git")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("https://carl@example.org/x.git", "https://example.org/x.git"),
        ("https://carl:pw@example.org/x.git", "https://example.org/x.git"),
        ("ssh://carl@example.org:22/x.git", "ssh://example.org:22/x.git"),
        ("carl@example.org:x.git", "example.org:x.git"),
        ("git@example.org:x.git", "git@example.org:x.git"),
        ("fatal: unable to access 'https://u:p@h/x/'", "fatal: unable to access 'https://h/x/'"),
    ],
)
def test_addresses_as_they_are_told(given, told):
    """The sites' common account names nobody, and stays."""
    assert process.without_users(given) == told


@pytest.mark.parametrize(
    ("given", "shared"),
    [
        ("ssh://labgit@example.org:22/x.git", "ssh://labgit@example.org:22/x.git"),
        ("SSH://labgit@example.org/x.git", "SSH://labgit@example.org/x.git"),
        ("labgit@example.org:x.git", "labgit@example.org:x.git"),
        ("example.org:x.git", "example.org:x.git"),
        ("ssh://carl:pw@example.org/x.git", "ssh://example.org/x.git"),
        ("https://carl@example.org/x.git", "https://example.org/x.git"),
        ("friday.git", "friday.git"),
        ("/srv/friday.git", "/srv/friday.git"),
    ],
)
def test_the_line_for_the_players_works_for_them(given, shared):
    """The account of ssh is the server's, and no other gets in; a web site's user is a person."""
    assert process.to_share(given) == shared
