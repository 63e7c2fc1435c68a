"""docs/formats/submarine-warfare.md: every key, in its order, and examples that the program makes.

    python tests/games/submarine_warfare/test_format_page.py

writes the page's examples anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import reported

from games.dice import Dice
from games.game import Written
from games.grid import Cell
from games.submarine_warfare import GAME
from games.submarine_warfare import events as tell

PAGE = Path(__file__).parents[3] / "docs" / "formats" / "submarine-warfare.md"
BEFORE = {
    "turn": "alice",
    "round": 12,
    "first": "alice",
    "alice": {
        "points": 24,
        "subs": [
            "a D2 5 down torpedo",
            "b C3 3 up nullify",
            "c F4 4 down sonar",
            "d A1 2 down armor",
        ],
        "mines": ["E2", "B2"],
        "sunk": ["e mine"],
        "nullified": ["heal", "armor"],
    },
    "bob": {
        "points": 7,
        "subs": [
            "v D5 2 down heal",
            "w E5 5 up armor",
            "x C4 3 down repair",
            "z G7 4 down reactor",
        ],
        "sunk": ["y mine"],
    },
}
ORDERS = """\
a torpedo N      # whoever comes first that way
c sonar
b move N

c sonar
b surface        # void: b has collided
draw
"""
EXAMPLES = (
    tell.placed("a", Cell(2, 1)),
    tell.turn("bob", 12),
    tell.surfaced("x", Cell(3, 4)),
    tell.submerged("c", Cell(4, 1)),
    tell.collision("b", Cell(3, 3), "x", Cell(3, 4), Cell(3, 5)),
    tell.destroyed("w", Cell(5, 5)),
    tell.destroyed_at("bob", "v", Cell(4, 5)),
    tell.reached("alice"),
    tell.ring(1),
    tell.draw_offered("bob"),
    tell.over({"winner": "bob", "how": "fifty"}),
    tell.moved("alice", "a", Cell(4, 3)),
    tell.replace("alice", "a"),
    tell.torpedo("alice", "a", Cell(4, 2), "N"),
    tell.mine("*", "e", Cell(6, 2)),
    tell.heal("alice", "c", "d"),
    tell.heal_target("alice", "c", "d"),
    tell.sonar("alice", "c"),
    tell.nullify("*", "b", "repair"),
    tell.depth_charge("*", "y", Cell(5, 7)),
    tell.hit("bob", "v", 2),
    tell.healed("*", "x", 1),
    tell.found("alice", "v", Cell(4, 5)),
    tell.not_placed("alice", Cell(6, 2)),
    tell.scored("alice", 2, 26),
    tell.void("alice", 6, "collided"),
)


def laid_out(value: object) -> str:
    """Canonical JSON with line ends after the keys of the outer table, or a list's items."""
    if isinstance(value, dict):
        ends = [f"{canonical(key)}:{canonical(value[key])}" for key in sorted(value)]
        return "{\n" + ",\n".join(ends) + "\n}\n"
    return "[\n" + ",\n".join(json.dumps(item, separators=(",", ":")) for item in value) + "\n]\n"


