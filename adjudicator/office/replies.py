"""The words of every mail that a host writes: templates, and what fills them.

A template is a mail as it reads, its subject in the first line. It is filled in this way:

* `{name}` is a value, and `{NAME}` a command that somebody is to type (`COMMANDS`).
* A paragraph is filled to 76 columns.
* A line that begins with a blank stays as it is, and so does a value that has a line to itself. If
  that value is empty, the line goes; if nothing of a paragraph is left, the paragraph goes.

Subjects are without the game's name, which every mail of a game has in front of it. None is a word
of `office.words`: a machine that answers with our subject would ask for it.

A text for a player is built from public entries, and from their own report if their join asks for
open mail. What must not be known here: players' addresses, hidden state.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
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

COMMANDS = {
    "JOIN": "adjudicator join {invite}",
    "RULES": "adjudicator rules {game.id}",
    "TAKE": "adjudicator take",
    "PLAY": "adjudicator play",
    "ORDER": "adjudicator play --file {orders}",
    "MESSAGE": "adjudicator say --to bob TEXT",
    "ABSENCE": "adjudicator away FROM UNTIL",
    "NOTE": "adjudicator note TEXT",
    "VERIFY": "adjudicator verify {record}",
    # The host's.
    "MOVED": "adjudicator config address ADDRESS",
    "RULE": "adjudicator rule -g {record}",
    "LATE": "adjudicator sync --late -g {record}",
    "RESTORE": "adjudicator restore FROM... -g {record}",
}
"""The commands that mails and messages tell people to type, each in one place."""

# How a template is filled.

_AS_IT_IS = re.compile(r"\{[\w.]+\}|\s.*")
"""A line that is not filled."""


class Reply(NamedTuple):
    """What a mail says."""

    subject: str
    text: str


def write(template: str, **values: object) -> Reply:
    """A mail by its template."""
    subject, _, text = template.partition("\n\n")
    subject = subject.removeprefix("Subject: ").format(**values)
    return Reply(subject, fill(text, **values) + "\n")


def fill(template: str, **values: object) -> str:
    """A part of a mail by its template."""
    for name, command in COMMANDS.items():
        template = template.replace(f"{{{name}}}", command)
    paragraphs = (_paragraph(one, values) for one in template.strip("\n").split("\n\n"))
    return "\n\n".join(one for one in paragraphs if one)


def _paragraph(template: str, values: dict[str, object]) -> str:
    out: list[str] = []
    lines = template.split("\n")
    for as_it_is, part in groupby(lines, lambda line: bool(_AS_IT_IS.fullmatch(line))):
        written = [line.format(**values) for line in part]
        out += written if as_it_is else [_filled(" ".join(written))]
    return "\n".join(line for line in out if line)


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def when(time: Time) -> str:
    """`Tue 24 Nov 2026, 18:00 UTC`."""
    return datetime.fromisoformat(time).strftime("%a %d %b %Y, %H:%M UTC")


# Invitations.

INVITATION = """\
Subject: a game of {game.title}: you are invited

You are invited to a game of {game.title}, called "{name}".

{summary}

Each step leaves {length} for orders. Options:
{options}

{page}

{program}

{warning}

Then, with the program:

  {join}

It asks for your name and address, finds or makes an SSH key, and sends the mail with your join, or
writes it for you to send. Only the host can read your address.
{token}
The rules: {RULES}

{link}
"""

RESERVED = "The block holds a token for your seat: whoever has it can take the seat."

JOIN_BY_PAGE = """\
The quick way: open the page, and drop {what} on it, or paste it there.

  {address}

{check}
"""

# The digest of a page that carries nothing is that of its file.
CHECK = """\
Its digest, as sha256sum {file} prints it (macOS: shasum -a 256 {file}, Windows: Get-FileHash
{file}):

  {digest}
"""

LINK = """\
The same as a link, which brings this mail to the page:

  {link}
