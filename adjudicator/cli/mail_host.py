"""`mail` for hosts, now and then: `invite`, `joins`, `drop`, `start`, `say`, `moved`, `letters`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click

from adjudicator.cli.mail_desk import AddressOption, desk_of, locked, tell
from adjudicator.cli.page import PageOption
from adjudicator.cli.shared import (
    AnyPath,
    InstallOption,
    RecordArgument,
    StateOption,
    record_of,
    say,
    seat_in,
)
from adjudicator.host.letters import Letters
from adjudicator.install import Pin, read_page, read_pin
from adjudicator.mail import player as mail_player
from adjudicator.mail import telling
from adjudicator.mail.desk import Desk
from adjudicator.mail.mime import check_address
from adjudicator.mail.office import Office
from adjudicator.mail.outbox import Outbox
from adjudicator.mail.outgoing import Outgoing
from adjudicator.store.clock import SystemClock
from orders.errors import Refused
from orders.secrets import draw_secret

NOWHERE = "host@example.invalid"
"""The host's address for commands that write no mail."""


@click.command(
    short_help="Host: put invitations into the outbox.",
    epilog="Example: adjudicator mail invite friday --seats 3 --address "
    "referee@example.org alice@example.org bob@example.org",
)
@RecordArgument
@click.argument("players", nargs=-1)
@click.option("--seats", type=click.IntRange(1, 64), help="Begin when that many have joined.")
@click.option(
    "--open", "is_open", is_flag=True,
    help="Without tokens: everybody who gets the invite can join.",
)  # fmt: skip
@InstallOption
@PageOption
@AddressOption
@StateOption
def invite(
    record: Path, players: tuple[str, ...], seats: int | None, is_open: bool, install: str | None,
    page: str | None, address: str, state: Path,
) -> None:  # fmt: skip
    """Put invitations to RECORD for the mail addresses PLAYERS into the outbox.

    Each holds a token of its own; nobody joins a game with reserved seats without one. With
    --install they tell how to install this program, otherwise to ask you for it. An address that is
    invited again gets a second mail with the same token. With --page these and all later mails of
    the game link to a page to play in a browser.
    """
    pin = None if install is None else read_pin(install)
    link = None if page is None else read_page(page)
    desk = desk_of(record, address)
    _check_invites(desk, players, is_open=is_open)
    if seats is not None:
        least, most = desk.offer.game.seats
        if not least <= seats <= most:
            raise Refused("bad-option", f"--seats {seats}: the game is for {least} to {most}")
        desk.folder.set_seats(seats)
    if link is not None:
        desk.folder.set_page(link)
    _queue(desk, state, [_invitation(desk, one, pin, is_open=is_open) for one in players])
    say(f"{len(players)} invitations wait in {state}; adjudicator mail serve sends them")
    if desk.host is not None:
        say("the game has begun: who takes a seat over joins under its name, and you hand it on")
        return
    wanted = desk.room.seats()
    say(f"the game begins when {wanted} have joined" if wanted else
        f"when all have joined: adjudicator mail start {record}")  # fmt: skip


def _check_invites(desk: Desk, players: Sequence[str], *, is_open: bool) -> None:
    """Raise Refused where these people cannot be invited in this way."""
    for one in players:
        if check_address(one) is None:
            raise Refused("bad-option", f"{one!a:.80} is no mail address")
    if desk.host is not None and (is_open or not desk.offer.invite.reserved):
        raise Refused("over", "the game has begun: its seats are taken")
    if desk.offer.invite.mail is None:
        raise Refused(
            "bad-option",
            "the invite names no mail address of yours, so players have no signed address to "
            "write to",
            "make a new one: adjudicator invite ... --mail ADDRESS",
        )
    if not is_open and not desk.offer.invite.reserved:
        raise Refused(
            "bad-option",
            "the seats of this game are not reserved: everybody with a copy of the invite can join",
            "use --open if you want that, or make a new invite: adjudicator invite --reserved",
        )


def _invitation(desk: Desk, to: str, pin: Pin | None, *, is_open: bool) -> Outgoing:
    token = None
    if not is_open:
        known = {whom: token for token, whom in desk.folder.tokens().items()}
        token = known.get(to) or desk.room.invite(to)
    return telling.invitation(desk, to, draw_secret().hex(), token, pin)


