"""Whole games over real servers: ssh with gitolite, smart HTTP, and a fork without write access."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from git_table import judged

from adjudicator.cli import cli
from adjudicator.git import guard
from adjudicator.git.process import Repo
from adjudicator.verifier.verify import Asked, verify
from orders.errors import Refused
from orders.keys import write_key


class Place:
    """A game's repository at one of the servers, as tables use it."""

    def __init__(self, bare: Path, address, *, fork=lambda name: None, prepare=None) -> None:
        self.bare = bare
        self.address = address
        self.fork = fork
        self.prepare = prepare or (lambda name, repo: None)


@pytest.fixture(scope="session")
def ruled(gitolite):
    """The server with a repository for each test's game, by the rules that the page tells; for
    `upstream` Alice has a fork instead."""
    page = (Path(__file__).parents[3] / "docs" / "git-players.md").read_text()
    (told,) = re.findall("```\n(repo friday\n.*?)```", page, re.DOTALL)
    told = told.replace("carl", "host")
    rules = {f"{name}.conf": told.replace("friday", name) for name in ("rules", "ill")}
    lines = told.replace("friday", "upstream").replace("= host alice bob", "= @all").splitlines()
    rules["upstream.conf"] = "\n".join(x for x in lines if "alice" not in x) + "\n"
    rules["fork.conf"] = "repo fork\n    RW+ = alice\n    R = @all\n"
    gitolite.apply(rules)
    return gitolite


@pytest.fixture
def over_ssh(ruled, monkeypatch):
    """Where a game's repository lies under gitolite."""
    for name, value in ruled.environment.items():
        monkeypatch.setenv(name, value)

    def place(name: str, fork=lambda who: None) -> Place:
        return Place(ruled.bare(name), lambda who: ruled.url(who, name), fork=fork)

    return place


@pytest.fixture
def begun_over_ssh(over_ssh, make_table, run_git):
    """A game after genesis that has moved to gitolite: its branches, and where the clones look."""

    def make(name: str):
        table = make_table()
        place = over_ssh(name)
        run_git(place.bare, "fetch", "-q", str(table.bare), "refs/*:refs/*")
        for who, record in {"host": table.record, **table.records}.items():
            run_git(record.root, "remote", "set-url", "origin", place.address(who))
        table.site, table.bare = place, place.bare
        return table

    return make


def over_web(web, run_git, name: str) -> Place:
    bare = web.bare(name)
    run_git(bare.parent, "init", "-q", "--bare", "-b", "main", str(bare))
    run_git(bare, "config", "http.receivepack", "true")
    return Place(bare, lambda who: web.url(name), prepare=web.prepare)


def play_whole(table) -> None:
    """A short game to its end; every copy of it is true then, commits included."""
    for name, line, other in (
        ("alice", "start C4", "bob"),
        ("bob", "start F1", "alice"),
        ("alice", "resign", "bob"),
    ):
        table.order(name, line)
        table.sync(name)
        table.sync_host()
        table.sync(other)
    table.sync("alice")
    assert verify(table.record).code == 0
    for name in table.players:
        assert verify(table.records[name], Asked(table.seats[name])).code == 0
    found = judged(Repo(table.record.root), table.main())
    assert found.differences == []
    assert found.by_host == 0


def test_rules_of_gitolite_refuse_others(begun_over_ssh, gitolite, run_git, tmp_path):
    """A player may push their own branch and no other; the tool says what the server said."""
    table = begun_over_ssh("rules")
    clone = tmp_path / "clone"
    run_git(tmp_path, "clone", "-q", "-b", "main", gitolite.url("bob", "rules"), str(clone))
    run_git(clone, "commit", "-q", "--allow-empty", "-m", "x")
    for ref in ("main", "receipts", "players/alice", "players/bobby", "players/bob/x", "other"):
        run_git(clone, "push", "-q", "origin", f"HEAD:refs/heads/{ref}", code=1)
    run_git(clone, "push", "-q", "origin", "HEAD:refs/heads/players/bob")
    run_git(clone, "push", "-q", "-f", "origin", "HEAD~1:refs/heads/players/bob", code=1)
    Repo(table.records["alice"].root).run(
        "config", "--local", "remote.origin.url", gitolite.url("bob", "rules")
    )
    table.order("alice", "start C4")
    with pytest.raises(Refused) as error:
        table.sync("alice")
    assert "refs/heads/players/alice rules bob DENIED by" in error.value.message
    assert "--fork" in error.value.hint
    shown = CliRunner().invoke(cli, ["verify", gitolite.url("mallory", "rules")])
    assert shown.exit_code == 2
    assert "DENIED" in shown.output


