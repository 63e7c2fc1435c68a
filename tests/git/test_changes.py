"""The one judgement of host and guard on what a player's commit may change."""

from __future__ import annotations

import random

import pytest

from adjudicator.git import changes, guard, refs
from adjudicator.git.guard import Move
from adjudicator.git.process import Repo
from adjudicator.git.reading import resolve
from adjudicator.git.writing import Writer
from orders import names

KINDS = (
    "good", "past", "future", "old base", "two", "empty", "entry", "beside", "junk", "big",
    "sealed", "other", "unsigned", "author", "story",
)  # fmt: skip


def kinds(table, name: str, rng: random.Random):
    """One commit of a player's, honest or not: files, message, author, signer, parents."""
    order = table.seats[name].orders()[-1]
    step = table.record.last_step() + 1
    files = dict(order.files())
    main = table.main()
    message, author, key, parents = f"{step:04d} {name}: orders", name, table.keys[name], [main]
    kind = rng.choice(KINDS)
    if kind in ("past", "future"):
        number = step - 1 if kind == "past" else step + 1
        files = {path.replace(f"{step:04d}", f"{number:04d}"): data for path, data in files.items()}
    elif kind == "junk":
        files["junk.bin"] = b"x"
    elif kind == "big":
        files[names.sealed_order(step, name)] = b"x" * 50_000
    elif kind == "unsigned":
        key = table.keys["bob" if name == "alice" else "alice"]
    elif kind == "other":
        files = {path.replace(name, "zoe"): data for path, data in files.items()}
    elif kind == "author":
        author = "host"
    elif kind == "story":
        message = "0002 The game is over: alice wins"
    elif kind == "empty":
        files = {}
    elif kind == "sealed":
        files = {names.sealed_order(step, name): b"x"}
    elif kind == "old base":
        parents = [Repo(table.bare).text("rev-parse", f"{main}~1")]
    elif kind == "entry":
        files[names.entry(step)] = b"x"
    elif kind == "beside":
        files["README.md"] = b"x"
    elif kind == "two":
        files[names.slip(step - 1, "alice")] = b"x"
    return kind, files, message, author, key, parents


@pytest.fixture(scope="module")
def played(begun, tmp_path_factory):
    """A game whose players have started. Not to be changed."""
    table = begun.copy(tmp_path_factory.mktemp("played") / "t")
    table.play_bots(1)
    return table


@pytest.mark.parametrize("seed", range(3))
def test_what_the_guard_lets_in_never_stops_the_host(played, tmp_path, monkeypatch, seed):
    """Random mischief upon a player's branch; each push of the host's is judged as a server would.

    Whatever is refused, the order itself counts; whatever is let in, the host's push passes.
    """
    table = played.copy(tmp_path / "table")
    rng = random.Random(seed)  # noqa: S311 - it chooses mischief
    push = refs.push
    repo = Repo(table.bare)

    def judged(here, updates, remote="origin"):
        Repo(here.root).run("push", "-q", str(table.bare), *(
            f"+{one.new}:refs/quarantine/{number}" for number, one in enumerate(updates)
        ), network=True)  # fmt: skip
        rows = [Move(refs.full(one.branch), one.old, one.new) for one in updates]
        assert guard.check(repo, rows) == []
        push(here, updates, remote)

    monkeypatch.setattr("adjudicator.git.refs.push", judged)
    seen = []
    for _ in range(4):
        (awaited,) = table.awaited()
        table.order(awaited, "silent")
        for _ in range(3):
            kind, files, message, author, key, parents = kinds(table, awaited, rng)
            branch = refs.full(refs.player_branch(awaited))
            old = resolve(repo, branch)
            if old is not None and not repo.is_ancestor(old, parents[0]):
                parents = [*parents, old]
            writer = Writer(repo, author, key)
            writer.start(parents[0])
            new = writer.commit(parents, files, table.clock.now(), message)
            writer.store()
            faults = guard.check(repo, [Move(branch, old, new)])
            seen.append((kind, not faults))
            if not faults:
                repo.run("update-ref", branch, new)
        table.sync(awaited)
        assert table.sync_host().steps
        for name in table.awaited():
            table.sync(name)
    assert not any(passed for kind, passed in seen if kind in ("past", "junk", "author", "story"))
    assert any(not passed for _, passed in seen)


def test_what_a_commit_changes(tmp_path, run_git):
    """By path: added, changed, removed; names that are no text are told escaped."""
    run_git(tmp_path, "init", "-q", "-b", "main", ".")
    repo = Repo(tmp_path)
    ends = []
    for files in ({"a": "1", "b": "1"}, {"a": "2", "c\udcff\n": "1"}):
        run_git(tmp_path, "rm", "-rqf", "--ignore-unmatch", ".")
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        run_git(tmp_path, "add", "-A")
        run_git(tmp_path, "commit", "-q", "--no-gpg-sign", "-m", "x")
        ends.append(run_git(tmp_path, "rev-parse", "HEAD"))
    first, second = ends
    added = changes.between(repo, None, first)
    assert {path: one.status for path, one in added.items()} == {"a": "A", "b": "A"}
    found = changes.between(repo, first, second)
    assert {one.shown: one.status for one in found.values()} == {
        "a": "M", "b": "D", "c\\udcff\\n": "A",
    }  # fmt: skip
    assert changes.between(repo, second, second) == {}
    (step,) = changes.steps(repo, repo.walk("--no-walk", second))
    assert step.parents == (first,)
    assert {change.path for change in step.own} == set(found)


def test_a_merge_is_charged_with_what_no_parent_has(tmp_path, run_git):
    """What it takes from either side is that side's doing."""
    run_git(tmp_path, "init", "-q", "-b", "main", ".")
    (tmp_path / "base").write_text("x")
    run_git(tmp_path, "add", "-A")
    run_git(tmp_path, "commit", "-q", "--no-gpg-sign", "-m", "x")
    for branch in ("one", "two"):
        run_git(tmp_path, "checkout", "-q", "-b", branch, "main")
        (tmp_path / branch).write_text(branch)
        run_git(tmp_path, "add", "-A")
        run_git(tmp_path, "commit", "-q", "--no-gpg-sign", "-m", branch)
    run_git(tmp_path, "merge", "-q", "--no-commit", "--no-gpg-sign", "one")
    (tmp_path / "own").write_text("x")
    run_git(tmp_path, "add", "-A")
    run_git(tmp_path, "commit", "-q", "--no-gpg-sign", "-m", "merge")
    made = Repo(tmp_path)
    (step,) = changes.steps(made, made.walk("--no-walk", "HEAD"))
    assert [change.path for change in step.own] == ["own"]
    assert len(step.parents) == 2
