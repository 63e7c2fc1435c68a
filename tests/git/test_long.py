"""A game by git that is longer than all that is packed, fetched or listed at once."""

from __future__ import annotations

import os
import time

import pytest
from git.conftest import claims, run

from adjudicator.store.record import Record
from adjudicator.verifier.verify import verify

STEPS = 150


@pytest.fixture
def long_game(make_table, monkeypatch):
    """A table whose host has played all but two steps elsewhere, which are not published yet."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    table = make_table()
    table.play_quietly(STEPS - 2)
    return table


def test_a_long_game(long_game, run_git):
    """Published, cloned, played on to its end and verified; a sync late in it stays quick."""
    table = long_game
    took = {}

    def timed(name: str, work):
        began = time.monotonic()
        done = work()
        took[name] = round(time.monotonic() - began, 2)
        return done

    timed("publish", table.sync_host)
    timed("take in", lambda: table.sync("bob"))
    awaited = table.awaited()[0]
    if awaited != "bob":
        timed("take in too", lambda: table.sync("alice"))
    table.order(awaited, "resign")
    timed("hand in", lambda: table.sync(awaited))
    synced = timed("adjudicate", table.sync_host)
    assert synced.steps[0] == STEPS - 1
    timed("take in the end", lambda: table.sync(awaited))
    assert timed("verify", lambda: verify(table.records[awaited])).code == 0
    told = timed(
        "verify the clone", lambda: run("verify", "--json", str(table.records[awaited].root))
    )
    assert claims(told)["commits"]["text"].startswith(f"{STEPS + 2}, ")
    clone = table.folder / "stranger"
    timed("clone", lambda: run_git(table.folder, "clone", "-q", str(table.bare), str(clone)))
    assert verify(Record(clone)).code == 0
    print(took)
