"""The host's commands: `invite`, `start`, `rule`, `resend`; and what `take` and `sync` do for a
host by files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

import games
from adjudicator.cli import completing, keys, settings
from adjudicator.cli.here import HOST, GameOption, Located, is_duel, locate
from adjudicator.cli.shared import (
    AnyPath,
    ClockOption,
    FolderPath,
    GameOptionOption,
    KeyOption,
    OutOption,
    YesOption,
    agreed,
    check_out,
    check_reason,
    is_terminal,
    ledger_of,
    like_bundle,
    moment,
    now,
    read_bundle,
    reader,
    record_of,
    say,
    signer_of,
    source_of,
    warn,
    write_bundle,
)
from adjudicator.core import bundles
from adjudicator.core.link import counting
from adjudicator.core.opening import read_offer, read_opening
from adjudicator.host import begin
from adjudicator.host.begin import Terms
from adjudicator.host.folder import HostFolder
from adjudicator.host.host import Host
from adjudicator.host.letters import Letters
from adjudicator.host.waiting_room import WaitingRoom
from adjudicator.install import read_page, read_pin
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words import answers, story
from games.game import Game
from orders.bundle import Bundle
from orders.documents import Receipt, read_receipt
from orders.entries import Entry, Ruling
from orders.errors import Missing, Refused, pasteable
from orders.fields import EVERYONE, is_address
from orders.keys import Signer
from orders.public_key import read_public
from orders.secrets import draw_secret
from orders.signed import Signed

FolderOption = click.option(
    "-o", "--out", metavar="FOLDER", type=FolderPath,
    help="The folder for the bundles; by default that of the record.",
)  # fmt: skip


@click.command(epilog="Example: adjudicator invite sugar-dog ann@example.org bob@example.org")
@click.argument("game", required=False, shell_complete=completing.of_game)
@click.argument("who", nargs=-1)
@GameOption
@KeyOption
@GameOptionOption
@click.option("--table", type=AnyPath, help="A house table of your own.")
@click.option(
    "--rematch", type=AnyPath, metavar="RECORD",
    help="In place of GAME: a record whose game is played again, seats swapped.",
)  # fmt: skip
@click.option("--players", type=click.IntRange(1, 64), help="Begin when that many have joined.")
@click.option("--reserved", is_flag=True, help="A player needs a token from you to join.")
@click.option("--open", "is_open", is_flag=True, help="Everybody who gets an invitation may join.")
@click.option("--address", help="Your mail address for players, if not that of the settings.")
@click.option("--name", help="What all call this game; by default as the record's folder.")
@click.option("--git", "url", metavar="URL", help="Publish the record at this repository.")
@click.option("--more", multiple=True, metavar="WHO", help="To a game here: invite this one too.")
@click.option("--drop", metavar="NAME", help="Of a game here: forget this player's join.")
@YesOption
@click.option("-o", "--out", metavar="FOLDER", type=AnyPath, help="The record's folder.")
def invite(
    game: str | None, who: tuple[str, ...], record: Path | None, key: Path | None,
    options: tuple[str, ...], table: Path | None, rematch: Path | None,
    players: int | None, reserved: bool, is_open: bool, address: str | None, name: str | None,
    url: str | None, more: tuple[str, ...], drop: str | None, yes: bool, out: Path | None,
) -> None:  # fmt: skip
    """Begin a record of GAME, with your private folder RECORD.host beside it, and invite WHO.

    WHO has a mail address, or is your own note of who gets a token. Without WHO everybody who has
    the invite's file may join. Invitations by mail leave with the next sync, and the game begins
    when all who are invited have joined. Without GAME: --more, --drop, --players or --git change a
    game that was offered.
    """
    page = settings.get("page", record)
    link = None if page is None else read_page(page)
    begins = game is not None or rematch is not None
    changes = bool(more or drop or url or players)
    if (begins and (more or drop)) or not (begins or changes) or (game and rematch):
        raise click.UsageError("name a GAME, or a record with --rematch; or --more, --drop, --git")
    if rematch is not None and (options or table or who):
        raise click.UsageError("a rematch has the options and the table of its record")
    if not begins:
        found = locate(record, None, HOST)["record"]
        target = record_of(Path(str(found)))
    else:
        mails = [one for one in who if is_address(one)]
        if mails or settings.get("mail-in"):
            address = address or settings.get("address")
        if address is not None and not is_address(address):
            raise Refused("malformed", f"--address {address!a:.80}: expected a plain mail address")
        seats: Sequence[str] = ()
        if rematch is None:
            terms = _terms(str(game), options, table)
        else:
            terms, seats = begin.rematch(ledger_of(source_of(rematch)))
        players = players or len(who) or None
        _check_seats(terms.game, players)
        reserved = reserved or (bool(who) and not is_open)
        terms = terms._replace(mail=address, reserved=reserved)
        target = _begin(terms, name, key, out, yes=yes)
        if seats:
            joins = " ".join(f"{read_offer(target).name}-{player}-join.txt" for player in seats)
            say(f"seats swapped: adjudicator start {joins}, in this order")
    _set(target, players, link)
    if drop is not None:
        _drop(target, drop)
    _invite(target, (*(who if begins else ()), *more), is_open=is_open)
    if url is not None:
        from adjudicator.cli.git import publish

        publish(target, url)
    if game is not None and not who and url is None and not settings.get("mail-in", target.root):
        say("What they send back: save it here, then adjudicator sync")
    if begins and not who and reserved:
        say("a token for each player: adjudicator invite --more NAME")


def _begin(terms: Terms, name: str | None, key: Path | None, out: Path | None, *, yes: bool
           ) -> Record:  # fmt: skip
    """The record with its invite; raises Refused."""
    path = _new_record(terms.game.id, yes=yes) if out is None else out
    terms = terms._replace(name=begin.name_of(Record(path), name))
    target = Record(path)
    where = str(target.root.with_name(f"{terms.name}-invite.txt"))
    check_out(where, like=like_bundle("invite"))
    begin.check(terms)
    holder, key_path = keys.found(key, target.root.with_name(f"{target.root.name}.key"), yes=yes)
    secrets = begin.Secrets(draw_secret(), draw_secret())
    bundle = begin.invite(target, terms, holder, key_path, secrets, SystemClock())
    where = write_bundle(bundle, None, where)
    say(f"{path}: the record, public at any time")
    say(f"{target.host}: your secrets. Back them up: the game cannot go on without them")
    say(f"{where}: the invite, for the players")
    return target


def _new_record(game: str, *, yes: bool) -> Path:
    """A folder's name for a new record: the game's, with a number if that is taken."""
    numbers = (f"{game}-{number}" for number in range(2, 1000))
    free = next(one for one in (game, *numbers) if not Path(one).exists())
    if yes or not is_terminal():
        return Path(free)
    return Path(click.prompt("What is this game called", default=free, err=True))


def _check_seats(game: Game[Any, Any], players: int | None) -> None:
    """Raise Refused if the game is not for so many."""
    least, most = game.seats
    if players is not None and not least <= players <= most:
        raise Refused("bad-option", f"{players} players: the game is for {least} to {most}")


def _set(target: Record, players: int | None, link: str | None) -> None:
    """Note how many begin the game, and the page of the settings, with which players may play."""
    folder, offer = HostFolder(target.host), read_offer(target)
    if players is not None:
        _check_seats(offer.game, players)
        folder.set_seats(players)
    if link is not None:
        from adjudicator.mail import replies

        folder.set_page(link)
        told = replies.by_page(link, f"{offer.name}-invite.txt").splitlines()
        say("tell the players with the invite:", *(f"  {line}".rstrip() for line in told))


def _drop(target: Record, player: str) -> None:
    if target.last_step() is not None:
        raise Refused(
            "over", "the game has begun", "adjudicator rule --hand-on gives a seat to another"
        )
    with target.locked():
        WaitingRoom(HostFolder(target.host), read_offer(target)).drop(player)
    say(f"the join of {player} is forgotten")


def _invite(target: Record, who: Sequence[str], *, is_open: bool) -> None:
    """Invite people by mail, or make a token for each; raises Refused."""
    folder, offer = HostFolder(target.host), read_offer(target)
    mails = [one for one in who if "@" in one]
    if mails:
        from adjudicator.cli.office import invite_by_mail

        pin = settings.get("install", target.root)
        invite_by_mail(target, mails, None if pin is None else read_pin(pin), is_open=is_open)
    others = [one for one in who if "@" not in one]
    if others and not offer.invite.reserved:
        raise Refused(
            "bad-option",
            "the seats of this game are not reserved: everybody with the invite can join",
            "adjudicator invite GAME --reserved offers a game that takes tokens",
        )
    for whom in others:
        folder.master()
        token = WaitingRoom(folder, offer).invite(whom)
        where = str(target.root.with_name(f"{offer.name}-invite-{_plain(whom)}.txt"))
        where = write_bundle(bundles.of_invite(target, token), None, where)
        say(f"{token}: a token, only for {whom}; {where} is an invite with it")
        if target.last_step() is not None:
            say(
                "they join under the name of the seat, and you hand it on: adjudicator rule "
                f"--hand-on JOIN -g {pasteable(target.root)}"
            )


def _plain(whom: str) -> str:
    from games.options import plain_name

    return plain_name(whom) or draw_secret().hex()[:8]


def _terms(game: str, options: tuple[str, ...], table: Path | None) -> Terms:
    """The terms of the invite; raises OfferRefused, UnknownGame or Refused."""
    found = games.load(game)
    given = found.parse_options(options)
    return Terms(found, given, None if table is None else files.read(table, 2**16))


@click.command(cls=Located, need=HOST, epilog="Example: adjudicator start")
@click.argument("names", metavar="[NAME|JOIN]...", nargs=-1)
@KeyOption
@YesOption
@OutOption
def start(
    record: Path, names: tuple[str, ...], key: Path | None, yes: bool, out: str | None
) -> None:
    """Seat who joined: those named, in this order, or all in order of arrival. The game begins.

    A file with a join counts as its player's name. By git all are seated in the order of their
    names, and NAME=SHA256:... tells two keys apart that ask for one name.
    """
    target = record_of(record)
    if (target.root / ".git").exists():
        from adjudicator.cli.git import start_by_git

        start_by_git(target, names, yes=yes)
        return
    offer = read_offer(target)
    name = str(target.root.with_name(f"{offer.name}-0000.txt"))
    check_out(out or name, like=like_bundle("entry"))
    again = target.last_step() is not None
    holder, clock = host_signer(target, key), SystemClock()
    given = _joins(target, names, again=again)
    if not again:
        for bundle in given:
            join = WaitingRoom(HostFolder(target.host), offer).read(bundle)
            say(f"  {join.player}  {read_public(join.key).fingerprint}", to=out)
        agreed("Begin with these players, in this order?", yes=yes, default=True)
    where = write_bundle(begin.start(target, given, holder, clock), out, name)
    HostFolder(target.host).mark_sent(0)
    if again:
        say("the game has begun already, with these players", to=out)
    say(f"{where}: the genesis, for everybody", to=out)
    if not again:
        say(*story.whose_turn(Host(target, holder, clock).last.entry, reader()), to=out)


def _joins(target: Record, names: Sequence[str], *, again: bool) -> list[Bundle]:
    """The joins of those named, or all that wait; raises Refused."""
    room = WaitingRoom(HostFolder(target.host), read_offer(target))
    held = [
        read_bundle(one, "join") if Path(one).exists() and not Path(one).is_dir() else None
        for one in names
    ]
    if again:
        players = read_opening(target).players
        strange = [one for one in names if not Path(one).is_file() and one not in players]
        if strange:
            raise Refused("exists", f"the game has begun without {strange[0]!a}")
        return [bundle for bundle in held if bundle is not None]
    chosen = [
        one if bundle is None else room.take(bundle).player
        for one, bundle in zip(names, held, strict=True)
    ]
    waiting = {room.read(bundle).player: bundle for bundle in room.bundles()}
    lacking = [one for one in chosen if one not in waiting]
    if lacking:
        raise Refused(
            "missing",
            f"no join of {lacking[0]!a} is here; there are joins of: {', '.join(waiting) or '-'}",
        )
    if len(set(chosen)) < len(chosen):
        raise Refused("malformed", "two joins of one player are named")
    return [waiting[one] for one in chosen or waiting]


def host_signer(record: Record, key: Path | None) -> Signer:
    """The host's signer: with the given key, or else the one named in its folder; raises
    Refused."""
    folder = HostFolder(record.host)
    folder.master()
    return signer_of(read_offer(record).host, key, folder.key_path(), folder.note_key)


def open_host(record: Path, key: Path | None, *, sure: bool) -> Host:
    """The host's side of a record; raises Refused. `sure`: this machine's clock is right."""
    target = record_of(record)
    holder = host_signer(target, key)
    if target.last_step() is None:
        raise Refused("not-yet", "the game has not begun", "adjudicator start begins it")
    return Host(target, holder, SystemClock(), None if sure else warn)


# By files: what `take` and `sync` do for a host.


def take_join(record: Record, bundle: Bundle, path: str) -> str:
    """Keep a join until the game begins, or until its seat is handed on; a line about it. Raises
    Refused."""
    folder = HostFolder(record.host)
    folder.master()
    room = WaitingRoom(folder, read_offer(record))
    with record.locked():
        if record.last_step() is None:
            join = room.take(bundle)
            wanted, there = room.folder.seats(), len(room.joins())
            many = f"{there} of {wanted}" if wanted else f"{there}"
            return f"{join.player} joined, {read_public(join.key).fingerprint}; {many} so far"
    return (
        f"{path} asks for the seat of {room.read(bundle).player}: adjudicator rule --hand-on "
        f"{pasteable(path)} --reason ..."
    )


def take_order(referee: Host, bundle: Bundle, out: str | None = None) -> bool:
    """Take in orders, and write the receipt that answers them; returns whether they count now.
    Raises Refused."""
    answer = referee.submit(bundle)
    receipt = read_receipt(answer.data)
    where = write_receipt(referee.record, answer, out)
    said = answers.answered(referee.ledger, receipt)
    taken = "taken" if said == "accepted" else said
    say(f"{receipt.player}: {taken}. For {receipt.player}: {where}", to=out)
    _compare(referee, receipt)
    return answers.counts(referee.ledger, receipt)


def write_receipt(record: Record, answer: Signed, out: str | None = None) -> str:
    """Write a receipt for its player; where it lies."""
    sent = bundles.of_receipt(answer)
    name = bundles.name(read_offer(record).name, sent)
    return write_bundle(sent, out, os.path.relpath(record.root.with_name(f"{name}.txt")))


def _compare(referee: Host, receipt: Receipt) -> None:
    """Warn if a player has signed two different orders as one revision."""
    waiting = referee.folder.waiting().get(receipt.player)
    if waiting is None or waiting.order.file.digest == receipt.slip:
        return
    if waiting.order.place == (receipt.step, receipt.revision):
        warn(
            f"{receipt.player} has signed two different orders as step {receipt.step}, revision "
            f"{receipt.revision}: two copies of one seat, or somebody else has the key"
        )


def go_on(referee: Host, *, late: bool) -> bool:
    """Adjudicate what is due, and write what goes out; returns whether anything was due. Raises
    Refused."""
    before = referee.last.step
    # One act may do without overdue players; for what follows they are waited for again.
    while referee.go_on(lambda: _grant(referee), late=late):
        late = False
    # After a crash, entries of before may still have to go out.
    steps = referee.unsent() or range(before + 1, referee.last.step + 1)
    if steps:
        hand_out(referee, steps)
    return bool(steps)


def pass_on(referee: Host, passed: Mapping[str, Bundle]) -> None:
    """Write what each player is sent, and say for whom each file is."""
    for player, bundle in passed.items():
        name = bundles.name(referee.opening.offer.name, bundle)
        default = str(referee.record.root.with_name(f"{name}-{player}.txt"))
        say(f"{os.path.relpath(write_bundle(bundle, None, default))}: for {player}")


def waits(referee: Host) -> Iterator[str]:
    """For whom the game waits, and how to go on."""
    awaited, time = referee.last.entry.awaited, now()
    lacking = referee.missing()
    if not lacking:
        return
    at = reader()
    yield "Waiting for " + ", ".join(
        f"{player} until {at.deadline(awaited[player].until)}" for player in lacking
    )
    if all(awaited[player].until <= time for player in lacking):
        yield "Their time is over. To go on without them: adjudicator sync --late"
    else:
        yield "After that: adjudicator sync --late"


def _grant(referee: Host) -> bool:
    """Move deadlines that fall into an absence; returns whether any did."""
    return bool(referee.folder.letters_in("notices")) and Letters(referee).grant()


def hand_out(referee: Host, steps: Sequence[int], out: Path | None = None) -> None:
    """Write the bundles of new entries, one for each reader whose bundle differs, and print the
    news. By mail and git the next sync tells them."""
    game = referee.opening.offer.name
    folder = referee.record.root.parent if out is None else out
    written = out is not None or carrier(referee.record) == "files"
    for step in steps if written else ():
        entry = referee.ledger.link(step).entry
        for player in tuple(entry.reports) or (None,):
            for number, bundle in enumerate(referee.bundles([step], player), 1):
                part = f".{number}" if number > 1 else ""
                name = f"{bundles.name(game, bundle)}{part}.txt"
                where = write_bundle(bundle, None, os.path.relpath(folder / name))
                say(f"{where}: entry {step}, for {player or 'everybody'}")
    if written:
        # By mail and git nobody has it yet: another one of its number may still take its place.
        referee.folder.mark_sent(steps[-1])
    for step in steps:
        entry = referee.ledger.link(step).entry
        if isinstance(entry, Entry):
            say(*(f"  {line}" for line in story.heard(referee.opening, entry)))
    say(*story.whose_turn(referee.last.entry, reader()))


def carrier(record: Record) -> str:
    """How a host's bundles travel: `git`, `mail` or `files`."""
    if (record.root / ".git").exists():
        return "git"
    by_mail = settings.get("mail-in", record.root) and read_offer(record).invite.mail
    return "mail" if by_mail else "files"


