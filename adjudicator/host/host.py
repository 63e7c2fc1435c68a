"""What the host does over a record: invite, genesis, intake, adjudication, rulings.

What belongs here: the acts that need the master or the host's key. What it must not know: rules of
games, how files travel, what is printed.

Each act holds the record's lock, and writes in an order that survives the end of the process
between any two writes:

    submit    an accepted order and its receipt go into one file of `inbox/`; only then does the
              receipt leave. The same slip, sent again, finds its receipt there.
    advance   what the entry names (slips, sealed orders, reports) is written first, then the
              entry's signature, then the entry: it is in the record whole or not at all. Then the
              receipts go to where they stay, with the copy of the state and the mark, which can
              be made again, and the inbox is cleared.
    reveal    the opened order files are written first, then the reveal.
    go_on     absences are granted, then the game is advanced; each is an act of its own.

The next act begins by clearing what a crash left of an entry that was not written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from adjudicator.core import bundles, chain, deadlines, engine, intake, report
from adjudicator.core.engine import AcceptedOrder, NextEntry, UnlockedGame, unlock
from adjudicator.core.ledger import Ledger
from adjudicator.core.link import Link
from adjudicator.core.opening import Opening
from adjudicator.core.replay import Replay, sealed
from adjudicator.core.source import append
from adjudicator.host import ahead, timekeeping
from adjudicator.host.begin import check_host
from adjudicator.host.folder import HostFolder, Refusals, WaitingOrder
from adjudicator.host.waiting_room import WaitingRoom
from adjudicator.store import files
from adjudicator.store.clock import Clock
from adjudicator.store.record import Record
from games.game import BadPosition, View
from orders import canonical, names, sshsig
from orders.bundle import Bundle
from orders.documents import Join, Slip, read_receipt
from orders.entries import Entry, Reveal, Ruling, SeatChange, UsedSlip
from orders.errors import Refused
from orders.fields import Time, digest
from orders.keys import Signer
from orders.sshsig import Signed

MOST_REFUSALS = 20
"""Refused orders of a player in a step that get receipts; after that the last is repeated."""


class Host:
    """A game under way, seen by its host."""

    def __init__(
        self,
        record: Record,
        signer: Signer,
        clock: Clock,
        doubts: Callable[[str], None] | None = None,
    ) -> None:
        """`doubts` is told what speaks against the clock, and what is grave stops the host
        (`timekeeping`); None: the clock is right."""
        self.record = record
        self.clock = clock
        self.doubts = doubts
        self.known: Time | None = None
        """The time that another clock shows now, such as the mail server's, if one was asked."""
        self._unheard: dict[str, Refused] = {}
        self.signer = signer
        self.folder = HostFolder(record.host)
        master = self.folder.master()
        mark = self.folder.mark()
        self.ledger = Ledger.read(record, mark)
        check_host(self.opening.offer, signer)
        self.game: UnlockedGame = unlock(self.opening, master)
        if self.ledger.mark != mark:
            with files.unless_busy(), record.locked():
                self.folder.keep_mark(self.ledger.mark)
        self._state: tuple[int, Any] | None = None

    @property
    def opening(self) -> Opening:
        """The values fixed at genesis."""
        return self.ledger.opening

    @property
    def last(self) -> Link:
        """The last entry."""
        return self.ledger.last

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Be the only host at work, and read in what others wrote. Raises Refused: `busy`, or
        `ahead` if this machine knows less than it has signed."""
        with self.record.locked():
            # Otherwise an entry of another process would be taken for what a crash left.
            self.ledger = self.ledger.further()
            ahead.check(self)
            yield

    def witness(self, bundle: Bundle) -> None:
        """Look at what the signatures in a bundle vouch for; raises Refused `ahead`, now and from
        then on, if this machine knows less than it has signed."""
        with self.locked():
            ahead.witness(self, bundle)

    # Orders.

    def submit(self, bundle: Bundle) -> Signed:
        """Take in an order bundle; the receipt that answers it. Raises Refused.

        The same slip gets the same receipt again, unless that said `absent`.
        """
        with self.locked():
            ahead.witness(self, bundle)
            order = intake.read_order_bundle(self.opening, self.last.joins, bundle)
            known = self.folder.answered(order)
            if known is None:
                # An entry may use it: an older backup of the folder lacks the receipt.
                used = intake.used(self.record, order, self.last.step)
                if used is not None:
                    known = Signed.by(self.signer, sshsig.RECEIPT, used.render())
            status = None if known is None else read_receipt(known.data).status
            if known is None or status == "absent":
                return self._judge(order)
            if status == "accepted" and self._is_lost(order):
                self.folder.accept(order, known)
            return known

    def _is_lost(self, order: intake.Order) -> bool:
        """Whether an order that was accepted is not here any more: it went with the entry that used
        it, as a record is lost beside its folder."""
        if order.slip.step <= self.last.since or order.sealed is None:
            return False
        whole = digest(order.sealed) == order.slip.sealed
        return whole and not self.folder.waits(order.file.digest)

    def _judge(self, order: intake.Order) -> Signed:
        player, step = order.slip.player, self.last.step + 1
        waiting = self.folder.waiting()
        # Nobody is missing whose orders are here: if the clock disagrees with this slip, every act
        # is refused until it is taken in.
        self._unheard.pop(player, None)
        try:
            self._check_clock(waiting, order.slip)
        except Refused as error:
            self._unheard[player] = error
            raise
        before = waiting.get(player)
        last = (0, 0) if before is None else before.order.place
        status = intake.judge(self.game, self.last, self.ledger.link, self._view, order, last)
        if status != "accepted":
            known = self.folder.refusals(step).get(player, Refusals())
            repeated = self.folder.receipt(known.last) if known.count >= MOST_REFUSALS else None
            if repeated is not None:
                return repeated
        time = self._now(waiting)
        receipt = intake.receipt(self.opening.id, self.last, order, status, time)
        answer = Signed.by(self.signer, sshsig.RECEIPT, receipt.render())
        if status == "accepted":
            self.folder.accept(order, answer)
        else:
            self.folder.keep_receipt(order.file.digest, answer)
            # Anybody can send a public slip without its sealed order, again and again.
            if status != "absent":
                self.folder.count_refusal(step, player, order.file.digest)
        return answer

    def _now(self, waiting: Mapping[str, WaitingOrder]) -> Time:
        """The time now, but never before that of earlier things, even if the clock was set back."""
        return max(self.clock.now(), self._last_time(waiting))

    def _check_clock(
        self, waiting: Mapping[str, WaitingOrder], slip: Slip | None = None, *, idle: bool = False
    ) -> None:
        """Compare the clock with all times that are known here; raises Refused `clock`.

        `idle`: the game waits for orders, so it is no wonder that nothing was signed.
        """
        if self.doubts is None:
            return
        now, last = self.clock.now(), self._last_time(waiting)
        written = [one.order.slip.time for one in waiting.values()]
        known = [last, *written, *([] if self.known is None else [self.known])]
        found = []
        if now < last:
            found.append(timekeeping.doubt(now, "the last time signed here", last))
        if slip is not None:
            what = f"the time in the slip of {slip.player}"
            found.append(timekeeping.doubt(now, what, slip.time, known, sent=True))
            known.append(slip.time)
        if not idle:
            due = [prompt.until for prompt in self.last.clocks.awaited.values()]
            found.append(timekeeping.stillness(now, max([*known, *due])))
        for text in timekeeping.check(found):
            self.doubts(text)
        if slip is None:
            for error in self._unheard.values():
                raise error

    def _last_time(self, waiting: Mapping[str, WaitingOrder]) -> Time:
        """The last time signed here: of the last entry, or of an order that came since."""
        signed = self.last.entry.time or self.clock.now()
        return max([signed, *(one.received for one in waiting.values())])

    def _view(self, player: str) -> View:
        return self.opening.game.view(self.state(), player)

    # Going on.

    def go_on(self, grant: Callable[[], bool], *, late: bool = False) -> bool:
        """Let the game go on by one act, and return whether one was due. Raises Refused.

        First `grant` moves deadlines that fall into an absence (`host.letters`), then the game is
        advanced; `late`: without the players who are overdue.
        """
        if isinstance(self.last.entry, Reveal):
            return False
        if grant():
            return True
        try:
            self.advance(late=late)
        except Refused as error:
            if error.word == "not-yet":
                return False
            raise
        return True

    def advance(self, *, late: bool = False) -> tuple[int, ...]:
        """Adjudicate if all are in, or with `late` once the deadline has passed; the new steps.

        After the end also reveal. Raises Refused `not-yet` if somebody is still awaited.
        """
        with self.locked():
            self._clear()
            if isinstance(self.last.entry, Reveal):
                raise Refused("over", "the game is over and revealed")
            self._check_clock(self.folder.waiting(), idle=not late and bool(self.missing()))
            before = self.last.step
            if not self.last.over:
                self._adjudicate(late=late)
            if self.last.over:
                self._reveal()
            return tuple(range(before + 1, self.last.step + 1))

    def missing(self) -> tuple[str, ...]:
        """The awaited players whose orders are not in, in seat order."""
        waiting = self.folder.waiting()
        return tuple(player for player in self.last.clocks.awaited if player not in waiting)

    def _check_due(self, waiting: Mapping[str, WaitingOrder], time: Time, *, late: bool) -> None:
        """Raise Refused `not-yet` while somebody is waited for, naming all of them."""
        awaited = self.last.clocks.awaited
        lacking = {player: one for player, one in awaited.items() if player not in waiting}
        early = [player for player, one in lacking.items() if time < one.until]
        step = self.last.step + 1
        if early or (lacking and not late):
            who = ", ".join(
                f"{player} until {one.until}"
                if player in early
                else f"{player}, overdue since {one.until}"
                for player, one in lacking.items()
            )
            hint = "" if early else "adjudicator sync --late goes on without"
            raise Refused("not-yet", f"step {step} waits for {who}", hint)

    def _adjudicate(self, *, late: bool) -> None:
        waiting = self.folder.waiting()
        time = self._now(waiting)
        self._check_due(waiting, time, late=late)
        step = self.last.step + 1
        taken = {}
        held: dict[str, bytes] = {}
        for player, one in waiting.items():
            # Read again, since a crash may have come after the order was judged.
            data = intake.open_order(self.game, self.last, one.order)
            read = intake.read_orders(self.opening, data, self._view(player))
            taken[player] = AcceptedOrder(one.order.file.digest, one.received, read)
            held |= one.order.files(step)
        # The nonces of the orders for the first adjudication fix the seed, once and for all.
        given = {player: one.order.slip.nonce for player, one in waiting.items()}
        nonces = {player: nonce for player, nonce in given.items() if nonce is not None}
        dice = self.game.dice(nonces if self.last.first is None else dict(self.ledger.nonces))
        press = self.folder.press()
        made = engine.adjudicate(self.game, dice, self.last, self.state(), taken, time, press)
        self._append(made, held, waiting.values())

    def _append(
        self, made: NextEntry, held: Mapping[str, bytes], came: Iterable[WaitingOrder] = ()
    ) -> None:
        """Write an entry with all that it names, and everything that follows from it."""
        step = made.entry.step
        reports = {names.report(step, player): data for player, data in made.sealed.items()}
        self._write(made.entry, {**held, **reports}, {})
        self.folder.settle(self.ledger.mark, made.state_file, came)
        self._state = step, made.state
        self.folder.note_press(made.entry.press)

    def _write(
        self, entry: Entry | Reveal, held: Mapping[str, bytes], earlier: Mapping[str, bytes]
    ) -> None:
        path = names.entry(entry.step)
        file = Signed.by(self.signer, sshsig.ENTRY, entry.render())
        # Everybody else will make this check, so the host makes it before anything is written.
        ledger = self.ledger.extend({**held, **file.files(path)})
        append(self.record, path, file, held, earlier)
        self.ledger = ledger

    def _reveal(self) -> None:
        files_of = sealed(self.game, self.record)
        opened = {
            names.opened_order(link.step, player): files_of(link, slip)
            for link in self.ledger.links()
            for player, slip in link.adjudicated.items()
        }
        self._write(engine.reveal(self.game, self.last), {}, opened)
        self.folder.settle(self.ledger.mark)

    # Rulings.

    def rule(
        self, ruling: Ruling, until: Mapping[str, Time] | Time | None = None
    ) -> tuple[int, ...]:
        """Append a ruling; one that abandons the game is followed by the reveal. Raises Refused.

        `until`: deadlines by player, or one for all that are earlier. The new steps.
        """
        return self._rule(ruling, until, self.last.joins, {})

    def hand_on(
        self,
        join: Bundle,
        reason: str,
        consent: Bundle | None = None,
        until: Mapping[str, Time] | Time | None = None,
    ) -> tuple[int, ...]:
        """Hand a seat on to the player of a new join, by a ruling; raises Refused.

        `consent`: the leaving player's; without one, `reason` says why.
        """
        new, file = intake.read_join_bundle(self.opening.offer, join)
        if new.player not in self.opening.players:
            raise Refused("no-seat", f"{new.player} has no seat in this game")
        WaitingRoom(self.folder, self.opening.offer).check_token(new, self.seated())
        step = self.last.step + 1
        held = file.files(names.seat(step, new.player))
        agreed = None if consent is None else bundles.read_one("consent", consent)[1]
        if agreed is not None:
            held |= agreed.files(names.consent(step, new.player))
        change = SeatChange(new.player, file.digest, None if agreed is None else agreed.digest)
        joins = {**self.last.joins, new.player: new}
        return self._rule(Ruling(reason, seat=change), until, joins, held)

    def seated(self) -> dict[str, Join]:
        """Every join that ever got a seat here, by seat and ruling: a token is for one of them."""
        held = {f"{player} 0": join for player, join in self.opening.joins.items()}
        for link in self.ledger.links() if self.ledger.seats else ():
            if link.entry.ruling is not None and link.entry.ruling.seat is not None:
                player = link.entry.ruling.seat.player
                held[f"{player} {link.step}"] = link.joins[player]
        return held

    def _rule(
        self,
        ruling: Ruling,
        until: Mapping[str, Time] | Time | None,
        joins: Mapping[str, Join],
        held: Mapping[str, bytes],
    ) -> tuple[int, ...]:
        with self.locked():
            self._clear()
            last = self.last
            if last.over:
                # Only the reveal may follow the end; everyone checks that.
                hint = "" if isinstance(last.entry, Reveal) else "adjudicator sync reveals it"
                raise Refused("over", "the game is over", hint)
            chain.check_annuls(last, self.ledger.link, ruling)
            self._check_clock(self.folder.waiting())
            time = self._now({})
            usual = chain.ruled(self.opening, last, self.ledger.link, ruling, time)
            if isinstance(until, str):
                until = {name: until for name, one in usual.awaited.items() if one.until < until}
            clocks = deadlines.move(usual, until or {})
            if ruling.moves_only and clocks == last.clocks:
                have = [f"{name} has until {one.until}" for name, one in clocks.awaited.items()]
                raise Refused(
                    "clock", f"too little: {', '.join(have)} already", "name a later time"
                )
            slips, listed = self._listed(ruling)
            state = self.state() if ruling.annuls is None else self._replayed(ruling.annuls - 1)
            self._append(
                engine.rule(self.game, last, state, ruling, clocks, time, joins=joins, slips=slips),
                {**held, **listed},
            )
            if self.last.over:
                self._reveal()
            return tuple(range(last.step + 1, self.last.step + 1))

    def _listed(self, ruling: Ruling) -> tuple[dict[str, UsedSlip], dict[str, bytes]]:
        """The accepted slips, with files, that an end before the first adjudication must list."""
        if not ruling.abandons or self.last.first is not None:
            return {}, {}
        waiting = self.folder.waiting()
        slips: dict[str, UsedSlip] = {}
        held: dict[str, bytes] = {}
        for player in filter(waiting.__contains__, self.opening.players):
            file = waiting[player].order.file
            slips[player] = UsedSlip(file.digest, waiting[player].received)
            held |= file.files(names.slip(self.last.step + 1, player))
        return slips, held

    # Positions.

    def state(self) -> Any:
        """The position now: from the copy of the last state, or replayed from the record."""
        step, entry, state = self.last.step, self.last.entry, None
        if self._state is None or self._state[0] != step:
            if isinstance(entry, Entry) and digest(copy := self.folder.state()) == entry.state:
                with suppress(Refused, BadPosition):
                    position = canonical.loads(copy)["position"]
                    state = self.opening.game.state(self.opening.setup, position)
            self._state = step, self._replayed(step) if state is None else state
        return self._state[1]

    def _replayed(self, step: int) -> Any:
        """The position that an entry left, replayed from the record; raises Refused."""
        again = Replay(self.game, self.ledger.link(0), sealed(self.game, self.record))
        for number in range(1, step + 1):
            link = self.ledger.link(number)
            if isinstance(link.entry, Reveal):
                return again.state(number - 1)
            try:
                again.play(link)
            except Refused:
                # An entry that cannot be played can still be annulled by a later ruling.
                if number == step:
                    raise
        return again.state(step)

    def report(self, step: int, player: str) -> report.Report:
        """What that entry told that player; raises Missing or Refused."""
        link = self.ledger.link(step)
        if step == 0:
            return report.start(self.opening, player)
        shared = self.game.shared(link.joins[player])
        sealed_file = self.record.read(names.report(step, player))
        data = report.unseal(self.opening, shared, link.entry, player, sealed_file)
        return report.read(self.opening, link.entry, player, data)

    # What has to be sent.

    def bundles(self, steps: Sequence[int], reader: str | None = None) -> tuple[Bundle, ...]:
        """The bundles of these entries as they go to that player, or to anybody."""
        return tuple(
            bundle for step in steps for bundle in bundles.of_entry(self.record, step, reader)
        )

    def unsent(self) -> tuple[int, ...]:
        """Entries that were written but not handed out, as after a crash between the two."""
        sent = self.folder.sent()
        return tuple(range(sent + 1, self.last.step + 1)) if sent >= 0 else ()

    def _clear(self) -> None:
        """Clear what a crash left half done."""
        self.folder.note_press(self.last.entry.press)
        self.record.clear_step(self.last.step + 1, self.opening.players)
        self.folder.clear(self.last.since)
