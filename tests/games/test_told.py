"""What a report holds: told and heard again it is what its reader heard; no lie gets through."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.game import EVERYONE, Event, Setup, View
from games.told import VOID, hear, tell

CODES = {"sunk": "s", "too-far": "f", "not-yours": "Y"}
PLAYERS = ("alice", "bob", "carol")
SETUP = Setup(PLAYERS, {})

words = st.text("abcdefgh", min_size=1, max_size=4)
values = st.one_of(st.integers(0, 9), words, st.lists(words, max_size=2))
publics = st.builds(
    lambda kind, fields, private: Event(kind, EVERYONE, fields, private),
    words.map(lambda word: f"p-{word}"),
    st.dictionaries(words, values, max_size=3),
    st.dictionaries(
        st.sampled_from(PLAYERS),
        st.dictionaries(words.map(lambda word: f"own-{word}"), values, max_size=2),
        max_size=3,
    ),
)
owns = st.builds(
    lambda kind, player, fields: Event(kind, audience=player, fields=fields),
    words.map(lambda word: f"o-{word}"),
    st.sampled_from(PLAYERS),
    st.dictionaries(words, values, max_size=3),
)
voids = st.builds(
    lambda player, line, reason: Event(VOID, player, {"line": line, "reason": reason}),
    st.sampled_from(PLAYERS),
    st.integers(1, 9999),
    st.sampled_from(sorted(CODES)),
)
steps = st.lists(st.one_of(publics, owns, voids), max_size=12)


def entry_of(events: list[Event]) -> list[dict[str, Any]]:
    """The public events as an entry holds them."""
    return [event.public() for event in events if event.audience == EVERYONE]


@given(steps, st.sampled_from(PLAYERS))
def test_what_is_told_is_heard_again(events: list[Event], player: str) -> None:
    """Through JSON: every event that the player heard, in order, the void lines after the rest."""
    told = json.loads(json.dumps(tell(View(SETUP, player, {"n": 1}), events, CODES)))
    heard = [event.told_to(player) for event in events if event.heard_by(player)]
    in_order = sorted(heard, key=lambda event: event["kind"] == VOID)
    assert list(hear(player, told, entry_of(events), CODES)) == in_order
    assert told["view"] == {"n": 1}
    assert sorted(told) == ["events", "keys", "view", "void"]


@given(steps, st.sampled_from(PLAYERS))
def test_nothing_public_and_nothing_of_others_is_told(events: list[Event], player: str) -> None:
    """A report has each private event of its reader once, and no other event."""
    told = tell(View(SETUP, player, {}), events, CODES)
    own = [event for event in events if event.audience == player]
    said = [event.public() for event in own if event.kind != VOID]
    assert [event for _, event in told["events"]] == [
        event if said.index(event) == at else said.index(event) for at, event in enumerate(said)
    ]
    assert len(told["void"].split()) == sum(event.kind == VOID for event in own)
    assert all(extra == events_at(events, at).private[player] for at, extra in told["keys"])


def test_a_repetition_is_the_index_of_what_it_repeats() -> None:
    """It is written once, and heard in its place each time; the index is that of the first one."""
    seen, other = Event("seen", "bob", {"at": "A1"}), Event("seen", "bob", {"at": "A2"})
    turn = Event("turn", EVERYONE)
    events = [seen, turn, seen, other, turn, other, seen]
    told = tell(View(SETUP, "bob", {}), events, CODES)
    pairs = [[0, seen.public()], [1, 0], [1, other.public()], [2, 2], [2, 0]]
    assert told["events"] == pairs
    heard = hear("bob", told, entry_of(events), CODES)
    assert list(heard) == [event.told_to("bob") for event in events]


def events_at(events: list[Event], index: int) -> Event:
    """The public event of that index."""
    return [event for event in events if event.audience == EVERYONE][index]


def test_a_spectator_is_told_the_public_view_alone() -> None:
    """The report for nobody holds no private event and no key."""
    events = [
        Event("shot", EVERYONE, {"at": "A1"}, {"None": {"x": 1}, "alice": {"whose": "a"}}),
        Event("moved", "alice", {"to": "A1"}),
    ]
    told = tell(View(SETUP, None, {"n": 1}), events, CODES)
    assert told == {"events": [], "keys": [], "view": {"n": 1}, "void": ""}


def test_void_lines_take_six_bytes_at_most() -> None:
    """With the blank between two of them."""
    events = [Event(VOID, "bob", {"line": 9999, "reason": "sunk"})] * 50
    told = tell(View(SETUP, "bob", {}), events, CODES)
    assert len(told["void"]) == 50 * 6 - 1


PUBLIC = [{"kind": "turn", "player": "bob"}, {"kind": "shot", "at": "A1"}]
TRUE = {
    "events": [[1, {"kind": "moved", "to": "A1"}]],
    "keys": [[1, {"whose": "a"}]],
    "void": "3s 12f",
}


def test_the_report_as_it_is_is_heard() -> None:
    """So each change below is the reason for its refusal."""
    assert hear("bob", TRUE, PUBLIC, CODES) == (
        {"for": "*", "kind": "turn", "player": "bob"},
        {"for": "bob", "kind": "moved", "to": "A1"},
        {"for": "*", "kind": "shot", "at": "A1", "whose": "a"},
        {"for": "bob", "kind": "void", "line": 3, "reason": "sunk"},
        {"for": "bob", "kind": "void", "line": 12, "reason": "too-far"},
    )


MOVED = {"kind": "moved", "to": "A1"}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("events", None),
        ("events", {}),
        ("events", "ab"),
        ("events", [MOVED]),
        ("events", [[0]]),
        ("events", [[0, MOVED, 1]]),
        ("events", [[0, [MOVED]]]),
        ("events", [["0", MOVED]]),
        ("events", [[True, MOVED]]),
        ("events", [[-1, MOVED]]),
        ("events", [[3, MOVED]]),
        ("events", [[2**60, MOVED]]),
        ("events", [[1, MOVED], [0, MOVED]]),
        ("events", [[0, {"to": "A1"}]]),
        ("events", [[0, {"kind": 7}]]),
        ("events", [[0, {"kind": "moved", "for": "*"}]]),
        ("events", [[0, {"kind": "void", "line": 1, "reason": "sunk"}]]),
        ("events", [[1, 0]]),
        ("events", [[1, MOVED], [1, 1]]),
        ("events", [[1, MOVED], [1, -1]]),
        ("events", [[1, MOVED], [1, True]]),
        ("events", [[1, "moved"], [1, 0]]),
        ("events", [[1, MOVED], [0, 0]]),
        ("keys", [[1, 0]]),
        ("keys", None),
        ("keys", [[2, {"whose": "a"}]]),
        ("keys", [[0, {"whose": "a"}], [0, {"colour": "b"}]]),
        ("keys", [[1, {"whose": "a"}], [0, {"whose": "a"}]]),
        ("keys", [[0, {}]]),
        ("keys", [[1, {"at": "F6"}]]),
        ("keys", [[1, {"kind": "missed"}]]),
        ("keys", [[1, {"for": "bob"}]]),
        ("void", None),
        ("void", ["3s"]),
        ("void", "3"),
        ("void", "s"),
        ("void", "0s"),
        ("void", "03s"),
        ("void", "12345s"),
        ("void", "3s  4s"),
        ("void", "3s "),
        ("void", "3s\n"),
        ("void", "\u0663s"),
        ("void", "3x"),
    ],
)
def test_a_report_that_does_not_fit_its_entry_is_refused(key: str, value: object) -> None:
    """A host that lies in a report meets ValueError, which names the key, and nothing else."""
    with pytest.raises(ValueError, match=f"^{key}: "):
        hear("bob", {**TRUE, key: value}, PUBLIC, CODES)
    with pytest.raises(ValueError, match=f"^{key}: "):
        hear("bob", {name: TRUE[name] for name in TRUE if name != key}, PUBLIC, CODES)


@pytest.mark.parametrize("key", ["events", "keys", "void"])
@given(value=st.recursive(st.one_of(values, st.booleans()), st.lists, max_leaves=9))
def test_any_data_is_heard_or_refused(key: str, value: object) -> None:
    """Nothing but ValueError is ever raised."""
    try:
        hear("bob", {**TRUE, key: value}, PUBLIC, CODES)
    except ValueError as error:
        assert str(error).isascii()


def test_a_long_report_is_heard_in_linear_time() -> None:
    """Twenty thousand private events among as many public ones take half a second, not hours."""
    many = 20_000
    told = {
        "events": [[at, MOVED] for at in range(many)],
        "keys": [[at, {"whose": "a"}] for at in range(many)],
        "void": "",
    }
    heard = hear("bob", told, [{"kind": "turn"}] * many, CODES)
    assert len(heard) == 2 * many
