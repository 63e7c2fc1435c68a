"""`take` and `sync`: what came is taken in, for players and hosts, and what is due is done."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

import click

from adjudicator.cli import courier, host, tell_error
from adjudicator.cli.courier import Lying
from adjudicator.cli.here import (
    ANY,
    HOST,
    GameOption,
    Place,
    SeatOption,
    find,
    nothing,
    place_of,
    places,
)
from adjudicator.cli.shared import (
    AnyPath,
    ClockOption,
    KeyOption,
    OutOption,
    QuietOption,
    check_out,
    like_bundle,
    nothing_in,
    open_seat,
    passphrase_asker,
    read_paste,
    reader,
    say,
    warn,
    write_bundle,
)
from adjudicator.core import bundles
from adjudicator.core.opening import read_offer
from adjudicator.host import begin
from adjudicator.host.folder import HostFolder
from adjudicator.host.host import Host
from adjudicator.host.letters import Letters
from adjudicator.host.waiting_room import WaitingRoom
from adjudicator.mail import player as mails
from adjudicator.mail.mime import Mail
from adjudicator.mail.pasted import Paste
from adjudicator.player import finding
from adjudicator.player.copy import others
from adjudicator.player.duel import Home, homes
from adjudicator.player.seat import Seat
from adjudicator.player.table import Table, TakenBundles, evidence
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words import story
from orders.bundle import Bundle
from orders.errors import TEMPORARY, Refused, pasteable
from orders.fields import digest

LOOK, NOT_YET = 3, 4
"""Exit codes: done, but a person must look; not yet, or something is missing."""


@click.command(epilog="Example: adjudicator take friday-alice-0001-1.txt, or take < mail")
@click.argument("given", metavar="FILE...", nargs=-1)
@GameOption
@SeatOption
@KeyOption
@ClockOption
@OutOption
@click.pass_context
def take(
    ctx: click.Context, given: tuple[str, ...], record: Path | None, seat: Path | None,
    key: Path | None, clock_is_right: bool, out: str | None,
) -> None:  # fmt: skip
    """Take in whatever FILE holds (-, or none: standard input): a mail or a file that somebody sent
    you, as a player or as a host.

    The file says of which game it is. Orders are answered by a receipt, which goes beside the
    record, or with -o there.
    """
    paths = given or ("-",)
    if out is not None and len(paths) > 1:
        raise click.UsageError("-o names one file: take one with it, or leave it out")
    check_out(out, like=like_bundle("receipt"))
    taking = _Taking(record, seat, key, out, sure=clock_is_right)
    code, found, alone = 0, [], len(paths) == 1
    for path in paths:
        try:
            if _is_pack(path):
                from adjudicator.cli import duel

                code = duel.take_pack(Path(path), record, key, out) or code
                continue
            paste = read_paste(path)
            if not paste.bundles:
                raise nothing_in(path, paste)
        except Refused as error:
            if alone:
                raise
            tell_error(error)
            code = 1
            continue
        alone = alone and len(paste.bundles) == 1
        for lost in paste.damaged:
            warn(f"{path}: a block in it is {lost.fault}")
            code = code or LOOK
        found += [(path, bundle, paste) for bundle in paste.bundles]
    taking.alone = alone
    for path, bundle, paste in sorted(found, key=lambda one: _rank(one[1])):
        try:
            code = taking.take(path, bundle, paste) or code
        except Refused as error:
            if error.word == "other-game":
                warn(f"OTHER GAME: {error.message}: not taken in. {error.hint}".rstrip())
                code = LOOK
                continue
            if alone or error.word in TEMPORARY:
                raise
            tell_error(error)
            code = 1
    ctx.exit((taking.end() if found else 0) or code)


def _is_pack(path: str) -> bool:
    """Whether a file is a zip: a duel's, of which what lacks here is taken in."""
    if path == "-" or not Path(path).is_file():
        return False
    with Path(path).open("rb") as file:
        return file.read(4) == b"PK\3\4"


def _rank(bundle: Bundle) -> tuple[int, str]:
    """Invites first, then joins; entries in their order, and the moves of a duel."""
    first = {"invite": 0, "join": 1}.get(bundle.kind, 2)
    return first, bundle.files[0][0] if bundle.kind in ("entry", "duel") else "~"


