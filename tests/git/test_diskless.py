"""A host in CI, which keeps nothing between two runs but what it pushes: whole games, and the log,
which players read."""

from __future__ import annotations

import errno
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from git.conftest import STARTS

from adjudicator.cli import cli, main, repository
from adjudicator.core import deadlines, intake
from adjudicator.core.ledger import Ledger
from adjudicator.git import ci, inbox
from adjudicator.git.process import GitFailed, Repo
from adjudicator.player.seated import Seated
from adjudicator.store import files
from adjudicator.verifier.verify import Asked, verify
from orders.order_file import compose


class Runs:
    """One run after the other, each in a fresh clone of main, with the secrets from the store."""

    def __init__(self, table, monkeypatch, run_git) -> None:
        self.table = table
        self.run_git = run_git
        self.count = 0
        folder = table.record.host
        self.secrets = {
            ci.MASTER: (folder / "master").read_text(),
            ci.LETTERS: (folder / "letters").read_text(),
            ci.KEY: (table.folder / "host.key").read_text(),
        }
        # Where the host sat before is no more.
        shutil.rmtree(folder)
        shutil.rmtree(table.record.root)
        monkeypatch.setattr(repository, "SystemClock", lambda: table.clock)
        table.sync_host = self.sync_host
        table.awaited = self.awaited

    def run(self, code: int = 0):
        """What a run of `sync --late` printed; it ends with that code."""
        self.count += 1
        folder = self.clone()
        done = CliRunner().invoke(cli, ["sync", "-g", str(folder), "--late"])
        assert done.exit_code == code, done.output
        shutil.rmtree(f"{folder}.host")
        shutil.rmtree(folder)
        return done

    def clone(self) -> Path:
        """A fresh clone, with the host's folder beside it."""
        folder = self.table.folder / f"run{self.count}"
        self.run_git(self.table.folder, "init", "-q", str(folder))
        self.run_git(folder, "remote", "add", "origin", str(self.table.bare))
        self.run_git(folder, "fetch", "-q", "origin", "+refs/heads/main:refs/remotes/origin/main")
        self.run_git(folder, "checkout", "-q", "-B", "main", "origin/main")
        made = CliRunner().invoke(cli, ["git", "secrets", str(folder)], env=self.secrets)
        assert made.exit_code == 0, made.output
        return folder

    def sync_host(self) -> SimpleNamespace:
        """A run that tells the players nothing, in the place of a sync at the host's."""
        before = self.table.main()
        assert self.run().stderr == ""
        return SimpleNamespace(steps=before != self.table.main())

    def awaited(self) -> tuple[str, ...]:
        return tuple(self.ledger().last.clocks.awaited)

    def ledger(self) -> Ledger:
        return Ledger.read(self.table.records[self.table.players[0]])


@pytest.fixture
def runs(begun, tmp_path, monkeypatch, run_git):
    """A game that has begun, which CI hosts."""
    return Runs(begun.copy(tmp_path / "t"), monkeypatch, run_git)


def test_a_whole_game(runs):
    """Each step is a run of its own; the record is true, and every receipt came."""
    table = runs.table
    assert table.play_bots(4) == 4
    for name in table.awaited():
        table.order(name, "resign")
        table.sync(name)
    assert table.sync_host().steps
    for name in table.players:
        table.sync(name)
        assert verify(table.records[name], Asked(table.seats[name])).code == 0
        assert set(table.statuses(name)) == {"accepted"}
    assert runs.count == 5
    runs.run_git(table.bare, "fsck", "--strict")


def unread(monkeypatch, *refs: str) -> None:
    """The line breaks whenever one of these refs is fetched, and no other's."""

    def broken(repo, *args, **options):
        given = options.get("given", b"")
        if "fetch" in args and any(ref.encode() in given for ref in refs):
            raise GitFailed("git fetch: the line is down", "the line is down")
        return REAL_RUN(repo, *args, **options)

    monkeypatch.setattr(Repo, "run", broken)


REAL_RUN = Repo.run


def pass_deadline(table) -> None:
    """Whoever is awaited is overdue."""
    ledger = Ledger.read(table.records["alice"])
    until = max(one.until for one in ledger.last.clocks.awaited.values())
    table.clock.skip(deadlines.between(table.clock.last(), until) + 3600)


