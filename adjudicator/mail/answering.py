"""Answers to mails that nobody signed, and to mails that were refused.

A player is answered at the address that they signed, a stranger with a fixed text; both only a few
times an hour. What belongs here: which player may have written a mail, and the answer to each word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import games
from adjudicator.mail import telling, wording
from adjudicator.mail.desk import Desk
from adjudicator.mail.mime import Mail
from adjudicator.mail.outgoing import WIDTH, Outgoing
from adjudicator.words import manual, story
from orders.errors import Refused

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


class Answering:
    """Writes the answers of the host of these games, whose own address is `address`."""

    def __init__(self, desks: Sequence[Desk], address: str) -> None:
        self.desks = desks
        self.address = address

    def known(self, mail: Mail) -> list[tuple[Desk, str]]:
        """The seats whose signed address is the mail's From."""
        if mail.sender is None:
            return []
        return [(desk, player) for desk in self.desks for player in desk.players_at(mail.sender)]

    def refusal(self, error: Refused, mail: Mail) -> list[Outgoing]:
        """The answer to a mail from which nothing was taken: to a player's signed address, or a
        fixed text to a stranger. It says what is wrong with the mail, never what the game holds."""
        known = self.known(mail)
        if not known:
            return self._stranger(mail)
        desk, player = known[0]
        text = wording.refused(error)
        return telling.words(desk, player, mail, "your mail was not taken", text)

    def _stranger(self, mail: Mail) -> list[Outgoing]:
        """The fixed text for an unknown sender."""
        to = mail.sender
        if to is None or to.lower() == self.address.lower() or not self.desks:
            return []
        return [
            Outgoing(
                f"answer/{mail.digest}",
                self.desks[0].secret,
                to,
                "Your mail was not understood",
                wording.UNKNOWN,
                reply=True,
                answers=mail.message_id,
                thread=mail.references,
                budget=(f"stranger/{to.lower()}", "strangers"),
                stranger=True,
            )
        ]

    def obey(self, command: Command, mail: Mail) -> tuple[str, list[Outgoing]]:
        """Answer an unsigned mail that holds a command: a line for the log, and the answers."""
        seats = self.known(mail)
        if not seats:
            return "from a stranger", self._stranger(mail)
        named = [seat for seat in seats if seat[0].name == command.game] or seats
        out: list[Outgoing] = []
        for desk, player in named if command.word in _OF_EACH_GAME else named[:1]:
            if command.word == "resend":
                out += telling.again(desk, player, command.step, mail)
            elif command.word == "orders":
                out += telling.held(desk, player, mail)
            elif command.word == "status":
                text = "\n".join(telling.status_for(*seat) for seat in dict(named).items())
                out += telling.words(desk, player, mail, "status", text)
            else:
                subject, text = _said(command.word, desk, player)
                long = command.word in _LONG
                out += telling.words(desk, player, mail, subject, text, long=long)
        return f"command {command.word or '(none)'} in the name of {player}", out


_OF_EACH_GAME = ("resend", "orders", "history", "who")
"""Commands that are answered for each of a player's games, if the mail names no game."""


_LONG = ("history", "rules", "")
"""Commands with an answer longer than a page, and "" for a mail that is not understood: a machine
that does not say that it is one would answer each answer."""


def _said(word: str, desk: Desk, player: str) -> tuple[str, str]:
    """Subject and text of the answer to a command."""
    if word == "history" and desk.host is not None:
        return "history", "\n".join([*story.history(desk.host.ledger), ""])
    if word in ("who", "history"):
        return word, telling.who_for(desk, player)
    if word == "rules":
        page = games.rules_page(desk.offer.game)
        return "rules", "\n".join([*manual.lines(page, WIDTH), ""])
    if word == "help":
        return "help", wording.HELP
    if word == "message":
        return "your message was not passed on", wording.unsigned()
    if word == "form":
        return "your orders were not taken", wording.unsealed(desk.name, player)
    return "help", "Your mail was not understood.\n\n" + wording.HELP