"""

PROGRAM = """\
To play you need the adjudicator program (and Python 3.11 or later):

  python3 -m venv .venv
  .venv/bin/pip install "{requirement}"
  . .venv/bin/activate
"""

# Never by its name alone, which anybody may have taken.
NO_PROGRAM = """\
To play you need the adjudicator program. Ask the person who hosts this game where to get it. Do not
install it by its name alone: a package that is called "adjudicator" elsewhere is another program.
"""

FROM_HOST = """\
The host named this program or page: one who changed it could read your orders, and it would tell
you nothing of that. Get it from somebody else too, and compare the digest.
"""


def invitation(
    offer: Offer, name: str, bundle: Bundle, token: str | None, pin: Pin | None, page: str
) -> Reply:
    """The mail that carries an invite's bundle.

    `token` is for a reserved seat; `pin`: from where players install the program; `page`: the link
    to the page for players, "" for none.
    """
    options = offer.invite.options
    join = COMMANDS["JOIN"].format(invite="THIS-MAIL")
    return write(
        INVITATION, game=offer.game, name=name, summary=_filled(offer.game.summary),
        length=_length(seconds(str(options["turn_time"])) or 0),
        options="\n".join(f"  {key} = {value}" for key, value in options.items()),
        page=by_page(page, "this mail") if page else "", link=_linked(page, bundle),
        program=fill(NO_PROGRAM) if pin is None else fill(PROGRAM, requirement=pin.requirement()),
        warning=fill(FROM_HOST) if page or pin is not None else "",
        join=join, token="" if token is None else RESERVED,
    )  # fmt: skip


def by_page(link: str, what: str) -> str:
    """How to join with only a browser; `what` names the thing to drop on the page."""
    return fill(JOIN_BY_PAGE, what=what, **_page(link))


def _page(link: str) -> dict[str, str]:
    """A link to the page, and how anybody can check by its digest that it is this page."""
    address, _, digest = link.partition("#sha256=")
    check = fill(CHECK, file=address.rpartition("/")[2], digest=digest)
    return {"address": address, "check": check}


def _linked(page: str, bundle: Bundle) -> str:
    """The paragraph with a link to the page that brings a bundle; "" without a page, or where it
    would be too long."""
    link = pasted.link(page.partition("#")[0], bundle) if page else ""
    return fill(LINK, link=link) if link else ""


def _length(length: int) -> str:
    for name, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if length % size == 0 and length >= size:
            count = length // size
            return f"{count} {name}{'' if count == 1 else 's'}"
    return f"{length} seconds"


# Joins.

JOINED = """\
Subject: you have joined

You have joined as {player}. {count} have joined: {names}.

The game's first mail comes when all have joined.
"""

TAKING_OVER = """\
Subject: your join is here

Your join is here. Once the host has handed the seat of {player} on to you, by a ruling that all can
read, you get the game's mails.
"""

AGAIN = {
    "sits": """\
Subject: you have joined

The seat of {player} is yours, and the game has begun. `resend` brings its mails again.
""",
    "sat": """\
Subject: your seat was handed on

The seat of {player} was yours and was handed on, by a ruling that all can read. With this join
nobody sits down again.
""",
}
"""The answer to a join that has, or had, its seat in a game that has begun."""

NOT_BEGUN = '{title} "{name}" has not begun. {count} have joined{names}.'


def joined(player: str, names: Sequence[str], wanted: int | None) -> Reply:
    """The answer to a join that was taken."""
    return write(JOINED, player=player, count=_count(names, wanted), names=", ".join(names))


def not_begun(name: str, title: str, names: Sequence[str], wanted: int | None) -> str:
    """The state of a game that has not begun."""
    there = f": {', '.join(names)}" if names else ""
    return fill(NOT_BEGUN, title=title, name=name, count=_count(names, wanted), names=there)


def _count(names: Sequence[str], wanted: int | None) -> str:
    return f"{len(names)}" if wanted is None else f"{len(names)} of {wanted}"


# Entries.

ENTRY = """\
Subject: entry {entry.step}: {what}{part}