def push(runs, name: str, line: str) -> str:
    """Orders of a player's, pushed; the branch."""
    runs.table.order(name, line)
    runs.table.sync(name)
    return branches(runs, name)[-1]


def branches(runs, name: str = "") -> list[str]:
    """The branches of players, or of one."""
    asked = ("for-each-ref", "--sort=refname", "--format=%(refname)", f"refs/heads/in.{name}*")
    return runs.run_git(runs.table.bare, *asked).split()


def remove(runs, *refs: str) -> None:
    """Somebody who may remove branches does so."""
    for ref in refs:
        runs.run_git(runs.table.bare, "update-ref", "-d", ref)


def test_what_cannot_be_read_holds_the_clock(runs, monkeypatch):
    """The job is red, the others' orders are answered, and nobody is missing who may have sent
    theirs; once it can be read, the game goes on."""
    table = runs.table
    push(runs, "alice", STARTS["alice"])
    branch = push(runs, "bob", STARTS["bob"])
    pass_deadline(table)
    unread(monkeypatch, branch)
    for _ in range(2):
        done = runs.run(1)
        shown = branch.removeprefix("refs/heads/")
        assert done.stderr == (
            f"error: not read: {shown}: git fetch: the line is down. Nobody was called missing who "
            "may have sent it [unread]\n"
            "hint: sync again; if it stays so, ask them to send their orders another way\n"
        )
        table.sync("alice")
        assert runs.ledger().last.step == 0
        assert table.statuses("alice") == ["accepted"]
    unread(monkeypatch)
    assert runs.run().stderr == ""
    table.sync("bob")
    assert set(Ledger.read(table.records["bob"]).last.entry.slips) == {"alice", "bob"}
    assert table.statuses("bob") == ["accepted"]


@pytest.mark.parametrize("alice", ["is in", "is missing"])
def test_the_log_is_the_same_whatever_is_in(begun, tmp_path, monkeypatch, run_git, alice):
    """Bob's first orders are in the host's box, or never came; his second cannot be read. The log
    does not tell which."""
    told = []
    for known in (True, False):
        runs = Runs(begun.copy(tmp_path / f"{known}"), monkeypatch, run_git)
        first = push(runs, "bob", STARTS["bob"])
        if not known:
            remove(runs, first)
        assert runs.run().stderr == ""
        if alice == "is in":
            push(runs, "alice", STARTS["alice"])
        runs.table.order("bob", "start E1")
        runs.table.play_sync("bob").sync()
        second = branches(runs, "bob")[-1]
        assert first != second
        pass_deadline(runs.table)
        with monkeypatch.context() as broken:
            unread(broken, second)
            told.append(re.sub(r"\.[0-9a-f]{16}\b", ".ID", runs.run(1).stderr))
        runs.table.sync("alice")
        assert runs.ledger().last.step == int(known)
    assert len(set(told)) == 1
    assert "in.bob.0001-2.ID: git fetch: the line is down" in told[0]


@pytest.mark.parametrize("line", [STARTS["alice"], "start Z9", "not even orders"])
def test_the_log_does_not_tell_what_orders_are_worth(runs, line):
    """Accepted, illegal or malformed: the job is green, and says nothing."""
    table = runs.table
    seated = Seated(table.records["alice"], table.seats["alice"])
    seated.order(compose(line), table.keys["alice"], table.clock.now())
    table.sync("alice")
    assert runs.run().stderr == ""
    table.play_sync("alice").sync()
    assert table.statuses("alice") == [
        {STARTS["alice"]: "accepted", "start Z9": "illegal"}.get(line, "malformed")
    ]


