"""Order files: what is understood, refused and offered, and how that is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from example import refusal
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dice import Dice
from games.game import After, Illegal, Malformed, OrderError, Written
from games.grid import Cell
from games.submarine_warfare import GAME
from games.submarine_warfare.orders import MOST_LINES, Placement, read_file

REFUSALS: Mapping[type[OrderError], Any] = {
    Malformed: [
        ("a moove N", 1, "one of move, surface", "did you mean 'move'?"),
        ("a fire N", 1, "in place of 'fire'", "perhaps 'torpedo'"),
        ("a move", 1, "'a move N' (or E, S, W)", ""),
        ("a move north", 1, "a heading in place of 'north'", "perhaps 'a move N'"),
        ("a", 1, "what a does", ""),
        ("a torpedo", 1, "'a torpedo N' (or E, S, W)", ""),
        ("a nullify", 1, "'a nullify SPECIAL'", ""),
        ("a nullify phaser", 1, "a special in place of 'phaser'", ""),
        ("a replace torpdo", 1, "a special in place of 'torpdo'", "did you mean 'torpedo'?"),
        ("a sonar E", 1, "nothing after 'a sonar'", ""),
        ("a surface\n\nstopp", 3, "'stopp' is no order", "did you mean 'stop'?"),
        ("stop now", 1, "nothing after 'stop'", ""),
        ("a A1", 1, "'a A1 SPECIAL'", ""),
        ("a mové N", 1, "plain ASCII", ""),
        ("a surface\na moove N\na mové N", 2, "one of move, surface", "did you mean 'move'?"),
        (f"a move N{' ' * 80}\u212a", 1, "plain ASCII", ""),
        ("draw\ndraw", 2, "'draw' once at most", ""),
        ("resign\nresign", 2, "'resign' once at most", ""),
        ("q move N", 1, "'q' is no order. Orders: stop, draw, resign, SUBMARINE (a to e", ""),
    ],
    Illegal: [
        ("v move N", 1, "one of your own submarines, a, b, c, d, e", ""),
        ("d move N", 1, "another submarine: d is destroyed", ""),
        ("c armor", 1, "it is passive", ""),
        ("a move N\nstop\ndraw", 3, "no line after 'stop'", ""),
        ("a A1 torpedo", 1, "the setup is over", ""),
        ("b mine N", 1, "a cell that does not score", "legal there: b mine E, b mine S"),
        ("b mine W", 1, "a cell where you see no submarine", "legal there: b mine E, b mine S"),
        ("b move N\nb move N", 2, "no further action of b", ""),
        ("a replace armor", 1, "a special that none of your submarines holds", "legal there"),
        ("a heal N", 1, "a special that a holds", "legal there: a move N, a move E"),
        ("c move N", 1, "a cell of the map, A1 to G7", "legal there: c move E, c move S"),
        ("a move W\na move W\na move W", 3, "a cell of the map", "legal there: a move N"),
        ("a torpedo N\n" * 3, 3, "lines for 5 AP in all", ""),
    ],
}
"""By kind: the file, the line at fault, what is said of what was expected, how a hint begins."""


@pytest.mark.parametrize(
    ("kind", "row"), [(kind, row) for kind, rows in REFUSALS.items() for row in rows]
)
def test_a_refusal_says_what_would_be_right(here, kind, row):
    """Lines are quoted, with what was expected, and where something is close or legal a hint."""
    text, line, said, hint = row
    error = refusal(GAME, GAME.view(here, "alice"), text)
    assert (type(error), error.line) == (kind, line)
    assert error.text == text.split("\n")[line - 1][:80]
    assert said in error.expected
    assert error.hint.startswith(hint) and bool(error.hint) == bool(hint)
    assert kind is Illegal or error.hint == hint


SETUP = GAME.setup(("alice", "bob"), {})


def test_what_is_understood():
    """Letter, and a command, a place or a word alone; in any case, blank lines counted."""
    text = "# go\nA MOVE n\n\n b sonar\t\r\nw replace depth-charge\nSTOP"
    read = read_file(SETUP, Written(text))
    assert [(order.line.number, order.letter) for order in read] == [
        (2, "a"), (4, "b"), (5, "w"), (6, ""),
    ]  # fmt: skip
    *commands, last = [order.does for order in read]
    said = [(command.verb, command.aim) for command in commands]
    assert said == [("move", "N"), ("sonar", ""), ("replace", "depth-charge")]
    assert last == "stop"
    (placed,) = read_file(SETUP, Written("v C4 Armor  # there"))
    assert placed.does == Placement(Cell(3, 4), "armor")
    assert list(read_file(SETUP, Written(""))) == []


def test_a_file_has_an_end():
    """It is too long only if more lines count than a file may have."""
    many = "\n# remark\n".join(["a surface"] * MOST_LINES)
    assert len(read_file(SETUP, Written("\n".join(["a surface"] * MOST_LINES)))) == MOST_LINES
    with pytest.raises(Malformed, match=f"at most {MOST_LINES} lines") as caught:
        read_file(SETUP, Written("\n".join(["a surface"] * (MOST_LINES + 1))))
    assert caught.value.line == MOST_LINES + 1
    with pytest.raises(Malformed, match="too long"):
        read_file(SETUP, Written(f"{many}\n# {'x' * 10_000}"))


def test_form_is_judged_without_a_position():
    """A special of a table of one's own is understood; a default one that is not in it is not."""
    rows = GAME.default_table.decode().replace("[sonar]", "[ears]")
    own = GAME.setup(("alice", "bob"), {}, rows.encode())
    assert read_file(own, Written("a ears"))[0].does.verb == "ears"
    with pytest.raises(Malformed, match="in place of 'sonar'"):
        read_file(own, Written("a sonar"))
    with pytest.raises(Malformed, match="in place of 'ears'"):
        read_file(SETUP, Written("a ears"))


