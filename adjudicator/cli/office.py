"""A host's mail: invitations, and one turn of the office for all games of a mailbox."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator.cli import notices, post, settings
from adjudicator.cli.host import carrier
from adjudicator.cli.keys import signer
from adjudicator.cli.notices import Notice
from adjudicator.cli.shared import LARGEST_BUNDLE, now, say, write_out
from adjudicator.cli.which import hosted
from adjudicator.core import bundles
from adjudicator.core.opening import read_offer
from adjudicator.host.folder import HostFolder
from adjudicator.host.letters import TakenLetter
from adjudicator.install import read_pin
from adjudicator.mail import mailboxes
from adjudicator.mail.logins import fault_of
from adjudicator.mail.outgoing import Outgoing, from_person
from adjudicator.office import overview
from adjudicator.office.game import HostMail
from adjudicator.office.office import Office, Settings
from adjudicator.office.outbox import Outbox, Post
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from games.options import plain_name, seconds
from orders.errors import Refused
from orders.fields import digest
from orders.keys import write_key
from orders.secrets import draw_secret

if TYPE_CHECKING:
    from adjudicator.office.referee import Referee


def desk_of(record: Record) -> HostMail:
    """The desk of a record that this machine hosts, at the address in the settings, or else in the
    invite; raises Missing or Refused."""
    address = settings.get("address", record.root) or read_offer(record).invite.mail
    if address is None:
        raise settings.lacking(record.root)[0]
    folder = HostFolder(record.host)
    folder.master()
    return HostMail(record, signer(folder.key_path()), SystemClock(), address)


def state_of(record: Path | None) -> Path:
    """The private folder of the outbox."""
    return Path(str(settings.get("mail-state", record)))


def serves(record: Record) -> bool:
    """Whether mails of that game left and it is not over, or wait to leave."""
    state = state_of(record.root)
    if not (state / "mail.db").is_file():
        return False
    begun = record.last_step() is not None
    with closing(Outbox(state)) as outbox:
        known = overview.under_way(outbox)
        ids = bundles.ids_of(record)
        if any(mail.state == "waiting" for one in ids for mail in outbox.listed(one)):
            return True
        return any(one in known if begun else outbox.knows(one) for one in ids)


@contextmanager
def opened(folder: Path) -> Iterator[Outbox]:
    """The outbox in that folder, with which nobody else works meanwhile: another process is waited
    for."""
    files.make_folder(folder, 0o700)
    with files.locked(folder, waits=tell), closing(Outbox(folder)) as outbox:
        yield outbox


def tell(line: str) -> None:
    """Print a line for logs."""
    click.echo(f"{now()} {line}", err=True)


def write_to_players(desk: HostMail, taken: TakenLetter) -> None:
    """Let the mails of a letter of the host's own leave with the next turn."""
    letter = f"{taken.letter.player}-{taken.letter.number:04d}"
    with opened(state_of(desk.record.root)) as outbox:
        Office([desk], outbox, desk.address, SystemClock(), tell).copies.say(desk, letter)


def invite_by_mail(record: Record, people: Sequence[str], *, again: bool) -> None:
    """Invite people, each with a token of their own where seats are reserved: by the next sync, or
    where the settings do not say how, by a mail to be sent by hand. Raises Refused.

    `again`: the next sync mails them once more, if they were invited before.
    """
    desk, pin = desk_of(record), settings.get("install", record.root)
    reserved, source = desk.offer.invite.reserved, None if pin is None else read_pin(pin)
    by_sync = carrier(record) == "mail"
    mails = [
        desk.invitation(
            one,
            draw_secret().hex() if again and by_sync else "",
            desk.room.token_for(one) if reserved else None,
            source,
        )
        for one in people
    ]
    if by_sync:
        with opened(state_of(record.root)) as outbox:
            known = [one.to for one in mails if outbox.has(one.key)]
            Post(outbox, desk.address, SystemClock()).queue(mails)
        if count := len(mails) - len(known):
            say(f"{count} invitation{'s' * (count > 1)} to send: adjudicator sync")
        if known:
            say(f"invited before: {', '.join(known)}")
    else:
        for mail in mails:
            _write_draft(desk, mail)
    if desk.host is not None:
        say("the game has begun: who takes a seat over joins under its name, and you hand it on")
    elif desk.wanted:
        say(f"the game begins when {desk.wanted} have joined")
    else:
        say("when all have joined: adjudicator start")


def _write_draft(desk: HostMail, mail: Outgoing) -> None:
    """Write an invitation beside the record, to be sent by hand. The same one is left as it lies
    there: its author may have added a word. Raises Refused."""
    local, mark = mail.to.partition("@")[0], mail.message_id(desk.address).encode()
    words = (plain_name(local), plain_name(mail.to), digest(mail.key.encode())[:16])
    for word in filter(None, words):
        path = desk.record.root.with_name(f"{desk.name}-{word}-invitation.eml")
        held = files.read(path, LARGEST_BUNDLE) if path.exists() else b""
        if not held or mark in held:
            break
    where, told = os.path.relpath(path), "made before"
    if mark not in held:
        write_out(where, from_person(mail, desk.address, now()).data, like=b"")
        told = "ready to send"
    say(f"{where}: the mail to {mail.to}, {told}")


