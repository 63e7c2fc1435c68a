"""What mails say: plain text for a plain mail program, 76 columns wide.

What belongs here: words around a board, an order form, a date. What is written for a player is
built from public entries, and from their own report where their join asks for open mail.
What it must not know: mailboxes, addresses of players, hidden state.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from datetime import datetime

from adjudicator import order_text, story
from adjudicator.install import Pin
from adjudicator.mail.outgoing import WIDTH
from adjudicator.opening import Offer, Opening
from adjudicator.player import Report
from games.options import seconds
from orders.documents import Receipt
from orders.entries import AnyEntry, Genesis, Reveal
from orders.errors import Refused
from orders.fields import Time
from orders.letter import EVERYONE, HOST, Letter, Press

HELP = """\
The host understands, as the first line of a mail or as its subject:

  status      whose orders are awaited until when
  resend      the last entry again, or another: resend 7
  help        this

Orders, joins, messages and notices of absence are signed, so they are made
with the adjudicator program, which writes a block into a mail for you:

  adjudicator mail read < MAIL                 take in a mail from the host
  adjudicator order RECORD ORDERS --seat SEAT --mail
  adjudicator mail message RECORD --seat SEAT --to bob TEXT
  adjudicator mail absence RECORD --seat SEAT --from TIME --until TIME

A reply may hold the block anywhere, pasted or attached, quoted text and all.
"""

UNKNOWN = """\
This is a mailbox in which games are played, read by a program. Your mail was
not understood, or its address belongs to nobody who plays here.

Who was invited answers with a join, made with the adjudicator program:
  adjudicator mail read < INVITATION
  adjudicator join INVITE --name NAME --key KEY --address YOU@EXAMPLE.ORG

This answer is sent once an hour at the most.
"""

MEANING = {
    "accepted": "Your orders are in. A later revision replaces them until the step is adjudicated.",
    "stale": "These orders answer another entry than the last one. Take in the newest mail first.",
    "superseded": "Orders with this revision number, or a higher one, are here already.",
    "unopenable": "The sealed order file is not there or does not open. Write the orders anew.",
    "malformed": "The order file was not understood: adjudicator check tells where.",
    "illegal": "The order file holds a line that is not allowed: adjudicator check tells which.",
}


def when(time: Time) -> str:
    """`Tue 24 Nov 2026, 18:00 UTC`."""
    return datetime.fromisoformat(time).strftime("%a %d %b %Y, %H:%M UTC")


def fill(*paragraphs: str) -> str:
    """Paragraphs, filled."""
    return "\n\n".join(textwrap.fill(one, WIDTH, break_long_words=False) for one in paragraphs)


def invitation(offer: Offer, name: str, pin: Pin | None) -> str:
    """The mail that carries an invite; `pin`: from where the host has players install."""
    game, invite = offer.game, offer.invite
    options = [f"  {key} = {value}" for key, value in invite.options.items()]
    turn = seconds(str(invite.options["turn_time"])) or 0
    return "\n".join(
        [
            fill(f'You are invited to a game of {game.title}, called "{name}".', game.summary),
            "",
            f"Each step leaves {_length(turn)} for orders. Options:",
            *options,
            "",
            *_program(pin),
            "",
            "Then, with the program:",
            "",
            "  adjudicator keygen me.key          unless you have an SSH key (Ed25519)",
            "  adjudicator mail read < THIS-MAIL",
            f"  adjudicator join {name}-invite.txt --name NAME --key me.key \\",
            "      --address YOU@EXAMPLE.ORG",
            f"  adjudicator mail wrap {name} NAME-join.txt",
            "",
            "and send the mail that the last line writes, or reply to this one with",
            "NAME-join.txt attached. Only the host can read your address.",
            "The rules: adjudicator rules " + game.id,
            "",
        ]
    )


def _program(pin: Pin | None) -> list[str]:
    """From where to get the program: never by a bare name, which might be anybody's."""
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
    """The answer to a join."""
    of = "" if wanted is None else f" of {wanted}"
    return "\n".join(
        [
            fill(f"You have joined as {player}. {len(names)}{of} are there: {', '.join(names)}."),
            "",
            "The game's first mail comes when all are there.",
            "",
        ]
    )


