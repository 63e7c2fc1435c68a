"""The words of every mail that a host writes: texts in `mails/`, and what fills them.

`mails/NAME.txt` is a mail as it reads, its subject in the first line; `mails/NAME.PART.txt` a part
that not every such mail has, or one of several for the same place. A text is a `string.Template`
of plain ASCII, filled in this way:

* `$name` is a value, and `$NAME` a command that somebody is to type (`COMMANDS`).
* A paragraph is filled to 76 columns.
* A line that begins with a blank stays as it is, and so does a value that has a line to itself. If
  that value is empty, the line goes; if nothing of a paragraph is left, the paragraph goes.

So who would word a paragraph otherwise finds it there. Here stand the values: numbers, names and
lists, and sentences that depend on them within a paragraph.

Subjects are without the game's name, which every mail of a game has in front of it. None is a word
of `office.words`: a machine that answers with our subject would ask for it.

A text for a player is built from public entries, and from their own report if their join asks for
open mail. What must not be known here: players' addresses, hidden state. So no mail holds the words
of a mail server, which name an address, nor says what a letter was that its carrier could not read.
None names the program to install by its name alone, which anybody may have taken.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from itertools import groupby
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

import games
from adjudicator.core.opening import Offer, Opening
from adjudicator.core.report import Report
from adjudicator.install import Pin
from adjudicator.mail import pasted
from adjudicator.mail.outgoing import WIDTH
from adjudicator.office import words
from adjudicator.office.words import Whose
from adjudicator.words import form, manual, story
from games.game import Game
from games.options import seconds
from orders.bundle import Bundle
from orders.documents import Receipt
from orders.entries import AnyEntry, Genesis, Reveal, Ruling
from orders.errors import Refused
from orders.fields import EVERYONE, HOST, Time
from orders.letter import Letter, Text

MAILS = Path(__file__).parent / "mails"

COMMANDS = {
    "JOIN": "adjudicator join $invite",
    "RULES": "adjudicator rules $game",
    "TAKE": "adjudicator take",
    "PLAY": "adjudicator play",
    "ORDER": "adjudicator play --file orders.toml",
    "MESSAGE": "adjudicator say --to bob TEXT",
    "ABSENCE": "adjudicator away FROM UNTIL",
    "NOTE": "adjudicator note TEXT",
    "VERIFY": "adjudicator verify $name",
    # The host's.
    "MOVED": "adjudicator config address ADDRESS",
    "RULE": "adjudicator rule -g",
    "RESTORE": "adjudicator restore FROM... -g",
}
"""The commands that mails and messages tell people to type, each in one place."""

# How a text is filled.

_AS_IT_IS = re.compile(r"\$\w+|\s.*")
"""A line that is not filled."""


class Reply(NamedTuple):
    """What a mail says."""

    subject: str
    text: str


def write(mail: str, /, **values: object) -> Reply:
    """The mail of that name, with a value for each name in it."""
    subject, _, text = _read(mail).partition("\n\n")
    return Reply(Template(subject).substitute(values), _fill(text, values) + "\n")


def fill(part: str, /, **values: object) -> str:
    """The part of a mail of that name."""
    return _fill(_read(part), values)


@cache
def _read(name: str) -> str:
    text = (MAILS / f"{name}.txt").read_text(encoding="ascii").removeprefix("Subject: ")
    return Template(text.rstrip("\n")).safe_substitute(COMMANDS)


def _fill(text: str, values: dict[str, object]) -> str:
    paragraphs = []
    for one in text.split("\n\n"):
        out: list[str] = []
        for as_it_is, part in groupby(one.split("\n"), _AS_IT_IS.fullmatch):
            lines = [Template(line).substitute(values) for line in part]
            out += lines if as_it_is else [filled(" ".join(lines))]
        paragraphs.append("\n".join(line for line in out if line))
    return "\n\n".join(one for one in paragraphs if one)


def filled(text: str) -> str:
    """A paragraph in lines of at most 76 columns."""
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def when(time: Time) -> str:
    """`Tue 24 Nov 2026, 18:00 UTC`."""
    return datetime.fromisoformat(time).strftime("%a %d %b %Y, %H:%M UTC")


# Invitations.


def invitation(
    offer: Offer, name: str, bundle: Bundle, token: str | None, pin: Pin | None, page: str
) -> Reply:
    """The mail that carries an invite's bundle.

    `token` is for a reserved seat; `pin`: from where players install the program; `page`: the link
    to the page for players, "" for none.
    """
    options = offer.invite.options
    return write(
        "invitation", title=offer.game.title, name=name, summary=filled(offer.game.summary),
        length=_length(seconds(str(options["turn_time"])) or 0),
        options="\n".join(f"  {line}" for line in story.of_invite(offer)),
        link=fill("invitation.link", link=link) if (link := _link(page, bundle)) else "",
        page=by_page(page, "this mail") if page else "",
        program=fill("invitation.no-program") if pin is None
        else fill("invitation.program", requirement=pin.requirement()),
        warning=fill("invitation.from-host") if page or pin is not None else "",
        token="" if token is None else fill("invitation.reserved"),
        invite="THIS-MAIL", game=offer.game.id,
    )  # fmt: skip


def by_page(link: str, what: str) -> str:
    """How to join with only a browser; `what` names the thing to drop on the page."""
    return _page(link, fill("invitation.by-page", what=what))


def _page(link: str, how: str) -> str:
    """A link to the page, and how anybody can check by its digest that it is this page. A page that
    carries nothing has the digest of its file."""
    address, _, digest = link.partition("#sha256=")
    return fill("page", how=how, address=address, file=address.rpartition("/")[2], digest=digest)


def _link(page: str, bundle: Bundle) -> str:
    """A link to the page that brings a bundle; "" without a page, or where it would be too long."""
    return pasted.link(page.partition("#")[0], bundle) if page else ""


def _length(length: int) -> str:
    for name, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if length % size == 0 and length >= size:
            count = length // size
            return f"{count} {name}{'' if count == 1 else 's'}"
    return f"{length} seconds"


# Joins.


def joined(player: str, names: Sequence[str], wanted: int | None) -> Reply:
    """The answer to a join that was taken."""
    return write("joined", player=player, count=_count(names, wanted), names=", ".join(names))


def not_begun(name: str, title: str, names: Sequence[str], wanted: int | None) -> str:
    """The state of a game that has not begun."""
    there = f": {', '.join(names)}" if names else ""
    return filled(f'{title} "{name}" has not begun. {_count(names, wanted)} have joined{there}.')


def _count(names: Sequence[str], wanted: int | None) -> str:
    return f"{len(names)}" if wanted is None else f"{len(names)} of {wanted}"


# Entries.


def entry(
    opening: Opening, told: AnyEntry, name: str, player: str, report: Report | None,
    bundle: Bundle, page: str, part: str,
) -> Reply:  # fmt: skip
    """The mail that tells an entry to a player; `report` is theirs if their mail is open.

    `bundle`: what it carries; `page`: the link to the page for players, "" for none; `part`: which
    one of several mails it is.
    """
    awaited = told.awaited
    what = f"waiting for {', '.join(awaited)}" if awaited else "the game is over"
    if player in awaited:
        what = f"your orders until {when(awaited[player].until)}"
    seen = "" if isinstance(told, Reveal) else fill("entry.sealed")
    if report is not None:
        seen = fill("entry.board", board=opening.game.draw(report.view).rstrip("\n"))
    lines = "\n".join(f"  {who}: {p.what}, until {when(p.until)}" for who, p in awaited.items())
    return write(
        "entry", step=told.step, what=what, part=part, title=opening.game.title, name=name,
        id=opening.id[:16],
        happened=_happened(opening, told, name, report), seen=seen,
        awaited=fill("entry.awaited", players=lines) if lines else "",
        form=_form(opening, report) if player in awaited else "",
        link=fill("entry.link", link=link) if (link := _link(page, bundle)) else "",
        page=_page(page, fill("entry.by-page")) if page else "",
    )  # fmt: skip


def _happened(opening: Opening, told: AnyEntry, name: str, report: Report | None) -> str:
    if isinstance(told, Genesis):
        return fill("entry.begun", players=", ".join(told.players))
    if isinstance(told, Reveal):
        return fill("entry.over", outcome=story.outcome(told), name=name)
    if told.ruling is not None:
        # What it does to orders that were sent before it.
        effect = fill("entry.stand" if told.ruling.moves_only else "entry.void")
        effect = "" if told.ruling.abandons else effect
        return fill("entry.ruled", reason=told.ruling.reason, effect=effect)
    news = [textwrap.fill(f"- {line}", WIDTH, initial_indent="  ", subsequent_indent="    ")
            for line in story.heard(opening, told, report)]  # fmt: skip
    missing = filled(f"Missing: {', '.join(told.missing)}.") if told.missing else ""
    return fill("entry.happened", news="\n".join(news or ["  nothing public"]), missing=missing)


def _form(opening: Opening, report: Report | None) -> str:
    """How to order, and which lines may come first."""
    first = []
    if report is not None:
        first = [choice.text for choice in opening.game.after(report.view, ()).choices]
    lines = "\n".join(f"  {row}" for row in form.columns(first))
    return fill("entry.form", first=fill("entry.first", lines=lines) if lines else "")


def public(opening: Opening, entry: AnyEntry) -> Reply:
    """An entry's mail to somebody who does not play."""
    title = story.title(entry)
    lines = "\n".join(f"  {line}" for line in story.heard(opening, entry) if line != title)
    return write("public", step=entry.step, title=title, lines=lines or "  (no news)")


