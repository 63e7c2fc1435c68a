"""Whole games over real servers: ssh with gitolite and without, smart HTTP, forks, requests.

A site's requests are refs that its server makes: here hooks and tests do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from git_table import Site, Table, git

from adjudicator.cli import cli
from adjudicator.git import guard, process
from adjudicator.verifier.verify import Asked, verify
from orders.errors import Refused
from orders.keys import write_key

HEADS = "refs/heads/"


class Place(Site):
    """A game's repository at one of the servers, as tables use it."""

    def __init__(self, bare: Path, address: Callable[[str], str], prepare: Any = None) -> None:
        self.bare = bare
        self.address = address  # type: ignore[method-assign]
        self.forks: dict[str, str] = {}
        self.prepare = prepare or (lambda name, repo: None)

    def fork(self, name: str) -> str | None:
        """The address of a player's own fork; None: they push to the repository."""
        return self.forks.get(name)


@pytest.fixture(scope="session")
def ruled(gitolite):
    """gitolite with a repository for each test's game, by the rules that the page tells; in `kept`
    the host may remove no branch, in `upstream` all may push but Alice."""
    told = (Path(__file__).parents[3] / "docs/examples/gitolite.conf").read_text()
    told = told.replace("carl", "host")
    rules = {f"{name}.conf": told.replace("friday", name) for name in ("rules", "ill")}
    rules["kept.conf"] = told.replace("friday", "kept").replace("RWCD", "RWC")
    rules["upstream.conf"] = "repo upstream\n    RW+CD = host bob\n    R = @all\n"
    rules["carls.conf"] = "repo carls\n    RW+ = host\n    R = @all\n"
    for fork in ("fork", "alices", "bobs"):
        owner = "bob" if fork == "bobs" else "alice"
        rules[f"{fork}.conf"] = f"repo {fork}\n    RW+ = {owner}\n    R = @all\n"
    gitolite.apply(rules)
    return gitolite


@pytest.fixture
def over_ssh(ruled, monkeypatch) -> Callable[[str], Place]:
    """Where a game's repository lies under gitolite."""
    for name, value in ruled.environment.items():
        monkeypatch.setenv(name, value)
    return lambda name: Place(ruled.bare(name), lambda who: ruled.url(who, name))


@pytest.fixture
def begun_over_ssh(over_ssh, make_table):
    """A game after genesis that has moved to gitolite: its branches, and where the clones look."""

    def make(name: str) -> Table:
        table = make_table()
        place = over_ssh(name)
        git(place.bare, "fetch", "-q", str(table.bare), "refs/*:refs/*")
        for who, record in {"host": table.record, **table.records}.items():
            git(record.root, "remote", "set-url", "origin", place.address(who))
        table.site, table.bare = place, place.bare
        return table

    return make


def over_web(web, name: str) -> Place:
    bare = web.bare(name)
    git(bare.parent, "init", "-q", "--bare", "-b", "main", str(bare))
    git(bare, "config", "http.receivepack", "true")
    return Place(bare, lambda who: web.url(name), prepare=web.prepare)


def shows_requests(fork: Path, bare: Path, branch: str, ref: str) -> None:
    """As a site does, the server shows a fork's branch as the head of one request, from now on."""
    hook = fork / "hooks" / "post-receive"
    hook.write_text(
        f"#!/bin/sh\nunset $(git rev-parse --local-env-vars)\n"
        f"exec git -C {bare} fetch -q {fork} +refs/heads/{branch}:{ref}\n"
    )
    hook.chmod(0o755)


def branches(bare: Path) -> list[str]:
    """The names of all branches."""
    return git(bare, "for-each-ref", "--format=%(refname:lstrip=2)", HEADS).splitlines()


