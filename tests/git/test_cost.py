"""What syncs cost, in what can be counted: connections, objects, bytes kept, flushes."""

from __future__ import annotations

from git.conftest import kept

from adjudicator.git import process

DAY = 86_400


def test_an_idle_sync_is_one_connection(make_table, network):
    """When nothing has changed, host and player ask once, and write nothing."""
    table = make_table()
    table.sync_host()
    table.sync("alice")
    before = kept(table)
    network.clear()
    table.sync("alice")
    assert network == ["ls-remote"]
    network.clear()
    table.sync_host()
    assert network == ["ls-remote"]
    assert kept(table) == before
    for record in (table.record, table.records["alice"]):
        logs = record.root / ".git" / "logs"
        assert not [path for path in logs.rglob("*") if path.is_file()]


def test_the_hosts_sync_does_not_grow_with_closed_requests(make_table, run_git, monkeypatch):
    """Once judged they cost nothing: as many processes with thirty of them as with none."""
    table = make_table()
    table.sync_host()
    started: list[str] = []
    run = process.run
    monkeypatch.setattr(
        process, "run", lambda args, **o: started.append(process.named(args)) or run(args, **o)
    )

    def count() -> int:
        started.clear()
        table.sync_host()
        return len(started)

    first = count()
    tree = run_git(table.bare, "rev-parse", "main^{tree}")
    for number in range(30):
        made = run_git(table.bare, "commit-tree", tree, "-p", "main", "-m", f"{number}")
        run_git(table.bare, "update-ref", f"refs/pull/{number}/head", made)
    assert count() > first
    assert count() == first
