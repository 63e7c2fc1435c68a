"""Commit messages tell the story of the game, and the tool knows its own."""

from __future__ import annotations

import pytest

from adjudicator.git import messages


def test_the_log_tells_the_story(finished, run_git):
    """One commit for the invite, each join, each slip and each entry, in words."""
    log = run_git(finished.record.root, "log", "--format=%an: %s", "main").splitlines()
    steps = finished.record.last_step()
    slips = len(list((finished.record.root / "slips").glob("*.toml")))
    assert len(log) == 1 + len(finished.players) + slips + steps + 1
    assert log[-1] == "host: Invite to Sugar Dog (sugar-dog/1)"
    assert f"host: {steps:04d} Reveal" in log[0]
    assert "host: 0000 The game begins: alice, bob" in log
    assert "alice: 0001 alice: orders" in log
    assert all(len(line) < 90 for line in log)


def test_the_first_entry_and_the_last(finished):
    """In a line; each other entry has news and who is awaited below it."""
    ledger = finished.host.ledger
    first, *others, last = (messages.entry(ledger.opening, one.entry) for one in ledger.links())
    assert first == "0000 The game begins: alice, bob"
    assert last.startswith(f"{ledger.last.step:04d} Reveal")
    assert "\n" not in last
    assert all("\n\n" in one for one in others)


@pytest.mark.parametrize(
    "message",
    [
        messages.join("alice"),
        messages.slip(1, "alice", 1),
        messages.slip(12345, "alice", 9),
    ],
)
def test_what_a_players_own_commits_say(message):
    """Those words, of that player, with nothing before, behind or below them."""
    assert messages.is_of("alice", f"{message}\n")
    assert not messages.is_of("bob", f"{message}\n")
    assert not messages.is_of("alic.", f"{message}\n")
    for other in (message, f"{message}\n\n", f" {message}\n", f"{message}\nAwaited: bob\n"):
        assert not messages.is_of("alice", other)


@pytest.mark.parametrize("step", [0, 1, 12345])
def test_who_came_another_way(step):
    """The message names all of them, in any order: joins before genesis, orders later."""
    message = messages.other_way(step, ["bob", "alice"]) + "\n"
    assert messages.is_other_way({"alice", "bob"}, message)
    assert messages.is_other_way(["bob", "alice"], message)
    for players in (["alice"], ["alice", "bob", "carol"], ["alice", "carol"], []):
        assert not messages.is_other_way(players, message)


def test_boxes_name_what_was_seen():
    """They name nothing if not everything was seen."""
    assert messages.letterbox("ab" * 32).endswith(f"\n\nAfter {'ab' * 32}")
    assert "After" not in messages.letterbox("")