def play_whole(table: Table, url: str = "") -> None:
    """A short game to its end; every copy of it is true then, commits included."""
    for name, line, other in (
        ("alice", "start C4", "bob"),
        ("bob", "start F1", "alice"),
        ("alice", "resign", "bob"),
    ):
        table.order(name, line)
        table.sync(name)
        synced = table.sync_host()
        assert synced.unread == []
        assert [line for line in synced.lines if "left out" in line] == []
        table.sync(other)
    table.sync("alice")
    assert verify(table.record).code == 0
    for name in table.players:
        assert verify(table.records[name], Asked(table.seats[name])).code == 0
        assert table.statuses(name)[-1] == "accepted"
        assert git(table.records[name].root, "rev-parse", "HEAD") == table.main()
    shown = CliRunner().invoke(cli, ["verify", url or table.site.address("bob")])
    assert shown.exit_code == 0, shown.output


# gitolite, with rights by branch.


def test_rules_of_gitolite_refuse_others(begun_over_ssh, gitolite, tmp_path):
    """Bob makes branches of his own alone; nobody but the host removes one, or moves main."""
    table = begun_over_ssh("rules")
    table.order("alice", "start C4")
    table.sync("alice")
    (own,) = (name for name in branches(table.bare) if name.startswith("in.alice."))
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "-b", "main", gitolite.url("bob", "rules"), str(clone))
    git(clone, "commit", "-q", "--allow-empty", "-m", "x")
    for target in ("main", "receipts", own, "in.alice.0001-1.0123456789abcdef", "in.bobby.x",
                   "in.alice", "in.bob", "other", "players/bob"):  # fmt: skip
        git(clone, "push", "-q", "-f", "origin", f"HEAD:{HEADS}{target}", code=1)
        git(clone, "push", "-q", "origin", f":{HEADS}{target}", code=1)
    git(clone, "push", "-q", "origin", "HEAD:refs/tags/v1", code=1)
    table.order("bob", "start F1")
    table.sync("bob")
    (mine,) = (name for name in branches(table.bare) if name.startswith("in.bob."))
    git(clone, "push", "-q", "-f", "origin", f"HEAD:{HEADS}{mine}", code=1)
    git(clone, "push", "-q", "origin", f":{HEADS}{mine}", code=1)
    assert branches(table.bare) == [own, mine, "main", "receipts"]
    assert table.sync_host().steps == [1]
    assert branches(table.bare) == ["main", "receipts"]
    for name in table.players:
        table.sync(name)
        assert table.statuses(name) == ["accepted"]
    git(table.records["alice"].root, "remote", "set-url", "origin", gitolite.url("bob", "rules"))
    table.order("alice", "silent")
    with pytest.raises(Refused) as error:
        table.sync("alice")
    assert re.search(r"refs/heads/in\.alice\.0002-1\.\S+ rules bob DENIED by", error.value.message)
    assert "--fork" in error.value.hint
    shown = CliRunner().invoke(cli, ["verify", gitolite.url("mallory", "rules")])
    assert shown.exit_code == 2
    assert "DENIED" in shown.output


def test_a_host_who_may_not_remove_branches_publishes(over_ssh, make_table):
    """From the first push to the reveal; what players pushed stays, and costs nothing."""
    table = make_table(site=over_ssh("kept"))
    play_whole(table)
    left = [name for name in branches(table.bare) if name.startswith("in.")]
    assert [name.rpartition(".")[0] for name in left] == [
        "in.alice.0001-1", "in.alice.0002-1", "in.alice.join", "in.bob.0001-1", "in.bob.join"
    ]  # fmt: skip


# Forks and requests.


@pytest.mark.parametrize("ref", ["refs/pull/1/head", "refs/merge-requests/1/head"])
def test_a_fork_over_http_with_one_open_request(web, make_table, guarded, ref):
    """Bob pushes to the game's repository, Alice to her fork to the very end; a web server asks for
    passwords, and git's credential helper gives them."""
    kind = ref.split("/")[1]
    place, fork = (over_web(web, f"{name}-{kind}") for name in ("upstream", "fork"))
    place.forks["alice"] = fork.address("alice")
    guarded(place.bare)
    shows_requests(fork.bare, place.bare, "in.alice", ref)
    table = make_table(site=place)
    play_whole(table, str(place.bare))
    assert branches(fork.bare) == ["in.alice"]
    assert branches(place.bare) == ["main", "receipts"]
    assert ref in git(place.bare, "for-each-ref", "--format=%(refname)")
    for record in (table.record, *table.records.values()):
        config = (record.root / ".git" / "config").read_text()
        assert not any(word in config for word in web.passwords.values())


