"""The record as commits: what the host's pushes bring, and nothing early."""

from __future__ import annotations

from git.conftest import check_all, handed_in

from adjudicator.git import letterbox, publish
from adjudicator.git.objects import Writer
from adjudicator.git.process import Repo
from adjudicator.git.submission import FILE
from adjudicator.player import letters
from adjudicator.player.seated import Seated
from orders import names
from orders.bundle import encode
from orders.entries import Ruling
from orders.letter import Text


def test_another_remote_gets_the_whole_history(ready, run_git):
    """The repository moves: the very same commits go there, and the game goes on."""
    ready.sync_host()
    before = ready.main()
    ready.bare = ready.folder / "moved.git"
    run_git(ready.folder, "init", "-q", "--bare", "-b", "main", str(ready.bare))
    for record in (ready.record, *ready.records.values()):
        Repo(record.root).run("remote", "set-url", "origin", str(ready.bare))
    ready.sync_host()
    assert ready.main() == before
    for name in ready.players:
        ready.sync(name)
    assert ready.play_bots(1) == 1
    check_all(ready)


def test_a_slip_is_not_on_main_before_its_entry(make_table, run_git):
    """Taken in, receipted, and still only where its player pushed it."""
    table = make_table()
    table.order("alice", "start C4")
    table.sync("alice")
    before = table.main()
    table.sync_host()
    assert table.main() == before
    assert len(handed_in(table, "alice")) == 1
    assert not list((table.record.root / "slips").glob("*"))
    listed = run_git(table.bare, "ls-tree", "-r", "--name-only", "receipts").split()
    assert listed == ["alice.sealed", "bob.sealed", "host.sealed"]


def test_a_slip_is_named_by_the_entry_that_uses_it(make_table, run_git):
    """A ruling that only moves deadlines voids nothing: the slip for step 1 is used by entry 2."""
    table = make_table()
    table.order("alice", "start C4")
    table.sync("alice")
    table.sync_host()
    table.clock.skip(2 * 86_400)
    until = dict.fromkeys(table.players, "2026-01-05T12:00:00Z")
    assert table.host.rule(Ruling("snow"), until) == (1,)
    table.sync_host()
    table.sync("bob")
    table.order("bob", "start F1")
    table.sync("bob")
    assert table.sync_host().steps == [2]
    for name in table.players:
        table.sync(name)
    assert b"step = 1" in table.record.read(names.slip(2, "alice"))
    assert b"step = 1" in table.record.read(names.slip(2, "bob"))
    listed = run_git(table.bare, "ls-tree", "-r", "--name-only", "main").splitlines()
    assert not [path for path in listed if "/0001-" in path and path.startswith("slips")]
    assert [len(line.split()) for line in run_git(table.bare, "rev-list", "--parents", "main")
            .splitlines()][:-1] == [2] * 3  # fmt: skip


def test_a_change_beside_the_record_stays(ready, run_git, tmp_path):
    """A page edited on the site, and another in the host's folder, go on together."""
    clone = tmp_path / "site"
    run_git(tmp_path, "clone", "-q", str(ready.bare), str(clone))
    (clone / "README.md").write_text("hello\n")
    run_git(clone, "add", "-A")
    run_git(clone, "commit", "-qm", "page")
    run_git(clone, "push", "-q", "origin", "HEAD:main")
    workflow = ready.record.root / ".github" / "workflows" / "host.yml"
    workflow.parent.mkdir(parents=True)
    workflow.write_text("x\n")
    ready.sync_host()
    assert (ready.record.root / "README.md").read_text() == "hello\n"
    listed = run_git(ready.bare, "ls-tree", "-r", "--name-only", "main").splitlines()
    assert ".github/workflows/host.yml" in listed
    assert "README.md" in listed
    check_all(ready)


def test_main_holds_sealed_orders_and_reports(finished_games, run_git):
    """Also while they are sealed, so that a host without a disk has them all."""
    table = finished_games("sugar-dog")
    listed = run_git(table.bare, "ls-tree", "-r", "--name-only", "main").splitlines()
    slips = {path for path in listed if path.startswith("slips/") and path.endswith(".toml")}
    for ending in ("sealed", "txt"):
        orders = {path for path in listed if path.startswith("orders/") and path.endswith(ending)}
        assert {path.split("/")[1].split(".")[0] for path in orders} == {
            path.split("/")[1].split(".")[0] for path in slips
        }
    reports = [path for path in listed if path.startswith("reports/")]
    assert len(reports) == 2 * (table.record.last_step() - 1)


def test_a_letter_is_not_handed_in_by_git(make_table, run_git):
    """Whoever pushes one is told what git brings; its branch holds nothing up."""
    table = make_table()
    text = Text("message to bob:", "truce?")
    own = Seated(table.records["alice"], table.seats["alice"])
    letter = letters.write(own.ledger, own.seat, table.keys["alice"], text)
    root = table.records["alice"].root
    writer = Writer(Repo(root), "alice", None)
    writer.start(table.main())
    made = writer.commit([table.main()], {FILE: encode(letter)}, table.clock.now(), "a letter")
    writer.store()
    run_git(root, "push", "-q", "origin", f"{made}:refs/heads/in.alice.0001-1.{made[:16]}")
    (told,) = table.sync_host().lines
    assert told.endswith("by git only joins and orders are handed in")
    table.order("bob", "start F1")
    table.sync("bob")
    table.sync_host()
    assert handed_in(table, "alice") == []


# Commit messages tell the story of the game.


def test_the_log_tells_the_story(finished, run_git):
    """One commit for the invite and each entry, in words."""
    log = run_git(finished.record.root, "log", "--format=%an: %s", "main").splitlines()
    steps = finished.record.last_step()
    assert len(log) == steps + 2
    assert log[-1] == "host: Invite to Sugar Dog (sugar-dog/1)"
    assert f"host: {steps:04d} Reveal" in log[0]
    assert "host: 0000 The game begins: alice, bob" in log
    assert all(len(line) < 90 for line in log)


def test_the_first_entry_and_the_last(finished):
    """In a line; each other entry has news and who is awaited below it."""
    ledger = finished.host.ledger
    first, *others, last = (publish.message(ledger.opening, one.entry) for one in ledger.links())
    assert first == "0000 The game begins: alice, bob"
    assert last.startswith(f"{ledger.last.step:04d} Reveal")
    assert "\n" not in last
    assert all("\n\n" in one for one in others)


def test_boxes_name_what_was_seen():
    """They name nothing if not everything was seen."""
    assert letterbox.message("ab" * 32).endswith(f"\n\nAfter {'ab' * 32}")
    assert "After" not in letterbox.message("")
