"""A push at a fixed hour."""

from __future__ import annotations

import pytest
from git.conftest import git_command

from adjudicator.cli import git as commands
from adjudicator.git import hour
from adjudicator.git.process import Repo
from orders.errors import Refused


@pytest.mark.parametrize(
    ("now", "at", "left"),
    [
        ("2026-01-01T17:59:30Z", "18:00", 30),
        ("2026-01-01T18:00:00Z", "18:00", 0),
        ("2026-01-01T18:00:01Z", "18:00", 86399),
        ("2026-01-01T23:30:00Z", "00:15", 45 * 60),
    ],
)
def test_waiting_for_a_fixed_hour(now, at, left):
    """Seconds to the next such hour, in UTC."""
    assert hour.seconds_until(now, at) == left


@pytest.mark.parametrize("at", ["24:00", "18", "18:60", "6pm", "18:00:00", ""])
def test_hours_that_are_none(at):
    """Quoted and refused."""
    with pytest.raises(Refused) as error:
        hour.seconds_until("2026-01-01T00:00:00Z", at)
    assert error.value.word == "bad-option"


def test_a_sync_at_a_fixed_hour_waits_first(make_table, monkeypatch, tmp_path):
    """Nothing is fetched, made or dated before that hour."""
    table = make_table()
    table.order("alice", "start C4")
    before = Repo(table.bare).text("for-each-ref")
    waited = []

    def wait(seconds: float) -> None:
        assert Repo(table.bare).text("for-each-ref") == before
        waited.append(seconds)

    monkeypatch.setattr(commands, "sleep", wait)
    told = git_command("sync", str(table.records["alice"].root), "--at", "18:00").stdout
    assert len(waited) == 1
    assert 0 <= waited[0] < 86400
    assert "pushed: your orders" in told