def test_http_without_a_password(web, make_table, run_git, tmp_path):
    """Who has none is told so, and what keeps passwords."""
    place = over_web(web, run_git, "closed")
    shown = CliRunner().invoke(cli, ["verify", place.address("mallory")])
    assert shown.exit_code == 2
    assert "could not read Username" in shown.output
    assert "credential" in shown.output


def play_with_a_fork(place: Place, fork: Path, make_table, run_git, guarded):
    """A whole game in which Bob pushes to the game's repository, Alice to her fork to the very end.

    As a site does, the server shows her branch as the head of one pull request. After genesis the
    guard is loaded already.
    """
    shown = fork / "hooks" / "post-receive"
    shown.write_text(
        f"#!/bin/sh\nunset $(git rev-parse --local-env-vars)\n"
        f"exec git -C {place.bare} fetch -q {fork} refs/heads/players/alice:refs/pull/1/head\n"
    )
    shown.chmod(0o755)
    table = make_table(site=place)
    guarded(place.bare)
    play_whole(table)
    branches = run_git(place.bare, "for-each-ref", "--format=%(refname)").splitlines()
    assert "refs/heads/players/alice" not in branches
    assert "refs/heads/players/bob" in branches
    assert "refs/pull/1/head" in branches
    return table


def test_a_game_over_ssh_with_gitolite(over_ssh, make_table, gitolite, run_git, guarded):
    """From the rules that the tool writes to the reveal, with the guard as the server's hook."""
    place = over_ssh("upstream", lambda who: gitolite.url(who, "fork") if who == "alice" else None)
    guard.install(place.bare)
    play_with_a_fork(place, gitolite.bare("fork"), make_table, run_git, guarded)
    shown = CliRunner().invoke(cli, ["verify", gitolite.url("bob", "upstream")])
    assert shown.exit_code == 0, shown.output


def test_a_game_over_http(web, make_table, run_git, guarded):
    """Behind a web server that asks for a password: git's credential helper gives it."""
    place = over_web(web, run_git, "upstream")
    fork = over_web(web, run_git, "fork").bare
    place.fork = lambda who: web.url("fork") if who == "alice" else None
    guarded(place.bare)
    table = play_with_a_fork(place, fork, make_table, run_git, guarded)
    for record in (table.record, *table.records.values()):
        config = (record.root / ".git" / "config").read_text()
        assert not any(word in config for word in web.passwords.values())


def refused(table, name: str) -> Refused:
    """Why a player's sync fails."""
    with pytest.raises(Refused) as error:
        table.sync(name)
    return error.value


def test_what_servers_say(begun_over_ssh, gitolite, tmp_path):
    """A full disk, no connection, a key that is not known: told in their words, with what to do.

    Nothing is lost: once the server is well again the same orders arrive.
    """
    table = begun_over_ssh("ill")
    table.order("alice", "start C4")
    quota = table.bare / "hooks" / "pre-receive"
    quota.write_text("#!/bin/sh\necho 'fatal: No space left on device' >&2\nexit 1\n")
    quota.chmod(0o755)
    error = refused(table, "alice")
    assert "No space left on device" in error.message
    assert "sync again" in error.hint
    quota.unlink()

    config = (gitolite.root / "ssh_config").read_text()
    path = tmp_path / "key"
    write_key(path, "stranger", bytes(32))
    other = tmp_path / "ssh_config"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_SSH_COMMAND", f"ssh -F {other}")
        other.write_text(config.replace(f"Port {gitolite.port}", "Port 1"))
        error = refused(table, "alice")
        assert "Connection refused" in error.message
        assert "sync again" in error.hint
        other.write_text(config.replace(str(gitolite.keys["alice"]), str(path)))
        error = refused(table, "alice")
        assert "Permission denied (publickey" in error.message
        assert "@" not in error.message
        assert "does not know your SSH key" in error.hint
    assert "pushed: your orders" in table.sync("alice").lines[-1]
