"""What may stand after an order word."""

from __future__ import annotations

import pytest

from games.game import Malformed
from games.lines import read_lines
from games.submarine_warfare import GAME
from games.submarine_warfare.word import HEADING, NULLIFIED, SPECIAL, read_special

TABLE = GAME.read_table(GAME.default_table)


def line(text):
    """A line as it is read."""
    (only,) = read_lines(text)
    return only


def test_a_special_is_one_of_the_table():
    """Else it is quoted, with all that there are and the one that was meant."""
    assert read_special(TABLE, line("a nullify sonar"), "sonar") == "sonar"
    with pytest.raises(Malformed) as caught:
        read_special(TABLE, line("a nullify sonra"), "sonra")
    assert str(caught.value).startswith("line 1: 'a nullify sonra': ")
    assert "a special in place of 'sonra': one of torpedo, mine" in caught.value.expected
    assert caught.value.hint == "did you mean 'sonar'?"
    with pytest.raises(Malformed, match="one of sonar"):
        read_special({"sonar": TABLE["sonar"]}, line("a nullify mine"), "mine")


def test_all_that_may_be_aimed_at_is_read():
    """Every choice of an aim, written after a word, is the aim that was meant."""
    for aim in (HEADING, SPECIAL, NULLIFIED):
        for choice in aim.choices(TABLE):
            written = line(f"a word {choice}")
            assert aim.read(TABLE, written, written.words[-1]) == choice
    assert list(HEADING.choices(TABLE)) == ["N", "E", "S", "W"]
    assert list(SPECIAL.choices(TABLE)) == list(TABLE)


def test_a_nullify_names_no_nullify():
    """SW-18: whatever the table calls it."""
    assert set(TABLE) - set(NULLIFIED.choices(TABLE)) == {"nullify"}
    renamed = {f"my-{name}": special for name, special in TABLE.items()}
    assert "my-nullify" not in NULLIFIED.choices(renamed)
