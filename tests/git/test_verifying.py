"""A verifier's side: clones, addresses, commits tied to the chain, any revision, bisecting."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli
from adjudicator.git.process import Repo
from adjudicator.git.ties import tie
from orders import sshsig


@pytest.fixture
def finished(finished_games):
    """A whole game of Sugar Dog."""
    return finished_games("sugar-dog")


def run(*args: str):
    return CliRunner().invoke(cli, list(args))


def claims(result) -> dict[str, dict[str, str]]:
    found = json.loads(result.stdout)
    return {claim["name"]: claim for claim in found["claims"]}


@pytest.fixture
def clone(finished, tmp_path, run_git):
    """A stranger's plain clone."""
    folder = tmp_path / "clone"
    run_git(tmp_path, "clone", "-q", str(finished.bare), str(folder))
    return folder


def test_clone_then_verify(finished, clone, monkeypatch):
    """`git clone`, then `adjudicator verify .`, or no folder named: true, and commits tied."""
    monkeypatch.chdir(clone)
    for args in (["."], []):
        result = run("verify", "--json", *args)
        assert result.exit_code == 0
        commits = claims(result)["commits"]
        assert commits["status"] == "true"
        steps = finished.record.last_step()
        assert commits["text"].startswith(f"{steps + 1} entries in commits that the host signed")


@pytest.mark.parametrize("form", ["file://{}", "{}"])
def test_an_address_is_fetched_and_verified(finished, form, tmp_path):
    """`adjudicator verify URL` does both, and leaves nothing behind."""
    before = set(Path(os.environ.get("TMPDIR", "/tmp")).glob("adjudicator-*"))  # noqa: S108
    result = run("verify", "--json", form.format(finished.bare))
    assert result.exit_code == 0
    assert claims(result)["commits"]["status"] == "true"
    assert set(Path(os.environ.get("TMPDIR", "/tmp")).glob("adjudicator-*")) == before  # noqa: S108


@pytest.mark.parametrize(
    "url", ["file:///nowhere/at/all.git", "ext::sh -c true", "--upload-pack=x://y", "http://[", ""]
)
def test_an_address_that_is_none_is_unusable(url):
    """One line, exit code 2, nothing run."""
    result = run("verify", "--", url)
    assert result.exit_code == 2
    assert "unusable" in result.stdout
    assert "Traceback" not in result.output


def test_a_shallow_clone_is_verified(finished, tmp_path, run_git):
    """The record is whole in the last commit; what is cut off is said."""
    folder = tmp_path / "shallow"
    run_git(tmp_path, "clone", "-q", "--depth", "2", f"file://{finished.bare}", str(folder))
    result = run("verify", "--json", str(folder))
    assert result.exit_code == 0
    assert "the clone is shallow" in claims(result)["commits"]["text"]


def test_line_endings_of_windows_break_no_byte(finished, tmp_path, run_git):
    """core.autocrlf=true, which git for Windows sets: .gitattributes keeps every byte."""
    folder = tmp_path / "windows"
    run_git(
        tmp_path, "-c", "core.autocrlf=true", "-c", "core.eol=crlf", "clone", "-q",
        str(finished.bare), str(folder),
    )  # fmt: skip
    run_git(folder, "config", "core.autocrlf", "true")
    assert run("verify", str(folder)).exit_code == 0
    assert run_git(folder, "status", "--porcelain") == ""
    for path in (folder / "entries").iterdir():
        assert b"\r" not in path.read_bytes()


def test_without_the_attributes_line_endings_would_break(finished, tmp_path, run_git):
    """The test above can fail: it is .gitattributes that holds it."""
    folder = tmp_path / "bare-hands"
    run_git(tmp_path, "clone", "-q", str(finished.bare), str(folder))
    run_git(folder, "config", "core.autocrlf", "true")
    run_git(folder, "rm", "-q", ".gitattributes")
    for path in (folder / "entries").iterdir():
        path.unlink()
    run_git(folder, "checkout", "--", "entries")
    assert run("verify", str(folder)).exit_code == 1


def test_plain_git_checks_the_signatures(finished, run_git):
    """`git verify-commit` takes every commit of the game, under the keys of invite and joins."""
    root = finished.record.root
    from adjudicator.git import setup

    setup.allow_signers(Repo(root), finished.host.opening.offer, finished.host.ledger)
    commits = run_git(root, "rev-list", "--max-count=6", "main").split()
    commits += run_git(root, "rev-list", "--max-parents=0", "main").split()
    run_git(root, "verify-commit", *commits)


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


def test_the_log_tells_the_story(finished, run_git):
    """One commit for the invite, each join, each slip and each entry, in words."""
    log = run_git(finished.record.root, "log", "--format=%an: %s", "main").splitlines()
    steps = finished.record.last_step()
    slips = len(list((finished.record.root / "slips").glob("*.toml")))
    assert len(log) == 1 + len(finished.players) + slips + steps + 1
    assert log[-1] == "host: Invite to Sugar Dog (sugar-dog/1)"
    assert f"host: {steps:04d} Reveal" in log[0]
    assert "host: 0000 The game begins: alice, bob" in log
    assert "alice: 0001 alice: orders" in log
    assert all(len(line) < 90 for line in log)


def test_where_commits_differ_is_told(finished, clone, run_git):
    """A record stays true; what its commits do not bear out is named."""
    tree = run_git(clone, "rev-parse", "HEAD^{tree}")
    parent = run_git(clone, "rev-parse", "HEAD~1")
    squashed = run_git(clone, "commit-tree", tree, "-p", parent, "-m", "squashed")
    run_git(clone, "reset", "-q", "--hard", squashed)
    result = run("verify", "--json", str(clone))
    assert result.exit_code == 0
    commits = claims(result)["commits"]
    assert commits["status"] == "look"
    last = finished.record.last_step()
    assert f"entry {last}: commit {squashed[:12]} is not signed" in commits["text"]


