"""Plain data as values: what each kind takes, and how a reader refuses the rest by its key."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.game import BadPosition
from games.grid import Board, Cell
from games.kinds import (
    ANYTHING,
    LINE,
    NUMBER,
    TEXT,
    TRUE,
    TRUTH,
    Kind,
    Reader,
    WrongKind,
    cell,
    either,
    lists,
    named,
    number,
    once,
    phrase,
    read_sources,
    some,
    some_of,
    tables,
    word,
)

SUB = phrase("a C4 up", word("a", "b"), cell(Board(5, 4)), named({"up": True, "down": False}))


@pytest.mark.parametrize(
    ("kind", "good", "bad", "called"),
    [
        (ANYTHING, [1, "", None], [], "anything"),
        (NUMBER, [0, -1, 2**70], [True, 1.0, "1"], "a whole number"),
        (number(1, 3), [1, 3], [0, 4, True, 1.0, "1"], "a whole number from 1 to 3"),
        (number(2), [2, 2**53 - 1], [1, 2**53], "a whole number from 2 on"),
        (number(0, 0), [0], [1, False], "0"),
        (TRUE, [True], [False, 1, None], "true"),
        (TRUTH, [True, False], [1, None], "true or false"),
        (TEXT, ["", "a\nb"], [1, None, ["a"]], "a string"),
        (LINE, ["", "A mine \u00e9"], ["a\nb", "\x1b[2J", 1], "one line that can be printed"),
        (word("a", "b"), ["a", "b"], ["c", "", ["a"], None], "one of a, b"),
        (lists(TEXT), [[], ["a"]], ["a", [1], ["a", 1], {"a": "b"}], "a list of strings"),
        (once(TEXT), [[], ["a", "b"]], [["a", "b", "a"]], "a list of strings"),
        (some(lists(TEXT)), [["a"]], [[], [1]], "a list of strings that is not empty"),
        (tables(), [{}, {"a": 1}], [[], "a", None], "a table"),
        (tables(lists(NUMBER)), [{"a": [1]}], [{"a": 1}], "a table of lists of whole numbers"),
        (lists(tables(TEXT)), [[{}]], [[[]], [{"a": 1}]], "a list of tables of strings"),
        (either(TEXT, NUMBER), ["a", 1], [None, ["a"]], "a string or a whole number"),
    ],
)  # fmt: skip
def test_a_kind_takes_its_own(
    kind: Kind[Any], good: list[Any], bad: list[Any], called: str
) -> None:
    """Types are exact: `true` is no number. What is wrong is quoted."""
    for value in good:
        assert json.loads(json.dumps(kind.read(value))) == value
    for value in bad:
        with pytest.raises(WrongKind, match=": expected "):
            kind.read(value)
    assert kind.one == called


def test_what_plain_data_stand_for() -> None:
    """Cells and texts of several words are values of the game; sets of words have an order."""
    assert SUB.read("b E4 down") == ("b", Cell(5, 4), False)
    assert lists(SUB).one == "a list of texts such as 'a C4 up'"
    for text in ("b E4", "b E4 down ", "c E4 up", "a E5 up", "a e4 up", "a E4 Up", "a  E4 up", 3):
        with pytest.raises(WrongKind):
            SUB.read(text)
    assert some_of("a", "b", "c").read(["c", "a"]) == ("a", "c")


def test_what_is_wrong_is_quoted_short() -> None:
    """In a list the wrong item alone, in ASCII; with a word that may have been meant."""
    with pytest.raises(WrongKind, match=r"'frigat': .* one of frigate; did you mean 'frigate'"):
        lists(word("frigate")).read(["frigate", "frigat"])
    with pytest.raises(WrongKind, match=r"^'.{79}: expected a whole number$"):
        NUMBER.read("\u00e9" + "x" * 500)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ([], "key 'at' = []: expected a table with one, two"),
        ({"tow": 1}, "key 'at.tow' is unknown; did you mean 'two'?; there are one, two"),
        ({"two": 2}, "key 'at.one' is missing: expected a whole number"),
        ({"one": "1"}, "key 'at.one' = '1': expected a whole number"),
        ({"one": 1, "two": 1}, "key 'at.two' = 1: expected a table with x"),
        ({"one": 1, "two": {"x": 1}}, "key 'at.two.x' = 1: expected a string"),
    ],
)
def test_a_reader_names_the_key(table: Any, said: str) -> None:
    """With the keys of the tables around it."""
    with pytest.raises(BadPosition) as caught:
        reader = Reader(table, ("one", "two"), "at")
        reader.take("one", NUMBER)
        reader.each("two", ("x",), TEXT)
    assert str(caught.value) == said


def test_a_default_stands_for_a_key_left_out() -> None:
    """For nothing else."""
    assert Reader({}, ("one",)).take("one", NUMBER, 7) == 7
    assert Reader({}, ("one",)).each("one", (), NUMBER, {}) == {}
    with pytest.raises(BadPosition, match="key 'one' = None"):
        Reader({"one": None}, ("one",)).take("one", NUMBER, 7)


def test_the_setup_stands_alone() -> None:
    """`setup = true` and no other key."""
    assert Reader({"setup": True}, ("setup",)).is_setup()
    assert not Reader({"n": 1}, ("setup", "n")).is_setup()
    for table in ({"setup": False}, {"setup": 1}, {"setup": True, "n": 1}):
        with pytest.raises(BadPosition, match="key 'setup'"):
            Reader(table, ("setup", "n")).is_setup()


def test_sources_of_a_house_table() -> None:
    """One word for all values, or one for each."""

    def sources(source: Any) -> dict[str, str]:
        return read_sources(Reader({"source": source}, ("source",)), ("ap", "range"))

    assert sources("house") == {"ap": "house", "range": "house"}
    each = {"range": "house", "ap": "published"}
    assert sources(each) == each
    for wrong in ("guessed", {"ap": "house"}, {**each, "x": "house"}, {**each, "ap": 1}, None):
        with pytest.raises(BadPosition, match=r"key 'source"):
            sources(wrong)
