"""A player's notes for themselves, each at the entry that was the last to have a board when it was
written.

A note never leaves the seat's folder but in a safe, behind its passphrase. It is sealed to the key
to which letters for this player are sealed, which no reveal opens. So who gets hold of the sealed
files without the secret in `seat.toml` learns how many notes there are, at which entries, and
nothing of their texts, not even their length. Who has the whole folder has the secret too, and
reads all: the folder is what must be kept private.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from adjudicator.player.seated import Seated
from adjudicator.words.story import Story
from orders.errors import Refused
from orders.fields import Time, is_time
from orders.letter import check_text
from orders.sealing import LETTER_SIZE, letter_info, open_letter, seal_letter


class Note(NamedTuple):
    """A note: at which entry it was written, when, and what it says."""

    step: int
    time: Time
    text: str


def keep(own: Seated, text: str, now: Time) -> str:
    """Keep a note at the last entry that has a board; returns the line that says so. Raises
    Refused `malformed` for a text that a message may not have either."""
    check_text(text, "note")
    # The reveal has no board, and nothing is seen there in a replay.
    step, to = Story(own.ledger).last, own.seat.secret.letters().public
    own.seat.keep_note(
        step, seal_letter(to, _info(own, step), f"{now}\n{text}".encode(), LETTER_SIZE)
    )
    return "kept, for you alone"


def kept(own: Seated) -> list[Note]:
    """All notes of this seat, in the order of their entries, and in which they were written;
    raises Refused for one that does not open."""
    key, found = own.seat.secret.letters(), []
    for path in own.seat.notes():
        step = int(Path(path).name.partition("-")[0])
        sealed = own.seat.files.read(path)
        try:
            body = open_letter(key, _info(own, step), sealed, LETTER_SIZE).decode("utf-8")
            time, _, text = body.partition("\n")
            check_text(text, "note")
        except (Refused, UnicodeDecodeError):
            time = ""
        if not is_time(time):
            raise Refused(
                "unopenable",
                f"{str(own.seat.root / path)!a} is no note that this seat sealed",
                "restore it from a backup, or move it out of the folder: all others are whole",
            )
        found.append(Note(step, time, text))
    return found


def _info(own: Seated, step: int) -> bytes:
    return letter_info("note", own.opening.id, step, own.seat.player)