{game.title} "{name}", entry {entry.step} (game {id})

{happened}

{seen}

{awaited}

{form}

{page}

{link}
"""

BEGUN = "The game begins. Players: {players}."

OVER = """\
The game is over: {outcome}. The host has revealed the master secret, and with it the whole game.
Take this mail in, then check it all:

  {VERIFY}
"""

RULED = """\
The host rules: {ruling.reason}.

{effect}
"""
STAND = "Orders that you have sent for this step stay as they are."
VOID = "Orders sent for this step before the ruling are void: send them again."

HAPPENED = """\
What happened:
{news}
{missing}
"""
MISSING = "Missing: {players}."

BOARD = """\
The board as you see it:

{board}
"""

SEALED = """\
What only you may see is sealed in the attachment:

  {TAKE} < THIS-MAIL
"""

AWAITED = """\
Awaited:
{players}
"""

FORM = """\
You are awaited.

{first}

The program takes this mail in, asks for your orders, seals them and sends them:

  {TAKE} < THIS-MAIL
  {PLAY}
"""

FIRST = """\
Your first line can be one of these:

{lines}
"""

ORDER_BY_PAGE = """\
Or in a browser: drop your seat and this mail on the page, tap, send.

  {address}

{check}
"""

FAREWELL = """\
Subject: entry {step}: your seat is somebody else's now

The host of "{name}" has handed the seat of {player} on to somebody else, {how} your consent. The
reason given: {ruling.reason}.

You get no more mails of this game, and your orders no longer count. The ruling is in the
attachment, signed by the host. Keep your seat and your copy: with them you can still show what you
were promised, and verify the game at its end.
"""

REMINDER = """\
Subject: step {step}: your orders until {until}

Your orders for step {step} are awaited until {until}. None came yet.

  {PLAY}

To get the entry's mail again, reply with the word resend.
"""


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
    seen = "" if isinstance(told, Reveal) else fill(SEALED)
    if report is not None:
        seen = fill(BOARD, board=opening.game.draw(report.view).rstrip("\n"))
    lines = "\n".join(f"  {who}: {p.what}, until {when(p.until)}" for who, p in awaited.items())
    return write(
        ENTRY, entry=told, what=what, part=part, game=opening.game, name=name, id=opening.id[:16],
        happened=_happened(opening, told, name, report), seen=seen,
        awaited=fill(AWAITED, players=lines) if lines else "",
        form=_form(opening, name, player, report) if player in awaited else "",
        page=fill(ORDER_BY_PAGE, **_page(page)) if page else "", link=_linked(page, bundle),
    )  # fmt: skip


def _happened(opening: Opening, told: AnyEntry, name: str, report: Report | None) -> str:
    if isinstance(told, Genesis):
        return fill(BEGUN, players=", ".join(told.players))
    if isinstance(told, Reveal):
        return fill(OVER, outcome=story.outcome(told), record=name)
    if told.ruling is not None:
        # What it does to orders that were sent before it.
        effect = "" if told.ruling.abandons else STAND if told.ruling.moves_only else VOID
        return fill(RULED, ruling=told.ruling, effect=effect)
    news = [textwrap.fill(f"- {line}", WIDTH, initial_indent="  ", subsequent_indent="    ")
            for line in story.heard(opening, told, report)]  # fmt: skip
    missing = fill(MISSING, players=", ".join(told.missing)) if told.missing else ""
    return fill(HAPPENED, news="\n".join(news or ["  nothing public"]), missing=missing)


def _form(opening: Opening, name: str, player: str, report: Report | None) -> str:
    """How to order, and which lines may come first."""
    first = []
    if report is not None:
        first = [choice.text for choice in opening.game.after(report.view, ()).choices]
    lines = "\n".join(f"  {row}" for row in form.columns(first))
    return fill(FORM, first=fill(FIRST, lines=lines) if lines else "", **_own(name, player))


def _own(name: str, player: str, orders: str = "orders.txt") -> dict[str, str]:
    """What a player types to order."""
    return {"record": name, "orders": orders, "seat": f"{player}.seat"}


PUBLIC = """\
Subject: entry {step}: {title}

