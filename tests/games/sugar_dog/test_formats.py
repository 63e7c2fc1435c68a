"""The page of this game's formats shows what the program makes.

`python tests/games/sugar_dog/test_formats.py` writes its examples anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import reported

import games
from games.dice import Dice
from games.game import EVERYONE, Written
from games.sugar_dog import GAME

PAGE = Path(__file__).parents[3] / "docs" / "formats" / "sugar-dog.md"
BLOCK = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)

SETUP = GAME.setup(("alice", "bob", "carol", "dave"), {})
POSITION = {
    "turn": "alice",
    "n": 7,
    "offers": ["carol"],
    "contacts": {"bob": "F4", "alice": "C2"},
    "alice": {"sub": "C4", "mines": ["C4", "C4"], "left": 1, "torpedoes": ["C2 N"]},
    "bob": {"sunk": True, "mines": ["E5"], "left": 2, "torpedoes": ["F4 E"]},
    "carol": {"sub": "A7"},
    "dave": {"sub": "J10"},
}


def laid_out(value):
    """JSON with a key of an object, or an item of a list, on each line."""
    if isinstance(value, dict):
        rows = [f'"{key}": {json.dumps(value[key], sort_keys=True)}' for key in sorted(value)]
        return "{\n  " + ",\n  ".join(rows) + "\n}\n"
    return "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n]\n"


def examples():
    """The blocks of the page, in order."""
    state = GAME.state(SETUP, POSITION)
    written = Written("draw\n# all or nothing\nping")
    orders = {"alice": GAME.read(GAME.view(state, "alice"), written)}
    step = GAME.adjudicate(state, orders, Dice(b""))
    public = [event.plain() for event in step.events if event.audience == EVERYONE]
    report = reported.told(GAME.view(step.state, "alice"), step.events)
    views = (GAME.view(state, player).shown for player in ("alice", None))
    return [laid_out(each) for each in (GAME.position(state), *views, public, report)]


def test_the_examples_are_what_the_program_makes():
    """State, a player's view, the public view, an entry's events, a report."""
    assert BLOCK.findall(PAGE.read_text("utf-8")) == examples()


def test_the_example_shows_what_is_hard_to_guess():
    """A void line, an event twice, a torpedo that outlives its owner, places of private events."""
    report = json.loads(examples()[-1])
    told = [event for _, event in report["events"]]
    assert {"kind": "void", "line": 3, "reason": "sunk"} in told
    assert any(told.count(event) > 1 for event in told)
    assert len({place for place, _ in report["events"]}) > 1
    assert {"kind": "contact", "by": "bob", "at": "G4"} in json.loads(examples()[-2])


def rows(heading):
    """The keys by kind in the tables under a heading of the page."""
    part = PAGE.read_text("utf-8").partition(heading)[2].partition("\n\n| ")[2].partition("\n\n")[0]
    found = re.findall(r"^\| `([a-z-]+)` \| (.*?) \|", part, re.MULTILINE)
    return {kind: re.findall(r"`([a-z]+)`", re.sub(r"\(.*?\)", "", keys)) for kind, keys in found}


def test_every_kind_of_event_stands_on_the_page_and_in_the_rules(reach, play):
    """With its keys in the order in which they are written; no other kind stands there."""
    known = {EVERYONE: rows("To everybody:"), "": rows("To one player")}
    known[EVERYONE]["over"] = []
    met = set()
    steps = [events for seed in range(12) for events in reach(3, seed, 120).events]
    for seed in range(4):
        steps += [step.events for step in play(seed, ("captain", "random", "captain"))]
    for event in (event for events in steps for event in events):
        met.add(event.kind)
        keys = known[event.audience if event.audience == EVERYONE else ""]
        if event.kind not in ("over", "void"):
            assert keys[event.kind] == list(event.fields), event.kind
    assert met | {"void"} == {*known[EVERYONE], *known[""], "void"}
    page = games.rules_page(GAME).partition("## Events")[2]
    assert all(re.search(rf"^\| `{kind} {{", page, re.MULTILINE) for kind in met | {"void"})


if __name__ == "__main__":
    made = iter(examples())
    text = BLOCK.sub(lambda _: f"```json\n{next(made)}```", PAGE.read_text("utf-8"))
    PAGE.write_text(text, encoding="utf-8")
