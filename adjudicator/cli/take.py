"""`take`: what came is taken in, for players and hosts."""

from __future__ import annotations

import os
from pathlib import Path

import click

from adjudicator.cli import courier, host, notices, shared, tell_error
from adjudicator.cli.courier import LOOK, tell
from adjudicator.cli.which import ANY, GameOption, Place, SeatOption, find, place_of, places
from adjudicator.core import bundles
from adjudicator.core.opening import read_offer
from adjudicator.host.desk import Desk
from adjudicator.mail import player as mails
from adjudicator.mail.mime import Mail
from adjudicator.mail.pasted import Paste
from adjudicator.player import finding
from adjudicator.player.duel import homes
from adjudicator.player.seat import Seat
from adjudicator.player.table import Table, TakenBundles, evidence
from adjudicator.store import pack
from adjudicator.store.clock import SystemClock
from adjudicator.store.record import Record
from adjudicator.words import story
from orders.bundle import Bundle
from orders.errors import TEMPORARY, Refused, pasteable


@click.command(epilog="Example: adjudicator take friday-alice-0001-1.txt, or take < mail")
@click.argument("given", metavar="FILE...", nargs=-1)
@GameOption
@SeatOption
@shared.KeyOption
@shared.ClockOption
@shared.OutOption
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
    shared.check_out(out, like=shared.like_bundle("receipt"))
    taking = _Taking(record, seat, key, out, sure=clock_is_right)
    code, found, alone, duels = 0, [], len(paths) == 1, False
    for path in paths:
        try:
            if path != "-" and shared.begins(Path(path), pack.BEGIN):
                # A duel's: what lacks here is taken in.
                from adjudicator.cli import duel

                duels = True
                code = duel.take_pack(Path(path), record, key, out) or code
                continue
            paste = shared.read_paste(path)
            if not paste.bundles:
                raise shared.nothing_in(path, paste)
        except Refused as error:
            if alone:
                raise
            tell_error(error)
            code = 1
            continue
        alone = alone and len(paste.bundles) == 1
        for lost in paste.damaged:
            shared.warn(f"{path}: a block in it is {lost.fault}")
            code = code or LOOK
        found += [(path, bundle, paste) for bundle in paste.bundles]
    taking.alone = alone
    duels |= any(bundle.kind == "duel" for _, bundle, _ in found)
    for path, bundle, paste in sorted(found, key=lambda one: _rank(one[1])):
        try:
            code = taking.take(path, bundle, paste) or code
        except Refused as error:
            if error.word == "other-game":
                shared.warn(f"OTHER GAME: {error.message}: not taken in. {error.hint}".rstrip())
                code = LOOK
                continue
            if alone or error.word in TEMPORARY:
                raise
            tell_error(error)
            code = 1
    code = (taking.end() if found else 0) or code
    mine = [
        Place(root, table.seat.root, hosts=False)
        for root, table in taking.tables.items()
        if table.seat is not None
    ]
    notices.tell(mine, homes(record or Path()) if duels else ())
    ctx.exit(code)


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
        self.seat = shared.open_seat(seat)
        self.key = key
        self.out = out
        self.sure = sure
        self.tables: dict[Path, Table] = {}
        self.came: dict[Path, list[tuple[str, Bundle]]] = {}
        self.desks: dict[Path, Desk] = {}
        self.played: dict[Path, Desk] = {}
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
        to_host = courier.is_for_host(bundle)
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
        if to_host:
            if record.root not in self.desks:
                self.desks[record.root] = host.desk_of(record.root, self.key, sure=self.sure)
            desk = self.desks[record.root]
            if bundle.kind != "join":
                # Nobody is waited for less by a join, which needs no key of the host's.
                self.played[record.root] = desk
            return host.take(desk, bundle, path, self.out)
        return self._came(record, path, bundle, mail)

    def _came(self, record: Record, path: str, bundle: Bundle, mail: Mail) -> int:
        """Take in what a host sent."""
        if record.root not in self.tables:
            seat = place_of(record).seat if self.seat is None else None
            own = self.seat if seat is None else Seat.open(seat)
            self.tables[record.root] = Table(record, own, SystemClock())
        # What lies beside the copy is found there again; what came from elsewhere is not.
        beside = Path(path).resolve().parent == record.root.resolve().parent
        self.tables[record.root].keeps |= path == "-" or not beside
        self.came.setdefault(record.root, []).append((path, bundle))
        mails.remember(record, mail)
        return 0

    def _invite(self, bundle: Bundle, mail: Mail) -> int:
        copy = finding.copy_of_invite(bundle, Path(), self.record)
        offer = read_offer(copy)
        mails.remember(copy, mail)
        shared.say(f"{offer.name}: an invite to {offer.game.title} ({offer.invite.rules})")
        shared.say(*(f"  {line}" for line in story.of_invite(offer)))
        where = os.path.relpath(copy.root)
        if self.seat is None and place_of(copy).seat is None:
            beside = copy.root.with_name(f"{offer.name}-invite.txt")
            if not beside.exists():
                shared.write_bundle(bundle, None, str(beside))
            named = pasteable(os.path.relpath(beside))
            shared.say(f"{where}: your copy. To take a seat: adjudicator join {named}")
        return 0

    def _place(self, path: str, bundle: Bundle) -> Place:
        """The game here that a bundle is of; raises Refused."""
        about = bundles.about(bundle)
        beside = Path() if path == "-" else Path(path).absolute().parent
        folders = dict.fromkeys(one.absolute() for one in (Path(), beside))
        known = list(dict.fromkeys(place for one in folders for place in places(one)))
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
        raise courier.of_no_game(path, bundle, [Record(one.record) for one in known])

    def _awaits(self, place: Place, bundle: Bundle) -> bool:
        """Whether a game's first entry came with this bundle: only that says what the game is."""
        return (
            bundle.kind in ("entry", "receipt")
            and Record(place.record).last_step() is None
            and Record(place.record).root in self.came
        )

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
                    shared.warn(told)
                    return 1
            else:
                table.take(given, taken)
            taken.warnings += [f"{name} is of another game" for name in taken.foreign]
            if not table.begun:
                first = f"the game's first file, {table.game}-0000.txt, is not here yet"
                taken.warnings += [
                    f"{name} is not taken in: {first}. Ask the host for it" for name in taken.left
                ]
            code = tell(table, taken, named=self.several) or code
        for desk in self.played.values():
            if (game := desk.host) is not None:
                all_in = game.last.clocks.awaited and not game.missing()
                ready = ["all orders are in: adjudicator sync"] if all_in else host.waits(desk)
                shared.say(*ready, to=self.out)
        return code
