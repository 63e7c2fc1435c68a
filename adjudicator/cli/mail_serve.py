"""`mail` for hosts, day after day: `serve`, and its results: `outbox`, `log`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click

from adjudicator.cli.mail_desk import AddressOption, desk_of, locked, tell
from adjudicator.cli.shared import AnyPath, JsonOption, StateOption, now, say, say_json
from adjudicator.mail import mailboxes, senders, wording
from adjudicator.mail.desk import Desk
from adjudicator.mail.digest import Wanted
from adjudicator.mail.mime import check_address
from adjudicator.mail.office import Manner, Office
from adjudicator.mail.outbox import Outbox, fault_of
from adjudicator.store.clock import SystemClock
from games.options import seconds
from orders.errors import Refused


def _desks(records: Sequence[Path], address: str) -> tuple[list[Desk], list[str]]:
    """The desks of these records, and a line for each record that has none."""
    desks, broken = [], []
    for record in records:
        try:
            desks.append(desk_of(record, address))
        except (Refused, OSError) as error:
            broken.append(f"{record}: its record does not hold: {fault_of(error)}")
    if not desks:
        raise Refused("missing", "; ".join(broken))
    return desks, broken


@click.command(
    short_help="Host: read mails, adjudicate, send what is due.",
    epilog="Example: adjudicator mail serve friday sunday --once --address "
    "referee@example.org --in maildir:Maildir --out sendmail:",
)
@click.argument("records", nargs=-1, required=True, type=AnyPath)
@AddressOption
@click.option(
    "--in", "source", required=True, envvar="ADJUDICATOR_MAIL_IN",
    help="imaps://USER@HOST[:PORT][/FOLDER], imap:// (STARTTLS), or maildir:PATH",
)  # fmt: skip
@click.option(
    "--out", "sender", required=True, envvar="ADJUDICATOR_MAIL_OUT",
    help="smtps://USER@HOST[:PORT], smtp:// (STARTTLS), sendmail:[PROGRAM], maildir:PATH",
)  # fmt: skip
@StateOption
@click.option("--ca", type=AnyPath, help="Certificates to trust for TLS.")
@click.option(
    "--remind", type=click.IntRange(0, 2), default=1, show_default=True,
    help="Reminders before a deadline: 1 when a quarter of the turn time is left, 2 also at half.",
)  # fmt: skip
@click.option(
    "--digest", metavar="ADDRESS", envvar="ADJUDICATOR_MAIL_DIGEST",
    help="Send you there the state of the games, and what came and failed.",
)  # fmt: skip
@click.option(
    "--digest-when", "when", type=click.Choice(["daily", "now"]), default="daily",
    show_default=True, help="Once a day, or whenever there is something to tell.",
)  # fmt: skip
@click.option(
    "--keep", metavar="TIME", help="Delete mails that were dealt with after that time, as in 90d."
)
@click.option(
    "--tell-again", type=click.Choice(["all", "last", "none"]),
    help="Of a game under way that --state does not know: which entries are mailed again.",
)  # fmt: skip
@click.option(
    "--clock-is-right", is_flag=True, help="Sign though other times differ from this clock's."
)
@click.option("--once", is_flag=True, help="One turn, as for cron.")
@click.option("--every", default="60s", show_default=True, help="Time between turns.")
@click.option("--quiet", is_flag=True, help="Print only faults.")
@click.pass_context
def serve(
    ctx: click.Context, records: tuple[Path, ...], address: str, source: str, sender: str,
    state: Path, ca: Path | None, remind: int, digest: str | None, when: str, keep: str | None,
    tell_again: str | None, clock_is_right: bool, once: bool, every: str, quiet: bool,
) -> None:  # fmt: skip
    """Host the games of RECORDS by mail: read what came, adjudicate, send what is due.

    It runs in a loop, or `--once`. If it is killed, the next run goes on: no mail is lost, no order
    used twice. Passwords are read from ADJUDICATOR_IMAP_PASSWORD and ADJUDICATOR_SMTP_PASSWORD or
    from a netrc file; ADJUDICATOR_IMAP_TOKEN and ADJUDICATOR_SMTP_TOKEN name commands that print a
    token for XOAUTH2.
    """
    pause = _seconds("--every", every)
    kept = None if keep is None else _seconds("--keep", keep)
    wanted = _wanted(digest, address, at_once=when == "now")
    manner = Manner(remind, kept, wanted, tell_again or "", clock_is_right)
    work = mailboxes.open_source(source, ca)
    way = senders.open_sender(sender, ca)
    said = (lambda line: None) if quiet else tell
    left = 0

    def turn() -> int:
        nonlocal left
        left = 0
        desks, broken = _desks(records, address)
        with closing(Outbox(state)) as outbox:
            office = Office(desks, outbox, address, SystemClock(), said, broken, manner=manner)
            done = office.turn(work, way)
        left = done.left
        for fault in done.faults:
            click.echo(f"error: {fault}", err=True)
        # Mails taken in are kept; mails that could not be sent wait in the outbox.
        return 1 if done.faults else 0

    if once:
        ctx.exit(locked(state, turn))
    while True:
        try:
            locked(state, turn)
        except (Refused, OSError) as error:
            click.echo(f"error: {error}", err=True)
        time.sleep(0 if left else pause)


def _seconds(option: str, text: str) -> int:
    found = seconds(text)
    if not found:
        raise click.BadParameter(f"{option} {text!a}: expected a time such as 60s, 5m or 90d")
    return found


def _wanted(to: str | None, address: str, *, at_once: bool) -> Wanted | None:
    """The digest that the host asks for; raises Refused."""
    if to is None:
        return None
    if check_address(to) is None or to.lower() == address.lower():
        raise Refused("bad-option", f"--digest {to!a:.80}: expected a mail address of your own",
                      "not the games' mailbox")  # fmt: skip
    return Wanted(to, at_once)


@click.command(
    epilog="Example: adjudicator mail outbox --retry",
    short_help="Host: mails that wait, failed or came back.",
)
@StateOption
@click.option("--retry", is_flag=True, help="Try all of them at the next turn.")
@JsonOption
def outbox(state: Path, retry: bool, as_json: bool) -> None:
    """The mails that wait, could not be sent or came back; and those that could not be read."""
    _open(state).close()

    def work() -> int:
        with closing(Outbox(state)) as held:
            if retry:
                held.retry(now())
            _list(held, as_json=as_json)
        return 0

    locked(state, work)


def _list(held: Outbox, *, as_json: bool) -> None:
    found, stuck = held.listed(), held.aside()
    if not as_json:
        say("\n".join(wording.undelivered(found, stuck)))
        return
    mails = [
        {"key": one.key, "to": one.recipient, "state": one.state, "tries": one.tries,
         "due": one.due, "fault": one.fault} for one in found
    ]  # fmt: skip
    say_json({"out": mails, "in": [{"name": n, "turns": t, "fault": f} for n, t, f in stuck]})


@click.command(
    epilog="Example: adjudicator mail log | grep alice",
    short_help="Host: what became of each mail that came.",
)
@StateOption
@JsonOption
def log(state: Path, as_json: bool) -> None:
    """What the host did with each mail: sender, game, step, revision, status, Message-ID."""
    with closing(_open(state)) as held:
        found = held.log()
    if as_json:
        say_json([{"time": when, "line": line} for _, when, line in found])
        return
    say(*(f"{when} {line}" for _, when, line in found))


def _open(state: Path) -> Outbox:
    """The existing outbox; raises Refused."""
    if not (state / "mail.db").is_file():
        raise Refused("missing", f"{str(state)!a} holds no outbox", "name it: --state")
    return Outbox(state)
