"""The few words that a host understands in a mail without a block.

Subject and text in, a command out. Nothing here acts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

WORDS = ("status", "resend", "orders", "history", "who", "rules", "help")

_TAG = re.compile(r"\[([^\[\]]{1,60})\]")
_BEFORE = re.compile(
    r"(?:\s*(?:re|aw|sv|fwd?|wg|tr|antw)\s*(?:\[\d+\])?:|\s*\[[^\[\]]*\])*\s*", re.IGNORECASE
)
_COMMAND = re.compile(rf"({'|'.join(WORDS)})(?:\s+(\d{{1,7}}))?[\s.!?]*", re.IGNORECASE)
_MESSAGE = re.compile(r"(anonymous\s+)?message\s+to\s+\S+?:", re.IGNORECASE)
_FORM = re.compile(r'^orders = """', re.MULTILINE)
_QUOTED = re.compile(r"\s*[>|]")


@dataclass(frozen=True, slots=True)
class Command:
    """`word` is one of WORDS, or "" (not understood), or names a thing that should have been
    signed: `message` (press), `form` (a filled-in order form).

    `step` is the number after `resend`; `game` the name in brackets in the subject, or None.
    """

    word: str
    step: int | None = None
    game: str | None = None


def read_command(subject: str, text: str) -> Command:
    """The command in a mail without a block: its first line that is not quoted, else its
    subject."""
    tag = _TAG.search(subject)
    game = None if tag is None else tag[1]
    lines = text.replace("\r", "\n").split("\n")
    first = next((line for line in lines if line.strip() and not _QUOTED.match(line)), "")
    for line in (first.strip()[:200], _BEFORE.sub("", subject, count=1)):
        found = _COMMAND.fullmatch(line.strip())
        if found is not None:
            return Command(found[1].lower(), None if found[2] is None else int(found[2]), game)
        if _MESSAGE.match(line.strip()):
            return Command("message", None, game)
    return Command("form" if _FORM.search(text) else "", None, game)