@click.command(
    cls=Located, need=HOST, epilog='Example: adjudicator rule --until 3d --reason "snow"'
)
@click.option(
    "--annul", type=click.IntRange(min=1), metavar="N", help="Annul entry N and all after it."
)
@click.option("--until", metavar="TIME", help="Any later deadline for all who are awaited: 3d, ...")
@click.option("--end", "abandon", is_flag=True, help="End the game; the reveal follows.")
@click.option("--hand-on", "join", metavar="JOIN", help="Give the seat to the sender of this join.")
@click.option("--consent", metavar="FILE", help="The leaving player's consent.")
@click.option("--reason", required=True, help="The reason, for all to read.")
@KeyOption
@ClockOption
@YesOption
@FolderOption
def rule(
    record: Path, annul: int | None, until: str | None, abandon: bool, join: str | None,
    consent: str | None, reason: str, key: Path | None, clock_is_right: bool, yes: bool,
    out: Path | None,
) -> None:  # fmt: skip
    """Append a ruling: it annuls, moves deadlines, hands a seat on, or ends the game."""
    if annul is None and until is None and not abandon and join is None:
        raise click.UsageError("a ruling needs --annul, --until, --end or --hand-on")
    if (annul is not None) + abandon + (join is not None) > 1:
        raise click.UsageError("a ruling does one thing: --annul, --end or --hand-on")
    if consent is not None and join is None:
        raise click.UsageError("--consent goes with --hand-on")
    if until is not None and abandon:
        raise click.UsageError("a game that ends has no deadline: leave out --until")
    time = None if until is None else moment(until, now())
    check_reason(reason)
    referee = open_host(record, key, sure=clock_is_right)
    counted = _counting(referee)
    if join is None:
        told = "the game ends, and is revealed" if abandon else f"entry {annul} is annulled, and "
        told += "" if abandon else "all after it"
        agreed(f"{told if abandon or annul else 'The deadlines move'}. Sign that?", yes=yes)
        steps = referee.rule(Ruling(reason, annul, abandon), time)
    else:
        bundle = read_bundle(join)
        agreement = None if consent is None else read_bundle(consent, "consent")
        player = WaitingRoom(referee.folder, referee.opening.offer).read(bundle).player
        unsigned = f"{player} does not sign that, and verify will tell everybody to look at it. "
        told = "" if consent is not None else unsigned
        agreed(f"The seat of {player} goes to another key. {told}Sign that?", yes=yes)
        steps = referee.hand_on(bundle, reason, agreement, time)
    hand_out(referee, steps, out)
    _tell_counting(counted, _counting(referee), steps)


