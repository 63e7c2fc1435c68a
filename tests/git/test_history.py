"""The record as commits: made again they are the same commits."""

from __future__ import annotations

from git.conftest import check_all

from adjudicator.git.process import Repo


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
