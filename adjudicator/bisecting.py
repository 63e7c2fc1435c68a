"""`git bisect run adjudicator verify`: what the command's end tells git.

It must hold whatever the end was, a wrong call or an installation that is not whole included; so it
asks the words that were typed, and loads nothing of this program.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

_CODES = {2: 125, 3: 0, 4: 0, 70: 125}
"""The exit codes of `verify` that git would take for *bad*: a game under way is good so far, and a
commit that cannot be judged is skipped. 1 is bad; what is over 128, as after Ctrl-C, ends the
bisection."""


def exit_code(code: int, words: Sequence[str]) -> int:
    """The exit code of the command that these words call, if it would end with `code`."""
    if code not in _CODES or words[:1] != ["verify"]:
        return code
    chosen = [word for word in words if word in ("--bisect", "--no-bisect")]
    asked = chosen[-1] == "--bisect" if chosen else is_under_way()
    return _CODES[code] if asked else code


def is_under_way() -> bool:
    """Whether `git bisect` is under way in the working tree in which this process runs."""
    with suppress(OSError, ValueError):
        here = Path.cwd()
        for folder in (here, *here.parents):
            place = folder / ".git"
            if place.is_file():  # one more working tree of a clone
                place = folder / place.read_text().removeprefix("gitdir:").strip()
            if place.is_dir():
                return (place / "BISECT_START").exists()
    return False