def test_one_commit_for_all_is_told(finished, clone, run_git):
    """A history squashed to one commit ties nothing."""
    tree = run_git(clone, "rev-parse", "HEAD^{tree}")
    one = run_git(clone, "commit-tree", tree, "-m", "all")
    tied = tie(Repo(clone), one)
    assert tied.entries == 0
    assert any("brings more than one entry" in line for line in tied.differences)
    assert any("came in the commit of its entry" in line for line in tied.differences)


def test_a_folder_unlike_its_commit_is_told(clone):
    """A file that git does not have, or has otherwise."""
    (clone / ".gitattributes").unlink()
    result = run("verify", "--json", str(clone))
    text = ".gitattributes is in the last commit, not in the folder"
    assert text in claims(result)["commits"]["text"]


def test_two_signed_entries_in_the_history_are_a_fork(finished, clone, run_git):
    """A host that replaced an entry is found out by its own commits."""
    path = clone / "entries/0001.toml"
    whole, signature = path.read_bytes(), (clone / "entries/0001.toml.sig").read_bytes()
    other = whole.replace(b"missing = []", b'missing = ["bob"]')
    assert other != whole
    for data, signed in ((other, finished.key.sign(sshsig.ENTRY, other)), (whole, signature)):
        path.write_bytes(data)
        (clone / "entries/0001.toml.sig").write_bytes(signed)
        run_git(clone, "commit", "-qam", "again")
    result = run("verify", "--json", str(clone))
    assert result.exit_code == 1
    assert claims(result)["commits"]["text"].startswith("two entries entries/0001.toml")


def test_show_log_and_verify_at_a_commit(finished, clone, run_git):
    """`--at REV` shows the game as it stood then, checking nothing out."""
    commit = run_git(clone, "log", "--format=%H", "--grep=^0003 ", "--author=host")
    told = json.loads(run("log", str(clone), "--at", commit, "--json").stdout)
    assert [chapter["step"] for chapter in told] == [0, 1, 2, 3]
    seen = run("show", str(clone), "--at", commit, "--json")
    assert json.loads(seen.stdout)["step"] == 3
    own = run("show", str(clone), "--at", commit, "--seat", str(finished.seats["alice"].root))
    assert "As alice sees it:" in own.stdout
    assert "After entry 3:" in own.stdout
    result = run("verify", str(clone), "--at", commit)
    assert result.exit_code == 4
    assert "incomplete: entry 3 awaits" in result.stdout
    bad = run("show", str(clone), "--at", "nonsense")
    assert bad.exit_code == 1
    assert bad.stderr.startswith("error: git: 'nonsense' is no commit")


def test_a_link_in_a_commit_is_named(clone, run_git):
    """A tree is read without following anything."""
    (clone / "entries" / "0001.toml").unlink()
    (clone / "entries" / "0001.toml").symlink_to("0002.toml")
    run_git(clone, "commit", "-qam", "link")
    result = run("verify", str(clone), "--at", "HEAD")
    assert result.exit_code == 1
    assert "no regular file" in result.stdout


def test_bisect_finds_the_first_bad_commit(finished, tmp_path, run_git):
    """`git bisect run adjudicator verify`, as one types it, though most commits are incomplete."""
    folder = tmp_path / "bisected"
    run_git(tmp_path, "clone", "-q", str(finished.bare), str(folder))
    run_git(folder, "checkout", "-q", "--detach", "HEAD~4")
    path = folder / "slips/0001-bob.toml"
    path.write_bytes(path.read_bytes().replace(b"revision = 1", b"revision = 2"))
    run_git(folder, "commit", "-qam", "bad")
    bad = run_git(folder, "rev-parse", "HEAD")
    for number in range(3):
        run_git(folder, "commit", "-q", "--allow-empty", "-m", f"later {number}")
    root = run_git(folder, "rev-list", "--max-parents=0", "HEAD")
    run_git(folder, "bisect", "start", "HEAD", root)
    program = f"{sys.executable} -m adjudicator verify"
    told = run_git(folder, "bisect", "run", "sh", "-c", program)
    assert f"{bad} is the first bad commit" in told


def test_diffs_are_readable_and_open_ones_own_reports(finished, run_git):
    """`git log -p --first-parent` in a player's clone tells the story, boards included."""
    root = finished.records["alice"].root
    commit = run_git(root, "log", "--format=%H", "--grep=^0002 ", "--author=host")
    told = run_git(root, "show", "--first-parent", commit)
    assert "+entry 2, " in told
    assert "+report of alice, entry 2" in told
    assert "+  +---+---+" in told
    assert "+report of bob, entry 2, sealed: " in told
    assert "+signature by the host (SHA256:" in told
    first = run_git(root, "log", "--format=%H", "--grep=^0001 alice", "--author=alice")
    shown = run_git(root, "show", first)
    assert "+your orders, step 1, revision 1:" in shown
    assert "+slip of alice for step 1, revision 1" in shown
    other = run_git(root, "log", "--format=%H", "--grep=^0001 bob", "--author=bob")
    assert "+orders of bob, entry 1:" in run_git(root, "show", other)


def test_opened_reports_are_never_cached_in_the_repository(finished, run_git):
    """git could keep what textconv prints as notes, which could be pushed."""
    root = finished.records["alice"].root
    run_git(root, "log", "-p", "-2", "--first-parent")
    assert run_git(root, "for-each-ref", "refs/notes") == ""
    cached = ("config", "--local", "--get", "diff.adjudicator.cachetextconv")
    assert run_git(root, *cached, code=1) == ""