class _Taking:
    """Takes bundles in, each into its own game."""

    def __init__(
        self, record: Path | None, seat: Path | None, key: Path | None, out: str | None,
        *, sure: bool,
    ) -> None:  # fmt: skip
        self.alone = True
        self.record = record
        self.seat = open_seat(seat)
        self.key = key
        self.out = out
        self.sure = sure
        self.tables: dict[Path, Table] = {}
        self.came: dict[Path, list[tuple[str, Bundle]]] = {}
        self.hosts: dict[Path, Host] = {}
        self.several = False

    def take(self, path: str, bundle: Bundle, paste: Paste) -> int:
        """Take in one bundle of a paste; returns the exit code. Raises Refused."""
        mail = paste.mail
        if bundle.kind == "invite":
            return self._invite(bundle, mail)
        if bundle.kind == "duel":
            from adjudicator.cli import duel

            quoted = len(paste.bundles) > 1
            return duel.take(bundle, mail, self.record, self.key, self.out, quoted=quoted)
        if bundle.kind == "consent":
            raise Refused(
                "bad-bundle", f"{path!a}: a consent counts by the host's ruling alone",
                f"adjudicator rule --hand-on JOIN --consent {pasteable(path)} --reason ...",
            )  # fmt: skip
        place = self._place(path, bundle)
        record = Record(place.record)
        to_host = bundle.kind in ("join", "order") or (place.hosts and courier.is_own(bundle))
        answers = len({one.kind for one in paste.bundles}) > 1
        if answers and to_host != place.hosts and (to_host or place.seat is None):
            # It quotes what it answers, which is one's own.
            return 0
        if to_host and not place.hosts:
            what = {"join": "a join", "order": "orders, sealed,"}.get(bundle.kind, "a letter")
            raise Refused(
                "no-host",
                f"{path!a} holds {what} for the host of {place.record.name}, which you do not host "
                "here",
                "send it to the host; on the host's machine restore the host's folder: adjudicator "
                "restore FILE",
            )
        if bundle.kind == "join":
            say(host.take_join(record, bundle, path), to=self.out)
            return 0
        if bundle.kind == "order":
            return 0 if host.take_order(self._host(record), bundle, self.out) else 1
        if to_host:
            return _letter(self._host(record), bundle)
        return self._came(place, path, bundle, mail)

    def _host(self, record: Record) -> Host:
        if record.root not in self.hosts:
            self.hosts[record.root] = host.open_host(record.root, self.key, sure=self.sure)
        return self.hosts[record.root]

    def _invite(self, bundle: Bundle, mail: Mail) -> int:
        copy = finding.copy_of_invite(bundle, Path(), self.record)
        offer = read_offer(copy)
        mails.remember(copy, mail)
        say(f"{offer.name}: an invite to {offer.game.title} ({offer.invite.rules})")
        say(*(f"  {key} = {value}" for key, value in offer.invite.options.items()))
        where = os.path.relpath(copy.root)
        if self.seat is None and place_of(copy).seat is None:
            beside = copy.root.with_name(f"{offer.name}-invite.txt")
            if not beside.exists():
                write_bundle(bundle, None, str(beside))
            named = pasteable(os.path.relpath(beside))
            say(f"{where}: your copy. To take a seat: adjudicator join {named}")
        return 0

    def _place(self, path: str, bundle: Bundle) -> Place:
        """The game here that a bundle is of; raises Refused."""
        about = bundles.about(bundle)
        beside = Path() if path == "-" else Path(path).absolute().parent
        known = [*places(Path().absolute()), *places(beside)]
        self.several |= len({finding.invite_of(Record(one.record)) for one in known}) > 1
        found = next((one for one in known if about in bundles.ids_of(Record(one.record))), None)
        if self.record is not None:
            meant = find(self.record, None, ANY)
            if about in bundles.ids_of(Record(meant.record)) or self._awaits(meant, bundle):
                return meant
            if found is not None:
                raise Refused(
                    "other-game",
                    f"{path!a} is for {found.record.name}, not for {meant.record.name}",
                    f"adjudicator take {pasteable(path)} -g {pasteable(found.record)}",
                )
            known = [meant]
        elif found is not None:
            return found
        waiting = [one for one in known if self._awaits(one, bundle)]
        if len(waiting) == 1:
            return waiting[0]
        early = [one for one in known if Record(one.record).last_step() is None]
        if len(early) == 1 and bundle.kind in ("entry", "receipt"):
            raise Refused(
                "gap",
                f"{path!a}: it is of another game, or the first file of {early[0].record.name} is "
                f"not here yet",
                f"ask the host for {read_offer(Record(early[0].record)).name}-0000.txt",
            )
        named = ", ".join(sorted({one.record.name for one in known}))
        raise Refused(
            "other-game" if named else "missing",
            f"{path!a} is of another game" + (f", not of {named}" if named else
                                               ": no copy of it is here"),
            "an invite begins a copy: adjudicator join INVITATION",
        )  # fmt: skip

    def _awaits(self, place: Place, bundle: Bundle) -> bool:
        """Whether a game's first entry came with this bundle: only that says what the game is."""
        return (
            bundle.kind in ("entry", "receipt")
            and Record(place.record).last_step() is None
            and Record(place.record).root in self.came
        )

    def _came(self, place: Place, path: str, bundle: Bundle, mail: Mail) -> int:
        """Take in what a host sent."""
        record = Record(place.record)
        if record.root not in self.tables:
            seat = self.seat or _seat(record)
            # What lies beside the copy is found there again; what came from elsewhere is not.
            beside = Path(path).resolve().parent == record.root.resolve().parent
            keeps = path == "-" or not beside
            self.tables[record.root] = Table(record, seat, SystemClock(), keeps=keeps)
        self.came.setdefault(record.root, []).append((path, bundle))
        mails.remember(record, mail)
        return 0

    def end(self) -> int:
        """Say what came, and what its player must see to; the exit code."""
        code = 0
        for root, given in self.came.items():
            table, taken = self.tables[root], TakenBundles()
            if self.alone:
                try:
                    table.take_one(*given[0], taken)
                except Refused as error:
                    told = evidence(given[0][0], error)
                    if not told:
                        raise
                    tell_error(error)
                    warn(told)
                    return 1
            else:
                table.take(given, taken)
            code = _told(table, taken, named=self.several) or code
            for path, bundle in given:
                whose = others(dict(bundle.files), table.player)
                if whose and table.lacking():
                    warn(f"NOT YOUR REPORT: {path} was {whose}'s")
        for referee in self.hosts.values():
            all_in = referee.last.clocks.awaited and not referee.missing()
            ready = ["all orders are in: adjudicator sync"] if all_in else host.waits(referee)
            say(*ready, to=self.out)
        return code