{lines}

The block holds the entry; {TAKE} keeps it in your copy.
"""


def public(opening: Opening, entry: AnyEntry) -> Reply:
    """An entry's mail to somebody who does not play."""
    title = story.title(entry)
    lines = "\n".join(f"  {line}" for line in story.heard(opening, entry) if line != title)
    return write(PUBLIC, step=entry.step, title=title, lines=lines or "  (no news)")


def farewell(name: str, player: str, step: int, ruling: Ruling) -> Reply:
    """The mail to a player whose seat was handed on by the entry `step`."""
    how = "with" if ruling.seat is not None and ruling.seat.agreed else "without"
    return write(FAREWELL, name=name, player=player, step=step, how=how, ruling=ruling)


def reminder(name: str, player: str, step: int, until: Time) -> Reply:
    """The mail to a player who has not ordered yet, shortly before the deadline."""
    return write(REMINDER, step=step, until=when(until), **_own(name, player))


# Answers to what was signed.

RECEIPT = """\
Subject: step {receipt.step}: your orders are {receipt.status}

Your orders for step {receipt.step}, revision {receipt.revision}: {told}.

{replaced}

The signed receipt is attached; {TAKE} keeps it in your seat.
"""
REPLACED = "A later revision replaces them until the step is adjudicated."

REFUSED = """\
Subject: {subject}

Your mail was not taken:

{error.word}: {error.message}

{hint}
"""

# It does not say what the letter was: whoever carries mails could not read that in the letter.
LETTER = """\
Subject: your letter

The host has taken your letter. A message is passed on, and the next entry will hold its digest.
Deadlines of yours that fall into an absence are moved by a ruling, which all can read. To a new
address the game's mails come from now on: the word resend as an answer brings the last entry again.
"""


def receipt(answer: Receipt, told: str) -> Reply:
    """The mail that carries a receipt; `told` is the receipt in words."""
    replaced = REPLACED if answer.status == "accepted" else ""
    return write(RECEIPT, receipt=answer, told=told, replaced=replaced)


def refused(error: Refused, subject: str = "your mail was not taken") -> Reply:
    """The answer to a known player's mail that was not taken."""
    hint = _filled(error.hint[:1].upper() + error.hint[1:] + ".") if error.hint else ""
    return write(REFUSED, subject=subject, error=error, hint=hint)


# Letters that are passed on, and a host's own.

PRESS = """\
Subject: {subject}

{who} has a message for {whom}.

{text}

The next entry holds its digest, which proves that it was sent and not changed.
"""

SEALED_PRESS = """\
It is sealed in the attachment:

  {TAKE} < THIS-MAIL
"""

MOVED = """\
Subject: the host has a new mail address

The host's mail address is now {address}. The signed letter is attached; once you have taken it
in, the mails that the program writes go there:

  {TAKE} < THIS-MAIL
"""

# The server's own words stay with the host: they name the reader's address.
RETURNED = """\
Subject: your message to {reader} came back

A mail server sent your message to {reader} back. The host knows why; write it again once the
address is corrected.
"""

COPY = """\
Subject: copy {number} of your own

This mailbox keeps what its host has signed, in one row. By it two machines never sign two
histories, and one that was restored from an older backup finds what it lacks. Leave this mail
where it is.
"""


def press(letter: Letter, message: Text, *, shown: bool) -> Reply:
    """The mail that passes on a message; its text only if it may be readable."""
    writer = "the host" if letter.player == HOST else letter.player
    who = "somebody" if message.anonymous else writer
    text = "\n".join(f"  | {line}" for line in message.body.splitlines())
    return write(
        PRESS, subject="a message" if message.anonymous else f"a message from {writer}",
        who=who[:1].upper() + who[1:], whom="all" if message.to == EVERYONE else "you",
        text=text if shown else fill(SEALED_PRESS),
    )  # fmt: skip


