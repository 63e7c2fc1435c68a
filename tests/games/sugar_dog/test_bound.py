"""The bounds on reports and order files: never exceeded, not moved by play, as the vectors say.

`python tests/games/sugar_dog/test_bound.py` writes the vectors anew.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.bounds import json_bytes
from games.dice import Dice
from games.game import Malformed, Written
from games.lines import check_size
from games.sugar_dog import GAME
from games.sugar_dog.lines import MOST_BYTES
from games.sugar_dog.state import side
from games.told import tell
from orders.documents import LAST_STEP
from orders.order_file import compose

VECTORS = Path(__file__).parents[2] / "vectors" / "bounds-sugar-dog.json"
SHORT = ("alice", "bobby", "carol", "david", "ellen", "frank", "grace", "heidi")
SEATS = (
    SHORT[:2],
    SHORT[:3],
    SHORT,
    ("a", "b"),
    ("a", "b" * 32, "c"),
    tuple(f"p{number}" for number in range(26)),
)


def vectors():
    """Several games, and their two bounds."""
    made = []
    for players in SEATS:
        setup = GAME.setup(players, {"missed": "resign"})
        made.append(
            {
                "players": list(players),
                "options": {"missed": "resign"},
                "report": GAME.report_bound(setup),
                "order": GAME.order_bound(setup),
            }
        )
    return made


def test_the_vectors_are_as_the_code_has_it():
    """Sizes are part of the rules version: a change of either number is a change of it."""
    assert json.loads(VECTORS.read_text(encoding="utf-8")) == vectors()


def test_the_formula_on_the_rules_page_gives_the_vectors():
    """Reckoned by hand, with what the page says."""
    for vector in json.loads(VECTORS.read_text(encoding="utf-8")):
        lengths = [len(player) for player in vector["players"]]
        p, together, m = len(lengths), sum(lengths), max(lengths)
        c = len(str(side(p))) + (1 if side(p) <= 26 else 2)
        d = len(str(4 * p**2 + 2 * p + 4))
        report = 347 + 135 * p + 3 * together + m + 4 * c + 2 * p * c + (3 * p + 5) * (c + d)
        assert vector["report"] == report
        assert vector["order"] == 893 + m


@pytest.mark.parametrize(("count", "most"), [(2, 2048), (8, 4096)])
def test_sealed_files_are_small(count, most):
    """With names of five letters, and what surrounds a report: game, step, salt, player."""
    setup = GAME.setup(SHORT[:count], {})
    assert GAME.report_bound(setup) + 180 <= most - 64
    assert GAME.order_bound(setup) <= 2048 - 64


def test_what_options_count_is_reckoned_with():
    """As the rules page has it: a view counts quiet turns, and missed deadlines."""
    names = SHORT[:3]
    together = sum(map(len, names))
    plain = GAME.report_bound(GAME.setup(names, {}))
    quiet = GAME.report_bound(GAME.setup(names, {"quiet": 100}))
    assert quiet == plain + 9 + 3
    missed = GAME.report_bound(GAME.setup(names, {"missed": "resign", "misses": 12}))
    assert missed == plain + 11 + together + 4 * 3 + 3 * 2


@pytest.mark.parametrize("options", [{"quiet": 30}, {"missed": "resign", "misses": 2}])
def test_no_report_of_a_game_with_counters_is_longer(options):
    """With options that count turns; and states come back as they were written."""
    for number in range(6):
        setup = GAME.setup(SHORT[:3], options)
        longest, _ = reports_of(setup, b"%d" % number, anything)
        assert 0 < longest <= GAME.report_bound(setup)


def test_bounds_depend_on_the_players_and_not_on_these_options():
    """On their number and names."""
    bound = GAME.report_bound(GAME.setup(SHORT[:2], {}))
    assert bound == GAME.report_bound(GAME.setup(SHORT[:2], {"first": "alice", "missed": "resign"}))
    assert bound < GAME.report_bound(GAME.setup((SHORT[0], "b" * 32), {}))
    assert bound < GAME.report_bound(GAME.setup(SHORT[:3], {}))


# That no report is longer.


def reports_of(setup, seed, write, most=400):
    """The bytes of every report of one game, and the most torpedoes of one owner at rest.

    `write(view, dice)` gives an order file's text, or None for a missed deadline.
    """
    state, dice, longest, flying = GAME.start(setup), Dice(seed), 0, 0
    for number in range(most):
        orders = {}
        for prompt in GAME.awaited(state):
            view = GAME.view(state, prompt.player)
            text = write(view, Dice(b"%s/%d/%s" % (seed, number, prompt.player.encode())))
            if text is not None:
                orders[prompt.player] = GAME.read(view, Written(text))
        if not GAME.awaited(state):
            break
        step = GAME.adjudicate(state, orders, dice)
        state = step.state
        for player in setup.players:
            told = tell(GAME.view(state, player), step.events, GAME.voids)
            longest = max(longest, json_bytes(told))
        flying = max(flying, *(len(fleet.torpedoes) for fleet in state.fleets.values()))
    return longest, flying


def anything(view, dice):
    """Any line but those that end the game, now and then with a draw, now and then none."""
    lines = [line for line in GAME.legal(view) if line not in ("draw", "resign")]
    drawn = "draw\n" if "turn" in view.shown and dice.below("draw", 8) == 0 else ""
    return None if dice.below("miss", 12) == 0 else drawn + lines[dice.below("line", len(lines))]


def gunner(view, dice):
    """Mostly shots, with pings and silent moves: the most torpedoes and the longest reports."""
    lines = GAME.legal(view)
    shots = [line for line in lines if line.startswith(("fire", "start"))]
    quiet = [line for line in lines if line.startswith("silent ") or line in ("ping", "mine")]
    mostly = shots * 4 + quiet
    return mostly[dice.below("line", len(mostly))]


def hostile(view, dice):
    """A file of as many lines as are read, the command on the last, with a hostile remark."""
    lines = [line for line in GAME.legal(view) if line not in ("draw", "resign")]
    return "\n" * 80 + lines[dice.below("line", len(lines))] + ' #"' + "\\" * 5


NAMES = tuple(f"{letter * 30}-{letter}" for letter in "abcdefgh")


@pytest.mark.parametrize(("players", "games"), [(2, 10), (3, 4), (5, 2), (8, 1)])
@pytest.mark.parametrize("write", [anything, gunner, hostile])
def test_no_report_is_longer_than_the_bound(players, games, write):
    """In games of anything, of mostly shots, of hostile files, with missed steps, of two to eight;
    and no owner has more torpedoes in flight than the bound counts with."""
    for names in (SHORT, NAMES):
        setup = GAME.setup(names[:players], {})
        bound = GAME.report_bound(setup)
        for number in range(games):
            longest, flying = reports_of(setup, b"%d" % number, write)
            assert 0 < longest <= bound
            assert flying <= players


@pytest.mark.parametrize("players", [2, 3, 5])
def test_no_report_of_captains_is_longer(play, players):
    """Who plays well is told no more."""
    for step in play(0, ("captain",) * players):
        for player in step.setup.players:
            assert json_bytes(step.report(player)) <= GAME.report_bound(step.setup)


def test_as_many_torpedoes_fly_as_the_bound_counts_with(at):
    """The count of torpedoes at rest is reached: shots along the whole map, one a turn."""
    table = at(turn="alice", alice={"sub": "A1"}, bob={"sub": "C3"}, carol={"sub": "D3"})
    most = 0
    for _ in range(5):
        table.step(alice="fire N")
        most = max(most, len(table.state.fleets["alice"].torpedoes))
        table.step(bob="silent")
        table.step(carol="silent")
    assert most == 3


def test_the_fullest_table_stays_within_the_bound(at):
    """As much as can be at sea for each of five, and as much of it as can be told at once."""
    names = SHORT[:5]
    sea = {
        name: {
            "sub": f"{column}1",
            "mines": [f"{column}11", f"{column}10", f"{column}8"],
            "left": 0,
            "torpedoes": [f"{column}{row} N" for row in (11, 9, 7, 5, 3)],
        }
        for name, column in zip(names, "ABCDE", strict=True)
    }
    for name in names[1:]:
        sea[name] = {**sea[name], "mines": ["L1", "L2", "L3"]}
    setup = GAME.setup(names, {})
    state = GAME.state(setup, {"turn": "alice", "n": 2**53 - 1, **sea})
    orders = {"alice": GAME.read(GAME.view(state, "alice"), Written("draw\nfire N"))}
    step = GAME.adjudicate(state, orders, Dice(b""))
    told = tell(GAME.view(step.state, "alice"), step.events, GAME.voids)
    assert len(told["events"]) > 10
    assert json_bytes(told) <= GAME.report_bound(setup)


# Order files.


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n" * 87 + "silent", 88),
        ("silent\n" + "#\n" * 80, 78),
        ("silent # " + "x" * 688, 1),
        ("silent # " + "\\" * 344, 1),
        ("silent\n" + '#"' * 300, 2),
        ("x" * 10_000_000, 1),
        ("silent\n" * 1_000_000, 51),
    ],
)
def test_a_longer_order_file_is_malformed(at, text, line):
    """Lines that take more than 704 bytes; refused at the first that is too much."""
    table = at(turn="alice", alice={"sub": "A1"}, bob={"sub": "F6"})
    with pytest.raises(Malformed, match="expected at most 704 bytes") as caught:
        GAME.read(GAME.view(table.state, "alice"), Written(text))
    assert caught.value.line == line
    assert len(caught.value.text) <= 80


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 86 + "silent",
        "silent" + " \n" * 5000,
        "silent # " + "x" * 687 + " " * 5000,
        "silent # " + "\\" * 343,
    ],
)
def test_what_takes_704_bytes_is_read(at, text):
    """Blanks at the end of a line, and blank lines at the end, take nothing."""
    table = at(turn="alice", alice={"sub": "A1"}, bob={"sub": "F6"})
    assert GAME.read(GAME.view(table.state, "alice"), Written(text)).line


@pytest.mark.parametrize("text", ["\n" * 86 + "silent", "silent # " + "x" * 687, '\\"' * 174])
def test_the_bound_of_order_files_is_what_the_longest_one_takes(text):
    """As the core renders it, for the player with the longest name."""
    setup = GAME.setup(("alice", "b" * 32), {})
    check_size(text, MOST_BYTES)
    file = compose("f" * 64, LAST_STEP, "b" * 32, text.split("\n"), {}, GAME.tables)
    assert GAME.order_bound(setup) - 10 < len(file.render("0" * 64)) <= GAME.order_bound(setup)


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), indent=1) + "\n", encoding="utf-8")
