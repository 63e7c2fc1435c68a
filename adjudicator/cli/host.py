"""The host's commands: `invite`, `token`, `start`, `submit`, `advance`, `rule`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

import games
from adjudicator.cli import completing, tell_error
from adjudicator.cli.page import PageOption
from adjudicator.cli.shared import (
    AnyPath,
    FolderPath,
    GameOptionOption,
    MovedKeyOption,
    OutOption,
    PresetOption,
    RecordArgument,
    check_out,
    check_reason,
    ledger_of,
    like_bundle,
    moment,
    now,
    read_bundle,
    reader,
    record_of,
    say,
    signer,
    signer_of,
    source_of,
    warn,
    write_bundle,
)
from adjudicator.core import bundles
from adjudicator.core.link import counting
from adjudicator.core.opening import read_offer
from adjudicator.host import begin
from adjudicator.host.begin import Terms
from adjudicator.host.folder import HostFolder
from adjudicator.host.host import Host
from adjudicator.host.letters import Letters
from adjudicator.host.waiting_room import WaitingRoom
from adjudicator.install import read_page
from adjudicator.player import finding
from adjudicator.store import files
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words import answers, story
from games.options import of_preset
from orders.bundle import Bundle
from orders.documents import Receipt, read_receipt
from orders.entries import Entry, Ruling
from orders.errors import Refused, pasteable
from orders.fields import is_address
from orders.keys import Signer
from orders.secrets import draw_secret

ClockOption = click.option(
    "--clock-is-right", is_flag=True, help="Sign though other times differ from this clock's."
)
FolderOption = click.option(
    "-o", "--out", metavar="FOLDER", type=FolderPath,
    help="The folder for the bundles; by default that of the record.",
)  # fmt: skip


@click.command(epilog="Example: adjudicator invite sugar-dog --key host.key -o friday")
@click.argument("game", required=False, shell_complete=completing.of_game)
@click.option("--key", required=True, type=AnyPath, help="Your SSH key.")
@GameOptionOption
@PresetOption
@click.option("--table", type=AnyPath, help="A house table of your own.")
@click.option(
    "--rematch", type=AnyPath, metavar="RECORD",
    help="In place of GAME: a record whose game is played again, seats swapped.",
)  # fmt: skip
@click.option("--mail", metavar="ADDRESS", help="Your mail address for players; it is public.")
@click.option("--reserved", is_flag=True, help="A player needs a token from you to join.")
@PageOption
@click.option("--name", help="What all call this game; by default as the record's folder.")
@click.option("-o", "record", required=True, type=AnyPath, help="The record's folder.")
def invite(
    game: str | None, key: Path, options: tuple[str, ...], preset: str | None, table: Path | None,
    rematch: Path | None, mail: str | None, reserved: bool, page: str | None, name: str | None,
    record: Path,
) -> None:  # fmt: skip
    """Start a record of GAME with its invite, and your private folder RECORD.host beside it.

    With --page it prints the page's link and digest, which you send to the players with the invite.
    Later mails of the game link to the page too.
    """
    if (game is None) == (rematch is None):
        raise click.UsageError("name a GAME, or a record with --rematch")
    if rematch is not None and (options or preset or table):
        raise click.UsageError("a rematch has the options and the table of its record")
    if mail is not None and not is_address(mail):
        raise Refused("malformed", f"--mail {mail!a:.80}: expected a plain mail address")
    seats: Sequence[str] = ()
    if rematch is None:
        terms = _terms(str(game), options, preset, table)
    else:
        terms, seats = begin.rematch(ledger_of(source_of(rematch)))
    terms = terms._replace(mail=mail, reserved=reserved, name=begin.name_of(Record(record), name))
    link = None if page is None else read_page(page)
    target = Record(record)
    path = str(target.root.with_name(f"{terms.name}-invite.txt"))
    check_out(path, like=like_bundle("invite"))
    secrets = begin.Secrets(draw_secret(), draw_secret())
    bundle = begin.invite(target, terms, signer(key), key, secrets, SystemClock())
    where = write_bundle(bundle, None, path)
    say(f"{record}: the record, public at any time")
    say(
        f"{target.host}: your secrets. Back them up: without them the game can neither go on nor "
        "end"
    )
    say(f"{where}: the invite, for the players")
    if link is not None:
        from adjudicator.mail import wording

        HostFolder(target.host).set_page(link)
        told = wording.by_page(link, Path(path).name)
        say("tell them with it:", *(f"  {line}".rstrip() for line in told))
    if reserved:
        say(f"a token for each player: adjudicator token {pasteable(record)} NAME")
    if seats:
        joins = " ".join(f"{terms.name}-{player}-join.txt" for player in seats)
        say(f"seats swapped: adjudicator start {pasteable(record)} {joins}, in this order")


def _terms(game: str, options: tuple[str, ...], preset: str | None, table: Path | None) -> Terms:
    """The terms of the invite; raises OfferRefused, UnknownGame or Refused."""
    found = games.load(game)
    given = {**of_preset(found.presets, preset, found.id), **found.parse_options(options)}
    return Terms(found, given, None if table is None else files.read(table, 2**16))


@click.command(epilog="Example: adjudicator token friday Dora")
@RecordArgument
@click.argument("whom")
def token(record: Path, whom: str) -> None:
    """Make a token for one seat of a reserved game. WHOM: your own note of who gets it.

    After the start it is for a new player of a seat, who joins under the old name.
    """
    target = record_of(record)
    folder = HostFolder(target.host)
    folder.master()
    offer = read_offer(target)
    if not offer.invite.reserved:
        raise Refused(
            "bad-option",
            "the seats of this game are not reserved: everybody with the invite can join",
            "adjudicator invite --reserved offers a game that takes tokens",
        )
    made = WaitingRoom(folder, offer).invite(whom)
    say(f"{made}: a token, only for {whom}; they join with adjudicator join --token")
    if target.last_step() is not None:
        say(
            "they join under the name of the seat, and you hand it on: "
            f"adjudicator rule {pasteable(record)} --seat JOIN"
        )


@click.command(epilog="Example: adjudicator start friday friday-*-join.txt")
@RecordArgument
@click.argument("joins", nargs=-1, required=True)
@MovedKeyOption
@OutOption
def start(record: Path, joins: tuple[str, ...], key: Path | None, out: str | None) -> None:
    """Seat the players in the order of their JOINs: genesis. The game begins."""
    target = record_of(record)
    name = str(target.root.with_name(f"{read_offer(target).name}-0000.txt"))
    check_out(out or name, like=like_bundle("entry"))
    again = target.last_step() is not None
    given = [read_bundle(path, "join") for path in joins]
    holder, clock = host_signer(target, key), SystemClock()
    where = write_bundle(begin.start(target, given, holder, clock), out, name)
    HostFolder(target.host).mark_sent(0)
    if again:
        say("the game has begun already, with these players", to=out)
    say(f"{where}: the genesis, for everybody", to=out)
    if not again:
        say(*story.whose_turn(Host(target, holder, clock).last.entry, reader()), to=out)


def host_signer(record: Record, key: Path | None) -> Signer:
    """The host's signer: with the given key, or else the one named in its folder; raises
    Refused."""
    folder = HostFolder(record.host)
    folder.master()
    return signer_of(read_offer(record).host, key, folder.key_path(), record.host / "key")


def open_host(record: Path, key: Path | None, *, sure: bool) -> Host:
    """The host's side of a record; raises Refused. `sure`: this machine's clock is right."""
    target = record_of(record)
    holder = host_signer(target, key)
    if target.last_step() is None:
        raise Refused(
            "not-yet", "the game has not begun", "adjudicator start RECORD JOINS begins it"
        )
    return Host(target, holder, SystemClock(), None if sure else warn)


@click.command(epilog="Example: adjudicator submit friday friday-alice-0001-1.txt")
@RecordArgument
@click.argument("given", metavar="BUNDLE...", nargs=-1, required=True)
@MovedKeyOption
@ClockOption
@OutOption
@click.pass_context
def submit(
    ctx: click.Context, record: Path, given: tuple[str, ...], key: Path | None,
    clock_is_right: bool, out: str | None,
) -> None:  # fmt: skip
    """Take in order BUNDLEs and write the receipt that answers each.

    Exits 1 if a receipt does not accept, or no longer counts.
    """
    if out is not None and len(given) > 1:
        raise click.UsageError("-o names one file: submit one bundle with it, or leave it out")
    check_out(out, like=like_bundle("receipt"))
    referee = open_host(record, key, sure=clock_is_right)
    taken = [_submit(referee, path, out, alone=len(given) == 1) for path in given]
    lacking = referee.missing()
    if lacking:
        say(f"still missing: {', '.join(lacking)}", to=out)
    elif referee.last.clocks.awaited:
        say(f"all orders are in: adjudicator advance {pasteable(record)}", to=out)
    ctx.exit(0 if all(taken) else 1)


def _submit(referee: Host, path: str, out: str | None, *, alone: bool) -> bool:
    """Take in one bundle and answer it; returns whether it counts now. Among several, a bad one
    only gives a message."""
    try:
        bundle = read_bundle(path, "order")
        try:
            answer = referee.submit(bundle)
        except Refused as error:
            raise _named(error, referee.record, bundle, path) from None
    except Refused as error:
        if alone:
            raise
        named = path in error.message
        said = error.message if named else f"{path!a}: {error.message}"
        tell_error(Refused(error.word, said, error.hint))
        return False
    receipt = read_receipt(answer.data)
    bundle = bundles.of_receipt(answer)
    name = bundles.name(referee.opening.offer.name, bundle)
    where = write_bundle(bundle, out, f"{name}.txt")
    say(f"{name.removesuffix('-receipt')}: {answers.answered(referee.ledger, receipt)}", to=out)
    say(f"{where}: the receipt, for {receipt.player}", to=out)
    _compare(referee, receipt)
    return answers.counts(referee.ledger, receipt)


def _named(error: Refused, record: Record, bundle: Bundle, path: str) -> Refused:
    """A refusal of another game's orders, with that game's name if its record lies beside."""
    if error.word != "other-game":
        return error
    for other in finding.copies(record.root.parent):
        if bundles.about(bundle) in bundles.ids_of(other):
            text = f"these orders are for {read_offer(other).name}, not for"
            return Refused(
                error.word,
                f"{text} {read_offer(record).name}",
                f"adjudicator submit {pasteable(other.root)} {pasteable(path)}",
            )
    return error


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


@click.command(epilog="Example: adjudicator advance friday --late")
@RecordArgument
@click.option("--late", is_flag=True, help="Go on without overdue players.")
@MovedKeyOption
@ClockOption
@FolderOption
def advance(
    record: Path, late: bool, key: Path | None, clock_is_right: bool, out: Path | None
) -> None:
    """Adjudicate when all orders are in; after the end append the reveal as well.

    A deadline that falls into an absence is moved first, by a ruling.
    """
    referee = open_host(record, key, sure=clock_is_right)
    before = referee.last.step
    if referee.go_on(lambda: _grant(referee), late=late):
        steps: Sequence[int] = range(before + 1, referee.last.step + 1)
    else:
        # After a crash, finished entries may still have to go out; otherwise this raises the
        # reason.
        steps = referee.unsent() or referee.advance(late=late)
    _hand_out(referee, steps, out)


def _grant(referee: Host) -> bool:
    """Move deadlines that fall into an absence; returns whether any did."""
    if not referee.folder.letters_in("notices"):
        return False
    return Letters(referee).grant()


def _hand_out(referee: Host, steps: Sequence[int], out: Path | None) -> None:
    """Write the bundles of new entries, one for each reader whose bundle differs, and print the
    news."""
    game = referee.opening.offer.name
    folder = referee.record.root.parent if out is None else out
    for step in steps:
        entry = referee.ledger.link(step).entry
        for player in tuple(entry.reports) or (None,):
            for number, bundle in enumerate(referee.bundles([step], player), 1):
                part = f".{number}" if number > 1 else ""
                name = f"{bundles.name(game, bundle)}{part}.txt"
                where = write_bundle(bundle, None, str(folder / name))
                say(f"{where}: entry {step}, for {player or 'everybody'}")
    referee.folder.mark_sent(steps[-1])
    for step in steps:
        entry = referee.ledger.link(step).entry
        if isinstance(entry, Entry):
            say(*(f"  {line}" for line in story.heard(referee.opening, entry)))
    say(*story.whose_turn(referee.last.entry, reader()))


@click.command(epilog='Example: adjudicator rule friday --until 3d --reason "snow"')
@RecordArgument
@click.option(
    "--annul", type=click.IntRange(min=1), metavar="N", help="Annul entry N and all after it."
)
@click.option("--until", metavar="TIME", help="Any later deadline for all who are awaited: 3d, ...")
@click.option("--abandon", is_flag=True, help="End the game; the reveal follows.")
@click.option("--seat", "join", metavar="JOIN", help="Hand the seat on to the sender of this join.")
@click.option("--consent", type=AnyPath, help="The leaving player's consent.")
@click.option("--reason", required=True, help="The reason, for all to read.")
@MovedKeyOption
@ClockOption
@FolderOption
def rule(
    record: Path, annul: int | None, until: str | None, abandon: bool, join: str | None,
    consent: Path | None, reason: str, key: Path | None, clock_is_right: bool, out: Path | None,
) -> None:  # fmt: skip
    """Append a ruling: it annuls, moves deadlines, hands a seat on, or ends the game."""
    if annul is None and until is None and not abandon and join is None:
        raise click.UsageError("a ruling needs --annul, --until, --abandon or --seat")
    if (annul is not None) + abandon + (join is not None) > 1:
        raise click.UsageError("a ruling does one thing: --annul, --abandon or --seat")
    if consent is not None and join is None:
        raise click.UsageError("--consent goes with --seat")
    if until is not None and abandon:
        raise click.UsageError("an abandoned game has no deadline: leave out --until")
    time = None if until is None else moment(until, now())
    check_reason(reason)
    referee = open_host(record, key, sure=clock_is_right)
    counted = _counting(referee)
    if join is None:
        steps = referee.rule(Ruling(reason, annul, abandon), time)
    else:
        agreed = None if consent is None else files.read(consent, 4096)
        steps = referee.hand_on(read_bundle(join), reason, agreed, time)
    _hand_out(referee, steps, out)
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
