"""A record as a commit holds it, never checked out."""

from __future__ import annotations

import json
import subprocess

from git.conftest import run


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
