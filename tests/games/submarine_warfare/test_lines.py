"""The form of an order file: what is understood, and how it is refused."""

from __future__ import annotations

import pytest
from example import refusal

from games.game import Malformed, Written
from games.grid import Cell
from games.submarine_warfare import GAME
from games.submarine_warfare.lines import MOST_LINES, Placement, read_file


@pytest.mark.parametrize(
    ("text", "line", "said", "hint"),
    [
        ("a moove N", 1, "one of move, surface", "did you mean 'move'?"),
        ("a fire N", 1, "in place of 'fire'", "perhaps 'torpedo'"),
        ("a move", 1, "'a move N' (or E, S, W)", ""),
        ("a move north", 1, "a heading in place of 'north'", "perhaps 'a move N'"),
        ("a", 1, "what a does", ""),
        ("a torpedo", 1, "'a torpedo N' (or E, S, W)", ""),
        ("a nullify", 1, "'a nullify SPECIAL'", ""),
        ("a nullify laser", 1, "a special in place of 'laser'", ""),
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
)
def test_malformed_lines_say_what_would_be_right(here, text, line, said, hint):
    """Quoted, with what was expected and where something is close a suggestion."""
    error = refusal(GAME, GAME.view(here, "alice"), text)
    assert isinstance(error, Malformed)
    assert (error.line, error.text) == (line, text.split("\n")[line - 1][:80])
    assert said in error.expected
    assert error.hint == hint


SETUP = GAME.setup(("alice", "bob"), {})


def test_what_is_understood():
    """Letter, and a command, a place or a word alone; in any case, blank lines counted."""
    text = "# go\nA MOVE n\n\n b sonar\t\r\nw replace depth-charge\nSTOP"
    read = read_file(SETUP, Written(text))
    assert [(order.line.number, order.letter, order.alone) for order in read] == [
        (2, "a", ""), (4, "b", ""), (5, "w", ""), (6, "", "stop"),
    ]  # fmt: skip
    said = [(order.does.verb, order.does.aim) for order in read if order.does]
    assert said == [("move", "N"), ("sonar", ""), ("replace", "depth-charge")]
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
    with pytest.raises(Malformed, match="bytes of lines"):
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
