"""What was refused, in one line and a hint."""

from __future__ import annotations

import errno

import pytest

from adjudicator.words import faults
from games import UnknownGame
from games.cases import BadCase
from games.game import Illegal, Malformed
from games.options import OfferRefused
from orders.errors import Refused


@pytest.mark.parametrize(
    ("error", "line", "hint", "word"),
    [
        (Malformed(2, "fyre", "a word", "fire"), "line 2: 'fyre': a word", "fire", "malformed"),
        (Illegal(None, "x", "no"), "'x': no", "", "illegal"),
        (Refused("fork", "two histories", "keep both"), "two histories", "keep both", "fork"),
        (UnknownGame("no game"), "no game", "", "unknown-game"),
        (OfferRefused("option x"), "option x", "", "bad-option"),
        (BadCase("a case"), "a case", "", "malformed"),
        (FileNotFoundError(2, "No such file", "a b"), "'a b': No such file", "", "unreadable"),
        (OSError(errno.ENOSPC, "No space", "a"), "'a': No space", "", "unwritable"),
        (OSError(errno.EROFS, "Read-only", "a"), "'a': Read-only", "", "unwritable"),
        (OSError(errno.ENOSPC, "No space"), "the output: No space", "", "unwritable"),
        (FileNotFoundError(2, "No such file"), "'.': No such file", "", "unreadable"),
    ],
)
def test_each_has_its_word(error: Exception, line: str, hint: str, word: str) -> None:
    """What is wrong, how to go on, and the stable word."""
    assert (*faults.told(error), faults.word(error)) == (line, hint, word)


def test_a_fault_of_the_program_is_raised() -> None:
    """Nobody mistakes it for one of the input."""
    with pytest.raises(ZeroDivisionError):
        faults.told(ZeroDivisionError("x"))