def canonical(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


def played():
    """The step of the page."""
    state = GAME.state(GAME.setup(("alice", "bob"), {}), BEFORE)
    orders = {"alice": GAME.read(GAME.view(state, "alice"), Written(ORDERS))}
    return state, GAME.adjudicate(state, orders, Dice(b""))


def blocks() -> list[str]:
    """What stands in the page's blocks, one after the other."""
    state, step = played()
    reports = [reported.told(GAME.view(step.state, name), step.events) for name in ("alice", "bob")]
    return [
        laid_out(GAME.position(state)),
        laid_out(GAME.view(state, "alice").shown),
        laid_out(GAME.view(state, None).shown),
        ORDERS,
        laid_out([event.plain() for event in step.events if event.audience == "*"]),
        *map(laid_out, reports),
    ]


BOTS = (("captain", "random"), ("random", "random"), ("captain", "captain"))
BLOCK = re.compile(r"^```(json)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROW = re.compile(
    r"^(\| `([a-z-]+)` \| (?:all|seen|author|knowing) \| (.*?) \|) (.*)\|$", re.MULTILINE
)


def made(text: str) -> str:
    """The page with its examples as the program makes them."""
    fresh = iter(blocks())
    text = BLOCK.sub(lambda found: f"```{found[1] or ''}\n{next(fresh)}```", text)
    events = {event.kind: json.dumps(event.plain()) for event in EXAMPLES}
    return ROW.sub(lambda row: f"{row[1]} `{events[row[2]]}` |", text)


def test_the_examples_are_made_by_the_program():
    """Positions, views, orders, events and reports of one step, and an event of every kind."""
    text = PAGE.read_text("ascii")
    assert text == made(text)
    assert len(BLOCK.findall(text)) == len(blocks())
    assert [event.kind for event in EXAMPLES] == [row[2] for row in ROW.finditer(text)]


def test_the_step_shows_what_is_hard():
    """A find told twice, a void line after a blank one, a place for those alone who may know it, a
    hit on the other's submarine, a ring, a repair: so that whoever makes these bytes has them."""
    _, step = played()
    alice, bob = (
        reported.told(GAME.view(step.state, name), step.events) for name in ("alice", "bob")
    )
    finds = [event for _, event in alice["events"] if event["kind"] == "found"]
    assert len(finds) > len({event["sub"] for event in finds})
    assert [event["line"] for _, event in alice["events"] if event["kind"] == "void"] == [6]
    told = [
        [(place, event) for place, event in report["events"] if event["kind"] == "destroyed-at"]
        for report in (alice, bob)
    ]
    assert told[0] and told[0] == told[1]
    assert "hit" in [event["kind"] for _, event in bob["events"]]
    kinds = {event.kind for event in step.events}
    assert kinds >= {"collision", "destroyed", "scored", "reached", "healed", "found", "turn"}
    for name, told in (("alice", alice), ("bob", bob)):
        heard = [event.whole() for event in step.events if event.heard_by(name)]
        own = [event for event in heard if event["for"] == name]
        assert [{"for": name, **event} for _, event in told["events"]] == own
        places = [place for place, _ in told["events"]]
        assert places == [
            sum(event["for"] == "*" for event in heard[:at])
            for at, event in enumerate(heard)
            if event["for"] == name
        ]


def listed() -> dict[str, tuple[str, list[str], set[str]]]:
    """By kind: for whom, the keys in order, and those that are there only sometimes."""
    rows = re.findall(
        r"^\| `([a-z-]+)` \| (all|seen|author|knowing) \| (.*?) \|",
        PAGE.read_text("ascii"),
        re.MULTILINE,
    )
    return {
        kind: (
            audience,
            re.findall(r"`([a-z_]+)`", keys),
            set(re.findall(r"\[`([a-z_]+)`\]", keys)),
        )
        for kind, audience, keys in rows
    }


def test_events_have_the_keys_of_the_page_in_its_order(play):
    """In whole games: no other kind, no other key, none left out but those marked, and for whom."""
    kinds, seen = listed(), set()
    steps = [step.events for seed in range(24) for step in play(seed, BOTS[seed % 3])]
    rare = (tell.heal_target("alice", "a", "b"),)
    for event in (event for events in (rare, played()[1].events, *steps) for event in events):
        audience, keys, sometimes = kinds[event.kind]
        fields = list(event.fields)
        assert fields == [key for key in keys if key in fields]
        assert set(keys) - set(fields) <= sometimes
        assert audience == "seen" or (event.audience == "*") == (audience == "all")
        seen.add(event.kind)
    assert seen == set(kinds)


def keys_of(heading: str) -> list[str]:
    """The keys in the first column of the tables under a heading."""
    text = PAGE.read_text("ascii").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]*`) \|", text, re.MULTILINE)
    return [word for row in rows for word in re.findall(r"`([a-z_]+)`", row)]


@pytest.mark.parametrize("bots", BOTS)
def test_positions_and_views_have_the_keys_of_the_page(play, bots):
    """Every key of a whole game's positions and views is on the page, and the other way round."""
    position, view = set(keys_of("Position")), set(keys_of("View"))
    met_position, met_view = set(), set()
    for seed in range(20):
        for step in play(seed, bots):
            tables = [GAME.position(step.state)]
            views = [GAME.view(step.state, name).shown for name in ("alice", "bob", None)]
            met_position |= keys(tables)
            met_view |= keys(views)
            assert set(views[2]) <= {"turn", "round", "rings", "reached", "alice", "bob"}
    assert met_position - {"alice", "bob", "winner", "how"} == position
    own = {"row", "points", "mines", "sunk"}
    assert met_view - {"alice", "bob"} - own == view


def keys(tables) -> set[str]:
    """All keys of tables, and of tables in them."""
    found: set[str] = set()
    for table in tables:
        found |= set(table)
        found |= keys([value for value in table.values() if isinstance(value, dict)])
    return found


if __name__ == "__main__":
    PAGE.write_text(made(PAGE.read_text("ascii")), "ascii", newline="\n")
