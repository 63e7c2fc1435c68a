"""Where commits tell another story than the record, that is told."""

from __future__ import annotations

from git.conftest import claims, run
from git_table import tie

from adjudicator.git.process import Repo
from orders import sshsig


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
