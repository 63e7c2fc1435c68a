"""Sealed orders out of history: main holds none, the commits that it merged hold all."""

from __future__ import annotations

import shutil

from adjudicator.git.host_sync import HostSync
from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify


def test_main_holds_no_sealed_orders_and_all_reports(finished_games, run_git):
    """They stay in the commits that brought them; the reveal brings them opened."""
    table = finished_games("sugar-dog")
    listed = run_git(table.bare, "ls-tree", "-r", "--name-only", "main").splitlines()
    assert not [path for path in listed if path.startswith("orders/") and path.endswith(".sealed")]
    reports = [path for path in listed if path.startswith("reports/")]
    assert len(reports) == 2 * (table.record.last_step() - 1)
    slips = [path for path in listed if path.startswith("slips/") and path.endswith(".toml")]
    opened = [path for path in listed if path.startswith("orders/")]
    assert len(opened) == len(slips)


def test_a_host_with_a_fresh_clone_goes_on_and_reveals(make_table, run_git):
    """As in CI: no state, no sealed order in its folder; all comes out of history."""
    table = make_table()
    table.play_bots(2)
    folder = table.folder / "ci" / "friday"
    folder.parent.mkdir()
    run_git(folder.parent, "clone", "-q", str(table.bare), str(folder))
    fresh = Record(folder)
    fresh.host.mkdir(mode=0o700)
    for name in ("master", "letters", "key"):
        shutil.copy(table.record.host / name, fresh.host / name)
    (awaited,) = table.awaited()
    table.order(awaited, "resign")
    table.sync(awaited)
    host = HostSync(fresh, table.key, table.clock)
    assert host.sync().steps == [3, 4]
    assert verify(fresh).code == 0
    for name in table.players:
        table.sync(name)
        assert verify(table.records[name]).code == 0
    assert "entry 4: taken from the remote" in table.sync_host().lines
    assert verify(table.record).code == 0
