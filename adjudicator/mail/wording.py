"""The texts of mails: plain text for a plain mail program, 76 columns wide.

A text for a player is built from public entries, and from their own report if their join asks for
open mail. What it must not know: players' addresses, hidden state.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from datetime import datetime

from adjudicator.core.opening import Offer, Opening
from adjudicator.core.report import Report
from adjudicator.install import Pin
from adjudicator.mail.outbox import Unsent
from adjudicator.mail.outgoing import WIDTH
from adjudicator.words import form, story
from games.options import seconds
from orders.documents import Receipt
from orders.entries import AnyEntry, Genesis, Reveal, Ruling
from orders.errors import Refused
from orders.fields import EVERYONE, HOST, Time
from orders.letter import Letter, Press

HELP = """\
The host understands these words in the first line or the subject of a mail:

  status      whose orders are awaited, and until when
  orders?     your orders that are in, with the receipt
  resend      the last entry again, or another: resend 7
  history     the story so far
  who         who plays
  rules       the rules of the game
  help        this

Orders, joins, messages and notices of absence are signed, so they are made
with the adjudicator program, which writes a block into a mail for you:

  adjudicator mail read < MAIL                 take in a mail from the host
  adjudicator order RECORD ORDERS --seat SEAT --mail
  adjudicator mail message RECORD --seat SEAT --to bob TEXT
  adjudicator mail absence RECORD --seat SEAT --from TIME --until TIME

A reply may hold the block anywhere, pasted or attached, also quoted.
"""

COPY = """\
This mailbox keeps what its host has signed. If the machine is ever restored from
an older backup, it finds here what it lacks. Leave this mail where it is.
"""

FROM_HOST = (
    "The host named this program or page: one who changed it could read your orders, and it would "
    "tell you nothing of that. Get it from somebody else too, and compare the digest."
)

UNKNOWN = """\
A program reads this mailbox, in which games are played. It did not understand
your mail, or it knows no player with your address.

If you were invited, answer with a join, made with the adjudicator program:
  adjudicator join THIS-MAIL --name NAME --key KEY --address YOU@EXAMPLE.ORG

