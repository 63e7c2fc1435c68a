"""Many games' mail through one mailbox: what comes in is dealt with, games go on, mails leave.

A crash at any instant loses nothing and does nothing twice. A mail is put away only when its
effects are durable: first the game's files (orders with their receipts, joins, letters), then, in
one transaction, the answers and the note that the mail is dealt with. After a crash both are done
again, and neither has a second effect. An entry is told in the same way: one transaction holds all
its mails and the mark that it is told.

What a host signs leaves only once a copy of it is the first of its number in the mailbox
(`office.copies`). Until then the mail that asked for it is not put away, and the entry is not told.
So each turn looks at the copies first, signs, puts its own copy there and looks again. Every mail's
blocks are looked at too, also those that it quotes (`host.ahead`). A game that lacks something
stands still, and its mails stay where they are.

A bad mail harms no other mail: it stays for three turns, and is then set aside and named. A bad
record harms no other game: its game waits with its mails, and the others go on. A From line is
never believed. A signed mail is answered at the address that its signer signed. An unsigned command
is answered at a player's signed address, a few times an hour. An unknown sender gets one fixed
text, once an hour.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from adjudicator.core import deadlines
from adjudicator.core.bundles import about
from adjudicator.host import timekeeping
from adjudicator.mail import block
from adjudicator.mail.logins import fault_of
from adjudicator.mail.mailboxes import Mailbox, MailboxDown, StoredMail, TooBig, Unreadable
from adjudicator.mail.mime import Mail, read_head, read_mail
from adjudicator.mail.outgoing import Outgoing, plus, render
from adjudicator.mail.senders import Sender
from adjudicator.office import copies, more_time, overview, replies
from adjudicator.office.answers import Answers
from adjudicator.office.game import HostMail
from adjudicator.office.outbox import CHECKS, HOUR, TAGGED, Outbox
from adjudicator.office.served import SERVED, STILL, Served
from adjudicator.store.clock import Clock
from adjudicator.words import story
from orders.bundle import Bundle
from orders.errors import TEMPORARY, Refused
from orders.fields import Time

if TYPE_CHECKING:
    from adjudicator.office.referee import Referee

KINDS = ("join", "order", "letter")

_SIGNED = ("entry", "receipt", "letter")
"""Kinds of bundles that hold the host's own signatures."""
_LOOKED, _ASKED, _FLOODED = "copies", "time asked", "turns flooded"

MOST_FLOODED = 10
"""The turns for which strangers' mails that are left unread keep deadlines from passing."""

_CAME_BACK = "a mail to"

FEW = 20
"""Up to so many mails are simply looked at in their order."""

MOST_FAILED = 3
"""When so many copies could not be put into the mailbox, no more are tried in that turn."""

MOST_TURNS = 3
"""The turns for which a mail is tried that cannot be dealt with."""

INTAKE = 30.0
"""Seconds for which one turn looks at mails; then answers leave and games go on."""


@dataclass(slots=True)
class Turn:
    """The results of one turn: faults, mails dealt with, entries told, mails sent.

    `left`: how many mails were not looked at because time was up; `strangers`: how many of these
    are strangers'. `late`: overdue players may be called missing. `timely`: nothing said that the
    clock is wrong by days.
    """

    faults: list[str]
    handled: int = 0
    told: int = 0
    sent: int = 0
    left: int = 0
    strangers: int = 0
    late: bool = True
    timely: bool = True


@dataclass(frozen=True, slots=True)
class Settings:
    """A host's settings: how many reminders a deadline has (0 to 2), and which address is told when
    something needs a hand. `tell_again`: which entries of a game that this state does not know are
    mailed: `all`, `last` or `none`; "": ask.
    `clock_is_right`: whatever other clocks and times say (`host.timekeeping`)."""

    reminders: int = 1
    alarm: str | None = None
    tell_again: str = ""
    clock_is_right: bool = False


