"""What happens between pushes: races, crashes, a rewritten history, a shallow clone."""

from __future__ import annotations

import subprocess
from pathlib import Path

from git.conftest import STARTS, check_all

from adjudicator.git.process import Repo
from adjudicator.store.clock import SystemClock


def at_once(program: Path, *folders: Path) -> list[tuple[int, str]]:
    """`adjudicator sync` in each of these folders at the same time: exit code and stderr."""
    running = [
        subprocess.Popen(
            [program, "sync", "-g", str(folder), "--clock-is-right"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        for folder in folders
    ]  # fmt: skip
    ended = [(one, one.communicate(timeout=120)[1]) for one in running]
    return [(one.returncode, told) for one, told in ended]


def test_everyone_at_once(make_table, program):
    """Host and both players push at the same time, again and again: each gets through."""
    table = make_table()
    for name, line in STARTS.items():
        table.order(name, line)
    folders = [record.root for record in (table.record, *table.records.values())]
    for _ in range(2):
        assert at_once(program, *folders) == [(0, "")] * 3
    table.clock = SystemClock()
    table.sync_host()
    assert table.record.last_step() == 1
    check_all(table)
    assert table.statuses("alice") == ["accepted"]


def test_over_ssh(ready, monkeypatch, tmp_path):
    """An ssh address: git's own way to a server, here with a program in ssh's place."""
    shim = tmp_path / "ssh"
    shim.write_text('#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n')
    shim.chmod(0o755)
    monkeypatch.setenv("GIT_SSH", str(shim))
    monkeypatch.setenv("GIT_SSH_VARIANT", "ssh")
    for record in (ready.record, *ready.records.values()):
        url = f"somebody@example.invalid:{ready.bare}"
        Repo(record.root).run("remote", "set-url", "origin", url)
    ready.sync_host()
    check_all(ready)
    assert ready.play_bots(1) == 1
