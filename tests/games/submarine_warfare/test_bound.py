"""The bounds on reports and order files: never exceeded, and not a matter of what is hidden."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.dice import Dice
from games.game import Malformed, OrderError, Written
from games.submarine_warfare import GAME
from games.submarine_warfare.lines import MOST_BYTES, MOST_LINES
from games.told import tell

VECTORS = Path(__file__).parents[2] / "vectors" / "bounds-submarine-warfare.json"
LONG = ("a" * 32, "b" * 32)
CHEAP = "".join(
    f'[{name}]\nmechanism = "{kind}"\nap = {ap}\n{numbers}source = "house"\n'
    for name, kind, ap, numbers in (
        ("charge", "depth-charge", 1, "damage = 1\n"),
        ("other-charge", "depth-charge", 1, "damage = 2\n"),
        ("ear", "sonar", 1, "range = 12\n"),
        ("other-ear", "sonar", 1, "range = 12\n"),
        ("pile", "reactor", 0, "more = 2\n"),
        ("abcdefghijklmnopqrst", "nullify", 1, ""),
    )
)
"""A table in which every use costs 1 AP, and a turn has seven."""


def written(value):
    """The bytes of plain data as canonical JSON."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def vectors():
    """Several setups with their two bounds, as `VECTORS` holds them."""
    offers = [
        (("alice", "carol"), {}, None),
        (("al", "bo"), {}, None),
        (LONG, {}, None),
        (("carol", "alice"), {"rounds": 0}, None),
        (("carol", "alice"), {"rounds": 10_000, "missed": "pass", "first": "alice"}, None),
        (("alice", "carol"), {}, CHEAP),
    ]
    made = []
    for players, options, table in offers:
        setup = GAME.setup(players, options, table.encode() if table else None)
        offer = {"players": list(players), "options": options}
        sizes = {"report": GAME.report_bound(setup), "order": GAME.order_bound(setup)}
        made.append(offer | ({"table": table} if table else {}) | sizes)
    return made


def test_the_bounds_are_those_of_the_vectors():
    """Other implementations count on them: `python tests/games/submarine_warfare/test_bound.py`
    writes them anew."""
    assert json.loads(VECTORS.read_text("ascii")) == vectors()