def entry(opening: Opening, told: AnyEntry, name: str, player: str, report: Report | None) -> str:
    """The mail of an entry to a player; `report` is theirs where their mail is open."""
    out = [f'{opening.game.title} "{name}", entry {told.step} (game {opening.id[:16]})', ""]
    out += _happened(opening, told, name, report)
    if report is not None:
        out += ["", "The board as you see it:", "", opening.game.draw(report.view).rstrip("\n")]
    elif not isinstance(told, Reveal):
        out += ["", "What only you may see is sealed in the attachment:", "",
                "  adjudicator mail read < THIS-MAIL"]  # fmt: skip
    awaited = {} if isinstance(told, Reveal) else told.awaited
    if awaited:
        out += ["", "Awaited:"]
        out += [f"  {who}: {p.what}, until {when(p.until)}" for who, p in awaited.items()]
    if player in awaited:
        out += ["", *_form(opening, told.step + 1, name, player, report)]
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
        return [
            fill(f"The host rules: {told.ruling.reason}."),
            "",
            fill("Orders sent for this step before the ruling are void: send them anew."),
        ]
    events = told.events if report is None else report.events
    news = [textwrap.fill(f"- {opening.game.news(event)}", WIDTH, initial_indent="  ",
                          subsequent_indent="    ") for event in events]  # fmt: skip
    missing = [fill(f"Missing: {', '.join(told.missing)}.")] if told.missing else []
    return ["What happened:", *(news or ["  nothing that all may know"]), *missing]


def _form(opening: Opening, step: int, name: str, player: str, report: Report | None) -> list[str]:
    """The order form: what is to be sealed and sent back."""
    legal = () if report is None else opening.game.legal(report.view)
    lines = [f"  {row}" for row in order_text.columns(legal)]
    return [
        "You are awaited.",
        *(["", "Lines that you may write now:", "", *lines] if lines else []),
        "",
        "Write your orders into this form, a line each, saved as orders.toml:",
        "",
        *order_text.head(opening.id, step, player),
        'orders = """',
        "",
        '"""',
        "",
        "and seal them into a mail, or into a block to paste into your reply:",
        "",
        f"  adjudicator order {name} orders.toml --seat {player}.seat --mail",
    ]


def receipt(answer: Receipt) -> str:
    """The mail that carries a receipt."""
    return "\n".join(
        [
            f"Step {answer.step}, revision {answer.revision}: {answer.status}.",
            "",
            fill(MEANING[answer.status]),
            "",
            "The signed receipt is attached; adjudicator mail read keeps it in your seat.",
            "",
        ]
    )


def refused(error: Refused) -> str:
    """Why something that a known player sent was not taken."""
    hint = [fill(error.hint[:1].upper() + error.hint[1:] + "."), ""] if error.hint else []
    return "\n".join(
        ["Your mail was not taken:", "", fill(f"{error.word}: {error.message}"), "", *hint]
    )


def status(
    name: str, title: str, told: dict[str, object], addresses: Iterable[tuple[str, str]]
) -> str:
    """How a game stands; `addresses` of those who let each other know them."""
    out = [f'{title} "{name}": {told["state"]}']
    if told["step"] is not None:
        out.append(f"  the last entry is {told['step']}, game {str(told['game'])[:16]}")
    awaited = told["awaited"]
    if isinstance(awaited, dict):
        for who, prompt in awaited.items():
            out.append(f"  awaited: {who} for {prompt['for']}, until {when(prompt['until'])}")
    out += [f"  {who}: {address}" for who, address in addresses]
    return "\n".join(out) + "\n"


def press(letter: Letter, message: Press, *, shown: bool) -> str:
    """The mail that passes a message on; its words only where they may stand in the clear."""
    who = "Somebody" if message.anonymous else letter.player
    who = "The host" if letter.player == HOST and not message.anonymous else who
    whom = "all" if message.to == EVERYONE else "you"
    out = [f"{who} has a message for {whom}.", ""]
    if shown:
        out += [f"  | {line}" for line in message.text.splitlines()]
    else:
        out += ["It is sealed in the attachment:", "", "  adjudicator mail read < THIS-MAIL"]
    out += ["", "Its digest stands in the next entry: it was sent, and is as it was sent.", ""]
    return "\n".join(out)


def taken(letter: Letter, message: Press | None) -> str:
    """The answer to a letter."""
    if message is not None:
        to = "the host" if message.to == HOST else message.to
        how = ", without your name" if message.anonymous else ""
        return f"Your message to {to} is passed on{how}. Its digest stands in the next entry.\n"
    if letter.absence is not None:
        return fill(
            f"Your absence until {when(letter.absence.end)} is granted. Deadlines of yours that "
            "fall into it are moved by a ruling, which all can read."
        ) + "\n"  # fmt: skip
    return f"Your mail address is {letter.address} to those who show theirs.\n"


def unsigned() -> str:
    """The answer to a message that nobody signed."""
    return fill(
        "A message to another player is signed, so that nobody can write in your name:"
    ) + "\n\n  adjudicator mail message RECORD --seat SEAT --to bob TEXT\n"  # fmt: skip


def unsealed(name: str, player: str) -> str:
    """The answer to an order form that was sent as it is."""
    return fill(
        "Orders are sealed and signed before they are sent, so that nobody else can read them or "
        "write them for you. Save the form as orders.toml, and let the program do it:"
    ) + f"\n\n  adjudicator order {name} orders.toml --seat {player}.seat --mail\n"  # fmt: skip
