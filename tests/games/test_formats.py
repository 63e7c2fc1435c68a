"""The page of each game's formats shows what the program makes, and the rules list its events.

`PYTHONPATH=tests python tests/games/test_formats.py` writes the pages' examples anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from matches import played
from reported import laid_out, told

import games
from games.dice import Dice
from games.game import EVERYONE, Game, Step, Written
from games.submarine_warfare import events as of_submarines

AnyGame = Game[Any, Any]

GAMES = DOG, SHIPS, SUBS = [
    games.load(name) for name in ("sugar-dog", "silent-ships", "submarine-warfare")
]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
BLOCK = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    """One step from a position, in which one player orders; whose reports of it are shown."""

    players: tuple[str, ...]
    position: Mapping[str, Any]
    author: str
    text: str
    readers: tuple[str, ...] = ("alice",)


EXAMPLES = {
    "sugar-dog": Example(
        ("alice", "bob", "carol", "dave"),
        {
            "turn": "alice",
            "n": 7,
            "offers": ["carol"],
            "contacts": {"bob": "F4", "alice": "C2"},
            "alice": {"sub": "C4", "mines": ["C4", "C4"], "left": 1, "torpedoes": ["C2 N"]},
            "bob": {"sunk": True, "mines": ["E5"], "left": 2, "torpedoes": ["F4 E"]},
            "carol": {"sub": "A7"},
            "dave": {"sub": "J10"},
        },
        "alice",
        "draw\n# all or nothing\nping",
    ),
    "silent-ships": Example(
        ("alice", "bob"),
        {
            "turn": "alice",
            "board": [
                "A2 alice down submarine", "B3 alice up frigate", "A3 bob down missile-boat",
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
                "from": "A2", "to": "A3", "asks": "retreat", "player": "bob",
                "given_support": ["B3 salvage-ship"], "given_push": "A4",
                "waiting": ["swap A3 missile  # not possible", "", "end"], "line": 2,
            },
        },
        "bob",
        "stand",
    ),
    "submarine-warfare": Example(
        ("alice", "bob"),
        {
            "turn": "alice",
            "round": 12,
            "first": "alice",
            "alice": {
                "points": 24,
                "subs": [
                    "a D2 5 down torpedo", "b C3 3 up nullify", "c F4 4 down sonar",
                    "d A1 2 down armor",
                ],
                "mines": ["E2", "B2"],
                "sunk": ["e mine"],
                "nullified": ["heal", "armor"],
            },
            "bob": {
                "points": 7,
                "subs": [
                    "v D5 2 down heal", "w E5 5 up armor", "x C4 3 down repair",
                    "z G7 4 down reactor",
                ],
                "sunk": ["y mine"],
            },
        },
        "alice",
        """\
a torpedo N      # whoever comes first that way
c sonar
b move N

c sonar
b surface        # void: b has collided
draw
""",
        ("alice", "bob"),
    ),
}  # fmt: skip


@cache
def step_of(game: AnyGame) -> tuple[Any, Step[Any]]:
    """The position of the page, and the step from it."""
    example = EXAMPLES[game.id]
    state = game.state(game.setup(example.players, {}), example.position)
    orders = game.read(game.view(state, example.author), Written(example.text))
    return state, game.adjudicate(state, {example.author: orders}, Dice(b""))


def reports(game: AnyGame) -> list[dict[str, Any]]:
    """What the reports on the page tell."""
    step = step_of(game)[1]
    return [told(game.view(step.state, name), step.events) for name in EXAMPLES[game.id].readers]


def page(game: AnyGame) -> Path:
    return Path(__file__).parents[2] / "docs" / "formats" / f"{game.id}.md"


def made(game: AnyGame) -> str:
    """The page with its examples as the program makes them: state, a player's view, an entry's
    events, reports."""
    state, step = step_of(game)
    public = [event.plain() for event in step.events if event.audience == EVERYONE]
    values = (game.position(state), game.view(state, "alice").shown, public, *reports(game))
    fresh = iter(map(laid_out, values))
    return BLOCK.sub(lambda _: f"```json\n{next(fresh)}```", page(game).read_text("ascii"))


@every_game
def test_the_examples_are_what_the_program_makes(game: AnyGame) -> None:
    """All of one step; the orders too where they are shown."""
    text, example = page(game).read_text("ascii"), EXAMPLES[game.id]
    assert text == made(game)
    assert len(BLOCK.findall(text)) == 3 + len(example.readers)
    assert game is not SUBS or f"```\n{example.text}```" in text


def kinds(events: Iterable[Any]) -> list[str]:
    return [event["kind"] for event in events]


def test_the_example_of_sugar_dog_shows_what_is_hard_to_guess() -> None:
    """A void line, an event twice, a torpedo that outlives its owner, places of private events."""
    (report,) = reports(DOG)
    told_alone = [event for _, event in report["events"]]
    assert {"kind": "void", "line": 3, "reason": "sunk"} in told_alone
    assert any(told_alone.count(event) > 1 for event in told_alone)
    assert len({place for place, _ in report["events"]}) > 1
    public = [event.plain() for event in step_of(DOG)[1].events if event.audience == EVERYONE]
    assert {"kind": "contact", "by": "bob", "at": "G4"} in public


def test_the_example_of_silent_ships_shows_what_is_hard_to_guess() -> None:
    """A void line, a secret beside a public event, an attack with all its keys."""
    (report,) = reports(SHIPS)
    assert kinds(event for _, event in report["events"]) == ["discarded", "void"]
    assert report["events"][-1][1]["line"] == 2
    state, secret = step_of(SHIPS)[0], {"given_support", "given_push"}
    assert secret <= {*SHIPS.position(state)["attack"]}
    assert not secret & {*SHIPS.view(state, "alice").shown["attack"]}


def test_the_example_of_submarine_warfare_shows_what_is_hard_to_guess() -> None:
    """A find told twice, a void line after a blank one, a place for those alone who may know it, a
    hit on the other's submarine, a ring, a repair."""
    alice, bob = (report["events"] for report in reports(SUBS))
    finds = [event["sub"] for _, event in alice if event["kind"] == "found"]
    assert len(finds) > len({*finds})
    assert [event["line"] for _, event in alice if event["kind"] == "void"] == [6]
    gone = [[one for one in report if one[1]["kind"] == "destroyed-at"] for report in (alice, bob)]
    assert gone[0] and gone[0] == gone[1]
    assert "hit" in kinds(event for _, event in bob)
    assert {event.kind for event in step_of(SUBS)[1].events} >= {
        "collision", "destroyed", "scored", "reached", "healed", "found", "turn",
    }  # fmt: skip


