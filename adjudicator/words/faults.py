"""A refusal as one line and a hint: the same words on a terminal and in the page."""

from __future__ import annotations

import errno

from games import UnknownGame
from games.cases import BadCase
from games.game import OrderError
from games.options import OfferRefused
from orders.errors import Refused

_NO_ROOM = (errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EFBIG)


def of_output(error: Exception) -> bool:
    """Whether a disk took no more of what a command tells: of all that is written that alone has no
    name."""
    return isinstance(error, OSError) and error.filename is None and error.errno in _NO_ROOM


def told(error: Exception) -> tuple[str, str]:
    """The line and the hint for a refusal; an error that is a fault of this program is raised
    again."""
    word(error)
    if isinstance(error, OSError):
        place = "the output" if of_output(error) else ascii(error.filename or ".")
        return f"{place}: {error.strerror}", ""
    line = error.message if isinstance(error, Refused) else str(error)
    return line, str(getattr(error, "hint", ""))


def word(error: Exception) -> str:
    """The stable word of a refusal (`docs/formats/errors.md`); an error that is a fault of this
    program is raised again."""
    if isinstance(error, OrderError):
        return error.status
    if isinstance(error, Refused):
        return error.word
    for kind, known in (
        (UnknownGame, "unknown-game"),
        (OfferRefused, "bad-option"),
        (BadCase, "malformed"),
    ):
        if isinstance(error, kind):
            return known
    if isinstance(error, OSError):
        return "unwritable" if error.errno in _NO_ROOM else "unreadable"
    raise error