This answer is sent at most once an hour.
"""


def when(time: Time) -> str:
    """`Tue 24 Nov 2026, 18:00 UTC`."""
    return datetime.fromisoformat(time).strftime("%a %d %b %Y, %H:%M UTC")


def fill(*paragraphs: str) -> str:
    """Paragraphs, filled."""
    return "\n\n".join(textwrap.fill(one, WIDTH, break_long_words=False) for one in paragraphs)


def invitation(offer: Offer, name: str, token: str | None, pin: Pin | None, page: str = "") -> str:
    """The mail that carries an invite.

    `token` is for a reserved seat; `pin`: from where players install the program; `page`: the link
    to the page for players.
    """
    game, invite = offer.game, offer.invite
    options = [f"  {key} = {value}" for key, value in invite.options.items()]
    turn = seconds(str(invite.options["turn_time"])) or 0
    lines = [
        fill(f'You are invited to a game of {game.title}, called "{name}".', game.summary),
        "",
        f"Each step leaves {_length(turn)} for orders. Options:",
        *options,
        "",
        *([*by_page(page, "this mail"), ""] if page else []),
        *_program(pin),
        *(["", fill(FROM_HOST)] if page or pin is not None else []),
        "",
        "Then, with the program:",
        "",
        "  adjudicator keygen me.key          unless you have an SSH key (Ed25519)",
        "  adjudicator join THIS-MAIL --name NAME --key me.key \\",
        "      --address YOU@EXAMPLE.ORG",
        f"  adjudicator mail wrap {name} {name}-NAME-join.txt",
        "",
        "and send the mail that the last line writes, or reply to this one with",
        f"{name}-NAME-join.txt attached. Only the host can read your address.",
    ]
    if token is not None:
        lines.append("The block holds a token for your seat: whoever has it can take the seat.")
    return "\n".join([*lines, "The rules: adjudicator rules " + game.id, ""])


def by_page(link: str, what: str) -> list[str]:
    """How to join with only a browser; `what` names the thing to drop on the page."""
    way = f"The quick way: open the page, and drop {what} on it, or paste it there."
    return [way, "", *_page(link)]


def _page(link: str) -> list[str]:
    """A link to the page, with its digest, by which anybody can check that it is this page."""
    address, _, digest = link.partition("#sha256=")
    return [f"  {address}", f"  (page {digest})"]


def _program(pin: Pin | None) -> list[str]:
    """Where to get the program: never by its name alone, which anybody may have taken."""
    if pin is None:
        return [
            fill(
                "To play you need the adjudicator program. Ask the person who hosts this game "
                "where to get it. Do not install it by its name alone: a package that is called "
                '"adjudicator" elsewhere is another program.'
            )
        ]
    return [
        "To play you need the adjudicator program (and Python 3.11 or later):",
        "",
        "  python3 -m venv .venv",
        f'  .venv/bin/pip install "{pin.requirement()}"',
        "  . .venv/bin/activate",
    ]


def _length(length: int) -> str:
    for name, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if length % size == 0 and length >= size:
            count = length // size
            return f"{count} {name}{'' if count == 1 else 's'}"
    return f"{length} seconds"


def joined(player: str, names: Sequence[str], wanted: int | None) -> str:
    """The answer to a join that was taken."""
    of = "" if wanted is None else f" of {wanted}"
    return "\n".join(
        [
            fill(f"You have joined as {player}. {len(names)}{of} have joined: {', '.join(names)}."),
            "",
            "The game's first mail comes when all have joined.",
            "",
        ]
    )


def waiting(name: str, title: str, names: Sequence[str], wanted: int | None) -> str:
    """The state of a game that has not begun."""
    of = "" if wanted is None else f" of {wanted}"
    there = f": {', '.join(names)}" if names else ""
    return fill(f'{title} "{name}" has not begun. {len(names)}{of} have joined{there}.') + "\n"


def entry(
    opening: Opening, told: AnyEntry, name: str, player: str, report: Report | None, page: str = ""
) -> str:
    """The mail that tells an entry to a player; `report` is theirs if their mail is open.

    `page`: the link to the page for players.
    """
    out = [f'{opening.game.title} "{name}", entry {told.step} (game {opening.id[:16]})', ""]
    out += _happened(opening, told, name, report)
    if report is not None:
        out += ["", "The board as you see it:", "", opening.game.draw(report.view).rstrip("\n")]
    elif not isinstance(told, Reveal):
        out += ["", "What only you may see is sealed in the attachment:", "",
                "  adjudicator mail read < THIS-MAIL"]  # fmt: skip
    if told.awaited:
        out += ["", "Awaited:"]
        out += [f"  {who}: {p.what}, until {when(p.until)}" for who, p in told.awaited.items()]
    if player in told.awaited:
        out += ["", *_form(opening, name, player, report)]
    if page:
        out += ["", "Or in a browser: drop your seat and this mail on the page, tap, send.", ""]
        out += _page(page)
    return "\n".join(out) + "\n"


def _happened(opening: Opening, told: AnyEntry, name: str, report: Report | None) -> list[str]:
    if isinstance(told, Genesis):
        return [fill(f"The game begins. Players: {', '.join(told.players)}.")]
    if isinstance(told, Reveal):
        return [
            fill(
                f"The game is over: {story.outcome(told)}. The host has revealed the master "
                "secret, and with it the whole game. Take this mail in, then check it all:"
            ),
            "",
            f"  adjudicator verify {name}",
        ]
    if told.ruling is not None:
        return [fill(f"The host rules: {told.ruling.reason}."), *_after(told.ruling)]
    heard = story.heard(opening, told, report)
    news = [textwrap.fill(f"- {line}", WIDTH, initial_indent="  ", subsequent_indent="    ")
            for line in heard]  # fmt: skip
    missing = [fill(f"Missing: {', '.join(told.missing)}.")] if told.missing else []
    return ["What happened:", *(news or ["  nothing public"]), *missing]


def _after(ruling: Ruling) -> list[str]:
    """The effect of a ruling on orders that were sent before it."""
    if ruling.abandons:
        return []
    if ruling.moves_only:
        return ["", fill("Orders that you have sent for this step stay as they are.")]
    return ["", fill("Orders sent for this step before the ruling are void: send them again.")]


def _form(opening: Opening, name: str, player: str, report: Report | None) -> list[str]:
    """How to order, and which lines may come first."""
    first = []
    if report is not None:
        first = [choice.text for choice in opening.game.after(report.view, ()).choices]
    lines = [f"  {row}" for row in form.columns(first)]
    return [
        "You are awaited.",
        *(["", "Your first line can be one of these:", "", *lines] if lines else []),
        "",
        fill(
            "Write your orders into a file, a line each, and save it as orders.txt. The program "
            "seals them into a mail, or into a block to paste into your reply:"
        ),
        "",
        f"  adjudicator order {name} orders.txt --seat {player}.seat --mail",
    ]


def taking_over(player: str) -> str:
    """The answer to a join of somebody who would take over a seat."""
    return fill(
        f"Your join is here. Once the host has handed the seat of {player} on to you, by a ruling "
        "that all can read, you get the game's mails."
    ) + "\n"  # fmt: skip


def farewell(name: str, player: str, ruling: Ruling) -> str:
    """The mail to a player whose seat was handed on."""
    agreed = ruling.seat is not None and ruling.seat.agreed
    how = "with your consent" if agreed else "without your consent"
    return fill(
        f'The host of "{name}" has handed the seat of {player} on to somebody else, {how}. The '
        f"reason given: {ruling.reason}.",
        "You get no more mails of this game, and your orders no longer count. The ruling is in the "
        "attachment, signed by the host. Keep your seat and your copy: with them you can still "
        "show what you were promised, and verify the game at its end.",
    ) + "\n"  # fmt: skip


def reminder(name: str, player: str, step: int, until: Time) -> str:
    """The mail to a player who has not ordered yet, shortly before the deadline."""
    return "\n".join(
        [
            fill(f"Your orders for step {step} are awaited until {when(until)}. None came yet."),
            "",
            f"  adjudicator order {name} orders.txt --seat {player}.seat --mail",
            "",
            "To get the entry's mail again, reply with the word resend.",
            "",
        ]
    )


def receipt(answer: Receipt, told: str) -> str:
    """The mail that carries a receipt; `told` is the receipt in words."""
    lines = [fill(f"Your orders for step {answer.step}, revision {answer.revision}: {told}."), ""]
    if answer.status == "accepted":
        lines += [fill("A later revision replaces them until the step is adjudicated."), ""]
    return "\n".join(
        [*lines, "The signed receipt is attached; adjudicator mail read keeps it in your seat.", ""]
    )


def refused(error: Refused) -> str:
    """The answer to a known player's mail that was not taken."""
    hint = [fill(error.hint[:1].upper() + error.hint[1:] + "."), ""] if error.hint else []
    return "\n".join(
        ["Your mail was not taken:", "", fill(f"{error.word}: {error.message}"), "", *hint]
    )


