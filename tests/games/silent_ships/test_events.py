"""The events, each as a sentence."""

from __future__ import annotations

from typing import Any

from games.silent_ships import GAME
from games.silent_ships.events import HOW, VOID, news


def test_every_event_has_its_sentence(play: Any, bots: Any) -> None:
    """Whatever happens is told in one plain line that ends."""
    for seed in range(5):
        for step in play(seed, bots):
            for event in step.events:
                for told in (event.plain(), event.whole()):
                    text = GAME.news(told)
                    assert text.isascii()
                    assert "\n" not in text
                    assert text.endswith(".")


def test_every_ending_and_reason_has_its_words() -> None:
    """`over` and `void` in all their kinds."""
    for how in HOW:
        assert "alice" in news({"kind": "over", "winner": "alice", "how": how})
    for reason in VOID:
        assert VOID[reason][1] in news({"kind": "void", "line": 3, "reason": reason})
