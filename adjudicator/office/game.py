"""One game's mail at its host: bundles in, mails to its players out, and going on.

What belongs here: which player has which address; taking in joins, orders and letters; which mails
an entry, a deadline or a question brings to whom. Their words stand in `office.replies`. All of it
can be done again after a crash: a second time it has no effect, and a mail that is made again has
the same key. What it must not know: mailboxes, other games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from adjudicator.core import bundles, deadlines
from adjudicator.core.bundles import about
from adjudicator.core.intake import Order, own_order
from adjudicator.core.ledger import Ledger
from adjudicator.core.report import Report
from adjudicator.core.source import read_or_none, signed
from adjudicator.host.desk import Desk
from adjudicator.host.letters import LetterRefused, Letters, TakenLetter
from adjudicator.host.restore import Pool, restore, take_back
from adjudicator.install import Pin
from adjudicator.mail import block
from adjudicator.mail.mime import Mail, check_address
from adjudicator.mail.outgoing import Outgoing, message_id
from adjudicator.office import replies
from adjudicator.office.replies import Reply, write
from adjudicator.store.clock import Clock
from adjudicator.store.record import Record
from adjudicator.words import answers, story
from adjudicator.words.spans import ReadAt
from orders import names
from orders.bundle import Bundle
from orders.documents import Join, read_receipt, read_slip
from orders.entries import Ruling, read_entry
from orders.errors import Missing, Refused, pasteable
from orders.fields import EVERYONE, HOST, Digest, Time, digest
from orders.keys import Signer
from orders.sshsig import Signed


class HostMail(Desk):
    """A desk that works by mail. The host's mails leave from `address`."""

    def __init__(self, record: Record, signer: Signer, clock: Clock, address: str) -> None:
        """As a desk's."""
        super().__init__(record, lambda: signer, clock)
        self.address = address
        self.secret = self.folder.mail_secret()
        self._addresses: dict[str, str] | None = None
        self.heard: set[str] = set()
        """Players whose signed letter was taken in, and of whom that is not noted yet."""

    @property
    def wanted(self) -> int | None:
        """As of a desk; by mail as many as the game is for, if it is for so many only."""
        return self.room.seats()

    def ready(self, told: int) -> None:
        """Raise Refused if the record does not hold; entries verified before are not verified
        again. `told` is the last entry that players were told of. A record that ends before it is
        refused, because a host that goes on from an older backup signs a second history."""
        if self.host is None:
            self.room.joins()
        elif self.host.last.step < told:
            where = pasteable(self.record.root)
            raise Refused(
                "gap",
                f"players were told of entry {told}, but the record ends at entry "
                f"{self.host.last.step}: was it restored from an older backup?",
                f"{replies.COMMANDS['RESTORE']} {where} brings the "
                "missing entries back from copies, seats or mails",
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
            self._addresses = {}
            for player, join in self.joins().items():
                told = None if self.host is None else Letters(self.host).address(player)
                to = check_address(told or self.room.private(join).address or "")
                self._addresses |= {} if to is None else {player: to}
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

    def reread(self) -> None:
        """As a desk does, and who has which address."""
        super().reread()
        self._addresses = None

    def players_at(self, address: str) -> list[str]:
        """The players with that signed address."""
        mine = address.lower()
        return [player for player, one in self.addresses().items() if one.lower() == mine]

    # Taking in.

    def take_mailed(self, bundle: Bundle, mail: Mail) -> tuple[str, list[Outgoing]]:
        """Take in a join, an order or a letter; returns what it was, and the mails to send.

        Raises Refused.
        """
        self._addresses = None
        if bundle.kind == "join":
            return self._answer_join(bundle, mail)
        try:
            taken = self.take(bundle)
        except LetterRefused as error:
            letter = error.letter
            key = f"refused/{self.id}/{digest(letter.render())}"
            words = replies.refused(error, "your letter was not taken")
            return f"letter refused: {error}", self.answer(letter.player, mail, key, words)
        if taken.answer is not None:
            what = "; ".join((taken.what, *taken.warnings))
            return what, self.receipt(taken.answer, mail, f"receipt/{taken.answer.digest}")
        assert taken.letter is not None  # noqa: S101 - it is no join and no order
        self.heard.add(taken.player)
        key = f"letter/{self.id}/{taken.letter.digest}"
        out = self.answer(taken.player, mail, key, write("letter"))
        return taken.what, out + self._passed_on(taken.letter)

    def receipt(self, answer: Signed, mail: Mail, key: str, *budget: str) -> list[Outgoing]:
        """The mail with a receipt for a player, in answer to the player's mail."""
        receipt = read_receipt(answer.data)
        told = answers.answered(self.begun().ledger, receipt)
        mails = self.answer(receipt.player, mail, key, replies.receipt(receipt, told), *budget)
        bundle = bundles.of_receipt(answer)
        name = bundles.name(self.name, bundle)
        return [replace(one, bundle=bundle, name=name) for one in mails]

    def answer(
        self, player: str, mail: Mail, key: str, words: Reply, *budget: str
    ) -> list[Outgoing]:
        """An answer to a player's mail, to the address that they signed; no mail without one."""
        to = self.addresses().get(player)
        return [] if to is None else [self._reply(to, mail, key, words, *budget)]

    def _reply(self, to: str, mail: Mail, key: str, words: Reply, *budget: str) -> Outgoing:
        """An answer to a mail."""
        return replace(self.mail(to, key, words).answering(mail), budget=budget)

    def mail(self, to: str, key: str, words: Reply) -> Outgoing:
        """A mail of this game."""
        return Outgoing(key, self.secret, to, f"[{self.name}] {words.subject}", words.text)

    # Whether this machine's clock is right.

    def compare(self, tell: Callable[[str], None], known: Time | None) -> None:
        """From now on compare the clock with the times of what comes in, and with `known`, the mail
        server's; `tell` is told of what differs by hours."""
        self.doubts, self.known = (lambda text: tell(f"{self.name}: {text}")), known
        if self.host is not None:
            self.host.doubts, self.host.known = self.doubts, known

    # What this machine may have lost.

    def witness(self, bundle: Bundle) -> None:
        """Look at what the host signed before: a copy of its own, or quoted in a player's mail.
        Raises Refused `ahead` if the record lacks it."""
        if self.host is not None and about(bundle) == self.id:
            self.host.witness(bundle)

    # What lies in copies, or should (`office.copies`). Names are as in `copies.Pending`.

    def held(self, name: str) -> tuple[Bundle, str] | None:
        """What was signed for it, or kept, and the name of its file if it is a letter; None if
        nothing was."""
        kind, _, key = name.partition("/")
        if kind == "letter":
            return self.letter_of(key)
        bundle = self.waiting_join(key) if kind == "join" else self._order(key)
        return None if bundle is None else (bundle, "")

    def _order(self, slip: Digest) -> Bundle | None:
        """The receipt for a slip; an accepted one with its order, also if an entry uses it."""
        held = self.folder.held(slip)
        if held is None or held.kind == "order":
            return held
        receipt = self.folder.receipt(slip)
        one = None if receipt is None else read_receipt(receipt.data)
        if one is None or one.status != "accepted":
            return held
        for step in range(one.step, self.begun().last.step + 1):
            used = self.begun().ledger.link(step).entry.slips.get(one.player)
            sealed = read_or_none(self.record, names.sealed_order(step, one.player))
            if used is not None and used.digest == slip and sealed is not None:
                file = signed(self.record, names.slip(step, one.player))
                order = Order(read_slip(file.data), file, sealed)
                return bundles.pack("order", order.files() | dict(held.files))
        return held

    def bring(
        self,
        given: Sequence[Bundle],
        lines: Sequence[str],
        steps: Mapping[int, Bundle],
        first: int,
        left: Sequence[str],
    ) -> list[str]:
        """Put in place what another machine of the host's signed before this one, and take back
        what this one signed since; returns what changed, in words. Raises Refused `ahead` if
        somebody was told of it.

        `steps`: the entries among what is `given`; `lines`: as in `copies.Copy`; `first`: the first
        entry that is in no copy; `left`: what this machine signed since and is not given.
        """
        here = -1 if self.host is None else self.host.last.step
        mine = [
            step
            for step in range(first, here + 1)
            if step not in steps
            or bundles.document(steps[step])[1] != self.record.read(names.entry(step))
        ]
        if mine:
            self._take_back(mine[0], given)
        told = [f"entry {step} of this machine came second and is taken back" for step in mine[:1]]
        # One answer may be the other machine's to the byte, and the next this one's alone.
        told += [
            f"{name.partition('/')[0]} of this machine came second and is taken back"
            for name in left
            if self.held(name) is not None and self._drop(name)
        ]
        since = 0 if self.host is None else self.host.last.since
        told += [line for one in given if (line := self._bring(one, since))]
        lacking = [step for step, one in steps.items() if not self._is_whole(step, one)]
        if lacking:
            pool = Pool()
            for step in lacking:
                pool.add_bundle(steps[step])
            done = restore(self.record, self.signer, self.clock, pool)
            self.reread()
            if done.missing:
                raise Refused("ahead", done.missing[0])
            told += [f"entry {step}" for step in lacking]
            for step in lacking:
                self.folder.note_press(self.begun().ledger.link(step).entry.press)
        for line in lines:
            kind, token, whom = [*line.split(" ", 2), ""][:3]
            if kind == "token" and token not in self.folder.tokens():
                self.folder.add_token(token, whom)
        kept = [one for one in given if one.kind == "letter"]
        letters = [line.partition(" ")[2] for line in lines if line.startswith("letter ")]
        for name, one in zip(letters, kept, strict=True):
            told += [f"letter {name}"] if Letters(self.begun()).bring(name, one) else []
        self._addresses = None
        return told

    def take_back(self, first: int) -> None:
        """Take back the entries from `first` on, which nobody was told of."""
        take_back(self.record, first)
        self.reread()

    def _take_back(self, first: int, given: Sequence[Bundle]) -> None:
        if first <= self.folder.sent():
            for one in given:
                self.witness(one)
            raise Refused(
                "ahead",
                f"entry {first} was handed out here, and another machine of yours signed "
                "something else before it",
                "only one machine may hand out entries by other ways than this mailbox",
            )
        self.take_back(first)

    def _is_whole(self, step: int, entry: Bundle) -> bool:
        """Whether an entry is here with its orders and reports: a crash may have come between."""
        reports = read_entry(bundles.document(entry)[1]).reports
        return all(read_or_none(self.record, path) == data for path, data in entry.files) and all(
            read_or_none(self.record, names.report(step, player)) is not None for player in reports
        )

    def _drop(self, name: str) -> bool:
        """Forget what was signed for somebody, as nobody was told of it. A letter of the host's own
        stays, as it leaves later: then False."""
        kind, _, key = name.partition("/")
        if kind == "letter" and key.startswith(f"{HOST}-"):
            return False
        if kind == "order":
            self.folder.drop(key)
        elif kind == "join":
            one = self.waiting_join(key)
            if one is not None:
                self.room.drop(self.room.read(one).player)
        elif kind == "letter" and self.host is not None:
            player, _, number = key.rpartition("-")
            Letters(self.host).drop(player, int(number))
        return True

    def _bring(self, bundle: Bundle, since: int) -> str:
        """Keep a join, or a receipt, with its order as long as that can be used; what it was, ""
        if it was here."""
        if bundle.kind == "join":
            if self.waiting_join(digest(bundles.document(bundle)[1])) == bundle:
                return ""
            player = self.room.read(bundle).player
            self.room.put(player, bundle)
            return f"join as {player}"
        if bundle.kind not in ("order", "receipt"):
            return ""
        held = dict(bundle.files)
        path = next(one for one in held if one.startswith("receipts/") and one.endswith(".toml"))
        receipt = Signed(held[path], held[names.signature(path)])
        one = read_receipt(receipt.data)
        known = self.folder.receipt(one.slip)
        if known == receipt:
            return ""
        self.folder.drop(one.slip)
        if bundle.kind == "order" and one.step > since:
            files = {
                other: data for other, data in bundle.files if not other.startswith("receipts/")
            }
            self.folder.accept(own_order(bundles.pack("order", files)), receipt)
        else:
            self.folder.keep_receipt(one.slip, receipt)
        return f"receipt for {one.player}, step {one.step}, revision {one.revision}: {one.status}"

    # Letters.

    def said(self, letter: str) -> list[Outgoing] | None:
        """The mails of a letter of the host's own, `host-NUMBER`; None if it was dropped, as
        another machine gave its number to another letter."""
        taken = Letters(self.begun()).passed(HOST, int(letter.rpartition("-")[2]))
        return None if taken is None else self._passed_on(taken)

    def signed_address(self) -> str | None:
        """The host's mail address as its signature told it to the players; None if it told none."""
        return self.offer.invite.mail if self.host is None else Letters(self.host).mail()

    def _passed_on(self, taken: TakenLetter) -> list[Outgoing]:
        """The mails that carry a letter to its readers."""
        text, letter, out = taken.text, taken.letter, []
        for player, bundle in taken.passed.items():
            to = self.addresses().get(player)
            if to is None:
                continue
            if text.to is None:
                key = f"moved/{taken.digest}/{player}"
                words = write("moved", address=text.address)
            else:
                # The key comes from the message's digest, so that no reader can find out who wrote
                # it.
                key = f"press/{letter.text}/{player}"
                # A block in the words would be taken for orders where a reply quotes them.
                shown = not block.find(text.body) and (
                    self.is_open(player) or (text.to == EVERYONE and not text.anonymous)
                )
                words = replies.press(letter, text, shown=shown)
            mail, thread = self.mail(to, key, words), (self.thread(player, 0),)
            out.append(replace(mail, bundle=bundle, name=f"{self.name}-message", thread=thread))
        return out

    def returned(self, key: str) -> list[Outgoing]:
        """The mails to send when the mail of that key came back: a message's writer is told."""
        kind, _, rest = key.partition("/")
        text, _, reader = rest.partition("/")
        if kind != "press" or self.host is None:
            return []
        return [
            self.mail(to, f"returned/{key}", write("returned", reader=reader))
            for letter, _ in Letters(self.host).read()
            if letter.text == text and letter.player != HOST
            if (to := self.addresses().get(letter.player)) is not None
        ]

    # Joining.

    def _answer_join(self, bundle: Bundle, mail: Mail) -> tuple[str, list[Outgoing]]:
        join = self.room.read(bundle)
        to = check_address(self.room.private(join).address or "")
        if to is None:
            raise Refused(
                "illegal",
                "the join names no mail address that the host can read",
                "set your address: adjudicator config address YOU@EXAMPLE.ORG, then join",
            )
        key = f"join/{self.offer.digest}/{bundle.digest}"
        budget = (f"join/{to.lower()}", "joins")
        if self.host is not None and join in self.host.seated().values():
            sits = self.host.last.joins[join.player] == join
            what = "sits" if sits else "sat"
            words = write("joined.sits" if sits else "joined.sat", player=join.player)
            answer = self._reply(to, mail, f"{what}/{key}", words, *budget)
            return f"join as {join.player}, who {what} there", [answer]
        try:
            taken = self.take(bundle)
            if taken.asks:
                return self._take_over(join, bundle, mail, key, to)
        except Refused as error:
            words = replies.refused(error, "you have not joined")
            answer = self._reply(to, mail, f"refused/{key}", words, *budget)
            return f"join as {join.player} refused: {error}", [answer]
        words = replies.joined(join.player, list(self.joins()), self.wanted)
        return taken.what, [self._reply(to, mail, key, words, *budget)]

    def _take_over(
        self, join: Join, bundle: Bundle, mail: Mail, key: str, to: str
    ) -> tuple[str, list[Outgoing]]:
        """Keep the join of somebody who would take over a seat; raises Refused. Only who has a
        token of the host's is heard."""
        if not self.offer.invite.reserved:
            raise Refused("over", "the game has begun without this join")
        place = self.folder.root / "joins" / self.room.keep(bundle, self.begun().seated())
        rule = f"{replies.COMMANDS['RULE']} {pasteable(self.record.root)}"
        words = write("taking-over", player=join.player)
        answer = self._reply(to, mail, key, words, f"join/{to.lower()}", "joins")
        what = f"a new player for {join.player}: {rule} --hand-on {pasteable(place)} --reason ..."
        return what, [answer]

    # What players are told.

    def news(self, step: int) -> list[Outgoing]:
        """The mails of an entry, in seat order, to each player who has an address. If it hands a
        seat on, who has it now gets the entries before it too, and who had it is told."""
        mails = [
            mail
            for player in self.begun().opening.players
            if (to := self.addresses().get(player)) is not None
            for mail in self._entry(player, step, self.entry_key(player, step), to)
        ]
        ruling = self.begun().ledger.link(step).entry.ruling
        if ruling is None or ruling.seat is None:
            return mails
        player = ruling.seat.player
        to = self.addresses().get(player)
        # As anybody may read them.
        so_far = [
            mail
            for before in range(step)
            if to is not None
            for mail in self.public(to, before, f"seat/{self.id}/{before}/{to}")
        ]
        return [*so_far, *mails, *self._farewell(ruling, player, step)]

    def _farewell(self, ruling: Ruling, player: str, step: int) -> list[Outgoing]:
        to = self.former_address(player, step)
        if to is None:
            return []
        words = replies.farewell(self.name, player, step, ruling)
        return [
            replace(
                self.mail(to, f"{self.entry_key(player, step)}/former", words),
                bundle=self.begun().bundles([step])[0],
                name=f"{self.name}-{step:04d}",
            )
        ]

    def _entry(self, player: str, step: int, key: str, to: str) -> list[Outgoing]:
        """An entry's mails to a player, one for each bundle."""
        host = self.begun()
        entry = host.ledger.link(step).entry
        report = self._report(player, step) if self.is_open(player) else None
        page, parts = self.folder.page(), host.bundles([step], player)
        before = tuple(self.thread(player, n) for n in sorted({0, max(step - 1, 0)}) if n < step)
        out = []
        for number, bundle in enumerate(parts, 1):
            part = f" ({number} of {len(parts)})" if len(parts) > 1 else ""
            words = replies.entry(
                host.opening, entry, self.name, player, report, bundle, page, part
            )
            mail = self.mail(to, key if number == 1 else f"{key}/{number}", words)
            name = bundles.name(self.name, bundle) + (f".{number}" if number > 1 else "")
            out.append(replace(mail, bundle=bundle, name=name, thread=before))
        return out

    def _report(self, player: str, step: int) -> Report | None:
        """The player's report of that entry; None if it has none."""
        host = self.begun()
        if step and not host.ledger.link(step).entry.reports:
            return None
        try:
            return host.report(step, player)
        except Missing:
            return None

    def reminders(self, count: int) -> list[Outgoing]:
        """A mail to each player whose orders are not in when a quarter of the turn time is left.

        `count` of 2: another one when half of it is left; of 0: none.
        """
        if self.host is None:
            return []
        now, setup = self.clock.now(), self.host.opening.setup
        turn, calendar = deadlines.turn_time(setup), deadlines.calendar(setup)
        out = []
        for player in self.host.missing():
            until = self.host.last.clocks.awaited[player].until
            left = calendar.counted(now, until)
            to = self.addresses().get(player)
            if to is None or not 0 < left <= (0, turn // 4, turn // 2)[count]:
                continue
            step = self.host.last.step + 1
            key = f"reminder/{self.id}/{step}/{player}/{until}"
            words = write("reminder", step=step, until=replies.when(until))
            mail = self.mail(to, key if left <= turn // 4 else f"{key}/first", words)
            out.append(replace(mail, thread=(self.thread(player, step - 1),)))
        return out

    def invitation(
        self, to: str, mark: str, token: str | None = None, pin: Pin | None = None, above: str = ""
    ) -> Outgoing:
        """The mail that invites an address; `mark` makes a second invitation another mail.

        `token` is for a reserved seat; `pin` says from where to install the program; `above`: what
        stands in front of the words that each invitation has.
        """
        bundle, page = bundles.of_invite(self.record, token), self.folder.page()
        words = replies.invitation(self.offer, self.name, bundle, token, pin, page)
        if above:
            words = words._replace(text=f"{above}\n\n{words.text}")
        return replace(
            self.mail(to, f"invite/{self.offer.digest}/{to.lower()}/{mark}", words),
            bundle=bundle,
            name=f"{self.name}-invite",
        )

    def public(self, to: str, step: int, key: str) -> list[Outgoing]:
        """An entry as anybody may read it, to somebody who does not play; `key` begins the keys of
        its mails."""
        host = self.begun()
        entry = host.ledger.link(step).entry
        out = []
        for number, bundle in enumerate(host.bundles([step]), 1):
            words = replies.public(host.opening, entry)
            mail = self.mail(to, key if number == 1 else f"{key}/{number}", words)
            out.append(replace(mail, bundle=bundle, name=bundles.name(self.name, bundle)))
        return out

    # Answers to words that nobody signed.

    def tell(self, player: str, mail: Mail, words: Reply, *, long: bool = False) -> list[Outgoing]:
        """The answer to an unsigned mail, for the player who may have written it.

        A long answer is sent no more often than an entry is sent again.
        """
        to = self.addresses().get(player, "")
        hour = (f"resend/{self.id}/{words.subject}/{to.lower()}",) if long else ()
        key = f"answer/{mail.digest}/{self.id}/{player}"
        return self.answer(player, mail, key, words, *hour, _unsigned(to))

    def resend(self, player: str, step: int | None, mail: Mail) -> list[Outgoing]:
        """An entry's mail once more; `step` None: the last one's."""
        to = self.addresses().get(player)
        if to is None:
            return []
        key = f"again/{mail.digest}/{self.id}/{player}"
        if self.host is None:
            words = self._state("the game has not begun", player)
            return self.answer(player, mail, key, words, _unsigned(to))
        last = self.host.last.step
        step = last if step is None else min(step, last)
        hour = (f"resend/{self.id}/{step}/{to.lower()}", _unsigned(to))
        return [
            replace(one, reply=True, answers=mail.message_id, budget=hour)
            for one in self._entry(player, step, key, to)
        ]

    def orders(self, player: str, mail: Mail) -> list[Outgoing]:
        """The receipt of a player's accepted orders once more."""
        if self.host is None:
            return self.tell(player, mail, self._state("your orders", player))
        waiting = self.host.folder.waiting().get(player)
        if waiting is None:
            return self.tell(player, mail, write("none-in", step=self.host.last.step + 1))
        key = f"answer/{mail.digest}/{self.id}/{player}"
        return self.receipt(waiting.receipt, mail, key, _unsigned(self.addresses().get(player, "")))

    def status(self, player: str) -> str:
        """The state of the game, for a player."""
        title = self.offer.game.title
        if self.host is None:
            return replies.not_begun(self.name, title, list(self.joins()), self.wanted)
        order = self.host.folder.waiting().get(player)
        lines = story.status_lines(self.host.ledger, ReadAt(self.clock.now()))
        revision = None if order is None else order.order.slip.revision
        return replies.status(self.name, title, lines, revision)

    def _state(self, subject: str, player: str) -> Reply:
        return Reply(subject, self.status(player) + "\n")

    def who(self, player: str) -> Reply:
        """Who plays, with keys. If this player shows their address, it has those of the others who
        do."""
        if self.host is None:
            return self._state("who plays", player)
        shown = Letters(self.host).shown()
        lines = []
        for other in self.host.opening.players:
            key = f"key {self.host.last.key(other).fingerprint}"
            known = other != player and {player, other} <= shown
            lines.append((other, f"{self.addresses().get(other)}, {key}" if known else key))
        return replies.who(self.name, self.offer.game.title, lines)

    def rules(self, player: str) -> Reply:
        """The rules of the game."""
        return replies.rules(self.offer.game)

    def history(self, player: str) -> Reply:
        """The story so far."""
        if self.host is None:
            return self._state("the story so far", player)
        lines = story.history(story.chapters(self.host.ledger))
        return Reply("the story so far", "\n".join([*lines, ""]))

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


def _unsigned(to: str) -> str:
    """The budget of answers to unsigned words."""
    return f"command/{to.lower()}"
