"""Order files: what is refused and how, and that what is listed as legal is."""

from __future__ import annotations

import pytest
from example import refusal
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dice import Dice
from games.game import After, Illegal, OrderError, Written
from games.submarine_warfare import GAME
from games.submarine_warfare.state import LETTERS


@pytest.mark.parametrize(
    ("text", "line", "said", "hint"),
    [
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
        ("a move W\na move W\na move W", 3, "a cell of the map", ""),
        ("a torpedo N\n" * 3, 3, "lines for 5 AP in all", ""),
    ],
)
def test_illegal_lines_say_what_would_be_right(here, text, line, said, hint):
    """Lines that are understood and not allowed are quoted, with what was expected."""
    error = refusal(GAME, GAME.view(here, "alice"), text)
    assert isinstance(error, Illegal)
    assert error.line == line
    assert said in error.expected
    assert error.hint.startswith(hint)


WORDS = """a b c v move surface submerge replace torpedo mine heal sonar nullify armor depth-charge
N e S w stop draw resign A1 C2 # laser"""
words = st.sampled_from(WORDS.split())
lines = st.lists(st.one_of(st.lists(words, max_size=4).map(" ".join), st.text(max_size=12)))


@settings(max_examples=400, deadline=None)
@given(lines.map("\n".join), st.sampled_from(["alice", "bob"]))
def test_any_text_is_orders_or_one_refusal(here, text, player):
    """Nothing but Malformed and Illegal comes of reading, and the line named is one of the file."""
    try:
        GAME.read(GAME.view(here, player), Written(text))
    except OrderError as error:
        assert error.line is None or 1 <= error.line <= text.count("\n") + 1
        assert len(error.text) <= 80


def test_listed_lines_are_legal_and_no_others(position, at):
    """`legal` lists exactly the single lines that `read` takes; in another's turn, none."""
    verbs = ["surface", "submerge", "sonar", "depth-charge", "armor", "reactor"]
    verbs += [f"{verb} {way}" for verb in ("move", "torpedo", "mine", "heal") for way in "NESW"]
    for seed in range(40):
        state = at(position(seed))
        view = GAME.view(state, "alice")
        named = [f"{verb} {name}" for verb in ("replace", "nullify") for name in state.setup.table]
        every = [f"{sub} {words}" for own in LETTERS for sub in own for words in (*verbs, *named)]
        taken = [line for line in (*every, "stop", "draw", "resign") if accepted(view, line)]
        assert sorted(GAME.legal(view)) == sorted(taken)
        assert GAME.legal(GAME.view(state, "bob")) == ()


def accepted(view, text):
    """Whether a file of that one line is taken."""
    try:
        GAME.read(view, Written(text))
    except OrderError:
        return False
    return True


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


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.lists(st.integers(0, 2**16), min_size=8, max_size=8))
def test_every_file_that_is_read_can_be_reached(position, at, seed, picks):
    """Line by line: whatever drawn lines `read` takes together, `after` offers one by one."""
    view = GAME.view(at(position(seed, "alice")), "alice")
    verbs = ["surface", "submerge", "sonar", "depth-charge"]
    verbs += [f"{verb} {way}" for verb in ("move", "torpedo", "mine", "heal") for way in "NESW"]
    verbs += [f"{verb} {name}" for verb in ("replace", "nullify") for name in view.setup.table]
    every = [f"{sub} {verb}" for sub in "abcde" for verb in verbs] + ["stop", "draw", "resign"]
    lines = []
    for pick in picks:
        line = every[pick % len(every)]
        offered = [choice.text for choice in GAME.after(view, lines).choices]
        if accepted(view, "\n".join([*lines, line])) and "resign" not in lines:
            assert line in offered
            lines.append(line)
        else:
            assert line not in offered


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
        assert first.choices[0].cells == (f"A{row}",)
        assert not first.complete
        then = GAME.after(view, [f"v A{row} heal"]).choices
        assert f"w B{row} torpedo" in [one.text for one in then]
        assert len(then) == 6 * 9
        lines = walk(view, Dice(b"setup"))
        assert [line[0] for line in lines] == list("vwxyz")
        assert GAME.after(view, lines) == After((), complete=True)


def test_a_choice_names_its_cells_and_says_what_it_does(here):
    """Where the submarine is, and the cell that it aims at or goes to, if that is on the map."""
    choices = GAME.after(GAME.view(here, "alice"), ["a move W", "draw"]).choices
    cells = {choice.text: choice.cells for choice in choices}
    assert cells["a move N"] == ("B2", "B3")
    assert cells["a torpedo E"] == ("B2", "C2")
    assert cells["a surface"] == ("B2",)
    assert cells["stop"] == ()
    labels = {choice.text: choice.label for choice in choices}
    assert labels["a move N"] == "a heads for B3, 1 AP"
    assert labels["b mine S"] == "b lays a mine in D1, 2 AP"
    assert labels["c surface"] == "c surfaces in A7, 0 AP"
    assert labels["a replace heal"] == "a takes heal, 2 AP"
    assert "draw" not in cells
    assert "resign" not in cells
    assert all(choice.label.isascii() and choice.label for choice in choices)
    assert GAME.after(GAME.view(here, "bob"), ()) == After((), complete=False)


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
        (
            ["a torpedo E", "stop"],
            ["a C2 5 down torpedo", "b D2 1 up mine", "c A7 5 down armor"],
            3,
        ),
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


def test_what_changes_nothing_stands_in_no_menu(here):
    """`surface` of what is surfaced is legal (SW-7), and no screen offers it."""
    view = GAME.view(here, "alice")
    assert "b surface" in [choice.text for choice in GAME.after(view, ()).choices]
    menu = " ".join(GAME.menu(view, (), 80))
    assert "surface (0) a c " in menu
    assert "submerge (1) b " in menu
