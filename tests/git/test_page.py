"""The page of a game's repository: made of what is public, kept true, accounted for."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from adjudicator.cli import cli
from adjudicator.core.ledger import Ledger
from adjudicator.core.opening import read_offer
from adjudicator.git import publish

GAME = (("alice", "start C4"), ("bob", "start F1"), ("alice", "resign"))


def asked(table) -> None:
    done = CliRunner().invoke(cli, ["git", "board", "-g", str(table.record.root)])
    assert done.exit_code == 0, done.output


def on_main(table, run_git, path: str = publish.README) -> str:
    return run_git(table.bare, "show", f"main:{path}")


def turn(table, name: str, line: str) -> None:
    table.sync(name)
    table.order(name, line)
    table.sync(name)
    table.sync_host()


def test_a_page_through_a_game(make_table, guarded, run_git):
    """From before genesis to the reveal; the guard lets it pass, everybody gets it."""
    table = make_table(started=False)
    guarded(table.bare)
    asked(table)
    table.sync_host()
    assert "seats are free" in on_main(table, run_git)
    table.join()
    table.start()
    text = on_main(table, run_git)
    assert "# Sugar Dog: alice, bob" in text
    until = table.host.last.entry.awaited["alice"].until
    assert f"| alice | setup | {until} |" in text
    assert "adjudicator verify ADDRESS" in text
    assert read_offer(table.record).host.fingerprint in text
    commits = int(run_git(table.bare, "rev-list", "--count", "--first-parent", "main"))
    for name, line in GAME:
        turn(table, name, line)
    text = on_main(table, run_git)
    assert "The game is over: bob won." in text
    assert "alice's submarine is lost" in text
    assert "| awaited |" not in text
    # One commit for each entry, the page in it, and no other.
    assert int(run_git(table.bare, "rev-list", "--count", "--first-parent", "main")) == commits + 3
    picture = ElementTree.fromstring(on_main(table, run_git, publish.BOARD))  # noqa: S314
    assert picture.tag.endswith("svg")
    table.sync("alice")
    copy = table.records["alice"].root / publish.README
    assert copy.read_text().strip() == text
    ledger = Ledger.read(table.record)
    made = publish.page(read_offer(table.record), ledger)
    assert made[publish.README].decode().strip() == text


def test_a_page_after_the_end(finished):
    """It says who won."""
    ledger = finished.host.ledger
    text = publish.page(ledger.opening.offer, ledger)[publish.README].decode()
    assert f"Entry {ledger.last.step}. The game is over: " in text


def test_nothing_hidden_is_on_it(make_table, run_git):
    """Two games that differ in what is hidden have the same page except for times and keys."""
    told = []
    for start in ("start F1", "start A6"):
        table = make_table()
        asked(table)
        turn(table, "alice", "start C4")
        turn(table, "bob", start)
        turn(table, "alice", "silent")
        told.append([on_main(table, run_git, path) for path in (publish.README, publish.BOARD)])
    assert told[0] == told[1]


def test_a_page_of_ones_own_stays(make_table, run_git):
    """A page without the tool's first line is the host's own, and nothing replaces it."""
    table = make_table()
    asked(table)
    table.sync_host()
    mine = table.record.root / publish.README
    mine.write_text("my page\n")
    turn(table, "alice", "start C4")
    turn(table, "bob", "start F1")
    assert on_main(table, run_git) == "my page"
    done = CliRunner().invoke(cli, ["git", "board", "-g", str(table.record.root)])
    assert done.exit_code == 1
    assert "is a page of your own" in done.output
    mine.unlink()
    table.sync_host()
    assert publish.README not in run_git(table.bare, "ls-tree", "--name-only", "main").split()


def test_a_host_elsewhere_keeps_the_page(make_table, run_git):
    """The page is wanted because main has it, whatever lies in the folder."""
    table = make_table()
    asked(table)
    table.sync_host()
    before = on_main(table, run_git)
    turn(table, "alice", "start C4")
    turn(table, "bob", "start F1")
    assert on_main(table, run_git) != before
    assert (table.record.root / publish.README).read_text().strip() == on_main(table, run_git)


@pytest.mark.parametrize("text", ["<script>", "| x", "![](http://x)", "`x`", "*a*", "@all", "#1"])
def test_no_text_becomes_markup(text):
    """Whatever a game or a ruling says stands there as it is."""
    shown = publish._plain(text)
    assert shown.replace("\\", "") == text
    for number, letter in enumerate(shown):
        if letter in "<>|![]`*@#":
            assert shown[number - 1] == "\\"