def walk(view, dice, lines=()):
    """A path through `after`, drawn: its lines. It ends where it can, one time of six."""
    lines = list(lines)
    while True:
        here = GAME.after(view, lines)
        if not here.choices or (here.complete and dice.below(f"end/{len(lines)}", 6) == 0):
            assert here.complete
            return lines
        at = dice.below(f"line/{len(lines)}", len(here.choices))
        lines.append(here.choices[at].text)


@settings(max_examples=50, deadline=None)
@given(st.permutations("abcde"), st.permutations("ABCDEFG"), st.randoms(use_true_random=False))
def test_every_setup_that_is_read_can_be_reached(order, columns, random):
    """Only the order of its lines may differ, which comes to the same."""
    view = GAME.view(GAME.start(GAME.setup(["alice", "bob"], {})), "alice")
    held = random.sample(list(view.setup.table), 5)
    lines = [f"{a} {c}1 {name}" for a, c, name in zip(order, columns, held, strict=False)]
    whole = GAME.read(view, Written("\n".join(lines)))
    lines.sort()
    for at, line in enumerate(lines):
        assert line in [choice.text for choice in GAME.after(view, lines[:at]).choices]
    assert GAME.after(view, lines).complete
    assert GAME.read(view, Written("\n".join(lines))).places == whole.places


def test_setups_are_asked_for_letter_by_letter():
    """SW-3: every free cell of the home row with every special not taken; whoever has which row."""
    for options, row in (({}, 7), ({"row_one": "alice"}, 7), ({"row_one": "bob"}, 1)):
        view = GAME.view(GAME.start(GAME.setup(["alice", "bob"], options)), "bob")
        first = GAME.after(view, ())
        names = list(view.setup.table)
        cells = [f"{column}{row}" for column in "ABCDEFG"]
        assert [one.text for one in first.choices] == [f"v {c} {n}" for c in cells for n in names]
        assert first.choices[0].to == (f"A{row}",)
        assert not first.complete
        then = GAME.after(view, [f"v A{row} heal"]).choices
        assert f"w B{row} torpedo" in [one.text for one in then]
        assert len(then) == 6 * (len(names) - 1)
        lines = walk(view, Dice(b"setup"))
        assert [line[0] for line in lines] == list("vwxyz")
        assert GAME.after(view, lines) == After((), complete=True)


