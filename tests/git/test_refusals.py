"""What git's room refuses beside attacks: a row for each, with the words that are told."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from git.conftest import git_command
from git_table import Table, git

from adjudicator.cli import git as commands
from adjudicator.git import host_sync, letterbox, objects, process, refs, tree, verifying, worktree
from adjudicator.git.process import GitFailed, Repo
from adjudicator.git.refs import LostRace, Update
from adjudicator.git.tree import Tree
from adjudicator.store.record import Record
from orders import canonical
from orders.errors import Refused
from orders.fields import HOST
from orders.keys import write_key
from orders.sealing import RECEIPTS_SIZE, seal_letter

NO_COMMIT = "0" * 40


@dataclass
class Place:
    """What a row may use: a game after genesis, and a way to make others."""

    table: Table
    make: Callable[..., Table]
    folder: Path
    patch: pytest.MonkeyPatch

    @property
    def repo(self) -> Repo:
        """The host's clone."""
        return Repo(self.table.record.root)

    def tree(self) -> Tree:
        """Main's."""
        return Tree.open(self.repo, self.table.main())

    def lose(self, said: str = "stale info") -> None:
        """Somebody else is always the first to push."""

        def push(*args: Any) -> None:
            raise LostRace(said)

        self.patch.setattr(refs, "push", push)

    def other_main(self) -> None:
        """The remote's main is another game's, and nobody has seen the old one."""
        other = self.make(first="bob")
        git(self.table.bare, "fetch", "-q", str(other.bare), "+main:main")
        for record in (self.table.record, *self.table.records.values()):
            git(record.root, "update-ref", "-d", refs.SEEN)

    def boxed(self, owner: str, values: Any) -> bytes:
        """A box of that player's or the host's with this in it."""
        game = self.table.host.opening
        keys = {name: join.letters for name, join in game.joins.items()}
        to = bytes.fromhex({**keys, HOST: game.offer.invite.letters}[owner])
        size = letterbox.host_size(game) if owner == HOST else RECEIPTS_SIZE
        return seal_letter(to, letterbox._info(game, owner), canonical.dumps(values), size)

    def open_host(self, values: Any) -> None:
        host = self.table.host
        letterbox.open_host(host.opening, host.folder.letters(), self.boxed(HOST, values))


ROWS: list[Any] = []


def refused(words: str) -> Callable[[Callable[[Place], Any]], Callable[[Place], Any]]:
    """A row: what that function does is refused in these words."""

    def row(act: Callable[[Place], Any]) -> Callable[[Place], Any]:
        ROWS.append(pytest.param(words, act, id=act.__name__.strip("_")))
        return act

    return row


# Objects that are not there, damaged, or too many.


@refused("there is no commit 000000000000")
def _tree_of_nothing(at: Place) -> None:
    Tree.open(at.repo, NO_COMMIT)


@refused("have more than 10 bytes")
def _tree_too_big(at: Place) -> None:
    at.patch.setattr(tree, "LARGEST", 10)
    Tree.open.cache_clear()
    at.tree()


@refused("is larger than 10 bytes")
def _file_too_big(at: Place) -> None:
    at.patch.setattr(tree, "LIMIT", 10)
    at.tree().read("invite.toml")


@refused("entries/9999.toml")
def _file_of_nothing(at: Place) -> None:
    at.tree().read("entries/9999.toml")


@refused("slips/0001-bob.toml is no regular file")
def _file_that_is_a_link(at: Place) -> None:
    folder = at.folder / "clone"
    git(at.folder, "clone", "-q", str(at.table.bare), str(folder))
    (folder / "slips").mkdir()
    (folder / "slips/0001-bob.toml").symlink_to("../invite.toml")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "link")
    Tree.open(Repo(folder), git(folder, "rev-parse", "HEAD")).read("slips/0001-bob.toml")


@refused("a tree object is damaged")
def _tree_object(at: Place) -> None:
    objects.read_tree(b"100644 x", "sha1")


@refused("a commit object is damaged")
def _commit_object(at: Place) -> None:
    objects.read_commit(b"author x\n\nx", "sha1")


@refused("have more than 10 bytes together")
def _objects_too_big(at: Place) -> None:
    at.patch.setattr(objects, "MOST", 10)
    objects.read_objects(at.repo, [f"{at.table.main()}:invite.toml"])


@refused("git rev-list answered more than 9 bytes")
def _answer_too_big(at: Place) -> None:
    at.repo.run("rev-list", at.table.main(), most=9)


@refused("git rev-list: ")
def _answer_of_nothing(at: Place) -> None:
    at.repo.run("rev-list", NO_COMMIT)


# Repositories that are another game's, or none's.


@refused("the remote's main is of another invite")
def _host_of_another_game(at: Place) -> None:
    at.other_main()
    at.table.sync_host()


@refused("the remote's main is of another invite")
def _player_of_another_game(at: Place) -> None:
    at.other_main()
    at.table.sync("alice")


@refused("the remote's main holds no record, but something else")
def _main_of_another_thing(at: Place) -> None:
    table = at.make(started=False)
    (at.folder / "README.md").write_text("x")
    tree = git(at.folder, "--git-dir", str(table.bare), "hash-object", "-w", "README.md")
    tree = git(table.bare, "mktree", given=f"100644 blob {tree}\tREADME.md\n")
    made = git(table.bare, "commit-tree", tree, "-m", "x")
    git(table.bare, "update-ref", "refs/heads/main", made)
    git(table.record.root, "update-ref", "-d", refs.SEEN)
    table.sync_host()


