"""Many games' mail through one mailbox, so that a crash at any instant loses and doubles nothing.

A mail is put away only after all that follows from it is durable: first what the game keeps
(orders with their receipts, joins, letters), then in one transaction the answers and that the mail
is dealt with. Done again after a crash, the first has no second effect and the second none either.
Entries are told in the same way: all mails of an entry and the mark that it is told, at once.
What it must not know: rules, what blocks hold. Nothing is answered on the strength of a From line
but a player, at the address that they signed, and strangers, seldom and always in the same words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adjudicator import times
from adjudicator.clock import Clock
from adjudicator.mail import block, wording
from adjudicator.mail.commands import Command, read_command
from adjudicator.mail.desk import Desk
from adjudicator.mail.outgoing import Outgoing, render
from adjudicator.mail.reading import Mail, read_mail
from adjudicator.mail.senders import NotSent, Sender
from adjudicator.mail.sources import Down, Source
from adjudicator.mail.state import State, fault_of
from orders.bundle import Bundle
from orders.errors import Refused

KINDS = ("join", "order", "letter")
HOUR = 3_600
MOST_ANSWERS = 30
"""Answers to one address in an hour; what was signed is taken in all the same."""

MOST_STRANGERS = 60
"""Answers to unknown addresses in an hour, all together."""

TEMPORARY = ("busy",)
"""Refusals after which a mail stays where it is, to be looked at again."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What one turn did: mails dealt with, entries told, mails sent, and what went wrong."""

    handled: int
    told: int
    sent: int
    faults: tuple[str, ...]


