"""`mail` for hosts: `serve`, `invite`, `start`, `say`, `letters`, `outbox`."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import click

from adjudicator import files
from adjudicator.cli.shared import InstallOption, RecordArgument, record_of, say, say_json, signer
from adjudicator.clock import SystemClock
from adjudicator.host_folder import HostFolder
from adjudicator.host_letters import Letters
from adjudicator.install import read_pin
from adjudicator.mail import reader, senders, sources
from adjudicator.mail.desk import Desk, open_desk
from adjudicator.mail.office import Office
from adjudicator.mail.reading import check_address
from adjudicator.mail.state import State
from adjudicator.seat import Seat
from games.options import seconds
from orders.errors import Refused

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


def _desks(records: tuple[Path, ...], address: str) -> list[Desk]:
    if check_address(address) is None:
        raise Refused("bad-option", f"--address {address!a:.80} is no mail address")
    clock = SystemClock()
    return [
        open_desk(record, signer(HostFolder(record.host).key_path()), clock, address)
        for record in map(record_of, records)
    ]


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

    def turn() -> int:
        held = State(state)
        try:
            office = Office(_desks(records, address), held, address, SystemClock(),
                            (lambda line: None) if quiet else _log)  # fmt: skip
            done = office.turn(work, way)
        finally:
            held.close()
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
    click.echo(line, err=True)


@click.command(epilog="Example: adjudicator mail invite friday --seats 3 --address "
              "referee@example.org alice@example.org bob@example.org")  # fmt: skip
@RecordArgument
@click.argument("players", nargs=-1)
@click.option("--seats", type=click.IntRange(1, 64), help="Begin when that many have joined.")
@InstallOption
@AddressOption
@StateOption
def invite(
    record: Path, players: tuple[str, ...], seats: int | None, install: str | None, address: str,
    state: Path,
) -> None:  # fmt: skip
    """Put invitations to RECORD for the mail addresses PLAYERS into the outbox.

    With --install they tell how to install this program, else to ask you for it.
    """
    pin = None if install is None else read_pin(install)
    (desk,) = _desks((record,), address)
    for player in players:
        if check_address(player) is None:
            raise Refused("bad-option", f"{player!a:.80} is no mail address")
    if seats is not None:
        least, most = desk.offer.game.seats
        if not least <= seats <= most:
            raise Refused("bad-option", f"--seats {seats}: the game is for {least} to {most}")
        desk.set_seats(seats)
    _in_outbox(desk, state, address, lambda office: office.queue(
        [desk.invitation(player, pin) for player in players]))  # fmt: skip
    say(f"{len(players)} invitations wait in {state}; adjudicator mail serve sends them")
    wanted = desk.seats()
    say(f"the game begins when {wanted} have joined" if wanted else
        f"when all have joined: adjudicator mail start {record}")  # fmt: skip


def _in_outbox(desk: Desk, state: Path, address: str, act: Callable[[Office], object]) -> None:
    def work() -> int:
        held = State(state)
        try:
            act(Office([desk], held, address, SystemClock(), _log))
        finally:
            held.close()
        return 0

    _locked(state, work)


@click.command(epilog="Example: adjudicator mail start friday")
@RecordArgument
def start(record: Path) -> None:
    """Begin the game of RECORD with all who have joined by mail."""
    (desk,) = _desks((record,), NOWHERE)
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
    (desk,) = _desks((record,), address)
    _in_outbox(desk, state, address, lambda office: office.queue(desk.announced(to, text)))
    say(f"the message to {to} waits in {state}; adjudicator mail serve sends it")


@click.command(epilog="Example: adjudicator mail letters friday --seat alice.seat")
@RecordArgument
@click.option("--seat", type=click.Path(path_type=Path), help="A player's: the messages kept.")
def letters(record: Path, seat: Path | None) -> None:
    """What was written: to the host and through it, or, with a seat, what it got and sent.

    A seat's messages are checked: who signed them, and which entry names them.
    """
    if seat is not None:
        for line in reader.kept_letters(record_of(record), Seat.open(seat)):
            click.echo(line)
        return
    (desk,) = _desks((record,), NOWHERE)
    for letter, press in Letters(desk.begun()).read():
        head = f"{letter.player} {letter.number}"
        if press is not None:
            click.echo(f"{head}: message to {press.to}:")
            for line in press.text.splitlines():
                click.echo("  " + "".join(c if c.isprintable() else "?" for c in line))
        elif letter.absence is not None:
            click.echo(f"{head}: away from {letter.absence.start} until {letter.absence.end}")
        else:
            click.echo(f"{head}: address {letter.address}")


@click.command(epilog="Example: adjudicator mail outbox --retry")
@StateOption
@click.option("--retry", is_flag=True, help="Try all at the next turn, whatever failed.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def outbox(state: Path, retry: bool, as_json: bool) -> None:
    """The mails that wait to be sent, or could not be."""
    if not (state / "mail.db").is_file():
        raise Refused("missing", f"{str(state)!a} holds no outbox", "name it: --state")

    def work() -> int:
        held = State(state)
        try:
            if retry:
                held.retry(SystemClock().now())
            _list(held, as_json=as_json)
        finally:
            held.close()
        return 0

    _locked(state, work)


def _list(held: State, *, as_json: bool) -> None:
    keys = ("key", "to", "state", "tries", "due", "fault")
    found = [dict(zip(keys, row, strict=True)) for row in held.listed()]
    if as_json:
        say_json(found)
        return
    for one in found:
        click.echo(f"{one['state']}: to {one['to']}, {one['tries']} tries, due {one['due']}"
                   + (f": {one['fault']}" if one["fault"] else ""))  # fmt: skip
    click.echo(f"{len(found)} mails not sent")
