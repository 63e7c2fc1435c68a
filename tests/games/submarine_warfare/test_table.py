"""The house table and the options: what can be offered, and what is refused and how."""

from __future__ import annotations

import tomllib

import pytest

import games
from games.cases import find, read
from games.options import OfferRefused, seconds
from games.submarine_warfare import GAME
from games.submarine_warfare.table import MECHANISMS, PASSIVE
from orders import toml

DEFAULT = GAME.default_table.decode()


def test_the_default_table_is_whole():
    """Every mechanism has a special of its name, and there are two more that shoot; each value is
    marked as published or house."""
    table = GAME.read_table(DEFAULT.encode())
    shots = {"salvo", "lance"}
    assert [name for name in table if name not in shots] == list(MECHANISMS)
    for name, special in table.items():
        assert special.name == name
        assert special.mechanism == ("torpedo" if name in shots else name)
        assert (special.mechanism in PASSIVE) == (special.ap == 0)
        assert set(special.sources) == {"mechanism", "ap", *special.numbers}
        assert set(special.numbers) == set(MECHANISMS[special.mechanism])
    published = {name for name, row in table.items() if row.sources["mechanism"] == "published"}
    assert published == {"nullify", "armor", "battering-ram", "mine", "heal"}
    given = {
        f"{name}.{value}"
        for name, row in table.items()
        for value, source in row.sources.items()
        if source == "published" and value != "mechanism"
    }
    assert given == {"armor.ap", "battering-ram.ap"}


@pytest.mark.parametrize("text", [b"", b"[torpedo", b"\xff", b"#" * 9000])
def test_what_is_no_table_is_refused(text):
    """When the game is offered; the cases say what a table may hold."""
    with pytest.raises(OfferRefused, match="table of specials"):
        GAME.setup(["alice", "bob"], {}, text)


def test_six_specials_of_other_names_are_a_table():
    """The least that can be offered; the setup names them."""
    first = list(tomllib.loads(DEFAULT).items())[:6]
    text = toml.render({f"my-{name}": row for name, row in first})
    setup = GAME.setup(["alice", "bob"], {}, text)
    assert list(setup.table) == [f"my-{name}" for name, _ in first]
    lines = GAME.legal(GAME.view(GAME.start(setup), "bob"))
    assert lines[0] == "v A7 my-torpedo"


def test_the_clocks_are_data():
    """SW-17: days where nothing is said, the published times as the preset `live`."""
    options = GAME.check_options({})
    assert (options["turn_time"], options["reserve_time"]) == ("3d", "7d")
    live = GAME.check_options(GAME.presets["live"])
    assert (seconds(live["turn_time"]), seconds(live["reserve_time"])) == (90, 300)


CASES = [read(path) for path in find(games.own_cases(GAME))]


def test_every_special_has_its_cases():
    """Each special, and each reason for a void."""
    words = {
        word for case in CASES for step in case.data.get("step", ()) for word in words_of(step)
    }
    assert set(GAME.setup(["alice", "bob"], {}).table) <= words
    reasons = "destroyed collided not-held nullified off-map scoring-cell occupied held no-target"
    assert {f"void {reason}" for reason in reasons.split()} <= words


def words_of(step):
    """Kinds of events that a step expects, words of its orders, `void` with its reason."""
    for event in step.get("events", ()):
        yield event["kind"]
        yield f"{event['kind']} {event.get('reason', '')}"
    for text in step["orders"].values():
        yield from text.split()