def farewell(name: str, player: str, step: int, ruling: Ruling) -> Reply:
    """The mail to a player whose seat was handed on by the entry `step`."""
    how = "with" if ruling.seat is not None and ruling.seat.agreed else "without"
    return write("farewell", name=name, player=player, step=step, how=how, reason=ruling.reason)


# Answers to what was signed.


def receipt(answer: Receipt, told: str) -> Reply:
    """The mail that carries a receipt; `told` is the receipt in words."""
    return write(
        "receipt", step=answer.step, revision=answer.revision, status=answer.status, told=told,
        replaced=fill("receipt.replaced") if answer.status == "accepted" else "",
    )  # fmt: skip


def refused(error: Refused, subject: str = "your mail was not taken") -> Reply:
    """The answer to a known player's mail that was not taken."""
    hint = filled(error.hint[:1].upper() + error.hint[1:] + ".") if error.hint else ""
    return write("refused", subject=subject, word=error.word, message=error.message, hint=hint)


# Letters that are passed on, and a host's own.


def press(letter: Letter, message: Text, *, shown: bool) -> Reply:
    """The mail that passes on a message; its text only if it may be readable."""
    writer = "the host" if letter.player == HOST else letter.player
    who = "somebody" if message.anonymous else writer
    text = "\n".join(f"  | {line}" for line in message.body.splitlines())
    return write(
        "press", subject="a message" if message.anonymous else f"a message from {writer}",
        who=who[:1].upper() + who[1:], whom="all" if message.to == EVERYONE else "you",
        text=text if shown else fill("press.sealed"),
    )  # fmt: skip


