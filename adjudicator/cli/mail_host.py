"""`mail` for hosts: `serve`, `invite`, `joins`, `drop`, `start`, `say`, `moved`, `outbox`, ..."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import click

from adjudicator.cli.shared import (
    InstallOption,
    JsonOption,
    RecordArgument,
    now,
    record_of,
    say,
    say_json,
    signer,
)
from adjudicator.host.folder import HostFolder
from adjudicator.host.letters import Letters
from adjudicator.install import Pin, read_pin
from adjudicator.mail import player as mail_player
from adjudicator.mail import senders, sources, telling
from adjudicator.mail.desk import Desk
from adjudicator.mail.mime import check_address
from adjudicator.mail.office import Office
from adjudicator.mail.outbox import Outbox, fault_of
from adjudicator.mail.outgoing import Outgoing
from adjudicator.player.seat import Seat
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from games.options import seconds
from orders.errors import Refused
from orders.secrets import draw_secret

TEMPORARY = 75
"""What sendmail and its kin take for: not now, try again (EX_TEMPFAIL)."""

BUSY_SECONDS = 30

NOWHERE = "host@example.invalid"
"""The host's address where no mail is written."""

AddressOption = click.option(
    "--address", required=True, envvar="ADJUDICATOR_MAIL_ADDRESS", help="The host's mail address."
)
StateOption = click.option(
    "--state",
    default="mail.state",
    envvar="ADJUDICATOR_MAIL_STATE",
    show_default=True,
    type=click.Path(path_type=Path),
    help="A private folder for the outbox.",
)


def _desk(record: Path, address: str) -> Desk:
    """The desk of a record that this machine hosts; raises Missing or Refused."""
    if check_address(address) is None:
        raise Refused("bad-option", f"--address {address!a:.80} is no mail address")
    target = record_of(record)
    folder = HostFolder(target.host)
    folder.master()
    return Desk(target, signer(folder.key_path()), SystemClock(), address)


def _desks(records: Sequence[Path], address: str) -> tuple[list[Desk], list[str]]:
    """The desks of these records, and what is amiss with those that have none."""
    desks, broken = [], []
    for record in records:
        try:
            desks.append(_desk(record, address))
        except (Refused, OSError) as error:
            line = str(error) if isinstance(error, Refused) else fault_of(error)
            broken.append(f"{record}: its record does not hold: {line}")
    if not desks:
        raise Refused("missing", "; ".join(broken))
    return desks, broken


def _locked(folder: Path, work: Callable[[], int]) -> int:
    """Do the work once nobody else works with that state; another process is waited for a while."""
    files.make_folder(folder, 0o700)
    for left in range(BUSY_SECONDS, -1, -1):
        try:
            with files.locked(folder):
                return work()
        except Refused as error:
            if error.word != "busy" or not left:
                raise
            time.sleep(1)
    raise AssertionError


@click.command(epilog="Example: adjudicator mail serve friday sunday --once --address "
              "referee@example.org --in maildir:Maildir --out sendmail:")  # fmt: skip
@click.argument("records", nargs=-1, required=True, type=click.Path(path_type=Path))
@AddressOption
@click.option(
    "--in",
    "source",
    required=True,
    envvar="ADJUDICATOR_MAIL_IN",
    help="imaps://USER@HOST[:PORT][/FOLDER], imap:// (STARTTLS), maildir:PATH, mbox:PATH, or -",
)
@click.option(
    "--out",
    "sender",
    required=True,
    envvar="ADJUDICATOR_MAIL_OUT",
    help="smtps://USER@HOST[:PORT], smtp:// (STARTTLS), sendmail:[PROGRAM], maildir:PATH",
)
@StateOption
@click.option("--ca", type=click.Path(path_type=Path), help="Certificates to trust for TLS.")
@click.option("--once", is_flag=True, help="One turn, as for cron.")
@click.option("--every", default="60s", show_default=True, help="Time between turns.")
@click.option("--quiet", is_flag=True, help="Say only what went wrong.")
@click.pass_context
def serve(
    ctx: click.Context,
    records: tuple[Path, ...],
    address: str,
    source: str,
    sender: str,
    state: Path,
    ca: Path | None,
    once: bool,
    every: str,
    quiet: bool,
) -> None:
    """Host the games of RECORDS by mail: read what came, adjudicate, send what is due.

    In a loop, or `--once`. Whenever it is killed, the next run goes on; no mail is lost, no order
    used twice. Passwords are read from ADJUDICATOR_IMAP_PASSWORD and ADJUDICATOR_SMTP_PASSWORD or
    from a netrc file. With `--in -` one mail is read from standard input; exit code 75: try again.
    """
    pause = seconds(every)
    if not pause:
        raise click.BadParameter(f"--every {every!a}: expected a time such as 60s or 5m")
    files.make_folder(state, 0o700)
    work = sources.open_source(source, ca, state)
    way = senders.open_sender(sender, ca)
    log = (lambda line: None) if quiet else _log

    def turn() -> int:
        desks, broken = _desks(records, address)
        with closing(Outbox(state)) as outbox:
            done = Office(desks, outbox, address, SystemClock(), log, broken).turn(work, way)
        for fault in done.faults:
            click.echo(f"error: {fault}", err=True)
        # What was taken in is kept; what could not be sent waits in the outbox.
        if source == "-":
            return 0 if done.handled else TEMPORARY
        return 1 if done.faults else 0

    if source == "-":
        ctx.exit(_deliver(state, turn))
    if once:
        ctx.exit(_locked(state, turn))
    while True:
        try:
            _locked(state, turn)
        except Refused as error:
            click.echo(f"error: {error}", err=True)
        time.sleep(pause)