# What is understood without a signature, and the answers to it.

HELP = """\
Subject: what you may write

{first}

Write one of these lines, first in a mail or as its subject:

{words}

{games}

{club}

{seat}
"""
CLUB = """\
A line that does something is answered by a mail, and done once you answer that with yes: so nobody
can write in your name.
"""
SEAT = """\
Orders, joins, messages and notices of absence are signed, so they are made with the adjudicator
program, which writes a block into a mail for you:

  {TAKE} < MAIL              take in a mail from the host
  {PLAY}                     your turn
  {MESSAGE}
  {ABSENCE}

An answer may hold the block anywhere, pasted or attached, also quoted.
"""
NOT_UNDERSTOOD = "Your mail was not understood."

UNKNOWN = """\
Subject: Your mail was not understood

A program reads this mailbox, in which games are played. It did not understand your mail, or it
knows no player with your address.

If you were invited, answer with a join, made with the adjudicator program:
  {JOIN}

This answer is sent at most once an hour.
"""

STATUS = """\
{title} "{name}"
{lines}
{orders}
"""
ARE_IN = "your orders are in: revision {revision}"

WHO = """\
Subject: who plays

{title} "{name}"
{players}
"""

NONE_IN = """\
Subject: your orders

No orders of yours for step {step} are in. If you sent some, send the same mail again: each order is
answered with a receipt.
"""

UNSIGNED = """\
Subject: your message was not passed on

A message to another player is signed, so that nobody can write in your name:

  {MESSAGE}
"""

UNSEALED = """\
Subject: your orders were not taken

Orders are sealed and signed before they are sent, so that nobody else can read them or write them
for you. Save the form as orders.toml, and let the program do it:

  {ORDER}
"""


def helping(whose: Iterable[Whose], kinds: Sequence[str], *, understood: bool) -> Reply:
    """What a reader may write; `kinds`: the games that can be begun here."""
    mine = set(whose)
    return write(
        HELP, first="" if understood else NOT_UNDERSTOOD, words="\n".join(words.lines(mine)),
        games=f"  Games: {', '.join(kinds)}." if Whose.CLUB in mine else "",
        club=fill(CLUB) if Whose.CLUB in mine else "",
        seat=fill(SEAT) if Whose.PLAYER in mine else "",
    )  # fmt: skip


def status(name: str, title: str, lines: Iterable[str], revision: int | None = None) -> str:
    """The state of a game; `revision`: that of the reader's orders that are in."""
    own = "" if revision is None else fill(ARE_IN, revision=revision)
    return fill(STATUS, title=title, name=name, lines="\n".join(lines), orders=own)


def who(name: str, title: str, players: Iterable[tuple[str, str]]) -> Reply:
    """Who plays, with a line about each."""
    lines = "\n".join(f"  {one}: {what}" for one, what in players)
    return write(WHO, title=title, name=name, players=lines)


def rules(game: Game[Any, Any]) -> Reply:
    """The rules of the game."""
    return Reply("the rules", "\n".join([*manual.lines(games.rules_page(game), WIDTH), ""]))


def unsealed(name: str, player: str) -> Reply:
    """The answer to an order form that was sent unsealed."""
    return write(UNSEALED, **_own(name, player, "orders.toml"))


# What a referee writes.

CONFIRM = """\
Subject: is this yours: {line}

Somebody wrote to this mailbox, in which games are played, in your name:

  {line}

If it was you, answer with the word yes alone. If it was not, do nothing. Nothing was done yet.
"""

OFFERED = """\
You asked for this game, called {name}. {others}It begins when {count} have joined. The words leave
{name} withdraw it before that. Take your own seat now:
"""
INVITED = "Invited: {whom}. "

ASKED = """\
{by} asked this mailbox, in which games are played, for a game with you. If you do not want to play,
do nothing. The word leave as an answer keeps such invitations away from you.
"""