class Office:
    """The desks behind one mailbox, with the state that they share."""

    def __init__(
        self,
        desks: Sequence[Desk],
        state: State,
        address: str,
        clock: Clock,
        log: Callable[[str], None],
    ) -> None:
        self.desks = desks
        self.state = state
        self.address = address
        self.clock = clock
        self.log = log

    def turn(self, source: Source, sender: Sender) -> Turn:
        """Read what came, let the games go on, send what waits."""
        faults: list[str] = []
        handled = self._read(source, faults)
        # While orders may lie in a mailbox that cannot be read nobody is called late.
        late = not faults
        told = sum(self._go_on(desk, faults, late=late) for desk in self.desks)
        sent = self.flush(sender, faults)
        return Turn(handled, told, sent, tuple(faults))

    def _read(self, source: Source, faults: list[str]) -> int:
        count = 0
        try:
            for arrived in source.mails():
                try:
                    self.log(f"{arrived.name}: {self.handle(arrived.read())}")
                except Refused as error:
                    if error.word in TEMPORARY:
                        faults.append(f"{arrived.name}: {error}")
                        continue
                    self.log(f"{arrived.name}: refused: {error}")
                except (OSError, Down):
                    raise
                except Exception as error:
                    # A fault of this program must not stop the mails of all other games.
                    faults.append(f"{arrived.name}: left where it is: {fault_of(error)}")
                    continue
                arrived.done()
                count += 1
        except (Down, OSError) as error:
            faults.append(f"the mailbox: {fault_of(error)}")
        return count

    def handle(self, data: bytes) -> str:
        """Deal with one mail; a line for the log. Raises Refused `busy` for later."""
        mail = read_mail(data)
        if self.state.handled(mail.digest):
            return "dealt with before"
        what, mails = self._answers(mail)
        # What is due to others goes out; whoever is a machine gets no answer.
        due = [one for one in mails if not (mail.automatic and one.reply)]
        now = self.clock.now()
        with self.state.act():
            for one in due:
                self._queue(one, now)
            self.state.handle(mail.digest, now)
        return what

    def _answers(self, mail: Mail) -> tuple[str, list[Outgoing]]:
        """What a mail is, and the mails that follow from it."""
        try:
            bundle = block.choose(mail.blocks, KINDS)
            if bundle is not None:
                return self._take(bundle, mail)
        except Refused as error:
            if error.word in TEMPORARY:
                raise
            return f"refused: {error}", self._refusal(error, mail)
        if mail.automatic or mail.listed:
            return "automatic, left alone", []
        return self._obey(read_command(mail.subject, mail.text), mail)

    def _take(self, bundle: Bundle, mail: Mail) -> tuple[str, list[Outgoing]]:
        desk = next((desk for desk in self.desks if desk.wants(bundle)), None)
        if desk is None:
            raise Refused("mismatch", f"this {bundle.kind} is for no game that is played here")
        mails = self._seldom(desk.take(bundle, mail))
        return f"{desk.name}: {bundle.kind} taken in", mails

    def _seldom(self, mails: list[Outgoing]) -> list[Outgoing]:
        """Without answers beyond what one address gets in an hour."""
        return [
            one
            for one in mails
            if not one.reply or self._spoken(f"answer/{one.to.lower()}") < MOST_ANSWERS
        ]

    def _spoken(self, who: str) -> int:
        return self.state.spoken(who, times.add(self.clock.now(), -HOUR))

    def _known(self, mail: Mail) -> list[tuple[Desk, str]]:
        """The seats whose signed address is the mail's From."""
        if mail.sender is None:
            return []
        return [(desk, player) for desk in self.desks for player in desk.players_at(mail.sender)]

    def _refusal(self, error: Refused, mail: Mail) -> list[Outgoing]:
        """Why nothing was taken: to a player at their signed address, to strangers in fixed words.

        It says what is wrong with what came, never what the game holds.
        """
        if mail.automatic or mail.listed:
            return []
        known = self._known(mail)
        if not known:
            return self._stranger(mail)
        desk, player = known[0]
        text = wording.refused(error)
        return self._seldom(list(desk.answer(player, mail, "your mail was not taken", text)))

    def _stranger(self, mail: Mail) -> list[Outgoing]:
        """The fixed words to an unknown sender, once an hour at the most."""
        to = mail.sender
        if to is None or to.lower() == self.address.lower():
            return []
        if self._spoken(f"stranger/{to.lower()}") or self._spoken("strangers") >= MOST_STRANGERS:
            return []
        return [
            Outgoing(
                key=f"answer/{mail.digest}",
                to=to,
                subject="Your mail was not understood",
                text=wording.UNKNOWN,
                date=self.clock.now(),
                reply=True,
                answers=mail.message_id,
                thread=mail.references,
                stranger=True,
            )
        ]

    def _obey(self, command: Command, mail: Mail) -> tuple[str, list[Outgoing]]:
        seats = self._known(mail)
        named = [seat for seat in seats if seat[0].name == command.game]
        if not seats:
            return "from a stranger", self._stranger(mail)
        out: list[Outgoing] = []
        if command.word == "resend":
            for desk, player in named or seats:
                out += desk.again(player, command.step, mail)
        else:
            desk, player = (named or seats)[0]
            told = [d.status_for(p) for d, p in dict(named or seats).items()]
            text, subject = {
                "status": ("\n".join(told), "status"),
                "help": (wording.HELP, "help"),
                "message": (wording.unsigned(), "your message was not passed on"),
                "form": (wording.unsealed(desk.name, player), "your orders were not taken"),
            }.get(command.word, ("Your mail was not understood.\n\n" + wording.HELP, "help"))
            out += desk.answer(player, mail, subject, text)
        return f"command {command.word or '(none)'}", self._seldom(out)

    def _queue(self, mail: Outgoing, now: str) -> None:
        """Put a mail into the outbox; within a transaction."""
        sender = "" if mail.stranger else self.address
        self.state.queue(mail.key, mail.to, sender, render(mail, self.address), now)
        if mail.stranger:
            self.state.speak(f"stranger/{mail.to.lower()}", now)
            self.state.speak("strangers", now)
        elif mail.reply:
            self.state.speak(f"answer/{mail.to.lower()}", now)

    def _go_on(self, desk: Desk, faults: list[str], *, late: bool) -> int:
        """Tell what was not told, and go on while the game does; how many entries were told."""
        try:
            count = self.tell(desk)
            while desk.go_on(late=late):
                count += self.tell(desk)
        except Refused as error:
            faults.append(f"{desk.name}: {error}")
            return 0
        return count

    def tell(self, desk: Desk) -> int:
        """Put the mails of all entries that stand into the outbox, each entry at once."""
        last = desk.record.last_step()
        if last is None:
            return 0
        told = self.state.told(desk.id)
        for step in range(told + 1, last + 1):
            mails = desk.news(step)
            with self.state.act():
                for one in mails:
                    self._queue(one, self.clock.now())
                self.state.tell(desk.id, step)
            self.log(f"{desk.name}: entry {step} told to {len(mails)}")
        if last > told:
            # So that other commands hand out nothing of it once more.
            desk.folder.mark_sent(last)
        return last - told

    def queue(self, mails: Sequence[Outgoing]) -> None:
        """Put mails into the outbox, all or none."""
        with self.state.act():
            for one in mails:
                self._queue(one, self.clock.now())

    def flush(self, sender: Sender, faults: list[str]) -> int:
        """Send what is due; what is not taken stays, to be tried again after a pause."""
        count = 0
        held = set()
        for key in self.state.due(self.clock.now()):
            mail = self.state.waiting(key)
            if mail.recipient in held:
                continue
            try:
                sender.send(key, mail.sender, mail.recipient, mail.data)
            except NotSent as error:
                now = self.clock.now()
                self.state.failed(key, error.fault, now, for_good=error.for_good)
                faults.append(f"a mail was not sent: {error.fault}")
                held.add(mail.recipient)
                if error.down:
                    break
                continue
            self.state.sent(key)
            count += 1
        sender.close()
        return count