def _deliver(state: Path, turn: Callable[[], int]) -> int:
    """One mail's turn; whatever goes wrong, whoever delivers keeps the mail and tries again."""
    try:
        return _locked(state, turn)
    except (Refused, OSError) as error:
        click.echo(f"error: {error}", err=True)
        return TEMPORARY


def _log(line: str) -> None:
    click.echo(f"{now()} {line}", err=True)


@click.command(epilog="Example: adjudicator mail invite friday --seats 3 --address "
              "referee@example.org alice@example.org bob@example.org")  # fmt: skip
@RecordArgument
@click.argument("players", nargs=-1)
@click.option("--seats", type=click.IntRange(1, 64), help="Begin when that many have joined.")
@click.option(
    "--open", "is_open", is_flag=True, help="Without tokens: whoever gets the invite can join."
)
@InstallOption
@AddressOption
@StateOption
def invite(
    record: Path, players: tuple[str, ...], seats: int | None, is_open: bool, install: str | None,
    address: str, state: Path,
) -> None:  # fmt: skip
    """Put invitations to RECORD for the mail addresses PLAYERS into the outbox.

    Each holds a token of its own, without which nobody joins a game whose seats are reserved. With
    --install they tell how to install this program, else to ask you for it. An address that is
    invited again gets a second mail, with the same token.
    """
    pin = None if install is None else read_pin(install)
    desk = _desk(record, address)
    _check_invites(desk, players, is_open=is_open)
    if seats is not None:
        least, most = desk.offer.game.seats
        if not least <= seats <= most:
            raise Refused("bad-option", f"--seats {seats}: the game is for {least} to {most}")
        desk.folder.set_seats(seats)
    _queue(desk, state, [_invitation(desk, one, pin, is_open=is_open) for one in players])
    say(f"{len(players)} invitations wait in {state}; adjudicator mail serve sends them")
    wanted = desk.room.seats()
    say(f"the game begins when {wanted} have joined" if wanted else
        f"when all have joined: adjudicator mail start {record}")  # fmt: skip