def test_a_choice_names_its_cells_and_says_what_it_does(here):
    """Who does it, where, and for what; the cell that it aims at or goes to, if it is on the map;
    whether the other side sees it."""
    choices = GAME.after(GAME.view(here, "alice"), ["a move W", "draw"]).choices
    found = {choice.text: choice for choice in choices}
    places = {text: (one.unit, one.here, one.to, one.picks) for text, one in found.items()}
    assert places["a move N"] == ("a", "B2", ("B3",), ())
    assert places["a torpedo E"] == ("a", "B2", ("C2",), ())
    assert places["a surface"] == ("a", "B2", (), ())
    assert places["a replace heal"] == ("a", "B2", (), ("heal",))
    assert places["stop"] == ("", "", (), ())
    labels = {text: (one.says, one.cost, one.heard) for text, one in found.items()}
    assert labels["a move N"] == ("a heads for B3.", "1 AP", "Out of their sight.")
    assert labels["b mine S"] == ("b lays a mine in D1.", "2 AP", "They see it.")
    assert labels["c surface"] == ("c surfaces in A7.", "0 AP", "They see it.")
    assert labels["a replace heal"] == ("a takes heal.", "2 AP", "Out of their sight.")
    assert labels["stop"] == ("End your turn: the rest of it is lost.", "", "")
    assert "draw" not in found
    assert "resign" not in found
    assert all(choice.says.isascii() and choice.says for choice in choices)
    assert GAME.after(GAME.view(here, "bob"), ()) == After((), complete=False)


def test_a_choice_warns_of_ones_own_alone(at):
    """Who runs into an enemy may mean it."""
    subs = ["a C2 5 down torpedo", "b D2 3 up mine"]
    state = at({"turn": "alice", "alice": {"subs": subs}, "bob": {"subs": ["v C3 5 up heal"]}})
    choices = GAME.after(GAME.view(state, "alice"), ()).choices
    warns = {choice.text: choice.warns for choice in choices if choice.warns}
    assert warns == {
        "a move E": "It runs into your own b.", "b move W": "It runs into your own a.",
    }  # fmt: skip
    goes = {choice.text for choice in choices if choice.goes}
    assert "a move N" in goes
    assert "a torpedo N" not in goes


def test_nothing_is_offered_after_the_last_line(here):
    """`stop` and `resign` end an order; the AP left are told, and bound what is offered."""
    view = GAME.view(here, "alice")
    for last in ("stop", "resign"):
        assert GAME.after(view, [last]) == After((), complete=True)
    assert GAME.after(view, ["a move W"]).left == "4 of 5 AP left"
    spent = GAME.after(view, ["a torpedo W", "a torpedo N", "a move W"])
    assert (spent.left, [choice.text for choice in spent.choices]) == (
        "", ["a surface", "b surface", "c surface", "stop", "draw", "resign"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "subs", "ap"),
    [
        (["a move W"], ["a B2 5 down torpedo", "b D2 3 up mine", "c A7 5 down armor"], 4),
        (["a torpedo E", "stop"], ["a C2 5 down torpedo", "c A7 5 down armor"], 3),
        (["c replace heal"], ["a C2 5 down torpedo", "b D2 3 up mine", "c A7 5 down heal"], 3),
    ],
)
def test_a_plan_shows_ones_own_side_after_it(here, lines, subs, ap):
    """With the AP left; of the enemies, what was seen before."""
    view = GAME.view(here, "alice")
    shown = GAME.planned(view, lines).shown
    assert (shown["alice"]["subs"], shown["ap"]) == (subs, ap)
    assert shown["bob"]["subs"] == ["v D3", "w"]


def test_who_has_no_turn_has_no_plan(here):
    """Neither in another's turn nor in the setup."""
    start = GAME.start(GAME.setup(["alice", "bob"], {}))
    for view in (GAME.view(here, "bob"), GAME.view(start, "alice")):
        assert GAME.planned(view, []) == view


def test_what_changes_nothing_is_legal_and_nowhere_offered(here, at):
    """`surface` of what is surfaced (SW-7), in no menu, as no button, in no list; but the menu says
    then too that one can surface."""
    view = GAME.view(here, "alice")
    kinds = {one.text: GAME.verbs[one.verb].role for one in GAME.after(view, ()).choices}
    assert kinds["b surface"] == kinds["a submerge"] == "rare"
    assert (kinds["a surface"], kinds["b submerge"]) == ("", "")
    menu = " ".join(GAME.menu(view, (), 80))
    assert "surface (0) a c " in menu
    assert "submerge (1) b " in menu
    up = at(
        {
            "turn": "alice",
            "alice": {"subs": ["a C2 5 up heal"]},
            "bob": {"subs": ["v A7 5 up heal"]},
        }
    )
    assert "surface (0) none" in " ".join(GAME.menu(GAME.view(up, "alice"), (), 80))
    assert "surface" not in " ".join(GAME.menu(GAME.view(up, "alice"), ["stop"], 80))