def _queue(desk: Desk, state: Path, mails: Sequence[Outgoing]) -> None:
    """Put mails into the outbox, once nobody else works with it."""

    def work() -> int:
        with closing(Outbox(state)) as outbox:
            Office([desk], outbox, desk.address, SystemClock(), tell).post.queue(mails)
        return 0

    locked(state, work)


@click.command(
    epilog="Example: adjudicator mail joins friday", short_help="Host: who has joined by mail."
)
@RecordArgument
def joins(record: Path) -> None:
    """Who has joined RECORD by mail, with the address of each, and the address that was invited."""
    desk = desk_of(record, NOWHERE)
    tokens = desk.folder.tokens()
    for player, join in desk.joins().items():
        whom = tokens.get(desk.room.private(join).token or "")
        invited = "" if whom is None else f", invited as {whom}"
        say(f"{player}: {desk.addresses().get(player, 'no mail address')}{invited}")
    wanted = desk.room.seats()
    say(f"{len(desk.joins())}{'' if wanted is None else f' of {wanted}'} have joined")


@click.command(
    epilog="Example: adjudicator mail drop friday mallory",
    short_help="Host: forget a join before the game begins.",
)
@RecordArgument
@click.argument("player")
def drop(record: Path, player: str) -> None:
    """Forget that PLAYER joined RECORD, before the game begins. The token can be used again."""
    desk = desk_of(record, NOWHERE)
    if desk.host is not None:
        raise Refused(
            "over", "the game has begun", "adjudicator rule --seat hands a seat on to another"
        )
    with desk.record.locked():
        desk.room.drop(player)
    say(f"the join of {player} is forgotten")


@click.command(
    epilog="Example: adjudicator mail start friday",
    short_help="Host: begin the game with all who have joined.",
)
@RecordArgument
def start(record: Path) -> None:
    """Begin the game of RECORD with all who have joined by mail."""
    desk = desk_of(record, NOWHERE)
    desk.start()
    say(f"{record}: begun by {', '.join(desk.joins())}; adjudicator mail serve tells them")


@click.command(
    "say",
    epilog='Example: adjudicator mail say friday --to all "Back on Monday."',
    short_help="Host: a message of your own to the players.",
)
@RecordArgument
@click.argument("text")
@click.option("--to", default="all", show_default=True, help="A player's name, or all.")
@AddressOption
@StateOption
def say_(record: Path, text: str, to: str, address: str, state: Path) -> None:
    """The host's own message to the players, signed and noted as theirs are."""
    desk = desk_of(record, address)
    _queue(desk, state, desk.announced(to, text))
    say(f"the message to {to} waits in {state}; adjudicator mail serve sends it")


@click.command(
    epilog="Example: adjudicator mail moved friday --address carl@example.net",
    short_help="Host: tell the players your new address.",
)
@RecordArgument
@AddressOption
@StateOption
def moved(record: Path, address: str, state: Path) -> None:
    """Tell the players of RECORD, signed, that your mailbox is now at --address."""
    desk = desk_of(record, address)
    _queue(desk, state, desk.moved())
    say(f"a player's mails to you go to {address} once they have taken that in")
    say(f"it waits in {state}; adjudicator mail serve sends it. Read the old mailbox for a while")


@click.command(
    epilog="Example: adjudicator mail letters friday --seat alice.seat",
    short_help="The letters of a game, or of a seat.",
)
@RecordArgument
@click.option("--seat", type=AnyPath, help="A player's: the messages kept.")
def letters(record: Path, seat: Path | None) -> None:
    """The letters to the host and through it, or, with a seat, those that it got and sent.

    A seat's messages are checked: who signed them, and which entry names them.
    """
    if seat is not None:
        say(*mail_player.kept_letters(record_of(record), seat_in(seat)))
        return
    desk = desk_of(record, NOWHERE)
    held = Letters(desk.begun())
    for letter, press in held.read():
        head = f"{letter.player} {letter.number}"
        if press is not None:
            # Its number was drawn, and tells a person nothing.
            say(f"{letter.player}: message to {press.to}:")
            for line in press.text.splitlines():
                say("  " + "".join(c if c.isprintable() else "?" for c in line))
        elif letter.absence is not None:
            say(f"{head}: away from {letter.absence.start} until {letter.absence.end}")
        elif letter.mail is not None:
            say(f"{head}: the host's mail address is {letter.mail}")
        elif letter.address is not None:
            say(f"{head}: a new mail address")
        else:
            say(f"{head}: their mail address is {'shown' if letter.shown else 'hidden'}")