@every_game
def test_a_report_tells_what_is_for_its_reader_alone(game: AnyGame) -> None:
    """Each with its place among the public events."""
    for name, report in zip(EXAMPLES[game.id].readers, reports(game), strict=True):
        heard = [event for event in step_of(game)[1].events if event.heard_by(name)]
        assert report["events"] == [
            [sum(one.audience == EVERYONE for one in heard[:at]), event.plain()]
            for at, event in enumerate(heard)
            if event.audience == name
        ]


def listed(game: AnyGame) -> dict[tuple[str, bool], list[list[str]]]:
    """The events of the rules: by kind, and whether for everybody, each form as its keys in order.

    Silent Ships lists them in two sentences, the others in a table.
    """
    found = dict[tuple[str, bool], list[list[str]]]()
    public, _, private = games.rules_page(game).partition("If part of an event is secret")
    rows = [(public.partition("\n19. ")[2], "everyone"), (private.partition("\n    |")[0], "one")]
    if game is not SHIPS:
        table = public.partition("\n## Events\n")[2].partition("\n## ")[0]
        rows = re.findall(r"^\| ([^|]*) \| ([^|]*) \|", table, re.MULTILINE)
    for text, audience in rows:
        for kind, keys in re.findall(r"`([a-z-]+) \{([^}]*)\}`", " ".join(text.split())):
            form = keys.replace(" = true", "").split(", ")
            for everyone in (True, False):
                if audience == "seen by both" or everyone == (audience == "everyone"):
                    found.setdefault((kind, everyone), []).append(form)
    return found


@every_game
def test_events_have_the_keys_of_the_rules_in_their_order(game: AnyGame) -> None:
    """In whole games: no other kind, no other form; and what the rules list comes."""
    forms, seen = listed(game), {"void"}
    bots = ("random", "random"), ("captain", "random")
    steps = [step.events for seed in range(16) for step in played(game.id, seed, bots[seed % 2])]
    rare = (of_submarines.heal_target("alice", "a", "b"),) if game is SUBS else ()
    for event in (event for events in (rare, step_of(game)[1].events, *steps) for event in events):
        seen.add(event.kind)
        assert list(event.fields) in forms[event.kind, event.audience == EVERYONE], event
    assert {kind for kind, _ in forms} - seen <= ({"offer", "swapped"} if game is SHIPS else set())


def keys_of(heading: str) -> set[str]:
    """The keys in the first column of the tables under a heading of Submarine Warfare's page."""
    text = page(SUBS).read_text("ascii").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]*`) \|", text, re.MULTILINE)
    return {word for row in rows for word in re.findall(r"`([a-z_]+)`", row)}


def keys(table: Mapping[str, Any]) -> set[str]:
    """All keys of a table, and of tables in it."""
    return {*table}.union(*(keys(value) for value in table.values() if isinstance(value, dict)))


@pytest.mark.parametrize("bots", [("random", "random"), ("captain", "captain")])
def test_positions_and_views_have_the_keys_of_the_page(bots: Any) -> None:
    """Every key of a whole game's positions and views is on the page, and the other way round."""
    states = [step.state for seed in range(20) for step in played(SUBS.id, seed, bots)]
    positions = set().union(*(keys(SUBS.position(state)) for state in states))
    shown = [SUBS.view(state, one).shown for state in states for one in ("alice", "bob", None)]
    assert positions - {"alice", "bob", "winner", "how"} == keys_of("Position")
    own = {"row", "points", "mines", "sunk"}
    assert set().union(*map(keys, shown)) - {"alice", "bob"} - own == keys_of("View")


if __name__ == "__main__":
    for one in GAMES:
        page(one).write_text(made(one), "ascii", newline="\n")