def _check_invites(desk: Desk, players: Sequence[str], *, is_open: bool) -> None:
    """Raise Refused where these people cannot be invited so."""
    for one in players:
        if check_address(one) is None:
            raise Refused("bad-option", f"{one!a:.80} is no mail address")
    if desk.host is not None:
        raise Refused("over", "the game has begun: its seats are taken")
    if desk.offer.invite.mail is None:
        raise Refused(
            "bad-option",
            "the invite names no mail address of yours, so nothing signed tells where mails go",
            "make a new one: adjudicator invite ... --mail ADDRESS",
        )
    if not is_open and not desk.offer.invite.reserved:
        raise Refused(
            "bad-option",
            "the seats of this game are not reserved: whoever gets a copy of the invite can join",
            "say --open if that is what you want, or make a new one: adjudicator invite --reserved",
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
            Office([desk], outbox, desk.address, SystemClock(), _log).post.queue(mails)
        return 0

    _locked(state, work)


@click.command(epilog="Example: adjudicator mail joins friday")
@RecordArgument
def joins(record: Path) -> None:
    """Who has joined RECORD by mail, with the address of each, and whose invitation it was."""
    desk = _desk(record, NOWHERE)
    tokens = desk.folder.tokens()
    for player, join in desk.joins().items():
        whom = tokens.get(desk.room.private(join).token or "")
        invited = "" if whom is None else f", invited as {whom}"
        say(f"{player}: {desk.addresses().get(player, 'no mail address')}{invited}")
    wanted = desk.room.seats()
    say(f"{len(desk.joins())}{'' if wanted is None else f' of {wanted}'} have joined")


@click.command(epilog="Example: adjudicator mail drop friday mallory")
@RecordArgument
@click.argument("player")
def drop(record: Path, player: str) -> None:
    """Forget that PLAYER joined RECORD, before the game begins. The token can be used again."""
    desk = _desk(record, NOWHERE)
    if desk.host is not None:
        raise Refused(
            "over", "the game has begun", "adjudicator rule --seat hands a seat on to another"
        )
    with desk.record.locked():
        desk.room.drop(player)
    say(f"{player} has joined no more")


@click.command(epilog="Example: adjudicator mail start friday")
@RecordArgument
def start(record: Path) -> None:
    """Begin the game of RECORD with all who have joined by mail."""
    desk = _desk(record, NOWHERE)
    desk.start()
    say(f"{record}: begun by {', '.join(desk.joins())}; adjudicator mail serve tells them")


@click.command("say", epilog='Example: adjudicator mail say friday --to all "Back on Monday."')
@RecordArgument
@click.argument("text")
@click.option("--to", default="all", show_default=True, help="A player's name, or all.")
@AddressOption
@StateOption
def say_(record: Path, text: str, to: str, address: str, state: Path) -> None:
    """The host's own message to the players, signed and noted as theirs are."""
    desk = _desk(record, address)
    _queue(desk, state, desk.announced(to, text))
    say(f"the message to {to} waits in {state}; adjudicator mail serve sends it")


@click.command(epilog="Example: adjudicator mail moved friday --address carl@example.net")
@RecordArgument
@AddressOption
@StateOption
def moved(record: Path, address: str, state: Path) -> None:
    """Tell the players of RECORD, signed, that your mailbox is now at --address."""
    desk = _desk(record, address)
    _queue(desk, state, desk.moved())
    say(f"mails to you go to {address} once a player has taken that in")
    say(f"it waits in {state}; adjudicator mail serve sends it. Read the old mailbox for a while")


@click.command(epilog="Example: adjudicator mail letters friday --seat alice.seat")
@RecordArgument
@click.option("--seat", type=click.Path(path_type=Path), help="A player's: the messages kept.")
def letters(record: Path, seat: Path | None) -> None:
    """What was written: to the host and through it, or, with a seat, what it got and sent.

    A seat's messages are checked: who signed them, and which entry names them.
    """
    if seat is not None:
        for line in mail_player.kept_letters(record_of(record), Seat.open(seat)):
            say(line)
        return
    desk = _desk(record, NOWHERE)
    held = Letters(desk.begun())
    for letter, press in held.read():
        head = f"{letter.player} {letter.number}"
        if press is not None:
            say(f"{head}: message to {press.to}:")
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


@click.command(epilog="Example: adjudicator mail outbox --retry")
@StateOption
@click.option("--retry", is_flag=True, help="Try all at the next turn, whatever failed.")
@JsonOption
def outbox(state: Path, retry: bool, as_json: bool) -> None:
    """The mails that wait to be sent, could not be or came back; and those that nobody can read."""
    if not (state / "mail.db").is_file():
        raise Refused("missing", f"{str(state)!a} holds no outbox", "name it: --state")

    def work() -> int:
        with closing(Outbox(state)) as held:
            if retry:
                held.retry(now())
            _list(held, as_json=as_json)
        return 0

    _locked(state, work)


def _list(held: Outbox, *, as_json: bool) -> None:
    found, stuck = held.listed(), held.aside()
    if as_json:
        mails = [
            {"key": one.key, "to": one.recipient, "state": one.state, "tries": one.tries,
             "due": one.due, "fault": one.fault} for one in found
        ]  # fmt: skip
        say_json({"out": mails, "in": [{"name": n, "turns": t, "fault": f} for n, t, f in stuck]})
        return
    for one in found:
        line = f"{one.state}: to {one.recipient}, {one.tries} tries"
        line += f", due {one.due}" if one.state == "waiting" else ""
        say(line + (f": {one.fault}" if one.fault else ""))
    for name, turns, fault in stuck:
        say(f"in the mailbox: {name}, looked at {turns} times: {fault}")
    say(f"{len(found)} mails not sent")