def _seat(record: Record) -> Seat | None:
    place = place_of(record).seat
    return None if place is None else Seat.open(place, passphrase_asker())


def _answered(referee: Host, bundle: Bundle) -> bool:
    """Whether these orders have their receipt already."""
    slips = [digest(data) for path, data in bundle.files if path.endswith(".toml")]
    return all(referee.folder.receipt(slip) is not None for slip in slips)


def _letter(referee: Host, bundle: Bundle) -> int:
    """Take a player's letter in, and write what is passed on."""
    taken = Letters(referee).take(bundle)
    say(f"{taken.letter.player}: a letter, taken")
    host.pass_on(referee, taken.passed)
    return 0


def _told(table: Table, taken: TakenBundles, *, named: bool) -> int:
    """Print what a table took in, `named`: with its game's name; the exit code."""
    say(*(f"{table.game}: {line}" if named else line for line in taken.lines))
    for kept in taken.letters:
        say(*mails.message(table, kept))
    if taken.steps:
        own = table.seated() if table.seat is not None else None
        for step in taken.steps:
            entry = table.ledger.link(step).entry
            told = (
                story.heard(table.ledger.opening, entry) if own is None else story.told(own, step)
            )
            say(*(f"  {line}" for line in told))
        say(*story.whose_turn(table.ledger.last.entry, reader(), table.player))
    news = list(table.news(reader()))
    warn(*table.not_news(taken.warnings), *(f"{name} is of another game" for name in taken.foreign))
    if not table.begun:
        first = f"the game's first file, {table.game}-0000.txt, is not here yet"
        warn(*(f"{name} is not taken in: {first}. Ask the host for it" for name in taken.left))
    warn(*reversed(news), *taken.evidence)
    if taken.evidence:
        return 1
    if table.old() or table.lacking():
        return NOT_YET
    return LOOK if taken.warnings or taken.foreign else 0


# Sync.