@pytest.mark.parametrize("fault", ["a fault of the program", "a full disk"])
def test_an_accident_tells_nothing_hidden(runs, monkeypatch, capsys, fault):
    """Neither what the orders say, nor that they are in: a fault may quote anything, and files in
    the host's folder are called after players."""
    push(runs, "alice", STARTS["alice"])
    place = runs.clone()
    monkeypatch.setenv("CI", "true")

    def thrown(*given):
        raise RuntimeError(f"not so: {STARTS['alice']}")

    def full(root, parts, *mode):
        for path in (path for part in parts for path in part):
            if path.startswith("inbox/"):
                raise OSError(errno.ENOSPC, "No space left on device", f"{root}/{path}")
        add(root, parts, *mode)

    add = files.add
    if fault == "a full disk":
        monkeypatch.setattr(files, "add", full)
    else:
        monkeypatch.setattr(intake, "judge", thrown)
    with pytest.raises(SystemExit) as ended:
        main(["sync", "-g", str(place), "--late"])
    assert ended.value.code == (1 if fault == "a full disk" else 70)
    told = capsys.readouterr().err
    assert "alice" not in told
    assert "C4" not in told
    shown = "No space left on device" if fault == "a full disk" else "RuntimeError (git/"
    assert shown in told


def request(runs, number: int, commit: str) -> None:
    """Somebody opens a request, or changes it."""
    ref = f"refs/pull/{number}/head"
    runs.run_git(runs.table.bare, "update-ref", ref, commit)


def by_request(runs, number: int, name: str, line: str) -> None:
    """Orders of a player's, brought by a request alone."""
    branch = push(runs, name, line)
    request(runs, number, runs.run_git(runs.table.bare, "rev-parse", branch))
    remove(runs, branch)


def rubbish(runs) -> str:
    """A commit at the server with nothing for the host in it."""
    tree = runs.run_git(runs.table.bare, "mktree", given="")
    return runs.run_git(runs.table.bare, "commit-tree", tree, "-m", "x")


def test_old_requests_stop_no_clock(runs, monkeypatch):
    """Of requests that cannot be read only new ones can be anybody's, and those that once brought
    orders of a player who is waited for; the host's box remembers which these are."""
    table = runs.table
    request(runs, 1, rubbish(runs))
    by_request(runs, 2, "bob", STARTS["bob"])
    push(runs, "alice", STARTS["alice"])
    assert runs.run().stderr == ""
    table.sync("alice")
    assert runs.awaited() == ("alice",)
    pass_deadline(table)
    # Alice never sent a request.
    unread(monkeypatch, "refs/pull/1/", "refs/pull/2/")
    assert runs.run().stderr == ""
    table.sync("alice")
    assert runs.ledger().last.entry.missing == ("alice",)
    assert runs.awaited() == ("bob",)
    pass_deadline(table)
    done = runs.run(1)
    assert "error: not read: pull/2/head: git fetch: the line is down. " in done.stderr
    assert "pull/1" not in done.stderr
    # Nor does one that is gone, or one that somebody opens with rubbish.
    unread(monkeypatch, "refs/pull/1/")
    request(runs, 3, rubbish(runs))
    assert runs.run().stderr == ""
    table.sync("alice")
    assert runs.ledger().last.entry.missing == ("bob",)
    assert runs.awaited() == ("alice",)
    pass_deadline(table)
    # A new one may be anybody's.
    request(runs, 4, rubbish(runs))
    unread(monkeypatch, "refs/pull/4/")
    assert "error: not read: pull/4/head: " in runs.run(1).stderr
    unread(monkeypatch)
    assert runs.run().stderr == ""


def test_a_flood_of_requests_makes_nobody_late(make_table, tmp_path, monkeypatch, run_git):
    """Who joined by a request is looked at before all newer ones, and waited for while that cannot
    be read."""
    table = make_table(started=False)
    table.join()
    runs = SimpleNamespace(table=table, run_git=run_git)
    (join,) = branches(runs, "bob")
    request(runs, 5, run_git(table.bare, "rev-parse", join))
    remove(runs, join)
    table.start()
    runs = Runs(table, monkeypatch, run_git)
    push(runs, "alice", STARTS["alice"])
    by_request(runs, 5, "bob", STARTS["bob"])
    pass_deadline(table)
    with monkeypatch.context() as broken:
        unread(broken, "refs/pull/5/")
        for number in (7, 8):
            request(runs, number, rubbish(runs))
            assert "error: not read: pull/5/head: " in runs.run(1).stderr
    for number in range(9, 12):
        request(runs, number, rubbish(runs))
    monkeypatch.setattr(inbox, "MOST", 2)
    assert "error: not read: pull/11/head: there are too many" in runs.run(1).stderr
    table.sync("alice")
    assert set(runs.ledger().last.entry.slips) == {"alice", "bob"}