def test_a_fork_over_ssh_with_the_guard_in_a_process(over_ssh, gitolite, make_table):
    """The hook as `git setup` writes it, beside gitolite's own."""
    place = over_ssh("upstream")
    place.forks["alice"] = gitolite.url("alice", "fork")
    guard.install(place.bare)
    shows_requests(gitolite.bare("fork"), place.bare, "in.alice", "refs/pull/1/head")
    play_whole(make_table(site=place))
    assert branches(place.bare) == ["main", "receipts"]


def test_people_who_only_read_each_others_forks(over_ssh, gitolite, make_table):
    """No rights at the host's repository, no request: the host's clone has a remote for each."""
    place = over_ssh("carls")
    for name in ("alice", "bob"):
        place.forks[name] = gitolite.url(name, f"{name}s")
    table = make_table(site=place, started=False)
    for name in ("alice", "bob"):
        git(table.record.root, "remote", "add", name, gitolite.url("host", f"{name}s"))
    table.join()
    table.start()
    play_whole(table)
    assert branches(place.bare) == ["main", "receipts"]
    assert branches(gitolite.bare("alices")) == ["in.alice"]


# What servers are asked for, and what they say.


def test_a_shared_account_over_ssh(ruled, monkeypatch, make_table, guarded, tmp_path):
    """Plain sshd, one account for all, git's own shell: the guard gives each their part.

    Whether ssh has a last word when a fetch fails depends on who ends first: here it always has.
    """
    for name, value in ruled.environment.items():
        monkeypatch.setenv(name, value)
    failed, last = process.failed, b"fatal: the remote end hung up unexpectedly\n"
    monkeypatch.setattr(
        process, "failed", lambda args, code, said, **more: failed(args, code, said + last, **more)
    )
    bare = tmp_path / "shared.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(bare))
    guarded(bare)
    table = make_table(site=Place(bare, lambda who: f"ssh://shared.server{bare}"))
    table.order("alice", "start C4")
    table.sync("alice")
    (waiting,) = (name for name in branches(bare) if name.startswith("in.alice.0001"))
    git(table.records["bob"].root, "push", "-q", "origin", f":{HEADS}{waiting}", code=1)
    play_whole(table)
    assert branches(bare) == ["main", "receipts"]


def test_what_a_sync_asks_of_a_web_server(web, make_table):
    """How many requests each kind of sync makes, beside those that only ask for the password."""
    table = make_table(site=over_web(web, "counted"))

    def asked(act: Callable[[], Any]) -> int:
        before = web.log()
        act()
        return len(web.log()) - len(before)

    idle = asked(lambda: table.sync("alice"))
    table.order("alice", "start C4")
    play = asked(lambda: table.sync("alice"))
    waits = asked(lambda: table.sync("alice"))
    table.order("bob", "start F1")
    table.sync("bob")
    host = asked(table.sync_host)
    takes_in = asked(lambda: table.sync("alice"))
    nothing = asked(table.sync_host)
    found = {
        "idle": idle, "play": play, "waits": waits, "host": host, "takes in": takes_in,
        "host, idle": nothing,
    }  # fmt: skip
    assert found == {
        "idle": 2, "play": 4, "waits": 3, "host": 7, "takes in": 4, "host, idle": 2
    }  # fmt: skip


def test_http_without_a_password(web):
    """Who has none is told so, and what keeps passwords."""
    place = over_web(web, "closed")
    shown = CliRunner().invoke(cli, ["verify", place.address("mallory")])
    assert shown.exit_code == 2
    assert "could not read Username" in shown.output
    assert "credential" in shown.output


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