@click.command(epilog="Example: adjudicator sync --every 1m")
@click.option(
    "-g", "--game", "named", multiple=True, metavar="NAME|PATH", type=AnyPath,
    envvar="ADJUDICATOR_GAME", help="The game, if not all that are here.",
)  # fmt: skip
@SeatOption
@KeyOption
@click.option("--every", metavar="TIME", help="Do it again and again, after that time: 1m, 1h.")
@click.option("--late", is_flag=True, help="Host: go on without overdue players.")
@ClockOption
@click.option("--retry", is_flag=True, help="Host: try mails again that could not be sent.")
@click.option(
    "--tell-again", type=click.Choice(["all", "last", "none"]),
    help="Host: which entries are mailed again of a game that the outbox does not know.",
)  # fmt: skip
@QuietOption
@click.pass_context
def sync(
    ctx: click.Context, named: tuple[Path, ...], seat: Path | None, key: Path | None,
    every: str | None, late: bool, clock_is_right: bool, retry: bool, tell_again: str | None,
    quiet: bool,
) -> None:  # fmt: skip
    """Do all that is due, in every game here: fetch, take in what lies here, adjudicate, send.

    A host's games go on when all orders are in; --late calls overdue players missing. By files it
    takes in what lies beside the record, and moves it into RECORD.done. Passwords for mail are read
    from ADJUDICATOR_IMAP_PASSWORD and ADJUDICATOR_SMTP_PASSWORD or from a netrc file;
    ADJUDICATOR_IMAP_TOKEN and ADJUDICATOR_SMTP_TOKEN name commands that print a token for XOAUTH2.
    """
    work = _Sync(named, seat, key, tell_again or "", late=late, sure=clock_is_right, retry=retry,
                 quiet=quiet)  # fmt: skip
    if every is None:
        ctx.exit(work.run())
    from adjudicator.cli.office import span

    pause = span("--every", every)
    while True:
        try:
            work.run()
        except (Refused, OSError) as error:
            tell_error(error)
        time.sleep(0 if work.left else pause)


