"""The claim `main`: its history holds only what the tool makes of the game."""

from __future__ import annotations

import json
import shutil

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli
from adjudicator.core import bundles
from adjudicator.git import page
from adjudicator.git.changes import LARGEST_DOCUMENT, MOST_COMMITS
from adjudicator.git.process import Repo
from adjudicator.git.writing import Writer
from orders import names

GAME = (("alice", "start C4"), ("bob", "start F1"), ("alice", "silent"))


def turn(table, name: str, line: str) -> None:
    table.sync(name)
    table.order(name, line)
    table.sync(name)
    table.sync_host()


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A table with a page, three entries on, one order of which came by mail."""
    from git_table import Table

    table = Table(tmp_path_factory.mktemp("t"), "sugar-dog", ("bob", "alice"), {"first": "alice"})
    table.join()
    table.start()
    assert CliRunner().invoke(cli, ["git", "page", str(table.record.root)]).exit_code == 0
    turn(table, *GAME[0])
    table.order("bob", "start F1")
    table.host.submit(bundles.pack("order", table.seats["bob"].orders()[-1].files()))
    table.sync_host()
    turn(table, *GAME[2])
    assert table.record.last_step() == 2
    return table


def claims(table) -> dict[str, dict[str, str]]:
    done = CliRunner().invoke(cli, ["verify", "--json", str(table.bare)])
    assert done.exit_code == 4, done.output
    return {claim["name"]: claim for claim in json.loads(done.stdout)["claims"]}


def test_all_is_accounted_for(played):
    """Entries, the page, orders by git and by mail."""
    claim = claims(played)["main"]
    assert claim["status"] == "true", claim["text"]
    assert claim["text"].startswith("5 commits of the host's and 5 that they merge")


LIES = (
    "story", "author", "foreign", "page", "picture", "beside", "merged story", "merged size",
    "merged file", "merged message", "merged many",
)  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_that_no_other_claim_sees(played, lie, tmp_path, monkeypatch):
    """The host signs whatever it likes: of all claims this one alone is not true."""
    table = played
    bare = tmp_path / "remote.git"
    shutil.copytree(table.bare, bare)
    monkeypatch.setattr(table, "bare", bare)
    repo = Repo(bare)
    before = claims(table)
    main = table.main()
    writer = Writer(repo, "alice" if lie == "author" else "host", table.key)
    writer.start(main)
    time = table.clock.now()
    found = {"beside": {".github/x": b"x"}, "foreign": {"x.txt": b"x"},
             "page": {page.README: page.MARK + b"alice has won"},
             "picture": {page.BOARD: b"<svg/>"}, "author": {".github/x": b"x"}}  # fmt: skip
    message = "Change what lies beside the record"
    if lie in ("story", "beside"):
        message = "0003 The game is over: alice wins"
    parents = [main]
    if lie.startswith("merged"):
        own = Writer(repo, "alice", table.keys["alice"])
        own.start(main)
        path = names.sealed_order(3, "bob" if lie == "merged file" else "alice")
        data = b"x" * (LARGEST_DOCUMENT * (20 if lie == "merged size" else 1) // 10)
        told = "0003 alice: orders"
        told = {"merged story": "0003 alice wins", "merged message": "0003 bob: orders"}.get(
            lie, told
        )
        end = own.commit([main], {path: data}, time, told)
        for number in range(MOST_COMMITS if lie == "merged many" else 0):
            end = own.commit([end], {path: data + b"%d" % number}, time, told)
        parents.append(end)
        own.store()
        found[lie] = {".github/x": b"x"}
    made = writer.commit(parents, found.get(lie, {}), time, message)
    writer.store()
    repo.run("update-ref", "refs/heads/main", made)
    after = claims(table)
    assert after["main"]["status"] == "look"
    assert "not accounted for: " in after["main"]["text"]
    assert {name: one["status"] for name, one in after.items() if name != "main"} == {
        name: one["status"] for name, one in before.items() if name != "main"
    }
