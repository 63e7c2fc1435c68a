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
    ("error", "line", "hint"),
    [
        (Malformed(2, "fyre", "a word", "fire"), "malformed: line 2: 'fyre': a word", "fire"),
        (Illegal(None, "x", "no"), "illegal: order file: 'x': no", ""),
        (Refused("fork", "two histories", "keep both"), "fork: two histories", "keep both"),
        (UnknownGame("no game"), "unknown-game: no game", ""),
        (OfferRefused("option x"), "bad-option: option x", ""),
        (BadCase("a case"), "malformed: a case", ""),
        (FileNotFoundError(2, "No such file", "a b"), "unreadable: 'a b': No such file", ""),
        (OSError(errno.ENOSPC, "No space", "a"), "unwritable: 'a': No space", ""),
        (OSError(errno.EROFS, "Read-only", "a"), "unwritable: 'a': Read-only", ""),
        (OSError(errno.ENOSPC, "No space"), "unwritable: the output: No space", ""),
        (FileNotFoundError(2, "No such file"), "unreadable: '.': No such file", ""),
    ],
)
def test_each_has_its_word(error: Exception, line: str, hint: str) -> None:
    """The stable word, what is wrong, and how to go on."""
    assert faults.told(error) == (line, hint)


def test_a_fault_of_the_program_is_raised() -> None:
    """Nobody mistakes it for one of the input."""
    with pytest.raises(ZeroDivisionError):
        faults.told(ZeroDivisionError("x"))