def _counting(referee: Host) -> set[int]:
    return {link.step for link in counting(referee.last, referee.ledger.link)}


def _tell_counting(before: set[int], after: set[int], steps: Sequence[int]) -> None:
    """Print which entries a ruling has annulled, and which count again because it annulled a
    ruling."""
    for what, found in (
        ("no longer counts", before - after),
        ("counts again", after - before - set(steps)),
    ):
        if found:
            say(f"{what}: entry {', '.join(map(str, sorted(found)))}")


@click.command(cls=Located, duels=True, epilog="Example: adjudicator resend alice 3")
@click.argument("who", required=False)
@click.argument("step", required=False, metavar="[N|invite]")
@OutOption
def resend(
    record: Path, seat: Path | None, who: str | None, step: str | None, out: str | None
) -> None:
    """An entry once more as a file, with the report of WHO; for `all` without a report.

    Without N it is the newest entry; 0 is the first one, and `invite` the invite. In a duel it goes
    without WHO, and is the block that you sent last, the same bytes.
    """
    if is_duel(record):
        from adjudicator.cli import duel

        if who is not None:
            raise click.UsageError(f"in a duel it is your last block: leave out {who!a}")
        duel.resend(record, out)
        return
    if who is None:
        raise click.UsageError("name WHO: a player, or all")
    target = record_of(record)
    if step is not None and step != "invite" and not (step.isascii() and step.isdigit()):
        raise click.BadParameter(f"{step!a}: expected the number of an entry, or invite")
    game = read_offer(target).name
    if step == "invite":
        made: tuple[Bundle, ...] = (bundles.of_invite(target),)
        check_out(out, like=like_bundle("invite"))
    else:
        number = target.last_step() if step is None else int(step)
        made = _of_entry(target, number, None if who == EVERYONE else who)
    name = os.path.relpath(target.root.with_name(bundles.name(game, made[0])))
    if len(made) > 1 and out == "-":
        raise click.UsageError(f"entry {step} is {len(made)} bundles: name a file with -o")
    for count, one in enumerate(made, 1):
        part = f".{count}" if count > 1 else ""
        where = write_bundle(one, None if out is None else f"{out}{part}", f"{name}{part}.txt")
        say(f"{where}: for {who}", to=out)


def _of_entry(record: Record, step: int | None, player: str | None) -> tuple[Bundle, ...]:
    """The bundles of an entry; raises Refused, which says what there is."""
    last = record.last_step()
    if step is None or last is None:
        raise Refused("not-yet", "the game has not begun: there is only its invite")
    if player is not None and player not in ledger_of(record).opening.players:
        raise Refused("no-seat", f"nobody in this game is called {player!a}")
    try:
        return bundles.of_entry(record, step, player)
    except Missing as error:
        hint = f"the last entry is {last}"
        if error.path.startswith("reports/"):
            hint = "the host's record has every report, a copy only its own seat's"
        raise Refused("missing", error.message, hint) from None
