"""Commit messages tell the story of the game."""

from __future__ import annotations

from adjudicator.git import messages


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
    first, *others, last = (messages.entry(ledger.opening, one.entry) for one in ledger.links())
    assert first == "0000 The game begins: alice, bob"
    assert last.startswith(f"{ledger.last.step:04d} Reveal")
    assert "\n" not in last
    assert all("\n\n" in one for one in others)


def test_boxes_name_what_was_seen():
    """They name nothing if not everything was seen."""
    assert messages.letterbox("ab" * 32).endswith(f"\n\nAfter {'ab' * 32}")
    assert "After" not in messages.letterbox("")