def status(name: str, title: str, lines: Iterable[str], revision: int | None) -> str:
    """The state of a game; `revision`: that of the reader's orders that are in."""
    out = [f'{title} "{name}"', *lines]
    if revision is not None:
        out.append(f"your orders are in: revision {revision}")
    return "\n".join(out) + "\n"


def who(name: str, title: str, players: Iterable[tuple[str, str]]) -> str:
    """Who plays, with a line about each."""
    return "\n".join([f'{title} "{name}"', *(f"  {one}: {what}" for one, what in players), ""])


def undelivered(listed: Sequence[Unsent], stuck: Sequence[tuple[str, int, str]]) -> list[str]:
    """Mails that did not arrive, and mails that came and could not be dealt with."""
    out = []
    for one in listed:
        line = f"{one.state}: to {one.recipient}, {one.tries} tries"
        line += f", due {one.due}" if one.state == "waiting" else ""
        out.append(line + (f": {one.fault}" if one.fault else ""))
    for name, turns, fault in stuck:
        out.append(f"in the mailbox: {name}, looked at {turns} times: {fault}")
    return [*out, f"{len(listed)} mails not sent"]


def since_last(news: Sequence[str], others: int) -> str:
    """The log since the last digest; `others`: how many lines are left out."""
    return "\n".join(["Since the last digest:", *(news or ["nothing"]),
                      *([f"and {others} other mails"] if others > 0 else []), ""])  # fmt: skip


