"""One game's mail at its host: bundles in, answers out, and going on.

What belongs here: which player has which address; taking in joins, orders and letters. All of it
can be done again after a crash: a second time it has no effect, and a mail that is made again has
the same key. What it must not know: mailboxes, other games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from adjudicator.core import bundles, opening
from adjudicator.core.bundles import about
from adjudicator.core.ledger import Ledger
from adjudicator.core.source import read_or_none
from adjudicator.host import begin
from adjudicator.host.folder import HostFolder
from adjudicator.host.host import Host
from adjudicator.host.letters import LetterRefused, Letters, TakenLetter
from adjudicator.host.waiting_room import WaitingRoom
from adjudicator.mail import block, wording
from adjudicator.mail.mime import Mail, check_address
from adjudicator.mail.outgoing import Outgoing, message_id
from adjudicator.store.clock import Clock
from adjudicator.store.record import Record
from adjudicator.words import answers
from orders import names
from orders.bundle import Bundle
from orders.documents import Join, read_receipt
from orders.errors import Refused, pasteable
from orders.fields import EVERYONE, HOST, Digest, Time, digest
from orders.keys import Signer
from orders.signed import Signed


class Desk:
    """A game whose host works by mail. The host's mails leave from `address`."""

    def __init__(self, record: Record, signer: Signer, clock: Clock, address: str) -> None:
        """Raises Missing or Refused if the record holds no game that this machine hosts."""
        self.record = record
        self.signer = signer
        self.clock = clock
        self.address = address
        self.folder = HostFolder(record.host)
        self.secret = self.folder.mail_secret()
        self.offer = opening.read_offer(record)
        self.room = WaitingRoom(self.folder, self.offer)
        self._host: Host | None = None
        self._addresses: dict[str, str] | None = None
        self.accepted: list[Signed] = []
        """Receipts that accepted an order since this desk was opened."""

    @property
    def name(self) -> str:
        """The game's name."""
        return self.offer.name

    @property
    def id(self) -> Digest:
        """The game's id once it has begun, and the invite's digest before that."""
        genesis = read_or_none(self.record, names.entry(0))
        return self.offer.digest if genesis is None else digest(genesis)

    @property
    def host(self) -> Host | None:
        """The game, None before it begins; raises Refused if its record does not hold."""
        if self._host is None and self.record.last_step() is not None:
            self._host = Host(self.record, self.signer, self.clock)
        return self._host

    def begun(self) -> Host:
        """The game; raises Refused if it has not begun."""
        if self.host is None:
            raise Refused("not-yet", "the game has not begun")
        return self.host

    def ready(self, told: int) -> None:
        """Raise Refused if the record does not hold; entries verified before are not verified
        again. `told` is the last entry that players were told of. A record that ends before it is
        refused, because a host that goes on from an older backup signs a second history."""
        if self.host is None:
            self.room.joins()
        elif self.host.last.step < told:
            raise Refused(
                "gap",
                f"players were told of entry {told}, but the record ends at entry "
                f"{self.host.last.step}: was it restored from an older backup?",
                f"adjudicator restore {pasteable(self.record.root)} FROM... brings the missing "
                "entries back from copies, seats or mails",
            )
        elif not self.host.last.over:
            # Read here, so that a file missing from a backup does not look like a fault of
            # somebody's orders.
            self.host.state()

    @cached_property
    def holds(self) -> bool:
        """Whether the whole record holds, verified from its beginning."""
        try:
            if self.host is not None:
                Ledger.read(self.record)
        except Refused:
            return False
        return True

    # Who is where.

    def joins(self) -> dict[str, Join]:
        """Who has joined, in order of arrival; in a game that has begun, who sits where."""
        return self.room.joins() if self.host is None else dict(self.host.last.joins)

    def addresses(self) -> dict[str, str]:
        """The players' mail addresses, each as its player signed it last."""
        if self._addresses is None:
            found = {player: self._address(player, join) for player, join in self.joins().items()}
            self._addresses = {player: one for player, one in found.items() if one is not None}
        return self._addresses

    def former_address(self, player: str, step: int) -> str | None:
        """The address of the player whose seat the ruling `step` handed on; None if they gave none,
        or have the seat again."""
        game = self.begun()
        rulings = ((link.step, link.entry.ruling) for link in game.ledger.links()[:step])
        seats = [n for n, one in rulings if one and one.seat and one.seat.player == player]
        private = self.room.private(game.ledger.link(step - 1).joins[player])
        told = Letters(game).address(player, seats[-1] if seats else 0)
        to = check_address(told or private.address or "")
        return None if to == self.addresses().get(player) else to

    def _address(self, player: str, join: Join) -> str | None:
        told = None if self.host is None else Letters(self.host).address(player)
        return check_address(told or self.room.private(join).address or "")

    def players_at(self, address: str) -> list[str]:
        """The players with that signed address."""
        mine = address.lower()
        return [player for player, one in self.addresses().items() if one.lower() == mine]

    # Taking in.

    def wants(self, bundle: Bundle) -> bool:
        """Whether a bundle is for this game; raises Refused for one that names none."""
        return about(bundle) == (self.offer.digest if bundle.kind == "join" else self.id)

    def take(self, bundle: Bundle, mail: Mail) -> tuple[str, list[Outgoing]]:
        """Take in a join, an order or a letter; returns what it was, and the mails to send.

        Raises Refused.
        """
        self._addresses = None
        if bundle.kind == "join":
            return self._take_join(bundle, mail)
        if bundle.kind == "letter":
            return self._take_letter(bundle, mail)
        answer = self.begun().submit(bundle)
        receipt = read_receipt(answer.data)
        if receipt.status == "accepted":
            self.accepted.append(answer)
        place = f"step {receipt.step}, revision {receipt.revision}"
        mails = self.receipt(answer, mail, f"receipt/{answer.digest}")
        return f"order of {receipt.player}, {place}: {receipt.status}", mails

    def receipt(self, answer: Signed, mail: Mail, key: str, *budget: str) -> list[Outgoing]:
        """The mail with a receipt for a player, in answer to the player's mail."""
        receipt = read_receipt(answer.data)
        mails = self.answer(
            receipt.player,
            mail,
            key,
            f"step {receipt.step}: your orders are {receipt.status}",
            wording.receipt(receipt, answers.answered(self.begun().ledger, receipt)),
            *budget,
        )
        bundle = bundles.of_receipt(answer)
        name = bundles.name(self.name, bundle)
        return [replace(one, bundle=bundle, name=name) for one in mails]

    def answer(
        self, player: str, mail: Mail, key: str, subject: str, text: str, *budget: str
    ) -> list[Outgoing]:
        """An answer to a player's mail, to the address that they signed; no mail without one."""
        to = self.addresses().get(player)
        return [] if to is None else [self.reply(to, mail, key, subject, text, *budget)]

    def reply(
        self, to: str, mail: Mail, key: str, subject: str, text: str, *budget: str
    ) -> Outgoing:
        """An answer to a mail."""
        return Outgoing(
            key,
            self.secret,
            to,
            f"[{self.name}] {subject}",
            text,
            reply=True,
            answers=mail.message_id,
            thread=mail.references,
            budget=budget,
        )

    # Whether this machine's clock is right.

    def compare(self, tell: Callable[[str], None], known: Time | None) -> None:
        """From now on compare the clock with the times of what comes in, and with `known`, the mail
        server's; `tell` is told of what differs by hours."""
        if self.host is not None:
            self.host.doubts = lambda text: tell(f"{self.name}: {text}")
            self.host.known = known

    # What this machine may have lost.

    def witness(self, bundle: Bundle) -> None:
        """Look at what the host signed before: a copy of its own, or quoted in a player's mail.
        Raises Refused `ahead` if the record lacks it."""
        if self.host is not None and about(bundle) == self.id:
            self.host.witness(bundle)

    def copies(self, kept: int) -> list[Outgoing]:
        """Copies for the host's own mailbox: of the entries after `kept`, and of the receipts that
        accepted an order."""
        if self.host is None:
            return []
        steps = range(kept + 1, self.host.last.step + 1)
        found = [(f"entry {step}", bundles.of_host(self.record, step)) for step in steps]
        found += [("a receipt", bundles.of_receipt(one)) for one in self.accepted]
        return [
            Outgoing(
                f"copy/{self.id}/{bundle.digest}", self.secret, self.address,
                f"[{self.name}] {what}, a copy of your own", wording.COPY, bundle=bundle, copy=True,
            )
            for what, bundle in found
        ]  # fmt: skip

    # Letters.

    def _take_letter(self, bundle: Bundle, mail: Mail) -> tuple[str, list[Outgoing]]:
        try:
            taken = Letters(self.begun()).take(bundle)
        except LetterRefused as error:
            return f"letter refused: {error}", self._refused(error, mail)
        letter = taken.letter
        text = wording.taken(letter, taken.press)
        key = f"letter/{self.id}/{taken.digest}"
        out = self.answer(letter.player, mail, key, "your letter", text)
        return f"letter {letter.number} of {letter.player}", out + self._passed_on(taken)

    def _refused(self, error: LetterRefused, mail: Mail) -> list[Outgoing]:
        """The mail that tells a letter's writer why it is not taken."""
        letter = error.letter
        key = f"refused/{self.id}/{digest(letter.render())}"
        text = wording.refused(error)
        return self.answer(letter.player, mail, key, "your letter was not taken", text)

    def announced(self, to: str, text: str) -> list[Outgoing]:
        """The mails of a message that the host writes itself; raises Refused."""
        return self._passed_on(Letters(self.begun()).announce(to, text))

    def moved(self) -> list[Outgoing]:
        """The mails that tell players the host's new address; raises Refused."""
        return self._passed_on(Letters(self.begun()).move(self.address))

    def signed_address(self) -> str | None:
        """The host's mail address as its signature told it to the players; None if it told none."""
        return self.offer.invite.mail if self.host is None else Letters(self.host).mail()

    def _passed_on(self, taken: TakenLetter) -> list[Outgoing]:
        """The mails that carry a letter to its readers."""
        return [
            self._passed_to(player, to, taken, bundle)
            for player, bundle in taken.passed.items()
            if (to := self.addresses().get(player)) is not None
        ]

    def _passed_to(self, player: str, to: str, taken: TakenLetter, bundle: Bundle) -> Outgoing:
        press, letter = taken.press, taken.letter
        if press is None:
            key, what = f"moved/{taken.digest}/{player}", "the host has a new mail address"
            text = wording.moved(letter)
        else:
            # The key comes from the message's digest, so that no reader can find out who wrote it.
            key = f"press/{digest(press.render())}/{player}"
            # A block in the words would be taken for orders where a reply quotes them.
            shown = not block.find(press.text) and (
                self.is_open(player) or (press.to == EVERYONE and not press.anonymous)
            )
            what = "a message" if press.anonymous else f"a message from {wording.writer(letter)}"
            text = wording.press(letter, press, shown=shown)
        return Outgoing(
            key,
            self.secret,
            to,
            f"[{self.name}] {what}",
            text,
            bundle=bundle,
            name=f"{self.name}-message",
            thread=(self.thread(player, 0),),
        )

    def returned(self, key: str) -> list[Outgoing]:
        """The mails to send when the mail of that key came back: a message's writer is told."""
        kind, _, rest = key.partition("/")
        text, _, reader = rest.partition("/")
        if kind != "press" or self.host is None:
            return []
        return [
            Outgoing(
                f"returned/{key}",
                self.secret,
                to,
                f"[{self.name}] your message to {reader} came back",
                wording.returned(reader),
            )
            for letter, _ in Letters(self.host).read()
            if letter.text == text and letter.player != HOST
            if (to := self.addresses().get(letter.player)) is not None
        ]

    # Joining.

    def _take_join(self, bundle: Bundle, mail: Mail) -> tuple[str, list[Outgoing]]:
        join = self.room.read(bundle)
        to = check_address(self.room.private(join).address or "")
        if to is None:
            raise Refused(
                "illegal",
                "the join names no mail address that the host can read",
                "adjudicator join --address YOU@EXAMPLE.ORG",
            )
        key = f"join/{self.offer.digest}/{bundle.digest}"
        budget = (f"join/{to.lower()}", "joins")
        try:
            if self.host is not None and self.host.opening.joins.get(join.player) != join:
                return self._take_over(join, bundle, mail, key, to)
            if self.host is None:
                self.room.take(bundle)
        except Refused as error:
            subject, text = "you have not joined", wording.refused(error)
            answer = self.reply(to, mail, f"refused/{key}", subject, text, *budget)
            return f"join as {join.player} refused: {error}", [answer]
        there = list(self.joins())
        text = wording.joined(join.player, there, self.room.seats())
        answer = self.reply(to, mail, key, "you have joined", text, *budget)
        return f"join as {join.player}", [answer]

    def _take_over(
        self, join: Join, bundle: Bundle, mail: Mail, key: str, to: str
    ) -> tuple[str, list[Outgoing]]:
        """Keep the join of somebody who would take over a seat; raises Refused. Only who has a
        token of the host's is heard."""
        if not self.offer.invite.reserved:
            raise Refused("over", "the game has begun without this join")
        place = self.folder.root / "joins" / self.room.keep(bundle, self.begun().seated())
        where = f"{pasteable(self.record.root)} --seat {pasteable(place)}"
        text = wording.taking_over(join.player)
        answer = self.reply(to, mail, key, "your join is here", text, f"join/{to.lower()}", "joins")
        return f"a new player for {join.player}: adjudicator rule {where} --reason ...", [answer]

    def start(self) -> None:
        """Genesis, with everybody who has joined; raises Refused."""
        begin.start(self.record, self.room.bundles(), self.signer, self.clock)
        self._addresses = None

    # Going on.

    def go_on(self, spare: Callable[[], bool], *, late: bool) -> bool:
        """Add one entry, if one is due, and return whether one was.

        Raises Refused. `spare` moves the deadlines of players whom no mail has reached. `late`: do
        not wait for players who are overdue.
        """
        if self.host is not None:
            letters = Letters(self.host)
            return self.host.go_on(lambda: letters.grant() or spare(), late=late)
        wanted = self.room.seats()
        if wanted is None or len(self.room.joins()) < wanted:
            return False
        self.start()
        return True

    # How mails are named.

    def entry_key(self, player: str, step: int) -> str:
        """The key of the mail that tells that entry to a player."""
        return f"entry/{self.id}/{step}/{player}"

    def thread(self, player: str, step: int) -> str:
        """The Message-ID of the mail that tells that entry to a player."""
        return message_id(self.secret, self.entry_key(player, step), self.address)

    def is_open(self, player: str) -> bool:
        """Whether the readable part of mails to that player may hold their view."""
        return self.begun().last.joins[player].mail == "open"