# What is understood without a signature, and the answers to it.


def helping(whose: Iterable[Whose], kinds: Sequence[str], *, understood: bool) -> Reply:
    """What a reader may write; `kinds`: the games that can be begun here."""
    mine = set(whose)
    return write(
        "help", first="" if understood else fill("help.not-understood"),
        words="\n".join(words.lines(mine)),
        games=f"  Games: {', '.join(kinds)}." if Whose.CLUB in mine else "",
        club=fill("help.club") if Whose.CLUB in mine else "",
        seat=fill("help.seat") if Whose.PLAYER in mine else "",
    )  # fmt: skip


def status(name: str, title: str, lines: Iterable[str], revision: int | None = None) -> str:
    """The state of a game; `revision`: that of the reader's orders that are in."""
    own = "" if revision is None else f"your orders are in: revision {revision}"
    return fill("status", title=title, name=name, lines="\n".join(lines), orders=own)


def who(name: str, title: str, players: Iterable[tuple[str, str]]) -> Reply:
    """Who plays, with a line about each."""
    lines = "\n".join(f"  {one}: {what}" for one, what in players)
    return write("who", title=title, name=name, players=lines)


def rules(game: Game[Any, Any]) -> Reply:
    """The rules of the game."""
    return Reply("the rules", "\n".join([*manual.lines(games.rules_page(game), WIDTH), ""]))


# What a referee writes.


def done(line: str, said: str) -> Reply:
    """The answer to a word that was done: in a line, and in a paragraph."""
    return write("done", line=line, said=filled(said))


def not_done(error: Exception, line: str) -> Reply:
    """The answer to a word that was refused: why, and what to write. `line`: what is not repeated
    of it, as anybody can write in another's name; "" where its writer is proven."""
    why = error.message if isinstance(error, Refused) else str(error.args[0])
    hint = error.hint if isinstance(error, Refused) else ""
    said = {part for word in line.split() for part in (word, *word.partition("="))}
    for part in sorted(said | {part.lower() for part in said}, reverse=True):
        # As it is quoted, cut where it is cut.
        why = why.replace(ascii(part)[:80], "what you wrote")
    meant = re.search(r"; did you mean '([^']*)'", why)
    if line and meant and meant[1] not in games.installed():
        # It may be the line once more, in other letters.
        plain = {re.sub(r"\W|_", "", part).lower() for part in said}
        if any(part.startswith(re.sub(r"\W", "", meant[1])[:8]) for part in plain):
            why = why[: meant.start()]
    return write("not-done", why=f"{why}{'.' * (why[-1] not in '.?')}", hint=hint)


def missed(name: str, step: int, left: int) -> Reply:
    """The mail to who missed a deadline; `left`: how many more until the seat is offered."""
    times = "once" if left == 1 else f"{left} times"
    so = f"If that happens {times} more, your seat is offered to others."
    so = so if left else "Your seat is offered to others now."
    return write("missed", name=name, step=step, so=so)


def offered(name: str, others: Sequence[str], count: int) -> str:
    """What stands above the invitation of who asked for a game."""
    whom = f"Invited: {', '.join(others)}. " if others else ""
    return fill("invitation.offered", name=name, others=whom, count=count)


def listed(
    seek: Iterable[str], open_: Iterable[str], others: Iterable[str], over: Iterable[str]
) -> Reply:
    """The games of a mailbox."""

    def part(title: str, rows: Iterable[str]) -> str:
        found = [f"  {row}" for row in rows]
        return "\n".join([f"{title}:", *found]) if found else ""

    parts = [
        part("Seeking players", seek), part("Waiting for those who were invited", open_),
        part("Under way", others), part("Over", over),
    ]  # fmt: skip
    text = "\n\n".join(one for one in parts if one) or "No games yet: new GAME with ADDRESS."
    return Reply("the games here", text + "\n")