def none_in(step: int) -> str:
    """The answer to a player who asks for their orders when none are in."""
    return fill(
        f"No orders of yours for step {step} are in. If you sent some, send the same mail again: "
        "each order is answered with a receipt."
    ) + "\n"  # fmt: skip


def writer(letter: Letter) -> str:
    """Who wrote a letter."""
    return "the host" if letter.player == HOST else letter.player


def press(letter: Letter, message: Press, *, shown: bool) -> str:
    """The mail that passes on a message; its text only if it may be readable."""
    who = "somebody" if message.anonymous else writer(letter)
    whom = "all" if message.to == EVERYONE else "you"
    out = [f"{who[:1].upper()}{who[1:]} has a message for {whom}.", ""]
    if shown:
        out += [f"  | {line}" for line in message.text.splitlines()]
    else:
        out += ["It is sealed in the attachment:", "", "  adjudicator mail read < THIS-MAIL"]
    out += [
        "",
        "The next entry holds its digest, which proves that it was sent and not changed.",
        "",
    ]
    return "\n".join(out)


def moved(letter: Letter) -> str:
    """The mail that tells the host's new address."""
    return fill(
        f"The host's mail address is now {letter.mail}. The signed letter is attached; once you "
        "have taken it in, the mails that the program writes go there:"
    ) + "\n\n  adjudicator mail read < THIS-MAIL\n"  # fmt: skip


def returned(reader: str) -> str:
    """The mail to the player who wrote a message that could not be delivered.

    The server's own words stay with the host: they name the reader's address.
    """
    return fill(
        f"A mail server sent your message to {reader} back. The host knows why; write it again "
        "once the address is corrected."
    ) + "\n"  # fmt: skip


def taken(letter: Letter, message: Press | None) -> str:
    """The answer to a letter."""
    if message is not None:
        to = "the host" if message.to == HOST else message.to
        how = ", without your name" if message.anonymous else ""
        return f"Your message to {to} is passed on{how}. The next entry will hold its digest.\n"
    if letter.absence is not None:
        return fill(
            f"Your absence until {when(letter.absence.end)} is granted. Deadlines of yours that "
            "fall into it are moved by a ruling, which all can read."
        ) + "\n"  # fmt: skip
    if letter.address is not None:
        return fill(
            "From now on the game's mails to you come to this address. The word resend as an "
            "answer to this mail brings the last entry again."
        ) + "\n"  # fmt: skip
    shown = "shown to" if letter.shown else "hidden from"
    return f"Your mail address is {shown} those who show theirs.\n"


def unsigned() -> str:
    """The answer to a message that nobody signed."""
    return fill(
        "A message to another player is signed, so that nobody can write in your name:"
    ) + "\n\n  adjudicator mail message RECORD --seat SEAT --to bob TEXT\n"  # fmt: skip


def unsealed(name: str, player: str) -> str:
    """The answer to an order form that was sent unsealed."""
    return fill(
        "Orders are sealed and signed before they are sent, so that nobody else can read them or "
        "write them for you. Save the form as orders.toml, and let the program do it:"
    ) + f"\n\n  adjudicator order {name} orders.toml --seat {player}.seat --mail\n"  # fmt: skip