@refused("the remote has no main yet")
def _genesis_without_main(at: Place) -> None:
    table = at.make(started=False)
    git(table.bare, "update-ref", "-d", "refs/heads/main")
    table.host_sync().start(["alice", "bob"])


@refused("the remote has no main yet")
def _player_without_main(at: Place) -> None:
    git(at.table.bare, "update-ref", "-d", "refs/heads/main")
    at.table.sync("alice")


@refused("has no branch main")
def _verify_without_main(at: Place) -> None:
    git(at.folder, "init", "-q", "--bare", "empty.git")
    with verifying.opened(f"file://{at.folder}/empty.git", None):
        pass


@refused("'refs/heads/main' is no commit of")
def _verify_an_empty_folder(at: Place) -> None:
    git(at.folder, "init", "-q", "empty")
    tree.record_at(at.folder / "empty", None)


@refused("has another remote: ")
def _host_with_another_remote(at: Place) -> None:
    worktree.create(at.table.record.root, str(at.folder))


@refused("is there already")
def _clone_over_files(at: Place) -> None:
    (at.folder / "mine").mkdir()
    (at.folder / "mine" / "notes").write_text("x")
    worktree.clone(Record(at.folder / "mine"), str(at.table.bare))


# Pushes.


@refused("somebody else pushed first, 2 times")
def _host_always_late(at: Place) -> None:
    at.patch.setattr(host_sync, "TRIES", 2)
    at.table.clock.skip(86_400)
    at.lose()
    at.table.sync_host()


@refused("the server's words")
def _host_always_refused(at: Place) -> None:
    at.table.clock.skip(86_400)
    at.lose("the server's words")
    at.table.sync_host()


def test_a_push_that_came_second(begun, monkeypatch):
    """By git's words; a hook's refusal is none, whatever else it says."""
    said = ["fatal: stale info"]

    def push(*args: Any) -> None:
        raise process.failed(["push"], 1, said[0].encode())

    monkeypatch.setattr(refs, "send", push)
    update = Update("main", None, begun.main())
    with pytest.raises(LostRace):
        refs.push(Repo(begun.record.root), [update])
    said[0] += "\nhook declined"
    with pytest.raises(GitFailed):
        refs.push(Repo(begun.record.root), [update])


# Boxes that hold something else.


@refused("alice.sealed: holds no receipts")
def _box_without_receipts(at: Place) -> None:
    key = at.table.seats["alice"].secret.letters()
    letterbox.open_own(at.table.host.opening, "alice", key, at.boxed("alice", {}))


@refused("host.sealed: is not what a host seals")
def _box_without_orders(at: Place) -> None:
    at.open_host({"receipts": []})


@refused("host.sealed: is not what a host seals")
def _box_with_another_slip(at: Place) -> None:
    row = [1, "alice", 1, "x", "2026-01-01T00:00:00Z", 0, "0" * 64, "accepted"]
    at.open_host({"receipts": [row], "waiting": {}, "requests": {}, "newest": 0})


@pytest.mark.parametrize(("words", "act"), ROWS)
def test_refused_in_words(words, act, make_table, tmp_path, monkeypatch):
    """Each with the one error, and the words of its row."""
    place = Place(make_table(), make_table, tmp_path, monkeypatch)
    try:
        with pytest.raises(Refused) as error:
            act(place)
    finally:
        Tree.open.cache_clear()
    assert words in str(error.value)


# The commands: what they print, remember and refuse.


def test_every_command_has_help_with_an_example():
    """`--help` works everywhere; what only git and CI call is not listed."""
    for name in commands.git.commands:
        said = git_command("git", name, "--help").stdout
        assert f"Example: adjudicator git {name}" in said
    listed = git_command("git", "--help").stdout
    assert [name for name in commands.git.commands if f"  {name} " in listed] == ["setup", "board"]


def test_a_new_seat_needs_a_key(make_table, tmp_path, monkeypatch):
    """A seat that is not there yet needs a key; a folder with something else in it is refused."""
    table = make_table(started=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    assert "--key" in git_command("join", str(table.bare), "--name", "x", code=1).stderr
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("x")
    given = ("join", str(table.bare), "--watch", "-o", "full")
    assert "[exists]" in git_command(*given, code=1).stderr


def test_no_seat_in_a_game_that_has_begun(shared, tmp_path, monkeypatch):
    """Who comes late may look on."""
    monkeypatch.chdir(tmp_path)
    write_key(tmp_path / "me", "me")
    args = ("join", str(shared.bare), "--name", "carol", "--key", "me", "-o", "game")
    assert "has begun" in git_command(*args, code=2).stderr
    assert "Awaited" not in git_command("join", str(shared.bare), "--watch", "-o", "looking").stdout
    assert (tmp_path / "looking" / "entries" / "0003.toml").is_file()


def test_starting_with_somebody_who_did_not_join(make_table):
    """It is refused, and those who joined are named."""
    table = make_table(started=False)
    table.join()
    given = ("start", "zoe", "alice", "-g", str(table.record.root))
    assert re.search(
        r"no join of 'zoe' was pushed; joined so far: alice \(SHA256:.*\), bob",
        git_command(*given, code=1).stderr,
    )


def test_host_needs_the_hosts_folder(shared, tmp_path, run_git):
    """On a machine without secrets nobody hosts."""
    clone = tmp_path / "clone"
    run_git(tmp_path, "clone", "-q", str(shared.bare), str(clone))
    given = ("invite", "--git", str(shared.bare), "-g", str(clone))
    assert "[no-host]" in git_command(*given, code=1).stderr