SUBSTITUTE = """\
You are on the standby list. In the game {name} the seat of {player} stays empty: a deadline was
missed. If you take it, join under the name {player}; the first who joins so gets the seat, unless
{player} comes back before.
"""

WATCHED = """\
Subject: you watch

You get what everybody may know of {name}, entry by entry, and at its end the whole game in one
file. The word leave as an answer ends that.

The block holds its invite: with it {TAKE} begins your copy.
"""

PACK = """\
Subject: {outcome}

{name} is over: {outcome}. The attachment holds the whole game; nothing in it is hidden any more.
Anybody can verify it:

  adjudicator verify {name}.zip
"""
NOT_ATTACHED = """\
Subject: {outcome}

{name} is over: {outcome}. The whole game is too large for a mail: ask the host for it.
"""

DONE = """\
Subject: {line}

{said}
"""

HOW = """\
Subject: nothing was done yet ({token})

This mail asked whether to do something:

  {line}

It is done once you answer with the word yes alone in the first line, and with nothing else there.
If you do not want it, do nothing.
"""

DONE_ALREADY = """\
Subject: done already

This was done already, and is not done again:

  {line}

To ask for something new, write a new mail; the word help brings what you may write.
"""

NO_QUESTION = """\
Subject: nothing waits for a yes

No mail that you answered waits for a yes of yours, or it is older than two weeks. The word help
brings what you may write.
"""

NOT_DONE = """\
Subject: not done

It was not done: {why}

  {hint}
"""

MINE = """\
Subject: your games

{summary}:

{rows}

{calendar}

The word weekly brings this mail each week, weekly off no more.
"""
CALENDAR = "Your deadlines as a calendar, at an address that only you are told: {address}"

REPLACE = """\
An organiser asks you to take the seat of {player} in the game {name}. Join under the name {player}:
the seat is yours once your join is here. If you do not want it, do nothing.
"""

NO_NOTE = """\
Subject: nothing was noted

A note is for yourself alone, and a mail can be read by whoever carries it. Your own program keeps
it with your seat, sealed, and shows it at that step in the replay:

  {NOTE}
"""

OWN = """\
Subject: a check of this mailbox

A referee wrote this to its own mailbox. By what comes here it knows how a mail changes on its way.
"""

MISSED = """\
Subject: you missed a deadline

Your orders did not come in time for entry {step} of {name}. {so}

If you play on, answer with the word yes alone: the seat stays yours until your next deadline. A
message that you sign does the same, and so do orders.
"""
MORE = "If that happens {times} more, your seat is offered to others."
OFFERED_NOW = "Your seat is offered to others now."

BACK = """\
Subject: you do not get the seat

You do not get the seat of {player} in {name}: {why}.
"""


def not_done(error: Exception, line: str) -> Reply:
    """The answer to a word that was refused: why, and what to write. `line`: what is not repeated
    of it, as anybody can write in another's name; "" where its writer is proven."""
    why = error.message if isinstance(error, Refused) else str(error.args[0])
    hint = error.hint if isinstance(error, Refused) else ""
    said = {part for word in line.split() for part in (word, *word.partition("="))}
    for part in sorted(said | {part.lower() for part in said}, reverse=True):
        # As it is quoted, cut where it is cut.
        why = why.replace(ascii(part)[:80], "what you wrote")
    return write(NOT_DONE, why=f"{why}{'.' * (why[-1] not in '.?')}", hint=hint)


def missed(name: str, step: int, left: int) -> Reply:
    """The mail to who missed a deadline; `left`: how many more until the seat is offered."""
    times = "once" if left == 1 else f"{left} times"
    so = fill(MORE, times=times) if left else OFFERED_NOW
    return write(MISSED, name=name, step=step, so=so)


def offered(name: str, others: Sequence[str], count: int) -> str:
    """What stands above the invitation of who asked for a game."""
    whom = fill(INVITED, whom=", ".join(others)) + " " if others else ""
    return fill(OFFERED, name=name, others=whom, count=count)


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
