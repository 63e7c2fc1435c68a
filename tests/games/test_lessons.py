"""The file of a game's lessons: what it may hold, and what counts as right."""

from __future__ import annotations

import pytest

from games.lessons import BadLesson, read

WHOLE = """
[[lesson]]
says = "Find the number."
right = "It was 4."
wrong = "Guess higher."
orders = { alice = ["1"], bob = ["9", "2"] }
answer = "4"
heard = [{ kind = "found", by = "alice" }]
unheard = [{ kind = "lost" }]
"""


def test_a_lesson_is_read() -> None:
    """All that it says, and what holds where it says nothing."""
    (lesson,) = read(WHOLE)
    assert lesson.orders == {"alice": ("1",), "bob": ("9", "2")}
    assert (lesson.says, lesson.right, lesson.wrong) == (
        "Find the number.",
        "It was 4.",
        "Guess higher.",
    )
    assert (lesson.options, lesson.seed) == ({}, "07")


def test_the_effect() -> None:
    """Everything that must be heard, with more fields or none, and nothing that may not be."""
    (lesson,) = read(WHOLE)
    found, more = {"kind": "found", "by": "alice"}, {"kind": "found", "by": "alice", "at": 4}
    assert lesson.is_right([found])
    assert lesson.is_right([{"kind": "turn"}, more])
    assert not lesson.is_right([])
    assert not lesson.is_right([{**found, "by": "bob"}])
    assert not lesson.is_right([found, {"kind": "lost", "by": "bob"}])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('says = "Find the number."', "", "lesson 1.says is missing: expected one line"),
        ('says = "Find', 'says = "\\nFind', "lesson 1.says = '\\nFind the number.': expected one"),
        ('answer = "4"', "answer = 4", "lesson 1.answer = 4: expected a string"),
        ('answer = "4"', 'anwser = "4"', "lesson 1.anwser is unknown; did you mean 'answer'?"),
        ("orders = {", "orders = {} #", "lesson 1.orders = {}: expected a table"),
        ("heard =", "heard = [] #", "lesson 1: neither heard nor unheard: any orders would be"),
        ("[[lesson]]", "[lesson]", "lesson = {"),
        ("[[lesson]]", "[[lessons]]", "lessons is unknown; did you mean 'lesson'?"),
        ("[[lesson]]", "[[lesson", "Expected ']]'"),
    ],
)
def test_what_is_no_lesson(old: str, new: str, said: str) -> None:
    """The lesson and the key are named, and what was expected."""
    text = WHOLE.replace(old, new, 1)
    if said.startswith("lesson 1: neither"):
        text = text.replace("unheard = [{", "unheard = [] #", 1).replace("un[]", "", 1)
    with pytest.raises(BadLesson) as caught:
        read(text)
    assert str(caught.value).startswith(said)
