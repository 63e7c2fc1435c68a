"""`git bisect run adjudicator verify`: the real thing, and every end that is no verdict."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator import bisecting

FALLING = """\
#!{python}
import sys
from pathlib import Path
from adjudicator import __main__, cli

def fails(*given, **named):
    raise {error}

if Path("crash").exists():
    cli.Commands.get_command = fails
__main__.main()
"""
"""The command, which falls where a file `crash` lies."""


def falling(folder: Path, error: str = "ValueError('oh')") -> str:
    """That command as a program, which falls with that error."""
    path = folder / "adjudicator"
    path.write_text(FALLING.format(python=sys.executable, error=error))
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def bisected(finished, tmp_path, run_git):
    """A clone in which somebody has spoiled a slip: its folder, the good commit and the bad one."""
    folder = tmp_path / "bisected"
    run_git(tmp_path, "clone", "-q", str(finished.bare), str(folder))
    root = run_git(folder, "rev-list", "--max-parents=0", "HEAD")
    run_git(folder, "checkout", "-q", "--detach", "HEAD~4")

    def commit(path: str, data: bytes) -> str:
        (folder / path).write_bytes(data)
        run_git(folder, "add", "-A")
        run_git(folder, "commit", "-qm", path)
        return run_git(folder, "rev-parse", "HEAD")

    # Good, and cannot be judged: once for what lies there, once by a fault of the program.
    entry = folder / "entries/0001.toml"
    data = entry.read_bytes()
    entry.unlink()
    entry.symlink_to("0000.toml")
    commit("odd", b"")
    entry.unlink()
    commit("entries/0001.toml", data)
    commit("crash", b"")
    (folder / "crash").unlink()
    commit("page", b"")
    slip = (folder / "slips/0001-bob.toml").read_bytes()
    bad = commit("slips/0001-bob.toml", slip.replace(b"revision = 1", b"revision = 2"))
    for number in range(6):
        commit(f"later{number}", b"")
    commit("crash", b"")
    (folder / "crash").unlink()
    commit("last", b"")
    return folder, root, bad


def bisect(folder: Path, root: str, *command: str, env: dict[str, str] | None = None):
    """A whole bisection between that commit and the last one; what it did and said."""
    git = ["git", "-C", str(folder), "bisect"]
    subprocess.run([*git, "start", "HEAD", root], check=True, capture_output=True)
    run = [*git, "run", *command]
    return subprocess.run(run, capture_output=True, text=True, check=False, env=env)


def test_it_finds_the_first_bad_commit(bisected, tmp_path, run_git):
    """Though most commits are incomplete, and some cannot be judged."""
    folder, root, bad = bisected
    done = bisect(folder, root, falling(tmp_path), "verify")
    assert done.returncode == 0, done
    assert f"{bad} is the first bad commit" in done.stdout


def test_each_commit_is_taken_for_what_it_is(bisected, tmp_path, run_git, program):
    """Incomplete: good; false: bad; unusable, or a fault of the program: skipped."""
    folder, _, bad = bisected
    subprocess.run(["git", "-C", str(folder), "bisect", "start"], check=True, capture_output=True)
    call = [falling(tmp_path), "verify"]
    codes: dict[str, set[int]] = {}
    for line in run_git(folder, "log", "--format=%H %s", f"{bad}~5..{bad}").splitlines():
        commit, _, subject = line.partition(" ")
        run_git(folder, "checkout", "-q", commit)
        done = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=False)
        codes.setdefault(subject, set()).add(done.returncode)
    assert codes["odd"] == codes["crash"] == {125}
    assert codes["page"] == codes["entries/0001.toml"] == {0}
    assert codes["slips/0001-bob.toml"] == {1}
    # Elsewhere, and when told so, the codes are the usual ones.
    run_git(folder, "checkout", "-q", bad + "~1")
    for words, where, code in (
        (["verify"], folder, 0),
        (["verify", "--at", "HEAD"], folder, 0),
        (["verify", "--no-bisect"], folder, 4),
        (["verify", str(folder)], tmp_path, 4),
        (["verify", "--bisect", str(folder)], tmp_path, 0),
        (["verify", "--nonsense"], tmp_path, 2),
        (["verify", "--nonsense"], folder, 125),
        (["verify", "-g", "nowhere"], folder, 125),
        (["verify", "-g", "nowhere"], tmp_path, 2),
        (["log", "--nonsense"], folder, 2),
    ):
        done = subprocess.run(
            [str(program), *words], cwd=where, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, (words, done)


def test_a_wrong_call_blames_no_commit(bisected, program):
    """All commits are skipped."""
    folder, root, _ = bisected
    done = bisect(folder, root, str(program), "verify", "--nonsense")
    assert "first bad commit" not in done.stdout.replace("The first bad commit could be any", "")
    assert "We cannot bisect more" in done.stdout + done.stderr


def test_an_installation_that_is_not_whole_blames_no_commit(bisected, tmp_path):
    """It cannot be loaded, and knows all the same that git asks."""
    folder, root, _ = bisected
    (tmp_path / "click.py").write_text("raise ImportError('gone')\n")
    command = (sys.executable, "-m", "adjudicator", "verify")
    done = bisect(folder, root, *command, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert "We cannot bisect more" in done.stdout + done.stderr
    assert "this program is not whole" in done.stderr


def test_ctrl_c_ends_the_bisection(bisected, tmp_path, run_git):
    """130: git goes on with no other commit, and blames none."""
    folder, root, _ = bisected
    called = falling(tmp_path, "KeyboardInterrupt")
    run_git(folder, "bisect", "start", "HEAD", root)
    (folder / "crash").write_text("")
    done = subprocess.run(
        ["git", "-C", str(folder), "bisect", "run", called, "verify"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert "130" in done.stderr
    assert "first bad commit" not in done.stdout
    log = run_git(folder, "bisect", "log").splitlines()
    assert [line for line in log if line.startswith("git bisect ")] == log[-1:]


def test_another_working_tree_has_a_bisection_of_its_own(tmp_path, run_git, monkeypatch):
    """In every folder of it; what another one does is nothing to this one."""
    main, other = tmp_path / "main", tmp_path / "other"
    run_git(tmp_path, "init", "-q", str(main))
    run_git(main, "commit", "-q", "--allow-empty", "-m", "x")
    run_git(main, "worktree", "add", "-q", str(other))
    (other / "deep").mkdir()
    run_git(other, "bisect", "start")
    for folder, expected in ((main, False), (other, True), (other / "deep", True)):
        monkeypatch.chdir(folder)
        assert bisecting.is_under_way() == expected
    run_git(other, "bisect", "reset")
    assert not bisecting.is_under_way()
    (other / ".git").write_bytes(b"\xff")
    assert not bisecting.is_under_way()