class Held(NamedTuple):
    """A mail whose answers wait for a copy: where it lies (None: it stays there in any case), what
    it is, the answers, and what they wait for, by game."""

    stored: StoredMail | None
    mail: Mail
    what: str
    answers: list[Outgoing]
    waits: tuple[tuple[HostMail, str], ...]


class UnclaimedMail(Exception):
    """A mail for a game that is not played here, or does not go on now; `wait`: until it does."""

    def __init__(self, why: str, *, wait: bool) -> None:
        super().__init__(why)
        self.wait = wait


class Office(Served):
    """The games behind one mailbox, and the outbox that they share.

    `faults`: a line for each record that cannot be opened, with its fault. `timer` counts seconds.
    """

    def __init__(
        self,
        games: Sequence[HostMail],
        outbox: Outbox,
        address: str,
        clock: Clock,
        log: Callable[[str], None],
        faults: Sequence[str] = (),
        timer: Callable[[], float] = time.monotonic,
        settings: Settings = Settings(),
        referee: Referee | None = None,
    ) -> None:
        super().__init__(outbox, address, clock, settings.tell_again, faults)
        self.log = log
        self.timer = timer
        self.settings = settings
        self.referee = referee
        self.answers = Answers(self, referee)
        self.notes: list[tuple[str, Time]] = []
        self.held: list[Held] = []
        for game in games:
            self.open(game)
            if referee is not None and game in self.games:
                referee.adopt(game, self)

    def turn(self, source: Mailbox, sender: Sender) -> Turn:
        """Read the mails that came, let the games go on, send the mails that wait."""
        done = Turn(list(self.faults))
        self.source, self.held = source, []
        self.stopped.clear()
        if self.referee is not None and not self.outbox.has(f"{CHECKS}plain"):
            self.post.queue(self._check())
        looked = self._look(done, first=True) and self._ask_time(source, done)
        if looked:
            # What a crash left comes before what quotes it.
            self.settle_and_tell(done)
        self._read(source, done, take=looked)
        with self.outbox.act():
            for line, now in self.notes:
                self.outbox.note(line, now)
        if looked:
            self._settle_flood(done)
            self._go_on(done)
            if self.referee is not None:
                self._each(self.referee.see_to, done)
                self.settle_and_tell(done)
                self._each(self.referee.tell_watchers, done)
                self.referee.publish(self, done.faults)
                self.referee.tell_weekly(self)
        source.close()
        self._tell_host(done.faults)
        back = [game.offer.digest for game in self.games if self.copies.holds_back(game)]
        back = [f"invite/{one}/" for one in back]
        done.sent = self.post.flush(sender, done.faults, tuple(back))
        overview.note(self.outbox, self.clock.now(), done.faults)
        return done

    def _each(self, act: Callable[[HostMail, Served], None], done: Turn) -> None:
        """Do it for each game that has begun and goes on in this turn."""
        for game in self.games:
            try:
                if game not in self.stopped and game.host is not None:
                    act(game, self)
            except Exception as error:
                # A fault of one game harms no other.
                done.faults.append(f"{game.name}: {fault_of(error)}")

    def _note(self, line: str) -> None:
        """Tell a line, and keep it in the log."""
        self.log(line)
        with self.outbox.act():
            self.outbox.note(line, self.clock.now())

    def _tell_host(self, faults: list[str]) -> None:
        """Put the mail to the host into the outbox, if something needs a hand."""
        to, games, now = self.settings.alarm, self.known, self.clock.now()
        try:
            overview.remember(self.outbox, self.games)
            secret = next((game.secret for game in games), b"")
            if self.referee is not None:
                secret = self.referee.secret(self.outbox)
            if to is not None and secret:
                overview.put(games, self.outbox, self.post, secret, to, now, faults)
        except Exception as error:
            # Mails that wait in the outbox are sent anyway.
            faults.append(f"the mail to the host: {fault_of(error)}")

    # Whether the clock is right.

    def _ask_time(self, source: Mailbox, done: Turn) -> bool:
        """Compare the clock with the mail server's, each hour and before anybody is called missing.
        Nobody is, while they differ. Returns whether anything may be signed.

        The games compare it with the times of what comes in.
        """
        if self.settings.clock_is_right:
            return True
        now, theirs = self.clock.now(), self.outbox.noted(_ASKED) or None
        due = theirs is None or not 0 <= deadlines.between(theirs, now) < HOUR
        if due or any(map(_is_due, self.games)):
            try:
                theirs = source.time()
            except (MailboxDown, OSError) as error:
                done.late, theirs = False, None
                done.faults.append(f"the mailbox: {fault_of(error)}")
        for game in self.games:
            game.compare(self._note, theirs)
        found = theirs and timekeeping.doubt(now, "the mail server's time", theirs)
        if theirs and not found:
            self.outbox.keep_note(_ASKED, now)
        if not found:
            return True
        done.late, done.timely = False, not found.grave
        what = "nothing is signed" if found.grave else "nobody is called missing"
        done.faults.append(
            f"{found.text}: {what} until they agree; set the clock, or say --clock-is-right"
        )
        return done.timely

    # Copies of what was signed.

    def _look(self, done: Turn, *, first: bool = False) -> bool:
        """Take in the copies in the mailbox that are new to this machine; returns whether it could.

        `first`: the turn begins; afterwards the numbers of the mailbox must be the same ones.
        """
        marks = [self.copies.mark(game) for game in self.games if not self.stopped.get(game)]
        try:
            mark, mails = self.source.kept(_earliest(marks or [self.outbox.noted(_LOOKED)]))
            if not first and mark.split()[:-1] != self.looked.split()[:-1]:
                done.faults.append("the mailbox: its folder of copies was made anew meanwhile")
                return False
            found = list(self._copies_in(mails))
        except (MailboxDown, OSError) as error:
            done.faults.append(f"the mailbox: {fault_of(error)}")
            return False
        for copy in found if self.referee is not None else ():
            if copy.number == 1:
                self._take_offer(copy, done)
        for game in self.games if found else ():
            try:
                self._take_copies(game, found, first=first)
            except Exception as error:
                self._stop(game, error, done)
        self.looked = mark
        if mark != self.outbox.noted(_LOOKED):
            self.outbox.keep_note(_LOOKED, mark)
        self.copies.searched([game for game in self.games if not self.stopped.get(game)], mark)
        return True

    def _copies_in(self, mails: Iterable[bytes]) -> Iterator[copies.Copy]:
        """The copies in these mails; what is no copy was written by an earlier version."""
        for data in mails:
            with contextlib.suppress(Refused, Unreadable):
                mail = read_mail(data)
                copy = copies.read(mail)
                if copy is None:
                    self._witness(mail)
                else:
                    yield copy

    def _take_copies(self, game: HostMail, found: Sequence[copies.Copy], *, first: bool) -> None:
        told = self.copies.take(game, found)
        if told:
            self._note(f"{game.name}: taken from copies in the mailbox: {'; '.join(told)}")
            if not first:
                # Another machine was first, so nothing that was done here may go on.
                self.stopped[game] = ""

    def _take_offer(self, copy: copies.Copy, done: Turn) -> None:
        """Serve a game that another machine of the referee's was the first to offer."""
        assert self.referee is not None  # noqa: S101 - its caller looks
        try:
            game = next((game for game in self.games if game.offer.digest == copy.game), None)
            if game is None:
                game = self.referee.bring(copy, self)
                if game is None:
                    return
                self._note(f"{game.name}: taken from copies in the mailbox: its invite")
                self.open(game)
            # It is the first of its name, so no later one can take its place.
            self._take_copies(game, [copy], first=True)
        except Exception as error:
            done.faults.append(f"an offer in the mailbox: {fault_of(error)}")

    def _stop(self, game: HostMail, error: Exception, done: Turn) -> None:
        """A fault of one game, which harms no other."""
        if isinstance(error, Refused) and error.word in STILL:
            done.timely = done.timely and error.word != "clock"
            fault = f"{game.name} stands still: {error.message}; {error.hint}"
        else:
            hint = f"; {error.hint}" if isinstance(error, Refused) and error.hint else ""
            fault = f"{game.name}: {fault_of(error)}{hint}"
        self.stopped[game] = fault
        done.faults.append(fault)

    def _witness(self, mail: Mail) -> None:
        """Let the games look at what the host's own blocks in a mail say, quoted ones too."""
        found = [one.bundle for one in mail.blocks if one.bundle is not None]
        for bundle in found:
            for game in self.games if bundle.kind in _SIGNED else ():
                with contextlib.suppress(Refused):
                    game.witness(bundle)

    def settle(self, done: Turn) -> None:
        """Put copies of what was signed into the mailbox, until all is in one, and look whose came
        first. A game of which there is no copy stands until the next turn."""
        faults = 0
        while True:
            put = []
            for game in self.games:
                if game in self.stopped or faults >= MOST_FAILED:
                    continue
                number = self.copies.last(game)[0]
                try:
                    mail = self.copies.made(game)
                    if mail is not None:
                        self.source.keep(render(mail, self.address))
                        put.append((game, number))
                except (MailboxDown, OSError, Refused) as error:
                    faults += 1
                    self._wait(game, f"no copy in the mailbox: {fault_of(error)}", done)
            looked = bool(put) and self._look(done)
            for game, number in put:
                if game not in self.stopped and self.copies.last(game)[0] == number:
                    self._wait(game, "the mailbox does not show the copy that was put there", done)
            if not looked:
                return

    def _wait(self, game: HostMail, fault: str, done: Turn) -> None:
        """Let a game stand until the next turn; nobody is called missing meanwhile."""
        done.late = False
        done.faults.append(f"{game.name}: {fault}")
        self.stopped[game] = ""

    def settle_and_tell(self, done: Turn) -> None:
        """Settle what was signed, and tell what is settled."""
        self.settle(done)
        self.tell_settled(done)

    def _release(self, done: Turn) -> None:
        """Let the answers leave that wait for copies, and put their mails away; a mail whose answer
        is in none stays, and is read again."""
        held, self.held = self.held, []
        if held:
            self.settle(done)
        for one in held:
            waits = (self.copies.waits(game, name) for game, name in one.waits)
            if any(waits) or any(game in self.stopped for game, _ in one.waits):
                # A word without a block holds no orders, however long its game stands still.
                done.late = done.late and not one.mail.blocks
                continue
            try:
                if one.stored is None:
                    # Its mail is read again, for another game.
                    self.post.queue(one.answers)
                else:
                    self._answered(one.mail, one.what, one.answers)
            except Refused as error:
                done.late = False
                done.faults.append(str(error))
                continue
            if one.stored is not None:
                one.stored.done()

    # Mails in.

    def _read(self, source: Mailbox, done: Turn, *, take: bool) -> None:
        end = None
        if not take:
            done.late = False
            return
        try:
            self._meet_again(source)
            sort = partial(self._until_settled, done)
            with contextlib.closing(source.mails(sort)) as mails:
                for stored in mails:
                    if self.outbox.stuck(stored.name) > MOST_TURNS:
                        # The mail could not be set aside either.
                        continue
                    if end is None:
                        # The time starts only here, so that some mails are read however long the
                        # heads took.
                        end = self.timer() + INTAKE
                    if self.timer() > end:
                        done.left += 1
                        done.strangers += not self.whose(stored)
                        continue
                    self._look_at(stored, done)
        except (MailboxDown, OSError) as error:
            done.late = False
            done.faults.append(f"the mailbox: {fault_of(error)}")
        if done.left:
            self.log(f"{done.left} mails are left for the next turn")

    def _until_settled(self, done: Turn, mails: list[StoredMail]) -> Iterator[StoredMail]:
        """The mails in turns; then, while they can still be put away, what was signed for them is
        settled."""
        yield from self.in_turns(mails)
        self._release(done)

    def _settle_flood(self, done: Turn) -> None:
        """Call nobody late while mails are left unread, since some may hold orders: players' mails
        for as long as it takes, strangers' alone for some turns, as they may come without end."""
        turns = int(self.outbox.noted(_FLOODED) or 0) + 1 if done.left else 0
        if done.left > done.strangers or 0 < turns <= MOST_FLOODED:
            done.late = False
        if str(turns) != (self.outbox.noted(_FLOODED) or "0"):
            self.outbox.keep_note(_FLOODED, str(turns))

    def _meet_again(self, source: Mailbox) -> None:
        """Bring back mails that were set aside, once a game is served that was not before: they may
        be for it."""
        served = self.outbox.noted(SERVED).split()
        found = [one for game in self.games for one in (game.id, game.offer.digest)]
        new = [one for one in found if one not in served]
        if new and served:
            count = source.bring_back()
            if count:
                self._note(f"{count} mails that were set aside are looked at again")
        if new:
            self.outbox.keep_note(SERVED, " ".join([*served, *dict.fromkeys(new)]))

    def _look_at(self, stored: StoredMail, done: Turn) -> None:
        """Deal with one mail, whatever it holds; raises only Down and OSError, for the mailbox."""
        try:
            what = self._deal_with(stored, done)
        except (MailboxDown, OSError):
            raise
        except UnclaimedMail as error:
            self._leave(stored, done, str(error), wait=error.wait)
        except Unreadable as error:
            done.late = not self._leave(stored, done, f"it cannot be read: {error}") and done.late
        except Refused as error:
            done.late = False
            done.faults.append(f"{stored.name}: {error}")
        except Exception as error:
            # A fault of this program must not stop the mails of all other games.
            fault = f"this program failed: {fault_of(error)}"
            done.late = not self._leave(stored, done, fault) and done.late
        else:
            self.log(f"{stored.name}: {what}")
            self.outbox.unstick(stored.name)
            done.handled += 1

    def _deal_with(self, stored: StoredMail, done: Turn) -> str:
        """Deal with one mail and put it away, or aside for good; a line for the log."""
        try:
            mail = read_mail(stored.read())
        except Refused as error:
            if error.word == "missing":
                return "gone: somebody took it away meanwhile"
            if isinstance(error, TooBig):
                self._tell_too_large(error)
            self._tell_aside(stored, str(error), done)
            stored.aside()
            return "set aside"
        self.waits = []
        again = next((one for one in self.held if one.mail.digest == mail.digest), None)
        if again is not None:
            self.held.append(again._replace(stored=stored, answers=[]))
            return "dealt with before"
        what, answers = self.understand(mail)
        if what.startswith(_CAME_BACK):
            done.faults.append(what)
        if self.waits:
            self.held.append(Held(stored, mail, what, answers, tuple(self.waits)))
            if not mail.blocks:
                # What its writer may still ask is counted by the answers that left.
                self._release(done)
            return what
        self._answered(mail, what, answers)
        stored.done()
        return what

    def _leave(self, stored: StoredMail, done: Turn, fault: str, *, wait: bool = False) -> bool:
        """Leave a mail where it is, or after some turns set it aside; returns whether it was left.

        `wait`: leave it however many turns it takes.
        """
        if wait:
            done.faults.append(f"{stored.name}: left where it is: {fault}")
            return True
        turns = self.outbox.stick(stored.name, fault)
        if turns < MOST_TURNS:
            done.faults.append(f"{stored.name}: left for the next turn: {fault}")
            return True
        self._tell_aside(stored, fault, done)
        try:
            stored.aside()
            self.outbox.unstick(stored.name)
        except (MailboxDown, OSError) as error:
            # The mailbox cannot move the mail; it is skipped from now on.
            self.outbox.stick(stored.name, f"{fault}; {fault_of(error)}")
        return False

    def _tell_aside(self, stored: StoredMail, fault: str, done: Turn) -> None:
        """Tell that a mail is set aside, now and for a while: in the same words, as one thing."""
        done.faults.append(f"set aside: {stored.name}: {fault}")
        self._note(done.faults[-1])

    def _tell_too_large(self, error: TooBig) -> None:
        """Tell a player that their mail was too large to be read, if its head says who sent it."""
        with contextlib.suppress(Refused):
            mail = read_head(error.head)
            if not (mail.automatic or mail.listed):
                self.post.queue(self.answers.refusal(error, mail))

    def understand(self, mail: Mail) -> tuple[str, list[Outgoing]]:
        """Do what one mail asks; what it is, and its answers. Raises Refused (try later) and
        Unclaimed."""
        what, answers = "dealt with before", list[Outgoing]()
        if not self.outbox.handled(mail.digest):
            what, answers = self._returned(mail) or self._answers(mail)
        return f"{what} {mail.message_id or '(no Message-ID)'}", answers

    def _answered(self, mail: Mail, what: str, mails: Sequence[Outgoing]) -> None:
        """Put the answers to a mail into the outbox, and note that it is dealt with."""
        now = self.clock.now()
        chosen = self.post.chosen(mails, mail)
        if chosen:
            with self.outbox.act():
                self.post.put(chosen)
                self.outbox.handle(mail.digest, now)
                self.outbox.note(what, now)
        else:
            # Reading it again would do nothing either, so this need not be durable.
            self.notes.append((what, now))

    def _returned(self, mail: Mail) -> tuple[str, list[Outgoing]] | None:
        """A mail came back: this is noted, and the writer of a message in it is told. None: it is
        no such mail."""
        # A mail may quote those before it, and none after it.
        known = max(self.outbox.known(mail.tokens if mail.returned else ()), default=None)
        if not mail.returned or (known and known.recipient.lower() == str(mail.sender).lower()):
            return None
        if known is None:
            return "a mail came back that did not leave here", []
        for game in self.games:
            if game.id in known.key or game.offer.digest in known.key:
                # Another machine may wait for what was asked by that mail.
                self.waits.append((game, self.copies.came_back(game, known.token)))
        if not self.outbox.came_back(known.token, mail.returned):
            return "a mail came back that is not known to have left", []
        told = [one for game in self.games for one in game.returned(known.key)]
        # Who is not reached by an answer asks again; and anybody may ask in another's name.
        what = "an answer to" if known.key.startswith(("answer/", CHECKS)) else _CAME_BACK
        return f"{what} {known.recipient} came back: {mail.returned}", told

    def _check_way(self, mail: Mail) -> None:
        """Note what the way to this mailbox did to a mail of its own."""
        for known in self.outbox.known(mail.tokens if mail.by_host else ()):
            if known.key == f"{CHECKS}tagged" and not self.outbox.noted(TAGGED):
                self.outbox.keep_note(TAGGED, self.clock.now())
                self._note("this mailbox takes addresses with a token in them: answers go there")
            elif known.key == f"{CHECKS}plain" and known.token not in str(mail.message_id):
                self._note("a relay gives mails from here other Message-IDs: threads may break")

    def _check(self) -> list[Outgoing]:
        """The mails to the own mailbox, which show what the way there does to a mail."""
        assert self.referee is not None  # noqa: S101 - its caller looks
        words = replies.write("own")
        plain, tagged = (
            Outgoing(f"{CHECKS}{one}", self.referee.secret(self.outbox), self.address, *words)
            for one in ("plain", "tagged")
        )
        return [plain, replace(tagged, to=plus(self.address, tagged.token))]

    def _answers(self, mail: Mail) -> tuple[str, list[Outgoing]]:
        """A line that says what a mail is, and the mails that answer it."""
        self._witness(mail)
        self._check_way(mail)
        try:
            bundles = block.choose_each(mail.blocks, KINDS)
            if bundles:
                return self._take_each(bundles, mail)
        except Refused as error:
            if error.word in TEMPORARY:
                raise
            silent = mail.automatic or mail.listed
            return f"refused: {error}", [] if silent else self.answers.refusal(error, mail)
        if mail.automatic or mail.listed:
            return "automatic, left alone", []
        return self.answers.obey(mail)

    def _take_each(self, bundles: Sequence[Bundle], mail: Mail) -> tuple[str, list[Outgoing]]:
        """Take in the bundles of a mail. A refused one is skipped if another is taken."""
        told: list[str] = []
        mails: list[Outgoing] = []
        failure = None
        for bundle in bundles:
            try:
                what, due = self._take(bundle, mail)
            except (Refused, UnclaimedMail) as error:
                if isinstance(error, Refused) and error.word in TEMPORARY:
                    raise
                if isinstance(error, UnclaimedMail) and error.wait:
                    # The mail stays for that game, and this one's answers leave.
                    self.held.append(Held(None, mail, "; ".join(told), mails, tuple(self.waits)))
                    raise
                failure = failure or error
                continue
            told.append(what)
            mails += due
        if failure is not None and not told:
            raise failure
        return "; ".join(told), mails

    def _take(self, bundle: Bundle, mail: Mail) -> tuple[str, list[Outgoing]]:
        """Give a bundle to its game; raises Refused, or Unclaimed if no game here wants it."""
        game = next((game for game in self.known if game.wants(bundle)), None)
        if game is None:
            known = self.outbox.knows(about(bundle))
            where = "was served before, and is not now" if known else "is not served here"
            raise UnclaimedMail(f"{bundle.kind} for a game that {where}", wait=known)
        if self.stopped.get(game):
            raise UnclaimedMail(f"{bundle.kind} for {self.stopped[game]}", wait=True)
        try:
            if game in self.games:
                expected = self.copies.expect(game, bundle)
                what, mails = game.take_mailed(bundle, mail)
                if self.referee is not None:
                    self.referee.hear(game, self)
                self.waits += [(game, expected)] if expected else []
                return f"{game.name}: {what}", mails
        except Refused as error:
            if error.word in STILL:
                raise UnclaimedMail(f"{bundle.kind} for {game.name}: {error}", wait=True) from None
            # If the record holds, the bundle was at fault.
            if game.holds:
                if game in self.stopped:
                    # What made it so may be in no copy yet: the mail stays.
                    self.waits.append((game, ""))
                raise
        why = f"{bundle.kind} for {game.name}, whose record does not hold"
        raise UnclaimedMail(why, wait=True)

    # The order in which mails are looked at: one sender's many must not delay everybody else's.

    def in_turns(self, mails: list[StoredMail]) -> Iterator[StoredMail]:
        """One mail of each writer in turn, oldest first.

        The writer is known by the token of the mail that is answered, which only its recipient has
        seen, or else by the From line. All strangers together count as one writer.
        """
        heaps: dict[str, list[StoredMail]] = {}
        for one in mails:
            writer = self.whose(one) if len(mails) > FEW else ""
            heaps.setdefault(writer, []).append(one)
        for rank in zip_longest(*heaps.values()):
            yield from (one for one in rank if one is not None)

    def whose(self, stored: StoredMail) -> str:
        """By whom a mail may be, in words; "" for strangers."""
        try:
            mail = read_head(stored.head())
        except Refused:
            return ""
        for known in self.outbox.known(mail.tokens)[:1]:
            return f"answers {known.recipient}"
        return f"from {mail.sender}".lower() if self.seats_of(mail) else ""

    # Entries out.

    def _go_on(self, done: Turn) -> None:
        """Tell new entries, and let the games go on while they can, each by one act at a time."""
        going = [game for game in self.games if game not in self.stopped]
        while going:
            before = {game: -1 if game.host is None else game.host.last.step for game in going}
            going = [game for game in going if self._advance(game, done)]
            if going:
                self.settle_and_tell(done)
            for game in going:
                if game in self.stopped:
                    self._undo(game, before[game] + 1, done)
            going = [game for game in going if game not in self.stopped]
        for game in self.games:
            if game not in self.stopped:
                try:
                    self.post.queue(game.reminders(self.settings.reminders))
                except Exception as error:
                    self._stop(game, error, done)

    def _advance(self, game: HostMail, done: Turn) -> bool:
        """Let a game go on by one act; returns whether one was due."""
        try:
            return game.go_on(partial(self._spare, game, done), late=done.late)
        except Exception as error:
            self._stop(game, error, done)
            return False

    def _undo(self, game: HostMail, step: int, done: Turn) -> None:
        """Take back an entry of which there can be no copy, if it calls somebody missing: their
        orders may come before it can leave."""
        try:
            ledger = game.begun().ledger
            made = self.copies.last(game)[1] < step <= ledger.last.step
            if made and ledger.link(step).entry.missing:
                game.take_back(step)
        except Exception as error:
            self._stop(game, error, done)

    def tell_settled(self, done: Turn) -> None:
        """Tell the entries that lie in a copy, and let the host's own letters leave that do."""
        for game in self.games:
            if game in self.stopped:
                continue
            try:
                count = self.tell(game)
                done.told += count
                if count:
                    self._compare(game)
                for letter in self.copies.said(game):
                    self._say(game, letter, done)
            except Exception as error:
                self._stop(game, error, done)

    def _say(self, game: HostMail, letter: str, done: Turn) -> None:
        mails = game.said(letter)
        if mails is None:
            done.faults.append(
                f"{game.name}: a message of yours did not leave, as another machine of yours gave "
                "its number to another: say it again"
            )
        with self.outbox.act():
            self.post.put(self.post.chosen(mails or []))
            self.copies.left(game, letter)

    def _spare(self, game: HostMail, done: Turn) -> bool:
        """Move deadlines that nobody need keep; returns whether there was a ruling."""
        pauses = self.referee is not None and self.referee.pause(game, self)
        return pauses or more_time.spare(game, self.outbox, done.faults.append)

    def _compare(self, game: HostMail) -> None:
        """Warn if the players were told another address of the host than it has now."""
        signed = game.signed_address()
        if signed is not None and signed.lower() != self.address.lower():
            self.log(
                f"{game.name}: players send to {signed}, but this mailbox is {self.address}: "
                f"{replies.COMMANDS['MOVED']} tells them"
            )

    def tell(self, game: HostMail) -> int:
        """Put the mails of all untold entries into the outbox that lie in a copy, all of an entry
        at once."""
        if game.host is None:
            return 0
        last, told = self.copies.last(game)[1], self.outbox.told(game.id)
        for step in range(told + 1, last + 1):
            mails = game.news(step)
            with self.outbox.act():
                self.post.put(self.post.chosen(mails))
                self.outbox.tell(game.id, step)
            title = story.title(game.host.ledger.link(step).entry)
            self._note(f"{game.name}: entry {step} told to {len({m.to for m in mails})}: {title}")
        if last > told:
            # Otherwise another command would hand them out again.
            game.folder.mark_sent(last)
        return last - told


def _earliest(marks: Sequence[str]) -> str:
    """The earliest of these marks of a mailbox; "" if they are not of one row of numbers."""
    numbers = [[int(one) for one in mark.split()] for mark in marks]
    same = all(one and one[:-1] == numbers[0][:-1] for one in numbers)
    return " ".join(map(str, min(numbers))) if same else ""


def _is_due(game: HostMail) -> bool:
    """Whether somebody could be called missing now."""
    if game.host is None:
        return False
    awaited, now = game.host.last.clocks.awaited, game.clock.now()
    return any(awaited[player].until <= now for player in game.host.missing())