def by_hand(setup):
    """The bound of reports, as RULES.md reckons it under Sizes."""
    table = setup.table.values()
    longest = max(map(len, setup.table))
    lines = [(43, 1), (35, 2)]
    kinds = {"torpedo": 59 + 42, "mine": 41 + 39, "heal": 45 + 45, "sonar": 33 + 5 * 9}
    kinds |= {"nullify": 48 + longest, "depth-charge": 50 + 4 * 42}
    lines += [(kinds[special.mechanism], special.ap) for special in table if special.ap]
    each = max((most + ap - 1) // ap for most, ap in lines)
    turn = 5 + sum(special.numbers.get("more", 0) for special in table)
    digits = len(str(setup.options["rounds"] or 10**7))
    short, long = sorted(map(len, setup.players))
    finds = 170 if any(special.mechanism == "sonar" for special in table) else 0
    held = sum(sorted(map(len, setup.table))[-5:])
    return 1018 + digits + 3 * long + 2 * short + turn * each + finds + held


def test_the_formula_of_the_rules_page_gives_the_bounds():
    """Whoever follows it by hand comes to the same numbers."""
    for offer in vectors():
        table = offer["table"].encode() if "table" in offer else None
        setup = GAME.setup(offer["players"], offer["options"], table)
        assert offer["report"] == by_hand(setup)
        assert offer["order"] == 1989 + max(map(len, setup.players))


def test_sealed_files_stay_small():
    """Between two players with names of five letters both take 2 KB at most, padded; the report
    with its envelope of 180 bytes."""
    setup = GAME.setup(("alice", "carol"), {})
    assert -(-(4 + GAME.report_bound(setup) + 180) // 64) * 64 <= 2048
    assert -(-(4 + GAME.order_bound(setup)) // 64) * 64 <= 2048


@pytest.mark.parametrize("table", [None, CHEAP])
def test_no_report_of_a_long_game_is_longer_than_the_bound(play, table):
    """With names of 32 characters, games without a last round, random play and captains."""
    setup = GAME.setup(LONG, {"rounds": 0}, table.encode() if table else None)
    bound = GAME.report_bound(setup)
    for seed in range(12):
        bots = (("random", "random"), ("captain", "random"), ("captain", "captain"))[seed % 3]
        for step in play(seed, bots, {"rounds": 0}, LONG, table):
            for name in LONG:
                assert len(written(step.report(name))) < bound


def reports(alice, bob, text, table=None, **position):
    """The sizes of both reports of Alice's turn with these lines, and their bound."""
    names = ("alice", "carol")
    setup = GAME.setup(names, {"rounds": 0}, table)
    position = {"turn": "alice", "round": 40, "first": "carol", **position}
    state = GAME.state(setup, {**position, "alice": alice, "carol": bob})
    orders = {"alice": GAME.read(GAME.view(state, "alice"), Written(text))}
    step = GAME.adjudicate(state, orders, Dice(b""))
    told = [tell(GAME.view(step.state, name), step.events, GAME.voids) for name in names]
    return [len(written(report)) for report in told], GAME.report_bound(setup)


def test_the_fullest_turns_are_not_longer():
    """A sonar with six AP that finds five each time, all mines laid, everybody on destroyed cells;
    charges with seven AP on one's own; a full row pushed along."""
    mines = [f"{column}{row}" for row in (1, 2, 6, 7) for column in "ABCDEFG"]
    mines = [cell for cell in mines if cell not in ("D2", "C2", "E2", "F2", "B2", "G1", "G7", "A7")]
    subs = ["a D2 5 down sonar", "b C2 5 down reactor", "c E2 5 down depth-charge"]
    subs += ["d F2 5 down battering-ram", "e B2 5 down torpedo"]
    foes = ["v D3 5 up heal", "w D4 5 down mine", "x C3 5 up armor", "y E3 5 up nullify"]
    ours = {"subs": subs, "mines": mines, "points": 49}
    found, bound = reports(ours, {"subs": [*foes, "z D1 5 down repair"]}, "a sonar\n" * 6)
    assert bound * 3 // 5 < max(found) < bound

    subs = ["a B2 5 down charge", "b B1 5 down pile", "c A2 5 down ear", "d C2 5 down other-ear"]
    foes = ["v G7 5 down ear", "w G6 5 down charge", "x F6 1 down pile", "z G5 5 down other-ear"]
    text = "a charge\n" * 4 + "c ear\nd other-ear\na charge"
    table = CHEAP.encode()
    charged, bound = reports({"subs": subs}, {"subs": foes}, text, table)
    assert bound // 4 < max(charged) < bound

    subs = ["a A4 5 down armor", "b C4 5 down heal", "c E4 5 down battering-ram"]
    subs += ["d G4 5 down torpedo", "e A1 5 down reactor"]
    foes = ["v B4 5 down armor", "w D4 5 down battering-ram", "x F4 5 down heal"]
    lines = "\n".join(["a move E", "b move N", *["a surface"] * (MOST_LINES - 2)])
    pushed, bound = reports({"subs": subs, "draw": True}, {"subs": foes}, lines)
    assert bound // 4 < max(pushed) < bound


def test_void_lines_are_told_with_the_largest_numbers():
    """As many lines as count, all but the first void, after as many blank ones as a file holds."""
    subs = ["a A4 5 down armor", "b G1 5 down reactor"]
    foes = ["v B4 5 down armor", "w C4 5 down heal"]
    blank = "\n" * 170
    text = "a move E" + blank + "\n".join(["a surface"] * (MOST_LINES - 1))
    state = GAME.state(
        GAME.setup(("alice", "carol"), {}),
        {"turn": "alice", "alice": {"subs": subs}, "carol": {"subs": foes}},
    )
    with pytest.raises(Malformed, match="at most 1800 bytes"):
        GAME.read(GAME.view(state, "alice"), Written(text))
    text = text.replace("\n" * 170, "\n" * 150)
    orders = {"alice": GAME.read(GAME.view(state, "alice"), Written(text))}
    step = GAME.adjudicate(state, orders, Dice(b""))
    report = tell(GAME.view(step.state, "alice"), step.events, GAME.voids)
    assert report["void"].split() == [f"{151 + number}b" for number in range(MOST_LINES - 1)]
    assert len(written(report)) < GAME.report_bound(state.setup)


def test_no_order_file_that_is_taken_is_longer_than_the_bound(play):
    """As much as fits, laid out in the one rendering, salt and all."""
    setup = GAME.setup(("alice", "carol"), {})
    view = GAME.view(GAME.state(setup, {"turn": "alice", "alice": {"subs": []}}), "alice")
    head = len(f'salt = "{"0" * 64}"\ngame = "{"0" * 64}"\nstep = 10000000\nplayer = "carol"\n')
    for remark in ("#" + "x" * 80, '#"\\', "#"):
        rows = [remark] * (MOST_BYTES // len(f"    {json.dumps(remark)},\n"))
        size = head + sum(len(f"    {json.dumps(row)},\n") for row in rows) + len("orders = [\n]\n")
        GAME.read(view, Written("\n".join(rows)))
        assert size <= GAME.order_bound(setup) <= size + len(remark) + 8
        with pytest.raises(OrderError):
            GAME.read(view, Written("\n".join([*rows, remark])))


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), indent=1) + "\n", "ascii", newline="\n")
