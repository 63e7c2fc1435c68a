"""A verifier's side: clones, addresses, commits tied to the chain, any revision."""

from __future__ import annotations

import shutil
import tempfile

import pytest
from git.conftest import claims, run

from adjudicator.git import verifying
from adjudicator.git.objects import Writer
from adjudicator.git.process import Repo
from orders import sshsig


def test_clone_then_verify(finished, clone, monkeypatch):
    """`git clone`, then `adjudicator verify .`, or no folder named: true, and commits looked at."""
    monkeypatch.chdir(clone)
    for args in (["."], []):
        result = run("verify", "--json", *args)
        assert result.exit_code == 0
        commits = claims(result)["commits"]
        assert commits["status"] == "true"
        steps = finished.record.last_step()
        assert commits["text"].startswith(f"{steps + 2}, in which no entry has two forms")


@pytest.mark.parametrize("form", ["file://{}", "{}"])
def test_an_address_is_fetched_and_verified(finished, form, tmp_path, monkeypatch):
    """`adjudicator verify URL` does both, and leaves nothing behind; a folder is read in place."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    made = []
    fetched = tempfile.mkdtemp
    monkeypatch.setattr(tempfile, "mkdtemp", lambda *args: made.append(args) or fetched(*args))
    result = run("verify", "--json", form.format(finished.bare))
    assert result.exit_code == 0
    assert claims(result)["commits"]["status"] == "true"
    assert bool(made) == form.startswith("file:")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "url", ["file:///nowhere/at/all.git", "ext::sh -c true", "--upload-pack=x://y", "http://[", ""]
)
def test_an_address_that_is_none_is_unusable(url):
    """One line, exit code 2, nothing run."""
    result = run("verify", "--", url)
    assert result.exit_code == 2
    assert "NOT JUDGED: " in result.stdout
    assert "Traceback" not in result.output


def test_a_shallow_clone_is_verified(finished, tmp_path, run_git):
    """The record is whole in the last commit."""
    folder = tmp_path / "shallow"
    run_git(tmp_path, "clone", "-q", "--depth", "2", f"file://{finished.bare}", str(folder))
    result = run("verify", "--json", str(folder))
    assert result.exit_code == 0
    assert claims(result)["commits"]["text"].startswith("2, ")


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


def again(clone, run_git, data: bytes, signature: bytes) -> None:
    """A commit with other bytes of entry 1, and one that puts back what was there."""
    path = clone / "entries/0001.toml"
    whole = (path.read_bytes(), path.with_name("0001.toml.sig").read_bytes())
    for one, signed in ((data, signature), whole):
        path.write_bytes(one)
        path.with_name("0001.toml.sig").write_bytes(signed)
        run_git(clone, "commit", "-qam", "again")


def test_two_signed_entries_in_the_history_are_a_fork(finished, clone, run_git):
    """A host that replaced an entry is found out by its own commits."""
    data = (clone / "entries/0001.toml").read_bytes()
    other = data.replace(b"missing = []", b'missing = ["bob"]')
    assert other != data
    again(clone, run_git, other, finished.key.sign(sshsig.ENTRY, other))
    result = run("verify", "--json", str(clone))
    assert result.exit_code == 1
    assert claims(result)["commits"]["status"] == "false"


def test_nobody_else_makes_a_fork(finished, clone, run_git):
    """Entries that others signed, or nobody; a history in one commit that nobody signed."""
    data = (clone / "entries/0001.toml").read_bytes()
    other = data.replace(b"missing = []", b'missing = ["bob"]')
    again(clone, run_git, other, finished.keys["bob"].sign(sshsig.ENTRY, other))
    again(clone, run_git, other, (clone / "entries/0001.toml.sig").read_bytes())
    again(clone, run_git, b"", b"")
    squashed = run_git(clone, "commit-tree", "HEAD^{tree}", "-m", "all")
    for end in ("HEAD", squashed):
        run_git(clone, "reset", "-q", "--hard", end)
        result = run("verify", "--json", str(clone))
        assert result.exit_code == 0
        assert claims(result)["commits"]["status"] == "true"


def test_entries_of_another_game_are_no_fork(finished, make_table, clone, run_git):
    """One host, one repository, two games after each other: each entry is of its own game."""
    other = make_table(first="bob")
    data = other.record.read("entries/0000.toml")
    assert other.key.public == finished.key.public
    for step in (0, 1):
        path = clone / f"entries/{step:04d}.toml"
        good = path.read_bytes(), path.with_name(f"{path.name}.sig").read_bytes()
        for file in ((data, finished.key.sign(sshsig.ENTRY, data)), good):
            path.write_bytes(file[0])
            path.with_name(f"{path.name}.sig").write_bytes(file[1])
            run_git(clone, "commit", "-qam", "another game")
    result = run("verify", "--json", str(clone))
    assert result.exit_code == 0
    assert claims(result)["commits"]["status"] == "true"


@pytest.mark.parametrize(
    ("limit", "words"),
    [("MOST_COMMITS", "there are more than 2: not looked at"), ("LARGEST", "a folder of entries")],
)
def test_more_than_is_looked_at(clone, monkeypatch, limit, words):
    """Then nothing is claimed of commits, and the record is judged all the same."""
    monkeypatch.setattr(verifying, limit, 2)
    result = run("verify", "--json", str(clone))
    assert result.exit_code == 0
    assert claims(result)["commits"]["status"] == "unknown"
    assert words in claims(result)["commits"]["text"]


@pytest.mark.parametrize("path", ["slips/0001-bob.toml", "entries/0000.toml"])
def test_what_others_changed_on_main_is_not_the_hosts(finished, clone, run_git, path):
    """The record in that commit is false; who looks is told which commit is the host's last, and
    there it is true. Of what the host itself signed nothing of the kind is said."""
    good = run_git(clone, "rev-parse", "HEAD")
    (clone / path).write_bytes((clone / path).read_bytes() + b"x = 1\n")
    run_git(clone, "commit", "-qam", "tidy up")
    result = run("verify", str(clone))
    assert result.exit_code == 1
    told = " ".join(result.stdout.split())
    assert f"the last commits are not the host's: --at {good[:12]} judges the record" in told
    assert run("verify", str(clone), "--at", good[:12]).exit_code == 0
    writer = Writer(Repo(clone), "host", finished.key)
    writer.start(good)
    made = writer.commit([good], {path: b"x"}, finished.clock.now(), "mine")
    writer.store()
    result = run("verify", str(clone), "--at", made)
    assert result.exit_code == 1
    assert "not the host's" not in " ".join(result.stdout.split())


def test_a_clone_without_a_commit(finished, tmp_path, run_git):
    """Nothing is claimed of commits, and the folder is judged."""
    folder = tmp_path / "copy"
    shutil.copytree(finished.record.root, folder, ignore=shutil.ignore_patterns(".git"))
    run_git(folder, "init", "-q")
    result = run("verify", "--json", str(folder))
    assert result.exit_code == 0
    assert "commits" not in claims(result)
