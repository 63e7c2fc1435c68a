"""The page of this game's formats shows what the program makes.

`python tests/games/silent_ships/test_formats.py` writes its examples anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import reported

from games.dice import Dice
from games.game import EVERYONE, Written
from games.silent_ships import GAME
from games.silent_ships.events import HOW, VOID, news

PAGE = Path(__file__).parents[3] / "docs" / "formats" / "silent-ships.md"
RULES = Path(__file__).parents[3] / "games" / "silent_ships" / "RULES.md"
BLOCK = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)

SETUP = GAME.setup(("alice", "bob"), {})
POSITION: dict[str, Any] = {
    "turn": "alice",
    "board": [
        "A2 alice down submarine",
        "B3 alice up frigate",
        "A3 bob down missile-boat",
        "E1 bob up patrol-ship",
    ],
    "idle": 3,
    "active": True,
    "offers": ["bob"],
    "alice": {
        "hand": ["speed-boat", "salvage-ship"],
        "deck": ["ramming-ship", "patrol-ship", "ammunition-ship"],
        "discards": ["fire-ship", "flag-ship"],
        "sunk": ["missile-boat"],
        "standing": {"retreat": "never", "discard": ["speed-boat"]},
        "shuffles": 1,
    },
    "bob": {"hand": ["fire-ship"], "deck": ["frigate"], "shuffles": 2},
    "attack": {
        "from": "A2",
        "to": "A3",
        "asks": "retreat",
        "player": "bob",
        "given_support": ["B3 salvage-ship"],
        "given_push": "A4",
        "waiting": ["swap A3 missile  # not possible", "", "end"],
        "line": 2,
    },
}


def laid_out(value: Any) -> str:
    """JSON with a key of an object, or an item of a list, on each line."""
    if isinstance(value, dict):
        rows = [f'"{key}": {json.dumps(value[key], sort_keys=True)}' for key in sorted(value)]
        return "{\n  " + ",\n  ".join(rows) + "\n}\n"
    return "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n]\n"


def examples() -> list[str]:
    """The blocks of the page, in order."""
    state = GAME.state(SETUP, POSITION)
    orders = {"bob": GAME.read(GAME.view(state, "bob"), Written("stand"))}
    step = GAME.adjudicate(state, orders, Dice(b""))
    public = [event.plain() for event in step.events if event.audience == EVERYONE]
    report = reported.told(GAME.view(step.state, "alice"), step.events)
    views = (GAME.view(state, player).shown for player in ("alice", None))
    return [laid_out(each) for each in (GAME.position(state), *views, public, report)]


def test_the_examples_are_what_the_program_makes() -> None:
    """State, a player's view, the public view, an entry's events, a report."""
    assert BLOCK.findall(PAGE.read_text("utf-8")) == examples()


def test_the_example_shows_what_is_hard_to_guess() -> None:
    """A void line, a secret beside a public event, an attack with all its keys."""
    report = json.loads(examples()[-1])
    assert [event["kind"] for _, event in report["events"]] == ["discarded", "void"]
    assert report["events"][-1][1]["line"] == 2
    assert {"given_support", "given_push"} <= set(json.loads(examples()[0])["attack"])
    assert not {"given_support", "given_push"} & set(json.loads(examples()[1])["attack"])


def test_every_word_of_a_digest_stands_in_a_table_of_the_rules() -> None:
    """Reasons, and how a game ends; each has its sentence."""
    page = RULES.read_text("utf-8")
    reasons = page.partition("A void line has one reason")[2].partition("\n13. ")[0]
    for reason in VOID:
        assert f"`{reason}`" in reasons, reason
        assert VOID[reason][1] in news({"kind": "void", "line": 3, "reason": reason})
    for how in HOW:
        assert re.search(rf"^ *\| `{how}` \|", page, re.MULTILINE), how
        assert "alice" in news({"kind": "over", "winner": "alice", "how": how})


def test_every_kind_of_event_stands_on_the_page(play: Any, bots: Any) -> None:
    """With its keys in the order in which they are written."""
    page = PAGE.read_text("utf-8").partition("## Events")[2]
    for seed in range(6):
        for step in play(seed, bots):
            for event in step.events:
                keys = re.search(rf"^\| `{event.kind}` \| (.*?) \|", page, re.MULTILINE)
                if event.audience == EVERYONE:
                    assert keys is not None, event.kind
                    assert re.findall(r"`(\w+)`", keys[1]) == list(event.fields), event.kind


if __name__ == "__main__":
    made = iter(examples())
    text = BLOCK.sub(lambda _: f"```json\n{next(made)}```", PAGE.read_text("utf-8"))
    PAGE.write_text(text, encoding="utf-8")
