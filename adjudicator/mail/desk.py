"""One game's mail at its host: bundles in, mails out.

What belongs here: joins that wait, taking in orders and letters, the mails of each entry. All of it
can be done again after a crash: what was done once has no second effect, and a mail made again has
the same key. What it must not know: mailboxes, other games, who wrote what is not signed.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from adjudicator import bundles, files, host, intake, opening, story
from adjudicator.clock import Clock
from adjudicator.host import Host
from adjudicator.host_folder import HostFolder
from adjudicator.host_letters import Letters, Taken
from adjudicator.install import Pin
from adjudicator.mail import wording
from adjudicator.mail.outgoing import Outgoing, message_id
from adjudicator.mail.reading import Mail, check_address
from adjudicator.opening import Offer, Opening
from adjudicator.player import ADDRESS_SIZE, Report
from adjudicator.record import Record
from games.game import View
from orders import canonical, names
from orders.bundle import Bundle, decode, encode
from orders.documents import Join, read_receipt
from orders.entries import Entry, Genesis
from orders.errors import Missing, Refused
from orders.fields import Digest, digest
from orders.keys import Signer
from orders.letter import EVERYONE, HOST
from orders.sealing import info, unseal

MOST_JOINS = 64
_JOIN = re.compile(r"([0-9]{2})-([a-z][a-z0-9-]{0,31})\.txt")
_LIMIT = 2**20


class Desk:
    """A game whose host works by mail. `address` is the host's."""

    def __init__(self, record: Record, signer: Signer, clock: Clock, address: str) -> None:
        self.record = record
        self.signer = signer
        self.clock = clock
        self.address = address
        self.folder = HostFolder(record.host)
        self.offer: Offer = opening.read_offer(record)
        self._host: Host | None = None

    @cached_property
    def name(self) -> str:
        """What the game is called in mails: its record's name."""
        return re.sub(r"[^A-Za-z0-9._-]", "-", self.record.root.resolve().name)[:40]

    @property
    def host(self) -> Host | None:
        """The game, once it has begun."""
        if self._host is None and self.record.last_step() is not None:
            self._host = Host(self.record, self.signer, self.clock)
        return self._host

    def begun(self) -> Host:
        """The game; raises Refused where it has not begun."""
        if self.host is None:
            raise Refused("not-yet", "the game has not begun")
        return self.host

    # Who is where.

    def joins(self) -> dict[str, Join]:
        """Who has joined, in order of arrival, or of seats once the game has begun."""
        if self.host is not None:
            return dict(self.host.opening.joins)
        return {
            join.player: join
            for path in self._join_paths()
            for join in [intake.read_join_bundle(self.offer, decode(files.read(path, _LIMIT)))]
        }

    def address_of(self, player: str, join: Join | None = None) -> str | None:
        """The address in a player's signed join; None where there is none that can be used."""
        signed = self.joins().get(player) if join is None else join
        if signed is None or signed.address is None:
            return None
        try:
            sealed = base64.b64decode(signed.address, validate=True)
            place = info("letter", self.offer.digest, 0, player)
            found = unseal(self.folder.letters(), place, sealed, ADDRESS_SIZE).decode("ascii")
        except (Refused, ValueError):
            return None
        return check_address(found)

    def players_at(self, address: str) -> list[str]:
        """The players whose signed address that is."""
        mine = address.lower()
        return [
            player
            for player, join in self.joins().items()
            if (self.address_of(player, join) or "").lower() == mine
        ]

    # Taking in.

    def wants(self, bundle: Bundle) -> bool:
        """Whether a bundle is for this game, by the digest that it names; raises nothing."""
        wanted = self.offer.digest
        if bundle.kind != "join":
            if self.host is None:
                return False
            wanted = self.host.opening.id
        return any(wanted.encode() in data for path, data in bundle.files if path.endswith(".toml"))

    def take(self, bundle: Bundle, mail: Mail) -> list[Outgoing]:
        """Take a join, an order or a letter in; the mails that follow from it. Raises Refused."""
        if bundle.kind == "join":
            return [self._take_join(bundle, mail)]
        if bundle.kind == "letter":
            return self._take_letter(bundle, mail)
        answer = self.begun().submit(bundle)
        receipt = read_receipt(answer.files[0][1])
        subject = f"step {receipt.step}: your orders are {receipt.status}"
        text = wording.receipt(receipt)
        name = f"receipt-{receipt.step:04d}-{receipt.revision}"
        return list(self.answer(receipt.player, mail, subject, text, answer, name))

    def answer(
        self,
        player: str,
        mail: Mail,
        subject: str,
        text: str,
        bundle: Bundle | None = None,
        name: str = "bundle",
        join: Join | None = None,
    ) -> Iterator[Outgoing]:
        """An answer to a player's mail, to the address that they signed; none without one."""
        to = self.address_of(player, join)
        if to is not None:
            yield Outgoing(
                key=f"answer/{mail.digest}/{self.id}/{player}",
                to=to,
                subject=f"[{self.name}] {subject}",
                text=text,
                date=self.clock.now(),
                bundle=bundle,
                name=f"{self.name}-{name}",
                reply=True,
                answers=mail.message_id,
                thread=mail.references,
            )

    def _take_letter(self, bundle: Bundle, mail: Mail) -> list[Outgoing]:
        taken = Letters(self.begun()).take(bundle)
        out = list(
            self.answer(
                taken.letter.player, mail, "your letter", wording.taken(taken.letter, taken.press)
            )
        )
        return out + self._passed_on(taken, taken.letter.player)

    def announced(self, to: str, text: str) -> list[Outgoing]:
        """The mails of a message that the host writes itself; raises Refused."""
        taken = Letters(self.begun()).announce(to, text, self.signer)
        return self._passed_on(taken, f"the {HOST}")

    def _passed_on(self, taken: Taken, writer: str) -> list[Outgoing]:
        """The mails that carry press to whom it is for."""
        press, out = taken.press, []
        for player, passed in taken.passed.items():
            to = self.address_of(player)
            if to is None or press is None:
                continue
            shown = self._open_mail(player) or (press.to == EVERYONE and not press.anonymous)
            who = "a message" if press.anonymous else f"a message from {writer}"
            out.append(
                Outgoing(
                    # Of the message's own digest: whoever gets it must not find who wrote it.
                    key=f"press/{digest(press.render())}/{player}",
                    to=to,
                    subject=f"[{self.name}] {who}",
                    text=wording.press(taken.letter, press, shown=shown),
                    date=self.clock.now(),
                    bundle=passed,
                    name=f"{self.name}-message",
                    thread=(self._thread(player, 0),),
                )
            )
        return out

    # Joining.

    def _join_paths(self) -> list[Path]:
        folder = self.folder.root / "joins"
        found = sorted(folder.iterdir()) if folder.is_dir() else []
        return [path for path in found if _JOIN.fullmatch(path.name)]

    def _take_join(self, bundle: Bundle, mail: Mail) -> Outgoing:
        join = intake.read_join_bundle(self.offer, bundle)
        to = self.address_of(join.player, join)
        if to is None:
            raise Refused(
                "illegal",
                "the join names no mail address that the host can read",
                "adjudicator join --address YOU@EXAMPLE.ORG",
            )
        held = self.joins()
        if self.host is not None:
            if held.get(join.player) != join:
                raise Refused("not-yet", "the game has begun without this join")
        else:
            self._keep_join(join, bundle, held)
            held = self.joins()
        text = wording.joined(join.player, list(held), self.seats())
        return next(self.answer(join.player, mail, "you have joined", text, join=join))

    def _keep_join(self, join: Join, bundle: Bundle, held: dict[str, Join]) -> None:
        """Keep a join until the game begins; a later one of the same key takes its place."""
        before = held.get(join.player)
        if before is not None and before.key != join.key:
            raise Refused("illegal", f"somebody has joined as {join.player}", "choose another name")
        opening.check_joins(self.offer, {**held, join.player: join})
        wanted = self.seats()
        if before is None and len(held) >= (wanted or MOST_JOINS):
            raise Refused("illegal", "all seats of this game are taken")
        number = next((p.name[:2] for p in self._join_paths() if p.name[3:-4] == join.player), None)
        name = f"{number or f'{len(held) + 1:02d}'}-{join.player}.txt"
        files.write(self.folder.root / "joins" / name, encode(bundle), 0o600)

    def seats(self) -> int | None:
        """How many players begin the game as soon as they are there; None: the host says when."""
        try:
            return int(files.read(self.folder.root / "seats", 10))
        except (Missing, ValueError):
            least, most = self.offer.game.seats
            return least if least == most else None

    def set_seats(self, count: int) -> None:
        """Begin the game as soon as that many have joined."""
        files.write(self.folder.root / "seats", f"{count}\n".encode(), 0o600)

    def start(self) -> None:
        """Genesis, with all who have joined; raises Refused."""
        joins = [decode(files.read(path, _LIMIT)) for path in self._join_paths()]
        host.start(self.record, joins, self.signer, self.clock)

    # Going on.

    def go_on(self, *, late: bool) -> bool:
        """One entry more, if one is due; whether there was. Raises Refused for what is amiss.

        `late`: whoever is overdue is not waited for.
        """
        if self.host is None:
            wanted = self.seats()
            if wanted is None or len(self.joins()) < wanted:
                return False
            self.start()
            return True
        if not isinstance(self.host.link().entry, Genesis | Entry):
            return False
        if Letters(self.host).grant() is not None:
            return True
        try:
            self.host.advance(late=late)
        except Refused as error:
            if error.word == "not-yet":
                return False
            raise
        return True

    # Telling.

    def news(self, step: int) -> list[Outgoing]:
        """The mails of an entry, in seat order: one to each player who has an address."""
        game = self.begun()
        bundle = bundles.of_entry(self.record, step)
        return [
            self.news_for(player, step, bundle, f"entry/{game.opening.id}/{step}/{player}", to)
            for player in game.opening.players
            if (to := self.address_of(player)) is not None
        ]

    def news_for(
        self, player: str, step: int, bundle: Bundle, key: str, to: str, answers: Mail | None = None
    ) -> Outgoing:
        """An entry's mail to a player; `answers` is their mail that asks for it again."""
        game = self.begun()
        entry = game.entry(step)
        awaited = getattr(entry, "awaited", {})
        what = f"waiting for {', '.join(awaited)}" if awaited else "the game is over"
        if player in awaited:
            what = f"your orders until {wording.when(awaited[player].until)}"
        report = self._report(player, step) if self._open_mail(player) else None
        before = tuple(self._thread(player, n) for n in sorted({0, max(step - 1, 0)}) if n < step)
        return Outgoing(
            key=key,
            to=to,
            subject=f"[{self.name}] entry {step}: {what}",
            text=wording.entry(game.opening, entry, self.name, player, report),
            date=entry.time,
            bundle=bundle,
            name=f"{self.name}-{step:04d}",
            reply=answers is not None,
            answers=None if answers is None else answers.message_id,
            thread=before,
        )

    def again(self, player: str, step: int | None, mail: Mail) -> list[Outgoing]:
        """An entry's mail once more, for a player who asks for it."""
        last = self.record.last_step()
        to = self.address_of(player)
        if last is None or to is None:
            text = wording.status(self.name, self.offer.game.title, story.status(self.record), ())
            return list(self.answer(player, mail, "the game has not begun", text))
        chosen = last if step is None else min(step, last)
        key = f"again/{mail.digest}/{self.id}/{player}"
        bundle = bundles.of_entry(self.record, chosen)
        return [self.news_for(player, chosen, bundle, key, to, mail)]

    def status_for(self, player: str) -> str:
        """How the game stands, for a player who asks."""
        shown = Letters(self.host).shown() if self.host is not None else set()
        known = [
            (other, address)
            for other in self.joins()
            if {player, other} <= shown and (address := self.address_of(other)) is not None
        ]
        told = story.status(self.record)
        return wording.status(self.name, self.offer.game.title, told, known)

    def invitation(self, to: str, pin: Pin | None = None) -> Outgoing:
        """The mail that invites an address, and tells from where to install the program."""
        told = "" if pin is None else f"/{digest(pin.url.encode())}"
        return Outgoing(
            key=f"invite/{self.offer.digest}/{to.lower()}{told}",
            to=to,
            subject=f"[{self.name}] a game of {self.offer.game.title}: you are invited",
            text=wording.invitation(self.offer, self.name, pin),
            date=self.offer.invite.date,
            bundle=bundles.of_invite(self.record),
            name=f"{self.name}-invite",
        )

    @property
    def id(self) -> Digest:
        """The game's id once it has begun, before that the invite's digest."""
        return self.offer.digest if self.host is None else self.host.opening.id

    def _thread(self, player: str, step: int) -> str:
        return message_id(f"entry/{self.begun().opening.id}/{step}/{player}", self.address)

    def _open_mail(self, player: str) -> bool:
        return self.begun().opening.joins[player].mail == "open"

    def _report(self, player: str, step: int) -> Report | None:
        """What a player with open mail was told in that entry; None for the reveal."""
        game = self.begun()
        opened: Opening = game.opening
        entry = game.entry(step)
        if isinstance(entry, Genesis):
            start = opened.game.start(opened.setup)
            return Report(0, opened.game.view(start, player), (), b"")
        if not isinstance(entry, Entry):
            return None
        data = game.report(step, player)
        values = canonical.loads(data)
        view = View(opened.setup, player, values["view"])
        return Report(step, view, tuple(values["events"]), data)


def open_desk(record: Record, signer: Signer, clock: Clock, address: str) -> Desk:
    """The desk of a record that this machine hosts; raises Missing or Refused."""
    HostFolder(record.host).master()
    if record.read_or_none(names.INVITE) is None:
        raise Missing(names.INVITE)
    return Desk(record, signer, clock, address)