def turn(
    records: Sequence[Record], *, late_is_told: str, sure: bool, quiet: bool, again: bool,
    folder: Path | None = None,
) -> tuple[int, int]:  # fmt: skip
    """Read the mails, let the games go on, send what is due; the number of faults, and of mails
    that are left for the next turn. Raises Refused.

    `late_is_told`: which entries of a game that the outbox does not know are mailed. `again`: try
    mails once more that could not be sent. `folder`: that of the games, if there may be none.
    """
    first = folder / settings.REFEREE if folder is not None else records[0].root
    lacks, way = settings.lacking(first), post.way_out(first)
    if lacks or way is None:
        raise lacks[0]
    address, state = post.own_address(first), state_of(first)
    if folder is not None and state.resolve() == folder.resolve():
        # A referee holds the lock of that folder already, and would wait for itself.
        raise Refused(
            "bad-option", f"mail-state {str(state)!a}: it is the folder of the games",
            f'expected a folder of its own: mail-state = "mail.state" in {settings.REFEREE}',
        )  # fmt: skip
    work = mailboxes.open_source(settings.get("mail-in", first) or "", post.authorities(first))
    desks, faults = [], []
    for record in records:
        try:
            desks.append(desk_of(record))
        except (Refused, OSError) as error:
            faults.append(f"{record.root.name}: its record does not hold: {fault_of(error)}")
    host = refereeing(first, address)
    if not desks and host is None:
        raise Refused("missing", "; ".join(faults))
    with opened(state) as outbox:
        if again:
            outbox.retry(now())
        office = Office(
            desks, outbox, address, SystemClock(), (lambda _: None) if quiet else tell, faults,
            settings=_settings(address, late_is_told, first, sure=sure), referee=host,
        )  # fmt: skip
        done = office.turn(work, way)
        command = settings.get("tell", first)
        waits = [] if command is None else list(_waits(office, done.faults))
    if command is not None:
        notices.tell_of(command, state, waits)
    for fault in done.faults:
        click.echo(f"error: {fault}", err=True)
    return len(done.faults), done.left


def _waits(office: Office, faults: Sequence[str]) -> Iterator[Notice]:
    """What is told to the host of these games: what needs a hand, and which are over."""
    here = Path().absolute()
    for line in overview.hand(office.outbox, now(), [game.id for game in office.known], faults):
        yield notices.of_hand(line, here)
    for game in office.games:
        one = replace(overview.standing(game), more={"rules": game.offer.invite.rules})
        yield from notices.of_game(one, game.record.root, f" {game.id}")


def refereeing(record: Path, address: str) -> Referee | None:
    """The referee of the folder with that record, if it has one; raises Refused."""
    path = settings.of_folder(record)
    if not path.is_file():
        return None
    from adjudicator.office.house import House, parse
    from adjudicator.office.referee import Referee

    said = parse(files.read(path, 2**16))
    house = House.read({key: one for key, one in said.items() if key not in settings.SETTINGS})
    key = Path(settings.get("key", record) or path.with_name("referee.key")).expanduser()
    if not key.exists():
        games = [one for one in hosted(path.parent) if not HostFolder(one.host).key_path().exists()]
        if games:
            signed, named = read_offer(games[0]).host.fingerprint, games[0].root.name
            raise Refused(
                "bad-key",
                f"{str(key)!a} is not there, and the key of {named}, {signed}, is nowhere here",
                f"bring that key back from a backup; or name it in {settings.REFEREE}: key = ...",
            )
        write_key(key, "referee")
    page, pin = settings.get("page", record), settings.get("install", record)
    return Referee(
        path.parent, house, desk_of, signer(key), key, address, SystemClock(),
        page or "", None if pin is None else read_pin(pin),
    )  # fmt: skip


def _settings(address: str, again: str, record: Path, *, sure: bool) -> Settings:
    """The host's settings; raises Refused."""
    alarm = settings.get("alarm", record)
    if alarm is not None and alarm.lower() == address.lower():
        raise Refused(
            "bad-option", f"alarm = {alarm!a:.80}: expected a mail address of your own",
            "not the games' mailbox",
        )  # fmt: skip
    reminders = int(settings.get("remind", record) or 0)
    return Settings(reminders, alarm, again, sure)


def span(name: str, text: str) -> int:
    """The seconds that somebody means by `60s` or `90d`; raises Refused."""
    found = seconds(text)
    if not found:
        raise Refused("bad-option", f"{name} {text!a}: expected a time such as 60s, 5m or 90d")
    return found