class _Sync:
    """All that is due in some games, once."""

    def __init__(
        self, named: Sequence[Path], seat: Path | None, key: Path | None, tell_again: str,
        *, late: bool, sure: bool, retry: bool, quiet: bool,
    ) -> None:  # fmt: skip
        self.named = named
        self.seat = seat
        self.key = key
        self.tell_again = tell_again
        self.late = late
        self.sure = sure
        self.retry = retry
        self.quiet = quiet
        self.left = 0

    def run(self) -> int:
        """Do it; returns the exit code. Raises Refused."""
        duels = self._duels()
        found = self._places()
        if not found and not duels:
            raise nothing([], HOST)
        several, code = len(found) + len(duels) > 1, 0
        hosted = [Record(one.record) for one in found if one.hosts and self.seat is None]
        by_mail = [one for one in hosted if host.carrier(one) == "mail"]
        if by_mail:
            code = self._mail(by_mail)
        for place in found:
            try:
                if place.hosts and self.seat is None:
                    done = self._host(Record(place.record))
                else:
                    done = self._player(place)
                code = done or code
            except Refused as error:
                if not several:
                    raise
                error.message = f"{place.record.name}: {error.message}"
                tell_error(error)
                code = 1
        for home in duels:
            try:
                code = self._duel(home) or code
            except Refused as error:
                if not several:
                    raise
                error.message = f"{home.root.name}: {error.message}"
                tell_error(error)
                code = 1
        by_files = [one.record for one in found if not (one.record / ".git").exists()]
        roots = [*by_files, *(home.root for home in duels)]
        for folder in dict.fromkeys(root.absolute().parent for root in roots):
            if told := courier.strays(folder):
                warn(*told)
                code = code or LOOK
        return code

    def _duels(self) -> list[Home]:
        """The duels that are meant."""
        if self.seat is not None:
            return []
        return [home for one in self.named or [Path()] for home in homes(one)]

    def _duel(self, home: Home) -> int:
        from adjudicator.cli import duel

        return duel.sync(home, self.key, quiet=self.quiet)

    def _places(self) -> list[Place]:
        if self.named:
            return [find(one, self.seat, ANY) for one in self.named if not homes(one)]
        found = places(Path().absolute())
        if self.seat is not None:
            own = open_seat(self.seat)
            found = [
                one for one in found
                if own is not None and finding.invite_of(Record(one.record)) == own.invite
            ]  # fmt: skip
        return found

    def _mail(self, records: Sequence[Record]) -> int:
        from adjudicator.cli import office

        faults, self.left = office.turn(
            records, late_is_told=self.tell_again, sure=self.sure, quiet=self.quiet,
            again=self.retry,
        )  # fmt: skip
        return 1 if faults else 0

    def _say(self, *lines: str) -> None:
        if not self.quiet:
            say(*lines)

    # A host.

    def _host(self, record: Record) -> int:
        carrier = host.carrier(record)
        if carrier == "git":
            from adjudicator.cli.git import sync_host

            sync_host(record, late=self.late, sure=self.sure)
            return 0
        code = 0
        for one in courier.lying(record.root.absolute().parent):
            try:
                code = self._file(record, one) or code
            except Refused as error:
                if error.word in (*TEMPORARY, "clock", "ahead"):
                    raise
                error.message = f"{one.path.name}: {error.message}"
                tell_error(error)
                code = 1
        if carrier == "mail":
            return code
        if record.last_step() is None:
            self._begin(record)
            return code
        referee = host.open_host(record.root, self.key, sure=self.sure)
        if not host.go_on(referee, late=self.late):
            over = referee.last.over
            self._say(*(story.whose_turn(referee.last.entry) if over else host.waits(referee)))
        return code

    def _file(self, record: Record, lying: Lying) -> int:
        """Take in what a file brings for the host; the exit code."""
        ids = bundles.ids_of(record)
        code, used, alone = 0, False, lying.is_only(ids)
        # Whoever sends orders again has no receipt; what was taken by hand was not sent again.
        again = alone and courier.was_put_away(record.root, lying.path)
        for bundle in lying.of(ids, ("join", "order", "letter")):
            if bundle.kind == "join":
                if record.last_step() is None:
                    held = WaitingRoom(HostFolder(record.host), read_offer(record)).bundles()
                    if bundle not in held:
                        self._say(host.take_join(record, bundle, lying.path.name))
                continue
            referee = host.open_host(record.root, self.key, sure=self.sure)
            if bundle.kind == "letter":
                if not courier.is_own(bundle):
                    continue
                _letter(referee, bundle)
            elif again or not _answered(referee, bundle):
                code = code if host.take_order(referee, bundle) else 1
            used = True
        if used and alone:
            courier.put_away(record.root, lying.path)
        return code

    def _begin(self, record: Record) -> None:
        """Begin a game once all who were asked for have joined."""
        room = WaitingRoom(HostFolder(record.host), read_offer(record))
        wanted, there = room.folder.seats(), room.joins()
        if wanted is None or len(there) < wanted:
            many = f" of {wanted}" if wanted else ""
            names = f": {', '.join(there)}" if there else ""
            self._say(f"{record.root.name}: {len(there)}{many} joined{names}")
            if wanted is None and there:
                self._say("to begin with them: adjudicator start")
            return
        holder, clock = host.host_signer(record, self.key), SystemClock()
        bundle = begin.start(record, room.bundles(), holder, clock)
        name = os.path.relpath(record.root.with_name(f"{room.offer.name}-0000.txt"))
        where = write_bundle(bundle, None, name)
        room.folder.mark_sent(0)
        self._say(f"{where}: the genesis, for everybody")
        self._say(*story.whose_turn(Host(record, holder, clock).last.entry, reader()))

    # A player.

    def _player(self, place: Place) -> int:
        record = Record(place.record.absolute())
        own = open_seat(self.seat or place.seat)
        if own is None and record.host.is_dir():
            # It says what is wrong with the host's folder, if it is this game's.
            HostFolder(record.host).master()
        carrier = courier.of(record, own)
        taken = carrier.sync()
        if not self.quiet:
            say(*taken.lines)
            if carrier.table.begun:
                _steps(carrier.table, taken.steps)
        table = carrier.table
        warn(*table.not_news(taken.warnings))
        if table.old() or table.lacking() or table.robbed:
            told = [one for one in table.news(reader()) if one not in taken.warnings]
            warn(*reversed(told))
        warn(*taken.evidence)
        if taken.evidence:
            return 1
        if table.old() or table.lacking():
            return NOT_YET
        return LOOK if taken.warnings or table.robbed else 0


def _steps(table: Table, steps: Sequence[int]) -> None:
    for step in steps[-10:]:
        entry = table.ledger.link(step).entry
        say(f"entry {step}: {story.title(entry)}")
        if entry.ruling is None:
            say(*(f"  {line}" for line in story.heard(table.ledger.opening, entry)))
    if steps:
        say(*story.whose_turn(table.ledger.last.entry, reader(), table.player))
